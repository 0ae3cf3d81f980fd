//! Generates the Python source for modules that are created from schemas at run time.

use crate::{facts, panics};
use ketch_extprot::codegen::{self, PythonOptions};
use ketch_host::raised;
use pyo3::prelude::*;

/// Return the source of the module for a schema. If `text` is `None`, the schema is read from the
/// file `name`.
#[pyfunction]
#[pyo3(signature = (name, text, /))]
pub fn extprot_schema_source(py: Python<'_>, name: &str, text: Option<&str>) -> PyResult<String> {
    panics::panic_if_planted();
    let generate = |schema: &_| codegen::python(schema, &PythonOptions::default());
    raised::schema_source(name, text, generate).map_err(|wrong| {
        let made = || -> PyResult<PyErr> {
            let class = py.import("ketch.extprot._values")?.getattr("SchemaError")?;
            let facts = facts::of(py, wrong.fields())?;
            Ok(PyErr::from_value(class.call1((wrong.message.as_str(), facts))?))
        };
        made().unwrap_or_else(|failure| failure)
    })
}
