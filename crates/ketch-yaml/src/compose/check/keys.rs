//! Finds duplicate keys in the open mappings.
//!
//! A key is stored as a word of eight bytes, which is that of its event or the number of an [`Odd`] key.
//! The keys of all open mappings are on one stack. When a mapping ends, its keys are on top. Nearly
//! always, their fingerprints show that they differ. Otherwise their values are compared.
//!
//! For a mapping with very many keys, only [`Runs`] of fingerprints are kept. If two fingerprints agree,
//! the document is read a second time, and the keys with these fingerprints are compared.

use super::faults::Faults;
use super::meaning::{Context, LongScalars, Meaning, ScalarNode};
use super::runs::{RUN_KEYS, Runs, print_of};
use crate::compose::build::{KIND_NOP, kind};
use crate::compose::duplicates::{Written, duplicate_key, prints_are_distinct};
use crate::compose::fingerprint::{self, Fingerprints, Seen};
use crate::compose::key::ScalarKey;
use crate::compose::options::{ComposeOptions, DuplicateKeys};
use crate::event::Event;
use crate::scalar;
use foldhash::HashMap;
use hashbrown::HashTable;
use std::borrow::Cow;
use std::ops::Range;

/// Mappings with no more pairs than this are compared without a table.
const FEW_PAIRS: usize = 8;

/// A key that does not fit into one word: an alias, a collection, a key with a tag, or a very long
/// one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Odd {
    pub start: u32,
    pub len: u32,
    pub is_alias: bool,
    pub meaning: Meaning,
}

/// An open mapping with very many keys.
#[derive(Debug)]
struct Large {
    depth: usize,
    id: LargeId,
    runs: Runs,
    /// In the second reading: the number of keys on the stack that have to be compared.
    kept: usize,
}

/// Identifies a mapping in both readings, by its depth and the offset of its first key.
type LargeId = (usize, u32);

/// For each mapping that has some, the fingerprints that several of its keys share, in order.
pub(super) type Suspects = HashMap<LargeId, Vec<u64>>;

/// An open mapping: where its keys start on the stack, and the number of open collections around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub from: usize,
    pub depth: usize,
}

/// The keys of all open mappings.
#[derive(Debug)]
pub(super) struct Keys {
    policy: DuplicateKeys,
    merges: bool,
    words: Vec<u64>,
    odd: Vec<Odd>,
    large: Vec<Large>,
    /// The result of the first reading of a document.
    suspects: Suspects,
    /// In the second reading, the result of the first.
    known: Option<Suspects>,
    pub long_scalars: LongScalars,
    prints: Fingerprints,
    slots: Vec<u64>,
    hashes: Vec<u64>,
    /// Keys by the hash of their meaning.
    table: HashTable<(u64, u64)>,
    /// The events of values that are not on the line of their key, as far as they are scalars and have
    /// not been taken.
    pub below: Vec<Event>,
    /// The end of the last key in the document's text, before the events that are being read.
    pub key_end: u32,
}

impl Keys {
    /// Creates an empty stack, for the policy and the schema of `options`.
    pub fn new(options: &ComposeOptions) -> Keys {
        Keys {
            policy: options.duplicate_keys,
            merges: options.merges(),
            words: Vec::new(),
            odd: Vec::new(),
            large: Vec::new(),
            suspects: Suspects::default(),
            known: None,
            long_scalars: LongScalars::default(),
            prints: Fingerprints::new(options.schema),
            slots: Vec::new(),
            hashes: Vec::new(),
            table: HashTable::new(),
            below: Vec::new(),
            key_end: 0,
        }
    }

    /// Prepares the second reading, which compares only the keys with the fingerprints `suspects`.
    pub fn know(&mut self, suspects: Suspects) {
        self.known = Some(suspects);
    }

    /// Takes the fingerprints whose keys a second reading has to compare.
    pub fn take_suspects(&mut self) -> Suspects {
        std::mem::take(&mut self.suspects)
    }

    /// Clears the state of the last document.
    pub fn clear(&mut self) {
        self.words.clear();
        self.odd.clear();
        self.large.clear();
        self.suspects.clear();
        self.long_scalars.clear();
    }

    /// Returns the number of keys on the stack.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Adds the key `word`, an event of one word, whose offset is relative to the document's text.
    #[inline(always)]
    pub fn push(&mut self, word: u64) {
        self.words.push(word);
    }

    /// Adds the key `odd`, which does not fit into one word.
    pub fn push_odd(&mut self, odd: Odd) {
        self.words.push(self.odd.len() as u64);
        self.odd.push(odd);
    }

    /// Returns whether the innermost mapping, whose keys start at `from`, has as many keys on the
    /// stack as fit into a run, so that they must be packed.
    #[inline(always)]
    pub fn is_full(&self, from: usize) -> bool {
        self.words.len() - from >= RUN_KEYS
    }

    /// Checks the keys of the complete mapping at `place`, adding to `faults`, and removes them
    /// from the stack.
    #[inline]
    pub fn close(&mut self, context: Context<'_>, place: Place, faults: &mut Faults) {
        let count = self.words.len() - place.from;
        if count > 1 || !self.large.is_empty() {
            self.check(context, place, faults);
        }
        self.forget(place.from);
    }

    /// Checks the keys of the complete mapping at `place`, which has more than one key or may be
    /// large, and adds to `faults`.
    #[inline(never)]
    fn check(&mut self, context: Context<'_>, place: Place, faults: &mut Faults) {
        let is_large = self.large.last().is_some_and(|large| large.depth == place.depth);
        if is_large {
            self.pack(context, place, faults);
            if let Some(large) = self.large.pop() {
                let repeated = large.runs.repeated();
                if !repeated.is_empty() {
                    self.suspects.insert(large.id, repeated);
                }
            }
        }
        // The second reading keeps only suspects, so there is no point in comparing fingerprints again.
        let is_suspect = is_large && self.known.is_some();
        if is_suspect || !self.are_distinct(context.text, place.from) {
            self.compare(context, place.from, faults);
        }
    }

    /// Returns whether fingerprints prove that the keys from `from` on are different.
    fn are_distinct(&mut self, text: &[u8], from: usize) -> bool {
        let words = &self.words[from..];
        if words.len() > FEW_PAIRS {
            let words = words.iter().copied();
            let keys = Written { text, count: words.len(), words };
            return prints_are_distinct(&self.prints, &mut self.slots, keys);
        }
        let mut seen = Seen::default();
        for &word in words {
            self.prints.see(text, word, &mut seen);
        }
        seen.are_distinct()
    }

    /// Compares all keys from `from` on by their values, and adds to `faults` for each one that
    /// repeats an earlier key.
    #[cold]
    #[inline(never)]
    fn compare(&mut self, context: Context<'_>, from: usize, faults: &mut Faults) {
        self.table.clear();
        let mut found = 0;
        for index in from..self.words.len() {
            let word = self.words[index];
            let Some(hash) = self.hash(context, word, faults) else { continue };
            let is_same =
                |entry: &&(u64, u64)| entry.0 == hash && self.is_same(context, word, entry.1);
            match self.table.iter_hash(hash).find(is_same) {
                None => {
                    self.table.insert_unique(hash, (hash, word), |entry| entry.0);
                }
                Some(&(_, first)) if self.policy == DuplicateKeys::Error => {
                    faults.push(duplicate_key(self.span(word), self.span(first).start));
                    found += 1;
                    // More faults of this mapping would be dropped.
                    if found > faults.max() {
                        return;
                    }
                }
                Some(_) => {}
            }
        }
    }

    /// Replaces the keys of the large mapping at `place` on the stack by a run of fingerprints. In
    /// the second reading, removes all keys that need not be compared.
    #[cold]
    #[inline(never)]
    pub fn pack(&mut self, context: Context<'_>, place: Place, faults: &mut Faults) {
        let Place { from, depth } = place;
        if self.large.last().is_none_or(|large| large.depth != depth) {
            let id = (depth, self.span(self.words[from]).start as u32);
            self.large.push(Large { depth, id, runs: Runs::default(), kept: 0 });
        }
        let Some(large) = self.large.last() else { return };
        let (id, kept) = (large.id, large.kept);
        let fresh = from + kept..self.words.len();
        let Some(known) = self.known.take() else {
            self.hashes.clear();
            for index in fresh {
                let hash = self.hash(context, self.words[index], faults);
                self.hashes.extend(hash);
            }
            for hashes in self.hashes.chunks(RUN_KEYS) {
                if let Some(large) = self.large.last_mut() {
                    large.runs.add(hashes);
                }
            }
            self.forget(from);
            return;
        };
        let suspects = known.get(&id).map_or(&[][..], |suspects| suspects);
        let mut to = fresh.start;
        let mut odd_to = None;
        for index in fresh {
            let word = self.words[index];
            let hash = self.hash(context, word, faults);
            let is_suspect =
                hash.is_some_and(|hash| suspects.binary_search(&print_of(hash)).is_ok());
            let mut kept = word;
            if is_odd_key(word) {
                // The list of odd keys is compacted along with the stack.
                let end = odd_to.get_or_insert(word as usize);
                if is_suspect {
                    self.odd[*end] = self.odd[word as usize];
                    kept = *end as u64;
                    *end += 1;
                }
            }
            if is_suspect {
                self.words[to] = kept;
                to += 1;
            }
        }
        self.words.truncate(to);
        if let Some(end) = odd_to {
            self.odd.truncate(end);
        }
        self.known = Some(known);
        if let Some(large) = self.large.last_mut() {
            large.kept = to - from;
        }
    }

    /// Removes the keys from `from` on from the stack.
    fn forget(&mut self, from: usize) {
        let words = &self.words[from..];
        if !self.odd.is_empty()
            && let Some(&first) = words.iter().find(|&&word| is_odd_key(word))
        {
            self.odd.truncate(first as usize);
        }
        self.words.truncate(from);
    }

    /// Returns the hash of the value of the key `word`. Returns `None` for a merge key, which may
    /// occur several times, and for a key that contains itself, for which a fault is added.
    fn hash(&mut self, context: Context<'_>, word: u64, faults: &mut Faults) -> Option<u64> {
        if let Some((_, fingerprint::Meaning::Text)) = self.prints.of(context.text, word) {
            let content = scalar::verbatim(context.text, &Event::unpack(word)).unwrap_or_default();
            if !(self.merges && content == b"<<") {
                return Some(ScalarKey::Str(Cow::Borrowed(content)).hash_one());
            }
        }
        let is_alias = is_odd_key(word) && self.odd[word as usize].is_alias;
        match self.meaning(word) {
            Meaning::Scalar(node) if self.merges && !is_alias && context.is_merge_key(node) => None,
            Meaning::Scalar(node) if is_alias => {
                Some((self.long_scalars.digest(context, node) >> 64) as u64)
            }
            Meaning::Scalar(node) => Some(context.key(node).hash_one()),
            Meaning::Collection(Ok(digest)) => Some((digest >> 64) as u64),
            Meaning::Collection(Err(cycle)) => {
                faults.push(cycle);
                None
            }
        }
    }

    /// Returns whether the keys `a` and `b`, which have the same hash, are equal.
    fn is_same(&self, context: Context<'_>, a: u64, b: u64) -> bool {
        match (self.meaning(a), self.meaning(b)) {
            (Meaning::Scalar(a), Meaning::Scalar(b)) => {
                a.event.start == b.event.start && a.event.len > 0
                    || context.key(a) == context.key(b)
            }
            (Meaning::Collection(Ok(a)), Meaning::Collection(Ok(b))) => a == b,
            _ => false,
        }
    }

    /// Returns the meaning of the key that `word`, a word of the stack, represents.
    fn meaning(&self, word: u64) -> Meaning {
        match is_odd_key(word) {
            true => self.odd[word as usize].meaning,
            false => Meaning::Scalar(ScalarNode { event: Event::unpack(word), tag: None }),
        }
    }

    /// Returns the range of the key `word` in the document's text.
    fn span(&self, word: u64) -> Range<usize> {
        if !is_odd_key(word) {
            return Event::unpack(word).range();
        }
        let Odd { start, len, .. } = self.odd[word as usize];
        start as usize..start as usize + len as usize
    }
}

/// Returns whether `word` is the number of an odd key, and not the event of a key.
fn is_odd_key(word: u64) -> bool {
    kind(word) == KIND_NOP
}
