//! Composes kept events as documents.

use super::anchored::Anchored;
use super::cut::{Cut, Sight, events};
use crate::compose::composer::{Composer, Lines, Part};
use crate::compose::document::Document;
use crate::compose::options::ComposeOptions;
use crate::error::Error;
use crate::event::{Event, EventKind, KIND_SHIFT};
use crate::location::Location;
use crate::problem::Problem;
use std::collections::BTreeMap;
use std::ops::Range;

/// Composes documents from kept nodes.
#[derive(Debug)]
pub(super) struct Maker {
    composer: Composer,
    options: ComposeOptions,
    #[allow(clippy::vec_box, reason = "the boxes are the documents of results")]
    spare: Vec<Box<Document<'static>>>,
    /// The directives of the current document.
    head: Cut,
    /// For each tag handle, the words of the directive that declares it.
    handles: BTreeMap<Box<[u8]>, Range<usize>>,
    pub anchored: Anchored,
    /// The number of words of anchored nodes composed together with nodes that need them.
    repeated_words: u64,
}

/// A node that is kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<'c> {
    pub cut: &'c Cut,
    pub has_alias: bool,
    /// Whether it is a pair of a mapping. It is composed as a mapping with only this pair.
    pub is_pair: bool,
    /// The length of the document up to the end of the node.
    pub document_bytes: u64,
    /// The time at which the node ended; see [`Anchored::now`].
    pub ended_at: u64,
}

/// A node that may turn out not to be selected, and is only composed once it is.
#[derive(Debug)]
pub(super) struct Deferred {
    pub cut: Cut,
    pub has_alias: bool,
    pub is_pair: bool,
    pub document_bytes: u64,
    pub ended_at: u64,
    /// The number of steps of the path that lead to it.
    pub steps: usize,
    /// The index of the entry, if the next step still has to accept it.
    pub entry: Option<u64>,
}

impl Deferred {
    /// Borrows the node to compose it.
    pub fn node(&self) -> Node<'_> {
        let Deferred { ref cut, has_alias, is_pair, document_bytes, ended_at, .. } = *self;
        Node { cut, has_alias, is_pair, document_bytes, ended_at }
    }
}

impl Maker {
    /// Creates a maker that composes with `options`.
    pub fn new(options: &ComposeOptions) -> Maker {
        Maker {
            composer: Composer::new(options),
            options: *options,
            spare: Vec::new(),
            head: Cut::default(),
            handles: BTreeMap::new(),
            anchored: Anchored::default(),
            repeated_words: 0,
        }
    }

    /// Clears the state of the current document.
    pub fn clear(&mut self) {
        self.head.clear();
        self.handles.clear();
        self.anchored.clear();
        self.repeated_words = 0;
    }

    /// Keeps the directive `at` of the next document, with the text `line`.
    pub fn directive(&mut self, at: (&Sight<'_>, &[u64], &Event), line: &[u8], lines: &mut Lines) {
        let start = self.head.len();
        let (sight, words, event) = at;
        self.head.push(sight, words, event, lines);
        let mut parts = line.split(|byte| matches!(byte, b' ' | b'\t')).filter(|p| !p.is_empty());
        if let (Some(b"%TAG"), Some(handle)) = (parts.next(), parts.next()) {
            self.handles.insert(handle.into(), start..self.head.len());
        }
    }

    /// Returns the directives that declare the tag handles used in the parts `all`. The others are
    /// left out, because a long directive would be copied for each result.
    fn directives<'p>(&self, all: impl Iterator<Item = Part<'p>>) -> Vec<Range<usize>> {
        if self.handles.is_empty() {
            return Vec::new();
        }
        let tags = all.flat_map(events).filter(|(event, ..)| event.kind == EventKind::Tag);
        let needed = tags.filter_map(|(_, _, tag)| self.handles.get(handle(tag)));
        let mut needed: Vec<_> = needed.cloned().collect();
        needed.sort_unstable_by_key(|range| range.start);
        needed.dedup();
        needed
    }

    /// Takes `document` back, to reuse its memory for a later one.
    pub fn recycle(&mut self, document: Box<Document<'static>>) {
        const SPARE_MAX: usize = 64;
        if self.spare.len() < SPARE_MAX {
            self.spare.push(document);
        }
    }

    /// Composes `node` with the targets of its aliases. Returns the document and the index of the
    /// node in it.
    pub fn make(&mut self, node: Node<'_>) -> Result<(Box<Document<'static>>, usize), Error> {
        let Node { cut, has_alias, is_pair, ended_at, .. } = node;
        let needed = if has_alias { self.anchored.needed_by(cut, ended_at)? } else { Vec::new() };
        let words = needed.iter().map(ExactSizeIterator::len).sum::<usize>();
        self.count(words as u64, node)?;
        let mut document = self.spare.pop().unwrap_or_default();
        let before = needed.iter().flat_map(|range| self.anchored.cut.parts(range.clone()));
        let directives = self.directives(before.chain(cut.all()));
        let Maker { composer, head, anchored, .. } = self;
        let mut take = |part| composer.advance(part, &mut document, None).map(drop);
        let (start, end) = (cut.start_offset(), cut.end_offset());
        for range in directives {
            head.parts(range).try_for_each(&mut take)?;
        }
        if !needed.is_empty() {
            take(mark(&SEQUENCE_START, start))?;
        }
        for range in &needed {
            anchored.cut.parts(range.clone()).try_for_each(&mut take)?;
        }
        if is_pair {
            take(mark(&MAPPING_START, start))?;
        }
        cut.all().try_for_each(&mut take)?;
        if is_pair {
            take(mark(&MAPPING_END, end))?;
        }
        if !needed.is_empty() {
            take(mark(&SEQUENCE_END, end))?;
        }
        take(mark(&DOCUMENT_END, end))?;
        let last = if needed.is_empty() { None } else { document.view().children(0).last() };
        Ok((document, last.unwrap_or_default()))
    }

    /// Adds `words`, the number of words of anchored nodes that are composed again for `node`, to
    /// the total. Fails if there are too many.
    fn count(&mut self, words: u64, node: Node<'_>) -> Result<(), Error> {
        self.repeated_words += words;
        let max = self.options.limits.max_alias_nodes.at(node.document_bytes);
        if self.repeated_words <= max {
            return Ok(());
        }
        let location = Location::at_offset(node.cut.start_offset(), 1);
        Err(Error::at(Problem::TooManyAliasNodes(max), location))
    }
}

/// Returns the handle of `tag`, which is a tag as it is written. The handle of a verbatim tag is
/// empty.
fn handle(tag: &[u8]) -> &[u8] {
    let rest = tag.get(1..).unwrap_or(&[]);
    // A verbatim tag has no handle.
    if rest.starts_with(b"<") {
        return &[];
    }
    let len = rest.iter().position(|&byte| byte == b'!').map_or(1, |at| at + 2);
    &tag[..len]
}

/// Returns a part with a single event, `word`, which has no text and is at `offset`.
fn mark(word: &'static [u64; 1], offset: u64) -> Part<'static> {
    Part { words: word, words_base: offset, text: &[], text_base: offset, passed: None }
}

/// Returns the word of an event of the kind `kind` without text.
const fn word(kind: EventKind) -> [u64; 1] {
    [(kind as u64) << KIND_SHIFT]
}

static SEQUENCE_START: [u64; 1] = word(EventKind::SequenceStart);
static SEQUENCE_END: [u64; 1] = word(EventKind::SequenceEnd);
static MAPPING_START: [u64; 1] = word(EventKind::MappingStart);
static MAPPING_END: [u64; 1] = word(EventKind::MappingEnd);
static DOCUMENT_END: [u64; 1] = word(EventKind::DocumentEnd);
