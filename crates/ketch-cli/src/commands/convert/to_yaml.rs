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
use ketch_yaml::present::{CollectionStyle, PresentError, Presenter, Properties};
use ketch_yaml::{Chunk, ComposeOptions, Counter, Document, Error, EventKind, Receiver};
use std::io::{self, Write};

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
    let mut conversion =
        Conversion { args, file, is_file, yaml: &mut yaml, stats, failed: &failed };
    let outcome = if args.merges() {
        conversion.merged()?
    } else if args.yaml.sort_keys {
        conversion.sorted()?
    } else {
        conversion.streamed()?
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

/// The conversion of one input.
struct Conversion<'c, 'o, F> {
    args: &'c ConvertArgs,
    file: &'c str,
    is_file: bool,
    yaml: &'c mut Presenter<&'o mut Output>,
    stats: &'c mut Stats,
    failed: &'c F,
}

impl<F: Fn(PresentError) -> Failure> Conversion<'_, '_, F> {
    /// Writes the events of the input when they are read.
    fn streamed(&mut self) -> Result<Outcome, Failure> {
        let Conversion { args, file, is_file, yaml, stats, failed } = self;
        let options = args.read_options();
        let mut counter = Counter::default();
        let receive = |chunk: &Chunk<'_, '_>| {
            // This receiver cannot fail.
            let _ = counter.receive(chunk);
            yaml.receive(chunk).map_err(&**failed)
        };
        let outcome = match args.origin() {
            Origin::Json => {
                json_events(file, &options, args.compose_options().schema, *is_file, receive)?
            }
            _ => read::events(&args.input, file, &options, *is_file, receive)?,
        };
        stats.documents += counter.count(EventKind::DocumentStart);
        stats.items += counter.events();
        Ok(outcome)
    }

    /// Writes the documents of the input with sorted keys.
    fn sorted(&mut self) -> Result<Outcome, Failure> {
        let order = self.args.yaml.key_order();
        self.each(|yaml, document| Ok(yaml.document(document, order)?))
    }

    /// Writes the documents of the input with merge keys applied, so that there are no aliases
    /// either.
    fn merged(&mut self) -> Result<Outcome, Failure> {
        let ComposeOptions { schema, limits, .. } = self.args.compose_options();
        self.each(|yaml, document| {
            let mut expand = ExpandOptions::of(document);
            (expand.schema, expand.merges, expand.limits) = (schema, true, limits);
            write_merged(yaml, document, &expand)
        })
    }

    /// Writes each document of the input with `write`.
    fn each(
        &mut self,
        mut write: impl FnMut(&mut Presenter<&mut Output>, &Document<'_>) -> Result<(), Unwritten>,
    ) -> Result<Outcome, Failure> {
        let Conversion { args, file, is_file, yaml, stats, failed } = self;
        each(args, file, *is_file, |document| {
            stats.documents += 1;
            stats.items += document.node_count() as u64;
            write(yaml, document).map_err(|error| match error {
                Unwritten::Document(error) => error.into(),
                Unwritten::Output(error) => failed(error).into(),
            })
        })
    }
}

/// Writes `document` with aliases expanded and merge keys applied, as `expand` says.
pub fn write_merged<W: Write>(
    yaml: &mut Presenter<W>,
    document: &Document<'_>,
    expand: &ExpandOptions,
) -> Result<(), Unwritten> {
    yaml.start_document(document.is_start_explicit())?;
    for visit in document.expanded_with(expand) {
        write_visit(yaml, &visit?)?;
    }
    Ok(yaml.end_document(document.is_end_explicit())?)
}

/// The reason why a document was not written.
pub enum Unwritten {
    Document(Error),
    Output(PresentError),
}

impl From<Error> for Unwritten {
    fn from(error: Error) -> Unwritten {
        Unwritten::Document(error)
    }
}

impl From<PresentError> for Unwritten {
    fn from(error: PresentError) -> Unwritten {
        Unwritten::Output(error)
    }
}

/// Writes one step of a walk through a document.
fn write_visit<W: Write>(yaml: &mut Presenter<W>, visit: &Visit<'_>) -> Result<(), PresentError> {
    let node = visit.node;
    let properties = Properties { anchor: None, tag: node.tag() };
    let style = match node.style() {
        Style::Flow => CollectionStyle::Flow,
        _ => CollectionStyle::Block,
    };
    match (visit.step, node.kind()) {
        (Step::Scalar, _) => yaml.scalar(&node.text(), node.style().into(), properties),
        (Step::Start, Kind::Mapping) => yaml.start_mapping(style, properties),
        (Step::Start, _) => yaml.start_sequence(style, properties),
        (Step::End, Kind::Mapping) => yaml.end_mapping(),
        (Step::End, _) => yaml.end_sequence(),
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
