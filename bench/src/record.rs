//! Results as JSON, complete enough to be compared later. A result is a line, so that files of
//! records stay short, and their differences can be read.

use std::fs;
use std::path::Path;

use serde::Serialize;

use crate::corpus::{Item, at};
use crate::engines::Engine;
use crate::machine::Machine;
use crate::options::Options;
use crate::run::Results;

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
    let fields = [
        // Raised when fields change their meaning.
        ("format", "1".to_owned()),
        ("machine", json(&Machine::current())),
        ("rounds", json(&options.rounds)),
        ("engines", lines(facts)),
        ("files", lines(files)),
        // Seconds of CPU time per parse.
        ("figures", lines(&results.figures)),
        ("claims", lines(&results.verdicts)),
        ("left_out", lines(&results.left_out)),
    ];
    let fields = fields.map(|(name, value)| format!("\"{name}\": {value}"));
    let text = format!("{{\n{}\n}}\n", fields.join(",\n"));
    let beside = path.with_extension("json.partial");
    fs::write(&beside, text).map_err(at(&beside))?;
    fs::rename(&beside, path).map_err(at(path))
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("results are JSON")
}

/// Returns a list as JSON, with a line for each element.
fn lines<T: Serialize>(list: impl IntoIterator<Item = T>) -> String {
    let elements: Vec<String> = list.into_iter().map(|element| json(&element)).collect();
    if elements.is_empty() { "[]".to_owned() } else { format!("[\n{}\n]", elements.join(",\n")) }
}
