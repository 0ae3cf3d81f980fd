//! The result of a selection.

use crate::compose::document::Document;
use crate::compose::node::NodeId;
use crate::compose::select::Reached;
use crate::compose::sizes::expanded_sizes;
use crate::compose::view::Node;
use crate::error::Error;
use crate::limits::Limits;
use crate::problem::Problem;

/// Nodes that were found together. Usually, this is one node. There may be several if part of the
/// document had to be composed in order to follow the path in it.
#[derive(Debug)]
pub struct Found {
    pub(super) document: Box<Document<'static>>,
    pub(super) nodes: Vec<NodeId>,
    pub(super) document_index: u64,
    pub(super) dead_end: Option<Reached>,
}

impl Found {
    /// Returns the nodes, in document order.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = Node<'_>> {
        self.nodes.iter().map(|&id| self.document.node(id))
    }

    /// Returns the nodes, in document order, for a caller that reads or writes each of them with
    /// everything in it. A node that `..` finds may be part of another, and several aliases may
    /// stand for the same node, so the results together can be far larger than the document. In
    /// all, they may have [`Limits::max_alias_nodes`] more nodes than the document.
    ///
    /// # Errors
    ///
    /// Returns [`Problem::TooManyResultNodes`] in place of the first node that exceeds the limit.
    /// It is the last item.
    pub fn nodes_within(&self, limits: &Limits) -> impl Iterator<Item = Result<Node<'_>, Error>> {
        let document = &self.document;
        let sizes = if self.nodes.len() > 1 { expanded_sizes(document) } else { Vec::new() };
        let aliases = limits.max_alias_nodes.at(document.text().len() as u64);
        let max = aliases.saturating_add(document.node_count() as u64);
        let (mut sum, mut is_over) = (0_u64, false);
        self.nodes().map_while(move |node| {
            if is_over {
                return None;
            }
            let size = sizes.get(node.id().index()).copied().unwrap_or_default();
            sum = sum.saturating_add(size);
            is_over = sum > max;
            let problem = Problem::TooManyResultNodes(max);
            Some(if is_over { Err(node.error(problem)) } else { Ok(node) })
        })
    }

    /// Returns the document that was composed for the nodes. It has only the part of the stream
    /// that the search needed, and the targets of aliases in this part.
    #[must_use]
    pub fn document(&self) -> &Document<'static> {
        &self.document
    }

    /// Returns how far the path led, if it ended too early and the options ask for such results. A scalar or the target of
    /// an alias, which the remaining steps were not found in, is the only one of the nodes, and `steps` led to it. Of
    /// another collection, there are no nodes.
    #[must_use]
    pub fn dead_end(&self) -> Option<&Reached> {
        self.dead_end.as_ref()
    }

    /// Returns the document and the nodes in it.
    #[must_use]
    pub fn into_parts(self) -> (Box<Document<'static>>, Vec<NodeId>) {
        (self.document, self.nodes)
    }

    /// Returns the index in the stream, from 0, of the document that the nodes were found in.
    #[must_use]
    pub fn document_index(&self) -> u64 {
        self.document_index
    }
}
