//! The syntax of the query language, which is that of jq 1.8.2.
//!
//! [`parse`] makes a [`Tree`] of a program or a module. Neither the lexer nor the parser recurses on the program: what
//! is open is on a stack of the heap, so the depth of a program is limited by memory only.

mod check;
mod directives;
mod error;
mod frame;
mod lexer;
mod objects;
mod parser;
mod terms;
#[cfg(test)]
mod tests;
mod token;
pub mod tree;

pub use error::SyntaxError;
pub use tree::*;

/// Parses a program, or a module: a file that holds only directives and definitions.
pub fn parse(source: &str) -> Result<Tree, SyntaxError> {
    parser::Parser::new(source)?.program()
}
