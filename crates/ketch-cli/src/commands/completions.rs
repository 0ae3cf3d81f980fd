//! `ketch completions`: prints completion scripts for shells.

use crate::args::{self, CompletionsArgs};
use crate::output;
use crate::status::{Failure, Status};

/// Prints the completion script for the chosen shell.
pub fn run(given: CompletionsArgs) -> Result<Status, Failure> {
    // The generator panics if a write fails, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(given.shell, &mut args::command(), "ketch", &mut script);
    output::print(|out| out.write_all(&script))?;
    Ok(Status::Success)
}
