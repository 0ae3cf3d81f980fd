//! Open collections, with the column that they had and the one that they get.

/// A collection that is open, or the document around its root.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub kind: FrameKind,
    /// In a mapping: the next node is a value.
    pub is_value: bool,
    /// In a mapping: the key has a `?`.
    pub is_explicit: bool,
    /// A line break inside would make it something else: it is, or is in, a key.
    pub is_key: bool,
    /// The column of a block collection in the input.
    pub old_column: usize,
    /// The column of a block collection's entries; in flow, that of its lines in general.
    pub column: usize,
    /// In flow: the column of a line that starts with the closing bracket or a comma.
    pub end_column: usize,
    /// In flow: where its bracket was written.
    pub opened_at: usize,
    /// In flow: the number of the line that its bracket was written on.
    pub opened_on: usize,
    /// In flow: where its bracket stands in the input.
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
    /// A frame of this kind without columns.
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

    pub fn is_flow(&self) -> bool {
        use FrameKind::*;
        matches!(self.kind, FlowSequence | FlowMapping | Pair)
    }

    pub fn is_mapping(&self) -> bool {
        use FrameKind::*;
        matches!(self.kind, BlockMapping | FlowMapping | Pair)
    }

    /// A node of it is complete.
    pub fn advance(&mut self) {
        if self.is_mapping() {
            self.is_explicit &= !self.is_value;
            self.is_value = !self.is_value;
        }
    }

    /// Whether the next node is a key.
    pub fn expects_key(&self) -> bool {
        self.is_mapping() && !self.is_value
    }
}
