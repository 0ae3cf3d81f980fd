//! Finds where a match may start, from its minimum length and the texts of which every match
//! contains one.

use regex_automata::util::prefilter::Prefilter;
use regex_automata::{MatchKind, Span};

use crate::needs::{self, Need};
use crate::sets::Sets;
use crate::syntax::Tree;
use crate::text::Text;

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
    pub(crate) fn start(&self, text: Text<'_>, from: usize) -> Option<usize> {
        let bytes = text.bytes;
        if bytes.len() - from < self.length_min {
            return None;
        }
        let Some(required) = &self.required else { return Some(from) };
        let span = Span { start: from + required.least, end: bytes.len() };
        if span.start > span.end {
            return None;
        }
        let found = required.prefilter.find(bytes, span)?;
        let Some(most) = required.most else { return Some(from) };
        let start = found.start.saturating_sub(most);
        if start <= from {
            return Some(from);
        }
        Some(if text.is_boundary(start) { start } else { text.previous_boundary(start).max(from) })
    }

    /// Returns the prefilter that finds the texts that a match may start with.
    pub(crate) fn prefix(&self) -> Option<&Prefilter> {
        self.prefix.as_ref()
    }
}
