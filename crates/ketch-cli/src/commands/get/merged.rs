//! Applies merge keys to a whole input before it is searched. JSON is written with merge keys applied
//! anyway, but YAML and the lists of what is in a value show the nodes as they are, and `..` visits
//! these.

use crate::args::GetArgs;
use crate::commands::convert::{Unwritten, write_merged};
use crate::file_name;
use crate::input::Input;
use crate::read::failure;
use crate::status::Failure;
use ketch_yaml::compose::ExpandOptions;
use ketch_yaml::path::{Path, Step};
use ketch_yaml::present::{PresentError, Presenter};
use ketch_yaml::{Dialect, Documents};
use memchr::memmem;
use std::io;

/// Returns whether what `args` print of `paths` depends on merge keys that are not applied otherwise.
pub fn is_needed(args: &GetArgs, paths: &[Path]) -> bool {
    let descends = || paths.iter().any(|path| path.steps().contains(&Step::Descend));
    let is_yaml = args.read.options().dialect == Dialect::Yaml;
    is_yaml && args.compose_options().merges() && (args.has_yaml() || descends())
}

/// Returns the text of `input`, the content of `file`, with aliases expanded and merge keys applied.
pub fn text(args: &GetArgs, file: &str, mut input: Input) -> Result<Vec<u8>, Failure> {
    let failed = |error| Failure::Read(file_name::shown(file).to_owned(), error);
    let text = input.read_all().map_err(failed)?;
    // Nearly all inputs have no merge keys.
    if memmem::find(&text, b"<<").is_none() {
        return Ok(text);
    }
    let (compose, origin) = (args.compose_options(), args.input.origin(file));
    let options = args.read.options_for(origin);
    let mut yaml = Presenter::new(Vec::new());
    for document in Documents::with_options(&text, &options, &compose) {
        let document = document.map_err(|error| failure(file, &text, error))?;
        let mut expand = ExpandOptions::of(&document);
        expand.limits = compose.limits;
        write_merged(&mut yaml, &document, &expand).map_err(|error| match error {
            Unwritten::Document(error) => failure(file, &text, error),
            Unwritten::Output(error) => unwritten(file, error),
        })?;
    }
    yaml.finish().map_err(|error| unwritten(file, error))
}

/// Returns the failure for `error`. Writing to memory does not fail.
fn unwritten(file: &str, error: PresentError) -> Failure {
    Failure::Read(file_name::shown(file).to_owned(), io::Error::other(error))
}
