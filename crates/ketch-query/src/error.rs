//! Errors of queries.

use crate::syntax::Span;
use crate::value::{Origin, Value};
use ketch_yaml::present::PresentError;
use std::sync::Arc;

/// What kind of error a program raises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A key that an object does not have, in strict mode.
    NoSuchKey,
    /// An index that an array does not have, in strict mode.
    NoSuchIndex,
    /// A value of a type that the operation does not take.
    WrongKind,
    /// A division or a remainder by zero.
    DivisionByZero,
    /// A text that is no number.
    NotANumber,
    /// A filter that is no path, or a path that leads nowhere.
    InvalidPath,
    /// A regular expression that is not valid.
    InvalidRegex,
    /// An argument that the builtin does not take.
    InvalidArgument,
    /// `error`.
    Raised,
    /// A number that is not finite.
    NotFinite,
    /// A key that is no text.
    KeyNotText,
    /// Access that the host does not give.
    NotAllowed,
    /// More steps than the limit.
    TooManySteps,
    /// More calls in one another than the limit.
    TooManyFrames,
    /// A number with more digits than the limit.
    TooManyDigits,
    /// A text or an array that is longer than the limit.
    TooLarge,
    /// An input that cannot be read.
    InvalidInput,
    /// The host has ended the run.
    Interrupted,
    /// A message that a value does not understand.
    NoSuchMessage,
    /// A search that finds nothing.
    NothingFound,
    /// An element of an empty collection.
    Empty,
    /// Values that have no order.
    NotComparable,
    /// A text that is no date.
    NotADate,
    /// A ratio that has no decimal to be written as.
    RatioWithoutForm,
    /// `break`, which the label with this number ends.
    Break(u64),
    /// `halt`, with the exit code.
    Halt(i32),
}

impl Kind {
    /// Returns the name of the kind.
    pub fn name(self) -> &'static str {
        match self {
            Kind::NoSuchKey => "no-such-key",
            Kind::NoSuchIndex => "no-such-index",
            Kind::WrongKind => "wrong-kind",
            Kind::DivisionByZero => "division-by-zero",
            Kind::NotANumber => "not-a-number",
            Kind::InvalidPath => "invalid-path",
            Kind::InvalidRegex => "invalid-regex",
            Kind::InvalidArgument => "invalid-argument",
            Kind::Raised => "raised",
            Kind::NotFinite => "not-finite",
            Kind::KeyNotText => "key-not-text",
            Kind::NotAllowed => "not-allowed",
            Kind::TooManySteps => "too-many-steps",
            Kind::TooManyFrames => "too-many-frames",
            Kind::TooManyDigits => "too-many-digits",
            Kind::TooLarge => "too-large",
            Kind::InvalidInput => "invalid-input",
            Kind::Interrupted => "interrupted",
            Kind::NoSuchMessage => "no-such-message",
            Kind::NothingFound => "nothing-found",
            Kind::Empty => "empty",
            Kind::NotComparable => "not-comparable",
            Kind::NotADate => "not-a-date",
            Kind::RatioWithoutForm => "ratio-without-form",
            Kind::Break(_) => "break",
            Kind::Halt(_) => "halt",
        }
    }

    /// Returns the option of the command that sets the limit which was exceeded.
    pub fn option(self) -> Option<&'static str> {
        Some(match self {
            Kind::TooManySteps => "--max-steps",
            Kind::TooManyFrames => "--max-frames",
            Kind::TooManyDigits => "--max-digits",
            Kind::TooLarge => "--max-scalar-bytes",
            _ => return None,
        })
    }

    /// Returns whether it is about something that is missing, such as a key or an index.
    pub fn is_missing(self) -> bool {
        use Kind::{Empty, NoSuchIndex, NoSuchKey, NothingFound};
        matches!(self, NoSuchKey | NoSuchIndex | NothingFound | Empty)
    }

    /// Returns whether a handler of messages takes it: one for what is missing or, with `all`, for all but limits.
    pub fn is_handled(self, all: bool) -> bool {
        self.is_missing() || all && !self.is_final() && self.option().is_none()
    }

    /// Returns whether `try` cannot catch it.
    pub fn is_final(self) -> bool {
        matches!(
            self,
            Kind::Break(_)
                | Kind::Halt(_)
                | Kind::InvalidInput
                | Kind::Interrupted
                | Kind::TooManySteps
                | Kind::TooManyFrames
        )
    }
}

/// An error while a program runs: the value that `catch` gets, and what the uncaught error says.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The kind of the error.
    pub kind: Kind,
    /// The value that `catch` gets.
    pub value: Value,
    /// The number of the instruction.
    pub at: Option<u32>,
    /// The node that it is about.
    pub place: Origin,
    /// The key that was probably meant.
    pub nearest: Option<String>,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message())
    }
}

impl std::error::Error for Failure {}

impl From<PresentError> for Failure {
    /// Returns the error that a value cannot be written as YAML, as it is too long.
    fn from(error: PresentError) -> Failure {
        Failure::new(Kind::TooLarge, format!("the value cannot be written as YAML: {error}"))
    }
}

impl Failure {
    /// Creates an error with a message.
    pub fn new(kind: Kind, message: impl Into<String>) -> Failure {
        Failure::raised(kind, Value::text(message.into()))
    }

    /// Creates an error with any value.
    pub fn raised(kind: Kind, value: Value) -> Failure {
        Failure { kind, value, at: None, place: None, nearest: None }
    }

    /// Adds the node that it is about, if it has none yet.
    pub fn about(mut self, value: &Value) -> Failure {
        self.place = self.place.or_else(|| value.origin());
        self
    }

    /// Returns the message of the uncaught error.
    pub fn message(&self) -> String {
        match self.value.as_text() {
            Some(text) => text.to_string(),
            None => format!("{} (not a string)", self.value.to_json()),
        }
    }
}

/// Why a program is not valid.
#[derive(Clone, Debug)]
pub struct QueryError {
    /// The kind of the error, such as `syntax` or `undefined-function`.
    pub kind: &'static str,
    /// The place in the program, or in the module.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// What could be written instead.
    pub help: Option<String>,
    /// The name of the module, if it is not the program itself.
    pub module: Option<Arc<str>>,
}

impl std::fmt::Display for QueryError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.module {
            Some(module) => write!(f, "{module}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for QueryError {}

/// The maximum number of bytes of a value in a message.
const SHOWN_BYTES_MAX: usize = 29;

/// Returns the type and the start of a value, as messages show it: `number (5)`.
pub fn described(value: &Value) -> String {
    format!("{} ({})", value.kind().name(), shown(value))
}

/// Returns the start of a value as JSON.
pub fn shown(value: &Value) -> String {
    let mut json = value.to_json();
    if json.len() <= SHOWN_BYTES_MAX {
        return json;
    }
    let delimiter = match json.as_bytes()[0] {
        b'"' => "\"",
        b'[' => "]",
        b'{' => "}",
        _ => "",
    };
    let mut end = SHOWN_BYTES_MAX - 3 - delimiter.len();
    while !json.is_char_boundary(end) {
        end -= 1;
    }
    json.truncate(end);
    json + "..." + delimiter
}
