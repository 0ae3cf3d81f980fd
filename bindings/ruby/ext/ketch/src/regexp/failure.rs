//! Converts errors of patterns and searches to exceptions.

use crate::ruby::{self, VALUE};
use ketch_host::pattern::message;
use ketch_regex::{Class, Problem};
use magnus::{Error, ExceptionClass, Module, RClass, Ruby, Value, prelude::*};

/// Returns the exception for an error of the engine.
#[cold]
pub fn of(ruby: &Ruby, error: &ketch_regex::Error) -> Error {
    let made = || -> Result<Error, Error> {
        let class = match (error.problem(), error.class()) {
            (Problem::Timeout(_), _) => return Ok(timeout(ruby)),
            (_, Class::Syntax | Class::Irregular) => "SyntaxError",
            _ => "LimitError",
        };
        let problem = error.problem();
        let facts = ruby.hash_new();
        facts.aset(ruby.to_symbol("problem"), problem.to_string())?;
        facts.aset(ruby.to_symbol("name"), ruby.to_symbol(problem.name()))?;
        facts.aset(ruby.to_symbol("help"), problem.help())?;
        facts
            .aset(ruby.to_symbol("setting"), problem.setting().map(|name| ruby.to_symbol(name)))?;
        let mut message = error.ruby_message();
        if class == "SyntaxError" {
            facts.aset(ruby.to_symbol("column"), error.column())?;
            facts.aset(ruby.to_symbol("offset"), error.span().start)?;
            let shown = error.caret().replace('\n', "\n    ");
            message = format!("{message}\n    {shown}\n{}", problem.help());
        }
        Ok(class_of(ruby, class)?.new_instance((message, facts))?.into())
    };
    made().unwrap_or_else(|failure| failure)
}

/// Returns the exception for a template of `sub` or `gsub` that is invalid, for example because it
/// refers to a group that does not exist.
#[cold]
pub fn template(ruby: &Ruby, error: &ketch_regex::Error) -> Error {
    match error.problem() {
        Problem::UndefinedName(name) => {
            let message = format!("undefined group name reference: {name}");
            Error::new(ruby.exception_index_error(), message)
        }
        problem => Error::new(ruby.exception_runtime_error(), problem.to_string()),
    }
}

/// Returns the exception for a pattern whose encoding is wrong. Unlike other errors, it has no
/// location.
#[cold]
pub fn syntax(ruby: &Ruby, problem: &str, source: &[u8]) -> Error {
    let message = message(problem, source);
    let made = || -> Result<Error, Error> {
        let facts = ruby.hash_new();
        facts.aset(ruby.to_symbol("problem"), problem)?;
        Ok(class_of(ruby, "SyntaxError")?.new_instance((message, facts))?.into())
    };
    made().unwrap_or_else(|failure| failure)
}

/// Returns the exception for a search that has exceeded its time limit.
#[cold]
pub fn timeout(ruby: &Ruby) -> Error {
    match class_of(ruby, "TimeoutError") {
        Ok(class) => Error::new(class, "regexp match timeout"),
        Err(failure) => failure,
    }
}

/// Returns the exception for a string whose bytes are invalid in its encoding.
#[cold]
pub fn broken(ruby: &Ruby, string: Value) -> Error {
    match string.funcall::<_, _, Value>("encoding", ()) {
        Ok(encoding) => {
            let message = format!("invalid byte sequence in {encoding}");
            Error::new(ruby.exception_arg_error(), message)
        }
        Err(failure) => failure,
    }
}

/// Returns the exception for a string whose encoding is not compatible with that of the pattern.
#[cold]
pub fn incompatible(ruby: &Ruby, source: VALUE, string: Value) -> Error {
    let made = || -> Result<Error, Error> {
        let message: String =
            class(ruby)?.funcall("incompatible", (ruby::value(source), string))?;
        let encoding: RClass = ruby.class_object().const_get("Encoding")?;
        let class: ExceptionClass = encoding.const_get("CompatibilityError")?;
        Ok(Error::new(class, message))
    };
    made().unwrap_or_else(|failure| failure)
}

/// Prints the same warning as Ruby for a pattern with the option `n` that is matched against text
/// that is neither binary nor ASCII.
#[cold]
pub fn warn_historical(ruby: &Ruby, source: VALUE, string: Value) -> Result<(), Error> {
    class(ruby)?.funcall::<_, _, Value>("warn_historical", (ruby::value(source), string))?;
    Ok(())
}

/// Returns `Ketch::Regexp`.
fn class(ruby: &Ruby) -> Result<RClass, Error> {
    ruby.define_module("Ketch")?.const_get("Regexp")
}

/// Returns the exception class with this name in `Ketch::Regexp`.
fn class_of(ruby: &Ruby, name: &str) -> Result<ExceptionClass, Error> {
    class(ruby)?.const_get(name)
}
