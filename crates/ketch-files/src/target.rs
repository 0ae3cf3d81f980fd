//! Finds the target of a path.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

/// The maximum number of symbolic links to follow, as in Linux.
const LINKS_MAX: usize = 40;

/// The target of a path, with all symbolic links followed.
#[derive(Debug)]
pub enum Target {
    /// A file that does not exist yet, and will be created here.
    New(PathBuf),
    /// A regular file.
    Regular(PathBuf, Metadata),
    /// A device, a pipe or a socket.
    Stream(PathBuf),
    /// An open file of this process, such as `/dev/stdout`.
    Descriptor(u32, PathBuf),
}

impl Target {
    /// Follows `path` to its target.
    pub fn of(path: &Path) -> io::Result<Target> {
        if path.as_os_str().as_encoded_bytes().ends_with(b"/") {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let mut path = path.to_owned();
        for _ in 0..=LINKS_MAX {
            let Some(name) = path.file_name() else { break };
            // The folder has to exist. Only the file may be new.
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
        // There is a loop of links, or no file name, as in `..`. The system returns the right
        // error.
        let path = fs::canonicalize(&path)?;
        let metadata = fs::metadata(&path)?;
        Target::existing(path, metadata)
    }

    /// Classifies a file that exists. A folder is an error.
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

/// Returns the folder that a file is in.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// Returns the number in a path such as `/proc/PID/fd/N`, `/proc/PID/task/TID/fd/N` or `/dev/fd/N`,
/// whose folder must be canonical. Returns `None` for other paths. Following such a link would lead
/// to the file that the stream goes to, such as a log, which must not be replaced.
fn descriptor(path: &Path) -> Option<u32> {
    let folder = path.parent()?;
    let is_of_process = folder.starts_with("/proc") && folder.ends_with("fd");
    if !is_of_process && folder != Path::new("/dev/fd") {
        return None;
    }
    let number = path.file_name()?.to_str()?.parse().ok()?;
    let process = folder.components().nth(2)?.as_os_str().to_str()?;
    let is_other = process.parse().is_ok_and(|process: u32| process != std::process::id());
    // An open file of another process is not our stream, but must not be replaced, either.
    Some(if is_other { u32::MAX } else { number })
}
