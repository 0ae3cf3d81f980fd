//! A compiled pattern, and which machine answers what.

use std::ops::Range;
use std::sync::Arc;

use regex_automata::hybrid::dfa::{self, DFA};
use regex_automata::nfa::thompson::NFA;
use regex_automata::nfa::thompson::backtrack::{self, BoundedBacktracker};
use regex_automata::util::pool::Pool;
use regex_automata::util::primitives::NonMaxUsize;
use regex_automata::{Anchored, Input, MatchKind};

use crate::budget::Budget;
use crate::error::{Error, Result};
use crate::lazy;
use crate::options::{Encoding, Options};
use crate::plan::Plan;
use crate::problem::Problem;
use crate::program::{Target, compile};
use crate::regular::{Facts, check};
use crate::sets::Sets;
use crate::syntax::{Name, Span, parse};
use crate::text::Text;
use crate::threads::{self, UNSET};

/// A compiled pattern of Ruby's syntax. Cheap to clone; may be shared between threads.
///
/// Every search takes time linear in the text, times the size of the pattern. Positions are bytes.
#[derive(Clone, Debug)]
pub struct Regex(Arc<Inner>);

struct Inner {
    pattern: String,
    options: Options,
    names: Vec<Name>,
    groups: usize,
    facts: Facts,
    plan: Plan,
    /// With every assertion as Ruby has it.
    exact: NFA,
    forward: Option<DFA>,
    backward: Option<DFA>,
    backtracker: Option<BoundedBacktracker>,
    /// `\b` follows Unicode, for which the automata know ASCII only.
    unicode_words: bool,
    caches: Pool<
        Cache,
        Box<dyn Fn() -> Cache + Send + Sync + std::panic::UnwindSafe + std::panic::RefUnwindSafe>,
    >,
}

impl std::fmt::Debug for Inner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "/{}/", self.pattern)
    }
}

/// The memory of the machines, made when first needed.
#[derive(Default)]
struct Cache {
    forward: Option<dfa::Cache>,
    backward: Option<dfa::Cache>,
    backtrack: Option<backtrack::Cache>,
    threads: threads::Cache,
    slots: Vec<Option<NonMaxUsize>>,
}

/// The groups of a match, reused between searches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Captures {
    slots: Vec<usize>,
}

impl Captures {
    /// Captures of no match.
    pub fn new() -> Captures {
        Captures::default()
    }

    /// The bytes of a group, or of the match at 0; `None` if it is not set.
    pub fn get(&self, group: usize) -> Option<Range<usize>> {
        let start = *self.slots.get(group.checked_mul(2)?)?;
        let end = *self.slots.get(group * 2 + 1)?;
        (start != UNSET && end != UNSET).then_some(start..end)
    }

    /// The number of groups and the match.
    pub fn len(&self) -> usize {
        self.slots.len() / 2
    }

    /// Whether there is no match.
    pub fn is_empty(&self) -> bool {
        self.get(0).is_none()
    }

    /// The match and its groups.
    pub fn iter(&self) -> impl Iterator<Item = Option<Range<usize>>> {
        (0..self.len()).map(|group| self.get(group))
    }
}

impl Regex {
    /// Compiles a pattern.
    ///
    /// Fails with Ruby's message if it is none, and with [`Problem::Irregular`], which names the
    /// construct and its place, if the regular engine does not take it.
    ///
    /// ```
    /// use ketch_regex::{Options, Regex};
    /// let date = Regex::new(r"(?<year>\d+)-(\d+)", Options::default()).unwrap();
    /// assert_eq!(date.find(b"on 2026-11").unwrap(), Some(3..10));
    /// let error = Regex::new("a(?=b)", Options::default()).unwrap_err();
    /// assert_eq!((error.to_string(), error.column()),
    ///     ("look-ahead is not supported by the regular engine (column 2)".to_string(), 2));
    /// ```
    pub fn new(pattern: &str, options: Options) -> Result<Regex> {
        let tree = parse(pattern, &options)?;
        let facts = check(&tree, pattern)?;
        let binary = options.encoding == Encoding::Binary;
        let sets = Sets::new(&tree, pattern, binary)?;
        let program = |reverse, exact| {
            compile(&tree, pattern, &sets, Target { reverse, exact, binary }, &options.limits)
        };
        let exact = program(false, true)?;
        let automaton = if facts.text_end_line { program(false, false)? } else { exact.clone() };
        let reverse = program(true, false)?;
        let looks = automaton.look_set_any();
        let unicode_words = looks.contains_word_unicode();
        let backtracker = BoundedBacktracker::builder()
            .configure(BoundedBacktracker::config().visited_capacity(256 << 10))
            .build_from_nfa(automaton.clone())
            .ok();
        Ok(Regex(Arc::new(Inner {
            pattern: pattern.to_string(),
            names: tree.names().to_vec(),
            groups: tree.groups() as usize,
            facts,
            plan: Plan::new(&tree, facts.length_min, binary),
            exact,
            forward: lazy::build(automaton, MatchKind::LeftmostFirst, &options.limits),
            backward: lazy::build(reverse, MatchKind::All, &options.limits),
            backtracker,
            unicode_words,
            options,
            caches: Pool::new(Box::new(Cache::default)),
        })))
    }

    /// The pattern.
    pub fn pattern(&self) -> &str {
        &self.0.pattern
    }

    /// The names and the numbers of their groups.
    pub fn names(&self) -> &[Name] {
        &self.0.names
    }

    /// The number of capture groups, without the match.
    pub fn groups(&self) -> usize {
        self.0.groups
    }

    /// Whether the text holds a match.
    pub fn is_match(&self, text: &[u8]) -> Result<bool> {
        self.search(text, 0, false, &mut [UNSET; 2])
    }

    /// The bytes of the first match.
    pub fn find(&self, text: &[u8]) -> Result<Option<Range<usize>>> {
        self.find_at(text, 0)
    }

    /// The bytes of the first match that starts at `from` or later; assertions see what is before.
    pub fn find_at(&self, text: &[u8], from: usize) -> Result<Option<Range<usize>>> {
        let mut slots = [UNSET; 2];
        Ok(self.search(text, from, false, &mut slots)?.then(|| slots[0]..slots[1]))
    }

    /// The bytes of the match that starts at `at`.
    pub fn match_at(&self, text: &[u8], at: usize) -> Result<Option<Range<usize>>> {
        let mut slots = [UNSET; 2];
        Ok(self.search(text, at, true, &mut slots)?.then(|| slots[0]..slots[1]))
    }

    /// Like [`Regex::find_at`], with the groups; whether there is a match.
    pub fn captures_at(&self, text: &[u8], from: usize, captures: &mut Captures) -> Result<bool> {
        captures.slots.clear();
        captures.slots.resize(2 * (self.0.groups + 1), UNSET);
        let found = self.search(text, from, false, &mut captures.slots);
        if !matches!(found, Ok(true)) {
            captures.slots.fill(UNSET);
        }
        found
    }

    /// The groups of the first match.
    pub fn captures(&self, text: &[u8]) -> Result<Option<Captures>> {
        let mut captures = Captures::new();
        Ok(self.captures_at(text, 0, &mut captures)?.then_some(captures))
    }

    /// All matches that do not overlap; after an empty one, the search goes on one character later.
    pub fn scan<'t>(&'t self, text: &'t [u8]) -> impl Iterator<Item = Result<Range<usize>>> + 't {
        let whole = self.text(text);
        let mut next = Some(0);
        std::iter::from_fn(move || {
            let from = next.filter(|from| *from <= text.len())?;
            match self.find_at(text, from) {
                Ok(Some(found)) => {
                    let empty = found.start == found.end;
                    next = Some(if empty { whole.next_boundary(found.end) } else { found.end });
                    Some(Ok(found))
                }
                Ok(None) => {
                    next = None;
                    None
                }
                Err(error) => {
                    next = None;
                    Some(Err(error))
                }
            }
        })
    }

    /// The span by one machine: the automata in slices, or the threads.
    #[cfg(test)]
    pub(crate) fn find_exact(
        &self,
        text: &[u8],
        from: usize,
        sliced: bool,
    ) -> Result<Option<Range<usize>>, Problem> {
        let text = self.text(text);
        if from > text.bytes.len() {
            return Ok(None);
        }
        let mut cache = Cache::default();
        let limits = &self.0.options.limits;
        if sliced {
            let mut budget = Budget::sliced(limits);
            if let Some(found) = self.0.span(&mut cache, text, from, false, &mut budget)? {
                return Ok(found);
            }
        }
        let mut slots = [UNSET; 2];
        let mut budget = Budget::new(limits);
        let found = threads::search(
            &self.0.exact,
            &mut cache.threads,
            text,
            from,
            false,
            &mut budget,
            &mut slots,
        )?;
        Ok(found.then(|| slots[0]..slots[1]))
    }

    fn text<'t>(&self, bytes: &'t [u8]) -> Text<'t> {
        Text { bytes, encoding: self.0.options.encoding }
    }

    fn search(
        &self,
        text: &[u8],
        from: usize,
        anchored: bool,
        slots: &mut [usize],
    ) -> Result<bool> {
        let inner = &*self.0;
        if from > text.len() || !inner.plan.may_match(text, from) {
            return Ok(false);
        }
        let mut budget = Budget::new(&inner.options.limits);
        let mut cache = inner.caches.get();
        inner.run(&mut cache, self.text(text), from, anchored, &mut budget, slots).map_err(
            |problem| {
                Error::new(problem, Span { start: 0, end: inner.pattern.len() }, &inner.pattern)
            },
        )
    }
}

impl Inner {
    fn run(
        &self,
        cache: &mut Cache,
        text: Text<'_>,
        from: usize,
        anchored: bool,
        budget: &mut Budget<'_>,
        slots: &mut [usize],
    ) -> Result<bool, Problem> {
        let Some(found) = self.span(cache, text, from, anchored, budget)? else {
            return threads::search(
                &self.exact,
                &mut cache.threads,
                text,
                from,
                anchored,
                budget,
                slots,
            );
        };
        let Some(found) = found else { return Ok(false) };
        slots[0] = found.start;
        slots[1] = found.end;
        if slots.len() == 2 || self.backtrack(cache, text, &found, slots) {
            return Ok(true);
        }
        threads::search(&self.exact, &mut cache.threads, text, found.start, true, budget, slots)
    }

    /// The span of the match by automata; `None` if they cannot tell.
    #[allow(clippy::type_complexity)]
    fn span(
        &self,
        cache: &mut Cache,
        text: Text<'_>,
        from: usize,
        anchored: bool,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Option<Range<usize>>>, Problem> {
        // Only a line feed at the end of the text parts Ruby's `^` and `\Z` from those of the automata.
        let line_end = text.bytes.last() == Some(&b'\n');
        if line_end && (self.facts.line_start_at_end || self.facts.text_end_line) {
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
        let end = match lazy::forward(forward, memory, &input, budget)? {
            lazy::Answer::Unknown => return Ok(None),
            lazy::Answer::No => return Ok(Some(None)),
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

    /// The groups of a short match; whether they were found.
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
