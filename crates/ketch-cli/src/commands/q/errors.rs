//! Errors in programs and of programs, with the places in the program and in the input.

use crate::args::QueryArgs;
use crate::commands::edit::refused;
use crate::diagnostic::{Diagnostic, Related};
use crate::file_name;
use crate::input;
use crate::read;
use crate::status::Failure;
use ketch_query::{ErrorKind, Failure as Raised, QueryEditError, QueryError, Span, Value};
use ketch_yaml::Location;
use std::io::{self, Write};

/// The greatest number of keys that a message lists.
const KEYS_SHOWN_MAX: usize = 6;

/// A program, and the name that messages give it.
pub struct Program {
    name: String,
    pub text: String,
}

impl Program {
    /// Takes the program from the file that an option names, or from the words of the command line.
    pub fn of(
        args: &QueryArgs,
        words: &mut impl Iterator<Item = String>,
    ) -> Result<Program, Failure> {
        let Some(file) = &args.program.from_file else {
            let text = words.next().ok_or_else(|| {
                Failure::Usage(
                    "the program is missing, as in `ketch q .spec deploy.yaml`".to_owned(),
                )
            })?;
            return Ok(Program { name: "PROGRAM".to_owned(), text });
        };
        let bytes = input::read(file)?;
        let name = file_name::shown(file).to_owned();
        String::from_utf8(bytes).map(|text| Program { name: name.clone(), text }).map_err(|_| {
            let message = "expected a program in UTF-8".to_owned();
            Failure::Argument(Box::new(Diagnostic::sentence(
                &name, "Encoding", "encoding", message,
            )))
        })
    }

    /// Returns the failure for a program that is not valid.
    pub fn invalid(&self, error: &QueryError) -> Failure {
        let module = error.module.as_deref().map(|name| (name, std::fs::read_to_string(name)));
        let (name, text) = match &module {
            Some((name, text)) => (*name, text.as_deref().unwrap_or_default()),
            None => (&*self.name, &*self.text),
        };
        Failure::Argument(Box::new(Diagnostic {
            location: Some(location(text, error.span)),
            label: error.help.clone().unwrap_or_default().into(),
            ..Diagnostic::sentence(name, error.kind, "program", error.message.clone())
        }))
    }

    /// Returns the failure for an edit of `file`, which was not made because of `error` at `span`.
    pub fn not_edited(&self, file: &str, error: QueryEditError, span: Option<Span>) -> Failure {
        match error {
            QueryEditError::Program(failure) => self.raised(&failure, span, None),
            QueryEditError::Text(error) => read::failure(file, b"", error),
            QueryEditError::NoDocument(message) => no_document(file, message),
            QueryEditError::Edit(error) => refused(file, &error),
            QueryEditError::ResultCount { ref location, .. } => {
                let whole = Span { start: 0, end: self.text.len() as u32 };
                let help = "A file that is edited in place gets one result for each document.";
                Failure::Input(Box::new(Diagnostic {
                    location: Some(self::location(&self.text, whole)),
                    related: Some(Related {
                        message: "the document starts here".into(),
                        file: Some(file.to_owned()),
                        location: location.clone(),
                    }),
                    help: Some(help.to_owned()),
                    ..Diagnostic::sentence(
                        &self.name,
                        error.kind_name(),
                        "program",
                        error.to_string(),
                    )
                }))
            }
        }
    }

    /// Returns the failure for an error that the program has raised at `span`, about the value at its place or at
    /// `location`.
    pub fn raised(
        &self,
        failure: &Raised,
        span: Option<Span>,
        location: Option<Location>,
    ) -> Failure {
        let related = failure.place.as_ref().map(|(source, id)| Related {
            message: about(failure, &Value::Node(source.clone(), *id)).into(),
            file: Some(source.name().to_string()),
            location: location.unwrap_or_else(|| source.node(*id).location().clone()),
        });
        let diagnostic = Box::new(Diagnostic {
            location: span.map(|span| self::location(&self.text, span)),
            help: failure.nearest.as_ref().map(|key| format!("Did you mean `{key}`?")),
            related,
            ..Diagnostic::sentence(&self.name, failure.kind.name(), "program", failure.message())
        });
        match failure.kind.is_missing() {
            true => Failure::Missing(diagnostic),
            false => Failure::Program(diagnostic),
        }
    }
}

/// Returns the failure for a file without the chosen document.
pub fn no_document(file: &str, message: String) -> Failure {
    Failure::Missing(Box::new(Diagnostic::sentence(file, "NotFound", "semantic", message)))
}

/// Returns the location of `span` in the program.
fn location(text: &str, span: Span) -> Location {
    let (start, end) = (span.start as usize, span.end as usize);
    let end = end.min(text.len()).max(start);
    Location::in_text(text.as_bytes(), start as u64, end - start)
}

/// Says what the value is that an error is about.
fn about(failure: &Raised, value: &Value) -> String {
    let Some(object) = value.as_object() else {
        return match (failure.kind, value.entry_count()) {
            (ErrorKind::NoSuchIndex, Some(1)) => "the sequence has 1 item".to_owned(),
            (ErrorKind::NoSuchIndex, Some(count)) => format!("the sequence has {count} items"),
            _ => format!("the value is {}", article(value.kind().name())),
        };
    };
    if failure.kind != ErrorKind::NoSuchKey {
        return "the value is a mapping".to_owned();
    }
    let shown = object.entries.keys().take(KEYS_SHOWN_MAX);
    let shown: Vec<String> = shown.map(|key| format!("`{key}`")).collect();
    let more = object.entries.len() > KEYS_SHOWN_MAX;
    match shown.is_empty() {
        true => "the mapping is empty".to_owned(),
        false => {
            format!("the mapping has {}{}", shown.join(", "), if more { " and others" } else { "" })
        }
    }
}

/// Returns the name of a type with its article.
fn article(name: &str) -> String {
    match name {
        "null" => name.to_owned(),
        "array" | "object" => format!("an {name}"),
        _ => format!("a {name}"),
    }
}

/// Prints the value of `halt_error` on standard error, which may be closed.
pub fn halted(value: &Value) {
    let text = match value {
        Value::Null => return,
        value => value.as_text().map_or_else(|| value.to_json() + "\n", |text| text.to_string()),
    };
    let _ = io::stderr().write_all(text.as_bytes());
}
