//! Turns syntax trees into code for the machine.
//!
//! Compiling does not recurse on the program: what is left to do is a stack of tasks. Only functions that the program
//! uses are compiled.

mod calls;
mod compiler;
mod exprs;
mod inlined;
pub mod op;
mod patterns;
mod scope;
mod task;
mod types;
mod updates;

pub use compiler::compile;
pub use types::{Code, CompileErrorKind, EntryStep, Function, Imported, Program, Source};
