//! Finds where a match may start, from its minimum length and the texts of which every match
//! contains one.

use regex_automata::util::prefilter::Prefilter;
use regex_automata::{MatchKind, Span};

use crate::budget::{Budget, SLICE};
use crate::needs::{self, Need};
use crate::problem::Problem;
use crate::sets::Sets;
use crate::syntax::Tree;
use crate::text::Text;

/// The number of bytes of a slice. These searches read about 16 bytes in the time of a step.
const SLICE_BYTES: usize = 16 * SLICE as usize;

/// Facts that allow a search to skip text that cannot match.
pub(crate) struct Plan {
    /// The minimum length of a match in bytes.
    length_min: usize,
    required: Option<Required>,
    /// The prefilter that finds the texts that a match may start with.
    prefix: Option<Prefilter>,
}

/// Texts such that every match contains one of them.
struct Required {
    prefilter: Prefilter,
    /// The minimum and the maximum distance from the start of the match.
    least: usize,
    most: Option<usize>,
}

impl Required {
    /// Finds the first of the texts, in slices if a limit has to be checked.
    fn find(
        &self,
        bytes: &[u8],
        span: Span,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Span>, Problem> {
        if !budget.slices(span.len()) {
            return Ok(self.prefilter.find(bytes, span));
        }
        let overlap = self.prefilter.max_needle_len().saturating_sub(1);
        let mut start = span.start;
        loop {
            budget.take(SLICE)?;
            let end = span.end.min(start.saturating_add(SLICE_BYTES + overlap));
            let found = self.prefilter.find(bytes, Span { start, end });
            if found.is_some() || end == span.end {
                return Ok(found);
            }
            start += SLICE_BYTES;
        }
    }
}

impl Plan {
    /// Prepares the plan of a pattern.
    pub(crate) fn new(tree: &Tree, sets: &Sets<'_>, length_min: usize) -> Plan {
        let found = needs::needs(tree, sets);
        let finder = |need: &Need| {
            let prefilter = Prefilter::new(MatchKind::LeftmostFirst, &need.literals)?;
            prefilter.is_fast().then_some(prefilter)
        };
        let required = found.required.as_ref().and_then(|need| {
            Some(Required { prefilter: finder(need)?, least: need.least, most: need.most })
        });
        let long = |need: &&Need| need.literals.iter().all(|literal| literal.len() > 1);
        let prefix = found.prefix.as_ref().filter(long).and_then(finder);
        Plan { length_min, required, prefix }
    }

    /// Returns the first position from `from` on where a match may start, or `None` if there is
    /// none.
    pub(crate) fn start(
        &self,
        text: Text<'_>,
        from: usize,
        budget: &mut Budget<'_>,
    ) -> Result<Option<usize>, Problem> {
        let bytes = text.bytes;
        if bytes.len() - from < self.length_min {
            return Ok(None);
        }
        let Some(required) = &self.required else { return Ok(Some(from)) };
        let span = Span { start: from + required.least, end: bytes.len() };
        if span.start > span.end {
            return Ok(None);
        }
        let Some(found) = required.find(bytes, span, budget)? else { return Ok(None) };
        let Some(most) = required.most else { return Ok(Some(from)) };
        let start = found.start.saturating_sub(most);
        if start <= from {
            return Ok(Some(from));
        }
        let before = || text.previous_boundary(start).max(from);
        Ok(Some(if text.is_boundary(start) { start } else { before() }))
    }

    /// Returns the prefilter that finds the texts that a match may start with.
    pub(crate) fn prefix(&self) -> Option<&Prefilter> {
        self.prefix.as_ref()
    }
}
