//! Ruby's syntax: a parser with Ruby's messages, the tree, and a printer.

mod check;
mod class;
mod escape;
mod names;
mod parser;
mod print;
#[cfg(test)]
mod tests;

pub use crate::tree::{
    Assertion, Charset, FlagChange, Flags, Group, Kind, Mode, Name, Node, NodeId, Reference,
    Shorthand, Span, Tree,
};
pub use parser::parse;
pub(crate) use parser::parse_within;
