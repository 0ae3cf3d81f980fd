//! Reads the dialect of Syck as events.
//!
//! `scanner` turns bytes into tokens, and `parse` reads these with the tables of an LALR(1) grammar.
//! The effects of the rules are in `builder`, which has the stack and the events. `lines` is a fast
//! path for simple lines: it changes the builder and the scanner's levels without creating tokens.
//! `finish` moves properties to their nodes.

mod block;
mod builder;
pub(crate) mod decode;
mod finish;
pub(crate) mod front;
mod grammar;
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

/// The tag of the placeholder for an alias that refers to nothing.
pub const BAD_ALIAS_TAG: &str = "x-private:bad-alias";
