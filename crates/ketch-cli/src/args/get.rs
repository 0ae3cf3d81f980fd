//! The arguments of `ketch get`.

use super::{ComposeArgs, InputArgs, JsonArgs, ReadArgs, YamlArgs, schema_parser};
use clap::{Args, ValueEnum};
use ketch_yaml::ComposeOptions;
use ketch_yaml::compose::{JsonOptions, SelectionOptions};
use ketch_yaml::schema::Schema;

/// Print the values at a path, in each document.
///
/// Scalars are printed as text, one per line, and collections as YAML.
///
/// A path has keys and indices: `.spec.containers[0].image`. `[-1]` is the last entry, `[1:3]` are
/// two of them, `*` and `[*]` are all, `[?name == "web"]` are those that meet a condition,
/// `..image` all values of the key `image`, and `["app.kubernetes.io/name"]` is a key that needs
/// quotes. `@1`, `@*` and `@[?kind == "Service"]` at the start choose documents. A path that starts
/// with `/` is a JSON Pointer. The rest is skipped at parsing speed.
#[derive(Debug, Args)]
#[command(mut_arg("flow", |flow| flow.help(
    "Write all collections in brackets, or none [default: as in the input]"
)))]
#[command(mut_arg("quotes", |quotes| quotes.help("Which strings to quote [default: given]")))]
#[command(after_help = "\
Examples:
  ketch get .spec.replicas deploy.yaml
  ketch get '.spec.containers[*].image' deploy.yaml
  ketch get -p .kind -p .metadata.name 'k8s/**/*.yaml'
  ketch get -H .image.tag charts/
  ketch get '.spec.containers[?name == \"web\"].image' deploy.yaml
  ketch get '@[?kind == \"Service\"].metadata.name' deploy.yaml
  ketch get '.metadata.labels[\"app.kubernetes.io/name\"]' *.yaml
  ketch get /paths/~1pets/get -o json --pretty openapi.yaml
  ketch get .services --keys compose.yaml
  ketch get old.yml --dialect syck --ypath '//port[.=80]'
  curl -s https://example.com/big.yaml | ketch get .version --first --default none

Exit codes:
  4  nothing found")]
pub struct GetArgs {
    /// The path; `.` is the whole document. Not with -p and --ypath.
    #[arg(required_unless_present_any = ["ypath", "paths_given"])]
    pub path: Option<String>,
    /// The files to read, one after another: names, folders, and patterns such as `'k8s/**/*.yaml'`;
    /// `-` is standard input.
    #[arg(value_name = "FILE", default_value = "-", hide_default_value = true)]
    pub files: Vec<String>,
    /// Print the values at this path; may be repeated. All other arguments are files.
    #[arg(id = "paths_given", short = 'p', long = "path", value_name = "PATH")]
    #[arg(conflicts_with = "ypath")]
    pub several: Vec<String>,
    /// Search by this path in Syck's YPath syntax, such as `//(a|b)[key]`. All other arguments are
    /// files.
    #[arg(long, value_name = "YPATH", hide_short_help = true)]
    pub ypath: Option<String>,
    /// The output format.
    #[arg(short = 'o', long, value_enum, value_name = "FORMAT", default_value_t)]
    #[arg(hide_default_value = true)]
    pub to: Shape,
    /// Print the text of scalars, and collections as JSON, as jq does: `--to raw`.
    #[arg(short = 'r', long, conflicts_with = "to")]
    pub raw: bool,
    /// Print as -r does, but without line breaks after the results. With -o json, print JSON so.
    #[arg(short = 'j', long)]
    pub join: bool,
    #[command(flatten)]
    pub view: ViewArgs,
    /// Print the name of the file before each result: `name: ` before text, and as a comment above
    /// YAML.
    #[arg(short = 'H', long)]
    pub with_filename: bool,
    /// Print this if nothing is found, and exit with code 0.
    #[arg(long, value_name = "VALUE")]
    pub default: Option<String>,
    /// Search only this document, counted from 0 [default: all]. Reading stops at the match if the
    /// path has no wildcards.
    #[arg(long, value_name = "N")]
    pub document: Option<u64>,
    /// Print the first match and stop reading.
    #[arg(long)]
    pub first: bool,
    #[command(flatten)]
    pub json: JsonArgs,
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

/// What to print of each result, instead of its value.
#[derive(Debug, Args)]
pub struct ViewArgs {
    /// Print the keys of each result, or the indices of its items.
    #[arg(long, group = "view", conflicts_with_all = ["to", "raw", "join"])]
    pub keys: bool,
    /// Print the number of entries of each result, or of characters of a text.
    #[arg(long, group = "view", conflicts_with_all = ["to", "raw", "join"])]
    pub length: bool,
    /// Print the paths of all values in each result.
    #[arg(long, group = "view", conflicts_with_all = ["to", "raw", "join", "ypath"])]
    pub paths: bool,
    /// Print an outline of each result, with the number of entries of collections.
    #[arg(long, group = "view", conflicts_with_all = ["to", "raw", "join"])]
    pub tree: bool,
}

/// What `ketch get` prints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Shape {
    /// The text of scalars, each on a line, and collections as YAML.
    #[default]
    Text,
    /// YAML with tags and styles, one document per result.
    #[value(alias = "yml")]
    Yaml,
    /// JSON, one line per result.
    Json,
    /// The text of scalars, each followed by a line break, and collections as JSON; for shells.
    Raw,
    /// TOML; the only result is a mapping.
    Toml,
    /// Comma-separated values; the results are rows, or sequences of rows.
    Csv,
    /// Tab-separated values.
    Tsv,
}

impl GetArgs {
    /// Returns the output format.
    pub fn shape(&self) -> Shape {
        let is_raw = self.raw || self.join && self.to == Shape::Text;
        if is_raw { Shape::Raw } else { self.to }
    }

    /// Returns whether no warning is needed about `<<` that is written as a key: the form is not that
    /// of another format, or an option says what to do.
    pub fn keeps_merge_keys(&self) -> bool {
        let is_given = self.compose.merge.is_some() || self.compose_options().merges();
        self.has_yaml() || is_given
    }

    /// Returns whether the output is YAML, text, or a list of what is in a value.
    pub fn has_yaml(&self) -> bool {
        let ViewArgs { keys, length, paths, tree } = self.view;
        matches!(self.shape(), Shape::Text | Shape::Yaml) || keys || length || paths || tree
    }

    /// Returns whether no warning is needed about tags that are not written.
    pub fn keeps_tags(&self) -> bool {
        self.has_yaml() || self.shape() == Shape::Raw
    }

    /// Returns the options for selecting the nodes that the path leads to.
    pub fn selection_options(&self) -> SelectionOptions {
        let mut options = SelectionOptions::default();
        options.compose = self.compose_options();
        options.document = self.document;
        options.text_keys = self.ypath.is_some();
        options
    }

    /// Returns the options of the composer.
    pub fn compose_options(&self) -> ComposeOptions {
        self.compose.options(self.schema.unwrap_or(self.read.schema()), &self.read)
    }

    /// Returns the options of the JSON writer.
    pub fn json_options(&self) -> JsonOptions {
        self.json.options(&self.compose_options())
    }
}
