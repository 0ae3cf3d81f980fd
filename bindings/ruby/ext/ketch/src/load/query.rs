//! `Ketch::Query`: programs in jq's language, and their runs.

use super::builder::Builder;
use super::source::Source;
use super::stop::exception_for;
use crate::failure;
use crate::guard::{function, method};
use crate::memory::Lease;
use crate::options::LoadOptions;
use crate::ruby;
use ketch_host::query::{self, Session, Settings};
use magnus::r_hash::ForEach;
use magnus::typed_data::Obj;
use magnus::{Error, RArray, RHash, RModule, Ruby, Symbol, TypedData, Value, prelude::*};
use std::cell::RefCell;
use std::io::Cursor;

/// A compiled program, which threads and Ractors may share.
#[derive(Debug, TypedData)]
#[magnus(class = "Ketch::QueryProgram", free_immediately, frozen_shareable)]
struct Program(query::Program);

/// The results of a run, one by one.
#[derive(Debug, TypedData)]
#[magnus(class = "Ketch::QueryResults", free_immediately)]
struct Results {
    /// `None` once it is closed.
    session: RefCell<Option<Session>>,
    options: LoadOptions,
}

impl magnus::DataTypeFunctions for Program {}
impl magnus::DataTypeFunctions for Results {}

/// Defines the classes, whose objects `lib/ketch/query.rb` uses.
pub fn init(ruby: &Ruby, ketch: RModule) -> Result<(), Error> {
    let program = ketch.define_class("QueryProgram", ruby.class_object())?;
    program.undef_default_alloc_func();
    program.define_singleton_method("compile", function!(compile, 4))?;
    program.define_method("run", method!(run, 2))?;
    program.define_method("edit", method!(edit, 2))?;
    let results = ketch.define_class("QueryResults", ruby.class_object())?;
    results.undef_default_alloc_func();
    results.define_method("next", method!(next, 0))?;
    results.define_method("close", method!(close, 0))
}

/// Implements `compile(program, variables, modules, messages)`: compiles a program, or messages. Variables
/// and modules are mappings in YAML.
fn compile(
    ruby: &Ruby,
    program: String,
    variables: String,
    modules: String,
    messages: bool,
) -> Result<Obj<Program>, Error> {
    let made = query::Program::new(&program, &variables, &modules, messages);
    let failed = |trouble| failure::query(ruby, trouble, &LoadOptions::default());
    Ok(ruby.obj_wrap(Program(made.map_err(failed)?)))
}

/// Returns the settings and the options of reading that the keyword arguments in `hash` set.
fn settings(ruby: &Ruby, hash: RHash) -> Result<(Settings, LoadOptions), Error> {
    let (mut settings, reading) = (Settings::default(), ruby.hash_new());
    hash.foreach(|name: Symbol, value: Value| {
        let text: String = value.funcall("to_s", ())?;
        if !settings.set(&name.name()?, &text) {
            reading.aset(name, value)?;
        }
        Ok(ForEach::Continue)
    })?;
    let options = LoadOptions::of_hash(ruby, reading)?;
    let name = options.filename.as_deref();
    Ok((settings.reading(&options.parse, &options.compose, name), options))
}

/// Implements `run(source, options)`: starts a run on a text.
fn run(
    ruby: &Ruby,
    rb_self: &Program,
    source: Value,
    options: RHash,
) -> Result<Obj<Results>, Error> {
    let (settings, options) = settings(ruby, options)?;
    let lease = Lease::take(ruby)?;
    let text = Source::read(ruby, source, &lease)?.bytes().to_vec();
    let session = RefCell::new(Some(rb_self.0.run(Cursor::new(text), settings)));
    Ok(ruby.obj_wrap(Results { session, options }))
}

/// Implements `edit(text, options)`: returns the text that the program makes of a text.
fn edit(ruby: &Ruby, rb_self: &Program, text: String, options: RHash) -> Result<String, Error> {
    let (settings, options) = settings(ruby, options)?;
    let edited = rb_self.0.edit(&text, &settings);
    let edited = edited.map_err(|trouble| failure::query(ruby, trouble, &options))?;
    Ok(edited.text().to_owned())
}

/// Implements `next`: returns an array of the next result, or `nil` at the end.
fn next(ruby: &Ruby, rb_self: &Results) -> Result<Option<RArray>, Error> {
    let Ok(mut session) = rb_self.session.try_borrow_mut() else {
        let message = "the results are already being read";
        return Err(Error::new(ruby.exception_thread_error(), message));
    };
    let flat = session.as_mut().map_or(Ok(None), Session::next).map_err(|trouble| {
        *session = None;
        failure::query(ruby, trouble, &rb_self.options)
    })?;
    let Some(flat) = flat else { return Ok(None) };
    let lease = Lease::take(ruby)?;
    let mut builder = Builder::new(&rb_self.options, 0, false, lease.memory());
    ruby::run(|| flat.build(&mut builder))
        .map_err(|stop| exception_for(ruby, stop, &rb_self.options))?;
    Ok(Some(ruby.ary_new_from_values(&[ruby::value(lease.memory().stack.get(0))])))
}

/// Implements `close`: ends the run, and frees what it holds.
fn close(rb_self: &Results) {
    if let Ok(mut session) = rb_self.session.try_borrow_mut() {
        *session = None;
    }
}
