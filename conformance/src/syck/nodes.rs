//! Returns the nodes of a text as lines, in the form that `conformance/syck/Oracle.java` prints.

use ketch_yaml::schema::Schema;
use ketch_yaml::tag::TagHandles;
use ketch_yaml::{Chunk, Event, EventKind, Options, Parser, scalar};
use std::collections::HashMap;
use std::fmt::Write;

/// The tag of an alias that refers to nothing.
const BAD_ALIAS: &str = "x-private:bad-alias";

/// Returns the nodes of all documents in `text`. If the text is rejected, the last line is
/// `refused`.
#[must_use]
pub fn nodes(text: &[u8]) -> String {
    let mut options = Options::default();
    options.dialect = ketch_syck::DIALECT;
    let mut parser = Parser::with_options(text, &options);
    let mut printer = Printer::default();
    loop {
        match parser.next_chunk() {
            Ok(Some(chunk)) => printer.chunk(&chunk),
            Ok(None) => return printer.out,
            Err(error) => {
                printer.out += &format!("refused {error}\n").replace('\n', " | ");
                printer.out.push('\n');
                return printer.out;
            }
        }
    }
}

#[derive(Default)]
struct Printer {
    out: String,
    count: usize,
    anchors: HashMap<Vec<u8>, usize>,
    tag: Option<String>,
    names: Vec<Vec<u8>>,
}

impl Printer {
    fn chunk(&mut self, chunk: &Chunk<'_, '_>) {
        for event in chunk.events() {
            self.event(chunk, &event);
        }
    }

    /// Appends the lines for an event to the output.
    fn event(&mut self, chunk: &Chunk<'_, '_>, event: &Event) {
        let bytes = chunk.bytes(event);
        match event.kind {
            EventKind::DocumentStart => {
                self.out += "document\n";
                self.count = 0;
                self.anchors.clear();
            }
            EventKind::Anchor => self.names.push(bytes[1..].to_vec()),
            EventKind::Tag => {
                self.tag = Some(TagHandles::default().resolve(bytes).into_owned());
            }
            EventKind::Alias => {
                let known = self.anchors.get(&bytes[1..]).copied();
                for name in std::mem::take(&mut self.names) {
                    self.anchors.extend(known.map(|known| (name, known)));
                }
                let known = known.map_or_else(|| "nothing".to_owned(), |known| known.to_string());
                let _ = writeln!(self.out, "again {known}");
            }
            EventKind::SequenceStart | EventKind::MappingStart => {
                self.start();
                let name = if event.kind == EventKind::SequenceStart { "seq" } else { "map" };
                let tag = self.tag.take().unwrap_or_else(|| "-".to_owned());
                let _ = writeln!(self.out, "{name} {}", latin1(tag.as_bytes()));
            }
            EventKind::SequenceEnd | EventKind::MappingEnd => self.out += "end\n",
            kind if kind.is_scalar() => {
                self.start();
                let content = scalar::content(chunk.text(), event);
                self.scalar(kind, &content);
            }
            _ => {}
        }
    }

    /// Starts a node: it gets the next number, to which the pending anchors then refer.
    fn start(&mut self) {
        for name in std::mem::take(&mut self.names) {
            self.anchors.insert(name, self.count);
        }
        self.count += 1;
    }

    /// Appends the line for a scalar and its tag.
    fn scalar(&mut self, kind: EventKind, content: &[u8]) {
        let shown = escaped(content);
        let tag = match self.tag.take() {
            Some(tag) if tag == BAD_ALIAS => {
                let _ = writeln!(self.out, "bad  {shown}");
                return;
            }
            Some(tag) => tag,
            None if kind == EventKind::Plain => {
                let tag = Schema::Syck.resolve(content);
                match tag.refinement() {
                    // Yecht gives these timestamps no refinement; their value is the same.
                    Some("iso8601") if is_canonical_time(content) => tag.uri().to_owned(),
                    Some(refinement) => format!("{}#{refinement}", tag.uri()),
                    None => tag.uri().to_owned(),
                }
            }
            None => "tag:yaml.org,2002:str".to_owned(),
        };
        let _ = writeln!(self.out, "scalar {} {shown}", latin1(tag.as_bytes()));
    }
}

/// Returns whether a timestamp is written with `T` and `Z`, and its fraction does not end with a
/// zero.
fn is_canonical_time(content: &[u8]) -> bool {
    let Some(rest) = content.strip_suffix(b"Z") else { return false };
    rest.get(10) == Some(&b'T')
        && (rest.len() == 19 || rest.last().is_some_and(|&last| matches!(last, b'1'..=b'9')))
}

/// Returns bytes in the form in which the oracle prints a tag: each byte as a character.
fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| char::from(byte)).collect()
}

/// Returns bytes as ASCII text, with escapes for backslashes, control characters and other bytes.
fn escaped(bytes: &[u8]) -> String {
    let mut out = String::new();
    for &byte in bytes {
        match byte {
            b'\\' | 0..0x20 | 0x7F.. => {
                let _ = write!(out, "\\{byte:02x}");
            }
            _ => out.push(char::from(byte)),
        }
    }
    out
}
