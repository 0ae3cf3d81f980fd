//! The engine's state, and the loop that runs it from one checkpoint to the next.

use super::state::{
    Checkpoint, Context, Directives, FlowFrame, FlowRoot, Frame, Halt, Outcome, Prefixes,
    Properties, Settings, State, Step,
};
use crate::event::{EventKind, EventWriter, Flags};
use crate::fault::Fault;
use crate::problem::Problem;
use crate::scan::text::Text;
use ketch_bytes::{Kernel, Lanes};

/// The maximum number of warnings kept.
pub(super) const WARNINGS_MAX: usize = 1000;

/// The maximum number of bytes between an indicator and the token that follows its empty node. If
/// the token is farther away, the empty node is placed directly before the token instead of after
/// the indicator, so that a reader need not buffer the gap.
const AWAITED_BYTES: usize = 4096;

/// The maximum number of open collections whose memory is kept when an engine is reused.
const KEPT_FRAMES_MAX: usize = 1024;

/// The number of open collections for which memory is allocated at the start.
const FRAMES_LEAST: usize = 16;

/// Returns the initial capacity for the events of a stream of `bytes` bytes, in words.
///
/// A line yields about three events. If a stream needs more than one word per five bytes, the
/// buffer grows. The fast path starts a line only if the buffer has space for the events of the
/// longest line.
#[inline(always)]
fn first_words(settings: &Settings, bytes: usize) -> usize {
    (settings.chunk_words + 64).min(bytes / 5 + 48)
}

/// Parses one line of any kind, in a separate kernel so that its code is not inlined.
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

/// Parses a node and the rest of its line, in a separate kernel so that its code is not inlined.
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

/// The state machine of the parser. All offsets are relative to the start of the buffered text.
#[derive(Debug)]
pub(crate) struct Engine {
    pub settings: Settings,
    pub events: EventWriter,
    pub checkpoint: Checkpoint,
    pub pos: usize,
    /// The innermost open block collection; the others are in `frames`.
    pub top: Frame,
    pub frames: Vec<Frame>,
    pub flow: Vec<FlowFrame>,
    /// The state of the outermost flow collection, which is needed when it closes.
    pub flow_root: FlowRoot,
    pub properties: Properties,
    pub directives: Directives,
    pub prefixes: Prefixes,
    /// The offset of the last comment plus one, or zero if there is none or it is no longer
    /// buffered.
    pub comment_mark: usize,
    /// The offset after the indicator whose node is awaited. If the node is empty, this is its
    /// position.
    pub awaited_at: usize,
    /// The number of bytes of the stream before the buffered text.
    pub base: u64,
    pub fault: Option<Fault>,
    pub warnings: Vec<Fault>,
    /// The offset in the stream after the start of the last warning.
    warned_to: u64,
}

/// Returns the offset of an empty node before the token at `at`: directly after the node's
/// indicator, which ends at `awaited_at`, or, if that is far away, `at` itself.
#[inline(always)]
pub(super) fn empty_node_offset(awaited_at: usize, at: usize) -> usize {
    match at.checked_sub(awaited_at) {
        Some(distance) if distance <= AWAITED_BYTES => awaited_at,
        _ => at,
    }
}

impl Engine {
    /// Creates an engine with `settings` for a stream of at least `bytes` bytes. Allocates no more
    /// memory than such a stream needs.
    pub fn new(settings: Settings, bytes: usize) -> Engine {
        Engine {
            settings,
            events: EventWriter::with_capacity(first_words(&settings, bytes)),
            checkpoint: Checkpoint::Prefix,
            pos: 0,
            top: Frame::ROOT,
            frames: Vec::with_capacity(FRAMES_LEAST),
            flow: Vec::new(),
            flow_root: FlowRoot::default(),
            properties: Properties::default(),
            directives: Directives::first(),
            prefixes: Prefixes::default(),
            comment_mark: 0,
            awaited_at: 0,
            base: 0,
            fault: None,
            warnings: Vec::new(),
            warned_to: 0,
        }
    }

    /// Resets this engine to the state of a [new](Engine::new) one with `new_settings`, for a
    /// stream of at least `bytes` bytes, but keeps its memory. This is done in place, because
    /// moving the engine would take longer than parsing a text of a few bytes.
    #[inline(always)]
    pub fn renew(&mut self, new_settings: Settings, bytes: usize) {
        // All fields are named, so that none is forgotten.
        let Engine {
            settings,
            events,
            checkpoint,
            pos,
            top,
            frames,
            flow,
            flow_root,
            properties,
            directives,
            prefixes,
            comment_mark,
            awaited_at,
            base,
            fault,
            warnings,
            warned_to,
        } = self;
        events.empty(first_words(&new_settings, bytes));
        *settings = new_settings;
        *checkpoint = Checkpoint::Prefix;
        *top = Frame::ROOT;
        frames.clear();
        frames.reserve(FRAMES_LEAST);
        flow.clear();
        *flow_root = FlowRoot::default();
        *properties = Properties::default();
        *directives = Directives::first();
        *prefixes = Prefixes::default();
        [*pos, *comment_mark, *awaited_at] = [0; 3];
        [*base, *warned_to] = [0; 2];
        *fault = None;
        warnings.clear();
    }

    /// Frees the stacks of open collections if deep nesting has made them large.
    pub fn free_excess(&mut self) {
        if self.frames.capacity().max(self.flow.capacity()) > KEPT_FRAMES_MAX {
            (self.frames, self.flow) = (Vec::new(), Vec::new());
        }
    }

    /// Parses until the chunk is full, all buffered bytes have been parsed, the stream ends, or the
    /// input turns out to be invalid. Does not start a line at or after `limit`.
    #[inline(always)]
    pub fn run<L: Lanes>(&mut self, lanes: L, text: Text<'_>, limit: usize) -> Outcome {
        loop {
            let step = match self.checkpoint {
                Checkpoint::Line => self.lines(lanes, text, limit),
                Checkpoint::Flow => self.flow_tokens(lanes, text),
                Checkpoint::Node { line, context, tabbed } => {
                    lanes.outline(OneNode { engine: self, text, line, context, tabbed })
                }
                Checkpoint::Prefix => self.prefix(text, limit),
                Checkpoint::End => return Outcome::Done,
            };
            match step {
                Ok(pos) => self.pos = pos,
                Err(Halt::NeedMoreInput) => return Outcome::NeedMoreInput,
                Err(Halt::Failed) => return Outcome::Failed,
            }
            if self.is_chunk_full() {
                return Outcome::Chunk;
            }
            if self.pos >= limit && matches!(self.checkpoint, Checkpoint::Line | Checkpoint::Prefix)
            {
                if self.pos < text.bytes.len() {
                    // Complete lines can remain only if `limit` is before them.
                    return if self.pos < text.lines_end {
                        Outcome::Chunk
                    } else {
                        Outcome::NeedMoreInput
                    };
                }
                if !text.is_last {
                    return Outcome::NeedMoreInput;
                }
                if let Err(halt) = self.end_of_stream(text) {
                    return if halt == Halt::Failed {
                        Outcome::Failed
                    } else {
                        Outcome::NeedMoreInput
                    };
                }
            }
        }
    }

    /// Parses lines in block context until the chunk is full, `limit` is reached, or something else
    /// has to be parsed, such as the rest of a flow collection. Returns the offset at which to
    /// continue.
    #[inline(always)]
    fn lines<L: Lanes>(&mut self, lanes: L, text: Text<'_>, limit: usize) -> Step {
        let mut is_rare = false;
        loop {
            if !self.properties.any && self.settings.has_fast_path {
                self.fast_lines(lanes, text, limit, is_rare);
            }
            // Each call has to parse at least one line, because held-back events alone may fill a
            // small chunk.
            match self.checkpoint {
                Checkpoint::Line if self.pos < limit => {
                    self.pos = lanes.outline(OneLine { engine: self, text })?;
                }
                Checkpoint::Node { line, context, tabbed } => {
                    is_rare = matches!(text.byte(self.pos), b'&' | b'!' | b'-' | b'|' | b'>');
                    let node = OneNode { engine: self, text, line, context, tabbed };
                    self.pos = lanes.outline(node)?;
                }
                _ => return Ok(self.pos),
            }
            if self.checkpoint != Checkpoint::Line || self.events.len() >= self.settings.chunk_words
            {
                return Ok(self.pos);
            }
        }
    }

    /// Records a fault for `problem` in the `len` bytes at `at`, and returns the halt for it.
    #[cold]
    #[inline(never)]
    pub fn fail(&mut self, problem: Problem, at: usize, len: usize) -> Halt {
        self.fault = Some(Fault { problem, at: self.base + at as u64, len, related: None });
        Halt::Failed
    }

    /// Records a fault for `problem` in the `len` bytes at `at`, and returns the halt for it.
    /// `related` is the offset in the buffered text of something that explains the fault, such as
    /// an opening quote.
    #[cold]
    #[inline(never)]
    pub fn fail_with(&mut self, problem: Problem, at: usize, len: usize, related: usize) -> Halt {
        let related = Some(self.base + related as u64);
        self.fault = Some(Fault { problem, at: self.base + at as u64, len, related });
        Halt::Failed
    }

    /// Does what [`Engine::fail_with`] does, except that `related` is an offset in the stream,
    /// whose text may no longer be buffered.
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

    /// In lenient mode, records a warning for `problem` in the `len` bytes at `at`, so that parsing
    /// continues. Otherwise, fails there.
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

    /// Records the warning `fault`. Only the first [`WARNINGS_MAX`] are kept, so that a stream with
    /// a warning on each line does not fill the memory. Warnings arrive in the order of the text,
    /// so a warning at an earlier offset means that a token is being rescanned, and is ignored.
    pub fn warn(&mut self, fault: Fault) {
        if fault.at >= self.warned_to && self.warnings.len() < WARNINGS_MAX {
            self.warned_to = fault.at + 1;
            self.warnings.push(fault);
        }
    }

    /// Returns the minimum indentation, in columns, of the continuation lines of a flow node.
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

    /// Opens a block collection at `at`, with `frame` as its state. Fails if the collection is
    /// nested too deeply.
    #[inline(always)]
    pub fn open_block(&mut self, at: usize, frame: Frame) -> Result<(), Halt> {
        self.frames.push(Frame { state: self.top.state.done(), ..self.top });
        self.top = frame;
        self.check_depth(at)
    }

    /// Fails at `at` if more collections are open than the limit allows.
    #[inline(always)]
    pub fn check_depth(&mut self, at: usize) -> Result<(), Halt> {
        let depth = (self.frames.len() + self.flow.len()) as u64;
        if depth > self.settings.limits.max_depth.base {
            return self.check_great_depth(at, depth);
        }
        Ok(())
    }

    /// Checks a `depth` that is too great for a small input. It may be allowed at `at`, because the
    /// limit grows with the input.
    #[cold]
    #[inline(never)]
    fn check_great_depth(&mut self, at: usize, depth: u64) -> Result<(), Halt> {
        if self.settings.limits.max_depth.allows(depth, self.base + at as u64) {
            return Ok(());
        }
        Err(self.fail(Problem::TooDeep(depth), at, 1))
    }

    /// Closes the innermost block collection before the text at `at`, and first adds the empty
    /// nodes that it lacks.
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

    /// Adds the empty nodes that the innermost block collection lacks, so that it can be closed
    /// before the text at `at`.
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

    /// Writes the awaited node as an empty node before the token at `at`, with its properties if
    /// there are any.
    // [105] e-scalar.
    //
    // example: properties_of_an_empty_node
    //     a: &b
    // events: +MAP =VAL :a =VAL &b : -MAP
    #[inline(never)]
    pub fn empty_node(&mut self, at: usize) -> Result<(), Halt> {
        self.emit_all_properties()?;
        let start = empty_node_offset(self.awaited_at, at);
        self.events.push_short(EventKind::Plain, Flags::NONE, start, 0);
        self.top.state = self.top.state.done();
        Ok(())
    }

    /// Adjusts all offsets after the buffered text has lost its first `shift` bytes.
    pub fn shift(&mut self, shift: usize) {
        self.pos -= shift;
        self.base += shift as u64;
        self.comment_mark = self.comment_mark.saturating_sub(shift);
        self.awaited_at = self.awaited_at.checked_sub(shift).unwrap_or(usize::MAX);
        self.directives.first = self.directives.first.map(|at| at - shift);
        if let Checkpoint::Node { line, .. } = &mut self.checkpoint {
            *line = line.saturating_sub(shift);
        }
        self.properties.shift(shift);
    }

    /// Returns the offset of the first byte that is still needed. The bytes before it may be dropped
    /// from the buffer.
    pub fn keep_from(&self) -> usize {
        let mut keep = self.pos;
        if let Checkpoint::Node { line, .. } = self.checkpoint {
            keep = keep.min(line);
        }
        if let Some(start) = self.events.start_at(0) {
            keep = keep.min(start);
        }
        // The error for a missing document points to the first directive.
        let directives = self.directives.first.unwrap_or(usize::MAX);
        if self.pos.saturating_sub(self.awaited_at) <= AWAITED_BYTES {
            keep = keep.min(self.awaited_at);
        }
        keep.min(directives).min(self.properties.first_start()).min(self.flow_keep_from())
    }

    /// Returns whether there is a chunk to yield. Events that are held back have to be copied to
    /// the next chunk, so the words to yield must be numerous enough to be worth this.
    #[inline(always)]
    pub fn is_chunk_full(&self) -> bool {
        self.events.len() >= self.settings.chunk_words && self.has_enough_ready()
    }

    /// Returns whether the words that may be yielded make up at least half of a chunk.
    #[inline(never)]
    fn has_enough_ready(&self) -> bool {
        self.ready_words() >= self.settings.chunk_words.div_ceil(2)
    }

    /// Returns the number of words that may be yielded. A plain scalar at the end is not among
    /// them, because it may continue on the next line, nor is a flow collection that may still turn
    /// out to be a key.
    pub fn ready_words(&self) -> usize {
        let len = self.events.len();
        if self.checkpoint == Checkpoint::Flow {
            return self.flow_ready_words(len);
        }
        match self.events.last() {
            Some((index, event))
                if event.kind == EventKind::Plain && self.checkpoint == Checkpoint::Line =>
            {
                index
            }
            _ => len,
        }
    }
}
