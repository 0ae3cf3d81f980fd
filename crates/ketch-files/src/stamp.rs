//! Detects whether a file has changed.

use std::fs::{self, Metadata};
use std::io;
use std::path::Path;
use std::time::SystemTime;

/// The state of a file at a point in time, which identifies its content. Two stamps differ if the
/// file was changed or replaced between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    len: u64,
    modified: Option<SystemTime>,
    /// The device, the inode, and the time of the last change of the content or the metadata, as
    /// seconds and nanoseconds.
    identity: [i64; 4],
}

impl Stamp {
    /// Returns the stamp of the file at `path`. Call this before you read the file.
    ///
    /// # Errors
    ///
    /// Fails if there is no file at `path`, or if its metadata cannot be read.
    pub fn of(path: &Path) -> io::Result<Stamp> {
        fs::metadata(path).map(|metadata| Stamp::from(&metadata))
    }
}

impl From<&Metadata> for Stamp {
    fn from(metadata: &Metadata) -> Stamp {
        let (len, modified) = (metadata.len(), metadata.modified().ok());
        Stamp { len, modified, identity: identity(metadata) }
    }
}

/// Returns the device, the inode, and the time of the last change, as seconds and nanoseconds.
#[cfg(unix)]
fn identity(metadata: &Metadata) -> [i64; 4] {
    use std::os::unix::fs::MetadataExt;
    [metadata.dev() as i64, metadata.ino() as i64, metadata.ctime(), metadata.ctime_nsec()]
}

/// Returns the same value for all files, because this system has no inodes. Stamps then compare
/// only the other fields.
#[cfg(not(unix))]
fn identity(_: &Metadata) -> [i64; 4] {
    [0; 4]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Error, Options, Replacement};
    use std::io::Write;

    #[test]
    fn a_file_that_has_changed_is_not_replaced() {
        for write_through in [false, true] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("a");
            fs::write(&path, b"old").unwrap();
            let stamp = Stamp::of(&path).unwrap();
            let options =
                Options::default().with_write_through(write_through).with_stamp(Some(stamp));
            let mut replacement = Replacement::open(&path, &options).unwrap();
            replacement.write_all(b"new").unwrap();
            fs::write(&path, b"other").unwrap();
            assert!(matches!(replacement.commit(), Err(Error::Changed)));
            assert_eq!(fs::read(&path).unwrap(), b"other");
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
            let stamp = Stamp::of(&path).ok();
            let mut replacement = Replacement::open(&path, &options.with_stamp(stamp)).unwrap();
            replacement.write_all(b"new").unwrap();
            replacement.commit().unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"new");
        }
    }
}
