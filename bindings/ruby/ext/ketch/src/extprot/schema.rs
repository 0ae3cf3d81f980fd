//! Ruby source for schemas, for modules created at run time.

use ketch_extprot::codegen;
use ketch_extprot::schema::{Diagnostics, FileLoader, Source, check_file, check_schema};
use magnus::{Error, ExceptionClass, RModule, Ruby, prelude::*};

/// Implements `Ketch::Extprot.schema_source(name, text)`: returns the source of the Ruby module for
/// a schema. Without a text, `name` is that of the schema file.
pub fn schema_source(ruby: &Ruby, name: String, text: Option<String>) -> Result<String, Error> {
    let schema = match text {
        Some(text) => check_schema(&name, &text, &mut FileLoader),
        None => check_file(&name),
    };
    let schema = schema.map_err(|wrong| raised(ruby, &wrong))?;
    codegen::ruby_body(&schema).map_err(|error| match error {
        codegen::Error::Schema(wrong) => raised(ruby, &wrong),
        error => with_facts(ruby, &error.to_string(), None),
    })
}

/// Returns the exception for an invalid schema: the message has all errors, the fields those of the
/// first.
fn raised(ruby: &Ruby, wrong: &Diagnostics) -> Error {
    let first = wrong.list.first().map(|first| {
        let source = &wrong.sources.0[first.span.file as usize];
        (source, first.span.start as usize, first)
    });
    with_facts(
        ruby,
        &wrong.to_string(),
        first.map(|(source, at, first)| (source, at, first.message.as_str(), first.help.as_str())),
    )
}

/// Creates the exception, with the location of the first error as its fields.
fn with_facts(ruby: &Ruby, message: &str, first: Option<(&Source, usize, &str, &str)>) -> Error {
    let made = || -> Result<Error, Error> {
        let module: RModule = ruby.define_module("Ketch")?.const_get("Extprot")?;
        let facts = ruby.hash_new();
        if let Some((source, at, problem, help)) = first {
            let before = source.text.get(..at).unwrap_or_default();
            let start = before.rfind('\n').map_or(0, |at| at + 1);
            let line = source.text[start..].lines().next().unwrap_or_default();
            facts.aset(ruby.to_symbol("file"), source.name.as_str())?;
            facts.aset(ruby.to_symbol("offset"), at)?;
            facts.aset(ruby.to_symbol("line"), before.matches('\n').count() + 1)?;
            facts.aset(ruby.to_symbol("column"), before[start..].chars().count() + 1)?;
            facts.aset(ruby.to_symbol("line_text"), line)?;
            facts.aset(ruby.to_symbol("problem"), problem)?;
            facts.aset(ruby.to_symbol("help"), help)?;
        }
        let class: ExceptionClass = module.const_get("SchemaError")?;
        Ok(class.new_instance((message.trim_end(), facts))?.into())
    };
    made().unwrap_or_else(|failure| failure)
}
