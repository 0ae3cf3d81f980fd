//! `ketch bench`: measures the speed of one stage on a file in memory.

mod measured;
mod scan;
mod stages;

use crate::args::{BenchArgs, Format};
use crate::input;
use crate::output;
use crate::status::{Failure, Status};

/// Reads the file, measures the stage, and prints the result.
pub fn run(args: BenchArgs) -> Result<Status, Failure> {
    let text = input::read(&args.file)?;
    let mut measured = stages::measure(&args, &text)?;
    measured.sort();
    output::print(|out| match args.format {
        Format::Text => writeln!(out, "{}", measured.in_words(&args, text.len())),
        Format::Json => writeln!(out, "{}", measured.as_json(&args, text.len())?),
    })?;
    Ok(Status::Success)
}
