//! Converts YAML and JSON to other formats than JSON.

use super::typed::TypedValue;
use super::values::{Refused, Values};
use crate::args::{ConvertArgs, DialectChoice, Origin};
use crate::documents::{Composed, Reading, Receive, Refusal};
use crate::dropped_tags::DroppedTags;
use crate::merge_keys::MergeKeys;
use crate::output::Output;
use crate::read::{self, Outcome};
use crate::schema::Typed;
use crate::stats::Stats;
use crate::status::Failure;
use crate::writers;
use ketch::typed::TypedReader;
use ketch::{Encoder, ErrorLocation};
use ketch_syck::SyckEmitter;
use ketch_yaml::notation::Notation;
use ketch_yaml::present::PresentError;
use ketch_yaml::{Counter, Document, EventKind, Receiver};
use std::io::{self, Write};

/// Adds each document of one input to `table`, which is written at the end.
pub fn to_table(
    args: &ConvertArgs,
    file: &str,
    table: &mut writers::Writer,
    is_file: bool,
    stats: &mut Stats,
) -> Result<(), Failure> {
    let mut merge_keys = merge_keys(args);
    let mut tags = dropped_tags(args, false);
    let outcome = each(args, file, is_file, |document| {
        merge_keys.look(file, document.root());
        tags.look(file, document.root());
        stats.documents += 1;
        stats.items += document.node_count() as u64;
        table.document(file, document.root())
    })?;
    stats.files += 1;
    stats.bytes += outcome.bytes;
    outcome.failure.map_or(Ok(()), Err)
}

/// Returns the search for `<<` in one input that is written as a key.
pub fn merge_keys(args: &ConvertArgs) -> MergeKeys {
    let is_foreign = args.origin() != Origin::Yaml;
    let is_given = args.compose.merge.is_some() || args.compose_options().merges();
    MergeKeys::new(is_foreign || is_given)
}

/// Returns the search for tags in one input that are not written. In Syck's dialect, tags are types of
/// Ruby.
pub fn dropped_tags(args: &ConvertArgs, is_json: bool) -> DroppedTags {
    let is_syck = args.read.dialect == DialectChoice::Syck;
    DroppedTags::new(is_syck, is_json, args.json.unknown_tags)
}

/// Writes the values of each document of one input as Syck wrote them.
pub fn to_syck(
    args: &ConvertArgs,
    file: &str,
    output: &mut Output,
    stats: &mut Stats,
) -> Result<(), Failure> {
    let is_file = output.is_file();
    let name = output.name().to_owned();
    let failed = |error| Failure::write(&name, error);
    let mut syck = SyckEmitter::new(args.yaml.sequences.unwrap_or_default().into());
    let schema = args.compose_options().schema;
    let outcome = each(args, file, is_file, |document| {
        match syck.document(document, schema) {
            Ok(()) => {}
            Err(PresentError::Read(error)) => return Err(Refusal::Document(error)),
            Err(error) => return Err(failed(io::Error::other(error)).into()),
        }
        stats.documents += 1;
        stats.items += document.node_count() as u64;
        output.write_all(&syck.take()).map_err(|error| failed(error).into())
    })?;
    stats.files += 1;
    stats.bytes += outcome.bytes;
    outcome.failure.map_or(Ok(()), Err)
}

/// Writes the events of one input as a stream in the notation of yaml-test-suite.
pub fn to_events(
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
    let outcome = read::events(&args.input, file, &args.read.options(), is_file, |chunk| {
        // This receiver cannot fail.
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

/// Converts each document of one input to a value. Without a schema, the value is written as
/// extprot. With a schema, it is written in the format that the arguments choose.
pub fn to_values(
    args: &ConvertArgs,
    schema: Option<&Typed>,
    file: &str,
    output: &mut Output,
    stats: &mut Stats,
) -> Result<(), Failure> {
    let is_file = output.is_file();
    let name = output.name().to_owned();
    let options = args.encode_options();
    let reader = schema.map(|typed| TypedReader::new(&typed.schema, typed.message, &options));
    let mut encoder = Encoder::new(&options);
    let mut values = Values::new(args, output, stats.documents > 0);
    let outcome = each(args, file, is_file, |document| {
        stats.items += document.node_count() as u64;
        stats.documents += 1;
        let written = match (&reader, schema) {
            (Some(reader), Some(typed)) => {
                let value = reader.read(document).map_err(Refusal::Conversion)?;
                let place = ErrorLocation::Text(document.root().location());
                values.write(&mut TypedValue { typed, value, place })
            }
            _ => {
                let bytes = encoder.encode(document).map_err(Refusal::Conversion)?;
                values.write_bytes(bytes).map_err(Refused::Write)
            }
        };
        written.map_err(|refused| match refused {
            Refused::Value(error) => Refusal::Conversion(error),
            Refused::Write(error) => Failure::write(&name, error).into(),
        })
    })?;
    // The complete documents are written, even after an error.
    values.finish().map_err(|error| Failure::write(&name, error))?;
    stats.files += 1;
    stats.bytes += outcome.bytes;
    outcome.failure.map_or(Ok(()), Err)
}

/// Passes the documents of `file` to `receive`, one at a time, up to the first error.
/// `stdout_is_free` says that the output does not go to standard output, so that progress can be
/// shown.
pub fn each(
    args: &ConvertArgs,
    file: &str,
    stdout_is_free: bool,
    receive: impl FnMut(&Document<'_>) -> Result<(), Refusal>,
) -> Result<Outcome, Failure> {
    each_received(args, file, stdout_is_free, &mut Composed(receive))
}

/// Does what [`each`] does, for a receiver that may not need composed documents.
pub fn each_received(
    args: &ConvertArgs,
    file: &str,
    stdout_is_free: bool,
    receive: &mut impl Receive,
) -> Result<Outcome, Failure> {
    let options = args.read_options();
    let inputs = &args.input;
    let reading =
        Reading { file, inputs, options, compose: args.compose_options(), stdout_is_free };
    match args.origin() {
        Origin::Json => reading.each_json(receive),
        _ => reading.each(receive),
    }
}
