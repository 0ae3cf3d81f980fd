mod keys;
mod limits;
mod notation;
mod output;
mod tree;

use super::{Document, JsonOptions, JsonWriter};
use crate::error::Error;
use crate::parse::Options;
use crate::{ComposeOptions, Documents, DuplicateKeys};

fn document(text: &str) -> Document<'_> {
    composed(text, &ComposeOptions::default()).expect("a document")
}

fn composed<'t>(text: &'t str, options: &ComposeOptions) -> Result<Document<'t>, Error> {
    let mut documents = Documents::with_options(text.as_bytes(), &Options::default(), options);
    documents.next().expect("one document")
}

fn with_duplicates(duplicate_keys: DuplicateKeys) -> ComposeOptions {
    ComposeOptions { duplicate_keys, ..ComposeOptions::default() }
}

fn json(text: &str) -> String {
    json_with(text, &ComposeOptions::default(), &JsonOptions::default())
}

fn json_with(text: &str, compose: &ComposeOptions, options: &JsonOptions) -> String {
    let document = match composed(text, compose) {
        Ok(document) => document,
        Err(error) => return format!("{:?}", error.problem()),
    };
    let mut out = Vec::new();
    match JsonWriter::new(options).write(&document, &mut out) {
        Ok(()) => String::from_utf8(out).expect("UTF-8"),
        Err(super::JsonError::Document(error)) => format!("{:?}", error.problem()),
        Err(error) => error.to_string(),
    }
}
