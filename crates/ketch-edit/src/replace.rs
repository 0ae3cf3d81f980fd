//! Replacing a node by a value: what becomes of its tag and its spelling, and what to tell the
//! user.

use super::anchors::{add_property, remove_property};
use super::error::{EditError, EditErrorKind};
use super::foreign;
use super::operation::{Operation, Spelling};
use super::pieces::Patch;
use super::plan::is_foreign;
use super::remark::Remark;
use super::scene::{Plan, Scene, Splice};
use super::tree::{Node, Shape, Token};
use super::write::{Value, check_tag, style_of};
use ketch_yaml::EventKind;
use ketch_yaml::schema::{ScalarTag, Schema};

/// Returns `value` as it is written if it is a number, a boolean or null without a tag.
fn other_than_text(value: &Value) -> Option<String> {
    let is_other = matches!(value.tokens()[..], [Token::Value(_)]) && value.tag().is_none();
    is_other.then(|| value.flow(value.root))
}

/// Returns whether `node` is a scalar in quotes.
fn is_quoted(node: &Node) -> bool {
    matches!(style_of(node), Some(EventKind::SingleQuoted | EventKind::DoubleQuoted))
}

/// Returns whether a node that the value of `operation` replaces keeps its tag.
fn keeps_tag(operation: &Operation) -> bool {
    operation.action.value().is_some_and(|new| new.keep_tag)
}

/// Replaces the node `at` by `value`. A tag that YAML does not define is dropped, unless
/// `value` has a tag or the operation keeps it.
pub(super) fn replace_node(
    scene: &mut Scene,
    operation: &Operation,
    at: usize,
    value: &Value,
) -> Result<(), EditError> {
    let dropped = dropped_tag(scene, operation, at, value);
    let new = operation.action.value();
    let is_typed = new.is_some_and(|new| new.spelling == Spelling::Typed);
    let is_typed = is_typed && dropped.is_none() && !keeps_tag(operation);
    let replaced = replaced_text(scene, at, value).filter(|_| is_typed);
    let replaced =
        replaced.or_else(|| replaced_entries(scene, at, value).filter(|_| operation.is_typed));
    scene.overwrite_with(at, value, keeps_tag(operation))?;
    foreign::bring_lines(scene, at, value);
    scene.remarks.extend(dropped.map(Remark::TagDropped).or(replaced));
    Ok(())
}

/// Returns the tag that the node `at` loses when `value` replaces it.
fn dropped_tag(scene: &Scene, operation: &Operation, at: usize, value: &Value) -> Option<String> {
    let tag = scene.tree.nodes[at].tag.clone().map(|tag| &scene.text[tag])?;
    let is_dropped = value.tag().is_none() && !keeps_tag(operation) && is_foreign(tag);
    is_dropped.then(|| tag.to_owned())
}

/// Returns the remark that the node `at` is text in quotes or with a tag, and `value` is not text,
/// or that it is plain text and `value` is a number, one of them with the form of a version.
fn replaced_text(scene: &Scene, at: usize, value: &Value) -> Option<Remark> {
    let new = other_than_text(value)?;
    let node = &scene.tree.nodes[at];
    let start = node.tag.as_ref().map_or(node.content, |tag| tag.start);
    let old = &scene.text[start..node.end];
    let is_text = matches!(scene.tree.content(at), [Token::Text(_)]);
    // An integer in the place of a word was meant as one.
    let is_version = style_of(node) == Some(EventKind::Plain)
        && (new.contains('.') || old.bytes().any(|byte| byte.is_ascii_digit()));
    let is_named =
        is_text && (node.tag.is_some() || is_quoted(node) || is_version && is_number(&new));
    is_named.then(|| Remark::TextReplaced { old: old.to_owned(), new })
}

/// Returns whether the plain scalar `text` is a number.
fn is_number(text: &str) -> bool {
    matches!(Schema::Core.resolve(text.as_bytes()), ScalarTag::Int(_) | ScalarTag::Float(_))
}

/// Returns the remark that the node `at` has entries, and `value` is a scalar other than null.
fn replaced_entries(scene: &Scene, at: usize, value: &Value) -> Option<Remark> {
    let is_null = || matches!(&value.tokens()[..], [Token::Value(text)] if text == "null");
    let is_filled = !scene.tree.nodes[at].children.is_empty();
    let is_named = is_filled && value.shape() == Shape::Scalar && !is_null();
    is_named.then_some(Remark::CollectionReplaced)
}

/// Returns the remark that `value`, a new item of the sequence `parent`, is not text, while all
/// scalars among the other items are text in quotes, or text of which one has a digit.
pub(super) fn expected_text(
    scene: &Scene,
    operation: &Operation,
    parent: usize,
    value: &Value,
) -> Option<Remark> {
    let is_typed = operation.action.value()?.spelling == Spelling::Typed;
    let new = other_than_text(value).filter(|_| is_typed)?;
    let parent = &scene.tree.nodes[parent];
    let items = parent.children.iter().copied();
    let scalars = items.filter(|&item| scene.tree.nodes[item].shape == Shape::Scalar);
    let last = scalars.clone().next_back().filter(|_| parent.shape == Shape::Sequence)?;
    let source =
        |item: usize| &scene.text[scene.tree.nodes[item].content..scene.tree.nodes[item].end];
    let is_quoted = |item: usize| {
        let item = &scene.tree.nodes[item];
        is_quoted(item) && item.tag.is_none()
    };
    let is_text = |item: usize| matches!(scene.tree.content(item), [Token::Text(_)]);
    let has_digit = |item: usize| source(item).bytes().any(|byte| byte.is_ascii_digit());
    let is_named = scalars.clone().all(is_quoted)
        || is_number(&new) && scalars.clone().all(is_text) && scalars.clone().any(has_digit);
    is_named.then(|| Remark::TextExpected { sibling: source(last).to_owned(), new })
}

/// Drops the tag of the collection `at`, whose entries become those of `value`, if
/// [`replace_node`] would drop it.
pub(super) fn drop_tag(
    scene: &mut Scene,
    operation: &Operation,
    at: usize,
    value: &Value,
) -> Result<(), EditError> {
    let node = &scene.tree.nodes[at];
    let (Some(dropped), Some(tag)) = (dropped_tag(scene, operation, at, value), node.tag.clone())
    else {
        return Ok(());
    };
    remove_property(scene, at, tag, |token| matches!(token, Token::Tag(_)))?;
    scene.remarks.push(Remark::TagDropped(dropped));
    Ok(())
}

/// Gives the collection at the operation's path the tag `tag`, or removes its tag.
pub(super) fn retag(
    scene: &mut Scene,
    operation: &Operation,
    tag: Option<&str>,
) -> Result<(), EditError> {
    let at = scene.existing(operation, &operation.path)?;
    let node = &scene.tree.nodes[at];
    if !matches!(node.shape, Shape::Sequence | Shape::Mapping) {
        let error = scene.refuse(EditErrorKind::KindMismatch, node.start);
        let message = "only a collection can get a tag alone; `set` writes a scalar with a tag";
        return Err(error.with_detail(message.to_owned()));
    }
    let (old, anchor) = (node.tag.clone(), node.anchor.clone());
    let is_tag = |token: &Token| matches!(token, Token::Tag(_));
    let Some(tag) = tag else {
        return old.map_or(Ok(()), |old| remove_property(scene, at, old, is_tag));
    };
    if scene.habits().is_json {
        let error = EditError::plain(EditErrorKind::BadOperation);
        return Err(error.with_detail("a collection in JSON cannot have a tag".to_owned()));
    }
    check_tag(tag)?;
    let new = vec![Token::Tag(tag.to_owned())];
    let end = node.content_tokens;
    let (patch, splice) = match (old, anchor) {
        (Some(old), _) => (Patch { at: old, new: tag.to_owned() }, scene.tag_splice(at, new)),
        (None, Some(anchor)) => {
            let patch = Patch { at: anchor.end..anchor.end, new: format!(" {tag}") };
            (patch, Some(Splice::new(end..end, new)))
        }
        (None, None) => return add_property(scene, at, tag, Token::Tag(tag.to_owned())),
    };
    scene.commit(Plan { patches: vec![patch], splices: splice.into_iter().collect() })
}

/// Spells the scalars of the node `at` as in the equal `value`, as its spelling demands.
pub(super) fn respell(scene: &mut Scene, at: usize, value: &Value) -> Result<(), EditError> {
    if matches!(value.traits.spelling, Spelling::Free | Spelling::Whole) {
        return Ok(());
    }
    let mut pending = vec![(at, value.root)];
    while let Some((old, new)) = pending.pop() {
        if is_respelled(scene, old, value, new) {
            // A scalar replaces a scalar, so the indices of the other nodes stay.
            scene.overwrite(old, &value.part(new))?;
        }
        let children = scene.tree.nodes[old].children.iter().copied();
        pending.extend(children.zip(value.tree.nodes[new].children.iter().copied()));
    }
    Ok(())
}

/// Returns whether the scalar `new` of `value` is spelled otherwise than the equal node `at`.
fn is_respelled(scene: &Scene, at: usize, value: &Value, new: usize) -> bool {
    let (old, node) = (&scene.tree.nodes[at], &value.tree.nodes[new]);
    if old.shape != Shape::Scalar || node.shape != Shape::Scalar {
        return false;
    }
    let is_plain = style_of(node) == Some(EventKind::Plain);
    match (value.traits.spelling, value.tree.content(new)) {
        (Spelling::Typed, [Token::Text(_)]) if is_plain => false,
        (Spelling::Typed, _) => {
            scene.text[old.content..old.end] != value.source[node.content..node.end]
        }
        (Spelling::Safe, [Token::Text(text)]) => {
            style_of(old) == Some(EventKind::Plain)
                && old.tag.is_none()
                && ketch_yaml::schema::needs_quotes(text.as_bytes())
        }
        _ => false,
    }
}
