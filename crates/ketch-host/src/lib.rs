//! Code that the bindings for other languages share.
//!
//! ```
//! use ketch_host::options::Named;
//! use ketch_yaml::schema::Schema;
//!
//! assert_eq!(Schema::named("json"), Some(Schema::Json));
//! assert_eq!(Schema::named("toml"), None);
//! ```
//!
//! | to | use |
//! |---|---|
//! | read line breaks as YAML 1.1 does, for the interfaces of older libraries | [`breaks`] |
//! | build objects from the events of the parser | [`load`] |
//! | build objects from composed documents, which covers all of YAML | [`tree`] |
//! | write objects, with anchors for those that occur more than once | [`dump`] |
//! | describe the nodes of documents, with their pairs and locations | [`nodes`] |
//! | describe events, each node with its anchor and tag | [`events`] |
//! | determine the encoding of a regular expression as Ruby does | [`pattern::Source`] |
//! | resolve plain scalars as Psych does | [`psych::meaning`] |
//! | edit a text through views (objects of the host language that represent the collections of the text) | [`edit`] |
//! | set the options of reading by their names | [`options`] |
//! | read and write extprot without a schema, and name its problems and limits | [`extprot`] |
//! | read and write the objects of an extprot schema's types | [`typed`] |
//! | run programs in jq's language on texts, and edit texts by them | [`query`] |
//! | raise exceptions with the same fields in all languages | [`raised`] |
//! | raise an exception of the host language for a panic, instead of ending the process | [`panics`] |
//! | raise an exception of the host language when memory runs out, instead of ending the process | [`reserve`] |
//!
//! The crate does not depend on any host language: each binding creates its own objects and raises its
//! own exceptions.
#![deny(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::expect_used, clippy::unwrap_used))]

/// Includes the crate's README, so that its examples are tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub mod breaks;
pub mod dump;
pub mod edit;
pub mod entries;
pub mod events;
pub mod extprot;
pub mod load;
pub mod nodes;
pub mod options;
pub mod panics;
pub mod pattern;
mod places;
pub mod psych;
pub mod query;
pub mod raised;
#[allow(unsafe_code, reason = "an allocator")]
pub mod reserve;
pub mod tree;
pub mod typed;
mod walk;
