//! Generates the Python source for modules that are created from schemas at run time.

use crate::panics;
use ketch_extprot::codegen::{self, PythonOptions};
use ketch_extprot::schema::{Diagnostics, FileLoader, check_file, check_schema};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Return the source of the module for a schema. If `text` is `None`, the schema is read from the
/// file `name`.
#[pyfunction]
#[pyo3(signature = (name, text, /))]
pub fn extprot_schema_source(py: Python<'_>, name: &str, text: Option<&str>) -> PyResult<String> {
    panics::panic_if_planted();
    let schema = match text {
        Some(text) => check_schema(name, text, &mut FileLoader),
        None => check_file(name),
    };
    let schema = schema.map_err(|wrong| raised(py, &wrong))?;
    codegen::python(&schema, &PythonOptions::default()).map_err(|error| match error {
        codegen::Error::Schema(wrong) => raised(py, &wrong),
        error => with_facts(py, &error.to_string(), None),
    })
}

/// Returns the exception for an invalid schema. Its message contains all errors; its fields
/// describe the first one.
fn raised(py: Python<'_>, wrong: &Diagnostics) -> PyErr {
    with_facts(py, &wrong.to_string(), Some(wrong))
}

/// Creates the exception. If `wrong` is given, the fields describe its first error.
fn with_facts(py: Python<'_>, message: &str, wrong: Option<&Diagnostics>) -> PyErr {
    let made = || -> PyResult<PyErr> {
        let facts = PyDict::new(py);
        if let Some(wrong) = wrong
            && let Some(first) = wrong.list.first()
        {
            let location = wrong.sources.location(first.span);
            facts.set_item("file", location.file)?;
            facts.set_item("offset", location.offset)?;
            facts.set_item("line", location.line)?;
            facts.set_item("column", location.column)?;
            facts.set_item("line_text", location.line_text)?;
            facts.set_item("problem", first.message.as_str())?;
            facts.set_item("help", first.help.as_str())?;
        }
        let class = py.import("ketch.extprot._values")?.getattr("SchemaError")?;
        Ok(PyErr::from_value(class.call1((message.trim_end(), facts))?))
    };
    made().unwrap_or_else(|failure| failure)
}
