//! The parser over a slice: chunks out of text that is wholly at hand.

use super::engine::Engine;
use super::state::{Outcome, Settings};
use crate::error::Error;
use crate::event::Chunk;
use crate::fault::Fault;
use crate::limits::Limits;
use crate::location::{LineCounter, Location};
use crate::problem::Problem;
use crate::scan::text::Text;
use ketch_bytes::encoding::{Encoding, Progress, Transcoder};
use ketch_bytes::text::{Checked, Flaw, check};
use ketch_bytes::{BLOCK_BYTES, Kernel, Lanes, Level, Tail, dispatch};
use std::borrow::Cow;

/// How to read.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Options {
    /// Takes layouts that libyaml takes and YAML 1.2 forbids, and warns. Default: off.
    ///
    /// They are: lines inside brackets, and closing brackets, that are no deeper than the block
    /// collection around them.
    pub lenient: bool,
    /// The limits to obey.
    pub limits: Limits,
    /// The instruction set to use. Default: the fastest that the processor has.
    pub level: Level,
    /// How many 64-bit words of events make a chunk. Default: 4,096, which stay in the first-level
    /// cache.
    pub chunk_words: usize,
    /// Called now and then by a parser over a slice of more than 32 KiB: at every chunk, and while a long
    /// token is scanned. If it returns true, the parser stops with [`Problem::Interrupted`]. Default:
    /// `None`.
    pub interrupt: Option<fn() -> bool>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            lenient: false,
            limits: Limits::default(),
            level: Level::detect(),
            chunk_words: 4096,
            interrupt: None,
        }
    }
}

impl Options {
    pub(crate) fn settings(&self) -> Settings {
        let Options { lenient, limits, chunk_words, .. } = *self;
        let mut limits = limits;
        limits.max_scalar_bytes = limits.max_scalar_bytes.min(crate::limits::SCALAR_BYTES_CEILING);
        limits.max_implicit_key_chars =
            limits.max_implicit_key_chars.min(crate::limits::KEY_CEILING);
        // What stands in one block of the text, the fast path do not measure.
        let least = limits.max_scalar_bytes.min(limits.max_implicit_key_chars);
        let has_fast_path = least >= BLOCK_BYTES as u64;
        Settings { lenient, limits, chunk_words: chunk_words.max(1), has_fast_path }
    }
}

/// Something that is worth telling, though the input was read.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Warning {
    /// What was met.
    pub problem: Problem,
    /// Where.
    pub location: Location,
}

/// Runs the engine with the lanes of a level.
pub(crate) struct Run<'e, 't> {
    pub engine: &'e mut Engine,
    pub text: Text<'t>,
    pub limit: usize,
}

impl Kernel for Run<'_, '_> {
    type Output = Outcome;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Outcome {
        self.engine.run(lanes, self.text, self.limit)
    }
}

/// Parses a slice to events, a chunk at a time.
///
/// UTF-8 is parsed in place; UTF-16 and UTF-32 are transcoded first, and offsets then count in the
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
    engine: Engine,
    level: Level,
    text: Cow<'t, [u8]>,
    /// Start of the text at hand: offsets of events count from here.
    window: usize,
    /// The bytes in front of this are checked.
    checked: usize,
    /// What the check found there.
    flaw: Option<Problem>,
    /// Words of the chunk that was handed over last.
    handed: usize,
    interrupt: Option<fn() -> bool>,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Running,
    /// All events are out, or all up to the fault.
    Ended,
}

/// So many bytes are checked ahead of the parser, so that they are still in the cache when it comes.
const CHECK_BYTES: usize = 32 * 1024;

/// The text at hand is moved on when the parser is so far into it: offsets of events have 32 bits.
const WINDOW_BYTES: usize = 1 << 30;

impl<'t> Parser<'t> {
    /// A parser over `input` with default options.
    pub fn new(input: &'t [u8]) -> Parser<'t> {
        Parser::with_options(input, &Options::default())
    }

    /// A parser over `input`.
    pub fn with_options(input: &'t [u8], options: &Options) -> Parser<'t> {
        let mut flaw = None;
        let text = match Encoding::detect(input) {
            (Encoding::Utf8, _) => Cow::Borrowed(input),
            (encoding, mark) => {
                let (text, is_whole) = transcode(encoding, &input[mark..]);
                flaw = (!is_whole).then_some(Problem::Malformed(encoding));
                Cow::Owned(text)
            }
        };
        Parser {
            engine: Engine::new(options.settings(), text.len()),
            level: options.level,
            text,
            window: 0,
            checked: 0,
            flaw,
            handed: 0,
            interrupt: options.interrupt.filter(|_| input.len() > CHECK_BYTES),
            state: State::Running,
        }
    }

    /// A parser over the UTF-8 text `input` from `offset` on, where a line starts that no document in
    /// front of it reaches. Places count from the start of the text.
    pub(crate) fn starting_at(input: &'t [u8], offset: usize, options: &Options) -> Parser<'t> {
        let mut engine = Engine::new(options.settings(), input.len() - offset);
        engine.base = offset as u64;
        Parser {
            engine,
            level: options.level,
            text: Cow::Borrowed(input),
            window: offset,
            checked: offset,
            flaw: None,
            handed: 0,
            interrupt: options.interrupt.filter(|_| input.len() > CHECK_BYTES),
            state: State::Running,
        }
    }

    /// A parser over the UTF-8 text of a document, which starts at `offset` of a stream: limits
    /// count from there, offsets of events from the start of the text.
    pub(crate) fn of_document(text: &'t [u8], offset: u64, options: &Options) -> Parser<'t> {
        let mut parser = Parser::starting_at(text, 0, options);
        parser.engine.base = offset;
        parser
    }

    /// The text that is parsed: the input itself, or its UTF-8 form.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The next chunk of events, `None` at the end of the stream. After an error there is nothing
    /// more; all events in front of the error have been handed over before it.
    pub fn next_chunk(&mut self) -> Result<Option<Chunk<'_, '_>>, Error> {
        self.drop_handed();
        if self.state == State::Ended {
            return match self.engine.fault.take() {
                Some(fault) => Err(Error::in_text(fault, &self.text)),
                None => Ok(None),
            };
        }
        if self.checked == 0 {
            self.check_more();
        }
        self.ask_for_interrupt();
        let ready = loop {
            match self.step() {
                Outcome::Chunk => {
                    let ready = self.engine.ready_words();
                    if ready > 0 {
                        break ready;
                    }
                }
                Outcome::NeedMoreInput => {
                    self.check_more();
                    self.ask_for_interrupt();
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
        };
        self.handed = ready;
        let words = &self.engine.events.words()[..ready];
        let passed = (self.window == 0).then(LineCounter::default);
        Ok(Some(Chunk::new(words, &self.text[self.window..], self.window as u64, passed)))
    }

    /// A token that does not fit the checked text is scanned again with twice as much, so no scan between
    /// two calls takes longer than one pass over a scalar.
    fn ask_for_interrupt(&mut self) {
        let Some(interrupt) = self.interrupt else { return };
        if self.state == State::Running && interrupt() {
            self.engine.fail(Problem::Interrupted, self.engine.pos, 0);
            self.state = State::Ended;
        }
    }

    /// What was met and passed over so far: unknown directives, and in lenient mode layouts that
    /// YAML 1.2 forbids. At most a thousand are kept.
    pub fn warnings(&self) -> Vec<Warning> {
        let location =
            |fault: &Fault| LineCounter::default().location(&self.text, 0, fault.at, fault.len);
        let warning = |fault| Warning { problem: Fault::problem(fault), location: location(fault) };
        self.engine.warnings.iter().map(warning).collect()
    }

    /// Forgets the chunk that was handed over, and moves the text on when it has grown long.
    fn drop_handed(&mut self) {
        if self.handed == 0 {
            return;
        }
        self.engine.take_words(self.handed);
        let far = self.engine.keep_from() >= WINDOW_BYTES;
        self.engine.events.consume(self.handed, 0);
        self.handed = 0;
        if far {
            let shift = self.engine.keep_from();
            self.engine.events.consume(0, shift);
            self.engine.shift(shift);
            self.window += shift;
        }
    }

    fn step(&mut self) -> Outcome {
        if self.state == State::Ended {
            return Outcome::Failed;
        }
        let bytes = &self.text[self.window..self.checked];
        let is_last = self.checked == self.text.len() && self.flaw.is_none();
        let lines_end = if is_last { bytes.len() } else { whole_lines(bytes) };
        let limit = lines_end.min(WINDOW_BYTES + CHECK_BYTES);
        let tail = Tail::of(bytes);
        let text = Text { bytes, tail: &tail, lines_end, is_last };
        dispatch(self.level, Run { engine: &mut self.engine, text, limit })
    }

    /// Checks the characters of the next part of the text; what is wrong there counts only when the
    /// parser gets there.
    fn check_more(&mut self) {
        if let (Some(problem), true) =
            (self.flaw, self.checked == self.text.len() || self.is_blocked())
        {
            self.engine.fail(problem, self.checked - self.window, 1);
            self.state = State::Ended;
            return;
        }
        // A token that did not fit what was checked is scanned again: so check twice as much.
        let unread = self.checked - self.window - self.engine.pos.min(self.checked - self.window);
        let more = CHECK_BYTES.max(unread);
        let rest = &self.text[self.checked..];
        let part = &rest[..rest.len().min(more)];
        let Checked { valid_bytes, flaw } = check(self.level, part);
        let is_cut = flaw.is_none() && valid_bytes < part.len() && part.len() == rest.len();
        self.checked += valid_bytes;
        match flaw {
            Some(Flaw::Control(byte)) => self.block(Problem::Control(byte)),
            Some(Flaw::Malformed) => self.block(Problem::NotUtf8),
            None if is_cut => self.block(Problem::NotUtf8),
            None => {}
        }
    }

    /// Nothing beyond `checked` can be read.
    fn block(&mut self, problem: Problem) {
        self.flaw = Some(problem);
    }

    fn is_blocked(&self) -> bool {
        matches!(self.flaw, Some(Problem::NotUtf8 | Problem::Control(_)))
    }
}

impl Fault {
    fn problem(fault: &Fault) -> Problem {
        fault.problem
    }
}

/// The end of the last whole line. A carriage return at the very end may be half of a break.
pub(crate) fn whole_lines(bytes: &[u8]) -> usize {
    let searched = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    searched.iter().rposition(|&byte| byte == b'\n' || byte == b'\r').map_or(0, |at| at + 1)
}

/// The UTF-8 form of `input` up to the first character that is none, and whether that is all of it.
fn transcode(encoding: Encoding, input: &[u8]) -> (Vec<u8>, bool) {
    let mut text = Vec::with_capacity(input.len() / encoding.unit_bytes() + input.len() / 16);
    let progress = Transcoder::new(encoding).push(input, &mut text);
    (text, progress == Progress::Used(input.len()))
}
