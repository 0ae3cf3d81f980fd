//! Parser events, for programs that do not need objects.

use crate::errors;
use crate::facts;
use crate::host;
use crate::interrupt;
use crate::options::LoadOptions;
use crate::source::Source;
use ketch_yaml::tag::TagHandles;
use ketch_yaml::{Chunk, Error, Event, EventKind, Flags, Location, Parser, Problem, scalar};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyTuple};
use std::borrow::Cow;

/// Returns a list of the events of a stream, each as the arguments of a `ketch.Event`.
#[pyfunction]
#[pyo3(signature = (data, /, **options), text_signature = "(data, /, *, lenient=False, final_break=True, filename=None, max_depth=None, max_alias_nodes=None, max_nodes=None, max_tag_bytes=None, max_tag_handles=None, max_implicit_key_chars=None, max_scalar_bytes=None, max_buffer_bytes=None)")]
pub fn events<'py>(
    data: &Bound<'py, PyAny>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyList>> {
    let options = LoadOptions::from_keywords(options)?;
    let (events, error) = events_with(data, &options)?;
    error.map_or(Ok(events), Err)
}

/// Returns a list of the events of a stream up to its first error, and this error, if there is one.
/// The parser is as lenient as readers of YAML 1.1 are.
#[pyfunction]
#[pyo3(signature = (data, /))]
pub fn events_until<'py>(
    data: &Bound<'py, PyAny>,
) -> PyResult<(Bound<'py, PyList>, Option<PyErr>)> {
    events_with(data, &LoadOptions::of_pyyaml())
}

/// Returns the events up to the first error in the text, and this error, if there is one.
fn events_with<'py>(
    data: &Bound<'py, PyAny>,
    options: &LoadOptions,
) -> PyResult<(Bound<'py, PyList>, Option<PyErr>)> {
    let py = data.py();
    let source = Source::of_yaml(data, options)?;
    let text = source.bytes();
    let events = host::list(py, &mut Vec::new(), 0)?.cast_into::<PyList>()?;
    let mut tag_bytes_left = options.parse.limits.max_tag_bytes.at(text.len() as u64);
    let mut giver = Giver::default();
    let mut parser = Parser::with_options(text, &options.parse);
    loop {
        let chunk = match parser.next_chunk() {
            Ok(Some(chunk)) => chunk,
            Ok(None) => return Ok((events, None)),
            Err(error) => {
                return match interrupt::take(&error) {
                    Some(raised) => Err(raised),
                    None => Ok((events, Some(errors::yaml(py, error, options)))),
                };
            }
        };
        for event in chunk.events() {
            if let Some(arguments) = giver.event(py, &chunk, &event)? {
                events.append(arguments)?;
            }
            // The total length of tags is limited because a prefix, which is written once, may be
            // repeated in many tags.
            let tag_bytes = giver.properties.tag.as_ref().map_or(0, |tag| tag.len() as u64);
            let Some(left) = tag_bytes_left.checked_sub(tag_bytes) else {
                let error = too_much_tag_text(text, &chunk, &event, options);
                return Ok((events, Some(errors::yaml(py, error, options))));
            };
            tag_bytes_left = left;
        }
        interrupt::check(py)?;
    }
}

/// Returns the error for an event whose tag exceeds the limit for the total length of tags.
fn too_much_tag_text(
    text: &[u8],
    chunk: &Chunk<'_, '_>,
    event: &Event,
    options: &LoadOptions,
) -> Error {
    let most = options.parse.limits.max_tag_bytes.at(text.len() as u64);
    let at = chunk.base() + event.start as u64;
    Error::at(Problem::TooMuchTagText(most), Location::in_text(text, at, event.len))
}

/// The properties that precede a node.
#[derive(Debug, Default)]
struct Properties {
    anchor: Option<String>,
    tag: Option<String>,
    /// The offset at which the first of them starts.
    start: Option<u64>,
}

/// Converts events to the arguments of `ketch.Event`.
#[derive(Debug, Default)]
pub struct Giver {
    handles: TagHandles,
    properties: Properties,
}

impl Giver {
    /// Returns the arguments for an event, or `None` for an anchor or a tag, which belongs to the
    /// next event.
    pub fn event<'py>(
        &mut self,
        py: Python<'py>,
        chunk: &Chunk<'_, '_>,
        event: &Event,
    ) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let bytes = chunk.bytes(event);
        let start = chunk.base() + event.start as u64;
        match event.kind {
            EventKind::Nop => return Ok(None),
            EventKind::Anchor => {
                self.properties.anchor = Some(String::from_utf8_lossy(&bytes[1..]).into_owned());
                self.properties.start.get_or_insert(start);
                return Ok(None);
            }
            EventKind::Tag => {
                self.properties.tag = Some(self.handles.resolve(bytes).into_owned());
                self.properties.start.get_or_insert(start);
                return Ok(None);
            }
            EventKind::Directive => self.handles.directive(bytes),
            EventKind::DocumentEnd => self.handles.clear(),
            _ => {}
        }
        let value = value(chunk, event);
        let (kind, style) = names(event);
        let Properties { anchor, tag, start: node_start } = std::mem::take(&mut self.properties);
        let is_explicit = event.flags.has(Flags::EXPLICIT);
        let end = start + event.len as u64;
        let node_start = node_start.unwrap_or(start);
        let texts = [Some(kind), value.as_deref(), anchor.as_deref(), tag.as_deref(), style];
        arguments(py, texts, is_explicit, [start, end, node_start]).map(Some)
    }
}

/// Returns the arguments of `ketch.Event` as a tuple of objects.
fn arguments<'py>(
    py: Python<'py>,
    texts: [Option<&str>; 5],
    is_explicit: bool,
    offsets: [u64; 3],
) -> PyResult<Bound<'py, PyTuple>> {
    let [kind, value, anchor, tag, style] = texts.map(|text| facts::text(py, text));
    let [start, end, node_start] = offsets.map(|offset| facts::number(py, offset));
    let is_explicit = PyBool::new(py, is_explicit).to_owned().into_any();
    let objects = [kind?, value?, anchor?, tag?, style?, is_explicit, start?, end?, node_start?];
    host::arguments(py, objects)
}

/// Returns the content of a scalar, the name that an alias refers to, or the text of a directive.
/// Returns `None` for other events.
fn value<'c>(chunk: &'c Chunk<'_, '_>, event: &Event) -> Option<Cow<'c, str>> {
    let bytes = chunk.bytes(event);
    match event.kind {
        EventKind::Alias => Some(String::from_utf8_lossy(&bytes[1..])),
        EventKind::Directive => Some(String::from_utf8_lossy(bytes)),
        kind if kind.is_scalar() => {
            let content = scalar::content(chunk.text(), event).into_owned();
            Some(Cow::Owned(String::from_utf8_lossy(&content).into_owned()))
        }
        _ => None,
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
