//! Edits TOML. Its values are converted to YAML, the engine edits that, and the values that differ
//! then are changed in the TOML. So paths, values and operations mean the same as in YAML.

mod changes;
mod lines;
mod source;
mod values;

use super::group::Change;
use super::refusal::not_in_toml;
use super::text::text_of;
use super::value;
use crate::formats;
use crate::status::Failure;
use changes::Changes;
use ketch_edit::{Action, Edit, NewValue, Spelling};
use ketch_yaml::schema::Schema;
use ketch_yaml::{Document, Documents, Limits};
use source::Source;
use toml_edit::DocumentMut;

/// Returns the TOML `bytes` of `file` changed by `change`, and the edit of its values.
pub fn edited(file: &str, bytes: Vec<u8>, change: &dyn Change) -> Result<(Vec<u8>, Edit), Failure> {
    change.operations().iter().try_for_each(|each| check(file, &each.action))?;
    let text = text_of(file, bytes)?;
    let document = parsed(file, &text)?;
    let source = Source::of(&document);
    let mut edit = Edit::deferred(source.yaml.clone());
    change.apply(file, &mut edit).map_err(|mut failure| {
        // The location is one in the YAML.
        if let Failure::Missing(diagnostic) | Failure::Input(diagnostic) = &mut failure
            && diagnostic.file == file
        {
            diagnostic.location = None;
        }
        failure
    })?;
    if !edit.is_changed() {
        return Ok((text.into_bytes(), edit));
    }
    let printed = document.to_string();
    if !lines::are_same(&text, &printed) {
        let message =
            "a table has dotted keys with other keys between them, as in `a.x`, `b`, `a.y`";
        return Err(not_in_toml(file, message.to_owned(), "Move the keys of each table together."));
    }
    let after = composed(file, edit.text())?;
    let mut changed = document.clone();
    Changes { file, nodes: &source.nodes }.apply(changed.as_item_mut(), after.root())?;
    let new = changed.to_string();
    let restored = |keep| lines::restored(&text, &printed, &new, keep);
    match [true, false].into_iter().map(restored).find(|text| has_values(file, text, &after)) {
        Some(text) => Ok((text.into_bytes(), edit)),
        None => {
            let message = "this edit has no form in this file".to_owned();
            Err(not_in_toml(file, message, "The file is unchanged: edit this part by hand."))
        }
    }
}

/// Fails if `action` needs what only YAML has, or comments, or if its value was typed as TOML.
fn check(file: &str, action: &Action) -> Result<(), Failure> {
    if let Some(typed) = action.value().and_then(as_toml) {
        let message = format!("VALUE `{typed}` is TOML, and values are typed as YAML");
        let help = "Write `{key: value}` for a table; `--str` takes VALUE as text.";
        return Err(not_in_toml(file, message, help));
    }
    let help = match action {
        Action::Comment { .. } => {
            "Write the line `# text` above the key by hand: other edits keep the comments of TOML."
        }
        Action::Style(_) | Action::Anchor(_) | Action::Tag(_) | Action::RenameAnchor { .. } => {
            "Change this by hand: the other edits keep the comments of TOML."
        }
        _ => return Ok(()),
    };
    let message = format!("`{}` edits only YAML, and this is TOML", action.name());
    Err(not_in_toml(file, message, help))
}

/// Returns the text of `new` if it was typed without `--str` and is a table or an array in TOML.
fn as_toml(new: &NewValue) -> Option<String> {
    let typed = value::unquoted(&new.source).filter(|_| new.spelling == Spelling::Free)?;
    let is_toml = typed.starts_with(['{', '[']) && typed.parse::<toml_edit::Value>().is_ok();
    is_toml.then_some(typed)
}

fn parsed(file: &str, text: &str) -> Result<DocumentMut, Failure> {
    text.parse().map_err(|error: toml_edit::TomlError| {
        let wrong = formats::explain_toml(text, error.message(), error.span());
        wrong.failure(file, text.as_bytes())
    })
}

fn composed<'t>(file: &str, yaml: &'t str) -> Result<Document<'t>, Failure> {
    let document = Documents::new(yaml.as_bytes()).next().unwrap_or_else(|| Ok(Document::new()));
    document.map_err(|error| crate::read::failure(file, yaml.as_bytes(), error))
}

/// Returns whether `text` is TOML with the values of `expected`.
fn has_values(file: &str, text: &str, expected: &Document<'_>) -> bool {
    let Ok(document) = parsed(file, text) else { return false };
    let Source { yaml, .. } = Source::of(&document);
    composed(file, &yaml).is_ok_and(|found| {
        let (found, expected) = (found.root(), expected.root());
        found.equals(expected, Schema::Core, &Limits::default()).unwrap_or(false)
    })
}
