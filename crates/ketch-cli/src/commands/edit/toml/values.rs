//! Converts nodes of YAML to values of TOML.

use super::changes::Changes;
use super::source::{Old, index};
use crate::status::Failure;
use ketch_yaml::compose::{Kind, Node, Style};
use ketch_yaml::schema::{Scalar, Schema};
use toml_edit::{Array, Datetime, InlineTable, Value};

impl Changes<'_> {
    /// Returns `node` as a value. `old` is what it replaces.
    pub fn value(&self, node: Node<'_>, old: Option<&Old>) -> Result<Value, Failure> {
        self.check(node)?;
        match node.kind() {
            Kind::Sequence => {
                let items = node.items().map(|item| self.value(item, None));
                Ok(Value::Array(items.collect::<Result<Array, _>>()?))
            }
            Kind::Mapping => {
                let mut table = InlineTable::new();
                for (key, value) in node.entries() {
                    table.insert(self.key(key)?, self.value(value, None)?);
                }
                Ok(Value::InlineTable(table))
            }
            _ => self.scalar(node, old),
        }
    }

    /// Returns the text of the key `node`.
    pub fn key(&self, node: Node<'_>) -> Result<String, Failure> {
        self.check(node)?;
        match node.kind() {
            Kind::Scalar => Ok(node.text().into_owned()),
            _ => Err(self.wrong("a key of TOML is text".to_owned(), "Write the key as text.")),
        }
    }

    /// Fails if `node` has what TOML lacks.
    fn check(&self, node: Node<'_>) -> Result<(), Failure> {
        let tag = node.tag().filter(|tag| !tag.starts_with("tag:yaml.org,2002:"));
        let (what, help) = match node.kind() {
            Kind::Alias => ("aliases", "Write the value itself."),
            _ if tag.is_some() => {
                ("tags", "Write the value without its tag; `--str` takes it as text.")
            }
            _ if node.anchor().is_some() && index(node).is_none() => {
                ("anchors", "Write the value without its anchor.")
            }
            _ => return Ok(()),
        };
        Err(self.wrong(format!("TOML has no {what}"), help))
    }

    fn scalar(&self, node: Node<'_>, old: Option<&Old>) -> Result<Value, Failure> {
        let text = node.text();
        let number = match node.scalar(Schema::Core) {
            Ok(Scalar::Null) => {
                let help = "`ketch del` deletes an entry, and `--str` writes the value as text.";
                return Err(self.wrong("TOML has no null".to_owned(), help));
            }
            Ok(Scalar::Bool(value)) => return Ok(Value::from(value)),
            Ok(Scalar::Int(value)) => text.parse().unwrap_or_else(|_| Value::from(value)),
            Ok(Scalar::Float(value)) if !value.is_finite() => return Ok(Value::from(value)),
            Ok(Scalar::Float(value)) => {
                spelled(&text).parse().unwrap_or_else(|_| Value::from(value))
            }
            Ok(Scalar::BigInt(_)) => {
                let message = format!("TOML has no integer as long as `{text}`");
                return Err(self.wrong(message, "`--str` writes it as text."));
            }
            _ => return Ok(text_value(&text, node.style() == Style::Plain, old)),
        };
        Ok(number)
    }
}

/// Returns the float `text` as TOML spells it, with digits on both sides of the point.
fn spelled(text: &str) -> String {
    let (sign, digits) = text.split_at(usize::from(text.starts_with(['+', '-'])));
    let digits = digits.trim_start_matches('0');
    let zero = if digits.starts_with(|first: char| first.is_ascii_digit()) { "" } else { "0" };
    let (base, exponent) = digits.split_at(digits.find(['e', 'E']).unwrap_or(digits.len()));
    let end = if base.ends_with('.') { "0" } else { "" };
    format!("{sign}{zero}{base}{end}{exponent}")
}

/// Returns `text` as a value. Plain text, and text that replaces a time, may be a date or a time.
fn text_value(text: &str, is_plain: bool, old: Option<&Old>) -> Value {
    let before = old.and_then(|old| old.item.as_value());
    let was_time = before.and_then(Value::as_datetime).is_some_and(|time| time.date.is_none());
    let is_date = |date: &Datetime| if date.date.is_some() { is_plain } else { was_time };
    if text.parse().ok().filter(is_date).is_some()
        && let Ok(value) = text.parse()
    {
        return value;
    }
    // A literal string stays one if it can.
    let is_literal = |value: &Value| match value {
        Value::String(text) => text.display_repr().starts_with('\''),
        _ => false,
    };
    if before.is_some_and(is_literal)
        && !text.contains(|ch: char| ch == '\'' || ch.is_control())
        && let Ok(value) = format!("'{text}'").parse()
    {
        return value;
    }
    Value::from(text)
}
