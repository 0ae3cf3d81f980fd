//! The memo machine, which matches what automata cannot match.

mod absence;
mod branches;
mod build;
mod code;
mod frame;
mod grapheme;
mod instructions;
mod lengths;
mod memo;
mod nested;
mod reference;
mod replay;
mod search;
mod undo;

pub(crate) use build::{Source, build};
pub(crate) use code::{Absent, Program};
pub(crate) use search::{Cache, Ends, Search};
