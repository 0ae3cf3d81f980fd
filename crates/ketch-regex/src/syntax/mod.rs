//! The syntax of patterns: a parser with the messages of Ruby or Oniguruma, the tree, and a printer.

mod behind;
mod check;
mod class;
mod escape;
mod names;
mod oniguruma;
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
