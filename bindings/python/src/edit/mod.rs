//! `ketch.edit`: editing sessions, and views of the collections in their text.
//!
//! Python refers to a view by its number in the session (see `ketch_host::edit`); the classes of
//! `ketch._edit` wrap this number and provide the methods.

mod class;
mod file;
mod operations;
mod session;
mod value;

pub use session::EditSession;
