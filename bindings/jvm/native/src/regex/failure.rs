//! Errors of patterns and searches, encoded for Java. The first field is the kind; `RegexFailure.java` lists the
//! kinds, and reads the other fields in the order in which they are written here.

use crate::failure::Fields;
use ketch_host::pattern::message;
use ketch_regex::{Class, Error, Problem};

/// Returns the fields of an engine's error.
#[cold]
pub fn of(error: &Error) -> Vec<u8> {
    let problem = error.problem();
    let is_syntax = matches!(error.class(), Class::Syntax | Class::Irregular);
    let mut fields = Fields::default();
    fields.text(Some(match problem {
        Problem::Timeout(_) => return late(),
        _ if is_syntax => "syntax",
        _ => "limit",
    }));
    let mut message = error.ruby_message();
    if is_syntax {
        let shown = error.caret().replace('\n', "\n    ");
        message = format!("{message}\n    {shown}\n{}", problem.help());
    }
    fields.text(Some(&message));
    fields.text(Some(&problem.to_string()));
    fields.text(Some(problem.name()));
    fields.text(Some(problem.help()));
    fields.text(problem.setting());
    fields.number(is_syntax.then(|| error.column() as u64));
    fields.number(is_syntax.then(|| error.span().start as u64));
    fields.0
}

/// Returns the fields of a pattern that is wrong as a whole.
#[cold]
pub fn whole(problem: &str, source: &[u8]) -> Vec<u8> {
    let mut fields = plain("whole", &message(problem, source));
    fields.text(Some(problem));
    fields.0
}

/// Returns the fields of a template that refers to no group.
#[cold]
pub fn template(error: &Error) -> Vec<u8> {
    match error.problem() {
        Problem::UndefinedName(name) => {
            plain("index", &format!("undefined group name reference: {name}")).0
        }
        problem => plain("runtime", &problem.to_string()).0,
    }
}

/// Returns the fields of a search that has exceeded its time limit.
#[cold]
pub fn late() -> Vec<u8> {
    plain("timeout", "regexp match timeout").0
}

/// Returns the fields of a line that is too long.
#[cold]
pub fn too_long(message: &str) -> Vec<u8> {
    plain("long", message).0
}

/// Returns the fields of a stream that cannot be read.
#[cold]
pub fn unreadable(message: &str) -> Vec<u8> {
    plain("io", message).0
}

/// Returns the fields for too little memory.
#[cold]
pub fn no_memory() -> Vec<u8> {
    plain("memory", "failed to allocate memory").0
}

/// Returns the fields of a panic.
#[cold]
pub fn internal(message: &str) -> Vec<u8> {
    plain("internal", message).0
}

fn plain(kind: &str, message: &str) -> Fields {
    let mut fields = Fields::default();
    fields.text(Some(kind));
    fields.text(Some(message));
    fields
}
