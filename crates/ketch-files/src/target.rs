//! Determines what a path leads to, so that it can be written to.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

/// The maximum number of symbolic links to follow, as in Linux.
const LINKS_MAX: usize = 40;

/// What a path leads to after all symbolic links have been followed, with the path of that.
#[derive(Debug)]
pub enum Target {
    /// A file that does not exist yet.
    New(PathBuf),
    /// A regular file.
    Regular(PathBuf, Metadata),
    /// A file that is neither regular nor a folder, such as a device, a pipe or a socket.
    Stream(PathBuf),
    /// An open file of this process with its number, such as `/dev/stdout`. If it belongs to
    /// another process, the number is `u32::MAX`.
    Descriptor(u32, PathBuf),
}

impl Target {
    /// Follows the symbolic links in `path`, and returns what it leads to.
    pub fn of(path: &Path) -> io::Result<Target> {
        if path.as_os_str().as_encoded_bytes().ends_with(b"/") {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let mut path = path.to_owned();
        for _ in 0..=LINKS_MAX {
            let Some(name) = path.file_name() else { break };
            // The folder must exist. Only the file itself may be missing.
            let folder = fs::canonicalize(folder_of(&path))?;
            path = folder.join(name);
            if let Some(descriptor) = descriptor(&path) {
                return Ok(Target::Descriptor(descriptor, path));
            }
            let metadata = match fs::symlink_metadata(&path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    return Ok(Target::New(path));
                }
                metadata => metadata?,
            };
            if !metadata.is_symlink() {
                return Target::existing(path, metadata);
            }
            path = folder.join(fs::read_link(&path)?);
        }
        // Either there is a loop of links, or `path` ends with two dots instead of a file name. In
        // the first case, `canonicalize` returns the right error.
        let path = fs::canonicalize(&path)?;
        let metadata = fs::metadata(&path)?;
        Target::existing(path, metadata)
    }

    /// Returns the target for a file that exists. It is an error if it is a folder.
    fn existing(path: PathBuf, metadata: Metadata) -> io::Result<Target> {
        if metadata.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        Ok(match metadata.is_file() {
            true => Target::Regular(path, metadata),
            false => Target::Stream(path),
        })
    }
}

/// Returns the folder of the file at `path`.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// Returns the number of the open file that a path such as `/proc/PID/fd/N`,
/// `/proc/PID/task/TID/fd/N` or `/dev/fd/N` stands for, or `u32::MAX` if it belongs to another
/// process. The folder of `path` must be canonical. Returns `None` for other paths.
///
/// Following such a link would lead to the file that the stream is written to, such as a log, which
/// must not be replaced.
fn descriptor(path: &Path) -> Option<u32> {
    let folder = path.parent()?;
    let is_of_process = folder.starts_with("/proc") && folder.ends_with("fd");
    if !is_of_process && folder != Path::new("/dev/fd") {
        return None;
    }
    let number = path.file_name()?.to_str()?.parse().ok()?;
    let process = folder.components().nth(2)?.as_os_str().to_str()?;
    let is_other = process.parse().is_ok_and(|process: u32| process != std::process::id());
    // An open file of another process is not one of our streams, but must not be replaced, either.
    Some(if is_other { u32::MAX } else { number })
}
