//! Reads most nodes with a single load of 16 bytes, for readers that walk through a document by
//! node ids.

use super::document::Document;
use super::node::{ESCAPES, HAS_OVERRIDDEN, MULTILINE, NodeId, Packed, Shape, TAGGED};
use super::view::Node;

/// The information in the 16 bytes of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeSummary {
    /// A plain scalar without a tag whose content is the range of [`Document::text`] between the two
    /// offsets.
    Plain(usize, usize),
    /// A quoted scalar without a tag whose content, without the quotes, is the range between the
    /// two offsets.
    Quoted(usize, usize),
    /// A sequence without a tag.
    Sequence,
    /// A mapping without a tag and without overridden keys.
    Mapping,
    /// Any other node, to be read through [`Node`].
    Other,
}

/// The nodes of a document by their ids.
///
/// ```
/// use ketch_yaml::compose::internal::{NodeSummaries, NodeSummary};
/// use ketch_yaml::Documents;
///
/// let document = Documents::new(b"masts: [main, 'mizzen']").next().unwrap()?;
/// let nodes = NodeSummaries::new(&document);
/// let root = document.root().id();
/// assert_eq!(nodes.summary(root), NodeSummary::Mapping);
/// let key = nodes.first_child(root);
/// assert_eq!(nodes.summary(key), NodeSummary::Plain(0, 5));
/// let masts = nodes.after(key);
/// assert_eq!((nodes.summary(masts), nodes.count(masts)), (NodeSummary::Sequence, 2));
/// let main = nodes.first_child(masts);
/// assert_eq!(nodes.summary(nodes.after(main)), NodeSummary::Quoted(15, 21));
/// # Ok::<(), ketch_yaml::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct NodeSummaries<'d> {
    nodes: &'d [Packed],
    document: &'d Document<'d>,
}

/// A node with one of these flags is [`NodeSummary::Other`].
const RARE: u64 = TAGGED | ESCAPES | MULTILINE;
const _: () = assert!(RARE & HAS_OVERRIDDEN != 0);

impl<'d> NodeSummaries<'d> {
    /// Returns the summaries of the nodes of `document`.
    pub fn new(document: &'d Document<'d>) -> NodeSummaries<'d> {
        NodeSummaries { nodes: document.tree.nodes(), document }
    }

    /// Returns the node `id` itself, to read what its summary does not show.
    pub fn node(self, id: NodeId) -> Node<'d> {
        Node::new(self.document, id)
    }

    /// Returns the summary of the node `id`.
    #[inline(always)]
    pub fn summary(self, id: NodeId) -> NodeSummary {
        let node = self.nodes[id.index()];
        if node.has(RARE) {
            return NodeSummary::Other;
        }
        let (start, end) = (node.offset(), node.offset() + node.scalar_len());
        match node.shape() {
            Shape::Plain => NodeSummary::Plain(start, end),
            Shape::SingleQuoted | Shape::DoubleQuoted => NodeSummary::Quoted(start + 1, end - 1),
            Shape::Sequence => NodeSummary::Sequence,
            Shape::Mapping => NodeSummary::Mapping,
            _ => NodeSummary::Other,
        }
    }

    /// Returns the first child of the collection `id`, which must not be empty.
    #[inline(always)]
    pub fn first_child(self, id: NodeId) -> NodeId {
        NodeId(id.0 + 1)
    }

    /// Returns the node after the node `id` and its descendants. If `id` is not the last child of
    /// its parent, that is the next child.
    #[inline(always)]
    pub fn after(self, id: NodeId) -> NodeId {
        NodeId::from(self.nodes[id.index()].end())
    }

    /// Returns the number of children of the collection `id`: of entries, or of keys and values
    /// together.
    #[inline(always)]
    pub fn count(self, id: NodeId) -> usize {
        self.nodes[id.index()].count()
    }
}
