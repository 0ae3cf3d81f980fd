//! Converts parser events to tokens without composing a document, which is enough for most texts.
//!
//! If events are not enough, the result is [`Complex`], and the text is read again as documents.

use crate::options::LoadOptions;
use crate::scalar;
use crate::tokens::{Kind, Tokens};
use ketch_yaml::schema::{Scalar, ScalarTag, Schema};
use ketch_yaml::tag::{TagHandles, YAML_PREFIX};
use ketch_yaml::{Budget, Chunk, Event, EventKind, Limits};
use std::collections::HashMap;

/// The error that says that events are not enough to load the text.
#[derive(Clone, Copy, Debug)]
pub struct Complex;

type Step = Result<(), Complex>;

/// Returns whether the options allow loading from events: only the composer counts nodes and tags.
/// (Duplicate keys are handled in Java, by `Builder`.)
pub fn suffice(options: &LoadOptions) -> bool {
    let limits = &options.compose.limits;
    limits.max_nodes == Budget::UNLIMITED && limits.max_tag_bytes == Limits::default().max_tag_bytes
}

/// The state that is kept between chunks.
#[derive(Debug)]
pub struct Receiver {
    schema: Schema,
    merges: bool,
    frames: Vec<Frame>,
    /// The number of values that are then on the reader's stack.
    height: usize,
    in_mapping: bool,
    /// Whether the next value is a key.
    at_key: bool,
    anchor: Option<u32>,
    tag: Tag,
    names: HashMap<Box<[u8]>, u32>,
    /// For each anchor, whether its value is complete.
    anchors: Vec<bool>,
    has_directives: bool,
    decoded: Vec<u8>,
}

/// An open collection.
#[derive(Debug)]
struct Frame {
    /// The height of the stack at which the collection's values start.
    start: usize,
    is_mapping: bool,
    anchor: Option<u32>,
    is_tagged: bool,
}

/// What the tag of the next node means for its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tag {
    None,
    /// `!` or `!!str`: a scalar is text, and a collection is loaded as without a tag.
    Text,
    /// A tag that becomes part of the value. Its text is on the stack.
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

    /// Appends a scalar that is text, whatever its content.
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

    /// Decodes the content of a scalar into the memory of the previous one, and returns it.
    #[inline(never)]
    fn decode(&mut self, text: &[u8], event: &Event) -> Vec<u8> {
        let mut decoded = std::mem::take(&mut self.decoded);
        decoded.clear();
        ketch_yaml::scalar::decode(text, event, &mut decoded);
        decoded
    }

    /// Appends text, as a key if a key is due.
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
            // In the schemas of YAML 1.2, `<<` is text, even if the options enable merge keys.
            ScalarTag::Str if self.merges && self.at_key && text == b"<<" => return Err(Complex),
            ScalarTag::Str => self.text(text, out),
            ScalarTag::Null => out.push(Kind::Null),
            ScalarTag::Bool(true) => out.push(Kind::True),
            ScalarTag::Bool(false) => out.push(Kind::False),
            tag => return self.convert(tag, text, out),
        }
        Ok(())
    }

    /// Appends the value of a plain scalar that the schema does not resolve to text, null or a
    /// boolean.
    #[inline(never)]
    fn convert(&self, tag: ScalarTag, text: &[u8], out: &mut Tokens) -> Step {
        match (self.schema.convert(tag, text), self.at_key) {
            (Scalar::Int(value), _) => out.int(value),
            (Scalar::Float(value), false) => out.float(value),
            (Scalar::Unresolved(_), _) => return Err(Complex),
            (Scalar::Merge, true) if self.merges => return Err(Complex),
            (Scalar::Str(_) | Scalar::Merge, _) => self.text(text, out),
            // As keys, Java may compare these values by different rules than YAML.
            (_, true) => return Err(Complex),
            (rare, false) => {
                scalar::push(out, &rare);
            }
        }
        Ok(())
    }

    /// Counts a value that was pushed, and makes it the value of the anchor before it, if there is
    /// one.
    #[inline(always)]
    fn complete(&mut self, out: &mut Tokens) {
        self.height += 1;
        self.at_key ^= self.in_mapping;
        if let Some(anchor) = self.anchor.take() {
            self.define(anchor, out);
        }
    }

    /// Makes the value on top of the stack the value of the anchor with this number.
    #[cold]
    fn define(&mut self, anchor: u32, out: &mut Tokens) {
        out.anchor(Kind::Anchor, anchor);
        if let Some(is_complete) = self.anchors.get_mut(anchor as usize) {
            *is_complete = true;
        }
    }

    /// If the tag of the node is on the stack, combines it with the value after it.
    #[cold]
    fn end_tag(&mut self, out: &mut Tokens) {
        if std::mem::replace(&mut self.tag, Tag::None) == Tag::Named {
            out.push(Kind::Tagged);
            self.height -= 1;
        }
    }

    /// Starts a collection. Fails if it would be a key.
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
        // A collection is never a key here, since `start` rejects such keys.
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

    /// Assigns a number to the anchor of the next node. Aliases use it to refer to the node's
    /// value.
    #[cold]
    fn take_anchor(&mut self, bytes: &[u8]) {
        let number = self.anchors.len() as u32;
        self.anchors.push(false);
        self.names.insert(bytes[1..].into(), number);
        self.anchor = Some(number);
    }

    /// Appends the value of the anchor that an alias refers to.
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

    /// Records the tag of the next node. Fails if only the composer can handle the tag: if the
    /// document has directives, with which tags may be far longer than they are written, if a key
    /// has a tag that is kept, or if the tag is one of YAML's own and changes the value.
    #[cold]
    fn take_tag(&mut self, bytes: &[u8], out: &mut Tokens) -> Step {
        if self.has_directives {
            return Err(Complex);
        }
        let tag = TagHandles::default().resolve(bytes);
        self.tag = match tag.strip_prefix(YAML_PREFIX) {
            Some("str") => Tag::Text,
            None if tag == "!" => Tag::Text,
            _ if self.at_key => return Err(Complex),
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

#[cfg(test)]
mod tests {
    use super::*;
    use ketch_yaml::Parser;

    fn load(text: &str) -> Result<Vec<u64>, Complex> {
        let mut out = Tokens::new();
        out.set_input(text.as_bytes());
        let mut receiver = Receiver::new(&LoadOptions::default());
        let mut parser = Parser::new(text.as_bytes());
        while let Some(chunk) = parser.next_chunk().unwrap() {
            receiver.chunk(&chunk, &mut out)?;
        }
        Ok(out.words)
    }

    #[test]
    fn keys_that_are_text_by_their_tag_need_no_document() {
        let words = load("! 1: a\n!!str 2: b\n").unwrap();
        let texts = words.iter().filter(|&&word| word as u8 == Kind::Ascii as u8).count();
        assert_eq!(texts, 4);
        assert_eq!(words[words.len() - 2..], [Kind::Mapping as u64 | 2 << 8, Kind::End as u64]);
    }

    #[test]
    fn keys_with_other_tags_need_a_document() {
        for text in ["!!int 1: a", "!a b: c", "!!set {}: a", "! {}: a"] {
            assert!(load(text).is_err(), "{text}");
        }
    }
}
