//! Converts parser events to words for `YamlParser`, with the values of scalars.
//!
//! | word | what it has |
//! |---|---|
//! | first | kind of event in bits 0..8; [`FLOW`], [`EXPLICIT`], [`LOCATED`], [`DEFINED`]; type of the scalar in bits 12..16; [`TEXT`]; length of the span in the high half |
//! | text | if [`TEXT`]: a token |
//! | define | if [`DEFINED`]: a token |
//! | value | of integers and floats: a word; of big integers, binary and timestamps: their tokens |
//! | offset | of the span |
//! | location | if [`LOCATED`]: line, and column in the high half |
//!
//! `YamlParser.java` reads them.

use crate::options::LoadOptions;
use crate::tokens::Tokens;
use ketch_bytes::encoding::Encoding;
use ketch_yaml::schema::{Scalar, ScalarTag, Schema};
use ketch_yaml::tag::{TagHandles, YAML_PREFIX};
use ketch_yaml::{Chunk, Event, EventKind, EventLines, Flags, scalar};

const FLOW: u64 = 1 << 8;
const EXPLICIT: u64 = 1 << 9;
const LOCATED: u64 = 1 << 10;
const DEFINED: u64 = 1 << 11;
const TYPE_SHIFT: u32 = 12;
const TEXT: u64 = 1 << 16;

/// The type of a scalar. For other events, it is `Str`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Type {
    Str = 0,
    Null = 1,
    False = 2,
    True = 3,
    Int = 4,
    Float = 5,
    BigInt = 6,
    Timestamp = 7,
    Binary = 8,
    Merge = 9,
    /// The schema or the tag does not allow the scalar's text.
    Invalid = 10,
}

/// Returns the number that `ScalarType.java` has for the type of a plain scalar.
pub fn number_of_type(tag: ScalarTag) -> u8 {
    let type_ = match tag {
        ScalarTag::Null => Type::Null,
        ScalarTag::Bool(true) => Type::True,
        ScalarTag::Bool(false) => Type::False,
        ScalarTag::Int(_) => Type::Int,
        ScalarTag::Float(_) => Type::Float,
        ScalarTag::Timestamp(_) => Type::Timestamp,
        ScalarTag::Merge => Type::Merge,
        ScalarTag::Unresolved => Type::Invalid,
        _ => Type::Str,
    };
    type_ as u8
}

/// The tag of the next node.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Tag {
    None,
    /// A tag that is not YAML's own. A scalar with it is text.
    Other,
    /// One of YAML's own tags.
    Known(String),
}

/// The state that is kept between chunks.
#[derive(Debug)]
pub struct Pull {
    schema: Schema,
    merges: bool,
    handles: TagHandles,
    tag: Tag,
    /// The values of `in_mapping` and `at_key` outside of each open collection.
    open: Vec<(bool, bool)>,
    in_mapping: bool,
    /// Whether the next node is a key.
    at_key: bool,
    /// Determines the locations of events, or `None` if Java has the text and can do this itself.
    lines: Option<EventLines>,
    decoded: Vec<u8>,
}

impl Pull {
    /// Creates the state for a text or, if `shared` is `None`, for a stream. `shared` is the text,
    /// if Java has the same bytes.
    pub fn new(options: &LoadOptions, shared: Option<&[u8]>) -> Pull {
        let is_plain = shared.is_some_and(|text| Encoding::detect(text) == (Encoding::Utf8, 0));
        Pull {
            schema: options.compose.schema,
            merges: options.compose.merges(),
            handles: TagHandles::default(),
            tag: Tag::None,
            open: Vec::new(),
            in_mapping: false,
            at_key: false,
            lines: (!is_plain).then(EventLines::default),
            decoded: Vec::new(),
        }
    }

    /// Appends the words of a chunk.
    pub fn chunk(&mut self, chunk: &Chunk<'_, '_>, out: &mut Tokens) {
        for event in chunk.events() {
            if event.kind == EventKind::Nop {
                continue;
            }
            let at = out.words.len();
            out.words.push(0);
            let bits = self.event(chunk, &event, out);
            let mut first = event.kind as u64 | bits | (event.len as u64) << 32;
            first |= if event.flags.has(Flags::FLOW) { FLOW } else { 0 };
            first |= if event.flags.has(Flags::EXPLICIT) { EXPLICIT } else { 0 };
            out.words.push(chunk.base() + event.start as u64);
            let location = self.lines.as_mut().and_then(|lines| lines.locate(chunk, event.start));
            if let Some((line, column)) = location {
                first |= LOCATED;
                out.words.push(u64::from(line as u32) | column << 32);
            }
            out.words[at] = first;
        }
    }

    /// Appends the text and the value of an event. Returns the bits that they set in the event's
    /// first word.
    #[inline(always)]
    fn event(&mut self, chunk: &Chunk<'_, '_>, event: &Event, out: &mut Tokens) -> u64 {
        match event.kind {
            kind if kind.is_scalar() => self.scalar(chunk.text(), event, out),
            EventKind::MappingStart | EventKind::SequenceStart => {
                self.start(event.kind == EventKind::MappingStart);
                0
            }
            EventKind::MappingEnd | EventKind::SequenceEnd => {
                self.end();
                0
            }
            _ => self.rare(chunk.bytes(event), event.kind, out),
        }
    }

    /// Handles an event other than a scalar or the start or end of a collection. Returns the bits
    /// to set in the event's first word.
    #[inline(never)]
    fn rare(&mut self, bytes: &[u8], kind: EventKind, out: &mut Tokens) -> u64 {
        match kind {
            EventKind::Alias => {
                self.complete();
                out.text(&bytes[1..]);
            }
            EventKind::Anchor => out.text(&bytes[1..]),
            EventKind::Tag => {
                let tag = self.handles.resolve(bytes);
                out.text(tag.as_bytes());
                self.tag = match tag.strip_prefix(YAML_PREFIX) {
                    Some(_) => Tag::Known(tag.into()),
                    None => Tag::Other,
                };
            }
            EventKind::Directive => {
                self.handles.directive(bytes);
                out.text(bytes);
            }
            _ => {
                if kind == EventKind::DocumentEnd {
                    self.handles.clear();
                }
                return 0;
            }
        }
        TEXT
    }

    /// Records the start of a collection.
    #[inline(always)]
    fn start(&mut self, is_mapping: bool) {
        self.tag = Tag::None;
        self.open.push((self.in_mapping, self.at_key));
        (self.in_mapping, self.at_key) = (is_mapping, is_mapping);
    }

    /// Records the end of the innermost collection.
    #[inline(always)]
    fn end(&mut self) {
        (self.in_mapping, self.at_key) = self.open.pop().unwrap_or_default();
        self.complete();
    }

    /// Updates the state after a complete node: in a mapping, keys and values alternate, and the
    /// tag no longer applies.
    #[inline(always)]
    fn complete(&mut self) {
        self.at_key ^= self.in_mapping;
        self.tag = Tag::None;
    }

    /// Appends the text and the value of a scalar. Returns the bits that they set in the event's
    /// first word.
    #[inline(always)]
    fn scalar(&mut self, text: &[u8], event: &Event, out: &mut Tokens) -> u64 {
        let is_plain = event.kind == EventKind::Plain;
        let bits = match scalar::verbatim(text, event) {
            Some(content) => self.content(content, is_plain, out),
            None => {
                let mut decoded = std::mem::take(&mut self.decoded);
                decoded.clear();
                scalar::decode(text, event, &mut decoded);
                let bits = self.content(&decoded, is_plain, out);
                self.decoded = decoded;
                bits
            }
        };
        self.complete();
        bits
    }

    /// Appends the content of a scalar and its value. Returns the bits that they set in the event's
    /// first word.
    #[inline(always)]
    fn content(&mut self, content: &[u8], is_plain: bool, out: &mut Tokens) -> u64 {
        let bits = if self.at_key {
            if out.key(content) { DEFINED } else { 0 }
        } else {
            out.text(content);
            0
        };
        let type_ = match (&self.tag, is_plain) {
            (Tag::None, true) => self.plain(content, out),
            (Tag::None | Tag::Other, _) => Type::Str,
            (Tag::Known(_), _) => self.tagged(content, out),
        };
        bits | TEXT | (type_ as u64) << TYPE_SHIFT
    }

    /// Appends the value of a plain scalar, and returns its type.
    #[inline(always)]
    fn plain(&self, content: &[u8], out: &mut Tokens) -> Type {
        use ketch_yaml::schema::ScalarTag as Tag;
        match self.schema.resolve(content) {
            Tag::Str if self.merges && self.at_key && content == b"<<" => Type::Merge,
            Tag::Str => Type::Str,
            Tag::Null => Type::Null,
            Tag::Bool(true) => Type::True,
            Tag::Bool(false) => Type::False,
            tag => self.value(self.schema.convert(tag, content), out),
        }
    }

    /// Appends a value, unless its type says all about it, and returns its type.
    #[inline(never)]
    fn value(&self, value: Scalar<'_, &[u8]>, out: &mut Tokens) -> Type {
        match value {
            Scalar::Null => Type::Null,
            Scalar::Bool(true) => Type::True,
            Scalar::Bool(false) => Type::False,
            Scalar::Int(value) => {
                out.words.push(value as u64);
                Type::Int
            }
            Scalar::Float(value) => {
                out.words.push(value.to_bits());
                Type::Float
            }
            Scalar::Merge if self.merges && self.at_key => Type::Merge,
            Scalar::Merge | Scalar::Str(_) => Type::Str,
            Scalar::Unresolved(_) => Type::Invalid,
            rare => {
                crate::scalar::push(out, &rare);
                match rare {
                    Scalar::BigInt(_) => Type::BigInt,
                    Scalar::Binary(_) => Type::Binary,
                    _ => Type::Timestamp,
                }
            }
        }
    }

    /// Appends the value that the content has with the current tag, and returns its type.
    #[inline(never)]
    fn tagged(&self, content: &[u8], out: &mut Tokens) -> Type {
        let Tag::Known(tag) = &self.tag else { return Type::Str };
        match self.schema.convert_tagged(tag, content) {
            Ok(Some(value)) => self.value(value, out),
            Ok(None) => Type::Str,
            Err(_) => Type::Invalid,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::Kind;
    use ketch_yaml::Parser;

    /// Returns the words for the events of a text.
    fn words(text: &[u8]) -> Vec<u64> {
        let mut out = Tokens::new();
        out.set_input(text);
        let mut pull = Pull::new(&LoadOptions::default(), Some(text));
        let mut parser = Parser::new(text);
        while let Some(chunk) = parser.next_chunk().unwrap() {
            pull.chunk(&chunk, &mut out);
        }
        out.words
    }

    #[test]
    fn scalars_have_their_values() {
        let words = words(b"a: 7\n");
        let key = [EventKind::Plain as u64 | DEFINED | TEXT | 1 << 32, Kind::Ascii as u64 | 1 << 8];
        let at = words.windows(2).position(|pair| pair == key).unwrap();
        assert_eq!(words[at + 2] as u8, Kind::Define as u8);
        assert_eq!(words[at + 3], 0);
        let int = EventKind::Plain as u64 | (Type::Int as u64) << TYPE_SHIFT | TEXT | 1 << 32;
        let text = Kind::Ascii as u64 | 1 << 8 | 3 << 32;
        assert_eq!(words[at + 4..at + 8], [int, text, 7, 3]);
    }

    #[test]
    fn equal_keys_share_a_slot_after_collections_too() {
        let words = words(b"- {a: [b], a: {}}\n- a: 1\n  b: a\n");
        let slots = words.iter().filter(|&&word| word & 0xffff_00ff == Kind::Key as u64);
        assert!(slots.count() >= 2);
    }

    #[test]
    fn locations_are_counted_where_java_cannot() {
        let text = "\u{feff}é: x\ny: z\n".as_bytes();
        let located = words(text).iter().filter(|&&word| word == 2 | 4 << 32).count();
        assert_eq!(located, 1);
    }
}
