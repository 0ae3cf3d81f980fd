//! Converts errors of the extprot codec to diagnostics. Binary data has no lines, so locations are
//! offsets.

use crate::diagnostic::Diagnostic;
use crate::file_name;
use crate::status::Failure;
use ketch_extprot::{Class, Error, Problem};
use std::io;

/// Returns the failure for an error of the codec in `file`, whose content starts with `head`.
pub fn failure(file: &str, head: &[u8], error: &Error) -> Failure {
    match error.problem() {
        Problem::Io(cause) => {
            let cause = io::Error::new(cause.kind(), cause.to_string());
            Failure::Read(file_name::shown(file).to_owned(), cause)
        }
        _ => Failure::Input(Box::new(diagnostic(file, head, error))),
    }
}

/// Returns the diagnostic for an error of the codec in `file`, whose content starts with `head`.
pub fn diagnostic(file: &str, head: &[u8], error: &Error) -> Diagnostic {
    let (kind, help) = describe(error.problem());
    let class = match error.class() {
        Class::Syntax | Class::Eof => "syntax",
        Class::Semantic => "semantic",
        Class::Limit => "limit",
        Class::Io => "io",
        _ => "other",
    };
    let path = error.path_text();
    let message = match path.as_str() {
        "" => error.message(),
        path => format!("{path}: {}", error.message()),
    };
    let mut diagnostic = Diagnostic::sentence(file, kind, class, message);
    diagnostic.help = if is_text(head) { Some(TEXT) } else { help }.map(str::to_owned);
    diagnostic.set_offset(error.offset_bytes());
    diagnostic
}

const TEXT: &str = "The input is text, not extprot. If it is YAML or JSON, convert it first: \
    `ketch convert FILE --to extprot -o FILE.bin`.";

/// Returns whether the input, which starts with `head` and was rejected by the codec, is text.
/// extprot data nearly always contains control characters, because lengths and counts are usually
/// small.
fn is_text(head: &[u8]) -> bool {
    let is_control = |byte: &u8| *byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r');
    let is_utf8 =
        std::str::from_utf8(head).map_or_else(|error| error.error_len().is_none(), |_| true);
    head.len() >= 4 && is_utf8 && !head.iter().any(is_control)
}

/// Returns the help that names the option for raising `limit`, or `None` if there is no such
/// option.
fn option_of(limit: &str) -> Option<&'static str> {
    match limit {
        "depth" => Some("Raise `--max-depth` if you trust the input."),
        "message_length" => Some("Raise `--max-buffer-bytes` if you trust the input."),
        "default_values" => Some("Raise `--max-nodes` if you trust the input."),
        // The command has no options for the other limits.
        _ => None,
    }
}

/// Returns the name of a problem, which programs can compare, and its help.
fn describe(kind: &Problem) -> (&'static str, Option<&'static str>) {
    const WHOLE: &str = "All values before this offset are complete. Get the rest of the stream, \
        or look at it with `ketch extprot inspect`.";
    const SCHEMA: &str = "Compare the writer's schema with this one: `ketch extprot compat`.";
    match kind {
        Problem::Eof => ("Eof", Some(WHOLE)),
        Problem::BadWireType { .. } => ("BadWireType", Some(SCHEMA)),
        Problem::UnknownTag { .. } => ("UnknownTag", Some(SCHEMA)),
        Problem::MissingField => ("MissingField", Some(SCHEMA)),
        Problem::MissingTupleElement { .. } => ("MissingTupleElement", Some(SCHEMA)),
        Problem::LimitExceeded { limit, .. } => ("LimitExceeded", option_of(limit)),
        Problem::Conversion(_) => ("Conversion", None),
        Problem::WrongProtocolVersion { .. } => ("WrongProtocolVersion", None),
        Problem::VintTooLong => ("VintTooLong", Some(WHOLE)),
        Problem::IntRange { .. } => ("IntRange", None),
        Problem::NotCanonical(_) => ("NotCanonical", None),
        Problem::TrailingBytes => ("TrailingBytes", None),
        Problem::NotUtf8 => ("NotUtf8", None),
        Problem::Shape { .. } => ("Shape", None),
        Problem::ReadOnly => ("ReadOnly", Some("Write the whole message; a subset is read-only.")),
        Problem::External { .. } => {
            ("External", Some("Put the external schema in the same folder."))
        }
        Problem::Io(_) => ("Io", None),
        _ => ("Other", None),
    }
}
