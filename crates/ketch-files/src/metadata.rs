//! Restores the metadata of a file: its owner, attributes, ACL and mode.

use crate::acl;
use crate::error::{Error, Kept};
use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
use std::path::Path;
use xattr::FileExt;

const PERMISSION_BITS: u32 = 0o7777;

/// The metadata of the old file.
#[derive(Debug)]
pub struct Old {
    file: File,
    metadata: Metadata,
}

impl Old {
    /// Opens the file at `path`, to read its metadata. Fails if the file is not writable or has
    /// several hard links.
    pub fn of(path: &Path, metadata: &Metadata) -> Result<Old, Error> {
        if metadata.nlink() > 1 {
            return Err(Error::HardLinks(metadata.nlink()));
        }
        let file = File::options().write(true).open(path)?;
        Ok(Old { file, metadata: metadata.clone() })
    }

    /// Gives `new` the old owner while it is still empty, so that nobody else can read the content.
    pub fn restore_owner(&self, new: &File) -> Result<(), Error> {
        let (user, group) = (self.metadata.uid(), self.metadata.gid());
        let current = new.metadata()?;
        if (current.uid(), current.gid()) == (user, group) {
            return Ok(());
        }
        // Only root may set a user, even the current one.
        let changed_user = (current.uid() != user).then_some(user);
        let changed_group = (current.gid() != group).then_some(group);
        fchown(new, changed_user, changed_group)
            .map_err(|error| Error::Lost(Kept::Owner { user, group }, error))
    }

    /// Gives `new` the attributes, the ACL and finally the mode.
    pub fn restore_rest(&self, new: &File) -> Result<(), Error> {
        self.restore_attributes(new)?;
        let mode = self.metadata.mode() & PERMISSION_BITS;
        let lost = |error| Error::Lost(Kept::Mode(mode), error);
        new.set_permissions(Permissions::from_mode(mode)).map_err(lost)?;
        // The system drops the set-group-id bit without an error if the caller is not in the group.
        if new.metadata()?.mode() & PERMISSION_BITS != mode {
            return Err(lost(io::ErrorKind::PermissionDenied.into()));
        }
        Ok(())
    }

    /// Makes the extended attributes of `new` the same as those of the old file.
    fn restore_attributes(&self, new: &File) -> Result<(), Error> {
        let wanted = names(&self.file)?;
        // The folder's default ACL, for example, may give the new file more than the old one had.
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

/// Returns the names of all extended attributes. The ACL is one of them.
fn names(file: &File) -> Result<Vec<OsString>, Error> {
    match file.list_xattr() {
        Ok(names) => Ok(names.collect()),
        Err(error) if error.kind() == io::ErrorKind::Unsupported => Ok(Vec::new()),
        Err(error) => Err(error.into()),
    }
}

/// Returns the error for an attribute that cannot be restored. Ignores those that the system
/// maintains.
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

/// Returns whether an attribute is one that the system sets itself, and removes when the content
/// changes.
fn is_security(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b"security.")
}

/// Sets the mode of the new file `file` to the one that a file created by any other program in
/// `folder` gets.
pub fn make_new(file: &File, folder: &Path) -> Result<(), Error> {
    let mode = match acl::default_mode(folder) {
        // A default ACL takes the place of the process's umask.
        Some(mode) => 0o666 & mode,
        None => 0o666 & !mask(),
    };
    Ok(file.set_permissions(Permissions::from_mode(mode))?)
}

/// Returns the umask. It cannot be read without being set. It is set to a strict one, so that a
/// file that another thread creates in the meantime is private rather than open.
fn mask() -> u32 {
    use rustix::fs::Mode;
    let mask = rustix::process::umask(Mode::RWXG | Mode::RWXO);
    rustix::process::umask(mask);
    mask.bits() as u32
}
