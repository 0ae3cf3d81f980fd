//! Events, which are flat and borrow the text through spans. Everything else is built on them.
//!
//! An event is one 64-bit word, or two where a scalar is long or a block scalar:
//!
//! | bits of the first word | field |
//! |---|---|
//! | 0..32 | offset of the first byte, counted from the start of the chunk's text |
//! | 32..36 | [`EventKind`] |
//! | 36..42 | [`Flags`] |
//! | 42..64 | length in bytes; zero where the second word holds it |
//!
//! | bits of the second word | field |
//! |---|---|
//! | 0..40 | length in bytes |
//! | 40..64 | indentation of a block scalar's content, in columns |
//!
//! The bytes outside all spans are white space, comments and indicators. Spans do not overlap and
//! are in the order of the text, so that spans and gaps together are the whole input.

use crate::location::LineCounter;
use std::fmt;
use std::ops::Range;

/// The kinds of events, which list a serialization tree in order (YAML 1.2.2, section 3.1.1).
///
/// Node properties come before the node they belong to, in the order of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum EventKind {
    /// No event. The word was reserved before a flow collection that turned out not to be a key.
    Nop = 0,
    /// A document starts. If it starts with a `---`, this is the span, and [`Flags::EXPLICIT`] is
    /// set.
    DocumentStart,
    /// A document ends. If it ends with a `...`, this is the span, and [`Flags::EXPLICIT`] is set.
    DocumentEnd,
    /// A sequence starts. If it starts with a `[`, this is the span, and [`Flags::FLOW`] is set.
    SequenceStart,
    /// A sequence ends; in flow style, the span is its `]`.
    SequenceEnd,
    /// A mapping starts. If it starts with a `{`, this is the span, and [`Flags::FLOW`] is set. The
    /// flag is also set for a single pair in a flow sequence, whose span is empty.
    MappingStart,
    /// A mapping ends; in flow style, the span is its `}`.
    MappingEnd,
    /// An alias node; the span is `*` and the name.
    Alias,
    /// The anchor of the node that follows; the span is `&` and the name.
    Anchor,
    /// The tag of the node that follows, as written.
    Tag,
    /// A plain scalar; an empty one is an empty node.
    Plain,
    /// A single-quoted scalar; the span includes the quotes.
    SingleQuoted,
    /// A double-quoted scalar; the span includes the quotes.
    DoubleQuoted,
    /// A literal block scalar; the span starts at its `|`.
    Literal,
    /// A folded block scalar; the span starts at its `>`.
    Folded,
    /// A directive line, from its `%`, without a comment.
    Directive,
}

impl EventKind {
    const ALL: [EventKind; 16] = [
        EventKind::Nop,
        EventKind::DocumentStart,
        EventKind::DocumentEnd,
        EventKind::SequenceStart,
        EventKind::SequenceEnd,
        EventKind::MappingStart,
        EventKind::MappingEnd,
        EventKind::Alias,
        EventKind::Anchor,
        EventKind::Tag,
        EventKind::Plain,
        EventKind::SingleQuoted,
        EventKind::DoubleQuoted,
        EventKind::Literal,
        EventKind::Folded,
        EventKind::Directive,
    ];

    /// Returns whether this is one of the five scalar styles.
    #[inline(always)]
    pub fn is_scalar(self) -> bool {
        self as u8 >= EventKind::Plain as u8 && self as u8 <= EventKind::Folded as u8
    }
}

/// Properties of an event, as bits.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Flags(u8);

impl Flags {
    /// No flag.
    pub const NONE: Flags = Flags(0);
    /// A second word follows.
    #[doc(hidden)]
    pub const EXTENDED: Flags = Flags(1);
    /// The collection is in flow style.
    pub const FLOW: Flags = Flags(2);
    /// The document marker is written out.
    pub const EXPLICIT: Flags = Flags(4);
    /// The scalar has several lines, which must be folded.
    pub const MULTILINE: Flags = Flags(8);
    /// The quoted scalar has escapes: `\` in double quotes, or `''` in single quotes.
    pub const ESCAPES: Flags = Flags(16);
    /// The block scalar ends the input without a line break, and its content has none there either;
    /// see [`Options::final_break`](crate::Options::final_break). Only block scalars have this flag,
    /// and [`Flags::MULTILINE`], which has the same bit, is only for the other scalars.
    pub const UNBROKEN: Flags = Flags::MULTILINE;

    /// Returns the bits as they are in an event's word, but not shifted.
    pub(crate) const fn bits(self) -> u8 {
        self.0
    }

    /// Returns the flags that are set in `self` or in `other`.
    #[inline(always)]
    pub const fn with(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }

    /// Returns whether all flags of `other` are set.
    #[inline(always)]
    pub const fn has(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns whether any flag of `other` is set.
    #[inline(always)]
    pub const fn intersects(self, other: Flags) -> bool {
        self.0 & other.0 != 0
    }
}

impl fmt::Debug for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = [
            (Flags::FLOW, "FLOW"),
            (Flags::EXPLICIT, "EXPLICIT"),
            (Flags::MULTILINE, "MULTILINE"),
            (Flags::ESCAPES, "ESCAPES"),
        ];
        f.debug_set()
            .entries(names.iter().filter(|(flag, _)| self.has(*flag)).map(|n| n.1))
            .finish()
    }
}

/// One event, unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// The kind.
    pub kind: EventKind,
    /// The flags.
    pub flags: Flags,
    /// The offset of the first byte in the chunk's text.
    pub start: usize,
    /// The length in bytes.
    pub len: usize,
    /// The indentation of a block scalar's content in columns; zero for all other events.
    pub indent: u32,
}

/// The position of the kind in the first word of an event. The kind has four bits.
pub const KIND_SHIFT: u32 = 32;
/// The position of the flags in the first word of an event.
pub const FLAGS_SHIFT: u32 = 36;
/// The position of the length in the first word of an event.
pub const LEN_SHIFT: u32 = 42;
const LEN_MAX: usize = (1 << (64 - LEN_SHIFT)) - 1;
/// The number of bits that the second word of an event has for the length; the others are for the
/// indentation.
pub const LONG_LEN_BITS: u32 = 40;

/// The largest content indentation that an event can hold.
pub const INDENT_MAX: u32 = (1 << (64 - LONG_LEN_BITS)) - 1;

impl Event {
    /// Returns the range of the event in the chunk's text.
    #[inline(always)]
    pub fn range(&self) -> Range<usize> {
        self.start..self.start + self.len
    }

    /// Packs the fields of an event into its first word.
    #[doc(hidden)]
    #[inline(always)]
    pub fn first_word(kind: EventKind, flags: Flags, start: usize, len: usize) -> u64 {
        debug_assert!(u32::try_from(start).is_ok() && len <= LEN_MAX);
        start as u64
            | (kind as u64) << KIND_SHIFT
            | u64::from(flags.0) << FLAGS_SHIFT
            | (len as u64) << LEN_SHIFT
    }

    /// Unpacks `word`, the first word of an event. The length is zero if the second word has it.
    #[doc(hidden)]
    #[inline(always)]
    pub fn unpack(word: u64) -> Event {
        Event {
            kind: EventKind::ALL[(word >> KIND_SHIFT) as usize & 15],
            flags: Flags((word >> FLAGS_SHIFT) as u8 & 63),
            start: word as u32 as usize,
            len: (word >> LEN_SHIFT) as usize,
            indent: 0,
        }
    }
}

/// Appends events to a chunk.
///
/// The buffer is always initialized to its full length, so that writing a word takes only a check,
/// a store and an addition.
#[derive(Debug, Default)]
pub(crate) struct EventWriter {
    buffer: Vec<u64>,
    len: usize,
}

impl EventWriter {
    /// Creates a writer with an empty buffer of `words` words.
    pub fn with_capacity(words: usize) -> Self {
        // This is not `vec![0; n]`, because zeroed memory does not come from the allocator's
        // caches, which for a short text costs more than clearing it here.
        let mut buffer = Vec::with_capacity(words);
        buffer.resize(words, u64::MAX);
        EventWriter { buffer, len: 0 }
    }

    /// Removes all events. The capacity is then at least `words`.
    #[inline]
    pub fn empty(&mut self, words: usize) {
        self.len = 0;
        if self.buffer.len() < words {
            *self = EventWriter::with_capacity(words);
        }
    }

    /// Returns the number of words written.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns the words written so far.
    #[inline(always)]
    pub fn words(&self) -> &[u64] {
        &self.buffer[..self.len]
    }

    /// Appends `word`, growing the buffer if it is full.
    #[inline(always)]
    fn push_word(&mut self, word: u64) {
        match self.buffer.get_mut(self.len) {
            Some(place) => *place = word,
            None => self.grow_for(word),
        }
        self.len += 1;
    }

    /// Grows the buffer and stores `word` in it.
    #[cold]
    #[inline(never)]
    fn grow_for(&mut self, word: u64) {
        self.grow(1);
        self.buffer[self.len] = word;
    }

    /// Appends an event of at most [`LEN_MAX`] bytes, as all but very long scalars are.
    #[inline(always)]
    pub fn push_short(&mut self, kind: EventKind, flags: Flags, start: usize, len: usize) {
        self.push_word(Event::first_word(kind, flags, start, len));
    }

    /// Appends an event of any length, in one word or two.
    #[inline(always)]
    pub fn push(&mut self, kind: EventKind, flags: Flags, start: usize, len: usize) {
        if len <= LEN_MAX {
            self.push_short(kind, flags, start, len);
        } else {
            self.push_long(kind, flags, start, len, 0);
        }
    }

    /// Appends an event of two words, such as a block scalar whose content is indented by `indent`
    /// columns.
    #[inline(always)]
    pub fn push_long(
        &mut self,
        kind: EventKind,
        flags: Flags,
        start: usize,
        len: usize,
        indent: u32,
    ) {
        debug_assert!(len < 1 << LONG_LEN_BITS && indent <= INDENT_MAX);
        self.push_word(Event::first_word(kind, flags.with(Flags::EXTENDED), start, 0));
        self.push_word(len as u64 | u64::from(indent) << LONG_LEN_BITS);
    }

    /// Returns spare capacity for at least `least` more words. Words written to it count only after
    /// a call to [`set_len`](EventWriter::set_len).
    #[inline(always)]
    pub fn room(&mut self, least: usize) -> Room<'_> {
        if self.buffer.len() - self.len < least {
            self.grow(least);
        }
        Room { buffer: &mut self.buffer, len: self.len }
    }

    /// Grows the buffer for at least `least` more words, and at least doubles it.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, least: usize) {
        let words = (self.buffer.len() * 2).max(self.len + least).max(64);
        self.buffer.resize(words, 0);
    }

    /// Sets the total number of words to `len`, which includes those written to the
    /// [`room`](EventWriter::room).
    #[inline(always)]
    pub fn set_len(&mut self, len: usize) {
        debug_assert!(len <= self.buffer.len());
        self.len = len;
    }

    /// Turns the event at `index`, an [`EventKind::Nop`] or the start of a mapping, into the start
    /// of a mapping with `flags`.
    pub fn patch_to_mapping(&mut self, index: usize, flags: Flags) {
        let nop = Event::unpack(self.buffer[index]);
        debug_assert!(matches!(nop.kind, EventKind::Nop | EventKind::MappingStart));
        self.buffer[index] = Event::first_word(EventKind::MappingStart, flags, nop.start, 0);
    }

    /// Returns the last event, with the index of its first word, or `None` if there are no events.
    #[inline]
    pub fn last(&self) -> Option<(usize, Event)> {
        let words = self.words();
        let last = words.len().checked_sub(1)?;
        // The word before the last one shows whether the last one is a second word. If it is a second
        // word itself, the bit of the flag is zero, since no scalar reaches 64 GiB.
        match last.checked_sub(1).map(|at| Event::unpack(words[at])) {
            Some(event) if event.flags.has(Flags::EXTENDED) => {
                Some((last - 1, Events::new(&words[last - 1..]).next()?))
            }
            _ => Some((last, Event::unpack(words[last]))),
        }
    }

    /// Removes the event whose first word is at `index` and all events after it.
    #[inline]
    pub fn truncate(&mut self, index: usize) {
        self.len = self.len.min(index);
    }

    /// Removes the first `count` words and reduces all offsets by `shift`.
    pub fn consume(&mut self, count: usize, shift: usize) {
        self.buffer.copy_within(count..self.len, 0);
        self.len -= count;
        let mut at = 0;
        while at < self.len {
            let extended = Event::unpack(self.buffer[at]).flags.has(Flags::EXTENDED);
            self.buffer[at] -= shift as u64;
            at += if extended { 2 } else { 1 };
        }
    }

    /// Returns the offset of the event whose first word is at `index`, or `None` if `index` is
    /// after the last word.
    pub fn start_at(&self, index: usize) -> Option<usize> {
        self.words().get(index).map(|&word| Event::unpack(word).start)
    }
}

/// The spare capacity of an [`EventWriter`], for a loop that keeps the count in a register. It does
/// not grow, so the caller reserves enough beforehand.
pub(crate) struct Room<'w> {
    buffer: &'w mut [u64],
    len: usize,
}

impl Room<'_> {
    /// Returns the number of words written, including earlier ones.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns the maximum number of words.
    #[inline(always)]
    pub fn capacity(&self) -> usize {
        self.buffer.len()
    }

    /// Returns whether fewer than `words` more fit.
    #[inline(always)]
    pub fn has_less_room_than(&self, words: usize) -> bool {
        self.buffer.len() - self.len < words
    }

    /// Extends the last event to `end`, on a later line. Returns false if the event is not a plain
    /// scalar that starts at `least` or later, or if the scalar would be longer than `len_max`.
    ///
    /// A second word is never mistaken for a plain scalar: its kind bits are zero, since no scalar
    /// reaches 4 GiB.
    #[inline(always)]
    pub fn continue_plain(&mut self, least: usize, end: usize, len_max: u64) -> bool {
        let Some(word) = self.len.checked_sub(1).and_then(|last| self.buffer.get_mut(last)) else {
            return false;
        };
        let event = Event::unpack(*word);
        let is_plain = event.kind == EventKind::Plain && !event.flags.has(Flags::EXTENDED);
        if !is_plain || event.len == 0 || event.start < least {
            return false;
        }
        let len = end - event.start;
        if len > LEN_MAX || len as u64 > len_max {
            return false;
        }
        *word = Event::first_word(EventKind::Plain, Flags::MULTILINE, event.start, len);
        true
    }

    /// Borrows the spare capacity again.
    #[inline(always)]
    pub fn reborrow(&mut self) -> Room<'_> {
        Room { buffer: self.buffer, len: self.len }
    }

    /// Sets the total number of words to `len`, which includes those written to a [`Room`] from
    /// [`reborrow`](Room::reborrow).
    #[inline(always)]
    pub fn set_len(&mut self, len: usize) {
        self.len = len;
    }

    /// Writes `word`. The caller has made sure that it fits.
    #[inline(always)]
    fn push_word(&mut self, word: u64) {
        self.buffer[self.len] = word;
        self.len += 1;
    }

    /// Writes an event of one word, as [`EventWriter::push_short`] does.
    #[inline(always)]
    pub fn push(&mut self, kind: EventKind, flags: Flags, start: usize, len: usize) {
        self.push_word(Event::first_word(kind, flags, start, len));
    }

    /// Writes an event of any length, as [`EventWriter::push`] does.
    #[inline(always)]
    pub fn push_any(&mut self, kind: EventKind, flags: Flags, start: usize, len: usize) {
        if len <= LEN_MAX {
            self.push(kind, flags, start, len);
        } else {
            self.push_long(kind, flags, start, len, 0);
        }
    }

    /// Writes an event of two words, as [`EventWriter::push_long`] does.
    #[inline(always)]
    pub fn push_long(
        &mut self,
        kind: EventKind,
        flags: Flags,
        start: usize,
        len: usize,
        indent: u32,
    ) {
        debug_assert!(len < 1 << LONG_LEN_BITS && indent <= INDENT_MAX);
        self.push_word(Event::first_word(kind, flags.with(Flags::EXTENDED), start, 0));
        self.push_word(len as u64 | u64::from(indent) << LONG_LEN_BITS);
    }
}

/// Iterates over packed events, and skips those of kind [`EventKind::Nop`].
#[derive(Clone, Debug)]
pub struct Events<'c> {
    words: &'c [u64],
}

impl<'c> Events<'c> {
    /// Iterates over the events packed in `words`.
    #[doc(hidden)]
    #[inline]
    pub fn new(words: &'c [u64]) -> Self {
        Events { words }
    }

    /// Returns the words of the remaining events.
    #[doc(hidden)]
    #[inline]
    pub fn words(&self) -> &'c [u64] {
        self.words
    }

    /// Skips the next `count` words, which must be whole events.
    #[doc(hidden)]
    #[inline]
    pub fn skip_words(&mut self, count: usize) {
        self.words = self.words.get(count..).unwrap_or_default();
    }
}

impl Iterator for Events<'_> {
    type Item = Event;

    #[inline(always)]
    fn next(&mut self) -> Option<Event> {
        loop {
            let (&word, rest) = self.words.split_first()?;
            self.words = rest;
            let mut event = Event::unpack(word);
            if event.flags.has(Flags::EXTENDED) {
                let (&second, rest) = self.words.split_first()?;
                self.words = rest;
                event.len = (second & ((1 << LONG_LEN_BITS) - 1)) as usize;
                event.indent = (second >> LONG_LEN_BITS) as u32;
                event.flags = Flags(event.flags.0 & !Flags::EXTENDED.0);
            }
            if event.kind != EventKind::Nop {
                return Some(event);
            }
        }
    }
}

/// A run of events and the text that they refer to.
///
/// The events live for `'c`, until the next chunk is requested. The text lives for `'t`, which is the
/// lifetime of the input if that is a slice.
#[derive(Clone, Copy, Debug)]
pub struct Chunk<'c, 't> {
    words: &'c [u64],
    text: &'t [u8],
    base: u64,
    passed: Option<LineCounter>,
    stream_len: usize,
}

impl<'c, 't> Chunk<'c, 't> {
    /// Creates a chunk of the events `words`. Their offsets are relative to `text`, which is at
    /// offset `base` of the stream. `passed` counts the lines before it, if they were counted.
    #[doc(hidden)]
    pub fn new(words: &'c [u64], text: &'t [u8], base: u64, passed: Option<LineCounter>) -> Self {
        Chunk { words, text, base, passed, stream_len: text.len() }
    }

    /// Declares that only the first `len` bytes of the text are from the stream. Another language
    /// may put expanded tags after them.
    #[doc(hidden)]
    #[must_use]
    pub fn with_stream_len(self, len: usize) -> Self {
        Chunk { stream_len: len, ..self }
    }

    /// Returns the events, in order.
    #[inline]
    pub fn events(&self) -> Events<'c> {
        Events::new(self.words)
    }

    /// Returns the packed events, for receivers that decode them in bulk.
    #[inline(always)]
    pub(crate) fn words(&self) -> &'c [u64] {
        self.words
    }

    /// Returns the text that the events' offsets refer to. It is UTF-8 within every event's span.
    #[inline]
    pub fn text(&self) -> &'t [u8] {
        self.text
    }

    /// Returns the offset of [`Chunk::text`] in the stream, in bytes of its UTF-8 form.
    #[inline]
    pub fn base(&self) -> u64 {
        self.base
    }

    /// Returns the offset in the stream at which the part of [`Chunk::text`] ends that is from the
    /// stream.
    pub(crate) fn stream_end(&self) -> u64 {
        self.base + self.stream_len as u64
    }

    /// Returns the number of lines before [`Chunk::text`], or `None` if they were not counted.
    pub(crate) fn passed(&self) -> Option<LineCounter> {
        self.passed
    }

    /// Adds the number of events of each kind to `counts`.
    ///
    /// Second words count as no-ops: their kind bits are zero, since no scalar reaches 4 GiB.
    #[inline]
    pub(crate) fn add_kinds(&self, counts: &mut [u64; 16]) {
        /// For fewer words, four tables are not worth it.
        const FEW: usize = 128;
        let kind = |word: u64| (word >> KIND_SHIFT & 15) as usize;
        if self.words.len() < FEW {
            self.words.iter().for_each(|&word| counts[kind(word)] += 1);
            return;
        }
        // With only one table, adding to the same counter again would have to wait for the last
        // store.
        let mut tables = [[0u32; 16]; 4];
        let (quads, rest) = self.words.as_chunks::<4>();
        for quad in quads {
            for (table, &word) in tables.iter_mut().zip(quad) {
                table[kind(word)] += 1;
            }
        }
        rest.iter().for_each(|&word| tables[0][kind(word)] += 1);
        for (kind, count) in counts.iter_mut().enumerate() {
            *count += tables.iter().map(|table| u64::from(table[kind])).sum::<u64>();
        }
    }

    /// Returns the bytes of the text in the span of `event`.
    #[inline(always)]
    pub fn bytes(&self, event: &Event) -> &'t [u8] {
        &self.text[event.range()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_events_unpack_unchanged() {
        let mut writer = EventWriter::default();
        writer.push(EventKind::Plain, Flags::MULTILINE, 7, LEN_MAX);
        writer.push(EventKind::DoubleQuoted, Flags::ESCAPES, 9, LEN_MAX + 1);
        writer.push_long(EventKind::Literal, Flags::NONE, u32::MAX as usize, 5, INDENT_MAX);
        writer.push_short(EventKind::Nop, Flags::NONE, 3, 0);
        let events: Vec<Event> = Events::new(writer.words()).collect();
        assert_eq!(events.len(), 3);
        assert_eq!((events[0].kind, events[0].len), (EventKind::Plain, LEN_MAX));
        assert_eq!((events[1].kind, events[1].len), (EventKind::DoubleQuoted, LEN_MAX + 1));
        assert!(events[1].flags.has(Flags::ESCAPES));
        assert_eq!((events[2].start, events[2].indent), (u32::MAX as usize, INDENT_MAX));
    }

    #[test]
    fn last_event_skips_second_words() {
        let mut writer = EventWriter::default();
        assert_eq!(writer.last(), None);
        writer.push_short(EventKind::Plain, Flags::NONE, 1, 2);
        assert_eq!(writer.last().map(|(at, event)| (at, event.len)), Some((0, 2)));
        writer.push_long(EventKind::Folded, Flags::NONE, 4, 77, 3);
        assert_eq!(writer.last().map(|(at, event)| (at, event.len)), Some((1, 77)));
    }
}
