//! The text of JSON, which is written from scalars, and the marks between them.

use super::expand::Role;
use super::json_number;
use super::json_options::{JsonOptions, NotInJson};
use super::key::Value;
use crate::problem::Problem;
use crate::schema::{BigInt, Scalar};
use crate::tag::{YAML_PREFIX, is_known};
use std::borrow::Cow;
use std::io::{self, Write};

/// A buffer for JSON, and the number of brackets that are open in it.
#[derive(Debug)]
pub(super) struct JsonText {
    pub options: JsonOptions,
    pub bytes: Vec<u8>,
    pub depth: usize,
    /// The number of bytes of the document that have been written to the output.
    pub flushed: u64,
}

/// The buffer is written when it holds this many bytes.
const BUFFER_BYTES: usize = 32 * 1024;

/// Integers beyond `i64` with more digits than this are rejected if they are not decimal, because
/// the time to convert them is quadratic in their length.
const RADIX_DIGITS_CEILING: usize = 1 << 14;

impl JsonText {
    /// Clears the state of the last document.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.depth = 0;
        self.flushed = 0;
    }

    /// Writes the buffer to `out` if it is full.
    #[inline(always)]
    pub fn drain(&mut self, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
        if self.bytes.len() < BUFFER_BYTES { Ok(()) } else { self.flush(out) }
    }

    /// Writes the buffer to `out`.
    pub fn flush(&mut self, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
        out.write_all(&self.bytes)?;
        self.flushed += self.bytes.len() as u64;
        self.bytes.clear();
        Ok(())
    }

    /// Writes what is before a value with this role. `is_first` says whether it is the first in its
    /// collection.
    #[inline]
    pub fn separate(&mut self, role: Role, is_first: bool) {
        // At the depth 0, items are lines.
        let comma = if self.depth == 0 { b'\n' } else { b',' };
        match role {
            Role::Root => {}
            Role::Value if self.options.pretty => self.bytes.extend_from_slice(b": "),
            Role::Value => self.bytes.push(b':'),
            Role::Item | Role::Key => {
                self.bytes.extend((!is_first).then_some(comma));
                if self.depth > 0 {
                    self.line();
                }
            }
        }
    }

    /// Writes the start of a collection, which is a mapping or a sequence.
    #[inline]
    pub fn open(&mut self, role: Role, is_mapping: bool) {
        if self.options.lines && role == Role::Root && !is_mapping {
            return;
        }
        self.depth += 1;
        self.bytes.push(if is_mapping { b'{' } else { b'[' });
    }

    /// Writes the end of a collection, which is a mapping or a sequence.
    #[inline]
    pub fn close(&mut self, is_mapping: bool, is_empty: bool) {
        if self.depth == 0 {
            // This is a list that is written as lines.
            return;
        }
        self.depth -= 1;
        if !is_empty {
            self.line();
        }
        self.bytes.push(if is_mapping { b'}' } else { b']' });
    }

    /// Starts a new, indented line if the output is pretty.
    #[inline]
    fn line(&mut self) {
        if self.options.pretty {
            self.bytes.push(b'\n');
            self.bytes.extend(std::iter::repeat_n(b' ', 2 * self.depth));
        }
    }

    /// Writes `text`, which is UTF-8, as a string.
    #[inline]
    pub fn string(&mut self, text: &[u8]) {
        write_string(&mut self.bytes, text);
    }

    /// Writes the scalar `value`, whose content is `content`.
    pub fn value<'c>(
        &mut self,
        value: Value<'_>,
        content: impl Fn() -> Cow<'c, [u8]>,
    ) -> Result<(), Problem> {
        let out = &mut self.bytes;
        match value {
            Scalar::Str(text) => write_string(out, &text),
            Scalar::Null => out.extend_from_slice(b"null"),
            Scalar::Bool(value) => out.extend_from_slice(if value { b"true" } else { b"false" }),
            // JSON has a signed zero.
            Scalar::Int(0) if *content() == *b"-0" => out.extend_from_slice(b"-0"),
            Scalar::Int(value) => write_int(out, value),
            Scalar::BigInt(value) => write_big_int(out, &value)?,
            Scalar::Float(value) => match (digits(value, content()), self.options.non_finite) {
                (Some(digits), _) => out.extend_from_slice(&digits),
                (None, NotInJson::Error) => return Err(Problem::NotJson),
                (None, NotInJson::Convert) => write_string(out, non_finite(value)),
            },
            Scalar::Timestamp(value) => write_string(out, value.to_string().as_bytes()),
            Scalar::Binary(_) => write_string(out, &content()),
            Scalar::Merge => write_string(out, b"<<"),
            Scalar::Unresolved(_) => return Err(Problem::UnresolvedScalar),
        }
        Ok(())
    }

    /// Writes the scalar `value`, whose content is `content`, as a key, which in JSON is always in
    /// quotes.
    pub fn key<'c>(
        &mut self,
        value: Value<'_>,
        content: impl Fn() -> Cow<'c, [u8]>,
    ) -> Result<(), Problem> {
        match value {
            Scalar::Null | Scalar::Bool(_) | Scalar::Int(_) | Scalar::BigInt(_) => {
                self.bytes.push(b'"');
                self.value(value, content)?;
                self.bytes.push(b'"');
            }
            // In a key, `.inf` needs no substitute: it is a string anyway.
            Scalar::Float(value) => {
                let digits = digits(value, content());
                self.string(&digits.unwrap_or(non_finite(value).into()));
            }
            _ => return self.value(value, content),
        }
        Ok(())
    }
}

/// Returns whether JSON drops `tag`, because YAML does not define it.
pub(super) fn is_unknown(tag: &str) -> bool {
    let is_collection = || matches!(tag.strip_prefix(YAML_PREFIX), Some("set" | "omap" | "pairs"));
    !is_known(tag) && !is_collection()
}

/// Writes `value`, an integer beyond `i64`, in decimal. Fails if it is not decimal and has too many
/// digits to convert.
fn write_big_int(out: &mut Vec<u8>, value: &BigInt<'_>) -> Result<(), Problem> {
    if !value.is_decimal() && value.digits().len() > RADIX_DIGITS_CEILING {
        return Err(Problem::NotJson);
    }
    out.extend_from_slice(value.to_decimal().as_bytes());
    Ok(())
}

/// Returns the float `value` as JSON, with all the digits of its text, `content`, even if `f64`
/// cannot hold them. Returns `None` for infinities and not-a-number.
fn digits(value: f64, content: Cow<'_, [u8]>) -> Option<Cow<'_, [u8]>> {
    let written = match content {
        Cow::Borrowed(text) => json_number::float(text),
        Cow::Owned(text) => json_number::float(&text).map(|digits| digits.into_owned().into()),
    };
    // This is for notations that JSON does not have, such as base 60.
    let of_value = || zmij::Buffer::new().format_finite(value).as_bytes().to_vec().into();
    written.or_else(|| value.is_finite().then(of_value))
}

/// Writes the integer `value` in decimal.
fn write_int(out: &mut Vec<u8>, value: i64) {
    let mut digits = itoa::Buffer::new();
    out.extend_from_slice(digits.format(value).as_bytes());
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
