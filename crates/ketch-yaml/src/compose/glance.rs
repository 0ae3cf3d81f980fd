//! What most nodes are is told by one look at their 16 bytes: for readers that go through a document
//! by numbers of nodes.

use super::document::Document;
use super::node::{ESCAPES, HAS_OVERRIDDEN, MULTILINE, NodeId, Packed, Shape, TAGGED};
use super::view::Node;

/// What a node is, as far as one look tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glance {
    /// A plain scalar without a tag whose content stands in [`Document::text`] as it is, from the
    /// first offset up to the second.
    Plain(usize, usize),
    /// The same in quotes: text.
    Quoted(usize, usize),
    /// A sequence without a tag.
    Sequence,
    /// A mapping without a tag, none of whose keys overrides another.
    Mapping,
    /// Any other node: [`Node`] has the methods to tell.
    Other,
}

/// The nodes of a document by their numbers.
///
/// ```
/// use ketch_yaml::compose::{Documents, Glance, Glances};
///
/// let document = Documents::new(b"masts: [main, 'mizzen']").next().unwrap()?;
/// let nodes = Glances::new(&document);
/// let root = document.root().id();
/// assert_eq!(nodes.glance(root), Glance::Mapping);
/// let key = nodes.first_child(root);
/// assert_eq!(nodes.glance(key), Glance::Plain(0, 5));
/// let masts = nodes.behind(key);
/// assert_eq!((nodes.glance(masts), nodes.count(masts)), (Glance::Sequence, 2));
/// let main = nodes.first_child(masts);
/// assert_eq!(nodes.glance(nodes.behind(main)), Glance::Quoted(15, 21));
/// # Ok::<(), ketch_yaml::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Glances<'d> {
    nodes: &'d [Packed],
    document: &'d Document<'d>,
}

/// One of these flags, and a node is no common one.
const RARE: u64 = TAGGED | ESCAPES | MULTILINE;
const _: () = assert!(RARE & HAS_OVERRIDDEN != 0);

impl<'d> Glances<'d> {
    /// The nodes of this document.
    pub fn new(document: &'d Document<'d>) -> Glances<'d> {
        Glances { nodes: document.tree.nodes(), document }
    }

    /// The node, to be looked at closely.
    pub fn node(self, id: NodeId) -> Node<'d> {
        Node::new(self.document, id)
    }

    /// What the node is.
    #[inline(always)]
    pub fn glance(self, id: NodeId) -> Glance {
        let node = self.nodes[id.index()];
        if node.has(RARE) {
            return Glance::Other;
        }
        let (start, end) = (node.offset(), node.offset() + node.scalar_len());
        match node.shape() {
            Shape::Plain => Glance::Plain(start, end),
            Shape::SingleQuoted | Shape::DoubleQuoted => Glance::Quoted(start + 1, end - 1),
            Shape::Sequence => Glance::Sequence,
            Shape::Mapping => Glance::Mapping,
            _ => Glance::Other,
        }
    }

    /// The first child of a collection, if it has any.
    #[inline(always)]
    pub fn first_child(self, id: NodeId) -> NodeId {
        NodeId(id.0 + 1)
    }

    /// The first node behind the node and all below it: its next sibling, if there is one.
    #[inline(always)]
    pub fn behind(self, id: NodeId) -> NodeId {
        NodeId::from(self.nodes[id.index()].end())
    }

    /// How many children a collection has: entries, or keys and values together.
    #[inline(always)]
    pub fn count(self, id: NodeId) -> usize {
        self.nodes[id.index()].count()
    }
}
