//! Builds objects directly from the parser's events.

use super::builder::{Builder, Step};
use super::subtree::Subtrees;
use crate::errors::Stop;
use crate::interrupt;
use crate::memory::Lease;
use crate::options::LoadOptions;
use crate::source::Source;
use ketch_yaml::tag::{TagHandles, YAML_PREFIX};
use ketch_yaml::{Budget, Chunk, DuplicateKeys, Event, EventKind, Limits, Parser, scalar};
use pyo3::prelude::*;
use std::collections::HashMap;

/// Returns whether the options allow loading from events: only the composer counts nodes and tags,
/// and only the composer can ignore duplicate keys.
pub fn suffice(options: &LoadOptions) -> bool {
    let limits = &options.compose.limits;
    limits.max_nodes == Budget::UNLIMITED
        && limits.max_tag_bytes == Limits::default().max_tag_bytes
        && options.compose.duplicate_keys != DuplicateKeys::Off
        && !options.decimals
}

/// The maximum length in bytes of a text that is read so fast that signals can wait. The parser has
/// the same limit.
const SHORT_BYTES: usize = 32 * 1024;

/// Loads all documents, and returns their values on the stack of the lease, to which it should be
/// returned.
pub fn documents<'py>(
    py: Python<'py>,
    source: &Source<'_>,
    options: &LoadOptions,
    lease: &mut Lease,
) -> Result<Vec<Bound<'py, PyAny>>, Stop> {
    with_subtrees(py, source, (options, lease), &mut None)
}

/// Loads all documents, as [`documents`] does. Nodes whose tags have a constructor are left to
/// `subtrees`.
pub fn with_subtrees<'py>(
    py: Python<'py>,
    source: &Source<'_>,
    (options, lease): (&LoadOptions, &mut Lease),
    subtrees: &mut Option<Subtrees<'py>>,
) -> Result<Vec<Bound<'py, PyAny>>, Stop> {
    let text = source.bytes();
    let memory = (lease.take_stack(py), lease.take_frames());
    let mut parser = Parser::with_buffers(text, &options.parse, lease.take_buffers());
    let mut builder = Builder::new(py, options, lease, memory);
    builder.origin = source.origin();
    let mut receiver = Receiver {
        builder,
        is_ascii: source.is_ascii(),
        anchored: Vec::new(),
        names: None,
        decoded: Vec::new(),
        has_directives: false,
        is_complex: false,
        anchor: None,
        tag: Tag::None,
        subtrees,
    };
    let is_short = text.len() <= SHORT_BYTES;
    while let Some(chunk) = parser.next_chunk()? {
        receiver.chunk(&chunk)?;
        if receiver.is_complex {
            return Err(Stop::Complex);
        }
        match is_short {
            true => interrupt::check_memory()?,
            false => interrupt::check(py)?,
        }
    }
    let Builder { stack, frames, .. } = receiver.builder;
    lease.keep_frames(frames);
    lease.keep_buffers(parser.into_buffers());
    Ok(stack)
}

struct Receiver<'py, 'k, 's> {
    builder: Builder<'py, 'k>,
    subtrees: &'s mut Option<Subtrees<'py>>,
    /// Whether the whole text is ASCII. Scalars may still contain other characters, as escapes.
    is_ascii: bool,
    /// The values of anchors, by the anchors' numbers; `None` while a value is incomplete.
    anchored: Vec<Option<Bound<'py, PyAny>>>,
    names: Option<HashMap<Box<[u8]>, u32>>,
    decoded: Vec<u8>,
    has_directives: bool,
    /// Whether the document needs the composer. This is checked after each chunk.
    is_complex: bool,
    /// The number of the anchor that precedes the next node.
    anchor: Option<u32>,
    /// What the tag of the next node means.
    tag: Tag,
}

/// What the tag of a node means for its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tag {
    None,
    /// `!` or `!!str`: a scalar is text, and a collection is loaded as without a tag.
    Text,
    /// `!` in PyYAML: any scalar is resolved as if it were plain.
    AsPlain,
    /// A tag that becomes part of the value. Its text is on the stack.
    Named,
}

impl Receiver<'_, '_, '_> {
    /// Handles the events of a chunk.
    fn chunk(&mut self, chunk: &Chunk<'_, '_>) -> Step {
        let mut events = chunk.events();
        self.read_subtree(chunk, &mut events)?;
        while let Some(event) = events.next() {
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
                EventKind::Tag if self.subtrees.is_some() => {
                    self.begin_subtree(chunk, &event)?;
                    self.read_subtree(chunk, &mut events)?;
                }
                EventKind::Tag => self.take_tag(chunk.bytes(&event))?,
                EventKind::DocumentEnd => self.end_document(),
                EventKind::Directive => self.has_directives = true,
                EventKind::DocumentStart | EventKind::Nop => {}
            }
        }
        Ok(())
    }

    /// Adds a plain scalar.
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

    /// Adds a scalar that is text.
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

    /// Adds a scalar with a tag.
    #[cold]
    fn tagged_scalar(&mut self, chunk: &Chunk<'_, '_>, event: &Event) -> Step {
        self.decode(chunk, event);
        match std::mem::replace(&mut self.tag, Tag::None) {
            Tag::Named => self.builder.tagged_text(&self.decoded)?,
            Tag::AsPlain => self.builder.plain(&self.decoded, false)?,
            _ => self.builder.text(&self.decoded, false)?,
        }
        self.define_scalar();
        Ok(())
    }

    /// Decodes the content of a scalar into `self.decoded`.
    fn decode(&mut self, chunk: &Chunk<'_, '_>, event: &Event) {
        self.decoded.clear();
        scalar::decode(chunk.text(), event, &mut self.decoded);
    }

    /// Starts a collection.
    #[inline(always)]
    fn start(&mut self, is_mapping: bool) -> Step {
        let is_tagged = std::mem::replace(&mut self.tag, Tag::None) == Tag::Named;
        self.builder.start(is_mapping, self.anchor.take(), is_tagged)
    }

    /// Ends the innermost collection. If it has an anchor, aliases can refer to it from here on.
    #[inline(always)]
    fn end(&mut self) -> Step {
        if self.subtrees.is_some() {
            return self.end_with_subtrees();
        }
        if let Some(anchor) = self.builder.end()? {
            self.define(anchor);
        }
        Ok(())
    }

    /// Ends the innermost collection, and records which of its values are subtrees.
    #[cold]
    fn end_with_subtrees(&mut self) -> Step {
        let Some(subtrees) = self.subtrees else { return Ok(()) };
        let keys = subtrees.keys_in(&self.builder)?;
        let anchor = self.builder.end()?;
        if let Some(collection) = self.builder.stack.last() {
            subtrees.place(collection, keys)?;
        }
        if let Some(anchor) = anchor {
            self.define(anchor);
        }
        Ok(())
    }

    /// Begins a subtree if the tag of the next node has a constructor.
    #[cold]
    fn begin_subtree(&mut self, chunk: &Chunk<'_, '_>, event: &Event) -> Step {
        let bytes = chunk.bytes(event);
        let Some(subtrees) = self.subtrees else { return Ok(()) };
        if self.has_directives || bytes == b"!" {
            return self.take_tag(bytes);
        }
        let tag = TagHandles::default().resolve(bytes);
        if !subtrees.begin(self.builder.py(), chunk, (event, &tag))? {
            return self.take_tag(bytes);
        }
        // A key would be hashed immediately, and a node with an anchor may be shared.
        match self.builder.at_key || self.anchor.is_some() {
            true => Err(Stop::Complex),
            false => Ok(()),
        }
    }

    /// Reads the events of the subtree that was begun, if there is one.
    fn read_subtree(
        &mut self,
        chunk: &Chunk<'_, '_>,
        events: &mut impl Iterator<Item = Event>,
    ) -> Step {
        match self.subtrees {
            Some(subtrees) => subtrees.read(&mut self.builder, chunk, events),
            None => Ok(()),
        }
    }

    /// Forgets the anchors and the directives of the document that ends.
    #[inline(always)]
    fn end_document(&mut self) {
        if self.names.is_some() || self.has_directives {
            self.forget();
        }
    }

    /// Forgets the anchors and the directives.
    #[cold]
    fn forget(&mut self) {
        self.names = None;
        self.anchored.clear();
        self.has_directives = false;
    }

    /// Assigns a number to the anchor of the next node. Aliases use it to look up the node's value.
    #[cold]
    fn take_anchor(&mut self, bytes: &[u8]) {
        let number = self.anchored.len() as u32;
        self.anchored.push(None);
        let before = self.names.get_or_insert_default().insert(bytes[1..].into(), number);
        self.anchor = Some(number);
        // In PyYAML, a duplicate anchor is an error.
        self.is_complex |= before.is_some() && self.builder.pyyaml;
    }

    /// Records the tag of the next node. Fails if only the composer can handle the tag: if the
    /// document has directives, with which tags may be far longer than they are written, or if it
    /// is one of YAML's own tags and changes the value.
    #[cold]
    fn take_tag(&mut self, bytes: &[u8]) -> Step {
        if self.has_directives {
            return Err(Stop::Complex);
        }
        if self.builder.pyyaml {
            self.tag = match bytes {
                b"!" => Tag::AsPlain,
                _ => return Err(Stop::Complex),
            };
            return Ok(());
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

    /// If the scalar that was just added has an anchor, stores its value as that of the anchor.
    #[inline(always)]
    fn define_scalar(&mut self) {
        if let Some(anchor) = self.anchor.take() {
            self.define(anchor);
        }
    }

    /// Stores the value on top of the stack as the value of the anchor with this number.
    #[cold]
    fn define(&mut self, anchor: u32) {
        if let Some(value) = self.anchored.get_mut(anchor as usize) {
            *value = self.builder.stack.last().cloned();
        }
    }

    /// Adds the value of the anchor that an alias refers to.
    #[cold]
    fn alias(&mut self, bytes: &[u8]) -> Step {
        let names = self.names.as_ref().ok_or(Stop::Complex)?;
        let number = *names.get(&bytes[1..]).ok_or(Stop::Complex)?;
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
