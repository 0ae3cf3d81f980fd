//! The arguments of all subcommands. Keep `docs/cli.md` consistent with the help texts.

mod convert;
mod edit;
mod extprot;
mod format;
mod get;
mod help;
mod input;
mod json;
mod query;
mod regex;
mod stream;
mod yaml;

pub use extprot::{
    CompatArgs, ExtprotArgs, ExtprotCommand, GenerateArgs, InspectArgs, Language, Require,
    SchemaCheckArgs, SchemaFormatArgs, StringType,
};

pub use convert::{ConvertArgs, SchemaArg, Target};
pub use edit::{
    AppendArgs, CommentArgs, DelArgs, EditArgs, InsertArgs, MergeArgs, MoveArgs, PatchArgs,
    PlaceArgs, RenameArgs, SetArgs, SortArgs, ValueArgs, WriteArgs,
};
pub use format::FormatArgs;
pub use get::{GetArgs, Shape};
pub use help::{TOPICS, command, page};
pub use input::{InputArgs, Origin};
pub use json::{JsonArgs, UnknownTags};
pub use query::{Given, QueryArgs, QueryNonFinite, QueryOutput, QueryWords, Results};
pub use regex::{
    ExplainArgs, GrokArgs, LinesArgs, MatchArgs, RegexArgs, RegexCheckArgs, RegexCommand,
};
pub use stream::{CollectArgs, SplitArgs};
pub use yaml::YamlArgs;

use clap::builder::TypedValueParser;
use clap::{Args, FromArgMatches, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use ketch_yaml::schema::Schema;
use ketch_yaml::{Budget, ComposeOptions, Dialect, DuplicateKeys, Level, Options};
use std::ffi::OsString;

const EXIT_CODES: &str = "\
Exit codes:
  0  success
  1  invalid input
  2  wrong usage
  3  a file could not be read or written
  4  nothing found
  5  out of memory

`ketch help paths`, `ketch help formats` and `ketch help limits` are pages of their own.";

/// Read, check, edit, format and convert YAML and other formats.
#[derive(Debug, Parser)]
#[command(name = "ketch", version, after_help = EXIT_CODES, disable_help_subcommand = true)]
pub struct Cli {
    #[command(flatten)]
    pub global: GlobalArgs,
    #[command(subcommand)]
    pub command: Command,
}

/// The options of all subcommands.
#[derive(Debug, Args)]
pub struct GlobalArgs {
    /// When to use colors: on a terminal, always or never.
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t)]
    #[arg(hide_possible_values = true, hide_default_value = true, hide_short_help = true)]
    pub color: When,
    /// Print only results: no messages, no summaries and no progress. The exit code says the rest.
    #[arg(short, long, global = true, hide_short_help = true)]
    pub quiet: bool,
}

/// Adds the arguments of a subcommand.
type Augment = fn(clap::Command) -> clap::Command;

/// The subcommands that start quickly, because the arguments of the others are not built.
const QUICK: [(&str, Augment); 23] = [
    ("convert", ConvertArgs::augment_args),
    ("events", EventsArgs::augment_args),
    ("check", CheckArgs::augment_args),
    ("get", GetArgs::augment_args),
    ("q", QueryArgs::augment_args),
    ("set", SetArgs::augment_args),
    ("del", DelArgs::augment_args),
    ("append", AppendArgs::augment_args),
    ("insert", InsertArgs::augment_args),
    ("rename", RenameArgs::augment_args),
    ("move", MoveArgs::augment_args),
    ("merge", MergeArgs::augment_args),
    ("sort", SortArgs::augment_args),
    ("comment", CommentArgs::augment_args),
    ("patch", PatchArgs::augment_args),
    ("split", SplitArgs::augment_args),
    ("collect", CollectArgs::augment_args),
    ("fmt", FormatArgs::augment_args),
    ("resolve", ResolveArgs::augment_args),
    ("match", MatchArgs::augment_args),
    ("lines", LinesArgs::augment_args),
    ("grok", GrokArgs::augment_args),
    ("extprot", ExtprotArgs::augment_args),
];

/// Parses the arguments of this process. To build all subcommands takes longer than to check a small
/// file, so they are built only for what the called one alone does not answer: help and errors.
pub fn parse() -> Result<Cli, clap::Error> {
    let mut arguments: Vec<OsString> = std::env::args_os().collect();
    let name = arguments.get(1).cloned();
    if name.as_deref().is_some_and(|name| name == "q" || name == "jq") {
        arguments = arguments.into_iter().map(spaced).collect();
    }
    let quick = QUICK.iter().find(|(quick, _)| name.as_deref() == Some(quick.as_ref()));
    let matches = match quick.map(|quick| quickly(quick).try_get_matches_from(&arguments)) {
        Some(Ok(matches)) => Ok(matches),
        _ => command().try_get_matches_from(&arguments),
    };
    Cli::from_arg_matches(&matches?)
}

/// Puts a space before arguments that start with a minus and are no options, such as the program `-5 % 3`.
/// `QueryWords` removes it.
fn spaced(argument: OsString) -> OsString {
    let rest = argument.as_encoded_bytes().strip_prefix(b"-");
    match rest.and_then(|rest| rest.first()) {
        Some(first) if !first.is_ascii_alphabetic() && *first != b'-' => {
            let mut spaced = OsString::from(" ");
            spaced.push(argument);
            spaced
        }
        _ => argument,
    }
}

/// Returns the command with one subcommand.
fn quickly(&(name, augment): &(&'static str, Augment)) -> clap::Command {
    let command = GlobalArgs::augment_args(clap::Command::new("ketch"));
    command.subcommand(augment(clap::Command::new(name)))
}

#[derive(Debug, Subcommand)]
pub enum Command {
    Convert(ConvertArgs),
    Events(EventsArgs),
    #[command(aliases = ["verify", "validate", "lint"])]
    Check(CheckArgs),
    #[command(aliases = ["view", "query", "read", "show", "print"])]
    Get(GetArgs),
    #[command(name = "q", alias = "jq")]
    Query(QueryArgs),
    #[command(aliases = ["update"])]
    Set(SetArgs),
    #[command(aliases = ["delete", "rm", "remove", "unset"])]
    Del(DelArgs),
    #[command(aliases = ["add", "push"])]
    Append(AppendArgs),
    Insert(InsertArgs),
    Rename(RenameArgs),
    #[command(aliases = ["mv"])]
    Move(MoveArgs),
    Merge(MergeArgs),
    Sort(SortArgs),
    Comment(CommentArgs),
    Patch(PatchArgs),
    Split(SplitArgs),
    #[command(aliases = ["join", "concat", "cat"])]
    Collect(CollectArgs),
    #[command(aliases = ["format"])]
    Fmt(FormatArgs),
    Resolve(ResolveArgs),
    #[command(aliases = ["grep", "search"])]
    Match(MatchArgs),
    Lines(LinesArgs),
    Grok(GrokArgs),
    Regex(RegexArgs),
    Bench(BenchArgs),
    Extprot(ExtprotArgs),
    #[command(aliases = ["completion"])]
    Completions(CompletionsArgs),
    Man(ManArgs),
    Help(HelpArgs),
    /// Print the version.
    #[command(hide = true)]
    Version,
}

/// When to use colors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// If the output is a terminal, unless the variable `NO_COLOR` is set. `FORCE_COLOR` is `always`.
    #[default]
    Auto,
    Always,
    Never,
}

/// Print the help of a subcommand, or a page about paths, formats or limits.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ketch help paths
  ketch help formats
  ketch help limits
  ketch help set")]
pub struct HelpArgs {
    /// A topic or a subcommand.
    #[arg(value_name = "TOPIC")]
    pub words: Vec<String>,
}

/// Print manual pages.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ketch man > ketch.1
  ketch man get | man -l -
  ketch man --output /usr/local/share/man/man1")]
pub struct ManArgs {
    /// The subcommand [default: the page of the whole command].
    pub subcommand: Option<String>,
    /// Write the pages of all subcommands to this folder.
    #[arg(short, long, value_name = "FOLDER", conflicts_with = "subcommand")]
    pub output: Option<String>,
}

/// Print the events of a YAML stream, in the notation of yaml-test-suite.
///
/// Prints all events before the first error, then the error on standard error.
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
    /// Read only the YAML between `---` at the start of the file, as is done for Markdown.
    #[arg(long)]
    pub front_matter: bool,
    #[command(flatten)]
    pub read: ReadArgs,
}

/// Check files: syntax, limits, unknown aliases, duplicate keys.
///
/// Prints nothing for valid files. Warnings do not change the exit code.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ketch check config.yaml
  ketch check .
  ketch check 'k8s/**/*.yaml' --format json
  git show HEAD:config.yaml | ketch check -")]
pub struct CheckArgs {
    /// The files to check: names, folders, and patterns such as `'k8s/**/*.yaml'`; `-` is standard
    /// input.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
    /// The output format: text, or one line of JSON per problem.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: Format,
    /// The number of threads that check files. Problems are printed in the order of the files.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = parse_jobs)]
    pub jobs: usize,
    #[command(flatten)]
    pub input: InputArgs,
    /// The schema for plain scalars [default: core, json for JSON, or that of the dialect].
    #[arg(long, value_name = "SCHEMA", value_parser = schema_parser())]
    #[arg(help_heading = "Documents", hide_short_help = true)]
    pub schema: Option<Schema>,
    #[command(flatten)]
    pub compose: ComposeArgs,
    #[command(flatten)]
    pub read: ReadArgs,
}

/// Show the tag and value of plain scalars, in one schema or all of them.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ketch resolve NO 0777 1e3
  ketch resolve --schema yaml11 12:30:45 2001-12-14
  ketch resolve --format json '~' '' -- -.inf")]
pub struct ResolveArgs {
    /// The plain scalars to resolve. Put `--` before those that look like options.
    #[arg(required = true, value_name = "TEXT", allow_negative_numbers = true)]
    pub texts: Vec<String>,
    /// Show only this schema.
    #[arg(long, value_name = "SCHEMA", value_parser = schema_parser())]
    pub schema: Option<Schema>,
    /// The output format: a table, or one line of JSON per text and schema.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: Format,
}

/// Benchmark one stage of the engine on a file, in memory.
///
/// An untimed first round checks the input, and every timed round must give the same result. Speeds
/// are in MB/s, where 1 MB is a million bytes of the file at every stage.
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
    /// The number of timed rounds.
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: u32,
    /// The output format: sentences, or one JSON object with the spread of the times.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: Format,
    /// The schema for plain scalars [default: core, or that of the dialect].
    #[arg(long, value_name = "SCHEMA", value_parser = schema_parser())]
    #[arg(help_heading = "Documents", hide_short_help = true)]
    pub schema: Option<Schema>,
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
    /// Parse, and count the events.
    Parse,
    /// Compose document trees, reusing the memory of the previous one.
    Tree,
    /// Parse and resolve every plain scalar.
    Resolve,
}

impl Stage {
    /// Returns the name of the stage on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Scan => "scan",
            Stage::Parse => "parse",
            Stage::Tree => "tree",
            Stage::Resolve => "resolve",
        }
    }
}

/// Print a completion script for a shell.
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

/// The form of the output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Text for people.
    #[default]
    Text,
    /// JSON for programs.
    Json,
}

/// The engine's options.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Reading")]
pub struct ReadArgs {
    /// The language: yaml, or syck for files of Ruby's, Perl's and PHP's Syck. syck implies --schema
    /// syck and --duplicate-keys last, unless these options are given.
    #[arg(long, value_enum, value_name = "DIALECT", default_value_t, hide_short_help = true)]
    pub dialect: DialectChoice,
    /// Accept layouts that libyaml accepts but YAML 1.2 forbids.
    #[arg(long, hide_short_help = true)]
    pub lenient: bool,
    /// The maximum depth of nested collections [default: 1024, plus 16 per KiB of input].
    #[arg(long, value_name = "LEVELS", value_parser = parse_limit, hide_short_help = true, hide_long_help = true)]
    pub max_depth: Option<u64>,
    /// The maximum length of an implicit key, in characters [default: 1024].
    #[arg(long, value_name = "CHARS", value_parser = parse_limit, hide_short_help = true, hide_long_help = true)]
    pub max_implicit_key_chars: Option<u64>,
    /// The maximum size of a scalar, in bytes [default: 2 GiB, which is also the maximum].
    #[arg(long, value_name = "BYTES", value_parser = parse_limit, hide_short_help = true, hide_long_help = true)]
    pub max_scalar_bytes: Option<u64>,
    /// The maximum number of bytes of a stream in memory, which bounds the length of a line, a token
    /// or an extprot message [default: 2 GiB].
    #[arg(long, value_name = "BYTES", value_parser = parse_limit, hide_short_help = true, hide_long_help = true)]
    pub max_buffer_bytes: Option<u64>,
    /// The maximum total size of a document's distinct tags, in bytes, with handles expanded
    /// [default: 65536, plus 16384 per KiB of the document].
    #[arg(long, value_name = "BYTES", value_parser = parse_limit, hide_short_help = true, hide_long_help = true)]
    pub max_tag_bytes: Option<u64>,
    /// The maximum number of `%TAG` handles per document [default: 1024].
    #[arg(long, value_name = "HANDLES", value_parser = parse_limit, hide_short_help = true, hide_long_help = true)]
    pub max_tag_handles: Option<u64>,
    /// The instruction set to use [default: the fastest available].
    #[arg(long, value_name = "LEVEL", value_parser = parse_level, hide_short_help = true, hide_long_help = true)]
    pub simd: Option<Level>,
}

/// The language of the input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum DialectChoice {
    /// YAML 1.2.
    #[default]
    Yaml,
    /// The dialect of Syck.
    Syck,
}

impl ReadArgs {
    /// Returns the schema that applies if the schema is not given otherwise.
    pub fn schema(&self) -> Schema {
        match self.dialect {
            DialectChoice::Yaml => Schema::Core,
            DialectChoice::Syck => Schema::Syck,
        }
    }

    /// Returns the schema for an input in the format `origin` that applies if the schema is not given
    /// otherwise.
    pub fn schema_for(&self, origin: Origin) -> Schema {
        if origin == Origin::Json { Schema::Json } else { self.schema() }
    }

    /// Returns the options of the parser for an input in the format `origin`. If it is not YAML, keys
    /// may have any length by default.
    pub fn options_for(&self, origin: Origin) -> Options {
        let mut options = self.options();
        if origin != Origin::Yaml && self.max_implicit_key_chars.is_none() {
            options.limits.max_implicit_key_chars = u64::MAX;
        }
        options
    }

    /// Returns the options of the parser.
    pub fn options(&self) -> Options {
        let mut options = Options::default();
        options.dialect = match self.dialect {
            DialectChoice::Yaml => Dialect::Yaml,
            DialectChoice::Syck => ketch_syck::DIALECT,
        };
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

/// How to compose documents and resolve scalars.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Documents")]
pub struct ComposeArgs {
    /// How to handle duplicate keys in a mapping [default: error, or last with --dialect syck].
    #[arg(long, value_enum, value_name = "WHICH", hide_short_help = true)]
    pub duplicate_keys: Option<KeyChoice>,
    /// Whether `<<` merges mappings [default: on for yaml11 and syck].
    #[arg(long, value_enum, value_name = "SWITCH")]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "on", hide_short_help = true)]
    pub merge: Option<Switch>,
    /// The maximum number of nodes that a document's aliases expand to [default: 1000000, plus 4096
    /// per KiB of the document].
    #[arg(long, value_name = "NODES", value_parser = parse_limit, hide_short_help = true, hide_long_help = true)]
    pub max_alias_nodes: Option<u64>,
    /// The maximum number of nodes per document [default: unlimited].
    #[arg(long, value_name = "NODES", value_parser = parse_limit, hide_short_help = true, hide_long_help = true)]
    pub max_nodes: Option<u64>,
}

/// How to handle duplicate keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum KeyChoice {
    /// Report an error.
    Error,
    /// Use the first one.
    First,
    /// Use the last one.
    Last,
}

/// On or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    On,
    Off,
}

impl ComposeArgs {
    /// Returns the options of the composer. `schema` is its schema; `read` has the options and
    /// limits that the parser also uses.
    pub fn options(&self, schema: Schema, read: &ReadArgs) -> ComposeOptions {
        let mut options = ComposeOptions::default();
        options.schema = schema;
        let default = match read.dialect {
            DialectChoice::Yaml => KeyChoice::Error,
            DialectChoice::Syck => KeyChoice::Last,
        };
        options.duplicate_keys = match self.duplicate_keys.unwrap_or(default) {
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

/// Sets `place` to `value` if that is given.
fn set<T>(place: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *place = value;
    }
}

/// Parses a limit: a number, or `unlimited`.
fn parse_limit(text: &str) -> Result<u64, String> {
    if text == "unlimited" {
        return Ok(u64::MAX);
    }
    text.parse().map_err(|_| "expected a number or `unlimited`".to_owned())
}

/// Parses a number of threads.
fn parse_jobs(text: &str) -> Result<usize, String> {
    let jobs = text.parse().ok().filter(|jobs| (1..=1024).contains(jobs));
    jobs.ok_or_else(|| "expected a number from 1 to 1024".to_owned())
}

/// Parses the name of an instruction set. It is an error if this processor does not have it.
fn parse_level(text: &str) -> Result<Level, String> {
    let known: Vec<&str> = Level::available().map(Level::name).collect();
    Level::available()
        .find(|level| level.name() == text)
        .ok_or_else(|| format!("this processor has {}", known.join(", ")))
}

/// Returns a parser for the names of schemas. Help texts and completions list these names.
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
    fn subcommands_have_the_same_arguments_if_they_start_quickly() {
        let cli = command();
        for quick in &QUICK {
            let (one, of_all) = (quickly(quick), cli.find_subcommand(quick.0).expect("a name"));
            let one = one.find_subcommand(quick.0).expect("added above");
            assert_eq!(
                format!("{:?}", one.get_opts().chain(one.get_positionals()).collect::<Vec<_>>()),
                format!(
                    "{:?}",
                    of_all.get_opts().chain(of_all.get_positionals()).collect::<Vec<_>>()
                ),
            );
        }
        let slow = ["regex", "bench", "completions", "man", "help", "version"];
        for name in cli.get_subcommands().map(clap::Command::get_name) {
            assert_ne!(QUICK.iter().any(|quick| quick.0 == name), slow.contains(&name), "{name}");
        }
    }

    #[test]
    fn every_subcommand_has_a_description_and_examples() {
        let cli = Cli::command();
        let extprot = cli.find_subcommand("extprot").expect("declared above");
        let all = cli.get_subcommands().filter(|command| !command.is_hide_set());
        for command in all.chain(extprot.get_subcommands()) {
            assert!(command.get_about().is_some(), "{}", command.get_name());
            let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(after.starts_with("Examples:"), "{}", command.get_name());
        }
    }
}
