//! Follows paths in a tree.
//!
//! Each step is applied to all nodes that the steps before it found, in their order. The results are
//! therefore in document order, where an alias counts at its own location and not at its target's.
//! From the first `..` on, each node is found only once.

use super::document::Document;
use super::key::{self, ScalarKey};
use super::lookup;
use super::merge;
use super::node::Shape;
use super::select::{Many, Reached, Test, Wanted, reached};
use super::trail::{Hit, Trail, Via};
use super::tree::View;
use crate::fault::Fault;
use crate::limits::Limits;
use crate::path::{Operand, Source};
use crate::problem::Problem;
use crate::schema::{Scalar, Schema};
use foldhash::HashSet;

/// The nodes at the end of a path, or how far the path led.
pub(super) enum Selected {
    Nodes(Vec<usize>),
    None(Reached),
    /// The filter of the first step does not accept the node.
    Rejected,
}

/// The nodes at the end of the path; or, if a step found nothing, its number and the node before it.
type Ends = Result<Vec<Hit>, (usize, usize)>;

/// Follows paths in a document.
pub(super) struct Follower<'d> {
    document: &'d Document<'d>,
    limits: &'d Limits,
    /// The limit for nodes reached through aliases, as errors show it.
    aliases: u64,
    /// The number of nodes that all steps together may reach, and the number that they have
    /// reached.
    max: u64,
    met: u64,
    pub trail: Trail,
}

impl<'d> Follower<'d> {
    /// Creates a follower of paths in `document`, without a trail.
    pub fn new(document: &'d Document<'d>, limits: &'d Limits) -> Follower<'d> {
        // Without aliases, a step reaches no node twice, so each node of the document may be
        // reached.
        let aliases = limits.max_alias_nodes.at(document.text().len() as u64);
        let max = aliases.saturating_add(document.node_count() as u64);
        Follower { document, limits, aliases, max, met: 0, trail: Trail::default() }
    }

    /// Returns a view of the document's tree and text.
    fn view(&self) -> View<'d> {
        self.document.view()
    }

    /// Follows `wanted` from the node at `start`. Returns the nodes at its end, or how far it led.
    pub fn select(&mut self, start: usize, wanted: &[Wanted]) -> Result<Selected, Fault> {
        Ok(match self.follow(Hit { node: start, trail: 0 }, wanted)? {
            Ok(hits) => Selected::Nodes(hits.into_iter().map(|hit| hit.node).collect()),
            Err((steps, node)) => Selected::None(reached(self.document, node, steps)),
        })
    }

    /// Does what [`Follower::select`] does, for the node at `start`, an entry whose index is
    /// `index`. If `wanted` starts with a filter, the entry itself has to pass it.
    pub fn select_entry(
        &mut self,
        start: usize,
        index: u64,
        wanted: &[Wanted],
    ) -> Result<Selected, Fault> {
        let Some((Wanted { many: Many::Filter(test), .. }, rest)) = wanted.split_first() else {
            return self.select(start, wanted);
        };
        if !self.accepts(test, start, &Via::Index(index as usize))? {
            return Ok(Selected::Rejected);
        }
        Ok(match self.select(start, rest)? {
            Selected::None(reached) => {
                Selected::None(Reached { steps: reached.steps + 1, ..reached })
            }
            selected => selected,
        })
    }

    /// Follows all steps of `wanted` from `start`. Returns the nodes at their end, or how far they
    /// led.
    pub fn follow(&mut self, start: Hit, wanted: &[Wanted]) -> Result<Ends, Fault> {
        let mut hits = vec![start];
        self.check_cycles(&hits)?;
        let mut is_descending = false;
        for (at, step) in wanted.iter().enumerate() {
            if matches!(step.many, Many::Descend) && !is_descending {
                if hits.len() > 1 {
                    return self.follow_each(&hits, at, wanted);
                }
                is_descending = true;
            }
            let mut next = Vec::new();
            let mut seen = HashSet::default();
            for &hit in &hits {
                match step.many {
                    Many::Descend => self.descend(hit, &mut seen, &mut next)?,
                    _ => self.children(hit, step, at, &mut next)?,
                }
                self.check_budget(hit.node, next.len())?;
            }
            let Some(first) = hits.first().filter(|_| next.is_empty()) else {
                self.check_cycles(&next)?;
                self.met += next.len() as u64;
                hits = next;
                continue;
            };
            return Ok(Err((at, first.node)));
        }
        if is_descending {
            hits.sort_by_key(|hit| hit.node);
            hits.dedup_by_key(|hit| hit.node);
        }
        Ok(Ok(hits))
    }

    /// Follows the steps of `wanted` from number `at` on, separately from each node of `hits`.
    fn follow_each(&mut self, hits: &[Hit], at: usize, wanted: &[Wanted]) -> Result<Ends, Fault> {
        let (mut all, mut farthest) = (Vec::new(), None);
        for &hit in hits {
            match self.follow(hit, &wanted[at..])? {
                Ok(found) => all.extend(found),
                Err((steps, node)) => {
                    farthest.get_or_insert((at + steps, node));
                }
            }
        }
        Ok(farthest.filter(|_| all.is_empty()).map_or(Ok(all), Err))
    }

    /// Fails at `node` if `more` nodes would exceed the limit for nodes reached through aliases.
    fn check_budget(&self, node: usize, more: usize) -> Result<(), Fault> {
        if self.met + more as u64 <= self.max {
            return Ok(());
        }
        let span = self.view().span(node);
        let problem = Problem::TooManyAliasNodes(self.aliases);
        Err(Fault { problem, at: span.start as u64, len: span.len(), related: None })
    }

    /// Fails if one of `hits` is an alias inside its own target, where a path would go in circles.
    fn check_cycles(&self, hits: &[Hit]) -> Result<(), Fault> {
        let view = self.view();
        let is_cycle =
            |&&Hit { node, .. }: &&Hit| view.resolved(node) != node && view.is_cycle(node);
        hits.iter().find(is_cycle).map_or(Ok(()), |hit| Err(view.cycle(hit.node)))
    }

    /// Adds the children of `hit` that `wanted` selects to `found`. `step` is the number of that
    /// step in the path, for the trail.
    fn children(
        &mut self,
        hit: Hit,
        wanted: &Wanted,
        step: usize,
        found: &mut Vec<Hit>,
    ) -> Result<(), Fault> {
        let view = self.view();
        let at = view.resolved(hit.node);
        match view.nodes[at].shape() {
            Shape::Sequence => self.entries((at, hit.trail), wanted, found),
            Shape::Mapping if self.document.merges() && merge::has_merge_key(view, at) => {
                let schema = self.document.schema();
                let merge::Merged { pairs, looked_at } =
                    merge::merge(view, at, schema.into(), self.limits)?;
                self.met += looked_at;
                match wanted.many {
                    Many::No => {
                        // The mapping's own keys win, even if a merged key is spelled alike.
                        let is_wanted = |key| is_wanted_key(view, key, wanted, schema);
                        let merged = || Some(pairs.iter().find(|pair| is_wanted(pair.0))?.1);
                        let value = wanted.value_in(self.document, at).or_else(merged);
                        let via = || Via::Step(step);
                        found.extend(value.map(|value| self.trail.link(hit.trail, value, via)));
                        Ok(())
                    }
                    _ => self.values(hit.trail, pairs.into_iter(), wanted, found),
                }
            }
            Shape::Mapping if matches!(wanted.many, Many::No) => {
                let value = wanted.value_in(self.document, at);
                found.extend(
                    value.map(|value| self.trail.link(hit.trail, value, || Via::Step(step))),
                );
                Ok(())
            }
            Shape::Mapping => self.values(hit.trail, view.pairs(at), wanted, found),
            _ => Ok(()),
        }
    }

    /// Adds the entries of the sequence at `at` that the step `wanted` selects to `found`.
    fn entries(
        &mut self,
        (at, trail): (usize, u32),
        wanted: &Wanted,
        found: &mut Vec<Hit>,
    ) -> Result<(), Fault> {
        let view = self.view();
        let len = view.nodes[at].count();
        let range = match wanted.many {
            Many::All | Many::Filter(_) => 0..len,
            Many::Slice(from, to) => {
                let bound = |at: i64| position(at, len).unwrap_or(0).min(len);
                from.map_or(0, bound)..to.map_or(len, bound)
            }
            Many::No => {
                let index = wanted.index.and_then(|index| position(index, len));
                let entry = index.and_then(|index| Some((index, lookup::item(view, at, index)?)));
                let hit = |(index, node)| self.trail.link(trail, node, || Via::Index(index));
                found.extend(entry.map(hit));
                return Ok(());
            }
            Many::Descend => return Ok(()),
        };
        let entries = view.children(at).enumerate().take(range.end).skip(range.start);
        for (index, node) in entries {
            let is_accepted = match &wanted.many {
                Many::Filter(test) => self.accepts(test, node, &Via::Index(index))?,
                _ => true,
            };
            if is_accepted {
                found.push(self.trail.link(trail, node, || Via::Index(index)));
            }
        }
        Ok(())
    }

    /// Adds the values of `pairs` that `wanted`, a wildcard or a filter, selects to `found`.
    fn values(
        &mut self,
        trail: u32,
        pairs: impl Iterator<Item = (usize, usize)>,
        wanted: &Wanted,
        found: &mut Vec<Hit>,
    ) -> Result<(), Fault> {
        for (key, value) in pairs {
            let is_accepted = match &wanted.many {
                Many::All => !self.trail.skips(self.view(), key),
                Many::Filter(test) => {
                    !self.trail.skips(self.view(), key)
                        && self.accepts(test, value, &Via::Key(key))?
                }
                _ => false,
            };
            if is_accepted {
                found.push(self.trail.link(trail, value, || Via::Key(key)));
            }
        }
        Ok(())
    }

    /// Adds `start` and everything in it to `found`, except nodes that are in `seen`.
    fn descend(
        &mut self,
        start: Hit,
        seen: &mut HashSet<usize>,
        found: &mut Vec<Hit>,
    ) -> Result<(), Fault> {
        let view = self.view();
        let mut open = vec![start];
        while let Some(hit) = open.pop() {
            if !seen.insert(hit.node) {
                continue;
            }
            found.push(hit);
            // An alias is followed only if the descent starts at it.
            let is_start = hit.node == start.node;
            let node = if is_start { view.resolved(hit.node) } else { hit.node };
            let first = open.len();
            match view.nodes[node].shape() {
                Shape::Sequence => {
                    let entries = view.children(node).enumerate();
                    open.extend(
                        entries
                            .map(|(at, node)| self.trail.link(hit.trail, node, || Via::Index(at))),
                    );
                }
                Shape::Mapping => {
                    let pairs = view.pairs(node);
                    open.extend(
                        pairs.map(|(key, value)| {
                            self.trail.link(hit.trail, value, || Via::Key(key))
                        }),
                    );
                }
                _ => {}
            }
            open[first..].reverse();
        }
        Ok(())
    }

    /// Returns whether the filter `test` accepts `node`. `via` is the key or index of the node,
    /// which the filter may test.
    fn accepts(&mut self, test: &Test, node: usize, via: &Via) -> Result<bool, Fault> {
        let start = Hit { node, trail: 0 };
        let trail = std::mem::take(&mut self.trail);
        let mut find = |source| match (source, via) {
            (Source::Key, Via::Key(key)) => Ok(vec![self.operand(*key)]),
            (Source::Key, Via::Index(index)) => Ok(vec![number(*index)]),
            (Source::Key, Via::Step(_)) => Ok(Vec::new()),
            (Source::Path(at), _) => {
                let ends = self.follow(start, &test.paths[at])?.unwrap_or_default();
                Ok(ends.into_iter().map(|hit| self.operand(hit.node)).collect())
            }
        };
        let is_accepted = test.matcher.accepts(&mut find);
        self.trail = trail;
        is_accepted
    }

    /// Returns `node` in the form in which filters compare it: its value, or its text if that is
    /// not valid for its tag.
    fn operand(&self, node: usize) -> Operand<'d> {
        let view = self.view();
        let at = view.resolved(node);
        if !view.nodes[at].is_scalar() {
            return Operand::Collection;
        }
        let value = key::value(view, at, self.document.schema());
        Operand::Scalar(value.unwrap_or_else(|_| Scalar::Str(view.content(at))), view.content(at))
    }
}

/// Returns `index` in the form in which filters compare it.
fn number(index: usize) -> Operand<'static> {
    let text = index.to_string().into_bytes();
    Operand::Scalar(Scalar::Int(index as i64), text.into())
}

/// Converts `index`, which counts from the end if it is negative, to an index from the start of a
/// sequence of `len` entries. Returns `None` if it is before the start. The result may be past the
/// end.
fn position(index: i64, len: usize) -> Option<usize> {
    let from_start = if index < 0 { index.checked_add_unsigned(len as u64)? } else { index };
    usize::try_from(from_start).ok()
}

/// Returns whether `wanted`, a step without wildcards, selects the key at `key`.
fn is_wanted_key(view: View<'_>, key: usize, wanted: &Wanted, schema: Schema) -> bool {
    let target = view.resolved(key);
    view.nodes[target].is_scalar() && wanted.matches(&ScalarKey::of(view, target, schema)).is_some()
}
