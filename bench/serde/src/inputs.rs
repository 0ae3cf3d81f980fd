//! The inputs: the files of the corpus, the generated ones, and the streams of one type.

use crate::generate;
use crate::types::Record;
use std::path::Path;
use std::{fs, io};

/// A text and its name.
pub struct Input {
    pub name: String,
    pub text: String,
}

/// Returns the files that `bench/corpus` fetched, and a generated one of each style.
///
/// # Errors
///
/// Fails if the folder cannot be read, or one of its files is not text.
pub fn all(folder: &Path) -> io::Result<Vec<Input>> {
    let mut paths: Vec<_> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    paths.sort();
    let mut inputs = Vec::new();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        inputs.push(Input { name, text: fs::read_to_string(&path)? });
    }
    for style in generate::STYLES {
        let text = String::from_utf8((style.make)()).expect("generated text is UTF-8");
        inputs.push(Input { name: style.name.to_owned(), text });
    }
    Ok(inputs)
}

/// Returns the documents of a stream that are custom resource definitions, as a stream.
pub fn definitions(stream: &str) -> String {
    let is_definition = |text: &&str| text.contains("kind: CustomResourceDefinition\n");
    let documents = stream.split("\n---\n").filter(is_definition);
    let document = |text: &str| format!("---\n{}\n", text.trim_start_matches("---\n"));
    documents.map(document).collect()
}

/// Returns a flat list of this many records.
pub fn records(count: u64) -> String {
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
    serde_yaml::to_string(&records).expect("records are YAML")
}
