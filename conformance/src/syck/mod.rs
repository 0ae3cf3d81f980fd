//! Compares Ketch's dialect of Syck with Yecht, a port of Syck to Java. Contains generators of
//! documents, the nodes that both read from them, and the rules for known differences.

mod generate;
mod nodes;
mod options;
mod oracle;
mod reads;
mod rules;
mod ypath;

pub use generate::Generator;
pub use nodes::nodes;
pub use options::Options;
pub use oracle::Oracle;
pub use reads::read_alike;
pub use rules::{Rule, rule};
pub use ypath::{Pairs, found, found_alike, groups};
