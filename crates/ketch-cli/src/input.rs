//! Opens and reads files and standard input.

use crate::binary::HEAD_BYTES;
use crate::diagnostic::Diagnostic;
use crate::file_name;
use crate::status::Failure;
use ketch_files::Stamp;
use std::fs::{self, File, Metadata};
use std::io::{self, IsTerminal, Read};

/// The size in bytes up to which files are read into memory at once. Longer files, and inputs of
/// unknown length, are read in pieces.
///
/// Both ways take about the same time. Converting a file of 100 MB to events takes 0.30 s if it is
/// read at once, of which the system needs 0.09 s for new memory, and 0.26 s in pieces. If the
/// whole text is in memory, an error can also show locations far above it.
pub const WHOLE_BYTES_MAX: u64 = 32 << 20;

/// An input that has been opened.
pub enum Input {
    /// The whole content of a short file.
    Whole(Vec<u8>),
    /// A longer file, or an input of unknown length.
    Stream(Stream),
}

/// A stream that counts the bytes that were read, and keeps the first of them.
pub struct Stream {
    reader: Box<dyn Read>,
    /// The total number of bytes, if it is known.
    pub size: Option<u64>,
    read_bytes: u64,
    head: Vec<u8>,
}

impl Stream {
    /// Creates a stream that reads from `reader`.
    fn new(reader: impl Read + 'static, size: Option<u64>) -> Stream {
        Stream { reader: Box::new(reader), size, read_bytes: 0, head: Vec::new() }
    }

    /// Returns the number of bytes that were read.
    pub fn read_bytes(&self) -> u64 {
        self.read_bytes
    }

    /// Returns the first bytes that were read, at most [`HEAD_BYTES`].
    pub fn head(&self) -> &[u8] {
        &self.head
    }
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        self.read_bytes += count as u64;
        let wanted = HEAD_BYTES - self.head.len();
        if wanted > 0 {
            self.head.extend_from_slice(&buffer[..count.min(wanted)]);
        }
        Ok(count)
    }
}

/// Returns whether `files` is only the default, standard input, because the arguments name no file.
pub fn is_default(files: &[String]) -> bool {
    files == ["-"] && std::env::args_os().all(|arg| arg != "-")
}

/// Fails if the arguments name no file and standard input is a terminal. Otherwise, the command
/// would wait for the user to type something.
pub fn expects_files(files: &[String]) -> Result<(), Failure> {
    if is_default(files) && io::stdin().is_terminal() {
        let message = "no file is named; `-` is standard input";
        return Err(Failure::Usage(message.to_owned()));
    }
    Ok(())
}

/// Opens `file`, or standard input if it is `-`.
pub fn open(file: &str) -> Result<Input, Failure> {
    open_path(file).map_err(|error| Failure::Read(file_name::shown(file).to_owned(), error))
}

/// Opens `file`, or standard input if it is `-`, as a stream, even if it is short.
pub fn stream(file: &str) -> Result<Stream, Failure> {
    open_stream(file).map_err(|error| Failure::Read(file_name::shown(file).to_owned(), error))
}

/// Reads all of `file`, or of standard input if it is `-`.
pub fn read(file: &str) -> Result<Vec<u8>, Failure> {
    read_path(file).map_err(|error| Failure::Read(file_name::shown(file).to_owned(), error))
}

/// Reads all of `file`, or of standard input if it is `-`.
fn read_path(file: &str) -> io::Result<Vec<u8>> {
    if file != "-" {
        let (opened, size) = open_file(file)?;
        return read_whole(opened, size.unwrap_or(0));
    }
    let mut bytes = Vec::new();
    open_stream(file)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads all of `file`, to which a new content will be written, and returns it with its stamp,
/// which is `None` for standard input. Fails if it is a pipe or a device:
/// these cannot be replaced, and opening a pipe would block until there is a writer.
pub fn read_to_replace(file: &str) -> Result<(Vec<u8>, Option<Stamp>), Failure> {
    let is_stream = |metadata: Metadata| !metadata.is_file() && !metadata.is_dir();
    if file != "-" && fs::metadata(file).is_ok_and(is_stream) {
        return Err(Failure::File(Box::new(Diagnostic {
            help: Some(format!("To read it once, make it standard input: `- < {file}`.")),
            ..Diagnostic::sentence(
                file,
                "Io",
                "io",
                "not a regular file, so it cannot be written back".to_owned(),
            )
        })));
    }
    if file != "-" {
        let failed = |error| Failure::Read(file_name::shown(file).to_owned(), error);
        if let Some((bytes, stamp)) = ketch_files::read(file.as_ref()).map_err(failed)? {
            return Ok((bytes, Some(stamp)));
        }
    }
    Ok((read(file)?, None))
}

/// Opens `file`, or standard input if it is `-`. If the file is short, reads all of it.
fn open_path(file: &str) -> io::Result<Input> {
    if file == "-" {
        return Ok(Input::Stream(open_stream(file)?));
    }
    let (opened, size) = open_file(file)?;
    match size {
        Some(size) if size <= WHOLE_BYTES_MAX => Ok(Input::Whole(read_whole(opened, size)?)),
        _ => Ok(Input::Stream(Stream::new(opened, size))),
    }
}

/// Opens `file`, or standard input if it is `-`, as a stream.
fn open_stream(file: &str) -> io::Result<Stream> {
    if file == "-" {
        return Ok(Stream::new(io::stdin(), None));
    }
    let (opened, size) = open_file(file)?;
    Ok(Stream::new(opened, size))
}

/// Opens `file`, and returns it with its size, or with `None` for a pipe or a device.
fn open_file(file: &str) -> io::Result<(File, Option<u64>)> {
    let opened = File::open(file)?;
    let metadata = opened.metadata()?;
    if metadata.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let size = metadata.is_file().then_some(metadata.len());
    Ok((opened, size))
}

/// Reads all of `file`. `size` is its expected size, which need not be exact: files in `/proc`
/// report 0.
fn read_whole(mut file: File, size: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // With space for one more byte, the end is found without growing the vector.
    bytes.try_reserve_exact(size as usize + 1)?;
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}
