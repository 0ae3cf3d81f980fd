//! The style of a document: what is counted in its text, and what new text follows.

use super::error::EditError;
use super::tree::{Shape, Tree, parser};
use ketch_yaml::{EventKind, Flags, Options};
use std::cell::Cell;

/// Statistics of the style of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    /// The number of mappings that are 0 to 8 columns deeper than the mapping that contains them.
    steps: [i64; 9],
    /// The numbers of sequences at the column of their key, and of deeper ones.
    flush: i64,
    indented: i64,
    single: i64,
    double: i64,
}

impl Counts {
    /// Counts the styles of the nodes in `tree`, whose text is `text`.
    pub fn of(text: &[u8], tree: &Tree) -> Counts {
        let column = |at: usize| at - super::lines::line_start(text, at);
        let mut counts = Counts::default();
        for node in &tree.nodes {
            counts.scalar(node.event.kind);
            let Some(parent) = node.parent.map(|at| &tree.nodes[at]) else { continue };
            let is_below = !node.is_flow && !parent.is_flow && parent.shape == Shape::Mapping;
            if is_below && matches!(node.shape, Shape::Sequence | Shape::Mapping) {
                let columns = (column(parent.content), column(node.content));
                counts.collection(node.shape == Shape::Sequence, columns);
            }
        }
        counts
    }

    /// Counts the styles of the nodes in `text`, without building its tree.
    pub fn of_text(text: &[u8]) -> Result<Counts, EditError> {
        let column = |at: usize| at - super::lines::line_start(text, at);
        let mut counts = Counts::default();
        // The columns of the open block mappings; `None` for other open collections.
        let mut open: Vec<Option<usize>> = Vec::new();
        let mut parser = parser(text, &Options::default())?;
        while let Some(chunk) = parser.next_chunk().map_err(EditError::invalid)? {
            let base = chunk.base() as usize;
            for event in chunk.events() {
                let is_mapping = event.kind == EventKind::MappingStart;
                match event.kind {
                    EventKind::SequenceStart | EventKind::MappingStart
                        if event.flags.has(Flags::FLOW) =>
                    {
                        open.push(None);
                    }
                    EventKind::SequenceStart | EventKind::MappingStart => {
                        let at = column(base + event.start);
                        if let Some(Some(outer)) = open.last() {
                            counts.collection(!is_mapping, (*outer, at));
                        }
                        open.push(is_mapping.then_some(at));
                    }
                    EventKind::SequenceEnd | EventKind::MappingEnd => drop(open.pop()),
                    kind => counts.scalar(kind),
                }
            }
        }
        Ok(counts)
    }

    /// Counts a scalar of the kind `kind`, if that is a quoted one.
    fn scalar(&mut self, kind: EventKind) {
        self.single += i64::from(kind == EventKind::SingleQuoted);
        self.double += i64::from(kind == EventKind::DoubleQuoted);
    }

    /// Counts a block collection at the column `to` in a mapping at the column `from`.
    fn collection(&mut self, is_sequence: bool, (from, to): (usize, usize)) {
        match is_sequence {
            true if from == to => self.flush += 1,
            true => self.indented += 1,
            false => self.steps[to.saturating_sub(from).min(8)] += 1,
        }
    }

    /// Replaces the counts `before` of a changed part of the text by its new counts `after`.
    pub fn change(&mut self, before: &Counts, after: &Counts) {
        for (at, step) in self.steps.iter_mut().enumerate() {
            *step += after.steps[at] - before.steps[at];
        }
        self.flush += after.flush - before.flush;
        self.indented += after.indented - before.indented;
        self.single += after.single - before.single;
        self.double += after.double - before.double;
    }
}

/// The style of a document, for new text that has no siblings to imitate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Habits<'c> {
    /// Whether keys and strings are quoted as in JSON.
    pub is_json: bool,
    /// The counts; `None` if they are not known yet. Using them then sets `is_wanted`.
    pub counts: Option<Counts>,
    pub is_wanted: Option<&'c Cell<bool>>,
}

impl Habits<'_> {
    /// Returns the counts. If they are not known yet, requests them and returns zeros.
    fn counts(&self) -> Counts {
        if let (None, Some(is_wanted)) = (self.counts, self.is_wanted) {
            is_wanted.set(true);
        }
        self.counts.unwrap_or_default()
    }

    /// Returns the number of columns by which mappings in mappings are indented.
    pub fn step(&self) -> usize {
        let steps = self.counts().steps;
        let most = (1..9).rev().max_by_key(|&at| (steps[at], at == 2)).unwrap_or(2);
        if steps[most] == 0 { 2 } else { most }
    }

    /// Returns whether most sequences are at the column of their key.
    pub fn is_flush(&self) -> bool {
        let counts = self.counts();
        counts.flush > counts.indented
    }

    /// Returns the kind of quotes that the document uses more often.
    pub fn quote(&self) -> EventKind {
        if self.is_json {
            return EventKind::DoubleQuoted;
        }
        let counts = self.counts();
        match counts.single > counts.double {
            true => EventKind::SingleQuoted,
            false => EventKind::DoubleQuoted,
        }
    }
}
