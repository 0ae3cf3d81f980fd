//! Encodes errors as fields for Java. Each field consists of its length (four bytes, big-endian; -1
//! if the field is missing) and its text in UTF-8. `Failure.java` reads the fields in the same
//! order.

use ketch_edit::EditError;
use ketch_extprot::schema::Diagnostics;
use ketch_host::edit::{self, Refusal, describe};
use ketch_yaml::{Class, Error, Location, Problem};

/// Returns the fields of an error of the engine, encoded for Java.
pub fn fields(error: Error, file: Option<&str>) -> Vec<u8> {
    let error = match file {
        Some(file) => error.with_file(file),
        None => error,
    };
    with_message(&error, &error.to_string())
}

/// Returns the fields of an error of the engine, with this message, encoded for Java.
fn with_message(error: &Error, message: &str) -> Vec<u8> {
    let problem = error.problem();
    let mut fields = Fields(Vec::new());
    fields.text(Some(class_name(problem)));
    fields.text(Some(message));
    fields.text(Some(&error.message()));
    fields.text(Some(problem.name()));
    fields.text(Some(error.help()));
    fields.text(problem.setting());
    fields.location(error.location());
    fields.number(error.related().map(|related| related.line));
    fields.number(error.related().map(|related| related.column));
    fields.0
}

/// Returns the fields of the error for a stream with several documents, which the binding itself
/// detects, encoded for Java.
pub fn several_documents_fields(
    message: &str,
    help: &str,
    location: &Location,
    file: Option<&str>,
) -> Vec<u8> {
    let mut fields = Fields(Vec::new());
    fields.text(Some("value"));
    fields.text(Some(&location.message(file, message, help)));
    fields.text(Some(message));
    fields.text(Some("SeveralDocuments"));
    fields.text(Some(help));
    fields.text(None);
    fields.location(location);
    fields.number(None);
    fields.number(None);
    fields.0
}

/// Returns the fields of an edit that was refused, encoded for Java. If the text is invalid, these
/// are `y` and the fields of the engine's error. Otherwise, they are `e`, the fields of an error as
/// [`fields`] has them, the name of Ruby's exception, and the index of the operation. `count` is the
/// number of operations.
pub fn edit_fields(error: &EditError, file: Option<&str>, count: usize) -> Vec<u8> {
    let message = describe(error, file, count);
    if let Some(cause) = error.cause().filter(|_| !error.is_in_value()) {
        return [vec![b'y'], with_message(cause, &message)].concat();
    }
    let mut fields = Fields(vec![b'e']);
    fields.text(Some("edit"));
    fields.text(Some(&message));
    fields.text(Some(error.message()));
    fields.text(Some(error.kind().name()));
    fields.text(Some(edit::help(error.kind())));
    fields.text(None);
    match error.location() {
        Some(location) => fields.location(location),
        None => (0..5).for_each(|_| fields.text(None)),
    }
    fields.number(None);
    fields.number(None);
    fields.text(Some(edit::class_name(error.kind())));
    fields.number(error.operation().map(|index| index as u64));
    fields.0
}

/// Returns the reason why a session has refused a call, encoded for Java: the fields of
/// [`edit_fields`] or, for a stale view, `s` and a message.
pub fn refusal_fields(refusal: Refusal, file: Option<&str>) -> Vec<u8> {
    match refusal {
        Refusal::Edit(error) => edit_fields(&error, file, 1),
        Refusal::Yaml(error) => [vec![b'y'], fields(error, file)].concat(),
        Refusal::Stale(message) => [b"s", message.as_bytes()].concat(),
    }
}

/// Returns the fields of an error for an invalid schema, encoded for Java. The message contains all
/// errors; the other fields describe the first one.
pub fn schema_fields(message: &str, wrong: Option<&Diagnostics>) -> Vec<u8> {
    let mut fields = Fields(Vec::new());
    fields.text(Some(message.trim_end()));
    if let Some(wrong) = wrong
        && let Some(first) = wrong.list.first()
    {
        let location = wrong.sources.location(first.span);
        fields.text(Some(location.file));
        fields.text(Some(location.line_text));
        fields.text(Some(&first.message));
        fields.text(Some(&first.help));
        fields.number(Some(location.offset as u64));
        fields.number(Some(location.line as u64));
        fields.number(Some(location.column as u64));
    }
    fields.0
}

/// Returns the name of the exception for a problem, which `Failure.java` uses as well.
fn class_name(problem: Problem) -> &'static str {
    match (problem, problem.class()) {
        (Problem::DuplicateKey, _) => "duplicate",
        (_, Class::Limit) => "limit",
        (_, Class::Semantic) => "value",
        _ => "syntax",
    }
}

#[derive(Debug, Default)]
pub struct Fields(pub Vec<u8>);

impl Fields {
    /// Appends a text, or a missing field if it is `None`.
    pub fn text(&mut self, text: Option<&str>) {
        let len = text.map_or(-1, |text| i32::try_from(text.len()).unwrap_or(i32::MAX));
        self.0.extend_from_slice(&len.to_be_bytes());
        self.0.extend_from_slice(text.unwrap_or_default().as_bytes());
    }

    /// Appends a number as text, or a missing field if it is `None`.
    pub fn number(&mut self, number: Option<u64>) {
        self.text(number.map(|number| number.to_string()).as_deref());
    }

    /// Appends the fields that describe a location.
    fn location(&mut self, location: &Location) {
        self.number(Some(location.line));
        self.number(Some(location.column));
        self.number(Some(location.offset));
        self.number(Some(location.len as u64));
        self.text(Some(&location.text));
    }
}
