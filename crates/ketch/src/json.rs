//! Items as JSON (RFC 8259).

use crate::error::Problem;
use crate::model::{Item, Sink};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ketch_yaml::compose::NotInJson;

/// How to write JSON.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct JsonSinkOptions {
    /// On several lines, indented by two spaces. Default: off.
    pub pretty: bool,
    /// What to do with infinities and not-a-number. Default: an error.
    pub non_finite: NotInJson,
    /// What to do with tags. Default: write the value alone.
    pub unknown_tags: NotInJson,
}

impl Default for JsonSinkOptions {
    fn default() -> JsonSinkOptions {
        JsonSinkOptions {
            pretty: false,
            non_finite: NotInJson::Error,
            unknown_tags: NotInJson::Convert,
        }
    }
}

/// Writes values as JSON, in the same words as
/// [`JsonWriter`](ketch_yaml::compose::JsonWriter) writes documents.
#[derive(Debug)]
pub struct JsonSink {
    options: JsonSinkOptions,
    out: Vec<u8>,
    open: Vec<Open>,
}

/// An open collection.
#[derive(Debug)]
struct Open {
    is_mapping: bool,
    /// Entries, or keys and values, so far.
    count: u64,
}

impl JsonSink {
    /// A sink with these options.
    pub fn new(options: &JsonSinkOptions) -> JsonSink {
        JsonSink { options: *options, out: Vec::new(), open: Vec::new() }
    }

    /// What was written and not taken.
    pub fn text(&self) -> &[u8] {
        &self.out
    }

    /// Takes what was written.
    pub fn clear_text(&mut self) {
        self.out.clear();
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.out.clear();
        self.open.clear();
    }

    /// What stands between the last value and this one. Tells whether this one is a key.
    fn separate(&mut self) -> bool {
        let Some(open) = self.open.last_mut() else { return false };
        let (count, is_mapping) = (open.count, open.is_mapping);
        open.count += 1;
        if is_mapping && count % 2 == 1 {
            self.out.extend_from_slice(if self.options.pretty { b": " } else { b":" });
            return false;
        }
        if count > 0 {
            self.out.push(b',');
        }
        self.line();
        is_mapping
    }

    /// A new line, where lines are asked for.
    fn line(&mut self) {
        if self.options.pretty {
            self.out.push(b'\n');
            self.out.extend(std::iter::repeat_n(b' ', 2 * self.open.len()));
        }
    }

    fn start(&mut self, is_mapping: bool) -> Result<(), Problem> {
        if self.separate() {
            return Err(Problem::NotInJson("collections as keys"));
        }
        self.out.push(if is_mapping { b'{' } else { b'[' });
        self.open.push(Open { is_mapping, count: 0 });
        Ok(())
    }

    fn end(&mut self) {
        let Some(closed) = self.open.pop() else { return };
        if closed.count > 0 {
            self.line();
        }
        self.out.push(if closed.is_mapping { b'}' } else { b']' });
    }

    fn string(&mut self, text: &str) {
        // A vector takes all that is written to it.
        let _ = serde_json::to_writer(&mut self.out, text);
    }

    /// A value that is written without quotes, unless it is a key.
    fn bare(&mut self, text: &[u8]) {
        let quote: &[u8] = if self.separate() { b"\"" } else { b"" };
        self.out.extend_from_slice(quote);
        self.out.extend_from_slice(text);
        self.out.extend_from_slice(quote);
    }

    fn float(&mut self, value: f64) -> Result<(), Problem> {
        if value.is_finite() {
            let text = serde_json::Number::from_f64(value).map(|number| number.to_string());
            self.bare(text.unwrap_or_default().as_bytes());
            return Ok(());
        }
        let is_key = self.separate();
        // A string is what a key becomes anyway.
        if self.options.non_finite == NotInJson::Error && !is_key {
            return Err(Problem::NotInJson("infinities and no not-a-number"));
        }
        self.string(match value {
            _ if value.is_nan() => ".nan",
            _ if value > 0.0 => ".inf",
            _ => "-.inf",
        });
        Ok(())
    }
}

impl Sink for JsonSink {
    fn item(&mut self, item: Item<'_>) -> Result<(), Problem> {
        match item {
            Item::Null => self.bare(b"null"),
            Item::Bool(value) => self.bare(if value { b"true" } else { b"false" }),
            Item::Int(value) => self.bare(value.to_string().as_bytes()),
            Item::BigInt(digits) => self.bare(digits.as_bytes()),
            Item::Float(value) => self.float(value)?,
            Item::Str(text) => {
                self.separate();
                self.string(text);
            }
            Item::Binary(bytes) => {
                self.separate();
                self.string(&STANDARD.encode(bytes));
            }
            Item::Timestamp(value) => {
                self.separate();
                self.string(&value.to_string());
            }
            Item::Tag(_) if self.options.unknown_tags == NotInJson::Convert => {}
            Item::Tag(_) => return Err(Problem::NotInJson("tags")),
            Item::SequenceStart(_) => self.start(false)?,
            Item::MappingStart(_) => self.start(true)?,
            Item::SequenceEnd | Item::MappingEnd => self.end(),
        }
        Ok(())
    }
}
