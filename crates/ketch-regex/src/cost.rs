//! What the searches of one scan cost together. An automaton may read far past the match that it
//! finds, in each search again: `a*b|a` on many `a`. Such scans go on with the memo machine, whose
//! table serves all of them.

use regex_automata::Input;
use regex_automata::hybrid::dfa::{Cache, DFA};

use crate::budget::Budget;
use crate::lazy::{self, Answer};
use crate::problem::Problem;

/// How many searches of a scan are not counted. Counting takes twice as long as searching.
const FREE_SEARCHES: u32 = 16;

/// How far the automata read past their matches.
#[derive(Default)]
pub(crate) struct Cost {
    /// No match is so long that it matters.
    bounded: bool,
    searches: u32,
    past: usize,
}

impl Cost {
    /// For a pattern whose matches have at most so many bytes.
    pub(crate) fn new(length_max: Option<usize>) -> Cost {
        Cost { bounded: length_max.is_some_and(|length| length <= 256), ..Cost::default() }
    }

    /// Whether automata may go on in a text of this length.
    pub(crate) fn allows(&self, length: usize) -> bool {
        self.past <= 8 * length + 4096
    }

    /// Searches forward, and counts if this is a search of a scan.
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
