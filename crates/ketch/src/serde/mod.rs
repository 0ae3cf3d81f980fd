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
//! **The declared type decides.** A `String` field gets the text as it is written, even if that is
//! `NO`, `1.10` or `~`. A number or `bool` field accepts nothing in quotes. The schema decides only
//! if the type accepts any value (`Value`, untagged and internally tagged enums, `flatten`).
//!
//! **Enums** are written as tags: `!Circle {r: 1}`. A variant without content is written as its
//! name. When reading, a mapping with one pair is also accepted, whose key is the variant's name
//! and whose value is its content.
//!
//! **Errors** contain a path, a line and a column: `spec.ports[0]: expected u16, found "eighty"`.

mod context;
mod de;
mod elements;
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

pub use crate::serde_error::{Error, Location};
pub use de::{Deserializer, from_reader, from_slice, from_str, from_value};
pub use elements::Elements;
pub use errors::Errors;
pub use options::DeOptions;
pub use ser::{Serializer, to_string, to_writer};
pub use spanned::Spanned;
pub use to_value::to_value;

/// The result of reading or writing a type.
pub type Result<T, E = Error> = std::result::Result<T, E>;
