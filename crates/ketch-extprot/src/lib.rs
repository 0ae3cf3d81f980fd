//! The extprot binary format: self-describing, self-delimited, with schemas that evolve in both
//! directions.
#![forbid(unsafe_code)]

mod error;
mod inspect;
mod limits;
mod text;
pub mod value;
pub mod wire;

pub use error::{Category, Error, ErrorKind, Result, Segment};
pub use inspect::{InspectOptions, Inspected, inspect};
pub use limits::{DEFAULT_LIMITS, Limits};
pub use value::Value;
