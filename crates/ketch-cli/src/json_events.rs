//! Reads a stream of JSON texts as events. Short texts are parsed at once, and long ones in pieces.

use crate::file_name;
use crate::input::{self, Input};
use crate::json_texts::{JsonText, JsonTexts};
use crate::progress::Progress;
use crate::read::{Outcome, failure};
use crate::status::Failure;
use ketch_yaml::compose::Source;
use ketch_yaml::schema::{ScalarTag, Schema};
use ketch_yaml::{Chunk, Error, EventKind, Location, Options, Parser, Problem, ReadParser, scalar};
use std::io::{Cursor, Read};

/// The maximum length in bytes of texts that are parsed at once, so that all errors in them show
/// the line.
const WHOLE_BYTES_MAX: usize = 1 << 20;

/// Passes the events of `file` to `receive`, one chunk at a time, up to the first error. Each JSON
/// text is a document. Plain scalars must be valid in `schema`.
///
/// Fails if `file` cannot be opened or if `receive` fails. An error in the input is part of the
/// outcome instead.
pub fn json_events(
    file: &str,
    options: &Options,
    schema: Schema,
    stdout_is_free: bool,
    mut receive: impl FnMut(&Chunk<'_, '_>) -> Result<(), Failure>,
) -> Result<Outcome, Failure> {
    let (stream, size): (Box<dyn Read>, _) = match input::open(file)? {
        Input::Whole(text) => {
            let size = text.len() as u64;
            (Box::new(Cursor::new(text)), Some(size))
        }
        Input::Stream(stream) => {
            let size = stream.size;
            (Box::new(stream), size)
        }
    };
    let failed = |error| Failure::Read(file_name::shown(file).to_owned(), error);
    let progress = Progress::new(size, stdout_is_free);
    let mut texts = JsonTexts::new(stream);
    let mut all = Outcome { bytes: 0, failure: None };
    while let Some((position, text)) = texts.next_up_to(WHOLE_BYTES_MAX).map_err(failed)? {
        let mut long_head = None;
        let error = match text {
            JsonText::Whole(text) => {
                all.bytes = (position.offset + text.len()) as u64;
                let mut parser = Parser::with_options(text, options);
                let location = |offset, len| Location::in_text(text, offset, len);
                drive(&mut parser, schema, location, |_| (), &mut receive)?
                    .map(|error| failure(file, text, error))
            }
            JsonText::Long => {
                long_head = Some(texts.head());
                let mut parser = ReadParser::with_options(texts.rest(), options);
                let start = position.offset as u64;
                let reached = |offset| progress.reached(start + offset);
                drive(&mut parser, schema, Location::at_offset, reached, &mut receive)?
                    .map(|error| failure(file, &[], error))
            }
        };
        if let Some(error) = error {
            all.failure = Some(match error {
                Failure::Input(diagnostic) => {
                    let head = long_head.unwrap_or_else(|| texts.head());
                    Failure::Input(Box::new(position.seen_from_start(*diagnostic, &head)))
                }
                other => other,
            });
            break;
        }
        all.bytes = all.bytes.max(texts.offset() as u64);
        progress.reached(all.bytes);
    }
    Ok(all)
}

/// Passes the chunks of one text to `receive`, up to the end or the first error in the text.
/// Returns that error, or `None` at the end. `location` creates its location from an offset and a
/// length, and `reached` is called with the offset of each chunk.
fn drive(
    parser: &mut impl Source,
    schema: Schema,
    location: impl Fn(u64, usize) -> Location,
    mut reached: impl FnMut(u64),
    receive: &mut impl FnMut(&Chunk<'_, '_>) -> Result<(), Failure>,
) -> Result<Option<Error>, Failure> {
    loop {
        let chunk = match parser.next_chunk() {
            Ok(Some(chunk)) => chunk,
            Ok(None) => return Ok(None),
            Err(error) => return Ok(Some(error)),
        };
        if let Some((offset, len)) = unresolved(&chunk, schema) {
            return Ok(Some(Error::at(Problem::UnresolvedScalar, location(offset, len))));
        }
        receive(&chunk)?;
        reached(chunk.base());
    }
}

/// Returns the offset and length of the first plain scalar in `chunk` that is not valid in
/// `schema`, or `None` if all are valid.
fn unresolved(chunk: &Chunk<'_, '_>, schema: Schema) -> Option<(u64, usize)> {
    let mut plain = chunk.events().filter(|event| event.kind == EventKind::Plain);
    let is_unresolved = |content: &[u8]| schema.resolve(content) == ScalarTag::Unresolved;
    let event = plain.find(|event| is_unresolved(&scalar::content(chunk.text(), event)))?;
    Some((chunk.base() + event.start as u64, event.len))
}
