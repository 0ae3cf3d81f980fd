//! Finds how far `(?~x)` may reach from a position, which depends on the earliest end of a match of x
//! that starts there or later.

use std::collections::{BTreeMap, HashMap};

use regex_automata::nfa::thompson::{NFA, State};
use regex_automata::util::primitives::StateID;

use crate::budget::Budget;
use crate::problem::Problem;
use crate::text::Text;
use crate::threads::holds;

/// Approximately the number of bytes of memory that an entry of a map takes.
const ENTRY: usize = 64;

/// What is known about one absence operator in a text. The keys of the maps are the starts of
/// ranges of positions.
#[derive(Default)]
pub(crate) struct Limits {
    /// For each range: its last position, and the earliest end of a match that starts in the range
    /// or later. This end is the same for all positions in the range, and `None` if nothing matches.
    known: BTreeMap<usize, (usize, Option<usize>)>,
    /// For patterns that are not regular, the ends of the matches at the positions that were tried.
    pub(super) ends: HashMap<usize, Option<usize>>,
    /// The number of steps that it took to find these ends.
    pub(super) steps: u64,
}

impl Limits {
    /// Removes what is known about the last text.
    pub(crate) fn clear(&mut self) {
        self.known.clear();
        self.ends.clear();
        self.steps = 0;
    }

    /// Returns approximately the number of bytes of memory that this takes.
    pub(super) fn bytes(&self) -> usize {
        ENTRY * (self.known.len() + self.ends.len())
    }

    /// Returns the earliest end of a match that starts at `from` or later, or `None` if it was not
    /// recorded.
    pub(super) fn known(&self, from: usize) -> Option<Option<usize>> {
        let (_, &(last, end)) = self.known.range(..=from).next_back()?;
        (from <= last).then_some(end)
    }

    /// Records the match with the earliest end that starts at `from` or later. `found` has its latest
    /// start and its end. `length` is the length of the text.
    pub(super) fn learn(&mut self, from: usize, found: Option<(usize, usize)>, length: usize) {
        let last = found.map_or(length, |(start, _)| start);
        self.known.insert(from, (last, found.map(|(_, end)| end)));
    }
}

/// Ranges of ends of the absence operator at one instruction, after which the rest of the pattern does
/// not match. The keys are the starts of the ranges.
#[derive(Default)]
pub(crate) struct Failed(BTreeMap<usize, usize>);

impl Failed {
    /// Returns approximately the number of bytes of memory that this takes.
    pub(super) fn bytes(&self) -> usize {
        ENTRY * (self.0.len() + 1)
    }

    /// Records that the rest of the pattern does not match after an end from `low` to `high`.
    pub(super) fn add(&mut self, mut low: usize, mut high: usize) {
        if let Some((&first, &last)) = self.0.range(..=high).next_back()
            && last >= low
        {
            (low, high) = (low.min(first), high.max(last));
        }
        while let Some((&first, &last)) = self.0.range(low..=high).next() {
            high = high.max(last);
            self.0.remove(&first);
        }
        self.0.insert(low, high);
    }

    /// Returns the start of the range that contains `at`, or `None` if there is none.
    pub(super) fn start(&self, at: usize) -> Option<usize> {
        let (&first, &last) = self.0.range(..=at).next_back()?;
        (at <= last).then_some(first)
    }
}

/// The threads at one position. Those with the latest start come first.
#[derive(Default)]
struct Threads {
    list: Vec<(StateID, usize)>,
    seen: Vec<bool>,
}

/// Returns the start and end of the match that ends first, among those that start at `from` or later.
/// If several end there, this is the one that starts last.
pub(super) fn sweep(
    nfa: &NFA,
    text: Text<'_>,
    from: usize,
    budget: &mut Budget<'_>,
) -> Result<Option<(usize, usize)>, Problem> {
    let states = nfa.states().len();
    budget.memory(states.saturating_mul(40))?;
    let [mut now, mut next] =
        [(); 2].map(|()| Threads { seen: vec![false; states], ..Threads::default() });
    let mut todo = Vec::new();
    for at in from..=text.bytes.len() {
        // At the end of the text, a match may start only if the absence operator also starts there.
        if text.is_boundary(at) && (at < text.bytes.len() || at == from) {
            follow(nfa, &mut now, nfa.start_anchored(), at, text, at, &mut todo);
        }
        for (id, start) in std::mem::take(&mut next.list) {
            follow(nfa, &mut now, id, start, text, at, &mut todo);
        }
        budget.take(now.list.len() as u64 + 1)?;
        for &(id, start) in &now.list {
            let byte = text.bytes.get(at).copied();
            let target = match (nfa.state(id), byte) {
                (State::Match { .. }, _) => return Ok(Some((start, at))),
                (State::ByteRange { trans }, Some(byte)) if trans.matches_byte(byte) => {
                    Some(trans.next)
                }
                (State::Sparse(sparse), Some(byte)) => sparse.matches_byte(byte),
                (State::Dense(dense), Some(byte)) => dense.matches_byte(byte),
                _ => None,
            };
            next.list.extend(target.map(|target| (target, start)));
        }
        now.list.clear();
        now.seen.fill(false);
    }
    Ok(None)
}

/// Adds a thread for each state that is reached from the state `id` without consuming a byte.
fn follow(
    nfa: &NFA,
    threads: &mut Threads,
    id: StateID,
    start: usize,
    text: Text<'_>,
    at: usize,
    todo: &mut Vec<StateID>,
) {
    todo.push(id);
    while let Some(id) = todo.pop() {
        if std::mem::replace(&mut threads.seen[id.as_usize()], true) {
            continue;
        }
        match nfa.state(id) {
            State::Look { look, next } => todo.extend(holds(*look, text, at).then_some(*next)),
            State::Union { alternates } => todo.extend(alternates.iter().rev()),
            State::BinaryUnion { alt1, alt2 } => todo.extend([*alt2, *alt1]),
            State::Capture { next, .. } => todo.push(*next),
            State::Fail => {}
            _ => threads.list.push((id, start)),
        }
    }
}
