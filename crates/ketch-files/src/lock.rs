//! Locks folders, so that the processes that replace a file in one of them take turns.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// The time to wait for other processes, each of which holds the lock for about a millisecond.
const WAIT: Duration = Duration::from_secs(10);

/// A lock on a folder, which is released when this value is dropped or the process ends.
///
/// The folder is locked rather than the file, because the file is replaced, and because programs
/// lock files that they then edit. There is no lock file that could be left behind.
#[derive(Debug)]
pub struct Lock(#[allow(dead_code)] Option<File>);

impl Lock {
    /// Locks `folder`, and waits if another process has locked it. If the system or the file system
    /// cannot lock folders, or the folder is not readable, this has no effect.
    ///
    /// # Errors
    ///
    /// Fails if the folder is still locked after ten seconds.
    pub fn exclusive(folder: &Path) -> io::Result<Lock> {
        Lock::with(folder, File::try_lock)
    }

    /// As [`Lock::exclusive`], but other processes may hold such a lock at the same time.
    pub fn shared(folder: &Path) -> io::Result<Lock> {
        Lock::with(folder, File::try_lock_shared)
    }

    fn with(folder: &Path, lock: fn(&File) -> Result<(), TryLockError>) -> io::Result<Lock> {
        let Ok(file) = File::open(folder) else { return Ok(Lock(None)) };
        let start = Instant::now();
        loop {
            match lock(&file) {
                Ok(()) => return Ok(Lock(Some(file))),
                Err(TryLockError::Error(_)) => return Ok(Lock(None)),
                Err(TryLockError::WouldBlock) if start.elapsed() < WAIT => {
                    std::thread::sleep(Duration::from_micros(500));
                }
                Err(TryLockError::WouldBlock) => {
                    let message = "another program keeps its folder locked";
                    return Err(io::Error::new(io::ErrorKind::TimedOut, message));
                }
            }
        }
    }
}
