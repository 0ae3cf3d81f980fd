//! Reads and writes extprot, a binary format whose data can be read without a schema, and whose schemas
//! can change while old and new programs keep reading each other's data.
//!
//! There are three ways to read and write: as values without a schema, with a schema that is loaded at
//! run time, and with types that are generated from a schema.
//!
//! ```
//! use ketch_extprot::schema::{NoLoader, check_schema};
//! use ketch_extprot::typed::pretty;
//! use ketch_extprot::{Limits, Typed};
//!
//! let text = "message user = { id : int; name : string }";
//! let schema = check_schema("user.proto", text, &mut NoLoader)?;
//! let user = schema.lookup("user").ok_or("no message user")?;
//!
//! let ann = Typed::Message(0, vec![Typed::Int(1), Typed::String(b"Ann".into())]);
//! let bytes = schema.encode(user, &ann)?;
//! let read = schema.decode(user, &bytes, &Limits::default())?;
//! assert_eq!(pretty(&schema, user, &read), r#"{ User.id = 1; name = "Ann" }"#);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | to | use |
//! |---|---|
//! | read any value without its schema | [`Value`] |
//! | build a value without a schema | [`value::Builder`] |
//! | read and write with a schema that is loaded at run time | [`schema::Schema::decode`], [`schema::Schema::encode`] |
//! | generate Rust, with the feature `codegen` | `codegen::rust`; `codegen::build` in a build script |
//! | generate Ruby | [`codegen::ruby`] |
//! | generate Java, with the feature `codegen` | `codegen::java` |
//! | generate Python | [`codegen::python`] |
//! | check a schema | [`check_schema`], [`schema::check_file`] |
//! | format a schema | [`format_schema`] |
//! | check whether old and new versions of a schema can read each other's data | [`compat::compare`] |
//! | print a stream with offsets | [`inspect`], [`inspect_typed`] |
//! | split a stream into messages | [`wire::Messages`], [`wire::MessageReader`] |
//! | read and write bytes by hand | [`wire`] |
//! | limit the memory and time for an input | [`Limits`] |
//!
//! No function recurses on the depth of the data. Lengths in the data are checked before memory is
//! allocated for them.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::expect_used, clippy::unwrap_used))]

/// Includes the crate's README, so that its examples are tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub mod codegen;
pub mod compat;
mod doc;
mod error;
mod inspect;
mod limits;
mod prefix;
#[doc(hidden)]
pub mod rt;
pub mod schema;
mod text;
pub mod typed;
pub mod value;
pub mod wire;

pub use doc::{Bracket, Doc};
pub use error::{Class, Error, Problem, Result, Segment, Shortage};
pub use inspect::{InspectOptions, Inspected, inspect, inspect_typed};
pub use limits::{DEFAULT_LIMITS, Limits};
pub use schema::{check_schema, format_schema};
pub use typed::Typed;
pub use value::Value;
