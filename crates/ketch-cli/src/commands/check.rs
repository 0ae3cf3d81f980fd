//! `ketch check`: what is wrong with each file.

mod resume;

use crate::args::{CheckArgs, Format};
use crate::diagnostic::Diagnostic;
use crate::documents::{Reading, Refusal};
use crate::draw;
use crate::input::{self, Input};
use crate::position::Position;
use crate::read::Outcome;
use crate::status::{Failure, Status};
use ketch_yaml::Error;
use ketch_yaml::compose::{Document, Kind};
use ketch_yaml::schema::Schema;

/// Checks all files, whatever is wrong with those before.
pub fn run(args: CheckArgs) -> Result<Status, Failure> {
    let mut status = Status::Fine;
    for file in &args.files {
        let reading = Reading {
            file,
            options: args.read.options(),
            compose: args.compose.options(args.schema, &args.read),
            stdout_is_free: true,
        };
        let checked = match input::open(file) {
            Ok(Input::Whole(text)) => check_text(&reading, &text, args.format),
            Ok(Input::Stream(stream)) => reading
                .each_in_stream(stream, |document| check_document(&reading, document))
                .and_then(|outcome| tell_outcome(file, &outcome, Position::default(), args.format)),
            Err(failure) => Err(failure),
        };
        status = status.max(match checked {
            Ok(status) => status,
            Err(failure @ (Failure::Closed | Failure::Write(..))) => return Err(failure),
            Err(failure) => tell_failure(&failure, Position::default(), args.format)?,
        });
    }
    Ok(status)
}

/// Checks a text that is wholly at hand: behind an error, it goes on with the next document.
fn check_text(reading: &Reading<'_>, text: &[u8], format: Format) -> Result<Status, Failure> {
    let mut status = Status::Fine;
    let mut position = Position::default();
    loop {
        let rest = &text[position.offset..];
        let outcome = reading.each_in_text(rest, |document| check_document(reading, document))?;
        status = status.max(tell_outcome(reading.file, &outcome, position, format)?);
        let Some(Failure::Input(diagnostic)) = outcome.failure else { return Ok(status) };
        match diagnostic.place.and_then(|place| resume::next_document(position, text, place.offset))
        {
            Some(next) => position = next,
            None => return Ok(status),
        }
    }
}

/// That every scalar with a tag has a value of that tag.
fn check_document(reading: &Reading<'_>, document: &Document<'_>) -> Result<(), Refusal> {
    check_tags(document, reading.compose.schema).map_err(Refusal::Document)
}

fn check_tags(document: &Document<'_>, schema: Schema) -> Result<(), Error> {
    let tagged = document.nodes().filter(|node| node.tag().is_some());
    for node in tagged.filter(|node| node.kind() == Kind::Scalar) {
        node.scalar(schema)?;
    }
    Ok(())
}

fn tell_outcome(
    file: &str,
    outcome: &Outcome,
    position: Position,
    format: Format,
) -> Result<Status, Failure> {
    for warning in &outcome.warnings {
        draw::tell(&position.seen_from_start(Diagnostic::warning(file, warning)), format)?;
    }
    match &outcome.failure {
        Some(failure) => tell_failure(failure, position, format),
        None => Ok(Status::Fine),
    }
}

fn tell_failure(failure: &Failure, position: Position, format: Format) -> Result<Status, Failure> {
    if let Some(diagnostic) = failure.diagnostic() {
        draw::tell(&position.seen_from_start(diagnostic), format)?;
    }
    Ok(failure.status())
}
