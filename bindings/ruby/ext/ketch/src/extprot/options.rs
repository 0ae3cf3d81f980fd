//! The keyword arguments of methods that read extprot.

use ketch_extprot::Limits;
use ketch_host::extprot::Form;
use magnus::r_hash::ForEach;
use magnus::{Error, RHash, Ruby, Symbol, TryConvert, Value, prelude::*};

/// The options for reading.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    pub form: Form,
    pub limits: Limits,
}

impl ReadOptions {
    /// Returns the default options.
    pub fn for_ruby() -> ReadOptions {
        // Any 64-bit number fits in a Ruby integer.
        let limits = Limits { wide_ints: true, ..Limits::default() };
        ReadOptions { form: Form::default(), limits }
    }

    /// Returns the options that the keyword arguments in `hash` set.
    pub fn from_hash(ruby: &Ruby, hash: RHash) -> Result<ReadOptions, Error> {
        let mut options = ReadOptions::for_ruby();
        hash.foreach(|name: Symbol, value: Value| {
            options.set(ruby, &name.name()?, value)?;
            Ok(ForEach::Continue)
        })?;
        Ok(options)
    }

    /// Sets the option `name` to `value`.
    fn set(&mut self, ruby: &Ruby, name: &str, value: Value) -> Result<(), Error> {
        match name {
            "as" => self.form = form(ruby, value)?,
            "max_depth" => self.limits.depth = limit(value)?,
            "max_string_bytes" => self.limits.string_length = limit(value)?,
            "max_elements" => self.limits.num_elements = limit(value)?,
            "max_block_bytes" => self.limits.message_length = limit(value)?,
            "strict" => self.limits.strict = value.to_bool(),
            _ => {
                let message = format!("unknown keyword: :{name}");
                return Err(Error::new(ruby.exception_arg_error(), message));
            }
        }
        Ok(())
    }
}

/// Returns the form that the option `as` names.
fn form(ruby: &Ruby, value: Value) -> Result<Form, Error> {
    match Symbol::from_value(value).map(|name| name.name()).transpose()?.as_deref() {
        Some("values") => Ok(Form::Values),
        Some("tagged") => Ok(Form::Tagged),
        Some("arrays") => Ok(Form::Plain),
        _ => {
            let message = "as: expected one of :values, :tagged, :arrays";
            Err(Error::new(ruby.exception_arg_error(), message))
        }
    }
}

/// Returns `value` as a limit. Infinity means the largest number.
fn limit(value: Value) -> Result<u64, Error> {
    match f64::try_convert(value) {
        Ok(f64::INFINITY) => Ok(u64::MAX),
        _ => u64::try_convert(value),
    }
}
