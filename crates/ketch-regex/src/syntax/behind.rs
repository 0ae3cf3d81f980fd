//! Oniguruma's rules for look-behind, which has to match texts of one length. Before the length is
//! computed, a repeat with which an alternative starts gets its smallest number of repetitions, as
//! further ones make no difference.

use crate::dialect::{Rule, Syntax};
use crate::tree::{Assertion, Group, Kind, Mode, NodeId, Tree};

/// What decides whether a node may be in a look-behind.
#[derive(Clone, Copy, Default)]
struct Shape {
    /// The length of the shortest match, in characters.
    min: u64,
    /// The length of the longest match, if there is one.
    max: Option<u64>,
    /// Whether no look-behind may contain it.
    refused: bool,
    /// Whether a negative look-behind is in it, which a positive one may not contain.
    negative: bool,
    /// Whether it captures, which a negative look-behind may not contain.
    captures: bool,
    /// Whether it has `\K`.
    keeps: bool,
    /// Whether it has an assertion, which may fail although it matches no text.
    asserts: bool,
}

impl Shape {
    /// Returns the shape of what always matches `length` characters.
    fn fixed(length: u64) -> Shape {
        Shape { min: length, max: Some(length), ..Shape::default() }
    }

    /// Returns the shape of what no look-behind may contain.
    fn refused() -> Shape {
        Shape { refused: true, ..Shape::default() }
    }

    /// Combines two shapes, with the given lengths.
    fn with(self, other: Shape, min: u64, max: Option<u64>) -> Shape {
        Shape {
            min,
            max,
            refused: self.refused || other.refused,
            negative: self.negative || other.negative,
            captures: self.captures || other.captures,
            keeps: self.keeps || other.keeps,
            asserts: self.asserts || other.asserts,
        }
    }
}

/// Applies Oniguruma's rules to all look-behinds. Fails with the index of the first one that it
/// rejects.
pub(super) fn settle(tree: &mut Tree, syntax: Syntax) -> Result<(), usize> {
    let behind = |kind: &Kind| matches!(kind, Kind::Group(Group::LookBehind { .. }, _));
    if !tree.nodes.iter().any(|node| behind(&node.kind)) {
        return Ok(());
    }
    let refers = tree.nodes.iter().any(|node| {
        matches!(node.kind, Kind::BackReference(..) | Kind::Call(_) | Kind::Conditional { .. })
    });
    let mut shapes: Vec<Shape> = Vec::with_capacity(tree.nodes.len());
    for at in 0..tree.nodes.len() {
        let Kind::Group(Group::LookBehind { negative }, child) = tree.nodes[at].kind else {
            shapes.push(shape(tree, at, &shapes));
            continue;
        };
        let inner = shapes[child.index()];
        if inner.refused || negative && inner.captures || !negative && inner.negative {
            return Err(at);
        }
        let body = reduced(tree, child, &mut shapes);
        let acts = body.keeps || body.asserts || body.captures && refers;
        if body.min == 0 && !acts {
            // It always holds.
            tree.nodes[at].kind = if negative { Kind::nothing() } else { Kind::Empty };
        } else if body.max != Some(body.min) && !may_differ(tree, child, &shapes, syntax) {
            return Err(at);
        }
        let found = shapes[child.index()];
        shapes.push(Shape {
            negative: negative || found.negative,
            asserts: true,
            min: 0,
            max: Some(0),
            ..found
        });
    }
    Ok(())
}

/// Returns whether the lengths of the alternatives may differ, and each of them has one length.
fn may_differ(tree: &Tree, child: NodeId, shapes: &[Shape], syntax: Syntax) -> bool {
    let of = |id: &NodeId| shapes[id.index()];
    match &tree.node(tree.unwrapped(child)).kind {
        Kind::Alternation(branches) => {
            syntax.has(Rule::DIFFERENT_LENGTHS)
                && branches.iter().all(|id| of(id).max == Some(of(id).min))
        }
        _ => false,
    }
}

/// Reduces the repeats with which the alternatives of a look-behind start, and returns the shape of
/// its content.
fn reduced(tree: &mut Tree, child: NodeId, shapes: &mut [Shape]) -> Shape {
    let content = tree.unwrapped(child);
    let branches = match &tree.node(content).kind {
        Kind::Alternation(branches) => branches.clone(),
        _ => vec![content],
    };
    for branch in branches {
        let branch = tree.unwrapped(branch);
        let items = match &tree.node(branch).kind {
            Kind::Concat(items) => items.clone(),
            _ => vec![branch],
        };
        for item in items {
            if !reduce(tree, item) {
                break;
            }
        }
    }
    // The nodes from the first one that may have changed to the content are in this order.
    for at in first_below(tree, child)..=child.index() {
        if !matches!(tree.nodes[at].kind, Kind::Group(Group::LookBehind { .. }, _)) {
            shapes[at] = shape(tree, at, shapes);
        }
    }
    shapes[child.index()]
}

/// Returns the index of the first node below `id`.
fn first_below(tree: &Tree, id: NodeId) -> usize {
    let mut first = id;
    loop {
        first = match &tree.node(first).kind {
            Kind::Concat(ids) | Kind::Alternation(ids) if !ids.is_empty() => ids[0],
            Kind::Group(_, child) | Kind::Repeat { child, .. } => *child,
            Kind::Conditional { yes, .. } => *yes,
            _ => return first.index(),
        };
    }
}

/// Gives a repeat of a single character or text its smallest number of repetitions. Returns whether
/// nothing is left of it.
fn reduce(tree: &mut Tree, id: NodeId) -> bool {
    let Kind::Repeat { child, min, mode, .. } = tree.node(id).kind else { return false };
    let simple = match &tree.node(tree.unwrapped(child)).kind {
        Kind::Char(_) | Kind::Class(..) | Kind::Shorthand(..) | Kind::Property(..) | Kind::Any => {
            true
        }
        Kind::Concat(items) => items.iter().all(|id| matches!(tree.node(*id).kind, Kind::Char(_))),
        _ => false,
    };
    if !simple || mode == Mode::Possessive {
        return false;
    }
    tree.nodes[id.index()].kind = match min {
        0 => Kind::Empty,
        _ => Kind::Repeat { child, min, max: Some(min), mode },
    };
    min == 0
}

/// Computes the shape of a node from those of its children.
fn shape(tree: &Tree, at: usize, shapes: &[Shape]) -> Shape {
    let of = |id: &NodeId| shapes[id.index()];
    match &tree.nodes[at].kind {
        Kind::Char(_) | Kind::Any | Kind::Shorthand(..) | Kind::Property(..) | Kind::Class(..) => {
            Shape::fixed(1)
        }
        Kind::Posix(..) | Kind::Range(..) => Shape::fixed(1),
        Kind::Assertion(Assertion::TextEnd | Assertion::TextEndLine) => Shape::refused(),
        Kind::Assertion(_) => Shape { asserts: true, ..Shape::fixed(0) },
        Kind::Empty => Shape::fixed(0),
        Kind::Keep => Shape { keeps: true, ..Shape::fixed(0) },
        Kind::LineBreak | Kind::Grapheme | Kind::BackReference(..) => Shape::refused(),
        Kind::Conditional { .. } | Kind::Call(_) => Shape::refused(),
        Kind::Concat(items) => items.iter().fold(Shape::fixed(0), |sum, id| {
            let item = of(id);
            let max = sum.max.zip(item.max).map(|(a, b)| a.saturating_add(b));
            sum.with(item, sum.min.saturating_add(item.min), max)
        }),
        Kind::Alternation(branches) => {
            let rest = branches.iter().skip(1);
            rest.fold(of(&branches[0]), |all, id| {
                let branch = of(id);
                let max = all.max.zip(branch.max).map(|(a, b)| a.max(b));
                all.with(branch, all.min.min(branch.min), max)
            })
        }
        Kind::Repeat { child, min, max, .. } => {
            let inner = of(child);
            let longest = inner.max.zip(*max).map(|(length, n)| length.saturating_mul(n.into()));
            let longest = if inner.max == Some(0) { Some(0) } else { longest };
            inner.with(inner, inner.min.saturating_mul(u64::from(*min)), longest)
        }
        Kind::Group(group, child) => {
            let inner = of(child);
            match group {
                Group::LookAhead { .. } | Group::Absence => Shape::refused(),
                // These have been replaced or checked, and match no text.
                Group::LookBehind { .. } => Shape { min: 0, max: Some(0), asserts: true, ..inner },
                Group::Plain(Some(_)) | Group::Named(..) => Shape { captures: true, ..inner },
                _ => inner,
            }
        }
    }
}
