//! Exact numbers: decimals of any length, ratios where a division has no finite decimal, and
//! the three that are not finite (`infinite`, its negative, and `nan`).
//!
//! A number is 16 bytes. One whose digits fit 64 bits is in them whole; the others are in
//! shared memory. Nothing is rounded but where this module says so: quotients whose
//! numerator or denominator outgrows 128 bits, and powers with an exponent that is not an
//! integer.

mod arithmetic;
mod digits;
mod fraction;
mod queries;
mod rounding;
pub mod scaled;
mod text;
mod types;

#[cfg(test)]
mod tests;

pub use digits::Rounding;
pub use scaled::NumberKind;
pub use types::{Number, NumberError};
