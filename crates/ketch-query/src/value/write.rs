//! Values as JSON.

use super::{Kind, Value};
use std::sync::Arc;

/// How a level of nesting is indented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Indent {
    /// All on one line.
    None,
    /// By a number of spaces.
    Spaces(u8),
    /// By a tab.
    Tab,
}

/// How JSON is written.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// How levels are indented.
    pub indent: Indent,
    /// Whether the keys of objects are sorted.
    pub sorts: bool,
    /// Whether characters outside ASCII are escaped.
    pub ascii: bool,
    /// Whether the output is coloured for a terminal.
    pub colors: bool,
}

impl Format {
    /// JSON on one line.
    pub const COMPACT: Format =
        Format { indent: Indent::None, sorts: false, ascii: false, colors: false };
}

/// The entries of an open collection that are still to be written.
enum Entries {
    Array(std::vec::IntoIter<Value>),
    Object(std::vec::IntoIter<(Arc<str>, Value)>),
}

/// An open collection.
struct Open {
    entries: Entries,
    /// Whether an entry was written.
    has_entry: bool,
}

/// jq's colours: null, false, true, numbers, strings, arrays, objects, keys.
const COLORS: [&str; 8] = [
    "\x1b[0;90m",
    "\x1b[0;39m",
    "\x1b[0;39m",
    "\x1b[0;39m",
    "\x1b[0;32m",
    "\x1b[1;39m",
    "\x1b[1;39m",
    "\x1b[34;1m",
];
const RESET: &str = "\x1b[0m";

impl Value {
    /// Returns the value as JSON on one line.
    pub fn to_json(&self) -> String {
        let mut out = String::new();
        self.write_json(&mut out, Format::COMPACT);
        out
    }

    /// Appends the value as JSON to `out`.
    pub fn write_json(&self, out: &mut String, format: Format) {
        Writer { out, format, open: Vec::new() }.value(self);
    }
}

struct Writer<'o> {
    out: &'o mut String,
    format: Format,
    open: Vec<Open>,
}

impl Writer<'_> {
    /// Writes `value` and all that is in it.
    fn value(mut self, value: &Value) {
        self.start(value);
        while let Some(open) = self.open.last_mut() {
            let (next, is_object) = match &mut open.entries {
                Entries::Array(entries) => (entries.next().map(|value| (None, value)), false),
                Entries::Object(entries) => {
                    (entries.next().map(|(key, value)| (Some(key), value)), true)
                }
            };
            match next {
                Some((key, value)) => self.entry(key, &value),
                None => self.end(is_object),
            }
        }
    }

    /// Writes an entry of the open collection, with the comma before it.
    fn entry(&mut self, key: Option<Arc<str>>, value: &Value) {
        let is_first =
            self.open.last_mut().is_some_and(|open| !std::mem::replace(&mut open.has_entry, true));
        if !is_first {
            self.colored(if key.is_some() { 6 } else { 5 }, ",");
        }
        self.line(self.open.len());
        if let Some(key) = key {
            let mut text = String::new();
            write_text(&mut text, &key, self.format.ascii);
            self.colored(7, &text);
            self.colored(6, ":");
            if self.format.indent != Indent::None {
                self.out.push(' ');
            }
        }
        self.start(value);
    }

    /// Closes the open collection.
    fn end(&mut self, is_object: bool) {
        if self.open.pop().is_some_and(|open| open.has_entry) {
            self.line(self.open.len());
        }
        let (color, bracket) = if is_object { (6, "}") } else { (5, "]") };
        self.colored(color, bracket);
    }

    /// Writes a scalar, or opens a collection.
    fn start(&mut self, value: &Value) {
        match value.kind() {
            Kind::Array => {
                let entries = value.as_array().map(|array| array.entries.clone());
                self.open(Entries::Array(entries.unwrap_or_default().into_iter()));
                self.colored(5, "[");
            }
            Kind::Object => {
                let object = value.as_object().unwrap_or_default();
                let entries = object.entries.iter();
                let mut entries: Vec<_> =
                    entries.map(|(key, value)| (key.clone(), value.clone())).collect();
                if self.format.sorts {
                    entries.sort_by(|a, b| a.0.cmp(&b.0));
                }
                self.open(Entries::Object(entries.into_iter()));
                self.colored(6, "{");
            }
            kind => self.scalar(kind, value),
        }
    }

    /// Opens a collection.
    fn open(&mut self, entries: Entries) {
        self.open.push(Open { entries, has_entry: false });
    }

    /// Writes a scalar of the type `kind`.
    fn scalar(&mut self, kind: Kind, value: &Value) {
        match kind {
            Kind::Null => self.colored(0, "null"),
            Kind::False => self.colored(1, "false"),
            Kind::True => self.colored(2, "true"),
            Kind::Number => {
                let text =
                    value.as_number().map(|number| Value::number_json(&number)).unwrap_or_default();
                self.colored(3, &text);
            }
            _ if !self.format.colors => {
                write_text(self.out, &value.as_text().unwrap_or_default(), self.format.ascii)
            }
            _ => {
                let mut text = String::new();
                write_text(&mut text, &value.as_text().unwrap_or_default(), self.format.ascii);
                self.colored(4, &text);
            }
        }
    }

    /// Starts a line with this depth, if there is one for each entry.
    fn line(&mut self, depth: usize) {
        match self.format.indent {
            Indent::None => {}
            Indent::Spaces(count) => {
                self.out.push('\n');
                self.out.extend(std::iter::repeat_n(' ', depth * count as usize));
            }
            Indent::Tab => {
                self.out.push('\n');
                self.out.extend(std::iter::repeat_n('\t', depth));
            }
        }
    }

    /// Writes `text` in one of the colours.
    fn colored(&mut self, color: usize, text: &str) {
        if self.format.colors {
            self.out.push_str(COLORS[color]);
            self.out.push_str(text);
            self.out.push_str(RESET);
        } else {
            self.out.push_str(text);
        }
    }
}

/// Writes `text` as a JSON string, as jq does: with DEL escaped, and with `ascii` all that is outside ASCII.
pub fn write_text(out: &mut String, text: &str, ascii: bool) {
    use std::fmt::Write;
    out.push('"');
    let mut rest = text;
    let is_special =
        |ch: char| ch < ' ' || ch == '"' || ch == '\\' || ch == '\x7f' || ascii && !ch.is_ascii();
    while let Some(at) = rest.find(is_special) {
        out.push_str(&rest[..at]);
        let ch = rest[at..].chars().next().unwrap_or_default();
        match ch {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            _ => {
                for unit in ch.encode_utf16(&mut [0; 2]) {
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
        }
        rest = &rest[at + ch.len_utf8()..];
    }
    out.push_str(rest);
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value() -> Value {
        let inner = Value::object([("b".into(), Value::array(Vec::new()))].into_iter().collect());
        Value::array(vec!["[".into(), inner, Value::Null])
    }

    #[test]
    fn commas_are_between_entries_also_with_colors() {
        let mut out = String::new();
        value().write_json(&mut out, Format { colors: true, ..Format::COMPACT });
        let mut plain = out.clone();
        for color in COLORS.iter().chain([&RESET]) {
            plain = plain.replace(color, "");
        }
        assert_eq!(plain, "[\"[\",{\"b\":[]},null]");
    }

    #[test]
    fn what_is_already_written_does_not_count() {
        let mut out = "x[".to_owned();
        value().write_json(&mut out, Format::COMPACT);
        assert_eq!(out, "x[[\"[\",{\"b\":[]},null]");
    }

    #[test]
    fn entries_are_on_lines_of_their_own() {
        let mut out = String::new();
        value().write_json(&mut out, Format { indent: Indent::Spaces(2), ..Format::COMPACT });
        assert_eq!(out, "[\n  \"[\",\n  {\n    \"b\": []\n  },\n  null\n]");
    }

    #[test]
    fn texts_are_escaped() {
        let mut out = String::new();
        write_text(&mut out, "a\"\\\n\u{7f}é😀", true);
        assert_eq!(out, r#""a\"\\\n\u007f\u00e9\ud83d\ude00""#);
    }
}
