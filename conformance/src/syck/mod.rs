//! The dialect of Syck beside Yecht, its Java port: documents of a grammar and of mutations, the nodes
//! that both make of them, and the rules for known differences.

mod generate;
mod nodes;
mod reads;
mod rules;

pub use generate::Generator;
pub use nodes::nodes;
pub use reads::read_alike;
pub use rules::{Rule, rule};
