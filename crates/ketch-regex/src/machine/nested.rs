//! Finds where an absence operator may end. If its pattern is not regular, a machine of its own
//! matches it.

use super::absence;
use super::code::{Absent, Program};
use super::search::Search;
use crate::problem::Problem;
use crate::text::Request;
use crate::threads::UNSET;

impl Search<'_, '_> {
    /// Returns the greatest end of the absence operator that starts at `from`, or `None` if it does
    /// not match.
    pub(super) fn absence_limit(
        &mut self,
        index: usize,
        from: usize,
    ) -> Result<Option<usize>, Problem> {
        let length = self.text.bytes.len();
        let end = match self.cache.absences[index].known(from) {
            Some(end) => end,
            None => {
                let program = self.program;
                let found = match &*program.absences[index] {
                    Absent::Regular(nfa) => absence::sweep(nfa, self.text, from, self.budget)?,
                    Absent::Irregular(program) => self.first_end(index, program, from)?,
                };
                self.cache.absences[index].learn(from, found, length);
                found.map(|(_, end)| end)
            }
        };
        Ok(match end {
            None => Some(length),
            // If the absent pattern matches the empty text, the absence operator matches only at
            // the end of the text, as in Ruby 3.4.
            Some(end) if end == from => (from == length).then_some(from),
            Some(end) => Some(self.text.previous_boundary(end)),
        })
    }

    /// Returns the start and end of the match that ends first, among those that start at `from` or
    /// later. If several end there, this is the one that starts last. The steps count as fuel,
    /// because the matches at neighbouring positions may each be long.
    fn first_end(
        &mut self,
        index: usize,
        program: &Program,
        from: usize,
    ) -> Result<Option<(usize, usize)>, Problem> {
        let mut first: Option<(usize, usize)> = None;
        // At the end of the text, a match may start only if the absence operator also starts there.
        let last = self.text.bytes.len().max(from + 1) - 1;
        let mut at = from;
        while at <= last && first.is_none_or(|(_, end)| at < end) {
            let end = match self.cache.absences[index].ends.get(&at) {
                Some(end) => *end,
                None => self.end(index, program, at)?,
            };
            if let Some(end) = end
                && first.is_none_or(|(_, first)| end <= first)
            {
                first = Some((at, end));
            }
            let limits = &mut self.cache.absences[index];
            limits.steps += 1;
            self.budget.take(1)?;
            if !self.budget.has_fuel(limits.steps) {
                return Err(self.budget.fuel_problem());
            }
            at = self.text.next_boundary(at);
        }
        Ok(first)
    }

    /// Returns the end of the match that starts at `at`, or `None` if there is none. Records it for
    /// later calls.
    fn end(
        &mut self,
        index: usize,
        program: &Program,
        at: usize,
    ) -> Result<Option<usize>, Problem> {
        self.budget.memory(self.cache.absences[index].ends.len().saturating_mul(32))?;
        let (text, search_start) = (self.text, self.search_start);
        let request = Request { text, from: at, anchored: true, search_start, shared: Some(0) };
        let nested = &mut self.cache.nested;
        nested.resize_with(nested.len().max(index + 1), Default::default);
        let machine = &mut nested[index];
        let before = machine.steps;
        let mut slots = [UNSET; 2];
        let mut search = Search::new(program, machine, request, self.budget)?;
        let found = search.match_at(at, program.groups as usize, &mut slots)?;
        search.flush()?;
        let steps = machine.steps - before;
        let end = found.then_some(slots[1]);
        let limits = &mut self.cache.absences[index];
        limits.steps += steps;
        limits.ends.insert(at, end);
        Ok(end)
    }
}
