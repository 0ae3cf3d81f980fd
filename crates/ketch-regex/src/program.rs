//! Compiles a tree to an NFA of regex-automata. A vector of tasks takes the place of recursion.

use std::collections::HashMap;

use regex_automata::nfa::thompson::{BuildError, Builder, NFA, Transition};
use regex_automata::util::look::Look;
use regex_automata::util::primitives::StateID;
use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};
use regex_syntax::utf8::Utf8Sequences;

use crate::budget::Allowance;
use crate::error::{Error, Result};
use crate::problem::Problem;
use crate::sets::Sets;
use crate::syntax::{Assertion, Charset, Group, Kind, Mode, NodeId, Span, Tree};
use crate::{fold, regular};

/// The look that stands for `\Z` in programs that only our own machine runs.
pub(crate) const TEXT_END_LINE: Look = Look::EndCRLF;

/// The kind of program to compile.
#[derive(Clone, Copy)]
pub(crate) struct Target {
    /// Whether the program searches backward, without captures.
    pub(crate) reverse: bool,
    /// Whether `\Z` has its own meaning. Otherwise, it has the meaning of `\z`.
    pub(crate) exact: bool,
    pub(crate) binary: bool,
    /// Whether the program may match more than the pattern. In such a program, constructs that
    /// automata cannot match are left out, or match anything.
    pub(crate) wider: bool,
}

/// A part of the program, with its first state and the state that leads out of it.
type Part = (StateID, StateID);

enum Task {
    Node(NodeId),
    /// Joins this number of the last parts in sequence.
    Join(usize),
    /// Makes this number of the last parts alternatives.
    Choose(usize),
    /// Compiles the next copy of a repeat, or its end.
    Repeat(NodeId, u32, bool),
    Capture(u32),
    /// Compiles literals in either case.
    Run(Vec<char>),
}

pub(crate) struct Compiler<'t> {
    tree: &'t Tree,
    pattern: &'t str,
    sets: &'t Sets<'t>,
    target: Target,
    limits: Allowance<'t>,
    builder: &'t mut Builder,
    tasks: Vec<Task>,
    parts: Vec<Part>,
    steps: u64,
}

/// Compiles the node `root` of `tree` to a program.
pub(crate) fn compile(
    tree: &Tree,
    root: NodeId,
    pattern: &str,
    sets: &Sets<'_>,
    target: Target,
    limits: Allowance<'_>,
) -> Result<NFA> {
    let source = Source { tree, root, pattern, sets };
    let mut builder = Builder::new();
    let start = add(&mut builder, source, target, limits)?;
    finish(builder, vec![start]).map_err(|_| source.too_big(limits))
}

/// The input of the compiler.
#[derive(Clone, Copy)]
pub(crate) struct Source<'t> {
    pub(crate) tree: &'t Tree,
    pub(crate) root: NodeId,
    pub(crate) pattern: &'t str,
    pub(crate) sets: &'t Sets<'t>,
}

impl Source<'_> {
    /// Returns the error for a program that is too large.
    fn too_big(self, limits: Allowance<'_>) -> Error {
        let span = Span { start: 0, end: self.pattern.len() };
        Error::new(Problem::ProgramSize(limits.program_bytes), span, self.pattern)
    }
}

/// Adds a pattern to `builder`, and returns its start state.
pub(crate) fn add(
    builder: &mut Builder,
    source: Source<'_>,
    target: Target,
    limits: Allowance<'_>,
) -> Result<StateID> {
    let Source { tree, root, pattern, sets } = source;
    // The runs of bytes that stand for irregular constructs may end inside a character.
    builder.set_utf8(!target.binary && !target.wider);
    builder.set_reverse(target.reverse);
    builder.set_size_limit(Some(limits.program_bytes)).map_err(|_| source.too_big(limits))?;
    let mut compiler = Compiler {
        tree,
        pattern,
        sets,
        target,
        limits,
        builder,
        tasks: vec![Task::Node(root)],
        parts: Vec::new(),
        steps: 0,
    };
    compiler.run()
}

/// Returns the program of all patterns in `builder`. `starts` contains their start states, in
/// order.
pub(crate) fn finish(mut builder: Builder, starts: Vec<StateID>) -> Result<NFA, Box<BuildError>> {
    let start = match starts[..] {
        [start] => start,
        _ => builder.add_union(starts)?,
    };
    let unanchored = builder.add_union(vec![start])?;
    let any = builder.add_range(transition(0, 0xFF, unanchored))?;
    builder.patch(unanchored, any)?;
    builder.build(start, unanchored).map_err(Box::new)
}

impl Compiler<'_> {
    /// Returns an error for the whole pattern.
    fn fail(&self, problem: Problem) -> Error {
        Error::new(problem, Span { start: 0, end: self.pattern.len() }, self.pattern)
    }

    /// Returns the error for a program that is too large.
    fn too_big(&self) -> Error {
        self.fail(Problem::ProgramSize(self.limits.program_bytes))
    }

    fn run(&mut self) -> Result<StateID> {
        self.build().map_err(|stop| match stop {
            Stop::Size => self.too_big(),
            Stop::Error(error) => error,
        })
    }

    /// Compiles the pattern, and returns its start state.
    fn build(&mut self) -> Result<StateID, Stop> {
        self.builder.start_pattern()?;
        let start = if self.target.reverse {
            self.builder.add_empty()?
        } else {
            self.builder.add_capture_start(StateID::ZERO, 0, None)?
        };
        while let Some(task) = self.tasks.pop() {
            self.tick()?;
            self.task(task)?;
        }
        let (first, last) = self.pop()?;
        self.builder.patch(start, first)?;
        let end = if self.target.reverse {
            self.builder.add_empty()?
        } else {
            self.builder.add_capture_end(StateID::ZERO, 0)?
        };
        self.builder.patch(last, end)?;
        let matched = self.builder.add_match()?;
        self.builder.patch(end, matched)?;
        self.builder.finish_pattern(start)?;
        Ok(start)
    }

    /// Counts a step, and checks the time every 64 steps.
    fn tick(&mut self) -> Result<(), Stop> {
        self.steps += 1;
        if self.steps.is_multiple_of(64)
            && let Err(problem) = self.limits.check()
        {
            return Err(Stop::Error(self.fail(problem)));
        }
        Ok(())
    }

    /// Removes the last part and returns it. Returns an empty part if there is none.
    fn pop(&mut self) -> Result<Part, Stop> {
        match self.parts.pop() {
            Some(part) => Ok(part),
            None => {
                let empty = self.builder.add_empty()?;
                Ok((empty, empty))
            }
        }
    }

    /// Performs one task, which may add others.
    fn task(&mut self, task: Task) -> Result<(), Stop> {
        let part = match task {
            Task::Node(id) => return self.node(id),
            Task::Join(n) => {
                let mut parts = self.parts.split_off(self.parts.len() - n);
                if self.target.reverse {
                    parts.reverse();
                }
                for pair in parts.windows(2) {
                    self.builder.patch(pair[0].1, pair[1].0)?;
                }
                (parts[0].0, parts[n - 1].1)
            }
            Task::Choose(n) => {
                let parts = self.parts.split_off(self.parts.len() - n);
                self.choose(&parts)?
            }
            Task::Repeat(id, done, rest) => return self.repeat(id, done, rest),
            Task::Capture(group) => {
                let (first, last) = self.pop()?;
                let start = self.builder.add_capture_start(first, group, None)?;
                let end = self.builder.add_capture_end(StateID::ZERO, group)?;
                self.builder.patch(last, end)?;
                (start, end)
            }
            Task::Run(chars) => self.fold_run(&chars)?,
        };
        self.parts.push(part);
        Ok(())
    }

    /// Adds a choice between `parts`, which are tried in order.
    fn choose(&mut self, parts: &[Part]) -> Result<Part, Stop> {
        let union = self.builder.add_union(parts.iter().map(|part| part.0).collect())?;
        let end = self.builder.add_empty()?;
        for (_, last) in parts {
            self.builder.patch(*last, end)?;
        }
        Ok((union, end))
    }

    /// Compiles a node, or adds the tasks that do so.
    fn node(&mut self, id: NodeId) -> Result<(), Stop> {
        let tree = self.tree;
        let node = tree.node(id);
        let part = match &node.kind {
            Kind::Empty => {
                let empty = self.builder.add_empty()?;
                (empty, empty)
            }
            Kind::Char(code) if node.flags.ignore_case && !self.target.binary => {
                self.fold_run(&[char::from_u32(*code).unwrap_or('\0')])?
            }
            Kind::Char(_) | Kind::Any | Kind::Shorthand(..) | Kind::Property(..) => self.set(id)?,
            Kind::Class(..) | Kind::Posix(..) | Kind::Range(..) => match self.single(id) {
                Some(char) => self.fold_run(&[char])?,
                None => self.set(id)?,
            },
            Kind::Keep
            | Kind::Assertion(Assertion::SearchStart)
            | Kind::Group(Group::LookAhead { .. } | Group::LookBehind { .. }, _)
                if self.target.wider =>
            {
                let empty = self.builder.add_empty()?;
                (empty, empty)
            }
            Kind::Group(Group::Absence, _)
            | Kind::BackReference(..)
            | Kind::Call(_)
            | Kind::Grapheme
                if self.target.wider =>
            {
                let any = self.builder.add_union(Vec::new())?;
                let byte = self.builder.add_range(transition(0, 0xFF, any))?;
                let end = self.builder.add_empty()?;
                self.builder.patch(any, byte)?;
                self.builder.patch(any, end)?;
                (any, end)
            }
            Kind::LineBreak if self.target.wider => {
                let one = self.chars(&fold::line_breaks(self.target.binary))?;
                let two = self.fold_run(&['\r', '\n'])?;
                self.choose(&[one, two])?
            }
            Kind::Conditional { yes, no, .. } if self.target.wider => {
                self.tasks.push(Task::Choose(2));
                self.tasks.push(match no {
                    Some(no) => Task::Node(*no),
                    None => Task::Run(Vec::new()),
                });
                self.tasks.push(Task::Node(*yes));
                return Ok(());
            }
            Kind::Assertion(assertion) => {
                let look = self.look(*assertion, node.flags.charset);
                let state = self.builder.add_look(StateID::ZERO, look)?;
                (state, state)
            }
            Kind::Concat(items) => return self.concat(items),
            Kind::Alternation(branches) => {
                self.tasks.push(Task::Choose(branches.len()));
                self.tasks.extend(branches.iter().rev().map(|id| Task::Node(*id)));
                return Ok(());
            }
            Kind::Repeat { mode, .. } if self.target.wider || *mode != Mode::Possessive => {
                return self.repeat(id, 0, false);
            }
            Kind::Group(group, child)
                if self.target.wider || regular::construct(&node.kind).is_none() =>
            {
                if let Group::Plain(Some(number)) | Group::Named(number, _) = group
                    && !self.target.reverse
                {
                    self.tasks.push(Task::Capture(*number));
                }
                self.tasks.push(Task::Node(*child));
                return Ok(());
            }
            kind => {
                let problem = Problem::Irregular(regular::construct(kind).unwrap_or("this"));
                return Err(Stop::Error(Error::new(problem, node.span, self.pattern)));
            }
        };
        self.parts.push(part);
        Ok(())
    }

    /// Returns the look of regex-automata that corresponds to one of Ruby's assertions.
    fn look(&self, assertion: Assertion, charset: Charset) -> Look {
        let ascii = self.target.binary || charset == Charset::Ascii;
        let look = match assertion {
            Assertion::LineStart => Look::StartLF,
            Assertion::LineEnd => Look::EndLF,
            Assertion::TextStart => Look::Start,
            Assertion::TextEndLine if self.target.wider => Look::EndLF,
            Assertion::TextEndLine if self.target.exact => TEXT_END_LINE,
            Assertion::TextEnd | Assertion::TextEndLine => Look::End,
            Assertion::Word if ascii => Look::WordAscii,
            Assertion::NotWord if ascii => Look::WordAsciiNegate,
            Assertion::Word => Look::WordUnicode,
            Assertion::NotWord => Look::WordUnicodeNegate,
            Assertion::SearchStart => Look::Start,
        };
        if self.target.reverse { look.reversed() } else { look }
    }

    /// Compiles nodes in sequence. Adjacent literals under `i` are compiled together, because "ss"
    /// also matches ß.
    fn concat(&mut self, items: &[NodeId]) -> Result<(), Stop> {
        let mut tasks = Vec::with_capacity(items.len());
        for id in items {
            match self.single(*id) {
                Some(char) => match tasks.last_mut() {
                    Some(Task::Run(chars)) if regular::joins(self.tree, *id) => chars.push(char),
                    _ => tasks.push(Task::Run(vec![char])),
                },
                None => tasks.push(Task::Node(*id)),
            }
        }
        self.tasks.push(Task::Join(tasks.len()));
        self.tasks.extend(tasks.into_iter().rev());
        Ok(())
    }

    /// Returns the character of a literal under `i`, or `None` if the node is not such a literal.
    fn single(&self, id: NodeId) -> Option<char> {
        if self.target.binary { None } else { regular::literal_char(self.tree, id) }
    }

    /// Compiles a repeat of which `done` copies have already been compiled. If `rest` is set, the
    /// first copies of a literal do not count, because they are compiled together.
    fn repeat(&mut self, id: NodeId, done: u32, rest: bool) -> Result<(), Stop> {
        let Kind::Repeat { child, mut min, mut max, mode } = self.tree.node(id).kind else {
            return Ok(());
        };
        if let Some((char, n)) = regular::literal_repeat(self.tree, id)
            && !self.target.binary
        {
            if !rest {
                if max != Some(n) {
                    self.tasks.extend([Task::Join(2), Task::Repeat(id, 0, true)]);
                }
                self.tasks.push(Task::Run(vec![char; n as usize]));
                return Ok(());
            }
            (min, max) = (min - n, max.map(|max| max - n));
        }
        let copies = max.unwrap_or(min.max(1));
        if done < copies {
            self.tasks.push(Task::Repeat(id, done + 1, rest));
            self.tasks.push(Task::Node(child));
            return Ok(());
        }
        let parts = self.parts.split_off(self.parts.len() - copies as usize);
        let lazy = mode == Mode::Lazy;
        let end = self.builder.add_empty()?;
        let mut start = end;
        if max.is_none() {
            // The last copy loops. If the minimum is 0, the loop as a whole is optional.
            let (first, last) = parts[copies as usize - 1];
            let again = self.union(lazy)?;
            self.builder.patch(last, again)?;
            self.builder.patch(again, first)?;
            self.builder.patch(again, end)?;
            start = first;
            if min == 0 {
                start = self.union(lazy)?;
                self.builder.patch(start, first)?;
                self.builder.patch(start, end)?;
            }
        }
        let fixed = if max.is_none() { copies - 1 } else { copies };
        for at in (0..fixed).rev() {
            let (first, last) = parts[at as usize];
            self.builder.patch(last, start)?;
            start = first;
            if at >= min {
                start = self.union(lazy)?;
                self.builder.patch(start, first)?;
                self.builder.patch(start, end)?;
            }
        }
        self.parts.push((start, end));
        Ok(())
    }

    /// Adds a branch that prefers its first alternative, which enters the repeat, or its second one
    /// if `lazy` is set.
    fn union(&mut self, lazy: bool) -> Result<StateID, Stop> {
        Ok(if lazy {
            self.builder.add_union_reverse(Vec::new())?
        } else {
            self.builder.add_union(Vec::new())?
        })
    }

    /// Compiles a set, which matches one of its characters or one of the texts that they fold to.
    fn set(&mut self, id: NodeId) -> Result<Part, Stop> {
        let set = self.sets.get(id);
        let part = self.chars(&set)?;
        let expansions = self.sets.expansions(id);
        if expansions.is_empty() {
            return Ok(part);
        }
        let mut parts = vec![part];
        for text in expansions {
            parts.push(self.fold_run(&text.chars().collect::<Vec<char>>())?);
        }
        self.choose(&parts)
    }

    /// Compiles literals in either case, as a path through states between the characters. Its edges
    /// are for single characters, and for characters that are equal to several literals.
    fn fold_run(&mut self, chars: &[char]) -> Result<Part, Stop> {
        let mut states = Vec::with_capacity(chars.len() + 1);
        for _ in 0..=chars.len() {
            states.push(self.builder.add_union(Vec::new())?);
        }
        let end = self.builder.add_empty()?;
        let (from, to) = if self.target.reverse { (1, 0) } else { (0, 1) };
        for (at, char) in chars.iter().enumerate() {
            self.tick()?;
            let mut set = fold::equivalents(*char);
            if let Some(text) = fold::expansion(*char) {
                let folded: Vec<char> = text.chars().collect();
                set.union(&fold::contractions(&folded));
                // No character of this text folds to several.
                let part = self.fold_run(&folded)?;
                self.edge(states[at + from], part, states[at + to])?;
            }
            let part = self.chars(&set)?;
            self.edge(states[at + from], part, states[at + to])?;
            for length in 2..=3.min(chars.len() - at) {
                let text = &chars[at..at + length];
                if text.iter().any(|char| fold::expansion(*char).is_some()) {
                    continue;
                }
                let set = fold::contractions(text);
                if !set.ranges().is_empty() {
                    let part = self.chars(&set)?;
                    let ends = [at, at + length];
                    self.edge(states[ends[from]], part, states[ends[to]])?;
                }
            }
        }
        let ends = [states[0], states[chars.len()]];
        self.builder.patch(ends[to], end)?;
        Ok((ends[from], end))
    }

    /// Connects the states `from` and `to` by a part.
    fn edge(&mut self, from: StateID, part: Part, to: StateID) -> Result<(), Stop> {
        self.builder.patch(from, part.0)?;
        self.builder.patch(part.1, to)?;
        Ok(())
    }

    /// Compiles a part that matches one character of `set`: one byte in binary patterns, and
    /// otherwise a trie of UTF-8 sequences that share their ends.
    fn chars(&mut self, set: &ClassUnicode) -> Result<Part, Stop> {
        let end = self.builder.add_empty()?;
        if set.ranges().is_empty() {
            return Ok((self.builder.add_fail()?, end));
        }
        if self.target.binary {
            let bytes = set.ranges().iter();
            let ranges = bytes.map(|range| transition(range.start() as u8, range.end() as u8, end));
            return Ok((self.builder.add_sparse(ranges.collect())?, end));
        }
        let start = if self.target.reverse {
            self.sequences_reversed(set.ranges(), end)?
        } else {
            self.sequences(set.ranges(), end)?
        };
        Ok((start, end))
    }

    /// Compiles ranges of characters as sequences of bytes that share their ends. Returns the start
    /// state.
    fn sequences(&mut self, ranges: &[ClassUnicodeRange], end: StateID) -> Result<StateID, Stop> {
        let mut shared: HashMap<Vec<(u8, u8, StateID)>, StateID> = HashMap::new();
        // The open states on the path of the last sequence, with their transitions. The last
        // transition has no target yet.
        let mut path: Vec<Open> = vec![Open::default()];
        for range in ranges {
            for sequence in Utf8Sequences::new(range.start(), range.end()) {
                let bytes: Vec<(u8, u8)> =
                    sequence.as_slice().iter().map(|range| (range.start, range.end)).collect();
                let same = path
                    .iter()
                    .zip(&bytes)
                    .take_while(|(open, bytes)| open.last == Some(**bytes))
                    .count()
                    .min(bytes.len() - 1);
                self.close_path(&mut path, same, end, &mut shared)?;
                for bytes in &bytes[same..] {
                    if let Some(open) = path.last_mut() {
                        open.last = Some(*bytes);
                    }
                    path.push(Open::default());
                }
                path.pop();
            }
        }
        self.close_path(&mut path, 0, end, &mut shared)?;
        self.shared(std::mem::take(&mut path[0].done), &mut shared)
    }

    /// Closes the states of `path` from its end up to the depth `keep`, and the last transition of
    /// the state at that depth.
    fn close_path(
        &mut self,
        path: &mut Vec<Open>,
        keep: usize,
        end: StateID,
        shared: &mut HashMap<Vec<(u8, u8, StateID)>, StateID>,
    ) -> Result<(), Stop> {
        let mut next = end;
        while path.len() > keep {
            let depth = path.len() - 1;
            let open = &mut path[depth];
            if let Some((first, last)) = open.last.take() {
                open.done.push((first, last, next));
            }
            if depth == keep {
                break;
            }
            let done = std::mem::take(&mut open.done);
            path.pop();
            next = self.shared(done, shared)?;
        }
        Ok(())
    }

    /// Returns the state with the given transitions, which is added if it is new.
    fn shared(
        &mut self,
        transitions: Vec<(u8, u8, StateID)>,
        shared: &mut HashMap<Vec<(u8, u8, StateID)>, StateID>,
    ) -> Result<StateID, Stop> {
        if let Some(state) = shared.get(&transitions) {
            return Ok(*state);
        }
        let list = transitions.iter().map(|(first, last, next)| transition(*first, *last, *next));
        let state = self.builder.add_sparse(list.collect())?;
        shared.insert(transitions, state);
        Ok(state)
    }

    /// Compiles ranges of characters for a search backward. Each sequence is a chain from its last
    /// byte to its first, and the chains share their ends. Returns the start state.
    fn sequences_reversed(
        &mut self,
        ranges: &[ClassUnicodeRange],
        end: StateID,
    ) -> Result<StateID, Stop> {
        let union = self.builder.add_union(Vec::new())?;
        let mut shared: HashMap<(u8, u8, StateID), StateID> = HashMap::new();
        let mut heads = std::collections::HashSet::new();
        for range in ranges {
            for sequence in Utf8Sequences::new(range.start(), range.end()) {
                let mut next = end;
                for bytes in sequence.as_slice() {
                    let key = (bytes.start, bytes.end, next);
                    next = match shared.get(&key) {
                        Some(state) => *state,
                        None => {
                            let state = self.builder.add_range(transition(key.0, key.1, next))?;
                            shared.insert(key, state);
                            state
                        }
                    };
                }
                if heads.insert(next) {
                    self.builder.patch(union, next)?;
                }
            }
        }
        Ok(union)
    }
}

/// A state on the path of the last sequence of bytes, which may still get transitions.
#[derive(Default)]
struct Open {
    done: Vec<(u8, u8, StateID)>,
    last: Option<(u8, u8)>,
}

/// Returns a transition on the bytes from `start` to `end`.
fn transition(start: u8, end: u8, next: StateID) -> Transition {
    Transition { start, end, next }
}

/// The reason why compiling stops.
pub(crate) enum Stop {
    Size,
    Error(Error),
}

impl From<BuildError> for Stop {
    fn from(_: BuildError) -> Stop {
        Stop::Size
    }
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Error(error)
    }
}
