//! Shared code for testing Ketch's engines: the cases of yaml-test-suite, runs of the parser with
//! all options, checks of the results, and generators of input.
//!
//! This crate's tests, the fuzz targets and the differential run use it.
#![forbid(unsafe_code)]

pub mod binary;
pub mod check;
pub mod checks;
pub mod differences;
pub mod edits;
pub mod encode;
pub mod examples;
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
pub mod query;
pub mod readers;
pub mod regex;
pub mod run;
pub mod scalars;
pub mod select;
pub mod suite;
pub mod syck;
pub mod targets;
pub mod types;
