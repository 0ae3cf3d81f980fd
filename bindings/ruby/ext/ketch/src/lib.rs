//! The extension of the gem `ketch`: YAML to Ruby objects and back.
//!
//! | module | what it does |
//! |---|---|
//! | [`ruby`] | makes Ruby values; most of the `unsafe` is there |
//! | [`memory`] | memory that loads reuse: the marked stack of values, keys, buffers |
//! | [`options`] | keyword arguments |
//! | [`load`] | events to objects, and documents to objects where events are not enough |
//! | [`holder`], [`document`] | documents, whose nodes have styles and locations |
//! | [`find`] | finds the node of a value by its path |
//! | [`events`] | parser events |
//! | [`given`] | classifies Ruby values for writers |
//! | [`walk`] | walks through Ruby values |
//! | [`dump`] | objects to YAML |
//! | [`edit`] | editing sessions |
//! | [`psych_events`] | events of `Ketch::Psych` to YAML |
//! | [`extprot`] | extprot: bytes to objects and back |
//! | [`regexp`] | regular expressions |
//! | [`interrupt`] | interrupts while a document is read |
//! | [`files`] | replaces files |
//! | [`syck`] | what `ketch/syck` needs of the core |
//! | [`guard`] | the functions that Ruby calls: panics become exceptions |
//! | [`panics`] | the messages of panics |
//! | [`failure`] | converts errors of the engine to exceptions |
//!
//! docs/ruby.md explains how it works.

#![allow(missing_docs, reason = "nothing here is called from Rust, but for what Ruby loads")]

mod charge;
mod document;
mod dump;
mod edit;
mod events;
mod extprot;
mod failure;
mod files;
mod find;
mod given;
mod guard;
mod holder;
mod interrupt;
mod load;
mod memory;
mod options;
mod panics;
mod permissions;
mod psych_events;
mod regexp;
mod ruby;
mod syck;

use guard::function;
use ketch_host::reserve::Reserving;
use magnus::{Error, Object, Ruby};

/// Makes Ruby raise `NoMemoryError` when memory runs out, instead of ending the process.
#[global_allocator]
static ALLOCATOR: Reserving = Reserving;

/// Defines the methods of `Ketch`. Ruby calls this function when it loads the extension.
#[magnus::init(name = "ketch")]
fn init(ruby: &Ruby) -> Result<(), Error> {
    panics::keep_messages();
    ruby::allow_ractors();
    memory::init(ruby)?;
    let ketch = ruby.define_module("Ketch")?;
    ketch.define_singleton_method("load", function!(load::load, -1))?;
    ketch.define_singleton_method("load_stream", function!(load::load_stream, -1))?;
    ketch.define_singleton_method("psych_document", function!(load::psych_document, 3))?;
    ketch.define_singleton_method("psych_documents", function!(load::psych_documents, 3))?;
    ketch.define_singleton_method("psych_breaks", function!(load::psych_breaks, 1))?;
    ketch.define_singleton_method("psych_scan", function!(load::psych_scan, 2))?;
    ketch.define_singleton_method("psych_present", function!(psych_events::present, 2))?;
    ketch.define_singleton_method("stream_documents", function!(load::each_document, -1))?;
    ketch.define_singleton_method("replace_file", function!(files::replace_file, 3))?;
    ketch.define_singleton_method("plant_panic", function!(panics::plant, 1))?;
    document::init(ruby, ketch)?;
    ketch.define_singleton_method("define_edit", function!(edit::define, 0))?;
    events::init(ketch)?;
    extprot::init(ketch)?;
    load::init_query(ruby, ketch)?;
    regexp::init(ruby, ketch)?;
    syck::init(ketch)?;
    ketch.define_singleton_method("generate", function!(dump::generate, -1))?;
    ketch.define_singleton_method("generate_stream", function!(dump::generate_stream, -1))?;
    Ok(())
}
