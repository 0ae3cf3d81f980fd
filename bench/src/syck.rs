//! The dialect of Syck: `syck.scan` and `syck.parse`.

use std::fmt::Write as _;
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

/// A small document of the same benchmark.
pub const SMALL: &str =
    "---\n- &fir oak\n- elm: a\n  maple: b\n  hazel: ash\n- 123\n- !str 123\n- *fir\n";

const WORDS: [&str; 3] = ["oak", "elm", "ash"];

/// Returns a document of 4,794 bytes with the same lines, keys and lengths as `big_yaml.yml`, the
/// file of JRuby by which ports of Syck were measured, but with other words.
pub fn big() -> String {
    let mut out = String::from("---\n");
    for number in ["", "2", "3", "4"] {
        let _ = writeln!(out, "key{number}:");
        for at in 0..39 {
            let word = if at == 7 { "[1, 2, 3, 4, 5]" } else { WORDS[at % 3] };
            let _ = writeln!(out, "  - {word}");
        }
        let _ = write!(out, "\ngrove{number}: \n");
        for inner in ["", "2", "3", "4", "5", "6"] {
            let _ = writeln!(out, "  key{inner}:");
            for at in 0..15 {
                let _ = writeln!(out, "   - {}", WORDS[at % 3]);
            }
        }
        out.push('\n');
    }
    out
}
