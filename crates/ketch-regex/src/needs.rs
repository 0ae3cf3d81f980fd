//! Finds texts of which every match of a pattern contains at least one, at its start or anywhere.
//! This takes one pass over the tree, in which children come before their parents.

use regex_syntax::hir::literal::{Literal, Seq};

use crate::fold;
use crate::regular::{literal_char, literal_repeat};
use crate::sets::Sets;
use crate::syntax::{Group, Kind, NodeId, Tree};

/// The maximum number of nodes of a pattern that is analysed.
const NODES_MAX: usize = 2_000;
/// The maximum number of texts.
const TEXTS_MAX: usize = 64;
/// The maximum number of texts that are searched for fast. A search for more takes twice as long.
const FAST_MAX: usize = 32;
/// The maximum number of characters in a set that is treated as alternative texts.
const CHARS_MAX: usize = 8;
/// The maximum number of nodes in a sequence at which required texts may start.
const PLACES_MAX: usize = 24;
/// The maximum length of a text. Longer ones are not extended.
const LENGTH_MAX: usize = 64;

/// Texts, with their minimum and maximum distance in bytes from the start of a match.
#[derive(Clone, Debug)]
pub(crate) struct Need {
    pub(crate) literals: Vec<Vec<u8>>,
    pub(crate) least: usize,
    pub(crate) most: Option<usize>,
}

/// Facts about all matches of a pattern.
#[derive(Default)]
pub(crate) struct Needs {
    /// Texts of which every match starts with one.
    pub(crate) prefix: Option<Need>,
    /// Texts of which every match contains at least one.
    pub(crate) required: Option<Need>,
}

/// Facts about all matches of a node.
#[derive(Clone)]
struct Known {
    /// The texts with which a match may start.
    starts: Seq,
    need: Option<Need>,
    /// The minimum and the maximum length in bytes.
    least: usize,
    most: Option<usize>,
}

/// Returns the facts about all matches of a pattern.
pub(crate) fn needs(tree: &Tree, sets: &Sets<'_>) -> Needs {
    if tree.nodes().len() > NODES_MAX {
        return Needs::default();
    }
    let mut known: Vec<Known> = Vec::with_capacity(tree.nodes().len());
    for at in 0..tree.nodes().len() {
        let node = Node { tree, sets, known: &known };
        let mut found = node.known(NodeId(at as u32));
        if let Some(need) = need_of(&found.starts, 0, Some(0)) {
            found.need = better(found.need, Some(need));
        }
        known.push(found);
    }
    let root = &known[tree.root().index()];
    Needs { prefix: need_of(&root.starts, 0, Some(0)), required: root.need.clone() }
}

/// Returns the texts in `starts` as a need with the given distances, or `None` if there are none or
/// one of them is empty.
fn need_of(starts: &Seq, least: usize, most: Option<usize>) -> Option<Need> {
    let literals = starts.literals()?;
    if literals.is_empty() || literals.iter().any(Literal::is_empty) {
        return None;
    }
    let mut literals: Vec<Vec<u8>> =
        literals.iter().map(|literal| literal.as_bytes().to_vec()).collect();
    // A search for many long texts is faster if it looks only for their first bytes.
    for length in [8, 4, 3] {
        if literals.len() > if length == 8 { 1 } else { FAST_MAX } {
            literals.iter_mut().for_each(|literal| literal.truncate(length));
            literals.sort();
            literals.dedup();
        }
    }
    Some(Need { literals, least, most })
}

/// Returns the need that makes a search faster, if there are two, or the only one.
fn better(first: Option<Need>, second: Option<Need>) -> Option<Need> {
    let score = |need: &Need| {
        let shortest = need.literals.iter().map(Vec::len).min().unwrap_or(0);
        // One text is found twice as fast as several. A known distance also helps.
        let single = if need.literals.len() == 1 { 2 } else { 0 };
        3 * shortest.min(5) + single + usize::from(need.most.is_some())
    };
    match (first, second) {
        (Some(first), Some(second)) if score(&second) > score(&first) => Some(second),
        (None, second) => second,
        (first, _) => first,
    }
}

/// Returns a sequence that contains only the empty text.
fn empty() -> Seq {
    Seq::singleton(Literal::exact(Vec::new()))
}

struct Node<'t> {
    tree: &'t Tree,
    sets: &'t Sets<'t>,
    known: &'t [Known],
}

impl Node<'_> {
    /// Returns the facts about the node `id`, which follow from those about its children.
    fn known(&self, id: NodeId) -> Known {
        let nothing = Known { starts: empty(), need: None, least: 0, most: Some(0) };
        let unknown = Known { starts: Seq::infinite(), need: None, least: 0, most: None };
        let node = self.tree.node(id);
        match &node.kind {
            Kind::Empty | Kind::Assertion(_) | Kind::Keep => nothing,
            Kind::Group(Group::LookBehind { .. } | Group::LookAhead { negative: true }, _) => {
                nothing
            }
            Kind::Group(Group::LookAhead { .. }, child) => {
                Known { need: self.of(*child).need.clone(), ..nothing }
            }
            Kind::Group(Group::Absence, _) => unknown,
            Kind::Group(_, child) => self.of(*child).clone(),
            Kind::Char(_) | Kind::Any | Kind::Shorthand(..) | Kind::Property(..) => self.set(id),
            Kind::Class(..) | Kind::Posix(..) | Kind::Range(..) => self.set(id),
            Kind::Concat(items) => self.concat(items),
            Kind::Alternation(branches) => self.alternation(branches),
            Kind::Repeat { .. } => self.repeat(id),
            Kind::LineBreak => Known { least: 1, most: Some(3), ..unknown },
            Kind::Grapheme => Known { least: 1, ..unknown },
            _ => unknown,
        }
    }

    /// Returns the facts about the child `id`.
    fn of(&self, id: NodeId) -> &Known {
        &self.known[id.index()]
    }

    /// Returns the facts about the node `id`, which matches one character in a set.
    fn set(&self, id: NodeId) -> Known {
        // Under `i`, a character may be equal to three characters of two bytes each.
        let folds = self.tree.node(id).flags.ignore_case;
        let most = Some(if folds { 6 } else { 4 });
        let wide = Known { starts: Seq::infinite(), need: None, least: 1, most };
        let expands =
            literal_char(self.tree, id).is_some_and(|char| fold::expansion(char).is_some());
        if expands || !self.sets.expansions(id).is_empty() {
            return wide;
        }
        let set = self.sets.get(id);
        let count: usize = set.ranges().iter().map(|range| range.len()).sum();
        if count > CHARS_MAX {
            return wide;
        }
        let chars = set.ranges().iter().flat_map(|range| range.start()..=range.end());
        let bytes = |char: char| match self.sets.is_binary() {
            true => vec![char as u8],
            false => char.to_string().into_bytes(),
        };
        Known { starts: Seq::new(chars.map(bytes)), ..wide }
    }

    /// Returns, for each item, whether it is part of a text that may match a single character. For
    /// example, "ss" matches ß under `i`.
    fn contracted(&self, items: &[NodeId]) -> Vec<bool> {
        let chars: Vec<Option<char>> = match self.sets.is_binary() {
            true => vec![None; items.len()],
            false => items.iter().map(|id| literal_char(self.tree, *id)).collect(),
        };
        let mut found = vec![false; items.len()];
        for length in 2..=3 {
            for (at, window) in chars.windows(length).enumerate() {
                let text: Option<Vec<char>> = window.iter().copied().collect();
                if text.is_some_and(|text| !fold::contractions(&text).ranges().is_empty()) {
                    found[at..at + length].fill(true);
                }
            }
        }
        found
    }

    /// Returns the facts about nodes in sequence.
    fn concat(&self, items: &[NodeId]) -> Known {
        let contracted = self.contracted(items);
        let infinite = Seq::infinite();
        let starts =
            |at: usize| if contracted[at] { &infinite } else { &self.of(items[at]).starts };
        let mut known = Known { starts: empty(), need: None, least: 0, most: Some(0) };
        for (at, id) in items.iter().enumerate() {
            let item = self.of(*id);
            if at < PLACES_MAX {
                let mut seq = empty();
                for next in at..items.len() {
                    if !cross(&mut seq, starts(next)) {
                        break;
                    }
                }
                known.need = better(known.need, need_of(&seq, known.least, known.most));
                if at == 0 {
                    known.starts = seq;
                }
            }
            if let Some(need) = item.need.as_ref().filter(|_| !contracted[at]) {
                let shifted = Need {
                    literals: need.literals.clone(),
                    least: known.least + need.least,
                    most: known.most.zip(need.most).map(|(before, most)| before + most),
                };
                known.need = better(known.need, Some(shifted));
            }
            // Under `i`, three characters may match one of two bytes.
            known.least += if contracted[at] { 0 } else { item.least };
            known.most = known.most.zip(item.most).map(|(most, next)| most.saturating_add(next));
        }
        known
    }

    /// Returns the facts about alternatives.
    fn alternation(&self, branches: &[NodeId]) -> Known {
        let mut known = self.of(branches[0]).clone();
        for id in &branches[1..] {
            let other = self.of(*id);
            let mut starts = other.starts.clone();
            for length in [4, 3] {
                if known.starts.max_union_len(&starts).is_none_or(|texts| texts > TEXTS_MAX) {
                    for seq in [&mut known.starts, &mut starts] {
                        seq.keep_first_bytes(length);
                        seq.dedup();
                    }
                }
            }
            match known.starts.max_union_len(&starts) {
                Some(length) if length <= TEXTS_MAX => known.starts.union(&mut starts),
                _ => known.starts.make_infinite(),
            }
            known.need = match (known.need, &other.need) {
                (Some(mut need), Some(other)) => {
                    need.literals.extend(other.literals.iter().cloned());
                    need.literals.sort();
                    need.literals.dedup();
                    need.least = need.least.min(other.least);
                    need.most = need.most.zip(other.most).map(|(most, other)| most.max(other));
                    (need.literals.len() <= TEXTS_MAX).then_some(need)
                }
                _ => None,
            };
            known.least = known.least.min(other.least);
            known.most = known.most.zip(other.most).map(|(most, other)| most.max(other));
        }
        known
    }

    /// Returns the facts about a repeat.
    fn repeat(&self, id: NodeId) -> Known {
        let Kind::Repeat { child, min, max, .. } = self.tree.node(id).kind else {
            return Known { starts: Seq::infinite(), need: None, least: 0, most: None };
        };
        let item = self.of(child);
        let mut known = item.clone();
        known.least = item.least.saturating_mul(min as usize);
        known.most = match (item.most, max) {
            (Some(0), _) => Some(0),
            (Some(most), Some(max)) => Some(most.saturating_mul(max as usize)),
            _ => None,
        };
        if literal_repeat(self.tree, id).is_some() && !self.sets.is_binary() {
            known.starts = Seq::infinite();
            known.need = None;
            known.least = min as usize;
        } else if min == 0 {
            if max != Some(1) {
                known.starts.make_inexact();
            }
            known.need = None;
            match known.starts.is_finite() {
                true => known.starts.union(&mut empty()),
                false => known.starts = Seq::infinite(),
            }
        } else if max != Some(1) {
            let exact = max == Some(min);
            let all = exact && (1..min).all(|_| cross(&mut known.starts, &item.starts));
            if !all {
                known.starts.make_inexact();
            }
        }
        known
    }
}

/// Appends each text of `next` to each text of `seq`. Returns whether more may be appended.
fn cross(seq: &mut Seq, next: &Seq) -> bool {
    let fits = seq.max_cross_len(next).is_none_or(|length| length <= TEXTS_MAX);
    let long = seq.max_literal_len().is_some_and(|length| length > LENGTH_MAX);
    if !fits || long {
        seq.make_inexact();
        return false;
    }
    seq.cross_forward(&mut next.clone());
    seq.is_finite() && !seq.is_inexact()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Options;
    use crate::syntax::parse;

    /// Each row is a pattern, the texts of which every match contains one, and their minimum and
    /// maximum distance from the start of the match.
    #[test]
    fn required_texts_are_found() {
        let rows: &[(&str, &[&str], usize, Option<usize>)] = &[
            ("foo", &["foo"], 0, Some(0)),
            ("\\w+foo", &["foo"], 1, None),
            ("a{2}b?foo\\d", &["aabfoo", "aafoo"], 0, Some(0)),
            ("\\d{1,3}quux", &["quux"], 1, Some(12)),
            ("foo|\\d+bar", &["bar", "foo"], 0, None),
            ("(?i:foo)", &["FOO", "FOo", "FoO", "Foo", "fOO", "fOo", "foO", "foo"], 0, Some(0)),
            ("(?<=user=)zebra", &["zebra"], 0, Some(0)),
            (".*_end\\d", &["_end"], 0, None),
            ("(?:\\d+quux)+", &["quux"], 1, None),
            ("(?=.*quux)a", &["quux"], 0, None),
            ("(?i)xss", &["x", "X"], 0, Some(0)),
        ];
        for (pattern, literals, least, most) in rows {
            let tree = parse(pattern, &Options::default()).unwrap();
            let sets = Sets::new(&tree, false);
            let need = needs(&tree, &sets).required.unwrap();
            let mut expected: Vec<Vec<u8>> =
                literals.iter().map(|text| text.as_bytes().to_vec()).collect();
            expected.sort();
            assert_eq!(
                (&need.literals, need.least, need.most),
                (&expected, *least, *most),
                "{pattern}"
            );
        }
        for pattern in
            ["\\d+", "a?", "(?~foo)", "(?!foo)", "(?<=foo)", "foo|\\d", "(?i)ss", "\\1(a)"]
        {
            let tree = parse(pattern, &Options::default()).unwrap();
            let sets = Sets::new(&tree, false);
            let found = needs(&tree, &sets).required.map(|need| need.literals);
            let expected = (pattern == "\\1(a)").then(|| vec![b"a".to_vec()]);
            assert_eq!(found, expected, "{pattern}");
        }
    }
}
