//! Replaces files atomically, for every command and binding.
//!
//! A [`Replacement`] takes the new content and puts it in place with [`Replacement::commit`]. It is
//! written to a temporary file beside the target, created with mode 0600 and named `.ketch-*`. Then,
//! in this order: owner, content, attributes and ACL, mode, `fsync`, `rename`, `fsync` of the folder.
//! After a crash the target has its old content or its new content, never a part of either.
//!
//! - Symbolic links are followed and stay. The target of a dangling link is created.
//! - Devices, pipes, sockets and `/dev/stdout` are written to as streams; nothing is replaced.
//! - If the owner, the ACL, an attribute or the set-id bits cannot be restored, or if the file has
//!   several hard links, the replacement is refused. [`Options::write_through`] writes in place.
//! - A dropped `Replacement` removes its temporary file. A process that is about to end by a signal
//!   calls [`remove_temporary_files`]. Only SIGKILL or a crash of the system leaves one behind.
//!
//! ```
//! use ketch_files::{Options, Replacement};
//! use std::io::Write;
//!
//! # let folder = tempfile::tempdir().unwrap();
//! # let path = folder.path().join("table.yaml");
//! let mut replacement = Replacement::open(&path, &Options::default()).unwrap();
//! replacement.write_all(b"a: 1\n").unwrap();
//! assert!(!path.exists());
//! replacement.commit().unwrap();
//! assert_eq!(std::fs::read(&path).unwrap(), b"a: 1\n");
//! ```
#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::expect_used, clippy::unwrap_used))]

/// The examples of the crate's README are run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(unix)]
mod acl;
mod error;
#[cfg(unix)]
mod in_place;
#[cfg(not(unix))]
#[path = "in_place_plain.rs"]
mod in_place;
#[cfg(unix)]
mod metadata;
#[cfg(not(unix))]
#[path = "metadata_plain.rs"]
mod metadata;
mod replacement;
mod target;
mod temporary;

pub use error::{Error, Kept, describe};
pub use replacement::{Options, Replacement};
pub use temporary::remove_temporary_files;
