//! Writes into existing files.

use std::fs::{File, Permissions};
use std::io::{self, Seek};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

/// Copies all of `spool`, which must be positioned at its end, into the existing file `target`, and
/// syncs `target`.
pub fn write(mut spool: File, target: &Path) -> io::Result<()> {
    let new_len = spool.stream_position()?;
    spool.rewind()?;
    let mut file = File::options().write(true).open(target)?;
    let old = file.metadata()?;
    reserve(&file, old.len(), new_len)?;
    io::copy(&mut spool, &mut file)?;
    file.set_len(new_len)?;
    // Unless root writes, writing clears the set-user-ID and set-group-ID bits. The owner can set
    // them again. For other users, they are lost, as after any other write.
    if file.metadata()?.mode() != old.mode() {
        let _ = file.set_permissions(Permissions::from_mode(old.mode() & 0o7777));
    }
    file.sync_all()
}

/// Allocates the space that `file` needs to grow from `old_len` to `new_len` bytes, before anything
/// is overwritten, so that a full disk leaves the file unchanged.
fn reserve(file: &File, old_len: u64, new_len: u64) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    if new_len > old_len {
        use rustix::fs::{FallocateFlags, fallocate};
        use rustix::io::Errno;
        match fallocate(file, FallocateFlags::KEEP_SIZE, old_len, new_len - old_len) {
            // Some file systems do not support this call.
            Ok(()) | Err(Errno::OPNOTSUPP | Errno::NOSYS | Errno::INVAL) => {}
            Err(error) => return Err(error.into()),
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (file, old_len, new_len);
    Ok(())
}
