//! The keyword arguments of functions that read extprot.

use crate::options::{count, unknown, word};
use ketch_extprot::Limits;
use ketch_host::extprot::Form;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The options for reading.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    pub form: Form,
    pub limits: Limits,
}

impl ReadOptions {
    /// Returns the options that the keyword arguments set.
    ///
    /// # Errors
    ///
    /// Raises a `TypeError` for an unknown argument or one of the wrong type, and a `ValueError`
    /// for an invalid value.
    pub fn from_keywords(keywords: Option<&Bound<'_, PyDict>>) -> PyResult<ReadOptions> {
        // An `int` of Python can hold any number.
        let limits = Limits { wide_ints: true, ..Limits::default() };
        let mut options = ReadOptions { form: Form::default(), limits };
        for (name, value) in keywords.into_iter().flatten() {
            options.set(name.extract()?, &value)?;
        }
        Ok(options)
    }

    /// Returns the options for reading values of a given type.
    ///
    /// # Errors
    ///
    /// See [`ReadOptions::from_keywords`].
    pub fn typed(keywords: &Bound<'_, PyDict>) -> PyResult<ReadOptions> {
        let mut options = ReadOptions::from_keywords(Some(keywords))?;
        // An `int` of extprot is restricted to the range that every reader supports.
        options.limits.wide_ints = false;
        Ok(options)
    }

    /// Sets the option `name` to `value`.
    fn set(&mut self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        match name {
            "form" => self.form = form(&word(name, value)?)?,
            "max_depth" => self.limits.depth = count(name, value)?,
            "max_string_bytes" => self.limits.string_length = count(name, value)?,
            "max_elements" => self.limits.num_elements = count(name, value)?,
            "max_block_bytes" => self.limits.message_length = count(name, value)?,
            "strict" => self.limits.strict = value.is_truthy()?,
            _ => return Err(unknown(name)),
        }
        Ok(())
    }
}

/// Returns the form that `word` names.
fn form(word: &str) -> PyResult<Form> {
    match word {
        "values" => Ok(Form::Values),
        "tagged" => Ok(Form::Tagged),
        "plain" => Ok(Form::Plain),
        _ => Err(PyValueError::new_err("form: expected \"values\", \"tagged\" or \"plain\"")),
    }
}
