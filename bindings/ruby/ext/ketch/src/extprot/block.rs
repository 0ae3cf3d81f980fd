//! Blocks that are open while bytes are read.

use ketch_extprot::wire::WireType;

/// A block that is open.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// Where its values start on the stack.
    pub start: usize,
    pub tag: u64,
    pub wire_type: WireType,
    /// How many values are still to come behind it in the block around it.
    pub outer_left: usize,
    /// Where that ends in the bytes.
    pub outer_end: usize,
}
