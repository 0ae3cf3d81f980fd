//! Reads CSV and TSV.

use super::flow::{Flow, Wrong};
use csv::{ErrorKind, ReaderBuilder, StringRecord};
use std::collections::HashMap;

/// Converts `text`, a table whose first record names the columns, to a sequence of mappings. The
/// fields are separated by `delimiter`, or by `;` if it is a comma and the first line has only
/// semicolons.
pub fn convert(text: &str, delimiter: u8) -> Result<Flow, Wrong> {
    let header = text.lines().next().unwrap_or("");
    let delimiter = match delimiter {
        b',' if !header.contains(',') && header.contains(';') => b';',
        other => other,
    };
    let mut reader = ReaderBuilder::new()
        .delimiter(delimiter)
        .quoting(delimiter != b'\t')
        .from_reader(text.as_bytes());
    let header = reader.headers().map_err(|error| wrong(text, &error))?.clone();
    check_header(text, &header)?;
    let mut flow = Flow::default();
    let mut last = 0;
    flow.each(['[', ']'], reader.records(), |flow, record| {
        let record = record.map_err(|error| wrong(text, &error))?;
        last = record.position().map_or(last, |position| position.byte() as usize);
        flow.each(['{', '}'], header.iter().zip(record.iter()), |flow, (key, cell)| {
            flow.key(key);
            flow.guessed(cell);
            Ok(())
        })
    })?;
    match delimiter != b'\t' && is_open(&text[last.min(text.len())..]) {
        true => Err(unclosed(text, last)),
        false => Ok(flow),
    }
}

/// Returns whether a quote in `rest`, which starts with a record, is never closed.
fn is_open(rest: &str) -> bool {
    let starts_field = rest.starts_with('"') || rest.contains(",\"") || rest.contains(";\"");
    starts_field && rest.bytes().filter(|byte| *byte == b'"').count() % 2 == 1
}

/// Returns the mistake that a quote in the record at the offset `start` is never closed.
fn unclosed(text: &str, start: usize) -> Wrong {
    let line = text[start..].lines().next().map_or(0, str::len);
    Wrong::new(start..start + line, "a quote in this record is never closed")
        .help("Close it, or write two quotes for one in a quoted field.")
}

/// Fails if two columns have the same name.
fn check_header(text: &str, header: &StringRecord) -> Result<(), Wrong> {
    let mut seen = HashMap::new();
    for (index, name) in header.iter().enumerate() {
        if let Some(first) = seen.insert(name, index) {
            let (first, second) = (first + 1, index + 1);
            let end = text.lines().next().map_or(0, str::len);
            let message = format!("columns {first} and {second} are both called `{name}`");
            return Err(Wrong::new(0..end, message).help("Rename one of the columns."));
        }
    }
    Ok(())
}

fn wrong(text: &str, error: &csv::Error) -> Wrong {
    let start = error.position().map_or(0, |position| position.byte() as usize).min(text.len());
    let line = text.get(start..).and_then(|rest| rest.lines().next()).map_or(0, str::len);
    if text.get(start..).is_some_and(is_open) {
        return unclosed(text, start);
    }
    let message = match error.kind() {
        ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("this record has {len} fields, but the first one has {expected_len}")
        }
        _ => error.to_string(),
    };
    Wrong::new(start..start + line, message)
        .help("Quote a field that contains a separator, as in \"a, b\".")
}
