//! The machine that follows all threads of a program at once. It takes linear time for every
//! regular pattern. It supports all assertions and captures, and runs where the automata cannot.

use std::ops::Range;

use regex_automata::nfa::thompson::{NFA, State};
use regex_automata::util::look::Look;
use regex_automata::util::primitives::StateID;

use crate::budget::{Budget, SLICE};
use crate::problem::Problem;
use crate::program::TEXT_END_LINE;
use crate::text::{Text, is_word_after, is_word_before};

/// The value of a capture slot that is not set.
pub(crate) const UNSET: usize = usize::MAX;

/// The threads at one position, in the order in which Ruby would try them, with the slots of each.
#[derive(Default)]
struct Threads {
    dense: Vec<StateID>,
    sparse: Vec<u32>,
    slots: Vec<usize>,
}

impl Threads {
    /// Removes all threads, and makes room for `states` states with `slots` slots each.
    fn resize(&mut self, states: usize, slots: usize) {
        self.dense.clear();
        self.sparse.resize(states, 0);
        self.slots.resize(states * slots, UNSET);
    }

    /// Adds a thread at the state `id`. Returns whether there was none.
    fn insert(&mut self, id: StateID) -> bool {
        let at = self.sparse[id.as_usize()] as usize;
        if self.dense.get(at) == Some(&id) {
            return false;
        }
        self.sparse[id.as_usize()] = self.dense.len() as u32;
        self.dense.push(id);
        true
    }
}

enum Task {
    Explore(StateID),
    Restore(usize, usize),
}

/// The memory of the machine, which is reused between searches.
#[derive(Default)]
pub(crate) struct Cache {
    now: Threads,
    next: Threads,
    tasks: Vec<Task>,
    slots: Vec<usize>,
}

/// Finds the leftmost match in `range` or, if `anchored` is set, the one at the start of the range.
/// Stores as many positions of the match as `slots` has, which must be at least 2. Returns whether
/// there is a match.
pub(crate) fn search(
    nfa: &NFA,
    cache: &mut Cache,
    text: Text<'_>,
    range: Range<usize>,
    anchored: bool,
    budget: &mut Budget<'_>,
    slots: &mut [usize],
) -> Result<bool, Problem> {
    let states = nfa.states().len();
    budget.memory(states.saturating_mul(2 * (size_of_val(slots) + 8)))?;
    cache.now.resize(states, slots.len());
    cache.next.resize(states, slots.len());
    cache.slots.clear();
    cache.slots.resize(slots.len(), UNSET);
    let mut found = false;
    let mut steps = 0;
    let from = range.start;
    for at in from..=range.end {
        if cache.now.dense.is_empty() && (found || (anchored && at > from)) {
            break;
        }
        if !found && (!anchored || at == from) && text.is_boundary(at) {
            cache.slots.fill(UNSET);
            follow(nfa, cache, true, nfa.start_anchored(), text, at);
        }
        steps += cache.now.dense.len() as u64 + 1;
        if steps >= SLICE {
            budget.take(std::mem::take(&mut steps))?;
        }
        found |= step(nfa, cache, text, at, slots);
        std::mem::swap(&mut cache.now, &mut cache.next);
        cache.next.dense.clear();
    }
    budget.take(steps)?;
    Ok(found)
}

/// Moves all threads over the byte at `at`. Returns whether one of them has matched before that
/// byte, which ends the threads after it.
fn step(nfa: &NFA, cache: &mut Cache, text: Text<'_>, at: usize, slots: &mut [usize]) -> bool {
    let byte = text.bytes.get(at).copied();
    let width = slots.len();
    for index in 0..cache.now.dense.len() {
        let id = cache.now.dense[index];
        let from = id.as_usize() * width;
        let next = match (nfa.state(id), byte) {
            (State::Match { .. }, _) => {
                slots.copy_from_slice(&cache.now.slots[from..from + width]);
                return true;
            }
            (State::ByteRange { trans }, Some(byte)) if trans.matches_byte(byte) => {
                Some(trans.next)
            }
            (State::Sparse(sparse), Some(byte)) => sparse.matches_byte(byte),
            (State::Dense(dense), Some(byte)) => dense.matches_byte(byte),
            _ => None,
        };
        if let Some(next) = next {
            cache.slots.copy_from_slice(&cache.now.slots[from..from + width]);
            follow(nfa, cache, false, next, text, at + 1);
        }
    }
    false
}

/// Adds the threads that the state `id` leads to without consuming a byte.
fn follow(nfa: &NFA, cache: &mut Cache, now: bool, id: StateID, text: Text<'_>, at: usize) {
    let Cache { now: first, next: second, tasks, slots } = cache;
    let threads = if now { first } else { second };
    tasks.push(Task::Explore(id));
    while let Some(task) = tasks.pop() {
        let mut id = match task {
            Task::Restore(slot, old) => {
                slots[slot] = old;
                continue;
            }
            Task::Explore(id) => id,
        };
        while threads.insert(id) {
            match nfa.state(id) {
                State::Look { look, next } if holds(*look, text, at) => id = *next,
                State::Union { alternates } => {
                    let Some((best, rest)) = alternates.split_first() else { break };
                    tasks.extend(rest.iter().rev().map(|id| Task::Explore(*id)));
                    id = *best;
                }
                State::BinaryUnion { alt1, alt2 } => {
                    tasks.push(Task::Explore(*alt2));
                    id = *alt1;
                }
                State::Capture { next, slot, .. } => {
                    if let Some(value) = slots.get_mut(slot.as_usize()) {
                        tasks.push(Task::Restore(slot.as_usize(), *value));
                        *value = at;
                    }
                    id = *next;
                }
                State::Look { .. } | State::Fail => break,
                State::Match { .. }
                | State::ByteRange { .. }
                | State::Sparse(_)
                | State::Dense(_) => {
                    let from = id.as_usize() * slots.len();
                    threads.slots[from..from + slots.len()].copy_from_slice(slots);
                    break;
                }
            }
        }
    }
}

/// Returns whether an assertion holds at the position `at`, by Ruby's rules.
pub(crate) fn holds(look: Look, text: Text<'_>, at: usize) -> bool {
    let bytes = text.bytes;
    let end = bytes.len();
    let ascii = |at: Option<usize>| {
        at.and_then(|at| bytes.get(at))
            .is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
    };
    match look {
        Look::Start => at == 0,
        Look::End => at == end,
        Look::StartLF => at == 0 || (at < end && bytes[at - 1] == b'\n'),
        Look::EndLF => at == end || bytes[at] == b'\n',
        TEXT_END_LINE => at == end || (at + 1 == end && bytes[at] == b'\n'),
        Look::WordAscii => ascii(at.checked_sub(1)) != ascii(Some(at)),
        Look::WordAsciiNegate => ascii(at.checked_sub(1)) == ascii(Some(at)),
        Look::WordUnicode => is_word_before(bytes, at) != is_word_after(bytes, at),
        Look::WordUnicodeNegate => is_word_before(bytes, at) == is_word_after(bytes, at),
        _ => false,
    }
}
