//! Creates temporary files, and keeps a list of them so that signal handlers can remove them.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::{NamedTempFile, TempPath};

/// The paths of the temporary files of this process.
static LIVE: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Locks [`LIVE`] and returns its guard. A panic of another thread that holds the lock does not
/// matter.
fn locked_list() -> MutexGuard<'static, Vec<PathBuf>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the temporary files of all replacements. Call this in a process that is about to end
/// without unwinding, for example because of a signal. Afterwards, a thread that creates or drops a
/// temporary file blocks forever.
pub fn remove_temporary_files() {
    let live = locked_list();
    for path in live.iter() {
        // It is not an error if the file has just been renamed or removed.
        let _ = std::fs::remove_file(path);
    }
    std::mem::forget(live);
}

/// A temporary file that is removed when this value is dropped.
#[derive(Debug)]
pub struct Temporary {
    /// The path, or `None` once the file has been renamed.
    path: Option<TempPath>,
    pub file: File,
    /// The process that created the file. A forked child also drops its copy of this value, but
    /// must not remove the file.
    process: u32,
}

impl Temporary {
    /// Creates a temporary file with mode 0600 in `folder`. If `name` is given, the file gets this
    /// name, and an existing file with this name is removed first. Otherwise, the name is random.
    pub fn create_in(folder: &Path, name: Option<&str>) -> io::Result<Temporary> {
        let mut live = locked_list();
        if let Some(name) = name {
            match std::fs::remove_file(folder.join(name)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        let (file, path) = create(folder, name)?.into_parts();
        live.push(path.to_path_buf());
        Ok(Temporary { path: Some(path), file, process: std::process::id() })
    }

    /// Renames the file to `target`, replacing the file there.
    pub fn persist(mut self, target: &Path) -> io::Result<()> {
        let Some(path) = self.path.take() else { return Ok(()) };
        let name = path.to_path_buf();
        let renamed = path.persist(target).map_err(|error| error.error);
        forget(&name);
        renamed
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Some(mut path) = self.path.take() {
            if self.process == std::process::id() {
                forget(&path);
            } else {
                path.disable_cleanup(true);
            }
        }
    }
}

/// Removes `path` from the list of temporary files.
fn forget(path: &Path) {
    locked_list().retain(|other| other != path);
}

/// Creates a temporary file in `folder`, with a random name if `name` is `None`. The crate
/// `tempfile` adds the path of the file to a system error. Users do not know that path, so this
/// function returns the original error.
fn create(folder: &Path, name: Option<&str>) -> io::Result<NamedTempFile> {
    let mut cause = None;
    let mut builder = tempfile::Builder::new();
    match name {
        Some(name) => builder.prefix(name).rand_bytes(0),
        None => builder.prefix(".ketch-"),
    };
    let created = builder.make_in(folder, |path| {
        let mut options = File::options();
        options.read(true).write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(path).map_err(|error| {
            let kind = error.kind();
            cause = Some(error);
            kind.into()
        })
    });
    created.map_err(|error| cause.unwrap_or(error))
}
