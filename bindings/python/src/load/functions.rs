//! The functions `ketch.loads` and `ketch.loads_all`.

use super::{located, only_value, typed, values};
use crate::host::{self, Function};
use crate::options::LoadOptions;
use crate::source::Source;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ffi::CStr;

/// The signature of `loads` and `loads_all`, which CPython reads from the start of the documentation.
macro_rules! documented {
    ($name:literal, $text:literal) => {
        concat!(
            $name,
            "(data, /, *, schema='core', duplicate_keys='error', merge=None, lenient=False, ",
            "filename=None, type=None, positions=False, max_depth=None, max_alias_nodes=None, ",
            "max_nodes=None, max_tag_bytes=None, max_tag_handles=None, max_implicit_key_chars=None, ",
            "max_scalar_bytes=None, max_buffer_bytes=None)\n--\n\n",
            $text,
            "\0"
        )
    };
}

/// Returns text for CPython, which ends with a zero.
const fn c_text(text: &'static str) -> &'static CStr {
    match CStr::from_bytes_with_nul(text.as_bytes()) {
        Ok(text) => text,
        Err(_) => panic!("a zero must be at the end, and nowhere else"),
    }
}

/// `ketch.loads`.
pub enum Loads {}

impl Function for Loads {
    const NAME: &'static CStr = c"loads";
    const TEXT: &'static CStr = c_text(documented!(
        "loads",
        "Return the value of the only document of a text; None for a text without documents.

`data` is a str, bytes in UTF-8, UTF-16 or UTF-32, or anything with a buffer.

schema: what plain scalars mean: \"core\", \"json\", \"failsafe\", \"yaml11\" or \"syck\".
duplicate_keys: \"error\", or which one to keep: \"first\" or \"last\".
merge: whether `<<` merges; None is as the schema defines.
lenient: accept what other readers accept against the rules, such as a tab as indentation.
filename: the name of the input in errors.
type: a dataclass, TypedDict, Struct of msgspec, class of attrs or model of pydantic, or any type of
these, such as list[Ship]. The value is converted by msgspec or pydantic.
positions: return a Located, which has the value and the position of each part of it.
max_depth and so on: limits. A number, math.inf, or (base, extra per KiB of input) for a budget;
None for the default.

Raises ketch.YamlSyntaxError, ketch.LimitError, ketch.ConstructError, ketch.DuplicateKeyError,
ketch.ConversionError."
    ));

    fn call<'py>(
        data: &Bound<'py, PyAny>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if located::is_requested(options)? {
            return located::only(data, options);
        }
        let target = typed::take_type(options)?;
        let value = only_value(data, &*LoadOptions::of_call(options)?)?;
        match target {
            Some(target) => typed::converted(&value, &target, data, 0, options),
            None => Ok(value),
        }
    }
}

/// `ketch.loads_all`.
pub enum LoadsAll {}

impl Function for LoadsAll {
    const NAME: &'static CStr = c"loads_all";
    const TEXT: &'static CStr = c_text(documented!(
        "loads_all",
        "Return a list of the values of all documents of a text.\n\nTakes the options of `loads`."
    ));

    fn call<'py>(
        data: &Bound<'py, PyAny>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if located::is_requested(options)? {
            return located::all(data, options);
        }
        let target = typed::take_type(options)?;
        let load_options = LoadOptions::of_call(options)?;
        let mut values = values(data.py(), &Source::of(data)?, &load_options)?;
        if let Some(target) = target {
            for (document, value) in values.iter_mut().enumerate() {
                *value = typed::converted(value, &target, data, document, options)?;
            }
        }
        host::list(data.py(), &mut values, 0)
    }
}
