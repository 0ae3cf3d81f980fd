//! Finds properties of a pattern that the memo machine needs, such as whether the pattern is
//! linear.

use crate::regular::{self, Facts};
use crate::syntax::{Group, Kind, NodeId, Reference, Tree};

/// The maximum number of groups whose states may be part of the key of the memo.
const TESTED_MAX: usize = 6;

/// The properties of a pattern.
#[derive(Debug, Default)]
pub(crate) struct Mixed {
    /// The first construct because of which a search may take more than linear time, if any.
    pub(crate) reason: Option<(NodeId, &'static str)>,
    /// Whether the memo may be used. It may be used if what follows a branch depends only on its
    /// key.
    pub(crate) memo: bool,
    /// Whether a group calls itself, directly or through others.
    pub(crate) recursive: bool,
    pub(crate) called: Vec<u32>,
    /// The groups that conditionals test.
    pub(crate) tested: Vec<u32>,
    /// Whether a back-reference has a level.
    pub(crate) levels: bool,
    pub(crate) lengths: Vec<usize>,
    pub(crate) captures: Vec<bool>,
    /// The length of each node in characters, if it is known.
    characters: Vec<Option<u32>>,
    groups: Vec<Option<NodeId>>,
}

impl Mixed {
    /// Collects the properties of a pattern.
    pub(crate) fn new(tree: &Tree, facts: &Facts) -> Mixed {
        let mut mixed = Mixed {
            lengths: facts.lengths.clone(),
            captures: facts.captures.clone(),
            groups: groups(tree),
            ..Mixed::default()
        };
        mixed.find_calls(tree);
        mixed.characters = characters(tree, &mixed.groups);
        for node in tree.nodes() {
            if let Kind::Conditional { test, .. } = &node.kind {
                let group = first_group(tree, test);
                if !mixed.tested.contains(&group) {
                    mixed.tested.push(group);
                }
            }
            mixed.levels |= matches!(node.kind, Kind::BackReference(_, Some(_)));
        }
        mixed.reason = mixed.reason(tree);
        mixed.memo = mixed.reason.is_none();
        if !mixed.memo {
            mixed.tested.clear();
        }
        mixed.reason = mixed.reason.or_else(|| irregular_absence(tree));
        mixed
    }

    /// Returns the node of the group with this number, or `None` if there is no such group. Group 0
    /// is the whole pattern.
    pub(crate) fn group(&self, number: u32) -> Option<NodeId> {
        *self.groups.get(number as usize)?
    }

    /// Returns the node `id` and the groups that it calls, directly or through others. Calls inside
    /// absence operators do not count, because these have programs of their own.
    pub(crate) fn parts(&self, tree: &Tree, id: NodeId) -> Vec<NodeId> {
        let mut parts = vec![id];
        if self.called.is_empty() {
            return parts;
        }
        let mut next = 0;
        while let Some(part) = parts.get(next) {
            for id in walk(tree, *part, |kind| !is_absence(kind)) {
                if let Kind::Call(reference) = &tree.node(id).kind
                    && let Some(group) = self.group(last_group(tree, reference))
                    && !parts.contains(&group)
                {
                    parts.push(group);
                }
            }
            next += 1;
        }
        parts
    }

    /// Returns the length of the node `id` in characters, or 0 if it varies or is not known.
    pub(crate) fn characters(&self, id: NodeId) -> u32 {
        self.characters[id.index()].unwrap_or(0)
    }

    /// Finds the groups that are called, and determines whether they call each other in a cycle.
    fn find_calls(&mut self, tree: &Tree) {
        for node in tree.nodes() {
            if let Kind::Call(reference) = &node.kind {
                let group = last_group(tree, reference);
                if !self.called.contains(&group) {
                    self.called.push(group);
                }
            }
        }
        // Each called group, with the groups that its content calls.
        let mut calls: Vec<(u32, Vec<u32>)> = self
            .called
            .iter()
            .map(|group| (*group, self.group(*group).map_or(Vec::new(), |id| calls_in(tree, id))))
            .collect();
        // A group that calls no remaining group is not part of a cycle.
        loop {
            let left: Vec<u32> = calls.iter().map(|row| row.0).collect();
            let before = calls.len();
            calls.retain(|(_, inner)| inner.iter().any(|group| left.contains(group)));
            if calls.len() == before {
                self.recursive = before > 0;
                return;
            }
        }
    }

    /// Finds the first construct because of which a search may take more than linear time, apart
    /// from absence operators.
    fn reason(&self, tree: &Tree) -> Option<(NodeId, &'static str)> {
        let mut looked = Vec::new();
        for node in tree.nodes() {
            if let Kind::Group(Group::LookAhead { .. } | Group::LookBehind { .. }, child) =
                node.kind
            {
                looked.extend(groups_in(tree, child));
            }
        }
        let reasons = tree.nodes().iter().enumerate().filter_map(|(at, node)| {
            let reason = match &node.kind {
                Kind::BackReference(..) => "a back-reference",
                Kind::Call(_) if self.recursive => "a recursive call",
                Kind::Conditional { .. } if self.tested.len() > TESTED_MAX => {
                    "a conditional on more than 6 groups"
                }
                Kind::Conditional { test, .. } if looked.contains(&first_group(tree, test)) => {
                    "a conditional on a group in a look-around"
                }
                _ => return None,
            };
            Some((NodeId(at as u32), reason))
        });
        reasons.min_by_key(|(id, _)| tree.node(*id).span.start)
    }
}

/// Finds the first absence operator whose content is not regular. A pattern with such an operator
/// is not linear, because only the ends of the matches of the content are recorded.
fn irregular_absence(tree: &Tree) -> Option<(NodeId, &'static str)> {
    let mut found = tree.nodes().iter().enumerate().filter(|(_, node)| match node.kind {
        Kind::Group(Group::Absence, child) => {
            below(tree, child).iter().any(|id| regular::construct(&tree.node(*id).kind).is_some())
        }
        _ => false,
    });
    let reason = "an absence operator around a construct that is not regular";
    found.next().map(|(at, _)| (NodeId(at as u32), reason))
}

/// Returns the node of each group. The index in the result is the number of the group.
fn groups(tree: &Tree) -> Vec<Option<NodeId>> {
    let mut groups = vec![None; tree.groups() as usize + 1];
    groups[0] = Some(tree.root());
    for (at, node) in tree.nodes().iter().enumerate() {
        if let Kind::Group(Group::Plain(Some(group)) | Group::Named(group, _), _) = node.kind
            && let Some(entry) = groups.get_mut(group as usize)
        {
            *entry = Some(NodeId(at as u32));
        }
    }
    groups
}

/// Returns the number of the group that a call refers to. If several groups have the name, this is
/// the last one.
fn last_group(tree: &Tree, reference: &Reference) -> u32 {
    match reference {
        Reference::Number(number) => *number,
        Reference::Name(name) => tree.names()[*name as usize].groups.last().copied().unwrap_or(0),
    }
}

/// Returns the number of the first group that a reference refers to.
fn first_group(tree: &Tree, reference: &Reference) -> u32 {
    match reference {
        Reference::Number(number) => *number,
        Reference::Name(name) => tree.names()[*name as usize].groups.first().copied().unwrap_or(0),
    }
}

/// Returns the node `id` and all nodes below it.
pub(crate) fn below(tree: &Tree, id: NodeId) -> Vec<NodeId> {
    walk(tree, id, |_| true)
}

/// Returns whether the node `id` has groups outside of look-arounds. As in Ruby, only such groups
/// make an iteration of a loop that matches nothing differ from the last one.
pub(crate) fn has_groups(tree: &Tree, id: NodeId) -> bool {
    let looks = |kind: &Kind| {
        matches!(kind, Kind::Group(Group::LookAhead { .. } | Group::LookBehind { .. }, _))
    };
    walk(tree, id, |kind| !looks(kind)).into_iter().any(|id| {
        let kind = &tree.node(id).kind;
        matches!(kind, Kind::Group(Group::Plain(Some(_)) | Group::Named(..), _) | Kind::Call(_))
    })
}

/// Returns the absence operators in `parts` that are not inside other absence operators.
pub(crate) fn absences(tree: &Tree, parts: &[NodeId]) -> Vec<NodeId> {
    let mut found = Vec::new();
    for part in parts {
        found.extend(walk(tree, *part, |kind| !is_absence(kind)));
    }
    found.retain(|id| is_absence(&tree.node(*id).kind));
    found.sort_unstable();
    found.dedup();
    found
}

fn is_absence(kind: &Kind) -> bool {
    matches!(kind, Kind::Group(Group::Absence, _))
}

/// Returns the node `id` and the nodes below it, except those below a node for which `enter`
/// returns false.
fn walk(tree: &Tree, id: NodeId, enter: impl Fn(&Kind) -> bool) -> Vec<NodeId> {
    let mut found = Vec::new();
    let mut todo = vec![id];
    while let Some(id) = todo.pop() {
        found.push(id);
        let kind = &tree.node(id).kind;
        if !enter(kind) {
            continue;
        }
        match kind {
            Kind::Concat(ids) | Kind::Alternation(ids) => todo.extend(ids),
            Kind::Repeat { child, .. } | Kind::Group(_, child) => todo.push(*child),
            Kind::Conditional { yes, no, .. } => {
                todo.push(*yes);
                todo.extend(no);
            }
            _ => {}
        }
    }
    found
}

/// Returns a reference in one of `parts` to a group that is neither in this part nor in the first
/// one, which calls the others, or `None` if there is none.
pub(crate) fn outward(tree: &Tree, parts: &[NodeId]) -> Option<NodeId> {
    let first = groups_in(tree, parts[0]);
    parts.iter().find_map(|part| {
        let inside = groups_in(tree, *part);
        let outside = |group: &u32| !inside.contains(group) && !first.contains(group);
        below(tree, *part).into_iter().find(|id| match &tree.node(*id).kind {
            Kind::BackReference(Reference::Number(group), _)
            | Kind::Conditional { test: Reference::Number(group), .. } => outside(group),
            Kind::BackReference(Reference::Name(name), _)
            | Kind::Conditional { test: Reference::Name(name), .. } => {
                tree.names()[*name as usize].groups.iter().any(outside)
            }
            _ => false,
        })
    })
}

/// Returns the groups that are called inside the node `id`.
fn calls_in(tree: &Tree, id: NodeId) -> Vec<u32> {
    let calls = below(tree, id).into_iter().filter_map(|id| match &tree.node(id).kind {
        Kind::Call(reference) => Some(last_group(tree, reference)),
        _ => None,
    });
    calls.collect()
}

/// Returns the numbers of the groups inside the node `id`.
fn groups_in(tree: &Tree, id: NodeId) -> Vec<u32> {
    let groups = below(tree, id).into_iter().filter_map(|id| match tree.node(id).kind {
        Kind::Group(Group::Plain(Some(group)) | Group::Named(group, _), _) => Some(group),
        _ => None,
    });
    groups.collect()
}

/// Returns the length of each node in characters, if it is known. A called group may come later in
/// the tree than the call, so a few rounds are needed.
fn characters(tree: &Tree, groups: &[Option<NodeId>]) -> Vec<Option<u32>> {
    let mut known: Vec<Option<u32>> = vec![None; tree.nodes().len()];
    for _ in 0..4 {
        for (at, node) in tree.nodes().iter().enumerate() {
            let of = |id: &NodeId| known[id.index()];
            known[at] = match &node.kind {
                Kind::Empty | Kind::Assertion(_) | Kind::Keep => Some(0),
                Kind::Concat(items) => {
                    items.iter().try_fold(0u32, |sum, id| sum.checked_add(of(id)?))
                }
                Kind::Alternation(branches) => of(&branches[0]),
                Kind::Repeat { child, min, .. } => of(child).and_then(|n| n.checked_mul(*min)),
                Kind::Group(Group::LookAhead { .. } | Group::LookBehind { .. }, _) => Some(0),
                Kind::Group(_, child) => of(child),
                Kind::Call(reference) => {
                    let group = last_group(tree, reference) as usize;
                    groups.get(group).copied().flatten().and_then(|id| known[id.index()])
                }
                Kind::LineBreak | Kind::Grapheme => None,
                Kind::BackReference(..) | Kind::Conditional { .. } => None,
                _ => Some(1),
            };
        }
    }
    known
}
