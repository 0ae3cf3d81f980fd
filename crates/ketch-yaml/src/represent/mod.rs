//! Representing: native values and documents as the nodes that a [`Presenter`] writes (YAML 1.2.2,
//! section 3.1.1).
//!
//! - [`Native`] and [`Presenter::native`]: a value as a scalar that every common reader gives back
//!   as that value.
//! - [`Presenter::document`]: a composed document, its keys sorted if that is asked for.
//!
//! [`Presenter`]: crate::present::Presenter
//! [`Presenter::native`]: crate::present::Presenter::native
//! [`Presenter::document`]: crate::present::Presenter::document

mod document;
mod names;
mod native;
#[cfg(test)]
mod tests;

pub use document::KeyOrder;
pub use native::Native;
