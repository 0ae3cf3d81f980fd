//! Writes TOML.

use super::reader::{Reader, Value};
use crate::documents::Refusal;
use ketch_yaml::compose::{Kind, Node, Style};
use toml::value::Datetime;
use toml_writer::{ToTomlKey, ToTomlValue, TomlKeyBuilder, TomlStringBuilder};

/// Returns the mapping `root` as TOML.
pub fn write(root: Node<'_>, reader: &mut Reader<'_>) -> Result<String, Refusal> {
    match value(root, reader, 0)? {
        Data::Table(entries) => {
            let mut out = String::new();
            write_table(&mut out, &mut Vec::new(), &entries);
            Ok(out)
        }
        _ => Err(reader.wrong(
            root,
            "a file of TOML is a mapping".to_owned(),
            "Choose a mapping with `ketch get`, and convert that.",
        )),
    }
}

enum Data {
    /// A value in its TOML form.
    Token(String),
    Array(Vec<Data>),
    Table(Vec<(String, Data)>),
}

impl Data {
    /// Returns whether this is written with a header of its own, `[a]` or `[[a]]`.
    fn has_header(&self) -> bool {
        match self {
            Data::Token(_) => false,
            Data::Table(_) => true,
            Data::Array(items) => {
                !items.is_empty() && items.iter().all(|item| matches!(item, Data::Table(_)))
            }
        }
    }
}

/// Converts `node`, which is `depth` levels deep. The reader bounds the depth.
fn value(node: Node<'_>, reader: &mut Reader<'_>, depth: usize) -> Result<Data, Refusal> {
    reader.count(node, depth)?;
    let target = node.resolved();
    match target.kind() {
        Kind::Sequence => {
            let items = target.items().map(|item| value(item, reader, depth + 1));
            Ok(Data::Array(items.collect::<Result<_, _>>()?))
        }
        Kind::Mapping => {
            let mut entries = Vec::new();
            for (key, entry) in reader.entries(target)? {
                entries.push((reader.key(key)?, value(entry, reader, depth + 1)?));
            }
            Ok(Data::Table(entries))
        }
        _ => scalar(target, reader).map(Data::Token),
    }
}

/// Returns a scalar as TOML. Plain text that is a date becomes a date.
fn scalar(node: Node<'_>, reader: &mut Reader<'_>) -> Result<String, Refusal> {
    match reader.scalar(node)? {
        Value::Null => Err(reader.wrong(
            node,
            "TOML has no null".to_owned(),
            "Delete the entry first, for example with `ketch del`.",
        )),
        Value::Text(text) => {
            let is_plain = node.style() == Style::Plain;
            match node.content_date().filter(|_| is_plain) {
                Some(date) => Ok(date.to_string()),
                None => Ok(TomlStringBuilder::new(&text).as_default().to_toml_value()),
            }
        }
        Value::Token(token) if is_beyond(&token) => {
            let message = format!("TOML has no integer as long as `{token}`");
            Err(reader.wrong(node, message, "Write it as text, in quotes."))
        }
        Value::Token(token) => Ok(token),
        Value::NonFinite(value) if value.is_nan() => Ok("nan".to_owned()),
        Value::NonFinite(value) => Ok(if value > 0.0 { "inf" } else { "-inf" }.to_owned()),
    }
}

/// Returns whether `token` is an integer that does not fit in 64 bits.
fn is_beyond(token: &str) -> bool {
    let is_integer = token.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    is_integer && token.parse::<i64>().is_err()
}

/// A node whose text may be a date.
trait Dated {
    fn content_date(&self) -> Option<Datetime>;
}

impl Dated for Node<'_> {
    fn content_date(&self) -> Option<Datetime> {
        self.text().parse().ok().filter(|date: &Datetime| date.date.is_some())
    }
}

/// Writes the entries of a table whose path is `path`: first those without headers.
fn write_table(out: &mut String, path: &mut Vec<String>, entries: &[(String, Data)]) {
    for (key, data) in entries.iter().filter(|(_, data)| !data.has_header()) {
        out.push_str(&quoted(key));
        out.push_str(" = ");
        write_inline(out, data);
        out.push('\n');
    }
    for (key, data) in entries.iter().filter(|(_, data)| data.has_header()) {
        path.push(quoted(key));
        match data {
            Data::Table(inner) => {
                // A table that has only other tables needs no header.
                if inner.is_empty() || inner.iter().any(|(_, data)| !data.has_header()) {
                    write_header(out, "[", path, "]");
                }
                write_table(out, path, inner);
            }
            Data::Array(items) => {
                for item in items {
                    write_header(out, "[[", path, "]]");
                    if let Data::Table(inner) = item {
                        write_table(out, path, inner);
                    }
                }
            }
            Data::Token(_) => {}
        }
        path.pop();
    }
}

fn write_header(out: &mut String, open: &str, path: &[String], close: &str) {
    if !out.is_empty() {
        out.push('\n');
    }
    out.push_str(&format!("{open}{}{close}\n", path.join(".")));
}

/// Writes a value on one line.
fn write_inline(out: &mut String, data: &Data) {
    match data {
        Data::Token(token) => out.push_str(token),
        Data::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index > 0 { ", " } else { "" });
                write_inline(out, item);
            }
            out.push(']');
        }
        Data::Table(entries) if entries.is_empty() => out.push_str("{}"),
        Data::Table(entries) => {
            for (index, (key, data)) in entries.iter().enumerate() {
                out.push_str(if index > 0 { ", " } else { "{ " });
                out.push_str(&quoted(key));
                out.push_str(" = ");
                write_inline(out, data);
            }
            out.push_str(" }");
        }
    }
}

fn quoted(key: &str) -> String {
    TomlKeyBuilder::new(key).as_default().to_toml_key()
}
