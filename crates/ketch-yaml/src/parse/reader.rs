//! The parser over a reader: a window slides over the stream, as large as its longest token asks.

mod resume;

pub(crate) use resume::Window;

use super::engine::{Engine, WARNINGS_MAX};
use super::parser::{Options, Run, Warning, whole_lines};
use super::state::Outcome;
use crate::diagnose;
use crate::error::Error;
use crate::event::Chunk;
use crate::fault::Fault;
use crate::location::{LineCounter, line_start};
use crate::problem::Problem;
use crate::scan::text::Text;
use ketch_bytes::encoding::{Encoding, Progress, Transcoder};
use ketch_bytes::text::{Flaw, check};
use ketch_bytes::{Level, Tail, dispatch};
use std::io::{self, Read};

/// So many bytes are read at once, unless a token asks for more.
const READ_BYTES: usize = 64 * 1024;

/// So many bytes at most are asked of the reader in one call.
const STEP_BYTES: usize = 1024 * 1024;

/// Parses what a reader gives to events, a chunk at a time, in memory that is bounded by the longest
/// line or token and [`Limits::max_buffer_bytes`](crate::Limits::max_buffer_bytes).
///
/// The chunks are those of [`Parser`](crate::Parser), but for where they end; their text lives until
/// the next one is asked for.
///
/// ```
/// use ketch_yaml::{EventKind, ReadParser};
///
/// let mut parser = ReadParser::new(std::io::Cursor::new("- 1\n- 2\n"));
/// let mut scalars = 0;
/// while let Some(chunk) = parser.next_chunk()? {
///     scalars += chunk.events().filter(|event| event.kind == EventKind::Plain).count();
/// }
/// assert_eq!(scalars, 2);
/// # Ok::<(), ketch_yaml::Error>(())
/// ```
#[derive(Debug)]
pub struct ReadParser<R> {
    engine: Engine,
    source: Source<R>,
    level: Level,
    max_buffer_bytes: usize,
    /// The text at hand is `buffer[..checked]`; `buffer[checked..filled]` holds a character that is
    /// cut, or what is wrong.
    buffer: Vec<u8>,
    checked: usize,
    filled: usize,
    /// What is wrong at `checked`.
    flaw: Option<Flawed>,
    passed: LineCounter,
    handed: usize,
    warnings: Vec<Warning>,
    is_ended: bool,
    /// The text from this offset of the stream on stays in the buffer.
    retained: Option<u64>,
    /// Where parsing began or resumed, in the stream.
    started: u64,
}

#[derive(Debug)]
enum Flawed {
    Text(Problem),
    Io(io::Error),
}

impl<R: Read> ReadParser<R> {
    /// A parser over `reader` with default options. Bytes are read in large pieces, so no buffered
    /// reader is needed.
    pub fn new(reader: R) -> ReadParser<R> {
        ReadParser::with_options(reader, &Options::default())
    }

    /// A parser over `reader`.
    pub fn with_options(reader: R, options: &Options) -> ReadParser<R> {
        let settings = options.settings();
        let max_buffer_bytes =
            settings.limits.max_buffer_bytes.min(crate::limits::SCALAR_BYTES_CEILING);
        ReadParser {
            engine: Engine::new(settings, READ_BYTES),
            source: Source::new(reader),
            level: options.level,
            max_buffer_bytes: max_buffer_bytes as usize,
            buffer: Vec::new(),
            checked: 0,
            filled: 0,
            flaw: None,
            passed: LineCounter::default(),
            handed: 0,
            warnings: Vec::new(),
            is_ended: false,
            retained: None,
            started: 0,
        }
    }

    /// The next chunk of events, `None` at the end of the stream. After an error there is nothing
    /// more; all events in front of the error have been handed over before it.
    pub fn next_chunk(&mut self) -> Result<Option<Chunk<'_, '_>>, Error> {
        self.drop_handed();
        let ready = loop {
            if self.is_ended {
                return self.end();
            }
            let outcome = self.step();
            let is_over = matches!(outcome, Outcome::Done | Outcome::Failed);
            self.is_ended = is_over;
            let events = &self.engine.events;
            let ready = if is_over { events.len() } else { self.engine.ready_words() };
            if ready > 0 {
                break ready;
            }
            if outcome == Outcome::NeedMoreInput {
                self.fill();
                if self.is_ended && self.engine.events.len() > 0 {
                    break self.engine.events.len();
                }
            }
        };
        self.handed = ready;
        self.note_warnings();
        let words = &self.engine.events.words()[..ready];
        Ok(Some(Chunk::new(
            words,
            &self.buffer[..self.checked],
            self.engine.base,
            Some(self.passed),
        )))
    }

    /// What was met and passed over so far: unknown directives, and in lenient mode layouts that
    /// YAML 1.2 forbids. At most a thousand are kept.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    fn step(&mut self) -> Outcome {
        let bytes = &self.buffer[..self.checked];
        let is_last = self.source.is_at_end && self.checked == self.filled && self.flaw.is_none();
        let lines_end = if is_last { bytes.len() } else { whole_lines(bytes) };
        let tail = Tail::of(bytes);
        let text = Text { bytes, tail: &tail, lines_end, is_last };
        dispatch(self.level, Run { engine: &mut self.engine, text, limit: lines_end })
    }

    /// All events are out.
    fn end(&mut self) -> Result<Option<Chunk<'_, '_>>, Error> {
        self.note_warnings();
        let Some(fault) = self.engine.fault.take() else { return Ok(None) };
        self.read_line_of(fault);
        let text = &self.buffer[..self.filled];
        let base = self.engine.base;
        let place = self.passed.location(text, base, fault.at, fault.len);
        if let Some(Flawed::Io(error)) = self.flaw.take()
            && fault.problem == Problem::Io
        {
            return Err(Error::io(error, place));
        }
        Err(Error::in_buffer(fault, text, base, self.passed))
    }

    /// Reads on to the end of the line with the fault, so that it can be shown.
    fn read_line_of(&mut self, fault: Fault) {
        const SHOWN_BYTES: usize = diagnose::LINE_BYTES;
        let at = (fault.at.saturating_sub(self.engine.base) as usize).min(self.filled);
        let is_shown = |text: &[u8]| text.len() >= SHOWN_BYTES || whole_lines(text) > 0;
        let is_enough = |text: &[u8]| is_shown(&text[at..]) && !diagnose::wants_more(text, at);
        let is_broken = matches!(self.flaw, Some(Flawed::Io(_)));
        while !is_broken && !is_enough(&self.buffer[..self.filled]) {
            self.buffer.resize(self.filled + SHOWN_BYTES, 0);
            match self.source.read(&mut self.buffer[self.filled..]) {
                Ok(count) if count > 0 => self.filled += count,
                _ => break,
            }
        }
    }

    fn note_warnings(&mut self) {
        // To find a place, the lines in front of it are counted: not for those that are not kept.
        let room = WARNINGS_MAX.saturating_sub(self.warnings.len());
        for fault in self.engine.warnings.drain(..).take(room) {
            let text = &self.buffer[..self.filled];
            let location = self.passed.location(text, self.engine.base, fault.at, fault.len);
            self.warnings.push(Warning { problem: fault.problem, location });
        }
    }

    fn drop_handed(&mut self) {
        if self.handed > 0 {
            self.engine.take_words(self.handed);
            self.engine.events.consume(self.handed, 0);
            self.handed = 0;
        }
    }

    /// Makes more of the stream the text at hand.
    fn fill(&mut self) {
        if let Some(flaw) = &self.flaw {
            let problem = match flaw {
                Flawed::Text(problem) => *problem,
                Flawed::Io(_) => Problem::Io,
            };
            self.engine.fail(problem, self.checked, 1);
            self.is_ended = true;
            return;
        }
        self.slide();
        let unread = self.filled - self.engine.pos.min(self.filled);
        // A token that does not fit is scanned again: so read as much again as it has already.
        let more = READ_BYTES.max(unread);
        if let Some(problem) = self.buffer_problem(more) {
            self.engine.fail(problem, self.engine.pos, 1);
            self.is_ended = true;
            return;
        }
        let wanted = self.filled + more;
        loop {
            // Memory is used once it is written to, zeros included: so only for what is read next.
            let end = wanted.min(self.filled + STEP_BYTES);
            if self.buffer.len() < end {
                self.buffer.resize(end, 0);
            }
            match self.source.read(&mut self.buffer[self.filled..end]) {
                Ok(count) => {
                    self.filled += count;
                    // What is small is parsed as soon as it is there; what is long is waited for.
                    if count == 0 || unread < READ_BYTES || self.filled == wanted {
                        break;
                    }
                    continue;
                }
                Err(SourceError::Io(error)) => self.flaw = Some(Flawed::Io(error)),
                Err(SourceError::Malformed) => {
                    let problem = Problem::Malformed(self.source.encoding());
                    self.flaw = Some(Flawed::Text(problem));
                }
            }
            break;
        }
        self.check();
    }

    /// Why the buffer cannot hold `more` bytes. Retained text counts only against the bound that
    /// the offsets of events have.
    fn buffer_problem(&self, more: usize) -> Option<Problem> {
        let retained = if self.retained.is_some() { self.unneeded() } else { 0 };
        if self.filled - retained + more > self.max_buffer_bytes.max(2 * READ_BYTES) {
            return Some(Problem::TokenTooLong(self.max_buffer_bytes as u64));
        }
        let is_too_large = self.retained.is_some() && self.filled + more > u32::MAX as usize;
        is_too_large.then_some(Problem::DocumentTooLarge)
    }

    /// How many bytes of the buffer neither the engine nor an error will look at again.
    fn unneeded(&self) -> usize {
        let keep = self.engine.keep_from().min(self.checked);
        // An error shows its line from the start, and is diagnosed with what is before it.
        line_start(&self.buffer, keep.saturating_sub(diagnose::LOOKBACK_BYTES))
    }

    /// Drops the bytes that nobody will look at again.
    fn slide(&mut self) {
        let retained =
            self.retained.map_or(u64::MAX, |at| at.saturating_sub(self.engine.base)) as usize;
        let keep = self.unneeded().min(retained);
        // Moving what is left costs; so wait until most of the buffer can go.
        if keep == 0 || keep < self.filled / 2 {
            return;
        }
        self.drop_bytes(keep);
        self.checked -= keep;
        self.engine.events.consume(0, keep);
        self.engine.shift(keep);
    }

    /// Removes the first bytes of the buffer.
    fn drop_bytes(&mut self, count: usize) {
        self.passed.count(&self.buffer[..count]);
        self.buffer.copy_within(count..self.filled, 0);
        self.filled -= count;
    }

    /// Checks the characters of what was read.
    fn check(&mut self) {
        let fresh = &self.buffer[self.checked..self.filled];
        let checked = check(self.level, fresh);
        self.checked += checked.valid_bytes;
        let is_cut = self.source.is_at_end && self.checked < self.filled;
        let problem = match checked.flaw {
            Some(Flaw::Control(byte)) => Problem::Control(byte),
            Some(Flaw::Malformed) => Problem::NotUtf8,
            None if is_cut => Problem::NotUtf8,
            None => return,
        };
        // This flaw comes before one that ended the reading.
        self.flaw = Some(Flawed::Text(problem));
    }
}

/// A reader, and the UTF-8 form of what it gives.
#[derive(Debug)]
struct Source<R> {
    reader: R,
    /// Told by the first bytes.
    transcoder: Option<(Encoding, Transcoder)>,
    /// Bytes that were read, but not transcoded yet.
    raw: Vec<u8>,
    /// UTF-8 that did not fit.
    text: Vec<u8>,
    is_at_end: bool,
    has_ended: bool,
    is_malformed: bool,
}

enum SourceError {
    Io(io::Error),
    /// The next bytes are no text in the stream's encoding.
    Malformed,
}

impl<R: Read> Source<R> {
    fn new(reader: R) -> Source<R> {
        Source {
            reader,
            transcoder: None,
            raw: Vec::new(),
            text: Vec::new(),
            is_at_end: false,
            has_ended: false,
            is_malformed: false,
        }
    }

    fn encoding(&self) -> Encoding {
        self.transcoder.as_ref().map_or(Encoding::Utf8, |(encoding, _)| *encoding)
    }

    /// Reads some UTF-8 into `room`; nothing only at the end of the stream.
    fn read(&mut self, room: &mut [u8]) -> Result<usize, SourceError> {
        if self.transcoder.is_none() {
            return self.read_start(room);
        }
        if self.encoding() != Encoding::Utf8 {
            return self.read_wide(room);
        }
        let count = self.read_some(room)?;
        self.is_at_end = count == 0;
        Ok(count)
    }

    /// One read that is not interrupted.
    fn read_some(&mut self, room: &mut [u8]) -> Result<usize, SourceError> {
        loop {
            match self.reader.read(room) {
                Ok(count) => return Ok(count.min(room.len())),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(SourceError::Io(error)),
            }
        }
    }

    /// The first bytes, which tell the encoding.
    fn read_start(&mut self, room: &mut [u8]) -> Result<usize, SourceError> {
        let mut filled = 0;
        while filled < 4 {
            let count = self.read_some(&mut room[filled..])?;
            filled += count;
            if count == 0 {
                self.has_ended = true;
                break;
            }
        }
        let (encoding, mark) = Encoding::detect(&room[..filled]);
        self.transcoder = Some((encoding, Transcoder::new(encoding)));
        if encoding == Encoding::Utf8 {
            self.is_at_end = self.has_ended;
            return Ok(filled);
        }
        self.raw.extend_from_slice(&room[mark..filled]);
        self.read_wide(room)
    }

    /// Reads UTF-16 or UTF-32.
    fn read_wide(&mut self, room: &mut [u8]) -> Result<usize, SourceError> {
        while self.text.is_empty() && !self.is_malformed {
            if !self.has_ended {
                self.read_raw()?;
            }
            let Some((_, transcoder)) = &mut self.transcoder else { break };
            match transcoder.push(&self.raw, &mut self.text) {
                Progress::Used(used) => {
                    self.raw.drain(..used);
                    self.is_malformed = self.has_ended && !self.raw.is_empty();
                }
                Progress::Malformed(_) => self.is_malformed = true,
            }
            if self.has_ended {
                break;
            }
        }
        if self.text.is_empty() && self.is_malformed {
            return Err(SourceError::Malformed);
        }
        Ok(self.give(room))
    }

    /// Reads some bytes of a wide encoding.
    fn read_raw(&mut self) -> Result<(), SourceError> {
        let start = self.raw.len();
        let mut raw = std::mem::take(&mut self.raw);
        raw.resize(start + READ_BYTES, 0);
        let read = self.read_some(&mut raw[start..]);
        raw.truncate(start + read.as_ref().map_or(0, |&count| count));
        self.raw = raw;
        self.has_ended = read? == 0;
        Ok(())
    }

    /// Moves transcoded text to `room`.
    fn give(&mut self, room: &mut [u8]) -> usize {
        let count = self.text.len().min(room.len());
        room[..count].copy_from_slice(&self.text[..count]);
        self.text.drain(..count);
        self.is_at_end = self.has_ended && self.text.is_empty() && !self.is_malformed;
        count
    }
}
