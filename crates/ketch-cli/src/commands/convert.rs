//! `ketch convert`: converts between YAML, JSON and extprot.

mod from_extprot;
mod from_yaml;
mod to_yaml;
mod typed;
mod values;

use crate::args::{ConvertArgs, NonFinite, Origin, SchemaArg, Target, UnknownTags};
use crate::draw;
use crate::output::Output;
use crate::schema;
use crate::stats::Stats;
use crate::status::{Failure, Status};
use std::io::{self, IsTerminal, Write};
use std::time::Instant;

/// Converts all inputs in order. Continues after errors in an input.
pub fn run(args: ConvertArgs) -> Result<Status, Failure> {
    let start = Instant::now();
    let is_file = args.output.as_deref().is_some_and(|file| file != "-");
    if args.to == Target::Extprot && !is_file && io::stdout().is_terminal() {
        let message = "extprot is binary: write it to a file with `-o FILE`, or into a pipe";
        return Err(Failure::Usage(message.to_owned()));
    }
    if args.to == Target::Yaml && args.yaml.sort_keys && args.has_values() {
        let message = "`--sort-keys` cannot sort values from JSON or extprot: convert them to YAML first, then sort the YAML";
        return Err(Failure::Usage(message.to_owned()));
    }
    match args.to {
        Target::Yaml => {}
        Target::Syck => args.yaml.refuse_all_but_sequences()?,
        _ => args.yaml.refuse()?,
    }
    if args.to != Target::Json {
        refuse_for_json(args.pretty, args.non_finite, args.unknown_tags)?;
    }
    refuse_two_schemas_of_a_kind(&args.schemas)?;
    let schema = match args.schema_file() {
        Some(file) => match schema::open_typed(file, args.message.as_deref())? {
            Ok(schema) => Some(schema),
            Err(status) => return Ok(status),
        },
        None if args.message.is_some() => {
            let message = "`--message` needs an extprot schema file: add `--schema FILE`";
            return Err(Failure::Usage(message.to_owned()));
        }
        None => None,
    };
    let schema = schema.as_ref();
    let mut output = Output::open(args.output.as_deref(), args.write_through)?;
    let mut stats = Stats::default();
    let mut status = Status::Success;
    for file in &args.files {
        let (output, stats) = (&mut output, &mut stats);
        let converted = match (args.from, args.to) {
            (Origin::Json | Origin::Extprot, Target::Events) => {
                let message = "only YAML has events: convert it to YAML first";
                return Err(Failure::Usage(message.to_owned()));
            }
            (_, Target::Syck) if args.has_values() => {
                let message =
                    "only YAML can be converted to syck: convert the values to YAML first";
                return Err(Failure::Usage(message.to_owned()));
            }
            (_, Target::Syck) => from_yaml::to_syck(&args, file, output, stats),
            (Origin::Extprot, _) => from_extprot::convert(&args, schema, file, output, stats),
            (_, Target::Events) => from_yaml::to_events(&args, file, output, stats),
            (_, Target::Json) if schema.is_none() => from_yaml::to_json(&args, file, output, stats),
            (_, Target::Yaml) if schema.is_none() => to_yaml::convert(&args, file, output, stats),
            _ => from_yaml::to_values(&args, schema, file, output, stats),
        };
        match converted {
            // Nobody reads the output any more, it cannot be written, or the arguments are wrong.
            Err(failure @ (Failure::Closed | Failure::Write(..) | Failure::Usage(_))) => {
                return Err(failure);
            }
            Err(failure) => status = status.max(draw::failure(&failure)),
            Ok(()) => {}
        }
    }
    // An incomplete result never replaces a file.
    if status == Status::Success || !output.is_file() {
        output.finish()?;
    }
    if args.stats {
        let items = match args.to {
            Target::Json | Target::Extprot | Target::Syck => "nodes",
            Target::Yaml if args.yaml.sort_keys || args.has_values() => "nodes",
            Target::Yaml | Target::Events => "events",
        };
        // It is not an error if standard error is closed.
        let _ = writeln!(io::stderr(), "{}", stats.line(items, start.elapsed()));
    }
    Ok(status)
}

/// Fails if `schemas` has several schemas for plain scalars or several extprot schemas. One schema
/// of each kind may be given.
fn refuse_two_schemas_of_a_kind(schemas: &[SchemaArg]) -> Result<(), Failure> {
    let files = schemas.iter().filter(|schema| matches!(schema, SchemaArg::File(_))).count();
    if files <= 1 && schemas.len() - files <= 1 {
        return Ok(());
    }
    let message = "`--schema` takes one YAML schema and one extprot file, not two of a kind";
    Err(Failure::Usage(message.to_owned()))
}

/// Fails if an option for JSON is given. This is for outputs that are not JSON.
pub fn refuse_for_json(
    pretty: bool,
    non_finite: NonFinite,
    unknown_tags: UnknownTags,
) -> Result<(), Failure> {
    let given = [
        ("pretty", pretty),
        ("non-finite", non_finite != NonFinite::default()),
        ("unknown-tags", unknown_tags != UnknownTags::default()),
    ];
    match given.into_iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((name, _)) => {
            let message = format!("`--{name}` is only for JSON: add `--to json`, or leave it out");
            Err(Failure::Usage(message))
        }
    }
}
