//! Creates temporary files, and keeps a list of them so that signal handlers can remove them.

use crate::left;
use crate::target::folder_of;
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
    /// Creates a temporary file with mode 0600 beside `target`, and removes those that killed
    /// processes have left there when they replaced the same target.
    pub fn create_beside(target: &Path) -> io::Result<Temporary> {
        let folder = folder_of(target);
        let mut created = None;
        for name in left::names(target) {
            left::remove(&folder.join(&name));
            if created.is_none() {
                created = Temporary::create_held(folder, &name)?;
            }
        }
        created.map_or_else(|| Temporary::create(folder, None), Ok)
    }

    /// Creates a temporary file with mode 0600 and the name `name` in `folder`. An existing file with
    /// this name is removed first.
    pub fn create_named(folder: &Path, name: &str) -> io::Result<Temporary> {
        match std::fs::remove_file(folder.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Temporary::create(folder, Some(name)),
        }
    }

    /// Creates a temporary file that [`left::remove`] does not remove. Returns `None` if another
    /// process has a file with this name.
    fn create_held(folder: &Path, name: &str) -> io::Result<Option<Temporary>> {
        let mut temporary = match Temporary::create(folder, Some(name)) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(None),
            created => created?,
        };
        if temporary.path.as_ref().is_some_and(|path| left::hold(&temporary.file, path)) {
            return Ok(Some(temporary));
        }
        // The name may already be that of another file.
        if let Some(mut path) = temporary.path.take() {
            forget(&path);
            path.disable_cleanup(true);
        }
        Ok(None)
    }

    /// Creates a temporary file. Its name is random if `name` is `None`.
    fn create(folder: &Path, name: Option<&str>) -> io::Result<Temporary> {
        let mut live = locked_list();
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
        // A forked child may have a copy of the file, and with it the lock.
        let _ = self.file.unlock();
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
