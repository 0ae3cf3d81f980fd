//! Duplicate keys (YAML 1.2.2, section 3.2.1.3).
//!
//! Nearly all mappings have a few different keys of plain text. These are known to be distinct when the
//! mapping ends; see [`super::fingerprint`]. Other mappings are checked here, first by whole fingerprints
//! and then, for fingerprints that agree or are missing, by the values of the keys.

use super::digest::Digests;
use super::fingerprint::{Fingerprints, Seen};
use super::key::ScalarKey;
use super::merge::is_merge_key;
use super::node::Packed;
use super::options::{ComposeOptions, DuplicateKeys, Equality};
use super::tree::View;
use crate::fault::Fault;
use crate::problem::Problem;
use hashbrown::HashTable;
use std::ops::Range;

/// Finds duplicate keys in a mapping.
#[derive(Debug)]
pub(super) struct KeyCheck {
    policy: DuplicateKeys,
    equality: Equality,
    merges: bool,
    prints: Fingerprints,
    /// A hash table of the fingerprints of the keys of a large mapping.
    slots: Vec<u64>,
    /// Keys by the hash of their meaning.
    table: HashTable<(u64, u32)>,
    digests: Digests,
    overridden: Vec<u32>,
    /// Whether the last check may have compared floats by all their digits.
    pub has_floats: bool,
}

/// What fingerprints can prove about the keys of a mapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Distinct,
    Unknown,
}

impl KeyCheck {
    /// Creates a check that uses the schema, the policy and the limits of `options`.
    pub fn new(options: &ComposeOptions) -> KeyCheck {
        KeyCheck {
            policy: options.duplicate_keys,
            equality: options.equality(),
            merges: options.merges(),
            prints: Fingerprints::new(options.schema),
            digests: Digests::new(options.equality(), &options.limits),
            slots: Vec::new(),
            table: HashTable::new(),
            overridden: Vec::new(),
            has_floats: false,
        }
    }

    /// Clears the state of the last document.
    pub fn clear(&mut self) {
        self.digests.clear();
    }

    /// Returns whether the last check found overridden keys.
    #[inline]
    pub fn has_overridden(&self) -> bool {
        !self.overridden.is_empty()
    }

    /// Takes the overridden keys that the last check found.
    pub fn overridden(&mut self) -> impl Iterator<Item = u32> {
        self.overridden.drain(..)
    }

    /// Returns whether fingerprints prove that the keys of the mapping at `at`, which is small and
    /// complete, are different.
    #[inline(never)]
    pub fn are_distinct(&self, nodes: &[Packed], text: &[u8], at: usize) -> bool {
        let mut seen = Seen::default();
        let end = nodes[at].end();
        let mut key = at + 1;
        while key < end {
            let node = nodes[key];
            self.prints.see(text, node.first_word(), &mut seen);
            key = nodes[node.end()].end();
        }
        seen.are_distinct()
    }

    /// Checks the complete mapping at `at`. Depending on the policy, a duplicate key is a fault, or
    /// one of the keys overrides the other.
    pub fn check(&mut self, view: View<'_>, at: usize) -> Result<(), Fault> {
        match self.compare_prints(view, at) {
            Verdict::Distinct => Ok(()),
            Verdict::Unknown => self.compare(view, at),
        }
    }

    /// Compares the fingerprints of all keys of the mapping at `at`. They can prove that the keys
    /// differ, but not that two are equal.
    fn compare_prints(&mut self, view: View<'_>, at: usize) -> Verdict {
        let end = view.nodes[at].end();
        let mut key = at + 1;
        let words = std::iter::from_fn(|| {
            let node = (key < end).then(|| view.nodes[key])?;
            key = view.nodes[key + 1].end();
            Some(node.first_word())
        });
        let count = view.nodes[at].count() / 2;
        let keys = Written { text: view.text, words, count };
        let are_distinct = prints_are_distinct(&self.prints, &mut self.slots, keys);
        if are_distinct { Verdict::Distinct } else { Verdict::Unknown }
    }

    /// Compares all keys of the mapping at `at` by their values. This is slow, and is only needed
    /// if fingerprints do not decide.
    #[cold]
    #[inline(never)]
    fn compare(&mut self, view: View<'_>, at: usize) -> Result<(), Fault> {
        self.table.clear();
        for (key, _value) in view.pairs(at) {
            let Some(hash) = self.hash(view, key)? else { continue };
            let mut first = None;
            for &(other_hash, other) in self.table.iter_hash(hash) {
                if other_hash == hash && self.digests.is_same(view, key, other as usize)? {
                    first = Some(other);
                }
            }
            match first {
                None => {
                    self.table.insert_unique(hash, (hash, key as u32), |entry| entry.0);
                }
                Some(first) => self.duplicate(view, hash, first, key)?,
            }
        }
        Ok(())
    }

    /// Returns the hash of the value of the key at `key`, or `None` for a merge key, which may
    /// occur several times.
    fn hash(&mut self, view: View<'_>, key: usize) -> Result<Option<u64>, Fault> {
        let node = view.resolved(key);
        if view.nodes[node].is_scalar() {
            if self.merges && is_merge_key(view, key) {
                return Ok(None);
            }
            let key = ScalarKey::of(view, node, self.equality);
            self.has_floats |= matches!(key, ScalarKey::Float(_));
            return Ok(Some(key.hash_one()));
        }
        // The collection may contain floats.
        self.has_floats = true;
        self.digests.of(view, key).map(Some)
    }

    /// Applies the policy to `key`, which equals the earlier key `first` and has the hash `hash`.
    fn duplicate(
        &mut self,
        view: View<'_>,
        hash: u64,
        first: u32,
        key: usize,
    ) -> Result<(), Fault> {
        match self.policy {
            DuplicateKeys::Error => {
                let first = view.span(first as usize).start;
                return Err(duplicate_key(view.span(key), first));
            }
            DuplicateKeys::Off => {}
            DuplicateKeys::First => self.overridden.push(key as u32),
            DuplicateKeys::Last => {
                self.overridden.push(first);
                let entry = self.table.find_mut(hash, |entry| entry.1 == first);
                if let Some(entry) = entry {
                    entry.1 = key as u32;
                }
            }
        }
        Ok(())
    }
}

/// Returns the fault for the key at `span`, which repeats the key that starts at `first`.
pub(super) fn duplicate_key(span: Range<usize>, first: usize) -> Fault {
    let (problem, related) = (Problem::DuplicateKey, Some(first as u64));
    Fault { problem, at: span.start as u64, len: span.len(), related }
}

/// The keys of a mapping as the first words of their nodes.
pub(super) struct Written<'t, W> {
    pub text: &'t [u8],
    pub words: W,
    pub count: usize,
}

/// Returns whether fingerprints prove that all of `keys` are different. `slots` becomes a hash
/// table of the fingerprints, indexed by their highest bits.
pub(super) fn prints_are_distinct(
    prints: &Fingerprints,
    slots: &mut Vec<u64>,
    keys: Written<'_, impl Iterator<Item = u64>>,
) -> bool {
    let bits = (2 * keys.count).next_power_of_two().trailing_zeros();
    let mask = (1usize << bits) - 1;
    slots.clear();
    slots.resize(mask + 1, 0);
    let mut seen = Seen::default();
    for word in keys.words {
        let Some((print, meaning)) = prints.of(keys.text, word) else { return false };
        seen.note(meaning);
        // Zero means an empty slot.
        let print = print.max(1);
        let mut slot = (print >> (64 - bits)) as usize & mask;
        while slots[slot] != 0 && slots[slot] != print {
            slot = (slot + 1) & mask;
        }
        if slots[slot] == print || !seen.are_distinct() {
            return false;
        }
        slots[slot] = print;
    }
    true
}
