//! Reads the values of nodes for the writers of TOML and tables.

use crate::diagnostic::Diagnostic;
use crate::documents::Refusal;
use crate::formats::DEPTH_MAX;
use crate::status::Failure;
use ketch_yaml::compose::{JsonError, JsonOptions, JsonWriter, Kind, Node, NotInJson};
use ketch_yaml::schema::Scalar;
use std::io;

/// The maximum number of nodes of the output, which bounds what aliases expand to.
const NODES_MAX: usize = 10_000_000;

/// Reads nodes as values.
pub struct Reader<'f> {
    file: &'f str,
    options: JsonOptions,
    json: JsonWriter,
    nodes: usize,
}

/// The value of a scalar.
pub enum Value {
    Null,
    Text(String),
    /// A boolean or a number, as JSON has it.
    Token(String),
    NonFinite(f64),
}

impl<'f> Reader<'f> {
    pub fn new(file: &'f str, options: &JsonOptions) -> Reader<'f> {
        let mut options = *options;
        (options.pretty, options.non_finite) = (false, NotInJson::Convert);
        Reader { file, options, json: JsonWriter::new(&options), nodes: 0 }
    }

    /// Returns the refusal of `node`.
    pub fn wrong(&self, node: Node<'_>, message: String, help: &str) -> Refusal {
        let mut diagnostic = Diagnostic::sentence(self.file, "NotInFormat", "semantic", message);
        diagnostic.location = Some(node.location());
        diagnostic.help = Some(help.to_owned());
        Refusal::Failure(Failure::Input(Box::new(diagnostic)))
    }

    /// Counts `node`, which is `depth` levels deep. Fails if it is too deep or there are too many.
    pub fn count(&mut self, node: Node<'_>, depth: usize) -> Result<(), Refusal> {
        self.nodes += 1;
        let message = match () {
            () if depth > DEPTH_MAX => {
                format!("values are nested more than {DEPTH_MAX} levels deep")
            }
            () if self.nodes > NODES_MAX => {
                format!("aliases expand to more than {NODES_MAX} nodes")
            }
            () => return Ok(()),
        };
        Err(self.wrong(node, message, "JSON and YAML have no such limit."))
    }

    /// Returns the value of the scalar `node`.
    pub fn scalar(&mut self, node: Node<'_>) -> Result<Value, Refusal> {
        if let Ok(Scalar::Float(value)) = node.scalar(self.options.schema)
            && !value.is_finite()
            && !node.content().iter().any(u8::is_ascii_digit)
        {
            return Ok(Value::NonFinite(value));
        }
        let mut text = Vec::new();
        self.json.write_node(node, &mut text).map_err(|error| match error {
            JsonError::Document(error) => Refusal::Document(error),
            error => Refusal::Failure(Failure::write(self.file, io::Error::other(error))),
        })?;
        Ok(match text.first() {
            Some(b'n') => Value::Null,
            Some(b'"') => Value::Text(serde_json::from_slice(&text).unwrap_or_default()),
            _ => Value::Token(String::from_utf8_lossy(&text).into_owned()),
        })
    }

    /// Returns the text of the key `node`.
    pub fn key(&mut self, node: Node<'_>) -> Result<String, Refusal> {
        if node.resolved().kind() != Kind::Scalar {
            return Err(self.wrong(node, "a key must be a scalar".to_owned(), "Write it as text."));
        }
        Ok(match self.scalar(node)? {
            Value::Null => "null".to_owned(),
            Value::Text(text) | Value::Token(text) => text,
            Value::NonFinite(_) => node.text().into_owned(),
        })
    }

    /// Returns the entries of the mapping `node`, with those that `<<` merges if the options say so.
    pub fn entries<'d>(&self, node: Node<'d>) -> Result<Vec<(Node<'d>, Node<'d>)>, Refusal> {
        let merges = self.options.merge_keys.unwrap_or(self.options.schema.has_merge_keys());
        match merges {
            true => Ok(node.merged_entries()?),
            false => Ok(node.entries().collect()),
        }
    }
}
