//! The arguments for writing YAML.

use clap::{Args, ValueEnum};
use ketch_yaml::present::{Collections, PresentOptions, Scalars, Sequences};
use ketch_yaml::represent::KeyOrder;
use ketch_yaml::schema::Schema;

use super::Switch;
use crate::status::Failure;

/// Parses the number of columns per level of indentation, from 1 to 9.
pub fn columns(text: &str) -> Result<u8, String> {
    let columns = text.parse().ok().filter(|columns| (1..=9).contains(columns));
    columns.ok_or_else(|| "expected a number from 1 to 9".to_owned())
}

/// The options of `--to yaml`.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Writing YAML")]
pub struct YamlArgs {
    /// Columns per level of indentation, from 1 to 9 [default: 2].
    #[arg(hide_short_help = true, long, value_name = "COLUMNS")]
    #[arg(value_parser = columns)]
    pub indent: Option<u8>,
    /// How to indent sequences that are values of a mapping [default: flush].
    #[arg(hide_short_help = true, long, value_enum, value_name = "PLACE")]
    pub sequences: Option<SequencePlace>,
    /// Break lines of text at this width [default: never].
    #[arg(hide_short_help = true, long, value_name = "COLUMNS")]
    pub width: Option<usize>,
    /// Write all collections in brackets, or none [default: as in the input; off from JSON and
    /// extprot].
    #[arg(hide_short_help = true, long, value_enum, value_name = "SWITCH")]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "on")]
    pub flow: Option<Switch>,
    /// Which strings to quote [default: given; minimal from JSON and extprot].
    #[arg(hide_short_help = true, long, value_enum, value_name = "WHICH")]
    pub quotes: Option<Quotes>,
    /// Escape non-ASCII text.
    #[arg(hide_short_help = true, long)]
    pub ascii: bool,
    /// Sort the keys of all mappings. Holds each document in memory.
    #[arg(hide_short_help = true, long)]
    pub sort_keys: bool,
}

/// How to indent sequences that are values of a mapping.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum SequencePlace {
    /// In the column of the key.
    #[default]
    Flush,
    /// Indented.
    Indented,
}

impl YamlArgs {
    /// Returns whether no option changes how YAML is written.
    pub fn keeps_style(&self) -> bool {
        let YamlArgs { indent, sequences, width, flow, quotes, ascii, sort_keys } = self;
        let is_set = indent.is_some() || sequences.is_some() || width.is_some();
        !(is_set || flow.is_some() || quotes.is_some() || *ascii || *sort_keys)
    }
}

impl From<SequencePlace> for Sequences {
    fn from(place: SequencePlace) -> Sequences {
        match place {
            SequencePlace::Flush => Sequences::Flush,
            SequencePlace::Indented => Sequences::Indented,
        }
    }
}

/// Which strings to quote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Quotes {
    /// Those quoted in the input, in the same style.
    Given,
    /// Those that a common YAML reader would misinterpret; text of several lines becomes a literal
    /// block.
    Minimal,
    /// All but those that are plain in the input, in double quotes.
    Double,
}

impl YamlArgs {
    /// Returns the options of the presenter. `is_foreign` says that the input has no YAML styles,
    /// because it is not YAML or is converted to values. `schema` is the schema of the input's
    /// plain scalars.
    pub fn options(&self, is_foreign: bool, schema: Schema) -> PresentOptions {
        let mut options = PresentOptions::default();
        options.schema = schema;
        options.indent = self.indent.unwrap_or(2).into();
        options.width = self.width;
        options.ascii = self.ascii;
        options.sequences = self.sequences.unwrap_or_default().into();
        options.collections = match self.flow {
            None if is_foreign => Collections::Block,
            None => Collections::AsGiven,
            Some(Switch::On) => Collections::Flow,
            Some(Switch::Off) => Collections::Block,
        };
        options.scalars = match self.quotes {
            None if is_foreign => Scalars::Minimal,
            None | Some(Quotes::Given) => Scalars::AsGiven,
            Some(Quotes::Minimal) => Scalars::Minimal,
            Some(Quotes::Double) => Scalars::DoubleQuoted,
        };
        // If a document that is not longer than this is invalid, nothing of it is written.
        options.held_bytes = 1 << 20;
        options
    }

    /// Fails if an option for writing YAML is given. This is for outputs that are not YAML.
    pub fn refuse(&self) -> Result<(), Failure> {
        match self.sequences {
            Some(_) => Err(only_for_yaml("sequences")),
            None => self.refuse_all_but_sequences(),
        }
    }

    /// Fails if an option for writing YAML other than `--sequences` is given. This is for the form
    /// of Syck, which has no other options.
    pub fn refuse_all_but_sequences(&self) -> Result<(), Failure> {
        let given = [
            ("indent", self.indent.is_some()),
            ("width", self.width.is_some()),
            ("flow", self.flow.is_some()),
            ("quotes", self.quotes.is_some()),
            ("ascii", self.ascii),
            ("sort-keys", self.sort_keys),
        ];
        match given.into_iter().find(|(_, is_given)| *is_given) {
            None => Ok(()),
            Some((name, _)) => Err(only_for_yaml(name)),
        }
    }

    /// Returns the order in which keys are written.
    pub fn key_order(&self) -> KeyOrder {
        if self.sort_keys { KeyOrder::Sorted } else { KeyOrder::AsGiven }
    }
}

/// Returns the failure for the option `name`, which applies only to YAML, although the output is
/// not YAML.
fn only_for_yaml(name: &str) -> Failure {
    Failure::Usage(format!("`--{name}` is only for YAML: add `--to yaml`, or leave it out"))
}
