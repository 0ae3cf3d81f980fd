//! The arguments of `ketch get`.

use super::{ComposeArgs, NonFinite, ReadArgs, UnknownTags, YamlArgs, schema_parser};
use clap::{Args, ValueEnum};
use ketch_yaml::ComposeOptions;
use ketch_yaml::compose::{JsonOptions, SelectionOptions};
use ketch_yaml::schema::Schema;

/// Prints what a path leads to, in each document.
///
/// A path is made of keys and indices, `spec.containers[0].image`; `[-1]` is the last entry, `*` and
/// `[*]` are all of them, `["app.kubernetes.io/name"]` is a key that needs quotes, and what starts
/// with `/` is a JSON Pointer. What is not on the path is read, but not loaded.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ketch get deploy.yaml spec.replicas
  ketch get deploy.yaml 'spec.containers[*].image' --to raw
  ketch get deploy.yaml 'metadata.labels[\"app.kubernetes.io/name\"]'
  ketch get openapi.yaml /paths/~1pets/get --to json --pretty
  curl -s https://example.com/big.yaml | ketch get - version --first --default none

Exit codes:
  4  nothing is there")]
pub struct GetArgs {
    /// The file to read; `-` is standard input.
    pub file: String,
    /// The path; nothing, `''`, is the whole document.
    pub path: String,
    /// What to print.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub to: Shape,
    /// Print this if nothing is there, and end with code 0. YAML, or with --to raw any text.
    #[arg(long, value_name = "VALUE")]
    pub default: Option<String>,
    /// Look into this document only, counted from 0 [default: all]. Without wildcards in the path,
    /// reading stops at what is found.
    #[arg(long, value_name = "N")]
    pub document: Option<u64>,
    /// Print the first that is found, and stop reading.
    #[arg(long)]
    pub first: bool,
    /// JSON on several lines, indented; else each result stands on one line.
    #[arg(long)]
    pub pretty: bool,
    /// What to do with `.inf` and `.nan`, which JSON has no numbers for.
    #[arg(long, value_enum, value_name = "HOW", default_value_t)]
    pub non_finite: NonFinite,
    /// What to do in JSON with tags that YAML itself does not know.
    #[arg(long, value_enum, value_name = "HOW", default_value_t)]
    pub unknown_tags: UnknownTags,
    /// The schema that plain scalars go by.
    #[arg(long, value_name = "SCHEMA", value_parser = schema_parser(), default_value = "core")]
    #[arg(help_heading = "Documents")]
    pub schema: Schema,
    #[command(flatten)]
    pub yaml: YamlArgs,
    #[command(flatten)]
    pub compose: ComposeArgs,
    #[command(flatten)]
    pub read: ReadArgs,
}

/// What `ketch get` prints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Shape {
    /// YAML, a document a result, with its tags and styles.
    #[default]
    Yaml,
    /// JSON, a line a result.
    Json,
    /// The text of scalars as it is, a line break behind each; for shells.
    Raw,
}

impl GetArgs {
    /// How to select.
    pub fn selection_options(&self) -> SelectionOptions {
        let mut options = SelectionOptions::default();
        options.compose = self.compose_options();
        options.document = self.document;
        options
    }

    /// The composer's options.
    pub fn compose_options(&self) -> ComposeOptions {
        self.compose.options(self.schema, &self.read)
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
}
