//! Errors of the engine as exceptions: `Ketch::Error` and its kinds, which lib/ketch/errors.rb
//! defines. Fields are handed over, not text to be taken apart.

use crate::interrupt;
use crate::options::LoadOptions;
use ketch_yaml::{Class, Place, Problem};
use magnus::{Error, Exception, ExceptionClass, Module, RHash, Ruby, prelude::*};

/// The exception of what parsing or composing found wrong.
pub fn yaml(ruby: &Ruby, error: ketch_yaml::Error, options: &LoadOptions) -> Error {
    if let Some(raised) = interrupt::take(&error) {
        return raised;
    }
    let error = match &options.filename {
        Some(file) => error.with_file(file.clone()),
        None => error,
    };
    let made = exception(ruby, &error);
    made.map_or_else(|failure| failure, Error::from)
}

/// An exception of our own about a place.
pub fn at_place(ruby: &Ruby, message: &str, place: &Place, options: &LoadOptions) -> Error {
    let made = || -> Result<Exception, Error> {
        let facts = ruby.hash_new();
        facts.aset(ruby.to_symbol("file"), options.filename.as_deref())?;
        set_place(ruby, facts, place)?;
        let file = options.filename.as_deref().map_or(String::new(), |file| format!("{file}:"));
        let message = format!("{file}{}:{}: {message}", place.line, place.column);
        class(ruby, "ValueError")?.new_instance((message, facts))
    };
    made().map_or_else(|failure| failure, Error::from)
}

fn exception(ruby: &Ruby, error: &ketch_yaml::Error) -> Result<Exception, Error> {
    let problem = error.problem();
    let facts = ruby.hash_new();
    facts.aset(ruby.to_symbol("file"), error.file())?;
    facts.aset(ruby.to_symbol("problem"), error.message().as_ref())?;
    facts.aset(ruby.to_symbol("name"), ruby.to_symbol(problem.name()))?;
    facts.aset(ruby.to_symbol("mend"), error.help())?;
    facts.aset(ruby.to_symbol("setting"), problem.setting().map(|name| ruby.to_symbol(name)))?;
    set_place(ruby, facts, error.place())?;
    if let Some(related) = error.related() {
        facts.aset(ruby.to_symbol("related_line"), related.line)?;
        facts.aset(ruby.to_symbol("related_column"), related.column)?;
    }
    class(ruby, class_name(problem))?.new_instance((error.to_string(), facts))
}

fn class_name(problem: Problem) -> &'static str {
    match (problem, problem.class()) {
        (Problem::DuplicateKey, _) => "DuplicateKeyError",
        (_, Class::Limit) => "LimitError",
        (_, Class::Semantic) => "ValueError",
        _ => "SyntaxError",
    }
}

fn set_place(ruby: &Ruby, facts: RHash, place: &Place) -> Result<(), Error> {
    facts.aset(ruby.to_symbol("line"), place.line)?;
    facts.aset(ruby.to_symbol("column"), place.column)?;
    facts.aset(ruby.to_symbol("offset"), place.offset)?;
    facts.aset(ruby.to_symbol("length"), place.len)?;
    facts.aset(ruby.to_symbol("line_text"), place.text.as_str())
}

fn class(ruby: &Ruby, name: &str) -> Result<ExceptionClass, Error> {
    ruby.define_module("Ketch")?.const_get(name)
}
