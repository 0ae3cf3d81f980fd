//! What can go wrong, with the path and the place.

use ketch_yaml::present::PresentError;
use serde::de::{self, Unexpected};
use std::fmt::{self, Display};

/// Why a type could not be read or written. As large as a pointer.
pub struct Error(Box<Inner>);

struct Inner {
    message: String,
    /// The steps to the value, innermost first.
    path: Vec<Segment>,
    place: Option<ketch_yaml::Location>,
    /// The field that a struct misses.
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

/// Where a value stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    index: usize,
    line: usize,
    column: usize,
}

impl Location {
    /// Offset in bytes from the start of the text's UTF-8 form.
    #[must_use]
    pub fn index(&self) -> usize {
        self.index
    }

    /// Line, from 1.
    #[must_use]
    pub fn line(&self) -> usize {
        self.line
    }

    /// Column in Unicode scalar values, from 1.
    #[must_use]
    pub fn column(&self) -> usize {
        self.column
    }
}

impl Error {
    pub(crate) fn new(message: impl Into<String>) -> Error {
        let message = message.into();
        Error(Box::new(Inner {
            message,
            path: Vec::new(),
            place: None,
            missing_field: None,
            source: None,
        }))
    }

    /// Where the value stands that is wrong, if the text and its lines are known.
    #[must_use]
    pub fn location(&self) -> Option<Location> {
        let place = self.0.place.as_ref()?;
        Some(Location {
            index: place.offset as usize,
            line: place.line as usize,
            column: place.column as usize,
        })
    }

    /// The path to the value that is wrong: `spec.ports[0]`; empty for the root.
    #[must_use]
    pub fn path(&self) -> String {
        joined(self.0.path.iter().rev())
    }

    /// The path as messages show it: of a long one, the two ends.
    fn short_path(&self) -> String {
        /// Segments of a path that is shown whole, and of each end of one that is not.
        const WHOLE: usize = 16;
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

    /// What is wrong, without path and place.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Notes the place of the innermost value.
    pub(crate) fn or_at(mut self, place: impl FnOnce() -> ketch_yaml::Location) -> Error {
        if self.0.place.is_none() {
            self.0.place = Some(place());
        }
        self
    }

    /// The same for an error that stays where it is: the result around it may be large, and is not
    /// to be moved.
    pub(crate) fn note_place(&mut self, place: impl FnOnce() -> ketch_yaml::Location) {
        if self.0.place.is_none() {
            self.0.place = Some(place());
        }
    }

    pub(crate) fn note_key(&mut self, key: impl Into<String>) {
        self.0.path.push(Segment::Key(key.into()));
    }

    pub(crate) fn note_index(&mut self, index: usize) {
        self.0.path.push(Segment::Index(index));
    }

    /// The field that a struct misses, if that is what is wrong.
    pub(super) fn missing_field(&self) -> Option<&'static str> {
        self.0.missing_field
    }

    pub(crate) fn in_key(mut self, key: impl Into<String>) -> Error {
        self.0.path.push(Segment::Key(key.into()));
        self
    }
}

impl From<ketch_yaml::Error> for Error {
    fn from(error: ketch_yaml::Error) -> Error {
        let mut new = Error::new(error.message());
        new.0.place = Some(error.location().clone());
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
        if let crate::ErrorLocation::Text(place) = error.location() {
            new.0.place = Some(place.clone());
        }
        new
    }
}

/// `path: message at line 3 column 5`.
impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.short_path();
        if !path.is_empty() {
            write!(f, "{path}: ")?;
        }
        f.write_str(&self.0.message)?;
        match &self.0.place {
            Some(place) if place.line > 0 => {
                write!(f, " at line {} column {}", place.line, place.column)
            }
            Some(place) => write!(f, " at byte {}", place.offset),
            None => Ok(()),
        }
    }
}

/// Segments as a path: `spec.ports[0]`.
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

/// What was found, in the words of YAML.
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
