//! Tests of the parser.

mod cases;
mod dump;
mod errors;
mod oracle;
mod print;
mod random;
mod robustness;
