//! Sorting and arranging the entries of a collection. Entries move together with their comments;
//! other text between them stays where it is.

use super::error::{EditError, EditErrorKind};
use super::key_nodes;
use super::lines::{Entry, block_start, entries, owned_end, skip_blanks, starts_line};
use super::operation::Operation;
use super::pieces::Patch;
use super::scene::{Part, Plan, Scene, Splice};
use super::tree::{Shape, Token, meaning};
use ketch_yaml::path::Step;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::ops::Range;

/// Sorts the entries of a mapping by key, or the items of a sequence by value or by the value
/// at the path `by`. If `recursive` is set, sorts the mappings in the collection, too.
pub(super) fn sort(
    scene: &mut Scene,
    operation: &Operation,
    (by, recursive): (&[Step], bool),
) -> Result<(), EditError> {
    let node = scene.existing(operation, &operation.path)?;
    let node = scene.followed(operation, node)?;
    if recursive {
        // Sorting a collection changes only the indices of the nodes in it.
        for at in mappings_in(scene, node).into_iter().rev() {
            sort_node(scene, by, at)?;
        }
        if scene.tree.nodes[node].shape == Shape::Sequence && by.is_empty() {
            return Ok(());
        }
    }
    sort_node(scene, by, node)
}

/// Puts the entries of a collection in the order of `first`, the keys or indices of some of them. The
/// others follow.
pub(super) fn arrange(
    scene: &mut Scene,
    operation: &Operation,
    first: &[Step],
) -> Result<(), EditError> {
    let node = scene.existing(operation, &operation.path)?;
    let node = scene.followed(operation, node)?;
    let count = refuse_scalar(scene, node, "only a list or a mapping can be arranged")?;
    let mut order = Vec::with_capacity(count);
    let mut is_placed = vec![false; count];
    for (step, at) in first.iter().zip(positions(scene, node, first)?) {
        let Some(at) = at else {
            let error = scene.refuse(EditErrorKind::NotFound, scene.tree.nodes[node].start);
            return Err(error.with_detail(scene.missing(node, step)));
        };
        if std::mem::replace(&mut is_placed[at], true) {
            let error = EditError::plain(EditErrorKind::BadOperation);
            return Err(error.with_detail("`order` names an entry twice".to_owned()));
        }
        order.push(at);
    }
    order.extend((0..count).filter(|&at| !is_placed[at]));
    rearrange(scene, node, |_, _| Ok(order))
}

/// Returns the indices of the entries to which `steps` lead in the collection `node`.
fn positions(scene: &Scene, node: usize, steps: &[Step]) -> Result<Vec<Option<usize>>, EditError> {
    let parent = &scene.tree.nodes[node];
    if parent.shape == Shape::Sequence {
        let position = |step| {
            let child = scene.child(node, step)?;
            Ok(child.and_then(|child| parent.children.binary_search(&child).ok()))
        };
        return steps.iter().map(position).collect();
    }
    let keys = key_nodes::keys(scene, node).map_err(|key| scene.unknown_alias(key))?;
    let keys: HashMap<&[Token], usize> =
        keys.iter().enumerate().map(|(at, (_, content))| (*content, at)).collect();
    let find = |token: Token| keys.get(&[token][..]).copied();
    let position = |step: &Step| match step {
        Step::Key(text) => find(Token::Text(text.clone())),
        Step::Name(text) => find(Token::Text(text.clone())).or_else(|| find(meaning(text))),
        Step::Plain(text) => find(meaning(text)),
        Step::Index(index) => find(Token::Value(index.to_string())),
        _ => None,
    };
    Ok(steps.iter().map(position).collect())
}

/// Returns the number of entries of the collection `node`. A scalar is an error with `message`.
fn refuse_scalar(scene: &Scene, node: usize, message: &str) -> Result<usize, EditError> {
    let parent = &scene.tree.nodes[node];
    match parent.shape {
        Shape::Sequence => Ok(parent.children.len()),
        Shape::Mapping => Ok(parent.children.len() / 2),
        _ => {
            let error = scene.refuse(EditErrorKind::KindMismatch, parent.start);
            Err(error.with_detail(message.to_owned()))
        }
    }
}

/// Returns the filled mappings in the collection `node`, in the order of the text.
fn mappings_in(scene: &Scene, node: usize) -> Vec<usize> {
    let (mut found, mut pending) = (Vec::new(), vec![node]);
    while let Some(at) = pending.pop() {
        let each = &scene.tree.nodes[at];
        if at != node && each.shape == Shape::Mapping && !each.children.is_empty() {
            found.push(at);
        }
        pending.extend(&each.children);
    }
    found.sort_unstable();
    found
}

/// Sorts the entries of the collection `node`.
fn sort_node(scene: &mut Scene, by: &[Step], node: usize) -> Result<(), EditError> {
    refuse_scalar(scene, node, "only a list or a mapping can be sorted")?;
    rearrange(scene, node, |scene, all| order(scene, by, all))
}

/// Puts the entries of the collection `node` in the order that `order` returns: their old indices.
fn rearrange(
    scene: &mut Scene,
    node: usize,
    order: impl FnOnce(&Scene, &[Entry]) -> Result<Vec<usize>, EditError>,
) -> Result<(), EditError> {
    let parent = &scene.tree.nodes[node];
    let text = scene.text.as_bytes();
    let all = entries(text, &scene.tree, node);
    let on_one_line = |entry: &Entry| !parent.is_flow && !starts_line(text, entry.start);
    if let Some(entry) = all.iter().skip(1).find(|entry| on_one_line(entry)) {
        return Err(scene.refuse(EditErrorKind::KindMismatch, entry.start));
    }
    let order = order(scene, &all)?;
    let trails = trails(scene, node, &all);
    let mut patches = match &trails {
        Some(trails) => moved_trails(scene, trails, &order),
        None => Vec::new(),
    };
    let mut parts = Vec::new();
    for (entry, &from) in all.iter().zip(&order) {
        let source = &all[from];
        let is_bare = parent.is_flow && trails.is_none();
        let new = scene.text[block(scene, source, is_bare, parent.is_flow)].to_owned();
        patches.push(Patch { at: block(scene, entry, is_bare, parent.is_flow), new });
        let first = source.key.unwrap_or(source.value);
        let tokens =
            scene.tree.nodes[first].tokens.start..scene.tree.nodes[source.value].tokens.end;
        parts.push(Part::Kept(tokens));
    }
    patches.retain(|patch| scene.text[patch.at.clone()] != *patch.new);
    if patches.is_empty() {
        return Ok(());
    }
    if trails.is_none() {
        check_comments(scene, node, &all)?;
    }
    let at = parent.content_tokens + 1..parent.tokens.end - 1;
    scene.commit(Plan { patches, splices: vec![Splice { at, new: parts }] })
}

/// Returns an error if `node` is a flow collection with comments between its entries. It is for
/// collections whose entries share lines, where the comments would stay beside other entries.
fn check_comments(scene: &Scene, node: usize, all: &[Entry]) -> Result<(), EditError> {
    let parent = &scene.tree.nodes[node];
    if !parent.is_flow || parent.event.len == 0 {
        return Ok(());
    }
    let gaps = all.windows(2).map(|two| two[0].end..two[1].start);
    let last = all.last().map(|last| last.end..parent.end - 1);
    match gaps.chain(last).find(|gap| scene.text[gap.clone()].contains('#')) {
        Some(gap) => {
            let error = scene.refuse(EditErrorKind::KindMismatch, gap.start);
            let detail = "entries with comments can be sorted only if each starts a line";
            Err(error.with_detail(detail.to_owned()))
        }
        None => Ok(()),
    }
}

/// Returns the indices of the entries in sorted order. It is an error if nothing says in which
/// order items that are collections should be.
fn order(scene: &Scene, by: &[Step], all: &[Entry]) -> Result<Vec<usize>, EditError> {
    let by = |entry: &Entry| match entry.key {
        Some(key) => Some(key),
        None => by.iter().try_fold(entry.value, |at, step| part(scene, at, step)),
    };
    let by: Vec<Option<usize>> = all.iter().map(by).collect();
    let is_collection = |&at: &usize| !scene.tree.nodes[at].children.is_empty();
    if all.len() > 1 && by.iter().all(|at| at.as_ref().is_some_and(is_collection)) {
        let error = scene.refuse(EditErrorKind::KindMismatch, all[0].start);
        let detail =
            "items that are collections have no order: say by which of their values to sort them";
        return Err(error.with_detail(detail.to_owned()));
    }
    if by.iter().all(Option::is_none) && !all.is_empty() {
        let error = scene.refuse(EditErrorKind::NotFound, all[0].start);
        return Err(error.with_detail("no item has the value to sort by".to_owned()));
    }
    let keys = by.iter().zip(all);
    let keys: Vec<&[Token]> =
        keys.map(|(at, entry)| scene.tree.content(at.unwrap_or(entry.value))).collect();
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by(|&a, &b| compare(keys[a], keys[b]));
    Ok(order)
}

/// Returns the child of the node `at` to which `step` leads.
fn part(scene: &Scene, at: usize, step: &Step) -> Option<usize> {
    scene.child(at, step).ok().flatten()
}

/// Returns the range of an entry together with its comments, from its column to the end of its
/// last line; without the comments if `is_bare` is set. In a flow collection, the comma and the
/// comment after it are not included.
fn block(scene: &Scene, entry: &Entry, is_bare: bool, is_flow: bool) -> Range<usize> {
    let text = scene.text.as_bytes();
    let end = match is_flow {
        true => entry.end,
        false => scene.trimmed(owned_end(text, &scene.tree, entry)),
    };
    match !is_bare && starts_line(text, entry.start) {
        true => block_start(text, entry.start) + scene.column(entry.start)..end,
        false => entry.start..end,
    }
}

/// Returns the trailing comment of each entry of a flow collection. Returns `None` if `node` is
/// a block collection, or if some entries do not have lines of their own.
fn trails(scene: &Scene, node: usize, all: &[Entry]) -> Option<Vec<Trail>> {
    let parent = &scene.tree.nodes[node];
    let text = scene.text.as_bytes();
    let last = all.last().filter(|_| parent.is_flow && parent.event.len > 0)?;
    let has_lines = all.iter().all(|entry| starts_line(text, entry.start))
        && scene.text[last.end..parent.end - 1].contains('\n');
    has_lines.then(|| all.iter().map(|entry| trail(scene, entry)).collect())
}

/// Returns the place of the trailing comment of `entry`, which is in a flow collection.
pub(super) fn trail(scene: &Scene, entry: &Entry) -> Trail {
    let text = scene.text.as_bytes();
    let comma = skip_blanks(text, entry.end);
    let start = if text.get(comma) == Some(&b',') { comma + 1 } else { entry.end };
    let end = scene.content_end(start);
    let comment = skip_blanks(text, start);
    match text.get(comment) {
        Some(b'#') if comment > start => Trail { blanks: start..comment, comment: comment..end },
        _ => Trail { blanks: start..start, comment: start..start },
    }
}

/// Returns the patches that move trailing comments to the new places of their entries. `order`
/// has the old index of each new entry.
fn moved_trails(scene: &Scene, trails: &[Trail], order: &[usize]) -> Vec<Patch> {
    let moved = trails.iter().zip(order).map(|(old, &from)| {
        let new = &trails[from];
        let comment = &scene.text[new.comment.clone()];
        let blanks = if old.comment.is_empty() { &new.blanks } else { &old.blanks };
        let blanks = if comment.is_empty() { "" } else { &scene.text[blanks.clone()] };
        Patch { at: old.blanks.start..old.comment.end, new: format!("{blanks}{comment}") }
    });
    moved.collect()
}

/// The place of an entry's trailing comment in a flow collection, and of the blanks before it. Both
/// are empty if there is no comment.
pub(super) struct Trail {
    pub blanks: Range<usize>,
    pub comment: Range<usize>,
}

/// Compares two nodes for sorting: numbers by value, and other scalars, which come after numbers,
/// by their bytes. Collections compare as equal, so they keep their order.
fn compare(a: &[Token], b: &[Token]) -> Ordering {
    let number = |tokens: &[Token]| match tokens {
        [Token::Value(text)] => text.parse::<f64>().ok(),
        _ => None,
    };
    let text = |tokens: &[Token]| match tokens {
        [Token::Value(text) | Token::Text(text)] => text.clone(),
        _ => String::new(),
    };
    match (number(a), number(b)) {
        (Some(a), Some(b)) => a.total_cmp(&b),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        _ => text(a).cmp(&text(b)),
    }
}
