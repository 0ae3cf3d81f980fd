//! Reading and writing extprot without a schema, and what hosts say about its errors.

mod read;
#[cfg(test)]
mod tests;
mod write;

pub use read::{Block, Make, Reader};
pub use write::{Open, Output, Take, Words};

use ketch_extprot::wire::{Tokens, value_length};
use ketch_extprot::{Error, Limits, Problem};

/// The form in which values are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// The values of the data model; anything else is an error.
    #[default]
    Values,
    /// Tagged values, from which the same bytes can be written.
    Tagged,
    /// Plain lists, mappings and scalars, without tags.
    Plain,
}

/// Returns the name of a problem.
pub fn problem_name(problem: &Problem) -> &'static str {
    match problem {
        Problem::Eof => "eof",
        Problem::BadWireType { .. } => "bad_wire_type",
        Problem::UnknownTag { .. } => "unknown_tag",
        Problem::MissingField => "missing_field",
        Problem::MissingTupleElement { .. } => "missing_tuple_element",
        Problem::LimitExceeded { .. } => "limit_exceeded",
        Problem::VintTooLong => "vint_too_long",
        Problem::IntRange { .. } => "int_range",
        Problem::NotCanonical(_) => "not_canonical",
        Problem::TrailingBytes => "trailing_bytes",
        Problem::NotUtf8 => "not_utf8",
        Problem::Shape { .. } => "shape",
        Problem::ReadOnly => "read_only",
        _ => "not_in_the_data_model",
    }
}

/// Returns the name of the option that sets a limit, or `None` if there is none.
pub fn setting(limit: &str) -> Option<&'static str> {
    Some(match limit {
        "depth" => "max_depth",
        "string_length" => "max_string_bytes",
        "num_elements" => "max_elements",
        "message_length" => "max_block_bytes",
        _ => return None,
    })
}

/// Returns the total length of the complete values at the start of `bytes`, and the error in the
/// value after them, if there is one. A value that is only cut off by the end of `bytes` is not an
/// error.
pub fn whole_values(bytes: &[u8]) -> (usize, Option<Error>) {
    let mut whole = 0;
    while whole < bytes.len() {
        match value_length(&bytes[whole..]) {
            Ok(length) => whole += length,
            Err(error) if matches!(error.problem(), Problem::Eof) => return (whole, None),
            Err(error) => return (whole, Some(error)),
        }
    }
    (whole, None)
}

/// In strict mode, checks that a conforming writer could have produced `bytes`.
pub fn check_strict(bytes: &[u8], limits: &Limits) -> Result<(), Error> {
    match limits.strict {
        true => Tokens::with_limits(bytes, limits).try_for_each(|token| token.map(|_| ())),
        false => Ok(()),
    }
}
