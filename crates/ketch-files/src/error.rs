//! The reasons why a file could not be replaced.

use std::path::PathBuf;
use std::{fmt, io};

/// The reason why a file could not be replaced.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A system call failed.
    Io(io::Error),
    /// No temporary file can be created in the folder of the target, or the temporary file cannot
    /// be renamed to the target.
    Folder(io::Error),
    /// To write in place, the new content is first collected in a temporary file in this folder,
    /// but no file can be created there.
    Spool(PathBuf, io::Error),
    /// The file has several hard links; this is their number. The other links would keep the old
    /// content.
    HardLinks(u64),
    /// The file has changed since it was read.
    Changed,
    /// This metadata of the file cannot be restored.
    Lost(Kept, io::Error),
}

/// A kind of metadata that is kept when the content of a file is replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kept {
    /// The owner and group.
    Owner {
        /// The ID of the user.
        user: u32,
        /// The ID of the group.
        group: u32,
    },
    /// The access control list.
    Acl,
    /// The extended attribute with this name.
    Attribute(String),
    /// The permission bits, the set-user-ID and set-group-ID bits, and the sticky bit.
    Mode(u32),
}

impl Error {
    /// Returns whether the error would not occur when writing in place
    /// ([`crate::Options::write_through`]).
    pub fn is_avoided_in_place(&self) -> bool {
        !matches!(self, Error::Io(_) | Error::Spool(..) | Error::Changed)
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Error {
        Error::Io(error)
    }
}

impl fmt::Display for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kept::Owner { user, group } => write!(f, "owner (user {user}, group {group})"),
            Kept::Acl => f.write_str("ACL"),
            Kept::Attribute(name) => write!(f, "extended attribute `{name}`"),
            Kept::Mode(mode) => write!(f, "mode {:04o}", mode & 0o7777),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Io(error) => f.write_str(&describe(error)),
            Error::Folder(error) => {
                write!(f, "its folder does not allow replacing it: {}", describe(error))
            }
            Error::Spool(folder, error) => {
                let folder = folder.display();
                let cause = describe(error);
                write!(f, "no temporary file can be created in {folder}: {cause}")
            }
            Error::HardLinks(count) => {
                write!(f, "it has {count} hard links, and replacing it would detach this one")
            }
            Error::Changed => f.write_str("it has changed since it was read"),
            Error::Lost(kept, error) => write!(f, "its {kept} cannot be kept: {}", describe(error)),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Io(error)
            | Error::Folder(error)
            | Error::Spool(_, error)
            | Error::Lost(_, error) => Some(error),
            Error::HardLinks(_) | Error::Changed => None,
        }
    }
}

/// Returns the message of a system error without its number and without a capital letter at its
/// start, as in `permission denied`. Some messages of the standard library have a capital letter
/// and a number, others have neither.
pub fn describe(error: &io::Error) -> String {
    let text = error.to_string();
    let words = match error.raw_os_error() {
        Some(code) => text.strip_suffix(&format!(" (os error {code})")).unwrap_or(&text),
        None => &text,
    };
    // An abbreviation such as `IO` stays.
    if words.chars().nth(1).is_some_and(char::is_uppercase) {
        return words.to_owned();
    }
    let mut letters = words.chars();
    let first = letters.next().map(|first| first.to_lowercase());
    first.into_iter().flatten().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn system_errors_are_spelled_uniformly() {
        assert_eq!(describe(&io::Error::from_raw_os_error(21)), "is a directory");
        assert_eq!(describe(&io::ErrorKind::IsADirectory.into()), "is a directory");
        assert_eq!(describe(&io::Error::other("")), "");
        assert_eq!(describe(&io::Error::other("IO error")), "IO error");
    }
}
