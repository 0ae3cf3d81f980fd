//! Reads the dialect of Syck as events.
//!
//! `scanner` turns bytes into tokens, and `parse` reads these with the tables of an LALR(1) grammar.
//! The effects of the rules are in `builder`, which has the stack and the events. `lines` is a fast
//! path for simple lines: it changes the builder and the scanner's levels without creating tokens.
//! `finish` moves properties to their nodes.

mod block;
mod builder;
mod decode;
mod finish;
mod front;
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
mod text;
mod token;

use front::Front;
use ketch_yaml::internal::{Documents, Language};
use ketch_yaml::{Dialect, Event};
use std::ops::Range;

/// The tag of the placeholder for an alias that refers to nothing.
pub const BAD_ALIAS_TAG: &str = "x-private:bad-alias";

/// The dialect of Syck, for [`Options::dialect`](ketch_yaml::Options::dialect).
///
/// ```
/// use ketch_yaml::{ComposeOptions, Documents, Options};
///
/// let mut options = Options::default();
/// options.dialect = ketch_syck::DIALECT;
/// let documents = Documents::with_options(b"[1,2, 3]", &options, &ComposeOptions::default());
/// let document = { documents }.next().unwrap()?;
/// assert_eq!(document.root().get(0).unwrap().text(), "1,2");
/// # Ok::<(), ketch_yaml::Error>(())
/// ```
pub const DIALECT: Dialect = Dialect::Other(&Syck);

/// The language of Syck.
#[derive(Debug)]
struct Syck;

impl Language for Syck {
    fn name(&self) -> &'static str {
        "syck"
    }

    fn documents(&self, offset: usize) -> Box<dyn Documents> {
        Box::new(Front::new(offset))
    }

    fn decode(&self, text: &[u8], event: &Event, out: &mut Vec<u8>) -> bool {
        decode::decode(text, event, out)
    }

    fn written_tag(&self, text: &[u8], node: usize, expanded: &str) -> Option<Range<usize>> {
        tag::written_tag(text, node, expanded)
    }
}
