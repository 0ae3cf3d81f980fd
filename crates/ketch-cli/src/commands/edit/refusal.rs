//! Converts rejected edits to failures.

use crate::diagnostic::{Diagnostic, Severity};
use crate::shell;
use crate::status::Failure;
use ketch_edit::{EditError, EditErrorKind, Operation, Remark};

/// Returns the failure for an edit of `file` that was rejected with `error`.
pub fn refused(file: &str, error: &EditError) -> Failure {
    if let Some(cause) = error.cause() {
        let is_value = error.is_in_value();
        let file = if is_value { "VALUE" } else { file };
        let diagnostic = Diagnostic::error(file, cause.location().text.as_bytes(), cause);
        return Failure::Input(Box::new(diagnostic));
    }
    let file = if error.is_in_value() { "VALUE" } else { file };
    let kind = error.kind();
    let message = error.message().to_owned();
    let mut diagnostic = Diagnostic::sentence(file, kind.name(), "semantic", message);
    diagnostic.location = error.location().cloned();
    diagnostic.help = help(error).map(str::to_owned);
    match kind {
        EditErrorKind::NotFound => Failure::Missing(Box::new(diagnostic)),
        _ => Failure::Input(Box::new(diagnostic)),
    }
}

/// Returns the failure for the edits `operations` of `file`, one of which was rejected with `error`.
pub fn refused_among(file: &str, error: &EditError, operations: &[Operation]) -> Failure {
    let mut failure = refused(file, error);
    let (index, count) = (error.operation().unwrap_or(0), operations.len());
    let (Failure::Missing(diagnostic) | Failure::Input(diagnostic)) = &mut failure else {
        return failure;
    };
    // `merge` always reads YAML.
    let can_be_text = |edit: &Operation| edit.is_typed && edit.action.name() != "merge";
    let is_wrong_value = error.is_in_value() && error.cause().is_some();
    if is_wrong_value && operations.get(index).is_some_and(can_be_text) {
        let help = diagnostic.help.take().map_or(String::new(), |help| format!("{help} "));
        diagnostic.help = Some(format!("{help}With `--str` instead of `--yaml`, VALUE is text."));
    }
    if error.operation().is_some() && count > 1 {
        diagnostic.message = format!("edit {} of {count}: {}", index + 1, diagnostic.message);
        // A later edit applies to the text after the earlier ones, so its location is not one in
        // the file.
        if index > 0 && !error.is_in_value() {
            diagnostic.location = None;
        }
    }
    failure
}

/// Returns the diagnostic for an edit of `file` whose result would not be JSON. `reason` says why.
pub fn not_json(file: &str, reason: &str) -> Diagnostic {
    let message = format!("the file is JSON, and the result would not be: {reason}");
    let mut diagnostic = Diagnostic::sentence(file, "not-json", "semantic", message);
    let convert = shell::line(["ketch", "convert", file, "--to", "yaml"]);
    diagnostic.help = Some(format!(
        "Give a value that JSON has; `--str` writes it as text. `{convert}` makes YAML of the file."
    ));
    diagnostic
}

/// Returns the warning for something that an edit of `file` did.
pub fn remark(file: &str, remark: &Remark) -> Diagnostic {
    let as_text = |kind, message| (kind, message, "`--str` writes it as text.");
    let (kind, message, help) = match remark {
        Remark::TextReplaced { old, new } => {
            as_text("type-changed", format!("the text {old} is now {new}, which is no text"))
        }
        Remark::TextExpected { sibling, new } => as_text(
            "type-changed",
            format!("the other items are text such as {sibling}, and {new} is no text"),
        ),
        Remark::TagDropped(tag) => (
            "tag-dropped",
            format!("the old value had the tag `{tag}`, the new one has none"),
            "`--keep-tag` keeps the tag, and `--tag TAG` gives another one. With `--yaml`, VALUE may be a tag alone.",
        ),
        Remark::ZerosDropped(typed) => as_text(
            "zeros-dropped",
            format!(
                "this format has no numbers with zeros in front, so `{typed}` is written without them"
            ),
        ),
        Remark::LeadingZeros(typed) => {
            as_text("leading-zeros", format!("`{typed}` is a number, so its zeros do not count"))
        }
        Remark::CollectionReplaced => (
            "collection-replaced",
            "the new value replaces a collection with all its entries".to_owned(),
            "`ketch set PATH.KEY VALUE` sets one entry, and `ketch append` adds one.",
        ),
        _ => ("remark", "the edit may not have the intended result".to_owned(), "See `--diff`."),
    };
    Diagnostic {
        severity: Severity::Warning,
        help: Some(help.to_owned()),
        ..Diagnostic::sentence(file, kind, "semantic", message)
    }
}

/// Parts of messages, each with what the user can do.
const HELPS: &[(&str, &str)] = &[
    (
        "above an entry that does not start its line",
        "`--trailing` writes it at the end of that line; for one above the line, give the path of the entry that starts it.",
    ),
    (
        "JSON has no comments",
        "`ketch convert FILE --to yaml` makes YAML of it, which has comments; a key such as `//` can hold the text, too.",
    ),
    (
        "entry of a mapping needs `key`",
        "`--key KEY` gives it, as in `ketch insert PATH VALUE --key KEY`.",
    ),
    (
        "a path with `..` adds no keys",
        "Write the keys on the way, as in `.spec.containers[*].imagePullPolicy`.",
    ),
    ("a scalar has no `", "`ketch set PATH '{key: value}'` replaces the scalar with a mapping."),
    ("there is no item `", "Items count from 0. `ketch append` adds one at the end."),
    (
        "the comment above the first entry",
        "`ketch comment --remove PATH`, with the path of that entry, removes it.",
    ),
    ("not above the entry, but after it", "`--trailing` removes it."),
    (
        "the mapping already has the key",
        "`ketch set` changes that entry; choose another key, or delete it first.",
    ),
];

/// Returns a sentence that says what the user can do, or `None` if the message already does.
fn help(error: &EditError) -> Option<&'static str> {
    let kind = error.kind();
    if let Some((_, help)) = HELPS.iter().find(|(part, _)| error.message().contains(part)) {
        return Some(help);
    }
    Some(match kind {
        EditErrorKind::Invalid => return None,
        // The message is not the general one of its kind, so it already says what is wrong.
        EditErrorKind::KindMismatch if error.message().contains("sort them") => {
            "`--by .name` sorts them by their values of `name`."
        }
        EditErrorKind::KindMismatch if error.message() != kind.message() => return None,
        EditErrorKind::NotFound if error.message().contains("documents has") => {
            "`--document N` chooses a document, too."
        }
        EditErrorKind::BadOperation if error.message() != kind.message() => return None,
        EditErrorKind::NotFound => "`ketch get` shows what there is; `ketch set` adds keys.",
        EditErrorKind::NotOwned => "Edit the mapping that it is merged from, or set the key here.",
        EditErrorKind::ThroughAlias => {
            "`--alias through` edits the anchored node, `--alias detach` a copy of it here."
        }
        EditErrorKind::AnchorInUse => {
            "Delete or replace the aliases first. `ketch patch` can delete with `anchors: promote` or `expand`."
        }
        EditErrorKind::DuplicateKey => "Delete or rename one of the entries by hand.",
        EditErrorKind::KindMismatch => "Choose the path of a node of the right kind.",
        EditErrorKind::TestFailed => "The file has changed: check the edits.",
        EditErrorKind::BadOperation => {
            "`ketch patch --help` lists the operations and their fields."
        }
        _ => "The file is unchanged: edit this part by hand.",
    })
}

/// Returns the failure for an edit of `file` that TOML does not allow.
pub fn not_in_toml(file: &str, message: String, help: &str) -> Failure {
    let mut diagnostic = Diagnostic::sentence(file, "NotInFormat", "semantic", message);
    diagnostic.help = Some(help.to_owned());
    Failure::Input(Box::new(diagnostic))
}
