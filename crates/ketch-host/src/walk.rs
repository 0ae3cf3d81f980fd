//! Visits the children of a composed node, and limits the work for merge keys and for keys that are
//! collections.

use ketch_yaml::compose::internal::{counted_entries, expanded_sizes};
use ketch_yaml::compose::{Entries, Items, Kind, Node};
use ketch_yaml::{Document, Error, Limits, Problem};
use std::vec;

/// The remaining children of a collection. In a mapping, keys and values alternate.
#[derive(Debug)]
pub struct Children<'d>(State<'d>);

#[derive(Debug)]
enum State<'d> {
    Items(Items<'d>),
    Pairs(Entries<'d>, Option<Node<'d>>),
    Merged(vec::IntoIter<(Node<'d>, Node<'d>)>, Option<Node<'d>>),
}

impl<'d> Children<'d> {
    /// Returns the children of `collection`, a node of `document`. Merge keys are applied if the
    /// document has them enabled. The merged pairs are subtracted from `budget`.
    ///
    /// # Errors
    ///
    /// Fails if the value of a merge key cannot be merged, and with
    /// [`Problem::TooManyAliasNodes`] if the budget is exceeded.
    pub fn of(
        collection: Node<'d>,
        document: &Document<'_>,
        budget: &mut RepeatBudget,
    ) -> Result<Children<'d>, Error> {
        Ok(Children(match collection.kind() {
            Kind::Mapping if document.merges() => {
                let (entries, merged) = counted_entries(collection)?;
                budget.count_merged(merged, collection)?;
                State::Merged(entries.into_iter(), None)
            }
            Kind::Mapping => State::Pairs(collection.entries(), None),
            _ => State::Items(collection.items()),
        }))
    }

    /// Returns the next child, and whether it is a key, or `None` if there are no more children.
    #[inline]
    #[allow(clippy::should_implement_trait, reason = "its callers change other things in between")]
    pub fn next(&mut self) -> Option<(Node<'d>, bool)> {
        let (pair, value) = match &mut self.0 {
            State::Items(items) => return items.next().map(|item| (item, false)),
            State::Pairs(pairs, value) => match value.take() {
                Some(value) => return Some((value, false)),
                None => (pairs.next()?, value),
            },
            State::Merged(pairs, value) => match value.take() {
                Some(value) => return Some((value, false)),
                None => (pairs.next()?, value),
            },
        };
        *value = Some(pair.1);
        Some((pair.0, true))
    }

    /// Returns the error that the key with the second of the indices in `keys` repeats the key with
    /// the first one. For hosts in which keys are equal that differ in YAML.
    #[must_use]
    pub fn repeated(mut self, keys: (usize, usize)) -> Error {
        let children = std::iter::from_fn(|| self.next());
        let nodes: Vec<Node<'_>> = children.filter(|child| child.1).map(|child| child.0).collect();
        nodes[keys.1].repeats(nodes[keys.0])
    }
}

/// Limits what is repeated for each alias and merge key. When a key is a collection, a host hashes
/// all nodes in it, and those that an alias refers to again for each alias. A merge key copies the
/// pairs of a mapping, so a chain of mappings that each merge the previous one takes quadratic
/// space.
#[derive(Debug)]
pub struct RepeatBudget {
    most: u64,
    /// The number of nodes that may still be hashed.
    hashed_left: u64,
    /// The number of pairs that may still be merged.
    merged_left: u64,
    /// The number of nodes in each subtree, with aliases expanded; 0 for a subtree that contains
    /// itself. They are counted when they are first needed.
    sizes: Vec<u64>,
}

impl RepeatBudget {
    /// Creates the budget for `document`: as many nodes, and as many pairs, as
    /// `limits.max_alias_nodes` allows.
    pub fn new(document: &Document<'_>, limits: &Limits) -> RepeatBudget {
        let most = limits.max_alias_nodes.at(document.text().len() as u64);
        RepeatBudget { most, hashed_left: most, merged_left: most, sizes: Vec::new() }
    }

    /// Subtracts the number of pairs that were merged into `mapping`.
    fn count_merged(&mut self, pairs: u64, mapping: Node<'_>) -> Result<(), Error> {
        let left = self.merged_left.checked_sub(pairs);
        self.merged_left = left
            .ok_or_else(|| Error::at(Problem::TooManyAliasNodes(self.most), mapping.location()))?;
        Ok(())
    }

    /// Subtracts the number of nodes of `key`, a collection in `document` that is a key, from the
    /// budget.
    ///
    /// # Errors
    ///
    /// Fails with [`Problem::AliasCycle`] if `key` contains itself, and with
    /// [`Problem::TooManyAliasNodes`] if the budget is exceeded.
    pub fn count_key(&mut self, key: Node<'_>, document: &Document<'_>) -> Result<(), Error> {
        if self.sizes.is_empty() {
            self.sizes = expanded_sizes(document);
        }
        let size = self.sizes.get(key.id().index()).copied().unwrap_or_default();
        if size == 0 {
            return Err(Error::at(Problem::AliasCycle, key.location()));
        }
        let Some(left) = self.hashed_left.checked_sub(size) else {
            return Err(Error::at(Problem::TooManyAliasNodes(self.most), key.location()));
        };
        self.hashed_left = left;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ketch_yaml::{ComposeOptions, Documents, Options};

    /// Composes `text`, which consists of one document.
    fn document(text: &str, merge_keys: bool) -> Document<'_> {
        let mut compose = ComposeOptions::default();
        compose.merge_keys = Some(merge_keys);
        let options = Options::default();
        Documents::with_options(text.as_bytes(), &options, &compose).next().unwrap().unwrap()
    }

    /// Returns the text of each child of the last value in `text`, and whether the child is a key.
    fn children(text: &str, merge_keys: bool) -> Vec<(String, bool)> {
        let document = document(text, merge_keys);
        let entry = document.root().entries().last().unwrap().1;
        let mut budget = RepeatBudget::new(&document, &Limits::default());
        let mut children = Children::of(entry, &document, &mut budget).unwrap();
        let mut texts = Vec::new();
        while let Some((child, is_key)) = children.next() {
            texts.push((child.resolved().text().into_owned(), is_key));
        }
        texts
    }

    #[test]
    fn children_are_merged_if_the_document_merges() {
        let text = "a: &a {x: 1}\nb: {<<: *a, y: 2}\n";
        let pair = |key: &str, value: &str| [(key.to_owned(), true), (value.to_owned(), false)];
        assert_eq!(children(text, true), [pair("x", "1"), pair("y", "2")].concat());
        assert_eq!(children(text, false)[2..], pair("y", "2"));
        assert_eq!(children("a: [1, 2]", true), [("1".to_owned(), false), ("2".to_owned(), false)]);
    }

    #[test]
    fn keys_are_counted_with_their_aliases_expanded() {
        let text = "- &a [1, 2]\n- &b [*a, *a]\n- &c [*c]\n";
        let document = document(text, false);
        let items: Vec<_> = document.root().items().collect();
        let max_alias_nodes = ketch_yaml::Budget::fixed(10);
        let limits = Limits { max_alias_nodes, ..Limits::default() };
        let mut budget = RepeatBudget::new(&document, &limits);
        budget.count_key(items[1], &document).unwrap(); // 7
        budget.count_key(items[0], &document).unwrap(); // 3
        let problem = |result: Result<(), Error>| result.unwrap_err().problem();
        let most = Problem::TooManyAliasNodes(10);
        assert_eq!(problem(budget.count_key(items[0], &document)), most);
        assert_eq!(problem(budget.count_key(items[2], &document)), Problem::AliasCycle);
    }

    #[test]
    fn merged_pairs_are_counted() {
        let document = document("- &a {x: 1, y: 2}\n- &b {<<: *a, z: 3}\n- {<<: *b}\n", true);
        let max_alias_nodes = ketch_yaml::Budget::fixed(5);
        let limits = Limits { max_alias_nodes, ..Limits::default() };
        let mut budget = RepeatBudget::new(&document, &limits);
        let items: Vec<_> = document.root().items().collect();
        Children::of(items[0], &document, &mut budget).unwrap();
        Children::of(items[1], &document, &mut budget).unwrap(); // 2
        let error = Children::of(items[2], &document, &mut budget).unwrap_err(); // 2 + 2
        assert_eq!(error.problem(), Problem::TooManyAliasNodes(5));
        assert_eq!(error.location().line, 3);
    }
}
