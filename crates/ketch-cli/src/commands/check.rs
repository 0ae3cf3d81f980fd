//! `ketch check`: what is wrong with each file.

use crate::args::{CheckArgs, Format};
use crate::diagnostic::Diagnostic;
use crate::documents::{self, Refusal};
use crate::draw;
use crate::output::stdout_failed;
use crate::status::{Failure, Status};
use ketch_yaml::Error;
use ketch_yaml::compose::{Document, Kind};
use ketch_yaml::schema::Schema;
use std::io::{self, Write};

/// Checks all files, whatever is wrong with those before.
pub fn run(args: CheckArgs) -> Result<Status, Failure> {
    let (options, compose) = (args.read.options(), args.compose.options(&args.read));
    let mut status = Status::Fine;
    for file in &args.files {
        let checked = documents::each(file, &options, &compose, false, |document| {
            tagged_scalars(document, compose.schema).map_err(Refusal::Document)
        });
        let failure = match checked {
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

/// That every scalar with a tag has a value of that tag.
fn tagged_scalars(document: &Document<'_>, schema: Schema) -> Result<(), Error> {
    let tagged = document.nodes().filter(|node| node.tag().is_some());
    for node in tagged.filter(|node| node.kind() == Kind::Scalar) {
        node.scalar(schema)?;
    }
    Ok(())
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
