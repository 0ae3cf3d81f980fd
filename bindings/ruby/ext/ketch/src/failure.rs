//! Converts errors of the engine to exceptions: `Ketch::Error` and its subclasses, which
//! lib/ketch/errors.rb defines. The fields of an exception are set directly, not parsed from its
//! message.

use crate::interrupt;
use crate::options::LoadOptions;
use ketch_edit::EditError;
use ketch_host::edit::Refusal;
use ketch_yaml::{Class, Location, Problem};
use magnus::{Error, Exception, ExceptionClass, Module, RHash, Ruby, prelude::*};

/// Returns the exception for an error of the parser or the composer.
pub fn yaml(ruby: &Ruby, error: ketch_yaml::Error, options: &LoadOptions) -> Error {
    if let Some(raised) = interrupt::take(&error) {
        return raised;
    }
    let error = match &options.filename {
        Some(file) => error.with_file(file.clone()),
        None => error,
    };
    let made = exception(ruby, &error, error.to_string(), error.file());
    made.map_or_else(|failure| failure, Error::from)
}

/// Returns the exception for an error that the binding itself detects: `problem` says what is wrong
/// at `location`, and `help` what to do about it.
pub fn at_location(
    ruby: &Ruby,
    problem: &str,
    help: &str,
    location: &Location,
    options: &LoadOptions,
) -> Error {
    let made = || -> Result<Exception, Error> {
        let file = options.filename.as_deref();
        let facts = ruby.hash_new();
        facts.aset(ruby.to_symbol("file"), file)?;
        facts.aset(ruby.to_symbol("problem"), problem)?;
        facts.aset(ruby.to_symbol("help"), help)?;
        set_location(ruby, facts, location)?;
        class(ruby, "ValueError")?.new_instance((location.message(file, problem, help), facts))
    };
    made().map_or_else(|failure| failure, Error::from)
}

/// Returns the exception for an edit that was refused. `count` is the number of operations in it.
pub fn edit(ruby: &Ruby, error: &EditError, file: Option<&str>, count: usize) -> Error {
    if let Some(raised) = error.cause().and_then(interrupt::take) {
        return raised;
    }
    let made = || -> Result<Exception, Error> {
        if let Some(cause) = error.cause().filter(|_| !error.is_in_value()) {
            let message = ketch_host::edit::describe(error, file, count);
            return exception(ruby, cause, message, file);
        }
        let facts = ruby.hash_new();
        facts.aset(ruby.to_symbol("file"), file)?;
        facts.aset(ruby.to_symbol("problem"), error.message())?;
        facts
            .aset(ruby.to_symbol("name"), ruby.to_symbol(error.kind().name().replace('-', "_")))?;
        facts.aset(ruby.to_symbol("help"), ketch_host::edit::help(error.kind()))?;
        facts.aset(ruby.to_symbol("operation"), error.operation())?;
        if let Some(location) = error.location() {
            set_location(ruby, facts, location)?;
        }
        class(ruby, ketch_host::edit::class_name(error.kind()))?
            .new_instance((ketch_host::edit::describe(error, file, count), facts))
    };
    made().map_or_else(|failure| failure, Error::from)
}

/// Returns the exception for a call that an editing session has refused.
pub fn refusal(ruby: &Ruby, refusal: Refusal, options: &LoadOptions) -> Error {
    match refusal {
        Refusal::Edit(error) => edit(ruby, &error, options.filename.as_deref(), 1),
        Refusal::Yaml(error) => yaml(ruby, error, options),
        Refusal::Stale(message) => {
            let made = || class(ruby, "StaleViewError")?.new_instance((message,));
            made().map_or_else(|failure| failure, Error::from)
        }
    }
}

/// Returns the exception for a bug in Ketch.
#[cold]
pub fn internal(ruby: &Ruby, problem: &str) -> Error {
    let made = || -> Result<Exception, Error> {
        let help = "This is a bug in Ketch. Please report it, with the input if you can.";
        let facts = ruby.hash_new();
        facts.aset(ruby.to_symbol("problem"), problem)?;
        facts.aset(ruby.to_symbol("help"), help)?;
        class(ruby, "InternalError")?.new_instance((format!("{problem}\n{help}"), facts))
    };
    made().map_or_else(|failure| failure, Error::from)
}

/// Creates the exception for an error of the engine, with this message.
fn exception(
    ruby: &Ruby,
    error: &ketch_yaml::Error,
    message: String,
    file: Option<&str>,
) -> Result<Exception, Error> {
    let problem = error.problem();
    let facts = ruby.hash_new();
    facts.aset(ruby.to_symbol("file"), file)?;
    facts.aset(ruby.to_symbol("problem"), error.message().as_ref())?;
    facts.aset(ruby.to_symbol("name"), ruby.to_symbol(problem.name()))?;
    facts.aset(ruby.to_symbol("help"), error.help())?;
    facts.aset(ruby.to_symbol("setting"), problem.setting().map(|name| ruby.to_symbol(name)))?;
    set_location(ruby, facts, error.location())?;
    if let Some(related) = error.related() {
        facts.aset(ruby.to_symbol("related_line"), related.line)?;
        facts.aset(ruby.to_symbol("related_column"), related.column)?;
    }
    class(ruby, class_name(problem))?.new_instance((message, facts))
}

/// Returns the name of the exception class for a problem.
fn class_name(problem: Problem) -> &'static str {
    match (problem, problem.class()) {
        (Problem::DuplicateKey, _) => "DuplicateKeyError",
        (_, Class::Limit) => "LimitError",
        (_, Class::Semantic) => "ValueError",
        _ => "SyntaxError",
    }
}

/// Sets the fields of an exception that describe a location.
fn set_location(ruby: &Ruby, facts: RHash, location: &Location) -> Result<(), Error> {
    facts.aset(ruby.to_symbol("line"), location.line)?;
    facts.aset(ruby.to_symbol("column"), location.column)?;
    facts.aset(ruby.to_symbol("offset"), location.offset)?;
    facts.aset(ruby.to_symbol("length"), location.len)?;
    facts.aset(ruby.to_symbol("line_text"), location.text.as_str())
}

/// Returns the exception class with this name in `Ketch`.
fn class(ruby: &Ruby, name: &str) -> Result<ExceptionClass, Error> {
    ruby.define_module("Ketch")?.const_get(name)
}
