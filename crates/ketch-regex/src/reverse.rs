//! Finds the last match by trying starts from the end of the text backwards.

use std::ops::Range;

use regex_automata::Input;
use regex_automata::hybrid::LazyStateID;
use regex_automata::hybrid::dfa::{Cache, DFA};

use crate::budget::Budget;
use crate::error::Result;
use crate::problem::Problem;
use crate::regex::{Captures, Regex};
use crate::scan::Searches;
use crate::text::Text;
use crate::threads::UNSET;

impl Regex {
    /// Returns the match with the greatest start that is at most `last`, as Ruby's `rindex` does.
    /// It is not always one of the matches of [`Regex::scan`]. In "aaa", for example, `a+` is found
    /// at 2.
    ///
    /// Takes linear time if [`Regex::is_linear`] returns true.
    ///
    /// # Errors
    ///
    /// Fails as [`Regex::find`] does.
    ///
    /// ```
    /// let regex = ketch_regex::Regex::new("a+", Default::default()).unwrap();
    /// assert_eq!(regex.rfind_at(b"aaa b", 5).unwrap(), Some(2..3));
    /// assert_eq!(regex.rfind_at(b"aaa b", 1).unwrap(), Some(1..3));
    /// ```
    pub fn rfind_at(&self, text: &[u8], last: usize) -> Result<Option<Range<usize>>> {
        let mut slots = [UNSET; 2];
        Ok(self.rsearch(text, last, &mut slots)?.then(|| slots[0]..slots[1]))
    }

    /// Finds the match that [`Regex::rfind_at`] finds, and stores its groups in `captures`. Returns
    /// whether there is a match.
    ///
    /// # Errors
    ///
    /// Fails as [`Regex::find`] does.
    pub fn rcaptures_at(&self, text: &[u8], last: usize, captures: &mut Captures) -> Result<bool> {
        captures.slots.clear();
        captures.slots.resize(2 * (self.groups() + 1), UNSET);
        let found = self.rsearch(text, last, &mut captures.slots);
        if !matches!(found, Ok(true)) {
            captures.slots.fill(UNSET);
        }
        found
    }

    /// Finds the match with the greatest start that is at most `last`, and stores it in `slots`.
    /// Returns whether there is one.
    fn rsearch(&self, bytes: &[u8], last: usize, slots: &mut [usize]) -> Result<bool> {
        let inner = &*self.0;
        let mut budget = Budget::new(&inner.options.limits);
        let fail = |problem| inner.error(problem);
        let start = inner.plan.start(self.text(bytes), 0, &mut budget);
        if start.map_err(fail)?.is_none() {
            return Ok(false);
        }
        let mut searches = Searches::new(self, bytes);
        let text = searches.text;
        let search_start = last.min(bytes.len());
        let mut at = search_start;
        while !text.is_boundary(at) {
            // If the text starts with stray bytes, there may be no boundary before `last`.
            let Some(before) = at.checked_sub(1) else { return Ok(false) };
            at = before;
        }
        if inner.text_start {
            return match text.is_boundary(0) {
                true => searches.match_at(0, search_start, &mut budget, slots),
                false => Ok(false),
            };
        }
        let automaton = inner.backward(text, budget.allowance()).map_err(fail)?;
        let mut starts = automaton.and_then(|dfa| Starts::new(dfa, text, at));
        loop {
            match starts.as_mut().map(|starts| starts.next(&mut budget)) {
                None => {}
                Some(Ok(Some(start))) => at = start,
                Some(Ok(None)) => return Ok(false),
                // The automaton gave up, so every position from here back to the start is tried.
                Some(Err(None)) => starts = None,
                Some(Err(Some(problem))) => return Err(fail(problem)),
            }
            if text.is_boundary(at) && searches.match_at(at, search_start, &mut budget, slots)? {
                return Ok(true);
            }
            if starts.is_none() {
                if at == 0 {
                    return Ok(false);
                }
                at = text.previous_boundary(at);
            }
        }
    }
}

/// The positions at which a match may start, from the end of the text backwards. They are found in
/// one pass over the text.
struct Starts<'r, 't> {
    dfa: &'r DFA,
    cache: Cache,
    text: Text<'t>,
    state: LazyStateID,
    /// The greatest start to return.
    last: usize,
    /// The text from this position on has been read.
    at: usize,
    done: bool,
}

impl<'r, 't> Starts<'r, 't> {
    /// Starts at the end of `text`. Returns `None` if the automaton gives up.
    fn new(dfa: &'r DFA, text: Text<'t>, last: usize) -> Option<Starts<'r, 't>> {
        let mut cache = dfa.create_cache();
        let state = dfa.start_state_reverse(&mut cache, &Input::new(text.bytes)).ok()?;
        Some(Starts { dfa, cache, text, state, last, at: text.bytes.len(), done: false })
    }

    /// Returns the next start, or `None` if there are no more. Fails without a problem if the
    /// automaton gives up.
    fn next(
        &mut self,
        budget: &mut Budget<'_>,
    ) -> std::result::Result<Option<usize>, Option<Problem>> {
        while !self.done {
            let next = match self.at.checked_sub(1) {
                Some(before) => {
                    self.dfa.next_state(&mut self.cache, self.state, self.text.bytes[before])
                }
                None => self.dfa.next_eoi_state(&mut self.cache, self.state),
            };
            // The automaton reports a match one byte late.
            let start = self.at;
            self.state = next.map_err(|_| None)?;
            self.done = self.at == 0 || self.state.is_dead();
            self.at = self.at.saturating_sub(1);
            if self.state.is_quit() {
                return Err(None);
            }
            if self.state.is_match() && start <= self.last {
                return Ok(Some(start));
            }
            budget.take_slice(start, self.text.bytes.len())?;
        }
        Ok(None)
    }
}
