//! What the proofs of the Ketch engines share: the cases of yaml-test-suite, runs of the parser in
//! all its ways, checkers of what comes out, and generators of what goes in.
//!
//! The tests beside this crate, the fuzz targets and the differential run are its clients.
#![forbid(unsafe_code)]

pub mod binary;
pub mod check;
pub mod checks;
pub mod differences;
pub mod encode;
pub mod examples;
pub mod figures;
pub mod format;
pub mod gaps;
pub mod generate;
pub mod grammar;
pub mod hostile;
pub mod oracle;
#[cfg(doctest)]
mod pages;
pub mod peer;
pub mod present;
pub mod pushed;
pub mod readers;
pub mod run;
pub mod select;
pub mod suite;
pub mod targets;
pub mod types;
