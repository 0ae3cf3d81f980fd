//! Splits a stream of JSON into its texts. Only one text is in memory at a time.
//!
//! This only finds out where a text ends. The YAML engine parses the text and reports errors in it,
//! so it does not matter where invalid JSON is split.

use crate::position::Position;
use std::io::{self, Read};

/// Reads the texts of a stream, which are JSON values that may be separated by white space.
pub struct JsonTexts<R> {
    stream: R,
    buffer: Vec<u8>,
    /// The offset in the buffer where the text starts. `scanned` is the end of the part that has
    /// been scanned.
    start: usize,
    scanned: usize,
    state: State,
    /// The position of `start` in the stream.
    position: Position,
    /// The end of the part of the current line that is before `start`.
    head: Vec<u8>,
    is_at_end: bool,
}

/// A text, unless it is too long to be returned as a whole.
pub enum JsonText<'t> {
    /// The whole text.
    Whole(&'t [u8]),
    /// The text is longer than the maximum. [`JsonTexts::rest`] reads it in pieces.
    Long,
}

/// The minimum number of bytes to read from the stream at a time.
const STEP_BYTES: usize = 64 * 1024;

/// The state of the scan for the end of a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// In white space before a text.
    Before,
    /// In a comment before a text. JSON has no comments, but some JSON files do.
    Comment,
    /// In a number or another word.
    Bare,
    /// Outside strings, and inside this number of brackets.
    Open(u64),
    /// In a string, inside this number of brackets.
    Quoted(u64),
    /// In a string after a backslash, inside this number of brackets.
    Escaped(u64),
    /// After the last byte of the text.
    After,
}

impl State {
    /// Returns the state after `byte`, or `None` if `byte` does not belong to the text.
    fn step(self, byte: u8) -> Option<State> {
        let is_blank = byte.is_ascii_whitespace();
        let end = |depth| if depth == 0 { State::After } else { State::Open(depth) };
        Some(match (self, byte) {
            (State::After, _) => return None,
            (State::Bare, b'{' | b'[' | b'"') => return None,
            (State::Bare, _) if is_blank => return None,
            (State::Before, _) if is_blank => State::Before,
            (State::Before, b'#') => State::Comment,
            (State::Comment, b'\n' | b'\r') => State::Before,
            (State::Comment, _) => State::Comment,
            (State::Before, b'"') => State::Quoted(0),
            (State::Before, b'{' | b'[') => State::Open(1),
            (State::Before | State::Bare, _) => State::Bare,
            (State::Open(depth), b'"') => State::Quoted(depth),
            (State::Open(depth), b'{' | b'[') => State::Open(depth + 1),
            (State::Open(depth), b'}' | b']') => end(depth - 1),
            (State::Open(depth), _) => State::Open(depth),
            (State::Quoted(depth), b'"') => end(depth),
            (State::Quoted(depth), b'\\') => State::Escaped(depth),
            (State::Quoted(depth) | State::Escaped(depth), _) => State::Quoted(depth),
        })
    }
}

impl State {
    /// Scans `bytes`, and returns the offset of the first byte that does not belong to the text. If
    /// there is none, this is the length.
    fn scan(&mut self, bytes: &[u8]) -> usize {
        let mut at = 0;
        while at < bytes.len() {
            let rest = &bytes[at..];
            let plain = match self {
                State::Quoted(_) => memchr::memchr2(b'"', b'\\', rest),
                State::Open(_) => rest.iter().position(|byte| b"\"{}[]".contains(byte)),
                _ => Some(0),
            };
            at += plain.unwrap_or(rest.len());
            let Some(&byte) = bytes.get(at) else { break };
            let Some(next) = self.step(byte) else { return at };
            *self = next;
            at += 1;
        }
        at
    }
}

impl<R: Read> JsonTexts<R> {
    /// Creates a reader of the texts in `stream`.
    pub fn new(stream: R) -> JsonTexts<R> {
        JsonTexts {
            stream,
            buffer: Vec::new(),
            start: 0,
            scanned: 0,
            state: State::Before,
            position: Position::default(),
            head: Vec::new(),
            is_at_end: false,
        }
    }

    /// Returns the next text and the position where it starts, or `None` at the end.
    pub fn next_text(&mut self) -> io::Result<Option<(Position, &[u8])>> {
        Ok(match self.next_up_to(usize::MAX)? {
            Some((position, JsonText::Whole(text))) => Some((position, text)),
            _ => None,
        })
    }

    /// Returns the next text and the position where it starts, or `None` at the end. If the text is
    /// longer than `len_max` bytes, returns [`JsonText::Long`] instead of the text.
    pub fn next_up_to(&mut self, len_max: usize) -> io::Result<Option<(Position, JsonText<'_>)>> {
        self.skip_to(self.scanned);
        self.state = State::Before;
        while !self.scan() {
            if self.is_at_end {
                // A truncated text is returned, too: the parser will report the error.
                let text = &self.buffer[self.start..self.scanned];
                let is_text = !matches!(self.state, State::Before | State::Comment);
                return Ok(is_text.then_some((self.position, JsonText::Whole(text))));
            }
            if self.state == State::Comment {
                self.skip_to(self.scanned);
            }
            if self.scanned - self.start > len_max {
                return Ok(Some((self.position, JsonText::Long)));
            }
            self.fill()?;
        }
        let text = &self.buffer[self.start..self.scanned];
        Ok(Some((self.position, JsonText::Whole(text))))
    }

    /// Returns a reader of the current text from its start. This is for long texts.
    pub fn rest(&mut self) -> JsonRest<'_, R> {
        JsonRest { texts: self, has_ended: false }
    }

    /// Returns the part of the current line that is before the text. If it is long, only its end is
    /// returned, which is sufficient for an excerpt.
    pub fn head(&self) -> String {
        String::from_utf8_lossy(&self.head).into_owned()
    }

    /// Returns the number of bytes of the stream that were consumed.
    pub fn offset(&self) -> usize {
        self.position.offset
    }

    /// Scans the buffer for the end of the text. Returns whether the end was found.
    fn scan(&mut self) -> bool {
        while matches!(self.state, State::Before | State::Comment) {
            let Some(&byte) = self.buffer.get(self.scanned) else { return false };
            let Some(next) = self.state.step(byte) else { return true };
            if self.state == State::Before && next != State::Before {
                self.skip_to(self.scanned);
            }
            self.scanned += 1;
            self.state = next;
        }
        self.scanned += self.state.scan(&self.buffer[self.scanned..]);
        self.scanned < self.buffer.len()
    }

    /// Consumes the bytes in the buffer before offset `at`.
    fn skip_to(&mut self, at: usize) {
        const HEAD_BYTES: usize = 120;
        let passed = &self.buffer[self.start..at];
        self.position.pass(passed);
        let line = passed.iter().rposition(|byte| matches!(byte, b'\n' | b'\r'));
        if line.is_some() {
            self.head.clear();
        }
        let rest = &passed[line.map_or(0, |at| at + 1)..];
        self.head.extend_from_slice(&rest[rest.len().saturating_sub(HEAD_BYTES)..]);
        self.head.drain(..self.head.len().saturating_sub(HEAD_BYTES));
        self.start = at;
    }

    /// Reads more of the stream into the buffer.
    fn fill(&mut self) -> io::Result<()> {
        self.buffer.drain(..self.start);
        self.scanned -= self.start;
        self.start = 0;
        let filled = self.buffer.len();
        self.buffer.resize(filled + STEP_BYTES.max(filled), 0);
        let got = loop {
            match self.stream.read(&mut self.buffer[filled..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => break result?,
            }
        };
        self.buffer.truncate(filled + got);
        self.is_at_end = got == 0;
        Ok(())
    }
}

/// Returns `bytes`, which are one or more JSON texts, as a stream of YAML in which each text is a
/// document. Each text keeps its line. If the bytes are something else, they are returned unchanged,
/// so that the parser reports what is wrong.
pub fn documents(bytes: Vec<u8>) -> Vec<u8> {
    let end = State::Before.scan(&bytes);
    if bytes[end..].trim_ascii_start().is_empty() {
        return bytes;
    }
    let mut texts = JsonTexts::new(&bytes[..]);
    let mut out = Vec::new();
    let mut count = 0u64;
    let mut lines = 0;
    // Reading from memory does not fail.
    while let Ok(Some((position, text))) = texts.next_text() {
        let is_json = text.first().is_some_and(|first| b"{[\"-0123456789tfn".contains(first));
        if !is_json {
            return bytes;
        }
        let breaks = position.lines.saturating_sub(lines).max(count.min(1));
        out.extend(std::iter::repeat_n(b'\n', breaks as usize));
        out.extend_from_slice(if count > 0 { b"--- " } else { b"" });
        out.extend_from_slice(text);
        lines = position.lines + text.iter().filter(|byte| **byte == b'\n').count() as u64;
        count += 1;
    }
    if count < 2 { bytes } else { out }
}

/// A reader of one text in a stream.
pub struct JsonRest<'s, R> {
    texts: &'s mut JsonTexts<R>,
    has_ended: bool,
}

impl<R: Read> Read for JsonRest<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let texts = &mut *self.texts;
        while texts.start == texts.scanned && !self.has_ended {
            if texts.scanned == texts.buffer.len() && !texts.is_at_end {
                texts.fill()?;
            }
            self.has_ended = texts.scan() || texts.is_at_end;
        }
        let count = out.len().min(texts.scanned - texts.start);
        out[..count].copy_from_slice(&texts.buffer[texts.start..texts.start + count]);
        texts.skip_to(texts.start + count);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns each JSON text in `stream`, with its offset and the number of line breaks before it.
    fn texts(stream: impl Read) -> Vec<(usize, u64, String)> {
        let mut texts = JsonTexts::new(stream);
        let mut all = Vec::new();
        while let Some((position, text)) = texts.next_text().unwrap() {
            let text = String::from_utf8(text.to_vec()).unwrap();
            all.push((position.offset, position.lines, text));
        }
        all
    }

    /// A reader that returns one byte at a time.
    struct Trickle<'a>(&'a [u8]);

    impl Read for Trickle<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let Some((first, rest)) = self.0.split_first() else { return Ok(0) };
            out[0] = *first;
            self.0 = rest;
            Ok(1)
        }
    }

    #[test]
    fn json_texts_are_split_where_they_end() {
        let stream = b" {\"a\": [1, \"]\\\"}\"]}\n[]\r\n2 true\"x\"{}\n";
        let expected = [
            (1, 0, "{\"a\": [1, \"]\\\"}\"]}"),
            (20, 1, "[]"),
            (24, 2, "2"),
            (26, 2, "true"),
            (30, 2, "\"x\""),
            (33, 2, "{}"),
        ];
        let expected = expected.map(|(offset, line, text)| (offset, line, text.to_owned()));
        assert_eq!(texts(&stream[..]), expected);
        assert_eq!(texts(Trickle(stream)), expected);
    }

    #[test]
    fn comments_between_texts_are_skipped() {
        let stream = b"# \"a [\n1\n # b\r\n{} #c";
        let expected = [(7, 1, "1".to_owned()), (15, 3, "{}".to_owned())];
        assert_eq!(texts(&stream[..]), expected);
        assert_eq!(texts(Trickle(stream)), expected);
        let mut long = JsonTexts::new(&b"# a long comment\n[1]"[..]);
        let found = long.next_up_to(4).unwrap();
        assert!(matches!(found, Some((_, JsonText::Whole(b"[1]")))));
    }

    #[test]
    fn each_text_becomes_a_document_on_its_line() {
        for (text, expected) in [
            ("{}\n[1,\n2]\n\n 3\n", "{}\n--- [1,\n2]\n\n--- 3"),
            ("{} {}", "{}\n--- {}"),
            ("{\"a\": 1}\n", "{\"a\": 1}\n"),
            ("// c\n{}\n", "// c\n{}\n"),
            ("{}\na\n", "{}\na\n"),
            ("", ""),
        ] {
            assert_eq!(documents(text.into()), expected.as_bytes(), "{text:?}");
        }
    }

    #[test]
    fn truncated_text_is_returned_unchanged() {
        assert_eq!(texts(&b"1\n{\"a"[..])[1].2, "{\"a");
        assert_eq!(texts(&b" \n"[..]), []);
        assert_eq!(texts(&b"]}"[..])[0].2, "]}");
    }

    #[test]
    fn long_texts_are_read_in_pieces() {
        let long = format!("[{}\"]\\\"\"]", "1, ".repeat(100_000));
        let stream = format!("{{}} {long}\n2{long}{long}3");
        let mut texts = JsonTexts::new(Trickle(stream.as_bytes()));
        let mut found = String::new();
        while let Some((position, text)) = texts.next_up_to(100).unwrap() {
            assert!(stream[position.offset..].starts_with(['{', '[', '2', '3']));
            match text {
                JsonText::Whole(text) => found += std::str::from_utf8(text).unwrap(),
                JsonText::Long => {
                    let mut rest = String::new();
                    texts.rest().read_to_string(&mut rest).unwrap();
                    assert_eq!(rest, long);
                    assert!(texts.buffer.capacity() <= 4 * STEP_BYTES);
                    found += "L";
                }
            }
            found += " ";
        }
        assert_eq!(found, "{} L 2 L L 3 ");
    }
}
