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
    /// There is no document with the chosen number, as this message says.
    NoDocument(String),
}

/// Returns the message that there is no document `wanted` in a file with `count` documents.
pub(crate) fn no_document(wanted: usize, count: usize) -> String {
    let documents = match count {
        0 => "no documents".to_owned(),
        1 => "1 document".to_owned(),
        _ => format!("{count} documents"),
    };
    format!("there is no document {wanted}, counted from 0: the file has {documents}")
}
