//! Converts parser events to tokens without composing a document, which is enough for most texts.
//!
//! Anything that needs the composer is [`Complex`]. The text is then read again as documents.

use crate::options::LoadOptions;
use crate::scalar;
use crate::tokens::{Kind, Tokens};
use ketch_yaml::schema::{Scalar, ScalarTag, Schema};
use ketch_yaml::tag::{TagHandles, YAML_PREFIX};
use ketch_yaml::{Budget, Chunk, Event, EventKind, Limits};
use std::collections::HashMap;

/// Reports that events are not enough to load the text.
#[derive(Clone, Copy, Debug)]
pub struct Complex;

type Step = Result<(), Complex>;

/// Returns whether events are enough for the options. Only the composer counts nodes and tags, and
/// only it knows which of two equal keys to keep.
pub fn suffice(options: &LoadOptions) -> bool {
    let limits = &options.compose.limits;
    limits.max_nodes == Budget::UNLIMITED && limits.max_tag_bytes == Limits::default().max_tag_bytes
}

/// The state between two chunks.
#[derive(Debug)]
pub struct Receiver {
    schema: Schema,
    merges: bool,
    frames: Vec<Frame>,
    /// The number of values on the reader's stack.
    height: usize,
    in_mapping: bool,
    /// Whether the next value is a key.
    at_key: bool,
    anchor: Option<u32>,
    tag: Tag,
    names: HashMap<Box<[u8]>, u32>,
    /// Whether the value of each anchor is complete.
    anchors: Vec<bool>,
    has_directives: bool,
    decoded: Vec<u8>,
}

/// An open collection.
#[derive(Debug)]
struct Frame {
    /// The height of the stack where its values start.
    start: usize,
    is_mapping: bool,
    anchor: Option<u32>,
    is_tagged: bool,
}

/// The meaning of the next node's tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tag {
    None,
    /// `!` or `!!str`: a scalar is text, a collection is unchanged.
    Text,
    /// A tag other than YAML's. It is on the stack.
    Named,
}

impl Receiver {
    /// Creates the state for a new text.
    pub fn new(options: &LoadOptions) -> Receiver {
        Receiver {
            schema: options.compose.schema,
            merges: options.compose.merges(),
            frames: Vec::new(),
            height: 0,
            in_mapping: false,
            at_key: false,
            anchor: None,
            tag: Tag::None,
            names: HashMap::new(),
            anchors: Vec::new(),
            has_directives: false,
            decoded: Vec::new(),
        }
    }

    /// Appends the tokens of a chunk.
    pub fn chunk(&mut self, chunk: &Chunk<'_, '_>, out: &mut Tokens) -> Step {
        let text = chunk.text();
        for event in chunk.events() {
            match event.kind {
                EventKind::Plain => self.plain(text, &event, out)?,
                EventKind::SingleQuoted
                | EventKind::DoubleQuoted
                | EventKind::Literal
                | EventKind::Folded => self.quoted(text, &event, out),
                EventKind::MappingStart => self.start(true)?,
                EventKind::SequenceStart => self.start(false)?,
                EventKind::MappingEnd | EventKind::SequenceEnd => self.end(out),
                EventKind::Anchor => self.take_anchor(chunk.bytes(&event)),
                EventKind::Alias => self.alias(chunk.bytes(&event), out)?,
                EventKind::Tag => self.take_tag(chunk.bytes(&event), out)?,
                EventKind::DocumentEnd => self.end_document(out),
                EventKind::Directive => self.has_directives = true,
                EventKind::DocumentStart | EventKind::Nop => {}
            }
        }
        Ok(())
    }

    /// Appends a plain scalar.
    #[inline(always)]
    fn plain(&mut self, text: &[u8], event: &Event, out: &mut Tokens) -> Step {
        if self.tag != Tag::None {
            self.quoted(text, event, out);
            return Ok(());
        }
        match ketch_yaml::scalar::verbatim(text, event) {
            Some(content) => self.resolve(content, out)?,
            None => {
                let decoded = self.decode(text, event);
                let result = self.resolve(&decoded, out);
                self.decoded = decoded;
                result?;
            }
        }
        self.complete(out);
        Ok(())
    }

    /// Appends a scalar that is text.
    #[inline(always)]
    fn quoted(&mut self, text: &[u8], event: &Event, out: &mut Tokens) {
        match ketch_yaml::scalar::verbatim(text, event) {
            Some(content) => self.text(content, out),
            None => {
                self.decoded = self.decode(text, event);
                self.text(&self.decoded, out);
            }
        }
        if self.tag != Tag::None {
            self.end_tag(out);
        }
        self.complete(out);
    }

    /// Decodes the content of a scalar into the memory of the last one, and returns it.
    #[inline(never)]
    fn decode(&mut self, text: &[u8], event: &Event) -> Vec<u8> {
        let mut decoded = std::mem::take(&mut self.decoded);
        decoded.clear();
        ketch_yaml::scalar::decode(text, event, &mut decoded);
        decoded
    }

    /// Appends text, as a key if one comes next.
    #[inline(always)]
    fn text(&self, text: &[u8], out: &mut Tokens) {
        if self.at_key {
            out.key(text);
        } else {
            out.text(text);
        }
    }

    /// Appends the value of a plain scalar without a tag.
    #[inline(always)]
    fn resolve(&self, text: &[u8], out: &mut Tokens) -> Step {
        match self.schema.resolve(text) {
            // In the schemas of YAML 1.2, `<<` is text.
            ScalarTag::Str if self.merges && self.at_key && text == b"<<" => return Err(Complex),
            ScalarTag::Str => self.text(text, out),
            ScalarTag::Null => out.push(Kind::Null),
            ScalarTag::Bool(true) => out.push(Kind::True),
            ScalarTag::Bool(false) => out.push(Kind::False),
            tag => return self.convert(tag, text, out),
        }
        Ok(())
    }

    /// Appends the value of a scalar that the schema has to convert.
    #[inline(never)]
    fn convert(&self, tag: ScalarTag, text: &[u8], out: &mut Tokens) -> Step {
        match (self.schema.convert(tag, text), self.at_key) {
            (Scalar::Int(value), _) => out.int(value),
            (Scalar::Float(value), false) => out.float(value),
            (Scalar::Unresolved(_), _) => return Err(Complex),
            (Scalar::Merge, true) if self.merges => return Err(Complex),
            (Scalar::Str(_) | Scalar::Merge, _) => self.text(text, out),
            // Java may compare these keys by other rules than YAML.
            (_, true) => return Err(Complex),
            (rare, false) => {
                scalar::push(out, &rare);
            }
        }
        Ok(())
    }

    /// Counts a value that was pushed, and gives it the pending anchor.
    #[inline(always)]
    fn complete(&mut self, out: &mut Tokens) {
        self.height += 1;
        self.at_key ^= self.in_mapping;
        if let Some(anchor) = self.anchor.take() {
            self.define(anchor, out);
        }
    }

    /// Gives the value on top of the stack an anchor.
    #[cold]
    fn define(&mut self, anchor: u32, out: &mut Tokens) {
        out.anchor(Kind::Anchor, anchor);
        if let Some(is_complete) = self.anchors.get_mut(anchor as usize) {
            *is_complete = true;
        }
    }

    /// Combines the tag on the stack, if there is one, with the value after it.
    #[cold]
    fn end_tag(&mut self, out: &mut Tokens) {
        if std::mem::replace(&mut self.tag, Tag::None) == Tag::Named {
            out.push(Kind::Tagged);
            self.height -= 1;
        }
    }

    /// Starts a collection. In a key, this is complex.
    #[inline(always)]
    fn start(&mut self, is_mapping: bool) -> Step {
        if self.at_key {
            return Err(Complex);
        }
        let is_tagged = std::mem::replace(&mut self.tag, Tag::None) == Tag::Named;
        let anchor = self.anchor.take();
        self.frames.push(Frame { start: self.height, is_mapping, anchor, is_tagged });
        (self.in_mapping, self.at_key) = (is_mapping, is_mapping);
        Ok(())
    }

    /// Ends the innermost collection.
    #[inline(always)]
    fn end(&mut self, out: &mut Tokens) {
        let Some(Frame { start, is_mapping, anchor, is_tagged }) = self.frames.pop() else {
            return;
        };
        let values = self.height - start;
        match is_mapping {
            true => out.push_with(Kind::Mapping, values / 2),
            false => out.push_with(Kind::Sequence, values),
        }
        self.height = start;
        if is_tagged {
            out.push(Kind::Tagged);
            self.height -= 1;
        }
        self.in_mapping = self.frames.last().is_some_and(|frame| frame.is_mapping);
        // The value is never a key, because such keys are complex.
        self.at_key = self.in_mapping;
        self.height += 1;
        if let Some(anchor) = anchor {
            self.define(anchor, out);
        }
    }

    /// Ends a document, and forgets its anchors.
    #[cold]
    fn end_document(&mut self, out: &mut Tokens) {
        out.push(Kind::End);
        self.height = 0;
        self.names.clear();
        self.anchors.clear();
        self.has_directives = false;
    }

    /// Numbers the next node, so that its anchor can refer to it.
    #[cold]
    fn take_anchor(&mut self, bytes: &[u8]) {
        let number = self.anchors.len() as u32;
        self.anchors.push(false);
        self.names.insert(bytes[1..].into(), number);
        self.anchor = Some(number);
    }

    /// Appends the value of an anchor.
    #[cold]
    fn alias(&mut self, bytes: &[u8], out: &mut Tokens) -> Step {
        let number = *self.names.get(&bytes[1..]).ok_or(Complex)?;
        if self.at_key || !self.anchors[number as usize] {
            return Err(Complex);
        }
        out.anchor(Kind::Alias, number);
        self.complete(out);
        Ok(())
    }

    /// Records a tag, or returns an error if only the composer can read it: a stream with directives,
    /// whose tags may be far longer than written, or a tag of YAML that changes the value.
    #[cold]
    fn take_tag(&mut self, bytes: &[u8], out: &mut Tokens) -> Step {
        if self.has_directives || self.at_key {
            return Err(Complex);
        }
        let tag = TagHandles::default().resolve(bytes);
        self.tag = match tag.strip_prefix(YAML_PREFIX) {
            Some("str") => Tag::Text,
            None if tag == "!" => Tag::Text,
            Some("set" | "omap" | "pairs") | None => {
                out.key(tag.as_bytes());
                self.height += 1;
                Tag::Named
            }
            Some(_) => return Err(Complex),
        };
        Ok(())
    }
}
