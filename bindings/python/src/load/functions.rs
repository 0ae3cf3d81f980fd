//! The functions `ketch.loads` and `ketch.loads_all`.

use super::{all_values, located, only_value, typed};
use crate::host::Function;
use crate::options::LoadOptions;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::ffi::CStr;

/// Documentation that starts with the signature of `loads` and `loads_all`, from which CPython
/// reads it.
macro_rules! documented {
    ($name:literal, $text:literal) => {
        concat!(
            $name,
            "(data, /, *, schema='core', duplicate_keys='error', merge=None, lenient=False, ",
            "final_break=True, filename=None, type=None, positions=False, max_depth=None, max_alias_nodes=None, ",
            "max_nodes=None, max_tag_bytes=None, max_tag_handles=None, max_implicit_key_chars=None, ",
            "max_scalar_bytes=None, max_buffer_bytes=None)\n--\n\n",
            $text,
            "\0"
        )
    };
}

/// Returns a text that ends with a zero as a C string.
const fn c_text(text: &'static str) -> &'static CStr {
    match CStr::from_bytes_with_nul(text.as_bytes()) {
        Ok(text) => text,
        Err(_) => panic!("a zero must be at the end, and nowhere else"),
    }
}

/// What the keyword arguments of a call request.
enum Request<'py> {
    /// Values with the locations of their parts.
    Located,
    Values(Box<LoadOptions>),
    /// Values that are converted to this type.
    Typed(Box<LoadOptions>, Bound<'py, PyAny>),
}

impl<'py> Request<'py> {
    /// Returns what the arguments request, and removes those that are not options of the parser.
    fn of(options: &Bound<'py, PyDict>) -> PyResult<Request<'py>> {
        if located::is_requested(options)? {
            return Ok(Request::Located);
        }
        let target = typed::take_type(options)?;
        let mut load_options = Box::new(LoadOptions::from_keywords(Some(options))?);
        if let Some(target) = &target {
            load_options.decimals = typed::keeps_digits(target)?;
        }
        Ok(match target {
            Some(target) => Request::Typed(load_options, target),
            None => Request::Values(load_options),
        })
    }
}

/// The function `ketch.loads`.
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
final_break: whether a block scalar at the end of an input without a final line break is read with
one, as yaml-test-suite asks for; other readers, such as PyYAML, read it without.
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
        let Some(options) = options else { return only_value(data, LoadOptions::defaults()) };
        match Request::of(options)? {
            Request::Located => located::only(data, options),
            Request::Values(load_options) => only_value(data, &load_options),
            Request::Typed(load_options, target) => {
                let value = only_value(data, &load_options)?;
                typed::converted(&value, &target, data, 0, options)
            }
        }
    }
}

/// The function `ketch.loads_all`.
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
        let Some(options) = options else { return all_values(data, LoadOptions::defaults()) };
        match Request::of(options)? {
            Request::Located => located::all(data, options),
            Request::Values(load_options) => all_values(data, &load_options),
            Request::Typed(load_options, target) => {
                let values = all_values(data, &load_options)?;
                let converted = PyList::empty(data.py());
                for (document, value) in values.try_iter()?.enumerate() {
                    let value = typed::converted(&value?, &target, data, document, options)?;
                    converted.append(value)?;
                }
                Ok(converted.into_any())
            }
        }
    }
}
