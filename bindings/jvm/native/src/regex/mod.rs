//! Regular expressions: patterns with Ruby's rules of encodings, and their searches.
//!
//! | module | what it does |
//! |---|---|
//! | [`pattern`] | the compiled pattern |
//! | [`walk`] | all matches, parts or lines of a text, and replacement |
//! | [`lines`] | lines of a stream |
//! | [`watch`] | interrupts and time limits |
//! | [`failure`] | errors as fields |

pub mod failure;
pub mod lines;
pub mod pattern;
pub mod walk;
pub mod watch;
