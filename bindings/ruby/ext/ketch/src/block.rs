//! The blocks that are open while bytes of extprot are read.

use ketch_extprot::wire::WireType;

/// An open block.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// The index on the stack at which the block's values start.
    pub start: usize,
    pub tag: u64,
    pub wire_type: WireType,
    /// The number of values that follow this block in the enclosing block.
    pub outer_left: usize,
    /// The offset of the end of the enclosing block.
    pub outer_end: usize,
}
