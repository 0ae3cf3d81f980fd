//! Runs the examples in pages that are outside the crates. The packages do not contain these pages,
//! so the crates cannot test them.

#[doc = include_str!("../../README.md")]
struct Readme;

#[doc = include_str!("../../docs/format.md")]
struct FormatPage;

#[doc = include_str!("../../docs/values.md")]
struct ValuesPage;

#[doc = include_str!("../../docs/editing.md")]
struct EditingPage;
