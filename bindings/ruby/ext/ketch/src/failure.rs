//! Converts errors of the engine to exceptions: `Ketch::Error` and its subclasses, which
//! lib/ketch/errors.rb defines. The fields of an exception are set directly, not parsed from its
//! message.

use crate::interrupt;
use crate::options::LoadOptions;
use ketch_edit::EditError;
use ketch_host::edit::Refusal;
use ketch_host::query::Trouble;
use ketch_host::raised::{Fact, Field, Raised};
use ketch_yaml::Location;
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
    raised(ruby, Raised::engine(&error, error.to_string(), error.file()))
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
    let file = options.filename.as_deref();
    raised(ruby, Raised::own("ValueError", problem, help, Some(location), file))
}

/// Returns the exception for an edit that was refused. `count` is the number of operations in it.
pub fn edit(ruby: &Ruby, error: &EditError, file: Option<&str>, count: usize) -> Error {
    if let Some(raised) = error.cause().and_then(interrupt::take) {
        return raised;
    }
    raised(ruby, Raised::edit(error, file, count))
}

/// Returns the exception for a call that an editing session has refused.
pub fn refusal(ruby: &Ruby, refusal: Refusal, options: &LoadOptions) -> Error {
    match refusal {
        Refusal::Edit(error) => edit(ruby, &error, options.filename.as_deref(), 1),
        Refusal::Yaml(error) => yaml(ruby, error, options),
        Refusal::Stale(message) => {
            raised(ruby, Raised { class: "StaleViewError", message, ..Raised::default() })
        }
    }
}

/// Returns the exception for a program that is not valid, or for its run.
pub fn query(ruby: &Ruby, trouble: Trouble, options: &LoadOptions) -> Error {
    match trouble {
        Trouble::Text(error) => yaml(ruby, error, options),
        Trouble::Edit(error) => edit(ruby, &error, options.filename.as_deref(), 1),
        Trouble::Program(fault) => raised(ruby, fault.raised()),
    }
}

/// Returns the exception for a bug in Ketch.
#[cold]
pub fn internal(ruby: &Ruby, problem: &str) -> Error {
    let help = "This is a bug in Ketch. Please report it, with the input if you can.";
    raised(ruby, Raised::own("InternalError", problem, help, None, None))
}

/// Creates an exception.
fn raised(ruby: &Ruby, mut raised: Raised<'_>) -> Error {
    let message = std::mem::take(&mut raised.message);
    let made = || -> Result<Exception, Error> {
        class(ruby, raised.class)?.new_instance((message, facts(ruby, raised.fields())?))
    };
    made().map_or_else(|failure| failure, Error::from)
}

/// Returns the fields of an exception.
pub fn facts<'f>(ruby: &Ruby, fields: impl IntoIterator<Item = Field<'f>>) -> Result<RHash, Error> {
    let facts = ruby.hash_new();
    for (name, fact) in fields {
        let name = ruby.to_symbol(name);
        match fact {
            Some(Fact::Text(text)) => facts.aset(name, &*text)?,
            Some(Fact::Name(word)) => {
                facts.aset(name, ruby.to_symbol(&*word.replace('-', "_")))?;
            }
            Some(Fact::Number(number)) => facts.aset(name, number)?,
            None => {}
        }
    }
    Ok(facts)
}

/// Returns the exception class with this name in `Ketch`.
fn class(ruby: &Ruby, name: &str) -> Result<ExceptionClass, Error> {
    ruby.define_module("Ketch")?.const_get(name)
}
