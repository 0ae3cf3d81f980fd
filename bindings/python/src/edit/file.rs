//! Reads and replaces files for editing sessions.

use crate::errors;
use crate::files;
use ketch_edit::Edit;
use ketch_files::{Error, Options, Replacement, Stamp};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

/// The file from which a text was read, and the stamp that the file had when it was last read or
/// saved.
pub struct Origin {
    path: PathBuf,
    stamp: Stamp,
}

/// Reads the file at `path`. Meanwhile, other threads can run.
pub fn read(py: Python<'_>, path: PathBuf) -> PyResult<(Vec<u8>, Origin)> {
    match py.detach(|| ketch_files::read(&path)) {
        Ok(Some((content, stamp))) => Ok((content, Origin { path, stamp })),
        Ok(None) => Err(PyValueError::new_err(format!("{} is not a regular file", path.display()))),
        Err(error) => Err(files::system_error(py, &error, path)),
    }
}

impl Origin {
    /// Replaces the file's content by the text with all edits. Meanwhile, other threads can run.
    pub fn save(&mut self, py: Python<'_>, edit: &Edit, write_through: bool) -> PyResult<()> {
        let stamp = Some(self.stamp.clone());
        let options = Options::default().with_write_through(write_through).with_stamp(stamp);
        let path = &self.path;
        let written = py.detach(|| {
            let mut replacement = Replacement::open(path, &options)?;
            let mut out = BufWriter::new(&mut replacement);
            edit.write_to(&mut out).and_then(|()| out.flush()).map_err(Error::Io)?;
            drop(out);
            replacement.sync().map_err(Error::Io)?;
            replacement.commit()
        });
        if let Some(stamp) = written.map_err(|error| refused(py, error, self))? {
            self.stamp = stamp;
        }
        Ok(())
    }
}

/// Returns the exception that explains why the file of `origin` was not replaced.
fn refused(py: Python<'_>, error: Error, origin: &Origin) -> PyErr {
    let (name, problem, help) = match error {
        Error::Io(error) | Error::Folder(error) => {
            return files::system_error(py, &error, origin.path.clone());
        }
        Error::Changed => {
            let problem = "it has changed since it was read".to_owned();
            ("file-changed", problem, "Edit it again: nothing was written.")
        }
        other => {
            let problem = format!("it is left as it is: {other}");
            ("not-replaced", problem, "`write_through=True` writes into the file in place.")
        }
    };
    errors::file(py, &origin.path, name, &problem, help)
}
