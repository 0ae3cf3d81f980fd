//! Encodes errors as fields for Java. Each field consists of its length (four bytes, big-endian; -1
//! if the field is missing) and its text in UTF-8. `Failure.java` reads the fields in the same
//! order.

use crate::packed::put_text;
use ketch_edit::EditError;
use ketch_host::edit::Refusal;
use ketch_host::query::Trouble;
use ketch_host::raised::{Fact, Field, Raised, WrongSchema};
use ketch_yaml::{Error, Location};

/// Returns the fields of an error of the engine, encoded for Java.
pub fn fields(error: Error, file: Option<&str>) -> Vec<u8> {
    let error = match file {
        Some(file) => error.with_file(file),
        None => error,
    };
    packed(Raised::engine(&error, error.to_string(), None))
}

/// Returns the fields of an error of a program or its run, encoded for Java.
pub fn query_fields(trouble: Trouble, file: Option<&str>) -> Vec<u8> {
    match trouble {
        Trouble::Text(error) => fields(error, file),
        Trouble::Edit(error) => packed(Raised::edit(&error, file, 1)),
        Trouble::Program(fault) => packed(fault.raised()),
    }
}

/// Returns the fields of an exception, encoded for Java.
fn packed(raised: Raised<'_>) -> Vec<u8> {
    let mut fields = Fields::default();
    fields.text(Some(match raised.class {
        "DuplicateKeyError" => "duplicate",
        "LimitError" => "limit",
        "ValueError" => "value",
        "SyntaxError" => "syntax",
        "QueryError" => "query",
        _ => "edit",
    }));
    fields.text(Some(&raised.message));
    let all = raised.fields();
    fields.facts(all.into_iter().filter(|(name, _)| !["file", "operation"].contains(name)));
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
    let raised = Raised::own("ValueError", message, help, Some(location), file);
    packed(Raised { name: Some("SeveralDocuments"), ..raised })
}

/// Returns the fields of an edit that was refused, encoded for Java. If the text is invalid, these
/// are `y` and the fields of the engine's error. Otherwise, they are `e`, the fields of an error as
/// [`fields`] has them, the name of Ruby's exception, and the index of the operation. `count` is the
/// number of operations.
pub fn edit_fields(error: &EditError, file: Option<&str>, count: usize) -> Vec<u8> {
    let raised = Raised::edit(error, file, count);
    if error.cause().is_some() && !error.is_in_value() {
        return [vec![b'y'], packed(raised)].concat();
    }
    let mut end = Fields::default();
    end.text(Some(raised.class));
    end.number(raised.operation.map(|index| index as u64));
    [vec![b'e'], packed(raised), end.0].concat()
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
pub fn schema_fields(wrong: &WrongSchema) -> Vec<u8> {
    let mut fields = Fields::default();
    fields.text(Some(&wrong.message));
    fields.facts(wrong.fields());
    fields.0
}

#[derive(Debug, Default)]
pub struct Fields(pub Vec<u8>);

impl Fields {
    /// Appends a text, or a missing field if it is `None`.
    pub fn text(&mut self, text: Option<&str>) {
        put_text(&mut self.0, text);
    }

    /// Appends a number as text, or a missing field if it is `None`.
    pub fn number(&mut self, number: Option<u64>) {
        self.text(number.map(|number| number.to_string()).as_deref());
    }

    /// Appends fields.
    fn facts<'f>(&mut self, facts: impl IntoIterator<Item = Field<'f>>) {
        for (_, fact) in facts {
            match fact {
                Some(Fact::Text(text)) => self.text(Some(&text)),
                Some(Fact::Name(name)) => self.text(Some(name)),
                Some(Fact::Number(number)) => self.number(Some(number)),
                None => self.text(None),
            }
        }
    }
}
