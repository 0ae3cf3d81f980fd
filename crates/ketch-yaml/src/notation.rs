//! Events as text, in the notation of yaml-test-suite: one event a line.
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

use crate::event::{Chunk, Event, EventKind, Flags};
use crate::scalar;
use crate::tag::TagHandles;
use std::io::{self, Write};

/// Writes chunks of events in the notation, `+STR` in front and `-STR` behind.
#[derive(Debug)]
pub struct Notation<W> {
    out: W,
    handles: TagHandles,
    anchor: Vec<u8>,
    tag: Vec<u8>,
    decoded: Vec<u8>,
}

impl<W: Write> Notation<W> {
    /// Writes the start of the stream to `out`.
    pub fn start(mut out: W) -> io::Result<Notation<W>> {
        out.write_all(b"+STR\n")?;
        let handles = TagHandles::default();
        Ok(Notation { out, handles, anchor: Vec::new(), tag: Vec::new(), decoded: Vec::new() })
    }

    /// Writes the events of a chunk.
    pub fn chunk(&mut self, chunk: &Chunk<'_, '_>) -> io::Result<()> {
        chunk.events().try_for_each(|event| self.event(chunk, &event))
    }

    /// Writes the end of the stream and gives the writer back.
    pub fn end(mut self) -> io::Result<W> {
        self.out.write_all(b"-STR\n")?;
        Ok(self.out)
    }

    /// Gives the writer back where the stream broke off.
    pub fn into_inner(self) -> W {
        self.out
    }

    fn event(&mut self, chunk: &Chunk<'_, '_>, event: &Event) -> io::Result<()> {
        let bytes = chunk.bytes(event);
        let is_flow = event.flags.has(Flags::FLOW);
        match event.kind {
            EventKind::Nop => Ok(()),
            EventKind::Directive => {
                self.handles.directive(bytes);
                Ok(())
            }
            EventKind::DocumentStart => self.line(b"+DOC", event, b" ---"),
            EventKind::DocumentEnd => {
                self.handles.clear();
                self.line(b"-DOC", event, b" ...")
            }
            EventKind::SequenceStart => self.node(if is_flow { b"+SEQ []" } else { b"+SEQ" }),
            EventKind::MappingStart => self.node(if is_flow { b"+MAP {}" } else { b"+MAP" }),
            EventKind::SequenceEnd => self.out.write_all(b"-SEQ\n"),
            EventKind::MappingEnd => self.out.write_all(b"-MAP\n"),
            EventKind::Alias => {
                self.out.write_all(b"=ALI ")?;
                self.out.write_all(bytes)?;
                self.out.write_all(b"\n")
            }
            EventKind::Anchor => {
                self.anchor.extend_from_slice(bytes);
                Ok(())
            }
            EventKind::Tag => {
                self.tag.extend_from_slice(self.handles.resolve(bytes).as_bytes());
                Ok(())
            }
            _ => self.scalar(chunk, event),
        }
    }

    fn line(&mut self, name: &[u8], event: &Event, marker: &[u8]) -> io::Result<()> {
        self.out.write_all(name)?;
        if event.flags.has(Flags::EXPLICIT) {
            self.out.write_all(marker)?;
        }
        self.out.write_all(b"\n")
    }

    fn node(&mut self, name: &[u8]) -> io::Result<()> {
        self.out.write_all(name)?;
        self.properties()?;
        self.out.write_all(b"\n")
    }

    fn properties(&mut self) -> io::Result<()> {
        if !self.anchor.is_empty() {
            self.out.write_all(b" ")?;
            self.out.write_all(&self.anchor)?;
            self.anchor.clear();
        }
        if !self.tag.is_empty() {
            self.out.write_all(b" <")?;
            self.out.write_all(&self.tag)?;
            self.out.write_all(b">")?;
            self.tag.clear();
        }
        Ok(())
    }

    fn scalar(&mut self, chunk: &Chunk<'_, '_>, event: &Event) -> io::Result<()> {
        self.out.write_all(b"=VAL")?;
        self.properties()?;
        let style = match event.kind {
            EventKind::SingleQuoted => b" '",
            EventKind::DoubleQuoted => b" \"",
            EventKind::Literal => b" |",
            EventKind::Folded => b" >",
            _ => b" :",
        };
        self.out.write_all(style)?;
        match scalar::verbatim(chunk.text(), event) {
            Some(bytes) => write_escaped(&mut self.out, bytes)?,
            None => {
                self.decoded.clear();
                scalar::decode(chunk.text(), event, &mut self.decoded);
                write_escaped(&mut self.out, &self.decoded)?;
            }
        }
        self.out.write_all(b"\n")
    }
}

/// Writes `bytes` with line breaks, tabs, backspaces, NULs and backslashes as escapes.
fn write_escaped(out: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    let mut rest = bytes;
    let is_escaped = |byte: &u8| matches!(byte, b'\\' | b'\n' | b'\r' | b'\t' | 0 | 8);
    while let Some(at) = rest.iter().position(is_escaped) {
        out.write_all(&rest[..at])?;
        out.write_all(match rest[at] {
            b'\\' => b"\\\\",
            b'\n' => b"\\n",
            b'\r' => b"\\r",
            b'\t' => b"\\t",
            0 => b"\\0",
            _ => b"\\b",
        })?;
        rest = &rest[at + 1..];
    }
    out.write_all(rest)
}
