//! The state of the engine, which says what is open, what is awaited, and where to resume.

use crate::fault::Fault;
use crate::limits::Limits;

/// Why a step stopped early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    /// The buffer ends inside a token. Nothing has changed since the checkpoint.
    NeedMoreInput,
    /// The input is invalid; the fault has been recorded.
    Failed,
}

/// The offset where a step ended, or why it stopped early.
pub(crate) type Step = Result<usize, Halt>;

/// The result of running the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The chunk is full, or the window has to move.
    Chunk,
    /// More input is needed.
    NeedMoreInput,
    /// The stream has ended.
    Done,
    /// The input is invalid.
    Failed,
    /// Nothing was parsed, because the characters of the text have to be checked first.
    Unchecked,
}

/// What an open block collection expects next. The bits of a value encode whether a node is awaited
/// ([`AWAITS`]) and whether the collection is a sequence (1) or a mapping (2); the other bits
/// distinguish the states of a mapping.
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
    /// After the `:` that belongs to a `?`.
    MappingAwaitsExplicitValue = 0x8A,
}

const AWAITS: u8 = 0x80;

impl State {
    /// Returns whether a node must come next.
    #[inline(always)]
    pub fn awaits_node(self) -> bool {
        self as u8 & AWAITS != 0
    }

    /// Returns the state after the awaited node.
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

    /// Returns whether the state is one of a block mapping.
    #[inline(always)]
    pub fn is_mapping(self) -> bool {
        self as u8 & 2 != 0
    }

    /// Returns whether the state is one of a block sequence.
    #[inline(always)]
    pub fn is_sequence(self) -> bool {
        self as u8 & 1 != 0
    }
}

/// An open block collection, or the root of the document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// The column of the entries; -1 at the root.
    pub indent: isize,
    pub state: State,
}

impl Frame {
    /// The root between two documents.
    pub const ROOT: Frame = Frame { indent: -1, state: State::RootDone };
}

/// The context of a node, which decides what it may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Context {
    /// At an entry of the open mapping, where a key must follow.
    Entry,
    /// At an entry of the open sequence, where a `-` must follow.
    Item,
    /// At the `:` that belongs to a `?`.
    ExplicitValue,
    /// On a line of its own, or after `-`, `?` or the `:` of an explicit key, where a block
    /// collection may start.
    Block,
    /// After the `:` of an implicit key or a `---`, where no block collection may start on this
    /// line.
    Inline,
}

/// The start of a node in block context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeStart {
    /// The start of the node's line.
    pub line: usize,
    pub at: usize,
    pub context: Context,
    /// Whether a tab precedes the node on its line, so that no block collection may start there.
    pub tabbed: bool,
}

/// The point at which the engine resumes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Checkpoint {
    /// At the start of a line between documents.
    Prefix,
    /// At the start of a line in a document.
    Line,
    /// Before a node on the line that starts at `line`.
    Node { line: usize, context: Context, tabbed: bool },
    /// Between two tokens of a flow collection.
    Flow,
    /// At the end of the stream.
    End,
}

/// The directives before the next document.
#[derive(Clone, Debug, Default)]
pub(crate) struct Directives {
    /// Whether directives are allowed here, as they are at the start of the stream and after a
    /// `...`.
    pub allowed: bool,
    /// The offset of the first directive, which requires a `---` after it.
    pub first: Option<usize>,
    pub has_version: bool,
    /// The declared tag handles, possibly including `!` and `!!`, each with the length of its
    /// prefix. A sorted list is enough because `max_tag_handles` keeps it short. With a map from
    /// the standard library, the fast path would spill registers, which costs 3% of the time on
    /// block style.
    pub handles: Vec<(Box<[u8]>, usize)>,
}

impl Directives {
    /// Returns the directives at the start of a stream: there are none yet, but they are allowed.
    pub fn first() -> Directives {
        Directives { allowed: true, ..Directives::default() }
    }

    /// Returns whether the document has no directives.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        !self.has_version && self.handles.is_empty()
    }

    /// Returns the index of `handle` in `handles` or, as an error, the index at which to insert it.
    pub fn search(&self, handle: &[u8]) -> Result<usize, usize> {
        self.handles.binary_search_by(|(known, _)| (**known).cmp(handle))
    }

    /// Returns the length in bytes of the prefix that `handle` stands for, or `None` if the handle
    /// is not declared.
    pub fn prefix_len(&self, handle: &[u8]) -> Option<usize> {
        let index = self.search(handle).ok()?;
        self.handles.get(index).map(|&(_, prefix_len)| prefix_len)
    }
}

/// The total expansion of long tag prefixes in the stream.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Prefixes {
    pub bytes: u64,
    /// The offset in the stream after the last tag counted, so that a repeated step does not count
    /// it twice.
    pub counted_to: u64,
}

/// The settings of the engine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    pub lenient: bool,
    pub final_break: bool,
    pub limits: Limits,
    /// A chunk is yielded once it has this many words.
    pub chunk_words: usize,
    /// Whether the limits allow everything that the fast path accepts without checking its length.
    pub has_fast_path: bool,
}

/// What an open flow collection expects next. A pair is a mapping of one entry in a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FlowState {
    SequenceEntry,
    SequenceAfterEntry,
    MappingKey,
    MappingExplicitKey,
    MappingAfterKey,
    MappingValue,
    MappingAfterValue,
    PairExplicitKey,
    PairAfterKey,
    PairValue,
    PairAfterValue,
}

impl FlowState {
    /// Returns whether a node may come next.
    #[inline(always)]
    pub fn awaits_node(self) -> bool {
        use FlowState::*;
        matches!(
            self,
            SequenceEntry
                | MappingKey
                | MappingExplicitKey
                | MappingValue
                | PairExplicitKey
                | PairValue
        )
    }

    /// Returns the state after the awaited node.
    #[inline(always)]
    pub fn done(self) -> FlowState {
        use FlowState::*;
        match self {
            SequenceEntry => SequenceAfterEntry,
            MappingKey | MappingExplicitKey => MappingAfterKey,
            MappingValue => MappingAfterValue,
            PairExplicitKey => PairAfterKey,
            PairValue => PairAfterValue,
            done => done,
        }
    }

    /// Returns whether the innermost collection is a pair in a flow sequence.
    pub fn is_pair(self) -> bool {
        use FlowState::*;
        matches!(self, PairExplicitKey | PairAfterKey | PairValue | PairAfterValue)
    }

    /// Returns whether the state is one of a flow sequence.
    pub fn is_sequence(self) -> bool {
        matches!(self, FlowState::SequenceEntry | FlowState::SequenceAfterEntry)
    }
}

/// An open flow collection. Offsets and indices count from the start of the stream, so they stay
/// valid when the window moves or a chunk is consumed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FlowFrame {
    pub state: FlowState,
    /// Whether the last node was quoted or a flow collection, so that a `:` after it is an
    /// indicator even if no blank follows.
    pub adjacent: bool,
    pub start: u64,
    /// The index in the stream of the collection's first word, which is its no-op if it has one.
    pub first_word: u64,
}

/// A flow collection that was just closed in a sequence and may still be the key of a pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeyCandidate {
    pub start: u64,
    pub first_word: u64,
}

/// The state of the outermost flow collection, which is needed when it closes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FlowRoot {
    pub context: Context,
    pub tabbed: bool,
    /// The start of the block line on which the collection opens.
    pub line: u64,
    /// The column of the mapping that would start here if the collection were its first key.
    pub column: isize,
    /// A conflict between properties on two lines, which is not an error if the collection is a
    /// key.
    pub conflict: Option<Fault>,
    /// The start of the current line.
    pub current_line: u64,
    /// The number of words yielded before those in the buffer.
    pub words_taken: u64,
    pub closed: Option<KeyCandidate>,
}

impl FlowRoot {
    /// Returns the state of a collection without properties that opens at `column` of the line at
    /// `line`.
    #[inline(always)]
    pub fn simple(context: Context, line: u64, column: isize) -> FlowRoot {
        FlowRoot { context, line, column, current_line: line, ..FlowRoot::default() }
    }

    /// Returns the index in the stream of the word that follows the first `words` words in the
    /// buffer.
    #[inline(always)]
    pub fn word_index(&self, words: usize) -> u64 {
        self.words_taken + words as u64
    }

    /// Returns whether the collection is valid even if it is not a key.
    #[inline(always)]
    pub fn is_simple(&self) -> bool {
        self.conflict.is_none() && self.context != Context::Entry
    }
}

impl Default for FlowRoot {
    #[inline(always)]
    fn default() -> Self {
        FlowRoot {
            context: Context::Inline,
            tabbed: false,
            line: 0,
            column: 0,
            conflict: None,
            current_line: 0,
            words_taken: 0,
            closed: None,
        }
    }
}

/// The line that is recorded for all properties in flow context, where their line makes no
/// difference.
pub(super) const FLOW_LINE: usize = usize::MAX;

/// The span of an anchor or a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub start: usize,
    pub len: usize,
}

/// The properties of one node.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Set {
    pub anchor: Option<Span>,
    pub tag: Option<Span>,
}

impl Set {
    /// Returns whether the set has neither an anchor nor a tag.
    pub fn is_empty(&self) -> bool {
        self.anchor.is_none() && self.tag.is_none()
    }

    /// Returns the start of the first property of the set, or `usize::MAX` if there is none.
    pub fn first_start(&self) -> usize {
        let start = |span: Option<Span>| span.map_or(usize::MAX, |span| span.start);
        start(self.anchor).min(start(self.tag))
    }
}

/// The properties that are waiting for their node.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Properties {
    /// Whether there are any properties. The fast path checks only this.
    pub any: bool,
    pub outer: Set,
    pub inner: Set,
    /// The start of the line of `inner`.
    pub inner_line: usize,
    /// The start of the first property on that line.
    pub inner_start: usize,
}

impl Properties {
    /// Returns whether there are properties on the line that starts at `line`.
    #[inline(always)]
    pub fn on_line(&self, line: usize) -> bool {
        self.any && self.inner_line == line && !self.inner.is_empty()
    }

    /// Adjusts all offsets after the buffered text has lost its first `shift` bytes.
    pub fn shift(&mut self, shift: usize) {
        if self.inner_line != FLOW_LINE {
            self.inner_line = self.inner_line.saturating_sub(shift);
        }
        self.inner_start = self.inner_start.saturating_sub(shift);
        for set in [&mut self.outer, &mut self.inner] {
            for span in [&mut set.anchor, &mut set.tag].into_iter().flatten() {
                span.start -= shift;
            }
        }
    }

    /// Returns the start of the first property of both sets, or `usize::MAX` if there is none.
    pub fn first_start(&self) -> usize {
        self.outer.first_start().min(self.inner.first_start())
    }
}
