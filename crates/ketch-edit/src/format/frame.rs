//! The open collections, with their columns in the input and in the output.

/// An open collection, or the document itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub kind: FrameKind,
    /// Whether the next node of a mapping is a value.
    pub is_value: bool,
    /// Whether the current key of a mapping has a `?`.
    pub is_explicit: bool,
    /// Whether the collection is an implicit key, which must not contain line breaks, or is in one.
    pub is_key: bool,
    /// The column of a block collection in the input.
    pub old_column: usize,
    /// In block context, the column of the entries; in flow context, the column of lines that start
    /// with an entry.
    pub column: usize,
    /// In flow context, the column of a line that starts with the closing bracket or a comma.
    pub end_column: usize,
    /// In flow context, the offset of the opening bracket in the output.
    pub opened_at: usize,
    /// In flow context, the line number of the opening bracket in the output.
    pub opened_on: usize,
    /// In flow context, the offset of the opening bracket in the input.
    pub start: usize,
}

/// The kind of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FrameKind {
    Document,
    BlockSequence,
    BlockMapping,
    FlowSequence,
    FlowMapping,
    /// A single pair in a flow sequence, which has no braces.
    Pair,
}

impl Frame {
    /// Creates a frame of the kind `kind`, with all columns 0.
    pub fn new(kind: FrameKind) -> Frame {
        Frame {
            kind,
            is_value: false,
            is_explicit: false,
            is_key: false,
            old_column: 0,
            column: 0,
            end_column: 0,
            opened_at: 0,
            opened_on: 0,
            start: 0,
        }
    }

    /// Returns whether the frame is a flow collection, or a single pair in one.
    pub fn is_flow(&self) -> bool {
        use FrameKind::*;
        matches!(self.kind, FlowSequence | FlowMapping | Pair)
    }

    /// Returns whether the frame is a mapping or a single pair.
    pub fn is_mapping(&self) -> bool {
        use FrameKind::*;
        matches!(self.kind, BlockMapping | FlowMapping | Pair)
    }

    /// Updates the frame after a complete node in it: in a mapping, a value follows a key, and a
    /// key a value.
    pub fn advance(&mut self) {
        if self.is_mapping() {
            self.is_explicit &= !self.is_value;
            self.is_value = !self.is_value;
        }
    }

    /// Returns whether the next node is a key.
    pub fn expects_key(&self) -> bool {
        self.is_mapping() && !self.is_value
    }
}
