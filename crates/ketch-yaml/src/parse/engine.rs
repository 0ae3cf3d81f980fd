//! The engine's state, and the loop that carries it from one resting place to the next.

use super::flow::FlowFrame;
use super::properties::Properties;
use crate::error::{Fault, Problem};
use crate::event::{EventKind, EventWriter, Flags};
use crate::limits::Limits;
use crate::scan::text::Text;
use ketch_bytes::{Kernel, Lanes};

/// Why a step did not reach its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    /// The bytes at hand end inside a token. Nothing has been changed since the resting place.
    Unfinished,
    /// The input is wrong; the fault has been noted.
    Failed,
}

/// The place where a step ended, or why it did not.
pub(crate) type Step = Result<usize, Halt>;

/// What a call of [`Engine::run`] came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The chunk is full, or the text has to be moved on.
    Chunk,
    /// More bytes are needed.
    Unfinished,
    /// The stream has ended.
    Done,
    /// The input is wrong.
    Failed,
}

/// What a block node waits for. The values let two questions be asked of the bits: whether a node
/// is awaited ([`AWAITS`]), and what state follows once it is there (the low bits).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum State {
    RootDone = 0,
    SequenceDone = 1,
    MappingKey = 2,
    MappingExplicitKeyDone = 6,
    RootAwaits = 0x80,
    SequenceAwaits = 0x81,
    /// After the `:` of an implicit key.
    MappingAwaitsValue = 0x82,
    /// After a `?`.
    MappingAwaitsKey = 0x86,
    /// After the `:` that answers a `?`.
    MappingAwaitsExplicitValue = 0x8A,
}

const AWAITS: u8 = 0x80;

/// So many warnings are kept.
pub(super) const WARNINGS_MAX: usize = 1000;

/// How far behind its indicator an empty node may end and still be said to stand there.
const AWAITED_BYTES: usize = 4096;

impl State {
    #[inline(always)]
    pub fn awaits_node(self) -> bool {
        self as u8 & AWAITS != 0
    }

    /// The state once the awaited node is there.
    #[inline(always)]
    pub fn done(self) -> State {
        match self {
            State::RootAwaits => State::RootDone,
            State::SequenceAwaits => State::SequenceDone,
            State::MappingAwaitsKey => State::MappingExplicitKeyDone,
            State::MappingAwaitsValue | State::MappingAwaitsExplicitValue => State::MappingKey,
            done => done,
        }
    }

    #[inline(always)]
    pub fn is_mapping(self) -> bool {
        self as u8 & 2 != 0
    }

    #[inline(always)]
    pub fn is_sequence(self) -> bool {
        self as u8 & 1 != 0
    }
}

/// An open block collection, or the root of the document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// Column of its entries; -1 at the root.
    pub indent: isize,
    pub state: State,
}

/// Where a node stands, which decides what it may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Context {
    /// An entry of the open mapping: a key must follow.
    Entry,
    /// An entry of the open sequence: its `-`.
    Item,
    /// The `:` that answers a `?`.
    ExplicitValue,
    /// Where a block collection may start: on a line of its own, or behind `-`, `?` or the `:` of
    /// an explicit key.
    Block,
    /// Behind the `:` of an implicit key or a `---`: no block collection on this line.
    Inline,
}

/// Where the engine rests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rest {
    /// At the start of a line between documents.
    Prefix,
    /// At the start of a line in a document.
    Line,
    /// In front of a node on the line that starts at `line`.
    Node { line: usize, context: Context, tabbed: bool },
    /// Between two tokens of a flow collection.
    Flow,
    /// At the end of the stream.
    End,
}

/// What the directives of the coming document have said.
#[derive(Clone, Debug, Default)]
pub(crate) struct Directives {
    /// Directives may stand here: at the start of the stream and after a `...`.
    pub allowed: bool,
    /// Where the first one was, which wants a `---` after it.
    pub first: Option<usize>,
    pub has_version: bool,
    /// The tag handles declared, `!` and `!!` among them where they are, each with the length of
    /// its prefix. Sorted by handle: `max_tag_handles` keeps them few, and a map of the standard
    /// library here has the fast lanes spill registers (3% of the time on block style).
    pub handles: Vec<(Box<[u8]>, usize)>,
}

impl Directives {
    /// The index of `handle` in `handles`, or where it would stand.
    pub fn search(&self, handle: &[u8]) -> Result<usize, usize> {
        self.handles.binary_search_by(|(known, _)| (**known).cmp(handle))
    }

    /// How long the prefix is that `handle` stands for.
    pub fn prefix_len(&self, handle: &[u8]) -> Option<usize> {
        let index = self.search(handle).ok()?;
        self.handles.get(index).map(|&(_, prefix_len)| prefix_len)
    }
}

/// The long prefixes that tags stand for, in the whole stream.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Prefixes {
    pub bytes: u64,
    /// After the last tag that was counted: a step that is made again does not count twice.
    pub counted_to: u64,
}

/// What the engine has to be told.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    pub lenient: bool,
    pub limits: Limits,
    /// A chunk is handed over when it has so many words.
    pub chunk_words: usize,
    /// The limits allow what the fast lanes take without a look at its length.
    pub has_fast_lanes: bool,
}

/// One line of any kind, as a call of its own.
struct OneLine<'e, 't> {
    engine: &'e mut Engine,
    text: Text<'t>,
}

impl Kernel for OneLine<'_, '_> {
    type Output = Step;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Step {
        self.engine.line(lanes, self.text, self.engine.pos)
    }
}

/// A node and the rest of its line, as a call of its own.
struct OneNode<'e, 't> {
    engine: &'e mut Engine,
    text: Text<'t>,
    line: usize,
    context: Context,
    tabbed: bool,
}

impl Kernel for OneNode<'_, '_> {
    type Output = Step;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Step {
        self.engine.resume_node(lanes, self.text, self.line, self.context, self.tabbed)
    }
}

/// The state machine. All offsets count from the start of the text at hand.
#[derive(Debug)]
pub(crate) struct Engine {
    pub settings: Settings,
    pub events: EventWriter,
    pub rest: Rest,
    pub pos: usize,
    /// The innermost open block collection; the others are in `frames`.
    pub top: Frame,
    pub frames: Vec<Frame>,
    pub flow: Vec<FlowFrame>,
    /// What has to be known when the outermost flow collection closes.
    pub flow_root: super::flow::FlowRoot,
    pub properties: Properties,
    pub directives: Directives,
    pub prefixes: Prefixes,
    /// Where the last comment started, plus one; zero when it is out of reach.
    pub comment_mark: usize,
    /// Behind the indicator whose node is still to come: where an empty node stands.
    pub awaited_at: usize,
    /// Bytes of the stream in front of the text at hand.
    pub base: u64,
    pub fault: Option<Fault>,
    pub warnings: Vec<Fault>,
    /// Behind the place of the last warning, in the stream.
    warned_to: u64,
}

impl Engine {
    /// An engine for a stream of which `bytes` bytes are known; it allocates no more than they need.
    pub fn new(settings: Settings, bytes: usize) -> Engine {
        // A line gives about three events; what needs more than a word for five bytes grows. The
        // fast lane wants room for the longest line in front of each.
        let words = (settings.chunk_words + 64).min(bytes / 5 + 48);
        Engine {
            settings,
            events: EventWriter::with_capacity(words),
            rest: Rest::Prefix,
            pos: 0,
            top: Frame { indent: -1, state: State::RootDone },
            frames: Vec::with_capacity(16),
            flow: Vec::new(),
            flow_root: super::flow::FlowRoot::default(),
            properties: Properties::default(),
            directives: Directives { allowed: true, ..Directives::default() },
            prefixes: Prefixes::default(),
            comment_mark: 0,
            awaited_at: 0,
            base: 0,
            fault: None,
            warnings: Vec::new(),
            warned_to: 0,
        }
    }

    /// Parses until the chunk is full, the bytes at hand or the stream end, or the input is wrong.
    /// Lines are begun only in front of `limit`.
    #[inline(always)]
    pub fn run<L: Lanes>(&mut self, lanes: L, text: Text<'_>, limit: usize) -> Outcome {
        loop {
            let step = match self.rest {
                Rest::Line => self.lines(lanes, text, limit),
                Rest::Flow => self.flow_tokens(lanes, text),
                Rest::Node { line, context, tabbed } => {
                    lanes.outline(OneNode { engine: self, text, line, context, tabbed })
                }
                Rest::Prefix => self.prefix(text, limit),
                Rest::End => return Outcome::Done,
            };
            match step {
                Ok(pos) => self.pos = pos,
                Err(Halt::Unfinished) => return Outcome::Unfinished,
                Err(Halt::Failed) => return Outcome::Failed,
            }
            if self.is_chunk_full() {
                return Outcome::Chunk;
            }
            if self.pos >= limit && matches!(self.rest, Rest::Line | Rest::Prefix) {
                if self.pos < text.bytes.len() {
                    // Whole lines are left over only where `limit` keeps the offsets small.
                    return if self.pos < text.lines_end {
                        Outcome::Chunk
                    } else {
                        Outcome::Unfinished
                    };
                }
                if !text.is_last {
                    return Outcome::Unfinished;
                }
                if let Err(halt) = self.end_of_stream(text) {
                    return if halt == Halt::Failed {
                        Outcome::Failed
                    } else {
                        Outcome::Unfinished
                    };
                }
            }
        }
    }

    /// Block lines until something else has to be done.
    #[inline(always)]
    fn lines<L: Lanes>(&mut self, lanes: L, text: Text<'_>, limit: usize) -> Step {
        loop {
            if !self.properties.any && self.settings.has_fast_lanes {
                self.fast_lines(lanes, text, limit);
            }
            // At least one line each time: what is held back may fill a small chunk by itself.
            match self.rest {
                Rest::Line if self.pos < limit => {
                    self.pos = lanes.outline(OneLine { engine: self, text })?;
                }
                Rest::Node { line, context, tabbed } => {
                    let node = OneNode { engine: self, text, line, context, tabbed };
                    self.pos = lanes.outline(node)?;
                }
                _ => return Ok(self.pos),
            }
            if self.rest != Rest::Line || self.events.len() >= self.settings.chunk_words {
                return Ok(self.pos);
            }
        }
    }

    /// Notes what is wrong at `at`.
    #[cold]
    #[inline(never)]
    pub fn fail(&mut self, problem: Problem, at: usize, len: usize) -> Halt {
        self.fault = Some(Fault { problem, at: self.base + at as u64, len, related: None });
        Halt::Failed
    }

    /// Notes what is wrong at `at`, and the place `related` that explains it.
    #[cold]
    #[inline(never)]
    pub fn fail_with(&mut self, problem: Problem, at: usize, len: usize, related: usize) -> Halt {
        let related = Some(self.base + related as u64);
        self.fault = Some(Fault { problem, at: self.base + at as u64, len, related });
        Halt::Failed
    }

    /// Notes what is wrong at `at`, and the place at offset `related` of the stream.
    #[cold]
    #[inline(never)]
    pub fn fail_with_offset(
        &mut self,
        problem: Problem,
        at: usize,
        len: usize,
        related: u64,
    ) -> Halt {
        let at = self.base + at as u64;
        self.fault = Some(Fault { problem, at, len, related: Some(related) });
        Halt::Failed
    }

    /// In lenient mode notes a warning and goes on, otherwise fails.
    #[cold]
    #[inline(never)]
    pub fn warn_or_fail(&mut self, problem: Problem, at: usize, len: usize) -> Result<(), Halt> {
        if !self.settings.lenient {
            return Err(self.fail(problem, at, len));
        }
        let fault = Fault { problem, at: self.base + at as u64, len, related: None };
        self.warn(fault);
        Ok(())
    }

    /// Keeps the first warnings; a stream that is wrong on each line must not fill the memory. They
    /// come in the order of the text, so one further up comes from a token that is scanned again.
    pub fn warn(&mut self, fault: Fault) {
        if fault.at >= self.warned_to && self.warnings.len() < WARNINGS_MAX {
            self.warned_to = fault.at + 1;
            self.warnings.push(fault);
        }
    }

    /// The least column that a flow node's further lines must reach.
    // [197] s-l+flow-in-block.
    //
    // example: quoted_scalar_at_the_column_of_its_key
    //     a: "b
    //     c"
    // error: QuotedIndentation
    #[inline(always)]
    pub fn flow_indent(&self) -> usize {
        (self.top.indent + 1) as usize
    }

    /// Opens a block collection.
    #[inline(always)]
    pub fn open_block(&mut self, at: usize, frame: Frame) -> Result<(), Halt> {
        self.frames.push(Frame { state: self.top.state.done(), ..self.top });
        self.top = frame;
        self.check_depth(at)
    }

    /// Checks the nesting against its budget.
    #[inline(always)]
    pub fn check_depth(&mut self, at: usize) -> Result<(), Halt> {
        let depth = (self.frames.len() + self.flow.len()) as u64;
        if depth > self.settings.limits.max_depth.base {
            return self.check_great_depth(at, depth);
        }
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn check_great_depth(&mut self, at: usize, depth: u64) -> Result<(), Halt> {
        if self.settings.limits.max_depth.allows(depth, self.base + at as u64) {
            return Ok(());
        }
        Err(self.fail(Problem::TooDeep(depth), at, 1))
    }

    /// Closes the innermost block collection in front of the text at `at`.
    #[inline(always)]
    pub fn close_block(&mut self, at: usize) -> Result<(), Halt> {
        if self.top.state.awaits_node() || self.top.state == State::MappingExplicitKeyDone {
            self.settle_unfinished(at)?;
        }
        let kind = if self.top.state.is_sequence() {
            EventKind::SequenceEnd
        } else {
            EventKind::MappingEnd
        };
        self.events.push_short(kind, Flags::NONE, at, 0);
        if let Some(frame) = self.frames.pop() {
            self.top = frame;
        }
        Ok(())
    }

    /// Gives the innermost collection, which is about to be closed, the empty nodes it lacks.
    // [106] e-node.
    //
    // example: value_that_is_not_there
    //     a:
    //       b:
    // events: +MAP =VAL :a +MAP =VAL :b =VAL : -MAP -MAP
    #[inline(never)]
    fn settle_unfinished(&mut self, at: usize) -> Result<(), Halt> {
        if self.top.state.awaits_node() {
            self.empty_node(at)?;
        }
        if self.top.state == State::MappingExplicitKeyDone {
            self.awaited_at = at;
            self.empty_node(at)?;
            self.top.state = State::MappingKey;
        }
        Ok(())
    }

    /// The awaited node turned out to be empty; properties may have been written for it.
    // [105] e-scalar.
    //
    // example: properties_of_an_empty_node
    //     a: &b
    // events: +MAP =VAL :a =VAL &b : -MAP
    #[inline(never)]
    pub fn empty_node(&mut self, at: usize) -> Result<(), Halt> {
        self.emit_all_properties()?;
        let place = self.empty_place(at);
        self.events.push_short(EventKind::Plain, Flags::NONE, place, 0);
        self.top.state = self.top.state.done();
        Ok(())
    }

    /// Where an empty node stands that ends in front of `at`: right behind the indicator that it
    /// belongs to. After long comments it stands at `at`, so that a reader need not keep those.
    pub fn empty_place(&self, at: usize) -> usize {
        match at.checked_sub(self.awaited_at) {
            Some(distance) if distance <= AWAITED_BYTES => self.awaited_at,
            _ => at,
        }
    }

    /// Moves all offsets when the text at hand loses its first `shift` bytes.
    pub fn shift(&mut self, shift: usize) {
        self.pos -= shift;
        self.base += shift as u64;
        self.comment_mark = self.comment_mark.saturating_sub(shift);
        self.awaited_at = self.awaited_at.checked_sub(shift).unwrap_or(usize::MAX);
        self.directives.first = self.directives.first.map(|at| at - shift);
        if let Rest::Node { line, .. } = &mut self.rest {
            *line = line.saturating_sub(shift);
        }
        self.properties.shift(shift);
    }

    /// The first byte that a later step may look at again.
    pub fn keep_from(&self) -> usize {
        let mut keep = self.pos;
        if let Rest::Node { line, .. } = self.rest {
            keep = keep.min(line);
        }
        if let Some(start) = self.events.start_at(0) {
            keep = keep.min(start);
        }
        // Where the directives start is shown when their document does not come.
        let directives = self.directives.first.unwrap_or(usize::MAX);
        if self.pos.saturating_sub(self.awaited_at) <= AWAITED_BYTES {
            keep = keep.min(self.awaited_at);
        }
        keep.min(directives).min(self.properties.first_start()).min(self.flow_keep_from())
    }

    /// Whether there is a chunk to hand over. What is held back stays behind, so a chunk must be
    /// worth the copying of that.
    #[inline(always)]
    pub fn is_chunk_full(&self) -> bool {
        self.events.len() >= self.settings.chunk_words && self.has_enough_ready()
    }

    #[inline(never)]
    fn has_enough_ready(&self) -> bool {
        self.ready_words() >= self.settings.chunk_words.div_ceil(2)
    }

    /// How many words may be handed over. The last plain scalar may go on in the next line, and a
    /// flow collection may yet turn out to be a key.
    pub fn ready_words(&self) -> usize {
        let len = self.events.len();
        if self.rest == Rest::Flow {
            return self.flow_ready_words(len);
        }
        match self.events.last() {
            Some((index, event)) if event.kind == EventKind::Plain && self.rest == Rest::Line => {
                index
            }
            _ => len,
        }
    }
}
