//! Programs in jq's language on JSON and YAML, with exact numbers.
//!
//! ```
//! use ketch_query::{Limits, NoHost, Query, parse_json};
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let query = Query::new(".prices | add / length", &[])?;
//!     let mut run = query.run(Vec::new(), Limits::default());
//!     run.start(parse_json(r#"{"prices": [0.1, 0.2, 0.3]}"#)?);
//!     while let Some(output) = run.next(&mut NoHost) {
//!         assert_eq!(output?.to_json(), "0.2"); // exactly
//!     }
//!     Ok(())
//! }
//! ```
//!
//! | to | use |
//! |---|---|
//! | compile a program, which threads may share | [`Query`] |
//! | run it on an input, and get its outputs one by one | [`Run`] |
//! | bound its steps, calls, digits and texts | [`Limits`] |
//! | give it inputs, an environment and modules | [`Host`] |
//! | compile messages, such as `items map(price * qty) sum` | [`Query::parse_messages`] |
//! | find the modules that it imports | [`Modules`] |
//! | read the nodes of a YAML document as values | [`Source`] |
//! | write a value as JSON or YAML | [`Value::write_json`], [`Value::write_yaml`] |
//! | find keys that JSON cannot hold | [`check_keys`] |
//!
//! The language is that of jq 1.8.2, with these differences:
//!
//! - Numbers are exact. `0.1 + 0.2` is `0.3`, and integers may have any number of digits, up to [`Limits::digits`]. A
//!   quotient without a finite decimal stays a fraction until it has more than 128 bits; it is written with 34 digits.
//!   Functions such as `sin` compute in binary64.
//! - A number that a program does not change keeps its spelling.
//! - Values may be of any depth.
//! - Times are in UTC.
//!
//! Nothing recurses on a program or on data.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::expect_used, clippy::unwrap_used))]

/// Includes the crate's README, so that its examples are tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod builtins;
mod compile;
mod difference;
mod edit;
mod error;
mod host;
mod input;
mod json;
mod keys;
mod load;
mod machine;
mod messages;
mod modules;
mod nearest;
mod options;
mod path;
mod plan;
mod query;
mod stream;
mod syntax;
mod value;

pub use difference::{Permissions, difference};
pub use edit::{DocumentText, EditOptions, QueryEditError, document_text};
pub use error::{Failure, Kind as ErrorKind, QueryError};
pub use host::{Host, Limits, MessageOptions, Missing, NoHost, Ratios};
pub use input::Inputs;
pub use json::{Entry, Step, parse_json, parse_json_texts};
pub use keys::check_keys;
pub use modules::{ModuleFile, ModuleFolders, ModuleRequest, Modules};
pub use options::{InputError, InputOptions};
pub use path::set_path;
pub use query::{Query, Run};
pub use syntax::Span;
pub use value::{
    Array, Entries, Format, Indent, Json, Kind, Number, Object, Source, SourceText, Value,
};
