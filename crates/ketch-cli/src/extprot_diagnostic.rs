//! Errors of the extprot codec as diagnostics: bytes have no lines, so the location is an offset.

use crate::diagnostic::Diagnostic;
use crate::file_name;
use crate::status::Failure;
use ketch_extprot::{Category, Error, ErrorKind};
use std::io;

/// The failure that the codec's `error` in `file` is.
pub fn failure(file: &str, error: &Error) -> Failure {
    match error.kind() {
        ErrorKind::Io(cause) => {
            let cause = io::Error::new(cause.kind(), cause.to_string());
            Failure::Read(file_name::shown(file).to_owned(), cause)
        }
        _ => Failure::Input(Box::new(diagnostic(file, error))),
    }
}

/// What is to be told about the codec's `error` in `file`.
pub fn diagnostic(file: &str, error: &Error) -> Diagnostic {
    let (kind, help) = describe(error.kind());
    let class = match error.category() {
        Category::Syntax | Category::Eof => "syntax",
        Category::Semantic => "semantic",
        Category::Limit => "limit",
        Category::Io => "io",
    };
    let path = error.path_text();
    let message = match path.as_str() {
        "" => error.message(),
        path => format!("{path}: {}", error.message()),
    };
    let mut diagnostic = Diagnostic::sentence(file, kind, class, message);
    diagnostic.help = help.map(str::to_owned);
    diagnostic.set_offset(error.offset_bytes());
    diagnostic
}

/// The option that raises a limit of the codec.
fn option_of(limit: &str) -> Option<&'static str> {
    match limit {
        "depth" => Some("Raise `--max-depth` if you trust the input."),
        "message_length" => Some("Raise `--max-buffer-bytes` if you trust the input."),
        "default_values" => Some("Raise `--max-nodes` if you trust the input."),
        // The command sets no others.
        _ => None,
    }
}

/// A word for programs, and how to fix it.
fn describe(kind: &ErrorKind) -> (&'static str, Option<&'static str>) {
    const WHOLE: &str = "Everything in front of this place is whole. Get the rest of the stream, \
        or look at it with `ketch extprot inspect`.";
    const SCHEMA: &str = "Compare the writer's schema with this one: `ketch extprot compat`.";
    match kind {
        ErrorKind::Eof => ("Eof", Some(WHOLE)),
        ErrorKind::BadWireType { .. } => ("BadWireType", Some(SCHEMA)),
        ErrorKind::UnknownTag { .. } => ("UnknownTag", Some(SCHEMA)),
        ErrorKind::MissingField => ("MissingField", Some(SCHEMA)),
        ErrorKind::MissingTupleElement { .. } => ("MissingTupleElement", Some(SCHEMA)),
        ErrorKind::LimitExceeded { limit, .. } => ("LimitExceeded", option_of(limit)),
        ErrorKind::Conversion(_) => ("Conversion", None),
        ErrorKind::WrongProtocolVersion { .. } => ("WrongProtocolVersion", None),
        ErrorKind::VintTooLong => ("VintTooLong", Some(WHOLE)),
        ErrorKind::IntRange { .. } => ("IntRange", None),
        ErrorKind::NotCanonical(_) => ("NotCanonical", None),
        ErrorKind::TrailingBytes => ("TrailingBytes", None),
        ErrorKind::NotUtf8 => ("NotUtf8", None),
        ErrorKind::Shape { .. } => ("Shape", None),
        ErrorKind::ReadOnly => ("ReadOnly", Some("Write the message that the subset is of.")),
        ErrorKind::External { .. } => ("External", Some("Put its schema beside this one.")),
        ErrorKind::Io(_) => ("Io", None),
        _ => ("Other", None),
    }
}
