//! Records how each node was reached, so that it can be given a path without wildcards.

use super::document::Document;
use super::key::ScalarKey;
use super::merge::is_merge_key;
use super::node::Shape;
use super::tree::View;
use crate::path::Step;

/// A node that a path has reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    pub node: usize,
    /// One more than the index of the link by which the node was reached, or 0 for the start.
    pub trail: u32,
}

/// How a node was reached from the one before it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Via {
    /// The step of the path with this index.
    Step(usize),
    /// The index of an entry.
    Index(usize),
    /// The key (as a node) of a value.
    Key(usize),
}

/// The links from each node to the one from which it was reached, if the caller wants paths. Each
/// link has the `trail` of the earlier node.
#[derive(Debug, Default)]
pub(super) struct Trail {
    links: Option<Vec<(u32, Via)>>,
}

impl Trail {
    /// Records that `node` was reached through `via` from another node, whose `trail` is `from`,
    /// and returns it as a hit.
    pub fn link(&mut self, from: u32, node: usize, via: impl FnOnce() -> Via) -> Hit {
        let Some(links) = &mut self.links else { return Hit { node, trail: 0 } };
        links.push((from, via()));
        Hit { node, trail: links.len() as u32 }
    }

    /// Returns whether a wildcard skips the key at `key`. Merge keys are skipped if paths are
    /// recorded, which is done for edits: an edit of all values of a mapping must not change what
    /// is merged into it.
    pub fn skips(&self, view: View<'_>, key: usize) -> bool {
        self.links.is_some() && is_merge_key(view, key)
    }

    /// Creates a trail that records links, which the default one does not.
    pub fn kept() -> Trail {
        Trail { links: Some(Vec::new()) }
    }

    /// Returns the steps that lead to `hit`, or `None` if one of the keys cannot be in a path.
    /// `path` is the path that was followed.
    pub fn steps(&self, document: &Document<'_>, hit: Hit, path: &[Step]) -> Option<Vec<Step>> {
        let links = self.links.as_deref().unwrap_or_default();
        let (mut steps, mut at) = (Vec::new(), hit.trail);
        while let Some((from, via)) = (at as usize).checked_sub(1).and_then(|at| links.get(at)) {
            steps.push(match via {
                Via::Step(step) => path.get(*step)?.clone(),
                Via::Index(index) => Step::Index(*index as i64),
                Via::Key(key) => key_step(document, *key)?,
            });
            at = *from;
        }
        steps.reverse();
        Some(steps)
    }
}

/// Returns the step to the value of the key at `key`, or `None` if the key is a collection or not
/// valid UTF-8.
fn key_step(document: &Document<'_>, key: usize) -> Option<Step> {
    let view = document.view();
    let key = view.resolved(key);
    if !view.nodes[key].is_scalar() {
        return None;
    }
    let text = || String::from_utf8(view.content(key).into_owned()).ok();
    Some(match ScalarKey::of(view, key, document.schema()) {
        ScalarKey::Int(index) => Step::Index(index),
        ScalarKey::Str(_) | ScalarKey::Tagged(..) | ScalarKey::Binary(_) => Step::Key(text()?),
        _ if view.nodes[key].shape() == Shape::Plain => Step::Plain(text()?),
        _ => Step::Key(text()?),
    })
}
