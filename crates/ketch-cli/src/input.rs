//! Opens and reads files and standard input.

use crate::args::{InputArgs, Origin};
use crate::binary::HEAD_BYTES;
use crate::diagnostic::Diagnostic;
use crate::file_name;
use crate::formats;
use crate::front_matter;
use crate::json_texts;
use crate::status::Failure;
use clap::ValueEnum;
use ketch_files::Stamp;
use std::fs::{self, File, Metadata};
use std::io::{self, IsTerminal, Read};
use std::sync::atomic::{AtomicBool, Ordering};

/// The size in bytes up to which files are read into memory at once. Longer files, and inputs of
/// unknown length, are read in pieces.
///
/// Both ways take about the same time. Converting a file of 100 MB to events takes 0.30 s if it is
/// read at once, of which the system needs 0.09 s for new memory, and 0.26 s in pieces. If the
/// whole text is in memory, an error can also show locations far above it.
pub const WHOLE_BYTES_MAX: u64 = 32 << 20;

/// The size in bytes up to which a buffer is filled with zeros, so that one read is enough instead of
/// two.
pub const SMALL_BYTES_MAX: u64 = 64 << 10;

/// An input that has been opened.
pub enum Input {
    /// The whole content of a short file.
    Whole(Vec<u8>),
    /// A longer file, or an input of unknown length.
    Stream(Stream),
}

/// A stream that counts the bytes that were read, and keeps the first of them.
pub struct Stream {
    reader: Box<dyn Read + Send>,
    /// The total number of bytes, if it is known.
    pub size: Option<u64>,
    read_bytes: u64,
    head: Vec<u8>,
    /// The number of bytes of `head` that were read ahead, and are still to be returned.
    ahead: usize,
}

impl Stream {
    /// Creates a stream that reads from `reader`.
    fn new(reader: impl Read + Send + 'static, size: Option<u64>) -> Stream {
        Stream { reader: Box::new(reader), size, read_bytes: 0, head: Vec::new(), ahead: 0 }
    }

    /// Reads ahead, unless something was read before, and returns the first bytes.
    fn peek(&mut self) -> io::Result<&[u8]> {
        if self.head.is_empty() {
            let mut head = vec![0; HEAD_BYTES];
            let count = self.reader.read(&mut head)?;
            head.truncate(count);
            (self.head, self.ahead) = (head, count);
        }
        Ok(&self.head)
    }

    /// Puts back `bytes`, the last that were read, and `error`, with which reading failed after them.
    pub fn put_back(&mut self, bytes: Vec<u8>, error: Option<io::Error>) {
        self.read_bytes -= bytes.len() as u64;
        let rest = std::mem::replace(&mut self.reader, Box::new(io::empty()));
        self.reader = match error {
            Some(error) => Box::new(io::Cursor::new(bytes).chain(Failing(Some(error))).chain(rest)),
            None => Box::new(io::Cursor::new(bytes).chain(rest)),
        };
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

/// A reader that fails with an error, once.
struct Failing(Option<io::Error>);

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.ahead > 0 {
            let start = self.head.len() - self.ahead;
            let count = buffer.len().min(self.ahead);
            buffer[..count].copy_from_slice(&self.head[start..start + count]);
            self.ahead -= count;
            self.read_bytes += count as u64;
            return Ok(count);
        }
        let count = self.reader.read(buffer)?;
        self.read_bytes += count as u64;
        let wanted = HEAD_BYTES - self.head.len();
        if wanted > 0 {
            self.head.extend_from_slice(&buffer[..count.min(wanted)]);
        }
        Ok(count)
    }
}

/// Whether standard input is being read, or has been.
static IS_STDIN_TAKEN: AtomicBool = AtomicBool::new(false);

/// Fails if `file` is standard input and this is not the first time that it is read.
fn take(file: &str) -> Result<(), Failure> {
    match file == "-" && IS_STDIN_TAKEN.swap(true, Ordering::Relaxed) {
        true => Err(read_twice()),
        false => Ok(()),
    }
}

/// Returns the failure for arguments that name standard input more than once.
pub fn read_twice() -> Failure {
    let message = "standard input can be read only once: name a file in one of its places";
    Failure::Usage(message.to_owned())
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
    take(file)?;
    open_path(file, WHOLE_BYTES_MAX)
        .map_err(|error| Failure::Read(file_name::shown(file).to_owned(), error))
}

/// Opens `file`, or standard input if it is `-`, as YAML: text in another format is converted, and
/// the text after front matter is cut off. Files of up to `whole_max` bytes are read at once.
///
/// Fails if the name of the input says no format, and its content seems to have another one.
pub fn open_yaml(args: &InputArgs, file: &str, whole_max: u64) -> Result<Input, Failure> {
    let failed = |error| Failure::Read(file_name::shown(file).to_owned(), error);
    take(file)?;
    let mut input = open_path(file, whole_max).map_err(failed)?;
    if args.takes_front_matter(file) {
        let mut bytes = input.read_all().map_err(failed)?;
        front_matter::cut(file, &mut bytes)?;
        return Ok(Input::Whole(bytes));
    }
    match args.known_origin(file) {
        Some(origin) if origin.is_foreign() => {
            let bytes = input.read_all().map_err(failed)?;
            let has_null = !args.is_failsafe;
            Ok(Input::Whole(formats::to_yaml_where(has_null, origin, file, bytes)?))
        }
        Some(Origin::Json) => match input {
            // A long file with the name of a single text is not read at once.
            Input::Stream(stream) if file.ends_with(".json") => Ok(Input::Stream(stream)),
            mut input => Ok(Input::Whole(json_texts::documents(input.read_all().map_err(failed)?))),
        },
        Some(_) => Ok(input),
        None => {
            let (head, is_whole) = input.head().map_err(failed)?;
            match formats::looks_like(head, is_whole) {
                Some(origin) => Err(unnamed(file, origin)),
                None => Ok(input),
            }
        }
    }
}

/// Returns the failure for `file`, which seems to have the format `origin`.
fn unnamed(file: &str, origin: Origin) -> Failure {
    let value = origin.to_possible_value();
    let name = value.as_ref().map_or("yaml", |value| value.get_name());
    let message = match origin {
        Origin::Json => "these look like several JSON texts, which YAML does not have".to_owned(),
        _ => format!("this looks like {}, which YAML reads as one text", origin.title()),
    };
    let mut diagnostic = Diagnostic::sentence(file, "Format", "syntax", message);
    diagnostic.help = Some(format!("Add `--from {name}`; with `--from yaml`, it is YAML."));
    Failure::Input(Box::new(diagnostic))
}

impl Input {
    /// Reads the rest of the input.
    pub fn read_all(&mut self) -> io::Result<Vec<u8>> {
        match self {
            Input::Whole(bytes) => Ok(std::mem::take(bytes)),
            Input::Stream(stream) => {
                let mut bytes = Vec::new();
                stream.read_to_end(&mut bytes)?;
                Ok(bytes)
            }
        }
    }

    /// Returns the first bytes, and whether these are all.
    pub fn head(&mut self) -> io::Result<(&[u8], bool)> {
        match self {
            Input::Whole(bytes) => {
                Ok((&bytes[..bytes.len().min(HEAD_BYTES)], bytes.len() <= HEAD_BYTES))
            }
            Input::Stream(stream) => stream.peek().map(|head| (head, false)),
        }
    }

    /// Returns the input as a stream.
    pub fn into_stream(self) -> Stream {
        match self {
            Input::Whole(bytes) => {
                let size = bytes.len() as u64;
                Stream::new(io::Cursor::new(bytes), Some(size))
            }
            Input::Stream(stream) => stream,
        }
    }
}

/// Opens `file`, or standard input if it is `-`, as a stream, even if it is short.
pub fn stream(file: &str) -> Result<Stream, Failure> {
    take(file)?;
    open_stream(file).map_err(|error| Failure::Read(file_name::shown(file).to_owned(), error))
}

/// Reads all of `file`, or of standard input if it is `-`.
pub fn read(file: &str) -> Result<Vec<u8>, Failure> {
    take(file)?;
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

/// Opens `file`, or standard input if it is `-`. If the file has at most `whole_max` bytes, reads all
/// of it.
fn open_path(file: &str, whole_max: u64) -> io::Result<Input> {
    if file == "-" {
        return Ok(Input::Stream(open_stream(file)?));
    }
    let (opened, size) = open_file(file)?;
    match size {
        Some(size) if size <= whole_max => Ok(Input::Whole(read_whole(opened, size)?)),
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
    // With space for one more byte, a single read finds the end.
    bytes.try_reserve_exact(size as usize + 1)?;
    if size > SMALL_BYTES_MAX {
        file.read_to_end(&mut bytes)?;
        return Ok(bytes);
    }
    bytes.resize(size as usize + 1, 0);
    let count = file.read(&mut bytes)?;
    bytes.truncate(count);
    // Only a read of exactly the size has most likely read everything.
    if count as u64 != size || size == 0 {
        file.read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}
