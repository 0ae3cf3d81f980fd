//! Source code from schemas.

mod names;
mod rust;

use std::fmt;
use std::path::Path;

pub use rust::{Options, Strings, rust};

use crate::schema::{Diagnostics, check_file};

/// Why no code came out.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The schema is wrong.
    Schema(Diagnostics),
    /// The schema uses a message of another schema that was not found beside it.
    External(String),
    /// The code could not be laid out: a defect of the generator.
    Layout(String),
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
            Error::Layout(error) => write!(f, "the generated code could not be laid out: {error}"),
            Error::Io(error) => write!(f, "{error}"),
        }
    }
}

/// For `build.rs`: generates `OUT_DIR/NAME.rs` for each schema file `NAME.proto`, and has cargo watch
/// the files.
///
/// ```no_run
/// // In the main function of build.rs:
/// ketch_extprot::codegen::build(&["schemas/user.proto"], &Default::default()).unwrap();
/// // lib.rs: mod user { include!(concat!(env!("OUT_DIR"), "/user.rs")); }
/// ```
///
/// # Panics
/// When cargo does not run it: `OUT_DIR` is not set.
pub fn build(files: &[impl AsRef<Path>], options: &Options) -> Result<(), Error> {
    let out = std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR for build scripts");
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
