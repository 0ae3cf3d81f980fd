//! Values in a JSON text, which are decoded when a program looks at them.

use super::number::Number;
use super::tape::{CellKind, Tape};
use super::{Array, Entries, Kind, Object, Value};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// A JSON text whose values are read in place.
#[derive(Debug, Default)]
pub struct Json {
    text: String,
    tape: Tape,
    /// Whether the text is a part of a larger one, which is not in memory for long.
    pub(super) is_part: bool,
    /// Where the entries of large collections are, for those in which a program has searched.
    places: Mutex<HashMap<usize, Arc<Places>>>,
}

/// Where the entries of a large collection are.
#[derive(Debug)]
enum Places {
    /// The cells of the entries of an array.
    Items(Vec<usize>),
    /// The cells of the values of an object.
    Fields(HashMap<Box<str>, usize>),
}

/// A collection with more entries than this is searched with the help of its places.
const SEARCHED_MAX: usize = 32;

impl Json {
    /// Takes the text and the cells out, to use their memory for another text.
    pub fn take(&mut self) -> (String, Tape) {
        let places = self.places.get_mut().unwrap_or_else(PoisonError::into_inner);
        places.clear();
        (std::mem::take(&mut self.text), std::mem::take(&mut self.tape))
    }

    /// Puts in a text with its cells. `is_part` says that it was copied from a larger text.
    pub fn put(&mut self, text: String, tape: Tape, is_part: bool) {
        (self.text, self.tape, self.is_part) = (text, tape, is_part);
    }

    /// Returns the whole text.
    pub fn whole(&self) -> &str {
        &self.text
    }

    /// Returns the cells.
    pub(super) fn tape(&self) -> &Tape {
        &self.tape
    }

    /// Returns the type of the value at `at`.
    #[inline]
    pub fn kind(&self, at: usize) -> Kind {
        match self.tape.kind(at) {
            CellKind::Null => Kind::Null,
            CellKind::False => Kind::False,
            CellKind::True => Kind::True,
            CellKind::Number => Kind::Number,
            CellKind::Text | CellKind::Escaped => Kind::Text,
            CellKind::Array => Kind::Array,
            CellKind::Object => Kind::Object,
        }
    }

    /// Returns the value at `at`, of which texts and collections are not decoded.
    #[inline]
    pub fn value(self: &Arc<Self>, at: usize) -> Value {
        match self.tape.kind(at) {
            CellKind::Null => Value::Null,
            CellKind::False => Value::Bool(false),
            CellKind::True => Value::Bool(true),
            CellKind::Number => Value::Number(self.number(at)),
            _ => Value::Json(self.clone(), at),
        }
    }

    /// Returns the text of a scalar as it is written, without quotes.
    #[inline]
    pub(super) fn written(&self, at: usize) -> &str {
        &self.text[self.tape.range(at)]
    }

    /// Returns the number at `at`.
    pub(super) fn number(&self, at: usize) -> Number {
        let text = self.written(at);
        Number::of_json(text).or_else(|| number(text)).unwrap_or_else(Number::nan)
    }

    /// Returns whether the number at `at` is written as JSON writes it: most are.
    pub(super) fn is_plain_number(&self, at: usize) -> bool {
        Number::of_json(self.written(at)).is_some()
    }

    /// Returns the text at `at`.
    #[inline]
    pub(super) fn text(&self, at: usize) -> Cow<'_, str> {
        let text = self.written(at);
        match self.tape.kind(at) {
            CellKind::Escaped => Cow::Owned(unescaped(text)),
            _ => Cow::Borrowed(text),
        }
    }

    /// Returns whether the text at `at` is `text`.
    #[inline]
    fn is_text(&self, at: usize, text: &str) -> bool {
        match self.tape.kind(at) {
            CellKind::Escaped => self.text(at) == text,
            _ => self.tape.length(at) == text.len() && self.written(at) == text,
        }
    }

    /// Returns the number of entries of a collection.
    #[inline]
    pub(super) fn entry_count(&self, at: usize) -> Option<usize> {
        let is_collection = matches!(self.tape.kind(at), CellKind::Array | CellKind::Object);
        is_collection.then(|| self.tape.count(at))
    }

    /// Returns the cell of the first entry of a collection, and the one after the last.
    pub fn cells(&self, at: usize) -> (usize, usize) {
        (at + 2, self.tape.after(at))
    }

    /// Returns the cell after the value at `at`.
    #[inline]
    pub fn after(&self, at: usize) -> usize {
        self.tape.after(at)
    }

    /// Returns the cells of the items of an array, or of the keys of an object.
    pub(super) fn entries(&self, at: usize) -> impl Iterator<Item = usize> {
        let (is_object, end) = (self.tape.kind(at) == CellKind::Object, self.tape.after(at));
        let exists = move |at: usize| (at < end).then_some(at);
        let next = move |&entry: &usize| {
            let value = if is_object { self.tape.after(entry) } else { entry };
            exists(self.tape.after(value))
        };
        std::iter::successors(exists(at + 2), next)
    }

    /// Returns the cell of the item at `index` of an array.
    pub(super) fn item(&self, at: usize, index: usize) -> Option<usize> {
        let count = self.tape.count(at);
        if index >= count || self.tape.kind(at) != CellKind::Array {
            return None;
        }
        if index <= SEARCHED_MAX {
            return self.entries(at).nth(index);
        }
        match &*self.places(at) {
            Places::Items(items) => items.get(index).copied(),
            Places::Fields(_) => None,
        }
    }

    /// Returns the cell of the value of `key` in an object.
    #[inline]
    pub(super) fn field(&self, at: usize, key: &str) -> Option<usize> {
        if self.tape.kind(at) != CellKind::Object {
            return None;
        }
        if self.tape.count(at) > SEARCHED_MAX {
            return self.searched_field(at, key);
        }
        let end = self.tape.after(at);
        let mut entry = at + 2;
        while entry < end {
            let value = self.tape.after(entry);
            if self.is_text(entry, key) {
                return Some(value);
            }
            entry = self.tape.after(value);
        }
        None
    }

    /// Returns the cell of the value of `key` in a large object.
    fn searched_field(&self, at: usize, key: &str) -> Option<usize> {
        match &*self.places(at) {
            Places::Items(_) => None,
            Places::Fields(fields) => fields.get(key).copied(),
        }
    }

    /// Returns where the entries of a collection are.
    fn places(&self, at: usize) -> Arc<Places> {
        let mut known = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        let places = || {
            let field = |key| (self.text(key).into(), self.tape.after(key));
            Arc::new(match self.tape.kind(at) {
                CellKind::Object => Places::Fields(self.entries(at).map(field).collect()),
                _ => Places::Items(self.entries(at).collect()),
            })
        };
        known.entry(at).or_insert_with(places).clone()
    }

    /// Returns the value at `at`, decoded: a scalar, or a collection whose entries may not be.
    pub(super) fn decode(self: &Arc<Self>, at: usize) -> Value {
        match self.tape.kind(at) {
            CellKind::Text | CellKind::Escaped => Value::text(self.text(at)),
            CellKind::Array => {
                let mut entries = Vec::with_capacity(self.tape.count(at));
                entries.extend(self.entries(at).map(|item| self.value(item)));
                Value::Array(Arc::new(Array { entries, origin: None }))
            }
            CellKind::Object => {
                let mut entries = Entries::with_capacity(self.tape.count(at));
                let pair = |key| (self.key(key), self.value(self.tape.after(key)));
                entries.extend(self.entries(at).map(pair));
                Value::Object(Arc::new(Object { entries, origin: None }))
            }
            _ => self.value(at),
        }
    }

    /// Returns the text at `at` for a key.
    pub fn key(&self, at: usize) -> Arc<str> {
        match self.tape.kind(at) {
            CellKind::Text => shared_key(self.written(at)),
            _ => self.text(at).into(),
        }
    }
}

/// The number of keys that a thread keeps.
const KEPT_KEYS: usize = 256;
/// The maximum number of bytes of a key that is kept.
const KEPT_KEY_BYTES: usize = 32;

thread_local! {
    /// Keys that were used before, so that objects with the same keys share them.
    static KEYS: RefCell<[Option<Arc<str>>; KEPT_KEYS]> = const { RefCell::new([const { None }; KEPT_KEYS]) };
}

/// Returns a key, which is shared with others that are the same if it is short.
pub fn shared_key(key: &str) -> Arc<str> {
    let bytes = key.as_bytes();
    let (Some(&first), Some(&last)) = (bytes.first(), bytes.last()) else { return "".into() };
    if bytes.len() > KEPT_KEY_BYTES {
        return key.into();
    }
    let middle = bytes[bytes.len() / 2];
    let hash =
        (usize::from(first) * 31 + usize::from(middle)) * 31 + usize::from(last) * 7 + bytes.len();
    KEYS.with_borrow_mut(|keys| {
        let kept = &mut keys[hash % KEPT_KEYS];
        match kept {
            Some(kept) if **kept == *key => kept.clone(),
            _ => kept.insert(key.into()).clone(),
        }
    })
}

/// Returns the text that the inside of a JSON string stands for. Its escapes are valid.
pub fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let (ch, length) =
            escape(&rest[at..]).unwrap_or((char::REPLACEMENT_CHARACTER, rest.len() - at));
        out.push(ch);
        rest = &rest[at + length..];
    }
    out.push_str(rest);
    out
}

/// Returns the character of the escape at the start of `text`, and the length of the escape, if it is valid.
pub fn escape(text: &str) -> Option<(char, usize)> {
    Some(match text.as_bytes().get(1)? {
        byte @ (b'"' | b'\\' | b'/') => (*byte as char, 2),
        b'b' => ('\u{8}', 2),
        b'f' => ('\u{c}', 2),
        b'n' => ('\n', 2),
        b'r' => ('\r', 2),
        b't' => ('\t', 2),
        b'u' => {
            let first = unit(text)?;
            let second =
                (0xD800..0xDC00).contains(&first).then(|| text.get(6..).and_then(unit)).flatten();
            let second = second.filter(|unit| (0xDC00..0xE000).contains(unit));
            let units = [first, second.unwrap_or(0)];
            let used = 1 + usize::from(second.is_some());
            let decoded = char::decode_utf16(units[..used].iter().copied()).next();
            (decoded.and_then(Result::ok).unwrap_or(char::REPLACEMENT_CHARACTER), 6 * used)
        }
        _ => return None,
    })
}

/// Returns the code unit of the escape `\uXXXX` at the start of `text`.
fn unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hex.then(|| u16::from_str_radix(digits, 16).ok()).flatten()
}

/// Reads a number as jq does. It keeps its spelling if JSON has it.
pub fn number(text: &str) -> Option<Number> {
    let bare = text.strip_prefix(['+', '-']).unwrap_or(text);
    if bare.eq_ignore_ascii_case("nan") {
        return Some(Number::nan());
    }
    if bare.eq_ignore_ascii_case("infinity") || bare.eq_ignore_ascii_case("inf") {
        return Some(Number::infinite(text.starts_with('-')));
    }
    let number = Number::spelled(text)?;
    if number.is_json_spelling() { Some(number) } else { Number::parse(text) }
}
