//! Finds look-behinds whose length varies because of case folding, which Ruby rejects.
//!
//! Under `i`, Ruby replaces the start of a literal by alternatives, as long as it does not get too
//! many: `ss` by `[sSſ][sSſ]`, `ß` and `ẞ`. It folds the rest: `ß` becomes `ss`. Alternatives of
//! different lengths may only be the whole content of a look-behind.

use crate::budget::Allowance;
use crate::fold;
use crate::problem::Problem;
use crate::regular::{joins, literal_char};
use crate::sets::Sets;
use crate::syntax::{Group, Kind, Node, NodeId, Tree};

/// The greatest number of combinations of alternatives to which Ruby expands a literal.
const ALTERNATIVES_MAX: usize = 8;

/// The length of the matches of a node in characters.
#[derive(Clone, Copy, PartialEq)]
enum Length {
    Fixed(u64),
    /// The node consists of alternatives that have different lengths.
    Alternatives,
    Varying,
}

/// Returns the index of the first look-behind that Ruby rejects, or `None` if there is none.
pub(crate) fn look_behind(tree: &Tree, limits: Allowance<'_>) -> Result<Option<usize>, Problem> {
    let is_behind = |node: &Node| matches!(node.kind, Kind::Group(Group::LookBehind { .. }, _));
    let has = |is: fn(&Node) -> bool| tree.nodes().iter().any(is);
    // In other patterns, Ruby finds such errors only when it searches a text that is not ASCII.
    if tree.binary || !has(is_behind) || !has(|node| node.flags.ignore_case) || !tree.is_unicode() {
        return Ok(None);
    }
    let sets = Sets::limited(tree, tree.binary, limits)?;
    let mut lengths: Vec<Length> = Vec::with_capacity(tree.nodes().len());
    for (at, node) in tree.nodes().iter().enumerate() {
        if let Kind::Group(Group::LookBehind { .. }, child) = node.kind
            && lengths[child.index()] == Length::Varying
        {
            return Ok(Some(at));
        }
        let length = length(tree, &sets, NodeId(at as u32), &lengths);
        lengths.push(length);
    }
    Ok(None)
}

/// Returns the length of the node `id`, given those of its children.
fn length(tree: &Tree, sets: &Sets<'_>, id: NodeId, lengths: &[Length]) -> Length {
    let of = |id: &NodeId| lengths[id.index()];
    let whole = |length| match length {
        Length::Alternatives => Length::Varying,
        length => length,
    };
    match &tree.node(id).kind {
        Kind::Char(_) | Kind::Class(..) if literal_char(tree, id).is_some() => {
            literal(&Vec::from_iter(literal_char(tree, id)))
        }
        Kind::Class(..) | Kind::Property(..) if !sets.expansions(id).is_empty() => {
            Length::Alternatives
        }
        Kind::Concat(items) => sum(&parts(tree, items, lengths)),
        Kind::Alternation(branches) => alternatives(branches.iter().map(of)),
        Kind::Repeat { child, min: 1, .. } => of(child),
        Kind::Repeat { child, min, .. } => match of(child) {
            Length::Fixed(length) => Length::Fixed(length.saturating_mul(u64::from(*min))),
            _ => Length::Varying,
        },
        Kind::Group(Group::LookAhead { .. } | Group::LookBehind { .. }, _) => Length::Fixed(0),
        Kind::Group(Group::NonCapturing | Group::Plain(None), child) => of(child),
        Kind::Group(_, child) => whole(of(child)),
        Kind::Empty | Kind::Assertion(_) | Kind::Keep | Kind::Call(_) => Length::Fixed(0),
        _ => Length::Fixed(1),
    }
}

/// Returns the lengths of the literals and other nodes in a sequence.
fn parts(tree: &Tree, items: &[NodeId], lengths: &[Length]) -> Vec<Length> {
    let mut parts = Vec::new();
    let mut chars: Vec<char> = Vec::new();
    for id in items {
        let char = literal_char(tree, *id);
        let joined = char.is_some() && joins(tree, *id);
        if !chars.is_empty() && !joined {
            parts.push(literal(&chars));
            chars.clear();
        }
        match char {
            Some(char) => chars.push(char),
            None => parts.push(lengths[id.index()]),
        }
    }
    if !chars.is_empty() {
        parts.push(literal(&chars));
    }
    parts
}

/// Returns the length of parts in sequence.
fn sum(parts: &[Length]) -> Length {
    let [part] = parts else {
        return parts.iter().fold(Length::Fixed(0), |sum, part| match (sum, part) {
            (Length::Fixed(sum), Length::Fixed(part)) => Length::Fixed(sum.saturating_add(*part)),
            _ => Length::Varying,
        });
    };
    *part
}

/// Returns the length of alternatives with the given lengths.
fn alternatives(mut lengths: impl Iterator<Item = Length>) -> Length {
    let first = lengths.next().unwrap_or(Length::Fixed(0));
    let mut result = first;
    for length in lengths {
        if !matches!((first, length), (Length::Fixed(_), Length::Fixed(_))) {
            return Length::Varying;
        }
        if length != first {
            result = Length::Alternatives;
        }
    }
    result
}

/// Returns the length of a literal under `i`.
fn literal(chars: &[char]) -> Length {
    sum(&sequence(chars, 1))
}

/// Returns the lengths of the parts to which Ruby expands a literal, if there are already `count`
/// combinations of alternatives.
fn sequence(chars: &[char], mut count: usize) -> Vec<Length> {
    let mut parts = Vec::new();
    for (at, char) in chars.iter().enumerate() {
        let rest = &chars[at..];
        let expansion = fold::expansion(*char).map(|text| text.chars().collect::<Vec<char>>());
        let longer: Vec<usize> = match &expansion {
            Some(_) => Vec::new(),
            None => contracted(rest),
        };
        if expansion.is_none() && longer.is_empty() {
            parts.push(Length::Fixed(1));
            continue;
        }
        count = count.saturating_mul(1 + variants(*char, expansion.as_deref()) + longer.len());
        if count > ALTERNATIVES_MAX {
            parts.push(Length::Fixed(folded(rest)));
            return parts;
        }
        if let Some(text) = expansion {
            parts.push(alternatives([1, text.len() as u64].map(Length::Fixed).into_iter()));
            continue;
        }
        let mut first = vec![Length::Fixed(1)];
        first.extend(sequence(&rest[1..], count));
        let first = sum(&first);
        let others = longer.iter().map(|taken| Length::Fixed(1 + folded(&rest[*taken..])));
        parts.push(alternatives(std::iter::once(first).chain(others)));
        return parts;
    }
    parts
}

/// For each character that folds to the first two or three of `chars`, returns this number.
fn contracted(chars: &[char]) -> Vec<usize> {
    let mut found = Vec::new();
    for length in 2..=chars.len().min(3) {
        let set = fold::contractions(&chars[..length]);
        let count: usize = set.ranges().iter().map(|range| range.len()).sum();
        found.extend(std::iter::repeat_n(length, count));
    }
    found
}

/// Returns the number of other texts of the length of the folded `char` that are equal to it.
fn variants(char: char, expansion: Option<&[char]>) -> usize {
    let equal = |char: &char| -> usize {
        fold::equivalents(*char).ranges().iter().map(|range| range.len()).sum()
    };
    match expansion {
        None => equal(&char) - 1,
        Some(text) => {
            let others =
                fold::contractions(text).ranges().iter().map(|range| range.len()).sum::<usize>();
            text.iter().map(equal).product::<usize>() + others - 1
        }
    }
}

/// Returns the number of characters to which `chars` fold.
fn folded(chars: &[char]) -> u64 {
    chars
        .iter()
        .map(|char| fold::expansion(*char).map_or(1, |text| text.chars().count() as u64))
        .sum()
}
