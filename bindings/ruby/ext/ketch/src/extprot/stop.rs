//! The reasons why reading or writing stops, and their exceptions.

use crate::failure;
use crate::ruby;
use ketch_extprot::{Error as ExtprotError, Problem};
use magnus::{Error, ExceptionClass, RModule, Ruby, prelude::*};

/// Returns the exception for an error in bytes that start at the offset `base` of the stream.
pub(super) fn exception_for(ruby: &Ruby, error: &ExtprotError, base: u64) -> Error {
    let create = || -> Result<Error, Error> {
        let module: RModule = ruby.define_module("Ketch")?.const_get("Extprot")?;
        let name = match error.problem() {
            Problem::Eof => "EndOfInput",
            _ => "Error",
        };
        let fields = ruby.hash_new();
        fields.aset(ruby.to_symbol("offset"), error.offset_bytes().map(|offset| base + offset))?;
        fields.aset(ruby.to_symbol("name"), ruby.to_symbol(kind_name(error.problem())))?;
        if error.path().next().is_some() {
            fields.aset(ruby.to_symbol("path"), error.path_text())?;
        }
        if let Problem::LimitExceeded { limit, .. } = error.problem() {
            let setting = match *limit {
                "depth" => "max_depth",
                "string_length" => "max_string_bytes",
                "num_elements" => "max_elements",
                _ => "max_block_bytes",
            };
            fields.aset(ruby.to_symbol("setting"), ruby.to_symbol(setting))?;
        }
        let class: ExceptionClass = module.const_get(name)?;
        let mut message = error.to_string();
        if base > 0 {
            message = format!("{message}, counted from byte {base} of the stream");
        }
        Ok(class.new_instance((message, fields))?.into())
    };
    create().unwrap_or_else(|failure| failure)
}

/// Returns the name that a problem has in Ruby.
fn kind_name(kind: &Problem) -> &'static str {
    match kind {
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

/// Runs `body`, in which Ruby may raise. Neither `body` nor the functions that it calls may own
/// anything that has to be dropped.
pub(super) fn run<T>(body: impl FnOnce() -> Result<T, Stop>) -> Result<T, Stop> {
    let mut result = Err(Stop::Nothing);
    let raised = ruby::protect(|| {
        result = body();
        ruby::NIL
    });
    raised?;
    result
}

/// The reason why reading or writing stops.
#[derive(Debug)]
pub(super) enum Stop {
    Nothing,
    Bytes(ExtprotError),
    /// A value that is not in the data model: the reason, and its offset.
    Value(&'static str, u64),
    Ruby(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Ruby(error)
    }
}

impl From<ExtprotError> for Stop {
    fn from(error: ExtprotError) -> Stop {
        Stop::Bytes(error)
    }
}

impl Stop {
    /// Returns the exception to raise. The bytes start at the offset `base` of the stream.
    pub(super) fn into_exception(self, ruby: &Ruby, base: u64) -> Error {
        match self {
            Stop::Ruby(error) => error,
            Stop::Bytes(error) => exception_for(ruby, &error, base),
            Stop::Value(what, offset) => {
                let words = format!("{what}: read with `as: :tagged`, or by its schema");
                exception_for(ruby, &ExtprotError::new(Problem::Conversion(words), offset), base)
            }
            Stop::Nothing => failure::internal(ruby, "nothing was read"),
        }
    }
}
