//! What a selection finds.

use crate::compose::document::Document;
use crate::compose::node::NodeId;
use crate::compose::view::Node;

/// Nodes that were found together: one, but for aliases and merge keys on the path.
#[derive(Debug)]
pub struct Found {
    pub(super) document: Document<'static>,
    pub(super) nodes: Vec<NodeId>,
    pub(super) document_index: u64,
}

impl Found {
    /// The nodes, in the order of the document that they were in.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = Node<'_>> {
        self.nodes.iter().map(|&id| self.document.node(id))
    }

    /// The document that was made for them: it holds them and what their aliases stand for, no more.
    #[must_use]
    pub fn document(&self) -> &Document<'static> {
        &self.document
    }

    /// The number of the document that they were in, from 0.
    #[must_use]
    pub fn document_index(&self) -> u64 {
        self.document_index
    }
}
