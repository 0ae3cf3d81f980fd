//! `ketch convert`: converts between YAML, JSON and extprot.

mod from_extprot;
mod from_yaml;
mod to_json;
mod to_yaml;
mod typed;
mod values;

pub use to_yaml::{Unwritten, write_merged};

use crate::args::{ConvertArgs, Origin, SchemaArg, Target};
use crate::draw;
use crate::files;
use crate::output::Output;
use crate::schema::{self, Typed};
use crate::shell;
use crate::stats::Stats;
use crate::status::{Failure, Status};
use crate::writers;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::time::Instant;

/// Converts all inputs in order. Continues after errors in an input.
pub fn run(mut args: ConvertArgs) -> Result<Status, Failure> {
    let start = Instant::now();
    args.resolve_output()?;
    let target = args.target();
    check_options(&args, target)?;
    refuse_output_as_input(&args)?;
    let schema = match args.schema_file() {
        Some(file) => match schema::open_typed(file, args.message.as_deref())? {
            Ok(schema) => Some(schema),
            Err(status) => return Ok(status),
        },
        None => None,
    };
    let mut run = Run {
        target,
        schema: schema.as_ref(),
        table: writers::Writer::new(target, &args.json_options()),
        output: Output::open(args.output.as_deref(), args.write_through)?,
        stats: Stats::default(),
    };
    let mut status = Status::Success;
    let files = files::expand(&args.files)?;
    for file in &files.names {
        let args = args.for_file(file);
        let done = run.convert(&args, file);
        match if args.origin().is_foreign() { done.map_err(Failure::of_converted) } else { done } {
            // Nobody reads the output any more, it cannot be written, or the arguments are wrong.
            Err(failure @ (Failure::Closed | Failure::Write(..) | Failure::Usage(_))) => {
                return Err(failure);
            }
            // Markdown without front matter.
            Err(Failure::Missing(_)) if files.is_group => {}
            Err(failure) => status = status.max(draw::failure(&failure)),
            Ok(()) => {}
        }
    }
    let Run { output, stats, table, .. } = run;
    finish(output, table, status)?;
    if args.stats {
        let items = match target {
            Target::Yaml if args.yaml.sort_keys || args.has_values() || args.merges() => "nodes",
            Target::Yaml | Target::Events => "events",
            _ => "nodes",
        };
        // It is not an error if standard error is closed.
        let _ = writeln!(io::stderr(), "{}", stats.line(items, start.elapsed()));
    }
    Ok(status)
}

/// Fails if options do not fit `target`, the output format, or each other.
fn check_options(args: &ConvertArgs, target: Target) -> Result<(), Failure> {
    let is_file = args.output.as_deref().is_some_and(|file| file != "-");
    if target == Target::Extprot && !is_file && io::stdout().is_terminal() {
        let message = "extprot is binary: write it to a file with `-o FILE`, or into a pipe";
        return Err(Failure::Usage(message.to_owned()));
    }
    match target {
        Target::Yaml => {}
        Target::Syck => args.yaml.refuse_all_but_sequences()?,
        _ => args.yaml.refuse()?,
    }
    if target != Target::Json {
        args.json.refuse()?;
    }
    if args.schema_file().is_none() && args.message.is_some() {
        let message = "`--message` needs an extprot schema file: add `--schema FILE`";
        return Err(Failure::Usage(message.to_owned()));
    }
    refuse_two_schemas_of_a_kind(&args.schemas)
}

/// Fails if the last of several files does not exist, but has the name of an output.
fn refuse_output_as_input(args: &ConvertArgs) -> Result<(), Failure> {
    let [first, .., last] = &args.files[..] else { return Ok(()) };
    let is_output = args.output.is_none() && Target::of_file(last).is_some();
    if !is_output || last.contains(['*', '?', '[']) || Path::new(last).exists() {
        return Ok(());
    }
    let command = shell::line(["ketch", "convert", first, "-o", last]);
    Err(Failure::Usage(format!("there is no file `{last}`; `{command}` writes one")))
}

/// The conversion of all inputs to one output.
struct Run<'s> {
    target: Target,
    schema: Option<&'s Typed>,
    table: Option<writers::Writer>,
    output: Output,
    stats: Stats,
}

impl Run<'_> {
    /// Converts `file`, whose format `args` have.
    fn convert(&mut self, args: &ConvertArgs, file: &str) -> Result<(), Failure> {
        refuse_pair(args, self.target)?;
        let (schema, output, stats) = (self.schema, &mut self.output, &mut self.stats);
        if let Some(table) = &mut self.table {
            return from_yaml::to_table(args, file, table, output.is_file(), stats);
        }
        match (args.origin(), self.target) {
            (_, Target::Syck) => from_yaml::to_syck(args, file, output, stats),
            (Origin::Extprot, _) => from_extprot::convert(args, schema, file, output, stats),
            (_, Target::Events) => from_yaml::to_events(args, file, output, stats),
            (_, Target::Json) if schema.is_none() => to_json::convert(args, file, stats, output),
            (_, Target::Yaml) if schema.is_none() => to_yaml::convert(args, file, output, stats),
            _ => from_yaml::to_values(args, schema, file, output, stats),
        }
    }
}

/// Fails if the format of the input cannot be converted to `target`.
fn refuse_pair(args: &ConvertArgs, target: Target) -> Result<(), Failure> {
    let has_values = args.has_values();
    let message = match target {
        Target::Yaml if args.yaml.sort_keys && has_values => {
            "`--sort-keys` cannot sort values from extprot: convert them to YAML first, then sort the YAML"
        }
        Target::Toml | Target::Csv | Target::Tsv if has_values => {
            "extprot cannot be converted to this format: convert it to YAML first"
        }
        Target::Events if args.origin() != Origin::Yaml => {
            "only YAML has events: convert it to YAML first"
        }
        Target::Syck if has_values => {
            "only YAML can be converted to syck: convert the values to YAML first"
        }
        _ => return Ok(()),
    };
    Err(Failure::Usage(message.to_owned()))
}

/// Writes `table`, if there is one, and ends `output`. An incomplete result never replaces a file.
fn finish(
    mut output: Output,
    table: Option<writers::Writer>,
    status: Status,
) -> Result<(), Failure> {
    if let Some(table) = table {
        let written = table.finish().and_then(|text| output.write_all(&text));
        written.map_err(|error| Failure::write(output.name(), error))?;
    }
    if status == Status::Success || !output.is_file() {
        output.finish()?;
    }
    Ok(())
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
