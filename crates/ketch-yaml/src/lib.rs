//! A YAML 1.2 engine: events, documents and schema resolution at memory speed.
#![forbid(unsafe_code)]

mod buffer;
pub mod compose;
mod diagnose;
pub mod error;
pub mod event;
pub mod format;
pub mod limits;
pub mod notation;
pub mod parse;
pub mod path;
pub mod present;
pub mod problem;
pub mod receiver;
pub mod represent;
pub mod scalar;
mod scan;
pub mod schema;
pub mod tag;

pub use compose::{ComposeOptions, Document, Documents, DuplicateKeys};
pub use error::{Error, Place};
pub use event::{Chunk, Event, EventKind, Events, Flags};
pub use ketch_bytes::Level;
pub use limits::{Budget, Limits};
pub use parse::{Options, Parser, ReadParser, Warning};
pub use path::Path;
pub use problem::{Class, Problem};
pub use receiver::{Counter, Receiver};
