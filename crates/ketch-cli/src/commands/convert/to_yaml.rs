//! Converts YAML and JSON to YAML. Events are written as text without a tree, unless keys are
//! sorted.

use super::from_yaml::each;
use crate::args::{ConvertArgs, Origin};
use crate::json_events::json_events;
use crate::output::Output;
use crate::read::{self, Outcome};
use crate::stats::Stats;
use crate::status::Failure;
use ketch_yaml::compose::{ExpandOptions, Kind, Step, Style, Visit};
use ketch_yaml::present::{CollectionStyle, PresentError, Presenter, Properties, ScalarStyle};
use ketch_yaml::{Chunk, ComposeOptions, Counter, EventKind, Receiver};
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
    let outcome = if args.merges() {
        merged(args, file, is_file, &mut yaml, stats, &failed)?
    } else if args.yaml.sort_keys {
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
    let outcome = match args.origin() {
        Origin::Json => {
            json_events(file, &options, args.compose_options().schema, is_file, receive)?
        }
        _ => read::events(&args.input, file, &options, is_file, receive)?,
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

/// Writes the documents of one input with merge keys applied, so that there are no aliases either.
fn merged(
    args: &ConvertArgs,
    file: &str,
    is_file: bool,
    yaml: &mut Presenter<&mut Output>,
    stats: &mut Stats,
    failed: &impl Fn(PresentError) -> Failure,
) -> Result<Outcome, Failure> {
    let ComposeOptions { schema, limits, .. } = args.compose_options();
    each(args, file, is_file, |document| {
        stats.documents += 1;
        stats.items += document.node_count() as u64;
        let mut expand = ExpandOptions::of(document);
        (expand.schema, expand.merges, expand.limits) = (schema, true, limits);
        let written = |result: Result<(), PresentError>| result.map_err(failed);
        written(yaml.start_document(document.is_start_explicit()))?;
        for visit in document.expanded_with(&expand) {
            written(write_visit(yaml, &visit?))?;
        }
        Ok(written(yaml.end_document(document.is_end_explicit()))?)
    })
}

/// Writes one step of a walk through a document.
fn write_visit(yaml: &mut Presenter<&mut Output>, visit: &Visit<'_>) -> Result<(), PresentError> {
    let node = visit.node;
    let properties = Properties { anchor: None, tag: node.tag() };
    let style = match node.style() {
        Style::Flow => CollectionStyle::Flow,
        _ => CollectionStyle::Block,
    };
    match (visit.step, node.kind()) {
        (Step::Scalar, _) => yaml.scalar(&node.text(), scalar_style(node.style()), properties),
        (Step::Start, Kind::Mapping) => yaml.start_mapping(style, properties),
        (Step::Start, _) => yaml.start_sequence(style, properties),
        (Step::End, Kind::Mapping) => yaml.end_mapping(),
        (Step::End, _) => yaml.end_sequence(),
    }
}

/// Returns the style to request for a scalar that was written in `style`.
fn scalar_style(style: Style) -> ScalarStyle {
    match style {
        Style::SingleQuoted => ScalarStyle::SingleQuoted,
        Style::DoubleQuoted => ScalarStyle::DoubleQuoted,
        Style::Literal => ScalarStyle::Literal,
        Style::Folded => ScalarStyle::Folded,
        _ => ScalarStyle::Plain,
    }
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
