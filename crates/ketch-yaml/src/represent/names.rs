//! The anchors of nodes that may be written in another order than that of the document. An alias
//! never precedes its anchor, and no two nodes have the same anchor.

use crate::compose::{Node, NodeId};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// The anchored nodes that have been written, and the names of those that are renamed.
#[derive(Debug, Default)]
pub(super) struct Names<'d> {
    written: HashSet<NodeId>,
    /// The new names of nodes whose anchor an earlier node also has.
    renamed: HashMap<NodeId, String>,
    taken: HashSet<Cow<'d, str>>,
    /// For each name, the last number that was appended to it.
    numbers: HashMap<&'d str, u32>,
}

impl<'d> Names<'d> {
    /// Creates distinct names for the nodes `anchored`, which may change places.
    pub fn unique(anchored: impl Iterator<Item = Node<'d>>) -> Names<'d> {
        let mut names = Names::default();
        anchored.for_each(|node| names.rename(node));
        names
    }

    /// Appends a number to the node's anchor if an earlier node has the same one.
    fn rename(&mut self, node: Node<'d>) {
        let Some(name) = node.anchor() else { return };
        if self.taken.insert(Cow::Borrowed(name)) {
            return;
        }
        let number = self.numbers.entry(name).or_insert(1);
        let new = loop {
            *number += 1;
            let new = format!("{name}-{number}");
            if self.taken.insert(Cow::Owned(new.clone())) {
                break new;
            }
        };
        self.renamed.insert(node.id(), new);
    }

    /// Returns the name to write for an anchored node.
    pub fn name<'n>(&'n self, node: Node<'n>) -> Option<&'n str> {
        match self.renamed.get(&node.id()) {
            Some(name) => Some(name),
            None => node.anchor(),
        }
    }

    /// Records that an anchored node is being written. Returns true if it was written before, so
    /// that an alias has to be written instead.
    pub fn write(&mut self, node: Node<'_>) -> bool {
        !self.written.insert(node.id())
    }
}
