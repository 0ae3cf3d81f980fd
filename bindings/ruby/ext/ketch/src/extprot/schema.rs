//! Generates the Ruby source for modules that are created from schemas at run time.

use crate::failure;
use ketch_extprot::codegen;
use ketch_host::raised;
use magnus::{Error, ExceptionClass, RModule, Ruby, prelude::*};

/// Implements `Ketch::Extprot.schema_source(name, text)`: returns the source of the Ruby module for
/// a schema. If `text` is `nil`, `name` is the name of the schema file.
pub fn schema_source(ruby: &Ruby, name: String, text: Option<String>) -> Result<String, Error> {
    raised::schema_source(&name, text.as_deref(), codegen::ruby_body).map_err(|wrong| {
        let made = || -> Result<Error, Error> {
            let module: RModule = ruby.define_module("Ketch")?.const_get("Extprot")?;
            let class: ExceptionClass = module.const_get("SchemaError")?;
            let facts = failure::facts(ruby, wrong.fields())?;
            Ok(class.new_instance((wrong.message.as_str(), facts))?.into())
        };
        made().unwrap_or_else(|failure| failure)
    })
}
