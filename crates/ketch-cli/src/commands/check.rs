//! `ketch check`: reports what is wrong with each file.

use crate::args::{CheckArgs, Format, Origin};
use crate::binary;
use crate::diagnostic::Diagnostic;
use crate::draw;
use crate::input::{self, Stream};
use crate::progress::Progress;
use crate::read::failure;
use crate::status::{Failure, Status};
use ketch_yaml::Warning;
use ketch_yaml::compose::Checker;
use ketch_yaml::schema::Schema;
use std::io::{self, Read};

/// The maximum number of problems that are reported for a file.
const PROBLEMS_MAX: usize = 100;

/// Checks all files. Continues after errors.
pub fn run(args: CheckArgs) -> Result<Status, Failure> {
    let mut status = Status::Success;
    for file in &args.files {
        let checked = input::open_yaml(&args.input, file, 0)
            .and_then(|input| check(&args, file, input.into_stream()));
        status = status.max(match checked {
            Ok(status) => status,
            Err(failure @ (Failure::Closed | Failure::Write(..))) => return Err(failure),
            Err(failure) => show_failure(&failure, args.format)?,
        });
    }
    Ok(status)
}

/// Reports the problems and warnings of one file, in the order of their locations.
fn check(args: &CheckArgs, file: &str, stream: Stream) -> Result<Status, Failure> {
    let origin = args.input.origin(file);
    let default = if origin == Origin::Json { Schema::Json } else { args.read.schema() };
    let compose = args.compose.options(args.schema.unwrap_or(default), &args.read);
    let progress = Progress::new(stream.size, true);
    let watched = Watched { stream, progress };
    let mut checker = Checker::new(watched, &args.read.options_for(origin), &compose, PROBLEMS_MAX);
    let mut status = Status::Success;
    let mut shown_warnings = 0;
    while let Some(error) = checker.next() {
        let before = |warning: &&Warning| warning.location.offset < error.offset();
        shown_warnings += show_warnings(
            args.format,
            file,
            checker.warnings()[shown_warnings..].iter().take_while(before),
        )?;
        let head = checker.get_ref().stream.head();
        status = status.max(show_failure(&failure(file, head, error), args.format)?);
        if binary::describe(head).is_some() {
            // If the file is binary, this message is the only useful one.
            return Ok(status);
        }
    }
    show_warnings(args.format, file, checker.warnings()[shown_warnings..].iter())?;
    if checker.has_more() {
        draw::to_stdout(&Diagnostic::more_problems(file, PROBLEMS_MAX), args.format)?;
    }
    Ok(status)
}

/// Prints `warnings`, and returns their number.
fn show_warnings<'w>(
    format: Format,
    file: &str,
    warnings: impl Iterator<Item = &'w Warning>,
) -> Result<usize, Failure> {
    let mut count = 0;
    for warning in warnings {
        draw::to_stdout(&Diagnostic::warning(file, warning), format)?;
        count += 1;
    }
    Ok(count)
}

/// Prints the problem that `failure` contains, and returns its status.
fn show_failure(failure: &Failure, format: Format) -> Result<Status, Failure> {
    if let Some(diagnostic) = failure.diagnostic() {
        draw::to_stdout(&diagnostic, format)?;
    }
    Ok(failure.status())
}

/// A stream that shows on the progress bar how far it has been read.
struct Watched {
    stream: Stream,
    progress: Progress,
}

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.stream.read(buffer)?;
        self.progress.reached(self.stream.read_bytes());
        Ok(count)
    }
}
