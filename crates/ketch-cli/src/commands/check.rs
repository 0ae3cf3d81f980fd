//! `ketch check`: what is wrong with each file.

use crate::args::{CheckArgs, Format};
use crate::diagnostic::Diagnostic;
use crate::draw;
use crate::output::stdout_failed;
use crate::read;
use crate::status::{Failure, Status};
use std::io::{self, Write};

/// Checks all files, whatever is wrong with those before.
pub fn run(args: CheckArgs) -> Result<Status, Failure> {
    let options = args.read.options();
    let mut status = Status::Fine;
    for file in &args.files {
        let failure = match read::events(file, &options, false, |_| Ok(())) {
            Ok(outcome) => {
                for warning in &outcome.warnings {
                    tell(&Diagnostic::warning(file, warning), args.format)?;
                }
                outcome.failure
            }
            Err(failure) => Some(failure),
        };
        if let Some(failure) = failure {
            if let Some(diagnostic) = failure.diagnostic() {
                tell(&diagnostic, args.format)?;
            }
            status = status.max(failure.status());
        }
    }
    Ok(status)
}

/// Results go to standard output, at once: checking may be slow, and whoever reads may stop it.
fn tell(diagnostic: &Diagnostic, format: Format) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    let told = match format {
        Format::Text => draw::write_to(&mut out, diagnostic),
        Format::Json => serde_json::to_writer(&mut out, diagnostic)
            .map_err(io::Error::from)
            .and_then(|()| writeln!(out)),
    };
    told.and_then(|()| out.flush()).map_err(stdout_failed)
}
