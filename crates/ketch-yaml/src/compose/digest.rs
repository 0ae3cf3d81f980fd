//! Equality of nodes that are collections, without recursion.
//!
//! A digest is a hash of a node's content. Sequences hash their entries in order. Mappings add up the
//! hashes of their pairs, since their order has no meaning. An alias has the digest of its target. Nodes
//! with different digests differ. Nodes with equal digests are compared step by step, where the pairs of
//! mappings are matched by the digests of their keys.
//!
//! The digests of anchored nodes and of keys are stored, so that each node is hashed only a few
//! times, no matter how aliases and keys are nested.

use super::key::{ScalarKey, TagKey, hasher};
use super::node::{ANCHORED, Shape};
use super::options::Equality;
use super::tree::View;
use crate::fault::Fault;
use crate::limits::Limits;
use crate::problem::Problem;
use foldhash::HashMap;
use std::hash::BuildHasher;

/// Digests of the nodes of one document, or of two.
#[derive(Debug)]
pub(super) struct Digests {
    equality: Equality,
    limits: Limits,
    kept: HashMap<(u8, u32), u64>,
    /// The index of the document that is being read; after a fault, of the document with the fault.
    pub side: u8,
    /// The number of node pairs compared so far.
    compared: u64,
}

/// A collection that is being hashed.
struct Frame {
    node: usize,
    next: usize,
    sum: u64,
    count: u64,
    /// The digest of a mapping's key whose value comes next.
    key: Option<u64>,
    is_kept: bool,
}

/// The result of comparing two nodes without their children.
enum Alike {
    No,
    Yes,
    IfEntriesAre,
    IfPairsAre,
}

/// The digest of a node, or the frame of a collection that has to be hashed first.
enum Entered {
    Hash(u64),
    Frame(Frame),
}

/// Combines the hashes `a` and `b`. Their order matters.
fn mix(a: u64, b: u64) -> u64 {
    hasher().hash_one((a, b))
}

impl Digests {
    /// Creates an empty store of digests for nodes that are compared by `equality`.
    pub fn new(equality: Equality, limits: &Limits) -> Digests {
        let kept = HashMap::default();
        Digests { equality, limits: *limits, kept, side: 0, compared: 0 }
    }

    /// Removes the digests of the last document.
    pub fn clear(&mut self) {
        self.compared = 0;
        if !self.kept.is_empty() {
            self.kept.clear();
        }
    }

    /// Returns the digest of the node at `at`, which is a key, and stores it.
    pub fn of(&mut self, view: View<'_>, at: usize) -> Result<u64, Fault> {
        let mut stack = Vec::new();
        let mut entered = self.enter(view, at, true)?;
        loop {
            let mut hash = match entered {
                Entered::Frame(frame) => {
                    stack.push(frame);
                    None
                }
                Entered::Hash(hash) => Some(hash),
            };
            entered = loop {
                let Some(frame) = stack.last_mut() else {
                    // Only a finished hash leaves the stack empty.
                    return Ok(hash.unwrap_or_default());
                };
                if let Some(hash) = hash.take() {
                    frame.add(view, hash);
                }
                if frame.next < view.nodes[frame.node].end() {
                    let child = frame.next;
                    frame.next = view.nodes[child].end();
                    let is_key =
                        frame.key.is_none() && view.nodes[frame.node].shape() == Shape::Mapping;
                    if is_key && view.nodes[child].is_overridden() {
                        frame.next = view.nodes[frame.next].end();
                        continue;
                    }
                    break self.enter(view, child, is_key)?;
                }
                if let Some(frame) = stack.pop() {
                    hash = Some(self.leave(view, &frame));
                }
            };
        }
    }

    /// Returns the digest of the node at `at` if it is a scalar or was hashed before, and otherwise
    /// a new frame for the collection. An alias counts as its target. `is_key` says whether to keep
    /// the digest even if the node has no anchor.
    fn enter(&mut self, view: View<'_>, at: usize, is_key: bool) -> Result<Entered, Fault> {
        if view.is_cycle(at) {
            return Err(view.cycle(at));
        }
        let target = view.resolved(at);
        let node = view.nodes[target];
        if node.is_scalar() {
            return Ok(Entered::Hash(ScalarKey::of(view, target, self.equality).hash_one()));
        }
        let is_kept = is_key || node.has(ANCHORED);
        if is_kept && let Some(hash) = self.kept.get(&(self.side, target as u32)) {
            return Ok(Entered::Hash(*hash));
        }
        let first = target + 1;
        Ok(Entered::Frame(Frame {
            node: target,
            next: first,
            sum: 0,
            count: 0,
            key: None,
            is_kept,
        }))
    }

    /// Completes the digest of the collection in `frame` after all children have been added, and
    /// returns it.
    fn leave(&mut self, view: View<'_>, frame: &Frame) -> u64 {
        let node = view.nodes[frame.node];
        let kind = match TagKey::of(view, frame.node) {
            Some(tag) => mix(node.shape() as u64, hasher().hash_one(tag)),
            None => node.shape() as u64,
        };
        let hash = mix(mix(kind, frame.count), frame.sum);
        if frame.is_kept {
            self.kept.insert((self.side, frame.node as u32), hash);
        }
        hash
    }

    /// Returns whether the nodes `a` and `b` of one document are equal.
    pub fn is_same(&mut self, view: View<'_>, a: usize, b: usize) -> Result<bool, Fault> {
        self.are_same([view, view], a, b)
    }

    /// Returns whether the node `a` of the first of two documents and the node `b` of the second
    /// are equal.
    pub fn are_same(&mut self, views: [View<'_>; 2], a: usize, b: usize) -> Result<bool, Fault> {
        let is_one = std::ptr::eq(views[0].nodes, views[1].nodes);
        let mut stack = vec![(a, b)];
        while let Some((a, b)) = stack.pop() {
            for (side, at) in [(0, a), (1, b)] {
                self.side = side as u8;
                if views[side].is_cycle(at) {
                    return Err(views[side].cycle(at));
                }
            }
            self.side = 0;
            let (a, b) = (views[0].resolved(a), views[1].resolved(b));
            if is_one && a == b {
                continue;
            }
            self.count(views[0], a)?;
            match self.are_alike(views, a, b) {
                Alike::No => return Ok(false),
                Alike::Yes => {}
                Alike::IfEntriesAre => {
                    stack.extend(views[0].children(a).zip(views[1].children(b)));
                }
                Alike::IfPairsAre => {
                    let left = self.pairs(views[0], 0, a)?;
                    let right = self.pairs(views[1], u8::from(!is_one), b)?;
                    if left.len() != right.len() {
                        return Ok(false);
                    }
                    for (left, right) in left.into_iter().zip(right) {
                        stack.push((left.1, right.1));
                        stack.push((left.2, right.2));
                    }
                }
            }
        }
        Ok(true)
    }

    /// Compares the nodes `a` and `b` without their children. Neither is an alias.
    fn are_alike(&self, views: [View<'_>; 2], a: usize, b: usize) -> Alike {
        let (left, right) = (views[0].nodes[a], views[1].nodes[b]);
        if left.is_scalar() && right.is_scalar() {
            let left = ScalarKey::of(views[0], a, self.equality);
            let right = ScalarKey::of(views[1], b, self.equality);
            return if left == right { Alike::Yes } else { Alike::No };
        }
        if left.shape() != right.shape() || TagKey::of(views[0], a) != TagKey::of(views[1], b) {
            return Alike::No;
        }
        match left.shape() {
            Shape::Sequence if left.count() == right.count() => Alike::IfEntriesAre,
            Shape::Mapping => Alike::IfPairsAre,
            _ => Alike::No,
        }
    }

    /// Returns the pairs of the mapping at `at`, each with the digest of its key, sorted by digest.
    /// `side` is the index of the mapping's document.
    fn pairs(
        &mut self,
        view: View<'_>,
        side: u8,
        at: usize,
    ) -> Result<Vec<(u64, usize, usize)>, Fault> {
        self.side = side;
        let mut pairs = Vec::with_capacity(view.nodes[at].count() / 2);
        for (key, value) in view.pairs(at) {
            pairs.push((self.of(view, key)?, key, value));
        }
        self.side = 0;
        pairs.sort_unstable();
        Ok(pairs)
    }

    /// Counts a comparison and fails at the node at `at` if there were too many, because with
    /// aliases, there can be far more comparisons than nodes.
    fn count(&mut self, view: View<'_>, at: usize) -> Result<(), Fault> {
        self.compared += 1;
        let allowed = self.limits.max_alias_nodes.at(view.text.len() as u64);
        if self.compared <= allowed.saturating_add(view.nodes.len() as u64) {
            return Ok(());
        }
        let at = view.nodes[at].offset() as u64;
        Err(Fault { problem: Problem::TooManyAliasNodes(allowed), at, len: 1, related: None })
    }
}

impl Frame {
    /// Adds `hash`, the digest of the next child.
    fn add(&mut self, view: View<'_>, hash: u64) {
        self.count += 1;
        if view.nodes[self.node].shape() == Shape::Sequence {
            self.sum = mix(self.sum, hash);
            return;
        }
        match self.key.take() {
            None => self.key = Some(hash),
            Some(key) => self.sum = self.sum.wrapping_add(mix(key, hash)),
        }
    }
}
