//! The offsets of the entries of those collections that paths have led into.
//!
//! A table contains, for each entry of a collection, the end of the event before the entry (its
//! *cut*): between two cuts are an entry, its comments, and the separators before it. Cuts are
//! relative to the cut that the collection itself has in its parent, so an edit moves only the cuts
//! after it.

use super::anchored::Anchored;
use super::error::EditError;
use super::keys::{Keys, key_hash, step_hashes, text_hash};
use super::lines::line_end;
use super::near::Near;
use super::shifted::{Shift, Shifted};
use super::tree::{Interrupt, event_end, parser, reading};
use ketch_yaml::internal::KIND_SHIFT;
use ketch_yaml::path::{Step, array_index};
use ketch_yaml::{Chunk, Event, EventKind, Events, Flags};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::OnceLock;

/// The maximum number of tables whose indices an edit changes. If there are more, they are dropped,
/// and rebuilt when they are needed.
const MOVED_MAX: usize = 64;

/// The offsets and keys of the entries of one collection.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub is_mapping: bool,
    pub is_flow: bool,
    /// Whether the collection is a pair in a flow sequence, which has no braces.
    pub is_pair: bool,
    /// The end of the collection's last event, relative to the same offset as the cuts.
    pub end: u32,
    pub cuts: Shifted<u32>,
    /// For a mapping, the hashes of its keys.
    pub keys: Keys,
    /// Whether one or more keys are aliases.
    pub has_alias_keys: bool,
    /// If the table contains only some of the entries, what is known of all of them.
    pub near: Option<Near>,
    /// The tables of those entries that paths have led into, by the index of the entry.
    pub below: BTreeMap<usize, Table>,
    /// For a block collection, the column of its entries, computed on first use.
    pub column: OnceLock<usize>,
}

/// The extent of a document in the stream.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    /// The offset of its directives or its marker. Without both, the document starts at the first
    /// line after the marker that ends the previous document, or at the start of the text.
    pub start: usize,
    /// The offset of the marker after it or of the next document; for the last one, the end of the
    /// text.
    pub end: usize,
    /// Whether it has directives before its marker.
    pub has_directives: bool,
    /// Whether the marker after it is `...`.
    pub ends_with_dots: bool,
}

impl Shift for Span {
    fn shifted(self, delta: i64) -> Span {
        let moved = |at: usize| (at as i64 + delta) as usize;
        Span { start: moved(self.start), end: moved(self.end), ..self }
    }
}

/// The documents of a stream: all of them or, for a single edit, only the one to be edited.
#[derive(Debug, Default)]
pub(super) struct Spans {
    known: Shifted<Span>,
    /// The index of the first document in `known`.
    first: usize,
    /// The number of documents in the stream.
    count: usize,
}

impl Spans {
    /// Returns the number of documents in the stream.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns whether the stream has no documents, or has not been scanned.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns whether `known` lacks some of the documents.
    pub fn is_partial(&self) -> bool {
        self.known.len() < self.count
    }

    /// Returns the document with the index `doc`; `None` if it is not known.
    pub fn get(&self, doc: usize) -> Option<Span> {
        self.known.get(doc.checked_sub(self.first)?)
    }

    /// Changes the length of the known document `doc` by `delta` bytes, and moves those after it.
    pub fn grow(&mut self, doc: usize, delta: i64) {
        let at = doc - self.first;
        let span = self.known.at(at);
        self.known.set(at, Span { start: span.start, ..span.shifted(delta) });
        self.known.shift_from(at + 1, delta);
    }
}

/// The result of scanning a text once.
#[derive(Debug, Default)]
pub(super) struct Scan {
    /// The documents; if the way needs only near entries, only the wanted document.
    pub docs: Vec<Span>,
    /// The number of documents in the stream.
    pub count: usize,
    /// The table of the root of the wanted document, if the root is a collection.
    pub table: Option<Table>,
    /// The number of keys of that root that are not in double quotes.
    pub plain_keys: usize,
    /// Whether tables with only some of the entries are not enough to find the wanted node.
    pub is_unclear: bool,
}

/// The way to the wanted node: the steps of its path, and the index of its document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way<'s> {
    pub steps: &'s [Step],
    pub doc: usize,
    /// Whether the tables need only the entries near the way.
    pub is_near: bool,
    /// Whether a person typed the path, so that a key may be meant that has a dot before a step's name.
    pub is_typed: bool,
}

impl<'s> Way<'s> {
    /// Creates a way whose tables contain all entries.
    pub fn new(steps: &'s [Step], doc: usize) -> Way<'s> {
        Way { steps, doc, is_near: false, is_typed: false }
    }

    /// Returns the hashes of keys because of which near entries are not enough: for each step, that of
    /// its name after a dot. The hash 0 is that of no such key.
    fn dotted(&self) -> Vec<u32> {
        let steps = if self.is_near && self.is_typed { self.steps } else { &[] };
        steps.iter().map(|step| dotted(step).map_or(0, |key| text_hash(&key))).collect()
    }
}

/// Returns the key that is a dot and the name of `step`, if that has one.
pub(super) fn dotted(step: &Step) -> Option<String> {
    match step {
        Step::Name(name) => Some(format!(".{name}")),
        _ => None,
    }
}

/// The state of a scan.
struct Scanner<'t> {
    text: &'t [u8],
    way: Way<'t>,
    /// For each step, the hashes that the key of its entry may have.
    wanted: Vec<[u32; 2]>,
    /// For each step, the hash that [`Way::dotted`] returns.
    dotted: Vec<u32>,
    scan: Scan,
    /// The open collections that have tables, outermost first, each with the offset that its cuts
    /// are relative to.
    open: Vec<(Table, usize)>,
    /// The number of open collections in the current document.
    depth: usize,
    /// The end of the last event.
    last: usize,
    /// The offset of the first directive before the next document.
    directive: Option<usize>,
    /// The text range of the next node's tag.
    tag: Option<Range<usize>>,
    /// In the innermost table: whether a key comes next.
    is_key_next: bool,
    /// In the innermost table: whether the way leads through the value of the last key.
    leads_on: bool,
    /// Whether the current document is the wanted one.
    is_wanted: bool,
    /// Whether the last of `scan.docs` is the document that was read last.
    is_kept: bool,
}

/// Finds the documents of `text`, and creates the tables of the collections on the way `way`.
pub(super) fn scan(text: &[u8], way: Way<'_>, interrupt: Interrupt) -> Result<Scan, EditError> {
    let mut scanner = Scanner {
        text,
        way,
        wanted: way.steps.iter().map(step_hashes).collect(),
        dotted: way.dotted(),
        scan: Scan::default(),
        open: Vec::new(),
        depth: 0,
        last: 0,
        directive: None,
        tag: None,
        is_key_next: false,
        leads_on: true,
        is_wanted: false,
        is_kept: false,
    };
    let mut parser = parser(text, &reading(false, interrupt))?;
    while let Some(chunk) = parser.next_chunk().map_err(EditError::invalid)? {
        scanner.take(&chunk);
    }
    scanner.end_document_before(text.len());
    Ok(scanner.scan)
}

const DOCUMENT_START: u64 = EventKind::DocumentStart as u64;
const DOCUMENT_END: u64 = EventKind::DocumentEnd as u64;
const DIRECTIVE: u64 = EventKind::Directive as u64;
const SEQUENCE_START: u64 = EventKind::SequenceStart as u64;
const SEQUENCE_END: u64 = EventKind::SequenceEnd as u64;
const MAPPING_START: u64 = EventKind::MappingStart as u64;
const MAPPING_END: u64 = EventKind::MappingEnd as u64;

impl Scan {
    /// Moves the documents out of the scan. If not all are known, the only one is that with the
    /// index `wanted`.
    pub fn spans(&mut self, wanted: usize) -> Spans {
        let known = std::mem::take(&mut self.docs);
        let first = if known.len() < self.count { wanted } else { 0 };
        Spans { known: known.into(), first, count: self.count }
    }
}

impl Scanner<'_> {
    /// Processes the events of a chunk.
    fn take(&mut self, chunk: &Chunk<'_, '_>) {
        let base = chunk.base() as usize;
        let mut events = chunk.events();
        loop {
            if self.way.is_near && !self.is_wanted {
                let count = self.pass_documents(events.words(), base);
                events.skip_words(count);
            } else if self.depth > self.open.len() {
                // The innermost open collection is not on the way.
                let words = events.words();
                let count = self.pass_by(words);
                if let Some(end) = end_of_last(&words[..count], &self.text[base..]) {
                    self.last = base + end;
                }
                events.skip_words(count);
            }
            let Some(mut event) = events.next() else { break };
            event.start += base;
            self.event(&event);
        }
    }

    /// Skips events up to the start of the wanted document or, after that document, up to the start
    /// of the next one or the end of the stream. Also stops at directives. Returns the number of
    /// words skipped.
    fn pass_documents(&mut self, words: &[u64], base: usize) -> usize {
        for (at, &word) in words.iter().enumerate() {
            match word >> KIND_SHIFT & 15 {
                DOCUMENT_START if self.is_kept || self.scan.count == self.way.doc => return at,
                DOCUMENT_START => {
                    self.scan.count += 1;
                    self.directive = None;
                }
                DOCUMENT_END => {
                    let event = Event::unpack(word);
                    self.last = base + event.start + event.len;
                }
                DIRECTIVE => return at,
                _ => {}
            }
        }
        words.len()
    }

    /// Skips the content of a collection up to its end, and returns the number of words skipped.
    /// Anchors and tags can be skipped with it, because each of them belongs to a node that
    /// follows.
    fn pass_by(&mut self, words: &[u64]) -> usize {
        let floor = self.open.len() + 1;
        for (at, &word) in words.iter().enumerate() {
            // The second word of an event looks like a NOP, and is ignored.
            match word >> KIND_SHIFT & 15 {
                SEQUENCE_START | MAPPING_START => self.depth += 1,
                SEQUENCE_END | MAPPING_END if self.depth == floor => return at,
                SEQUENCE_END | MAPPING_END => self.depth -= 1,
                _ => {}
            }
        }
        words.len()
    }

    /// Processes the next event of the stream.
    #[inline]
    fn event(&mut self, event: &Event) {
        let has_table = self.depth == self.open.len();
        match event.kind {
            EventKind::SequenceStart | EventKind::MappingStart => {
                if self.is_wanted && has_table {
                    self.collection(event);
                } else {
                    self.depth += 1;
                }
            }
            EventKind::SequenceEnd | EventKind::MappingEnd => self.end(event, has_table),
            EventKind::Directive => {
                self.directive.get_or_insert(event.start);
                return;
            }
            EventKind::DocumentStart => self.document(event),
            EventKind::DocumentEnd => self.document_end(event),
            EventKind::Tag => {
                self.tag = Some(event.start..event.start + event.len);
                return;
            }
            EventKind::Anchor | EventKind::Nop => return,
            _ => {
                if has_table && self.is_wanted && self.depth > 0 {
                    self.child(event, true);
                }
            }
        }
        self.tag = None;
        // The end event of a collection without brackets is at the start of the next token.
        let is_end = matches!(event.kind, EventKind::SequenceEnd | EventKind::MappingEnd);
        if event.len > 0 || !is_end {
            self.last = event_end(self.text, event);
        }
    }

    /// Starts a document at the event `event`, and ends the previous document.
    fn document(&mut self, event: &Event) {
        let directive = self.directive.take();
        let is_first = self.scan.count == 0;
        let start = match directive {
            _ if is_first => 0,
            Some(start) => start,
            None if event.flags.has(Flags::EXPLICIT) => event.start,
            // The comments above the first entry belong to this document.
            None => line_end(self.text, self.last).min(event.start),
        };
        self.end_document_before(start);
        self.is_wanted = self.scan.count == self.way.doc;
        self.scan.count += 1;
        self.is_kept = self.is_wanted || !self.way.is_near;
        if self.is_kept {
            let (has_directives, end) = (directive.is_some(), self.text.len());
            self.scan.docs.push(Span { start, end, has_directives, ends_with_dots: false });
        }
        self.depth = 0;
    }

    /// Sets the end of the document that was read last to `at`, unless it ends with the marker
    /// `...`.
    fn end_document_before(&mut self, at: usize) {
        let last = self.scan.docs.last_mut().filter(|last| self.is_kept && !last.ends_with_dots);
        last.into_iter().for_each(|last| last.end = at);
    }

    /// Ends the current document at the event `event`. If it has the marker `...`, this is its end.
    fn document_end(&mut self, event: &Event) {
        self.is_wanted = false;
        let is_marked = self.is_kept && event.flags.has(Flags::EXPLICIT);
        if let Some(doc) = self.scan.docs.last_mut().filter(|_| is_marked) {
            (doc.end, doc.ends_with_dots) = (event.start, true);
        }
    }

    /// Records the child that `event` starts in the innermost collection with a table. Returns
    /// whether the way leads through the child.
    fn child(&mut self, event: &Event, is_leaf: bool) -> bool {
        let steps = self.way.steps;
        let step = steps.get(self.open.len() - 1);
        let Some((table, base)) = self.open.last_mut() else { return false };
        if table.is_mapping && !self.is_key_next {
            self.is_key_next = true;
            return std::mem::take(&mut self.leads_on);
        }
        let cut = (self.last - *base) as u32;
        if let Some(near) = &mut table.near {
            near.look_above(self.text, self.last);
        }
        if !table.is_mapping {
            let index = table.near.as_ref().map_or(table.len(), |near| near.count);
            let is_on_way = step.is_some_and(|step| index_of(step) == Some(index as i64));
            table.push(cut, None, is_on_way);
            return is_on_way;
        }
        self.is_key_next = false;
        let tag = self.tag.clone().map(|tag| &self.text[tag]);
        let hash = if is_leaf { key_hash(self.text, event, tag) } else { 0 };
        if self.open.len() == 1 {
            self.scan.plain_keys += usize::from(event.kind != EventKind::DoubleQuoted);
        }
        let level = self.open.len() - 1;
        let wanted = self.wanted.get(level);
        self.leads_on = wanted.is_some_and(|wanted| wanted.contains(&hash));
        let is_dotted = hash != 0 && self.dotted.get(level) == Some(&hash);
        let Some((table, _)) = self.open.last_mut() else { return false };
        table.near.iter_mut().for_each(|near| near.has_dotted_key |= is_dotted);
        table.has_alias_keys |= event.kind == EventKind::Alias;
        table.push(cut, Some(hash), self.leads_on);
        false
    }

    /// Opens the collection that `event` starts, and creates a table if the way leads through it.
    fn collection(&mut self, event: &Event) {
        let cut = match self.open.last() {
            None => 0,
            Some((table, base)) => {
                let next = table.cuts.last().map(|cut| base + cut as usize);
                // A value has the same cut as its key.
                if table.is_mapping { next.unwrap_or(0) } else { self.last }
            }
        };
        let is_root = self.open.is_empty();
        let is_on_way = if is_root { true } else { self.child(event, false) };
        self.depth += 1;
        let is_flow = event.flags.has(Flags::FLOW);
        let is_mapping = event.kind == EventKind::MappingStart;
        // A path cannot lead into a collection that is a key.
        if is_on_way && self.open.len() <= self.way.steps.len() {
            let base = match is_root {
                true => self.scan.docs.last().map_or(0, |doc| doc.start),
                false => cut,
            };
            let index = self.way.steps.get(self.open.len()).and_then(index_of);
            let table = Table {
                is_mapping,
                is_flow,
                is_pair: is_flow && event.len == 0,
                near: self.way.is_near.then(|| Near::new(index.filter(|_| !is_mapping))),
                ..Table::default()
            };
            self.open.push((table, base));
            (self.is_key_next, self.leads_on) = (true, false);
        }
    }

    /// Closes the innermost collection. If it has a table, adds it to the table of its parent.
    fn end(&mut self, event: &Event, has_table: bool) {
        self.depth = self.depth.saturating_sub(1);
        if !has_table || !self.is_wanted {
            return;
        }
        let Some((mut table, base)) = self.open.pop() else { return };
        let end = if event.len > 0 { event.start + event.len } else { self.last };
        table.end = (end - base) as u32;
        let len = table.len();
        table.near.iter_mut().for_each(|near| near.finish(len));
        self.scan.is_unclear |= table.is_unclear();
        match self.open.last_mut() {
            Some((parent, _)) => {
                self.is_key_next = true;
                parent.below.insert(parent.cuts.len() - 1, table);
            }
            None => self.scan.table = Some(table),
        }
    }
}

/// Returns the end of the last event in `words` that is not the end event of a collection without
/// brackets, as an offset in `text`. `text` starts where the offsets of the events count from.
fn end_of_last(words: &[u64], text: &[u8]) -> Option<usize> {
    let mut at = words.len();
    while at > 0 {
        at -= 1;
        // This word is a NOP or the second word of an event.
        if words[at] >> KIND_SHIFT & 15 == 0 {
            continue;
        }
        let event = Events::new(&words[at..]).next()?;
        let is_end = matches!(event.kind, EventKind::SequenceEnd | EventKind::MappingEnd);
        if event.len > 0 || !is_end {
            return Some(event_end(text, &event));
        }
    }
    None
}

/// Returns the index that `step` stands for in a sequence; `None` if it cannot be an index.
pub(super) fn index_of(step: &Step) -> Option<i64> {
    match step {
        Step::Index(index) => Some(*index),
        Step::Name(name) => array_index(name).map(|index| index as i64),
        _ => None,
    }
}

impl Table {
    /// Returns the number of entries in the table.
    pub fn len(&self) -> usize {
        self.cuts.len()
    }

    /// Adds an entry with the cut `cut` at the end. In a mapping, `hash` is the hash of its key.
    #[inline]
    fn push(&mut self, cut: u32, hash: Option<u32>, is_on_way: bool) {
        match &mut self.near {
            Some(near) => {
                near.push((&mut self.cuts, &mut self.keys), (cut, hash), is_on_way);
            }
            None => {
                self.cuts.push(cut);
                hash.into_iter().for_each(|hash| self.keys.push(hash));
            }
        }
    }

    /// Returns whether the table contains only some entries, and these are not enough to find the
    /// one on the way.
    fn is_unclear(&self) -> bool {
        self.near.as_ref().is_some_and(|near| near.is_unclear() || self.has_alias_keys)
    }

    /// Returns whether the mapping may have the key `text`.
    pub fn has_key(&self, text: &str) -> bool {
        let wanted = text_hash(text);
        self.keys.find(&[wanted, 0]).1 > 0
    }

    /// Returns the index of the entry that `step` leads to; `None` if there is none. It is an error
    /// if several entries may match, or if keys are aliases and `anchored` does not say what they
    /// stand for.
    pub fn find(&self, step: &Step, anchored: Option<&Anchored>) -> Result<Option<usize>, ()> {
        if let Some(near) = &self.near {
            return Ok(near.found);
        }
        if !self.is_mapping {
            let index = index_of(step);
            let at = index.and_then(|index| match usize::try_from(index) {
                Ok(at) => Some(at),
                Err(_) => self.len().checked_sub(index.unsigned_abs() as usize),
            });
            return Ok(at.filter(|&at| at < self.len()));
        }
        self.find_hashes(step_hashes(step).to_vec(), anchored)
    }

    /// Returns the index of the entry whose key has one of the hashes `wanted`. Errors are as in
    /// [`Table::find`].
    pub fn find_hashes(
        &self,
        mut wanted: Vec<u32>,
        anchored: Option<&Anchored>,
    ) -> Result<Option<usize>, ()> {
        if self.has_alias_keys {
            let anchored = anchored.ok_or(())?;
            wanted = anchored.with_aliases(&wanted)?;
            if anchored.unclear()?.iter().any(|&hash| self.keys.contains(hash)) {
                return Err(());
            }
        }
        match self.keys.find(&wanted) {
            (Some(first), 1) => Ok(Some(first)),
            // A key whose hash is 0 may match as well.
            (None, _) if !self.keys.contains(0) => Ok(None),
            _ => Err(()),
        }
    }

    /// Adds `delta` to all offsets of the table.
    pub fn shift_all(&mut self, delta: i64) {
        self.cuts.shift_from(0, delta);
        self.end = self.end.shifted(delta);
    }

    /// Sets the cut of the entry with the index `at`. The offsets in the table of its value count from
    /// the cut, so they are moved the other way.
    pub fn set_cut(&mut self, at: usize, cut: u32) {
        let delta = i64::from(self.cuts.at(at)) - i64::from(cut);
        self.cuts.set(at, cut);
        self.below.get_mut(&at).into_iter().for_each(|below| below.shift_all(delta));
    }

    /// Removes the tables of the entries with indices in `gone`, and adds `grown` to the indices of
    /// the tables of later entries.
    ///
    /// If many later entries have tables, these are removed as well. They are rebuilt when a path
    /// leads there, which takes no longer than building them did.
    pub fn move_below(&mut self, gone: Range<usize>, grown: i64) {
        if grown == 0 {
            gone.for_each(|at| drop(self.below.remove(&at)));
            return;
        }
        let later = self.below.split_off(&gone.start);
        if later.len() <= MOVED_MAX {
            let kept = later.into_iter().filter(|(at, _)| *at >= gone.end);
            let moved = kept.map(|(at, table)| ((at as i64 + grown) as usize, table));
            self.below.extend(moved);
        }
    }

    /// Adds `delta` to all offsets after the start of the entry with the index `at`.
    pub fn shift_after(&mut self, at: usize, delta: i64) {
        self.cuts.shift_from(at + 1, delta);
        self.end = self.end.shifted(delta);
    }
}

/// What is known of the root of a document.
#[derive(Debug)]
pub(super) struct Root {
    /// The table of the root; `None` if the root is a scalar.
    pub table: Option<Table>,
    /// The number of the root's keys that are not in double quotes.
    pub plain_keys: usize,
}

impl Root {
    /// Returns whether the document looks like JSON: its root is a mapping in braces whose keys are
    /// all in double quotes.
    pub fn is_json(&self) -> bool {
        let is_json = |table: &Table| table.is_mapping && table.is_flow && table.len() > 0;
        self.plain_keys == 0 && self.table.as_ref().is_some_and(is_json)
    }
}

/// The entry that an operation acts on.
pub(super) struct Target {
    pub doc: usize,
    /// For each collection on the way, from the root on, the index of the entry to take.
    pub at: Vec<usize>,
    /// Whether the target is a new entry before the entry with the last of these indices.
    pub is_new: bool,
    /// The offset in the text up to which the window has to reach.
    pub reach: usize,
    /// Whether the window must include the entry before the target, even if that is long.
    pub names_before: bool,
}

impl Target {
    /// Creates a target whose window is as small as possible.
    pub fn new(doc: usize, at: Vec<usize>, is_new: bool) -> Target {
        Target { doc, at, is_new, reach: 0, names_before: false }
    }
}
