//! Finds the nodes that occur more than once when a part of a document is written by itself.

use crate::compose::{Node, NodeId};
use std::collections::{HashMap, HashSet};

/// The nodes that need an anchor when a node is written, and those that it refers to.
#[derive(Debug, Default)]
pub(super) struct Shared {
    pub nodes: HashSet<NodeId>,
    /// There are aliases to nodes outside the node itself.
    pub has_others: bool,
}

impl Shared {
    /// Returns the sets for `node`. This costs a pass over everything that is written; aliases are
    /// followed once.
    pub fn by(node: Node<'_>) -> Shared {
        let mut shared = Shared::default();
        if !node.document().has_aliases() {
            return shared;
        }
        let node = node.resolved();
        let mut aliases: HashMap<NodeId, usize> = HashMap::new();
        let mut others: Vec<Node<'_>> = Vec::new();
        let mut is_counted = vec![false; node.document().node_count()];
        let mut next = Some(node);
        let mut at = 0;
        while let Some(part) = next {
            for target in part.targets_within(&mut is_counted) {
                let count = aliases.entry(target.id()).or_default();
                *count += 1;
                if *count == 1 && !node.subtree().contains(&target.id().index()) {
                    others.push(target);
                }
            }
            next = others.get(at).copied();
            at += 1;
        }
        shared.has_others = !others.is_empty();
        // A node elsewhere is written in place of its first alias; so with only one alias it occurs
        // once, unless it is also part of another one.
        others.sort_unstable_by_key(|other| other.id());
        let mut end = 0;
        for other in others {
            let range = other.subtree();
            if range.start >= end && aliases.get(&other.id()) == Some(&1) {
                aliases.remove(&other.id());
            }
            end = end.max(range.end);
        }
        shared.nodes = aliases.into_keys().collect();
        shared
    }
}
