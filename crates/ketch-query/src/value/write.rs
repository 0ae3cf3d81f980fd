//! Values as JSON.

use super::{Array, CellKind, Json, Kind, Object, Value};
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

/// An open collection, with the index of the next entry.
enum Open {
    Array(Arc<Array>, usize),
    Object(Arc<Object>, usize),
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
            match open {
                Open::Array(array, next) => {
                    let (array, at) = (array.clone(), *next);
                    *next += 1;
                    match array.entries.get(at) {
                        Some(value) => self.entry(None, value, at == 0),
                        None => self.end(false, at == 0),
                    }
                }
                Open::Object(object, next) => {
                    let (object, at) = (object.clone(), *next);
                    *next += 1;
                    match object.entries.get_index(at) {
                        Some((key, value)) => self.entry(Some(key), value, at == 0),
                        None => self.end(true, at == 0),
                    }
                }
            }
        }
    }

    /// Writes an entry of the open collection, with the comma before it.
    fn entry(&mut self, key: Option<&str>, value: &Value, is_first: bool) {
        self.separate(key.is_some(), is_first, self.open.len());
        if let Some(key) = key {
            self.key(key);
        }
        self.start(value);
    }

    /// Writes the comma before an entry, and starts its line.
    fn separate(&mut self, is_object: bool, is_first: bool, depth: usize) {
        if !is_first {
            self.colored(if is_object { 6 } else { 5 }, ",");
        }
        self.line(depth);
    }

    /// Writes a key with its colon.
    fn key(&mut self, key: &str) {
        self.text(7, key);
        self.colored(6, ":");
        if self.format.indent != Indent::None {
            self.out.push(' ');
        }
    }

    /// Closes the open collection.
    fn end(&mut self, is_object: bool, is_empty: bool) {
        self.open.pop();
        self.close(is_object, is_empty, self.open.len());
    }

    /// Writes the end of a collection.
    fn close(&mut self, is_object: bool, is_empty: bool, depth: usize) {
        if !is_empty {
            self.line(depth);
        }
        let (color, bracket) = if is_object { (6, "}") } else { (5, "]") };
        self.colored(color, bracket);
    }

    /// Writes a scalar, or opens a collection.
    fn start(&mut self, value: &Value) {
        if let Value::Json(json, at) = value
            && !self.format.sorts
        {
            return self.json(json, *at);
        }
        match value.kind() {
            Kind::Array => {
                self.open.push(Open::Array(value.as_array().unwrap_or_default(), 0));
                self.colored(5, "[");
            }
            Kind::Object => {
                let mut object = value.as_object().unwrap_or_default();
                if self.format.sorts {
                    let sorted = |object: &Object| {
                        let pairs = object.entries.clone().into_iter();
                        let mut pairs: Vec<_> = pairs.collect();
                        pairs.sort_by(|a, b| a.0.cmp(&b.0));
                        pairs.into_iter().collect()
                    };
                    object = Arc::new(Object { entries: sorted(&object), origin: None });
                }
                self.open.push(Open::Object(object, 0));
                self.colored(6, "{");
            }
            kind => self.scalar(kind, value),
        }
    }

    /// Writes the value at `at` of a JSON text, which is not decoded.
    fn json(&mut self, json: &Arc<Json>, mut at: usize) {
        let (outer, tape) = (self.open.len(), json.tape());
        // The ends of the open collections, and whether they are objects.
        let mut open: Vec<(usize, bool)> = Vec::new();
        loop {
            let kind = tape.kind(at);
            let mut is_first = matches!(kind, CellKind::Array | CellKind::Object);
            if is_first {
                let is_object = kind == CellKind::Object;
                self.colored(if is_object { 6 } else { 5 }, if is_object { "{" } else { "[" });
                open.push((tape.after(at), is_object));
                at += 2;
            } else {
                self.json_scalar(json, at, kind);
                at = tape.after(at);
            }
            loop {
                let Some(&(end, is_object)) = open.last() else { return };
                if at < end {
                    self.separate(is_object, is_first, outer + open.len());
                    if is_object {
                        self.key(&json.text(at));
                        at = tape.after(at);
                    }
                    break;
                }
                open.pop();
                self.close(is_object, is_first, outer + open.len());
                is_first = false;
            }
        }
    }

    /// Writes a scalar of a JSON text.
    fn json_scalar(&mut self, json: &Arc<Json>, at: usize, kind: CellKind) {
        match kind {
            CellKind::Text | CellKind::Escaped => self.text(4, &json.text(at)),
            CellKind::Number if json.is_plain_number(at) => self.colored(3, json.written(at)),
            _ => {
                let value = json.value(at);
                self.scalar(value.kind(), &value);
            }
        }
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
            _ => self.text(4, &value.borrow_text().unwrap_or_default()),
        }
    }

    /// Writes a text in one of the colours.
    fn text(&mut self, color: usize, text: &str) {
        if !self.format.colors {
            return write_text(self.out, text, self.format.ascii);
        }
        let mut written = String::new();
        write_text(&mut written, text, self.format.ascii);
        self.colored(color, &written);
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
    let special = if ascii { &SPECIAL_OR_WIDE } else { &SPECIAL };
    while let Some(at) = rest.bytes().position(|byte| special[byte as usize]) {
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

/// The bytes that are escaped in strings.
const SPECIAL: [bool; 256] = special(0x100);
/// The same with those of characters outside ASCII.
const SPECIAL_OR_WIDE: [bool; 256] = special(0x80);

/// Returns for each byte whether it is escaped; those from `wide` on are.
const fn special(wide: usize) -> [bool; 256] {
    let mut special = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        special[byte] = byte < 0x20 || byte == 0x22 || byte == 0x5c || byte == 0x7f || byte >= wide;
        byte += 1;
    }
    special
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
