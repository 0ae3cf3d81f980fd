//! Writes to standard output, or to a file that is replaced atomically.

use crate::color;
use crate::signals;
use crate::status::Failure;
use crate::stdout::{self, Stdout};
use ketch_files::{Options, Replacement, Stamp};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Returns the failure for an error of writing to standard output.
pub fn stdout_failed(error: io::Error) -> Failure {
    Failure::write("<stdout>", error)
}

/// Standard output. YAML and JSON get their colors when a result is complete.
pub struct Out {
    inner: BufWriter<Stdout>,
    /// The text that gets colors, or `None` without colors.
    pending: Option<Vec<u8>>,
    /// The number of bytes that may still be written.
    bytes_left: u64,
}

impl Out {
    /// Locks standard output. `has_colors` says whether YAML and JSON get colors.
    pub fn new(has_colors: bool) -> Out {
        let inner = BufWriter::with_capacity(1 << 16, stdout::lock());
        Out { inner, pending: has_colors.then(Vec::new), bytes_left: u64::MAX }
    }

    /// Sets the number of bytes that may be written.
    pub fn with_bytes_max(mut self, bytes: u64) -> Out {
        self.bytes_left = bytes;
        self
    }

    /// Writes the text that is pending, with colors.
    pub fn paint(&mut self) -> io::Result<()> {
        match self.pending.as_mut().map(std::mem::take) {
            Some(text) if !text.is_empty() => self.inner.write_all(&color::painted(&text)),
            _ => Ok(()),
        }
    }

    /// Writes `text` without colors.
    pub fn plain(&mut self, text: &[u8]) -> io::Result<()> {
        self.paint()?;
        self.inner.write_all(text)
    }
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let left = self.bytes_left.checked_sub(bytes.len() as u64);
        self.bytes_left = left.ok_or_else(|| {
            let message = "the results have more bytes than the limit (option --max-output-bytes)";
            io::Error::other(message)
        })?;
        match &mut self.pending {
            Some(pending) => pending.write(bytes),
            None => self.inner.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.paint()?;
        self.inner.flush()
    }
}

/// Runs `print` with standard output, and flushes it.
pub fn print(print: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let mut out = BufWriter::new(stdout::lock());
    print(&mut out).and_then(|()| out.flush()).map_err(stdout_failed)
}

/// The output of a conversion. It is not buffered, because its users write large pieces.
///
/// A file gets its new content only in [`Output::finish`]. If the output is dropped before that,
/// the file is unchanged.
pub struct Output {
    name: String,
    sink: Sink,
}

enum Sink {
    Stdout(Stdout),
    File(Box<Replacement>),
}

impl Output {
    /// Opens `file`, or standard output if it is `None` or `-`. `write_through` says whether to
    /// write into an existing file instead of replacing it.
    pub fn open(file: Option<&str>, write_through: bool) -> Result<Output, Failure> {
        let name = file.filter(|name| *name != "-").unwrap_or("<stdout>").to_owned();
        let sink = match file {
            None | Some("-") => Sink::Stdout(stdout::lock()),
            Some(file) => {
                signals::remove_temporary_files();
                let options = Options::default().with_write_through(write_through);
                let opened = Replacement::open(Path::new(file), &options);
                Sink::File(Box::new(opened.map_err(|error| Failure::replace(&name, error))?))
            }
        };
        Ok(Output { name, sink })
    }

    /// Opens `file`, which [`Output::finish`] replaces only if it has not changed since `stamp` was
    /// taken, if there is a stamp.
    pub fn open_unchanged(
        file: &str,
        write_through: bool,
        stamp: Option<Stamp>,
    ) -> Result<Output, Failure> {
        signals::remove_temporary_files();
        let options = Options::default().with_write_through(write_through).with_stamp(stamp);
        let opened = Replacement::open(Path::new(file), &options);
        let file_sink = opened.map_err(|error| Failure::replace(file, error))?;
        Ok(Output { name: file.to_owned(), sink: Sink::File(Box::new(file_sink)) })
    }

    /// Returns whether the output goes to a file, so that standard output is not used.
    pub fn is_file(&self) -> bool {
        matches!(&self.sink, Sink::File(replacement) if !replacement.is_stdout())
    }

    /// Returns the name of the output for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Flushes standard output, or puts the new content of the file in place.
    pub fn finish(self) -> Result<(), Failure> {
        match self.sink {
            Sink::Stdout(mut out) => out.flush().map_err(|error| Failure::write(&self.name, error)),
            Sink::File(file) => {
                file.commit().map(drop).map_err(|error| Failure::replace(&self.name, error))
            }
        }
    }
}

/// Replaces the content of `file` with `bytes`, unless it has changed since `stamp` was taken.
pub fn replace(
    file: &str,
    write_through: bool,
    stamp: Option<Stamp>,
    bytes: &[u8],
) -> Result<(), Failure> {
    let mut output = Output::open_unchanged(file, write_through, stamp)?;
    output.write_all(bytes).map_err(|error| Failure::write(output.name(), error))?;
    output.finish()
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.sink {
            Sink::Stdout(out) => out.write(bytes),
            Sink::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.sink {
            Sink::Stdout(out) => out.flush(),
            Sink::File(file) => file.flush(),
        }
    }
}

/// A writer that buffers documents. If a document turns out to be invalid, nothing of it is
/// written, unless it is longer than the buffer.
pub struct WholeDocuments<W> {
    out: W,
    held: Vec<u8>,
    /// The number of buffered bytes that belong to complete documents.
    whole: usize,
    /// Whether a part of the current document has been written to `out`.
    is_partly_out: bool,
    /// Whether that part ends with a complete line.
    is_line_out: bool,
}

/// The size of the buffer in bytes.
const HELD_BYTES_MAX: usize = 1024 * 1024;

impl<W: Write> WholeDocuments<W> {
    /// Creates a writer to `out` with an empty buffer.
    pub fn new(out: W) -> WholeDocuments<W> {
        WholeDocuments { out, held: Vec::new(), whole: 0, is_partly_out: false, is_line_out: false }
    }

    /// Ends the current document, which is complete, with a line feed. Writes the buffered
    /// documents if the buffer is full.
    pub fn end_document(&mut self) -> io::Result<()> {
        self.held.push(b'\n');
        self.whole = self.held.len();
        self.is_partly_out = false;
        if self.whole < HELD_BYTES_MAX { Ok(()) } else { self.flush_held() }
    }

    /// Writes all complete documents. If a part of the current document has been written, also
    /// writes the complete lines of it that are buffered. If there are none, and the line that was
    /// written last is incomplete, writes what there is of it, and a line feed.
    pub fn finish(mut self) -> io::Result<()> {
        match memchr::memrchr(b'\n', &self.held) {
            _ if !self.is_partly_out => self.held.truncate(self.whole),
            Some(last) => self.held.truncate(last + 1),
            None if self.is_line_out => self.held.clear(),
            None => self.held.push(b'\n'),
        }
        self.flush_held()
    }

    /// Writes everything that is buffered.
    fn flush_held(&mut self) -> io::Result<()> {
        self.out.write_all(&self.held)?;
        self.held.clear();
        self.whole = 0;
        Ok(())
    }
}

impl<W: Write> Write for WholeDocuments<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.held.len() + bytes.len() > HELD_BYTES_MAX {
            self.out.write_all(&self.held[..self.whole])?;
            self.held.drain(..self.whole);
            self.whole = 0;
        }
        if self.held.len() + bytes.len() > HELD_BYTES_MAX {
            // Whole lines, unless they are very long.
            let fits = |last: &usize| self.held.len() - last + bytes.len() <= HELD_BYTES_MAX;
            let last = memchr::memrchr(b'\n', &self.held).filter(fits);
            let lines = last.map_or(self.held.len(), |last| last + 1);
            self.out.write_all(&self.held[..lines])?;
            self.held.drain(..lines);
            self.is_partly_out = true;
            self.is_line_out = last.is_some() || lines == 0 && self.is_line_out;
        }
        self.held.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_incomplete_document_is_not_written() {
        let mut out = Vec::new();
        let mut documents = WholeDocuments::new(&mut out);
        documents.write_all(b"one").unwrap();
        documents.end_document().unwrap();
        documents.write_all(b"tw").unwrap();
        documents.finish().unwrap();
        assert_eq!(out, b"one\n");
    }

    #[test]
    fn the_complete_lines_of_a_long_document_are_written() {
        let line = |length: usize| [vec![b'x'; length], vec![b'\n']].concat();
        for (start, rest, lines) in [
            (line(5), line(7), HELD_BYTES_MAX / 8 * 8 + 6),
            (line(HELD_BYTES_MAX - 1), Vec::new(), HELD_BYTES_MAX),
        ] {
            let mut out = Vec::new();
            let mut documents = WholeDocuments::new(&mut out);
            documents.write_all(&start).unwrap();
            for part in rest.repeat(HELD_BYTES_MAX / 8).chunks(1000) {
                documents.write_all(part).unwrap();
            }
            documents.write_all(b"part").unwrap();
            documents.finish().unwrap();
            assert_eq!((out.len(), out.last()), (lines, Some(&b'\n')));
        }
    }

    #[test]
    fn a_long_document_is_written_while_it_is_read() {
        let mut out = Vec::new();
        let mut documents = WholeDocuments::new(&mut out);
        let part = [b'x'; 1000];
        for _ in 0..3000 {
            documents.write_all(&part).unwrap();
            assert!(documents.held.len() <= HELD_BYTES_MAX);
        }
        documents.finish().unwrap();
        assert_eq!((out.len(), out.last()), (3_000_001, Some(&b'\n')));
    }
}
