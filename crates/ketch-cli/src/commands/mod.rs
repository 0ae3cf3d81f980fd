//! The subcommands, each in a file of its own.

pub mod bench;
pub mod check;
pub mod completions;
pub mod convert;
pub mod edit;
pub mod events;
pub mod explosions;
pub mod extprot;
pub mod fmt;
pub mod get;
pub mod grok;
pub mod help;
pub mod lines;
pub mod matches;
pub mod q;
pub mod regex;
pub mod resolve;
pub mod stream;
