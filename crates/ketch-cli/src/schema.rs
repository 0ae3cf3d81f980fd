//! Reads and checks extprot schemas.

use crate::binary;
use crate::diagnostic::Diagnostic;
use crate::draw;
use crate::file_name;
use crate::input;
use crate::status::{Failure, Status};
use ketch_extprot::schema::{FileLoader, Schema, Source, Type, TypeId, check_schema};
use ketch_files::Stamp;

/// The maximum number of problems that are reported for a schema.
const PROBLEMS_MAX: usize = 100;

/// Reads the schema `file`, and returns its text and its name.
pub fn source(file: &str) -> Result<Source, Failure> {
    as_source(file, input::read(file)?)
}

/// Reads the schema `file`, to which a new content will be written. Returns its text and its name,
/// and its stamp unless it is standard input.
pub fn source_to_replace(file: &str) -> Result<(Source, Option<Stamp>), Failure> {
    let (bytes, stamp) = input::read_to_replace(file)?;
    Ok((as_source(file, bytes)?, stamp))
}

/// Returns `bytes`, the content of the schema `file`, as text. It is an error if they are not
/// UTF-8.
fn as_source(file: &str, bytes: Vec<u8>) -> Result<Source, Failure> {
    let name = file_name::shown(file).to_owned();
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Source { name, text }),
        Err(error) => {
            let what = binary::describe(error.as_bytes());
            let at = error.utf8_error().valid_up_to();
            Err(Failure::Input(Box::new(match what {
                Some(what) => Diagnostic::binary(file, what),
                None => {
                    let message = format!("invalid UTF-8 at byte {at}");
                    let mut error = Diagnostic::sentence(file, "NotUtf8", "encoding", message);
                    error.help = Some("Save the schema as UTF-8.".to_owned());
                    error.set_offset(Some(at as u64));
                    error
                }
            })))
        }
    }
}

/// Checks `source`. Returns the schema or, if it is not valid, its problems, at most
/// [`PROBLEMS_MAX`] of them.
pub fn check(source: &Source) -> Result<Schema, Vec<Diagnostic>> {
    check_schema(&source.name, &source.text, &mut FileLoader).map_err(|errors| {
        let shown = errors.list.iter().take(PROBLEMS_MAX);
        let mut shown: Vec<_> = shown.map(|one| Diagnostic::schema(&errors, one)).collect();
        if errors.list.len() > PROBLEMS_MAX {
            shown.push(Diagnostic::more_problems(&source.name, PROBLEMS_MAX));
        }
        shown
    })
}

/// Reads and checks the schema `file`. If it is not valid, prints its problems, and returns the
/// status with which the command ends.
pub fn open(file: &str) -> Result<Result<Schema, Status>, Failure> {
    let source = source(file)?;
    Ok(check(&source).map_err(|diagnostics| {
        diagnostics.iter().for_each(draw::to_stderr);
        Status::WrongInput
    }))
}

/// A schema, and one of its messages.
#[derive(Debug)]
pub struct Typed {
    pub schema: Schema,
    pub message: TypeId,
}

/// Does the same as [`open`], and selects the message `name` or, if no name is given, the only
/// message of the schema.
pub fn open_typed(file: &str, name: Option<&str>) -> Result<Result<Typed, Status>, Failure> {
    let schema = match open(file)? {
        Ok(schema) => schema,
        Err(status) => return Ok(Err(status)),
    };
    let message = message(&schema, file, name)?;
    Ok(Ok(Typed { schema, message }))
}

/// Returns the message `name` of `schema` or, if no name is given, its only message. `file` is for
/// errors.
fn message(schema: &Schema, file: &str, name: Option<&str>) -> Result<TypeId, Failure> {
    let messages: Vec<(&str, TypeId)> = schema.messages().collect();
    let names: Vec<&str> = messages.iter().map(|(name, _)| *name).collect();
    let known = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    match name {
        Some(name) => {
            let found = schema.lookup(name);
            let is_message = |id: &TypeId| matches!(schema.get(*id), Type::Message(_));
            found.filter(is_message).ok_or_else(|| {
                Failure::Usage(format!("{file} has no message {name}; it has: {known}"))
            })
        }
        None => match messages[..] {
            [(_, id)] => Ok(id),
            _ => Err(Failure::Usage(format!("choose with `--message`; {file} has: {known}"))),
        },
    }
}
