//! What the regular engine takes, and what it must know about a pattern.

use crate::error::{Error, Result};
use crate::problem::Problem;
use crate::syntax::{Assertion, Group, Kind, Mode, Tree};

/// What decides which machine may search.
#[derive(Clone, Copy, Default)]
pub(crate) struct Facts {
    /// `^` may be asked at the end of the text, where it fails although a line feed precedes.
    pub(crate) line_start_at_end: bool,
    /// The pattern has `\Z`.
    pub(crate) text_end_line: bool,
    /// The least number of bytes of a match.
    pub(crate) length_min: usize,
}

/// The construct that makes a node irregular.
pub(crate) fn construct(kind: &Kind) -> Option<&'static str> {
    Some(match kind {
        Kind::Keep => "`\\K`",
        Kind::LineBreak => "`\\R`",
        Kind::Grapheme => "`\\X`",
        Kind::Assertion(Assertion::SearchStart) => "`\\G`",
        Kind::Conditional { .. } => "a conditional",
        Kind::BackReference(..) => "a back-reference",
        Kind::Call(_) => "a subexpression call",
        Kind::Group(Group::Atomic, _) => "an atomic group",
        Kind::Group(Group::LookAhead { .. }, _) => "look-ahead",
        Kind::Group(Group::LookBehind { .. }, _) => "look-behind",
        Kind::Group(Group::Absence, _) => "an absence operator",
        Kind::Repeat { mode: Mode::Possessive, .. } => "a possessive repeat",
        _ => return None,
    })
}

/// Refuses what is irregular, with the first such place.
pub(crate) fn check(tree: &Tree, pattern: &str) -> Result<Facts> {
    let nodes = tree.nodes();
    let mut lengths: Vec<usize> = Vec::with_capacity(nodes.len());
    let mut captures: Vec<bool> = Vec::with_capacity(nodes.len());
    let mut facts = Facts::default();
    let mut first: Option<(usize, &'static str)> = None;
    for (at, node) in nodes.iter().enumerate() {
        let length = length(&node.kind, &lengths);
        let captured = captured(&node.kind, &captures);
        let mut reason = construct(&node.kind);
        if let Kind::Repeat { child, max, .. } = node.kind
            && max.is_none_or(|max| max > 1)
            && captures[child.index()]
            && lengths[child.index()] == 0
        {
            reason = Some("a capture in a loop that may match nothing");
        }
        if let Some(reason) = reason
            && first.is_none_or(|(other, _)| node.span.start < nodes[other].span.start)
        {
            first = Some((at, reason));
        }
        facts.text_end_line |= node.kind == Kind::Assertion(Assertion::TextEndLine);
        lengths.push(length);
        captures.push(captured);
    }
    if let Some((at, reason)) = first {
        return Err(Error::new(Problem::Irregular(reason), nodes[at].span, pattern));
    }
    facts.length_min = lengths[tree.root().index()];
    facts.line_start_at_end = line_start_at_end(tree, &lengths);
    Ok(facts)
}

/// The least number of bytes that a node matches.
fn length(kind: &Kind, lengths: &[usize]) -> usize {
    match kind {
        Kind::Char(_) | Kind::Any | Kind::Shorthand(..) | Kind::Property(..) => 1,
        Kind::Class(..) | Kind::Posix(..) | Kind::Range(..) => 1,
        Kind::Concat(items) => {
            items.iter().fold(0, |sum: usize, id| sum.saturating_add(lengths[id.index()]))
        }
        Kind::Alternation(branches) => {
            branches.iter().map(|id| lengths[id.index()]).min().unwrap_or(0)
        }
        Kind::Repeat { child, min, .. } => lengths[child.index()].saturating_mul(*min as usize),
        Kind::Group(_, child) => lengths[child.index()],
        _ => 0,
    }
}

fn captured(kind: &Kind, captures: &[bool]) -> bool {
    match kind {
        Kind::Concat(ids) | Kind::Alternation(ids) => ids.iter().any(|id| captures[id.index()]),
        Kind::Repeat { child, .. } => captures[child.index()],
        Kind::Group(Group::Plain(Some(_)) | Group::Named(..), _) => true,
        Kind::Group(_, child) => captures[child.index()],
        _ => false,
    }
}

/// Whether some `^` has nothing after it that takes a character.
fn line_start_at_end(tree: &Tree, lengths: &[usize]) -> bool {
    // Parents come after their children: go down from the root.
    let mut open = vec![false; tree.nodes().len()];
    open[tree.root().index()] = true;
    for at in (0..open.len()).rev() {
        if !open[at] {
            continue;
        }
        match &tree.nodes()[at].kind {
            Kind::Assertion(Assertion::LineStart) => return true,
            Kind::Concat(items) => {
                for id in items.iter().rev() {
                    open[id.index()] = true;
                    if lengths[id.index()] > 0 {
                        break;
                    }
                }
            }
            Kind::Alternation(branches) => {
                for id in branches {
                    open[id.index()] = true;
                }
            }
            Kind::Repeat { child, .. } | Kind::Group(_, child) => open[child.index()] = true,
            _ => {}
        }
    }
    false
}
