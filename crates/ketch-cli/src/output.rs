//! Where results go: standard output, or a file that is replaced whole or not at all.

use crate::status::Failure;
use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// The failure of writing to standard output.
pub fn stdout_failed(error: io::Error) -> Failure {
    Failure::write("<stdout>", error)
}

/// Runs `print` on standard output and flushes.
pub fn print(print: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    print(&mut out).and_then(|()| out.flush()).map_err(stdout_failed)
}

/// Where a conversion writes to. Unbuffered: what writes to it writes large pieces.
///
/// A file gets its new content only by [`Output::finish`]: it is written beside the old one, synced
/// and renamed over it. Dropped without, the new content is gone and the old one as it was.
pub struct Output {
    name: String,
    sink: Sink,
}

enum Sink {
    Stdout(io::StdoutLock<'static>),
    /// Written beside its target, which the path names.
    Beside(NamedTempFile, PathBuf),
    /// A device, a pipe: nothing to rename over.
    Direct(File),
}

impl Output {
    /// Standard output for `None` and `-`, else the file of that name.
    pub fn open(file: Option<&str>) -> Result<Output, Failure> {
        let name = file.filter(|name| *name != "-").unwrap_or("<stdout>").to_owned();
        let sink = match file {
            None | Some("-") => Sink::Stdout(io::stdout().lock()),
            Some(file) => {
                open_file(Path::new(file)).map_err(|error| Failure::write(&name, error))?
            }
        };
        Ok(Output { name, sink })
    }

    /// Whether standard output stays free.
    pub fn is_file(&self) -> bool {
        !matches!(self.sink, Sink::Stdout(_))
    }

    /// Its name in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Puts the new content in place.
    pub fn finish(self) -> Result<(), Failure> {
        let result = match self.sink {
            Sink::Stdout(mut out) => out.flush(),
            Sink::Direct(mut file) => file.flush(),
            Sink::Beside(temporary, target) => replace(temporary, &target),
        };
        result.map_err(|error| Failure::write(&self.name, error))
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.sink {
            Sink::Stdout(out) => out.write(bytes),
            Sink::Beside(temporary, _) => temporary.write(bytes),
            Sink::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.sink {
            Sink::Stdout(out) => out.flush(),
            Sink::Beside(temporary, _) => temporary.flush(),
            Sink::Direct(file) => file.flush(),
        }
    }
}

/// Documents on their way out. One that turns out to be wrong half-way is not seen at all, unless it
/// is longer than what is held back.
pub struct WholeDocuments<W> {
    out: W,
    held: Vec<u8>,
    /// So many of the bytes that are held belong to whole documents.
    whole: usize,
    /// The current document is partly out.
    is_partly_out: bool,
}

/// So much is held back.
const HELD_BYTES_MAX: usize = 1024 * 1024;

impl<W: Write> WholeDocuments<W> {
    pub fn new(out: W) -> WholeDocuments<W> {
        WholeDocuments { out, held: Vec::new(), whole: 0, is_partly_out: false }
    }

    /// The document is whole; its line ends.
    pub fn end_document(&mut self) -> io::Result<()> {
        self.held.push(b'\n');
        self.whole = self.held.len();
        self.is_partly_out = false;
        if self.whole < HELD_BYTES_MAX { Ok(()) } else { self.flush_held() }
    }

    /// Writes all whole documents. Of one that was partly out already, what there is, as a line.
    pub fn finish(mut self) -> io::Result<()> {
        if self.is_partly_out {
            self.end_document()?;
        }
        self.held.truncate(self.whole);
        self.flush_held()
    }

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
            self.flush_held()?;
            self.is_partly_out = true;
        }
        self.held.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn open_file(path: &Path) -> io::Result<Sink> {
    // A link stays one: what it leads to is replaced.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let old = match fs::metadata(&target) {
        Ok(old) if old.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        Ok(old) if !old.is_file() => {
            return Ok(Sink::Direct(File::options().write(true).open(&target)?));
        }
        Ok(old) => Some(old.permissions()),
        Err(_) => None,
    };
    if old.as_ref().is_some_and(Permissions::readonly) {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    let temporary = beside(&target)?;
    if let Some(old) = old {
        temporary.as_file().set_permissions(old)?;
    }
    Ok(Sink::Beside(temporary, target))
}

fn beside(target: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As any new file; the process's mask takes from it what it must.
        builder.permissions(Permissions::from_mode(0o666));
    }
    builder.prefix(".ketch-").tempfile_in(directory_of(target))
}

fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

fn replace(mut temporary: NamedTempFile, target: &Path) -> io::Result<()> {
    temporary.flush()?;
    temporary.as_file().sync_all()?;
    temporary.persist(target).map_err(|error| error.error)?;
    // The new name is safe once the directory is; that some file systems cannot sync one is no
    // failure of the conversion.
    #[cfg(unix)]
    let _ = File::open(directory_of(target)).and_then(|directory| directory.sync_all());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(directory: &Path) -> usize {
        fs::read_dir(directory).unwrap().count()
    }

    #[test]
    fn a_file_changes_only_at_the_end() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("out");
        fs::write(&file, "old").unwrap();
        let mut output = Output::open(file.to_str()).unwrap();
        output.write_all(b"new").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"old");
        drop(output);
        assert_eq!((fs::read(&file).unwrap(), names(directory.path())), (b"old".to_vec(), 1));
        let mut output = Output::open(file.to_str()).unwrap();
        output.write_all(b"new").unwrap();
        output.finish().unwrap();
        assert_eq!((fs::read(&file).unwrap(), names(directory.path())), (b"new".to_vec(), 1));
    }

    #[test]
    fn a_document_that_is_not_whole_is_not_seen() {
        let mut out = Vec::new();
        let mut documents = WholeDocuments::new(&mut out);
        documents.write_all(b"one").unwrap();
        documents.end_document().unwrap();
        documents.write_all(b"tw").unwrap();
        documents.finish().unwrap();
        assert_eq!(out, b"one\n");
    }

    #[test]
    fn a_long_document_goes_out_as_it_comes() {
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

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::PermissionsExt;
        let directory = tempfile::tempdir().unwrap();
        let (file, link) = (directory.path().join("file"), directory.path().join("link"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink("file", &link).unwrap();
        let mut output = Output::open(link.to_str()).unwrap();
        output.write_all(b"new").unwrap();
        output.finish().unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    }
}
