//! Reads an input as events, one chunk at a time, showing the progress.

use crate::args::InputArgs;
use crate::diagnostic::Diagnostic;
use crate::file_name;
use crate::input::{self, Input, WHOLE_BYTES_MAX};
use crate::progress::Progress;
use crate::status::Failure;
use ketch_yaml::Class;
use ketch_yaml::compose::Source;
use ketch_yaml::{Chunk, Error, Options, Parser, ReadParser};
use std::io;

/// The outcome of reading an input.
#[derive(Debug)]
pub struct Outcome {
    /// The number of bytes that were read.
    pub bytes: u64,
    /// The reason why reading stopped before the end, if it did.
    pub failure: Option<Failure>,
}

/// Passes the events of `file` to `receive`, one chunk at a time, up to the first error.
///
/// Fails if `file` cannot be opened or if `receive` fails. An error in the input is part of the
/// outcome instead.
pub fn events(
    inputs: &InputArgs,
    file: &str,
    options: &Options,
    stdout_is_free: bool,
    receive: impl FnMut(&Chunk<'_, '_>) -> Result<(), Failure>,
) -> Result<Outcome, Failure> {
    match input::open_yaml(inputs, file, WHOLE_BYTES_MAX)? {
        Input::Whole(text) => {
            let mut parser = Parser::with_options(&text, options);
            let progress = Progress::new(Some(text.len() as u64), stdout_is_free);
            let error = drive(&mut parser, &progress, receive)?;
            let failure = error.map(|error| failure(file, &text, error));
            Ok(Outcome { bytes: text.len() as u64, failure })
        }
        Input::Stream(mut stream) => {
            let progress = Progress::new(stream.size, stdout_is_free);
            let mut parser = ReadParser::with_options(&mut stream, options);
            let error = drive(&mut parser, &progress, receive)?;
            drop(parser);
            let failure = error.map(|error| failure(file, stream.head(), error));
            Ok(Outcome { bytes: stream.read_bytes(), failure })
        }
    }
}

/// Passes chunks to `receive`, up to the end or the first error in the input. Returns that error,
/// or `None` at the end.
fn drive(
    parser: &mut impl Source,
    progress: &Progress,
    mut receive: impl FnMut(&Chunk<'_, '_>) -> Result<(), Failure>,
) -> Result<Option<Error>, Failure> {
    loop {
        match parser.next_chunk() {
            Ok(Some(chunk)) => {
                receive(&chunk)?;
                let first = chunk.events().next();
                progress.reached(chunk.base() + first.map_or(0, |event| event.start as u64));
            }
            Ok(None) => return Ok(None),
            Err(error) => return Ok(Some(error)),
        }
    }
}

/// Returns the failure for an error of the parser in `file`, whose content starts with `head`.
pub fn failure(file: &str, head: &[u8], error: Error) -> Failure {
    match error.io_error() {
        Some(cause) if error.class() == Class::Io => {
            let cause = io::Error::new(cause.kind(), cause.to_string());
            Failure::Read(file_name::shown(file).to_owned(), cause)
        }
        _ => Failure::Input(Box::new(Diagnostic::error(file, head, &error))),
    }
}
