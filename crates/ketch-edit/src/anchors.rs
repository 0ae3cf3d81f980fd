//! Operations on anchors and aliases: renaming, adding and removing anchors, and replacing aliases
//! by copies.

use super::error::{EditError, EditErrorKind};
use super::lines::{Entry, block_start, line_end, line_start, shifted, skip_blanks, starts_line};
use super::operation::{Action, AnchorMode, Operation, Spelling};
use super::pieces::Patch;
use super::plan::Found;
use super::scene::{Plan, Scene, Splice};
use super::tree::{Shape, Token};
use super::write::{Traits, Value};
use std::ops::Range;

/// The maximum number of aliases that one operation replaces by copies of their nodes.
const COPIES_MAX: usize = 1000;

/// What a copy that replaces an alias keeps of the original node: everything but its anchors, which
/// would otherwise be defined twice.
const COPY: Traits = Traits { styles: true, tags: true, anchors: false, spelling: Spelling::Free };
/// What a copy keeps if the original node is about to be removed: everything.
const MOVED: Traits = Traits { anchors: true, ..COPY };

/// Renames an anchor from `from` to `to`, together with the aliases that refer to it.
pub(super) fn rename_anchor(
    scene: &mut Scene,
    operation: &Operation,
    (from, to): (&str, &str),
) -> Result<(), EditError> {
    let node = match operation.path.is_empty() {
        true => defined(scene, from, operation.doc),
        false => Some(scene.existing(operation, &operation.path)?),
    };
    let node = node.filter(|&node| scene.anchor_of(node) == Some(from));
    let node = node.ok_or_else(|| {
        let error = EditError::plain(EditErrorKind::NotFound);
        error.with_detail(format!("there is no anchor `{from}`"))
    })?;
    rename_definition(scene, node, to)
}

/// Returns the first node of the document `doc` that has the anchor `name`.
fn defined(scene: &Scene, name: &str, doc: usize) -> Option<usize> {
    let root = scene.tree.docs.get(doc)?.root?;
    let next = scene.tree.docs.get(doc + 1).and_then(|doc| doc.root);
    let end = next.unwrap_or(scene.tree.nodes.len());
    (root..end).find(|&at| scene.anchor_of(at) == Some(name))
}

/// Renames the anchor of `node` to `to`, and with it the aliases that refer to `node`.
fn rename_definition(scene: &mut Scene, node: usize, to: &str) -> Result<(), EditError> {
    check_name(to)?;
    let defined = &scene.tree.nodes[node];
    let Some(range) = defined.anchor.clone() else { return Ok(()) };
    if scene.text[range.start + 1..range.end] == *to {
        return Ok(());
    }
    let mut patches = vec![Patch { at: range.start + 1..range.end, new: to.to_owned() }];
    let properties = defined.tokens.start..defined.content_tokens;
    let renamed = properties.clone().find(|&at| matches!(scene.tree.tokens[at], Token::Anchor(_)));
    let renamed = renamed.unwrap_or(properties.start);
    let mut splices = vec![Splice::new(renamed..renamed + 1, vec![Token::Anchor(to.to_owned())])];
    let mut is_taken = false;
    for at in node + 1..scene.tree.nodes.len() {
        let alias = &scene.tree.nodes[at];
        is_taken |= scene.anchor_of(at) == Some(to);
        if alias.shape != Shape::Alias || scene.target(at) != Some(node) {
            continue;
        }
        if is_taken {
            let error = scene.refuse(EditErrorKind::DuplicateKey, alias.start);
            return Err(error.with_detail(format!("`&{to}` is defined before this alias")));
        }
        patches.push(Patch { at: alias.content + 1..alias.end, new: to.to_owned() });
        let token = alias.content_tokens;
        splices.push(Splice::new(token..token + 1, vec![Token::Alias(to.to_owned())]));
    }
    scene.commit(Plan { patches, splices })
}

/// Gives the node at the operation's path the anchor `name`, or renames its anchor to that.
/// Without a name, removes the anchor.
pub(super) fn anchor(
    scene: &mut Scene,
    operation: &Operation,
    name: Option<&str>,
) -> Result<(), EditError> {
    let node = scene.existing(operation, &operation.path)?;
    let found = &scene.tree.nodes[node];
    if found.shape == Shape::Alias {
        let error = scene.refuse(EditErrorKind::KindMismatch, found.start);
        return Err(error.with_detail("an alias has no anchor of its own".to_owned()));
    }
    match (name, found.anchor.is_some()) {
        (Some(name), true) => rename_definition(scene, node, name),
        (Some(name), false) => add_anchor(scene, node, name),
        (None, true) => remove_anchor(scene, operation, node),
        (None, false) => Ok(()),
    }
}

/// Writes the anchor `name` before the content of the node `at`, which has no anchor yet.
fn add_anchor(scene: &mut Scene, at: usize, name: &str) -> Result<(), EditError> {
    check_name(name)?;
    add_property(scene, at, &format!("&{name}"), Token::Anchor(name.to_owned()))
}

/// Writes `text`, an anchor or a tag, before the node `at`. If it is a tag, the node has no anchor.
pub(super) fn add_property(
    scene: &mut Scene,
    at: usize,
    text: &str,
    token: Token,
) -> Result<(), EditError> {
    let node = &scene.tree.nodes[at];
    let entry = scene.entry_of(at).map(|(_, _, entry)| entry);
    let mark = entry.and_then(|entry| entry.after_mark);
    let is_block = !node.is_flow && matches!(node.shape, Shape::Sequence | Shape::Mapping);
    let own_line = starts_line(scene.text.as_bytes(), node.start);
    let patch = match mark {
        // On the same line, it would become the anchor of the first key of the block mapping.
        _ if is_block && node.tag.is_none() && !own_line => {
            let indent = " ".repeat(scene.column(node.content));
            Patch { at: node.start..node.start, new: format!("{text}\n{indent}") }
        }
        Some(mark) if node.is_absent() || is_block && node.tag.is_none() => {
            Patch { at: mark..mark, new: format!(" {text}") }
        }
        None if is_block && node.tag.is_none() => {
            Patch { at: node.start..node.start, new: format!("{text}\n") }
        }
        _ => Patch { at: node.start..node.start, new: format!("{text} ") },
    };
    let splice = Splice::new(node.tokens.start..node.tokens.start, vec![token]);
    scene.commit(Plan { patches: vec![patch], splices: vec![splice] })
}

/// Removes the anchor of the node `at`. With `anchors: expand`, first replaces its aliases by
/// copies of the node.
fn remove_anchor(scene: &mut Scene, operation: &Operation, at: usize) -> Result<(), EditError> {
    let (path, expands) = (&operation.path, operation.anchors == Some(AnchorMode::Expand));
    let mut node = at;
    if expands {
        scene.are_aliases_loose = true;
        for _ in 0..COPIES_MAX {
            let Some(alias) = uses(scene, &[node]).first().copied() else { break };
            copy_over(scene, alias, node, COPY)?;
            node = scene.existing(operation, path)?;
        }
        scene.are_aliases_loose = false;
    }
    let found = &scene.tree.nodes[node];
    let Some(range) = found.anchor.clone() else { return Ok(()) };
    remove_property(scene, node, range, |token| matches!(token, Token::Anchor(_)))
}

/// Removes the anchor or the tag at `range` from the node `at`.
pub(super) fn remove_property(
    scene: &mut Scene,
    at: usize,
    range: Range<usize>,
    is_it: fn(&Token) -> bool,
) -> Result<(), EditError> {
    let found = &scene.tree.nodes[at];
    let blanks = scene.text[range.end..].len()
        - scene.text[range.end..].trim_start_matches([' ', '\t']).len();
    let ends_line = scene.content_end(range.end) == range.end + blanks;
    let before = scene.text[..range.start].trim_end_matches([' ', '\t']).len();
    // At the end of a line, the blanks before it are removed with it, elsewhere those
    // after it.
    let text = scene.text.as_bytes();
    let from = match ends_line {
        true if !starts_line(text, range.start) => before..range.end,
        true => line_start(text, range.start)..line_end(text, range.end),
        false => range.start..range.end + blanks,
    };
    let mut properties = found.tokens.start..found.content_tokens;
    let token = properties.find(|&at| is_it(&scene.tree.tokens[at]));
    let token = token.unwrap_or(found.tokens.start);
    let splices = vec![Splice::new(token..token + 1, Vec::new())];
    scene.commit(Plan { patches: vec![Patch { at: from, new: String::new() }], splices })
}

/// Returns the aliases that refer to one of the nodes `targets`, in document order.
fn uses(scene: &Scene, targets: &[usize]) -> Vec<usize> {
    let first = targets.iter().min().copied().unwrap_or(0);
    let after = first + 1..scene.tree.nodes.len();
    let is_use = |&at: &usize| {
        scene.tree.nodes[at].shape == Shape::Alias
            && scene.target(at).is_some_and(|target| targets.contains(&target))
    };
    after.filter(is_use).collect()
}

/// Prepares the removal of the entry at `path`, whose anchors may be used outside it. If they
/// are, this is an error, unless `operation.anchors` is `promote` or `expand`: then those
/// aliases are first replaced by copies of their nodes.
pub(super) fn release_anchors(
    scene: &mut Scene,
    operation: &Operation,
    path: &[ketch_yaml::path::Step],
) -> Result<(), EditError> {
    let mode = operation.anchors;
    for _ in 0..COPIES_MAX {
        let node = scene.existing(operation, path)?;
        let Some((_, _, entry)) = scene.entry_of(node) else { return Ok(()) };
        let Some((alias, target)) = outside_use(scene, &entry) else {
            scene.are_aliases_loose = false;
            return Ok(());
        };
        let traits = match mode {
            Some(AnchorMode::Promote) => MOVED,
            Some(AnchorMode::Expand) => COPY,
            None => return Err(in_use(scene, &entry)),
        };
        scene.are_aliases_loose = true;
        copy_over(scene, alias, target, traits)?;
    }
    Err(EditError::plain(EditErrorKind::AnchorInUse))
}

/// Returns the error that aliases outside `entry` use an anchor in it. Its message lists their
/// lines.
fn in_use(scene: &Scene, entry: &Entry) -> EditError {
    let inside = anchored_inside(scene, entry);
    let uses = uses(scene, &inside);
    let outside = uses.into_iter().filter(|&at| !is_inside(entry, scene.tree.nodes[at].start));
    let starts: Vec<usize> = outside.map(|at| scene.tree.nodes[at].start).collect();
    let lines: Vec<String> = starts
        .iter()
        .take(5)
        .map(|&at| (scene.text[..at].matches('\n').count() + 1).to_string())
        .collect();
    let rest = if starts.len() > 5 { ", ..." } else { "" };
    let word = if starts.len() == 1 { "line" } else { "lines" };
    let message =
        format!("aliases still use an anchor in this entry: {word} {}{rest}", lines.join(", "));
    let at = starts.first().copied().unwrap_or(entry.start);
    scene.refuse(EditErrorKind::AnchorInUse, at).with_detail(message)
}

/// Returns the nodes in `entry` that have an anchor.
fn anchored_inside(scene: &Scene, entry: &Entry) -> Vec<usize> {
    let first = entry.key.unwrap_or(entry.value);
    let inside = (first..scene.tree.nodes.len())
        .take_while(|&at| scene.tree.nodes[at].start < entry.end.max(entry.start + 1));
    inside.filter(|&at| scene.tree.nodes[at].anchor.is_some()).collect()
}

/// Returns the first alias outside `entry` that refers to a node in it, and that node.
fn outside_use(scene: &Scene, entry: &Entry) -> Option<(usize, usize)> {
    let inside = anchored_inside(scene, entry);
    if inside.is_empty() {
        return None;
    }
    let uses = uses(scene, &inside).into_iter();
    let mut outside = uses.filter(|&at| !is_inside(entry, scene.tree.nodes[at].start));
    let alias = outside.next()?;
    Some((alias, scene.target(alias)?))
}

/// Replaces each alias on the operation's path by a copy of the node that it refers to.
pub(super) fn detach(scene: &mut Scene, operation: &Operation) -> Result<(), EditError> {
    for count in 1..=operation.path.len() {
        let path = &operation.path[..count];
        let Found::Node(node) = scene.find(operation, path)? else { break };
        // An alias at the last step matters only if the operation changes entries of its node.
        let is_last = count == operation.path.len();
        let enters = operation.action.inserts()
            || matches!(
                operation.action,
                Action::Merge(_) | Action::Sort { .. } | Action::Arrange(_)
            );
        if scene.tree.nodes[node].shape != Shape::Alias || is_last && !enters {
            continue;
        }
        let Some(target) = scene.target(node) else { break };
        copy_over(scene, node, target, COPY)?;
    }
    Ok(())
}

/// Replaces `alias` by a copy of the node `target`, in the style of the node and, if possible,
/// with its comments.
fn copy_over(
    scene: &mut Scene,
    alias: usize,
    target: usize,
    traits: Traits,
) -> Result<(), EditError> {
    let value = Value::copy(&scene.text, &scene.tree, target, traits)?;
    let found = &scene.tree.nodes[target];
    let (text, column) = (scene.text.as_bytes(), scene.column(found.content));
    // Comments above the first entry of the node are part of the copy.
    let from = match starts_line(text, found.content) {
        true => block_start(text, found.content) + column,
        false => found.content,
    };
    let (is_flow, is_leaf) = (found.is_flow, found.children.is_empty());
    let end = if is_flow { found.end } else { scene.content_end(scene.trimmed(found.end)) };
    let source = match traits.anchors {
        true => scene.text[from..end].to_owned(),
        false => without_anchors(scene, from..end),
    };
    overwrite_alias(scene, alias, &value, is_flow || scene.is_in_flow(alias))?;
    if scene.tree.nodes[alias].is_flow == is_flow && !is_leaf {
        restore_lines(scene, alias, &source, column);
    }
    Ok(())
}

/// Replaces the alias `node` by `value`, including the properties of `value`.
fn overwrite_alias(
    scene: &mut Scene,
    node: usize,
    value: &Value,
    is_flow: bool,
) -> Result<(), EditError> {
    if !is_flow && value.whole().len() == value.tokens().len() {
        return scene.overwrite(node, value);
    }
    let alias = &scene.tree.nodes[node];
    let splice = Splice::new(alias.content_tokens..alias.tokens.end, value.whole());
    let entry = scene.entry_of(node).map(|(_, _, entry)| entry);
    let writer = scene.writer(value, !is_flow);
    let column = entry.map_or(0, |entry| scene.column(entry.start));
    let mut written = match is_flow {
        true => super::write::Written { head: writer.flow(value.root), body: String::new() },
        false => writer.with_properties(value.root, column),
    };
    if is_flow && entry.is_some_and(|entry| entry.key == Some(node)) {
        written.head.push(' ');
    }
    let patches = scene.place(node, entry, &written);
    scene.commit(Plan { patches, splices: vec![splice] })
}

/// Returns whether the offset `at` is in `entry`.
fn is_inside(entry: &Entry, at: usize) -> bool {
    (entry.start..entry.end).contains(&at)
}

/// Returns an error about the operation itself, with `message` as its detail.
fn bad(message: &str) -> EditError {
    EditError::plain(EditErrorKind::BadOperation).with_detail(message.to_owned())
}

/// Returns an error if `name` cannot be the name of an anchor.
fn check_name(name: &str) -> Result<(), EditError> {
    let is_wrong = |ch: char| ch.is_whitespace() || ch.is_control() || ",[]{}".contains(ch);
    if name.is_empty() || name.contains(is_wrong) {
        return Err(bad(
            "an anchor's name must not be empty or contain white space, control characters or any of `,[]{}`",
        ));
    }
    Ok(())
}

/// Returns the text in `range` without its anchors.
pub(super) fn without_anchors(scene: &Scene, range: Range<usize>) -> String {
    let nodes = &scene.tree.nodes;
    let first = nodes.partition_point(|node| node.start < range.start);
    let nodes = nodes[first..].iter().take_while(|node| node.start < range.end);
    let mut text = String::new();
    let mut from = range.start;
    for anchor in nodes.filter_map(|node| node.anchor.as_ref()) {
        text.push_str(&scene.text[from..anchor.start]);
        let next = skip_blanks(scene.text.as_bytes(), anchor.end);
        from = match scene.text.as_bytes().get(next) {
            // The blanks before the anchor are removed with it, but not those before a comment.
            None | Some(b'\n' | b'\r' | b'#') => {
                text.truncate(text.trim_end_matches([' ', '\t']).len());
                anchor.end
            }
            _ => next,
        };
    }
    text + &scene.text[from..range.end]
}

/// Replaces the copied collection `node` by its original lines `source`, moved from the column
/// `from`, if they have the same meaning.
pub(super) fn restore_lines(scene: &mut Scene, node: usize, source: &str, from: usize) {
    let found = &scene.tree.nodes[node];
    let column = scene.column(found.content);
    let mut lines = source.split('\n');
    let first = lines.next().unwrap_or_default().to_owned();
    let rest = lines.map(|line| shifted(line, from, column));
    let lines: Vec<String> = std::iter::once(first).chain(rest).collect();
    let at = found.content..scene.trimmed(found.end);
    let _ = scene.commit(Plan::of_layout(vec![Patch { at, new: lines.join("\n") }]));
}
