//! The faults of a document, collected and turned into errors.

use crate::compose::document::{error_of, related_range};
use crate::diagnose;
use crate::error::Error;
use crate::fault::Fault;
use crate::location::{LineCounter, Location, line_start};
use crate::parse::Window;
use std::ops::Range;

/// The first faults of a document in the order of the text. They are found in a different order,
/// because a duplicate key is found only when its mapping ends.
#[derive(Debug)]
pub(super) struct Faults {
    list: Vec<Fault>,
    max: usize,
}

impl Faults {
    /// Creates an empty list that keeps the first `max` faults.
    pub fn new(max: usize) -> Faults {
        Faults { list: Vec::new(), max }
    }

    /// Adds `fault`, and drops the last faults if there are far more than `max`.
    pub fn push(&mut self, fault: Fault) {
        self.list.push(fault);
        // Sorting only at twice the maximum keeps the cost per fault low.
        if self.list.len() >= 2 * self.max.max(1) {
            self.sort();
        }
    }

    /// Returns the maximum number of faults.
    pub fn max(&self) -> usize {
        self.max
    }

    /// Puts the faults in order and drops those beyond the maximum.
    fn sort(&mut self) {
        self.list.sort_by_key(|fault| fault.at);
        // A fault is found several times if aliases make it part of several keys.
        self.list.dedup();
        self.list.truncate(self.max);
    }

    /// Removes all faults and returns them as errors, in order. The document starts at offset
    /// `base` of the stream, and its text is in the window.
    pub fn take(&mut self, base: u64, window: Window<'_>) -> Vec<Error> {
        self.sort();
        if self.list.is_empty() {
            return Vec::new();
        }
        let text = &window.text[(base - window.base) as usize..];
        diagnose::remove_consequences(text, &mut self.list);
        let advise = |fault: Fault| (fault, diagnose::diagnose_node(&fault, text, 0..text.len()));
        let advised: Vec<_> = self.list.drain(..).map(advise).collect();
        let mut offsets = Vec::new();
        for (fault, advice) in &advised {
            offsets.push(base + fault.at);
            let related = related_range(fault, advice.as_ref());
            offsets.extend(related.map(|range| base + range.start as u64));
        }
        let lines = Lines::new(window, offsets);
        let location = |range: Range<usize>| lines.location(base + range.start as u64, range.len());
        advised.into_iter().map(|(fault, advice)| error_of(fault, advice, location)).collect()
    }
}

/// The lines before some offsets, which are counted in one pass.
struct Lines<'b> {
    window: Window<'b>,
    /// The starts of the lines that errors show, in order, and the lines before each.
    counted: Vec<(usize, LineCounter)>,
}

impl<'b> Lines<'b> {
    /// Counts the lines of the window before each of `offsets`, which are offsets in the stream.
    fn new(window: Window<'b>, offsets: Vec<u64>) -> Lines<'b> {
        let start = |offset: u64| line_start(window.text, (offset - window.base) as usize);
        let mut starts: Vec<usize> = offsets.into_iter().map(start).collect();
        starts.sort_unstable();
        let (mut at, mut passed) = (0, window.passed);
        let count = |start: usize| {
            passed.count(&window.text[at..start]);
            at = start;
            (start, passed)
        };
        Lines { window, counted: starts.into_iter().map(count).collect() }
    }

    /// Returns the location of `len` bytes at `offset` of the stream, counting from the nearest
    /// counted line before it.
    fn location(&self, offset: u64, len: usize) -> Location {
        let line = line_start(self.window.text, (offset - self.window.base) as usize);
        let after = self.counted.partition_point(|&(start, _)| start <= line);
        let before = after.checked_sub(1).map(|last| self.counted[last]);
        let (start, passed) = before.unwrap_or((0, self.window.passed));
        let text = &self.window.text[start..];
        passed.location(text, self.window.base + start as u64, offset, len)
    }
}
