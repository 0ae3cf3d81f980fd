//! Paths that a person typed: keys that they would add although another notation was meant.

use super::error::{EditError, EditErrorKind};
use super::scene::Scene;
use super::tree::{Shape, Token};
use super::write::key_source;
use ketch_yaml::path::{Path, Step};
use ketch_yaml::schema::{ScalarTag, Schema};

/// Returns an error if `path`, whose first `found` steps lead to the node `parent`, would add a
/// key that looks like a part of another notation, like an existing key without its first dot, or
/// like a part of one key with dots.
pub(super) fn check_typed(
    scene: &Scene,
    path: &[Step],
    (parent, found): (Option<usize>, usize),
) -> Result<(), EditError> {
    let new = path.get(found..).unwrap_or_default();
    let at = parent.map_or(0, |parent| scene.tree.nodes[parent].start);
    let bad =
        |message: String| Err(scene.refuse(EditErrorKind::BadOperation, at).with_detail(message));
    if let Some(strange) = new.iter().position(is_strange) {
        let mut quoted = path.to_vec();
        let steps = quoted[found..].iter_mut().filter(|step| is_strange(step));
        steps.for_each(|step| *step = as_key(step));
        let (key, quoted) = (name(&new[strange]), shown(&quoted));
        return bad(format!(
            "there is no key `{key}`, and a path is no expression; `{quoted}` adds that key"
        ));
    }
    if let Some(twin) = twin(scene, new, parent)? {
        let other = shown(&[&path[..found], &[twin], &new[1..]].concat());
        return bad(format!("the key there has another type: write `{other}`"));
    }
    let dotted = dotted_key(scene, new, parent)?;
    let Some(joined) = dotted.clone().or(one_key(scene, new, parent)?) else { return Ok(()) };
    let mut one = path[..found].to_vec();
    one.push(Step::Key(joined));
    if dotted.is_some() {
        one.extend_from_slice(&new[1..]);
    }
    let mut several = path.to_vec();
    several[found..].iter_mut().for_each(|step| *step = as_key(step));
    let unclear = match dotted {
        Some(key) => format!("the key `{key}` or a new key `{}` is meant", name(&new[0])),
        None => {
            let joined = new.iter().map(name).collect::<Vec<_>>().join(".");
            format!("`{joined}` is one key or several")
        }
    };
    let (one, several) = (shown(&one), shown(&several));
    bad(format!("it is unclear whether {unclear}: write `{one}` or `{several}`"))
}

/// Returns the step to a key of `parent` that is spelled like the first of the missing steps `new`,
/// such as 200 beside the text `'200'`.
fn twin(scene: &Scene, new: &[Step], parent: Option<usize>) -> Result<Option<Step>, EditError> {
    let is_text = |text: &str| Schema::Core.resolve(text.as_bytes()) == ScalarTag::Str;
    let typed = match new.first() {
        Some(Step::Index(index)) => index.to_string(),
        Some(Step::Plain(text)) => text.clone(),
        Some(Step::Key(text)) if !is_text(text) => text.clone(),
        _ => return Ok(None),
    };
    let Some(parent) = parent else { return Ok(None) };
    let mut contents = all_keys(scene, parent)?.map(|key| scene.tree.content(key));
    let text = [Token::Text(typed.clone())];
    let is_twin = |content: &[Token]| content == text || content == [Token::Value(typed.clone())];
    let twin = contents.find(|content| is_twin(content));
    Ok(twin.map(|content| match (content == text, typed.parse()) {
        (true, _) => Step::Key(typed),
        (false, Ok(index)) => Step::Index(index),
        (false, Err(_)) => Step::Plain(typed),
    }))
}

/// Returns the existing key of `parent` that is a dot and the first of the missing steps `new`.
fn dotted_key(
    scene: &Scene,
    new: &[Step],
    parent: Option<usize>,
) -> Result<Option<String>, EditError> {
    let (Some(Step::Name(name)), Some(parent)) = (new.first(), parent) else { return Ok(None) };
    if !scene.has_all_of(parent) {
        // Before an operation runs in a window, the key is searched in the tables.
        return Ok(None);
    }
    let is_dotted = |key: &&str| key.strip_prefix('.') == Some(name);
    let mut keys = all_keys(scene, parent)?;
    let found = keys.find_map(|key| scene.tree.text_of(key).filter(is_dotted));
    Ok(found.map(str::to_owned))
}

/// Returns the keys of `parent`; none if it is no mapping.
fn all_keys(scene: &Scene, parent: usize) -> Result<impl Iterator<Item = usize>, EditError> {
    let node = &scene.tree.nodes[parent];
    let is_mapping = node.shape == Shape::Mapping;
    if is_mapping && !scene.has_all_of(parent) {
        // The operation is tried again on the whole text.
        return Err(EditError::plain(EditErrorKind::WouldChangeMeaning));
    }
    let count = if is_mapping { node.children.len() } else { 0 };
    Ok(node.children[..count].iter().copied().step_by(2))
}

/// Returns the source of the new key of `parent` at `step`. A name that looks like a number is
/// text beside keys such as `'200'`, unless a key is a number.
pub(super) fn key_at(
    scene: &mut Scene,
    parent: Option<usize>,
    step: &Step,
) -> Result<String, EditError> {
    let is_json = scene.habits().is_json;
    let source = key_source(step, is_json);
    let is_number = matches!(step, Step::Name(_)) && !source.starts_with('"');
    let Some(parent) = parent.filter(|_| is_number) else { return Ok(source) };
    Ok(key_source(step, has_numbers_as_text(scene, parent)?))
}

/// Returns whether keys of the mapping `parent` are text that looks like a number, and none is a
/// number.
fn has_numbers_as_text(scene: &Scene, parent: usize) -> Result<bool, EditError> {
    let keys = all_keys(scene, parent)?.map(|key| scene.tree.content(key));
    let number = |text: &str| text.parse::<i64>().is_ok();
    let (mut is_text, mut is_number) = (false, false);
    for key in keys {
        is_text |= matches!(key, [Token::Text(text)] if number(text));
        is_number |= matches!(key, [Token::Value(text)] if number(text));
    }
    Ok(is_text && !is_number)
}

/// Returns the key of which the missing steps `new` below `parent` may be parts: because
/// `parent` has a key like it, or there is a slash in a part after the first.
fn one_key(
    scene: &Scene,
    new: &[Step],
    parent: Option<usize>,
) -> Result<Option<String>, EditError> {
    let are_names = new.iter().all(|step| matches!(step, Step::Name(_)));
    if new.len() < 2 || !are_names {
        return Ok(None);
    }
    let joined = new.iter().map(name).collect::<Vec<_>>().join(".");
    if new[1..].iter().any(|step| name(step).contains('/')) {
        return Ok(Some(joined));
    }
    let Some(parent) = parent else { return Ok(None) };
    let mut keys = all_keys(scene, parent)?;
    let is_start = |key: &&str| {
        key.contains('.')
            && joined
                .strip_prefix(*key)
                .is_some_and(|rest| matches!(rest.as_bytes(), [] | [b'.', ..]))
    };
    let key = keys.find_map(|key| scene.tree.text_of(key).filter(is_start));
    Ok(key.map(|key| key.to_owned() + &joined[key.len()..]))
}

/// Returns whether `step` is a name without quotes that looks like a part of an expression, or of a
/// template.
fn is_strange(step: &Step) -> bool {
    let Step::Name(name) = step else { return false };
    name.ends_with(':') || name.contains(|ch: char| ch.is_whitespace() || "|${}+=".contains(ch))
}

/// Returns the text of a step that is a name.
fn name(step: &Step) -> &str {
    match step {
        Step::Name(name) | Step::Key(name) => name,
        _ => "",
    }
}

/// Returns `step`, as a key in quotes if it is a name.
fn as_key(step: &Step) -> Step {
    match step {
        Step::Name(name) => Step::Key(name.clone()),
        step => step.clone(),
    }
}

fn shown(steps: &[Step]) -> Path {
    steps.iter().cloned().fold(Path::default(), Path::then)
}
