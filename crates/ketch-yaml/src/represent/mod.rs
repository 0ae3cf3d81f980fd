//! Representing: turns native values and documents into nodes that a [`Presenter`] writes (YAML
//! 1.2.2, section 3.1.1).
//!
//! - [`Native`] and [`Presenter::native`] write a value as a scalar that every common parser reads
//!   as that value.
//! - [`Presenter::document`] and [`Presenter::node`] write a composed document, or a node of it.
//!   Its keys are sorted on request.
//!
//! [`Presenter`]: crate::present::Presenter
//! [`Presenter::native`]: crate::present::Presenter::native
//! [`Presenter::document`]: crate::present::Presenter::document
//! [`Presenter::node`]: crate::present::Presenter::node

mod document;
mod names;
mod native;
mod shared;
#[cfg(test)]
mod tests;

pub use document::KeyOrder;
pub use native::{Native, float_text};
