//! Open blocks while bytes are read.

use ketch_extprot::wire::WireType;

/// An open block.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// Where its values start on the stack.
    pub start: usize,
    pub tag: u64,
    pub wire_type: WireType,
    /// The number of values that follow it in the enclosing block.
    pub outer_left: usize,
    /// The end of the enclosing block, as an offset.
    pub outer_end: usize,
}
