//! The parser of a reader. A window slides over the stream and grows to hold the longest token.

mod resume;
mod whole;

pub(crate) use resume::Window;

use super::engine::{Engine, WARNINGS_MAX};
use super::parser::{Options, Run, Warning};
use super::state::Outcome;
use crate::diagnose;
use crate::dialect::Documents;
use crate::error::Error;
use crate::event::Chunk;
use crate::fault::Fault;
use crate::location::{LineCounter, line_start};
use crate::problem::Problem;
use crate::scan::text::{Text, whole_lines};
use ketch_bytes::encoding::{Encoding, Progress, Transcoder};
use ketch_bytes::text::{Flaw, check};
use ketch_bytes::{Level, Tail, dispatch};
use std::io::{self, Read};

/// The number of bytes read at once, unless a token needs more.
const READ_BYTES: usize = 64 * 1024;

/// The number of bytes of the first read. Later reads are longer, so that a small file does not need
/// memory for a large one.
const FIRST_BYTES: usize = 4 * 1024;

/// The maximum number of bytes to request from the reader in one call.
const STEP_BYTES: usize = 1024 * 1024;

/// Parses the bytes of a reader into events, a chunk at a time. Memory is bounded by the longest
/// line or token and by [`Limits::max_buffer_bytes`](crate::Limits::max_buffer_bytes).
///
/// The events are the same as those of [`Parser`](crate::Parser), but chunks may end elsewhere. The
/// text of a chunk is available until the next one is requested.
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
    /// The text to parse is the first `checked` bytes. The bytes from there up to `filled` start
    /// with a character that is truncated or invalid.
    buffer: Vec<u8>,
    checked: usize,
    filled: usize,
    /// The problem at `checked`, if any.
    pending_problem: Option<PendingProblem>,
    passed: LineCounter,
    yielded: usize,
    warnings: Vec<Warning>,
    is_ended: bool,
    /// If set, the text from this offset of the stream on is kept in the buffer.
    retained: Option<u64>,
    /// The offset in the stream at which parsing began or resumed.
    started: u64,
    /// The parser of a language other than YAML, which replaces the engine.
    other: Option<Box<dyn Documents>>,
}

#[derive(Debug)]
enum PendingProblem {
    Text(Problem),
    Io(io::Error),
}

impl<R: Read> ReadParser<R> {
    /// Creates a parser over `reader` with default options. It reads large blocks, so the reader
    /// need not be buffered.
    pub fn new(reader: R) -> ReadParser<R> {
        ReadParser::with_options(reader, &Options::default())
    }

    /// Creates a parser over `reader` with `options`.
    pub fn with_options(reader: R, options: &Options) -> ReadParser<R> {
        let settings = options.settings();
        let max_buffer_bytes =
            settings.limits.max_buffer_bytes.min(crate::limits::SCALAR_BYTES_CEILING);
        ReadParser {
            engine: Engine::new(settings, READ_BYTES),
            source: Source::new(reader, *options),
            level: options.level,
            max_buffer_bytes: max_buffer_bytes as usize,
            buffer: Vec::new(),
            checked: 0,
            filled: 0,
            pending_problem: None,
            passed: LineCounter::default(),
            yielded: 0,
            warnings: Vec::new(),
            is_ended: false,
            retained: None,
            started: 0,
            other: options.dialect.documents(0),
        }
    }

    /// Parses the next chunk of events. Returns `None` at the end of the stream. If there is an
    /// error, all events before it are returned first, then the error, and no events after it.
    pub fn next_chunk(&mut self) -> Result<Option<Chunk<'_, '_>>, Error> {
        if self.other.is_some() {
            return self.next_whole();
        }
        self.drop_yielded();
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
        self.yielded = ready;
        self.note_warnings();
        let words = &self.engine.events.words()[..ready];
        Ok(Some(Chunk::new(
            words,
            &self.buffer[..self.checked],
            self.engine.base,
            Some(self.passed),
        )))
    }

    /// Returns the warnings so far, which are about directives that are unknown or newer than YAML
    /// 1.2 and, in lenient mode, about layouts that YAML 1.2 forbids. At most a thousand are kept.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Parses the buffered text that has been checked, and returns how the engine stopped.
    fn step(&mut self) -> Outcome {
        let bytes = &self.buffer[..self.checked];
        let is_last =
            self.source.is_at_end && self.checked == self.filled && self.pending_problem.is_none();
        let lines_end = if is_last { bytes.len() } else { whole_lines(bytes) };
        let tail = Tail::of(bytes);
        let text = Text { bytes, tail: &tail, lines_end, is_last };
        let engine = &mut self.engine;
        dispatch(self.level, Run { engine, text, limit: lines_end, is_checked: true })
    }

    /// Ends parsing once all events have been yielded. Returns the error that stopped it, or `None`
    /// if there is none.
    fn end(&mut self) -> Result<Option<Chunk<'_, '_>>, Error> {
        self.note_warnings();
        let Some(fault) = self.engine.fault.take() else { return Ok(None) };
        self.read_line_of(fault);
        let text = &self.buffer[..self.filled];
        let base = self.engine.base;
        let location = self.passed.location(text, base, fault.at, fault.len);
        if let Some(PendingProblem::Io(error)) = self.pending_problem.take()
            && fault.problem == Problem::Io
        {
            return Err(Error::io(error, location));
        }
        Err(Error::in_buffer(fault, text, base, self.passed))
    }

    /// Reads up to the end of the line that contains `fault`, so that the error can show this line.
    /// Stops earlier if the line is very long.
    fn read_line_of(&mut self, fault: Fault) {
        const SHOWN_BYTES: usize = diagnose::LINE_BYTES;
        let at = (fault.at.saturating_sub(self.engine.base) as usize).min(self.filled);
        let is_shown = |text: &[u8]| text.len() >= SHOWN_BYTES || whole_lines(text) > 0;
        let wants_more = |text: &[u8]| diagnose::wants_more(fault.problem, text, at);
        let is_enough = |text: &[u8]| is_shown(&text[at..]) && !wants_more(text);
        let is_broken = matches!(self.pending_problem, Some(PendingProblem::Io(_)));
        while !is_broken && !is_enough(&self.buffer[..self.filled]) {
            self.buffer.resize(self.filled + SHOWN_BYTES, 0);
            match self.source.read(&mut self.buffer[self.filled..]) {
                Ok(count) if count > 0 => self.filled += count,
                _ => break,
            }
        }
    }

    /// Takes the warnings of the engine and finds their locations, which is possible only while
    /// their text is buffered.
    fn note_warnings(&mut self) {
        // A location is found by counting the lines before it, so this is done only for warnings
        // that are kept.
        let capacity = WARNINGS_MAX.saturating_sub(self.warnings.len());
        for fault in self.engine.warnings.drain(..).take(capacity) {
            let text = &self.buffer[..self.filled];
            let location = self.passed.location(text, self.engine.base, fault.at, fault.len);
            self.warnings.push(Warning { problem: fault.problem, location });
        }
    }

    /// Drops the words of the last chunk, which the caller no longer needs.
    fn drop_yielded(&mut self) {
        if self.yielded > 0 {
            self.engine.take_words(self.yielded);
            self.engine.events.consume(self.yielded, 0);
            self.yielded = 0;
        }
    }

    /// Reads more of the stream into the buffer. If a problem is pending, the parser has reached
    /// it, so it becomes the fault instead.
    fn fill(&mut self) {
        if let Some(pending_problem) = &self.pending_problem {
            let problem = match pending_problem {
                PendingProblem::Text(problem) => *problem,
                PendingProblem::Io(_) => Problem::Io,
            };
            self.engine.fail(problem, self.checked, 1);
            self.is_ended = true;
            return;
        }
        self.slide();
        let unread = self.filled - self.engine.pos.min(self.filled);
        // A token that does not fit into the buffer is scanned again from its start. Each read is
        // therefore as long as the part of the token that is buffered, so that the total time is
        // linear.
        let passed = usize::try_from(self.engine.base).unwrap_or(READ_BYTES) + self.filled;
        let more = passed.clamp(FIRST_BYTES, READ_BYTES).max(unread);
        if let Some(problem) = self.buffer_problem(more) {
            self.engine.fail(problem, self.engine.pos, 1);
            self.is_ended = true;
            return;
        }
        let wanted = self.filled + more;
        loop {
            // Memory is committed once it is written to, even with zeros, so the buffer is extended
            // only for the next read.
            let end = wanted.min(self.filled + STEP_BYTES);
            if self.buffer.len() < end {
                self.buffer.resize(end, 0);
            }
            match self.source.read(&mut self.buffer[self.filled..end]) {
                Ok(count) => {
                    self.filled += count;
                    // The bytes of a short read are parsed at once, unless they belong to a long
                    // token.
                    if count == 0 || unread < READ_BYTES || self.filled == wanted {
                        break;
                    }
                    continue;
                }
                Err(SourceError::Io(error)) => {
                    self.pending_problem = Some(PendingProblem::Io(error))
                }
                Err(SourceError::Malformed) => {
                    let problem = Problem::Malformed(self.source.encoding());
                    self.pending_problem = Some(PendingProblem::Text(problem));
                }
            }
            break;
        }
        self.check();
    }

    /// Returns the problem if the buffer must not grow by `more` bytes. Retained text does not
    /// count towards the limit, but offsets in it must fit into events.
    fn buffer_problem(&self, more: usize) -> Option<Problem> {
        let retained = if self.retained.is_some() { self.unneeded() } else { 0 };
        if self.filled - retained + more > self.max_buffer_bytes.max(2 * READ_BYTES) {
            return Some(Problem::TokenTooLong(self.max_buffer_bytes as u64));
        }
        let is_too_large = self.retained.is_some() && self.filled + more > u32::MAX as usize;
        is_too_large.then_some(Problem::DocumentTooLarge)
    }

    /// Returns the number of bytes at the start of the buffer that neither the engine nor an error
    /// needs any more.
    fn unneeded(&self) -> usize {
        let keep = self.engine.keep_from().min(self.checked);
        // An error shows its line from the start, and its diagnosis examines the text before it.
        line_start(&self.buffer, keep.saturating_sub(diagnose::LOOKBACK_BYTES))
    }

    /// Drops the bytes at the start of the buffer that are no longer needed, if they are enough.
    fn slide(&mut self) {
        let retained =
            self.retained.map_or(u64::MAX, |at| at.saturating_sub(self.engine.base)) as usize;
        let keep = self.unneeded().min(retained);
        // Moving the rest is expensive, so bytes are dropped only once they are half of the buffer.
        if keep == 0 || keep < self.filled / 2 {
            return;
        }
        self.drop_bytes(keep);
        self.checked -= keep;
        self.engine.events.consume(0, keep);
        self.engine.shift(keep);
    }

    /// Removes the first `count` bytes of the buffer, and counts the lines in them.
    fn drop_bytes(&mut self, count: usize) {
        self.passed.count(&self.buffer[..count]);
        self.buffer.copy_within(count..self.filled, 0);
        self.filled -= count;
    }

    /// Checks the characters that have just been read.
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
        // This problem comes earlier in the stream than one that ended reading, so it replaces that
        // one.
        self.pending_problem = Some(PendingProblem::Text(problem));
    }
}

/// A reader whose input is transcoded to UTF-8.
#[derive(Debug)]
struct Source<R> {
    reader: R,
    options: Options,
    /// The encoding and its transcoder, once detected from the first bytes.
    transcoder: Option<(Encoding, Transcoder)>,
    /// Bytes that have been read but not yet transcoded.
    raw: Vec<u8>,
    /// UTF-8 that did not fit into the caller's buffer.
    text: Vec<u8>,
    is_at_end: bool,
    has_ended: bool,
    is_malformed: bool,
}

enum SourceError {
    Io(io::Error),
    /// The next bytes are invalid in the stream's encoding.
    Malformed,
}

impl<R: Read> Source<R> {
    /// Creates a source that reads from `reader` and has read nothing yet.
    fn new(reader: R, options: Options) -> Source<R> {
        Source {
            reader,
            options,
            transcoder: None,
            raw: Vec::new(),
            text: Vec::new(),
            is_at_end: false,
            has_ended: false,
            is_malformed: false,
        }
    }

    /// Returns the encoding of the input, or UTF-8 if it has not been detected yet.
    fn encoding(&self) -> Encoding {
        self.transcoder.as_ref().map_or(Encoding::Utf8, |(encoding, _)| *encoding)
    }

    /// Reads some text into `out` as UTF-8 and returns its length in bytes, which is 0 only at the
    /// end of the stream.
    fn read(&mut self, out: &mut [u8]) -> Result<usize, SourceError> {
        if self.transcoder.is_none() {
            return self.read_start(out);
        }
        if self.encoding() != Encoding::Utf8 {
            return self.read_wide(out);
        }
        let count = self.read_some(out)?;
        self.is_at_end = count == 0;
        Ok(count)
    }

    /// Reads some bytes from the reader into `out` and returns their number. Retries if a read is
    /// interrupted.
    fn read_some(&mut self, out: &mut [u8]) -> Result<usize, SourceError> {
        loop {
            match self.reader.read(out) {
                Ok(count) => return Ok(count.min(out.len())),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(SourceError::Io(error)),
            }
        }
    }

    /// Reads the first bytes of the stream and detects its encoding from them. Writes the text to
    /// `out` as UTF-8 and returns its length in bytes.
    fn read_start(&mut self, out: &mut [u8]) -> Result<usize, SourceError> {
        let mut filled = 0;
        while filled < 4 {
            let count = self.read_some(&mut out[filled..])?;
            filled += count;
            if count == 0 {
                self.has_ended = true;
                break;
            }
        }
        let (encoding, mark) = self.options.encoding(&out[..filled]);
        self.transcoder = Some((encoding, Transcoder::new(encoding)));
        if encoding == Encoding::Utf8 {
            self.is_at_end = self.has_ended;
            return Ok(filled);
        }
        self.raw.extend_from_slice(&out[mark..filled]);
        self.read_wide(out)
    }

    /// Reads some UTF-16 or UTF-32, writes it to `out` as UTF-8 and returns its length in bytes.
    fn read_wide(&mut self, out: &mut [u8]) -> Result<usize, SourceError> {
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
        Ok(self.drain_text(out))
    }

    /// Reads some bytes of UTF-16 or UTF-32 into `raw`, to be transcoded.
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

    /// Moves as much transcoded text to `out` as fits, and returns its length in bytes.
    fn drain_text(&mut self, out: &mut [u8]) -> usize {
        let count = self.text.len().min(out.len());
        out[..count].copy_from_slice(&self.text[..count]);
        self.text.drain(..count);
        self.is_at_end = self.has_ended && self.text.is_empty() && !self.is_malformed;
        count
    }
}
