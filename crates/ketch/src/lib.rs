//! Reads YAML into Rust types or values, writes these as YAML, and converts between YAML and
//! extprot, a compact binary format. Both formats share one data model.
//!
//! ```
//! use ketch::Value;
//! use std::{error::Error, fs};
//!
//! fn main() -> Result<(), Box<dyn Error>> {
//! #     let folder = tempfile::tempdir()?;
//! #     std::env::set_current_dir(&folder)?;
//! #     fs::write("boat.yaml", "name: Ketch\nmasts: 2\n")?;
//!     let mut boat: Value = ketch::from_str(&fs::read_to_string("boat.yaml")?)?;
//!     boat["masts"] = vec!["main", "mizzen"].into();
//!     fs::write("boat.yaml", ketch::to_string(&boat)?)?;
//! #     assert_eq!(fs::read_to_string("boat.yaml")?, "name: Ketch\nmasts:\n- main\n- mizzen\n");
//!     Ok(())
//! }
//! ```
//!
//! [`from_str`] and [`to_string`] also read and write your own types that implement serde's traits.
//!
//! | to | use |
//! |---|---|
//! | read and write Rust types | [`from_str`], [`to_string`] |
//! | read other inputs, write to other outputs | [`from_slice`], [`from_reader`], [`to_writer`] |
//! | choose the schema, the rule for duplicate keys, and the limits | [`serde::DeOptions`] |
//! | change values, and keep every other byte | [`edit::Edit`] |
//! | hold any YAML as data | [`Value`] |
//! | look at YAML without copying it | [`ValueRef`] |
//! | find out where a value is in the text | [`Spanned`] |
//! | read a sequence larger than memory | [`serde::Elements`] |
//! | convert YAML to extprot | [`Encoder`] |
//! | read extprot | [`Decoder`] |
//! | write decoded values as YAML or JSON | [`YamlSink`], [`JsonSink`] |
//! | convert between YAML, JSON and extprot by a schema | [`typed`] |
//!
//! Functions that read or write types or values return an [`Error`]. Those that convert between
//! YAML, JSON and extprot return a [`ConvertError`], which `?` converts to an [`Error`].
//!
//! `docs/data-model.md` describes the data model, with annotated bytes for every kind of value. The
//! conversion to extprot is canonical: equal values whose mappings have their entries in the same
//! order have equal bytes. Functions that read, write, compare or drop a [`Value`] do not recurse
//! when values are nested. Code that serde derives for your types does recurse, up to a limit.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::expect_used, clippy::unwrap_used))]

/// Includes the crate's README, so that its examples are tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod decode;
pub mod edit;
mod encode;
mod error;
mod json;
mod model;
pub mod serde;
mod serde_error;
pub mod typed;
pub mod value;
mod yaml;

pub use decode::Decoder;
pub use encode::{EncodeOptions, Encoder};
pub use error::{Error as ConvertError, ErrorLocation, Problem};
pub use json::{JsonSink, JsonSinkOptions};
pub use ketch_yaml::path::Path;
pub use model::{Item, Sink};
pub use serde::{
    Deserializer, Error, Location, Result, Serializer, Spanned, from_reader, from_slice, from_str,
    from_value, to_string, to_value, to_writer,
};
pub use value::mapping;
pub use value::{Mapping, Number, Sequence, Value, ValueRef};
pub use yaml::YamlSink;
