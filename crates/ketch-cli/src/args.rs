//! The arguments of all subcommands. Help texts are the documentation: keep `docs/cli.md` in step.

mod extprot;
mod format;
mod get;
mod yaml;

pub use extprot::{
    CompatArgs, ExtprotArgs, ExtprotCommand, GenerateArgs, InspectArgs, Language, Require,
    SchemaCheckArgs, SchemaFormatArgs, StringType,
};

pub use format::FormatArgs;
pub use get::{GetArgs, Shape};
pub use yaml::YamlArgs;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use ketch::{EncodeOptions, JsonSinkOptions};
use ketch_yaml::compose::{JsonOptions, NotInJson};
use ketch_yaml::present::PresentOptions;
use ketch_yaml::schema::Schema;
use ketch_yaml::{Budget, ComposeOptions, DuplicateKeys, Level, Options};
use std::ffi::OsStr;

const EXIT_CODES: &str = "\
Exit codes:
  0  all is fine
  1  an input is wrong
  2  wrong usage
  3  a file could not be read or written
  4  what was asked for is not there";

/// Converts, checks and measures YAML; and extprot, the binary beside it.
#[derive(Debug, Parser)]
#[command(name = "ketch", version, after_help = EXIT_CODES)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    Convert(ConvertArgs),
    Events(EventsArgs),
    Check(CheckArgs),
    Get(GetArgs),
    Fmt(FormatArgs),
    Resolve(ResolveArgs),
    Bench(BenchArgs),
    Extprot(ExtprotArgs),
    Completions(CompletionsArgs),
}

/// Converts between YAML, JSON and extprot.
///
/// Several inputs are converted one after the other, to one output. What is wrong with one of them
/// goes to standard error, and the others are converted all the same.
#[derive(Debug, Args)]
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
    /// The files to read; `-` is standard input.
    #[arg(default_value = "-", value_name = "FILE")]
    pub files: Vec<String>,
    /// What to convert from.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub from: Origin,
    /// What to convert to.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub to: Target,
    /// Write to this file, which is replaced whole or, on any error, not at all.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<String>,
    /// Write into the existing file instead of replacing it. For a file with several hard links, and
    /// one whose owner, ACL or set-id bits only root can restore.
    #[arg(long, requires = "output")]
    pub write_through: bool,
    /// JSON on several lines, indented; else each document stands on one line.
    #[arg(long)]
    pub pretty: bool,
    /// What to do with `.inf` and `.nan`, which JSON has no numbers for.
    #[arg(long, value_enum, value_name = "HOW", default_value_t)]
    pub non_finite: NonFinite,
    /// What to do with tags that YAML itself does not know.
    #[arg(long, value_enum, value_name = "HOW", default_value_t)]
    pub unknown_tags: UnknownTags,
    /// Tell on standard error what was done, and how fast.
    #[arg(long)]
    pub stats: bool,
    /// The schema that plain scalars go by: failsafe, json, core, yaml11 or syck [default: core, and
    /// json for --from json]. Or a file of extprot's schema language: fields then go by their names,
    /// constructors by tags. May be given once as each.
    #[arg(long = "schema", value_name = "SCHEMA", help_heading = "Documents")]
    #[arg(value_parser = SchemaArgParser, hide_possible_values = true)]
    pub schemas: Vec<SchemaArg>,
    /// The message of the schema file that each document is [default: its only one].
    #[arg(long, value_name = "NAME", requires = "schemas", help_heading = "Documents")]
    pub message: Option<String>,
    #[command(flatten)]
    pub yaml: YamlArgs,
    #[command(flatten)]
    pub compose: ComposeArgs,
    #[command(flatten)]
    pub read: ReadArgs,
}

/// A schema of either kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SchemaArg {
    /// What plain scalars go by.
    Yaml(Schema),
    /// A file of extprot's schema language.
    File(String),
}

impl std::str::FromStr for SchemaArg {
    type Err = String;

    fn from_str(text: &str) -> Result<SchemaArg, String> {
        if let Ok(schema) = text.parse() {
            return Ok(SchemaArg::Yaml(schema));
        }
        // No schema of YAML has a dot in its name, and nearly every file has.
        if text == "-" || text.contains(['.', '/', '\\']) {
            return Ok(SchemaArg::File(text.to_owned()));
        }
        let known = Schema::ALL.map(Schema::name).join(", ");
        Err(format!("expected {known}, or a file such as ./{text} or {text}.proto"))
    }
}

/// Names the schemas of YAML for completion, but takes files, too.
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

/// What to convert from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Origin {
    /// YAML.
    #[default]
    Yaml,
    /// JSON, which is YAML; plain scalars go by the schema `json`.
    Json,
    /// extprot, a value or message after another.
    Extprot,
}

/// What to convert to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Target {
    /// JSON, a document a line; aliases are written as what they stand for.
    #[default]
    Json,
    /// YAML; comments are not kept.
    Yaml,
    /// The event notation of yaml-test-suite; each input is a stream of its own.
    Events,
    /// extprot, a value a document, nothing between them; equal values give equal bytes.
    Extprot,
}

/// What to do with `.inf` and `.nan`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum NonFinite {
    /// They are an error.
    #[default]
    Error,
    /// Write them as text.
    Text,
}

impl From<NonFinite> for NotInJson {
    fn from(how: NonFinite) -> NotInJson {
        match how {
            NonFinite::Error => NotInJson::Error,
            NonFinite::Text => NotInJson::Convert,
        }
    }
}

/// What to do with unknown tags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum UnknownTags {
    /// Write the value alone.
    #[default]
    Drop,
    /// They are an error.
    Error,
}

impl From<UnknownTags> for NotInJson {
    fn from(how: UnknownTags) -> NotInJson {
        match how {
            UnknownTags::Drop => NotInJson::Convert,
            UnknownTags::Error => NotInJson::Error,
        }
    }
}

/// Prints the events of a YAML stream in the notation of yaml-test-suite.
///
/// Events are printed up to the first error; the error then goes to standard error.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ketch events config.yaml
  echo 'a: [1, 2]' | ketch events
  ketch events --lenient legacy.yml | head")]
pub struct EventsArgs {
    /// The file to read; `-` is standard input.
    #[arg(default_value = "-")]
    pub file: String,
    #[command(flatten)]
    pub read: ReadArgs,
}

/// Tells what is wrong with each file: syntax, limits, unknown aliases, duplicate keys.
///
/// Says nothing about files that are fine. Warnings alone leave the exit code at 0.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ketch check config.yaml
  ketch check deploy/*.yaml --format json
  git show HEAD:config.yaml | ketch check -")]
pub struct CheckArgs {
    /// The files to check; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
    /// For people, or one JSON object a problem, each on its line.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: Format,
    /// The schema that plain scalars go by.
    #[arg(long, value_name = "SCHEMA", value_parser = schema_parser(), default_value = "core")]
    #[arg(help_heading = "Documents")]
    pub schema: Schema,
    #[command(flatten)]
    pub compose: ComposeArgs,
    #[command(flatten)]
    pub read: ReadArgs,
}

/// Tells what plain scalars mean: tag and value, under one schema or all side by side.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ketch resolve NO 0777 1e3
  ketch resolve --schema yaml11 12:30:45 2001-12-14
  ketch resolve --format json '~' '' -- -.inf")]
pub struct ResolveArgs {
    /// The texts, each one plain scalar; put `--` in front of those that look like options.
    #[arg(required = true, value_name = "TEXT", allow_negative_numbers = true)]
    pub texts: Vec<String>,
    /// Only this schema.
    #[arg(long, value_name = "SCHEMA", value_parser = schema_parser())]
    pub schema: Option<Schema>,
    /// A table for people, or one JSON object a text and schema, each on its line.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: Format,
}

/// Measures how fast a stage of the engine is on a file, in memory.
///
/// A first round, untimed, checks the input; every timed round has to find the same. MB are millions
/// of bytes of the file, for each stage.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ketch bench parse openapi.yaml
  ketch bench tree openapi.yaml -n 100
  ketch bench resolve values.yaml --schema yaml11 --format json")]
pub struct BenchArgs {
    /// What to measure.
    #[arg(value_enum)]
    pub stage: Stage,
    /// The file to read; `-` is standard input.
    pub file: String,
    /// How many rounds to time.
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: u32,
    /// A sentence for people, or one JSON object with the spread.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: Format,
    /// The schema that plain scalars go by.
    #[arg(long, value_name = "SCHEMA", value_parser = schema_parser(), default_value = "core")]
    #[arg(help_heading = "Documents")]
    pub schema: Schema,
    #[command(flatten)]
    pub compose: ComposeArgs,
    #[command(flatten)]
    pub read: ReadArgs,
}

/// What `ketch bench` measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Stage {
    /// Find line breaks and indicators, without events.
    Scan,
    /// Give all events to a receiver that only counts.
    Parse,
    /// Compose a document tree, in the memory of the one before.
    Tree,
    /// Parse, and resolve every plain scalar.
    Resolve,
}

impl Stage {
    /// Its word on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Scan => "scan",
            Stage::Parse => "parse",
            Stage::Tree => "tree",
            Stage::Resolve => "resolve",
        }
    }
}

/// Prints a completion script for a shell.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ketch completions bash > ~/.local/share/bash-completion/completions/ketch
  ketch completions zsh > ~/.zfunc/_ketch
  ketch completions fish > ~/.config/fish/completions/ketch.fish")]
pub struct CompletionsArgs {
    /// The shell.
    pub shell: Shell,
}

/// For whom the output is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// For programs.
    Json,
}

/// How to read: the engine's options.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Reading")]
pub struct ReadArgs {
    /// Take layouts that libyaml takes and YAML 1.2 forbids.
    #[arg(long)]
    pub lenient: bool,
    /// How deep collections may nest [default: 1024, and 16 more for each KiB of input].
    #[arg(long, value_name = "LEVELS", value_parser = parse_limit)]
    pub max_depth: Option<u64>,
    /// How many characters an implicit key may have [default: 1024].
    #[arg(long, value_name = "CHARS", value_parser = parse_limit)]
    pub max_implicit_key_chars: Option<u64>,
    /// How many bytes one scalar may have [default: 2 GiB, the most there can be].
    #[arg(long, value_name = "BYTES", value_parser = parse_limit)]
    pub max_scalar_bytes: Option<u64>,
    /// How many bytes a stream may hold in memory at once [default: 2 GiB].
    #[arg(long, value_name = "BYTES", value_parser = parse_limit)]
    pub max_buffer_bytes: Option<u64>,
    /// How many bytes the different tags of a document may have, with what `%TAG` declares in place
    /// of their handles [default: 65536, and 16384 more for each KiB of the document].
    #[arg(long, value_name = "BYTES", value_parser = parse_limit)]
    pub max_tag_bytes: Option<u64>,
    /// How many handles the `%TAG` directives of a document may declare [default: 1024].
    #[arg(long, value_name = "HANDLES", value_parser = parse_limit)]
    pub max_tag_handles: Option<u64>,
    /// The instruction set to use [default: the fastest there is].
    #[arg(long, value_name = "LEVEL", value_parser = parse_level)]
    pub simd: Option<Level>,
}

impl ReadArgs {
    /// The engine's options.
    pub fn options(&self) -> Options {
        let mut options = Options::default();
        options.lenient = self.lenient;
        let limits = &mut options.limits;
        set(&mut limits.max_depth, self.max_depth.map(Budget::fixed));
        set(&mut limits.max_implicit_key_chars, self.max_implicit_key_chars);
        set(&mut limits.max_scalar_bytes, self.max_scalar_bytes);
        set(&mut limits.max_buffer_bytes, self.max_buffer_bytes);
        set(&mut limits.max_tag_bytes, self.max_tag_bytes.map(Budget::fixed));
        set(&mut limits.max_tag_handles, self.max_tag_handles);
        set(&mut options.level, self.simd);
        options
    }
}

/// How to compose documents and give scalars their values.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Documents")]
pub struct ComposeArgs {
    /// What to do with a key that stands twice in a mapping.
    #[arg(long, value_enum, value_name = "WHICH", default_value_t)]
    pub duplicate_keys: KeyChoice,
    /// Whether `<<` merges mappings [default: on for yaml11 and syck].
    #[arg(long, value_enum, value_name = "SWITCH")]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "on")]
    pub merge: Option<Switch>,
    /// How many nodes the aliases of a document may stand for [default: 1000000, and 4096 more for
    /// each KiB of the document].
    #[arg(long, value_name = "NODES", value_parser = parse_limit)]
    pub max_alias_nodes: Option<u64>,
    /// How many nodes a document may have [default: unlimited].
    #[arg(long, value_name = "NODES", value_parser = parse_limit)]
    pub max_nodes: Option<u64>,
}

/// What to do with a key that stands twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum KeyChoice {
    /// It is an error.
    #[default]
    Error,
    /// The first one counts.
    First,
    /// The last one counts.
    Last,
}

/// On or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    On,
    Off,
}

impl ComposeArgs {
    /// The composer's options; `read` has the limits that both stages obey.
    pub fn options(&self, schema: Schema, read: &ReadArgs) -> ComposeOptions {
        let mut options = ComposeOptions::default();
        options.schema = schema;
        options.duplicate_keys = match self.duplicate_keys {
            KeyChoice::Error => DuplicateKeys::Error,
            KeyChoice::First => DuplicateKeys::First,
            KeyChoice::Last => DuplicateKeys::Last,
        };
        options.merge_keys = self.merge.map(|switch| switch == Switch::On);
        options.limits = read.options().limits;
        set(&mut options.limits.max_alias_nodes, self.max_alias_nodes.map(Budget::fixed));
        set(&mut options.limits.max_nodes, self.max_nodes.map(Budget::fixed));
        options
    }
}

impl ConvertArgs {
    /// The engine's options; the keys of JSON may have any length.
    pub fn read_options(&self) -> Options {
        let mut options = self.read.options();
        if self.from == Origin::Json && self.read.max_implicit_key_chars.is_none() {
            options.limits.max_implicit_key_chars = u64::MAX;
        }
        options
    }

    /// The composer's options.
    pub fn compose_options(&self) -> ComposeOptions {
        let default = match self.from {
            Origin::Json => Schema::Json,
            _ => Schema::Core,
        };
        let given = self.schemas.iter().rev().find_map(|schema| match schema {
            SchemaArg::Yaml(schema) => Some(*schema),
            SchemaArg::File(_) => None,
        });
        self.compose.options(given.unwrap_or(default), &self.read)
    }

    /// Whether what is converted are values, without styles and anchors.
    pub fn has_values(&self) -> bool {
        self.from == Origin::Extprot || self.schema_file().is_some()
    }

    /// The file of extprot's schema language, if there is one.
    pub fn schema_file(&self) -> Option<&str> {
        self.schemas.iter().rev().find_map(|schema| match schema {
            SchemaArg::Yaml(_) => None,
            SchemaArg::File(file) => Some(file.as_str()),
        })
    }

    /// The options of the JSON writer.
    pub fn json_options(&self) -> JsonOptions {
        let ComposeOptions { schema, merge_keys, limits, .. } = self.compose_options();
        let mut options = JsonOptions::default();
        options.schema = schema;
        options.merge_keys = merge_keys;
        options.limits = limits;
        options.pretty = self.pretty;
        options.non_finite = self.non_finite.into();
        options.unknown_tags = self.unknown_tags.into();
        options
    }

    /// The options of the JSON writer of values that come from extprot.
    pub fn json_sink_options(&self) -> JsonSinkOptions {
        let mut options = JsonSinkOptions::default();
        options.pretty = self.pretty;
        options.non_finite = self.non_finite.into();
        options.unknown_tags = self.unknown_tags.into();
        options
    }

    /// The options of the writer of YAML.
    pub fn present_options(&self) -> PresentOptions {
        self.yaml.options(self.from != Origin::Yaml || self.schema_file().is_some())
    }

    /// The options of the writer of extprot.
    pub fn encode_options(&self) -> EncodeOptions {
        let ComposeOptions { schema, merge_keys, limits, .. } = self.compose_options();
        let mut options = EncodeOptions::default();
        options.schema = schema;
        options.merge_keys = merge_keys;
        options.limits = limits;
        options
    }
}

fn set<T>(place: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *place = value;
    }
}

/// A number, or `unlimited`.
fn parse_limit(text: &str) -> Result<u64, String> {
    if text == "unlimited" {
        return Ok(u64::MAX);
    }
    text.parse().map_err(|_| "expected a number or `unlimited`".to_owned())
}

fn parse_level(text: &str) -> Result<Level, String> {
    let known: Vec<&str> = Level::available().map(Level::name).collect();
    Level::available()
        .find(|level| level.name() == text)
        .ok_or_else(|| format!("this processor has {}", known.join(", ")))
}

/// Schemas by name, listed in help and completions.
fn schema_parser() -> impl TypedValueParser<Value = Schema> {
    use clap::builder::TypedValueParser;
    let names = Schema::ALL.map(Schema::name);
    clap::builder::PossibleValuesParser::new(names).try_map(|name| name.parse::<Schema>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_subcommand_has_a_description_and_examples() {
        let cli = Cli::command();
        let extprot = cli.find_subcommand("extprot").expect("declared above");
        for command in cli.get_subcommands().chain(extprot.get_subcommands()) {
            assert!(command.get_about().is_some(), "{}", command.get_name());
            let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(after.starts_with("Examples:"), "{}", command.get_name());
        }
    }
}
