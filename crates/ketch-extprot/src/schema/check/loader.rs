//! Loads included files.

use crate::schema::diagnostic::Source;
use std::io;

/// Finds the files that a schema includes, and the schemas of other modules that it names.
pub trait Loader {
    /// Reads the file that `path` refers to where it occurs in the file `from`. Returns the text of
    /// the file, with a name that identifies the file and appears in messages.
    fn load(&mut self, path: &str, from: &str) -> io::Result<Source>;
}

/// Reads files from the file system. A path is relative to the file that contains the path.
#[derive(Clone, Copy, Debug, Default)]
pub struct FileLoader;

impl Loader for FileLoader {
    fn load(&mut self, path: &str, from: &str) -> io::Result<Source> {
        let base = std::path::Path::new(from).parent().unwrap_or(std::path::Path::new(""));
        let path = base.join(path);
        let text = std::fs::read_to_string(&path)?;
        Ok(Source { name: path.to_string_lossy().into_owned(), text })
    }
}

/// Finds no files, for schemas that consist of one file.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoLoader;

impl Loader for NoLoader {
    fn load(&mut self, path: &str, _from: &str) -> io::Result<Source> {
        Err(io::Error::new(io::ErrorKind::NotFound, format!("{path} cannot be included here")))
    }
}
