//! Tables of facts, and properties against regular expressions.

mod properties;
mod reference;
mod tags;
mod values;
