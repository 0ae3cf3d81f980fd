//! Reads JSON values one after the other.

use super::buffer::Buffer;
use super::build::{Builder, Sink, Skip};
use super::steps::Walk;
use crate::value::{CellKind, Json, Kind, Number, Value, escape};
use ketch_bytes::utf8;
use std::borrow::Cow;
use std::io::Read;
use std::ops::Range;
use std::sync::Arc;

/// What is wrong with a JSON text: a message with a line and a column. It is always in a box, so that results are small.
#[derive(Debug)]
pub struct Problem(pub String);

/// What reading results in.
pub(super) type Result<T> = std::result::Result<T, Box<Problem>>;

/// Reads the values of a JSON text, or the entries at the end of a path, one by one. Only one of them is in memory.
pub struct Reader {
    pub(super) buffer: Buffer,
    /// For each open collection whether it is an object.
    open: Vec<bool>,
    builder: Builder,
    /// The last values, whose memory the next one takes if nothing else refers to it.
    last: [Arc<Json>; 2],
    /// The offset of the last value in the whole text.
    last_offset: u64,
    /// Where the last value ends.
    end: usize,
    pub(super) walk: Walk,
    /// Whether the rest of the text cannot be read, as it is not valid.
    pub(super) is_broken: bool,
}

impl Reader {
    /// Creates a reader of a text.
    pub fn of_text(text: String) -> Reader {
        Reader::of_buffer(Buffer::new(text.into_bytes(), None))
    }

    /// Creates a reader of bytes that start with `bytes`.
    pub fn new(bytes: Vec<u8>, input: Box<dyn Read + Send>) -> Reader {
        Reader::of_buffer(Buffer::new(bytes, Some(input)))
    }

    fn of_buffer(buffer: Buffer) -> Reader {
        Reader {
            buffer,
            open: Vec::new(),
            builder: Builder::default(),
            last: Default::default(),
            last_offset: 0,
            end: 0,
            walk: Walk::default(),
            is_broken: false,
        }
    }

    /// Returns the next value, or `None` at the end. After an error, there is none.
    pub fn next_value(&mut self) -> Result<Option<Value>> {
        if self.is_broken {
            return Ok(None);
        }
        let value = self.find_value();
        self.is_broken = value.is_err();
        value
    }

    fn find_value(&mut self) -> Result<Option<Value>> {
        match self.mark()? {
            Some(mark) => self.read(mark).map(Some),
            None => Ok(None),
        }
    }

    /// Returns the text of the last value, and its offset in the whole text.
    pub fn last(&self) -> (&str, u64) {
        (self.last[0].whole(), self.last_offset)
    }

    /// Returns whether another value starts.
    pub fn has_more(&mut self) -> Result<bool> {
        Ok(self.mark()?.is_some())
    }

    /// Returns the next mark.
    #[inline(always)]
    pub(super) fn mark(&mut self) -> Result<Option<usize>> {
        self.buffer.mark().map_err(|error| Box::new(Problem(error.to_string())))
    }

    /// Returns the next mark, before which the text must not end.
    #[inline(always)]
    pub(super) fn inner_mark(&mut self) -> Result<usize> {
        self.mark()?.ok_or_else(|| self.problem(None, ""))
    }

    /// Reads the value at `mark`.
    pub(super) fn read(&mut self, mark: usize) -> Result<Value> {
        self.buffer.start = mark;
        let mut builder = std::mem::take(&mut self.builder);
        builder.tape.clear();
        let result = self.parse(Some(mark), &mut builder);
        self.builder = builder;
        result?;
        self.finish()
    }

    /// Skips the value at `mark`, or what is left of the open collections.
    pub(super) fn skip(&mut self, mark: Option<usize>) -> Result<()> {
        self.parse(mark, &mut Skip)
    }

    /// Opens a collection that `skip` is to leave.
    pub(super) fn reopen(&mut self, is_object: bool) {
        self.open.push(is_object);
    }

    /// Parses the value at `mark`, or what is left of the open collections.
    fn parse<S: Sink>(&mut self, mark: Option<usize>, sink: &mut S) -> Result<()> {
        let mut next = match mark {
            Some(mark) => Some(mark),
            None => self.after_value(sink)?,
        };
        while let Some(mark) = next {
            if S::SKIPS {
                self.buffer.start = mark;
            }
            let (bracket, is_object) = match self.buffer.bytes[mark] {
                b'[' => (b']', false),
                b'{' => (b'}', true),
                _ => {
                    self.scalar(mark, sink)?;
                    next = self.after_value(sink)?;
                    continue;
                }
            };
            sink.open(if is_object { CellKind::Object } else { CellKind::Array });
            self.open.push(is_object);
            let mark = self.inner_mark()?;
            if self.buffer.bytes[mark] == bracket {
                self.close(mark, sink);
                next = self.after_value(sink)?;
            } else {
                next = Some(self.entry(mark, is_object, sink)?);
            }
        }
        Ok(())
    }

    /// Parses what follows a value, and returns the mark of the next one in the open collections.
    #[inline(always)]
    fn after_value<S: Sink>(&mut self, sink: &mut S) -> Result<Option<usize>> {
        while let Some(&is_object) = self.open.last() {
            let mark = self.inner_mark()?;
            match (self.buffer.bytes[mark], is_object) {
                (b',', _) => {
                    let mark = self.inner_mark()?;
                    return self.entry(mark, is_object, sink).map(Some);
                }
                (b']', false) | (b'}', true) => self.close(mark, sink),
                _ => return Err(self.problem(Some(mark), "Expected separator between values")),
            }
        }
        Ok(None)
    }

    /// Parses the start of an entry, and returns the mark of its value.
    #[inline(always)]
    fn entry<S: Sink>(&mut self, mark: usize, is_object: bool, sink: &mut S) -> Result<usize> {
        if !is_object {
            sink.item();
            return Ok(mark);
        }
        if S::SKIPS {
            self.buffer.start = mark;
        }
        let (kind, range) = self.key(mark)?;
        sink.key(kind, range, &self.buffer.bytes[self.buffer.start..]);
        self.colon()
    }

    /// Parses a key.
    #[inline]
    pub(super) fn key(&mut self, mark: usize) -> Result<(CellKind, Range<usize>)> {
        if self.buffer.bytes[mark] != b'"' {
            return Err(self.problem(Some(mark), "Object keys must be strings"));
        }
        self.string(mark)
    }

    /// Parses the colon after a key, and returns the mark of the value.
    #[inline]
    pub(super) fn colon(&mut self) -> Result<usize> {
        let mark = self.inner_mark()?;
        if self.buffer.bytes[mark] != b':' {
            return Err(self.problem(Some(mark), "Objects must consist of key:value pairs"));
        }
        self.inner_mark()
    }

    /// Ends the innermost collection.
    #[inline(always)]
    fn close<S: Sink>(&mut self, mark: usize, sink: &mut S) {
        self.open.pop();
        self.end = mark + 1;
        sink.close(&self.buffer.bytes[self.buffer.start..]);
    }

    /// Parses a scalar.
    #[inline(always)]
    fn scalar<S: Sink>(&mut self, mark: usize, sink: &mut S) -> Result<()> {
        let (kind, range) = match self.buffer.bytes[mark] {
            b'"' => self.string(mark)?,
            _ => self.bare(mark)?,
        };
        sink.scalar(kind, range);
        Ok(())
    }

    /// Parses a string, and returns where its inside is, counted from the start.
    #[inline(always)]
    fn string(&mut self, mark: usize) -> Result<(CellKind, Range<usize>)> {
        let from = mark + 1 - self.buffer.start;
        let mark = self.inner_mark()?;
        if self.buffer.bytes[mark] == b'"' {
            self.end = mark + 1;
            return Ok((CellKind::Text, from..mark - self.buffer.start));
        }
        self.escaped_string(from, mark)
    }

    /// Parses the rest of a string from its first escape on.
    fn escaped_string(&mut self, from: usize, first: usize) -> Result<(CellKind, Range<usize>)> {
        let mut escapes = vec![first - self.buffer.start];
        loop {
            let mark = self.inner_mark()?;
            let at = mark - self.buffer.start;
            if self.buffer.bytes[mark] != b'"' {
                escapes.push(at);
                continue;
            }
            self.end = mark + 1;
            let text = &self.buffer.bytes[self.buffer.start..mark];
            let is_valid = |at: &usize| {
                let written = &text[*at..text.len().min(at + 12)];
                let ascii = written.iter().position(|byte| !byte.is_ascii());
                let written = &written[..ascii.unwrap_or(written.len())];
                std::str::from_utf8(written).is_ok_and(|written| escape(written).is_some())
            };
            if let Some(wrong) = escapes.iter().find(|at| !is_valid(at)) {
                let place = (self.buffer.start + wrong + 2).min(mark);
                return Err(self.problem(Some(place), "Invalid escape"));
            }
            return Ok((CellKind::Escaped, from..at));
        }
    }

    /// Parses a scalar that is no string.
    #[inline(always)]
    fn bare(&mut self, mark: usize) -> Result<(CellKind, Range<usize>)> {
        let Some(length) = short_number(&self.buffer.bytes[mark..]) else { return self.word(mark) };
        self.end = mark + length;
        let from = mark - self.buffer.start;
        Ok((CellKind::Number, from..from + length))
    }

    /// Parses a scalar that is no string and no short number.
    fn word(&mut self, mark: usize) -> Result<(CellKind, Range<usize>)> {
        let from = mark - self.buffer.start;
        let mut at = mark;
        loop {
            let rest = &self.buffer.bytes[at..];
            if let Some(length) = rest.iter().position(|byte| !is_word(*byte)) {
                at += length;
                break;
            }
            let length = self.buffer.bytes.len() - self.buffer.start;
            let is_more =
                self.buffer.fill().map_err(|error| Box::new(Problem(error.to_string())))?;
            at = self.buffer.start + length;
            if !is_more {
                break;
            }
        }
        let mark = self.buffer.start + from;
        self.end = at;
        match word_kind(&self.buffer.bytes[mark..at]) {
            Some(kind) => Ok((kind, from..at - self.buffer.start)),
            None => Err(self.problem(Some(mark), "Invalid literal")),
        }
    }

    /// Returns the value that was parsed.
    fn finish(&mut self) -> Result<Value> {
        // A variable may still hold the last one.
        self.last.swap(0, 1);
        self.last_offset = self.buffer.offset();
        let json = &mut self.last[0];
        if Arc::get_mut(json).is_none() {
            *json = Arc::default();
        }
        let (mut text, mut tape) = Arc::get_mut(json).map(Json::take).unwrap_or_default();
        let taken = self.buffer.take(self.end);
        let is_part = taken.is_none();
        let is_valid = match taken {
            Some(bytes) => {
                let valid = utf8::checked(&bytes).is_some();
                text = match valid {
                    true => utf8::into_string(bytes).unwrap_or_default(),
                    false => String::from_utf8_lossy(&bytes).into_owned(),
                };
                valid
            }
            None => {
                let bytes = &self.buffer.bytes[self.buffer.start..self.end];
                let valid = utf8::checked(bytes);
                text.clear();
                text.push_str(&valid.map_or_else(|| String::from_utf8_lossy(bytes), Cow::Borrowed));
                self.buffer.start = self.end;
                valid.is_some()
            }
        };
        if !is_valid {
            // The replaced parts have other lengths, so the tape does not fit.
            return Reader::of_text(text).next_value().map(Option::unwrap_or_default);
        }
        std::mem::swap(&mut tape, &mut self.builder.tape);
        let json = &mut self.last[0];
        if let Some(json) = Arc::get_mut(json) {
            json.put(text, tape, is_part);
        }
        let value = json.value(0);
        // A text alone need not keep the memory of the next value.
        Ok(if value.kind() == Kind::Text { value.plain() } else { value })
    }

    /// Returns a message that says what is wrong at an offset, or that the text ends too early.
    pub(super) fn problem(&self, offset: Option<usize>, problem: &str) -> Box<Problem> {
        let bytes = &self.buffer.bytes;
        let (line, column) = self.buffer.place(offset.unwrap_or(bytes.len()));
        let message = match offset {
            Some(_) => format!("{problem} at line {}, column {}", line + 1, column + 1),
            None => format!(
                "Unfinished JSON term at EOF at line {}, column {}",
                line + 1,
                column.saturating_sub(1).max(1)
            ),
        };
        Box::new(Problem(message))
    }
}

/// Returns the length of the number at the start of `bytes`, if it has no exponent and its end is known.
#[inline]
fn short_number(bytes: &[u8]) -> Option<usize> {
    let digits_from = |at: usize| {
        let digits = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit());
        at + digits.count()
    };
    let start = usize::from(bytes[0] == b'-');
    let mut at = digits_from(start);
    if at == start || at > start + 1 && bytes[start] == b'0' {
        return None;
    }
    if *bytes.get(at)? == b'.' {
        let fraction = at + 1;
        at = digits_from(fraction);
        if at == fraction {
            return None;
        }
    }
    matches!(bytes.get(at)?, b',' | b']' | b'}' | b' ' | b'\n' | b'\r' | b'\t').then_some(at)
}

/// Returns whether a byte may be in a scalar that is no string.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
}

/// Returns the kind of a scalar that is no string.
#[inline]
fn word_kind(word: &[u8]) -> Option<CellKind> {
    match word {
        b"null" => return Some(CellKind::Null),
        b"true" => return Some(CellKind::True),
        b"false" => return Some(CellKind::False),
        _ => {}
    }
    let word = utf8::checked(word)?;
    (Number::of_json(word).is_some() || super::number(word).is_some()).then_some(CellKind::Number)
}
