//! `ketch extprot generate`: generates source code from a schema.

use crate::args::{GenerateArgs, Language, StringType};
use crate::diagnostic::Diagnostic;
use crate::output::Output;
use crate::schema;
use crate::status::{Failure, Status};
use ketch_extprot::codegen::{self, JavaOptions, Options, PythonOptions, Strings};
use ketch_extprot::schema::Schema;
use std::io::Write;

/// Generates code from one schema.
pub fn run(args: GenerateArgs) -> Result<Status, Failure> {
    args.refuse_for_language()?;
    let schema = match schema::open(&args.file)? {
        Ok(schema) => schema,
        Err(status) => return Ok(status),
    };
    let code = code(&args, &schema).map_err(|error| {
        if let codegen::Error::Schema(errors) = &error {
            // Only the first problem is reported. The others are reported once this one is fixed.
            let first = Diagnostic::schema(errors, &errors.list[0]);
            return Failure::Input(Box::new(first));
        }
        let diagnostic =
            Diagnostic::sentence(&args.file, "Generate", "semantic", error.to_string());
        Failure::Input(Box::new(diagnostic))
    })?;
    let mut output = Output::open(args.output.as_deref(), args.write_through)?;
    output.write_all(code.as_bytes()).map_err(|error| Failure::write(output.name(), error))?;
    output.finish()?;
    Ok(Status::Success)
}

/// Returns the code for `schema` in the language that the arguments choose.
fn code(args: &GenerateArgs, schema: &Schema) -> Result<String, codegen::Error> {
    let strings = match args.strings.unwrap_or_default() {
        StringType::Bytes => Strings::Bytes,
        StringType::Utf8 => Strings::Utf8,
    };
    let options = Options { strings, no_borrowed: args.no_borrowed };
    // Standard input has no file name, so a fixed one is used.
    let file = if args.file == "-" { "schema" } else { &args.file };
    match args.lang {
        Language::Rust => codegen::rust(schema, &options),
        Language::Ruby => {
            let module = args.module.clone().unwrap_or_else(|| codegen::ruby_module(file));
            codegen::ruby(schema, &module)
        }
        Language::Python => {
            let utf8 = strings == Strings::Utf8;
            codegen::python(schema, &PythonOptions { utf8 })
        }
        Language::Java => {
            let class = args.class.clone().unwrap_or_else(|| codegen::java_class(file));
            codegen::java(schema, &JavaOptions { class, strings })
        }
    }
}
