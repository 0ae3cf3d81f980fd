//! Errors in extprot bytes, with their locations.
//!
//! The error type has the size of a pointer, because decoding returns it in a `Result` together
//! with small values. The path is collected while the error propagates, so that reading a field
//! without an error costs nothing.

use std::borrow::Cow;
use std::fmt;

/// The result of reading or writing extprot bytes.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error in extprot bytes (or in a value to be written), with its location.
///
/// It has the size of a pointer. [`Error::offset_bytes`] is counted from the start of the reader's input.
/// [`Error::path`] names messages, constructors and fields, the outermost first.
#[derive(Debug)]
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    problem: Problem,
    offset_bytes: Option<u64>,
    /// Innermost first: segments are pushed while the error unwinds.
    path: Vec<Segment>,
    /// Details for [`Problem::Eof`], if they are known.
    shortage: Option<Shortage>,
}

/// Details about data that ends too early ([`Problem::Eof`]): what was declared, and what is available.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shortage {
    /// A value needs more bytes than remain.
    Value {
        /// The number of bytes that it needs.
        needed: u64,
        /// The number of bytes that are left in the block or input.
        available: u64,
    },
    /// The length of a string or block exceeds the block or input around it.
    Length {
        /// The length in bytes.
        declared: u64,
        /// The number of bytes that are left in the block or input.
        available: u64,
    },
    /// A block has fewer bytes than elements, although each element takes at least one byte.
    Count {
        /// The number of elements, or of keys and values.
        declared: u64,
        /// The number of bytes that are left for them in the block.
        available: u64,
    },
}

impl fmt::Display for Shortage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (declared, noun, available) = match *self {
            Shortage::Value { needed, available } => {
                write!(f, "the data ends inside a value, which needs ")?;
                (needed, "byte", available)
            }
            Shortage::Length { declared, available } => {
                write!(f, "the declared length is ")?;
                (declared, "byte", available)
            }
            Shortage::Count { declared, available } => {
                write!(f, "the declared count is ")?;
                (declared, "element", available)
            }
        };
        let plural = |n| if n == 1 { "" } else { "s" };
        let are = if available == 1 { "is" } else { "are" };
        write!(
            f,
            "{declared} {noun}{}, but only {available} byte{} {are} left",
            plural(declared),
            plural(available)
        )
    }
}

/// One step of the path to an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment {
    /// Inside the message or record with this name.
    Message(Cow<'static, str>),
    /// Inside a constructor of a sum type or a case of a message union.
    Constructor(Cow<'static, str>),
    /// Inside the field with this name.
    Field(Cow<'static, str>),
    /// Inside the element with this index (from 0) of a tuple, list, array or argument list.
    Element(u64),
}

/// What is wrong. The first eight problems are the format's own (specification 9.1).
#[derive(Debug)]
#[non_exhaustive]
pub enum Problem {
    /// The input ends, or a declared length or count exceeds its block. See [`Error::shortage`].
    Eof,
    /// A wire type that the expected type does not accept, or a number that is not a wire type (9, or 11
    /// to 15).
    BadWireType {
        /// The wire type found, as its number.
        found: u8,
        /// What was expected.
        expected: Cow<'static, str>,
    },
    /// A tag that the expected type does not have. Either a newer schema added a constructor or
    /// case, or the data is corrupt.
    UnknownTag {
        /// The tag found.
        tag: u64,
    },
    /// A missing field without a default.
    MissingField,
    /// A missing tuple element or constructor argument without a default.
    MissingTupleElement {
        /// The index of the element, counted from 0.
        index: u64,
    },
    /// A limit of [`Limits`](crate::Limits) was exceeded.
    LimitExceeded {
        /// The name of the setting.
        limit: &'static str,
        /// The value that the input needs.
        n: u64,
        /// The maximum that the setting allows.
        max: u64,
    },
    /// A conversion to or from a program's own type failed.
    Conversion(String),
    /// No message is known for the version in the header (`found` is -1 if the header is incomplete).
    WrongProtocolVersion {
        /// The number of versions that the reader knows.
        known: u32,
        /// The version found.
        found: i32,
    },
    /// A vint of more than 10 bytes or of more than 64 bits.
    VintTooLong,
    /// An `int` outside -2^62 ..= 2^62-1, which some extprot readers do not support.
    IntRange {
        /// The value.
        value: i64,
    },
    /// In strict reading, the data contains bytes that can be read, but that no writer would
    /// produce.
    NotCanonical(&'static str),
    /// Bytes follow the value where none are allowed.
    TrailingBytes,
    /// A string is not UTF-8, although it must be.
    NotUtf8,
    /// A value to be written does not have the shape of its schema type.
    Shape {
        /// The schema's type.
        expected: String,
    },
    /// A subset or a type that contains one cannot be written.
    ReadOnly,
    /// A message belongs to a schema that was not loaded.
    External {
        /// The name of the message, as `Module.message`.
        name: String,
    },
    /// Reading or writing the underlying stream failed.
    Io(std::io::Error),
}

/// The classes of problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Class {
    /// The bytes are not valid extprot.
    Syntax,
    /// The input ends too early.
    Eof,
    /// The bytes are extprot, but do not have the expected type.
    Semantic,
    /// A limit was exceeded.
    Limit,
    /// The underlying stream failed.
    Io,
}

impl Error {
    /// Creates an error at a byte offset.
    #[cold]
    #[inline(never)]
    pub fn new(problem: Problem, offset_bytes: u64) -> Error {
        Error(Box::new(Inner {
            problem,
            offset_bytes: Some(offset_bytes),
            path: Vec::new(),
            shortage: None,
        }))
    }

    /// Creates an error without an offset, such as an error in a value to be written.
    #[cold]
    #[inline(never)]
    pub fn unplaced(problem: Problem) -> Error {
        Error(Box::new(Inner { problem, offset_bytes: None, path: Vec::new(), shortage: None }))
    }

    /// Creates an error for data that ends too early. `shortage` says what is missing.
    #[cold]
    #[inline(never)]
    pub fn too_short(shortage: Shortage, offset_bytes: u64) -> Error {
        let mut error = Error::new(Problem::Eof, offset_bytes);
        error.0.shortage = Some(shortage);
        error
    }

    /// Returns what is wrong.
    pub fn problem(&self) -> &Problem {
        &self.0.problem
    }

    /// Returns the class of what is wrong.
    pub fn class(&self) -> Class {
        self.problem().class()
    }

    /// Returns what was declared and what is available, if the data ends too early and this is
    /// known.
    pub fn shortage(&self) -> Option<Shortage> {
        self.0.shortage
    }

    /// Returns a sentence that says what is wrong, without the location.
    pub fn message(&self) -> String {
        match self.0.shortage {
            Some(shortage) => shortage.to_string(),
            None => self.problem().to_string(),
        }
    }

    /// Returns the offset in bytes from the start of the input, if there is one.
    pub fn offset_bytes(&self) -> Option<u64> {
        self.0.offset_bytes
    }

    /// Returns the path to the error, outermost first.
    pub fn path(&self) -> impl Iterator<Item = &Segment> {
        self.0.path.iter().rev()
    }

    /// Returns the path as text, such as `user.names[2]`. It is empty for the outermost value. It
    /// names the outermost message, and then fields, constructors and elements, but no other
    /// messages.
    ///
    /// If a path has more than 16 segments, only its two ends are shown: `[0][1]…(96 more)…[3].name`.
    pub fn path_text(&self) -> String {
        use fmt::Write;
        /// The maximum number of segments of a path that is shown in full.
        const WHOLE: usize = 16;
        /// The number of segments that are shown at each end of a longer path.
        const END: usize = 6;

        let inner = |(index, segment): &(usize, &Segment)| {
            *index == 0 || !matches!(segment, Segment::Message(_))
        };
        let count = self.path().enumerate().filter(inner).count();
        let skipped = END..if count > WHOLE { count - END } else { 0 };
        let mut text = String::new();
        for (at, (_, segment)) in self.path().enumerate().filter(inner).enumerate() {
            if skipped.contains(&at) {
                if at == skipped.start {
                    text += &format!("…({} more)…", skipped.len());
                }
                continue;
            }
            let separator = if text.is_empty() { "" } else { "." };
            // Writing to a string does not fail.
            let _ = match segment {
                Segment::Element(index) => write!(text, "[{index}]"),
                Segment::Message(name) | Segment::Constructor(name) | Segment::Field(name) => {
                    write!(text, "{separator}{name}")
                }
            };
        }
        text
    }

    /// Adds `segment` to the path, as the step that encloses the steps already there.
    #[cold]
    #[must_use]
    pub fn within(mut self, segment: Segment) -> Error {
        self.0.path.push(segment);
        self
    }

    /// Adds a field, and the message around it, to the path of the error. Generated code calls
    /// this.
    #[cold]
    #[inline(never)]
    #[must_use]
    pub fn in_field(self, message: &'static str, field: &'static str) -> Error {
        self.within(Segment::Field(field.into())).within(Segment::Message(message.into()))
    }

    /// Adds an element of a tuple, list or argument list to the path of the error. Generated code
    /// calls this.
    #[cold]
    #[inline(never)]
    #[must_use]
    pub fn in_element(self, index: u64) -> Error {
        self.within(Segment::Element(index))
    }

    /// Adds `by_bytes` to the offset, for an error in a part that was read separately.
    #[cold]
    #[must_use]
    pub fn shifted(mut self, by_bytes: u64) -> Error {
        if let Some(offset) = &mut self.0.offset_bytes {
            *offset += by_bytes;
        }
        self
    }
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Error {
        Error::unplaced(Problem::Io(error))
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self.problem() {
            Problem::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())?;
        if let Some(offset) = self.offset_bytes() {
            write!(f, " at byte {offset}")?;
        }
        match self.path_text() {
            path if path.is_empty() => Ok(()),
            path => write!(f, ", in {path}"),
        }
    }
}

impl Problem {
    /// Returns the class of the problem.
    pub fn class(&self) -> Class {
        match self {
            Problem::Eof => Class::Eof,
            Problem::VintTooLong
            | Problem::NotCanonical(_)
            | Problem::TrailingBytes
            | Problem::WrongProtocolVersion { .. } => Class::Syntax,
            Problem::LimitExceeded { .. } => Class::Limit,
            Problem::Io(_) => Class::Io,
            _ => Class::Semantic,
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Eof => f.write_str("the data ends inside a value"),
            Problem::BadWireType { found, expected } => {
                match crate::prefix::WireType::from_number(*found) {
                    Some(found) => write!(f, "expected {expected}, found {found}"),
                    None => write!(f, "expected {expected}, found the invalid wire type {found}"),
                }
            }
            Problem::UnknownTag { tag } => {
                write!(f, "unknown tag {tag}: perhaps the data was written with a newer schema")
            }
            Problem::MissingField => f.write_str("a field is missing and has no default"),
            Problem::MissingTupleElement { index } => {
                write!(f, "element {index} is missing and has no default")
            }
            Problem::LimitExceeded { limit, n, max } => {
                write!(f, "{limit} is {n}, more than the limit of {max}")
            }
            Problem::Conversion(why) => write!(f, "conversion failed: {why}"),
            Problem::WrongProtocolVersion { known, found: -1 } => {
                write!(f, "the version header is incomplete ({known} versions are known)")
            }
            Problem::WrongProtocolVersion { known, found } => {
                write!(
                    f,
                    "version {found} is unknown, versions 0 to {} are known",
                    *known as i64 - 1
                )
            }
            Problem::VintTooLong => {
                f.write_str("a vint has more than 64 bits or more than 10 bytes")
            }
            Problem::IntRange { value } => write!(
                f,
                "the int {value} is outside -2^62 to 2^62-1, the range that every reader supports; use long, or allow wide ints"
            ),
            Problem::NotCanonical(what) => write!(f, "not canonical: {what}"),
            Problem::TrailingBytes => f.write_str("bytes follow the end of the value"),
            Problem::NotUtf8 => f.write_str("the string is not UTF-8"),
            Problem::Shape { expected } => write!(f, "the value is not of type {expected}"),
            Problem::ReadOnly => f.write_str("a subset can be read, but not written"),
            Problem::External { name } => {
                write!(f, "{name} belongs to a schema that was not loaded")
            }
            Problem::Io(error) => write!(f, "{error}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_as_small_as_a_pointer() {
        assert_eq!(size_of::<Result<u8>>(), 2 * size_of::<usize>());
        assert_eq!(size_of::<Result<()>>(), size_of::<usize>());
    }

    #[test]
    fn only_the_ends_of_a_long_path_are_shown() {
        let error = Error::new(Problem::MissingField, 7).in_field("leaf", "name");
        let error = (0..128).fold(error, Error::in_element);
        assert_eq!(
            error.path_text(),
            "[127][126][125][124][123][122]…(117 more)…[4][3][2][1][0].name"
        );
    }

    #[test]
    fn a_path_names_fields_and_not_types() {
        let error = Error::new(Problem::MissingField, 7)
            .in_field("contact", "email")
            .within(Segment::Element(1))
            .within(Segment::Constructor("Some".into()))
            .in_field("book", "contacts");
        assert_eq!(error.path_text(), "book.contacts.Some[1].email");
        assert_eq!(error.path().count(), 6);
    }

    #[test]
    fn a_shortage_has_the_declared_and_available_size() {
        let message = |shortage| Error::too_short(shortage, 3).to_string();
        assert_eq!(
            message(Shortage::Length { declared: 500, available: 1 }),
            "the declared length is 500 bytes, but only 1 byte is left at byte 3"
        );
        assert_eq!(
            message(Shortage::Count { declared: 1, available: 0 }),
            "the declared count is 1 element, but only 0 bytes are left at byte 3"
        );
        assert_eq!(
            message(Shortage::Value { needed: 8, available: 2 }),
            "the data ends inside a value, which needs 8 bytes, but only 2 bytes are left at byte 3"
        );
    }

    #[test]
    fn an_error_shows_offset_and_path() {
        let error = Error::new(Problem::MissingField, 7)
            .within(Segment::Element(2))
            .in_field("user", "names");
        assert_eq!(
            error.to_string(),
            "a field is missing and has no default at byte 7, in user.names[2]"
        );
    }
}
