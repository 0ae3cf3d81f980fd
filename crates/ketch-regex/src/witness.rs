//! Builds texts on which a backtracking engine may take very long: repetitions of what a loop of the
//! pattern matches, and then something that does not match.

use crate::fold;
use crate::sets::Sets;
use crate::syntax::{Group, Kind, NodeId, Tree};

/// The maximum number of words that are kept for a node, and the maximum length of a word in bytes.
const WORDS_MAX: usize = 6;
const WORD_MAX: usize = 24;
/// The maximum number of characters of a set that are tried.
const CHARS_MAX: usize = 3;
/// The minimum number of iterations that a loop must allow.
const TIMES_MIN: u32 = 10;
/// The maximum number of candidates.
const CANDIDATES_MAX: usize = 600;
/// Characters to try in addition to those in the pattern.
const COMMON: &str = "a0 -._A\"/\n";
/// Ends of texts that many patterns do not match.
const ENDS: &[&str] = &["!", "", "\n", "\u{1}", "\""];

/// Texts to try: `prefix`, any number of repeats of `pump`, and `suffix`. `node` is the loop.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) prefix: String,
    pub(crate) pump: String,
    pub(crate) suffix: String,
    pub(crate) node: NodeId,
}

/// Returns the texts to try for all loops. Every match contains `required`. Engines give up early if
/// it is missing, so each end is also tried with `required` after it.
pub(crate) fn candidates(tree: &Tree, sets: &Sets<'_>, required: &str) -> Vec<Candidate> {
    let words = words(tree, sets);
    let parents = parents(tree);
    let mut found = Vec::new();
    // Parents come after their children, so this starts with the outer loops.
    for (at, node) in tree.nodes().iter().enumerate().rev() {
        let Kind::Repeat { child, max, .. } = node.kind else { continue };
        if max.is_some_and(|max| max < TIMES_MIN) {
            continue;
        }
        let prefix = prefix(tree, &words, &parents, NodeId(at as u32));
        for pump in pumps(&words[child.index()]) {
            for end in ENDS {
                let ends = [format!("{end}{required}"), (*end).to_owned()];
                let count = if required.is_empty() { 1 } else { 2 };
                for suffix in ends.into_iter().take(count) {
                    let node = NodeId(at as u32);
                    found.push(Candidate {
                        prefix: prefix.clone(),
                        pump: pump.clone(),
                        suffix,
                        node,
                    });
                }
            }
        }
        if found.len() >= CANDIDATES_MAX {
            found.truncate(CANDIDATES_MAX);
            break;
        }
    }
    found
}

/// Returns the texts to repeat: the words that the body of a loop matches, and a pair of them.
fn pumps(words: &[String]) -> Vec<String> {
    let mut pumps: Vec<String> = words.iter().filter(|word| !word.is_empty()).cloned().collect();
    if let [first, second, ..] = pumps.as_slice() {
        let pair = format!("{first}{second}");
        pumps.push(pair);
    }
    pumps
}

/// Returns a text that matches what precedes `node` in the pattern.
fn prefix(tree: &Tree, words: &[Vec<String>], parents: &[Option<NodeId>], node: NodeId) -> String {
    let mut prefix = String::new();
    let mut id = node;
    while let Some(parent) = parents[id.index()] {
        if let Kind::Concat(items) = &tree.node(parent).kind {
            let before = items.iter().take_while(|item| **item != id);
            let text: String = before.filter_map(|item| words[item.index()].first()).fold(
                String::new(),
                |mut text, word| {
                    text.push_str(word);
                    text
                },
            );
            prefix.insert_str(0, &text);
        }
        id = parent;
    }
    prefix
}

/// Returns the parent of each node.
fn parents(tree: &Tree) -> Vec<Option<NodeId>> {
    let mut parents = vec![None; tree.nodes().len()];
    for (at, node) in tree.nodes().iter().enumerate() {
        let parent = Some(NodeId(at as u32));
        match &node.kind {
            Kind::Concat(ids) | Kind::Alternation(ids) => {
                ids.iter().for_each(|id| parents[id.index()] = parent);
            }
            Kind::Repeat { child, .. } | Kind::Group(_, child) => parents[child.index()] = parent,
            Kind::Conditional { yes, no, .. } => {
                parents[yes.index()] = parent;
                no.iter().for_each(|no| parents[no.index()] = parent);
            }
            _ => {}
        }
    }
    parents
}

/// Returns, for each node, a few texts that it matches.
fn words(tree: &Tree, sets: &Sets<'_>) -> Vec<Vec<String>> {
    let alphabet = alphabet(tree);
    let mut words: Vec<Vec<String>> = Vec::with_capacity(tree.nodes().len());
    for (at, node) in tree.nodes().iter().enumerate() {
        let of = |id: &NodeId| words[id.index()].as_slice();
        let found = match &node.kind {
            Kind::Char(_) | Kind::Any | Kind::Shorthand(..) | Kind::Property(..) => {
                characters(sets, NodeId(at as u32), &alphabet)
            }
            Kind::Class(..) | Kind::Posix(..) | Kind::Range(..) => {
                characters(sets, NodeId(at as u32), &alphabet)
            }
            Kind::LineBreak => vec!["\n".to_owned()],
            Kind::Grapheme => vec!["a".to_owned()],
            Kind::Concat(items) => {
                items.iter().fold(vec![String::new()], |texts, id| joined(&texts, of(id)))
            }
            Kind::Alternation(branches) => mixed(&branches.iter().map(of).collect::<Vec<_>>()),
            Kind::Conditional { yes, no, .. } => {
                mixed(&std::iter::once(yes).chain(no).map(of).collect::<Vec<_>>())
            }
            Kind::Repeat { child, min, max, .. } => repeated(of(child), *min, *max),
            Kind::Group(Group::LookAhead { .. } | Group::LookBehind { .. }, _) => Vec::new(),
            Kind::Group(Group::Absence, _) => vec!["a".to_owned(), String::new()],
            Kind::Group(_, child) => of(child).to_vec(),
            _ => Vec::new(),
        };
        words.push(found);
    }
    words
}

/// Returns the characters in a pattern, and a few common ones.
fn alphabet(tree: &Tree) -> Vec<char> {
    let mut chars: Vec<char> = Vec::new();
    let written = tree.nodes().iter().filter_map(|node| match node.kind {
        Kind::Char(code) => char::from_u32(code),
        _ => None,
    });
    for char in COMMON.chars().take(2).chain(written).chain(COMMON.chars()) {
        if !chars.contains(&char) && chars.len() < 64 {
            chars.push(char);
        }
    }
    chars
}

/// Returns a few characters in the set of the node `id`, preferably from `alphabet`.
fn characters(sets: &Sets<'_>, id: NodeId, alphabet: &[char]) -> Vec<String> {
    let set = sets.get(id);
    let mut found: Vec<String> = alphabet
        .iter()
        .filter(|char| fold::contains(&set, **char))
        .take(CHARS_MAX)
        .map(char::to_string)
        .collect();
    if found.is_empty() {
        found.extend(set.ranges().first().map(|range| range.start().to_string()));
    }
    found
}

/// Returns texts of one list followed by texts of `next`, or by nothing if `next` is empty.
fn joined(texts: &[String], next: &[String]) -> Vec<String> {
    if next.is_empty() {
        return texts.to_vec();
    }
    let mut found = Vec::new();
    // Diagonally, so that the first texts of both lists occur in several results.
    for sum in 0..texts.len() + next.len() - 1 {
        for first in (0..texts.len()).filter(|first| sum >= *first && sum - first < next.len()) {
            let text = format!("{}{}", texts[first], next[sum - first]);
            if text.len() <= WORD_MAX && !found.contains(&text) && found.len() < WORDS_MAX {
                found.push(text);
            }
        }
    }
    // If all combinations are too long, the first halves will do.
    if found.is_empty() { texts.to_vec() } else { found }
}

/// Returns the first texts of all lists, then the second texts, and so on.
fn mixed(lists: &[&[String]]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for index in 0..WORDS_MAX {
        for text in lists.iter().filter_map(|list| list.get(index)) {
            if !found.contains(text) && found.len() < WORDS_MAX {
                found.push(text.clone());
            }
        }
    }
    found
}

/// Returns texts that a repeat matches, given `words` that its body matches.
fn repeated(words: &[String], min: u32, max: Option<u32>) -> Vec<String> {
    let once: Vec<String> = words
        .iter()
        .map(|word| word.repeat((min.max(1) as usize).min(WORD_MAX / word.len().max(1)).max(1)))
        .collect();
    let mut found = once.clone();
    if max.is_none_or(|max| max > min.max(1)) {
        let longer = joined(&once, &words[..words.len().min(2)]);
        found.extend(longer.into_iter().filter(|text| !once.contains(text)));
    }
    if min == 0 {
        found.truncate(WORDS_MAX - 1);
        found.push(String::new());
    }
    found.truncate(WORDS_MAX);
    found
}
