//! `ketch convert`: YAML to JSON or events.

use crate::args::{ConvertArgs, Target};
use crate::documents::{Reading, Refusal};
use crate::output::{Output, WholeDocuments};
use crate::read;
use crate::stats::Stats;
use crate::status::{Failure, Status};
use ketch_yaml::compose::{JsonError, JsonWriter};
use ketch_yaml::notation::Notation;
use ketch_yaml::{Counter, EventKind, Receiver};
use std::io::{self, Write};
use std::time::Instant;

/// Converts all inputs, one after the other, whatever is wrong with those before.
pub fn run(args: ConvertArgs) -> Result<Status, Failure> {
    let start = Instant::now();
    let mut output = Output::open(args.output.as_deref())?;
    let mut stats = Stats::default();
    let mut status = Status::Fine;
    for file in &args.files {
        let converted = match args.to {
            Target::Json => to_json(&args, file, &mut output, &mut stats),
            Target::Events => to_events(&args, file, &mut output, &mut stats),
        };
        match converted {
            // Without anybody to write to there is no point in going on.
            Err(failure @ (Failure::Closed | Failure::Write(..))) => return Err(failure),
            Err(failure) => status = status.max(failure.tell()),
            Ok(()) => {}
        }
    }
    // Half a result never replaces a file.
    if status == Status::Fine || !output.is_file() {
        output.finish()?;
    }
    if args.stats {
        let items = match args.to {
            Target::Json => "nodes",
            Target::Events => "events",
        };
        // That nobody can see it there is no reason to fail.
        let _ = writeln!(io::stderr(), "{}", stats.line(items, start.elapsed()));
    }
    Ok(status)
}

/// A document a line, or several lines.
fn to_json(
    args: &ConvertArgs,
    file: &str,
    output: &mut Output,
    stats: &mut Stats,
) -> Result<(), Failure> {
    let is_file = output.is_file();
    let name = output.name().to_owned();
    let failed = |error| Failure::write(&name, error);
    let mut json = JsonWriter::new(&args.json_options());
    let mut whole = WholeDocuments::new(output);
    let reading = Reading {
        file,
        options: args.read.options(),
        compose: args.compose.options(&args.read),
        stdout_is_free: is_file,
    };
    let outcome = reading.each(|document| {
        match json.write(document, &mut whole) {
            Ok(()) => {}
            Err(JsonError::Document(error)) => return Err(Refusal::Document(error)),
            Err(JsonError::Io(error)) => return Err(failed(error).into()),
            Err(error) => return Err(failed(io::Error::other(error)).into()),
        }
        stats.documents += 1;
        stats.items += document.node_count() as u64;
        whole.end_document().map_err(|error| failed(error).into())
    })?;
    // Also behind an error: what was whole before it is written.
    whole.finish().map_err(failed)?;
    stats.files += 1;
    stats.bytes += outcome.bytes;
    outcome.failure.map_or(Ok(()), Err)
}

fn to_events(
    args: &ConvertArgs,
    file: &str,
    output: &mut Output,
    stats: &mut Stats,
) -> Result<(), Failure> {
    let is_file = output.is_file();
    let name = output.name().to_owned();
    let failed = |error| Failure::write(&name, error);
    let mut notation = Notation::start(output).map_err(failed)?;
    let mut counter = Counter::default();
    let outcome = read::events(file, &args.read.options(), is_file, |chunk| {
        // It cannot fail; its error type is that of receivers which can.
        let _ = counter.receive(chunk);
        notation.chunk(chunk).map_err(failed)
    })?;
    stats.documents += counter.count(EventKind::DocumentStart);
    stats.items += counter.events();
    stats.files += 1;
    stats.bytes += outcome.bytes;
    match outcome.failure {
        None => notation.end().map(|_| ()).map_err(failed),
        Some(failure) => Err(failure),
    }
}
