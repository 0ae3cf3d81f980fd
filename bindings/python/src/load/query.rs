//! Programs in jq's language, and their runs.

use super::builder::Builder;
use super::reader::{File, Raised};
use crate::errors;
use crate::memory;
use crate::options::LoadOptions;
use crate::source::Source;
use ketch_host::query::{Program, Session, Settings};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::io::Cursor;
use std::sync::{Mutex, PoisonError};

/// A compiled program, which threads may share.
#[pyclass(module = "ketch._ketch", frozen)]
pub struct QueryProgram(Program);

/// The results of a run, one by one.
#[pyclass(module = "ketch._ketch", frozen)]
pub struct QueryResults {
    /// `None` once it is closed.
    session: Mutex<Option<Session>>,
    options: LoadOptions,
    /// The exception that a call of `read` has raised, if any.
    raised: Raised,
}

/// Returns the settings and the options of reading that the keyword arguments set.
fn settings(keywords: &Bound<'_, PyDict>) -> PyResult<(Settings, LoadOptions)> {
    let (mut settings, reading) = (Settings::default(), PyDict::new(keywords.py()));
    for (name, value) in keywords {
        if value.is_none() || !settings.set(name.extract()?, value.str()?.to_str()?) {
            reading.set_item(name, value)?;
        }
    }
    let options = LoadOptions::from_keywords(Some(&reading))?;
    let name = options.filename.as_deref();
    Ok((settings.reading(&options.parse, &options.compose, name), options))
}

#[pymethods]
impl QueryProgram {
    /// Compiles a program, or messages. `variables` and `modules` are mappings in YAML.
    #[new]
    #[pyo3(signature = (program, variables, modules, messages, /))]
    fn new(
        py: Python<'_>,
        program: &str,
        variables: &str,
        modules: &str,
        messages: bool,
    ) -> PyResult<QueryProgram> {
        let made = Program::new(program, variables, modules, messages);
        let failed = |trouble| errors::query(py, trouble, LoadOptions::defaults());
        made.map(QueryProgram).map_err(failed)
    }

    /// Starts a run on a text or a file.
    #[pyo3(signature = (data, options, /))]
    fn run(&self, data: &Bound<'_, PyAny>, options: &Bound<'_, PyDict>) -> PyResult<QueryResults> {
        let (settings, options) = settings(options)?;
        let raised = Raised::default();
        let session = match data.hasattr("read")? {
            true => self.0.run(File::of(data, raised.clone())?, settings),
            false => {
                let text = Source::of_yaml(data, &options)?.bytes().to_vec();
                self.0.run(Cursor::new(text), settings)
            }
        };
        Ok(QueryResults { session: Mutex::new(Some(session)), options, raised })
    }

    /// Returns the text that the program makes of a text.
    #[pyo3(signature = (text, options, /))]
    fn edit(&self, text: &Bound<'_, PyAny>, options: &Bound<'_, PyDict>) -> PyResult<String> {
        let py = text.py();
        let (settings, options) = settings(options)?;
        let edited = self.0.edit(text.extract()?, &settings);
        let edited = edited.map_err(|trouble| errors::query(py, trouble, &options))?;
        Ok(edited.text().to_owned())
    }
}

#[pymethods]
impl QueryResults {
    fn __iter__(results: PyRef<'_, Self>) -> PyRef<'_, Self> {
        results
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        // To wait for another thread here would keep that one from attaching again.
        let Ok(mut session) = self.session.try_lock() else {
            return Err(PyRuntimeError::new_err("the results are already being read"));
        };
        let next = session.as_mut().map_or(Ok(None), Session::next);
        let flat = next.map_err(|trouble| {
            *session = None;
            let by_file = self.raised.lock().unwrap_or_else(PoisonError::into_inner).take();
            by_file.unwrap_or_else(|| errors::query(py, trouble, &self.options))
        })?;
        let Some(flat) = flat else { return Ok(None) };
        let (mut keys, mut subtrees) = (memory::lease(), None);
        let mut builder = Builder::of_document(py, &self.options, &mut keys, &mut subtrees);
        flat.build(&mut builder).map_err(|stop| stop.into_exception(py, &self.options))?;
        Ok(builder.stack.pop())
    }

    /// Ends the run, and frees what it holds.
    fn close(&self) {
        if let Ok(mut session) = self.session.try_lock() {
            *session = None;
        }
    }
}
