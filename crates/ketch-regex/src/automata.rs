//! The automata of a regular pattern, and how they share the work of a search.

use std::ops::Range;
use std::sync::OnceLock;

use regex_automata::dfa::onepass;
use regex_automata::hybrid::dfa::{self, DFA};
use regex_automata::nfa::thompson::NFA;
use regex_automata::nfa::thompson::backtrack::{self, BoundedBacktracker};
use regex_automata::util::primitives::NonMaxUsize;
use regex_automata::{Anchored, Input, MatchKind};

use crate::budget::{Allowance, Budget};
use crate::cost::Cost;
use crate::dense::{self, Dense};
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
use crate::words::Words;

/// The automata of a pattern, with facts about the pattern that determine which of them may search.
pub(crate) struct Automata {
    /// Whether `^` may be tested at the end of the text, and whether the pattern has `\Z`. Ruby's
    /// rules for these differ from those of the automata.
    line_start_at_end: bool,
    text_end_line: bool,
    /// The program in which every assertion has Ruby's meaning. The threads run it.
    pub(crate) exact: NFA,
    forward: Option<DFA>,
    backward: Option<DFA>,
    /// The automata for short texts, which are built after many searches.
    dense: OnceLock<Option<Dense>>,
    /// The maximum length in bytes of the texts that the dense automata search.
    dense_bytes: usize,
    /// The automaton that finds groups, if there are never two paths to try in the pattern. It is
    /// built when groups are first needed.
    one_pass: OnceLock<Option<onepass::DFA>>,
    /// The program that the automata were built from.
    program: NFA,
    backtracker: Option<BoundedBacktracker>,
    /// Whether every search begins at a text that every match starts with.
    starts_with_text: bool,
    /// The words, if all alternatives of the pattern are plain words.
    words: Option<Words>,
    /// Whether `\b` or `\B` follows Unicode. The automata support these only in ASCII text.
    unicode_words: bool,
}

/// The maximum length in bytes of a text or match in which groups are searched for in one pass.
const ONE_PASS_BYTES: usize = 1 << 16;

/// The memory of the machines. Each part is allocated when it is first needed.
#[derive(Default)]
pub(crate) struct Cache {
    /// The number of searches so far. It stops at the number after which the dense automata are
    /// built.
    searches: u32,
    forward: Option<dfa::Cache>,
    backward: Option<dfa::Cache>,
    one_pass: Option<onepass::Cache>,
    backtrack: Option<backtrack::Cache>,
    pub(crate) threads: threads::Cache,
    slots: Vec<Option<NonMaxUsize>>,
}

impl Automata {
    /// Compiles the automata of a pattern with the given tree.
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
        // If every match is at the start of the text, no search backward is needed.
        let reverse = if facts.text_start { None } else { Some(program(true, false)?) };
        let unicode_words = automaton.look_set_any().contains_word_unicode();
        let backtracker = BoundedBacktracker::builder()
            .configure(BoundedBacktracker::config().visited_capacity(256 << 10))
            .build_from_nfa(automaton.clone())
            .ok();
        check()?;
        let program = automaton.clone();
        Ok(Automata {
            dense: OnceLock::new(),
            // In longer texts, the lazy automaton is faster if it has a prefilter.
            dense_bytes: if plan.prefix().is_some() { 256 } else { dense::BYTES_MAX },
            one_pass: OnceLock::new(),
            program,
            line_start_at_end: facts.line_start_at_end,
            text_end_line: facts.text_end_line,
            exact,
            forward: lazy::build(automaton, MatchKind::LeftmostFirst, plan.prefix(), limits),
            backward: reverse.and_then(|nfa| lazy::build(nfa, MatchKind::All, None, limits)),
            backtracker,
            starts_with_text: plan.starts_with_text(),
            words: Words::new(tree, binary),
            unicode_words,
        })
    }

    /// Returns the dense automata, or `None` if they have not been built or cannot search `text` from
    /// `from` on.
    #[inline]
    pub(crate) fn dense(&self, text: Text<'_>, from: usize) -> Option<&Dense> {
        let dense = self.dense.get()?.as_ref()?;
        let line_end = text.bytes.last() == Some(&b'\n');
        let special = line_end && (self.text_end_line || self.line_start_at_end);
        let short = text.bytes.len() - from <= self.dense_bytes;
        (short && !special && text.is_boundary(from)).then_some(dense)
    }

    /// Counts a search, and builds the dense automata after there have been many.
    #[inline]
    fn count(&self, cache: &mut Cache) {
        if cache.searches < dense::SEARCHES {
            cache.searches += 1;
        } else if self.dense.get().is_none() {
            let backward = self.backward.as_ref().map(DFA::get_nfa);
            self.dense.get_or_init(|| Dense::new(&self.program, backward));
        }
    }

    /// Returns whether all alternatives of the pattern are plain words.
    pub(crate) fn is_words(&self) -> bool {
        self.words.is_some()
    }

    /// Searches `text` from `from` on, and stores the match in `slots`, which may be empty. Returns
    /// whether there is a match, or `None` if the automata gave up.
    pub(crate) fn run(
        &self,
        cache: &mut Cache,
        text: Text<'_>,
        from: usize,
        anchored: bool,
        budget: &mut Budget<'_>,
        slots: &mut [usize],
    ) -> Result<Option<bool>, Problem> {
        self.count(cache);
        if let Some(words) = self.words.as_ref().filter(|_| !anchored)
            && let Some(found) = words.find(text.bytes, from, budget)?
        {
            if let (Some(found), [start, end, ..]) = (&found, slots) {
                (*start, *end) = (found.start, found.end);
            }
            return Ok(Some(found.is_some()));
        }
        if slots.is_empty() {
            let mode = if anchored { Anchored::Yes } else { Anchored::No };
            let input = Input::new(text.bytes).range(from..).anchored(mode).earliest(true);
            return match self.end(cache, text, &input, budget, &mut None)? {
                lazy::Answer::At(_) => Ok(Some(true)),
                lazy::Answer::No => Ok(Some(false)),
                lazy::Answer::Unknown => Ok(None),
            };
        }
        if anchored && slots.len() > 2 && text.bytes.len() <= ONE_PASS_BYTES {
            let whole = from..text.bytes.len();
            if let Some(found) = self.one_pass(cache, text, &whole, slots) {
                return Ok(Some(found));
            }
        }
        let found = match self.dense(text, from) {
            Some(dense) => dense.find(text.bytes, from, anchored),
            None => self.span(cache, text, from, anchored, budget, &mut None)?,
        };
        let Some(found) = found else { return Ok(None) };
        let Some(found) = found else { return Ok(Some(false)) };
        self.captures(cache, text, found, budget, slots)?;
        Ok(Some(true))
    }

    /// Searches as [`Automata::run`] does, but with the threads, which never give up.
    pub(crate) fn run_threads(
        &self,
        cache: &mut Cache,
        text: Text<'_>,
        from: usize,
        anchored: bool,
        budget: &mut Budget<'_>,
        slots: &mut [usize],
    ) -> Result<bool, Problem> {
        let mut span = [UNSET; 2];
        let slots = if slots.is_empty() { &mut span[..] } else { slots };
        let range = from..text.bytes.len();
        threads::search(&self.exact, &mut cache.threads, text, range, anchored, budget, slots)
    }

    /// Returns the automaton that finds all starts of matches in `text`, or `None` if there is no
    /// such automaton for this text.
    pub(crate) fn backward(&self, text: Text<'_>) -> Option<&DFA> {
        // The automaton does not match `\Z` before a final line feed.
        let missed = self.text_end_line && text.bytes.last() == Some(&b'\n');
        self.backward.as_ref().filter(|_| !missed)
    }

    /// Returns whether the automata find exactly the matches of the pattern. `line_end` says whether
    /// the text ends with a line feed.
    pub(crate) fn is_exact(&self, line_end: bool) -> bool {
        !(self.text_end_line || line_end && self.line_start_at_end)
    }

    /// Returns the forward and the backward automaton, or `None` if their answers depend on the end
    /// of the text, which is not known yet in a stream.
    pub(crate) fn streamed(&self) -> Option<(&DFA, &DFA)> {
        let exact = !self.text_end_line && !self.line_start_at_end;
        self.forward.as_ref().zip(self.backward.as_ref()).filter(|_| exact)
    }

    /// Finds the groups of the match `found`, and stores them in `slots`.
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
        if slots.len() > 2
            && !(found.len() <= ONE_PASS_BYTES
                && self.one_pass(cache, text, &found, slots) == Some(true))
            && !self.backtrack(cache, text, &found, slots)
        {
            threads::search(&self.exact, &mut cache.threads, text, found, true, budget, slots)?;
        }
        Ok(())
    }

    /// Finds the span of the first match with the automata. Returns `None` if they gave up, and
    /// `Some(None)` if there is no match. In a scan, `cost` counts how far they read past the match.
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
        if let Some(words) = self.words.as_ref().filter(|_| !anchored)
            && let Some(found) = words.find(text.bytes, from, budget)?
        {
            return Ok(Some(found));
        }
        let mode = if anchored { Anchored::Yes } else { Anchored::No };
        let input = Input::new(text.bytes).range(from..).anchored(mode);
        if anchored || self.starts_with_text {
            // Usually, the match starts at the text at which the search begins.
            let input = input.clone().anchored(Anchored::Yes);
            match self.end(cache, text, &input, budget, cost)? {
                lazy::Answer::At(end) => return Ok(Some(Some(from..end))),
                lazy::Answer::No if anchored => return Ok(Some(None)),
                lazy::Answer::No => {}
                lazy::Answer::Unknown => return Ok(None),
            }
        }
        let end = match self.end(cache, text, &input, budget, cost)? {
            lazy::Answer::Unknown => return Ok(None),
            lazy::Answer::No => return Ok(Some(None)),
            lazy::Answer::At(end) => end,
        };
        let Some(backward) = &self.backward else { return Ok(None) };
        let input = Input::new(text.bytes).range(from..end).anchored(Anchored::Yes);
        let memory = cache.backward.get_or_insert_with(|| backward.create_cache());
        match lazy::backward(backward, memory, &input, budget)? {
            lazy::Answer::At(start) => Ok(Some(Some(start..end))),
            _ => Ok(None),
        }
    }

    /// Finds the end of the match or, if `input` asks for the earliest end, that of its shortest
    /// form.
    fn end(
        &self,
        cache: &mut Cache,
        text: Text<'_>,
        input: &Input<'_>,
        budget: &mut Budget<'_>,
        cost: &mut Option<&mut Cost>,
    ) -> Result<lazy::Answer, Problem> {
        // Ruby's `^` and `\Z` differ from the automata's only if the text ends with a line feed.
        let line_end = text.bytes.last() == Some(&b'\n');
        let Some(forward) = self.forward.as_ref().filter(|_| !(line_end && self.text_end_line))
        else {
            return Ok(lazy::Answer::Unknown);
        };
        if !text.is_boundary(input.start()) {
            return Ok(lazy::Answer::Unknown);
        }
        let memory = cache.forward.get_or_insert_with(|| forward.create_cache());
        Ok(match Cost::forward(cost, forward, memory, input, budget)? {
            // The automata let `^` match at the very end of the text. A match that ends earlier
            // cannot have used that.
            lazy::Answer::At(end)
                if line_end && self.line_start_at_end && end == text.bytes.len() =>
            {
                lazy::Answer::Unknown
            }
            answer => answer,
        })
    }

    /// Finds the match that starts at the start of `range`, and its groups, in one pass. Returns
    /// whether there is such a match, or `None` if the pattern or the text does not allow one pass.
    fn one_pass(
        &self,
        cache: &mut Cache,
        text: Text<'_>,
        range: &Range<usize>,
        slots: &mut [usize],
    ) -> Option<bool> {
        // As in `end`, such texts are left to other machines.
        let line_end = text.bytes.last() == Some(&b'\n');
        let special = line_end && (self.text_end_line || self.line_start_at_end);
        if special || self.unicode_words || !text.is_boundary(range.start) {
            return None;
        }
        let one_pass = self.one_pass.get_or_init(|| {
            let config = onepass::DFA::config().size_limit(Some(256 << 10));
            onepass::DFA::builder().configure(config).build_from_nfa(self.program.clone()).ok()
        });
        let one_pass = one_pass.as_ref()?;
        let memory = cache.one_pass.get_or_insert_with(|| one_pass.create_cache());
        let input = Input::new(text.bytes).range(range.clone()).anchored(Anchored::Yes);
        cache.slots.clear();
        cache.slots.resize(slots.len(), None);
        let found = one_pass.try_search_slots(memory, &input, &mut cache.slots).ok()?.is_some();
        if found {
            for (slot, value) in slots.iter_mut().zip(&cache.slots) {
                *slot = value.map_or(UNSET, |value| value.get());
            }
        }
        Some(found)
    }

    /// Finds the groups of the match `found` by backtracking, if the match is short. Returns whether
    /// it found them.
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
