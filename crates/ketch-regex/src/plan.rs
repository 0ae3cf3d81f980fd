//! What is known of every match before a search: its required literal.

use memchr::memmem::Finder;

use crate::syntax::{Group, Kind, Tree};

/// What every match holds.
pub(crate) struct Plan {
    /// The longest literal that every match holds.
    literal: Option<Finder<'static>>,
    /// The least length of a match in bytes.
    length_min: usize,
}

impl Plan {
    pub(crate) fn new(tree: &Tree, length_min: usize, binary: bool) -> Plan {
        let literal = required(tree, binary).map(|literal| Finder::new(&literal).into_owned());
        Plan { literal, length_min }
    }

    /// Whether a match may start at `from` or later.
    pub(crate) fn may_match(&self, bytes: &[u8], from: usize) -> bool {
        bytes.len() - from >= self.length_min
            && self.literal.as_ref().is_none_or(|literal| literal.find(&bytes[from..]).is_some())
    }
}

/// The longest run of characters that every match holds, in bytes.
fn required(tree: &Tree, binary: bool) -> Option<Vec<u8>> {
    let mut best: Vec<u8> = Vec::new();
    let mut run: Vec<u8> = Vec::new();
    let mut todo = vec![tree.root()];
    while let Some(id) = todo.pop() {
        let node = tree.node(id);
        match &node.kind {
            Kind::Char(code) if !node.flags.ignore_case => match char::from_u32(*code) {
                Some(_) if binary => run.push(*code as u8),
                Some(char) => run.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes()),
                None => {}
            },
            // Groups are one after the other with what is around them.
            Kind::Concat(items) => todo.extend(items.iter().rev()),
            Kind::Group(
                Group::Plain(_)
                | Group::Named(..)
                | Group::NonCapturing
                | Group::Options(..)
                | Group::Atomic,
                child,
            ) => todo.push(*child),
            Kind::Empty | Kind::Assertion(_) | Kind::Keep => {}
            // They take no characters.
            Kind::Group(Group::LookAhead { .. } | Group::LookBehind { .. }, _) => {}
            _ => {
                if run.len() > best.len() {
                    best = std::mem::take(&mut run);
                }
                run.clear();
            }
        }
    }
    let longest = if run.len() > best.len() { run } else { best };
    (!longest.is_empty()).then_some(longest)
}
