//! Builds objects directly from the parser's events.

use super::builder::{Builder, Step};
use super::stop::Stop;
use crate::memory::{Buffers, Memory, Names, Stack};
use crate::options::LoadOptions;
use crate::permissions::Permissions;
use crate::ruby;
use ketch_host::breaks::{self, Kept};
use ketch_yaml::tag::{TagHandles, YAML_PREFIX};
use ketch_yaml::{Budget, Chunk, DuplicateKeys, Event, EventKind, Limits, Parser, scalar};

/// Returns whether the options allow loading from events: only the composer counts nodes and tags,
/// and only the composer can ignore duplicate keys.
pub fn suffice(options: &LoadOptions) -> bool {
    let limits = &options.compose.limits;
    limits.max_nodes == Budget::UNLIMITED
        && limits.max_tag_bytes == Limits::default().max_tag_bytes
        && options.compose.duplicate_keys != DuplicateKeys::Off
}

/// Loads the first document, or all if `first_only` is false, onto the stack. Returns the offset at
/// which it stopped. `kept` holds the contents of the scalars that span a separator.
pub fn documents(
    text: &[u8],
    kept: &[Kept],
    first_only: bool,
    options: &LoadOptions,
    memory: &Memory,
    buffers: &mut Buffers,
) -> Result<usize, Stop> {
    let mut parser = Parser::with_options(text, &options.parse);
    let Buffers { frames, decoded, names, tag, .. } = buffers;
    names.0.clear();
    // This is created before `run`, since the frames that an exception unwinds must not own
    // anything.
    let mut receiver = Receiver {
        builder: Builder::new(options, text.len() as u64, memory, frames),
        first_only,
        end: text.len(),
        kept,
        anchored: &memory.anchored,
        names,
        decoded,
        handles: TagHandles::default(),
        has_directives: false,
        tag_text: tag,
        anchor: None,
        tag: Tag::None,
    };
    match ruby::run(|| receiver.all(&mut parser)) {
        Ok(()) | Err(Stop::Enough) => Ok(receiver.end),
        Err(stop) => Err(stop),
    }
}

struct Receiver<'m> {
    builder: Builder<'m>,
    first_only: bool,
    /// The offset at which loading stops: the end of the text or, if only the first document is
    /// loaded, the end of that document.
    end: usize,
    kept: &'m [Kept],
    /// The values of anchors, by the anchors' numbers; `UNFINISHED` while a value is incomplete.
    anchored: &'m Stack,
    names: &'m mut Names,
    decoded: &'m mut Vec<u8>,
    /// The tag handles that YAML declares by default. A document with directives is left to the
    /// composer.
    handles: TagHandles,
    has_directives: bool,
    tag_text: &'m mut Vec<u8>,
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
    /// A tag that becomes part of the value. Its text is on the stack.
    Named,
    /// A tag that Psych ignores: a scalar is resolved as if it were plain.
    Passed,
    /// A tag whose meaning Psych defines for scalars. Its text is on the stack.
    OfPsych,
}

impl Receiver<'_> {
    /// Handles all events. Checks for interrupts after each chunk.
    fn all(&mut self, parser: &mut Parser<'_>) -> Step {
        while let Some(chunk) = parser.next_chunk()? {
            self.chunk(&chunk)?;
            ruby::check_interrupts();
        }
        Ok(())
    }

    /// Handles the events of a chunk.
    fn chunk(&mut self, chunk: &Chunk<'_, '_>) -> Step {
        for event in chunk.events() {
            match event.kind {
                EventKind::Plain => self.plain(chunk, &event)?,
                EventKind::SingleQuoted | EventKind::DoubleQuoted => self.text(chunk, &event)?,
                EventKind::MappingStart => self.start(true)?,
                EventKind::SequenceStart => self.start(false)?,
                EventKind::MappingEnd | EventKind::SequenceEnd => self.end()?,
                EventKind::Literal | EventKind::Folded => self.text(chunk, &event)?,
                EventKind::Anchor => self.take_anchor(chunk.bytes(&event))?,
                EventKind::Alias => self.alias(chunk.bytes(&event))?,
                EventKind::Tag => self.take_tag(chunk.bytes(&event))?,
                EventKind::DocumentEnd => {
                    self.names.0.clear();
                    self.has_directives = false;
                    if self.first_only {
                        self.end = chunk.base() as usize + event.range().end;
                        return Err(Stop::Enough);
                    }
                }
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
            Some(text) => self.builder.plain(text)?,
            None => {
                self.decode(chunk, event);
                self.builder.plain(self.decoded)?;
            }
        }
        self.define_scalar();
        Ok(())
    }

    /// Adds a quoted scalar.
    #[inline(always)]
    fn text(&mut self, chunk: &Chunk<'_, '_>, event: &Event) -> Step {
        if self.tag != Tag::None {
            return self.tagged_scalar(chunk, event);
        }
        match scalar::verbatim(chunk.text(), event) {
            Some(text) => self.builder.text(text),
            None => {
                self.decode(chunk, event);
                self.builder.text(self.decoded);
            }
        }
        self.define_scalar();
        Ok(())
    }

    /// Adds a scalar with a tag.
    #[cold]
    fn tagged_scalar(&mut self, chunk: &Chunk<'_, '_>, event: &Event) -> Step {
        self.decode(chunk, event);
        // `!!str <<` does not merge.
        if self.builder.is_merge_key(self.decoded) {
            return Err(Stop::Complex);
        }
        match std::mem::replace(&mut self.tag, Tag::None) {
            Tag::Named => self.builder.tagged_text(self.decoded),
            Tag::Text => self.builder.text(self.decoded),
            Tag::Passed => self.builder.plain(self.decoded)?,
            Tag::OfPsych => self.builder.text_tagged_by_psych(self.decoded)?,
            Tag::None => return Err(Stop::Complex),
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
    fn start(&mut self, is_mapping: bool) -> Step {
        let anchor = self.anchor.take();
        let tag = std::mem::replace(&mut self.tag, Tag::None);
        let is_special = tag == Tag::OfPsych || tag == Tag::Text && self.builder.psych.is_some();
        if is_special {
            return Err(Stop::Complex);
        }
        self.builder.start(is_mapping, anchor, tag == Tag::Named)
    }

    /// Ends the innermost collection. If it has an anchor, aliases can refer to it from here on.
    #[inline(always)]
    fn end(&mut self) -> Step {
        if let Some(anchor) = self.builder.end()? {
            self.define(anchor);
        }
        Ok(())
    }

    /// Assigns a number to the anchor of the next node. Aliases use it to look up the node's value.
    #[cold]
    fn take_anchor(&mut self, bytes: &[u8]) -> Step {
        // Psych freezes the string that it uses as the key, but not the anchored string. If the key
        // becomes a symbol, aliases to it are still strings.
        if self.builder.at_key && (self.builder.psych.is_some() || self.builder.symbolizes()) {
            return Err(Stop::Complex);
        }
        let number = self.anchored.len() as u32;
        self.anchored.push(UNFINISHED);
        self.names.0.insert(bytes[1..].into(), number);
        self.anchor = Some(number);
        Ok(())
    }

    /// Records the tag of the next node. Fails if only the composer can handle the tag: if the
    /// document has directives, with which tags may be far longer than they are written, or if it
    /// is one of YAML's own tags and changes the value.
    #[cold]
    fn take_tag(&mut self, bytes: &[u8]) -> Step {
        if self.has_directives {
            return Err(Stop::Complex);
        }
        self.tag_text.clear();
        self.tag_text.extend_from_slice(self.handles.resolve(bytes).as_bytes());
        if self.builder.psych.is_some() {
            self.tag = psych_tag(self.tag_text);
            if self.tag == Tag::OfPsych {
                self.builder.tag(self.tag_text)?;
            }
            return Ok(());
        }
        self.tag = match self.tag_text.strip_prefix(YAML_PREFIX.as_bytes()) {
            Some(b"str") => Tag::Text,
            None if *self.tag_text == b"!" => Tag::Text,
            Some(b"set" | b"omap" | b"pairs") | None => {
                self.builder.tag(self.tag_text)?;
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
        let stack = self.builder.stack;
        self.anchored.set(anchor as usize, stack.get(stack.len() - 1));
    }

    /// Adds the value of the anchor that an alias refers to.
    #[cold]
    fn alias(&mut self, bytes: &[u8]) -> Step {
        let number = self.names.0.get(&bytes[1..]).ok_or(Stop::Complex)?;
        let value = self.anchored.get(*number as usize);
        if value == UNFINISHED || self.builder.at_key {
            return Err(Stop::Complex);
        }
        // Psych merges a sequence of mappings, but not an alias that refers to one.
        let permits = |permissions: Permissions| {
            permissions.aliases() && !(ruby::is_array(value) && self.builder.is_after_merge_key())
        };
        if self.builder.psych.is_some_and(|permissions| !permits(permissions)) {
            return Err(Stop::Complex);
        }
        self.builder.push(value);
        Ok(())
    }
}

/// Returns what a tag means for Psych.
#[cold]
fn psych_tag(tag: &[u8]) -> Tag {
    const SPECIAL: [&[u8]; 9] =
        [b"!ruby/", b"!str", b"!binary", b"!float", b"!omap", b"!set", b"!map", b"!seq", b"tag:"];
    match tag {
        b"tag:yaml.org,2002:str" => Tag::Text,
        b"tag:yaml.org,2002:int" | b"tag:yaml.org,2002:seq" | b"tag:yaml.org,2002:map" => {
            Tag::Passed
        }
        _ if SPECIAL.iter().any(|special| tag.starts_with(special)) => Tag::OfPsych,
        _ => Tag::Passed,
    }
}

/// The value of an anchor whose node is incomplete. It is `Qundef`, which no node has as its value.
const UNFINISHED: ruby::VALUE = rb_sys::Qundef as ruby::VALUE;
