//! Restores the metadata of a file that is replaced, on systems where that is only its permissions.

use crate::error::Error;
use std::fs::{File, Metadata, Permissions};
use std::io;
use std::path::Path;

/// The permissions of the file that is replaced.
#[derive(Debug)]
pub struct Old(Permissions);

impl Old {
    /// Takes the permissions from `metadata`. Fails if the file is read-only, because it must not
    /// be changed then.
    pub fn of(_: &Path, metadata: &Metadata) -> Result<Old, Error> {
        match metadata.permissions() {
            old if old.readonly() => Err(io::Error::from(io::ErrorKind::PermissionDenied).into()),
            old => Ok(Old(old)),
        }
    }

    /// Does nothing, because these systems have no owner to restore.
    pub fn restore_owner(&self, _: &File) -> Result<(), Error> {
        Ok(())
    }

    /// Gives `new` the permissions of the old file.
    pub fn restore_rest(&self, new: &File) -> Result<(), Error> {
        Ok(new.set_permissions(self.0.clone())?)
    }
}

/// Does nothing, because these systems have no mode that a new file needs.
pub fn make_new(_: &File, _: &Path) -> Result<(), Error> {
    Ok(())
}
