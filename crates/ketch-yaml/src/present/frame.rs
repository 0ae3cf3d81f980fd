//! Open collections, and where in them the next node stands.

/// A collection that is being written, or the document around its root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    pub kind: FrameKind,
    pub slot: Slot,
    /// The next entry is the first one: in block style, it stands on the line that is begun; in
    /// flow style, no comma stands before it.
    pub is_first: bool,
    /// The column of a block collection's entries, or of the block that a flow collection is in.
    pub column: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FrameKind {
    Document,
    BlockSequence,
    BlockMapping,
    FlowSequence,
    FlowMapping,
}

impl FrameKind {
    pub const COUNT: usize = FrameKind::FlowMapping as usize + 1;
}

/// What the next node is to its collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// The document's root.
    Root,
    /// Nothing: the document has its root.
    Full,
    /// An entry of a sequence.
    Entry,
    /// A key.
    Key,
    /// The value of an implicit key.
    Value,
    /// The value of an explicit key, `? key`.
    ExplicitValue,
}

impl Slot {
    pub const COUNT: usize = Slot::ExplicitValue as usize + 1;
}

/// What stands on the line in front of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lead {
    /// Nothing but indentation, or what needs no space behind it.
    Nothing,
    /// `-`, `?` or `:` on a line of its own: a block collection may go on behind it.
    Indicator,
    /// An implicit key and its `:`.
    Key,
    /// `---`.
    Marker,
    /// `?` or `:` in a flow mapping.
    Flow,
}

impl Frame {
    pub const DOCUMENT: Frame =
        Frame { kind: FrameKind::Document, slot: Slot::Full, is_first: false, column: 0 };

    #[inline(always)]
    pub fn is_flow(self) -> bool {
        matches!(self.kind, FrameKind::FlowSequence | FrameKind::FlowMapping)
    }

    /// Whether the last node was an implicit key, behind which its line goes on.
    pub fn is_behind_key(self) -> bool {
        self.slot == Slot::Value
    }
}

/// The document and the collections that are open in it, each where it stays: what is written by
/// the byte and copied as a whole makes the processor wait.
#[derive(Debug)]
pub(super) struct Frames(Vec<Frame>);

impl Frames {
    /// The document alone.
    pub fn new() -> Frames {
        let mut frames = Vec::with_capacity(USUAL_DEPTH);
        frames.push(Frame::DOCUMENT);
        Frames(frames)
    }

    /// The innermost frame.
    #[inline(always)]
    pub fn top(&self) -> &Frame {
        self.0.last().expect(NEVER_EMPTY)
    }

    #[inline(always)]
    pub fn top_mut(&mut self) -> &mut Frame {
        self.0.last_mut().expect(NEVER_EMPTY)
    }

    /// Whether no collection is open.
    pub fn is_document(&self) -> bool {
        self.0.len() == 1
    }

    #[inline]
    pub fn push(&mut self, frame: Frame) {
        self.0.push(frame);
    }

    /// Leaves the innermost collection, if there is one.
    #[inline]
    pub fn pop(&mut self) -> bool {
        !self.is_document() && self.0.pop().is_some()
    }
}

/// Few documents are deeper.
const USUAL_DEPTH: usize = 8;

const NEVER_EMPTY: &str = "the document's frame stays";
