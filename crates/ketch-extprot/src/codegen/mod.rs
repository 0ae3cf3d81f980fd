//! Generates source code from schemas.

#[cfg(feature = "codegen")]
mod java;
mod names;
mod python;
mod ruby;
#[cfg(feature = "codegen")]
mod rust;

#[cfg(feature = "codegen")]
pub use java::{JavaOptions, java, java_class};
pub use python::{PythonOptions, python};
pub use ruby::{ruby, ruby_body, ruby_module};
#[cfg(feature = "codegen")]
pub use rust::{Options, Strings, rust};

#[cfg(feature = "codegen")]
use crate::schema::check_file;
use crate::schema::{Diagnostic, Diagnostics, Message, Rule, Schema, Sum, Type, TypeId};
use std::collections::HashSet;
use std::fmt;
#[cfg(feature = "codegen")]
use std::path::Path;

/// The reason why no code was generated.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The schema is invalid.
    Schema(Diagnostics),
    /// The schema uses a message of another schema that was not found in the same folder.
    External(String),
    /// A type has more fields or arguments than the language allows.
    TooWide(String),
    /// The code could not be formatted, which is a defect of the generator.
    Layout(String),
    /// The variable `OUT_DIR` is not set, because the program is not a build script that cargo
    /// runs.
    OutDir,
    /// A file cannot be written.
    Io(std::io::Error),
}

impl std::error::Error for Error {}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Schema(diagnostics) => write!(f, "{diagnostics}"),
            Error::External(name) => {
                write!(f, "the schema of {name} was not found beside the one that names it")
            }
            Error::TooWide(reason) => f.write_str(reason),
            Error::Layout(error) => write!(f, "the generated code could not be formatted: {error}"),
            Error::OutDir => f.write_str("OUT_DIR is not set: call this from a build script"),
            Error::Io(error) => write!(f, "{error}"),
        }
    }
}

/// Generates `OUT_DIR/NAME.rs` for each schema file `NAME.proto`, and makes cargo watch the files. Call
/// this in `build.rs`.
///
/// ```no_run
/// // In the main function of build.rs:
/// ketch_extprot::codegen::build(&["schemas/user.proto"], &Default::default()).unwrap();
/// // lib.rs: mod user { include!(concat!(env!("OUT_DIR"), "/user.rs")); }
/// ```
///
/// # Errors
/// Fails if a schema is invalid, if a file cannot be written, or if `OUT_DIR` is not set.
#[cfg(feature = "codegen")]
pub fn build(files: &[impl AsRef<Path>], options: &Options) -> Result<(), Error> {
    let out = std::env::var_os("OUT_DIR").ok_or(Error::OutDir)?;
    for file in files {
        let file = file.as_ref();
        let schema = check_file(&file.to_string_lossy()).map_err(Error::Schema)?;
        for source in &schema.sources().0 {
            println!("cargo::rerun-if-changed={}", source.name);
        }
        let code = rust(&schema, options)?;
        let name = file.file_stem().unwrap_or_default();
        let target = Path::new(&out).join(name).with_extension("rs");
        std::fs::write(target, code).map_err(Error::Io)?;
    }
    Ok(())
}

/// Fails if `schema` has options that start with `prefix`, because the generator for `language` does
/// not support them.
fn refuse_conversions(schema: &Schema, language: &str, prefix: &str) -> Result<(), Error> {
    let declarations = schema.files().iter().flat_map(|file| &file.declarations);
    let options = declarations.flat_map(|declaration| &declaration.options);
    let list: Vec<Diagnostic> = options
        .filter(|option| option.name.starts_with(prefix))
        .map(|option| Diagnostic {
            rule: Rule::UnknownOption,
            span: option.name_span,
            message: format!("the generator for {language} does not support {}", option.name),
            help: "remove it, and convert the generated type in the program".into(),
            related: None,
        })
        .collect();
    if list.is_empty() {
        return Ok(());
    }
    Err(Error::Schema(Diagnostics { list, sources: schema.sources().clone() }))
}

/// Returns the types that `ty` directly contains.
fn parts(ty: &Type) -> Vec<TypeId> {
    match ty {
        Type::Primitive(..) | Type::External(_) => vec![],
        Type::List(element) | Type::Array(element) => vec![*element],
        Type::Tuple(types) => types.clone(),
        Type::Sum(sum) => sum.constructors.iter().flat_map(|c| c.arguments.clone()).collect(),
        Type::Message(message) => {
            message.cases.iter().flat_map(|c| c.fields.iter().map(|f| f.ty)).collect()
        }
    }
}

/// Returns the types in `from` and all types that they contain. Each type comes after the types that it
/// contains. Fails if one of them belongs to a schema that was not found.
fn reachable(schema: &Schema, from: impl Iterator<Item = TypeId>) -> Result<Vec<TypeId>, Error> {
    let mut seen: HashSet<TypeId> = HashSet::new();
    let mut pending: Vec<TypeId> = from.collect();
    while let Some(id) = pending.pop() {
        if seen.insert(id) {
            let ty = schema.get(id);
            if let Type::External(name) = ty {
                return Err(Error::External(name.clone()));
            }
            pending.extend(parts(ty));
        }
    }
    let mut order: Vec<TypeId> = seen.into_iter().collect();
    order.sort();
    Ok(order)
}

/// Appends the type argument `id` to `name`, the generated name of a type with type variables: `Pair`
/// becomes `PairInt`. A name of more than 60 bytes stays unchanged.
fn mangle(schema: &Schema, id: TypeId, name: &mut String) {
    if name.len() > 60 {
        return;
    }
    match schema.get(id) {
        Type::Primitive(primitive, _) => name.push_str(&names::type_name(primitive.name())),
        Type::List(element) | Type::Array(element) => {
            name.push_str("List");
            mangle(schema, *element, name);
        }
        Type::Tuple(types) => {
            name.push_str("Tuple");
            types.iter().for_each(|ty| mangle(schema, *ty, name));
        }
        Type::Sum(Sum { name: own, arguments, .. })
        | Type::Message(Message { name: own, arguments, .. }) => {
            name.push_str(&names::type_name(own));
            arguments.iter().for_each(|ty| mangle(schema, *ty, name));
        }
        Type::External(own) => name.push_str(&names::type_name(&own.replace('.', "_"))),
    }
}
