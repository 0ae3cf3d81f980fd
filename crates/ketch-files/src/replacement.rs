//! Replaces files with new content.

use crate::error::Error;
use crate::in_place;
use crate::lock::Lock;
use crate::metadata::Old;
use crate::stamp::Stamp;
use crate::target::{Target, folder_of};
use crate::temporary::Temporary;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Options for replacing a file.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Options {
    /// Whether to write into the existing file instead of replacing it. It keeps all its metadata,
    /// including hard links. The content is collected first, so an error before
    /// [`Replacement::commit`] leaves the file unchanged. However, readers may see only a part of
    /// the new content, and a crash during the writing may leave a mix of the old and new content.
    pub write_through: bool,
    /// The name of the temporary file, for callers that hold a lock on the target. If there already
    /// is a file with this name, which may be left from a process that was killed, it is removed.
    /// By default, it is one of a few names that depend on the name of the target. Files with these
    /// names that killed processes have left are removed, others are not.
    pub temporary_name: Option<String>,
    /// The stamp of the file from the time when it was read. If the file has been changed or
    /// replaced since, [`Replacement::commit`] fails with [`Error::Changed`].
    pub stamp: Option<Stamp>,
}

impl Options {
    /// Sets [`Options::write_through`].
    pub fn with_write_through(mut self, write_through: bool) -> Options {
        self.write_through = write_through;
        self
    }

    /// Sets [`Options::stamp`].
    pub fn with_stamp(mut self, stamp: Option<Stamp>) -> Options {
        self.stamp = stamp;
        self
    }

    /// Sets [`Options::temporary_name`].
    pub fn with_temporary_name(mut self, name: impl Into<String>) -> Options {
        self.temporary_name = Some(name.into());
        self
    }
}

/// Collects the new content of a file. [`Replacement::commit`] puts it in place. If the replacement
/// is dropped before that, the file does not change. Writes are not buffered.
#[derive(Debug)]
pub struct Replacement {
    sink: Sink,
    stamp: Option<Stamp>,
}

#[derive(Debug)]
enum Sink {
    /// A temporary file in the folder of its target. `old` is the file that is replaced, if it
    /// exists.
    Beside {
        temporary: Temporary,
        target: PathBuf,
        old: Option<Box<Old>>,
    },
    /// A temporary file whose content will be copied into the target.
    Spool {
        spool: File,
        target: PathBuf,
    },
    /// A stream that is written to directly, such as a device or a pipe.
    Stream(File),
    Stdout(io::Stdout),
    Stderr(io::Stderr),
}

impl Replacement {
    /// Starts the replacement of the file at `path`.
    ///
    /// # Errors
    ///
    /// Fails if the target cannot be written to, or if it is already certain that
    /// [`Replacement::commit`] cannot keep its metadata.
    pub fn open(path: &Path, options: &Options) -> Result<Replacement, Error> {
        let sink = match Target::of(path)? {
            Target::Descriptor(1, _) => Sink::Stdout(io::stdout()),
            Target::Descriptor(2, _) => Sink::Stderr(io::stderr()),
            // If the file were reopened for writing, the output would start at offset 0 instead of
            // the end.
            Target::Descriptor(_, path) => Sink::Stream(File::options().append(true).open(path)?),
            Target::Stream(path) => Sink::Stream(File::options().write(true).open(path)?),
            Target::New(target) => {
                let temporary = create_beside(&target, options)?;
                Sink::Beside { temporary, target, old: None }
            }
            Target::Regular(target, _) if options.write_through => {
                // If the file is not writable, this fails now rather than in `commit`.
                File::options().write(true).open(&target)?;
                let spool = tempfile::tempfile()
                    .map_err(|error| Error::Spool(std::env::temp_dir(), error))?;
                Sink::Spool { spool, target }
            }
            Target::Regular(target, metadata) => {
                let old = Old::of(&target, &metadata)?;
                let temporary = create_beside(&target, options)?;
                old.restore_owner(&temporary.file)?;
                Sink::Beside { temporary, target, old: Some(Box::new(old)) }
            }
        };
        Ok(Replacement { sink, stamp: options.stamp.clone() })
    }

    /// Returns whether the bytes go to the standard output of this process.
    pub fn is_stdout(&self) -> bool {
        matches!(self.sink, Sink::Stdout(_))
    }

    /// Syncs the content that has been written so far, so that [`Replacement::commit`] takes less
    /// time. This has an effect only if the file will be replaced, not written in place.
    pub fn sync(&self) -> io::Result<()> {
        match &self.sink {
            Sink::Beside { temporary, .. } => temporary.file.sync_all(),
            _ => Ok(()),
        }
    }

    /// Puts the new content in place and syncs it. Returns the new stamp of the file, or `None` for
    /// a stream or an unreadable file.
    ///
    /// # Errors
    ///
    /// Fails if the content or the metadata cannot be written, or if the file has changed since
    /// [`Options::stamp`] was taken. After an error, the file is unchanged, with two exceptions: a
    /// file that is written in place, or a stream, may have a part of the new content, and if only
    /// the sync of the folder fails, the file has been replaced.
    pub fn commit(self) -> Result<Option<Stamp>, Error> {
        match self.sink {
            Sink::Stdout(mut out) => out.flush()?,
            Sink::Stderr(mut out) => out.flush()?,
            Sink::Stream(mut file) => file.flush()?,
            Sink::Spool { spool, target } => {
                let _lock = check(&target, self.stamp.as_ref())?;
                in_place::write(spool, &target)?;
                return Ok(Stamp::of(&target).ok());
            }
            Sink::Beside { temporary, target, old } => {
                return replace(temporary, &target, old.as_deref(), self.stamp.as_ref());
            }
        }
        Ok(None)
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.sink {
            Sink::Beside { temporary, .. } => temporary.file.write(bytes),
            Sink::Spool { spool, .. } => spool.write(bytes),
            Sink::Stream(file) => file.write(bytes),
            Sink::Stdout(out) => out.write(bytes),
            Sink::Stderr(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.sink {
            Sink::Beside { temporary, .. } => temporary.file.flush(),
            Sink::Spool { spool, .. } => spool.flush(),
            Sink::Stream(file) => file.flush(),
            Sink::Stdout(out) => out.flush(),
            Sink::Stderr(out) => out.flush(),
        }
    }
}

/// Creates the temporary file in the folder of `target`, with the name that `options` may contain.
fn create_beside(target: &Path, options: &Options) -> Result<Temporary, Error> {
    match &options.temporary_name {
        Some(name) => Temporary::create_named(folder_of(target), name),
        None => Temporary::create_beside(target),
    }
    .map_err(Error::Folder)
}

/// Locks the folder of `target`, so that no other replacement changes the file while the lock is
/// held. Then fails if there is a stamp, and the file does not have it: it has been changed,
/// replaced or removed.
fn check(target: &Path, stamp: Option<&Stamp>) -> Result<Lock, Error> {
    let lock = Lock::exclusive(folder_of(target))?;
    match stamp {
        Some(stamp) if !stamp.is_of(target) => Err(Error::Changed),
        _ => Ok(lock),
    }
}

/// Gives the temporary file the metadata of `old`, or that of a new file if there is no old one.
/// Then checks the stamp, renames the file over `target`, and syncs both the file and its folder.
/// Returns the new stamp, or `None` if the file cannot be read.
fn replace(
    temporary: Temporary,
    target: &Path,
    old: Option<&Old>,
    stamp: Option<&Stamp>,
) -> Result<Option<Stamp>, Error> {
    match old {
        Some(old) => old.restore_rest(&temporary.file)?,
        None => crate::metadata::make_new(&temporary.file, folder_of(target))?,
    }
    temporary.file.sync_all()?;
    let lock = check(target, stamp)?;
    temporary.persist(target).map_err(|error| match error.kind() {
        // A file that is a mount point, as in containers, cannot be replaced by a rename.
        io::ErrorKind::ResourceBusy => Error::Folder(error),
        _ => Error::Io(error),
    })?;
    let stamp = Stamp::of(target).ok();
    drop(lock);
    sync_folder(folder_of(target))?;
    Ok(stamp)
}

/// Syncs `folder`, so that a rename in it survives a crash. It is not an error if the file system
/// cannot sync folders, or if the folder cannot be read.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    let Ok(folder) = File::open(folder) else { return Ok(()) };
    match folder.sync_all() {
        Err(error) if is_unsupported(&error) => Ok(()),
        synced => synced,
    }
}

/// Returns whether `error` means that the file system cannot sync folders.
fn is_unsupported(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported)
}
