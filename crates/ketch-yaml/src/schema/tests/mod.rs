//! Table tests, and property tests against regular expressions.

mod properties;
mod reference;
mod tags;
mod values;
