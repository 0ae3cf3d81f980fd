//! Events as text, in the notation of yaml-test-suite, with one event per line.
//!
//! ```text
//! +STR
//! +DOC ---
//! +MAP {} &anchor <tag:example.com,2000:x>
//! =VAL :plain
//! =ALI *anchor
//! -MAP
//! -DOC
//! -STR
//! ```
//!
//! The lines of a chunk are built in memory and written at once, so the writer does not have to be
//! buffered. Most scalars are short, and are copied as one block of 64 bytes that includes the bytes after
//! the scalar. The next line overwrites these.

use crate::buffer::Buffer;
use crate::event::{Chunk, Event, EventKind, Flags};
use crate::scalar;
use crate::tag::TagHandles;
use ketch_bytes::{BLOCK_BYTES, Kernel, Lanes, Level, dispatch};
use std::io::{self, Write};

/// Writes chunks of events in the notation of yaml-test-suite, between `+STR` and `-STR`.
///
/// ```
/// use ketch_yaml::{Parser, notation::Notation};
///
/// let mut parser = Parser::new(b"- ketch\n");
/// let mut notation = Notation::start(Vec::new())?;
/// while let Some(chunk) = parser.next_chunk()? {
///     notation.chunk(&chunk)?;
/// }
/// assert_eq!(notation.end()?, b"+STR\n+DOC\n+SEQ\n=VAL :ketch\n-SEQ\n-DOC\n-STR\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Notation<W> {
    out: W,
    level: Level,
    lines: Lines,
}

impl<W: Write> Notation<W> {
    /// Writes the start of the stream to `out`.
    pub fn start(mut out: W) -> io::Result<Notation<W>> {
        out.write_all(b"+STR\n")?;
        Ok(Notation { out, level: Level::detect(), lines: Lines::default() })
    }

    /// Writes the events of `chunk`. Their lines are built in memory first.
    pub fn chunk(&mut self, chunk: &Chunk<'_, '_>) -> io::Result<()> {
        dispatch(self.level, Append { lines: &mut self.lines, chunk });
        let result = self.out.write_all(self.lines.buffer.written());
        self.lines.buffer.clear();
        result
    }

    /// Writes the end of the stream and returns the writer.
    pub fn end(mut self) -> io::Result<W> {
        self.out.write_all(b"-STR\n")?;
        Ok(self.out)
    }

    /// Returns the writer without writing the end of the stream, for streams that fail.
    pub fn into_inner(self) -> W {
        self.out
    }
}

/// The lines of a chunk, and the state from earlier chunks.
#[derive(Debug, Default)]
struct Lines {
    buffer: Buffer,
    handles: TagHandles,
    anchor: Vec<u8>,
    tag: Vec<u8>,
    decoded: Vec<u8>,
}

/// Appends the lines of a chunk.
struct Append<'l, 'c> {
    lines: &'l mut Lines,
    chunk: &'l Chunk<'c, 'c>,
}

impl Kernel for Append<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let text = self.chunk.text();
        for event in self.chunk.events() {
            if !self.lines.short(lanes, text, &event) {
                self.lines.event(text, &event);
            }
        }
    }
}

impl Lines {
    /// Appends the line of `event` if the event is simple and has no properties: the start or end
    /// of a collection, or a scalar that is a slice of the text, shorter than a block, and without
    /// anything to escape. Returns false, and appends nothing, for any other event.
    #[inline(always)]
    fn short<L: Lanes>(&mut self, lanes: L, text: &[u8], event: &Event) -> bool {
        if !(self.anchor.is_empty() && self.tag.is_empty()) {
            return false;
        }
        let is_flow = event.flags.has(Flags::FLOW);
        let (prefix, quotes) = match event.kind {
            EventKind::Plain => (b"=VAL :\0\0", 0),
            EventKind::SingleQuoted => (b"=VAL '\0\0", 1),
            EventKind::DoubleQuoted => (b"=VAL \"\0\0", 1),
            EventKind::MappingStart if is_flow => {
                return put_line(&mut self.buffer, b"+MAP {}\n", 8);
            }
            EventKind::MappingStart => return put_line(&mut self.buffer, b"+MAP\n\0\0\0", 5),
            EventKind::MappingEnd => return put_line(&mut self.buffer, b"-MAP\n\0\0\0", 5),
            EventKind::SequenceStart if is_flow => {
                return put_line(&mut self.buffer, b"+SEQ []\n", 8);
            }
            EventKind::SequenceStart => return put_line(&mut self.buffer, b"+SEQ\n\0\0\0", 5),
            EventKind::SequenceEnd => return put_line(&mut self.buffer, b"-SEQ\n\0\0\0", 5),
            _ => return false,
        };
        let content_len = event.len - 2 * quotes;
        let is_verbatim = !event.flags.intersects(Flags::MULTILINE.with(Flags::ESCAPES));
        let block = text.get(event.start + quotes..).and_then(|rest| rest.first_chunk());
        let (true, Some(block)) = (is_verbatim && content_len < BLOCK_BYTES, block) else {
            return false;
        };
        let loaded = lanes.load(block);
        // The backslash and five control characters are escaped; no other control characters get
        // here.
        let escaped = lanes.eq(loaded, b'\\') | lanes.le(loaded, 0x1F);
        if escaped & ((1 << content_len) - 1) != 0 {
            return false;
        }
        put_scalar(&mut self.buffer, prefix, block, content_len);
        true
    }

    /// Appends the line of `event`, which may be of any kind.
    #[inline(never)]
    fn event(&mut self, text: &[u8], event: &Event) {
        let bytes = &text[event.range()];
        let is_flow = event.flags.has(Flags::FLOW);
        match event.kind {
            EventKind::Nop => {}
            EventKind::Directive => self.handles.directive(bytes),
            EventKind::DocumentStart => self.document(b"+DOC", event, b" ---"),
            EventKind::DocumentEnd => {
                self.handles.clear();
                self.document(b"-DOC", event, b" ...");
            }
            EventKind::SequenceStart => self.node(if is_flow { b"+SEQ []" } else { b"+SEQ" }),
            EventKind::MappingStart => self.node(if is_flow { b"+MAP {}" } else { b"+MAP" }),
            EventKind::SequenceEnd => self.buffer.put(b"-SEQ\n"),
            EventKind::MappingEnd => self.buffer.put(b"-MAP\n"),
            EventKind::Alias => {
                self.buffer.put(b"=ALI ");
                self.buffer.put(bytes);
                self.buffer.put(b"\n");
            }
            EventKind::Anchor => self.anchor.extend_from_slice(bytes),
            EventKind::Tag => self.tag.extend_from_slice(self.handles.resolve(bytes).as_bytes()),
            _ => self.scalar(text, event),
        }
    }

    /// Appends the line of `event`, the start or end of a document: `name`, and `marker` if the
    /// document has this marker.
    fn document(&mut self, name: &[u8], event: &Event, marker: &[u8]) {
        self.buffer.put(name);
        if event.flags.has(Flags::EXPLICIT) {
            self.buffer.put(marker);
        }
        self.buffer.put(b"\n");
    }

    /// Appends the line of the start of a collection: `name` and the properties.
    fn node(&mut self, name: &[u8]) {
        self.buffer.put(name);
        self.properties();
        self.buffer.put(b"\n");
    }

    /// Appends the pending anchor and tag of the node.
    fn properties(&mut self) {
        if !self.anchor.is_empty() {
            self.buffer.put(b" ");
            self.buffer.put(&self.anchor);
            self.anchor.clear();
        }
        if !self.tag.is_empty() {
            self.buffer.put(b" <");
            self.buffer.put(&self.tag);
            self.buffer.put(b">");
            self.tag.clear();
        }
    }

    /// Appends the line of the scalar `event`.
    fn scalar(&mut self, text: &[u8], event: &Event) {
        self.buffer.put(b"=VAL");
        self.properties();
        self.buffer.put(match event.kind {
            EventKind::SingleQuoted => b" '",
            EventKind::DoubleQuoted => b" \"",
            EventKind::Literal => b" |",
            EventKind::Folded => b" >",
            _ => b" :",
        });
        match scalar::verbatim(text, event) {
            Some(bytes) => put_escaped(&mut self.buffer, bytes),
            None => {
                self.decoded.clear();
                scalar::decode(text, event, &mut self.decoded);
                put_escaped(&mut self.buffer, &self.decoded);
            }
        }
        self.buffer.put(b"\n");
    }
}

/// The capacity that a short line needs: six bytes for the start of a scalar's line, a block, and
/// the line break.
const LINE_BYTES: usize = 6 + BLOCK_BYTES + 1;

/// Appends the first `len` bytes of `line`, which are a whole line. Always returns true.
#[inline(always)]
fn put_line(out: &mut Buffer, line: &[u8; 8], len: usize) -> bool {
    out.spare::<8>().copy_from_slice(line);
    out.advance(len);
    true
}

/// Appends six bytes of `prefix`, `content_len` bytes of `block`, and a line break.
#[inline(always)]
fn put_scalar(out: &mut Buffer, prefix: &[u8; 8], block: &[u8; BLOCK_BYTES], content_len: usize) {
    let line = out.spare::<LINE_BYTES>();
    line[..8].copy_from_slice(prefix);
    line[6..6 + BLOCK_BYTES].copy_from_slice(block);
    line[6 + content_len] = b'\n';
    out.advance(6 + content_len + 1);
}

/// Appends `bytes` with line breaks, tabs, backspaces, NULs and backslashes as escapes.
fn put_escaped(out: &mut Buffer, bytes: &[u8]) {
    let mut rest = bytes;
    while let Some(at) = rest.iter().position(|&byte| is_escaped(byte)) {
        out.put(&rest[..at]);
        out.put(match rest[at] {
            b'\\' => b"\\\\",
            b'\n' => b"\\n",
            b'\r' => b"\\r",
            b'\t' => b"\\t",
            0 => b"\\0",
            _ => b"\\b",
        });
        rest = &rest[at + 1..];
    }
    out.put(rest);
}

/// Returns whether `byte` is written as an escape. For most bytes, this takes only two comparisons.
#[inline(always)]
fn is_escaped(byte: u8) -> bool {
    byte == b'\\' || byte <= b'\r' && matches!(byte, b'\n' | b'\r' | b'\t' | 0 | 8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, Parser};

    /// Returns the events of `input`, which is valid, in the notation of yaml-test-suite.
    fn events(input: &[u8], level: Level, chunk_words: usize) -> String {
        let options = Options { level, chunk_words, ..Options::default() };
        let mut parser = Parser::with_options(input, &options);
        let mut notation = Notation::start(Vec::new()).expect("writing to memory");
        notation.level = level;
        while let Some(chunk) = parser.next_chunk().expect("an input without errors") {
            notation.chunk(&chunk).expect("writing to memory");
        }
        String::from_utf8(notation.end().expect("writing to memory")).expect("UTF-8")
    }

    /// Checks what is written for scalars of many lengths, shorter and longer than a block, in the
    /// middle of the text and at its end, with and without something to escape.
    #[test]
    fn scalars_of_all_lengths_and_styles_are_escaped() {
        for level in Level::available() {
            for len in 1..140 {
                for special in ["", "\\", "\t"] {
                    // A tab may be inside plain text, but not at its end.
                    let content = format!("{}{special}{}x", "a".repeat(len), "b".repeat(len % 3));
                    let escaped = content.replace('\\', "\\\\").replace('\t', "\\t");
                    for tail in
                        ["", "\n# a comment that is longer than a block, so that one fits after it"]
                    {
                        let input = format!("- {content}\n- '{content}'{tail}");
                        let want = format!(
                            "+STR\n+DOC\n+SEQ\n=VAL :{escaped}\n=VAL '{escaped}\n-SEQ\n-DOC\n-STR\n"
                        );
                        assert_eq!(events(input.as_bytes(), level, 4096), want, "{level} {len}");
                    }
                }
            }
        }
    }

    #[test]
    fn each_kind_of_event_has_its_notation() {
        let input =
            "%TAG !e! tag:e.com,2000:\n---\n!e!x &a [*a , {}]\n...\n--- !e A\n--- |\n  \\\t\n";
        let want = "+STR\n+DOC ---\n+SEQ [] &a <tag:e.com,2000:x>\n=ALI *a\n+MAP {}\n-MAP\n-SEQ\n\
            -DOC ...\n+DOC ---\n=VAL <!e> :A\n-DOC\n+DOC ---\n=VAL |\\\\\\t\\n\n-DOC\n-STR\n";
        for chunk_words in [1, 4096] {
            assert_eq!(events(input.as_bytes(), Level::detect(), chunk_words), want);
        }
    }
}
