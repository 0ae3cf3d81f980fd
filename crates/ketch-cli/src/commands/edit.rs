//! `ketch set`, `ketch del` and `ketch patch`: edits that leave every other byte alone.

use crate::args::{AliasArg, DelArgs, EditArgs, PatchArgs, SetArgs};
use crate::diagnostic::Diagnostic;
use crate::draw;
use crate::file_name;
use crate::input;
use crate::line_diff;
use crate::output::{Output, print};
use crate::read;
use crate::status::{Failure, Status};
use ketch_bytes::encoding::Encoding;
use ketch_yaml::edit::{Edit, EditError, EditErrorKind, Operation};
use ketch_yaml::path::Path;
use ketch_yaml::{Error, Parser};
use std::io::Write;

/// Sets a value in all files.
pub fn set(args: SetArgs) -> Result<Status, Failure> {
    let value = match args.str {
        // JSON's escapes are YAML's.
        true => serde_json::Value::from(args.value).to_string(),
        false => args.value,
    };
    let order = format!("ketch set {value} {} {}", args.edit.files.join(" "), args.path);
    let operation = on_path("set", &args.path, &args.edit, &order)?.with_value(&value);
    edit_all(&args.edit, &[operation])
}

/// Deletes an entry in all files.
pub fn del(args: DelArgs) -> Result<Status, Failure> {
    let order = format!("ketch del {} {}", args.edit.files.join(" "), args.path);
    edit_all(&args.edit, &[on_path("delete", &args.path, &args.edit, &order)?])
}

/// Applies a list of operations to all files.
pub fn patch(args: PatchArgs) -> Result<Status, Failure> {
    if args.ops == "-" && args.edit.files.iter().any(|file| file == "-") {
        let message = "standard input can be the edits or a file, not both";
        return Err(Failure::Usage(message.to_owned()));
    }
    let text = text_of(&args.ops, input::read(&args.ops)?)?;
    let operations = Operation::parse_all(&text).map_err(|error| refused(&args.ops, &error))?;
    let operations: Vec<_> =
        operations.into_iter().map(|each| with_defaults(each, &args.edit)).collect();
    edit_all(&args.edit, &operations)
}

/// An operation on a path of the arguments. `order` is the command with path and file exchanged.
fn on_path(op: &str, path: &str, args: &EditArgs, order: &str) -> Result<Operation, Failure> {
    let is_file = |name: &str| std::path::Path::new(name).is_file();
    if is_file(path) && !args.files.iter().any(|file| file == "-" || is_file(file)) {
        return Err(Failure::Usage(format!("the path comes first, the file last: `{order}`")));
    }
    let parsed: Path = path.parse().map_err(|error| super::get::wrong_path(path, &error))?;
    Ok(with_defaults(Operation::at(op, &parsed), args))
}

/// The operation, where it says nothing else, on the document and with the aliases of the options.
fn with_defaults(mut operation: Operation, args: &EditArgs) -> Operation {
    if operation.doc == 0 {
        operation.doc = args.document;
    }
    let alias = args.alias.map(|alias| match alias {
        AliasArg::Through => "through".to_owned(),
        AliasArg::Detach => "detach".to_owned(),
    });
    operation.alias = operation.alias.or(alias);
    operation
}

/// Edits all files, also after errors.
fn edit_all(args: &EditArgs, operations: &[Operation]) -> Result<Status, Failure> {
    let prints = !(args.in_place || args.diff || args.check);
    if prints && args.files.len() > 1 {
        let message = "several files need `--in-place`, `--diff` or `--check`";
        return Err(Failure::Usage(message.to_owned()));
    }
    if args.in_place && args.files.iter().any(|file| file == "-") {
        let message = "standard input cannot be edited in place";
        return Err(Failure::Usage(message.to_owned()));
    }
    let mut status = Status::Fine;
    for file in &args.files {
        match edit(args, file, operations) {
            Ok(edited) => status = status.max(edited),
            Err(failure @ Failure::Closed) => return Err(failure),
            Err(failure) => status = status.max(draw::failure(&failure)),
        }
    }
    Ok(status)
}

fn edit(args: &EditArgs, file: &str, operations: &[Operation]) -> Result<Status, Failure> {
    let bytes = match args.in_place {
        true => input::read_to_replace(file)?,
        false => input::read(file)?,
    };
    let old = text_of(file, bytes)?;
    let mut edit = Edit::open(&old).map_err(|error| refused(file, &error))?;
    edit.apply(operations).map_err(|error| match (error.operation(), operations.len()) {
        (Some(index), count @ 2..) => refused_of_many(file, &error, (index, count)),
        _ => refused(file, &error),
    })?;
    let new = edit.text();
    let differs = new != old;
    if args.diff && differs {
        let name = file_name::shown(file);
        print(|out| line_diff::write_unified(out, name, old.as_bytes(), new.as_bytes()))?;
    }
    if args.check {
        if differs && !args.diff {
            print(|out| writeln!(out, "{}", file_name::shown(file)))?;
        }
        return Ok(if differs { Status::WrongInput } else { Status::Fine });
    }
    if args.in_place && differs {
        let mut output = Output::open(Some(file), args.write_through)?;
        let written = output.write_all(new.as_bytes());
        written.map_err(|error| Failure::write(output.name(), error))?;
        output.finish()?;
    } else if !args.in_place && !args.diff {
        print(|out| out.write_all(new.as_bytes()))?;
    }
    Ok(Status::Fine)
}

/// The text of a file, which must be UTF-8.
fn text_of(file: &str, bytes: Vec<u8>) -> Result<String, Failure> {
    if Encoding::detect(&bytes).0 != Encoding::Utf8 {
        let message = "only UTF-8 can be edited".to_owned();
        let mut diagnostic = Diagnostic::sentence(file, "Encoding", "encoding", message);
        diagnostic.help = Some("Convert it to UTF-8 first.".to_owned());
        return Err(Failure::Input(Box::new(diagnostic)));
    }
    String::from_utf8(bytes).map_err(|error| {
        let bytes = error.into_bytes();
        match first_error(&bytes) {
            Some(error) => read::failure(file, &bytes, error),
            None => Failure::Input(Box::new(Diagnostic::binary(file, "not UTF-8".to_owned()))),
        }
    })
}

/// The parser's first error.
fn first_error(bytes: &[u8]) -> Option<Error> {
    let mut parser = Parser::new(bytes);
    loop {
        match parser.next_chunk() {
            Ok(Some(_)) => {}
            Ok(None) => return None,
            Err(error) => return Some(error),
        }
    }
}

/// A refusal as a failure.
fn refused(file: &str, error: &EditError) -> Failure {
    if let Some(cause) = error.cause() {
        let file = if error.is_in_value() { "VALUE" } else { file };
        return Failure::Input(Box::new(Diagnostic::error(
            file,
            cause.location().text.as_bytes(),
            cause,
        )));
    }
    let kind = error.kind();
    let message = error.message().to_owned();
    let mut diagnostic = Diagnostic::sentence(file, kind.name(), "semantic", message);
    diagnostic.location = error.location().cloned();
    diagnostic.help = Some(help(kind).to_owned());
    match kind {
        EditErrorKind::NotFound => Failure::Missing(Box::new(diagnostic)),
        _ => Failure::Input(Box::new(diagnostic)),
    }
}

/// The refusal of one of many edits.
fn refused_of_many(file: &str, error: &EditError, (index, count): (usize, usize)) -> Failure {
    let mut failure = refused(file, error);
    if let Failure::Missing(diagnostic) | Failure::Input(diagnostic) = &mut failure {
        diagnostic.message = format!("edit {} of {count}: {}", index + 1, diagnostic.message);
        // The text that a later edit saw is not the file's.
        if index > 0 && !error.is_in_value() {
            diagnostic.location = None;
        }
    }
    failure
}

/// How to proceed.
fn help(kind: EditErrorKind) -> &'static str {
    match kind {
        EditErrorKind::NotFound => "`ketch get` shows what there is; `ketch set` adds keys.",
        EditErrorKind::NotOwned => "Edit the mapping that it is merged from, or set the key here.",
        EditErrorKind::ThroughAlias => {
            "`--alias through` edits the anchored node, `--alias detach` a copy of it here."
        }
        EditErrorKind::AnchorInUse => "Delete or replace the aliases first.",
        EditErrorKind::DuplicateKey => "Delete or rename one of the entries by hand.",
        EditErrorKind::KindMismatch => "Choose the path of a node of the right kind.",
        EditErrorKind::TestFailed => "The file has changed: check the edits.",
        EditErrorKind::BadOperation => {
            "`ketch patch --help` lists the operations and their fields."
        }
        _ => "The file is unchanged: edit this part by hand.",
    }
}
