//! How texts with inputs are read, and why not.

use ketch_yaml::{ComposeOptions, Error, Options};

/// How a text is read.
#[derive(Clone, Copy, Debug, Default)]
pub struct InputOptions {
    /// Whether the text is JSON: values one after another, without anything between them.
    pub is_json: bool,
    /// The options of the parser of YAML.
    pub parser: Options,
    /// How documents are composed.
    pub compose: ComposeOptions,
    /// Whether the text is kept, so that comments can be read.
    pub keeps_text: bool,
    /// The number of the only document to read, counted from 0.
    pub document: Option<usize>,
}

/// Why an input cannot be read.
#[derive(Debug)]
pub enum InputError {
    /// The text is not valid.
    Text(Error),
    /// The text is not valid JSON, for this reason.
    Json(String),
}
