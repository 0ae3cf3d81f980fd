//! What aliases may refer to later: the anchored nodes of a document, kept as events.
//!
//! Each anchored node is kept once, those inside of another one with it. A definition is a range of
//! what is kept. Nodes that an alias needs, and those that these need, stand in front of the node
//! with the alias when that is composed, in the order of the stream: so each alias again means the
//! last definition in front of it.

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
    /// The definitions of a name, in the order of the stream.
    names: HashMap<Box<[u8]>, Vec<u32>>,
    /// What is being kept, if anything is.
    keeping: Option<Keeping>,
    /// The definitions whose nodes have not ended, with their depths.
    open: Vec<(u32, usize)>,
    /// How many definitions have ended.
    ended: u64,
}

#[derive(Debug)]
struct Definition {
    /// Where the anchor stands in the stream.
    offset: u64,
    /// The words of the node; `None` until it has ended, and for the root, in which all aliases to
    /// it stand.
    words: Option<Range<usize>>,
    start: usize,
    /// How many definitions had ended before this one did.
    ended: u64,
}

#[derive(Debug)]
struct Keeping {
    start: usize,
    depth: usize,
    has_anchor: bool,
}

impl Anchored {
    pub fn clear(&mut self) {
        self.cut.clear();
        self.definitions.clear();
        self.names.clear();
        self.keeping = None;
        self.open.clear();
        self.ended = 0;
    }

    /// The time, for [`Anchored::needed_by`]: how many definitions have ended.
    pub fn now(&self) -> u64 {
        self.ended
    }

    /// Whether events are being kept.
    pub fn is_keeping(&self) -> bool {
        self.keeping.is_some()
    }

    /// A node at `depth` starts with an anchor or a tag, behind which an anchor may come.
    pub fn start_node(&mut self, depth: usize) {
        // An alias to the root stands inside of it, and so leads nowhere.
        if self.keeping.is_none() && depth > 0 {
            self.cut.break_run();
            self.keeping = Some(Keeping { start: self.cut.len(), depth, has_anchor: false });
        }
    }

    /// The node that started at the word `start` has this anchor.
    pub fn define(&mut self, anchor: &[u8], offset: u64, start: usize, depth: usize) {
        let index = self.definitions.len() as u32;
        // The root is not kept, and so inside of nothing.
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

    /// The properties of a node at `depth` are over: without an anchor, it is not kept.
    pub fn end_properties(&mut self, depth: usize) {
        let is_over = |keeping: &mut Keeping| keeping.depth == depth && !keeping.has_anchor;
        if let Some(keeping) = self.keeping.take_if(is_over) {
            self.cut.truncate(keeping.start);
        }
    }

    /// Takes an event, if events are being kept.
    pub fn push(&mut self, sight: &Sight<'_>, words: &[u64], event: &Event, lines: &mut Lines) {
        if self.is_keeping() {
            self.cut.push(sight, words, event, lines);
        }
    }

    /// A node at `depth` has ended.
    pub fn end_node(&mut self, depth: usize) {
        while let Some((index, _)) = self.open.pop_if(|open| open.1 == depth) {
            let definition = &mut self.definitions[index as usize];
            definition.words = (depth > 0).then(|| definition.start..self.cut.len());
            definition.ended = self.ended;
            self.ended += 1;
        }
        self.keeping.take_if(|keeping| keeping.depth == depth);
    }

    /// What has to come before `node`, in order. The node ended at `now`: definitions that ended
    /// later are around it.
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

    /// The last definition of `name` in front of `offset`.
    fn definition(&self, name: &[u8], offset: u64) -> Option<&Definition> {
        let of_name = self.names.get(name)?;
        let is_before = |&index: &u32| self.definitions[index as usize].offset < offset;
        let last = of_name.partition_point(is_before).checked_sub(1)?;
        Some(&self.definitions[of_name[last] as usize])
    }
}

/// The definitions that aliases need.
struct Needs<'a> {
    anchored: &'a Anchored,
    now: u64,
    needed: Vec<Range<usize>>,
    seen: HashSet<usize>,
}

impl Needs<'_> {
    /// Adds what the aliases of `part` need, but for what it holds itself.
    fn add(
        &mut self,
        part: Part<'_>,
        is_inside: impl Fn(&Definition) -> bool,
    ) -> Result<(), Error> {
        for (event, offset, bytes) in events(part) {
            if event.kind != EventKind::Alias {
                continue;
            }
            // Composing will tell that there is none.
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
