//! `ketch extprot inspect`: prints a stream as a tree with annotations.

use crate::args::InspectArgs;
use crate::extprot_diagnostic;
use crate::input::{self, Stream};
use crate::output::stdout_failed;
use crate::schema::{self, Typed};
use crate::status::{Failure, Status};
use crate::stdout;
use ketch_extprot::{InspectOptions, Limits, inspect, inspect_typed};
use std::io::{self, BufWriter, Write};

/// Prints all values up to the first corrupt one.
pub fn run(args: InspectArgs) -> Result<Status, Failure> {
    let typed = match &args.schema {
        Some(file) => match schema::open_typed(file, args.message.as_deref())? {
            Ok(typed) => Some(typed),
            Err(status) => return Ok(status),
        },
        None => None,
    };
    dissect(&args, typed.as_ref(), input::stream(&args.file)?)
}

/// Prints the values in `input` as a tree. `typed` is their schema, if one is given.
fn dissect(
    args: &InspectArgs,
    typed: Option<&Typed>,
    mut input: Stream,
) -> Result<Status, Failure> {
    let options = InspectOptions {
        string_bytes_max: usize::try_from(args.max_shown_bytes).unwrap_or(usize::MAX),
        limits: Limits { depth: args.max_depth, ..Limits::default() },
    };
    let mut out = Recording { out: BufWriter::new(stdout::lock()), error: None };
    let seen = match typed {
        Some(typed) => inspect_typed(&typed.schema, typed.message, &mut input, &mut out, &options),
        None => inspect(&mut input, &mut out, &options),
    };
    // The values must be printed before the error, even if both go to the same stream.
    let _ = out.flush();
    match (out.error, seen) {
        (Some(error), _) => Err(stdout_failed(error)),
        (None, Ok(_)) => Ok(Status::Success),
        (None, Err(error)) => Err(extprot_diagnostic::failure(&args.file, input.head(), &error)),
    }
}

/// A writer that records its error. The inspector returns errors of reading and writing, and this
/// shows which of them occurred.
struct Recording<W> {
    out: W,
    error: Option<io::Error>,
}

impl<W> Recording<W> {
    /// Records the error in `result`, if it is one, and returns an error of the same kind.
    fn record<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        result.map_err(|error| {
            let kind = error.kind();
            self.error = Some(error);
            kind.into()
        })
    }
}

impl<W: Write> Write for Recording<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let result = self.out.write(bytes);
        self.record(result)
    }

    fn flush(&mut self) -> io::Result<()> {
        let result = self.out.flush();
        self.record(result)
    }
}
