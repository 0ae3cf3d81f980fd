//! Removes the temporary files that killed processes have left. Such a file has one of a few names,
//! which depend on its target, and no lock: the process that writes it holds one (`flock`).

use rustix::fs::OFlags;
use std::fs::{File, Metadata, TryLockError};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

/// Returns the names that temporary files of `target` may have. If all are in use, the name is
/// random.
pub fn names(target: &Path) -> [String; 4] {
    let mut hasher = DefaultHasher::new();
    target.file_name().hash(&mut hasher);
    let hash = hasher.finish();
    [0, 1, 2, 3].map(|number| format!(".ketch-{hash:016x}-{number}"))
}

/// Removes the file at `path` if no process writes it.
pub fn remove(path: &Path) {
    // In a folder of several users, it may be a link or a pipe.
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits() as i32;
    let Ok(file) = File::options().read(true).custom_flags(flags).open(path) else { return };
    // While another process removes the file, it has the lock. Afterwards, the name may be that of a
    // new file.
    if file.metadata().is_ok_and(|metadata| metadata.is_file())
        && file.try_lock().is_ok()
        && is_at(&file, path).unwrap_or(false)
    {
        let _ = std::fs::remove_file(path);
    }
}

/// Locks the new file at `path`, so that [`remove`] does not remove it. Returns false if another
/// process was faster.
pub fn hold(file: &File, path: &Path) -> bool {
    match file.try_lock() {
        Ok(()) => is_at(file, path).unwrap_or(true),
        Err(TryLockError::WouldBlock) => false,
        // The file system has no locks, so nobody removes the file.
        Err(TryLockError::Error(_)) => true,
    }
}

/// Returns whether `path` is the name of `file`.
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    let identity = |metadata: Metadata| (metadata.dev(), metadata.ino());
    match std::fs::symlink_metadata(path) {
        Ok(found) => Ok(identity(found) == identity(file.metadata()?)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, Replacement};
    use io::Write;

    fn open(target: &Path) -> Replacement {
        let mut replacement = Replacement::open(target, &Options::default()).unwrap();
        replacement.write_all(b"new\n").unwrap();
        replacement
    }

    fn files(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn files_of_killed_processes_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a.yaml");
        for name in [&names(&target)[0], &names(&target)[2], ".ketch-other"] {
            std::fs::write(folder.path().join(name), "half").unwrap();
        }
        open(&target).commit().unwrap();
        let mut left = files(folder.path());
        left.sort();
        assert_eq!(left, [".ketch-other", "a.yaml"]);
        assert_eq!(std::fs::read(&target).unwrap(), b"new\n");
    }

    #[test]
    fn files_of_running_processes_stay() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a.yaml");
        let replacements: Vec<_> = (0..6).map(|_| open(&target)).collect();
        assert_eq!(files(folder.path()).len(), 6);
        for replacement in replacements {
            replacement.commit().unwrap();
        }
        assert_eq!(files(folder.path()), ["a.yaml"]);
        // The lock of the temporary file does not stay with the target.
        File::open(&target).unwrap().try_lock().unwrap();
    }

    #[test]
    fn links_and_pipes_with_such_names_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a.yaml");
        let [link, pipe, ..] = names(&target).map(|name| folder.path().join(name));
        std::fs::write(folder.path().join("other"), "").unwrap();
        std::os::unix::fs::symlink("other", link).unwrap();
        let made = std::process::Command::new("mkfifo").arg(pipe).status().unwrap();
        assert!(made.success());
        open(&target).commit().unwrap();
        assert_eq!(files(folder.path()).len(), 4);
    }

    /// Some of the replacements are as if their process had been killed.
    #[test]
    fn no_replacement_loses_its_file_to_another() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a.yaml");
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let target = &target;
                scope.spawn(move || {
                    for round in 0..100 {
                        let name = &names(target)[(thread + round) % 4];
                        let _ = File::create_new(target.with_file_name(name));
                        open(target).commit().unwrap();
                    }
                });
            }
        });
        open(&target).commit().unwrap();
        assert_eq!(files(folder.path()), ["a.yaml"]);
    }
}
