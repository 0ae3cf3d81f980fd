//! Parsing: tokens to events, driven by lines in block context and by tokens in flow context.
//!
//! The engine is one state machine over the bytes at hand. Its whole state is the stack of frames,
//! the node properties that wait for their node, and the place where to resume; so it can stop at
//! the start of a line, in front of a node and between two tokens of a flow collection, and go on
//! when the chunk was taken or more bytes have come. Nesting lives on that stack, never in calls.

mod block;
mod document;
mod engine;
mod fast;
mod fast_flow;
mod fast_value;
mod flow;
mod flow_key;
mod flow_space;
mod node;
mod parser;
mod properties;
mod reader;
mod state;
#[cfg(test)]
mod tag_tests;
#[cfg(test)]
mod tests;

pub use parser::{Options, Parser, Warning};
pub use reader::ReadParser;
pub(crate) use reader::Window;
