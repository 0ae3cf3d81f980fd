//! Writes documents as TOML, CSV or TSV.

mod delimited;
mod reader;
mod toml;

use crate::args::Target;
use crate::documents::Refusal;
use ketch_yaml::compose::{JsonOptions, Node};
use reader::Reader;
use std::io;

/// Writes documents in a format that has one value per file.
pub struct Writer {
    form: Form,
    options: JsonOptions,
}

enum Form {
    Toml(Option<String>),
    Delimited(delimited::Table),
}

impl Writer {
    /// Creates a writer for `target`, or returns `None` if that is written as a stream.
    pub fn new(target: Target, options: &JsonOptions) -> Option<Writer> {
        let form = match target {
            Target::Toml => Form::Toml(None),
            Target::Csv => Form::Delimited(delimited::Table::new(b',')),
            Target::Tsv => Form::Delimited(delimited::Table::new(b'\t')),
            _ => return None,
        };
        Some(Writer { form, options: *options })
    }

    /// Adds a document of `file`, whose root is `root`.
    pub fn document(&mut self, file: &str, root: Node<'_>) -> Result<(), Refusal> {
        let mut reader = Reader::new(file, &self.options);
        match &mut self.form {
            Form::Toml(Some(_)) => {
                let message = "TOML has one document only".to_owned();
                Err(reader.wrong(
                    root,
                    message,
                    "Choose one with `ketch get @0`, and convert that.",
                ))
            }
            Form::Toml(text) => {
                *text = Some(toml::write(root, &mut reader)?);
                Ok(())
            }
            Form::Delimited(table) => table.add(root, &mut reader),
        }
    }

    /// Returns the whole output.
    pub fn finish(self) -> io::Result<Vec<u8>> {
        match self.form {
            Form::Toml(text) => Ok(text.unwrap_or_default().into_bytes()),
            Form::Delimited(table) => table.finish(),
        }
    }
}
