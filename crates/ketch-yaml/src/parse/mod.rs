//! Parsing, which turns text into events, driven by lines in block context and by tokens in flow
//! context.
//!
//! The engine is one state machine over the buffered bytes. Its state is the stack of open
//! collections, the properties that wait for their node, and the position at which to resume. It
//! can therefore stop at the start of a line, before a node or between two tokens of a flow
//! collection, and resume once the chunk has been consumed or more input has arrived. Nesting never
//! uses the call stack.

mod block;
mod engine;
mod fast;
mod fast_flow;
mod fast_value;
mod flow;
mod node;
mod parser;
mod reader;
mod state;
#[cfg(test)]
mod tag_tests;
#[cfg(test)]
mod tests;

pub use parser::{Buffers, Options, Parser, Warning};
pub use reader::ReadParser;
pub(crate) use reader::Window;
