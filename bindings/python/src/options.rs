//! Keyword arguments, which have the same names as the options of the core.

use crate::interrupt;
use ketch_host::options::{Named, ReadOption, option};
use ketch_yaml::present::{Collections, PresentOptions};
use ketch_yaml::{Budget, ComposeOptions, FloatKeys};
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
        options.compose.float_keys = FloatKeys::Rounded;
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
            // An option of `ketch._typed` only.
            "_decimals" => self.decimals = value.is_truthy()?,
            "filename" if value.is_none() => self.filename = None,
            "filename" => self.filename = Some(word(name, value)?),
            _ => self.set_of_core(name, value)?,
        }
        Ok(())
    }

    /// Sets the option `name` of the core to `value`. A limit that is `None` keeps its default.
    fn set_of_core(&mut self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let option = option(name, &mut self.parse, &mut self.compose);
        match option.ok_or_else(|| unknown(name))? {
            ReadOption::Schema(schema) => *schema = choice(name, value)?,
            ReadOption::DuplicateKeys(policy) => *policy = choice(name, value)?,
            // Syck's dialect is not for Python.
            ReadOption::Dialect(_) => return Err(unknown(name)),
            ReadOption::Flag(flag) => *flag = value.is_truthy()?,
            ReadOption::Choice(choice) if value.is_none() => *choice = None,
            ReadOption::Choice(choice) => *choice = Some(value.is_truthy()?),
            ReadOption::Budget(_) | ReadOption::Count(_) if value.is_none() => {}
            ReadOption::Budget(limit) => *limit = budget(name, value)?,
            ReadOption::Count(limit) => *limit = count(name, value)?,
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
            "sequences" => self.present.sequences = choice(name, &value)?,
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

/// Returns the choice that `value`, the name of one, makes for the argument `name`.
fn choice<T: Named>(name: &str, value: &Bound<'_, PyAny>) -> PyResult<T> {
    T::named(&word(name, value)?).ok_or_else(|| {
        let names: Vec<String> = T::NAMES.iter().map(|(name, _)| format!("\"{name}\"")).collect();
        let (last, others) = names.split_last().map_or(("", &[][..]), |(last, rest)| (last, rest));
        PyValueError::new_err(format!("{name}: expected {} or {last}", others.join(", ")))
    })
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
