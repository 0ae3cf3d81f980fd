//! `Ketch.each_event`: parser events, for programs that do not need objects.

use crate::failure;
use crate::guard::function;
use crate::load::Source;
use crate::memory::Lease;
use crate::options::source_and_options;
use ketch_yaml::tag::TagHandles;
use ketch_yaml::{Event, EventKind, Flags, Location, Parser, Problem, scalar};
use magnus::{Error, RClass, RModule, Ruby, Value, prelude::*};
use std::borrow::Cow;

/// Implements `Ketch.stream_events(source, **options) { |event| }`: yields the events of a stream.
pub fn stream_events(ruby: &Ruby, arguments: &[Value]) -> Result<(), Error> {
    let (source, options) = source_and_options(ruby, arguments)?;
    let text = {
        let lease = Lease::take(ruby)?;
        Source::read(ruby, source, &lease)?.bytes().to_vec()
    };
    let class: RClass = ruby.define_module("Ketch")?.const_get("Event")?;
    let tag_bytes_max = options.parse.limits.max_tag_bytes.at(text.len() as u64);
    let mut giver = Giver {
        class,
        properties: Properties::default(),
        handles: TagHandles::default(),
        tag_bytes: 0,
    };
    let mut parser = Parser::with_options(&text, &options.parse);
    loop {
        let chunk = match parser.next_chunk() {
            Ok(Some(chunk)) => chunk,
            Ok(None) => return Ok(()),
            Err(error) => return Err(failure::yaml(ruby, error, &options)),
        };
        for event in chunk.events() {
            giver.event(ruby, chunk.text(), chunk.base(), &event)?;
            if giver.tag_bytes > tag_bytes_max {
                let location =
                    Location::in_text(&text, chunk.base() + event.start as u64, event.len);
                let error = ketch_yaml::Error::at(Problem::TooMuchTagText(tag_bytes_max), location);
                return Err(failure::yaml(ruby, error, &options));
            }
        }
    }
}

/// The properties that precede a node.
#[derive(Default)]
struct Properties {
    anchor: Option<String>,
    tag: Option<String>,
    /// The offset at which the first of them starts.
    start: Option<u64>,
}

struct Giver {
    class: RClass,
    properties: Properties,
    handles: TagHandles,
    /// The total length of all tags so far, in bytes. It is limited because a prefix, which is
    /// written once, may be repeated in many tags.
    tag_bytes: u64,
}

impl Giver {
    /// Yields an event, unless it is an anchor or a tag, which belongs to the next event.
    fn event(&mut self, ruby: &Ruby, text: &[u8], base: u64, event: &Event) -> Result<(), Error> {
        let bytes = &text[event.range()];
        let start = base + event.start as u64;
        let words = || String::from_utf8_lossy(bytes);
        match event.kind {
            EventKind::Nop => return Ok(()),
            EventKind::Anchor => {
                self.properties.anchor = Some(words()[1..].to_owned());
                self.properties.start.get_or_insert(start);
                return Ok(());
            }
            EventKind::Tag => {
                let tag = self.handles.resolve(bytes).into_owned();
                self.tag_bytes += tag.len() as u64;
                self.properties.tag = Some(tag);
                self.properties.start.get_or_insert(start);
                return Ok(());
            }
            EventKind::Directive => self.handles.directive(bytes),
            EventKind::DocumentEnd => self.handles.clear(),
            _ => {}
        }
        let value = match event.kind {
            EventKind::Alias => Some(Cow::Owned(words()[1..].to_owned())),
            EventKind::Directive => Some(words()),
            kind if kind.is_scalar() => {
                let content = scalar::content(text, event).into_owned();
                Some(Cow::Owned(String::from_utf8_lossy(&content).into_owned()))
            }
            _ => None,
        };
        let (kind, style) = names(event);
        let Properties { anchor, tag, start: node_start } = std::mem::take(&mut self.properties);
        let is_explicit = event.flags.has(Flags::EXPLICIT);
        let style = style.map(|name| ruby.to_symbol(name));
        let members = (
            ruby.to_symbol(kind),
            value.as_deref(),
            anchor,
            tag,
            style,
            is_explicit,
            start,
            event.len,
            node_start.unwrap_or(start),
        );
        let given: Value = self.class.new_instance(members)?;
        ruby.yield_value::<Value, Value>(given).map(|_| ())
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

/// Defines the method `Ketch.stream_events`.
pub fn init(ketch: RModule) -> Result<(), Error> {
    ketch.define_singleton_method("stream_events", function!(stream_events, -1))
}
