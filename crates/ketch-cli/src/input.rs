//! Where the bytes come from: files and standard input.

use crate::status::Failure;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Files up to this size are read into memory as a whole; what is longer, or of unknown length, is
/// read a piece at a time.
pub const WHOLE_BYTES_MAX: u64 = 256 << 20;

/// An input, open.
pub enum Input {
    /// All of its bytes.
    Whole(Vec<u8>),
    /// Bytes still to be read, and how many there will be, if that is known.
    Stream(Box<dyn Read>, Option<u64>),
}

/// The name under which messages speak of an input.
pub fn name(file: &str) -> &str {
    if file == "-" { "<stdin>" } else { file }
}

/// Opens a file, or standard input for `-`.
pub fn open(file: &str) -> Result<Input, Failure> {
    open_path(file).map_err(|error| Failure::Read(name(file).to_owned(), error))
}

fn open_path(file: &str) -> io::Result<Input> {
    if file == "-" {
        return Ok(Input::Stream(Box::new(io::stdin()), None));
    }
    let opened = File::open(Path::new(file))?;
    let metadata = opened.metadata()?;
    if metadata.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !metadata.is_file() {
        return Ok(Input::Stream(Box::new(opened), None));
    }
    if metadata.len() > WHOLE_BYTES_MAX {
        return Ok(Input::Stream(Box::new(opened), Some(metadata.len())));
    }
    Ok(Input::Whole(read_whole(opened, metadata.len())?))
}

/// Reads a file of about `size` bytes; files of `/proc` say zero.
fn read_whole(mut file: File, size: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(size as usize + 1)?;
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}
