//! Finds where a match may start, from its minimum length and the texts of which every match
//! contains one.

use std::sync::OnceLock;

use regex_automata::util::prefilter::Prefilter;
use regex_automata::{MatchKind, Span};

use crate::budget::{Budget, SLICE};
use crate::needs::{self, Need};
use crate::problem::Problem;
use crate::sets::Sets;
use crate::syntax::Tree;
use crate::text::Text;

/// The number of bytes in a slice. A search for literals reads about 16 bytes in the time of a step.
const SLICE_BYTES: usize = 16 * SLICE as usize;

/// Facts that allow a search to skip text that cannot match.
pub(crate) struct Plan {
    /// The minimum length of a match in bytes.
    length_min: usize,
    required: Option<Required>,
    /// The prefilter that finds the texts that a match may start with.
    prefix: Option<Prefilter>,
}

/// Texts of which every match contains one.
struct Required {
    literals: Vec<Vec<u8>>,
    /// The search for the texts, which is prepared when it is first needed. It is `None` if it would
    /// be slow.
    finder: OnceLock<Option<Prefilter>>,
    /// The minimum and the maximum distance in bytes from the start of a match.
    least: usize,
    most: Option<usize>,
}

/// Prepares a search for the texts in `literals`. Returns `None` if it would be slow.
fn finder(literals: &[Vec<u8>]) -> Option<Prefilter> {
    Prefilter::new(MatchKind::LeftmostFirst, literals).filter(Prefilter::is_fast)
}

impl Required {
    /// Finds the first of the texts in `span`. If a limit has to be checked, this searches in
    /// slices.
    fn find(
        prefilter: &Prefilter,
        bytes: &[u8],
        span: Span,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Span>, Problem> {
        if !budget.slices(span.len()) {
            return Ok(prefilter.find(bytes, span));
        }
        let overlap = prefilter.max_needle_len().saturating_sub(1);
        let mut start = span.start;
        loop {
            budget.take(SLICE)?;
            let end = span.end.min(start.saturating_add(SLICE_BYTES + overlap));
            let found = prefilter.find(bytes, Span { start, end });
            if found.is_some() || end == span.end {
                return Ok(found);
            }
            start += SLICE_BYTES;
        }
    }
}

impl Plan {
    /// Prepares the plan of a pattern whose matches have at least `length_min` bytes. `text_start`
    /// says whether every match is at the start of the text.
    pub(crate) fn new(tree: &Tree, sets: &Sets<'_>, length_min: usize, text_start: bool) -> Plan {
        let found = needs::needs(tree, sets);
        let long = |need: &&Need| need.literals.iter().all(|literal| literal.len() > 1);
        // If every match is at the start of the text, there is nothing to search for.
        let prefix = found.prefix.as_ref().filter(|need| long(need) && !text_start);
        let prefix = prefix.and_then(|need| finder(&need.literals));
        let required = found.required.map(|need| Required {
            literals: need.literals,
            finder: OnceLock::new(),
            least: need.least,
            most: need.most,
        });
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
        self.start_by(text, from, |finder, span| Required::find(finder, text.bytes, span, budget))
    }

    /// Does what [`Plan::start`] does, but searches for the required texts with `find`.
    #[inline]
    pub(crate) fn start_by<E>(
        &self,
        text: Text<'_>,
        from: usize,
        find: impl FnOnce(&Prefilter, Span) -> Result<Option<Span>, E>,
    ) -> Result<Option<usize>, E> {
        let bytes = text.bytes;
        if bytes.len() - from < self.length_min {
            return Ok(None);
        }
        let Some(required) = &self.required else { return Ok(Some(from)) };
        let span = Span { start: from + required.least, end: bytes.len() };
        if span.start > span.end {
            return Ok(None);
        }
        let finder = required.finder.get_or_init(|| finder(&required.literals));
        let Some(finder) = finder else { return Ok(Some(from)) };
        let Some(found) = find(finder, span)? else { return Ok(None) };
        let Some(most) = required.most else { return Ok(Some(from)) };
        let start = found.start.saturating_sub(most);
        if start <= from {
            return Ok(Some(from));
        }
        let before = || text.previous_boundary(start).max(from);
        Ok(Some(if text.is_boundary(start) { start } else { before() }))
    }

    /// Returns whether [`Plan::start`] returns only positions of texts that every match starts with.
    pub(crate) fn starts_with_text(&self) -> bool {
        self.required
            .as_ref()
            .is_some_and(|required| (required.least, required.most) == (0, Some(0)))
    }

    /// Returns the prefilter that finds the texts with which a match may start, if there is one.
    pub(crate) fn prefix(&self) -> Option<&Prefilter> {
        self.prefix.as_ref()
    }
}
