//! `ketch events`: prints events in the notation of yaml-test-suite.

use crate::args::{EventsArgs, InputArgs, Origin};
use crate::file_name;
use crate::formats;
use crate::output::stdout_failed;
use crate::read;
use crate::status::{Failure, Status};
use crate::stdout;
use ketch_yaml::notation::Notation;
use std::io::Write;

/// Prints the events of the input up to the first error.
pub fn run(args: EventsArgs) -> Result<Status, Failure> {
    let is_json_lines = file_name::is_json_lines(&args.file);
    if !is_json_lines {
        formats::refuse_others("`events` reads", &args.file)?;
    }
    let mut notation = Notation::start(stdout::lock()).map_err(stdout_failed)?;
    let markdown = InputArgs::default().takes_front_matter(&args.file);
    let front_matter = args.front_matter || markdown;
    let origin = if is_json_lines { Origin::Json } else { Origin::Yaml };
    let inputs = InputArgs { from: Some(origin), front_matter, ..InputArgs::default() };
    let outcome =
        read::events(&inputs, &args.file, &args.read.options_for(origin), false, |chunk| {
            notation.chunk(chunk).map_err(stdout_failed)
        })?;
    // The events must be printed before the error, even if both go to the same stream.
    let ended = if outcome.failure.is_none() { notation.end() } else { Ok(notation.into_inner()) };
    ended.and_then(|mut out| out.flush()).map_err(stdout_failed)?;
    outcome.failure.map_or(Ok(Status::Success), Err)
}
