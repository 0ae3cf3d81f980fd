//! What the crate `ketch` needs to apply filters to its own values. This module is not part of the
//! public interface.

pub use super::compare::Value;
pub use super::filter::{Matcher, Operand};
pub use super::step::Source;
