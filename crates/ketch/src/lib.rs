//! YAML and extprot as one: the data model that both have, and conversion between them.
//!
//! | to | use |
//! |---|---|
//! | write a YAML document as extprot | [`Encoder`] |
//! | read extprot as a stream of [`Item`]s | [`Decoder`] |
//! | write items as YAML or JSON | [`YamlSink`], [`JsonSink`] |
//! | convert by a schema of extprot | [`typed`] |
//! | read and write Rust types | [`from_str`], [`to_string`], [`serde`] |
//! | have any YAML as data | [`Value`] |
//! | look at YAML without making data of it | [`ValueRef`] |
//! | read a sequence that is longer than memory | [`serde::Elements`] |
//!
//! [`Error`] is that of types and values; what converts between YAML, JSON and extprot has an error of
//! its own, [`ConvertError`], which turns into it with `?`.
//!
//! The table of the data model, with annotated bytes for every row, is `docs/data-model.md`. The
//! binary is canonical: equal values give equal bytes. Nothing recurses on the depth of the data.
#![forbid(unsafe_code)]

/// The examples of the page are run.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/values.md")]
struct ValuesPage;

/// The examples of the README are run.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// The examples of the crate's README are run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct CrateReadme;

mod decode;
mod encode;
mod error;
mod json;
mod model;
pub mod serde;
pub mod typed;
pub mod value;
mod yaml;

pub use decode::Decoder;
pub use encode::{EncodeOptions, Encoder};
pub use error::{Error as ConvertError, ErrorLocation, Problem};
pub use json::{JsonSink, JsonSinkOptions};
pub use ketch_yaml::Path;
pub use model::{Item, Sink};
pub use serde::{
    Deserializer, Error, Location, Result, Serializer, Spanned, from_reader, from_slice, from_str,
    from_value, to_string, to_value, to_writer,
};
pub use value::mapping;
pub use value::{Mapping, Number, Sequence, Value, ValueRef};
pub use yaml::YamlSink;
