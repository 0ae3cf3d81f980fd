//! Open collections, and the position of the next node in them.

/// A collection being written, or the document itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    pub kind: FrameKind,
    pub slot: Slot,
    /// Whether the next entry continues the current line (in block style), or is the first and no
    /// comma precedes it (in flow style).
    pub is_first: bool,
    /// The column of a block collection's entries, or of the block around a flow collection.
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

/// The role of the next node in its collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// The document's root.
    Root,
    /// No node, because the document already has its root.
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

/// What precedes a node on its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lead {
    /// Only indentation, or something that needs no space after it.
    Nothing,
    /// A `-`, `?` or `:` after which a block collection may start on the same line.
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

    /// Returns whether the collection is in flow style.
    #[inline(always)]
    pub fn is_flow(self) -> bool {
        matches!(self.kind, FrameKind::FlowSequence | FrameKind::FlowMapping)
    }

    /// Returns whether the last node was an implicit key, whose line continues.
    pub fn is_after_key(self) -> bool {
        self.slot == Slot::Value
    }
}

/// The document and its open collections. Frames are changed in place, because copying one right
/// after writing single bytes of it causes a store-forwarding stall.
#[derive(Debug)]
pub(super) struct Frames {
    document: Frame,
    open: Vec<Frame>,
}

impl Frames {
    /// Creates the frame of the document, without open collections.
    pub fn new() -> Frames {
        Frames { document: Frame::DOCUMENT, open: Vec::with_capacity(USUAL_DEPTH) }
    }

    /// Returns the innermost frame.
    #[inline(always)]
    pub fn top(&self) -> &Frame {
        self.open.last().unwrap_or(&self.document)
    }

    /// Returns the innermost frame, for changes.
    #[inline(always)]
    pub fn top_mut(&mut self) -> &mut Frame {
        self.open.last_mut().unwrap_or(&mut self.document)
    }

    /// Returns whether no collection is open.
    pub fn is_document(&self) -> bool {
        self.open.is_empty()
    }

    /// Opens a collection.
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

/// The initial capacity. Few documents are deeper.
const USUAL_DEPTH: usize = 8;
