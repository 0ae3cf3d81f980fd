//! Finds the constructs in a pattern that are not regular, and other properties that the machines
//! need.

use crate::syntax::{Assertion, Group, Kind, Mode, NodeId, Tree};

/// The properties of a pattern that decide which machine may search.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    /// Whether `^` may be tested at the end of the text, where it fails even after a line feed.
    pub(crate) line_start_at_end: bool,
    /// Whether every match starts with `\A`.
    pub(crate) text_start: bool,
    /// Whether the pattern has `\Z`.
    pub(crate) text_end_line: bool,
    /// The minimum length of a match in bytes.
    pub(crate) length_min: usize,
    /// The maximum length of a match in bytes, if there is one.
    pub(crate) length_max: Option<usize>,
    /// Whether the pattern has `\G`.
    pub(crate) search_start: bool,
    /// The first construct that automata cannot match, and its name.
    pub(crate) irregular: Option<(NodeId, &'static str)>,
    /// Whether only captures in loops are irregular, so that automata can find the span.
    pub(crate) spans: bool,
    /// The minimum number of bytes that each node matches, without regard to case folding.
    pub(crate) lengths: Vec<usize>,
    /// Whether each node captures, or moves the start of the match.
    pub(crate) captures: Vec<bool>,
}

/// Returns the name of the construct that makes a node of this kind irregular, or `None` if it is
/// regular.
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

/// Finds the properties of a pattern in one pass over its tree.
pub(crate) fn facts(tree: &Tree) -> Facts {
    let nodes = tree.nodes();
    let mut facts = Facts { spans: true, ..Facts::default() };
    let mut longest = Vec::with_capacity(nodes.len());
    let mut early: Vec<bool> = Vec::with_capacity(nodes.len());
    for (at, node) in nodes.iter().enumerate() {
        let length = length(&node.kind, &facts.lengths);
        let captured = captured(&node.kind, &facts.captures);
        let mut reason = construct(&node.kind);
        facts.spans &= reason.is_none();
        if let Kind::Repeat { child, max, .. } = node.kind
            && max.is_none_or(|max| max > 1)
            && facts.captures[child.index()]
            && facts.lengths[child.index()] == 0
        {
            reason = Some("a capture in a loop that may match nothing");
        }
        if let Kind::Repeat { child, max: None, mode: Mode::Greedy, .. } = node.kind
            && early[child.index()]
        {
            // Here, automata continue with an iteration that matches something, but Ruby leaves the
            // loop.
            reason = reason.or(Some("a loop that may prefer to match nothing"));
            facts.spans = false;
        }
        let first = facts.irregular.map(|(other, _)| tree.node(other).span.start);
        if let Some(reason) = reason
            && first.is_none_or(|first| node.span.start < first)
        {
            facts.irregular = Some((NodeId(at as u32), reason));
        }
        facts.text_end_line |= node.kind == Kind::Assertion(Assertion::TextEndLine);
        facts.search_start |= node.kind == Kind::Assertion(Assertion::SearchStart);
        early.push(prefers_nothing(&node.kind, &facts.lengths, (&longest, &early)));
        longest.push(length_max(&node.kind, &longest));
        facts.lengths.push(length);
        facts.captures.push(captured);
    }
    facts.length_min = facts.lengths[tree.root().index()];
    if nodes.iter().any(|node| node.flags.ignore_case) {
        // Three characters may match one character of two bytes that folds to them.
        facts.length_min -= facts.length_min.div_ceil(3);
    }
    facts.length_max = longest[tree.root().index()];
    facts.line_start_at_end = line_start_at_end(tree, &facts.lengths);
    facts.text_start = text_start(tree);
    facts
}

/// Returns the minimum number of bytes that a node matches, without regard to case folding.
fn length(kind: &Kind, lengths: &[usize]) -> usize {
    match kind {
        Kind::Char(_) | Kind::Any | Kind::Shorthand(..) | Kind::Property(..) => 1,
        Kind::Class(..) | Kind::Posix(..) | Kind::Range(..) => 1,
        Kind::LineBreak | Kind::Grapheme => 1,
        Kind::Concat(items) => {
            items.iter().fold(0, |sum: usize, id| sum.saturating_add(lengths[id.index()]))
        }
        Kind::Alternation(branches) => {
            branches.iter().map(|id| lengths[id.index()]).min().unwrap_or(0)
        }
        Kind::Repeat { child, min, .. } => lengths[child.index()].saturating_mul(*min as usize),
        Kind::Group(Group::LookAhead { .. } | Group::LookBehind { .. } | Group::Absence, _) => 0,
        Kind::Group(_, child) => lengths[child.index()],
        _ => 0,
    }
}

/// Returns the maximum number of bytes that a node matches, or `None` if it is unlimited or not
/// known. A character may have 4 bytes or, under `i`, may be equal to three characters of 2 bytes
/// each.
fn length_max(kind: &Kind, longest: &[Option<usize>]) -> Option<usize> {
    let of = |id: &NodeId| longest[id.index()];
    match kind {
        Kind::Char(_) | Kind::Any | Kind::Shorthand(..) | Kind::Property(..) => Some(6),
        Kind::Class(..) | Kind::Posix(..) | Kind::Range(..) | Kind::LineBreak => Some(6),
        Kind::Empty | Kind::Assertion(_) | Kind::Keep => Some(0),
        Kind::Concat(items) => {
            items.iter().try_fold(0, |sum: usize, id| Some(sum.saturating_add(of(id)?)))
        }
        Kind::Alternation(branches) => {
            branches.iter().try_fold(0, |most: usize, id| Some(most.max(of(id)?)))
        }
        Kind::Repeat { child, max, .. } => {
            let length = of(child)?;
            if length == 0 { Some(0) } else { Some(length.saturating_mul((*max)? as usize)) }
        }
        Kind::Group(Group::LookAhead { .. } | Group::LookBehind { .. }, _) => Some(0),
        Kind::Group(Group::Absence, _) => None,
        Kind::Group(_, child) => of(child),
        _ => None,
    }
}

/// Returns whether a node may match nothing, and tries this before a path that matches something.
fn prefers_nothing(
    kind: &Kind,
    lengths: &[usize],
    (longest, early): (&[Option<usize>], &[bool]),
) -> bool {
    let may_be_empty = |id: &NodeId| lengths[id.index()] == 0;
    let may_be_more = |id: &NodeId| longest[id.index()] != Some(0);
    match kind {
        Kind::Concat(items) => {
            items.iter().all(may_be_empty) && items.iter().any(|id| early[id.index()])
        }
        Kind::Alternation(branches) => {
            let first = branches.iter().position(may_be_empty);
            let later = first.map_or(&[][..], |first| &branches[first + 1..]);
            later.iter().any(may_be_more) || branches.iter().any(|id| early[id.index()])
        }
        Kind::Repeat { child, min, max, mode } => {
            let is_lazy = *mode == Mode::Lazy && *max != Some(*min);
            let stops_early = is_lazy && (*min == 0 || may_be_empty(child));
            stops_early && may_be_more(child) || early[child.index()]
        }
        Kind::Group(_, child) => early[child.index()],
        _ => false,
    }
}

/// Returns whether a node captures, or moves the start of the match.
fn captured(kind: &Kind, captures: &[bool]) -> bool {
    match kind {
        Kind::Keep | Kind::Call(_) => true,
        Kind::Concat(ids) | Kind::Alternation(ids) => ids.iter().any(|id| captures[id.index()]),
        Kind::Repeat { child, .. } => captures[child.index()],
        Kind::Group(Group::Plain(Some(_)) | Group::Named(..), _) => true,
        Kind::Group(_, child) => captures[child.index()],
        Kind::Conditional { yes, no, .. } => {
            captures[yes.index()] || no.is_some_and(|no| captures[no.index()])
        }
        _ => false,
    }
}

/// Returns whether a literal under `i` folds together with the literal before it. In `ss` and `[s]s`
/// it does, but not in `s[s]`: in Ruby, a class with only one character starts a new literal.
pub(crate) fn joins(tree: &Tree, id: NodeId) -> bool {
    matches!(tree.node(id).kind, Kind::Char(_))
}

/// Returns the character of a literal under `i`, or of a class under `i` that contains only one
/// character. Returns `None` for other nodes.
pub(crate) fn literal_char(tree: &Tree, id: NodeId) -> Option<char> {
    let node = tree.node(id);
    if !node.flags.ignore_case {
        return None;
    }
    match &node.kind {
        Kind::Char(code) => char::from_u32(*code),
        Kind::Class(false, operands) => match operands.as_slice() {
            [operand] => match operand.as_slice() {
                [one] => match tree.node(*one).kind {
                    Kind::Char(code) => char::from_u32(code),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// Returns the literal of a repeat and the number of its first copies, which fold as one text, or
/// `None` for other nodes. `s{2,}` under `i`, for example, is "ss" and `s*`, so it also matches ß.
/// So is `(?:s){2,}`. Ruby expands up to 100 bytes of a repeat in this way, and Oniguruma none.
pub(crate) fn literal_repeat(tree: &Tree, id: NodeId) -> Option<(char, u32)> {
    let Kind::Repeat { child, min, .. } = tree.node(id).kind else { return None };
    if tree.oniguruma {
        return None;
    }
    let char = literal_char(tree, tree.unwrapped(child))?;
    let n = min.min(100 / char.len_utf8() as u32);
    (n > 1).then_some((char, n))
}

/// Returns whether every match starts with `\A`.
fn text_start(tree: &Tree) -> bool {
    let mut starts: Vec<bool> = Vec::with_capacity(tree.nodes().len());
    for node in tree.nodes() {
        let of = |id: &NodeId| starts[id.index()];
        starts.push(match &node.kind {
            Kind::Assertion(Assertion::TextStart) => true,
            Kind::Concat(items) => items.first().is_some_and(of),
            Kind::Alternation(branches) => branches.iter().all(of),
            Kind::Repeat { child, min, .. } => *min > 0 && of(child),
            Kind::Group(Group::LookAhead { negative: true } | Group::Absence, _) => false,
            Kind::Group(Group::LookBehind { .. }, _) => false,
            Kind::Group(_, child) => of(child),
            _ => false,
        });
    }
    starts[tree.root().index()]
}

/// Returns whether the pattern has a `^` after which nothing has to consume a character.
fn line_start_at_end(tree: &Tree, lengths: &[usize]) -> bool {
    // Parents come after their children, so this goes down from the root.
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
