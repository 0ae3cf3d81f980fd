//! Reads documents one after another, with bounded memory.

use super::tree;
use crate::errors::Stop;
use crate::interrupt;
use crate::memory;
use crate::options::LoadOptions;
use ketch_yaml::{Document, Documents, ReadParser};
use pyo3::exceptions::{PyOSError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use std::io::{self, Read};
use std::sync::{Arc, Mutex, PoisonError};

/// An iterator over the values of the documents in a file.
#[pyclass(module = "ketch._ketch", unsendable)]
pub struct DocumentReader {
    documents: Option<Documents<'static, ReadParser<File>>>,
    document: Document<'static>,
    options: LoadOptions,
    /// The exception that a call of `read` has raised, if any.
    raised: Raised,
}

pub(super) type Raised = Arc<Mutex<Option<PyErr>>>;

#[pymethods]
impl DocumentReader {
    #[new]
    #[pyo3(signature = (file, /, **options), text_signature = "(file, /, *, schema='core', duplicate_keys='error', merge=None, lenient=False, final_break=True, filename=None, max_depth=None, max_alias_nodes=None, max_nodes=None, max_tag_bytes=None, max_tag_handles=None, max_implicit_key_chars=None, max_scalar_bytes=None, max_buffer_bytes=None)")]
    fn new(
        file: Bound<'_, PyAny>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<DocumentReader> {
        let options = LoadOptions::from_keywords(options)?;
        let raised = Raised::default();
        let file = File::of(&file, raised.clone())?;
        let parser = ReadParser::with_options(file, &options.parse);
        let documents = Some(Documents::from_source(parser, &options.compose));
        Ok(DocumentReader { documents, document: Document::new(), options, raised })
    }

    fn __iter__(reader: PyRef<'_, Self>) -> PyRef<'_, Self> {
        reader
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        // Put back only if there may be another document: not after an error or a panic.
        let Some(mut documents) = self.documents.take() else { return Ok(None) };
        let result = match documents.next_into(&mut self.document) {
            Ok(false) => Ok(None),
            Ok(true) => {
                let mut keys = memory::lease();
                tree::value(py, &self.document, &self.options, &mut keys).map(Some)
            }
            Err(error) => Err(Stop::Yaml(error)),
        };
        if matches!(result, Ok(Some(_))) {
            self.documents = Some(documents);
        }
        result.map_err(|stop| {
            let by_file = self.raised.lock().unwrap_or_else(PoisonError::into_inner).take();
            by_file.unwrap_or_else(|| stop.into_exception(py, &self.options))
        })
    }
}

/// An object with a method `read`, which returns `bytes` or `str`.
pub(super) struct File {
    read: Py<PyAny>,
    /// Bytes that `read` has returned but that are not used yet, in reverse order. There can be
    /// more than were requested, since a `str` may have more bytes than characters.
    rest: Vec<u8>,
    raised: Raised,
}

impl Read for File {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            let read = Python::attach(|py| self.fetch(py, buffer.len()));
            if let Err(error) = read {
                *self.raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                return Err(io::Error::other("read raised an exception"));
            }
        }
        let count = buffer.len().min(self.rest.len());
        let from = self.rest.len() - count;
        for (target, byte) in buffer.iter_mut().zip(self.rest.drain(from..).rev()) {
            *target = byte;
        }
        Ok(count)
    }
}

impl File {
    /// Returns a reader of a file. An exception of the file is stored in `raised`.
    pub(super) fn of(file: &Bound<'_, PyAny>, raised: Raised) -> PyResult<File> {
        Ok(File { read: file.getattr("read")?.unbind(), rest: Vec::new(), raised })
    }

    /// Calls `read`, and stores the bytes that it returns in `self.rest`.
    fn fetch(&mut self, py: Python<'_>, count: usize) -> PyResult<()> {
        interrupt::check(py)?;
        let read = self.read.bind(py).call1((count,))?;
        if let Ok(text) = read.cast::<PyString>() {
            // A lone surrogate is encoded as well, so that the parser can report its location.
            let encoded = text.call_method1("encode", ("utf-8", "surrogatepass"))?;
            self.rest = encoded.cast::<PyBytes>()?.as_bytes().to_vec();
        } else if let Ok(bytes) = read.cast::<PyBytes>() {
            self.rest = bytes.as_bytes().to_vec();
        } else if read.is_none() {
            return Err(PyOSError::new_err("the file has no data yet: it is not blocking"));
        } else {
            let class = read.get_type().qualname()?;
            let message = format!("expected read to return bytes or str, not {class}");
            return Err(PyTypeError::new_err(message));
        }
        self.rest.reverse();
        Ok(())
    }
}
