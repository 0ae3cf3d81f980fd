//! The native part of Ketch for the JVM: converts YAML to tokens that Java reads, and tokens that
//! Java writes to YAML.
//!
//! | module | what it does |
//! |---|---|
//! | [`jni`] | the functions that Java calls to read |
//! | [`jni_dump`] | the functions that Java calls to write |
//! | [`jni_edit`] | the functions that Java and JRuby call to edit |
//! | [`jni_files`] | the function that JRuby calls to replace a file |
//! | [`jni_nodes`] | the functions that JRuby calls for nodes |
//! | [`jni_psych`] | the functions that JRuby calls for Psych's interface |
//! | [`jni_query`] | the functions that Java calls to run programs |
//! | [`jni_regex`] | the functions that JRuby calls for regular expressions |
//! | [`jni_schema`] | the function that JRuby calls for the classes of an extprot schema |
//! | [`jni_syck`] | the functions that JRuby calls for the dialect of Syck |
//! | [`jni_types`] | the function that Java calls for the types of plain scalars |
//! | [`guard`] | returns panics as results |
//! | [`env`] | the functions of the JVM that native code calls |
//! | [`loader`] | loads a text chunk by chunk, on one of two paths |
//! | [`events`] | converts parser events to tokens |
//! | [`pull`] | parser events, with the values of scalars |
//! | [`syck`] | the nodes of Syck's dialect |
//! | [`syck_write`] | writes documents in the form of Syck |
//! | [`ypath`] | the Java trees that YPath searches |
//! | [`packed`] | the byte arrays in which Java and native code exchange numbers and texts |
//! | [`tree`] | converts composed documents to tokens, where events are not enough |
//! | [`nodes`] | documents whose nodes Java requests one by one |
//! | [`edit`] | editing sessions |
//! | [`regex`] | regular expressions |
//! | [`tokens`] | the tokens, their texts, and the table of keys |
//! | [`scalar`] | converts the values of scalars to tokens |
//! | [`dump`] | converts tokens that Java has written to YAML text |
//! | [`options`] | the options that Java passes |
//! | [`failure`] | encodes errors as fields |
//!
//! docs/jvm.md explains how it works.

#![cfg_attr(not(test), deny(clippy::expect_used, clippy::unwrap_used))]

mod dump;
mod edit;
mod env;
mod events;
mod failure;
mod guard;
pub mod jni;
pub mod jni_dump;
pub mod jni_edit;
pub mod jni_files;
pub mod jni_nodes;
pub mod jni_psych;
pub mod jni_query;
pub mod jni_regex;
pub mod jni_schema;
pub mod jni_syck;
pub mod jni_types;
mod loader;
mod nodes;
mod options;
mod packed;
mod pull;
mod regex;
mod scalar;
mod syck;
mod syck_write;
mod tokens;
mod tree;
mod ypath;

use ketch_host::reserve::Reserving;

/// Makes Java throw `OutOfMemoryError` when memory runs out, instead of ending the process.
#[global_allocator]
static ALLOCATOR: Reserving = Reserving;
