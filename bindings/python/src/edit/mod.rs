//! `ketch.edit`: editing sessions, and the views of the collections in the text.
//!
//! A view is a number in its session (`ketch_host::edit`); the classes of `ketch._edit` give it
//! methods.

mod class;
mod file;
mod operations;
mod session;
mod value;

pub use session::EditSession;
