//! Finds all matches in a text. Consecutive searches share what they learn about the text.

use std::ops::Range;

use regex_automata::util::pool::PoolGuard;

use crate::budget::Budget;
use crate::cost::Cost;
use crate::error::Result;
use crate::regex::{Cache, Captures, MakeCache, Regex};
use crate::text::{Request, Text};
use crate::threads::UNSET;

/// An iterator over the matches in a text that do not overlap. After an empty match, the search
/// continues one character later, as in Ruby's `scan` and `gsub`.
///
/// All searches together take linear time if [`Regex::scan_is_linear`] returns true.
pub struct Scan<'r, 't> {
    pub(crate) searches: Searches<'r, 't>,
    /// The position at which the next search starts, or `None` after an error or if no match is
    /// left.
    next: Option<usize>,
}

impl<'t> Scan<'_, 't> {
    /// Finds the next match, and stores its groups in `captures`. Returns whether there is one.
    ///
    /// # Errors
    ///
    /// Fails as [`Regex::find`] does.
    ///
    /// ```
    /// use ketch_regex::{Captures, Options, Regex};
    /// let regex = Regex::new(r"(\w)=(\d+)", Options::default()).unwrap();
    /// let mut scan = regex.scan(b"a=1, b=22");
    /// let mut captures = Captures::new();
    /// let mut values = Vec::new();
    /// while scan.next_captures(&mut captures).unwrap() {
    ///     values.push(captures.get(2).unwrap());
    /// }
    /// assert_eq!(values, [2..3, 7..9]);
    /// ```
    pub fn next_captures(&mut self, captures: &mut Captures) -> Result<bool> {
        captures.slots.clear();
        captures.slots.resize(2 * (self.searches.regex.groups() + 1), UNSET);
        let found = self.search(&mut captures.slots);
        if !matches!(found, Ok(true)) {
            captures.slots.fill(UNSET);
        }
        found
    }

    /// Returns the text that is searched.
    pub fn text(&self) -> &'t [u8] {
        self.searches.text.bytes
    }

    /// Finds the next match, and stores it in `slots`. Returns whether there is one.
    fn search(&mut self, slots: &mut [usize]) -> Result<bool> {
        let text = self.searches.text;
        let Some(from) = self.next.take().filter(|from| *from <= text.bytes.len()) else {
            return Ok(false);
        };
        let found = self.searches.search(from, slots)?;
        if found {
            let (start, end) = (slots[0], slots[1]);
            // `\K` in a look-ahead may move the start after the end, and the end to where the
            // search began.
            let stays = start >= end || end <= from;
            self.next = Some(if stays { text.next_boundary(end.max(from)) } else { end });
        }
        Ok(found)
    }
}

impl Iterator for Scan<'_, '_> {
    type Item = Result<Range<usize>>;

    fn next(&mut self) -> Option<Result<Range<usize>>> {
        let mut slots = [UNSET; 2];
        match self.search(&mut slots) {
            Ok(true) => Some(Ok(slots[0]..slots[1])),
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        }
    }
}

impl Regex {
    /// Returns an iterator over all matches that do not overlap.
    ///
    /// ```
    /// let regex = ketch_regex::Regex::new("[a-z]+|", Default::default()).unwrap();
    /// let found: Vec<_> = regex.scan(b"ab 1").map(Result::unwrap).collect();
    /// assert_eq!(found, [0..2, 2..2, 3..3, 4..4]);
    /// ```
    pub fn scan<'t>(&self, text: &'t [u8]) -> Scan<'_, 't> {
        Scan { searches: Searches::new(self, text), next: Some(0) }
    }

    /// Returns whether a whole [`Regex::scan`] takes linear time, as long as the table of the memo
    /// machine fits in [`Limits::memory_bytes`](crate::Limits::memory_bytes). If the pattern has a
    /// `\G`, a search cannot use the results of the last one, so the result is false; if
    /// [`Regex::is_linear`] is true nevertheless, each match takes linear time.
    pub fn scan_is_linear(&self) -> bool {
        self.is_linear() && self.0.shares()
    }
}

/// Many searches in one text, which share their memory.
pub(crate) struct Searches<'r, 't> {
    pub(crate) regex: &'r Regex,
    pub(crate) text: Text<'t>,
    cache: PoolGuard<'r, Cache, MakeCache>,
    cost: Cost,
}

impl<'r, 't> Searches<'r, 't> {
    /// Prepares searches in `text`.
    pub(crate) fn new(regex: &'r Regex, text: &'t [u8]) -> Searches<'r, 't> {
        let mut cache = regex.0.caches.get();
        cache.engine.machine.clear();
        Searches { regex, text: regex.text(text), cache, cost: regex.0.cost() }
    }

    /// Finds the first match from `from` on, and stores it in `slots`. Returns whether there is
    /// one.
    pub(crate) fn search(&mut self, from: usize, slots: &mut [usize]) -> Result<bool> {
        let inner = &*self.regex.0;
        let mut budget = Budget::new(&inner.options.limits);
        match inner.start(self.text, from, &mut budget) {
            Ok(Some((start, anchored))) => self.run(start, from, anchored, &mut budget, slots),
            Ok(None) => Ok(false),
            Err(problem) => Err(inner.error(problem)),
        }
    }

    /// Finds the match that starts at `at`, which may be any position, and stores it in `slots`.
    /// `\G` matches at `search_start`. Returns whether there is one.
    pub(crate) fn match_at(
        &mut self,
        at: usize,
        search_start: usize,
        budget: &mut Budget<'_>,
        slots: &mut [usize],
    ) -> Result<bool> {
        self.run(at, search_start, true, budget, slots)
    }

    /// Searches, and stores the match in `slots`. Returns whether there is one.
    fn run(
        &mut self,
        from: usize,
        search_start: usize,
        anchored: bool,
        budget: &mut Budget<'_>,
        slots: &mut [usize],
    ) -> Result<bool> {
        let inner = &*self.regex.0;
        // Searches that go backward are anchored. In all of them, `\G` matches at the same
        // position.
        let anchored_shares = anchored && !inner.options.find_longest;
        let shared = (inner.shares() || anchored_shares).then_some(0);
        let request = Request { text: self.text, from, anchored, search_start, shared };
        inner
            .run_again(&mut self.cache, request, &mut self.cost, budget, slots)
            .map_err(|problem| inner.error(problem))
    }
}
