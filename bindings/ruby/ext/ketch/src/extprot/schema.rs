//! Generates the Ruby source for modules that are created from schemas at run time.

use ketch_extprot::codegen;
use ketch_extprot::schema::{Diagnostics, FileLoader, check_file, check_schema};
use magnus::{Error, ExceptionClass, RModule, Ruby, prelude::*};

/// Implements `Ketch::Extprot.schema_source(name, text)`: returns the source of the Ruby module for
/// a schema. If `text` is `nil`, `name` is the name of the schema file.
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

/// Returns the exception for an invalid schema. Its message contains all errors; its fields
/// describe the first one.
fn raised(ruby: &Ruby, wrong: &Diagnostics) -> Error {
    with_facts(ruby, &wrong.to_string(), Some(wrong))
}

/// Creates the exception. If `wrong` is given, the fields describe its first error.
fn with_facts(ruby: &Ruby, message: &str, wrong: Option<&Diagnostics>) -> Error {
    let made = || -> Result<Error, Error> {
        let module: RModule = ruby.define_module("Ketch")?.const_get("Extprot")?;
        let facts = ruby.hash_new();
        if let Some(wrong) = wrong
            && let Some(first) = wrong.list.first()
        {
            let location = wrong.sources.location(first.span);
            facts.aset(ruby.to_symbol("file"), location.file)?;
            facts.aset(ruby.to_symbol("offset"), location.offset)?;
            facts.aset(ruby.to_symbol("line"), location.line)?;
            facts.aset(ruby.to_symbol("column"), location.column)?;
            facts.aset(ruby.to_symbol("line_text"), location.line_text)?;
            facts.aset(ruby.to_symbol("problem"), first.message.as_str())?;
            facts.aset(ruby.to_symbol("help"), first.help.as_str())?;
        }
        let class: ExceptionClass = module.const_get("SchemaError")?;
        Ok(class.new_instance((message.trim_end(), facts))?.into())
    };
    made().unwrap_or_else(|failure| failure)
}
