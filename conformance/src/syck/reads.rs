//! Checks that any bytes can be read in Syck's dialect: from a slice and from a reader, composed,
//! and written as JSON.

use super::nodes;
use ketch_yaml::compose::{JsonOptions, JsonWriter};
use ketch_yaml::schema::Schema;
use ketch_yaml::{
    Chunk, ComposeOptions, Documents, DuplicateKeys, Error, EventKind, Options, Parser, ReadParser,
};

/// Reads `data` in all ways, and compares the results.
///
/// # Errors
///
/// Returns a message that says how two ways of reading differ, or which event is malformed.
pub fn read_alike(data: &[u8]) -> Result<(), String> {
    let expected = nodes(data);
    let mut options = Options::default();
    options.dialect = ketch_syck::DIALECT;
    let mut reader = ReadParser::with_options(data, &options);
    let mut documents = 0;
    let is_refused = loop {
        match reader.next_chunk() {
            Ok(Some(chunk)) => {
                documents += 1;
                balanced(&chunk)?;
            }
            Ok(None) => break false,
            Err(_) => break true,
        }
    };
    let count = expected.lines().filter(|line| *line == "document").count();
    if count != documents
        || is_refused != expected.contains("\nrefused")
            && is_refused != expected.starts_with("refused")
    {
        return Err(format!("{documents} documents by a reader, by slice:\n{expected}"));
    }
    let (fast, by_tables) = (log(data, &options), log(data, &tables_only()));
    if fast != by_tables && data.len() < TABLES_BYTES {
        return Err(format!(
            "with the fast path:\n{fast}by the tables of the grammar:\n{by_tables}"
        ));
    }
    // Unknown aliases, and exceeded limits, are only errors of the composer.
    let _ = composed(data, &options);
    Ok(())
}

/// If this is the limit for scalars, documents with shorter scalars are read only by the tables of
/// the grammar: the fast path for simple lines is off, since it does not check lengths.
const TABLES_BYTES: usize = (1 << 12) - 1;

/// Returns options with which the fast path is not used.
fn tables_only() -> Options {
    let mut options = Options::default();
    options.dialect = ketch_syck::DIALECT;
    options.limits.max_scalar_bytes = TABLES_BYTES as u64;
    options
}

/// Returns all events, warnings and errors of a text, as text.
fn log(data: &[u8], options: &Options) -> String {
    let mut parser = Parser::with_options(data, options);
    let mut out = String::new();
    loop {
        match parser.next_chunk() {
            Ok(Some(chunk)) => {
                chunk.events().for_each(|event| out += &format!("{event:?}\n"));
            }
            Ok(None) => break,
            Err(error) => {
                out += &format!("{error} at {:?}\n", error.location());
                break;
            }
        }
    }
    out + &format!("{:?}\n", parser.warnings())
}

/// Checks that every collection that starts also ends, and that all spans are within the text.
fn balanced(chunk: &Chunk<'_, '_>) -> Result<(), String> {
    let mut open = Vec::new();
    for event in chunk.events() {
        if event.range().end > chunk.text().len() {
            return Err(format!("{event:?} is outside of the text"));
        }
        match event.kind {
            EventKind::SequenceStart => open.push(EventKind::SequenceEnd),
            EventKind::MappingStart => open.push(EventKind::MappingEnd),
            EventKind::SequenceEnd | EventKind::MappingEnd if open.pop() != Some(event.kind) => {
                return Err(format!("{event:?} ends nothing"));
            }
            _ => {}
        }
    }
    if open.is_empty() { Ok(()) } else { Err("a collection does not end".to_owned()) }
}

/// Composes all documents, and writes them as JSON. Values that JSON cannot express are not errors
/// here.
fn composed(data: &[u8], options: &Options) -> Result<(), Error> {
    let mut compose = ComposeOptions::default();
    compose.schema = Schema::Syck;
    compose.duplicate_keys = DuplicateKeys::Last;
    let mut json = JsonOptions::default();
    json.schema = Schema::Syck;
    let mut writer = JsonWriter::new(&json);
    let mut out = Vec::new();
    for document in Documents::with_options(data, options, &compose) {
        let document = document?;
        out.clear();
        let _ = writer.write(&document, &mut out);
        for node in document.nodes() {
            let _ = (node.text(), node.location());
        }
    }
    Ok(())
}
