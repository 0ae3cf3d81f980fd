//! The arguments for the format of inputs.

use crate::front_matter::is_markdown;
use clap::{Args, ValueEnum};

/// What the inputs are.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Input")]
pub struct InputArgs {
    /// The format of the input [default: by the extension of each file, or yaml].
    #[arg(long, value_enum, value_name = "FORMAT", hide_possible_values = true)]
    pub from: Option<Origin>,
    /// Read only the YAML between `---` at the start of the file, as is done for Markdown.
    #[arg(long)]
    pub front_matter: bool,
    /// Whether the schema has no null.
    #[arg(skip)]
    pub is_failsafe: bool,
}

impl InputArgs {
    /// Returns the format of `file`.
    pub fn origin(&self, file: &str) -> Origin {
        self.known_origin(file).unwrap_or_default()
    }

    /// Returns the format of `file`, or `None` if neither an option nor its name gives it.
    pub fn known_origin(&self, file: &str) -> Option<Origin> {
        let is_markdown = || self.takes_front_matter(file).then_some(Origin::Yaml);
        self.from.or_else(is_markdown).or_else(|| Origin::of_name(file))
    }

    /// Returns whether only the front matter of `file` is read.
    pub fn takes_front_matter(&self, file: &str) -> bool {
        self.front_matter || self.from.is_none() && is_markdown(file)
    }
}

/// The input format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Origin {
    /// YAML.
    #[default]
    Yaml,
    /// JSON, one or more texts, read as YAML with the schema `json`.
    Json,
    /// TOML.
    Toml,
    /// Comma-separated values; the first record names the columns.
    Csv,
    /// Tab-separated values.
    Tsv,
    /// Java's properties.
    Properties,
    /// Environment variables, as in `.env`.
    Env,
    /// XML.
    Xml,
    /// extprot: values or messages, one after another.
    Extprot,
}
