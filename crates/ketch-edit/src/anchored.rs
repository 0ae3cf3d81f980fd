//! The scalars that anchors name, which is needed to compare keys that are aliases.

use super::keys::{alias_hash, token_hash};
use super::tree::{Shape, Token, Tree};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// The maximum number of hashes to search a table for. With more, the whole text is parsed instead.
const NAMES_MAX: usize = 64;

/// The scalars that the anchors of a text name.
#[derive(Debug, Default)]
pub(super) struct Anchored {
    /// The scalar that each anchor names; `None` if it names a collection, or different nodes.
    scalars: HashMap<String, Option<Token>>,
    /// For the hash of each anchored scalar, the hashes of the aliases that stand for it.
    aliases: HashMap<u32, Vec<u32>>,
    /// The hashes of the aliases whose anchors name a collection, or different nodes.
    unclear: Vec<u32>,
}

impl Anchored {
    /// Reads the anchors of `text`. Returns `None` if `text` is not valid YAML.
    pub fn of_text(text: &[u8]) -> Option<Anchored> {
        let mut found = Anchored::default();
        for (name, content) in anchored(&Tree::parse(text).ok()?, text) {
            match found.scalars.entry(name) {
                Entry::Vacant(entry) => drop(entry.insert(content)),
                Entry::Occupied(entry) if *entry.get() == content => {}
                Entry::Occupied(mut entry) => drop(entry.insert(None)),
            }
        }
        for (name, content) in &found.scalars {
            match content {
                Some(key) => {
                    let hash = token_hash(std::slice::from_ref(key));
                    found.aliases.entry(hash).or_default().push(alias_hash(name.as_bytes()));
                }
                None => found.unclear.push(alias_hash(name.as_bytes())),
            }
        }
        Some(found)
    }

    /// Returns `hashes` together with the hashes of all aliases that stand for one of these keys.
    /// It is an error if there are more than `NAMES_MAX`.
    pub fn with_aliases(&self, hashes: &[u32]) -> Result<Vec<u32>, ()> {
        let mut all = hashes.to_vec();
        for hash in hashes {
            all.extend(self.aliases.get(hash).into_iter().flatten());
        }
        if all.len() > NAMES_MAX { Err(()) } else { Ok(all) }
    }

    /// Returns the hashes of the aliases that may stand for different nodes or for a collection. It
    /// is an error if there are more than `NAMES_MAX`.
    pub fn unclear(&self) -> Result<&[u32], ()> {
        if self.unclear.len() > NAMES_MAX { Err(()) } else { Ok(&self.unclear) }
    }

    /// Returns the scalar that every anchor `name` names; `None` if there is none, or if they
    /// differ.
    pub fn scalar(&self, name: &str) -> Option<&Token> {
        self.scalars.get(name)?.as_ref()
    }
}

/// Returns the name of each anchor in `tree`, with the token of its node if that is a scalar.
pub(super) fn anchored(tree: &Tree, text: &[u8]) -> Vec<(String, Option<Token>)> {
    let nodes = tree.nodes.iter().enumerate();
    let found = nodes.filter_map(|(at, node)| {
        let range = node.anchor.clone()?;
        let name = String::from_utf8_lossy(&text[range.start + 1..range.end]).into_owned();
        let token = tree.content(at).first().filter(|_| node.shape == Shape::Scalar);
        Some((name, token.cloned()))
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Action, Edit, EditErrorKind, Operation};

    #[test]
    fn an_alias_key_is_found_by_the_text_of_its_anchor() {
        let text = "a: &a x\nl:\n- *a : 2\n  y: 3\n- &b b: 1\n  *b : 2\n- {*a : 1, z: 2}\n";
        let at = |action, path: &str| Operation::at(action, &path.parse().expect("a path"));
        let set = |path: &str, value: &str| at(Action::set(value), path);
        for (operation, expected) in [
            (set("l[0].x", "7"), Ok(text.replace("*a : 2", "*a : 7"))),
            (set("l[2].x", "7"), Ok(text.replace("*a : 1", "*a : 7"))),
            (set("l[0].k", "7"), Ok(text.replace("y: 3\n", "y: 3\n  k: 7\n"))),
            (set("l[1].b", "7"), Err(EditErrorKind::DuplicateKey)),
            (at(Action::Rename("x".into()), "l[0].y"), Err(EditErrorKind::DuplicateKey)),
            (
                at(Action::insert("1").with_key(Some("x".into())), "l[2]"),
                Err(EditErrorKind::DuplicateKey),
            ),
        ] {
            for is_whole in [false, true] {
                let mut edit = Edit::open(text).expect("a text");
                if is_whole {
                    edit = edit.checking_whole();
                }
                let done = edit.apply(std::slice::from_ref(&operation));
                let done = done.map(|()| edit.text().to_owned()).map_err(|error| error.kind());
                assert_eq!(done, expected, "{operation:?}");
            }
        }
        // The key of the second edit is an alias of the node that the first edit has changed.
        let mut edit = Edit::open(text).expect("a text");
        let edits = [set("a", "y2"), set("l[0].y2", "7")];
        edit.apply(&edits).expect("an edit");
        assert_eq!(edit.text(), text.replace("&a x", "&a y2").replace("*a : 2", "*a : 7"));
    }
}
