//! Merge keys (the YAML 1.1 type repository, `!!merge`): `<<: *base`, `<<: [*first, *second]`.
//!
//! A mapping's own keys win over merged ones, wherever the `<<` is. An earlier merge wins over a later
//! one. A merged mapping includes the pairs that are merged into it. Merged pairs take the position of
//! the `<<`.
//!
//! When the walk enters a mapping, the mapping claims all its keys that have not been claimed yet,
//! so the first mapping wins. The claimed pairs are then yielded in order, and each `<<` among them
//! enters its sources one after another. A mapping that was entered before has nothing left to
//! claim and is skipped, so the work is bounded by the total size of the distinct mappings.

use super::digest::Digests;
use super::key::ScalarKey;
use super::node::{Shape, TAGGED};
use super::options::Equality;
use super::tree::View;
use crate::fault::Fault;
use crate::limits::Limits;
use crate::problem::Problem;
use crate::tag::YAML_PREFIX;
use foldhash::HashSet;
use hashbrown::HashTable;

/// A pair of a mapping, as the indices of its key and its value.
pub(super) type Pair = (usize, usize);

/// The pairs of a mapping with those merged into it.
#[derive(Debug)]
pub(super) struct Merged {
    pub pairs: Vec<Pair>,
    /// The number of pairs of other mappings that were visited, which callers count as nodes reached
    /// through aliases.
    pub looked_at: u64,
}

/// Returns whether the scalar at `at` is a merge key: a plain `<<`, or one with the tag `!!merge`.
pub(super) fn is_merge_key(view: View<'_>, at: usize) -> bool {
    let node = view.nodes[at];
    match node.shape() {
        Shape::Plain if !node.has(TAGGED) => {
            node.scalar_len() == 2 && view.verbatim(node) == Some(b"<<")
        }
        Shape::Sequence | Shape::Mapping | Shape::Alias => false,
        _ => view.tag(at) == Some("tag:yaml.org,2002:merge"),
    }
}

/// Returns whether the value at `value` of a merge key is a scalar with a tag that YAML does not
/// define, as in `<<: !include base.yaml`. Only the reader of the tag knows what it stands for, so
/// the pair is kept as it is.
fn is_opaque(view: View<'_>, value: usize) -> bool {
    let target = view.resolved(value);
    let is_foreign = |tag: &str| tag != "!" && !tag.starts_with(YAML_PREFIX);
    view.nodes[target].is_scalar() && view.tag(target).is_some_and(is_foreign)
}

/// Returns whether the mapping at `at` has a merge key.
pub(super) fn has_merge_key(view: View<'_>, at: usize) -> bool {
    view.pairs(at).any(|(key, _)| is_merge_key(view, key))
}

/// Returns the pairs of the mapping at `at` together with those merged into it. Fails if the value
/// of a merge key is not a mapping or a sequence of mappings, or refers to a mapping around it. A
/// scalar with a tag of the user is not an error, but kept together with its `<<`.
pub(super) fn merge(
    view: View<'_>,
    at: usize,
    equality: Equality,
    limits: &Limits,
) -> Result<Merged, Fault> {
    let mut merger = Merger {
        view,
        equality,
        digests: Digests::new(equality, limits),
        claimed: HashTable::new(),
        entered: HashSet::default(),
        looked_at: 0,
    };
    let mut pairs = Vec::new();
    let mut stack = Vec::new();
    stack.extend(merger.enter(at)?);
    // The pairs of the mapping itself do not count.
    merger.looked_at = 0;
    while let Some(frame) = stack.last_mut() {
        let entered = match frame {
            Frame::Mapping { pairs: own, next } => match own.get(*next) {
                Some(&(key, value)) => {
                    *next += 1;
                    if is_merge_key(view, key) && !is_opaque(view, value) {
                        Some(Frame::Sources { sources: merger.sources(value)?, next: 0 })
                    } else {
                        pairs.push((key, value));
                        continue;
                    }
                }
                None => None,
            },
            Frame::Sources { sources, next } => match sources.get(*next) {
                Some(&source) => {
                    *next += 1;
                    match merger.enter(source)? {
                        Some(frame) => Some(frame),
                        None => continue,
                    }
                }
                None => None,
            },
        };
        match entered {
            Some(frame) => stack.push(frame),
            None => drop(stack.pop()),
        }
    }
    Ok(Merged { pairs, looked_at: merger.looked_at })
}

/// An entry on the stack of [`merge`].
enum Frame {
    /// A mapping, with the pairs that it claimed and its merge keys.
    Mapping { pairs: Vec<Pair>, next: usize },
    /// The mappings in the value of a merge key.
    Sources { sources: Vec<usize>, next: usize },
}

/// Decides which mapping each key comes from.
struct Merger<'a> {
    view: View<'a>,
    equality: Equality,
    digests: Digests,
    /// The claimed keys, by the hash of their meaning.
    claimed: HashTable<(u64, usize)>,
    entered: HashSet<usize>,
    looked_at: u64,
}

impl Merger<'_> {
    /// Enters the mapping at `at` and claims those of its keys that are still free. Returns `None`
    /// if it was entered before.
    fn enter(&mut self, at: usize) -> Result<Option<Frame>, Fault> {
        if !self.entered.insert(at) {
            return Ok(None);
        }
        let view = self.view;
        let mut pairs = Vec::with_capacity(view.nodes[at].count() / 2);
        for (key, value) in view.pairs(at) {
            self.looked_at += 1;
            if is_merge_key(view, key) && !is_opaque(view, value) || self.claim(key)? {
                pairs.push((key, value));
            }
        }
        Ok(Some(Frame::Mapping { pairs, next: 0 }))
    }

    /// Claims the key at `key` for the mapping that is being entered. Returns false if an equal key
    /// was claimed before.
    fn claim(&mut self, key: usize) -> Result<bool, Fault> {
        let target = self.view.resolved(key);
        let hash = if self.view.nodes[target].is_scalar() {
            ScalarKey::of(self.view, target, self.equality).hash_one()
        } else {
            self.digests.of(self.view, key)?
        };
        for &(other_hash, other) in self.claimed.iter_hash(hash) {
            if other_hash == hash && self.digests.is_same(self.view, key, other)? {
                return Ok(false);
            }
        }
        self.claimed.insert_unique(hash, (hash, key), |entry| entry.0);
        Ok(true)
    }

    /// Returns the mappings that the node at `value`, the value of a merge key, refers to. Fails if
    /// it is neither a mapping nor a sequence of mappings.
    fn sources(&self, value: usize) -> Result<Vec<usize>, Fault> {
        let target = self.source(value)?;
        match self.view.nodes[target].shape() {
            Shape::Mapping => Ok(vec![target]),
            Shape::Sequence => self.view.children(target).map(|item| self.mapping(item)).collect(),
            _ => Err(self.fault(Problem::MergeValue, value)),
        }
    }

    /// Returns the mapping that the node at `at`, an entry in the sequence of a merge key, refers
    /// to. Fails if it is not a mapping.
    fn mapping(&self, at: usize) -> Result<usize, Fault> {
        let target = self.source(at)?;
        if self.view.nodes[target].shape() != Shape::Mapping {
            return Err(self.fault(Problem::MergeValue, at));
        }
        Ok(target)
    }

    /// Returns the node at `at`, or the target if it is an alias. Fails if the target contains the
    /// alias, since a mapping cannot be merged into a part of itself.
    fn source(&self, at: usize) -> Result<usize, Fault> {
        if self.view.is_cycle(at) { Err(self.view.cycle(at)) } else { Ok(self.view.resolved(at)) }
    }

    /// Returns the fault for `problem` at the node at `at`.
    fn fault(&self, problem: Problem, at: usize) -> Fault {
        let span = self.view.span(at);
        Fault { problem, at: span.start as u64, len: span.len(), related: None }
    }
}
