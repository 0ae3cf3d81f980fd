//! Events that outlive their chunk, with their text.

use crate::compose::composer::{Lines, Part};
use crate::event::{Event, Events, Flags};
use crate::location::{LineCounter, Location};
use std::ops::Range;

/// Events and their text, copied from chunks.
#[derive(Debug, Default)]
pub(super) struct Cut {
    words: Vec<u64>,
    text: Vec<u8>,
    runs: Vec<Run>,
    /// Whether the next event starts a new run.
    is_broken: bool,
}

/// Adjacent events of one chunk.
#[derive(Debug)]
struct Run {
    chunk: u64,
    /// The starts of the run's words and text.
    words: usize,
    text: usize,
    words_base: u64,
    text_base: u64,
    passed: Option<LineCounter>,
}

/// The current chunk, with its number.
#[derive(Debug)]
pub(super) struct Sight<'a> {
    pub chunk: u64,
    pub part: Part<'a>,
    /// Where the text that is from the stream ends.
    pub stream_end: u64,
}

/// The longest text between two events that is copied. After a longer one, a new run starts.
const GAP_BYTES_MAX: u64 = 1024;

impl Cut {
    /// Removes all events, keeping the memory.
    pub fn clear(&mut self) {
        self.words.clear();
        self.text.clear();
        self.runs.clear();
    }

    /// Returns the number of words.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Starts a new run with the next event, so that the text since the last event is not copied.
    pub fn break_run(&mut self) {
        self.is_broken = true;
    }

    /// Removes everything from the word `len` on.
    pub fn truncate(&mut self, len: usize) {
        self.words.truncate(len);
        while let Some(run) = self.runs.pop_if(|run| run.words >= len) {
            self.text.truncate(run.text);
        }
        self.is_broken = true;
    }

    /// Adds `event` with its words and its text. Within a run, the text between events is copied as
    /// well.
    pub fn push(&mut self, sight: &Sight<'_>, words: &[u64], event: &Event, lines: &mut Lines) {
        let part = sight.part;
        let start = part.words_base + event.start as u64;
        let is_broken = std::mem::take(&mut self.is_broken);
        let goes_on = |run: &Run| {
            let end = self.end(run) + GAP_BYTES_MAX;
            run.chunk == sight.chunk && (run.text_base..=end).contains(&start)
        };
        if is_broken || !self.runs.last().is_some_and(goes_on) {
            self.runs.push(Run {
                chunk: sight.chunk,
                words: self.words.len(),
                text: self.text.len(),
                words_base: part.words_base,
                text_base: start,
                // The expanded tags of another language are not in the stream. Counting the lines up
                // to each of them would take quadratic time.
                passed: (start < sight.stream_end).then(|| lines.pass(part, start)).flatten(),
            });
        }
        self.words.extend_from_slice(words);
        let Some(run) = self.runs.last() else { return };
        let (from, to) = (self.end(run), start + event.len as u64);
        if to > from {
            let range = (from - part.text_base) as usize..(to - part.text_base) as usize;
            self.text.extend_from_slice(&part.text[range]);
        }
    }

    /// Returns the end in the stream of the text of `run`, which must be the last run.
    fn end(&self, run: &Run) -> u64 {
        run.text_base + (self.text.len() - run.text) as u64
    }

    /// Returns the offset in the stream at which the first event starts.
    pub fn start_offset(&self) -> u64 {
        self.runs.first().map_or(0, |run| run.text_base)
    }

    /// Returns the offset in the stream at which the last event ends.
    pub fn end_offset(&self) -> u64 {
        self.runs.last().map_or(0, |run| self.end(run))
    }

    /// Returns the words in `range`, as one part per run.
    pub fn parts(&self, range: Range<usize>) -> impl Iterator<Item = Part<'_>> {
        let first = self.runs.partition_point(|run| run.words <= range.start).saturating_sub(1);
        (first..self.runs.len()).map_while(move |at| {
            let run = &self.runs[at];
            let next = self.runs.get(at + 1);
            let end = next.map_or(self.words.len(), |next| next.words).min(range.end);
            let text_end = next.map_or(self.text.len(), |next| next.text);
            let start = run.words.max(range.start);
            (start < end).then(|| Part {
                words: &self.words[start..end],
                words_base: run.words_base,
                text: &self.text[run.text..text_end],
                text_base: run.text_base,
                passed: run.passed,
            })
        })
    }

    /// Returns all words, as one part per run.
    pub fn all(&self) -> impl Iterator<Item = Part<'_>> {
        self.parts(0..self.words.len())
    }
}

/// Returns the events of `part`, each with its offset in the stream and its bytes.
pub(super) fn events<'p>(part: Part<'p>) -> impl Iterator<Item = (Event, u64, &'p [u8])> {
    Events::new(part.words).map(move |event| {
        let offset = part.words_base + event.start as u64;
        let start = (offset - part.text_base) as usize;
        (event, offset, &part.text[start..start + event.len])
    })
}

/// Returns the location of `len` bytes at `offset` of the stream, which are in the text of `part`.
pub(super) fn location(part: Part<'_>, offset: u64, len: usize) -> Location {
    match part.passed {
        Some(passed) => passed.location(part.text, part.text_base, offset, len),
        None => Location::at_offset(offset, len),
    }
}

/// Returns the number of words of the event that starts with `word`.
pub(super) fn word_count(word: u64) -> usize {
    if Event::unpack(word).flags.has(Flags::EXTENDED) { 2 } else { 1 }
}
