//! Paths that a person typed: keys that they would add although another notation was meant.

use super::error::{EditError, EditErrorKind};
use super::scene::Scene;
use super::tree::Shape;
use ketch_yaml::path::{Path, Step};

impl Scene {
    /// Returns an error if `path`, whose first `found` steps lead to the node `parent`, would add a
    /// key that looks like a part of another notation, or like a part of one key with dots.
    pub(super) fn check_typed(
        &self,
        path: &[Step],
        (parent, found): (Option<usize>, usize),
    ) -> Result<(), EditError> {
        let new = path.get(found..).unwrap_or_default();
        let at = parent.map_or(0, |parent| self.tree.nodes[parent].start);
        let bad = |message: String| {
            Err(self.refuse(EditErrorKind::BadOperation, at).with_detail(message))
        };
        if let Some(strange) = new.iter().position(is_strange) {
            let mut quoted = path.to_vec();
            let steps = quoted[found..].iter_mut().filter(|step| is_strange(step));
            steps.for_each(|step| *step = as_key(step));
            let (key, quoted) = (name(&new[strange]), shown(&quoted));
            return bad(format!(
                "there is no key `{key}`, and a path is no expression; `{quoted}` adds that key"
            ));
        }
        let Some(joined) = self.one_key(new, parent)? else { return Ok(()) };
        let mut one = path[..found].to_vec();
        one.push(Step::Key(joined));
        let mut several = path.to_vec();
        several[found..].iter_mut().for_each(|step| *step = as_key(step));
        bad(format!(
            "it is unclear whether `{}` is one key or several: write `{}` or `{}`",
            new.iter().map(name).collect::<Vec<_>>().join("."),
            shown(&one),
            shown(&several)
        ))
    }

    /// Returns the key of which the missing steps `new` below `parent` may be parts: because
    /// `parent` has a key like it, or there is a slash in a part after the first.
    fn one_key(&self, new: &[Step], parent: Option<usize>) -> Result<Option<String>, EditError> {
        let are_names = new.iter().all(|step| matches!(step, Step::Name(_)));
        if new.len() < 2 || !are_names {
            return Ok(None);
        }
        let joined = new.iter().map(name).collect::<Vec<_>>().join(".");
        if new[1..].iter().any(|step| name(step).contains('/')) {
            return Ok(Some(joined));
        }
        let Some(parent) = parent.filter(|&at| self.tree.nodes[at].shape == Shape::Mapping) else {
            return Ok(None);
        };
        if !self.has_all_of(parent) {
            // The operation is tried again on the whole text.
            return Err(EditError::plain(EditErrorKind::WouldChangeMeaning));
        }
        let keys = self.tree.nodes[parent].children.iter().step_by(2);
        let is_start = |key: &&str| {
            key.contains('.')
                && joined
                    .strip_prefix(*key)
                    .is_some_and(|rest| matches!(rest.as_bytes(), [] | [b'.', ..]))
        };
        let key = keys.filter_map(|&key| self.tree.text_of(key)).find(is_start);
        Ok(key.map(|key| key.to_owned() + &joined[key.len()..]))
    }
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
