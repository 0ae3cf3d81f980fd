//! Creates temporary files, and keeps a list of them for signal handlers.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::{NamedTempFile, TempPath};

/// The temporary files of this process.
static LIVE: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Locks the list, and returns it. A panic in another thread does not make it unusable.
fn locked_list() -> MutexGuard<'static, Vec<PathBuf>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the temporary files of all replacements. Call this in a process that is about to end without
/// unwinding, for example because of a signal. Afterwards, a thread that tries to create another
/// temporary file blocks forever.
pub fn remove_temporary_files() {
    let live = locked_list();
    for path in live.iter() {
        // The file may just have been renamed into place, or removed.
        let _ = std::fs::remove_file(path);
    }
    std::mem::forget(live);
}

/// A temporary file that is removed when this is dropped.
#[derive(Debug)]
pub struct Temporary {
    /// The path, or `None` after the file was persisted.
    path: Option<TempPath>,
    pub file: File,
    /// The process that owns the file. A forked child also drops its copy, but must not remove the
    /// file.
    process: u32,
}

impl Temporary {
    /// Creates a temporary file in `folder`, with mode 0600. If it has a name, removes an old file
    /// of this name first.
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

    /// Renames the file over `target`.
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

/// Removes a path from the list of temporary files.
fn forget(path: &Path) {
    locked_list().retain(|other| other != path);
}

/// Creates a temporary file in `folder`. `tempfile` adds the name of the file to the system's
/// error. The name means nothing to users, so this returns the original error.
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
