//! The reasons why reading or writing stops, and their exceptions.

use crate::failure;
use ketch_extprot::{Error as ExtprotError, Problem};
use ketch_host::raised::extprot_fields;
use magnus::{Error, ExceptionClass, RModule, Ruby, prelude::*};

/// Returns the exception for an error in bytes that start at the offset `base` of the stream.
pub(super) fn exception_for(ruby: &Ruby, error: &ExtprotError, base: u64) -> Error {
    let create = || -> Result<Error, Error> {
        let module: RModule = ruby.define_module("Ketch")?.const_get("Extprot")?;
        let name = match error.problem() {
            Problem::Eof => "EndOfInput",
            _ => "Error",
        };
        let fields = failure::facts(ruby, extprot_fields(error, base))?;
        let class: ExceptionClass = module.const_get(name)?;
        let mut message = error.to_string();
        if base > 0 {
            message = format!("{message}, counted from byte {base} of the stream");
        }
        Ok(class.new_instance((message, fields))?.into())
    };
    create().unwrap_or_else(|failure| failure)
}

/// The reason why reading or writing stops.
#[derive(Debug)]
pub(super) enum Stop {
    Bytes(ExtprotError),
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
        }
    }
}
