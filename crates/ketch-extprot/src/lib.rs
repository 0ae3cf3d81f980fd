//! The extprot binary format: self-describing, self-delimited, with schemas that evolve in both
//! directions.
//!
//! | to | use |
//! |---|---|
//! | read and write bytes by hand, cut streams into messages | [`wire`] |
//! | hold any value without its schema | [`Value`], [`value::Builder`] |
//! | print a stream with offsets | [`inspect`], [`inspect_typed`] |
//! | check and lay out a schema | [`check_schema`], [`schema::check_file`], [`format_schema`] |
//! | read and write by a schema at run time | [`schema::Schema::decode`], [`schema::Schema::encode`] |
//! | know whether two schemas understand each other | [`compat::compare`] |
//! | generate Rust and Ruby | `codegen::rust`, `codegen::build`, [`codegen::ruby`] |
//!
//! What is deliberately absent: recursion on the depth of data, trust in lengths that were not
//! checked, and `unsafe` code.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::expect_used, clippy::unwrap_used))]

/// The examples of the crate's README are run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub mod codegen;
pub mod compat;
mod doc;
mod error;
mod inspect;
mod limits;
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
