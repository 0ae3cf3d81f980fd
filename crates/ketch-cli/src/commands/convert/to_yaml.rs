//! Converts YAML and JSON to YAML. Events are written as text without a tree, unless keys are
//! sorted.

use super::from_yaml::each;
use crate::args::{ConvertArgs, Origin};
use crate::json_events::json_events;
use crate::output::Output;
use crate::read::{self, Outcome};
use crate::stats::Stats;
use crate::status::Failure;
use ketch_yaml::present::{PresentError, Presenter};
use ketch_yaml::{Chunk, Counter, EventKind, Receiver};
use std::io;

/// Writes the documents of one input after those of the previous inputs.
pub fn convert(
    args: &ConvertArgs,
    file: &str,
    output: &mut Output,
    stats: &mut Stats,
) -> Result<(), Failure> {
    let (is_file, name) = (output.is_file(), output.name().to_owned());
    let failed = |error| failure(&name, error);
    let mut yaml = Presenter::with_options(output, &args.present_options());
    if stats.documents > 0 {
        yaml.continue_stream();
    }
    let outcome = if args.yaml.sort_keys {
        sorted(args, file, is_file, &mut yaml, stats, &failed)?
    } else {
        streamed(args, file, is_file, &mut yaml, stats, &failed)?
    };
    stats.files += 1;
    stats.bytes += outcome.bytes;
    match outcome.failure {
        None => yaml.finish().map(drop).map_err(failed),
        Some(failure) => {
            // The complete documents before the error are written.
            yaml.into_whole().map_err(failed)?;
            Err(failure)
        }
    }
}

/// Writes the events of one input when they are read.
fn streamed(
    args: &ConvertArgs,
    file: &str,
    is_file: bool,
    yaml: &mut Presenter<&mut Output>,
    stats: &mut Stats,
    failed: &impl Fn(PresentError) -> Failure,
) -> Result<Outcome, Failure> {
    let options = args.read_options();
    let mut counter = Counter::default();
    let receive = |chunk: &Chunk<'_, '_>| {
        // This receiver cannot fail.
        let _ = counter.receive(chunk);
        yaml.receive(chunk).map_err(failed)
    };
    let outcome = match args.from {
        Origin::Json => {
            json_events(file, &options, args.compose_options().schema, is_file, receive)?
        }
        _ => read::events(file, &options, is_file, receive)?,
    };
    stats.documents += counter.count(EventKind::DocumentStart);
    stats.items += counter.events();
    Ok(outcome)
}

/// Writes the documents of one input with sorted keys.
fn sorted(
    args: &ConvertArgs,
    file: &str,
    is_file: bool,
    yaml: &mut Presenter<&mut Output>,
    stats: &mut Stats,
    failed: &impl Fn(PresentError) -> Failure,
) -> Result<Outcome, Failure> {
    each(args, file, is_file, |document| {
        stats.documents += 1;
        stats.items += document.node_count() as u64;
        yaml.document(document, args.yaml.key_order()).map_err(|error| failed(error).into())
    })
}

/// Returns the failure for the output `name`, which could not be written.
fn failure(name: &str, error: PresentError) -> Failure {
    Failure::write(
        name,
        match error {
            PresentError::Write(error) => error,
            other => io::Error::other(other),
        },
    )
}
