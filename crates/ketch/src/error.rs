//! What can be wrong with a conversion, and where.

use ketch_yaml::Location;
use std::fmt;

/// Why a value could not be converted. As large as a pointer.
#[derive(Debug)]
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    problem: Problem,
    location: ErrorLocation,
}

/// Where a problem is.
#[derive(Clone, Debug, PartialEq)]
pub enum ErrorLocation {
    /// In YAML.
    Text(Location),
    /// So many bytes from the start of the binary.
    Bytes(u64),
}

/// What is wrong.
#[derive(Debug)]
#[non_exhaustive]
pub enum Problem {
    /// The YAML is wrong.
    Yaml(ketch_yaml::Error),
    /// The bytes are damaged, pass a limit, or do not fit their schema.
    Extprot(ketch_extprot::Error),
    /// Bytes that are extprot, but no value of the data model.
    NotInModel {
        /// What they are.
        found: String,
    },
    /// A value of the data model that is not made as it should be.
    Malformed {
        /// Which one.
        what: &'static str,
        /// What it should be.
        expected: &'static str,
    },
    /// Text that is no UTF-8.
    NotUtf8,
    /// A key that stands twice in a mapping.
    DuplicateKey,
    /// Plain text that the schema does not allow.
    UnresolvedScalar,
    /// An integer in another base than ten, of more digits than can be converted in time.
    IntegerTooLong,
    /// A finite number that is too large for a float of 64 bits.
    FloatTooLarge,
    /// Two keys of a mapping that are the same in JSON, where all keys are strings.
    DuplicateJsonKey {
        /// Their text.
        key: String,
    },
    /// What JSON cannot hold.
    NotInJson(&'static str),
    /// What YAML cannot hold.
    NotInYaml(&'static str),
    /// What a document does not have as its schema asks.
    Schema {
        /// What is wrong.
        message: String,
        /// How to fix it.
        help: String,
    },
}

impl Error {
    /// The error that `problem` is at `location`.
    pub fn new(problem: Problem, location: ErrorLocation) -> Error {
        Error(Box::new(Inner { problem, location }))
    }

    /// The codec's error; `base` is where the bytes that were read start.
    pub fn extprot(error: ketch_extprot::Error, base: u64) -> Error {
        let error = error.shifted(base);
        let location = ErrorLocation::Bytes(error.offset_bytes().unwrap_or(base));
        Error::new(Problem::Extprot(error), location)
    }

    /// The same error at another location.
    pub(crate) fn moved(mut self, location: ErrorLocation) -> Error {
        self.0.location = location;
        self
    }

    /// What is wrong.
    pub fn problem(&self) -> &Problem {
        &self.0.problem
    }

    /// Where.
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

/// The values that [`non_finite`](crate::JsonSinkOptions::non_finite) is about.
pub(crate) const NON_FINITE: &str = "infinities and no not-a-number";

impl Problem {
    /// Its name, a word for programs.
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

    /// How to fix it.
    pub fn help(&self) -> &str {
        match self {
            Problem::Yaml(error) => error.help(),
            Problem::Extprot(_) => "Compare what wrote the bytes with what reads them.",
            Problem::NotInModel { .. } => {
                "Data of a schema needs that schema to be read; `ketch extprot inspect` shows it \
                 without."
            }
            Problem::Malformed { .. } => "Correct the program that wrote it.",
            Problem::NotUtf8 => "Write bytes that are no text as binary: a Tuple of tag 2.",
            Problem::DuplicateKey => "Correct the program that wrote it: keys are unique.",
            Problem::UnresolvedScalar => "Put it in quotes, or choose another schema.",
            Problem::IntegerTooLong => "Write it in base ten, or in quotes.",
            Problem::FloatTooLarge => {
                "Quote it to keep its digits as text, or write `.inf` if infinity is meant."
            }
            Problem::DuplicateJsonKey { .. } => {
                "Change one of the keys, or convert to YAML: JSON cannot tell `1` from `\"1\"`."
            }
            Problem::NotInJson(NON_FINITE) => {
                "Choose `non_finite` to write them as text, or convert to YAML."
            }
            Problem::NotInJson(_) => "Convert to YAML, or change the value.",
            Problem::NotInYaml(_) => "Correct the program that wrote it.",
            Problem::Schema { help, .. } => help,
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Yaml(error) => f.write_str(&error.message()),
            Problem::Extprot(error) => f.write_str(&error.message()),
            Problem::NotInModel { found } => write!(f, "{found} is no value of the data model"),
            Problem::Malformed { what, expected } => write!(f, "this {what} is not {expected}"),
            Problem::NotUtf8 => f.write_str("the text is not UTF-8"),
            Problem::DuplicateKey => f.write_str("duplicate key"),
            Problem::UnresolvedScalar => f.write_str("the schema knows no such plain text"),
            Problem::FloatTooLarge => f.write_str("the number is too large for a float of 64 bits"),
            Problem::IntegerTooLong => {
                f.write_str("the integer has too many digits to be turned into decimal")
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
    /// `line:column: message` or `byte offset: message`, and the help.
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
