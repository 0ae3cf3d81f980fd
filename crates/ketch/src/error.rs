//! Errors of conversions, and their locations.

use ketch_yaml::Location;
use std::fmt;

/// An error of a conversion. This type has the size of a pointer.
#[derive(Debug)]
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    problem: Problem,
    location: ErrorLocation,
}

/// The location of a problem, in text or in bytes.
#[derive(Clone, Debug, PartialEq)]
pub enum ErrorLocation {
    /// A location in YAML text.
    Text(Location),
    /// An offset in bytes from the start of the binary stream.
    Bytes(u64),
}

/// What is wrong.
#[derive(Debug)]
#[non_exhaustive]
pub enum Problem {
    /// The YAML text is invalid, or exceeds a limit.
    Yaml(ketch_yaml::Error),
    /// The extprot bytes are corrupt, exceed a limit, or do not match their schema.
    Extprot(ketch_extprot::Error),
    /// Valid extprot that is not a value of the data model.
    NotInModel {
        /// A description of what was found.
        found: String,
    },
    /// A value of the data model that is not in its documented form.
    Malformed {
        /// The kind of the value.
        what: &'static str,
        /// What was expected.
        expected: &'static str,
    },
    /// Text that is not UTF-8.
    NotUtf8,
    /// A key that occurs twice in its mapping.
    DuplicateKey,
    /// A plain scalar that the schema does not allow.
    UnresolvedScalar,
    /// An integer in a base other than 10, with too many digits to convert.
    IntegerTooLong,
    /// A finite number that is too large for a 64-bit float.
    FloatTooLarge,
    /// Two keys of a mapping that become equal in JSON, where all keys are strings.
    DuplicateJsonKey {
        /// The text that both keys have in JSON.
        key: String,
    },
    /// Something that JSON cannot represent.
    NotInJson(&'static str),
    /// Something that YAML cannot represent.
    NotInYaml(&'static str),
    /// A document that does not match its extprot schema.
    Schema {
        /// A description of the problem.
        message: String,
        /// How to fix the problem.
        help: String,
    },
}

impl Error {
    /// Creates an error from `problem` and `location`.
    pub fn new(problem: Problem, location: ErrorLocation) -> Error {
        Error(Box::new(Inner { problem, location }))
    }

    /// Converts an error of the codec. `base` is the offset of the codec's input in the stream.
    pub fn extprot(error: ketch_extprot::Error, base: u64) -> Error {
        let error = error.shifted(base);
        let location = ErrorLocation::Bytes(error.offset_bytes().unwrap_or(base));
        Error::new(Problem::Extprot(error), location)
    }

    /// Returns the error with `location` as its location.
    pub(crate) fn moved(mut self, location: ErrorLocation) -> Error {
        self.0.location = location;
        self
    }

    /// Returns what is wrong.
    pub fn problem(&self) -> &Problem {
        &self.0.problem
    }

    /// Returns the location of the problem.
    pub fn location(&self) -> &ErrorLocation {
        &self.0.location
    }
}

impl From<ketch_yaml::Error> for Error {
    fn from(error: ketch_yaml::Error) -> Error {
        let location = ErrorLocation::Text(error.location().clone());
        Error::new(Problem::Yaml(error), location)
    }
}

/// What [`JsonSinkOptions::non_finite`](crate::JsonSinkOptions::non_finite) applies to, for error
/// messages.
pub(crate) const NON_FINITE: &str = "infinity or not-a-number";

impl Problem {
    /// Returns a name of the problem that does not change between versions, so programs can compare
    /// it.
    pub fn name(&self) -> &'static str {
        match self {
            Problem::Yaml(error) => error.problem().name(),
            Problem::Extprot(_) => "Extprot",
            Problem::NotInModel { .. } => "NotInModel",
            Problem::Malformed { .. } => "Malformed",
            Problem::NotUtf8 => "NotUtf8",
            Problem::DuplicateKey => "DuplicateKey",
            Problem::UnresolvedScalar => "UnresolvedScalar",
            Problem::IntegerTooLong => "IntegerTooLong",
            Problem::FloatTooLarge => "FloatTooLarge",
            Problem::DuplicateJsonKey { .. } => "DuplicateJsonKey",
            Problem::NotInJson(_) => "NotJson",
            Problem::NotInYaml(_) => "NotYaml",
            Problem::Schema { .. } => "Schema",
        }
    }

    /// Returns a sentence that says how to fix the problem.
    pub fn help(&self) -> &str {
        match self {
            Problem::Yaml(error) => error.help(),
            Problem::Extprot(_) => {
                "Compare the program that wrote the bytes with the one that reads them."
            }
            Problem::NotInModel { .. } => {
                "Data that was written with a schema can be read only with that schema; `ketch extprot inspect` shows it \
                 without."
            }
            Problem::Malformed { .. } => "Fix the program that wrote it.",
            Problem::NotUtf8 => "Write bytes that are not text as binary: a Tuple of tag 2.",
            Problem::DuplicateKey => "Fix the program that wrote it: keys must be unique.",
            Problem::UnresolvedScalar => "Put it in quotes, or choose another schema.",
            Problem::IntegerTooLong => "Write it in base ten, or in quotes.",
            Problem::FloatTooLarge => {
                "Quote it to keep its digits as text, or write `.inf` if infinity is meant."
            }
            Problem::DuplicateJsonKey { .. } => {
                "Change one of the keys, or convert to YAML: JSON cannot distinguish `1` from `\"1\"`."
            }
            Problem::NotInJson(NON_FINITE) => {
                "Choose `non_finite` to write them as text, or convert to YAML."
            }
            Problem::NotInJson(_) => "Convert to YAML, or change the value.",
            Problem::NotInYaml(_) => "Fix the program that wrote it.",
            Problem::Schema { help, .. } => help,
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Yaml(error) => f.write_str(&error.message()),
            Problem::Extprot(error) => f.write_str(&error.message()),
            Problem::NotInModel { found } => write!(f, "{found} is not a value of the data model"),
            Problem::Malformed { what, expected } => {
                write!(f, "malformed {what}: expected {expected}")
            }
            Problem::NotUtf8 => f.write_str("the text is not UTF-8"),
            Problem::DuplicateKey => f.write_str("duplicate key"),
            Problem::UnresolvedScalar => f.write_str("the schema does not allow this plain scalar"),
            Problem::FloatTooLarge => f.write_str("the number is too large for a 64-bit float"),
            Problem::IntegerTooLong => {
                f.write_str("the integer has too many digits to convert to decimal")
            }
            Problem::DuplicateJsonKey { key } => {
                write!(f, "duplicate key {key:?} in JSON, where all keys are strings")
            }
            Problem::NotInJson(what) => write!(f, "JSON has no {what}"),
            Problem::NotInYaml(what) => write!(f, "YAML has no {what}"),
            Problem::Schema { message, .. } => f.write_str(message),
        }
    }
}

impl fmt::Display for Error {
    /// Writes `line:column: message` or `byte offset: message`, and then the help on a line of its
    /// own.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let problem = self.problem();
        match self.location() {
            ErrorLocation::Text(location) if location.line > 0 => {
                write!(f, "{}:{}: ", location.line, location.column)?
            }
            ErrorLocation::Text(location) => write!(f, "byte {}: ", location.offset)?,
            ErrorLocation::Bytes(offset) => write!(f, "byte {offset}: ")?,
        }
        write!(f, "{problem}\n  help: {}", problem.help())
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_as_small_as_a_pointer() {
        assert_eq!(size_of::<Result<(), Error>>(), size_of::<usize>());
    }

    #[test]
    fn an_error_has_location_and_help() {
        let error = Error::new(Problem::NotUtf8, ErrorLocation::Bytes(7));
        let text = error.to_string();
        assert!(text.starts_with("byte 7: the text is not UTF-8\n  help: Write bytes "), "{text}");
    }
}
