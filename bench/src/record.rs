//! Results as JSON, complete enough to be compared later.

use std::fs;
use std::path::Path;

use serde::Serialize;

use crate::claims::Verdict;
use crate::corpus::{Item, at};
use crate::engines::{Engine, Facts};
use crate::machine::Machine;
use crate::options::Options;
use crate::run::{Figure, Results};
use crate::verify::LeftOut;

#[derive(Serialize)]
struct Record<'a> {
    /// Raised when fields change their meaning.
    format: u32,
    machine: Machine,
    rounds: u16,
    engines: Vec<&'a Facts>,
    files: Vec<File<'a>>,
    /// Seconds of CPU time per parse.
    figures: &'a [Figure],
    claims: &'a [Verdict],
    left_out: &'a [LeftOut],
}

#[derive(Serialize)]
struct File<'a> {
    name: &'a str,
    about: &'a str,
    bytes: usize,
    sha256: String,
}

/// Writes a record to `path`, whole or not at all.
///
/// # Errors
/// Fails if it cannot be written.
pub fn write(
    path: &Path,
    options: &Options,
    engines: &[Box<dyn Engine>],
    items: &[Item],
    results: &Results,
) -> Result<(), String> {
    let measured = |name| results.figures.iter().any(|figure| figure.engine == name);
    let facts = engines.iter().map(|engine| engine.facts()).filter(|facts| measured(facts.name));
    let files = items.iter().map(|item| File {
        name: &item.name,
        about: &item.about,
        bytes: item.bytes.len(),
        sha256: item.sha256(),
    });
    let record = Record {
        format: 1,
        machine: Machine::current(),
        rounds: options.rounds,
        engines: facts.collect(),
        files: files.collect(),
        figures: &results.figures,
        claims: &results.verdicts,
        left_out: &results.left_out,
    };
    let mut text = serde_json::to_string_pretty(&record).map_err(at(path))?;
    text.push('\n');
    let beside = path.with_extension("json.partial");
    fs::write(&beside, text).map_err(at(&beside))?;
    fs::rename(&beside, path).map_err(at(path))
}
