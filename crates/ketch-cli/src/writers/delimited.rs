//! Writes CSV and TSV.

use super::reader::{Reader, Value};
use crate::documents::Refusal;
use csv::WriterBuilder;
use ketch_yaml::compose::{Kind, Node};
use std::collections::HashMap;
use std::io;

/// The rows of a table. All rows of mappings share the columns.
pub struct Table {
    delimiter: u8,
    columns: Vec<String>,
    index: HashMap<String, usize>,
    rows: Vec<Vec<String>>,
}

const HELP: &str = "Choose what is in the table with `ketch get`, and convert that.";

impl Table {
    pub fn new(delimiter: u8) -> Table {
        Table { delimiter, columns: Vec::new(), index: HashMap::new(), rows: Vec::new() }
    }

    /// Adds the rows of a document: the items of a sequence, or one mapping.
    pub fn add(&mut self, root: Node<'_>, reader: &mut Reader<'_>) -> Result<(), Refusal> {
        let root = root.resolved();
        match root.kind() {
            Kind::Sequence => root.items().try_for_each(|row| self.row(row, reader)),
            _ => self.row(root, reader),
        }
    }

    /// Adds a row: a mapping, whose keys are the names of columns, or a sequence.
    fn row(&mut self, row: Node<'_>, reader: &mut Reader<'_>) -> Result<(), Refusal> {
        let node = row.resolved();
        let mut cells = Vec::new();
        match node.kind() {
            Kind::Mapping => {
                for (key, value) in reader.entries(node)? {
                    let key = reader.key(key)?;
                    let cell = cell(value, reader)?;
                    let columns = &mut self.columns;
                    let at = *self.index.entry(key).or_insert_with_key(|key| {
                        columns.push(key.clone());
                        columns.len() - 1
                    });
                    if cells.len() <= at {
                        cells.resize(at + 1, String::new());
                    }
                    cells[at] = cell;
                }
            }
            Kind::Sequence => {
                for item in node.items() {
                    cells.push(cell(item, reader)?);
                }
            }
            _ => {
                let message = "a row must be a mapping or a sequence".to_owned();
                return Err(reader.wrong(row, message, HELP));
            }
        }
        self.rows.push(cells);
        Ok(())
    }

    /// Returns the table as text.
    pub fn finish(self) -> io::Result<Vec<u8>> {
        let mut writer = WriterBuilder::new().delimiter(self.delimiter).from_writer(Vec::new());
        let rows = self.rows.iter().map(Vec::len);
        let width = rows.chain([self.columns.len()]).max().unwrap_or(0);
        let header = (!self.columns.is_empty()).then_some(&self.columns);
        for row in header.into_iter().chain(&self.rows) {
            let missing = std::iter::repeat_n("", width - row.len());
            writer
                .write_record(row.iter().map(String::as_str).chain(missing))
                .map_err(io::Error::other)?;
        }
        writer.into_inner().map_err(|error| io::Error::other(error.to_string()))
    }
}

/// Returns the text of a cell.
fn cell(node: Node<'_>, reader: &mut Reader<'_>) -> Result<String, Refusal> {
    reader.count(node, 0)?;
    match node.resolved().kind() {
        Kind::Scalar => {}
        kind => {
            let what = if kind == Kind::Mapping { "a mapping" } else { "a sequence" };
            return Err(reader.wrong(node, format!("{what} does not fit into a cell"), HELP));
        }
    }
    Ok(match reader.scalar(node)? {
        Value::Null => String::new(),
        Value::Text(text) | Value::Token(text) => text,
        Value::NonFinite(_) => node.text().into_owned(),
    })
}
