//! Writing the same value in another style.

use super::error::{EditError, EditErrorKind};
use super::lines::{Entry, line_start};
use super::operation::{Operation, Spelling, Style};
use super::pieces::Patch;
use super::scene::{Plan, Scene};
use super::tree::{Shape, Token};
use super::write::{Traits, Value, Written, style_of};
use ketch_yaml::EventKind;
use ketch_yaml::present::text;

/// Writes the node at the operation's path in the style `style`.
pub(super) fn restyle(
    scene: &mut Scene,
    operation: &Operation,
    style: Style,
) -> Result<(), EditError> {
    let at = scene.existing(operation, &operation.path)?;
    let style = match style {
        Style::Plain => EventKind::Plain,
        Style::Single => EventKind::SingleQuoted,
        Style::Double => EventKind::DoubleQuoted,
        Style::Literal => EventKind::Literal,
        Style::Folded => EventKind::Folded,
        Style::Block => return reshape(scene, at, false),
        Style::Flow => return reshape(scene, at, true),
    };
    let node = &scene.tree.nodes[at];
    if node.shape != Shape::Scalar {
        return Err(unfit(scene, at, "only a scalar can have this style"));
    }
    if style_of(node) == Some(style) {
        return Ok(());
    }
    let [Token::Text(text)] = scene.tree.content(at) else {
        return match style {
            EventKind::Plain => Ok(()),
            _ => Err(unfit(scene, at, "only text can have this style")),
        };
    };
    let is_block = matches!(style, EventKind::Literal | EventKind::Folded);
    if is_block && (scene.is_in_flow(at) || !text::is_block(text, false)) {
        return Err(unfit(scene, at, "this text cannot be a block scalar here"));
    }
    let value = Value::text(text)?;
    let plan = scene.plan_overwrite(at, &value, (Some(style), true));
    scene.commit(plan)?;
    match style_of(&scene.tree.nodes[at]) == Some(style) {
        true => Ok(()),
        false => Err(unfit(scene, at, "this text cannot have that style")),
    }
}

/// Returns the error that the node `at` cannot have the style, with `message` as the reason.
fn unfit(scene: &Scene, at: usize, message: &str) -> EditError {
    let error = scene.refuse(EditErrorKind::KindMismatch, scene.tree.nodes[at].start);
    error.with_detail(message.to_owned())
}

/// Writes the collection `at` in flow style if `is_flow` is set, and otherwise in block style.
fn reshape(scene: &mut Scene, at: usize, is_flow: bool) -> Result<(), EditError> {
    let node = &scene.tree.nodes[at];
    if !matches!(node.shape, Shape::Sequence | Shape::Mapping) {
        return Err(unfit(scene, at, "only a collection can have this style"));
    }
    if node.is_flow == is_flow || node.children.is_empty() {
        return Ok(());
    }
    if !is_flow && scene.is_in_flow(at) {
        return Err(unfit(
            scene,
            at,
            "a collection inside a flow collection cannot be in block style",
        ));
    }
    if has_comments(scene, at) {
        return Err(unfit(scene, at, "the comments in the collection would be lost"));
    }
    let traits = Traits { styles: true, tags: true, anchors: true, spelling: Spelling::Free };
    let value = Value::copy(&scene.text, &scene.tree, at, traits)?;
    let entry = scene.entry_of(at).map(|(_, _, entry)| entry);
    let column = entry.map_or(0, |entry| scene.column(entry.start));
    let writer = scene.writer(&value, !is_flow);
    let written = match (is_flow, entry) {
        (true, _) => Written { head: writer.flow_content(at), body: String::new() },
        (false, Some(Entry { key: None, after_mark: Some(mark), .. })) => {
            match scene.needs_own_line(node, mark) {
                true => writer.below(at, column + 2),
                false => writer.after_dash(at, column, 1),
            }
        }
        (false, Some(_)) => writer.after_key(at, column, None),
        (false, None) => Written { head: writer.entries(at, 0), body: String::new() },
    };
    let patches: Vec<Patch> = scene.place(at, entry, &written);
    scene.commit(Plan::of_layout(patches))
}

/// Returns whether comments are in the collection `at` or directly above it. A comment on the
/// line of its key does not count.
fn has_comments(scene: &Scene, at: usize) -> bool {
    let node = &scene.tree.nodes[at];
    let mark = scene.entry_of(at).and_then(|(_, _, entry)| entry.after_mark);
    let head = mark.map_or(node.content, |mark| scene.content_end(mark));
    if head < node.content && has_comment(&scene.text[head..node.content]) {
        return true;
    }
    let mut end = node.content;
    let mut pending: Vec<usize> = node.children.iter().rev().copied().collect();
    while let Some(child) = pending.pop() {
        let child = &scene.tree.nodes[child];
        if child.start > end && has_comment(&scene.text[end..child.start]) {
            return true;
        }
        end = end.max(if child.children.is_empty() { child.end } else { child.content });
        let is_block = matches!(child.event.kind, EventKind::Literal | EventKind::Folded);
        if is_block && scene.text[child.start..].lines().next().is_some_and(has_comment) {
            return true;
        }
        pending.extend(child.children.iter().rev());
    }
    if node.end > end {
        return has_comment(&scene.text[end..node.end]);
    }
    // The comment on the line of the key or dash stays where it is.
    let stays = mark.unwrap_or(node.content);
    let has_moved = !node.is_flow && line_start(scene.text.as_bytes(), end) > stays;
    has_moved && has_comment(&scene.text[end..scene.content_end(end)])
}

/// Returns whether `gap`, the text between two nodes, contains a comment.
fn has_comment(gap: &str) -> bool {
    gap.split('\n').any(|line| line.starts_with('#') || line.contains(" #") || line.contains("\t#"))
}
