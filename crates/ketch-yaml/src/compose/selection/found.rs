//! The result of a selection.

use crate::compose::document::Document;
use crate::compose::node::NodeId;
use crate::compose::view::Node;

/// Nodes that were found together: just one, unless the path has aliases or merge keys.
#[derive(Debug)]
pub struct Found {
    pub(super) document: Document<'static>,
    pub(super) nodes: Vec<NodeId>,
    pub(super) document_index: u64,
}

impl Found {
    /// Returns the nodes, in document order.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = Node<'_>> {
        self.nodes.iter().map(|&id| self.document.node(id))
    }

    /// Returns the document made for the nodes: it holds them and the targets of their aliases, no
    /// more.
    #[must_use]
    pub fn document(&self) -> &Document<'static> {
        &self.document
    }

    /// Returns the number of the nodes' document in the stream, from 0.
    #[must_use]
    pub fn document_index(&self) -> u64 {
        self.document_index
    }
}
