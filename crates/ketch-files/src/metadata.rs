//! Restores the metadata of a file that is replaced: its owner, extended attributes, ACL and mode.

use crate::acl;
use crate::error::{Error, Kept};
use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
use std::path::Path;
use xattr::FileExt;

const PERMISSION_BITS: u32 = 0o7777;

/// The file that is replaced, and its metadata.
#[derive(Debug)]
pub struct Old {
    file: File,
    metadata: Metadata,
}

impl Old {
    /// Opens the file at `path`, whose metadata is `metadata`. Fails if the file is not writable or
    /// has several hard links.
    pub fn of(path: &Path, metadata: &Metadata) -> Result<Old, Error> {
        if metadata.nlink() > 1 {
            return Err(Error::HardLinks(metadata.nlink()));
        }
        let file = File::options().write(true).open(path)?;
        Ok(Old { file, metadata: metadata.clone() })
    }

    /// Sets the owner and group of `new` to those of the old file. `new` must still be empty, so
    /// that only the owner of the old file can ever read the new content.
    pub fn restore_owner(&self, new: &File) -> Result<(), Error> {
        let (user, group) = (self.metadata.uid(), self.metadata.gid());
        let current = new.metadata()?;
        if (current.uid(), current.gid()) == (user, group) {
            return Ok(());
        }
        // Only root may set the user, even to the current one, so only what differs is set.
        let changed_user = (current.uid() != user).then_some(user);
        let changed_group = (current.gid() != group).then_some(group);
        fchown(new, changed_user, changed_group)
            .map_err(|error| Error::Lost(Kept::Owner { user, group }, error))
    }

    /// Sets the extended attributes and the ACL of `new`, and finally its mode, to those of the old
    /// file.
    pub fn restore_rest(&self, new: &File) -> Result<(), Error> {
        self.restore_attributes(new)?;
        let mode = self.metadata.mode() & PERMISSION_BITS;
        let lost = |error| Error::Lost(Kept::Mode(mode), error);
        new.set_permissions(Permissions::from_mode(mode)).map_err(lost)?;
        // If the caller is not in the group, the system drops the set-group-ID bit without an
        // error.
        if new.metadata()?.mode() & PERMISSION_BITS != mode {
            return Err(lost(io::ErrorKind::PermissionDenied.into()));
        }
        Ok(())
    }

    /// Makes the extended attributes of `new` the same as those of the old file.
    fn restore_attributes(&self, new: &File) -> Result<(), Error> {
        let wanted = names(&self.file)?;
        // The new file may have attributes that the old one does not have, for example because of
        // the folder's default ACL.
        for name in names(new)?.iter().filter(|name| !wanted.contains(name) && !is_security(name)) {
            new.remove_xattr(name).or_else(|error| restore_failed(name, error))?;
        }
        for name in &wanted {
            let value = self.file.get_xattr(name);
            let given = value.and_then(|value| match value {
                Some(value) if new.get_xattr(name)?.as_ref() != Some(&value) => {
                    new.set_xattr(name, &value)
                }
                _ => Ok(()),
            });
            given.or_else(|error| restore_failed(name, error))?;
        }
        Ok(())
    }
}

/// Returns the names of all extended attributes of `file`, including that of the ACL. There are
/// none if the file system does not support them.
fn names(file: &File) -> Result<Vec<OsString>, Error> {
    match file.list_xattr() {
        Ok(names) => Ok(names.collect()),
        Err(error) if error.kind() == io::ErrorKind::Unsupported => Ok(Vec::new()),
        Err(error) => Err(error.into()),
    }
}

/// Returns the error for an attribute that cannot be restored. It is not an error if the system
/// maintains the attribute `name` itself.
fn restore_failed(name: &OsStr, error: io::Error) -> Result<(), Error> {
    if is_security(name) {
        return Ok(());
    }
    let kept = match name == acl::ACCESS {
        true => Kept::Acl,
        false => Kept::Attribute(name.to_string_lossy().into_owned()),
    };
    Err(Error::Lost(kept, error))
}

/// Returns whether `name` is an attribute that the system itself sets, and removes when the content
/// changes.
fn is_security(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b"security.")
}

/// Sets the mode of the new file `file` to the one that other programs give a file that they create
/// in `folder`.
pub fn make_new(file: &File, folder: &Path) -> Result<(), Error> {
    let mode = match acl::default_mode(folder) {
        // If there is a default ACL, the umask of the process does not apply.
        Some(mode) => 0o666 & mode,
        None => 0o666 & !mask(),
    };
    Ok(file.set_permissions(Permissions::from_mode(mode))?)
}

/// Returns the umask of the process. It can only be read by setting it. Until it is restored, it is
/// a strict one, so that a file that another thread creates in the meantime is private.
fn mask() -> u32 {
    use rustix::fs::Mode;
    let mask = rustix::process::umask(Mode::RWXG | Mode::RWXO);
    rustix::process::umask(mask);
    mask.bits() as u32
}
