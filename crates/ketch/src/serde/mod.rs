//! Reads YAML into any `Deserialize` type, and writes any `Serialize` type as YAML.
//!
//! | to | use |
//! |---|---|
//! | read one document | [`from_str`], [`from_slice`], [`from_reader`] |
//! | read all documents of a stream | [`Deserializer`], an iterator |
//! | read the entries of a long sequence one at a time | [`Elements`] |
//! | read with other options | [`Deserializer::with_options`] |
//! | write | [`to_string`], [`to_writer`], [`Serializer`] |
//! | get the location of a value | [`Spanned`] |
//! | get all errors at once | [`Deserializer::all_errors`] |
//! | read or build any value | [`Value`](crate::Value), [`from_value`], [`to_value`] |
//!
//! **The declared type decides.** A `String` field gets the text as written, even if that is `NO`,
//! `1.10` or `~`. A number or `bool` field accepts nothing in quotes. Only if the type accepts any
//! value (`Value`, untagged and internally tagged enums, `flatten`) does the schema decide.
//!
//! **Enums** are written as tags: `!Circle {r: 1}`. A variant without content is written as its
//! name. Reading also accepts a mapping of one pair: the variant's name and its content.
//!
//! **Errors** have a path, line and column: `spec.ports[0]: expected u16, found "eighty"`.

mod context;
mod de;
mod elements;
mod error;
mod errors;
mod event_de;
mod events;
mod from_value;
mod node;
mod options;
mod scalar;
mod ser;
mod spanned;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_depth;
#[cfg(test)]
mod tests_value;
mod to_value;
mod value_de;
mod value_serde;

pub use de::{Deserializer, from_reader, from_slice, from_str, from_value};
pub use elements::Elements;
pub use error::{Error, Location};
pub use errors::Errors;
pub use options::DeOptions;
pub use ser::{Serializer, to_string, to_writer};
pub use spanned::Spanned;
pub use to_value::to_value;

/// The result of reading and writing types.
pub type Result<T, E = Error> = std::result::Result<T, E>;
