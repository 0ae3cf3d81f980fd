//! Writes into existing files, on systems where files have no set-user-ID or set-group-ID bits.

use std::fs::File;
use std::io::{self, Seek};
use std::path::Path;

/// Copies all of `spool`, which must be positioned at its end, into the existing file `target`, and
/// syncs `target`.
pub fn write(mut spool: File, target: &Path) -> io::Result<()> {
    let new_len = spool.stream_position()?;
    spool.rewind()?;
    let mut file = File::options().write(true).open(target)?;
    io::copy(&mut spool, &mut file)?;
    file.set_len(new_len)?;
    file.sync_all()
}
