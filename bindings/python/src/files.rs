//! Replaces whole files, for `ketch.dump` to a path.

use ketch_files::{Error, Options, Replacement};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use std::io::{self, Write};
use std::path::PathBuf;

/// Replaces the file at `path`: other programs see either its old content or the new one. Its
/// owner, mode, ACL and attributes stay unchanged.
#[pyfunction]
#[pyo3(signature = (path, content, /))]
pub fn replace_file(py: Python<'_>, path: PathBuf, content: &[u8]) -> PyResult<()> {
    let result = py.detach(|| {
        let mut replacement = Replacement::open(&path, &Options::default())?;
        replacement.write_all(content).and_then(|()| replacement.sync()).map_err(Error::Io)?;
        replacement.commit().map(drop)
    });
    result.map_err(|error| match error {
        Error::Io(error) | Error::Folder(error) => system_error(py, &error, path),
        refused => PyOSError::new_err(format!("{} is left as it is: {refused}", path.display())),
    })
}

/// Returns the `OSError` for an error of the operating system.
pub fn system_error(py: Python<'_>, error: &io::Error, path: PathBuf) -> PyErr {
    // From the error number, Python derives the class of the exception, such as PermissionError.
    let Some(number) = error.raw_os_error() else {
        return PyOSError::new_err(format!("{}: {error}", path.display()));
    };
    match py.import("os").and_then(|os| os.call_method1("strerror", (number,))) {
        Ok(reason) => PyOSError::new_err((number, reason.unbind(), path.into_os_string())),
        Err(failure) => failure,
    }
}
