//! Open collections, with their columns in the input and in the output.

/// An open collection, or the document itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub kind: FrameKind,
    /// In a mapping, whether the next node is a value.
    pub is_value: bool,
    /// In a mapping, whether the key has a `?`.
    pub is_explicit: bool,
    /// Whether the collection is, or is inside, an implicit key, which may not contain line breaks.
    pub is_key: bool,
    /// The column of a block collection in the input.
    pub old_column: usize,
    /// In block context, the column of the entries; in flow context, that of the lines.
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FrameKind {
    Document,
    BlockSequence,
    BlockMapping,
    FlowSequence,
    FlowMapping,
    /// A single pair in a flow sequence.
    Pair,
}

impl Frame {
    /// Creates a frame of this kind with all columns zero.
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

    /// Returns whether this is a flow collection or a single pair in one.
    pub fn is_flow(&self) -> bool {
        use FrameKind::*;
        matches!(self.kind, FlowSequence | FlowMapping | Pair)
    }

    /// Returns whether the collection is a mapping or a single pair.
    pub fn is_mapping(&self) -> bool {
        use FrameKind::*;
        matches!(self.kind, BlockMapping | FlowMapping | Pair)
    }

    /// Updates the state after a complete node.
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
