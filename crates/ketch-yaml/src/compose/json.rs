//! Documents as JSON (RFC 8259).

use super::document::Document;
use super::expand::{ExpandOptions, Expanded, Role, Step, Visit};
use super::json_keys::Checked;
use super::json_number;
use super::options::FloatKeys;
use super::view::{Kind, Node};
use super::{json_keys, key};
use crate::error::Error;
use crate::limits::Limits;
use crate::problem::Problem;
use crate::schema::{BigInt, Scalar, Schema};
use crate::tag::{YAML_PREFIX, is_known};
use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write};

/// What to do with values that JSON cannot represent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum NotInJson {
    /// Report the error [`Problem::NotJson`].
    #[default]
    Error,
    /// Write a substitute: the strings `".inf"`, `"-.inf"` and `".nan"` for infinities and
    /// not-a-number, and the value without its tag for an unknown tag.
    Convert,
}

/// Options for writing JSON.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct JsonOptions {
    /// The schema that gives plain scalars their values. Default: core.
    pub schema: Schema,
    /// Whether `<<` merges. With `None`, the default, the schema decides; see
    /// [`ComposeOptions::merge_keys`](crate::ComposeOptions::merge_keys).
    pub merge_keys: Option<bool>,
    /// Whether to write JSON on several lines, indented by two spaces. Default: off.
    pub pretty: bool,
    /// Whether to write JSON lines: the items of a list as values of their own, with line feeds
    /// instead of brackets and commas. Default: off.
    pub lines: bool,
    /// What to do with `.inf` and `.nan`. Default: an error.
    pub non_finite: NotInJson,
    /// What to do with tags that YAML does not define. Default: write values without these tags.
    pub unknown_tags: NotInJson,
    /// The limits. [`Limits::max_alias_nodes`] bounds the number of nodes that aliases expand to.
    pub limits: Limits,
}

impl Default for JsonOptions {
    fn default() -> Self {
        JsonOptions {
            schema: Schema::Core,
            merge_keys: None,
            pretty: false,
            lines: false,
            non_finite: NotInJson::Error,
            unknown_tags: NotInJson::Convert,
            limits: Limits::default(),
        }
    }
}

/// The reason why a document could not be written as JSON.
#[derive(Debug)]
#[non_exhaustive]
pub enum JsonError {
    /// JSON cannot represent the document, an alias cannot be expanded, or text is not valid for its
    /// tag.
    Document(Error),
    /// The writer failed.
    Io(io::Error),
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JsonError::Document(error) => error.fmt(f),
            JsonError::Io(error) => write!(f, "could not be written: {error}"),
        }
    }
}

impl std::error::Error for JsonError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            JsonError::Document(error) => Some(error),
            JsonError::Io(error) => Some(error),
        }
    }
}

impl From<Error> for JsonError {
    fn from(error: Error) -> Self {
        JsonError::Document(error)
    }
}

impl From<io::Error> for JsonError {
    fn from(error: io::Error) -> Self {
        JsonError::Io(error)
    }
}

/// Writes documents as JSON, reusing its buffer.
///
/// | YAML | JSON |
/// |---|---|
/// | null, bool | `null`, `true`, `false` |
/// | int | a number, whatever its size |
/// | float | a number with all its digits; `.inf` and `.nan` by [`JsonOptions::non_finite`] |
/// | str | a string |
/// | binary | a string, base 64 as written |
/// | timestamp | a string, as in `2001-12-14T21:59:43Z` |
/// | sequence, mapping | array, object; keys that are not strings become strings; two keys that become the same string are an error |
/// | collection as key | an error |
/// | unknown tag | by [`JsonOptions::unknown_tags`]: an error, or the value without the tag: `!x 2` is 2 |
/// | alias | its target |
///
/// Output is written as it is produced, so memory is bounded by the largest scalar. No line break
/// follows a document.
///
/// ```
/// use ketch_yaml::compose::{JsonOptions, JsonWriter};
/// use ketch_yaml::Documents;
///
/// let mut json = JsonWriter::new(&JsonOptions::default());
/// let mut out = Vec::new();
/// for document in Documents::new(b"{a: 0x1F, 1: [yes, 'no', ~]}") {
///     json.write(&document?, &mut out)?;
/// }
/// assert_eq!(out, br#"{"a":31,"1":["yes","no",null]}"#);
/// # Ok::<(), ketch_yaml::compose::JsonError>(())
/// ```
#[derive(Debug)]
pub struct JsonWriter {
    options: JsonOptions,
    buffer: Vec<u8>,
    depth: usize,
    checked: Checked,
}

/// The buffer is written when it holds this many bytes.
const BUFFER_BYTES: usize = 32 * 1024;

/// Integers beyond `i64` with more digits than this are rejected if they are not decimal, because
/// the time to convert them is quadratic in their length.
const RADIX_DIGITS_CEILING: usize = 1 << 14;

impl JsonWriter {
    /// Creates a writer with these options.
    pub fn new(options: &JsonOptions) -> JsonWriter {
        JsonWriter { options: *options, buffer: Vec::new(), depth: 0, checked: Checked::default() }
    }

    /// Writes `document` to `out`.
    ///
    /// # Errors
    ///
    /// Returns [`JsonError::Io`] if `out` fails, and [`JsonError::Document`] if the document cannot
    /// be written as JSON. Part of the document may have been written.
    pub fn write(
        &mut self,
        document: &Document<'_>,
        out: &mut (impl Write + ?Sized),
    ) -> Result<(), JsonError> {
        self.write_node(document.root(), out)
    }

    /// Writes a node of a document to `out`, as [`JsonWriter::write`] writes the root.
    ///
    /// # Errors
    ///
    /// See [`JsonWriter::write`].
    pub fn write_node(
        &mut self,
        node: Node<'_>,
        out: &mut (impl Write + ?Sized),
    ) -> Result<(), JsonError> {
        let JsonOptions { schema, merge_keys, limits, .. } = self.options;
        let merges = merge_keys.unwrap_or(schema.has_merge_keys());
        let float_keys = FloatKeys::Exact;
        let mut walk = node.expanded_with(&ExpandOptions { schema, float_keys, merges, limits });
        self.buffer.clear();
        self.depth = 0;
        self.checked.clear();
        while let Some(visit) = walk.next() {
            self.visit(&visit?, &walk)?;
            if self.buffer.len() >= BUFFER_BYTES {
                out.write_all(&self.buffer)?;
                self.buffer.clear();
            }
        }
        out.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }

    /// Writes `visit`, one step of the walk: a scalar or a bracket, with the comma or colon before
    /// it.
    #[inline]
    fn visit(&mut self, visit: &Visit<'_>, walk: &Expanded<'_>) -> Result<(), Error> {
        let node = visit.node;
        if visit.step == Step::End {
            if self.depth == 0 {
                // This is a list that is written as lines.
                return Ok(());
            }
            self.depth -= 1;
            if !node.is_empty() {
                self.line();
            }
            self.buffer.push(if node.kind() == Kind::Mapping { b'}' } else { b']' });
            return Ok(());
        }
        self.separate(visit);
        if self.options.unknown_tags == NotInJson::Error && node.tag().is_some_and(is_unknown) {
            return Err(node.error_at_tag(Problem::NotJson));
        }
        match (visit.step, visit.role) {
            (Step::Scalar, Role::Key) => self.key(node, walk),
            (Step::Scalar, _) => self.value(node),
            (_, Role::Key) => Err(node.error(Problem::NotJson)),
            (_, Role::Root) if self.options.lines && node.kind() == Kind::Sequence => Ok(()),
            _ => {
                self.depth += 1;
                self.buffer.push(if node.kind() == Kind::Mapping { b'{' } else { b'[' });
                Ok(())
            }
        }
    }

    /// Writes what is between the last value and that of `visit`.
    #[inline]
    fn separate(&mut self, visit: &Visit<'_>) {
        // At the depth 0, items are lines.
        let comma = if self.depth == 0 { b'\n' } else { b',' };
        match visit.role {
            Role::Root => {}
            Role::Value if self.options.pretty => self.buffer.extend_from_slice(b": "),
            Role::Value => self.buffer.push(b':'),
            Role::Item | Role::Key => {
                self.buffer.extend((visit.index > 0).then_some(comma));
                if self.depth > 0 {
                    self.line();
                }
            }
        }
    }

    /// Starts a new, indented line if the output is pretty.
    #[inline]
    fn line(&mut self) {
        if self.options.pretty {
            self.buffer.push(b'\n');
            self.buffer.extend(std::iter::repeat_n(b' ', 2 * self.depth));
        }
    }

    /// Writes the scalar `node` as a JSON value.
    #[inline]
    fn value(&mut self, node: Node<'_>) -> Result<(), Error> {
        if let Some(text) = node.verbatim_text(self.options.schema) {
            write_string(&mut self.buffer, text);
            return Ok(());
        }
        self.resolved_value(node)
    }

    /// Resolves the scalar `node` and writes its value.
    #[inline(never)]
    fn resolved_value(&mut self, node: Node<'_>) -> Result<(), Error> {
        let out = &mut self.buffer;
        match scalar(node, self.options.schema)? {
            Scalar::Str(text) => write_string(out, &text),
            Scalar::Null => out.extend_from_slice(b"null"),
            Scalar::Bool(value) => out.extend_from_slice(if value { b"true" } else { b"false" }),
            // JSON has a signed zero.
            Scalar::Int(0) if *node.content() == *b"-0" => out.extend_from_slice(b"-0"),
            Scalar::Int(value) => write_int(out, value),
            Scalar::BigInt(value) => write_big_int(out, &value, node)?,
            Scalar::Float(value) => return self.float(value, node),
            Scalar::Timestamp(value) => write_string(out, value.to_string().as_bytes()),
            Scalar::Binary(_) => write_string(out, &node.content()),
            Scalar::Merge => write_string(out, b"<<"),
            Scalar::Unresolved(_) => return Err(node.error(Problem::UnresolvedScalar)),
        }
        Ok(())
    }

    /// Writes the float `value` with all the digits of the text of `node`. For infinities and
    /// not-a-number, writes a substitute or fails, as the options say.
    fn float(&mut self, value: f64, node: Node<'_>) -> Result<(), Error> {
        if let Some(digits) = digits(value, node) {
            self.buffer.extend_from_slice(&digits);
            return Ok(());
        }
        match self.options.non_finite {
            NotInJson::Error => Err(node.error(Problem::NotJson)),
            NotInJson::Convert => {
                write_string(&mut self.buffer, non_finite(value));
                Ok(())
            }
        }
    }

    /// Writes the scalar `node` as a key, which in JSON is always in quotes. `walk` is at this key.
    #[inline]
    fn key(&mut self, node: Node<'_>, walk: &Expanded<'_>) -> Result<(), Error> {
        if let Some(text) = node.verbatim_text(self.options.schema) {
            write_string(&mut self.buffer, text);
            return Ok(());
        }
        self.resolved_key(node, walk)
    }

    /// Writes the key `node`, which may not be a string. At the first key of a mapping that has a tag
    /// or is not a string, checks all keys of the mapping, which is the innermost open one of `walk`.
    #[inline(never)]
    fn resolved_key(&mut self, node: Node<'_>, walk: &Expanded<'_>) -> Result<(), Error> {
        let is_text = matches!(scalar(node, self.options.schema)?, Scalar::Str(_));
        if !(is_text && node.tag().is_none()) && self.checked.is_new(walk.open(), self.depth) {
            self.check_keys(walk)?;
        }
        self.key_text(node)
    }

    /// Checks that no two keys of the innermost open mapping of `walk` become the same JSON string.
    /// The composer has checked that strings without tags differ, so only mappings with other keys
    /// need this.
    fn check_keys(&mut self, walk: &Expanded<'_>) -> Result<(), Error> {
        let written = std::mem::take(&mut self.buffer);
        let keys = walk.open_keys();
        let mut ends = Vec::with_capacity(keys.len());
        for key in &keys {
            // A key that JSON cannot have is an error when the walk reaches it.
            let start = self.buffer.len();
            if key.kind() != Kind::Scalar || self.key_text(*key).is_err() {
                self.buffer.truncate(start);
            }
            ends.push(self.buffer.len());
        }
        let texts = std::mem::replace(&mut self.buffer, written);
        match json_keys::first_duplicate(&texts, &ends) {
            Some((first, second)) => Err(duplicate(keys[first], keys[second])),
            None => Ok(()),
        }
    }

    /// Writes the key `node` as a string, without checking it against the other keys.
    fn key_text(&mut self, node: Node<'_>) -> Result<(), Error> {
        match scalar(node, self.options.schema)? {
            Scalar::Str(text) => write_string(&mut self.buffer, &text),
            Scalar::Null | Scalar::Bool(_) | Scalar::Int(_) | Scalar::BigInt(_) => {
                self.buffer.push(b'"');
                self.value(node)?;
                self.buffer.push(b'"');
            }
            Scalar::Float(value) => match digits(value, node) {
                Some(digits) => write_string(&mut self.buffer, &digits),
                // In a key, `.inf` needs no substitute: it is a string anyway.
                None => write_string(&mut self.buffer, non_finite(value)),
            },
            Scalar::Timestamp(_) | Scalar::Binary(_) | Scalar::Merge | Scalar::Unresolved(_) => {
                return self.value(node);
            }
        }
        Ok(())
    }
}

/// Returns the error for the key `second`, which becomes the same string in JSON as the key
/// `first`.
#[cold]
fn duplicate(first: Node<'_>, second: Node<'_>) -> Error {
    let related = Some(first.location());
    Error::new(Problem::DuplicateJsonKey, second.location(), related)
}

/// Returns whether JSON drops `tag`, because YAML does not define it.
fn is_unknown(tag: &str) -> bool {
    let is_collection = || matches!(tag.strip_prefix(YAML_PREFIX), Some("set" | "omap" | "pairs"));
    !is_known(tag) && !is_collection()
}

/// Returns the value of the scalar `node` without its tag if that is unknown, with text as bytes.
/// Fails if its text is not valid for its tag.
#[inline]
fn scalar<'d>(node: Node<'d>, schema: Schema) -> Result<Scalar<'d, Cow<'d, [u8]>>, Error> {
    let value = key::value_where(node.document().view(), node.id().index(), schema, |tag| {
        // Syck gives every plain scalar a tag, and resolves the text of its own tags.
        schema == Schema::Syck || !is_unknown(tag)
    });
    value.map_err(|_| node.error(Problem::TagMismatch))
}

/// Writes the integer `value` in decimal.
fn write_int(out: &mut Vec<u8>, value: i64) {
    let mut digits = itoa::Buffer::new();
    out.extend_from_slice(digits.format(value).as_bytes());
}

/// Writes `value`, an integer beyond `i64`, in decimal. Fails at `node` if it is not decimal and
/// has too many digits to convert.
fn write_big_int(out: &mut Vec<u8>, value: &BigInt<'_>, node: Node<'_>) -> Result<(), Error> {
    if !value.is_decimal() && value.digits().len() > RADIX_DIGITS_CEILING {
        return Err(node.error(Problem::NotJson));
    }
    out.extend_from_slice(value.to_decimal().as_bytes());
    Ok(())
}

/// Returns the float `value` as JSON, with all the digits of the text of `node` even if `f64`
/// cannot hold them. Returns `None` for infinities and not-a-number.
fn digits(value: f64, node: Node<'_>) -> Option<Cow<'_, [u8]>> {
    let content = node.content();
    let written = match &content {
        Cow::Borrowed(text) => json_number::float(text),
        Cow::Owned(text) => json_number::float(text).map(|digits| digits.into_owned().into()),
    };
    // This is for notations that JSON does not have, such as base 60.
    let of_value = || zmij::Buffer::new().format_finite(value).as_bytes().to_vec().into();
    written.or_else(|| value.is_finite().then(of_value))
}

/// Returns YAML's spelling of `value`, which is infinite or not-a-number.
fn non_finite(value: f64) -> &'static [u8] {
    match value {
        _ if value.is_nan() => b".nan",
        _ if value > 0.0 => b".inf",
        _ => b"-.inf",
    }
}

/// Writes `text`, which is UTF-8, as a JSON string (RFC 8259, section 7).
fn write_string(out: &mut Vec<u8>, text: &[u8]) {
    out.reserve(text.len() + 2);
    out.push(b'"');
    let mut rest = text;
    while let Some(at) = find_escaped(rest) {
        out.extend_from_slice(&rest[..at]);
        write_escape(out, rest[at]);
        rest = &rest[at + 1..];
    }
    out.extend_from_slice(rest);
    out.push(b'"');
}

/// Returns the index of the first byte of `text` that needs an escape in JSON, or `None` if there
/// is none. Tests eight bytes at a time.
#[inline]
fn find_escaped(text: &[u8]) -> Option<usize> {
    const ONES: u64 = u64::MAX / 255;
    const HIGH: u64 = ONES << 7;
    // Sets the highest bit of each zero byte. This may also set the highest bit of a byte above a
    // zero byte, which does not matter, since only the lowest bit set is used.
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word & HIGH;
    let (words, rest) = text.as_chunks::<8>();
    for (i, bytes) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*bytes);
        let controls = word.wrapping_sub(ONES * 0x20) & !word & HIGH;
        let quotes = zeros(word ^ (ONES * u64::from(b'"')));
        let backslashes = zeros(word ^ (ONES * u64::from(b'\\')));
        let found = controls | quotes | backslashes;
        if found != 0 {
            return Some(8 * i + found.trailing_zeros() as usize / 8);
        }
    }
    let at = rest.iter().position(|&byte| ESCAPES[byte as usize] != 0)?;
    Some(8 * words.len() + at)
}

/// Writes the escape of `byte`, which needs one.
#[cold]
#[inline(never)]
fn write_escape(out: &mut Vec<u8>, byte: u8) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    match ESCAPES[byte as usize] {
        b'u' => {
            let digits = [HEX[byte as usize >> 4], HEX[byte as usize & 15]];
            out.extend_from_slice(b"\\u00");
            out.extend_from_slice(&digits);
        }
        letter => out.extend_from_slice(&[b'\\', letter]),
    }
}

/// The letter that escapes each byte; zero for bytes that need no escape.
static ESCAPES: [u8; 256] = escape_table();

/// Computes [`ESCAPES`].
const fn escape_table() -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 0x20 {
        table[byte] = b'u';
        byte += 1;
    }
    table[0x08] = b'b';
    table[0x09] = b't';
    table[0x0A] = b'n';
    table[0x0C] = b'f';
    table[0x0D] = b'r';
    table[b'"' as usize] = b'"';
    table[b'\\' as usize] = b'\\';
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escaped_bytes_are_found_at_every_offset() {
        for byte in 0..=255u8 {
            for at in 0..20 {
                let mut text = [b'a'; 20];
                text[at] = byte;
                let is_escaped = byte < 0x20 || byte == b'"' || byte == b'\\';
                assert_eq!(find_escaped(&text), is_escaped.then_some(at), "{byte} at {at}");
                text[19] = b'\n';
                let first = if is_escaped { at } else { 19 };
                assert_eq!(find_escaped(&text), Some(first), "{byte} at {at}");
            }
        }
    }
}
