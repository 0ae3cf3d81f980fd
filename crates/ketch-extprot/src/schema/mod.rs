//! The schema language (specification 11 and 12): syntax, checks and formatting.

pub mod ast;
mod check;
mod defaults;
mod diagnostic;
mod format;
mod lex;
mod parse;
#[doc(hidden)]
pub mod program;
mod protobuf;
mod types;

pub use check::{FileLoader, Loader, NoLoader, check_file, check_schema};
pub use diagnostic::{Diagnostic, Diagnostics, Location, Rule, Source, Sources, Span};
pub use format::format_schema;
pub use parse::parse;
pub use types::{Case, Constructor, Default, Field, Message, Schema, Sum, Type, TypeId};
pub(crate) use types::{Held, Position, Positions, capitalized};
