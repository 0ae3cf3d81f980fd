//! The parser of a slice, which has the whole text in memory.

use super::engine::Engine;
use super::state::{Outcome, Settings};
use crate::dialect::{Dialect, Documents};
use crate::error::Error;
use crate::event::Chunk;
use crate::fault::Fault;
use crate::limits::Limits;
use crate::location::{LineCounter, Location};
use crate::problem::Problem;
use crate::scan::text::{Text, whole_lines};
use ketch_bytes::encoding::{Encoding, Progress, Transcoder};
use ketch_bytes::text::{Checked, Flaw, check, controls};
use ketch_bytes::{BLOCK_BYTES, Kernel, Lanes, Level, Tail, dispatch};
use std::borrow::Cow;

/// Options of the parser.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The language to read. Default: YAML 1.2.
    pub dialect: Dialect,
    /// Whether to accept layouts that libyaml accepts but YAML 1.2 forbids, with a warning.
    /// Default: off.
    ///
    /// In these layouts, lines inside brackets, or closing brackets, are not indented deeper than the
    /// block collection around them.
    pub lenient: bool,
    /// Whether the content of a block scalar that ends the input without a line break ends with one
    /// all the same, as yaml-test-suite expects. If not, it ends as the input does, as in libyaml,
    /// PyYAML and SnakeYAML. Default: on, with a warning.
    ///
    /// ```
    /// use ketch_yaml::{Options, Parser, scalar};
    ///
    /// let mut options = Options::default();
    /// options.final_break = false;
    /// let mut parser = Parser::with_options(b"|\n  text", &options);
    /// let chunk = parser.next_chunk()?.unwrap();
    /// let event = chunk.events().find(|event| event.kind.is_scalar()).unwrap();
    /// assert_eq!(*scalar::content(chunk.text(), &event), *b"text");
    /// # Ok::<(), ketch_yaml::Error>(())
    /// ```
    pub final_break: bool,
    /// The limits to enforce.
    pub limits: Limits,
    /// The instruction set to use. Default: the fastest that the processor has.
    pub level: Level,
    /// The size of a chunk of events in 64-bit words. Default: 4,096, which fit into the
    /// first-level cache.
    pub chunk_words: usize,
    /// A function that a parser of a slice of more than 32 KiB polls at every chunk and during long
    /// tokens. If it returns true, the parser stops with [`Problem::Interrupted`]. Default: `None`.
    pub interrupt: Option<fn() -> bool>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            dialect: Dialect::Yaml,
            lenient: false,
            final_break: true,
            limits: Limits::default(),
            level: Level::detect(),
            chunk_words: 4096,
            interrupt: None,
        }
    }
}

impl Options {
    /// Returns the encoding of `input` and the length of its byte order mark. In another
    /// language, UTF-8 may contain NUL bytes, which otherwise indicate UTF-16 or UTF-32, so only the
    /// mark decides.
    pub(super) fn encoding(&self, input: &[u8]) -> (Encoding, usize) {
        match Encoding::detect(input) {
            (_, 0) if self.dialect != Dialect::Yaml => (Encoding::Utf8, 0),
            detected => detected,
        }
    }

    /// Returns the settings of the engine for these options.
    #[inline(always)]
    pub(crate) fn settings(&self) -> Settings {
        let Options { lenient, final_break, limits, chunk_words, .. } = *self;
        let mut limits = limits;
        limits.max_scalar_bytes = limits.max_scalar_bytes.min(crate::limits::SCALAR_BYTES_CEILING);
        limits.max_implicit_key_chars =
            limits.max_implicit_key_chars.min(crate::limits::KEY_CEILING);
        // The fast path does not check the length of a token that fits into a block, so the limits
        // must allow such tokens.
        let least = limits.max_scalar_bytes.min(limits.max_implicit_key_chars);
        let has_fast_path = least >= BLOCK_BYTES as u64;
        Settings { lenient, final_break, limits, chunk_words: chunk_words.max(1), has_fast_path }
    }
}

/// A warning about input that was accepted.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Warning {
    /// The problem.
    pub problem: Problem,
    /// The location of the problem.
    pub location: Location,
}

/// A kernel that runs the engine on `text`, without starting a line at or after `limit`.
pub(crate) struct Run<'e, 't> {
    pub engine: &'e mut Engine,
    pub text: Text<'t>,
    pub limit: usize,
    /// Whether the characters of the text have been checked. If not, the kernel checks them first,
    /// and the text must be at most one block.
    pub is_checked: bool,
}

impl Kernel for Run<'_, '_> {
    type Output = Outcome;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Outcome {
        if !self.is_checked {
            let block = self.text.load(lanes, 0);
            if controls(lanes, block) | lanes.non_ascii(block) != 0 {
                return Outcome::Unchecked;
            }
        }
        self.engine.run(lanes, self.text, self.limit)
    }
}

/// Parses a slice into events, a chunk at a time.
///
/// UTF-8 is parsed in place; UTF-16 and UTF-32 are transcoded first, and offsets then refer to the
/// UTF-8 text, [`Parser::text`].
///
/// ```
/// use ketch_yaml::{EventKind, Parser};
///
/// let mut parser = Parser::new(b"answer: 42\n");
/// let mut scalars = Vec::new();
/// while let Some(chunk) = parser.next_chunk()? {
///     for event in chunk.events() {
///         if event.kind == EventKind::Plain {
///             scalars.push(std::str::from_utf8(chunk.bytes(&event)).unwrap().to_owned());
///         }
///     }
/// }
/// assert_eq!(scalars, ["answer", "42"]);
/// # Ok::<(), ketch_yaml::Error>(())
/// ```
#[derive(Debug)]
pub struct Parser<'t> {
    /// Boxed, so that [`Buffers`] can keep the engine without moving it.
    engine: Box<Engine>,
    level: Level,
    text: Cow<'t, [u8]>,
    /// The start of the current window, to which the offsets of events are relative.
    window: usize,
    /// The characters before this offset have been checked.
    checked: usize,
    /// The problem at `checked` that stopped the check, if any.
    pending_problem: Option<Problem>,
    /// The number of words in the last chunk yielded.
    yielded: usize,
    interrupt: Option<fn() -> bool>,
    state: State,
    /// The parser of a language other than YAML, which replaces the engine.
    other: Option<Box<dyn Documents>>,
}

/// The memory of a finished parser, which another parser can reuse. This saves time if texts are
/// short, because allocating the memory takes as long as parsing a text of a few bytes.
///
/// ```
/// use ketch_yaml::{Buffers, EventKind, Options, Parser};
///
/// let (mut buffers, mut scalars) = (Buffers::default(), 0);
/// for text in [&b"a: 1"[..], b"[b, c]"] {
///     let mut parser = Parser::with_buffers(text, &Options::default(), buffers);
///     while let Some(chunk) = parser.next_chunk()? {
///         scalars += chunk.events().filter(|event| event.kind == EventKind::Plain).count();
///     }
///     buffers = parser.into_buffers();
/// }
/// assert_eq!(scalars, 4);
/// # Ok::<(), ketch_yaml::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Buffers(Option<Box<Engine>>);

impl Buffers {
    /// Returns an engine for a stream of at least `bytes` bytes, which uses this memory if there is
    /// any.
    #[inline(always)]
    fn engine(self, options: &Options, bytes: usize) -> Box<Engine> {
        match self.0 {
            Some(mut engine) => {
                engine.renew(options.settings(), bytes);
                engine
            }
            None => Box::new(Engine::new(options.settings(), bytes)),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Running,
    /// All events up to the end or the fault have been parsed.
    Ended,
}

/// The number of bytes checked ahead of the parser. They are few enough to stay in the cache until
/// they are parsed.
const CHECK_BYTES: usize = 32 * 1024;

/// If a token does not fit into the checked text, this number of times its length is checked ahead.
const GROWTH: usize = 8;

/// The window moves forward once the parser is this number of bytes into it, since offsets of
/// events have 32 bits.
const WINDOW_BYTES: usize = 1 << 30;

impl<'t> Parser<'t> {
    /// Creates a parser over `input` with default options.
    pub fn new(input: &'t [u8]) -> Parser<'t> {
        Parser::with_options(input, &Options::default())
    }

    /// Creates a parser over `input` with `options`.
    pub fn with_options(input: &'t [u8], options: &Options) -> Parser<'t> {
        Parser::with_buffers(input, options, Buffers::default())
    }

    /// Creates a parser over `input` with `options`, which reuses `buffers`, the memory of another
    /// parser.
    pub fn with_buffers(input: &'t [u8], options: &Options, buffers: Buffers) -> Parser<'t> {
        let (text, pending_problem) = match options.encoding(input) {
            (Encoding::Utf8, _) => (Cow::Borrowed(input), None),
            (encoding, mark) => {
                let (text, is_whole) = transcode(encoding, &input[mark..]);
                (Cow::Owned(text), (!is_whole).then_some(Problem::Malformed(encoding)))
            }
        };
        // If the language has a parser of its own, the engine has nothing to read.
        let engine_bytes = if options.dialect == Dialect::Yaml { text.len() } else { 0 };
        let parser = Parser::over(text, buffers.engine(options, engine_bytes), options);
        Parser { pending_problem, ..parser }
    }

    /// Creates a parser that starts at `offset` of the UTF-8 text `input`, which must be the start
    /// of a line between documents. Locations count from the start of `input`.
    pub(crate) fn starting_at(input: &'t [u8], offset: usize, options: &Options) -> Parser<'t> {
        let mut engine = Buffers::default().engine(options, input.len() - offset);
        engine.base = offset as u64;
        let parser = Parser::over(Cow::Borrowed(input), engine, options);
        Parser { window: offset, checked: offset, ..parser }
    }

    /// Creates a parser over `text`.
    #[inline(always)]
    fn over(text: Cow<'t, [u8]>, engine: Box<Engine>, options: &Options) -> Parser<'t> {
        Parser {
            engine,
            level: options.level,
            interrupt: options.interrupt.filter(|_| text.len() > CHECK_BYTES),
            text,
            window: 0,
            checked: 0,
            pending_problem: None,
            yielded: 0,
            state: State::Running,
            other: options.dialect.documents(0),
        }
    }

    /// Creates a parser over `text`, the UTF-8 text of one document, which starts at `offset` of a
    /// stream. Limits that grow with the input count from the start of the stream, but offsets of
    /// events count from the start of `text`.
    pub(crate) fn of_document(text: &'t [u8], offset: u64, options: &Options) -> Parser<'t> {
        let mut parser = Parser::starting_at(text, 0, options);
        parser.engine.base = offset;
        parser
    }

    /// Returns whether tags so far have used prefixes of more than 256 bytes.
    pub(crate) fn has_long_prefixes(&self) -> bool {
        self.engine.prefixes.bytes > 0
    }

    /// Returns the memory of this parser, which another parser can reuse.
    pub fn into_buffers(mut self) -> Buffers {
        self.engine.free_excess();
        Buffers(Some(self.engine))
    }

    /// Returns the text being parsed, which is the input itself or its UTF-8 form.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Parses the next chunk of events. Returns `None` at the end of the stream. If the input is
    /// invalid, all events before the error are returned first, then the error, and no events after
    /// it.
    pub fn next_chunk(&mut self) -> Result<Option<Chunk<'_, '_>>, Error> {
        if self.other.is_some() {
            return self.next_document();
        }
        if self.state == State::Ended {
            return match self.engine.fault.take() {
                Some(fault) => Err(Error::from_fault(fault, &self.text)),
                None => Ok(None),
            };
        }
        self.drop_yielded();
        let mut outcome = self.first_step();
        let ready = loop {
            match outcome {
                Outcome::Chunk => {
                    let ready = self.engine.ready_words();
                    if ready > 0 {
                        break ready;
                    }
                }
                Outcome::NeedMoreInput | Outcome::Unchecked => {
                    self.check_more();
                    self.poll_interrupt();
                }
                Outcome::Done | Outcome::Failed => {
                    self.state = State::Ended;
                    let all = self.engine.events.len();
                    if all == 0 {
                        return self.next_chunk();
                    }
                    break all;
                }
            }
            outcome = self.step();
        };
        self.yielded = ready;
        let words = &self.engine.events.words()[..ready];
        let passed = (self.window == 0).then(LineCounter::default);
        Ok(Some(Chunk::new(words, &self.text[self.window..], self.window as u64, passed)))
    }

    /// Parses the next document of another language as one chunk.
    fn next_document(&mut self) -> Result<Option<Chunk<'_, '_>>, Error> {
        let Parser { engine, text, other, pending_problem, interrupt, .. } = self;
        let Some(other) = other else { return Ok(None) };
        let mut found = other.next_document(text, &engine.settings.limits, *interrupt);
        engine.warnings.extend(other.take_warnings());
        // If a document precedes the pending problem, that document is returned now, and the next
        // call reports the problem.
        if let (Ok(false), Some(problem)) = (&found, *pending_problem) {
            *pending_problem = None;
            found = Err(Fault { problem, at: text.len() as u64, len: 1, related: None });
        }
        match found {
            Ok(true) => Ok(Some(other.chunk(text))),
            Ok(false) => Ok(None),
            Err(fault) => Err(Error::from_fault(fault, text)),
        }
    }

    /// Calls the interrupt function, if there is one, and stops parsing if it returns true. This
    /// happens whenever more text has to be checked. If a token does not fit into the checked text,
    /// more is checked, and the token is scanned again, so a scalar is scanned at most once between
    /// two calls.
    fn poll_interrupt(&mut self) {
        let Some(interrupt) = self.interrupt else { return };
        if self.state == State::Running && interrupt() {
            self.engine.fail(Problem::Interrupted, self.engine.pos, 0);
            self.state = State::Ended;
        }
    }

    /// Returns the warnings so far, which are about directives that are unknown or newer than YAML
    /// 1.2 and, in lenient mode, about layouts that YAML 1.2 forbids. At most a thousand are kept.
    pub fn warnings(&self) -> Vec<Warning> {
        let location =
            |fault: &Fault| LineCounter::default().location(&self.text, 0, fault.at, fault.len);
        let warning = |fault| Warning { problem: Fault::problem(fault), location: location(fault) };
        self.engine.warnings.iter().map(warning).collect()
    }

    /// Discards the words of the last chunk, and moves the window forward if the parser is far into
    /// it.
    fn drop_yielded(&mut self) {
        if self.yielded == 0 {
            return;
        }
        self.engine.take_words(self.yielded);
        let far = self.engine.keep_from() >= WINDOW_BYTES;
        self.engine.events.consume(self.yielded, 0);
        self.yielded = 0;
        if far {
            let shift = self.engine.keep_from();
            self.engine.events.consume(0, shift);
            self.engine.shift(shift);
            self.window += shift;
        }
    }

    /// Takes the first step towards a chunk. A text of at most one block is checked and parsed by
    /// the same kernel, because starting one takes as long as checking the block.
    #[inline(always)]
    fn first_step(&mut self) -> Outcome {
        if self.checked > 0 {
            self.poll_interrupt();
            return self.step();
        }
        if self.text.len() > BLOCK_BYTES || self.pending_problem.is_some() {
            return Outcome::Unchecked;
        }
        self.checked = self.text.len();
        let outcome = self.run(false);
        if outcome == Outcome::Unchecked {
            self.checked = 0;
        }
        outcome
    }

    /// Parses part of the text that has been checked, and returns how the engine stopped.
    fn step(&mut self) -> Outcome {
        match self.state {
            State::Running => self.run(true),
            State::Ended => Outcome::Failed,
        }
    }

    /// Runs the engine on the text up to `checked`. Unless `is_checked`, the kernel first checks
    /// the characters of that text.
    #[inline(always)]
    fn run(&mut self, is_checked: bool) -> Outcome {
        let bytes = &self.text[self.window..self.checked];
        let is_last = self.checked == self.text.len() && self.pending_problem.is_none();
        let lines_end = if is_last { bytes.len() } else { whole_lines(bytes) };
        let limit = lines_end.min(WINDOW_BYTES + CHECK_BYTES);
        let tail = Tail::of(bytes);
        let text = Text { bytes, tail: &tail, lines_end, is_last };
        dispatch(self.level, Run { engine: &mut self.engine, text, limit, is_checked })
    }

    /// Checks the characters of the next part of the text. An invalid character is reported only
    /// when the parser reaches it.
    fn check_more(&mut self) {
        if let (Some(problem), true) =
            (self.pending_problem, self.checked == self.text.len() || self.is_stopped())
        {
            self.engine.fail(problem, self.checked - self.window, 1);
            self.state = State::Ended;
            return;
        }
        // A token that did not fit into the checked text is scanned again from its start, so several
        // times as much is checked to keep the total time linear.
        let unread = self.checked - self.window - self.engine.pos.min(self.checked - self.window);
        let more = CHECK_BYTES.max(unread.saturating_mul(GROWTH));
        let rest = &self.text[self.checked..];
        let part = &rest[..rest.len().min(more)];
        let Checked { valid_bytes, flaw } = check(self.level, part);
        let is_cut = flaw.is_none() && valid_bytes < part.len() && part.len() == rest.len();
        self.checked += valid_bytes;
        match flaw {
            Some(Flaw::Control(byte)) => self.stop(Problem::Control(byte)),
            Some(Flaw::Malformed) => self.stop(Problem::NotUtf8),
            None if is_cut => self.stop(Problem::NotUtf8),
            None => {}
        }
    }

    /// Makes parsing fail with `problem` once it reaches `checked`.
    fn stop(&mut self, problem: Problem) {
        self.pending_problem = Some(problem);
    }

    /// Returns whether the check of the text stopped at a byte that is not allowed.
    fn is_stopped(&self) -> bool {
        matches!(self.pending_problem, Some(Problem::NotUtf8 | Problem::Control(_)))
    }
}

impl Fault {
    /// Returns the problem of `fault`, without its position.
    fn problem(fault: &Fault) -> Problem {
        fault.problem
    }
}

/// Transcodes `input` from `encoding` to UTF-8, up to the first invalid character. Also returns
/// whether all of it is valid.
fn transcode(encoding: Encoding, input: &[u8]) -> (Vec<u8>, bool) {
    let mut text = Vec::with_capacity(input.len() / encoding.unit_bytes() + input.len() / 16);
    let progress = Transcoder::new(encoding).push(input, &mut text);
    (text, progress == Progress::Used(input.len()))
}
