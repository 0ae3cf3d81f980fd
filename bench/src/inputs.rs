//! The inputs of all hosts that are made and not fetched: `ketch-runner inputs FOLDER`.

mod regex;

use std::fs;
use std::path::Path;

use ketch_extprot::rt::Encode;
use serde::Deserialize;

use crate::digest::hash;
use crate::extprot::random;
use crate::generate;
use crate::native::types::Record;
use crate::runner::text as as_text;

#[derive(Deserialize)]
struct Definitions {
    file: Vec<Definition>,
}

/// A file of `definitions/generated.toml`.
#[derive(Deserialize)]
struct Definition {
    name: String,
    #[serde(default)]
    sha256: String,
    /// The pattern, unless the file needs code.
    #[serde(flatten)]
    pattern: Option<generate::Pattern>,
}

/// Makes the inputs that are not in a folder yet, or are not the same there. With `is_pinning`,
/// prints the hashes of generated files, for new definitions.
///
/// # Errors
///
/// Fails if a file cannot be written, or if a generated file has another hash than its definition:
/// figures for it would not be comparable with older ones.
pub fn make(folder: &Path, is_pinning: bool) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for definition in definitions()? {
        let name = &definition.name;
        let is_there =
            fs::read(folder.join(name)).is_ok_and(|bytes| hash(&bytes) == definition.sha256);
        if !is_there || is_pinning {
            let bytes = definition.make()?;
            let found = hash(&bytes);
            if is_pinning {
                println!("{name}: sha256 = \"{found}\"");
            } else if found != definition.sha256 {
                return Err(format!("{name} is not what is pinned: its SHA-256 is {found}"));
            }
            put(folder, name, &bytes)?;
        }
    }
    put(folder, "records.yaml", records(20_000)?.as_bytes())?;
    let corpus = folder.with_file_name("corpus").join("crd_prometheus.yaml");
    if let Ok(stream) = fs::read_to_string(corpus) {
        put(folder, "definitions.yaml", definitions_of(&stream).as_bytes())?;
    }
    let mut random = random::Random::new(0x9e37_79b9_7f4a_7c15);
    put(folder, "rtts.extprot", &random.rtts(5000).to_bytes().map_err(as_text)?)?;
    put(folder, "table.extprot", &random.table(10_000).to_bytes().map_err(as_text)?)?;
    put(folder, "tree.extprot", &random.tree().to_bytes().map_err(as_text)?)?;
    regex::files().into_iter().try_for_each(|(name, text)| put(folder, &name, text.as_bytes()))
}

/// Writes a file if it is not there or not the same.
fn put(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), String> {
    let path = folder.join(name);
    if fs::read(&path).is_ok_and(|found| found == bytes) {
        return Ok(());
    }
    fs::write(&path, bytes).map_err(|error| format!("{}: {error}", path.display()))
}

fn definitions() -> Result<Vec<Definition>, String> {
    let text = include_str!("../definitions/generated.toml");
    toml::from_str::<Definitions>(text).map(|parsed| parsed.file).map_err(as_text)
}

impl Definition {
    fn make(&self) -> Result<Vec<u8>, String> {
        let style = generate::STYLES.iter().find(|(style, _)| *style == self.name);
        match (&self.pattern, style) {
            (Some(pattern), _) => Ok(pattern.make(&self.name)),
            (None, Some((_, make))) => Ok(make()),
            (None, None) => Err(format!("{} has no pattern", self.name)),
        }
    }
}

/// Returns the documents of a stream that are custom resource definitions, as a stream.
fn definitions_of(stream: &str) -> String {
    let is_definition = |text: &&str| text.contains("kind: CustomResourceDefinition\n");
    let documents = stream.split("\n---\n").filter(is_definition);
    let document = |text: &str| format!("---\n{}\n", text.trim_start_matches("---\n"));
    documents.map(document).collect()
}

/// Returns a flat list of this many records.
fn records(count: u64) -> Result<String, String> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = move |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    const NAMES: [&str; 8] =
        ["Ada", "Grace", "Edsger", "Barbara", "Alan", "Tove", "Jos\u{e9}", "Li"];
    const WORDS: [&str; 8] = ["sail", "mast", "keel", "boom", "stern", "bow", "helm", "jib"];
    let record = |id| {
        let name = NAMES[next(8) as usize];
        Record {
            id,
            name: format!("{name} {}", WORDS[next(8) as usize]),
            email: format!("{}{}@example.org", WORDS[next(8) as usize], next(10_000)),
            created: format!("20{:02}-{:02}-{:02}", next(30), 1 + next(12), 1 + next(28)),
            balance: next(1_000_000) as f64 / 100.0,
            age: (next(4) > 0).then(|| next(100) as u8),
            is_active: next(2) == 0,
            tags: (0..next(4)).map(|_| WORDS[next(8) as usize].to_owned()).collect(),
        }
    };
    let records: Vec<Record> = (0..count).map(record).collect();
    serde_yaml::to_string(&records).map_err(as_text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definitions_pin_every_generated_input() {
        let definitions = definitions().expect("definitions");
        for definition in &definitions {
            let bytes = definition.make().expect("a pattern or a style");
            assert_eq!(hash(&bytes), definition.sha256, "{}", definition.name);
        }
        let is_there =
            |style: &generate::Style| definitions.iter().any(|file| file.name == style.0);
        assert!(definitions.len() >= 90 && generate::STYLES.iter().all(is_there));
    }
}
