//! The examples of the pages that lie outside the crates, run. A package has no pages, so this is not
//! the business of the crates.

#[doc = include_str!("../../README.md")]
struct Readme;

#[doc = include_str!("../../docs/format.md")]
struct FormatPage;

#[doc = include_str!("../../docs/values.md")]
struct ValuesPage;

#[doc = include_str!("../../docs/editing.md")]
struct EditingPage;
