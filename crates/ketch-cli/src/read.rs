//! Reads an input as events, a chunk at a time, with progress.

use crate::diagnostic::Diagnostic;
use crate::input::{self, Input};
use crate::progress::Progress;
use crate::status::Failure;
use ketch_yaml::{Chunk, Options, Parser, Warning};
use std::io::Read as _;

/// What reading an input has come to.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Bytes of the input.
    pub bytes: u64,
    /// What is worth telling though it was read.
    pub warnings: Vec<Warning>,
}

/// Hands the events of `file` to `receive`.
///
/// On an error in the input, all events in front of it have been handed over.
pub fn events(
    file: &str,
    options: &Options,
    progress: &mut Progress,
    mut receive: impl FnMut(&Chunk<'_, '_>) -> Result<(), Failure>,
) -> Result<Outcome, Failure> {
    let bytes = match input::open(file)? {
        Input::Whole(bytes) => bytes,
        Input::Stream(mut reader, _) => {
            let mut bytes = Vec::new();
            reader
                .read_to_end(&mut bytes)
                .map_err(|error| Failure::Read(input::name(file).to_owned(), error))?;
            bytes
        }
    };
    let mut parser = Parser::with_options(&bytes, options);
    loop {
        match parser.next_chunk() {
            Ok(Some(chunk)) => {
                receive(&chunk)?;
                progress.reached(chunk.base());
            }
            Ok(None) => break,
            Err(error) => {
                return Err(Failure::Input(Box::new(Diagnostic::error(file, &bytes, &error))));
            }
        }
    }
    Ok(Outcome { bytes: bytes.len() as u64, warnings: parser.warnings() })
}
