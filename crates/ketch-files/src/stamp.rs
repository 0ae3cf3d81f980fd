//! Detects whether a file has changed.

use crate::lock::Lock;
use crate::target::folder_of;
use std::fs::{self, File, Metadata};
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, Read};
use std::path::Path;
use std::time::{Duration, SystemTime};

/// The time within which two changes of a file may get the same time stamp. Linux counts in ticks
/// of at most 10 ms.
const TICK: Duration = Duration::from_millis(20);

/// The state of a file at a point in time, which identifies its content. Two stamps differ if the
/// file was changed or replaced between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    facts: Facts,
    /// A hash of the content, if the file had changed so shortly before that another change need
    /// not show in its metadata.
    hash: Option<u64>,
}

/// The part of the metadata that changes with the content.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Facts {
    len: u64,
    modified: Option<SystemTime>,
    /// The device, the inode, and the time of the last change of the content or the metadata, as
    /// seconds and nanoseconds.
    identity: [i64; 4],
}

/// Reads the regular file at `path`, and returns its content with the stamp that it had before it
/// was read. Returns `None` if there is something else at `path`, such as a folder or a pipe.
///
/// # Errors
///
/// Fails if there is nothing at `path`, or if it cannot be read.
pub fn read(path: &Path) -> io::Result<Option<(Vec<u8>, Stamp)>> {
    if !fs::metadata(path)?.is_file() {
        return Ok(None);
    }
    // A file that is being written in place is not read half-way, unless the writer takes longer
    // than the lock waits.
    let real = fs::canonicalize(path)?;
    let _lock = Lock::shared(folder_of(&real));
    let metadata = fs::metadata(path)?;
    let content = fs::read(path)?;
    let hash = is_recent(&metadata).then(|| hash_of(&content[..])).transpose()?;
    Ok(Some((content, Stamp { facts: Facts::of(&metadata), hash })))
}

impl Stamp {
    /// Returns the stamp of the file at `path`. Call this before you read the file.
    ///
    /// # Errors
    ///
    /// Fails if there is no file at `path`, or if it cannot be read.
    pub fn of(path: &Path) -> io::Result<Stamp> {
        let metadata = fs::metadata(path)?;
        let hash = match metadata.is_file() && is_recent(&metadata) {
            true => Some(hash_of_file(path)?),
            false => None,
        };
        Ok(Stamp { facts: Facts::of(&metadata), hash })
    }

    /// Returns whether the file at `path` still has this stamp.
    pub fn is_of(&self, path: &Path) -> bool {
        let has_facts = || fs::metadata(path).is_ok_and(|now| Facts::of(&now) == self.facts);
        let has_hash = |hash| hash_of_file(path).is_ok_and(|now| now == hash);
        has_facts() && self.hash.is_none_or(has_hash)
    }
}

impl Facts {
    fn of(metadata: &Metadata) -> Facts {
        let (len, modified) = (metadata.len(), metadata.modified().ok());
        Facts { len, modified, identity: identity(metadata) }
    }
}

/// Returns whether the file changed so shortly ago that its next change may get the same time. A
/// time in the future may come from the clock of another machine, so it counts as recent.
fn is_recent(metadata: &Metadata) -> bool {
    changed(metadata).and_then(|time| time.elapsed().ok()).is_none_or(|age| age < TICK)
}

fn hash_of_file(path: &Path) -> io::Result<u64> {
    hash_of(File::open(path)?)
}

fn hash_of(mut content: impl Read) -> io::Result<u64> {
    const PIECE_BYTES: u64 = 1 << 16;
    let (mut hasher, mut piece) = (DefaultHasher::new(), Vec::new());
    while content.by_ref().take(PIECE_BYTES).read_to_end(&mut piece)? > 0 {
        hasher.write(&piece);
        piece.clear();
    }
    Ok(hasher.finish())
}

/// Returns the time of the last change of the content or the metadata.
#[cfg(unix)]
fn changed(metadata: &Metadata) -> Option<SystemTime> {
    use std::os::unix::fs::MetadataExt;
    let seconds = Duration::from_secs(u64::try_from(metadata.ctime()).ok()?);
    let nanoseconds = Duration::from_nanos(u64::try_from(metadata.ctime_nsec()).ok()?);
    SystemTime::UNIX_EPOCH.checked_add(seconds + nanoseconds)
}

/// Returns the time of the last change of the content.
#[cfg(not(unix))]
fn changed(metadata: &Metadata) -> Option<SystemTime> {
    metadata.modified().ok()
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

    /// A change within one tick of the clock may leave all metadata as it was. The same happens if
    /// the inode of a removed file is used again.
    #[test]
    fn a_change_that_the_metadata_does_not_show_is_detected() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, b"10").unwrap();
        let (content, stamp) = read(&path).unwrap().unwrap();
        assert_eq!(content, b"10");
        assert!(stamp.is_of(&path));
        fs::write(&path, b"11").unwrap();
        // What the metadata would be if the clock had not ticked.
        let facts = Facts::of(&fs::metadata(&path).unwrap());
        assert!(!Stamp { facts, ..stamp }.is_of(&path));
        assert!(read(folder.path()).unwrap().is_none());
    }

    /// Increments the number in the file at `path`, and tries again if it has changed meanwhile.
    fn increment(path: &Path, write_through: bool) {
        loop {
            let (content, stamp) = read(path).unwrap().unwrap();
            let number = String::from_utf8(content).unwrap().parse::<u32>().unwrap();
            let options =
                Options::default().with_write_through(write_through).with_stamp(Some(stamp));
            let mut replacement = Replacement::open(path, &options).unwrap();
            write!(replacement, "{:03}", number + 1).unwrap();
            match replacement.commit() {
                Ok(_) => return,
                Err(Error::Changed) => {}
                Err(error) => panic!("{error}"),
            }
        }
    }

    #[test]
    fn of_several_writers_with_one_stamp_one_succeeds() {
        for write_through in [false, true] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("a");
            fs::write(&path, b"000").unwrap();
            std::thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| (0..25).for_each(|_| increment(&path, write_through)));
                }
            });
            assert_eq!(fs::read(&path).unwrap(), b"100");
        }
    }
}
