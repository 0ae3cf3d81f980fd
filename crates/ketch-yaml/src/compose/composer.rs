//! The composer, which turns chunks of events into one document at a time.

use super::build::{Builder, Built, Run};
use super::document::{Document, Head, Piece, Text};
use super::options::{ComposeOptions, DuplicateKeys};
use crate::error::Error;
use crate::event::{Chunk, Event, EventKind, Events, Flags};
use crate::fault::Fault;
use crate::location::{LineCounter, line_end, line_start};
use crate::problem::Problem;

/// Composes documents from chunks of events.
///
/// A composer keeps its state between chunks. The caller owns the documents and their memory. A
/// document composed from chunks owns a copy of their text; use [`Documents`](crate::Documents) to
/// borrow the text of a slice.
///
/// ```
/// use ketch_yaml::compose::Composer;
/// use ketch_yaml::{ComposeOptions, Document, Parser};
///
/// let mut parser = Parser::new(b"--- one\n--- [two, three]\n");
/// let mut composer = Composer::new(&ComposeOptions::default());
/// let mut document = Document::new();
/// let mut counts = Vec::new();
/// while let Some(chunk) = parser.next_chunk()? {
///     composer.feed(&chunk, &mut document, |document| {
///         counts.push(document.node_count());
///         Ok::<(), ketch_yaml::Error>(())
///     })?;
/// }
/// assert_eq!(counts, [1, 3]);
/// # Ok::<(), ketch_yaml::Error>(())
/// ```
#[derive(Debug)]
pub struct Composer {
    builder: Builder,
    /// Whether a document has begun.
    is_open: bool,
    lines: Lines,
}

/// Events with their text. The text may start later in the stream than the base of the events'
/// offsets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'a> {
    pub words: &'a [u64],
    /// The offset in the stream to which the events' offsets are relative.
    pub words_base: u64,
    pub text: &'a [u8],
    pub text_base: u64,
    /// The lines before the text, if they were counted.
    pub passed: Option<LineCounter>,
}

impl<'a> Part<'a> {
    /// Borrows the events and the text of `chunk`.
    pub fn of(chunk: &Chunk<'a, 'a>) -> Part<'a> {
        let (words, text, base) = (chunk.words(), chunk.text(), chunk.base());
        Part { words, words_base: base, text, text_base: base, passed: chunk.passed() }
    }

    /// Drops the first `count` words and keeps the text.
    pub fn skip_words(self, count: usize) -> Part<'a> {
        Part { words: &self.words[count..], ..self }
    }
}

/// How far a part was consumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// All of it was consumed, and no document ended.
    All,
    /// A document ended after this many words.
    Document(usize),
}

impl Composer {
    /// Creates a composer for a new stream, with `options`.
    pub fn new(options: &ComposeOptions) -> Composer {
        Composer { builder: Builder::new(*options), is_open: false, lines: Lines::default() }
    }

    /// Composes the events of `chunk` into `document`, and passes each complete document to `receive`.
    /// Use the same `document` for the next chunk, which may continue it.
    ///
    /// # Errors
    ///
    /// Fails if a document is invalid ([`Problem::UnknownAlias`], [`Problem::DuplicateKey`], limits), or
    /// if `receive` fails. After an error, the composer cannot be used again.
    pub fn feed<E: From<Error>>(
        &mut self,
        chunk: &Chunk<'_, '_>,
        document: &mut Document<'static>,
        mut receive: impl FnMut(&Document<'static>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut part = Part::of(chunk);
        while let Progress::Document(words) = self.advance(part, document, None)? {
            receive(document)?;
            part = part.skip_words(words);
        }
        Ok(())
    }

    /// Composes the events of `part` into `document`, up to the end of the document. `stream` is
    /// the whole stream if the document may borrow from it.
    pub(super) fn advance<'t>(
        &mut self,
        part: Part<'_>,
        document: &mut Document<'t>,
        stream: Option<&'t [u8]>,
    ) -> Result<Progress, Error> {
        if part.words.is_empty() {
            return Ok(Progress::All);
        }
        if !self.is_open {
            self.begin(part, document, stream);
        }
        self.build(part, document).map_err(|fault| {
            let error = document.error(fault);
            document.tree.reset();
            self.is_open = false;
            error
        })
    }

    /// Starts a document at the first event of `part`. The document borrows from `stream` if there is
    /// one, and otherwise gets an empty text to copy into.
    fn begin<'t>(&mut self, part: Part<'_>, document: &mut Document<'t>, stream: Option<&'t [u8]>) {
        self.is_open = true;
        self.builder.start();
        let Builder { options, .. } = &self.builder;
        let Document { tree, text, head, indexes } = document;
        tree.clear();
        indexes.clear();
        let mut directives = std::mem::take(&mut head.directives);
        directives.clear();
        let (equality, merges) = (options.equality(), options.merges());
        let last_wins = options.duplicate_keys == DuplicateKeys::Last;
        *head = Head { directives, equality, merges, last_wins, ..Head::default() };
        let base = part.words_base + Event::unpack(part.words[0]).start as u64;
        match (stream, text) {
            (Some(stream), text) => {
                *text = Text::Borrowed { stream, base, text: &stream[base as usize..] };
            }
            (None, Text::Owned { text, pieces }) => {
                text.clear();
                pieces.clear();
            }
            (None, text) => *text = Text::Owned { text: Vec::new(), pieces: Vec::new() },
        }
    }

    /// Adds the nodes of `part` to the open document, up to the document's end.
    fn build(&mut self, part: Part<'_>, document: &mut Document<'_>) -> Result<Progress, Fault> {
        let (words, shift) = match &document.text {
            Text::Borrowed { base, .. } => (part.words, part.words_base.wrapping_sub(*base)),
            Text::Owned { .. } => self.copy(part, document),
        };
        check_size(words, shift)?;
        let head_words = self.head(words, shift, document);
        let run =
            Run { words: &words[head_words..], text: document.text.bytes(), shift: shift as u32 };
        let built = self.builder.run(&mut document.tree, run)?;
        let Built::Document { words: run_words, explicit } = built else {
            return Ok(Progress::All);
        };
        self.is_open = false;
        document.head.explicit_end = explicit;
        let taken = head_words + run_words;
        if let Text::Borrowed { text, .. } = &mut document.text {
            // Text after the document is not part of it.
            let end = Event::unpack(words[taken - 1]);
            let end = end.start as u64 + end.len as u64;
            *text = &text[..shift.wrapping_add(end) as usize];
        }
        Ok(Progress::Document(taken))
    }

    /// Consumes the directives and the start of `document`, and returns the number of words
    /// consumed. `shift` is the number to add to the offsets of `words`.
    fn head(&mut self, words: &[u64], shift: u64, document: &mut Document<'_>) -> usize {
        let mut taken = 0;
        while let Some(&word) = words.get(taken) {
            let packed = Event::unpack(word);
            match packed.kind {
                EventKind::Directive => {
                    // The event may have a second word.
                    let event = Events::new(&words[taken..]).next().unwrap_or(packed);
                    let start = shift.wrapping_add(event.start as u64) as usize;
                    let range = start..start + event.len;
                    self.builder.handles.directive(&document.text.bytes()[range.clone()]);
                    document.head.directives.push((range.start as u32, range.end as u32));
                    taken += if packed.flags.has(Flags::EXTENDED) { 2 } else { 1 };
                }
                EventKind::DocumentStart => {
                    document.head.explicit_start = packed.flags.has(Flags::EXPLICIT);
                    taken += 1;
                }
                _ => break,
            }
        }
        taken
    }

    /// Copies the text of the events of `part`, up to the end of the document, into `document`.
    /// Returns the words of these events and the number to add to their offsets.
    fn copy<'a>(&mut self, part: Part<'a>, document: &mut Document<'_>) -> (&'a [u64], u64) {
        let extent = extent(part.words);
        // Only the text that events cover is kept of the rest of a chunk, so the text may start
        // after the base.
        let from = part.words_base.wrapping_sub(part.text_base) as usize;
        let range = from.wrapping_add(extent.start)..from.wrapping_add(extent.end);
        // The rest of the first and the last line is copied too, because errors show it.
        let lead = range.start - line_start(part.text, range.start);
        let range = range.start - lead..line_end(part.text, range.end);
        let offset = part.words_base + (extent.start - lead) as u64;
        let passed = self.lines.pass(part, offset);
        let mut copied_to = 0;
        if let Text::Owned { text, pieces } = &mut document.text {
            // The byte between two pieces gives an empty node at the end of one piece a different
            // offset than the start of the next.
            if !pieces.is_empty() {
                text.push(b'\n');
            }
            copied_to = text.len() as u64;
            pieces.push(Piece { start: copied_to as u32, offset, passed });
            text.extend_from_slice(&part.text[range]);
        }
        (&part.words[..extent.words], copied_to.wrapping_sub((extent.start - lead) as u64))
    }

    /// Counts the lines before the first event of `part`. Call this before the text of the chunk is
    /// dropped.
    pub(super) fn pass(&mut self, part: Part<'_>) {
        if let Some(&word) = part.words.first() {
            let start = part.words_base + Event::unpack(word).start as u64 - part.text_base;
            let line = line_start(part.text, start as usize);
            self.lines.pass(part, part.text_base + line as u64);
        }
    }
}

/// Checks that the last event of `words` starts in the first 4 GiB of the document, since nodes
/// store 32-bit offsets. `shift` is the number to add to the offsets of events.
fn check_size(words: &[u64], shift: u64) -> Result<(), Fault> {
    let Some(&last) = words.last() else { return Ok(()) };
    // A second word has no offset, but the event before it does.
    let before = words.len().checked_sub(2).map(|at| words[at]);
    let last =
        before.filter(|&word| Event::unpack(word).flags.has(Flags::EXTENDED)).unwrap_or(last);
    let at = shift.wrapping_add(Event::unpack(last).start as u64);
    if at <= u64::from(u32::MAX) {
        return Ok(());
    }
    Err(Fault { problem: Problem::DocumentTooLarge, at, len: 1, related: None })
}

/// The events up to the end of a document, and the text that they cover.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    pub words: usize,
    pub start: usize,
    pub end: usize,
}

/// Returns the extent of the events `words` up to the first end of a document, or of all events if
/// no document ends.
pub(super) fn extent(words: &[u64]) -> Extent {
    let mut at = 0;
    let mut start = words.first().map_or(0, |&word| Event::unpack(word).start);
    let mut end = 0;
    while let Some(&word) = words.get(at) {
        let packed = Event::unpack(word);
        let is_long = packed.flags.has(Flags::EXTENDED);
        let event = Events::new(&words[at..]).next();
        at += if is_long { 2 } else { 1 };
        // `event` is `None` if only NOPs are left at the end.
        let range = event.unwrap_or(packed).range();
        (start, end) = (start.min(range.start), end.max(range.end));
        if packed.kind == EventKind::DocumentEnd {
            break;
        }
    }
    Extent { words: at.min(words.len()), start, end }
}

/// Counts lines and columns chunk by chunk, to locate the events of a stream that is parsed only once.
///
/// ```
/// use ketch_yaml::{EventKind, EventLines, ReadParser};
///
/// let mut parser = ReadParser::new(std::io::Cursor::new("a: 1\nb: 2\n"));
/// let (mut lines, mut plain) = (EventLines::default(), Vec::new());
/// while let Some(chunk) = parser.next_chunk()? {
///     for event in chunk.events() {
///         let location = lines.locate(&chunk, event.start);
///         plain.extend(location.filter(|_| event.kind == EventKind::Plain));
///     }
/// }
/// assert_eq!(plain, [(1, 1), (1, 4), (2, 1), (2, 4)]);
/// # Ok::<(), ketch_yaml::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct EventLines(Lines);

impl EventLines {
    /// Returns the line and column, from 1, of the offset `start` in the text of `chunk`, or `None`
    /// if chunks were left out. Offsets must not decrease from call to call. Each call takes time
    /// in proportion to the distance from the last offset.
    pub fn locate(&mut self, chunk: &Chunk<'_, '_>, start: usize) -> Option<(u64, u64)> {
        let passed = self.0.pass(Part::of(chunk), chunk.base() + start as u64)?;
        Some((passed.lines + 1, passed.columns + 1))
    }
}

/// Counts the lines of a stream as it is read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lines {
    /// The offset in the stream up to which lines have been counted.
    offset: u64,
    passed: LineCounter,
    /// Whether part of the stream was skipped without counting its lines.
    is_lost: bool,
}

impl Lines {
    /// Returns the lines before `offset`, which is in the text of `part`, or `None` if they cannot
    /// be counted because part of the stream was skipped.
    pub fn pass(&mut self, part: Part<'_>, offset: u64) -> Option<LineCounter> {
        let is_far = self.is_lost || self.offset < part.text_base || self.offset > offset;
        match part.passed.filter(|_| is_far) {
            Some(passed) => *self = Lines { offset: part.text_base, passed, is_lost: false },
            None => self.is_lost |= self.offset < part.text_base,
        }
        if self.is_lost {
            return None;
        }
        if offset > self.offset {
            let from = (self.offset - part.text_base) as usize;
            let to = (offset - part.text_base) as usize;
            self.passed.count(&part.text[from..to]);
            self.offset = offset;
        }
        Some(self.passed)
    }
}
