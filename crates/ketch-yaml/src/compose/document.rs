//! A document: the tree of one YAML document, with its text.

use super::lookup::Indexes;
use super::node::{HAS_OVERRIDDEN, NodeId, Packed, Shape};
use super::options::Equality;
use super::tree::{Tree, View};
use super::view::Node;
use crate::diagnose::{self, Advice};
use crate::error::Error;
use crate::fault::Fault;
use crate::location::{LineCounter, Location};
use crate::problem::Problem;
use crate::schema::Schema;
use std::ops::Range;

/// The tree of one document (YAML 1.2.2, section 3.1.1: the serialization tree).
///
/// The nodes are in a flat arena in document order, with 16 bytes per node. A subtree is a range of
/// nodes, so skipping it costs nothing. Text is borrowed from the input, or owned if it came from a
/// reader. Cloning, comparing and dropping a document does not recurse.
///
/// ```
/// use ketch_yaml::Documents;
///
/// let text = b"name: ketch\nmasts: [main, mizzen]\n";
/// let document = Documents::new(text).next().unwrap()?;
/// let root = document.root();
/// assert_eq!(root.get("name").unwrap().text(), "ketch");
/// assert_eq!(document.at_path(["masts", "1"]).unwrap().text(), "mizzen");
/// # Ok::<(), ketch_yaml::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Document<'t> {
    pub(super) tree: Tree,
    pub(super) text: Text<'t>,
    pub(super) head: Head,
    pub(super) indexes: Indexes,
}

/// What is known about a document besides its nodes and its text.
#[derive(Clone, Debug, Default)]
pub(super) struct Head {
    pub explicit_start: bool,
    pub explicit_end: bool,
    /// The directive lines, as ranges of the text.
    pub directives: Vec<(u32, u32)>,
    /// How keys are compared.
    pub equality: Equality,
    pub merges: bool,
    /// Whether the last of several keys wins.
    pub last_wins: bool,
}

/// The text that nodes point into.
#[derive(Clone, Debug)]
pub(super) enum Text<'t> {
    /// The part of the stream that starts at `base`.
    Borrowed { stream: &'t [u8], base: u64, text: &'t [u8] },
    /// Pieces of the stream, with a line feed between one piece and the next.
    Owned { text: Vec<u8>, pieces: Vec<Piece> },
}

/// A piece of the stream.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// The offset in the text of the document at which the piece starts.
    pub start: u32,
    /// The offset in the stream at which the piece starts.
    pub offset: u64,
    /// The lines before it, if they were counted.
    pub passed: Option<LineCounter>,
}

/// The lines of a stream before an offset.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counted {
    passed: LineCounter,
    offset: u64,
}

impl Counted {
    /// Continues the count up to `offset` of `stream` and returns the lines before it. Offsets must
    /// not decrease.
    fn up_to(&mut self, stream: &[u8], offset: u64) -> LineCounter {
        self.passed.count(&stream[self.offset as usize..offset as usize]);
        self.offset = offset;
        self.passed
    }
}

/// Turns `fault`, a fault in a document, and its diagnosis `advice` into an error. `location` maps
/// a range of the document's text to its location in the stream.
pub(super) fn error_of(
    fault: Fault,
    advice: Option<Advice>,
    location: impl Fn(Range<usize>) -> Location,
) -> Error {
    let at = fault.at as usize;
    let related = related_range(&fault, advice.as_ref()).map(&location);
    Error::new(fault.problem, location(at..at + fault.len), related).with_advice(advice)
}

/// Returns the second range of the document's text that `fault` or `advice` refers to, if any.
pub(super) fn related_range(fault: &Fault, advice: Option<&Advice>) -> Option<Range<usize>> {
    let advised = advice.and_then(|advice| advice.related.as_ref());
    let (at, len) = match advised {
        Some(related) => (related.at as usize, related.len),
        None => (fault.related? as usize, 1),
    };
    Some(at..at + len)
}

impl Default for Text<'_> {
    fn default() -> Self {
        Text::Borrowed { stream: &[], base: 0, text: &[] }
    }
}

impl Text<'_> {
    /// Returns the document's text. While a borrowed document is being composed, this is the stream
    /// from the document's start on.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        match self {
            Text::Borrowed { text, .. } => text,
            Text::Owned { text, .. } => text,
        }
    }

    /// Returns the range of the piece that contains the offset `at`, with the line break before the
    /// piece. A piece may end in the middle of a character.
    fn piece(&self, at: usize) -> Range<usize> {
        let Text::Owned { text, pieces } = self else { return 0..self.bytes().len() };
        let after = pieces.partition_point(|piece| piece.start as usize <= at);
        let start = after.checked_sub(1).map_or(0, |index| pieces[index].start as usize);
        let end = pieces.get(after).map_or(text.len(), |next| next.start as usize);
        start.saturating_sub(1)..end
    }
}

impl<'t> Document<'t> {
    /// Creates a document with one empty node. Pass it to [`Documents::next_into`], which reuses its
    /// memory for each document.
    ///
    /// [`Documents::next_into`]: crate::Documents::next_into
    pub fn new() -> Document<'t> {
        Document::default()
    }

    /// Returns the root node.
    #[inline]
    pub fn root(&self) -> Node<'_> {
        self.node(NodeId::ROOT)
    }

    /// Returns the node with the id `id`.
    ///
    /// # Panics
    ///
    /// Panics if the document has no such node, which means that the id is from another document.
    #[inline]
    pub fn node(&self, id: NodeId) -> Node<'_> {
        assert!(id.index() < self.tree.count, "no node {id:?} in this document");
        Node::new(self, id)
    }

    /// Returns the number of nodes, which is at least one because of the root.
    pub fn node_count(&self) -> usize {
        self.tree.count
    }

    /// Returns all nodes in document order, with each collection before its children. Aliases are
    /// not followed.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = Node<'_>> {
        (0..self.tree.count).map(|at| Node::new(self, NodeId::from(at)))
    }

    /// Returns whether the document starts with a `---`.
    pub fn is_start_explicit(&self) -> bool {
        self.head.explicit_start
    }

    /// Returns whether the document ends with a `...`.
    pub fn is_end_explicit(&self) -> bool {
        self.head.explicit_end
    }

    /// Returns the directive lines of the document, without their comments.
    pub fn directives(&self) -> impl Iterator<Item = &[u8]> {
        let text = self.text.bytes();
        self.head.directives.iter().map(|&(start, end)| &text[start as usize..end as usize])
    }

    /// Returns the schema by which keys were compared when the document was composed. Lookup uses
    /// the same schema.
    pub fn schema(&self) -> Schema {
        self.head.equality.schema
    }

    /// Returns whether `<<` merges, according to the options with which the document was composed.
    pub fn merges(&self) -> bool {
        self.head.merges
    }

    /// Returns the nodes that have an anchor, in document order.
    pub fn anchored(&self) -> impl Iterator<Item = Node<'_>> {
        self.tree.side.anchors.iter().map(|anchor| Node::new(self, NodeId(anchor.node)))
    }

    /// Returns whether a node of the document has a tag.
    pub fn has_tags(&self) -> bool {
        !self.tree.side.tags.is_empty()
    }

    /// Returns whether the document has aliases.
    pub fn has_aliases(&self) -> bool {
        !self.tree.side.aliases.is_empty()
    }

    /// Returns whether any mapping among `nodes` has a key that a duplicate overrides. Walks skip
    /// such keys. This takes one pass over the nodes.
    pub(crate) fn has_overridden_keys(&self, nodes: Range<usize>) -> bool {
        let is_mapping = |node: &Packed| node.shape() == Shape::Mapping;
        self.tree.nodes()[nodes]
            .iter()
            .filter(|node| is_mapping(node))
            .any(|node| node.has(HAS_OVERRIDDEN))
    }

    /// Returns the text of the document, to which the offsets of [`Node::span`] refer. If the input
    /// is a slice, the text is a part of it. If the input is a reader, text between two chunks of
    /// events may be missing.
    pub fn text(&self) -> &[u8] {
        self.text.bytes()
    }

    /// Returns whether [`Document::text`] is a part of the stream's UTF-8 form without gaps.
    pub fn is_contiguous(&self) -> bool {
        match &self.text {
            Text::Borrowed { .. } => true,
            Text::Owned { pieces, .. } => pieces.len() <= 1,
        }
    }

    /// Copies the text of a document that borrows it, so that the document can outlive the input.
    /// This also reads the input before the document once, to count lines.
    ///
    /// To keep many documents of a stream, use
    /// [`Documents::next_owned`](crate::Documents::next_owned), which counts the lines once.
    pub fn into_owned(self) -> Document<'static> {
        self.into_owned_after(&mut Counted::default())
    }

    /// Does what [`Document::into_owned`] does, but continues the count of lines in `counted`,
    /// which comes from an earlier document of the same stream.
    pub(super) fn into_owned_after(self, counted: &mut Counted) -> Document<'static> {
        let Document { tree, text, head, indexes } = self;
        let text = match text {
            Text::Owned { text, pieces } => Text::Owned { text, pieces },
            Text::Borrowed { stream, base, text } => {
                let passed = counted.up_to(stream, base);
                let piece = Piece { start: 0, offset: base, passed: Some(passed) };
                Text::Owned { text: text.to_vec(), pieces: vec![piece] }
            }
        };
        Document { tree, text, head, indexes }
    }

    /// Returns an empty document that reuses the memory of this one. A text with a different
    /// lifetime can be composed into it.
    ///
    /// ```
    /// use ketch_yaml::{Document, Documents};
    ///
    /// let mut memory = Document::new();
    /// for text in [String::from("a: 1"), String::from("[b, c]")] {
    ///     let mut document = memory.recycle();
    ///     Documents::new(text.as_bytes()).next_into(&mut document)?;
    ///     assert!(document.node_count() == 3);
    ///     memory = document.recycle();
    /// }
    /// # Ok::<(), ketch_yaml::Error>(())
    /// ```
    pub fn recycle<'u>(self) -> Document<'u> {
        let Document { mut tree, text, head, mut indexes } = self;
        tree.reset();
        indexes.clear();
        let text = match text {
            Text::Owned { mut text, mut pieces } => {
                text.clear();
                pieces.clear();
                Text::Owned { text, pieces }
            }
            Text::Borrowed { .. } => Text::default(),
        };
        let mut directives = head.directives;
        directives.clear();
        Document { tree, text, head: Head { directives, ..Head::default() }, indexes }
    }

    /// Returns the location in the stream of `range`, a range of [`Document::text`]: the line, the
    /// column, and the text of the line.
    pub fn location(&self, range: Range<usize>) -> Location {
        let (at, len) = (range.start, range.len());
        match &self.text {
            Text::Borrowed { stream, base, .. } => {
                LineCounter::default().location(stream, 0, base + at as u64, len)
            }
            Text::Owned { text, pieces } => {
                let after = pieces.partition_point(|piece| piece.start as usize <= at);
                let Some(index) = after.checked_sub(1) else {
                    return LineCounter::default().location(text, 0, at as u64, len);
                };
                let Piece { start, offset, passed } = pieces[index];
                let end = pieces.get(after).map_or(text.len(), |next| next.start as usize);
                let start = start as usize;
                let in_stream = offset + (at - start) as u64;
                // Between two pieces, the stream may have bytes that the text does not have.
                let last = pieces.partition_point(|piece| (piece.start as usize) < range.end);
                let last = pieces[last.saturating_sub(1).max(index)];
                let range_end = last.offset + (range.end - last.start as usize) as u64;
                let len = (range_end - in_stream) as usize;
                match passed {
                    Some(passed) => passed.location(&text[start..end], offset, in_stream, len),
                    // An offset before the base means that the lines are unknown.
                    None => LineCounter::default().location(&[], u64::MAX, in_stream, len),
                }
            }
        }
    }

    /// Returns the offset in the stream of the byte at `at` in the document's text.
    pub(super) fn stream_offset(&self, at: usize) -> u64 {
        let (start, offset) = match &self.text {
            Text::Borrowed { base, .. } => (0, *base),
            Text::Owned { pieces, .. } => {
                let after = pieces.partition_point(|piece| piece.start as usize <= at);
                let piece = after.checked_sub(1).map(|index| pieces[index]);
                piece.map_or((0, 0), |piece| (piece.start as usize, piece.offset))
            }
        };
        offset + (at - start) as u64
    }

    /// Turns `fault`, whose offsets are relative to the document's text, into an error.
    pub(super) fn error(&self, fault: Fault) -> Error {
        let piece = self.text.piece(fault.at as usize);
        let advice = diagnose::diagnose_node(&fault, self.text.bytes(), piece);
        error_of(fault, advice, |range| self.location(range))
    }

    /// Returns the error for `problem` at the node `id`.
    pub(super) fn error_at(&self, problem: Problem, id: NodeId) -> Error {
        let span = self.view().span(id.index());
        let fault = Fault { problem, at: span.start as u64, len: span.len(), related: None };
        self.error(fault)
    }

    /// Joins the tree with its text, for reading.
    #[inline]
    pub(super) fn view(&self) -> View<'_> {
        self.tree.view(self.text.bytes())
    }
}
