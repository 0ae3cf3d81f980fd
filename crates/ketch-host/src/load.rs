//! Builds the values of a host language directly from the parser's events, which is enough for most
//! texts.
//!
//! Values are pushed on a stack of the host, and the end of a collection replaces its values there by
//! one object. A host says how it creates its objects, in [`Make`]; everything else is decided here.
//! Where events are not enough (some tags, merge keys, duplicate keys, and errors), the loader gives up
//! with [`Complex`], and the host composes the documents and converts them.
//!
//! Ruby may leave the functions of a loader by a jump, so they own nothing across a call to the host.

use crate::breaks::{self, Kept};
use ketch_yaml::schema::{IntForm, Scalar, ScalarTag, Schema};
use ketch_yaml::tag::{TagHandles, YAML_PREFIX};
use ketch_yaml::{Budget, Chunk, ComposeOptions, Event, EventKind, Limits, scalar};
use std::collections::HashMap;
#[cfg(test)]
pub(crate) use tests::Texts;

/// Says that events are not enough to load the text.
#[derive(Clone, Copy, Debug)]
pub struct Complex;

/// What the tag of a node means for its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tag {
    /// There is none.
    None,
    /// `!` or `!!str`: a scalar is text, and a collection is loaded as without a tag.
    Text,
    /// A scalar is resolved as if it were plain, and a collection is loaded as without a tag.
    AsPlain,
    /// The tag becomes part of the value. Its text is on the stack.
    Named,
    /// The host knows its meaning for scalars. Its text is on the stack.
    Special,
}

/// How a host creates its values, each of which it pushes on its stack. `is_verbatim` means that a text
/// is a part of the input.
pub trait Make {
    /// What ends the loading.
    type Error: From<Complex>;

    /// Returns the number of values on the stack.
    fn count(&self) -> usize;
    /// Pushes null.
    fn null(&mut self);
    /// Pushes a boolean.
    fn boolean(&mut self, value: bool);
    /// Pushes an integer.
    fn integer(&mut self, value: i64) -> Result<(), Self::Error>;
    /// Pushes a float.
    fn float(&mut self, value: f64) -> Result<(), Self::Error>;
    /// Pushes the number with these digits, an integer or a decimal. Only results of programs have one.
    fn digits(&mut self, _text: &str, _is_integer: bool) -> Result<(), Self::Error> {
        Err(Complex.into())
    }
    /// Pushes text that is not a key.
    fn text(&mut self, text: &[u8], is_verbatim: bool) -> Result<(), Self::Error>;
    /// Pushes text that is a key.
    fn key(&mut self, text: &[u8], is_verbatim: bool) -> Result<(), Self::Error>;
    /// Pushes a scalar of another type, which is not a key.
    fn rare(&mut self, scalar: Scalar<'_, &[u8]>) -> Result<(), Self::Error>;
    /// Replaces the values from `start` on by a sequence.
    fn sequence(&mut self, start: usize) -> Result<(), Self::Error>;
    /// Replaces the keys and values, which alternate, from `start` on by a mapping. `merges` means that
    /// one of the keys [is a merge key](Make::is_merge_key).
    fn mapping(&mut self, start: usize, merges: bool) -> Result<(), Self::Error>;
    /// Pushes a tag.
    fn tag(&mut self, tag: &str) -> Result<(), Self::Error>;
    /// Replaces a tag and the value after it by a tagged value.
    fn wrap(&mut self) -> Result<(), Self::Error>;

    /// Returns the number of a new anchor, which has no value yet.
    fn anchor(&mut self) -> u32;
    /// Makes the value on top of the stack the value of an anchor.
    fn define(&mut self, anchor: u32);
    /// Pushes the value of an anchor. Fails if it has none yet. `merges` is that of the innermost
    /// mapping.
    fn alias(&mut self, anchor: u32, merges: bool) -> Result<(), Self::Error>;
    /// Returns whether the node of an anchor can be loaded from events.
    fn may_anchor(&self, _is_key: bool, _is_known: bool) -> bool {
        true
    }
    /// Is called at the end of each document, with its offset.
    fn end_document(&mut self, _end: usize) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Returns whether the host resolves plain scalars and tags by rules of its own, those of an older
    /// library.
    fn is_dialect(&self) -> bool {
        false
    }
    /// In a dialect, pushes a plain scalar and returns true, or returns false if it is text.
    fn plain_of_dialect(&mut self, _text: &[u8], _is_verbatim: bool) -> Result<bool, Self::Error> {
        Ok(false)
    }
    /// In a dialect, returns the meaning of a tag.
    fn tag_of_dialect(&self, _tag: &str) -> Result<Tag, Complex> {
        Err(Complex)
    }
    /// Replaces a special tag by the value of a scalar with this tag.
    fn special(&mut self, _text: &[u8]) -> Result<(), Self::Error> {
        Err(Complex.into())
    }
    /// Returns whether a scalar with this content would be merged if it were a key.
    fn is_merge_key(&self, _text: &[u8]) -> bool {
        false
    }

    /// Returns whether the host itself reads the node whose tag is in `event`.
    fn takes(
        &mut self,
        _chunk: &Chunk<'_, '_>,
        _event: &Event,
        _tag: &str,
    ) -> Result<bool, Self::Error> {
        Ok(false)
    }
    /// Reads the events of the node that the host took, up to its end or that of the chunk. Returns
    /// whether it pushed the value.
    fn take(
        &mut self,
        _chunk: &Chunk<'_, '_>,
        _events: &mut impl Iterator<Item = Event>,
    ) -> Result<bool, Self::Error> {
        Ok(false)
    }
}

/// Returns whether the options allow loading from events: only the composer counts nodes and tags.
pub fn suffice(options: &ComposeOptions) -> bool {
    let limits = &options.limits;
    limits.max_nodes == Budget::UNLIMITED && limits.max_tag_bytes == Limits::default().max_tag_bytes
}

/// An open collection.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// The index on the stack at which the collection's values start.
    start: usize,
    is_mapping: bool,
    anchor: Option<u32>,
    /// Whether its tag is on the stack before its values.
    is_tagged: bool,
    /// Whether one of its keys is a merge key.
    merges: bool,
}

/// Memory of a loader, for the next one.
#[derive(Debug, Default)]
pub struct Buffers {
    frames: Vec<Frame>,
    decoded: Vec<u8>,
    /// The numbers of anchors, by their names.
    names: HashMap<Box<[u8]>, u32>,
    /// The tag of the next node.
    tag: String,
}

impl Buffers {
    /// Returns whether the memory is small enough to be kept for a long time.
    pub fn are_small(&self) -> bool {
        const KEPT_MAX: usize = 4096;
        self.frames.capacity() <= KEPT_MAX
            && self.decoded.capacity() <= KEPT_MAX * 16
            && self.names.capacity() <= KEPT_MAX
    }
}

/// Where a loader is between two chunks, beside the open collections and the names of anchors, which
/// are in its [`Buffers`].
#[derive(Clone, Copy, Debug)]
pub struct Position {
    in_mapping: bool,
    at_key: bool,
    has_directives: bool,
    anchor: Option<u32>,
    tag: Tag,
}

impl Position {
    /// The start of a stream.
    pub const START: Position = Position {
        in_mapping: false,
        at_key: false,
        has_directives: false,
        anchor: None,
        tag: Tag::None,
    };
}

/// Builds the values of a stream, one document after another.
#[derive(Debug)]
pub struct Loader<'m, M> {
    builder: Builder<'m, M>,
    decoded: &'m mut Vec<u8>,
    names: &'m mut HashMap<Box<[u8]>, u32>,
    tag_text: &'m mut String,
    /// The contents of scalars that span a separator of YAML 1.1.
    kept: &'m [Kept],
    has_directives: bool,
    /// The number of the anchor that precedes the next node.
    anchor: Option<u32>,
    /// What the tag of the next node means.
    tag: Tag,
}

type Step<M> = Result<(), <M as Make>::Error>;

impl<'m, M: Make> Loader<'m, M> {
    /// Creates a loader.
    #[inline(always)]
    pub fn new(
        make: M,
        options: &ComposeOptions,
        kept: &'m [Kept],
        buffers: &'m mut Buffers,
    ) -> Loader<'m, M> {
        buffers.frames.clear();
        if !buffers.names.is_empty() {
            buffers.names.clear();
        }
        let mut loader = Loader::at(Position::START, make, options, buffers);
        loader.kept = kept;
        loader
    }

    /// Creates a loader that goes on at a position, which belongs to `buffers`.
    #[inline(always)]
    pub fn at(
        position: Position,
        make: M,
        options: &ComposeOptions,
        buffers: &'m mut Buffers,
    ) -> Loader<'m, M> {
        let Position { in_mapping, at_key, has_directives, anchor, tag } = position;
        let Buffers { frames, decoded, names, tag: tag_text } = buffers;
        Loader {
            builder: Builder {
                make,
                frames,
                schema: options.schema,
                merges: options.merges(),
                in_mapping,
                at_key,
            },
            decoded,
            names,
            tag_text,
            kept: &[],
            has_directives,
            anchor,
            tag,
        }
    }

    /// Returns where the loader is, between two chunks.
    pub fn position(&self) -> Position {
        let Loader { has_directives, anchor, tag, .. } = *self;
        let Builder { in_mapping, at_key, .. } = self.builder;
        Position { in_mapping, at_key, has_directives, anchor, tag }
    }

    /// Returns what makes the values.
    pub fn into_make(self) -> M {
        self.builder.make
    }

    /// Handles the events of a chunk.
    pub fn chunk(&mut self, chunk: &Chunk<'_, '_>) -> Step<M> {
        let mut events = chunk.events();
        self.take(chunk, &mut events)?;
        while let Some(event) = events.next() {
            match event.kind {
                EventKind::Plain => self.plain(chunk, &event)?,
                EventKind::SingleQuoted | EventKind::DoubleQuoted => self.quoted(chunk, &event)?,
                EventKind::MappingStart => self.start(true)?,
                EventKind::SequenceStart => self.start(false)?,
                EventKind::MappingEnd | EventKind::SequenceEnd => self.end()?,
                EventKind::Literal | EventKind::Folded => self.quoted(chunk, &event)?,
                EventKind::Anchor => self.take_anchor(chunk.bytes(&event))?,
                EventKind::Alias => self.alias(chunk.bytes(&event))?,
                EventKind::Tag => {
                    self.take_tag(chunk, &event)?;
                    self.take(chunk, &mut events)?;
                }
                EventKind::DocumentEnd => {
                    self.has_directives = false;
                    if !self.names.is_empty() {
                        self.names.clear();
                    }
                    let end = chunk.base() as usize + event.range().end;
                    self.builder.make.end_document(end)?;
                }
                EventKind::Directive => self.has_directives = true,
                EventKind::DocumentStart | EventKind::Nop => {}
            }
        }
        Ok(())
    }

    /// Lets the host read the events of the node that it took, if there is one.
    #[inline(always)]
    fn take(&mut self, chunk: &Chunk<'_, '_>, events: &mut impl Iterator<Item = Event>) -> Step<M> {
        if self.builder.make.take(chunk, events)? {
            self.builder.added();
        }
        Ok(())
    }

    /// Adds a plain scalar.
    #[inline(always)]
    fn plain(&mut self, chunk: &Chunk<'_, '_>, event: &Event) -> Step<M> {
        if self.tag != Tag::None {
            return self.tagged_scalar(chunk, event);
        }
        match scalar::verbatim(chunk.text(), event) {
            Some(text) => self.builder.plain(text, true)?,
            None => {
                self.decode(chunk, event);
                self.builder.plain(self.decoded, false)?;
            }
        }
        self.define_scalar();
        Ok(())
    }

    /// Adds a scalar that is text.
    #[inline(always)]
    fn quoted(&mut self, chunk: &Chunk<'_, '_>, event: &Event) -> Step<M> {
        if self.tag != Tag::None {
            return self.tagged_scalar(chunk, event);
        }
        match scalar::verbatim(chunk.text(), event) {
            Some(text) => self.builder.text(text, true)?,
            None => {
                self.decode(chunk, event);
                self.builder.text(self.decoded, false)?;
            }
        }
        self.define_scalar();
        Ok(())
    }

    /// Adds a scalar with a tag.
    #[cold]
    fn tagged_scalar(&mut self, chunk: &Chunk<'_, '_>, event: &Event) -> Step<M> {
        let verbatim = scalar::verbatim(chunk.text(), event);
        if verbatim.is_none() {
            self.decode(chunk, event);
        }
        let (text, is_verbatim) = (verbatim.unwrap_or(self.decoded), verbatim.is_some());
        let builder = &mut self.builder;
        // `!!str <<` does not merge.
        if builder.at_key && builder.make.is_merge_key(text) {
            return Err(Complex.into());
        }
        match std::mem::replace(&mut self.tag, Tag::None) {
            Tag::AsPlain => builder.plain(text, is_verbatim)?,
            Tag::Named => {
                builder.make.text(text, is_verbatim)?;
                builder.make.wrap()?;
                builder.added();
            }
            Tag::Special => {
                builder.make.special(text)?;
                builder.added();
            }
            Tag::Text | Tag::None => builder.text(text, is_verbatim)?,
        }
        self.define_scalar();
        Ok(())
    }

    /// Decodes the content of a scalar into `self.decoded`.
    fn decode(&mut self, chunk: &Chunk<'_, '_>, event: &Event) {
        self.decoded.clear();
        match breaks::kept_content(self.kept, chunk.base() as usize + event.start) {
            Some(content) => self.decoded.extend_from_slice(content),
            None => scalar::decode(chunk.text(), event, self.decoded),
        }
    }

    /// Starts a collection.
    #[inline(always)]
    fn start(&mut self, is_mapping: bool) -> Step<M> {
        let anchor = self.anchor.take();
        let tag = std::mem::replace(&mut self.tag, Tag::None);
        if tag == Tag::Special || tag == Tag::Text && self.builder.make.is_dialect() {
            return Err(Complex.into());
        }
        self.builder.start(is_mapping, anchor, tag == Tag::Named)
    }

    /// Ends the innermost collection. If it has an anchor, aliases can refer to it from here on.
    #[inline(always)]
    fn end(&mut self) -> Step<M> {
        if let Some(anchor) = self.builder.end()? {
            self.builder.make.define(anchor);
        }
        Ok(())
    }

    /// Assigns a number to the anchor of the next node. Aliases use it to look up the node's value.
    #[cold]
    fn take_anchor(&mut self, bytes: &[u8]) -> Step<M> {
        let Builder { make, at_key, .. } = &mut self.builder;
        let number = make.anchor();
        let before = self.names.insert(bytes[1..].into(), number);
        self.anchor = Some(number);
        match make.may_anchor(*at_key, before.is_some()) {
            true => Ok(()),
            false => Err(Complex.into()),
        }
    }

    /// Records the tag of the next node. Fails if only the composer can handle the tag: if the
    /// document has directives, with which tags may be far longer than they are written, or if it
    /// is one of YAML's own tags and changes the value.
    #[cold]
    fn take_tag(&mut self, chunk: &Chunk<'_, '_>, event: &Event) -> Step<M> {
        if self.has_directives {
            return Err(Complex.into());
        }
        let builder = &mut self.builder;
        let text = &mut *self.tag_text;
        text.clear();
        text.push_str(&TagHandles::default().resolve(chunk.bytes(event)));
        if builder.make.takes(chunk, event, text)? {
            // A key would be hashed immediately, and a node with an anchor may be shared.
            return match builder.at_key || self.anchor.is_some() {
                true => Err(Complex.into()),
                false => Ok(()),
            };
        }
        self.tag = match builder.make.is_dialect() {
            true => builder.make.tag_of_dialect(text)?,
            false => meaning(text)?,
        };
        if matches!(self.tag, Tag::Named | Tag::Special) {
            if builder.at_key {
                return Err(Complex.into());
            }
            builder.make.tag(text)?;
        }
        Ok(())
    }

    /// If the scalar that was just added has an anchor, stores its value as that of the anchor.
    #[inline(always)]
    fn define_scalar(&mut self) {
        if let Some(anchor) = self.anchor.take() {
            self.builder.make.define(anchor);
        }
    }

    /// Adds the value of the anchor that an alias refers to.
    #[cold]
    fn alias(&mut self, bytes: &[u8]) -> Step<M> {
        let builder = &mut self.builder;
        match self.names.get(&bytes[1..]) {
            Some(&number) if !builder.at_key => {
                let merges = builder.frames.last().is_some_and(|frame| frame.merges);
                builder.make.alias(number, merges)?;
                builder.added();
                Ok(())
            }
            _ => Err(Complex.into()),
        }
    }
}

/// Returns the meaning of a tag.
fn meaning(tag: &str) -> Result<Tag, Complex> {
    match tag.strip_prefix(YAML_PREFIX) {
        Some("str") => Ok(Tag::Text),
        None if tag == "!" => Ok(Tag::Text),
        Some("set" | "omap" | "pairs") | None => Ok(Tag::Named),
        Some(_) => Err(Complex),
    }
}

/// Keeps track of the open collections.
#[derive(Debug)]
struct Builder<'m, M> {
    make: M,
    frames: &'m mut Vec<Frame>,
    schema: Schema,
    merges: bool,
    in_mapping: bool,
    /// Whether the next value is a key.
    at_key: bool,
}

impl<M: Make> Builder<'_, M> {
    /// Counts a value that was pushed.
    #[inline(always)]
    fn added(&mut self) {
        self.at_key ^= self.in_mapping;
    }

    /// Adds text or, if a key is due, a key.
    #[inline(always)]
    fn text(&mut self, text: &[u8], is_verbatim: bool) -> Step<M> {
        if self.at_key {
            if self.make.is_merge_key(text) {
                self.merge();
            }
            self.make.key(text, is_verbatim)?;
        } else {
            self.make.text(text, is_verbatim)?;
        }
        self.added();
        Ok(())
    }

    /// Records that the innermost mapping has a merge key. The values of merge keys are merged when the
    /// mapping ends.
    #[cold]
    fn merge(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.merges = true;
        }
    }

    /// Adds a plain scalar.
    #[inline(always)]
    fn plain(&mut self, text: &[u8], is_verbatim: bool) -> Step<M> {
        if self.make.is_dialect() {
            if !self.make.plain_of_dialect(text, is_verbatim)? {
                return self.text(text, is_verbatim);
            }
            self.added();
            return Ok(());
        }
        match self.schema.resolve(text) {
            // In the schemas of YAML 1.2, `<<` is text, even if the options enable merge keys.
            ScalarTag::Str if self.merges && self.at_key && text == b"<<" => {
                return Err(Complex.into());
            }
            ScalarTag::Str => return self.text(text, is_verbatim),
            ScalarTag::Null => self.make.null(),
            ScalarTag::Bool(value) => self.make.boolean(value),
            ScalarTag::Int(IntForm::Decimal) => match few_digits(text) {
                Some(value) => self.make.integer(value)?,
                None => return self.other(ScalarTag::Int(IntForm::Decimal), text, is_verbatim),
            },
            tag => return self.other(tag, text, is_verbatim),
        }
        self.added();
        Ok(())
    }

    /// Adds a plain scalar that the schema does not resolve to text or another common type.
    #[inline(never)]
    fn other(&mut self, tag: ScalarTag, text: &[u8], is_verbatim: bool) -> Step<M> {
        match (self.schema.convert(tag, text), self.at_key) {
            (Scalar::Int(value), _) => self.make.integer(value)?,
            (Scalar::Float(value), false) => self.make.float(value)?,
            (Scalar::Unresolved(_), _) => return Err(Complex.into()),
            (Scalar::Merge, true) if self.merges => return Err(Complex.into()),
            (Scalar::Str(_) | Scalar::Merge, _) => return self.text(text, is_verbatim),
            // As keys, a host may compare these values by different rules than YAML.
            (_, true) => return Err(Complex.into()),
            (rare, false) => self.make.rare(rare)?,
        }
        self.added();
        Ok(())
    }

    /// Starts a collection. If it would be a key, fails, which leaves the document to the composer.
    #[inline(always)]
    fn start(&mut self, is_mapping: bool, anchor: Option<u32>, is_tagged: bool) -> Step<M> {
        if self.at_key {
            return Err(Complex.into());
        }
        let start = self.make.count();
        self.frames.push(Frame { start, is_mapping, anchor, is_tagged, merges: false });
        (self.in_mapping, self.at_key) = (is_mapping, is_mapping);
        Ok(())
    }

    /// Ends the innermost collection, and returns the number of its anchor, if it has one.
    #[inline(always)]
    fn end(&mut self) -> Result<Option<u32>, M::Error> {
        let Some(frame) = self.frames.pop() else { return Ok(None) };
        match frame.is_mapping {
            true => self.make.mapping(frame.start, frame.merges)?,
            false => self.make.sequence(frame.start)?,
        }
        if frame.is_tagged {
            self.make.wrap()?;
        }
        // A collection is never a key here, since `start` rejects such keys.
        self.in_mapping = self.frames.last().is_some_and(|frame| frame.is_mapping);
        self.at_key = self.in_mapping;
        Ok(frame.anchor)
    }
}

/// Returns the value of one to eight decimal digits, or `None` for other text, for example with a
/// sign.
#[inline(always)]
fn few_digits(text: &[u8]) -> Option<i64> {
    if text.len() > 8 {
        return None;
    }
    text.iter().try_fold(0, |value, &byte| match byte {
        b'0'..=b'9' => Some(10 * value + i64::from(byte - b'0')),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ketch_yaml::Parser;

    /// A host whose values are texts in which collections have brackets.
    #[derive(Debug, Default)]
    pub(crate) struct Texts {
        pub(crate) stack: Vec<String>,
        anchored: Vec<Option<String>>,
    }

    impl Texts {
        pub(crate) fn push(&mut self, text: impl Into<String>) -> Result<(), Complex> {
            self.stack.push(text.into());
            Ok(())
        }
    }

    impl Make for Texts {
        type Error = Complex;

        fn count(&self) -> usize {
            self.stack.len()
        }

        fn null(&mut self) {
            self.stack.push("null".into());
        }

        fn boolean(&mut self, value: bool) {
            self.stack.push(value.to_string());
        }

        fn integer(&mut self, value: i64) -> Result<(), Complex> {
            self.push(value.to_string())
        }

        fn float(&mut self, value: f64) -> Result<(), Complex> {
            self.push(format!("{value:?}"))
        }

        fn digits(&mut self, text: &str, is_integer: bool) -> Result<(), Complex> {
            self.push(format!("{text}{}", if is_integer { "" } else { "d" }))
        }

        fn text(&mut self, text: &[u8], is_verbatim: bool) -> Result<(), Complex> {
            let text = String::from_utf8_lossy(text);
            self.push(format!("{text:?}{}", if is_verbatim { "" } else { "~" }))
        }

        fn key(&mut self, text: &[u8], _: bool) -> Result<(), Complex> {
            self.push(String::from_utf8_lossy(text))
        }

        fn rare(&mut self, scalar: Scalar<'_, &[u8]>) -> Result<(), Complex> {
            match scalar {
                Scalar::BigInt(value) => self.push(value.digits()),
                _ => Err(Complex),
            }
        }

        fn sequence(&mut self, start: usize) -> Result<(), Complex> {
            let items = self.stack.split_off(start).join(" ");
            self.push(format!("[{items}]"))
        }

        fn mapping(&mut self, start: usize, _: bool) -> Result<(), Complex> {
            let items = self.stack.split_off(start).join(" ");
            self.push(format!("{{{items}}}"))
        }

        fn tag(&mut self, tag: &str) -> Result<(), Complex> {
            self.push(tag)
        }

        fn wrap(&mut self) -> Result<(), Complex> {
            let (value, tag) = (self.stack.pop().unwrap(), self.stack.pop().unwrap());
            self.push(format!("<{tag} {value}>"))
        }

        fn anchor(&mut self) -> u32 {
            self.anchored.push(None);
            self.anchored.len() as u32 - 1
        }

        fn define(&mut self, anchor: u32) {
            self.anchored[anchor as usize] = self.stack.last().cloned();
        }

        fn alias(&mut self, anchor: u32, _: bool) -> Result<(), Complex> {
            let value = self.anchored[anchor as usize].clone().ok_or(Complex)?;
            self.push(value)
        }
    }

    /// Loads a text in one go.
    fn load(text: &str) -> Result<String, Complex> {
        let (options, mut buffers) = (ComposeOptions::default(), Buffers::default());
        let mut loader = Loader::new(Texts::default(), &options, &[], &mut buffers);
        let mut parser = Parser::new(text.as_bytes());
        while let Some(chunk) = parser.next_chunk().unwrap() {
            loader.chunk(&chunk)?;
        }
        Ok(loader.into_make().stack.join(" | "))
    }

    #[test]
    fn values_are_built_from_events() {
        for (text, expected) in [
            ("a: 1\nb: [x, 'y', \"z\\n\"]\n", r#"{a 1 b ["x" "y" "z\n"~]}"#),
            (
                "[~, true, -1, 12345678901234567890, 0x1F, 1.5]",
                "[null true -1 12345678901234567890 31 1.5]",
            ),
            ("? 1\n: {}\n", "{1 {}}"),
            ("a\n---\n- b\n", r#""a" | ["b"]"#),
        ] {
            assert_eq!(load(text).unwrap_or_default(), expected, "{text}");
        }
    }

    #[test]
    fn tags_become_part_of_values_or_mean_text() {
        for (text, expected) in [
            (
                "[! 1, !!str 2, !a 3, !a [4], !!set {}]",
                concat!(r#"["1" "2" <!a "3"> <!a [4]> "#, "<tag:yaml.org,2002:set {}>]"),
            ),
            ("! 1: a\n", r#"{1 "a"}"#),
            ("!a \"\\x41\"", r#"<!a "A"~>"#),
        ] {
            assert_eq!(load(text).unwrap(), expected, "{text}");
        }
        for text in ["!!int 1", "!a b: c", "%TAG ! tag:a,1:\n---\n!b c\n", "!!map {}"] {
            assert!(load(text).is_err(), "{text}");
        }
    }

    #[test]
    fn aliases_are_the_values_of_their_anchors() {
        assert_eq!(load("[&a [1], *a, &a 2, *a]").unwrap(), "[[1] [1] 2 2]");
        assert_eq!(load("{&k a: &v b, c: *v}").unwrap(), r#"{a "b" c "b"}"#);
        // Within the node itself, as a key, and in another document.
        for text in ["&a [*a]", "[&a 1, {*a : 2}]", "--- &a 1\n--- *a\n"] {
            assert!(load(text).is_err(), "{text}");
        }
    }

    #[test]
    fn keys_that_hosts_compare_by_rules_of_their_own_are_left_to_the_composer() {
        for text in ["1.5: a", "[]: a", "? {a: b}\n", "12345678901234567890: a"] {
            assert!(load(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_loader_goes_on_where_another_stopped() {
        let text = format!("a: &x [{}]\nb: !t {{c: *x}}\n", "d, ".repeat(20_000));
        let (options, mut buffers) = (ComposeOptions::default(), Buffers::default());
        let (mut texts, mut position) = (Texts::default(), Position::START);
        let mut chunks = 0;
        let mut parser = Parser::new(text.as_bytes());
        while let Some(chunk) = parser.next_chunk().unwrap() {
            let mut loader = Loader::at(position, texts, &options, &mut buffers);
            loader.chunk(&chunk).unwrap();
            position = loader.position();
            texts = loader.into_make();
            chunks += 1;
        }
        assert!(chunks > 1);
        assert_eq!(texts.stack.join(" | "), load(&text).unwrap());
    }
}
