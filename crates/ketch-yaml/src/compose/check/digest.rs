//! Digests of collections, which are computed while their events arrive.
//!
//! Collections that are keys need a digest, and so do those with an anchor, since an alias to one may be
//! a key, and everything inside such collections. Sequences hash their entries in order. Mappings add up
//! the hashes of their pairs, since their order has no meaning. An alias has the digest of its target.

use super::meaning::{Digest, digest_of};
use crate::compose::key::TagKey;
use crate::compose::options::DuplicateKeys;
use crate::fault::Fault;
use foldhash::HashMap;

/// The open collections, from the outermost one that needs a digest to the innermost.
#[derive(Debug)]
pub(super) struct Digests {
    policy: DuplicateKeys,
    frames: Vec<Frame>,
    /// The end of the last node inside the open collections, which is also their end if they end here.
    pub last_end: usize,
}

/// A collection that is being hashed.
#[derive(Debug)]
pub(super) struct Frame {
    pub start: usize,
    pub anchor: Option<u32>,
    /// The number of its tag.
    pub tag: Option<u32>,
    pub is_mapping: bool,
    sum: Digest,
    count: u64,
    /// The key whose value comes next.
    key: Option<Child>,
    /// The pairs by their keys, if one pair may override another.
    pairs: HashMap<Digest, Pair>,
    /// The number of pairs so far, including overridden ones.
    met: u64,
    cycle: Option<Cycle>,
}

/// The position of a child, and the fault for an alias in it that refers to a collection around it.
type Cycle = (u64, Fault);

/// A pair that may be overridden.
#[derive(Clone, Copy, Debug)]
struct Pair {
    digest: Digest,
    cycle: Option<Cycle>,
}

/// A child of a collection.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub digest: Result<Digest, Fault>,
    /// Whether the child is a merge key, which may occur several times in a mapping.
    pub is_merge_key: bool,
}

impl Digests {
    /// Creates the digests of a document. `policy`, the policy on duplicate keys, decides which
    /// pairs count.
    pub fn new(policy: DuplicateKeys) -> Digests {
        Digests { policy, frames: Vec::new(), last_end: 0 }
    }

    /// Removes the collections that are still open at the end of a document.
    pub fn clear(&mut self) {
        self.frames.clear();
    }

    /// Returns whether the open collection needs a digest.
    pub fn is_active(&self) -> bool {
        !self.frames.is_empty()
    }

    /// Opens a collection that starts at `start`, which is a mapping or a sequence. `anchor` and
    /// `tag` are the numbers of its properties.
    pub fn open(&mut self, start: usize, anchor: Option<u32>, tag: Option<u32>, is_mapping: bool) {
        self.last_end = start;
        self.frames.push(Frame {
            start,
            anchor,
            tag,
            is_mapping,
            sum: 0,
            count: 0,
            key: None,
            pairs: HashMap::default(),
            met: 0,
            cycle: None,
        });
    }

    /// Removes the open collection, which is complete, and returns it.
    pub fn close(&mut self) -> Option<Frame> {
        self.frames.pop()
    }

    /// Adds `child` to the open collection, as an entry, a key or a value.
    pub fn add(&mut self, child: Child) {
        let Some(frame) = self.frames.last_mut() else { return };
        if !frame.is_mapping {
            frame.add_entry(child);
        } else if let Some(key) = frame.key.take() {
            frame.add_pair(key, child, self.policy);
        } else {
            frame.key = Some(child);
        }
    }
}

impl Frame {
    /// Adds `entry`, the next entry of a sequence, to the digest.
    fn add_entry(&mut self, entry: Child) {
        self.note_cycle(entry.digest.err().map(|fault| (self.count, fault)));
        self.count += 1;
        self.sum = digest_of((self.sum, entry.digest.unwrap_or_default()));
    }

    /// Adds a pair of a mapping, `key` and `value`. If keys override each other under `policy`, the
    /// pair may replace an earlier one, or be ignored.
    fn add_pair(&mut self, key: Child, value: Child, policy: DuplicateKeys) {
        self.met += 1;
        let cycle = key.digest.err().or(value.digest.err()).map(|fault| (self.met, fault));
        let name = key.digest.unwrap_or_default();
        let digest = digest_of((name, value.digest.unwrap_or_default()));
        let may_override = matches!(policy, DuplicateKeys::First | DuplicateKeys::Last);
        if !may_override || key.is_merge_key {
            self.note_cycle(cycle);
        } else {
            let other = self.pairs.get(&name).map(|pair| pair.digest);
            if other.is_some() && policy == DuplicateKeys::First {
                return;
            }
            self.pairs.insert(name, Pair { digest, cycle });
            if let Some(other) = other {
                self.sum = self.sum.wrapping_sub(other).wrapping_add(digest);
                return;
            }
        }
        self.count += 2;
        self.sum = self.sum.wrapping_add(digest);
    }

    /// Stores `cycle` unless an earlier cycle is stored, since the first one is reported.
    fn note_cycle(&mut self, cycle: Option<Cycle>) {
        self.cycle = self.cycle.or(cycle);
    }

    /// Returns the digest of the complete collection, whose tag is `tag`, or the first cycle in it
    /// as an error.
    pub fn digest(&self, tag: Option<TagKey<'_>>) -> Result<Digest, Fault> {
        let cycles = self.pairs.values().filter_map(|pair| pair.cycle).chain(self.cycle);
        match cycles.min_by_key(|&(order, _)| order) {
            Some((_, cycle)) => Err(cycle),
            None => Ok(digest_of((self.is_mapping, tag, self.count, self.sum))),
        }
    }
}
