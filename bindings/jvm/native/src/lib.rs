//! The native part of Ketch for the JVM: YAML in, tokens out, and the other way round.
//!
//! | module | what it does |
//! |---|---|
//! | [`jni`] | the functions that Java calls to read |
//! | [`jni_dump`] | the functions that Java calls to write |
//! | [`jni_edit`] | the functions that JRuby calls to edit |
//! | [`jni_files`] | the function that JRuby calls to replace a file |
//! | [`jni_nodes`] | the functions that JRuby calls for nodes |
//! | [`jni_psych`] | the functions that JRuby calls for Psych's interface |
//! | [`jni_syck`] | the functions that JRuby calls for the dialect of Syck |
//! | [`jni_schema`] | the function that JRuby calls for the classes of an extprot schema |
//! | [`guard`] | panics as results |
//! | [`env`] | the functions of the JVM that are called |
//! | [`loader`] | loads a text chunk by chunk, on one of two paths |
//! | [`events`] | parser events to tokens |
//! | [`pull`] | parser events as they are, with the values of scalars |
//! | [`syck`] | nodes of Syck's dialect |
//! | [`syck_write`] | documents in the form of Syck |
//! | [`ypath`] | trees of Java that paths of YPath are searched in |
//! | [`packed`] | bytes with numbers and texts, as Java writes and reads them |
//! | [`tree`] | composed documents to tokens, where events are not enough |
//! | [`nodes`] | documents whose nodes are asked for one by one |
//! | [`edit`] | texts that are edited |
//! | [`tokens`] | the tokens, their texts, and the table of keys |
//! | [`scalar`] | values of scalars as tokens |
//! | [`dump`] | tokens of Java's to YAML text |
//! | [`options`] | options as Java passes them |
//! | [`failure`] | errors as fields |
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
pub mod jni_schema;
pub mod jni_syck;
mod loader;
mod nodes;
mod options;
mod packed;
mod pull;
mod scalar;
mod syck;
mod syck_write;
mod tokens;
mod tree;
mod ypath;

use ketch_host::reserve::Reserving;

/// Running out of memory raises `OutOfMemoryError` instead of ending the process.
#[global_allocator]
static ALLOCATOR: Reserving = Reserving;
