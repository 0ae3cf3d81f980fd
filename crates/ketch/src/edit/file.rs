//! The file that a text was read from.

use super::error::Error;
use ketch_files::{Options, Replacement, Stamp};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// The path of a file, and its stamp from the time when it was read.
#[derive(Debug)]
pub struct Source {
    path: PathBuf,
    stamp: Stamp,
}

impl Source {
    /// Reads the regular file at `path`. Returns it with its content.
    pub fn read(path: &Path) -> Result<(Source, Vec<u8>), Error> {
        let failed = |error: io::Error| Error::File(path.to_owned(), error.into());
        let Some((bytes, stamp)) = ketch_files::read(path).map_err(failed)? else {
            let error = io::Error::new(io::ErrorKind::InvalidInput, "not a regular file");
            return Err(failed(error));
        };
        Ok((Source { path: path.to_owned(), stamp }, bytes))
    }

    /// Replaces the content of the file with what `write` writes. Fails if the file has changed
    /// since it was read.
    pub fn replace(
        &self,
        options: &Options,
        write: impl FnOnce(&mut BufWriter<Replacement>) -> io::Result<()>,
    ) -> Result<(), Error> {
        let options = options.clone().with_stamp(Some(self.stamp.clone()));
        let done = Replacement::open(&self.path, &options).and_then(|replacement| {
            let mut out = BufWriter::new(replacement);
            write(&mut out)?;
            out.flush()?;
            out.into_inner().map_err(io::IntoInnerError::into_error)?.commit().map(drop)
        });
        done.map_err(|error| Error::File(self.path.clone(), error))
    }
}
