//! Follows the remaining steps in complete nodes, and yields or holds the results.

use super::found::Found;
use super::frame::{Frame, Held, Role};
use super::make::{Deferred, Node};
use super::walk::{Kept, Walker};
use crate::compose::document::Document;
use crate::compose::follow::{Follower, Selected};
use crate::compose::select::Reached;
use crate::compose::view::Kind;
use crate::error::Error;
use crate::problem::Problem;

/// What a node led to.
#[allow(clippy::large_enum_variant, reason = "almost all are of the largest one")]
enum Outcome {
    Found(Found),
    Reached(Reached),
    /// The filter does not accept the node.
    Rejected,
}

impl Walker {
    /// Handles `kept`, a complete node on the path: follows the steps after the first `steps` in
    /// it. `entry` is its index if the first of those steps is a filter that has to accept it.
    pub fn find(&mut self, kept: Kept, steps: usize, entry: Option<u64>) -> Result<(), Error> {
        if self.is_deferring() {
            let deferred = Deferred { entry, ..self.defer(kept, steps, false) };
            self.note_accepted(entry);
            return self.deliver(Held::Later(vec![deferred]));
        }
        let made = self.make(kept, false);
        match made.and_then(|(document, at)| self.found_at(document, (at, entry), steps)) {
            Ok(Outcome::Reached(reached)) => {
                self.note_accepted(entry);
                self.note_reached(reached);
            }
            Ok(Outcome::Found(found)) => {
                self.note_accepted(entry);
                self.deliver(Held::Ready(Box::new(Ok(found))))?;
            }
            Ok(Outcome::Rejected) => {}
            Err(error) => self.deliver(Held::Ready(Box::new(Err(error))))?,
        }
        Ok(())
    }

    /// If `entry` is an entry of the innermost collection, records that the filter accepted it, or
    /// may still accept it.
    fn note_accepted(&mut self, entry: Option<u64>) {
        if let (Some(_), Some(frame)) = (entry, self.frames.last_mut()) {
            frame.has_accepted = true;
        }
    }

    /// Follows the steps after the first `steps` from the node at `at` of `document`. Fails if only
    /// the last step remains, the options require a sequence for it, and the node is not one.
    fn found_at(
        &mut self,
        document: Box<Document<'static>>,
        (at, entry): (usize, Option<u64>),
        steps: usize,
    ) -> Result<Outcome, Error> {
        let is_sequence = document.node(at.into()).resolved().kind() == Kind::Sequence;
        let after = steps + usize::from(entry.is_some());
        let is_wrong = self.has_to_be_sequence(Role::At(after)) && !is_sequence;
        let error = is_wrong.then(|| document.error_at(Problem::NotASequence, at.into()));
        match (self.follow(document, (at, entry), steps, self.options.dead_ends)?, error) {
            // A node that the filter rejects need not be a sequence.
            (Outcome::Rejected, _) => Ok(Outcome::Rejected),
            (_, Some(error)) => Err(error),
            (outcome, None) => Ok(outcome),
        }
    }

    /// Handles `kept`, a complete merge key with its value: follows the remaining steps in it, and
    /// keeps the result, which is used if the mapping has no matching key of its own.
    pub fn find_merged(&mut self, kept: Kept) -> Result<(), Error> {
        let Some(steps) = self.frames.last().map(|frame| frame.steps) else { return Ok(()) };
        if self.is_deferring() {
            let deferred = self.defer(kept, steps, true);
            if let Some(frame) = self.frames.last_mut() {
                frame.merge(Held::Later(vec![deferred]));
            }
            return Ok(());
        }
        let made = self.make(kept, true);
        match made.and_then(|(document, at)| self.follow(document, (at, None), steps, false)) {
            Ok(Outcome::Found(found)) => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.merge(Held::Ready(Box::new(Ok(found))));
                }
            }
            Ok(Outcome::Reached(reached)) if reached.steps > steps => self.note_reached(reached),
            Ok(_) => {}
            Err(error) => self.deliver(Held::Ready(Box::new(Err(error))))?,
        }
        Ok(())
    }

    /// Returns whether results may turn out not to be selected. If so, they are not composed yet,
    /// because with chains of aliases, each may need all nodes before it, which could take
    /// quadratic time.
    fn is_deferring(&self) -> bool {
        self.frames.iter().any(Frame::holds)
    }

    /// Sets the kept events aside, to compose them if they are selected. `steps` steps of the path
    /// lead to the node, which is a pair of a mapping if `is_pair`.
    fn defer(&mut self, kept: Kept, steps: usize, is_pair: bool) -> Deferred {
        let start = self.document.start.unwrap_or_default();
        Deferred {
            has_alias: kept.has_alias,
            is_pair,
            document_bytes: self.cut.end_offset() - start,
            ended_at: self.maker.anchored.now(),
            steps,
            entry: None,
            cut: std::mem::take(&mut self.cut),
        }
    }

    /// Composes the nodes `all`, which were set aside and are now selected. Returns the result of
    /// the first one that leads to something.
    fn settle(&mut self, all: Vec<Deferred>) -> Result<Option<Found>, Error> {
        for deferred in all {
            let Deferred { steps, is_pair, entry, .. } = deferred;
            let (document, at) = self.maker.make(deferred.node())?;
            let found = match is_pair {
                true => self.follow(document, (at, None), steps, false)?,
                false => self.found_at(document, (at, entry), steps)?,
            };
            match found {
                Outcome::Found(found) => return Ok(Some(found)),
                Outcome::Rejected => {}
                Outcome::Reached(reached) if is_pair && reached.steps <= steps => {}
                Outcome::Reached(reached) => self.note_reached(reached),
            }
        }
        Ok(None)
    }

    /// Composes the kept events, which are a pair of a mapping if `is_pair`. Returns the document
    /// and the index of the kept node in it.
    pub fn make(
        &mut self,
        kept: Kept,
        is_pair: bool,
    ) -> Result<(Box<Document<'static>>, usize), Error> {
        let start = self.document.start.unwrap_or_default();
        self.maker.make(Node {
            cut: &self.cut,
            has_alias: kept.has_alias,
            is_pair,
            document_bytes: self.cut.end_offset() - start,
            ended_at: self.maker.anchored.now(),
        })
    }

    /// Follows the steps after the first `steps` from a node. Returns the results, or how far the
    /// steps led; with `keeps`, a node without results is one itself.
    fn follow(
        &mut self,
        document: Box<Document<'static>>,
        (at, entry): (usize, Option<u64>),
        steps: usize,
        keeps: bool,
    ) -> Result<Outcome, Error> {
        let limits = &self.options.compose.limits;
        let mut follower = Follower::new(&document, limits);
        let selected = match entry {
            Some(index) => follower.select_entry(at, index, &self.wanted[steps..]),
            None => follower.select(at, &self.wanted[steps..]),
        };
        let outcome = match selected.map_err(|fault| document.error(fault))? {
            Selected::Nodes(nodes) => {
                let nodes = nodes.into_iter().map(Into::into).collect();
                let document_index = self.document.index;
                return Ok(Outcome::Found(Found {
                    document,
                    nodes,
                    document_index,
                    dead_end: None,
                }));
            }
            Selected::None(reached) if keeps => {
                let (nodes, document_index) = (vec![at.into()], self.document.index);
                let dead_end = Some(Reached { steps, ..reached });
                return Ok(Outcome::Found(Found { document, nodes, document_index, dead_end }));
            }
            Selected::None(reached) => {
                Outcome::Reached(Reached { steps: steps + reached.steps, ..reached })
            }
            Selected::Rejected => Outcome::Rejected,
        };
        self.maker.recycle(document);
        Ok(outcome)
    }

    /// Adds the result `found` to those found, unless a collection around it has to hold it.
    pub fn deliver(&mut self, found: Held) -> Result<(), Error> {
        let mut frames = self.frames.iter_mut().rev();
        let Some(found) = frames.try_fold(found, |found, frame| frame.keep(found)) else {
            return Ok(());
        };
        let found = match found {
            Held::Ready(found) => Some((*found)?),
            Held::Later(all) => self.settle(all)?,
        };
        if let Some(found) = found {
            self.found.push_back(found);
            self.has_found = true;
        }
        Ok(())
    }
}
