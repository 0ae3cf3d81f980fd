//! Finds errors that need the whole pattern: references to groups that do not exist, look-behind of
//! varying length, and endless recursion. Ruby rejects the same patterns.

use crate::budget::Allowance;
use crate::error::{Error, Result};
use crate::problem::Problem;
use crate::tree::{Assertion, Group, Kind, NodeId, Reference, Tree};
use crate::varying;

/// Checks a whole pattern. Errors are reported in Ruby's order: those of calls come first.
/// `settled` says whether the look-behinds have already been checked.
pub(super) fn check(
    tree: &Tree,
    pattern: &str,
    limits: Allowance<'_>,
    settled: bool,
) -> Result<()> {
    let fail = |problem, at: usize| Err(Error::new(problem, tree.nodes[at].span, pattern));
    let whole = |problem| Error::whole(problem, pattern);
    let mut calls = Vec::new();
    for (at, node) in tree.nodes.iter().enumerate() {
        match &node.kind {
            Kind::Call(Reference::Number(number)) if *number > tree.groups => {
                let written = &pattern[node.span.start..node.span.end];
                let digits = written.chars().filter(char::is_ascii_digit).collect();
                return fail(Problem::UndefinedGroup(digits), at);
            }
            Kind::Call(Reference::Name(name)) if tree.names[*name as usize].groups.len() > 1 => {
                return fail(Problem::AmbiguousCall(tree.names[*name as usize].name.clone()), at);
            }
            Kind::Call(reference) => calls.push((at, reference.clone())),
            _ => {}
        }
    }
    if !calls.is_empty()
        && let Some(at) = Calls::new(tree, &calls).endless(limits).map_err(whole)?
    {
        return fail(Problem::EndlessRecursion, at);
    }
    let start = |at: usize| tree.nodes[at].span.start;
    let mut behind = None;
    if !settled {
        let varying = varying::look_behind(tree, limits).map_err(whole)?;
        behind = look_behind(tree).into_iter().chain(varying).min_by_key(|at| start(*at));
    }
    match (behind, missing(tree)) {
        (Some(behind), missing) if missing.is_none_or(|at| start(behind) < start(at)) => {
            fail(Problem::InvalidLookBehind, behind)
        }
        (_, Some(at)) => fail(Problem::InvalidReference, at),
        _ => Ok(()),
    }
}

/// Returns the index of the first node in the pattern that is a reference or conditional for a
/// group that does not exist.
fn missing(tree: &Tree) -> Option<usize> {
    let nodes = tree.nodes.iter().enumerate();
    let missing = nodes.filter(|(_, node)| match &node.kind {
        Kind::BackReference(Reference::Number(number), _)
        | Kind::Conditional { test: Reference::Number(number), .. } => *number > tree.groups,
        _ => false,
    });
    missing.min_by_key(|(_, node)| node.span.start).map(|(at, _)| at)
}

/// The properties of a node that decide whether look-behind accepts it.
#[derive(Clone, Copy)]
struct Shape {
    /// The length of its matches in characters, if they all have the same length.
    length: Option<u64>,
    /// Whether it contains something that look-behind never accepts.
    refused: bool,
    /// Whether it captures.
    captures: bool,
}

/// Returns the index of the first look-behind that Ruby rejects, or `None` if there is none.
fn look_behind(tree: &Tree) -> Option<usize> {
    if !tree.nodes.iter().any(|node| matches!(node.kind, Kind::Group(Group::LookBehind { .. }, _)))
    {
        return None;
    }
    let targets = targets(tree);
    let first = shapes(tree, &[], &targets);
    let shapes = shapes(tree, &first, &targets);
    tree.nodes.iter().position(|node| {
        let Kind::Group(Group::LookBehind { negative }, child) = node.kind else { return false };
        let shape = shapes[child.index()];
        let fixed = match &tree.node(tree.unwrapped(child)).kind {
            Kind::Alternation(branches) => {
                branches.iter().all(|branch| shapes[branch.index()].length.is_some())
            }
            _ => shape.length.is_some(),
        };
        !fixed || shape.refused || (negative && shape.captures)
    })
}

/// Computes the shapes of all nodes. `known` has the shapes from a previous round, for groups that
/// are called.
fn shapes(tree: &Tree, known: &[Shape], targets: &[Option<NodeId>]) -> Vec<Shape> {
    let mut shapes: Vec<Shape> = Vec::with_capacity(tree.nodes.len());
    for node in &tree.nodes {
        let shape = shape(&node.kind, &shapes, |reference| {
            let target = resolve(tree, targets, reference)?;
            known.get(target.index())?.length
        });
        shapes.push(shape);
    }
    shapes
}

/// Computes the shape of a node from those of its children.
fn shape(kind: &Kind, shapes: &[Shape], called: impl Fn(&Reference) -> Option<u64>) -> Shape {
    let of = |id: &NodeId| shapes[id.index()];
    let leaf = |length| Shape { length, refused: false, captures: false };
    let all = |ids: &[NodeId], length| Shape {
        length,
        refused: ids.iter().any(|id| of(id).refused),
        captures: ids.iter().any(|id| of(id).captures),
    };
    match kind {
        Kind::Char(_) | Kind::Any | Kind::Shorthand(..) | Kind::Property(..) | Kind::Class(..) => {
            leaf(Some(1))
        }
        Kind::Posix(..) | Kind::Range(..) => leaf(Some(1)),
        Kind::Assertion(Assertion::TextEnd | Assertion::TextEndLine) => {
            Shape { length: Some(0), refused: true, captures: false }
        }
        Kind::Empty | Kind::Assertion(_) | Kind::Keep => leaf(Some(0)),
        Kind::LineBreak | Kind::Grapheme | Kind::BackReference(..) | Kind::Conditional { .. } => {
            Shape { length: None, refused: true, captures: false }
        }
        Kind::Concat(items) => {
            let sum = items.iter().try_fold(0u64, |sum, id| of(id).length?.checked_add(sum));
            all(items, sum)
        }
        Kind::Alternation(branches) => {
            let first = of(&branches[0]).length;
            let same = branches.iter().all(|id| of(id).length == first);
            all(branches, first.filter(|_| same))
        }
        Kind::Repeat { child, min, max, .. } => {
            let length = of(child).length.filter(|_| Some(*min) == *max);
            all(&[*child], length.and_then(|length| length.checked_mul(u64::from(*min))))
        }
        Kind::Group(group, child) => {
            let inner = of(child);
            match group {
                Group::LookBehind { .. } => Shape { length: Some(0), ..inner },
                Group::LookAhead { .. } => Shape { length: Some(0), refused: true, ..inner },
                Group::Atomic | Group::Absence => Shape { refused: true, ..inner },
                Group::Plain(Some(_)) | Group::Named(..) => Shape { captures: true, ..inner },
                _ => inner,
            }
        }
        Kind::Call(reference) => leaf(called(reference)),
    }
}

/// Returns the node of each group. The index in the result is the number of the group; group 0 is
/// the whole pattern.
fn targets(tree: &Tree) -> Vec<Option<NodeId>> {
    let mut targets = vec![None; tree.groups as usize + 1];
    targets[0] = Some(tree.root);
    for (at, node) in tree.nodes.iter().enumerate() {
        if let Kind::Group(Group::Plain(Some(group)) | Group::Named(group, _), _) = node.kind
            && let Some(target) = targets.get_mut(group as usize)
        {
            *target = Some(NodeId(at as u32));
        }
    }
    targets
}

/// Returns the node of the group that `reference` refers to, or `None` if there is no such group.
fn resolve(tree: &Tree, targets: &[Option<NodeId>], reference: &Reference) -> Option<NodeId> {
    let number = match reference {
        Reference::Number(number) => *number,
        Reference::Name(name) => *tree.names.get(*name as usize)?.groups.last()?,
    };
    *targets.get(number as usize)?
}

/// The calls of a pattern.
struct Calls<'t> {
    tree: &'t Tree,
    /// For each node that is a call, the node that it calls.
    target: Vec<Option<NodeId>>,
    calls: Vec<usize>,
}

impl<'t> Calls<'t> {
    /// Collects the calls of a pattern with their targets.
    fn new(tree: &'t Tree, calls: &[(usize, Reference)]) -> Calls<'t> {
        let targets = targets(tree);
        let mut target = vec![None; tree.nodes.len()];
        for (at, reference) in calls {
            target[*at] = resolve(tree, &targets, reference);
        }
        Calls { tree, target, calls: calls.iter().map(|(at, _)| *at).collect() }
    }

    /// Returns a call that never returns or that calls itself again before it consumes a character,
    /// or `None` if there is none.
    fn endless(&self, limits: Allowance<'_>) -> std::result::Result<Option<usize>, Problem> {
        let ends = self.fixpoint(false, limits)?;
        let nullable = self.fixpoint(true, limits)?;
        for &at in &self.calls {
            limits.check()?;
            if let Some(target) = self.target[at]
                && (!ends[target.index()] || self.calls_itself_first(target, &nullable))
            {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    /// Returns, for each node, whether it can match without endless recursion or, if `empty` is
    /// set, whether it can also do so without consuming a character.
    fn fixpoint(
        &self,
        empty: bool,
        limits: Allowance<'_>,
    ) -> std::result::Result<Vec<bool>, Problem> {
        let mut holds = vec![false; self.tree.nodes.len()];
        loop {
            limits.check()?;
            let mut changed = false;
            for at in 0..holds.len() {
                let value = holds[at] || self.holds(at, &holds, empty);
                changed |= value != holds[at] && !self.calls.is_empty();
                holds[at] = value;
            }
            if !changed {
                return Ok(holds);
            }
        }
    }

    /// Returns whether the node at `at` can match as [`Calls::fixpoint`] requires. `holds` says
    /// which of the other nodes are known to do so.
    fn holds(&self, at: usize, holds: &[bool], empty: bool) -> bool {
        let of = |id: &NodeId| holds[id.index()];
        match &self.tree.nodes[at].kind {
            Kind::Char(_) | Kind::Any | Kind::Shorthand(..) | Kind::Property(..) => !empty,
            Kind::Class(..) | Kind::Posix(..) | Kind::Range(..) => !empty,
            Kind::LineBreak | Kind::Grapheme => !empty,
            Kind::Empty | Kind::Assertion(_) | Kind::Keep | Kind::BackReference(..) => true,
            Kind::Concat(items) => items.iter().all(of),
            Kind::Alternation(branches) => branches.iter().any(of),
            Kind::Repeat { child, min, .. } => *min == 0 || of(child),
            Kind::Group(
                Group::LookAhead { .. } | Group::LookBehind { .. } | Group::Absence,
                child,
            ) => empty || of(child),
            Kind::Group(_, child) => of(child),
            Kind::Conditional { yes, no, .. } => of(yes) || no.as_ref().is_some_and(of),
            Kind::Call(_) => self.target[at].is_some_and(|target| of(&target)),
        }
    }

    /// Returns whether `target` contains a call of itself that is reached before a character is
    /// consumed.
    fn calls_itself_first(&self, target: NodeId, nullable: &[bool]) -> bool {
        let mut seen = vec![false; self.tree.nodes.len()];
        let mut todo = vec![target];
        while let Some(id) = todo.pop() {
            if std::mem::replace(&mut seen[id.index()], true) {
                continue;
            }
            match &self.tree.nodes[id.index()].kind {
                Kind::Concat(items) => {
                    for item in items {
                        todo.push(*item);
                        if !nullable[item.index()] {
                            break;
                        }
                    }
                }
                Kind::Alternation(branches) => todo.extend(branches),
                Kind::Repeat { child, .. } | Kind::Group(_, child) => todo.push(*child),
                Kind::Conditional { yes, no, .. } => {
                    todo.push(*yes);
                    todo.extend(no);
                }
                Kind::Call(_) => {
                    let called = self.target[id.index()];
                    if called == Some(target) {
                        return true;
                    }
                    todo.extend(called);
                }
                _ => {}
            }
        }
        false
    }
}
