//! The open collections, and the position of the next node in them.

/// A collection that is being written, or the document itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    pub kind: FrameKind,
    pub slot: Slot,
    /// In block style, whether the next entry continues the current line; in flow style, whether it
    /// is the first one, so that no comma precedes it.
    pub is_first: bool,
    /// The column of a block collection's entries; for a flow collection, that of the block around
    /// it.
    pub column: usize,
}

/// The kind of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FrameKind {
    Document,
    BlockSequence,
    BlockMapping,
    FlowSequence,
    FlowMapping,
}

impl FrameKind {
    /// The number of kinds.
    pub const COUNT: usize = FrameKind::FlowMapping as usize + 1;
}

/// The role of the next node in its collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// The root of the document.
    Root,
    /// No node is allowed, because the document already has its root.
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
    /// The number of slots.
    pub const COUNT: usize = Slot::ExplicitValue as usize + 1;
}

/// What precedes a node on its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lead {
    /// Only indentation, or something after which no space is needed.
    Nothing,
    /// A `-`, `?` or `:` after which a block collection may start on the same line.
    Indicator,
    /// An implicit key with its `:`.
    Key,
    /// The marker `---`.
    Marker,
    /// A `?` or `:` in a flow mapping.
    Flow,
}

impl Frame {
    /// A document that is complete or has not started.
    pub const DOCUMENT: Frame =
        Frame { kind: FrameKind::Document, slot: Slot::Full, is_first: false, column: 0 };

    /// Returns whether this is a collection in flow style.
    #[inline(always)]
    pub fn is_flow(self) -> bool {
        matches!(self.kind, FrameKind::FlowSequence | FrameKind::FlowMapping)
    }

    /// Returns whether the last node was an implicit key, so that its line continues.
    pub fn is_after_key(self) -> bool {
        self.slot == Slot::Value
    }
}

/// The document and its open collections. Frames are changed in place, because copying one directly
/// after writing single bytes of it causes a store-forwarding stall.
#[derive(Debug)]
pub(super) struct Frames {
    document: Frame,
    open: Vec<Frame>,
}

impl Frames {
    /// Creates the frame of the document, with no open collections.
    pub fn new() -> Frames {
        Frames { document: Frame::DOCUMENT, open: Vec::with_capacity(USUAL_DEPTH) }
    }

    /// Returns the innermost open collection, or the document.
    #[inline(always)]
    pub fn top(&self) -> &Frame {
        self.open.last().unwrap_or(&self.document)
    }

    /// Returns the innermost open collection, or the document, for changes.
    #[inline(always)]
    pub fn top_mut(&mut self) -> &mut Frame {
        self.open.last_mut().unwrap_or(&mut self.document)
    }

    /// Returns whether no collection is open.
    pub fn is_document(&self) -> bool {
        self.open.is_empty()
    }

    /// Opens a collection with the frame `frame`.
    #[inline]
    pub fn push(&mut self, frame: Frame) {
        self.open.push(frame);
    }

    /// Closes the innermost collection, and returns whether there was one.
    #[inline]
    pub fn pop(&mut self) -> bool {
        self.open.pop().is_some()
    }
}

/// The initial capacity of the stack. Few documents are deeper than this.
const USUAL_DEPTH: usize = 8;
