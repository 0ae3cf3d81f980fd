//! Errors as exceptions of a host: the class, the message, and the fields that programs read.

use crate::edit;
use ketch_edit::EditError;
use ketch_extprot::schema::{Diagnostics, FileLoader, Schema, check_file, check_schema};
use ketch_extprot::{Error as ExtprotError, Problem as ExtprotProblem, codegen};
use ketch_yaml::{Class, Error, Location, Problem};
use std::borrow::Cow;

/// The value of a field.
#[derive(Debug)]
pub enum Fact<'f> {
    /// A text.
    Text(Cow<'f, str>),
    /// A name, with hyphens between words. In some languages, it is a symbol.
    Name(&'f str),
    /// A number.
    Number(u64),
}

/// A field: its name, and its value if it has one.
pub type Field<'f> = (&'static str, Option<Fact<'f>>);

fn text<'f>(text: impl Into<Cow<'f, str>>) -> Option<Fact<'f>> {
    Some(Fact::Text(text.into()))
}

/// An exception.
#[derive(Debug, Default)]
pub struct Raised<'f> {
    /// The name of its class in Ruby.
    pub class: &'static str,
    /// The message, with the location, the line and the help.
    pub message: String,
    /// The name of the file or the input.
    pub file: Option<&'f str>,
    /// The problem alone. If it is empty, the message says all.
    pub problem: Cow<'f, str>,
    /// The name of the problem.
    pub name: Option<&'f str>,
    /// What to do about it.
    pub help: &'f str,
    /// The option that sets the limit, if a limit was exceeded.
    pub setting: Option<&'f str>,
    /// The location.
    pub location: Option<&'f Location>,
    /// The related location.
    pub related: Option<&'f Location>,
    /// The index of the operation that was refused.
    pub operation: Option<usize>,
}

impl<'f> Raised<'f> {
    /// Returns the exception for an error of the engine, with this message.
    pub fn engine(error: &'f Error, message: String, file: Option<&'f str>) -> Raised<'f> {
        let problem = error.problem();
        let class = match (problem, problem.class()) {
            (Problem::DuplicateKey, _) => "DuplicateKeyError",
            (_, Class::Limit) => "LimitError",
            (_, Class::Semantic) => "ValueError",
            _ => "SyntaxError",
        };
        Raised {
            class,
            message,
            file,
            problem: error.message(),
            name: Some(problem.name()),
            help: error.help(),
            setting: problem.setting(),
            location: Some(error.location()),
            related: error.related(),
            operation: None,
        }
    }

    /// Returns the exception for an edit that was refused. `count` is the number of operations in it. If
    /// the text is not valid YAML, it is that of [`Raised::engine`].
    pub fn edit(error: &'f EditError, file: Option<&'f str>, count: usize) -> Raised<'f> {
        let message = edit::describe(error, file, count);
        if let Some(cause) = error.cause().filter(|_| !error.is_in_value()) {
            return Raised::engine(cause, message, file);
        }
        Raised {
            class: edit::class_name(error.kind()),
            message,
            file,
            problem: error.message().into(),
            name: Some(error.kind().name()),
            help: edit::help(error.kind()),
            location: error.location(),
            operation: error.operation(),
            ..Raised::default()
        }
    }

    /// Returns the exception for an error that the host itself detects.
    pub fn own(
        class: &'static str,
        problem: &'f str,
        help: &'f str,
        location: Option<&'f Location>,
        file: Option<&'f str>,
    ) -> Raised<'f> {
        let message = edit::message(location, file, problem, help);
        let problem = problem.into();
        Raised { class, message, file, problem, help, location, ..Raised::default() }
    }

    /// Returns the fields.
    pub fn fields(self) -> [Field<'f>; 13] {
        let at = |read: fn(&Location) -> u64| self.location.map(|place| Fact::Number(read(place)));
        let number = |number: Option<u64>| number.map(Fact::Number);
        let has_words = !self.problem.is_empty();
        [
            ("file", self.file.and_then(text)),
            ("problem", if has_words { text(self.problem) } else { None }),
            ("name", self.name.map(Fact::Name)),
            ("help", if has_words { text(self.help) } else { None }),
            ("setting", self.setting.map(Fact::Name)),
            ("line", at(|place| place.line)),
            ("column", at(|place| place.column)),
            ("offset", at(|place| place.offset)),
            ("length", at(|place| place.len as u64)),
            ("line_text", self.location.and_then(|place| text(place.text.as_str()))),
            ("related_line", number(self.related.map(|place| place.line))),
            ("related_column", number(self.related.map(|place| place.column))),
            ("operation", number(self.operation.map(|index| index as u64))),
        ]
    }
}

/// Returns fields of the exception for an error in bytes of extprot that start at the offset `base` of the
/// stream.
pub fn extprot_fields(error: &ExtprotError, base: u64) -> [Field<'_>; 4] {
    let setting = match error.problem() {
        ExtprotProblem::LimitExceeded { limit, .. } => crate::extprot::setting(limit),
        _ => None,
    };
    let path = error.path().next().map(|_| Fact::Text(error.path_text().into()));
    [
        ("offset", error.offset_bytes().map(|offset| Fact::Number(base + offset))),
        ("name", Some(Fact::Name(crate::extprot::problem_name(error.problem())))),
        ("path", path),
        ("setting", setting.map(Fact::Name)),
    ]
}

/// The reason why a schema has no code.
#[derive(Debug)]
pub struct WrongSchema {
    /// All errors.
    pub message: String,
    diagnostics: Option<Diagnostics>,
}

impl WrongSchema {
    /// Returns the fields of the exception, which describe the first error, if the schema is wrong.
    pub fn fields(&self) -> Vec<Field<'_>> {
        let Some(wrong) = &self.diagnostics else { return Vec::new() };
        let Some(first) = wrong.list.first() else { return Vec::new() };
        let location = wrong.sources.location(first.span);
        vec![
            ("file", text(location.file)),
            ("line_text", text(location.line_text)),
            ("problem", text(first.message.as_str())),
            ("help", text(first.help.as_str())),
            ("offset", Some(Fact::Number(location.offset as u64))),
            ("line", Some(Fact::Number(location.line as u64))),
            ("column", Some(Fact::Number(location.column as u64))),
        ]
    }
}

/// Returns the code that `generate` makes of a schema. If `text` is `None`, `name` is the name of the file
/// with the schema.
///
/// # Errors
///
/// Fails if the schema is wrong, or has no code.
pub fn schema_source(
    name: &str,
    text: Option<&str>,
    generate: impl FnOnce(&Schema) -> Result<String, codegen::Error>,
) -> Result<String, WrongSchema> {
    let schema = match text {
        Some(text) => check_schema(name, text, &mut FileLoader),
        None => check_file(name),
    };
    let source = schema.map_err(codegen::Error::Schema).and_then(|schema| generate(&schema));
    source.map_err(|error| {
        let message = error.to_string().trim_end().to_owned();
        let diagnostics = match error {
            codegen::Error::Schema(wrong) => Some(wrong),
            _ => None,
        };
        WrongSchema { message, diagnostics }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ketch_edit::{Edit, Operation};

    /// Returns the fields that have a value, in a short form.
    fn shown<'f>(fields: impl IntoIterator<Item = Field<'f>>) -> Vec<String> {
        let shown = |(name, fact): Field<'_>| fact.map(|fact| format!("{name}: {fact:?}"));
        fields.into_iter().filter_map(shown).collect()
    }

    #[test]
    fn an_edit_of_invalid_text_raises_the_error_of_the_text() {
        let mut text = Edit::deferred("a: [".to_owned());
        let set = Operation::parse_all("[{op: set, path: a, value: 1}]").unwrap();
        let error = text.apply(&set).unwrap_err();
        let raised = Raised::edit(&error, Some("f"), 1);
        assert_eq!(raised.class, "SyntaxError");
        assert!(raised.message.starts_with("f:1:5: a `[`"), "{}", raised.message);
        assert!(shown(raised.fields()).contains(&"column: Number(5)".to_owned()));
    }

    #[test]
    fn a_refused_edit_names_its_operation() {
        let mut text = Edit::open("a: 1\n").unwrap();
        let set = Operation::parse_all("[{op: delete, path: a}, {op: delete, path: b}]").unwrap();
        let error = text.apply(&set).unwrap_err();
        let raised = Raised::edit(&error, None, 2);
        assert_eq!((raised.class, raised.name), ("NotFoundError", Some("not-found")));
        assert!(shown(raised.fields()).contains(&"operation: Number(1)".to_owned()));
    }

    #[test]
    fn the_host_raises_with_and_without_a_location() {
        let location = Location::in_text(b"a: b\n", 3, 1);
        let raised = Raised::own("ValueError", "it is odd", "Even it.", Some(&location), Some("f"));
        assert_eq!(raised.message, location.message(Some("f"), "it is odd", "Even it."));
        assert_eq!(
            shown(raised.fields())[3..6],
            ["line: Number(1)", "column: Number(4)", "offset: Number(3)"]
        );
        let raised = Raised::own("InternalError", "it is odd", "Report it.", None, None);
        assert_eq!(raised.message, "it is odd\nReport it.");
        assert_eq!(shown(raised.fields()).len(), 2);
    }

    #[test]
    fn a_wrong_schema_has_the_fields_of_its_first_error() {
        let wrong =
            schema_source("m.proto", Some("message m = { id : nothing }"), codegen::ruby_body);
        let wrong = wrong.unwrap_err();
        assert!(wrong.message.contains("nothing"), "{}", wrong.message);
        assert_eq!(shown(wrong.fields())[0], "file: Text(\"m.proto\")");
        assert_eq!(shown(wrong.fields())[5..], ["line: Number(1)", "column: Number(20)"]);
    }
}
