//! The low-level parts of the Ketch engines: SIMD operations on blocks of 64 bytes, text encodings,
//! and short strings.
//!
//! ```
//! use ketch_bytes::{Kernel, Lanes, Level, Tail, block_at, dispatch};
//!
//! struct FirstColon<'a>(&'a [u8]);
//! impl Kernel for FirstColon<'_> {
//!     type Output = u32;
//!     fn run<L: Lanes>(self, lanes: L) -> u32 {
//!         let tail = Tail::of(self.0);
//!         lanes.eq(lanes.load(block_at(self.0, &tail, 0)), b':').trailing_zeros()
//!     }
//! }
//! assert_eq!(dispatch(Level::detect(), FirstColon(b"name: ketch")), 4);
//! ```
//!
//! | to | use |
//! |---|---|
//! | find out which of 64 bytes have a property, as a mask of one bit per byte | [`Lanes`] |
//! | run code with the best instruction set | [`dispatch`], [`Kernel`], [`Level`] |
//! | detect UTF-16 and UTF-32, and convert them to UTF-8 | [`encoding`] |
//! | prefetch memory that will be read soon | [`memory`] |
//! | hold short strings without allocating | [`string`] |
//! | find bytes that YAML does not allow | [`text`] |
//! | check that bytes are UTF-8, with a fast check for short ASCII text | [`utf8`] |
//!
//! All unsafe code of the Ketch engines is in this crate. The crate's interface is safe: a
//! [`Lanes`] value proves that the processor has the instructions that the value's methods use, and
//! only [`dispatch`] creates such values. Each instruction set has an implementation of the trait.
//! The scalar implementation works everywhere, and the others are tested against it.
#![cfg_attr(not(test), deny(clippy::expect_used, clippy::unwrap_used))]

/// Includes the crate's README, so that its examples are tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod arch;
pub mod encoding;
mod lanes;
mod level;
pub mod memory;
pub mod string;
pub mod text;
pub mod utf8;

pub use lanes::{BLOCK_BYTES, Lanes, Tail, block_at};
pub use level::{Kernel, Level, dispatch};
