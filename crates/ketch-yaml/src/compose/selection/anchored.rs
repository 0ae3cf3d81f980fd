//! The anchored nodes of a document, kept as events because aliases may refer to them later.
//!
//! Each anchored node is kept once, together with those inside it. A definition is a range of the
//! kept events. When a node with an alias is composed, the nodes that it needs, directly or through
//! other aliases, are put before it in the order of the stream, so that each alias still refers to
//! the last definition before it.

use super::cut::{Cut, Sight, events, location};
use crate::compose::composer::{Lines, Part};
use crate::error::Error;
use crate::event::{Event, EventKind};
use crate::problem::Problem;
use foldhash::{HashMap, HashSet};
use std::cmp::Reverse;
use std::ops::Range;

/// The anchored nodes of a document.
#[derive(Debug, Default)]
pub(super) struct Anchored {
    pub cut: Cut,
    definitions: Vec<Definition>,
    /// The definitions of each name, in the order of the stream.
    names: HashMap<Box<[u8]>, Vec<u32>>,
    /// The outermost node whose events are being kept, if there is one.
    keeping: Option<Keeping>,
    /// The definitions whose nodes are open, with their depths.
    open: Vec<(u32, usize)>,
    /// The number of definitions that have ended.
    ended: u64,
}

/// An anchor and the events of its node.
#[derive(Debug)]
struct Definition {
    /// The offset of the anchor in the stream.
    offset: u64,
    /// The words of the node. `None` until the node has ended, and for the root, since all aliases
    /// to it are inside it.
    words: Option<Range<usize>>,
    start: usize,
    /// The number of definitions that ended before this one.
    ended: u64,
}

/// The outermost node that is being kept.
#[derive(Debug)]
struct Keeping {
    start: usize,
    depth: usize,
    has_anchor: bool,
}

impl Anchored {
    /// Clears the state of the last document.
    pub fn clear(&mut self) {
        self.cut.clear();
        self.definitions.clear();
        self.names.clear();
        self.keeping = None;
        self.open.clear();
        self.ended = 0;
    }

    /// Returns the number of definitions that have ended, which serves as a clock for
    /// [`Anchored::needed_by`].
    pub fn now(&self) -> u64 {
        self.ended
    }

    /// Returns whether events are being kept.
    pub fn is_keeping(&self) -> bool {
        self.keeping.is_some()
    }

    /// Starts a node at `depth`, whose first property has just been read. Its events are kept from
    /// here on: even if the property is a tag, an anchor may follow.
    pub fn start_node(&mut self, depth: usize) {
        // Any alias to the root is inside the root, and so an error.
        if self.keeping.is_none() && depth > 0 {
            self.cut.break_run();
            self.keeping = Some(Keeping { start: self.cut.len(), depth, has_anchor: false });
        }
    }

    /// Adds the definition of `anchor`, which is at `offset` of the stream. Its node is at `depth`
    /// and starts at the word `start` of the kept events.
    pub fn define(&mut self, anchor: &[u8], offset: u64, start: usize, depth: usize) {
        let index = self.definitions.len() as u32;
        // The root is not kept, and gets a start that is inside no range.
        let start = if depth > 0 { start } else { usize::MAX };
        self.definitions.push(Definition { offset, words: None, start, ended: 0 });
        match self.names.get_mut(&anchor[1..]) {
            Some(definitions) => definitions.push(index),
            None => drop(self.names.insert(anchor[1..].into(), vec![index])),
        }
        self.open.push((index, depth));
        if let Some(keeping) = &mut self.keeping {
            keeping.has_anchor = true;
        }
    }

    /// Ends the properties of a node at `depth`. The node is no longer kept if they have no anchor.
    pub fn end_properties(&mut self, depth: usize) {
        let is_over = |keeping: &mut Keeping| keeping.depth == depth && !keeping.has_anchor;
        if let Some(keeping) = self.keeping.take_if(is_over) {
            self.cut.truncate(keeping.start);
        }
    }

    /// Adds `event` with its words, if events are being kept.
    pub fn push(&mut self, sight: &Sight<'_>, words: &[u64], event: &Event, lines: &mut Lines) {
        if self.is_keeping() {
            self.cut.push(sight, words, event, lines);
        }
    }

    /// Ends a node at `depth`, which completes the definitions of its anchors.
    pub fn end_node(&mut self, depth: usize) {
        while let Some((index, _)) = self.open.pop_if(|open| open.1 == depth) {
            let definition = &mut self.definitions[index as usize];
            definition.words = (depth > 0).then(|| definition.start..self.cut.len());
            definition.ended = self.ended;
            self.ended += 1;
        }
        self.keeping.take_if(|keeping| keeping.depth == depth);
    }

    /// Returns the definitions that must come before `node`, in order. `now` is the time at which
    /// the node ended; definitions that ended later contain the node. Fails if an alias refers to
    /// one of these.
    pub fn needed_by(&self, node: &Cut, now: u64) -> Result<Vec<Range<usize>>, Error> {
        let mut needs = Needs { anchored: self, now, needed: Vec::new(), seen: HashSet::default() };
        let start = node.start_offset();
        for part in node.all() {
            needs.add(part, |definition| definition.offset >= start)?;
        }
        let mut at = 0;
        while let Some(range) = needs.needed.get(at).cloned() {
            at += 1;
            for part in self.cut.parts(range.clone()) {
                needs.add(part, |definition| range.contains(&definition.start))?;
            }
        }
        let mut needed = needs.needed;
        needed.sort_unstable_by_key(|range| (range.start, Reverse(range.end)));
        let mut end = 0;
        needed.retain(|range| {
            let is_outside = range.end > end;
            end = end.max(range.end);
            is_outside
        });
        Ok(needed)
    }

    /// Returns the last definition of `name` before `offset`.
    fn definition(&self, name: &[u8], offset: u64) -> Option<&Definition> {
        let of_name = self.names.get(name)?;
        let is_before = |&index: &u32| self.definitions[index as usize].offset < offset;
        let last = of_name.partition_point(is_before).checked_sub(1)?;
        Some(&self.definitions[of_name[last] as usize])
    }
}

/// Collects the definitions that aliases need.
struct Needs<'a> {
    anchored: &'a Anchored,
    now: u64,
    needed: Vec<Range<usize>>,
    seen: HashSet<usize>,
}

impl Needs<'_> {
    /// Adds the definitions that aliases in `part` refer to, except those for which `is_inside` is
    /// true.
    fn add(
        &mut self,
        part: Part<'_>,
        is_inside: impl Fn(&Definition) -> bool,
    ) -> Result<(), Error> {
        for (event, offset, bytes) in events(part) {
            if event.kind != EventKind::Alias {
                continue;
            }
            // Composing will report the unknown alias.
            let Some(definition) = self.anchored.definition(&bytes[1..], offset) else { continue };
            if is_inside(definition) {
                continue;
            }
            let has_ended = definition.ended < self.now;
            let Some(words) = definition.words.as_ref().filter(|_| has_ended) else {
                return Err(Error::at(Problem::AliasCycle, location(part, offset, event.len)));
            };
            if self.seen.insert(words.start) {
                self.needed.push(words.clone());
            }
        }
        Ok(())
    }
}
