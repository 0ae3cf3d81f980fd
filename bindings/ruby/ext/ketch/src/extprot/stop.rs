//! The reasons why reading or writing stops, and their exceptions.

use ketch_extprot::{Error as ExtprotError, Problem};
use ketch_host::extprot::{problem_name, setting};
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
        fields.aset(ruby.to_symbol("name"), ruby.to_symbol(problem_name(error.problem())))?;
        if error.path().next().is_some() {
            fields.aset(ruby.to_symbol("path"), error.path_text())?;
        }
        if let Problem::LimitExceeded { limit, .. } = error.problem() {
            let setting = setting(limit).unwrap_or("max_block_bytes");
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
