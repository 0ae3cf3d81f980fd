//! The options for JSON output.

use crate::status::Failure;
use clap::{Args, ValueEnum};
use ketch_yaml::ComposeOptions;
use ketch_yaml::compose::{JsonOptions, NotInJson};

/// How to write JSON.
#[derive(Clone, Debug, Args)]
pub struct JsonArgs {
    /// Write JSON on several indented lines instead of one line per result.
    #[arg(long)]
    pub pretty: bool,
    /// How to handle `.inf` and `.nan`, which are not JSON numbers.
    #[arg(long, value_enum, value_name = "HOW", default_value_t, hide_short_help = true)]
    pub non_finite: NonFinite,
    /// How to handle tags other than YAML's own in JSON [default: drop, with a warning].
    #[arg(long, value_enum, value_name = "HOW", hide_short_help = true)]
    pub unknown_tags: Option<UnknownTags>,
}

impl JsonArgs {
    /// Returns the options of the JSON writer for documents that are read with `compose`.
    pub fn options(&self, compose: &ComposeOptions) -> JsonOptions {
        let mut options = JsonOptions::default();
        options.schema = compose.schema;
        options.merge_keys = compose.merge_keys;
        options.limits = compose.limits;
        options.pretty = self.pretty;
        options.non_finite = self.non_finite.into();
        options.unknown_tags = self.unknown_tags().into();
        options
    }

    /// Returns how to handle unknown tags.
    pub fn unknown_tags(&self) -> UnknownTags {
        self.unknown_tags.unwrap_or_default()
    }

    /// Fails if one of the options is given. This is for outputs that are not JSON.
    pub fn refuse(&self) -> Result<(), Failure> {
        let given = [
            ("pretty", self.pretty),
            ("non-finite", self.non_finite != NonFinite::default()),
            ("unknown-tags", self.unknown_tags.is_some()),
        ];
        match given.into_iter().find(|(_, is_given)| *is_given) {
            None => Ok(()),
            Some((name, _)) => {
                let message =
                    format!("`--{name}` is only for JSON: add `--to json`, or leave it out");
                Err(Failure::Usage(message))
            }
        }
    }
}

/// How to handle `.inf` and `.nan`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum NonFinite {
    /// Report an error.
    #[default]
    Error,
    /// Write them as strings.
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

/// How to handle unknown tags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum UnknownTags {
    /// Write the value without its tag.
    #[default]
    Drop,
    /// Report an error.
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
