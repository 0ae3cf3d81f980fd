//! What the crate `ketch` needs to apply filters to its own values, and `ketch-syck` to show errors
//! in its own paths as those in paths are shown. This module is not part of the
//! public interface.

pub use super::compare::Value;
pub use super::filter::{Matcher, Operand};
pub use super::parse::write_problem;
pub use super::step::Source;
