//! Writes items as JSON (RFC 8259).

use crate::error::{NON_FINITE, Problem};
use crate::model::{Item, Sink};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ketch_yaml::compose::NotInJson;

/// Options of a [`JsonSink`].
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct JsonSinkOptions {
    /// Whether to write collections on several lines, indented by two spaces. Default: no.
    pub pretty: bool,
    /// What to do with infinities and NaN. Default: fail.
    pub non_finite: NotInJson,
    /// What to do with tags. Default: omit them, and write only the values.
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

/// Writes values as JSON, in the same form as [`JsonWriter`](ketch_yaml::compose::JsonWriter)
/// writes documents.
#[derive(Debug)]
pub struct JsonSink {
    options: JsonSinkOptions,
    out: Vec<u8>,
    open: Vec<Open>,
    /// The text of the keys of all open mappings, without separators.
    keys: Vec<u8>,
    key_ends: Vec<usize>,
}

/// An open collection.
#[derive(Debug)]
struct Open {
    is_mapping: bool,
    /// The number of items so far or, in a mapping, of keys and values.
    count: u64,
    /// The index in [`JsonSink::key_ends`] of the mapping's first key.
    first_key: usize,
    /// Whether the mapping has a key that is not text. In JSON, this may become the same string as
    /// another key.
    has_other_keys: bool,
}

impl JsonSink {
    /// Creates a sink with the options `options`.
    pub fn new(options: &JsonSinkOptions) -> JsonSink {
        JsonSink {
            options: *options,
            out: Vec::new(),
            open: Vec::new(),
            keys: Vec::new(),
            key_ends: Vec::new(),
        }
    }

    /// Returns the text that has been written since the text was last cleared.
    pub fn text(&self) -> &[u8] {
        &self.out
    }

    /// Clears the text, but keeps the state of open collections.
    pub fn clear_text(&mut self) {
        self.out.clear();
    }

    /// Clears the text, and discards the state of open collections.
    pub fn clear(&mut self) {
        self.out.clear();
        self.open.clear();
        self.keys.clear();
        self.key_ends.clear();
    }

    /// Writes the separator before the next value or key. Returns whether a key is next.
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

    /// If the output is to have several lines, starts a new line with its indentation.
    fn line(&mut self) {
        if self.options.pretty {
            self.out.push(b'\n');
            self.out.extend(std::iter::repeat_n(b' ', 2 * self.open.len()));
        }
    }

    /// Starts a collection. Fails if the collection is a key.
    fn start(&mut self, is_mapping: bool) -> Result<(), Problem> {
        if self.separate() {
            return Err(Problem::NotInJson("collections as keys"));
        }
        self.out.push(if is_mapping { b'{' } else { b'[' });
        let first_key = self.key_ends.len();
        self.open.push(Open { is_mapping, count: 0, first_key, has_other_keys: false });
        Ok(())
    }

    /// Ends the innermost collection. If it is a mapping with keys that are not text, fails if two
    /// keys became equal.
    fn end(&mut self) -> Result<(), Problem> {
        let Some(closed) = self.open.pop() else { return Ok(()) };
        if closed.count > 0 {
            self.line();
        }
        self.out.push(if closed.is_mapping { b'}' } else { b']' });
        let duplicate = closed.has_other_keys.then(|| self.duplicate_key(closed.first_key));
        let start = self.key_start(closed.first_key);
        self.key_ends.truncate(closed.first_key);
        self.keys.truncate(start);
        match duplicate.flatten() {
            Some(key) => Err(Problem::DuplicateJsonKey { key }),
            None => Ok(()),
        }
    }

    /// Returns the offset in [`JsonSink::keys`] at which the key with index `key` starts.
    fn key_start(&self, key: usize) -> usize {
        if key == 0 { 0 } else { self.key_ends[key - 1] }
    }

    /// Returns a key that occurs twice among those from index `first` on, or `None` if there is
    /// none.
    #[cold]
    fn duplicate_key(&self, first: usize) -> Option<String> {
        let ends = first..self.key_ends.len();
        let mut keys: Vec<&[u8]> =
            ends.map(|key| &self.keys[self.key_start(key)..self.key_ends[key]]).collect();
        keys.sort_unstable();
        let twice = keys.windows(2).find(|pair| pair[0] == pair[1])?;
        Some(String::from_utf8_lossy(twice[0]).into_owned())
    }

    /// Records `text` as a key of the innermost mapping. `is_text` says whether the key was text
    /// before it was converted to JSON.
    fn remember(&mut self, text: &[u8], is_text: bool) {
        self.keys.extend_from_slice(text);
        self.key_ends.push(self.keys.len());
        if let Some(open) = self.open.last_mut() {
            open.has_other_keys |= !is_text;
        }
    }

    /// Writes `text` as a JSON string.
    fn string(&mut self, text: &str) {
        // Writing to a vector cannot fail.
        let _ = serde_json::to_writer(&mut self.out, text);
    }

    /// Writes a value that is not text as the string `text`.
    fn text_of_other(&mut self, text: &str) {
        if self.separate() {
            self.remember(text.as_bytes(), false);
        }
        self.string(text);
    }

    /// Writes `text` without quotes, unless it is a key.
    fn bare(&mut self, text: &[u8]) {
        let is_key = self.separate();
        if is_key {
            self.remember(text, false);
        }
        let quote: &[u8] = if is_key { b"\"" } else { b"" };
        self.out.extend_from_slice(quote);
        self.out.extend_from_slice(text);
        self.out.extend_from_slice(quote);
    }

    /// Writes `value`. If it is infinite or NaN, it is written as a string or is an error,
    /// depending on the options.
    fn float(&mut self, value: f64) -> Result<(), Problem> {
        if value.is_finite() {
            let text = serde_json::Number::from_f64(value).map(|number| number.to_string());
            self.bare(text.unwrap_or_default().as_bytes());
            return Ok(());
        }
        let is_key = self.separate();
        // A key becomes a string in any case, so it is not an error.
        if self.options.non_finite == NotInJson::Error && !is_key {
            return Err(Problem::NotInJson(NON_FINITE));
        }
        let text = match value {
            _ if value.is_nan() => ".nan",
            _ if value > 0.0 => ".inf",
            _ => "-.inf",
        };
        if is_key {
            self.remember(text.as_bytes(), false);
        }
        self.string(text);
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
                if self.separate() {
                    self.remember(text.as_bytes(), true);
                }
                self.string(text);
            }
            Item::Binary(bytes) => self.text_of_other(&STANDARD.encode(bytes)),
            Item::Timestamp(value) => self.text_of_other(&value.to_string()),
            Item::Tag(_) if self.options.unknown_tags == NotInJson::Convert => {}
            Item::Tag(_) => return Err(Problem::NotInJson("tags")),
            Item::SequenceStart(_) => self.start(false)?,
            Item::MappingStart(_) => self.start(true)?,
            Item::SequenceEnd | Item::MappingEnd => self.end()?,
        }
        Ok(())
    }
}
