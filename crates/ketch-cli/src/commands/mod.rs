//! The subcommands, a file each.

pub mod check;
pub mod completions;
pub mod events;
pub mod resolve;
