//! Messages: chains from left to right, which compile to the instructions of the machine as they are read.
//!
//! The parser emits code at once, without a tree: what an expression gives is the top of the stack. A handler starts before
//! the chain that it is for, so it is put there in the end, when instructions and labels get their addresses.

mod args;
mod chain;
mod code;
mod lexer;
mod operands;
mod operators;
mod parser;
mod types;

pub use operands::compile;

use crate::error::QueryError;
use crate::syntax::Span;

/// What parsing results in.
type Result<T> = std::result::Result<T, QueryError>;

/// Returns an error in the program.
fn error(kind: &'static str, span: Span, message: impl Into<String>) -> QueryError {
    QueryError { kind, span, message: message.into(), help: None, module: None }
}
