//! Replaces files atomically and keeps their owner, mode, ACL and extended attributes.
//!
//! ```
//! use ketch_files::{Options, Replacement};
//! use std::io::Write;
//! use std::path::Path;
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//! #     let folder = tempfile::tempdir()?;
//! #     std::env::set_current_dir(&folder)?;
//!     let mut replacement = Replacement::open(Path::new("ports.yaml"), &Options::default())?;
//!     replacement.write_all(b"http: 80\n")?;
//!     replacement.commit()?; // until here, readers see the old content
//! #     assert_eq!(std::fs::read("ports.yaml")?, b"http: 80\n");
//!     Ok(())
//! }
//! ```
//!
//! | to | use |
//! |---|---|
//! | write a file so that readers see either the old or the new content, never a mix | [`Replacement`] |
//! | write into a file that cannot be replaced, such as one with several hard links | [`Options::write_through`] |
//! | fail if the file has changed since it was read | [`read`], [`Stamp`], [`Options::stamp`] |
//! | clean up before a signal ends the process | [`remove_temporary_files`] |
//!
//! A [`Replacement`] collects the new content in a temporary file in the same folder as the target,
//! and [`Replacement::commit`] puts it in place. The temporary file is created with mode 0600 and a
//! name of the form `.ketch-*`. The steps are, in this order: set the owner, write the content, set
//! the attributes and the ACL, set the mode, sync the file, rename it, and sync the folder. After a
//! crash, the target has either its old content or its new content.
//!
//! - Symbolic links are followed and stay links. If the target of a link does not exist, it is
//!   created.
//! - Devices, pipes, sockets and `/dev/stdout` are written to as streams and not replaced.
//! - It is an error if the owner, the ACL, an attribute or the mode cannot be restored, or if the
//!   file has several hard links. With [`Options::write_through`], such a file is written in place,
//!   which is not atomic.
//! - If several processes read a file and replace it with the stamp that they read, exactly one of
//!   them succeeds, and the others fail with [`Error::Changed`]. The check and the renaming happen
//!   under a lock on the folder (`flock`), which ends with the process. Programs that do not use
//!   this crate do not take the lock.
//! - A `Replacement` that is dropped removes its temporary file. A process that is about to end
//!   because of a signal should call [`remove_temporary_files`]. Only SIGKILL or a crash of the
//!   system leaves one behind. On Unix, the next replacement of the same target removes it; if more
//!   than four processes replaced the target at the same time, some may stay. A process that still
//!   runs has its temporary file locked (`flock`), so that no other one removes it.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::expect_used, clippy::unwrap_used))]

/// Includes the crate's README, so that its examples are tested.
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
mod left;
#[cfg(not(unix))]
#[path = "left_plain.rs"]
mod left;
mod lock;
#[cfg(unix)]
mod metadata;
#[cfg(not(unix))]
#[path = "metadata_plain.rs"]
mod metadata;
mod replacement;
mod stamp;
mod target;
mod temporary;

pub use error::{Error, Kept, describe};
pub use replacement::{Options, Replacement};
pub use stamp::{Stamp, read};
pub use temporary::remove_temporary_files;
