//! `ketch events`: the event notation of yaml-test-suite.

use crate::args::EventsArgs;
use crate::output::{self, stdout_failed};
use crate::progress::Progress;
use crate::read;
use crate::status::{Failure, Status};
use ketch_yaml::notation::Notation;
use std::io::Write;

/// Prints the events up to the first error.
pub fn run(args: EventsArgs) -> Result<Status, Failure> {
    let mut notation = Notation::start(output::stdout()).map_err(stdout_failed)?;
    let mut progress = Progress::new(None, false);
    let result = read::events(&args.file, &args.read.options(), &mut progress, |chunk| {
        notation.chunk(chunk).map_err(stdout_failed)
    });
    // An error comes behind the events in front of it, also where both go to the same place.
    let ended = if result.is_ok() { notation.end() } else { Ok(notation.into_inner()) };
    ended.and_then(|mut out| out.flush()).map_err(stdout_failed)?;
    result.map(|_| Status::Fine)
}
