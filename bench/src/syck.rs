//! The dialect of Syck: `syck.scan` and `syck.parse`.

use std::hint::black_box;
use std::path::Path;

use ketch_syck::{Nodes, NullHandler};
use ketch_yaml::{Options, Parser};

use crate::runner::{read, text as as_text};
use crate::work::{Prepared, timed, unable};

pub fn prepare(operation: &str, engine: &str, input: &Path) -> Prepared {
    let run = match (operation, engine) {
        ("scan", "ketch") => scan,
        ("parse", "ketch") => parse,
        _ => return Err(unable()),
    };
    let text = read(input)?;
    let again = text.clone();
    // Other readers have other events, so what is compared is the number of nodes, also of `scan`.
    Ok(timed(move || run(black_box(&text)), move || Ok(parse(&again)?.into())))
}

/// Parses a document with implicit types and expanded tags, for a handler that builds nothing.
/// Returns the number of nodes.
fn parse(text: &[u8]) -> Result<usize, String> {
    let mut handler = NullHandler::default();
    let mut nodes = Nodes::new(text);
    while nodes.next_root(&mut handler).map_err(as_text)?.is_some() {}
    Ok(handler.nodes as usize)
}

/// Reads all events of a document, and returns their number.
fn scan(text: &[u8]) -> Result<usize, String> {
    let mut options = Options::default();
    options.dialect = ketch_syck::DIALECT;
    let mut parser = Parser::with_options(text, &options);
    let mut count = 0;
    while let Some(chunk) = parser.next_chunk().map_err(as_text)? {
        for event in chunk.events() {
            black_box(event);
            count += 1;
        }
    }
    Ok(count)
}
