//! The arguments of `ketch convert`.

use super::{ComposeArgs, InputArgs, JsonArgs, Origin, ReadArgs, Switch, YamlArgs};
use crate::file_name::is_json_lines;
use crate::front_matter::is_markdown;
use crate::status::Failure;
use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Args, ValueEnum};
use ketch::{EncodeOptions, JsonSinkOptions};
use ketch_yaml::compose::JsonOptions;
use ketch_yaml::present::PresentOptions;
use ketch_yaml::schema::Schema;
use ketch_yaml::{ComposeOptions, FloatKeys, Options};
use std::ffi::OsStr;

/// Convert between YAML, JSON, TOML, CSV, extprot and other formats.
///
/// Several inputs are converted in order, to one output. Errors in one of them go to standard
/// error; the others are still converted.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  ketch convert config.yaml --to json --pretty
  ketch convert *.yaml --to json -o all.jsonl --stats
  curl -s https://example.com/data.json | ketch convert --from json --to yaml
  ketch convert config.yaml --to extprot -o config.bin
  ketch convert --from extprot config.bin
  ketch convert users.yaml --schema user.proto --message user --to extprot -o users.bin
  zcat stream.yaml.gz | ketch convert --to events | grep -c =VAL")]
pub struct ConvertArgs {
    /// The files to read: names, folders, and patterns such as `'k8s/**/*.yaml'`; `-` is standard
    /// input.
    #[arg(default_value = "-", value_name = "FILE")]
    pub files: Vec<String>,
    /// The output format [default: by the extension of the output file, or json].
    #[arg(long = "to", value_enum, value_name = "FORMAT", hide_possible_values = true)]
    pub given_target: Option<Target>,
    /// Write the output to this file, which is replaced atomically, and only if there is no error.
    /// The bare name of a format, such as `yaml`, is the output format; the file is `./yaml`.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<String>,
    /// Write into the existing file instead of replacing it. This is for files that have several
    /// hard links, or an owner, ACL or set-ID bits that only root can restore.
    #[arg(long, requires = "output", hide_short_help = true)]
    pub write_through: bool,
    #[command(flatten)]
    pub json: JsonArgs,
    /// Print counts and throughput on standard error.
    #[arg(long)]
    pub stats: bool,
    /// The schema for plain scalars: failsafe, json, core, yaml11 or syck [default: core, json with
    /// --from json, or that of the dialect]. Or an extprot schema file: then, fields are matched by
    /// name, and constructors are tags. May be given once for each kind of schema.
    #[arg(long = "schema", value_name = "SCHEMA", help_heading = "Documents")]
    #[arg(value_parser = SchemaArgParser, hide_possible_values = true)]
    pub schemas: Vec<SchemaArg>,
    /// The message type of each document [default: the only one in the schema file].
    #[arg(long, value_name = "NAME", requires = "schemas", help_heading = "Documents")]
    pub message: Option<String>,
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub yaml: YamlArgs,
    #[command(flatten)]
    pub compose: ComposeArgs,
    #[command(flatten)]
    pub read: ReadArgs,
}

/// A schema for plain scalars, or an extprot schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SchemaArg {
    /// A schema for plain scalars.
    Yaml(Schema),
    /// An extprot schema file.
    File(String),
}

impl std::str::FromStr for SchemaArg {
    type Err = String;

    fn from_str(text: &str) -> Result<SchemaArg, String> {
        if let Ok(schema) = text.parse() {
            return Ok(SchemaArg::Yaml(schema));
        }
        // No name of a YAML schema contains a dot or a slash, but nearly all names of files do.
        if text == "-" || text.contains(['.', '/', '\\']) {
            return Ok(SchemaArg::File(text.to_owned()));
        }
        let known = Schema::ALL.map(Schema::name).join(", ");
        Err(format!("expected {known}, or a file such as ./{text} or {text}.proto"))
    }
}

/// Parses a [`SchemaArg`]. Shell completion offers the names of YAML's schemas, but files are
/// accepted, too.
#[derive(Clone)]
struct SchemaArgParser;

impl TypedValueParser for SchemaArgParser {
    type Value = SchemaArg;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<SchemaArg, clap::Error> {
        (|text: &str| text.parse::<SchemaArg>()).parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Schema::ALL.into_iter().map(|schema| PossibleValue::new(schema.name()))))
    }
}

/// The output format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Target {
    /// JSON, one document per line; aliases are expanded. In `.jsonl`, a list is one line per item.
    #[default]
    Json,
    /// YAML, without comments.
    #[value(alias = "yml")]
    Yaml,
    /// TOML, one document.
    Toml,
    /// Comma-separated values: rows that are mappings or sequences.
    Csv,
    /// Tab-separated values.
    Tsv,
    /// YAML as Syck wrote it, for readers of its dialect.
    Syck,
    /// The event notation of yaml-test-suite, one stream per input.
    Events,
    /// extprot, one value per document, with nothing between them. Equal values give equal bytes.
    Extprot,
}

impl Target {
    /// Returns the format that the name of the output file says, or `None` if it says none.
    pub fn of_file(file: &str) -> Option<Target> {
        Some(match Origin::of_name(file)? {
            Origin::Yaml => Target::Yaml,
            Origin::Json => Target::Json,
            Origin::Toml => Target::Toml,
            Origin::Csv => Target::Csv,
            Origin::Tsv => Target::Tsv,
            _ => return None,
        })
    }
}

/// Returns the title of the format that the name `file` says, if that cannot be written.
fn only_read(file: &str) -> Option<&'static str> {
    let is_read =
        |origin: &Origin| matches!(origin, Origin::Properties | Origin::Env | Origin::Xml);
    match is_markdown(file) {
        true => Some("Markdown"),
        false => Origin::of_name(file).filter(is_read).map(Origin::title),
    }
}

impl ConvertArgs {
    /// Returns the format of the current input, which [`ConvertArgs::for_file`] sets.
    pub fn origin(&self) -> Origin {
        self.input.from.unwrap_or_default()
    }

    /// Returns the output format.
    pub fn target(&self) -> Target {
        let named = || self.output.as_deref().and_then(Target::of_file);
        self.given_target.or_else(named).unwrap_or_default()
    }

    /// Moves the bare name of a format, given as the output file, to where it belongs. Fails if
    /// another format is given, or if the file has the name of a format that is only read.
    pub fn resolve_output(&mut self) -> Result<(), Failure> {
        let output = self.output.as_deref().filter(|_| self.given_target.is_none());
        if let Some((file, title)) = output.and_then(|file| Some((file, only_read(file)?))) {
            let message = format!(
                "the format of `{file}`, {title}, is read, but not written: name a file of YAML, \
                 JSON, TOML, CSV or TSV, or add `--to json` for JSON in this file"
            );
            return Err(Failure::Usage(message));
        }
        let named = |name: &String| <Target as ValueEnum>::from_str(name, false).ok();
        let Some(target) = self.output.as_ref().and_then(named) else { return Ok(()) };
        if self.given_target.is_some_and(|given| given != target) {
            let name = self.output.as_deref().unwrap_or_default();
            let message =
                format!("`-o {name}` and `--to` name two formats; the file is `./{name}`");
            return Err(Failure::Usage(message));
        }
        if self.write_through {
            return Err(Failure::Usage("`--write-through` needs an output file".to_owned()));
        }
        (self.given_target, self.output) = (Some(target), None);
        Ok(())
    }

    /// Returns the arguments for `file`, whose format its name may give.
    pub fn for_file(&self, file: &str) -> ConvertArgs {
        let mut args = self.clone();
        args.input.front_matter |= self.input.takes_front_matter(file);
        args.input.from = self.input.known_origin(file);
        args.input.is_failsafe = self.compose_options().schema == Schema::Failsafe;
        if self.target() == Target::Events {
            args.input.from.get_or_insert_default();
        }
        args
    }

    /// Returns the options of the parser. If the input is JSON, keys may have any length by
    /// default.
    pub fn read_options(&self) -> Options {
        self.read.options_for(self.origin())
    }

    /// Returns the options of the composer.
    pub fn compose_options(&self) -> ComposeOptions {
        let default = self.read.schema_for(self.origin());
        let given = self.schemas.iter().find_map(|schema| match schema {
            SchemaArg::Yaml(schema) => Some(*schema),
            SchemaArg::File(_) => None,
        });
        let mut options = self.compose.options(given.unwrap_or(default), &self.read);
        if self.target() == Target::Extprot {
            options.float_keys = FloatKeys::Finite;
        }
        options
    }

    /// Returns whether YAML is written with merge keys applied, because an option says so.
    pub fn merges(&self) -> bool {
        self.compose.merge == Some(Switch::On) && !self.has_values()
    }

    /// Returns whether the input is converted by way of values, which have no styles or anchors.
    pub fn has_values(&self) -> bool {
        self.origin() == Origin::Extprot || self.schema_file().is_some()
    }

    /// Returns the extprot schema file, if one is given.
    pub fn schema_file(&self) -> Option<&str> {
        self.schemas.iter().find_map(|schema| match schema {
            SchemaArg::Yaml(_) => None,
            SchemaArg::File(file) => Some(file.as_str()),
        })
    }

    /// Returns the options of the JSON writer.
    pub fn json_options(&self) -> JsonOptions {
        let mut options = self.json.options(&self.compose_options());
        options.lines = self.output.as_deref().is_some_and(is_json_lines);
        options
    }

    /// Returns the options for writing values from extprot as JSON.
    pub fn json_sink_options(&self) -> JsonSinkOptions {
        let mut options = JsonSinkOptions::default();
        options.pretty = self.json.pretty;
        options.non_finite = self.json.non_finite.into();
        options.unknown_tags = self.json.unknown_tags().into();
        options
    }

    /// Returns the options of the YAML writer.
    pub fn present_options(&self) -> PresentOptions {
        let is_foreign = self.origin() != Origin::Yaml || self.schema_file().is_some();
        self.yaml.options(is_foreign, self.compose_options().schema)
    }

    /// Returns the options of the extprot writer.
    pub fn encode_options(&self) -> EncodeOptions {
        let ComposeOptions { schema, merge_keys, limits, .. } = self.compose_options();
        let mut options = EncodeOptions::default();
        options.schema = schema;
        options.merge_keys = merge_keys;
        options.limits = limits;
        options
    }
}
