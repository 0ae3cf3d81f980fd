//! Writes into an existing file, on systems without more metadata.

use std::fs::File;
use std::io::{self, Seek};
use std::path::Path;

/// Copies all of `spool` into the file `target`, and syncs it.
pub fn write(mut spool: File, target: &Path) -> io::Result<()> {
    let new_len = spool.stream_position()?;
    spool.rewind()?;
    let mut file = File::options().write(true).open(target)?;
    io::copy(&mut spool, &mut file)?;
    file.set_len(new_len)?;
    file.sync_all()
}
