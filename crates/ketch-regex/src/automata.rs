//! The automata of a regular pattern, and how they share a search.

use std::ops::Range;

use regex_automata::hybrid::dfa::{self, DFA};
use regex_automata::nfa::thompson::NFA;
use regex_automata::nfa::thompson::backtrack::{self, BoundedBacktracker};
use regex_automata::util::primitives::NonMaxUsize;
use regex_automata::{Anchored, Input, MatchKind};

use crate::budget::{Allowance, Budget};
use crate::cost::Cost;
use crate::error::{Error, Result};
use crate::lazy;
use crate::plan::Plan;
use crate::problem::Problem;
use crate::program::{Target, compile};
use crate::regular::Facts;
use crate::sets::Sets;
use crate::syntax::Tree;
use crate::text::Text;
use crate::threads::{self, UNSET};

/// The automata.
pub(crate) struct Automata {
    /// Whether the pattern has `^` or `\Z`, whose rules in Ruby differ from those of the automata.
    line_start_at_end: bool,
    text_end_line: bool,
    /// The program in which every assertion is as in Ruby.
    pub(crate) exact: NFA,
    forward: Option<DFA>,
    backward: Option<DFA>,
    backtracker: Option<BoundedBacktracker>,
    /// Whether `\b` follows Unicode. The automata support it only for ASCII.
    unicode_words: bool,
}

/// The memory of the machines, which is allocated when it is first needed.
#[derive(Default)]
pub(crate) struct Cache {
    forward: Option<dfa::Cache>,
    backward: Option<dfa::Cache>,
    backtrack: Option<backtrack::Cache>,
    pub(crate) threads: threads::Cache,
    slots: Vec<Option<NonMaxUsize>>,
}

impl Automata {
    /// Compiles the automata of a pattern.
    pub(crate) fn new(
        tree: &Tree,
        pattern: &str,
        sets: &Sets<'_>,
        facts: &Facts,
        plan: &Plan,
        limits: Allowance<'_>,
    ) -> Result<Automata> {
        let binary = sets.is_binary();
        let check = || limits.check().map_err(|problem| Error::whole(problem, pattern));
        let program = |reverse, exact| {
            let target = Target { reverse, exact, binary, wider: false };
            let program = compile(tree, tree.root(), pattern, sets, target, limits)?;
            check()?;
            Ok(program)
        };
        let exact = program(false, true)?;
        let automaton = if facts.text_end_line { program(false, false)? } else { exact.clone() };
        let reverse = program(true, false)?;
        let unicode_words = automaton.look_set_any().contains_word_unicode();
        let backtracker = BoundedBacktracker::builder()
            .configure(BoundedBacktracker::config().visited_capacity(256 << 10))
            .build_from_nfa(automaton.clone())
            .ok();
        check()?;
        Ok(Automata {
            line_start_at_end: facts.line_start_at_end,
            text_end_line: facts.text_end_line,
            exact,
            forward: lazy::build(automaton, MatchKind::LeftmostFirst, plan.prefix(), limits),
            backward: lazy::build(reverse, MatchKind::All, None, limits),
            backtracker,
            unicode_words,
        })
    }

    /// Searches, and stores the match in `slots`. Returns whether there is one.
    pub(crate) fn run(
        &self,
        cache: &mut Cache,
        text: Text<'_>,
        from: usize,
        anchored: bool,
        budget: &mut Budget<'_>,
        slots: &mut [usize],
    ) -> Result<bool, Problem> {
        let Some(found) = self.span(cache, text, from, anchored, budget, &mut None)? else {
            let threads = &mut cache.threads;
            let range = from..text.bytes.len();
            return threads::search(&self.exact, threads, text, range, anchored, budget, slots);
        };
        let Some(found) = found else { return Ok(false) };
        self.captures(cache, text, found, budget, slots)?;
        Ok(true)
    }

    /// Returns the automaton that finds all starts of matches in a text, or `None` if there is no
    /// such automaton for it.
    pub(crate) fn backward(&self, text: Text<'_>) -> Option<&DFA> {
        // The automaton does not match `\Z` before a final line feed.
        let missed = self.text_end_line && text.bytes.last() == Some(&b'\n');
        self.backward.as_ref().filter(|_| !missed)
    }

    /// Returns whether the automata find exactly the matches of the pattern in a text. `line_end`
    /// says whether the text ends with a line feed.
    pub(crate) fn is_exact(&self, line_end: bool) -> bool {
        !(self.text_end_line || line_end && self.line_start_at_end)
    }

    /// Returns the forward and the backward automaton, if their answers do not depend on the end of
    /// the text, which is not known yet in a stream.
    pub(crate) fn streamed(&self) -> Option<(&DFA, &DFA)> {
        let exact = !self.text_end_line && !self.line_start_at_end;
        self.forward.as_ref().zip(self.backward.as_ref()).filter(|_| exact)
    }

    /// Finds the groups of a match, and stores them in `slots`.
    pub(crate) fn captures(
        &self,
        cache: &mut Cache,
        text: Text<'_>,
        found: Range<usize>,
        budget: &mut Budget<'_>,
        slots: &mut [usize],
    ) -> Result<(), Problem> {
        slots[0] = found.start;
        slots[1] = found.end;
        if slots.len() > 2 && !self.backtrack(cache, text, &found, slots) {
            threads::search(&self.exact, &mut cache.threads, text, found, true, budget, slots)?;
        }
        Ok(())
    }

    /// Finds the span of the match with automata. Returns `None` if they gave up, and `Some(None)`
    /// if there is no match. In a scan, `cost` counts how far they read past the match.
    #[allow(clippy::type_complexity)]
    pub(crate) fn span(
        &self,
        cache: &mut Cache,
        text: Text<'_>,
        from: usize,
        anchored: bool,
        budget: &mut Budget<'_>,
        cost: &mut Option<&mut Cost>,
    ) -> Result<Option<Option<Range<usize>>>, Problem> {
        // Ruby's `^` and `\Z` differ from the automata's only if the text ends with a line feed.
        let line_end = text.bytes.last() == Some(&b'\n');
        if line_end && self.text_end_line {
            return Ok(None);
        }
        let (Some(forward), Some(backward)) = (&self.forward, &self.backward) else {
            return Ok(None);
        };
        if !text.is_boundary(from) {
            return Ok(None);
        }
        let mode = if anchored { Anchored::Yes } else { Anchored::No };
        let input = Input::new(text.bytes).range(from..).anchored(mode);
        let memory = cache.forward.get_or_insert_with(|| forward.create_cache());
        let end = match Cost::forward(cost, forward, memory, &input, budget)? {
            lazy::Answer::Unknown => return Ok(None),
            lazy::Answer::No => return Ok(Some(None)),
            // The automata let `^` match at the very end. A match that ends earlier cannot have used that.
            lazy::Answer::At(end)
                if line_end && self.line_start_at_end && end == text.bytes.len() =>
            {
                return Ok(None);
            }
            lazy::Answer::At(end) => end,
        };
        if anchored {
            return Ok(Some(Some(from..end)));
        }
        let input = Input::new(text.bytes).range(from..end).anchored(Anchored::Yes);
        let memory = cache.backward.get_or_insert_with(|| backward.create_cache());
        match lazy::backward(backward, memory, &input, budget)? {
            lazy::Answer::At(start) => Ok(Some(Some(start..end))),
            _ => Ok(None),
        }
    }

    /// Finds the groups of a short match by backtracking. Returns whether it found them.
    fn backtrack(
        &self,
        cache: &mut Cache,
        text: Text<'_>,
        found: &Range<usize>,
        slots: &mut [usize],
    ) -> bool {
        let Some(backtracker) = &self.backtracker else { return false };
        let length = found.end - found.start;
        if self.unicode_words || length > 4096.min(backtracker.max_haystack_len()) {
            return false;
        }
        let memory = cache.backtrack.get_or_insert_with(|| backtracker.create_cache());
        let input = Input::new(text.bytes).range(found.clone()).anchored(Anchored::Yes);
        cache.slots.clear();
        cache.slots.resize(slots.len(), None);
        match backtracker.try_search_slots(memory, &input, &mut cache.slots) {
            Ok(Some(_)) => {
                for (slot, value) in slots.iter_mut().zip(&cache.slots) {
                    *slot = value.map_or(UNSET, |value| value.get());
                }
                true
            }
            _ => false,
        }
    }
}
