//! Builds objects straight from the parser's events.

use super::builder::{Builder, Step};
use crate::errors::Stop;
use crate::interrupt;
use crate::keys::Keys;
use crate::options::LoadOptions;
use ketch_yaml::tag::{TagHandles, YAML_PREFIX};
use ketch_yaml::{Budget, Chunk, DuplicateKeys, Event, EventKind, Limits, Parser, scalar};
use pyo3::prelude::*;
use std::collections::HashMap;

/// Whether events are enough for the options. Only the composer counts nodes and tags.
pub fn suffice(options: &LoadOptions) -> bool {
    let limits = &options.compose.limits;
    limits.max_nodes == Budget::UNLIMITED
        && limits.max_tag_bytes == Limits::default().max_tag_bytes
        && options.compose.duplicate_keys != DuplicateKeys::Off
}

/// Loads all documents.
pub fn documents<'py>(
    py: Python<'py>,
    text: &[u8],
    options: &LoadOptions,
    keys: &mut Keys,
) -> Result<Vec<Bound<'py, PyAny>>, Stop> {
    let mut parser = Parser::with_options(text, &options.parse);
    let mut receiver = Receiver {
        builder: Builder::new(py, options, keys),
        is_ascii: text.is_ascii(),
        anchored: Vec::new(),
        names: HashMap::new(),
        decoded: Vec::new(),
        has_directives: false,
        is_complex: false,
        anchor: None,
        tag: Tag::None,
    };
    while let Some(chunk) = parser.next_chunk()? {
        receiver.chunk(&chunk)?;
        if receiver.is_complex {
            return Err(Stop::Complex);
        }
        interrupt::check(py)?;
    }
    Ok(receiver.builder.stack)
}

struct Receiver<'py, 'k> {
    builder: Builder<'py, 'k>,
    /// The whole text is ASCII. What escapes decode to may not be.
    is_ascii: bool,
    /// The values of anchors, by number; `None` while a value is open.
    anchored: Vec<Option<Bound<'py, PyAny>>>,
    names: HashMap<Box<[u8]>, u32>,
    decoded: Vec<u8>,
    has_directives: bool,
    /// Events are not enough, as the end of a chunk shows.
    is_complex: bool,
    /// The anchor of the next node.
    anchor: Option<u32>,
    /// Its tag.
    tag: Tag,
}

/// The meaning of a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tag {
    None,
    /// `!` or `!!str`: a scalar is text, and a collection is unchanged.
    Text,
    /// A tag other than YAML's. It is on the stack.
    Named,
}

impl Receiver<'_, '_> {
    fn chunk(&mut self, chunk: &Chunk<'_, '_>) -> Step {
        for event in chunk.events() {
            match event.kind {
                EventKind::Plain => self.plain(chunk, &event)?,
                EventKind::SingleQuoted
                | EventKind::DoubleQuoted
                | EventKind::Literal
                | EventKind::Folded => self.quoted(chunk, &event)?,
                EventKind::MappingStart => self.start(true)?,
                EventKind::SequenceStart => self.start(false)?,
                EventKind::MappingEnd | EventKind::SequenceEnd => self.end()?,
                EventKind::Anchor => self.take_anchor(chunk.bytes(&event)),
                EventKind::Alias => self.alias(chunk.bytes(&event))?,
                EventKind::Tag => self.take_tag(chunk.bytes(&event))?,
                EventKind::DocumentEnd => self.end_document(),
                EventKind::Directive => self.has_directives = true,
                EventKind::DocumentStart | EventKind::Nop => {}
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn plain(&mut self, chunk: &Chunk<'_, '_>, event: &Event) -> Step {
        if self.tag != Tag::None {
            return self.tagged_scalar(chunk, event);
        }
        match scalar::verbatim(chunk.text(), event) {
            Some(text) => self.builder.plain(text, self.is_ascii)?,
            None => {
                self.decode(chunk, event);
                self.builder.plain(&self.decoded, false)?;
            }
        }
        self.define_scalar();
        Ok(())
    }

    #[inline(always)]
    fn quoted(&mut self, chunk: &Chunk<'_, '_>, event: &Event) -> Step {
        if self.tag != Tag::None {
            return self.tagged_scalar(chunk, event);
        }
        match scalar::verbatim(chunk.text(), event) {
            Some(text) => self.builder.text(text, self.is_ascii)?,
            None => {
                self.decode(chunk, event);
                self.builder.text(&self.decoded, false)?;
            }
        }
        self.define_scalar();
        Ok(())
    }

    #[cold]
    fn tagged_scalar(&mut self, chunk: &Chunk<'_, '_>, event: &Event) -> Step {
        self.decode(chunk, event);
        match std::mem::replace(&mut self.tag, Tag::None) {
            Tag::Named => self.builder.tagged_text(&self.decoded)?,
            _ => self.builder.text(&self.decoded, false)?,
        }
        self.define_scalar();
        Ok(())
    }

    fn decode(&mut self, chunk: &Chunk<'_, '_>, event: &Event) {
        self.decoded.clear();
        scalar::decode(chunk.text(), event, &mut self.decoded);
    }

    #[inline(always)]
    fn start(&mut self, is_mapping: bool) -> Step {
        let is_tagged = std::mem::replace(&mut self.tag, Tag::None) == Tag::Named;
        self.builder.start(is_mapping, self.anchor.take(), is_tagged)
    }

    #[inline(always)]
    fn end(&mut self) -> Step {
        if let Some(anchor) = self.builder.end()? {
            self.define(anchor);
        }
        Ok(())
    }

    #[cold]
    fn end_document(&mut self) {
        self.names.clear();
        self.anchored.clear();
        self.has_directives = false;
    }

    /// Numbers the next node, so that its anchor name finds it.
    #[cold]
    fn take_anchor(&mut self, bytes: &[u8]) {
        let number = self.anchored.len() as u32;
        self.anchored.push(None);
        let before = self.names.insert(bytes[1..].into(), number);
        self.anchor = Some(number);
        // PyYAML refuses duplicate anchors.
        self.is_complex |= before.is_some() && self.builder.pyyaml;
    }

    /// Only tags without a directive, so that they are hardly longer than written; and of YAML's
    /// own, only those that change nothing.
    #[cold]
    fn take_tag(&mut self, bytes: &[u8]) -> Step {
        if self.has_directives || self.builder.pyyaml {
            return Err(Stop::Complex);
        }
        let tag = TagHandles::default().resolve(bytes);
        self.tag = match tag.strip_prefix(YAML_PREFIX) {
            Some("str") => Tag::Text,
            None if tag == "!" => Tag::Text,
            Some("set" | "omap" | "pairs") | None => {
                self.builder.tag(tag.as_bytes())?;
                Tag::Named
            }
            Some(_) => return Err(Stop::Complex),
        };
        Ok(())
    }

    #[inline(always)]
    fn define_scalar(&mut self) {
        if let Some(anchor) = self.anchor.take() {
            self.define(anchor);
        }
    }

    /// The anchor's node is the value on top of the stack.
    #[cold]
    fn define(&mut self, anchor: u32) {
        if let Some(value) = self.anchored.get_mut(anchor as usize) {
            *value = self.builder.stack.last().cloned();
        }
    }

    #[cold]
    fn alias(&mut self, bytes: &[u8]) -> Step {
        let number = *self.names.get(&bytes[1..]).ok_or(Stop::Complex)?;
        match self.anchored.get(number as usize) {
            Some(Some(value)) if !self.builder.at_key => {
                let value = value.clone();
                self.builder.push(value);
                Ok(())
            }
            _ => Err(Stop::Complex),
        }
    }
}
