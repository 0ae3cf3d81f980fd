//! Events as programs get them: with names and decoded content, each node with its anchor and tag.

use ketch_yaml::tag::TagHandles;
use ketch_yaml::{Chunk, Error, Event, EventKind, Flags, Limits, Location, Problem, scalar};
use std::borrow::Cow;

/// An event.
#[derive(Debug)]
pub struct Given<'c> {
    /// The name of its kind.
    pub kind: &'static str,
    /// The content of a scalar, the name that an alias refers to, or the text of a directive.
    pub value: Option<Cow<'c, str>>,
    /// The name of the node's anchor.
    pub anchor: Option<String>,
    /// The node's tag.
    pub tag: Option<String>,
    /// The name of its style.
    pub style: Option<&'static str>,
    /// Whether the start or end of a document is marked.
    pub is_explicit: bool,
    /// The offset at which the event starts, in bytes.
    pub start: u64,
    /// Its length in bytes.
    pub len: usize,
    /// The offset at which the node starts, with its anchor and tag.
    pub node_start: u64,
}

/// The properties that precede a node.
#[derive(Debug, Default)]
struct Properties {
    anchor: Option<String>,
    tag: Option<String>,
    /// The offset at which the first of them starts.
    start: Option<u64>,
}

/// Converts the events of a stream.
#[derive(Debug, Default)]
pub struct Giver {
    handles: TagHandles,
    properties: Properties,
    /// The total length of all tags so far, in bytes.
    tag_bytes: u64,
}

impl Giver {
    /// Returns the event, or `None` for an anchor or a tag, which belongs to the next event.
    pub fn event<'c>(&mut self, chunk: &'c Chunk<'_, '_>, event: &Event) -> Option<Given<'c>> {
        let bytes = chunk.bytes(event);
        let start = chunk.base() + event.start as u64;
        let words = |bytes: &'c [u8]| String::from_utf8_lossy(bytes);
        match event.kind {
            EventKind::Nop => return None,
            EventKind::Anchor | EventKind::Tag => {
                self.properties.start.get_or_insert(start);
                if event.kind == EventKind::Anchor {
                    self.properties.anchor = Some(words(&bytes[1..]).into_owned());
                } else {
                    let tag = self.handles.resolve(bytes).into_owned();
                    self.tag_bytes += tag.len() as u64;
                    self.properties.tag = Some(tag);
                }
                return None;
            }
            EventKind::Directive => self.handles.directive(bytes),
            EventKind::DocumentEnd => self.handles.clear(),
            _ => {}
        }
        let value = match event.kind {
            EventKind::Alias => Some(words(&bytes[1..])),
            EventKind::Directive => Some(words(bytes)),
            kind if kind.is_scalar() => {
                let content = scalar::content(chunk.text(), event).into_owned();
                Some(Cow::Owned(String::from_utf8_lossy(&content).into_owned()))
            }
            _ => None,
        };
        let (kind, style) = names(event);
        let Properties { anchor, tag, start: node_start } = std::mem::take(&mut self.properties);
        let is_explicit = event.flags.has(Flags::EXPLICIT);
        let (len, node_start) = (event.len, node_start.unwrap_or(start));
        Some(Given { kind, value, anchor, tag, style, is_explicit, start, len, node_start })
    }

    /// Fails if the tags so far, the last of which is that of `event`, exceed the limit of `text` for
    /// their total length. It is limited because a prefix, which is written once, may be repeated in many
    /// tags.
    ///
    /// # Errors
    ///
    /// Fails with [`Problem::TooMuchTagText`].
    pub fn check(
        &self,
        text: &[u8],
        chunk: &Chunk<'_, '_>,
        event: &Event,
        limits: &Limits,
    ) -> Result<(), Error> {
        let most = limits.max_tag_bytes.at(text.len() as u64);
        if self.tag_bytes <= most {
            return Ok(());
        }
        let at = chunk.base() + event.start as u64;
        Err(Error::at(Problem::TooMuchTagText(most), Location::in_text(text, at, event.len)))
    }
}

/// Returns the name of an event and, if it has a style, the name of the style.
fn names(event: &Event) -> (&'static str, Option<&'static str>) {
    let collection = if event.flags.has(Flags::FLOW) { "flow" } else { "block" };
    match event.kind {
        EventKind::DocumentStart => ("document_start", None),
        EventKind::DocumentEnd => ("document_end", None),
        EventKind::SequenceStart => ("sequence_start", Some(collection)),
        EventKind::SequenceEnd => ("sequence_end", None),
        EventKind::MappingStart => ("mapping_start", Some(collection)),
        EventKind::MappingEnd => ("mapping_end", None),
        EventKind::Alias => ("alias", None),
        EventKind::Directive => ("directive", None),
        EventKind::Plain => ("scalar", Some("plain")),
        EventKind::SingleQuoted => ("scalar", Some("single_quoted")),
        EventKind::DoubleQuoted => ("scalar", Some("double_quoted")),
        EventKind::Literal => ("scalar", Some("literal")),
        _ => ("scalar", Some("folded")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ketch_yaml::{Budget, Parser};

    /// Returns the events of `text` in a short form, up to the first that exceeds `tag_bytes`.
    fn events(text: &str, tag_bytes: u64) -> Vec<String> {
        let limits = Limits { max_tag_bytes: Budget::fixed(tag_bytes), ..Limits::default() };
        let (mut giver, mut found) = (Giver::default(), Vec::new());
        let mut parser = Parser::new(text.as_bytes());
        while let Some(chunk) = parser.next_chunk().unwrap() {
            for event in chunk.events() {
                if let Some(given) = giver.event(&chunk, &event) {
                    let Given { kind, value, anchor, tag, style, .. } = given;
                    let words = [style.map(str::to_owned), value.map(Cow::into_owned), anchor, tag];
                    let words: Vec<String> = words.into_iter().flatten().collect();
                    found.push(format!("{kind} {}..{} {words:?}", given.node_start, given.start));
                }
                if let Err(error) = giver.check(text.as_bytes(), &chunk, &event, &limits) {
                    let location = error.location();
                    found.push(format!("{}:{}", location.line, location.column));
                    return found;
                }
            }
        }
        found
    }

    #[test]
    fn nodes_come_with_their_properties() {
        let text = "%TAG !e! tag:e,1:\n--- &a !e!b\n- 'c\\d'\n- *a\n";
        assert_eq!(
            events(text, 100),
            [
                "directive 0..0 [\"%TAG !e! tag:e,1:\"]",
                "document_start 18..18 []",
                "sequence_start 22..30 [\"block\", \"a\", \"tag:e,1:b\"]",
                "scalar 32..32 [\"single_quoted\", \"c\\\\d\"]",
                "alias 40..40 [\"a\"]",
                "sequence_end 43..43 []",
                "document_end 43..43 []",
            ]
        );
    }

    #[test]
    fn the_length_of_tags_is_limited() {
        let text = "- !aa &b c\n- !dd e\n";
        assert_eq!(events(text, 5).last().map(String::as_str), Some("2:3"));
        assert_eq!(events(text, 6).last().map(|event| &event[..12]), Some("document_end"));
    }
}
