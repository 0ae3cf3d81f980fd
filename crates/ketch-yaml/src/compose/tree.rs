//! The stored tree, which has nodes in document order, and side tables for rare properties. It has no
//! lifetimes and no text; a [`View`] joins the tree with its text.

use super::node::{ANCHORED, ESCAPES, INDENT_MAX, MULTILINE, NodeId, Packed, Shape, TAGGED};
use crate::event::Event;
use crate::fault::Fault;
use crate::problem::Problem;
use crate::scalar;
use std::borrow::Cow;
use std::ops::Range;

/// An anchor. Anchors are in the order of their nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Anchor {
    pub node: u32,
    pub start: u32,
    pub len: u32,
}

/// A tag. Tags are in the order of their nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tag {
    pub node: u32,
    pub start: u32,
    pub len: u32,
    /// The number of the resolved tag, for [`Side::tag_name`].
    pub name: u32,
}

/// An alias: its target, and its length in the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Alias {
    pub target: u32,
    pub len: u32,
}

/// The end of a flow collection. In the table, they are ordered by their ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Close {
    pub node: u32,
    pub end: u32,
}

/// The tables that accompany the nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Side {
    pub anchors: Vec<Anchor>,
    pub tags: Vec<Tag>,
    pub aliases: Vec<Alias>,
    pub closes: Vec<Close>,
    /// The mappings that need an index for lookup, ordered by their ends.
    pub large: Vec<u32>,
    /// The resolved tags, end to end, and the end of each.
    pub tag_text: String,
    pub tag_ends: Vec<u32>,
    pub tag_hashes: Vec<u64>,
    /// The nodes whose indentations are too deep to be stored in them, with these indentations.
    pub deep_indents: Vec<(u32, u32)>,
    /// Whether some keys are overridden.
    pub has_overridden: bool,
    /// Whether some keys may have been compared as floats, by all their digits.
    pub has_float_keys: bool,
}

impl Side {
    /// Empties the tables, keeping their memory.
    pub fn clear(&mut self) {
        let Side { anchors, tags, aliases, closes, large, tag_text, tag_ends, .. } = self;
        anchors.clear();
        tags.clear();
        aliases.clear();
        closes.clear();
        large.clear();
        tag_text.clear();
        tag_ends.clear();
        self.tag_hashes.clear();
        self.deep_indents.clear();
        (self.has_overridden, self.has_float_keys) = (false, false);
    }

    /// Returns the indentation of the node at `at`, which is one that is too deep to be stored in
    /// the node, or exactly the largest one that can be.
    fn deep_indent(&self, at: usize) -> u32 {
        let found = self.deep_indents.binary_search_by_key(&(at as u32), |entry| entry.0);
        found.map_or(INDENT_MAX, |found| self.deep_indents[found].1)
    }

    /// Returns the resolved tag with the number `name`.
    pub fn tag_name(&self, name: u32) -> &str {
        let name = name as usize;
        let start = if name == 0 { 0 } else { self.tag_ends[name - 1] as usize };
        &self.tag_text[start..self.tag_ends[name] as usize]
    }
}

/// The nodes of a document and the tables that accompany them.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    /// The nodes, followed by unused ones. It never shrinks, so that a reused tree does not have to
    /// initialize its memory again.
    pub storage: Vec<Packed>,
    pub count: usize,
    pub side: Side,
}

impl Default for Tree {
    /// Returns a tree with a single empty node, because every document has a root.
    fn default() -> Tree {
        Tree { storage: vec![Packed::EMPTY], count: 1, side: Side::default() }
    }
}

impl Tree {
    /// Removes all nodes, even the root, and keeps the memory.
    pub fn clear(&mut self) {
        self.count = 0;
        self.side.clear();
    }

    /// Resets the tree to a single empty node and keeps the memory.
    pub fn reset(&mut self) {
        self.clear();
        self.make_room(1, 1);
        self.storage[0] = Packed::EMPTY;
        self.count = 1;
    }

    /// Returns whether the tree has capacity for `more` nodes.
    pub fn has_room(&self, more: usize) -> bool {
        self.storage.len() >= self.count + more
    }

    /// Reserves capacity for `more` nodes. `likely` is an estimate of the number that will be added
    /// in all.
    pub fn make_room(&mut self, more: usize, likely: usize) {
        let wanted = self.count + more;
        if self.storage.len() >= wanted {
            return;
        }
        let len = if likely <= more + more / 8 {
            // The capacity at least doubles, so that nodes are not copied too often.
            wanted.max(self.storage.len() * 2)
        } else {
            // Nodes are copied once if the estimate is right, and there are few copies and little
            // waste if it is wrong.
            (self.count + likely + likely / 16).clamp(wanted + wanted / 4, 4 * wanted)
        };
        self.storage.resize(len, Packed::EMPTY);
    }

    /// Returns the nodes so far, without the reserved capacity.
    pub fn nodes(&self) -> &[Packed] {
        &self.storage[..self.count]
    }

    /// Joins the tree with the text that it was composed from, for reading.
    pub fn view<'a>(&'a self, text: &'a [u8]) -> View<'a> {
        View { nodes: self.nodes(), side: &self.side, text }
    }
}

/// Nodes, tables and the text that they point into.
#[derive(Clone, Copy, Debug)]
pub(super) struct View<'a> {
    pub nodes: &'a [Packed],
    pub side: &'a Side,
    pub text: &'a [u8],
}

impl<'a> View<'a> {
    /// Returns the content of the scalar at `at`, decoded if it is not a slice of the text.
    #[inline]
    pub fn content(self, at: usize) -> Cow<'a, [u8]> {
        let node = self.nodes[at];
        match self.verbatim(node) {
            Some(bytes) => Cow::Borrowed(bytes),
            None => {
                let mut out = Vec::new();
                scalar::decode(self.text, &self.event(at), &mut out);
                Cow::Owned(out)
            }
        }
    }

    /// Restores the event of the scalar at `at`.
    pub fn event(self, at: usize) -> Event {
        let mut event = self.nodes[at].event();
        if event.indent == INDENT_MAX {
            event.indent = self.side.deep_indent(at);
        }
        event
    }

    /// Returns the content of the scalar `node` if it is a slice of the text, or `None` otherwise.
    #[inline(always)]
    pub fn verbatim(self, node: Packed) -> Option<&'a [u8]> {
        self.verbatim_range(node).map(|(start, end)| &self.text[start..end])
    }

    /// Returns the start and the end of the content of the scalar `node` if it is a slice of the
    /// text, or `None` otherwise.
    #[inline(always)]
    pub fn verbatim_range(self, node: Packed) -> Option<(usize, usize)> {
        if node.has(MULTILINE | ESCAPES) {
            return None;
        }
        let (start, end) = (node.offset(), node.offset() + node.scalar_len());
        match node.shape() {
            Shape::Plain => Some((start, end)),
            Shape::SingleQuoted | Shape::DoubleQuoted => Some((start + 1, end - 1)),
            _ => None,
        }
    }

    /// Returns the resolved tag of the node at `at`, or `None` if it has no tag.
    pub fn tag(self, at: usize) -> Option<&'a str> {
        self.tag_entry(at).map(|tag| self.side.tag_name(tag.name))
    }

    /// Returns the entry in the table of tags for the node at `at`, or `None` if it has no tag.
    pub fn tag_entry(self, at: usize) -> Option<&'a Tag> {
        if !self.nodes[at].has(TAGGED) {
            return None;
        }
        let tags = &self.side.tags;
        tags.binary_search_by_key(&(at as u32), |tag| tag.node).ok().map(|found| &tags[found])
    }

    /// Returns the entry in the table of anchors for the node at `at`, or `None` if it has no
    /// anchor.
    pub fn anchor_entry(self, at: usize) -> Option<&'a Anchor> {
        if !self.nodes[at].has(ANCHORED) {
            return None;
        }
        let anchors = &self.side.anchors;
        let found = anchors.binary_search_by_key(&(at as u32), |anchor| anchor.node).ok()?;
        Some(&anchors[found])
    }

    /// Returns `at` or, if the node at `at` is an alias, the index of its target.
    #[inline(always)]
    pub fn resolved(self, at: usize) -> usize {
        let node = self.nodes[at];
        if node.shape() == Shape::Alias { self.target(node) } else { at }
    }

    /// Returns the index of the node that `alias` refers to.
    #[inline]
    pub fn target(self, alias: Packed) -> usize {
        self.side.aliases[alias.extra()].target as usize
    }

    /// Returns whether the node at `at` is an alias inside its own target. There is no other kind
    /// of cycle, because every other target ends before its alias, and following such an alias only
    /// goes back in the document.
    pub fn is_cycle(self, at: usize) -> bool {
        let node = self.nodes[at];
        node.shape() == Shape::Alias && !self.is_closed_before(self.target(node), at)
    }

    /// Returns whether `target` is complete and ends at or before the node at `at`.
    fn is_closed_before(self, target: usize, at: usize) -> bool {
        let end = self.nodes[target].end();
        // While a collection is open, `end` gives the index of its parent, or `u32::MAX`.
        end > target && end <= at
    }

    /// Returns the fault for the alias at `at`, which is inside its own target.
    pub fn cycle(self, at: usize) -> Fault {
        alias_cycle(self.span(at), self.nodes[self.resolved(at)].offset())
    }

    /// Returns the children of the collection at `at`.
    pub fn children(self, at: usize) -> Children<'a> {
        Children { nodes: self.nodes, next: at + 1, end: self.nodes[at].end() }
    }

    /// Returns the pairs of the mapping at `at`, without those whose key is overridden.
    pub fn pairs(self, at: usize) -> Pairs<'a> {
        Pairs { nodes: self.nodes, children: self.children(at) }
    }

    /// Returns the range of the node at `at` in the document's text, without its properties.
    pub fn span(self, at: usize) -> Range<usize> {
        let node = self.nodes[at];
        let start = node.offset();
        match node.shape() {
            Shape::Alias => start..start + self.side.aliases[node.extra()].len as usize,
            Shape::Sequence | Shape::Mapping => start..self.collection_end(at),
            _ => start..start + node.scalar_len(),
        }
    }

    /// Returns the end of the collection at `at`, which is that of its bracket or, in block style,
    /// that of its last descendant.
    fn collection_end(self, at: usize) -> usize {
        // The table has the flow collections in the order in which they end, inner ones before outer
        // ones. The last entry up to this node is the node itself, the outermost flow collection at
        // its end, or one that ends before it.
        let end = self.nodes[at].end();
        let order = |node: usize| (self.nodes[node].end(), std::cmp::Reverse(node));
        let closes = &self.side.closes;
        let after = closes.partition_point(|close| order(close.node as usize) <= order(at));
        if let Some(close) = after.checked_sub(1).map(|last| closes[last])
            && close.node as usize >= at
            && self.nodes[close.node as usize].end() == end
        {
            return close.end as usize;
        }
        let last = end - 1;
        if last == at { self.nodes[at].offset() } else { self.span_of_leaf(last).end }
    }

    /// Returns the span of the node at `at`, the last node of a block collection. It has no
    /// children, and is not a flow collection, whose end would be in the table.
    fn span_of_leaf(self, at: usize) -> Range<usize> {
        let node = self.nodes[at];
        let start = node.offset();
        match node.shape() {
            Shape::Alias => start..start + self.side.aliases[node.extra()].len as usize,
            Shape::Sequence | Shape::Mapping => start..start,
            _ => start..start + node.scalar_len(),
        }
    }
}

/// Returns the fault for the alias at `span`, which is inside its own target. The target starts at
/// `target`.
pub(super) fn alias_cycle(span: Range<usize>, target: usize) -> Fault {
    let (problem, related) = (Problem::AliasCycle, Some(target as u64));
    Fault { problem, at: span.start as u64, len: span.len(), related }
}

/// Iterates over the children of a collection.
#[derive(Clone, Debug)]
pub(super) struct Children<'a> {
    nodes: &'a [Packed],
    next: usize,
    end: usize,
}

impl Children<'_> {
    /// Returns the children of a node that has none.
    pub fn none() -> Self {
        Children { nodes: &[], next: 0, end: 0 }
    }
}

impl Iterator for Children<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.next >= self.end {
            return None;
        }
        let at = self.next;
        self.next = self.nodes[at].end();
        Some(at)
    }
}

/// Iterates over the pairs of a mapping, without overridden keys.
#[derive(Clone, Debug)]
pub(super) struct Pairs<'a> {
    nodes: &'a [Packed],
    children: Children<'a>,
}

impl Pairs<'_> {
    /// Returns the pairs of a node that has none.
    pub fn none() -> Self {
        Pairs { nodes: &[], children: Children::none() }
    }
}

impl Iterator for Pairs<'_> {
    type Item = (usize, usize);

    #[inline]
    fn next(&mut self) -> Option<(usize, usize)> {
        loop {
            let pair = (self.children.next()?, self.children.next()?);
            if !self.nodes[pair.0].is_overridden() {
                return Some(pair);
            }
        }
    }
}

impl From<usize> for NodeId {
    /// Converts the index `at`, which is below 2^32 because the number of nodes is limited.
    fn from(at: usize) -> NodeId {
        NodeId(at as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the capacity of a tree of `count` nodes after `make_room(more, likely)`.
    fn capacity(count: usize, more: usize, likely: usize) -> usize {
        let storage = vec![Packed::EMPTY; count];
        let mut tree = Tree { storage, count, side: Side::default() };
        tree.make_room(more, likely);
        tree.storage.len()
    }

    #[test]
    fn capacity_is_the_known_size_or_doubles() {
        assert_eq!(capacity(0, 100, 100), 100);
        assert_eq!(capacity(1000, 100, 100), 2000);
        assert_eq!(capacity(1000, 5000, 5000), 6000);
    }

    #[test]
    fn size_estimates_stay_within_bounds() {
        assert_eq!(capacity(0, 100, 160), 170);
        // The estimate is far higher than the number of nodes that are certain to come.
        assert_eq!(capacity(0, 100, 1_000_000), 400);
        // The estimate is a little higher than the number of nodes that are certain to come.
        assert_eq!(capacity(1000, 100, 120), 1375);
    }
}
