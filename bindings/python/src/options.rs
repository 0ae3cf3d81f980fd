//! Keyword arguments, which have the same names as the options of the core.

use crate::interrupt;
use ketch_yaml::present::{Collections, PresentOptions, Sequences};
use ketch_yaml::{Budget, ComposeOptions, DuplicateKeys, Limits};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyInt, PyString, PyTuple};
use std::sync::LazyLock;

/// The options for loading.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    pub parse: ketch_yaml::Options,
    pub compose: ComposeOptions,
    /// The name of the input that error messages show.
    pub filename: Option<String>,
    /// Whether scalars, merge keys and duplicate keys follow the rules of PyYAML.
    pub pyyaml: bool,
    /// Whether floats become decimals, which keep their digits.
    pub decimals: bool,
}

impl LoadOptions {
    /// Returns the options of a call that has no keyword arguments.
    #[inline(always)]
    pub fn defaults() -> &'static LoadOptions {
        static DEFAULTS: LazyLock<LoadOptions> = LazyLock::new(LoadOptions::interruptible);
        &DEFAULTS
    }

    /// Returns the default options, with which signals can interrupt a load.
    pub fn interruptible() -> LoadOptions {
        let mut options = LoadOptions::default();
        interrupt::allow(&mut options.parse);
        options
    }

    /// Returns the options for `ketch.yaml`.
    pub fn of_pyyaml() -> LoadOptions {
        let mut options = LoadOptions::interruptible();
        (options.parse.lenient, options.parse.final_break) = (true, false);
        options
    }

    /// Returns the options that the keyword arguments set.
    ///
    /// # Errors
    ///
    /// Raises a `TypeError` for an unknown argument or one of the wrong type, and a `ValueError`
    /// for an invalid value.
    pub fn from_keywords(keywords: Option<&Bound<'_, PyDict>>) -> PyResult<LoadOptions> {
        let mut options = LoadOptions::interruptible();
        let Some(keywords) = keywords else { return Ok(options) };
        for (name, value) in keywords {
            options.set(name.extract()?, &value)?;
        }
        options.compose.limits = options.parse.limits;
        Ok(options)
    }

    /// Sets the option `name` to `value`.
    fn set(&mut self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        match name {
            "schema" => {
                let refused = |error| PyValueError::new_err(format!("schema: {error}"));
                self.compose.schema = word(name, value)?.parse().map_err(refused)?;
            }
            "duplicate_keys" => self.compose.duplicate_keys = duplicate_keys(name, value)?,
            "merge" if value.is_none() => self.compose.merge_keys = None,
            "merge" => self.compose.merge_keys = Some(value.is_truthy()?),
            "lenient" => self.parse.lenient = value.is_truthy()?,
            "final_break" => self.parse.final_break = value.is_truthy()?,
            // An option of `ketch._typed` only.
            "_decimals" => self.decimals = value.is_truthy()?,
            "filename" if value.is_none() => self.filename = None,
            "filename" => self.filename = Some(word(name, value)?),
            _ => set_limit(&mut self.parse.limits, name, value)?,
        }
        Ok(())
    }
}

/// The options for writing.
#[derive(Debug, Default)]
pub struct DumpOptions<'py> {
    pub present: PresentOptions,
    /// Whether each document starts with `---`.
    pub header: bool,
    pub sort_keys: bool,
    /// A function that is called for an object that cannot be written, and returns one that can.
    pub default: Option<Bound<'py, PyAny>>,
    /// Whether the result is `bytes` instead of `str`.
    pub as_bytes: bool,
}

impl<'py> DumpOptions<'py> {
    /// Returns the options that the keyword arguments set.
    ///
    /// # Errors
    ///
    /// See [`LoadOptions::from_keywords`].
    pub fn from_keywords(keywords: Option<&Bound<'py, PyDict>>) -> PyResult<DumpOptions<'py>> {
        let mut options = DumpOptions::default();
        for (name, value) in keywords.into_iter().flatten() {
            options.set(name.extract()?, value)?;
        }
        Ok(options)
    }

    /// Sets the option `name` to `value`.
    fn set(&mut self, name: &str, value: Bound<'py, PyAny>) -> PyResult<()> {
        match name {
            "indent" => self.present.indent = indent(&value)?,
            "width" => self.present.width = value.extract()?,
            "sequences" => self.present.sequences = sequences(name, &value)?,
            "flow" if value.is_truthy()? => self.present.collections = Collections::Flow,
            "flow" => self.present.collections = Collections::AsGiven,
            "ascii" => self.present.ascii = value.is_truthy()?,
            "header" => self.header = value.is_truthy()?,
            "sort_keys" => self.sort_keys = value.is_truthy()?,
            "default" => self.default = (!value.is_none()).then_some(value),
            "encoding" if value.is_none() => self.as_bytes = false,
            "encoding" => match word(name, &value)?.to_ascii_lowercase().as_str() {
                "utf-8" | "utf8" => self.as_bytes = true,
                _ => return Err(PyValueError::new_err("encoding: expected \"utf-8\" or None")),
            },
            _ => return Err(unknown(name)),
        }
        Ok(())
    }
}

/// Sets the limit `name` to `value`, unless that is `None`.
fn set_limit(limits: &mut Limits, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let limit = match name {
        "max_depth" => Limit::Budget(&mut limits.max_depth),
        "max_alias_nodes" => Limit::Budget(&mut limits.max_alias_nodes),
        "max_nodes" => Limit::Budget(&mut limits.max_nodes),
        "max_tag_bytes" => Limit::Budget(&mut limits.max_tag_bytes),
        "max_tag_handles" => Limit::Count(&mut limits.max_tag_handles),
        "max_implicit_key_chars" => Limit::Count(&mut limits.max_implicit_key_chars),
        "max_scalar_bytes" => Limit::Count(&mut limits.max_scalar_bytes),
        "max_buffer_bytes" => Limit::Count(&mut limits.max_buffer_bytes),
        _ => return Err(unknown(name)),
    };
    match limit {
        _ if value.is_none() => {}
        Limit::Budget(limit) => *limit = budget(name, value)?,
        Limit::Count(limit) => *limit = count(name, value)?,
    }
    Ok(())
}

enum Limit<'l> {
    Budget(&'l mut Budget),
    Count(&'l mut u64),
}

/// Returns the exception for an unknown keyword argument.
pub fn unknown(name: &str) -> PyErr {
    PyTypeError::new_err(format!("got an unexpected keyword argument '{name}'"))
}

/// Returns `value` as a budget: it is a number, infinity, or a tuple `(base, per_kib)`.
fn budget(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Budget> {
    let Ok(parts) = value.cast::<PyTuple>() else {
        let base = count(name, value)?;
        return Ok(if base == u64::MAX { Budget::UNLIMITED } else { Budget::fixed(base) });
    };
    if parts.len() != 2 {
        return Err(wrong_limit(name));
    }
    let base = count(name, &parts.get_item(0)?)?;
    Ok(Budget { base, per_kib: count(name, &parts.get_item(1)?)? })
}

/// Returns `value` as a number. Infinity means the largest number.
pub fn count(name: &str, value: &Bound<'_, PyAny>) -> PyResult<u64> {
    if value.is_instance_of::<PyInt>() {
        return value.extract().map_err(|_| wrong_limit(name));
    }
    match value.cast::<PyFloat>() {
        Ok(number) if number.value() == f64::INFINITY => Ok(u64::MAX),
        _ => Err(wrong_limit(name)),
    }
}

/// Returns the exception for a limit whose value is neither a number nor a budget.
fn wrong_limit(name: &str) -> PyErr {
    PyValueError::new_err(format!(
        "{name}: expected a number, math.inf, or (base, extra per KiB of input) for a budget"
    ))
}

/// Returns the number of columns by which each level is indented.
fn indent(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    match value.extract::<i64>()? {
        columns @ 1..=9 => Ok(columns as usize),
        _ => Err(PyValueError::new_err("indent: expected 1 to 9")),
    }
}

/// Returns the layout of sequences that `value` names.
fn sequences(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Sequences> {
    match word(name, value)?.as_str() {
        "flush" => Ok(Sequences::Flush),
        "indented" => Ok(Sequences::Indented),
        _ => Err(PyValueError::new_err("sequences: expected \"flush\" or \"indented\"")),
    }
}

/// Returns the handling of duplicate keys that `value` names.
fn duplicate_keys(name: &str, value: &Bound<'_, PyAny>) -> PyResult<DuplicateKeys> {
    match word(name, value)?.as_str() {
        "error" => Ok(DuplicateKeys::Error),
        "first" => Ok(DuplicateKeys::First),
        "last" => Ok(DuplicateKeys::Last),
        _ => {
            Err(PyValueError::new_err("duplicate_keys: expected \"error\", \"first\" or \"last\""))
        }
    }
}

/// Returns the text of the argument `name`, whose value has to be a `str`.
pub fn word(name: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    match value.cast::<PyString>() {
        Ok(text) => Ok(text.to_str()?.to_owned()),
        Err(_) => {
            let class = value.get_type().qualname()?;
            Err(PyTypeError::new_err(format!("{name}: expected a str, not {class}")))
        }
    }
}
