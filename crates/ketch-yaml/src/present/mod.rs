//! Presenting: turns events into YAML text (YAML 1.2.2, section 3.1.1).
//!
//! [`Presenter`] is both a [`Receiver`](crate::Receiver) of a parser's chunks and a push interface
//! for callers with nodes of their own. Output is written as it is produced, so the memory needed
//! does not depend on the length of the stream. The stack of open collections is on the heap.
//!
//! A style is a request. Where it cannot represent the text, another style is used; see
//! [`ScalarStyle`]. Parsing the output results in the same events, except for styles.

mod analysis;
mod block;
mod broken;
mod comment;
mod core;
mod error;
mod fast_path;
mod frame;
mod layout;
mod options;
mod plain;
mod presenter;
mod properties;
mod push;
mod quoted;
mod receive;
mod style;
mod tag;
#[cfg(test)]
mod tests;
pub mod text;

pub use error::PresentError;
pub use options::{Collections, Directives, Markers, PresentOptions, Scalars, Sequences};
pub use presenter::Presenter;
pub use properties::{CollectionStyle, Properties};
pub use style::ScalarStyle;
