//! Cuts a stream of JSON into its texts, one in memory at a time.
//!
//! Only where a text ends is found here; what it means, and what is wrong with it, the YAML engine
//! tells. So a cut in the middle of what is no JSON does no harm.

use crate::position::Position;
use std::io::{self, Read};

/// The texts of a stream: values one behind the other, white space between them.
pub struct JsonTexts<R> {
    stream: R,
    buffer: Vec<u8>,
    /// Where the text starts in the buffer, and how far it has been looked at.
    start: usize,
    scanned: usize,
    /// Where `start` is in the stream.
    position: Position,
    is_at_end: bool,
}

/// How much is asked of the stream at a time.
const STEP_BYTES: usize = 64 * 1024;

/// Where the scan is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// In white space in front of a text.
    Before,
    /// In a number or a word.
    Bare,
    /// In so many brackets, outside of strings.
    Open(u64),
    /// In a string, in so many brackets.
    Quoted(u64),
    /// Behind a backslash in a string.
    Escaped(u64),
    /// Behind the last byte of the text.
    After,
}

impl State {
    /// The state behind `byte`; `None` when that belongs to the next text already.
    fn step(self, byte: u8) -> Option<State> {
        let is_blank = byte.is_ascii_whitespace();
        let end = |depth| if depth == 0 { State::After } else { State::Open(depth) };
        Some(match (self, byte) {
            (State::After, _) => return None,
            (State::Bare, b'{' | b'[' | b'"') => return None,
            (State::Bare, _) if is_blank => return None,
            (State::Before, _) if is_blank => State::Before,
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

impl<R: Read> JsonTexts<R> {
    /// The texts of `stream`.
    pub fn new(stream: R) -> JsonTexts<R> {
        JsonTexts {
            stream,
            buffer: Vec::new(),
            start: 0,
            scanned: 0,
            position: Position::default(),
            is_at_end: false,
        }
    }

    /// The next text and where it starts, or `None` at the end.
    pub fn next_text(&mut self) -> io::Result<Option<(Position, &[u8])>> {
        self.skip_to(self.scanned);
        let mut state = State::Before;
        loop {
            while let Some(&byte) = self.buffer.get(self.scanned) {
                let Some(next) = state.step(byte) else {
                    return Ok(Some((self.position, &self.buffer[self.start..self.scanned])));
                };
                if state == State::Before && next != State::Before {
                    self.skip_to(self.scanned);
                }
                self.scanned += 1;
                state = next;
            }
            if self.is_at_end {
                // A text that is cut short is handed over all the same, to be complained about.
                let text = &self.buffer[self.start..self.scanned];
                return Ok((state != State::Before).then_some((self.position, text)));
            }
            self.fill()?;
        }
    }

    /// What is in front of `at` is done with.
    fn skip_to(&mut self, at: usize) {
        self.position.pass(&self.buffer[self.start..at]);
        self.start = at;
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(stream: impl Read) -> Vec<(usize, u64, String)> {
        let mut texts = JsonTexts::new(stream);
        let mut all = Vec::new();
        while let Some((position, text)) = texts.next_text().unwrap() {
            let text = String::from_utf8(text.to_vec()).unwrap();
            all.push((position.offset, position.lines, text));
        }
        all
    }

    /// Gives a byte at a time.
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
    fn texts_are_cut_where_they_end() {
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
    fn what_is_cut_short_comes_as_it_is() {
        assert_eq!(texts(&b"1\n{\"a"[..])[1].2, "{\"a");
        assert_eq!(texts(&b" \n"[..]), []);
        assert_eq!(texts(&b"]}"[..])[0].2, "]}");
    }
}
