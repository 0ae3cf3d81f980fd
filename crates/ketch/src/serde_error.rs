//! Errors of reading and writing types, with the path and location of the value.

use ketch_yaml::present::PresentError;
use serde::de::{self, Unexpected};
use std::fmt::{self, Display};

/// An error of reading or writing a type. This type has the size of a pointer.
pub struct Error(Box<Inner>);

struct Inner {
    message: String,
    /// The steps from the root to the invalid value, with the innermost first.
    path: Vec<Segment>,
    location: Option<ketch_yaml::Location>,
    /// The name of a field, if the error is that this field is missing from a struct.
    missing_field: Option<&'static str>,
    source: Option<Source>,
}

enum Segment {
    Key(String),
    Index(usize),
}

enum Source {
    Yaml(ketch_yaml::Error),
    Present(PresentError),
}

/// The location of a value in its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    index: usize,
    line: usize,
    column: usize,
}

impl Location {
    /// Returns the offset from the start of the text, in bytes of UTF-8.
    #[must_use]
    pub fn index(&self) -> usize {
        self.index
    }

    /// Returns the number of the line, which counts from 1.
    #[must_use]
    pub fn line(&self) -> usize {
        self.line
    }

    /// Returns the number of the column, which counts Unicode scalar values from 1.
    #[must_use]
    pub fn column(&self) -> usize {
        self.column
    }
}

impl Error {
    /// Creates an error with this message, but without a path and location.
    pub(crate) fn new(message: impl Into<String>) -> Error {
        let message = message.into();
        Error(Box::new(Inner {
            message,
            path: Vec::new(),
            location: None,
            missing_field: None,
            source: None,
        }))
    }

    /// Returns the location of the invalid value, or `None` if it is not known.
    #[must_use]
    pub fn location(&self) -> Option<Location> {
        let location = self.0.location.as_ref()?;
        Some(Location {
            index: location.offset as usize,
            line: location.line as usize,
            column: location.column as usize,
        })
    }

    /// Returns the path to the invalid value, such as `spec.ports[0]`. It is empty if that is the
    /// root.
    #[must_use]
    pub fn path(&self) -> String {
        joined(self.0.path.iter().rev())
    }

    /// Returns the path as messages show it. If it is long, only its start and its end are
    /// included.
    fn short_path(&self) -> String {
        /// The maximum number of segments of a path that is shown as a whole.
        const WHOLE: usize = 16;
        /// The number of segments that are shown at the start and at the end of a longer path.
        const END: usize = 6;

        let segments = &self.0.path;
        if segments.len() <= WHOLE {
            return self.path();
        }
        let (last, rest) = segments.split_at(END);
        let (between, first) = rest.split_at(rest.len() - END);
        let (first, last) = (joined(first.iter().rev()), joined(last.iter().rev()));
        let separator = if last.starts_with('[') { "" } else { "." };
        format!("{first}…({} more)…{separator}{last}", between.len())
    }

    /// Returns the message, without the path and location.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Sets the location to the result of `location` unless the error already has one, and returns
    /// the error.
    pub(crate) fn or_at(mut self, location: impl FnOnce() -> ketch_yaml::Location) -> Error {
        if self.0.location.is_none() {
            self.0.location = Some(location());
        }
        self
    }

    /// Sets the location to the result of `location` unless the error already has one. This changes
    /// the error in place, because the result that contains it may be large and should not be
    /// moved.
    pub(crate) fn note_location(&mut self, location: impl FnOnce() -> ketch_yaml::Location) {
        if self.0.location.is_none() {
            self.0.location = Some(location());
        }
    }

    /// Adds the key of the value that failed to the path. Keys and indices are added starting with
    /// the innermost one.
    pub(crate) fn note_key(&mut self, key: impl Into<String>) {
        self.0.path.push(Segment::Key(key.into()));
    }

    /// Adds the index of the item that failed to the path, as [`Error::note_key`] does with a key.
    pub(crate) fn note_index(&mut self, index: usize) {
        self.0.path.push(Segment::Index(index));
    }

    /// If the error is that a field is missing from a struct, returns the name of the field.
    pub(super) fn missing_field(&self) -> Option<&'static str> {
        self.0.missing_field
    }

    /// Adds `key` to the path, as [`Error::note_key`] does, and returns the error.
    pub(crate) fn in_key(mut self, key: impl Into<String>) -> Error {
        self.0.path.push(Segment::Key(key.into()));
        self
    }
}

impl From<ketch_yaml::Error> for Error {
    fn from(error: ketch_yaml::Error) -> Error {
        let mut new = Error::new(error.message());
        new.0.location = Some(error.location().clone());
        new.0.source = Some(Source::Yaml(error));
        new
    }
}

impl From<PresentError> for Error {
    fn from(error: PresentError) -> Error {
        let mut new = Error::new(error.to_string());
        new.0.source = Some(Source::Present(error));
        new
    }
}

impl From<crate::ConvertError> for Error {
    fn from(error: crate::ConvertError) -> Error {
        let mut new = Error::new(error.problem().to_string());
        if let crate::ErrorLocation::Text(location) = error.location() {
            new.0.location = Some(location.clone());
        }
        new
    }
}

/// Writes, for example, `path: message at line 3 column 5`.
impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.short_path();
        if !path.is_empty() {
            write!(f, "{path}: ")?;
        }
        f.write_str(&self.0.message)?;
        match &self.0.location {
            Some(location) if location.line > 0 => {
                write!(f, " at line {} column {}", location.line, location.column)
            }
            Some(location) => write!(f, " at byte {}", location.offset),
            None => Ok(()),
        }
    }
}

/// Joins `segments` into a path such as `spec.ports[0]`.
fn joined<'s>(segments: impl Iterator<Item = &'s Segment>) -> String {
    let mut path = String::new();
    for segment in segments {
        match segment {
            Segment::Index(index) => path += &format!("[{index}]"),
            Segment::Key(key) if path.is_empty() => path += key,
            Segment::Key(key) => path += &format!(".{key}"),
        }
    }
    path
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({:?})", self.to_string())
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self.0.source.as_ref()? {
            Source::Yaml(error) => Some(error),
            Source::Present(error) => Some(error),
        }
    }
}

impl de::Error for Error {
    fn custom<T: Display>(message: T) -> Error {
        Error::new(message.to_string())
    }

    fn missing_field(field: &'static str) -> Error {
        let mut error = Error::new(format!("missing field `{field}`"));
        error.0.missing_field = Some(field);
        error
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn de::Expected) -> Error {
        Error::new(format!("expected {expected}, found {}", Found(found)))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn de::Expected) -> Error {
        Error::new(format!("expected {expected}, found {}", Found(found)))
    }
}

impl serde::ser::Error for Error {
    fn custom<T: Display>(message: T) -> Error {
        Error::new(message.to_string())
    }
}

/// Displays what serde found, in the terms of YAML.
struct Found<'f>(Unexpected<'f>);

impl Display for Found<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN_MAX: usize = 60;
        match self.0 {
            Unexpected::Bool(value) => write!(f, "{value}"),
            Unexpected::Unsigned(value) => write!(f, "{value}"),
            Unexpected::Signed(value) => write!(f, "{value}"),
            Unexpected::Float(value) => write!(f, "{value:?}"),
            Unexpected::Str(text) if text.chars().count() > SHOWN_MAX => {
                let start: String = text.chars().take(SHOWN_MAX).collect();
                write!(f, "{start:?}...")
            }
            Unexpected::Str(text) => write!(f, "{text:?}"),
            Unexpected::Unit | Unexpected::Option => f.write_str("null"),
            Unexpected::Map => f.write_str("a mapping"),
            Unexpected::Seq => f.write_str("a sequence"),
            other => other.fmt(f),
        }
    }
}
