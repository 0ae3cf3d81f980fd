//! The inputs: real files from the definitions, generated ones, or any folder.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::generate;

/// One input.
#[derive(Debug)]
pub struct Item {
    /// File name, unique within a run.
    pub name: String,
    /// Its kind or origin.
    pub about: String,
    /// The input itself.
    pub bytes: Vec<u8>,
    /// The counts of every correct parse, if the definitions have them.
    pub expected: Option<Counts>,
}

impl Item {
    /// Returns the SHA-256 in lower-case hexadecimal.
    #[must_use]
    pub fn sha256(&self) -> String {
        Sha256::digest(&self.bytes).iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// The structure of a stream, limited to what all engines report in the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// Documents.
    pub documents: u64,
    /// Sequences.
    pub sequences: u64,
    /// Mappings.
    pub mappings: u64,
    /// Scalars, empty ones included.
    pub scalars: u64,
    /// Aliases.
    pub aliases: u64,
}

#[derive(Deserialize)]
struct Definitions {
    file: Vec<Definition>,
}

/// The fields that the harness needs; `bench/corpus` reads the others.
#[derive(Deserialize)]
struct Definition {
    name: String,
    #[serde(default)]
    about: String,
    #[serde(default)]
    sha256: String,
    counts: Option<Counts>,
    /// The pattern of a generated file.
    #[serde(flatten)]
    pattern: Option<generate::Pattern>,
}

/// Returns the real files that `definitions` names, from `folder`, where `bench/corpus` put them.
///
/// The second list has the names of missing files: a registry may have been unreachable.
///
/// # Errors
///
/// Fails if the definitions cannot be read, or if a file does not have the pinned hash.
pub fn defined(definitions: &Path, folder: &Path) -> Result<(Vec<Item>, Vec<String>), String> {
    let (mut items, mut missing) = (Vec::new(), Vec::new());
    for Definition { name, about, sha256, counts, .. } in load(definitions)? {
        let path = folder.join(&name);
        let Ok(bytes) = fs::read(&path) else {
            missing.push(name);
            continue;
        };
        let item = Item { name, about, bytes, expected: counts };
        if item.sha256() != sha256 {
            return Err(format!("{}: not the pinned file (SHA-256 differs)", path.display()));
        }
        items.push(item);
    }
    Ok((items, missing))
}

/// Returns every regular YAML or JSON file directly in `folder`, by name.
///
/// # Errors
/// Fails if the folder or a file cannot be read, or nothing fits.
pub fn folder(folder: &Path) -> Result<Vec<Item>, String> {
    let entries = fs::read_dir(folder).map_err(at(folder))?;
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| is_input(path))
        .collect();
    paths.sort();
    if paths.is_empty() {
        return Err(format!("{}: no .yaml, .yml or .json file", folder.display()));
    }
    paths.iter().map(|path| read_item(path)).collect()
}

/// Returns the generated inputs. If `pinned`, they are checked against the hashes in `definitions`
/// and have the counts from there.
///
/// # Errors
///
/// Fails if the definitions cannot be read, or if a hash differs: figures for such inputs would not
/// be comparable with older ones.
pub fn generated(definitions: &Path, pinned: bool) -> Result<Vec<Item>, String> {
    let make = |Definition { name, about, sha256, counts, pattern }: Definition| {
        let style = generate::STYLES.iter().find(|(style, _)| *style == name);
        let bytes = match (&pattern, style) {
            (Some(pattern), _) => pattern.make(&name),
            (None, Some((_, make))) => make(),
            (None, None) => return Err(format!("{name} has no pattern")),
        };
        let item = Item { name, about, bytes, expected: counts.filter(|_| pinned) };
        let same = !pinned || item.sha256() == sha256;
        if same { Ok(item) } else { Err(format!("{} is not what is made", item.name)) }
    };
    let items: Result<_, _> = load(definitions)?.into_iter().map(make).collect();
    items.map_err(at(definitions))
}

fn load(definitions: &Path) -> Result<Vec<Definition>, String> {
    let text = fs::read_to_string(definitions).map_err(at(definitions))?;
    toml::from_str::<Definitions>(&text).map(|parsed| parsed.file).map_err(at(definitions))
}

fn is_input(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    path.is_file() && matches!(extension, Some("yaml" | "yml" | "json"))
}

/// Reads a file of a folder that the user named.
fn read_item(path: &Path) -> Result<Item, String> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    Ok(Item {
        name: name.unwrap_or_default(),
        about: "a file of the given folder".to_owned(),
        bytes: fs::read(path).map_err(at(path))?,
        expected: None,
    })
}

/// Returns a function that adds a path to an error.
pub fn at<E: std::fmt::Display>(path: &Path) -> impl Fn(E) -> String {
    let path = path.display().to_string();
    move |error| format!("{path}: {error}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definitions_pin_every_generated_input() {
        let definitions =
            Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/definitions/generated.toml"));
        let items = generated(definitions, true).expect("every style as it is pinned");
        let is_there = |style: &generate::Style| items.iter().any(|item| item.name == style.0);
        assert!(items.len() >= 90 && generate::STYLES.iter().all(is_there));
        assert!(items.iter().all(|item| item.expected.is_some()));
    }

    #[test]
    fn a_file_with_another_hash_is_refused() {
        let folder = std::env::temp_dir().join(format!("ketch-bench-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let definitions = folder.join("corpus.toml");
        let pinned = "[[file]]\nname = \"a.yaml\"\nsha256 = \"00\"\n";
        fs::write(&definitions, pinned).expect("definitions");
        let (items, missing) = defined(&definitions, &folder).expect("definitions are fine");
        assert_eq!((items.len(), missing.as_slice()), (0, ["a.yaml".to_owned()].as_slice()));
        fs::write(folder.join("a.yaml"), "a: 1\n").expect("an input");
        let error = defined(&definitions, &folder).expect_err("not the pinned file");
        assert!(error.contains("SHA-256"), "{error}");
        fs::remove_dir_all(&folder).expect("the folder goes");
    }
}
