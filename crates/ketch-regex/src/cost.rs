//! Counts the total cost of the searches in one scan. To find a match, an automaton may read far
//! past it, and do so again in the next search. `a*b|a` on many `a`, for example, would take
//! quadratic time. Such scans continue with the memo machine, which has one table for all searches.

use regex_automata::Input;
use regex_automata::hybrid::dfa::{Cache, DFA};

use crate::budget::Budget;
use crate::lazy::{self, Answer};
use crate::problem::Problem;

/// The number of searches at the start of a scan that are not counted, because a search that counts
/// takes twice as long.
const FREE_SEARCHES: u32 = 16;

/// Counts how far the automata read past their matches.
#[derive(Default)]
pub(crate) struct Cost {
    /// Whether matches are so short that counting is not necessary.
    bounded: bool,
    searches: u32,
    past: usize,
}

impl Cost {
    /// Creates a count for a pattern whose matches have at most `length_max` bytes, or any length
    /// if it is `None`.
    pub(crate) fn new(length_max: Option<usize>) -> Cost {
        Cost { bounded: length_max.is_some_and(|length| length <= 256), ..Cost::default() }
    }

    /// Returns whether the automata may continue to search a text of `length` bytes.
    pub(crate) fn allows(&self, length: usize) -> bool {
        self.past <= 8 * length + 4096
    }

    /// Searches forward. If there is a `cost`, as in a scan, it counts the bytes that were read
    /// past the match.
    pub(crate) fn forward(
        cost: &mut Option<&mut Cost>,
        dfa: &DFA,
        cache: &mut Cache,
        input: &Input<'_>,
        budget: &mut Budget<'_>,
    ) -> Result<Answer, Problem> {
        let cost = match cost {
            Some(cost) if !cost.bounded => cost,
            _ => return lazy::forward(dfa, cache, input, budget),
        };
        cost.searches = cost.searches.saturating_add(1);
        if cost.searches <= FREE_SEARCHES {
            return lazy::forward(dfa, cache, input, budget);
        }
        let mut read = 0;
        let answer = lazy::forward_counted(dfa, cache, input, budget, &mut read)?;
        let matched = match answer {
            Answer::At(end) => end,
            _ if input.get_anchored().is_anchored() => input.start(),
            _ => read,
        };
        cost.past = cost.past.saturating_add(read.saturating_sub(matched));
        Ok(answer)
    }
}
