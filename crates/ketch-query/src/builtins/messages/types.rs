//! What a built-in of messages is.

use crate::builtins::types::Builtin;

/// The kinds of receivers that a built-in has, as a set of bits.
pub type Kinds = u8;
pub const LIST: Kinds = 1;
pub const DICT: Kinds = 2;
pub const TEXT: Kinds = 4;
pub const NUMBER: Kinds = 8;
pub const DATE: Kinds = 16;
pub const OTHER: Kinds = 32;
pub const BOTH: Kinds = LIST | DICT;
pub const ANY: Kinds = 63;

/// What the arguments of a built-in are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Values.
    Values,
    /// A block that every element is sent to.
    Block,
    /// The same, with the keys of a dict as elements.
    KeyBlock,
    /// The same, up to the first element for which the block is true, or false.
    Until(bool),
}

/// A built-in. With a block, its arguments are the indices of elements and what the block gave for them.
#[derive(Debug)]
pub struct Message {
    pub name: &'static str,
    pub on: Kinds,
    /// The least and the greatest number of arguments.
    pub arity: (u8, u8),
    pub shape: Shape,
    pub(super) run: Builtin,
}

/// Creates a built-in with values as arguments.
pub(super) const fn values(
    name: &'static str,
    on: Kinds,
    arity: (u8, u8),
    run: Builtin,
) -> Message {
    Message { name, on, arity, shape: Shape::Values, run }
}

/// Creates a built-in whose argument is a block.
pub(super) const fn block(
    name: &'static str,
    on: Kinds,
    least: u8,
    shape: Shape,
    run: Builtin,
) -> Message {
    Message { name, on, arity: (least, 1), shape, run }
}
