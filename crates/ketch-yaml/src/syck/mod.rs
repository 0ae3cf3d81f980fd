//! The dialect of Syck, which is no version of YAML: Ruby's, Perl's and PHP's reader of 2003.
//!
//! [`Options::dialect`] chooses it for every parser, with the same events as YAML's. [`Nodes`] hands
//! the nodes of a text to a [`NodeHandler`], as Syck did.
//!
//! [`Options::dialect`]: crate::Options::dialect

// The scanner turns bytes into tokens with a stack of levels, `parse` follows the tables of an LALR(1)
// grammar, and `finish` puts properties to their nodes.

mod block;
pub(crate) mod decode;
mod finish;
pub(crate) mod front;
mod grammar;
mod handler;
#[cfg(test)]
mod lalr;
mod parse;
mod plain;
mod quoted;
mod scanner;
mod table;
mod tag;
#[cfg(test)]
mod tests;
mod text;
mod token;

pub use handler::{Content, Node, NodeHandler, NodeStyle, Nodes, NullHandler};

/// The tag of the placeholder of an alias that refers to nothing.
pub const BAD_ALIAS_TAG: &str = "x-private:bad-alias";
