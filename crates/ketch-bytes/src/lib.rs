//! Byte classes, text encodings and SIMD windows: the floor that the Ketch engines stand on.
//!
//! This is the one engine crate with `unsafe` code. What it offers is safe:
//!
//! * [`Lanes`] turns 64 bytes into 64-bit masks, one bit a byte. There is an implementation for
//!   each instruction set and a scalar twin, which is the oracle of the others.
//! * [`dispatch`] runs a [`Kernel`] with the lanes of a [`Level`]. A lanes value is the proof that
//!   the processor has the instructions: only `dispatch` makes one.
//! * [`encoding`] tells UTF-8, UTF-16 and UTF-32 apart and transcodes to UTF-8.
//! * [`memory`] asks for memory that will be read.
//! * [`string`] holds short strings without memory of their own.
//! * [`text`] finds the first byte that YAML does not allow in a stream.
//! * [`utf8`] takes short bytes for text.
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
#![cfg_attr(not(test), deny(clippy::expect_used, clippy::unwrap_used))]

/// The examples of the crate's README are run.
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
