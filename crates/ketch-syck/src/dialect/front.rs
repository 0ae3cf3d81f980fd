//! Reading a stream of documents in the dialect. The parsers of `ketch-yaml` get their events
//! from here.

use super::builder::Builder;
use super::finish::{Finish, Raw};
use super::parse::Found;
use super::scanner::Scanner;
use super::text::Text;
use ketch_yaml::internal::{Documents, Fault, LineCounter, line_end};
use ketch_yaml::{Chunk, Event, EventKind, Flags, Limits, Problem};

/// A reader of the documents in a text.
#[derive(Debug)]
pub(super) struct Front {
    scanner: Scanner,
    builder: Builder,
    /// The events of the last document.
    words: Vec<u64>,
    /// If the last document has expanded tags, its text followed by these; otherwise empty.
    tagged: Vec<u8>,
    /// The length of the document's text without the tags.
    text_len: usize,
    base: usize,
    passed: LineCounter,
    /// The offset up to which `passed` has counted lines.
    counted: usize,
    /// The end of the input: the offset of the first NUL, or the end of the text. `None` if it has
    /// not been determined.
    end: Option<usize>,
    is_ended: bool,
}

impl Front {
    /// Creates a reader that starts at `offset`, which must be the start of a line.
    pub fn new(offset: usize) -> Front {
        Front {
            scanner: Scanner::new(offset),
            builder: Builder::default(),
            words: Vec::new(),
            tagged: Vec::new(),
            text_len: 0,
            base: 0,
            passed: LineCounter::default(),
            counted: 0,
            end: None,
            is_ended: false,
        }
    }

    /// Determines the end of the input, and checks that it is UTF-8 up to there.
    fn begin(&mut self, text: &[u8]) -> Result<usize, Fault> {
        if let Some(end) = self.end {
            return Ok(end);
        }
        let end = memchr::memchr(0, text).unwrap_or(text.len());
        let start = self.scanner.pos().min(end);
        if ketch_bytes::utf8::checked(&text[start..end]).is_none()
            && let Err(error) = std::str::from_utf8(&text[start..end])
        {
            let at = (start + error.valid_up_to()) as u64;
            return Err(Fault { problem: Problem::NotUtf8, at, len: 1, related: None });
        }
        if end < text.len() {
            self.scanner.warn(Problem::SyckNul, end, 1);
        }
        self.end = Some(end);
        Ok(end)
    }

    /// Completes the events and the text of the document that was just parsed. `marker` is the
    /// offset of its `---`, if it has one.
    fn finish(
        &mut self,
        text: &[u8],
        end: usize,
        marker: Option<usize>,
        limits: &Limits,
    ) -> Result<(), Fault> {
        let base = self.builder.base;
        let doc_end = self.scanner.pos().min(end);
        let text_end = line_end(text, doc_end);
        let start = marker.map_or(0, |marker| marker - base);
        let (flags, len) = match marker {
            Some(_) => (Flags::EXPLICIT, 3),
            None => (Flags::NONE, 0),
        };
        self.tagged.clear();
        if self.builder.is_finished(limits) {
            std::mem::swap(&mut self.words, &mut self.builder.words);
        } else {
            self.last_pass(&text[base..], end - base, text_end - base, limits)?;
        }
        self.words[0] = Event::first_word(EventKind::DocumentStart, flags, start, len);
        self.words.push(Event::first_word(EventKind::DocumentEnd, Flags::NONE, doc_end - base, 0));
        self.text_len = text_end - base;
        if base > self.counted {
            self.passed.count(&text[self.counted..base]);
            self.counted = base;
        }
        self.base = base;
        Ok(())
    }

    /// Runs the last pass over the events of a document. Its text is `text` up to the offset
    /// `text_len`, and the input ends at the offset `end`.
    fn last_pass(
        &mut self,
        text: &[u8],
        end: usize,
        text_len: usize,
        limits: &Limits,
    ) -> Result<(), Fault> {
        let Front { scanner, builder, words, tagged, .. } = self;
        words.clear();
        words.reserve(builder.words.len());
        words.push(0);
        let mut side = std::mem::take(&mut builder.side);
        let (base, side_base) = (builder.base, text_len + 1);
        let raw = Raw { text: &text[..end], base, words: &builder.words, side_base };
        let warnings = &mut scanner.warnings;
        Finish { raw, out: words, side: &mut side, warnings, limits }.run()?;
        if !side.is_empty() {
            tagged.extend_from_slice(&text[..text_len]);
            // The NUL ends the input if the document is parsed again.
            tagged.push(0);
            tagged.extend_from_slice(&side);
        }
        builder.side = side;
        Ok(())
    }
}

impl Documents for Front {
    fn next_document(
        &mut self,
        text: &[u8],
        limits: &Limits,
        interrupt: Option<fn() -> bool>,
    ) -> Result<bool, Fault> {
        if self.is_ended {
            return Ok(false);
        }
        self.is_ended = true;
        let end = self.begin(text)?;
        let Front { scanner, builder, .. } = self;
        let input = Text(&text[..end]);
        let found = builder.document(scanner, input, limits, interrupt)?;
        let Found::Document { marker } = found else { return Ok(false) };
        self.finish(text, end, marker, limits)?;
        self.is_ended = false;
        Ok(true)
    }

    fn restart(&mut self, offset: usize) {
        let warnings = std::mem::take(&mut self.scanner.warnings);
        self.scanner = Scanner::new(offset);
        self.scanner.warnings = warnings;
        self.is_ended = false;
    }

    fn chunk<'a>(&'a self, text: &'a [u8]) -> Chunk<'a, 'a> {
        let text = if self.tagged.is_empty() { &text[self.base..] } else { &self.tagged[..] };
        let stream_len = text.len().min(self.text_len);
        Chunk::new(&self.words, text, self.base as u64, Some(self.passed))
            .with_stream_len(stream_len)
    }

    fn take_warnings(&mut self) -> Vec<Fault> {
        std::mem::take(&mut self.scanner.warnings)
    }
}
