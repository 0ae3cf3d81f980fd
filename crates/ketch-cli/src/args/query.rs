//! The arguments of `ketch q`.

use super::{
    ComposeArgs, Format, InputArgs, ReadArgs, WriteArgs, YamlArgs, parse_limit, schema_parser,
};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches, ValueEnum};
use ketch_query::{Limits, MessageOptions, Missing, Query, Ratios};
use ketch_yaml::ComposeOptions;
use ketch_yaml::schema::Schema;

/// Run a program in jq's language on YAML and JSON.
///
/// Numbers are exact: 0.1 + 0.2 is 0.3, and integers have any number of digits. With -i, files are
/// changed in place, and only the bytes of values that the program changed. With --strict, a misspelt
/// key is an error that names the key that was meant.
///
/// The language is that of jq 1.8, as https://jqlang.org/manual has it, with more functions for YAML:
/// `tag`, `anchor`, `style`, `comment`, `place` and others.
/// https://github.com/ketch/ketch/blob/main/docs/query.md is a tutorial and lists the differences.
#[derive(Debug, Args)]
#[command(mut_arg("in_place", |in_place| in_place.conflicts_with_all(["null_input", "slurp", "raw_input", "stream", "messages", "compact_output", "raw_output", "join_output", "raw_output0", "tab", "ascii_output", "sort_keys", "to", "exit_status"])))]
#[command(mut_arg("sort_keys", |sort| sort.short('S').help("Sort the keys of objects.")))]
#[command(mut_arg("indent", |indent| indent.value_parser(clap::value_parser!(u8).range(..=9)).help(
    "Columns per level of indentation, up to 9 [default: 2]"
)))]
#[command(override_usage = "ketch q [OPTIONS] PROGRAM [FILE]...
       ketch q [OPTIONS] -f PROGRAM_FILE [FILE]...
       ketch q -n [OPTIONS] PROGRAM")]
#[command(after_help = "\
Examples:
  ketch q '.items | map(.price * .qty) | add' order.yaml
  ketch q -r '.services | to_entries[] | \"\\(.key) \\(.value.image)\"' compose.yaml
  ketch q -i '.image.tag = \"1.10\"' values.yaml
  ketch q -i --diff '.hosts |= sort_by(.name)' hosts.yaml
  ketch q --strict '.spec.replcas' deploy.yaml
  ketch q -s 'map(.total) | add' *.json
  kubectl get pods -o json | ketch q -r '.items[].metadata.name'
  ketch q -n '[limit(5; repeat(1))]'

Exit codes:
  1  invalid input or, with -e, a last result of null or false
  4  a missing key with --strict or, with -e, no result
  5  another error of the program; `halt_error(n)` ends with n")]
pub struct QueryArgs {
    #[command(flatten)]
    pub program: QueryProgram,
    #[command(flatten)]
    pub inputs: QueryInputs,
    #[command(flatten)]
    pub output: QueryOutput,
    #[command(flatten)]
    pub write: WriteArgs,
    /// Print how the program reads its input, and run nothing: `stream` and the path to the entries that are read one
    /// by one, or `document` and what needs all of it.
    #[arg(long)]
    pub explain: bool,
    /// End with code 1 if the last result is null or false, and with 4 if there is none.
    #[arg(short = 'e', long)]
    pub exit_status: bool,
    /// Compute in binary64, as jq does, instead of exactly.
    #[arg(long, hide_short_help = true)]
    pub floats: bool,
    /// Print errors as lines of JSON.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t, hide_default_value = true)]
    #[arg(hide_short_help = true)]
    pub errors: Format,
    #[command(flatten)]
    pub limits: QueryLimits,
    /// The schema for plain scalars [default: core, or that of the dialect].
    #[arg(long, value_name = "SCHEMA", value_parser = schema_parser())]
    #[arg(help_heading = "Documents", hide_short_help = true)]
    pub schema: Option<Schema>,
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub yaml: YamlArgs,
    #[command(flatten)]
    pub compose: ComposeArgs,
    #[command(flatten)]
    pub read: ReadArgs,
}

/// The program, and what it needs.
#[derive(Debug, Args)]
pub struct QueryProgram {
    #[command(flatten)]
    pub words: QueryWords,
    /// Read the program from this file; all other arguments are files.
    #[arg(short = 'f', long, value_name = "FILE")]
    pub from_file: Option<String>,
    /// Make missing keys and indices errors, which name the key that was probably meant.
    #[arg(long)]
    pub strict: bool,
    /// Search modules in this folder; may be repeated.
    #[arg(short = 'L', long, value_name = "FOLDER", hide_short_help = true)]
    pub library_path: Vec<String>,
    #[command(flatten)]
    pub messages: QueryMessages,
}

/// Messages, and how they run.
#[derive(Debug, Args)]
pub struct QueryMessages {
    /// Take the program as messages, such as `items map(price * qty) sum`.
    #[arg(short = 'm', long, hide_short_help = true)]
    pub messages: bool,
    /// What missing values are in messages: an error, null, or left out [default: error].
    #[arg(long, value_enum, value_name = "HOW", requires = "messages", hide_short_help = true)]
    pub missing: Option<QueryMissing>,
    /// How messages write ratios that are no decimals: `text` or `places:N` [default: as errors].
    #[arg(long, value_name = "FORM", value_parser = parse_ratios, requires = "messages")]
    #[arg(hide_short_help = true)]
    pub ratios: Option<Ratios>,
}

/// What missing values are in messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum QueryMissing {
    /// An error.
    Error,
    /// Null.
    Null,
    /// Nothing: the element or the result is left out.
    Skip,
}

impl QueryMessages {
    /// Returns the options of a run.
    pub fn options(&self) -> MessageOptions {
        let missing = match self.missing {
            None | Some(QueryMissing::Error) => Missing::Error,
            Some(QueryMissing::Null) => Missing::Null,
            Some(QueryMissing::Skip) => Missing::Skip,
        };
        MessageOptions { missing, ratios: self.ratios.unwrap_or_default() }
    }
}

/// Parses how ratios are written.
fn parse_ratios(text: &str) -> Result<Ratios, String> {
    let places = text.strip_prefix("places:").and_then(|places| places.parse().ok());
    match (text, places) {
        ("text", _) => Ok(Ratios::Text),
        (_, Some(places)) => Ok(Ratios::Places(places)),
        _ => Err("expected `text` or `places:` and a number, such as `places:2`".to_owned()),
    }
}

/// What the inputs of a program are.
#[derive(Debug, Args)]
#[command(next_help_heading = "Inputs")]
pub struct QueryInputs {
    /// Run the program once, with null; `input` and `inputs` read the inputs.
    #[arg(short = 'n', long)]
    pub null_input: bool,
    /// Read all inputs into one array, and run the program once.
    #[arg(short = 's', long)]
    pub slurp: bool,
    /// Take each line as a string; with -s, each text as a whole.
    #[arg(short = 'R', long, conflicts_with = "stream")]
    pub raw_input: bool,
    /// Take each input in pieces: arrays of a path and a scalar, as `tostream` makes them.
    #[arg(long)]
    pub stream: bool,
    /// As --stream, and pass on an error in an input as an array of its message and path.
    #[arg(long, hide_short_help = true)]
    pub stream_errors: bool,
    /// Read and write a record separator (RS) before each JSON text.
    #[arg(long, hide_short_help = true)]
    pub seq: bool,
    /// Read only the document with this number, counted from 0.
    #[arg(long, value_name = "N")]
    pub document: Option<usize>,
}

impl QueryInputs {
    /// Returns whether the program gets each input as it is.
    pub fn are_single(&self) -> bool {
        !(self.null_input || self.slurp || self.raw_input || self.has_events())
    }

    /// Returns whether inputs are taken in pieces.
    pub fn has_events(&self) -> bool {
        self.stream || self.stream_errors
    }
}

/// How `ketch q` prints results.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct QueryOutput {
    /// The output format: yaml, json or extprot [default: that of the first input, with -n json].
    #[arg(short = 'o', long, value_enum, value_name = "FORMAT", hide_possible_values = true)]
    pub to: Option<Results>,
    /// Print strings as text, without quotes.
    #[arg(short = 'r', long)]
    pub raw_output: bool,
    /// As -r, and without line breaks after the results.
    #[arg(short = 'j', long)]
    pub join_output: bool,
    /// As -r, and with NUL after each result.
    #[arg(long, hide_short_help = true)]
    pub raw_output0: bool,
    /// Print JSON, each result on one line.
    #[arg(short = 'c', long)]
    pub compact_output: bool,
    /// Print JSON, with characters outside ASCII escaped.
    #[arg(short = 'a', long)]
    pub ascii_output: bool,
    /// Print JSON, indented by tabs.
    #[arg(long)]
    pub tab: bool,
    /// Print colors [default: on a terminal].
    #[arg(short = 'C', long, hide_short_help = true, conflicts_with = "monochrome_output")]
    pub color_output: bool,
    /// Print no colors.
    #[arg(short = 'M', long, hide_short_help = true)]
    pub monochrome_output: bool,
    /// Write each result at once, also into a pipe.
    #[arg(long, hide_short_help = true)]
    pub unbuffered: bool,
    /// How to handle infinity and NaN in JSON: as jq, as errors or as strings.
    #[arg(long, value_enum, value_name = "HOW", default_value_t, hide_default_value = true)]
    #[arg(hide_short_help = true)]
    pub non_finite: QueryNonFinite,
}

/// The format of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Results {
    /// YAML.
    #[value(alias = "yml")]
    Yaml,
    /// JSON.
    Json,
    /// extprot, a message for each result.
    Extprot,
}

/// How JSON has infinity and NaN.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum QueryNonFinite {
    /// As the greatest number of binary64, and null.
    #[default]
    Jq,
    /// Not at all: they are errors.
    Error,
    /// As the strings that YAML has.
    Text,
}

/// Bounds for programs.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
pub struct QueryLimits {
    /// The maximum number of steps of the program for an input [default: unlimited].
    #[arg(long, value_name = "STEPS", value_parser = parse_limit, hide_short_help = true, hide_long_help = true)]
    pub max_steps: Option<u64>,
    /// The maximum number of calls in one another [default: 1000000].
    #[arg(long, value_name = "CALLS", value_parser = parse_limit, hide_short_help = true, hide_long_help = true)]
    pub max_frames: Option<u64>,
    /// The maximum number of digits of a number that is computed [default: 100000].
    #[arg(long, value_name = "DIGITS", value_parser = parse_limit, hide_short_help = true, hide_long_help = true)]
    pub max_digits: Option<u64>,
    /// The maximum number of bytes of all results [default: unlimited].
    #[arg(long, value_name = "BYTES", value_parser = parse_limit, hide_short_help = true, hide_long_help = true)]
    pub max_output_bytes: Option<u64>,
}

impl QueryLimits {
    /// Returns the bounds of a run.
    pub fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        super::set(&mut limits.steps, self.max_steps);
        super::set(&mut limits.digits, self.max_digits);
        let frames = self.max_frames.map(|frames| frames.try_into().unwrap_or(usize::MAX));
        super::set(&mut limits.frames, frames);
        limits
    }
}

impl QueryOutput {
    /// Returns whether an option implies JSON.
    pub fn has_json(&self) -> bool {
        self.compact_output || self.ascii_output || self.tab || self.join_output || self.raw_output0
    }
    /// Returns whether strings are printed as text.
    pub fn is_raw(&self) -> bool {
        self.raw_output || self.join_output || self.raw_output0
    }
}

impl QueryArgs {
    /// Returns the bounds of a run.
    pub fn limits(&self) -> Limits {
        Limits { floats: self.floats, ..self.limits.limits() }
    }

    /// Returns whether a result that is a document of YAML is written as its text, with the changes of the program.
    pub fn writes_documents(&self, query: &Query) -> bool {
        let (output, inputs) = (&self.output, &self.inputs);
        let is_yaml = output.to.map_or(!output.has_json(), |to| to == Results::Yaml);
        is_yaml
            && !(output.unbuffered || inputs.null_input || inputs.slurp)
            && self.yaml.keeps_style()
            && query.entry_path().is_none()
    }

    /// Returns the options of the composer for YAML.
    pub fn compose_options(&self) -> ComposeOptions {
        self.compose.options(self.schema.unwrap_or(self.read.schema()), &self.read)
    }
}

/// The program, the files, and the values of variables.
#[derive(Debug, Default)]
pub struct QueryWords {
    /// The program, unless it comes from a file, and the files.
    pub words: Vec<String>,
    /// The strings after `--args`, and the JSON texts after `--jsonargs`, in order.
    pub positional: Vec<(Given, String)>,
    /// The variables that options define, in order.
    pub named: Vec<(Given, String, String)>,
}

/// What a word on the command line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// A string.
    Text,
    /// A JSON text.
    Json,
    /// The name of a file with JSON texts, which become an array.
    JsonFile,
    /// The name of a file, whose content becomes a string.
    TextFile,
}

/// The options that define a variable.
const VARIABLES: [(&str, &str, Given, &str); 4] = [
    ("arg", "VALUE", Given::Text, "Set the variable $NAME to a string"),
    ("argjson", "JSON", Given::Json, "Set the variable $NAME to the value of a JSON text"),
    (
        "slurpfile",
        "FILE",
        Given::JsonFile,
        "Set the variable $NAME to an array of the JSON texts in a file",
    ),
    (
        "rawfile",
        "FILE",
        Given::TextFile,
        "Set the variable $NAME to the content of a file, as a string",
    ),
];

/// The options after which words are values instead of files.
const POSITIONAL: [(&str, Given, &str); 2] = [
    ("args", Given::Text, "The words that follow are strings in $ARGS.positional, not files"),
    (
        "jsonargs",
        Given::Json,
        "The words that follow are JSON texts in $ARGS.positional, not files",
    ),
];

impl Args for QueryWords {
    fn augment_args(command: Command) -> Command {
        let words = Arg::new("words").value_name("WORD").action(ArgAction::Append);

        let help = "The program, and the files to read: names, folders and patterns; `-` is standard input";
        let mut command = command.arg(words.num_args(0..).help(help));
        for (name, value, _, help) in VARIABLES {
            let option = Arg::new(name).long(name).num_args(2).value_names(["NAME", value]);
            let option = option.allow_hyphen_values(true).action(ArgAction::Append);
            command =
                command.arg(option.help(help).help_heading("Variables").hide_short_help(true));
        }
        for (name, _, help) in POSITIONAL {
            let option = Arg::new(name).long(name).num_args(0).action(ArgAction::Append);
            let option = option.default_missing_value("").help(help);
            command = command.arg(option.help_heading("Variables").hide_short_help(true));
        }
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for QueryWords {
    fn from_arg_matches(matches: &ArgMatches) -> Result<QueryWords, Error> {
        let mut marks: Vec<(usize, Given)> = Vec::new();
        for (name, given, _) in POSITIONAL {
            marks.extend(matches.indices_of(name).into_iter().flatten().map(|at| (at, given)));
        }
        marks.sort_by_key(|(at, _)| *at);
        let mut all = QueryWords::default();
        let words = matches.get_many::<String>("words").into_iter().flatten();
        let places = matches.indices_of("words").into_iter().flatten();
        for (at, word) in places.zip(words) {
            let word = word.strip_prefix(' ').filter(|word| word.starts_with('-')).unwrap_or(word);
            let mark = marks.iter().rev().find(|(mark, _)| *mark < at);
            match mark.filter(|_| !all.words.is_empty() || matches.contains_id("from_file")) {
                Some((_, given)) => all.positional.push((*given, word.to_owned())),
                None => all.words.push(word.to_owned()),
            }
        }
        for (name, _, given, _) in VARIABLES {
            for mut pair in matches.get_occurrences::<String>(name).into_iter().flatten() {
                if let (Some(name), Some(value)) = (pair.next(), pair.next()) {
                    all.named.push((given, name.clone(), value.clone()));
                }
            }
        }
        Ok(all)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = QueryWords::from_arg_matches(matches)?;
        Ok(())
    }
}
