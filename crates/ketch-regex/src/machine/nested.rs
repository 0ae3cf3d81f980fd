//! Finds where an absence operator may end. If its pattern is not regular, a machine of its own
//! matches it.

use super::absence;
use super::code::{Absent, Program};
use super::search::Search;
use crate::problem::Problem;
use crate::text::{Request, Text};
use crate::threads::UNSET;

impl Search<'_, '_> {
    /// Returns the greatest end of the absence operator that starts at `from`, or `None` if it does
    /// not match.
    pub(super) fn absence_limit(
        &mut self,
        index: usize,
        from: usize,
    ) -> Result<Option<usize>, Problem> {
        let length = self.whole.bytes.len();
        let end = match self.cache.absences[index].known(from) {
            Some(end) => end,
            None => {
                let program = self.program;
                let found = match &*program.absences[index] {
                    Absent::Regular(nfa) => absence::sweep(nfa, self.whole, from, self.budget)?,
                    Absent::Irregular(program) => self.first_end(index, program, from)?,
                };
                self.cache.absences[index].learn(from, found, length);
                found.map(|(_, end)| end)
            }
        };
        let last = self.text.bytes.len();
        Ok(match end {
            None => Some(last),
            // If the absent pattern matches the empty text, the absence operator matches only at
            // the end of the text, as in Ruby 3.4.
            Some(end) if end == from => (from == length).then_some(from),
            Some(end) => Some(self.whole.previous_boundary(end).min(last)),
        })
    }

    /// Returns the end of the match that ends first, among those that start at `from` or later, and
    /// the last position from which the result is the same.
    ///
    /// At each position, only the first match counts. As in Ruby, this is the first one that ends
    /// before the last character of those at earlier positions. At that last character itself, only
    /// a match in the whole text counts: without the character, the pattern could only match nothing,
    /// which it need not do in the text. The steps count as fuel, because the matches at neighbouring
    /// positions may each be long.
    fn first_end(
        &mut self,
        index: usize,
        program: &Program,
        from: usize,
    ) -> Result<Option<(usize, usize)>, Problem> {
        let mut first: Option<(usize, usize)> = None;
        // At the end of the text, a match may start only if the absence operator also starts there.
        let last = self.whole.bytes.len().max(from + 1) - 1;
        let mut at = from;
        while at <= last && first.is_none_or(|(_, end)| at < end) {
            let mut found = match self.cache.absences[index].ends.get(&at) {
                Some(end) => *end,
                None => {
                    let end = self.end(index, program, at, self.whole)?;
                    self.cache.absences[index].ends.insert(at, end);
                    end
                }
            };
            if let (Some(end), Some((_, before))) = (found, first)
                && end >= before
            {
                let limit = self.whole.previous_boundary(before);
                let part = self.whole.with(&self.whole.bytes[..limit]);
                found = if at < limit { self.end(index, program, at, part)? } else { None };
            }
            if let Some(end) = found {
                first = Some((first.map_or(at, |(start, _)| start), end));
            }
            let limits = &mut self.cache.absences[index];
            limits.steps += 1;
            self.budget.take(1)?;
            if !self.budget.has_fuel(limits.steps) {
                return Err(self.budget.fuel_problem());
            }
            at = self.whole.next_boundary(at);
        }
        Ok(first)
    }

    /// Returns the end of the match that starts at `at` and ends in `text`, which is the whole text or
    /// its first part. Returns `None` if there is none.
    fn end(
        &mut self,
        index: usize,
        program: &Program,
        at: usize,
        text: Text<'_>,
    ) -> Result<Option<usize>, Problem> {
        self.budget.memory(self.cache.absences[index].ends.len().saturating_mul(32))?;
        let (whole, search_start) = (self.whole, self.search_start);
        let request = Request { text, from: at, anchored: true, search_start, shared: Some(0) };
        let nested = &mut self.cache.nested;
        nested.resize_with(nested.len().max(index + 1), Default::default);
        let machine = &mut nested[index];
        let is_part = text.bytes.len() < whole.bytes.len();
        if is_part {
            machine.clear_paths();
        }
        let before = machine.steps;
        let mut slots = [UNSET; 2];
        let mut search = Search::new(program, machine, request, self.budget)?;
        search.whole = whole;
        let found = search.match_at(at, program.groups as usize, &mut slots)?;
        search.flush()?;
        self.cache.absences[index].steps += machine.steps - before;
        if is_part {
            machine.clear_paths();
        }
        Ok(found.then_some(slots[1]))
    }
}
