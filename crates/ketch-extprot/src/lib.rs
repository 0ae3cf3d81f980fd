//! The extprot binary format: self-describing, self-delimited, with schemas that evolve in both
//! directions.
#![forbid(unsafe_code)]

#[cfg(feature = "codegen")]
pub mod codegen;
pub mod compat;
mod doc;
mod error;
mod inspect;
mod limits;
pub mod rt;
pub mod schema;
mod text;
pub mod typed;
pub mod value;
pub mod wire;

pub use doc::{Bracket, Doc};
pub use error::{Category, Error, ErrorKind, Result, Segment};
pub use inspect::{InspectOptions, Inspected, inspect};
pub use limits::{DEFAULT_LIMITS, Limits};
pub use schema::{check_schema, format_schema};
pub use typed::Typed;
pub use value::Value;
