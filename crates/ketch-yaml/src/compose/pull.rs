//! Yields the nodes of a stream one by one, without a tree.
//!
//! Most documents need only kinds and text in document order. For aliases, tags, possible duplicate
//! keys and errors, [`Pull::compose`] composes the current document from its start instead.

use super::document::Document;
use super::documents::Documents;
use super::fingerprint::{Fingerprints, Seen};
use super::node::{ESCAPES, LONG, MULTILINE, NodeId};
use super::options::{ComposeOptions, DuplicateKeys};
use crate::dialect::Dialect;
use crate::error::Error;
use crate::event::{Event, EventKind, Events, KIND_SHIFT, LEN_SHIFT};
use crate::parse::{Options, Parser};
use crate::scalar;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use ketch_bytes::encoding::Encoding;

/// What the first word of the next node shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next<'t> {
    /// A plain scalar whose content is a slice of the text.
    Plain(&'t str),
    /// A quoted scalar whose content is a slice of the text.
    Quoted(&'t str),
    /// Any other scalar. Read it with [`Pull::take_scalar`].
    Scalar,
    /// A sequence starts.
    Sequence,
    /// A mapping starts.
    Mapping,
    /// The open collection or the document ends.
    End,
    /// An alias, an anchor, a tag or invalid input, for which a tree is needed.
    Rare,
}

/// The content of a scalar.
#[derive(Debug)]
pub struct Content<'t> {
    /// Whether the scalar is plain.
    pub is_plain: bool,
    /// The content if it is a slice of the text; `None` if it was decoded.
    pub text: Option<&'t str>,
}

/// The keys of an open mapping, so far.
#[derive(Debug)]
pub struct Keys {
    seen: Seen,
    /// The index of its first key in [`Pull`]'s list.
    first: usize,
}

/// Reads the documents of a text one node at a time.
///
/// ```
/// use ketch_yaml::compose::internal::{Next, Pull};
/// use ketch_yaml::{ComposeOptions, Document};
///
/// let mut pull = Pull::new("masts: [main, &m mizzen]", &Default::default(), &Default::default())
///     .unwrap();
/// assert!(pull.begin()?);
/// assert_eq!(pull.look(), Next::Mapping);
/// pull.take();
/// let mut keys = pull.open_keys();
/// assert!(pull.see_key(&mut keys));
/// assert_eq!(pull.look(), Next::Plain("masts"));
/// pull.take();
/// assert_eq!((pull.look(), pull.entries_ahead()), (Next::Sequence, 2));
/// pull.take();
/// assert_eq!(pull.look(), Next::Plain("main"));
/// pull.take();
///
/// // An anchor: from here on, read the tree.
/// assert_eq!(pull.look(), Next::Rare);
/// let id = pull.id();
/// let mut document = Document::new();
/// pull.compose(&mut document)?;
/// assert_eq!(document.node(id).text(), "mizzen");
/// assert!(!pull.begin()?);
/// # Ok::<(), ketch_yaml::Error>(())
/// ```
#[derive(Debug)]
pub struct Pull<'t> {
    text: &'t str,
    /// The source of events and trees; boxed, since it is large and `Pull` is moved.
    documents: Box<Documents<'t>>,
    options: Options,
    compose: ComposeOptions,
    /// Whether duplicate keys are an error.
    checks_keys: bool,
    /// The number of nodes that every document may have.
    nodes_max: u64,
    /// The buffered events. Their offsets are offsets in `text`.
    words: Vec<u64>,
    /// The index of the next event.
    next: usize,
    /// The number of nodes of the document that were taken.
    taken: u32,
    /// The index of the document's first word, if it is still in `words`.
    head: Option<usize>,
    /// The offset of the document's start.
    head_start: usize,
    fingerprints: Fingerprints,
    /// The keys of all open mappings, as words.
    keys: Vec<u64>,
    /// A hash table of the keys of a large mapping, as indices into its part of `keys`.
    table: HashTable<u32>,
    /// The stack of open collections of the node that is being skipped, kept to reuse its memory.
    open: Vec<Skipped>,
    /// The error that ended the events.
    error: Option<Error>,
    /// Whether the stream has ended.
    is_done: bool,
}

/// An open collection of a node that is skipped.
#[derive(Debug)]
struct Skipped {
    /// The keys, if it is a mapping.
    keys: Option<Keys>,
    /// Whether the next node is a key.
    at_key: bool,
}

/// If a scalar's word has one of these flags, the word does not show the content.
const CLOSE_LOOK: u64 = LONG | MULTILINE | ESCAPES;

/// The maximum number of words that [`Pull::entries_ahead`] reads.
const AHEAD_WORDS: usize = 48;

const PLAIN: u64 = EventKind::Plain as u64;
const SINGLE_QUOTED: u64 = EventKind::SingleQuoted as u64;
const DOUBLE_QUOTED: u64 = EventKind::DoubleQuoted as u64;
const FOLDED: u64 = EventKind::Folded as u64;
const SEQUENCE_START: u64 = EventKind::SequenceStart as u64;
const SEQUENCE_END: u64 = EventKind::SequenceEnd as u64;
const MAPPING_START: u64 = EventKind::MappingStart as u64;
const MAPPING_END: u64 = EventKind::MappingEnd as u64;
const DOCUMENT_END: u64 = EventKind::DocumentEnd as u64;
const NOP: u64 = EventKind::Nop as u64;

/// Stands for the events that are missing because of an error. Readers see [`Next::Rare`].
const BROKEN: u64 = (EventKind::Alias as u64) << KIND_SHIFT;

/// Returns the kind of the event `word`, such as [`PLAIN`].
#[inline(always)]
fn kind(word: u64) -> u64 {
    word >> KIND_SHIFT & 15
}

/// Returns whether the event `word` ends a collection or the document.
#[inline(always)]
fn is_end(word: u64) -> bool {
    const ENDS: u64 = 1 << SEQUENCE_END | 1 << MAPPING_END | 1 << DOCUMENT_END;
    ENDS >> kind(word) & 1 != 0
}

impl<'t> Pull<'t> {
    /// Creates a reader of `text`. Returns `None` if every document would need a tree: with merge
    /// keys, if duplicate keys override each other, for other languages, and for a text that is over
    /// 4 GiB or looks like UTF-16 or UTF-32.
    #[must_use]
    pub fn new(text: &'t str, options: &Options, compose: &ComposeOptions) -> Option<Pull<'t>> {
        let overrides = match compose.duplicate_keys {
            DuplicateKeys::Error | DuplicateKeys::Off => false,
            DuplicateKeys::First | DuplicateKeys::Last => true,
        };
        let is_utf8 = Encoding::detect(text.as_bytes()).0 == Encoding::Utf8;
        let is_fit = is_utf8 && u32::try_from(text.len()).is_ok();
        let is_yaml = options.dialect == Dialect::Yaml;
        if overrides || compose.merges() || !is_fit || !is_yaml {
            return None;
        }
        let documents = Documents::with_options(text.as_bytes(), options, compose);
        Some(Pull {
            text,
            documents: Box::new(documents),
            options: *options,
            compose: *compose,
            checks_keys: compose.duplicate_keys != DuplicateKeys::Off,
            nodes_max: compose.limits.max_nodes.base,
            words: Vec::new(),
            next: 0,
            taken: 0,
            head: None,
            head_start: 0,
            fingerprints: Fingerprints::new(compose.schema),
            keys: Vec::new(),
            table: HashTable::new(),
            open: Vec::new(),
            error: None,
            is_done: false,
        })
    }

    /// Moves to the root of the next document. Returns false at the end of the stream. The previous
    /// document must have been read to its [end](Pull::end), or composed.
    ///
    /// # Errors
    ///
    /// Fails if the input before the document is invalid.
    pub fn begin(&mut self) -> Result<bool, Error> {
        self.keys.clear();
        self.taken = 0;
        self.head = None;
        let mut has_head = false;
        loop {
            let Some(&word) = self.words.get(self.next) else {
                if !self.refill() {
                    return self.error.take().map_or(Ok(false), Err);
                }
                continue;
            };
            if kind(word) != NOP && !has_head {
                self.head_start = Event::unpack(word).start;
                self.head = Some(self.next);
                has_head = true;
            }
            self.pass(word);
            if kind(word) == EventKind::DocumentStart as u64 {
                return Ok(true);
            }
        }
    }

    /// Ends the document after all of its nodes were taken. Returns false if it has an error, which
    /// [`compose`](Pull::compose) reports.
    pub fn end(&mut self) -> bool {
        let word = self.word();
        let is_end = kind(word) == DOCUMENT_END && self.is_within_limit();
        if is_end {
            self.next += 1;
        }
        is_end
    }

    /// Composes the current document from its start, regardless of what was taken of it, and ends it.
    ///
    /// # Errors
    ///
    /// Fails if the document is invalid. This ends the stream.
    pub fn compose(&mut self, document: &mut Document<'t>) -> Result<(), Error> {
        match self.head {
            Some(head) => self.next = head,
            None => {
                let bytes = self.text.as_bytes();
                let before = &bytes[..self.head_start];
                let line = memchr::memrchr2(b'\n', b'\r', before).map_or(0, |at| at + 1);
                let parser = Parser::starting_at(bytes, line, &self.options);
                *self.documents = Documents::borrowing(bytes, parser, &self.compose);
                self.words.clear();
                self.next = 0;
            }
        }
        self.error = None;
        self.compose_next(document).map(|_| ())
    }

    /// Composes the next document, as [`Documents::next_into`] does. The previous one must have been
    /// read to its [end](Pull::end), or composed.
    ///
    /// # Errors
    ///
    /// Fails if the document is invalid. This ends the stream.
    pub fn compose_next(&mut self, document: &mut Document<'t>) -> Result<bool, Error> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        self.documents.put_back(std::mem::take(&mut self.words), self.next);
        let composed = self.documents.next_into(document);
        (self.words, self.next) = self.documents.take_rest();
        (self.head, self.taken) = (None, 0);
        if !matches!(composed, Ok(true)) {
            self.is_done = true;
            (self.words, self.next) = (Vec::new(), 0);
        }
        composed
    }

    /// Returns the id that the next node has when the document is composed. After it was composed,
    /// the id is 0.
    #[inline(always)]
    pub fn id(&self) -> NodeId {
        NodeId(self.taken)
    }

    /// Returns the next node without taking it.
    #[inline(always)]
    pub fn look(&mut self) -> Next<'t> {
        let word = self.word();
        if word & CLOSE_LOOK != 0 {
            return Pull::look_closely(word);
        }
        let start = word as u32 as usize;
        let end = start + (word >> LEN_SHIFT) as usize;
        match kind(word) {
            PLAIN => match self.text.get(start..end) {
                Some(text) => Next::Plain(text),
                None => Next::Rare,
            },
            SINGLE_QUOTED | DOUBLE_QUOTED => match self.text.get(start + 1..end - 1) {
                Some(text) => Next::Quoted(text),
                None => Next::Rare,
            },
            SEQUENCE_START => Next::Sequence,
            MAPPING_START => Next::Mapping,
            SEQUENCE_END | MAPPING_END | DOCUMENT_END => Next::End,
            _ => Pull::look_closely(word),
        }
    }

    /// Classifies the event `word`, which does not show the content of its node.
    #[inline(never)]
    fn look_closely(word: u64) -> Next<'t> {
        match kind(word) {
            PLAIN..=FOLDED => Next::Scalar,
            _ => Next::Rare,
        }
    }

    /// Takes the next node, which must be a scalar of one word or the start of a collection.
    #[inline(always)]
    pub fn take(&mut self) {
        self.next += 1;
        self.taken += 1;
    }

    /// Takes the next scalar, of any kind, or returns `None` if the next node is not a scalar.
    /// Content that is not a slice of the text is written to `decoded`.
    pub fn take_scalar(&mut self, decoded: &mut Vec<u8>) -> Option<Content<'t>> {
        let word = self.word();
        let event = Events::new(&self.words[self.next..]).next()?;
        if !event.kind.is_scalar() {
            return None;
        }
        self.pass(word);
        self.taken += 1;
        let text = self.text.as_bytes();
        let is_verbatim = scalar::verbatim(text, &event).is_some();
        if !is_verbatim {
            scalar::decode(text, &event, decoded);
        }
        let quote = usize::from(event.kind != EventKind::Plain);
        let inner = event.start + quote..event.start + event.len - quote;
        let text = if is_verbatim { self.text.get(inner) } else { None };
        Some(Content { is_plain: event.kind == EventKind::Plain, text })
    }

    /// Takes the end of a sequence.
    #[inline(always)]
    pub fn take_end(&mut self) {
        self.next += 1;
    }

    /// Starts recording the keys of the mapping whose start was just taken.
    #[inline(always)]
    pub fn open_keys(&self) -> Keys {
        Keys { seen: Seen::default(), first: self.keys.len() }
    }

    /// Records the next key in `keys` without taking it. Returns false at the end of the mapping.
    #[inline(always)]
    pub fn see_key(&mut self, keys: &mut Keys) -> bool {
        let word = self.word();
        if is_end(word) {
            return false;
        }
        if self.checks_keys {
            self.fingerprints.see(self.text.as_bytes(), word, &mut keys.seen);
            self.keys.push(word);
        }
        true
    }

    /// Returns whether the open collection ends here.
    #[inline(always)]
    pub fn is_at_end(&mut self) -> bool {
        is_end(self.word())
    }

    /// Takes the end of a mapping. If it may have duplicate keys, returns false and takes nothing.
    #[inline(always)]
    pub fn close_keys(&mut self, keys: &Keys) -> bool {
        let are_distinct = keys.seen.are_distinct() || self.are_distinct(keys);
        self.keys.truncate(keys.first);
        self.next += usize::from(are_distinct);
        are_distinct
    }

    /// Returns whether `keys` are known to differ. Those with equal fingerprints are compared.
    #[inline(never)]
    fn are_distinct(&mut self, keys: &Keys) -> bool {
        let Pull { text, fingerprints, table, keys: all, .. } = self;
        let keys = &all[keys.first..];
        let text = text.as_bytes();
        let print_of =
            |&key: &u32| fingerprints.of(text, keys[key as usize]).map_or(0, |(print, _)| print);
        table.clear();
        table.reserve(keys.len(), print_of);
        let mut seen = Seen::default();
        for (index, &word) in keys.iter().enumerate() {
            let Some((print, meaning)) = fingerprints.of(text, word) else { return false };
            seen.note(meaning);
            let content = key_text(text, word);
            let is_same = |&other: &u32| key_text(text, keys[other as usize]) == content;
            match table.entry(print, is_same, print_of) {
                Entry::Occupied(_) => return false,
                Entry::Vacant(entry) => entry.insert(index as u32),
            };
        }
        seen.are_distinct()
    }

    /// Returns the number of entries of the sequence that comes next, or fewer if not all are among
    /// the next few words. Use it as an initial capacity.
    #[inline(always)]
    pub fn entries_ahead(&self) -> usize {
        let words = self.words.get(self.next + 1..).unwrap_or_default();
        let (mut count, mut depth) = (0, 0usize);
        for &word in &words[..words.len().min(AHEAD_WORDS)] {
            match kind(word) {
                SEQUENCE_START | MAPPING_START => {
                    count += usize::from(depth == 0);
                    depth += 1;
                }
                SEQUENCE_END | MAPPING_END if depth == 0 => break,
                SEQUENCE_END | MAPPING_END => depth -= 1,
                // Second words have no kind and are ignored.
                PLAIN..=FOLDED => count += usize::from(depth == 0),
                _ => {}
            }
        }
        count
    }

    /// Skips the next node and everything in it. Returns false if something in it needs a tree.
    pub fn skip(&mut self) -> bool {
        let mut open = std::mem::take(&mut self.open);
        open.clear();
        let is_skipped = self.skip_nodes(&mut open);
        self.open = open;
        is_skipped
    }

    /// Skips a node without recursion. `open` is the stack for the collections in it.
    fn skip_nodes(&mut self, open: &mut Vec<Skipped>) -> bool {
        // The innermost collection; the outer ones are in `open`.
        let mut top = Skipped { keys: None, at_key: false };
        loop {
            let word = self.word();
            if top.at_key
                && self.checks_keys
                && let Some(keys) = &mut top.keys
                && !is_end(word)
            {
                self.fingerprints.see(self.text.as_bytes(), word, &mut keys.seen);
                self.keys.push(word);
            }
            match kind(word) {
                PLAIN..=FOLDED => {
                    self.pass(word);
                    self.taken += 1;
                }
                start @ (SEQUENCE_START | MAPPING_START) => {
                    self.take();
                    let keys = (start == MAPPING_START).then(|| self.open_keys());
                    open.push(std::mem::replace(&mut top, Skipped { keys, at_key: true }));
                    continue;
                }
                SEQUENCE_END | MAPPING_END => {
                    match &top.keys {
                        Some(keys) if !self.close_keys(keys) => return false,
                        Some(_) => {}
                        None => self.take_end(),
                    }
                    let Some(around) = open.pop() else { return false };
                    top = around;
                }
                _ => return false,
            }
            if open.is_empty() {
                return true;
            }
            top.at_key = !top.at_key;
        }
    }

    /// Returns the next word other than a NOP, reading more events if needed, or [`BROKEN`].
    #[inline(always)]
    fn word(&mut self) -> u64 {
        loop {
            match self.words.get(self.next) {
                Some(&word) if kind(word) != NOP => return word,
                Some(_) => self.next += 1,
                None => {
                    if !self.refill() {
                        return BROKEN;
                    }
                }
            }
        }
    }

    /// Moves past the event `word` and, if it is long, its second word.
    fn pass(&mut self, word: u64) {
        self.next += if word & LONG == 0 { 1 } else { 2 };
    }

    /// Reads more events. Returns false if there are none, or if an error or a limit prevents it.
    #[cold]
    #[inline(never)]
    fn refill(&mut self) -> bool {
        self.head = None;
        self.next = 0;
        self.words.clear();
        if self.is_done || self.error.is_some() || !self.is_within_limit() {
            return false;
        }
        match self.documents.next_words(&mut self.words) {
            Ok(has_more) => has_more,
            Err(error) => {
                self.error = Some(error);
                false
            }
        }
    }

    /// Returns whether the number of nodes is within the limit so far. If not, composing the document
    /// reports the error.
    fn is_within_limit(&self) -> bool {
        u64::from(self.taken) <= self.nodes_max
    }
}

/// Returns the text of the key `word`, whose content is a slice of `text`.
fn key_text(text: &[u8], word: u64) -> &[u8] {
    let Event { kind, start, len, .. } = Event::unpack(word);
    let quote = usize::from(kind != EventKind::Plain);
    &text[start + quote..start + len - quote]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Budget;

    const STREAM: &str = "\u{feff}# first\n  a: [b, 'c', \"d\\n\", {}]\n  e: |\n    f\n\
         ...\n%TAG !! x:\n---\n- g\n-\n- ? h\n  : [i j: k, [l]]\n--- m\n --- n\n---\n? [o]\n: p\n";

    fn pull(text: &str, chunk_words: usize) -> Pull<'_> {
        let read = Options { chunk_words, ..Options::default() };
        Pull::new(text, &read, &ComposeOptions::default()).expect("a text for events")
    }

    fn documents(text: &str) -> Vec<Document<'_>> {
        Documents::new(text.as_bytes()).map(|document| document.expect("a right text")).collect()
    }

    /// Takes the next node, and returns its text if it is a scalar.
    fn take(pull: &mut Pull<'_>) -> Option<String> {
        match pull.look() {
            Next::Plain(text) | Next::Quoted(text) => {
                pull.take();
                Some(text.to_owned())
            }
            Next::Scalar => {
                let mut decoded = Vec::new();
                let content = pull.take_scalar(&mut decoded).expect("a scalar");
                assert_eq!(content.text, None);
                Some(String::from_utf8(decoded).expect("UTF-8"))
            }
            Next::Sequence | Next::Mapping => {
                pull.take();
                None
            }
            next => panic!("{next:?} is no node"),
        }
    }

    /// Takes nodes until the next one has the number `end` in the document.
    fn take_to(pull: &mut Pull<'_>, end: usize) -> Vec<Option<String>> {
        let mut nodes = Vec::new();
        while pull.id().index() < end {
            match pull.look() {
                Next::End => pull.take_end(),
                _ => nodes.push(take(pull)),
            }
        }
        nodes
    }

    /// Returns the text of each scalar of a document, and `None` for each other node.
    fn texts(document: &Document<'_>) -> Vec<Option<String>> {
        let is_scalar = |node: &super::super::Node<'_>| node.kind() == super::super::Kind::Scalar;
        let text =
            |node: super::super::Node<'_>| is_scalar(&node).then(|| node.text().into_owned());
        document.nodes().map(text).collect()
    }

    #[test]
    fn pulled_nodes_are_equal_to_those_of_trees() {
        let documents = documents(STREAM);
        assert_eq!(documents.len(), 4);
        for chunk_words in [1, 3, 4096] {
            let mut pull = pull(STREAM, chunk_words);
            for document in &documents {
                assert!(pull.begin().expect("a document"));
                assert_eq!(take_to(&mut pull, document.node_count()), texts(document));
                while !pull.end() {
                    pull.take_end();
                }
            }
            assert!(!pull.begin().expect("no error after the last document"));
        }
    }

    #[test]
    fn a_partly_read_document_can_be_composed() {
        let documents = documents(STREAM);
        for chunk_words in [1, 3, 4096] {
            for (index, document) in documents.iter().enumerate() {
                for taken in 0..=document.node_count() {
                    let mut pull = pull(STREAM, chunk_words);
                    for _ in 0..index {
                        assert!(pull.begin().expect("a document"));
                        pull.compose(&mut Document::new()).expect("a document");
                    }
                    assert!(pull.begin().expect("a document"));
                    take_to(&mut pull, taken);
                    let mut composed = Document::new();
                    pull.compose(&mut composed).expect("a document");
                    assert_eq!(texts(&composed), texts(document));
                    let place = |document: &Document<'_>| document.root().location();
                    assert_eq!(place(&composed), place(document));
                    let rest = std::iter::from_fn(|| {
                        let mut next = Document::new();
                        pull.compose_next(&mut next).expect("a document").then(|| texts(&next))
                    });
                    let expected: Vec<_> = documents[index + 1..].iter().map(texts).collect();
                    assert_eq!(rest.collect::<Vec<_>>(), expected);
                }
            }
        }
    }

    /// Reads a document without a tree. Returns `None` if it needs the tree.
    fn read_without_tree(text: &str) -> Option<()> {
        let mut pull = pull(text, 8);
        assert!(pull.begin().expect("a document"));
        (pull.skip() && pull.end()).then_some(())
    }

    #[test]
    fn keys_that_may_be_equal_need_the_tree() {
        let many: String =
            (0..1000).map(|key| format!("the long key {key}: [a, {{b: c}}]\n")).collect();
        assert!(read_without_tree(&many).is_some());
        assert!(read_without_tree(&format!("{many}the long key 700: a\n")).is_none());
        assert!(read_without_tree("- {a: b}\n- {a: b, c: {a: d, e: f}}\n").is_some());
        assert!(read_without_tree("- {a: b, c: {a: d, e: f}, a: g}\n").is_none());
        assert!(read_without_tree("{1: a, 0x1: b}").is_none());
        assert!(read_without_tree("{[a]: b, c: d}").is_none());
        assert!(
            read_without_tree("[a, &a b]").is_none() && read_without_tree("[a, !b c]").is_none()
        );
    }

    #[test]
    fn errors_come_from_the_tree() {
        let text = "- a\n- b\n- {c: d, e: f\n".repeat(20);
        for chunk_words in [1, 4096] {
            let mut pull = pull(&text, chunk_words);
            assert!(pull.begin().expect("a document"));
            assert!(!pull.skip());
            let error = pull.compose(&mut Document::new()).expect_err("a wrong text");
            let expected = Documents::new(text.as_bytes()).next().expect("a document");
            assert_eq!(error.to_string(), expected.expect_err("a wrong text").to_string());
            assert!(!pull.begin().expect("no error after the last document"));
        }
    }

    #[test]
    fn the_number_of_nodes_is_limited() {
        let mut compose = ComposeOptions::default();
        compose.limits.max_nodes = Budget::fixed(5);
        for (text, is_fit) in [("[a, b, c, d]", true), ("[a, b, c, d, e]", false)] {
            for chunk_words in [1, 4096] {
                let read = Options { chunk_words, ..Options::default() };
                let mut pull = Pull::new(text, &read, &compose).expect("a text for events");
                assert!(pull.begin().expect("a document"));
                assert_eq!(pull.skip() && pull.end(), is_fit, "{text}");
                if !is_fit {
                    pull.compose(&mut Document::new()).expect_err("a limit");
                }
            }
        }
    }
}
