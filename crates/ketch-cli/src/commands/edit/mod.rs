//! The commands that edit values in files and keep every other byte.

mod files;
mod group;
mod named;
mod refusal;
mod run;
mod text;
mod toml;
mod value;

use crate::args::{
    AppendArgs, CommentArgs, DelArgs, EditArgs, InsertArgs, MergeArgs, MoveArgs, PatchArgs,
    PlaceArgs, RenameArgs, SetArgs, SortArgs, ValueArgs,
};
use crate::diagnostic::{Diagnostic, Severity};
use crate::draw;
use crate::formats;
use crate::input;
use crate::shell;
use crate::status::{Failure, Status};
pub use files::all as all_files;
pub use group::Change;
use ketch_edit::{Action, CommentPlace, IfAbsent, NewValue, Operation, Position, Transfer};
use ketch_yaml::path::Path;
pub use run::change_all;
use run::edit_all;
use std::io::IsTerminal;

pub use refusal::refused;
pub use text::text_of;

/// Runs `ketch set`.
pub fn set(args: SetArgs) -> Result<Status, Failure> {
    let set = |value| Action::set(value);
    with_values(("set", set), (args.words, args.edits), &args.value, &args.edit)
}

/// Runs `ketch append`.
pub fn append(args: AppendArgs) -> Result<Status, Failure> {
    with_values(("append", Action::Append), (args.words, args.edits), &args.value, &args.edit)
}

/// Runs `ketch merge`.
pub fn merge(args: MergeArgs) -> Result<Status, Failure> {
    let MergeArgs { words, lists, source, edit } = args;
    if source.env.is_none() && source.value_from.is_none() {
        refuse_file_as_value(&words, &edit)?;
    }
    // A mapping is never text.
    let value = ValueArgs { yaml: !source.json, source, ..ValueArgs::default() };
    let (path, typed, files) = path_and_value("merge", words, (&value, &edit))?;
    let value = value::given(typed, &value)?;
    if value::is_empty(&value.source) {
        // An empty file has no entries to merge.
        return edit_all(&edit, &files, &[]);
    }
    let action = Action::Merge(value);
    edit_all(&edit, &files, &[Operation { lists, ..on_path(action, &path, &edit)? }])
}

/// Fails if VALUE, among the `words` of `merge`, is a file: `merge BASE OTHER` or `merge PATH OTHER FILE`.
fn refuse_file_as_value(words: &[String], edit: &EditArgs) -> Result<(), Failure> {
    let (path, other, files) = match words {
        [base, other] if is_file(base) && is_file(other) => {
            (".", other, std::slice::from_ref(base))
        }
        [path, other, files @ ..] if !files.is_empty() && is_file(other) => (&**path, other, files),
        _ => return Ok(()),
    };
    let in_place = edit.write.in_place.then_some("-i");
    let start = ["ketch", "merge"].into_iter().chain(in_place).chain([path, "--value-from", other]);
    let command = shell::line(start.chain(files.iter().map(String::as_str)));
    Err(Failure::Usage(format!("`{other}` is a file: to merge what is in it, run: {command}")))
}

/// Runs `command`, an action on paths with values. The path and the value are either the first
/// words or given by `--edit` options.
fn with_values(
    (command, action): (&str, fn(NewValue) -> Action),
    (words, edits): (Vec<String>, Vec<String>),
    value: &ValueArgs,
    edit: &EditArgs,
) -> Result<Status, Failure> {
    let mut operations = Vec::new();
    if edits.is_empty() {
        let (path, typed, files) = path_and_value(command, words, (value, edit))?;
        operations.push(on_path(action(value::given(typed, value)?), &path, edit)?);
        return edit_all(edit, &files, &operations);
    }
    for each in &edits {
        let Some((path, source)) = split_assignment(each) else {
            let message = format!("expected PATH=VALUE, not `{each}`");
            return Err(Failure::Usage(message));
        };
        let value = value::given(Some(source.to_owned()), value)?;
        operations.push(on_path(action(value), path, edit)?);
    }
    named::refuse_words(&words)?;
    edit_all(edit, &words, &operations)
}

/// Runs `ketch insert`.
pub fn insert(args: InsertArgs) -> Result<Status, Failure> {
    let (path, typed, files) = path_and_value("insert", args.words, (&args.value, &args.edit))?;
    let action = Action::insert(value::given(typed, &args.value)?).with_key(typed_key(args.key));
    let operation = on_path(action.placed(position(args.place)), &path, &args.edit)?;
    edit_all(&args.edit, &files, &[operation])
}

/// Runs `ketch del`.
pub fn del(args: DelArgs) -> Result<Status, Failure> {
    if args.edits.is_empty() {
        let ([path], files) = words("del", ["PATH"], args.words, &args.edit)?;
        return edit_all(&args.edit, &files, &[on_path(Action::Delete, &path, &args.edit)?]);
    }
    named::refuse_words(&args.words)?;
    let operations = args.edits.iter().map(|path| on_path(Action::Delete, path, &args.edit));
    edit_all(&args.edit, &args.words, &operations.collect::<Result<Vec<_>, _>>()?)
}

/// Runs `ketch rename`.
pub fn rename(args: RenameArgs) -> Result<Status, Failure> {
    let ([path, key], files) = words("rename", ["PATH", "KEY"], args.words, &args.edit)?;
    let operation = on_path(Action::Rename(new_key(key)?), &path, &args.edit)?;
    edit_all(&args.edit, &files, &[operation])
}

/// Returns the new key that `typed` is: text, or a quoted scalar as a whole.
fn new_key(typed: String) -> Result<String, Failure> {
    if let Some(text) = value::unquoted(&typed) {
        return Ok(text);
    }
    match typed.strip_prefix('.').filter(|rest| !rest.is_empty()) {
        Some(rest) => Err(Failure::Usage(format!(
            "the new key is no path: write `{rest}`, or `'\"{typed}\"'` for a key that starts with a dot"
        ))),
        None => Ok(typed),
    }
}

/// Returns the key `typed`, as YAML: text, or a quoted scalar as a whole. As in a path, digits are a
/// number.
fn typed_key(typed: Option<String>) -> Option<String> {
    typed.map(|typed| match value::unquoted(&typed) {
        Some(text) => formats::quoted(&text),
        None if typed.parse::<i64>().is_ok() => typed,
        None => formats::quoted(&typed),
    })
}

/// Runs `ketch move`.
pub fn move_to(args: MoveArgs) -> Result<Status, Failure> {
    let ([path, to], files) = words("move", ["PATH", "TO"], args.words, &args.edit)?;
    let target = parsed(&to)?;
    if target.has_wildcards() || target.documents().is_some() {
        let message = format!("`{to}` must lead to one collection of the same document");
        return Err(Failure::Usage(message));
    }
    let action = Action::Move(Transfer::to(target.steps().to_vec())).with_key(typed_key(args.key));
    let operation = on_path(action.placed(position(args.place)), &path, &args.edit)?;
    edit_all(&args.edit, &files, &[operation])
}

/// Runs `ketch sort`.
pub fn sort(args: SortArgs) -> Result<Status, Failure> {
    let ([path], files) = words("sort", ["PATH"], args.words, &args.edit)?;
    let by = args.by.as_deref().map(parsed).transpose()?.unwrap_or_default();
    let by = by.steps().to_vec();
    let action = Action::Sort { by, recursive: args.recursive };
    edit_all(&args.edit, &files, &[on_path(action, &path, &args.edit)?])
}

/// Runs `ketch comment`.
pub fn comment(args: CommentArgs) -> Result<Status, Failure> {
    let (path, text, files) = match args.remove {
        true => {
            let ([path], files) = words("comment --remove", ["PATH"], args.words, &args.edit)?;
            (path, None, files)
        }
        false => {
            let ([path, text], files) = words("comment", ["PATH", "TEXT"], args.words, &args.edit)?;
            // The mark of the comment may be typed, too.
            let text = text
                .strip_prefix('#')
                .map_or(text.as_str(), |text| text.strip_prefix(' ').unwrap_or(text));
            (path, Some(text.to_owned()), files)
        }
    };
    let place = if args.trailing { CommentPlace::Trailing } else { CommentPlace::Leading };
    let operation = on_path(Action::Comment { place, text }, &path, &args.edit)?;
    edit_all(&args.edit, &files, &[operation])
}

/// Runs `ketch patch`.
pub fn patch(args: PatchArgs) -> Result<Status, Failure> {
    let reads_stdin = args.files.iter().any(|file| file == "-") || args.files.is_empty();
    if args.ops == "-" && reads_stdin && args.edit.files_from.is_none() {
        let message = "standard input can be the edits or a file, not both";
        return Err(Failure::Usage(message.to_owned()));
    }
    let text = text_of(&args.ops, input::read(&args.ops)?)?;
    let operations = Operation::parse_all(&text).map_err(|error| refused(&args.ops, &error))?;
    let operations: Vec<_> =
        operations.into_iter().map(|each| with_defaults(each, &args.edit)).collect();
    edit_all(&args.edit, &args.files, &operations)
}

/// Returns the first `N` words of a command, which `names` names, and the words after them, which
/// are files.
fn words<const N: usize>(
    command: &str,
    names: [&str; N],
    all: Vec<String>,
    edit: &EditArgs,
) -> Result<([String; N], Vec<String>), Failure> {
    let is_file = |name: &String| name == "-" || is_file(name);
    // The file has been given first, as in other tools.
    if all.len() > N && is_file(&all[0]) && !all[1..].iter().any(is_file) {
        let order = all[1..].iter().chain(&all[..1]).map(String::as_str);
        let right = format!("ketch {command} {}", shell::line(order));
        return Err(Failure::Usage(format!("the path comes first, the file last: `{right}`")));
    }
    let is_unclear = all.len() == N && N > 1 && all[N - 1] != "-" && is_file(&all[N - 1]);
    if is_unclear && edit.files_from.is_none() && !std::io::stdin().is_terminal() {
        return Err(unclear_last(command, names[N - 1], &all));
    }
    let mut all = all.into_iter();
    let first: Vec<String> = all.by_ref().take(N).collect();
    let count = first.len();
    match <[String; N]>::try_from(first) {
        Ok(first) => {
            let files: Vec<String> = all.collect();
            named::refuse_unquoted(command, &first, &files)?;
            Ok((first, files))
        }
        Err(_) => Err(Failure::Usage(format!("`ketch {command}` needs {}", names[count]))),
    }
}

/// Returns the failure for a command whose last needed word, `last`, is an existing file. `all` are
/// its words. Without a file, it would edit standard input.
fn unclear_last(command: &str, name: &str, all: &[String]) -> Failure {
    let words = |more: &str| {
        let words = all.iter().map(String::as_str);
        shell::line(words.chain([more]))
    };
    let last = &all[all.len() - 1];
    let before = shell::line(all[..all.len() - 1].iter().map(String::as_str));
    let file = shell::word(last);
    Failure::Usage(format!(
        "`{last}` is a file, so it is unclear what is missing: `ketch {command} {before} {name} {file}` edits \
         it, and `ketch {command} {}` edits standard input",
        words("-")
    ))
}

/// Returns the path, the value if it is an argument, and the files that the arguments of a command
/// give.
fn path_and_value(
    command: &str,
    all: Vec<String>,
    (value, edit): (&ValueArgs, &EditArgs),
) -> Result<(String, Option<String>, Vec<String>), Failure> {
    if value.source.env.is_some() || value.source.value_from.is_some() {
        let ([path], files) = words(command, ["PATH"], all, edit)?;
        return Ok((path, None, files));
    }
    if let [path, files @ ..] = &all[..]
        && let Some((path, typed)) = split_assignment(path)
        && files.iter().all(is_file)
    {
        let files = files.iter().map(String::as_str);
        let right = shell::line(["ketch", command, path, typed].into_iter().chain(files));
        return Err(Failure::Usage(format!(
            "the value is a word of its own: `{right}`; several paths need `-e PATH=VALUE` each"
        )));
    }
    let ([path, typed], files) = words(command, ["PATH", "VALUE"], all, edit)?;
    if edit.write.in_place && is_file(&typed) {
        let message =
            format!("`{typed}` is written as the value, and there is a file of that name");
        draw::to_stderr(&Diagnostic {
            severity: Severity::Warning,
            help: Some("If the value is missing, write it after the path.".to_owned()),
            ..Diagnostic::sentence(&typed, "file-as-value", "semantic", message)
        });
    }
    Ok((path, Some(typed), files))
}

fn is_file(name: &String) -> bool {
    std::path::Path::new(name).is_file()
}

/// Splits `PATH=VALUE` at the first `=` outside brackets and quotes. Returns `None` if there is
/// none.
fn split_assignment(text: &str) -> Option<(&str, &str)> {
    let (mut depth, mut quote) = (0usize, None);
    for (at, ch) in text.char_indices() {
        match (quote, ch) {
            (Some(open), _) => quote = (ch != open).then_some(open),
            (None, '"' | '\'') => quote = Some(ch),
            (None, '[') => depth += 1,
            (None, ']') => depth = depth.saturating_sub(1),
            (None, '=') if depth == 0 => return Some((&text[..at], &text[at + 1..])),
            _ => {}
        }
    }
    None
}

/// Returns the position of a new entry that the arguments give.
fn position(place: PlaceArgs) -> Position {
    match place {
        PlaceArgs { before: Some(key), .. } => Position::Before(key),
        PlaceArgs { after: Some(key), .. } => Position::After(key),
        PlaceArgs { first: true, .. } => Position::First,
        PlaceArgs { index: Some(index), .. } => Position::Index(index),
        _ => Position::Last,
    }
}

/// Creates an operation on the path `path`, with the options that the arguments give.
fn on_path(action: Action, path: &str, args: &EditArgs) -> Result<Operation, Failure> {
    let mut operation = Operation::at(action, &parsed(path)?);
    operation.is_typed = true;
    operation.everywhere = args.document.is_none();
    Ok(with_defaults(operation, args))
}

fn parsed(path: &str) -> Result<Path, Failure> {
    path.parse().map_err(|error| super::get::wrong_path(path, &error))
}

/// Sets the document and the alias mode of an operation to those of the arguments, unless the
/// operation has its own.
fn with_defaults(mut operation: Operation, args: &EditArgs) -> Operation {
    if operation.doc == 0 {
        operation.doc = args.document.unwrap_or(0);
    }
    operation.alias = operation.alias.or(args.write.alias.map(Into::into));
    if args.if_exists {
        operation.if_absent = IfAbsent::Skip;
    }
    operation
}
