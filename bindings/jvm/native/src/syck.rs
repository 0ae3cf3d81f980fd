//! Converts the nodes of Syck's dialect to words for `SyckParser`.
//!
//! | word | what it has |
//! |---|---|
//! | first | kind in bits 0..8, style in bits 8..16; [`TAG`], [`ANCHOR`], [`INSIDE`], [`DEFINED`]; the number of children in the high half |
//! | offset, length | of the node in the text |
//! | inside | if [`INSIDE`]: the id of an alias in the node that refers to it |
//! | tag | if [`TAG`]: a token, followed by a token that assigns its slot if [`DEFINED`] |
//! | anchor | if [`ANCHOR`]: a token |
//! | text | of a scalar: a token |
//! | children | two ids per word, the first in the low half |
//!
//! The ids are numbers that count the nodes and the unknown aliases of a document. The record of an
//! unknown alias consists of its first word and a token for its name. The record of a root is a
//! single word, with the id in the high half.

use crate::tokens::Tokens;
use ketch_syck::{Content, Node, NodeHandler};

const TAG: u64 = 1 << 16;
const ANCHOR: u64 = 1 << 17;
const INSIDE: u64 = 1 << 18;
const DEFINED: u64 = 1 << 19;

/// The kinds of records.
const SCALAR: u64 = 0;
const SEQUENCE: u64 = 1;
const MAPPING: u64 = 2;
const BAD_ANCHOR: u64 = 3;
const ROOT: u64 = 4;

/// Records the nodes of a document as words.
pub struct Recorder<'o> {
    out: &'o mut Tokens,
    count: u32,
}

impl<'o> Recorder<'o> {
    /// Creates a recorder that appends to `out`.
    pub fn new(out: &'o mut Tokens) -> Recorder<'o> {
        Recorder { out, count: 0 }
    }

    /// Appends the record of the document's root.
    pub fn root(&mut self, id: u32) {
        self.out.words.push(ROOT | u64::from(id) << 32);
    }

    /// Returns the id for the next node.
    fn next_id(&mut self) -> u32 {
        self.count += 1;
        self.count - 1
    }
}

impl NodeHandler for Recorder<'_> {
    type Id = u32;

    fn node(&mut self, node: &Node<'_, u32>) -> u32 {
        let (kind, children) = match node.content {
            Content::Scalar(_) => (SCALAR, &[][..]),
            Content::Sequence(ids) => (SEQUENCE, ids),
            Content::Mapping(ids) => (MAPPING, ids),
        };
        let out = &mut *self.out;
        let at = out.words.len();
        let mut first = kind | (node.style as u64) << 8 | (children.len() as u64) << 32;
        out.words.extend([first, node.start, node.end - node.start]);
        if let Some(&id) = node.inside {
            first |= INSIDE;
            out.words.push(u64::from(id));
        }
        if let Some(tag) = node.tag {
            first |= TAG;
            first |= if out.key(tag.as_bytes()) { DEFINED } else { 0 };
        }
        if let Some(anchor) = node.anchor {
            first |= ANCHOR;
            out.text(anchor.as_bytes());
        }
        if let Content::Scalar(text) = node.content {
            out.text(text.as_bytes());
        }
        let pairs = children
            .chunks(2)
            .map(|ids| u64::from(ids[0]) | ids.get(1).map_or(0, |&second| u64::from(second) << 32));
        out.words.extend(pairs);
        out.words[at] = first;
        self.next_id()
    }

    fn bad_anchor(&mut self, name: &str) -> u32 {
        self.out.words.push(BAD_ANCHOR);
        self.out.text(name.as_bytes());
        self.next_id()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::Kind;
    use ketch_syck::{NodeStyle, Nodes};

    /// Returns the words for the first document of a text.
    fn words(text: &[u8]) -> Vec<u64> {
        let mut tokens = Tokens::new();
        tokens.set_input(text);
        let mut recorder = Recorder::new(&mut tokens);
        let root = Nodes::new(text).next_root(&mut recorder).unwrap().unwrap();
        recorder.root(root);
        tokens.words
    }

    const PLAIN: u64 = (NodeStyle::Plain as u64) << 8;
    const FLOW: u64 = (NodeStyle::Flow as u64) << 8;
    const TAG_LEN: u64 = b"tag:yaml.org,2002:str".len() as u64;

    #[test]
    fn a_node_has_the_ids_of_its_children() {
        let words = words(b"[&a x, *a, y]");
        let slot = words[4] >> 32;
        let expected = [
            SCALAR | PLAIN | TAG | ANCHOR | DEFINED,
            4,
            1,
            Kind::KeptAscii as u64 | TAG_LEN << 8,
            Kind::Define as u64 | slot << 32,
            Kind::KeptAscii as u64 | 1 << 8 | TAG_LEN << 32,
            Kind::Ascii as u64 | 1 << 8 | 4 << 32,
            SCALAR | PLAIN | TAG,
            11,
            1,
            Kind::Key as u64 | slot << 32,
            Kind::Ascii as u64 | 1 << 8 | 11 << 32,
            SEQUENCE | FLOW | 3 << 32,
            0,
            13,
            0,
            1,
            ROOT | 2 << 32,
        ];
        assert_eq!(words, expected);
    }

    #[test]
    fn an_unknown_alias_has_an_id() {
        let words = words(b"- *b");
        assert_eq!(words[0], BAD_ANCHOR);
        let block = (NodeStyle::Block as u64) << 8;
        assert_eq!(words[2..], [SEQUENCE | block | 1 << 32, 0, 4, 0, ROOT | 1 << 32]);
    }
}
