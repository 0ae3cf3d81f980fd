//! Finding the nodes that occur more than once when a part of a document is written on its own.

use crate::compose::{Node, NodeId};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

/// What aliases mean for a node that is written on its own. `nodes` are the nodes that need an
/// anchor.
#[derive(Debug, Default)]
pub(super) struct Shared {
    pub nodes: HashSet<NodeId>,
    /// Whether there are aliases to nodes outside the written node.
    pub has_others: bool,
}

impl Shared {
    /// Finds the nodes that need an anchor when `node` is written on its own. This takes one pass
    /// over everything that is written, regardless of the size of the document. Each alias is
    /// followed once.
    pub fn by(node: Node<'_>) -> Shared {
        let mut shared = Shared::default();
        if !node.document().has_aliases() {
            return shared;
        }
        let node = node.resolved();
        let mut aliases: HashMap<NodeId, usize> = HashMap::new();
        let mut others: Vec<Node<'_>> = Vec::new();
        let mut counted = Counted::default();
        let mut next = Some(node);
        let mut at = 0;
        while let Some(part) = next {
            let fresh = counted.add(part.subtree());
            for target in fresh.into_iter().flat_map(|nodes| part.targets_among(nodes)) {
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
        // A node outside `node` is written in place of its first alias. If it has only one alias,
        // it therefore occurs only once, unless it is also part of another such node.
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

/// The subtrees whose aliases have been counted, as the start and end of each. No subtree is inside
/// another.
#[derive(Debug, Default)]
struct Counted(BTreeMap<usize, usize>);

impl Counted {
    /// Adds `subtree`, and returns those parts of it that have not been counted before.
    fn add(&mut self, subtree: Range<usize>) -> Vec<Range<usize>> {
        let before = self.0.range(..=subtree.start).next_back();
        if before.is_some_and(|(_, &end)| end >= subtree.end) {
            return Vec::new();
        }
        let inside: Vec<_> = self.0.range(subtree.clone()).map(|(&at, &end)| at..end).collect();
        let mut fresh = Vec::with_capacity(inside.len() + 1);
        let mut start = subtree.start;
        for range in inside {
            self.0.remove(&range.start);
            fresh.push(start..range.start);
            start = range.end;
        }
        fresh.push(start..subtree.end);
        self.0.insert(subtree.start, subtree.end);
        fresh
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_counted_once() {
        let mut counted = Counted::default();
        let mut add = |subtree| format!("{:?}", counted.add(subtree));
        assert_eq!(add(3..5), "[3..5]");
        assert_eq!(add(8..9), "[8..9]");
        assert_eq!(add(4..5), "[]");
        assert_eq!(add(2..10), "[2..3, 5..8, 9..10]");
        assert_eq!(add(3..5), "[]");
        assert_eq!(add(10..11), "[10..11]");
    }
}
