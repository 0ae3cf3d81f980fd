//! Searches trees of Java with paths of YPath.

use crate::env::Asker;
use crate::packed::{Unpacked, put_int, put_text};
use ketch_syck::ypath::{Entry, Label, Matches, NodeKind, Target, TooManyVisits, Tree};

// What is asked for, as in SyckSearch.java.
const KIND: i32 = 0;
const ENTRIES: i32 = 1;
const CHILD: i32 = 2;
const TEXT: i32 = 3;

/// Why a search ends.
#[derive(Debug, PartialEq, Eq)]
pub enum Stop {
    TooMany,
    /// Java has thrown, or its answer makes no sense.
    NoAnswer,
}

impl From<TooManyVisits> for Stop {
    fn from(_: TooManyVisits) -> Stop {
        Stop::TooMany
    }
}

/// A tree of Java, whose nodes are numbers.
pub struct Asked(pub Asker);

impl Asked {
    fn ask(&mut self, what: i32, node: i32, name: &str) -> Result<Vec<u8>, Stop> {
        self.0.ask(what, node, name.as_bytes()).ok_or(Stop::NoAnswer)
    }
}

impl Tree for Asked {
    type Node = i32;
    type Error = Stop;

    fn kind(&mut self, node: i32) -> Result<NodeKind, Stop> {
        match self.ask(KIND, node, "")?[..] {
            [0] => Ok(NodeKind::Scalar),
            [1] => Ok(NodeKind::Sequence),
            [2] => Ok(NodeKind::Mapping),
            _ => Err(Stop::NoAnswer),
        }
    }

    fn entries(&mut self, node: i32) -> Result<Vec<Entry<i32>>, Stop> {
        entries(&self.ask(ENTRIES, node, "")?).ok_or(Stop::NoAnswer)
    }

    fn child(&mut self, node: i32, name: &str) -> Result<Option<i32>, Stop> {
        let answer = self.ask(CHILD, node, name)?;
        if answer.is_empty() {
            Ok(None)
        } else {
            Unpacked(&answer).int().map(Some).ok_or(Stop::NoAnswer)
        }
    }

    fn text(&mut self, node: i32) -> Result<String, Stop> {
        String::from_utf8(self.ask(TEXT, node, "")?).map_err(|_| Stop::NoAnswer)
    }
}

/// Reads entries: what a label is (0 for an index, 1 for a key that is text, 2 for another key), how it is
/// shown, and the node.
fn entries(packed: &[u8]) -> Option<Vec<Entry<i32>>> {
    let mut packed = Unpacked(packed);
    let mut entries = Vec::new();
    while let Some(kind) = packed.byte() {
        let shown = packed.text()?.map(str::to_owned);
        let label = match (kind, shown) {
            (0, _) => Label::Index(entries.len()),
            (1, Some(name)) => Label::Name(name),
            (_, shown) => Label::Key(entries.len(), shown),
        };
        entries.push(Entry { label, node: packed.int()? });
    }
    Some(entries)
}

/// Packs the results: the number of steps and the steps of each, then 0 and a node, 1 and a line, or 2.
pub fn put_matches(out: &mut Vec<u8>, matches: &Matches<i32>) {
    for found in matches.iter() {
        let labels = found.labels();
        put_int(out, labels.len());
        for label in labels {
            put_text(out, label.shown().as_deref());
        }
        match found.target() {
            Target::Node(node) => {
                out.push(0);
                out.extend_from_slice(&node.to_be_bytes());
            }
            Target::Line(line) => {
                out.push(1);
                put_text(out, Some(line));
            }
            Target::None => out.push(2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_have_labels_by_their_kind() {
        let mut packed = Vec::new();
        for (kind, shown) in [(1, Some("a")), (2, None), (0, None)] {
            packed.push(kind);
            put_text(&mut packed, shown);
            put_int(&mut packed, 9);
        }
        let labels = [Label::Name("a".into()), Label::Key(1, None), Label::Index(2)];
        assert_eq!(entries(&packed).unwrap(), labels.map(|label| Entry { label, node: 9 }));
        assert!(entries(&packed[..packed.len() - 1]).is_none());
    }
}
