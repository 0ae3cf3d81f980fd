//! Finds the matches in a text that is still growing.

use std::ops::Range;

use regex_automata::hybrid::LazyStateID;
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::{Anchored, Input};

use crate::budget::Budget;
use crate::error::Result;
use crate::problem::Problem;
use crate::regex::Regex;
use crate::text::Request;
use crate::threads::UNSET;

/// A search for matches that are not empty. If the pattern is regular, each byte is read once.
/// Otherwise, the search waits for the whole text.
pub(crate) struct Ends {
    regex: Regex,
    forward: Option<Cache>,
    backward: Option<Cache>,
    /// The state of a search that waits for more text.
    state: Option<Waiting>,
    /// The memory of the machines and the cost of the scan, which are used when the text is
    /// complete.
    whole: Option<Whole>,
}

struct Waiting {
    state: LazyStateID,
    from: usize,
    at: usize,
    end: Option<usize>,
}

struct Whole {
    cache: crate::regex::Cache,
    cost: crate::cost::Cost,
}

pub(crate) enum Found {
    Match(Range<usize>),
    /// There is no match or, if the text is not complete, there may be one after more text.
    None,
}

impl Ends {
    /// Creates a search that has read nothing.
    pub(crate) fn new(regex: Regex) -> Ends {
        Ends { regex, forward: None, backward: None, state: None, whole: None }
    }

    /// Adjusts the positions after the first `by` bytes of the text were removed.
    pub(crate) fn moved(&mut self, by: usize) {
        if let Some(waiting) = &mut self.state {
            waiting.from -= by;
            waiting.at -= by;
            waiting.end = waiting.end.map(|end| end - by);
        }
    }

    /// Returns the next match from `start` on. `eof` says whether the text is complete.
    pub(crate) fn next(&mut self, text: &[u8], start: usize, eof: bool) -> Result<Found> {
        let regex = self.regex.clone();
        match eof {
            true => self.whole(&regex, text, start),
            false => self.growing(&regex, text, start),
        }
        .map_err(|problem| regex.0.error(problem))
    }

    /// Searches a complete text from `start` on.
    fn whole(
        &mut self,
        regex: &Regex,
        bytes: &[u8],
        start: usize,
    ) -> std::result::Result<Found, Problem> {
        let inner = &*regex.0;
        let text = regex.text(bytes);
        let whole = self.whole.get_or_insert_with(|| Whole {
            cache: crate::regex::Cache::default(),
            cost: inner.cost(),
        });
        let mut from = self.state.take().map_or(start, |waiting| waiting.from);
        while from <= bytes.len() {
            let shared = inner.shares().then_some(0);
            let mut budget = Budget::new(&inner.options.limits);
            let Some(first) = inner.plan.start(text, from, &mut budget)? else { break };
            let request =
                Request { text, from: first, anchored: false, search_start: from, shared };
            let mut slots = [UNSET; 2];
            let Whole { cache, cost } = whole;
            if !inner.run_again(cache, request, cost, &mut budget, &mut slots)? {
                break;
            }
            if slots[0] < slots[1] && slots[1] > start {
                return Ok(Found::Match(slots[0]..slots[1]));
            }
            from = text.next_boundary(slots[1].max(from));
        }
        Ok(Found::None)
    }

    /// Continues with the automaton to the end of the text that is available.
    fn growing(
        &mut self,
        regex: &Regex,
        bytes: &[u8],
        start: usize,
    ) -> std::result::Result<Found, Problem> {
        let inner = &*regex.0;
        let Some((forward, backward)) = inner.streamed() else { return Ok(Found::None) };
        let text = regex.text(bytes);
        let memory = self.forward.get_or_insert_with(|| forward.create_cache());
        let mut budget = Budget::new(&inner.options.limits);
        let mut from = start;
        loop {
            let mut waiting = match self.state.take() {
                Some(waiting) => waiting,
                None => {
                    let input = Input::new(bytes).range(from..);
                    match forward.start_state_forward(memory, &input) {
                        Ok(state) => Waiting { state, from, at: from, end: None },
                        Err(_) => return Ok(Found::None),
                    }
                }
            };
            let Some(end) = go_on(forward, memory, &mut waiting, bytes, &mut budget)? else {
                self.state = Some(waiting);
                return Ok(Found::None);
            };
            let range = waiting.from..end;
            let input = Input::new(bytes).range(range).anchored(Anchored::Yes);
            let memory = self.backward.get_or_insert_with(|| backward.create_cache());
            match crate::lazy::backward(backward, memory, &input, &mut budget)? {
                crate::lazy::Answer::At(found) if found < end => {
                    return Ok(Found::Match(found..end));
                }
                // After an empty match, continue one character later, once that character has arrived.
                _ if end < bytes.len() => from = text.next_boundary(end),
                _ => return Ok(Found::None),
            }
        }
    }
}

/// Returns the end of the match, or `None` if more text is needed or the automaton gave up.
fn go_on(
    dfa: &DFA,
    cache: &mut Cache,
    waiting: &mut Waiting,
    bytes: &[u8],
    budget: &mut Budget<'_>,
) -> std::result::Result<Option<usize>, Problem> {
    while let Some(byte) = bytes.get(waiting.at) {
        budget.take_slice(waiting.at, bytes.len() - waiting.at)?;
        let Ok(next) = dfa.next_state(cache, waiting.state, *byte) else { return Ok(None) };
        waiting.state = next;
        if next.is_match() {
            waiting.end = Some(waiting.at);
        } else if next.is_dead() || next.is_quit() {
            return Ok(waiting.end.filter(|_| next.is_dead()));
        }
        waiting.at += 1;
    }
    Ok(None)
}
