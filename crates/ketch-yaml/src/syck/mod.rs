//! The dialect of Syck, a YAML library from 2003 for Ruby, Perl and PHP. The language that it reads
//! differs from all versions of YAML.
//!
//! If [`Options::dialect`] selects the dialect, every parser reads it, and yields the same kinds of
//! events as for YAML. [`Nodes`] passes the nodes of a text to a [`NodeHandler`], as Syck did.
//!
//! [`Options::dialect`]: crate::Options::dialect

// `scanner` turns bytes into tokens, and `parse` reads these with the tables of an LALR(1) grammar.
// The effects of the rules are in `builder`, which has the stack and the events. `lines` is a fast
// path for simple lines: it changes the builder and the scanner's levels without creating tokens.
// `finish` moves properties to their nodes.

mod block;
mod builder;
pub(crate) mod decode;
mod finish;
pub(crate) mod front;
mod grammar;
mod handler;
#[cfg(test)]
mod lalr;
mod lines;
mod parse;
mod plain;
mod quoted;
mod runs;
mod scanner;
mod simple;
mod table;
mod tag;
#[cfg(test)]
mod tests;
mod text;
mod token;

pub(crate) use tag::written_tag;

pub use handler::{Content, Node, NodeHandler, NodeStyle, Nodes, NullHandler};

/// The tag of the placeholder for an alias that refers to nothing.
pub const BAD_ALIAS_TAG: &str = "x-private:bad-alias";
