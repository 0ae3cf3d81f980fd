//! Tests that keep the code easy to read: no cycles between files, short files and functions, one
//! order of derives, only words that docs/glossary.md allows, short first pages, and up-to-date
//! pictures in docs/modules.md.

mod modules;
mod pages;
mod ratchets;
mod words;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use modules::Crate;

/// The crates, their folders, and the maximum of the 99th percentile of their functions' lengths in
/// lines. This is a ratchet: lower it when the code gets shorter.
const CRATES: &[(&str, &str, usize)] = &[
    ("ketch-bytes", "crates/ketch-bytes", 31),
    ("ketch-yaml", "crates/ketch-yaml", 42),
    ("ketch-edit", "crates/ketch-edit", 43),
    ("ketch-syck", "crates/ketch-syck", 43),
    ("ketch-extprot", "crates/ketch-extprot", 50),
    ("ketch-regex", "crates/ketch-regex", 50),
    ("ketch-query", "crates/ketch-query", 45),
    ("ketch", "crates/ketch", 35),
    ("ketch-files", "crates/ketch-files", 40),
    ("ketch-host", "crates/ketch-host", 40),
    ("ketch-cli", "crates/ketch-cli", 40),
    ("the Ruby extension", "bindings/ruby/ext/ketch", 39),
    ("the native part for the JVM", "bindings/jvm/native", 39),
    ("the extension for Python", "bindings/python", 39),
];

/// The maximum number of lines of a hand-written file, tests included.
const FILE_LINES_MAX: usize = 1000;

/// The order in which derives have to be.
const DERIVES: &[&str] =
    &["Clone", "Copy", "Debug", "Default", "PartialEq", "Eq", "PartialOrd", "Ord", "Hash"];

/// Cycles that are inherent in what the files implement: the crate, the files, and the reason.
const CYCLES: &[(&str, &[&str], &str)] = &[
    ("ketch-bytes", &["lanes.rs", "level.rs"], "a kernel runs with lanes, and lanes run kernels"),
    (
        "ketch-extprot",
        &["typed/decode.rs", "typed/mod.rs"],
        "a lazy field of a value decodes itself",
    ),
    (
        "ketch-yaml",
        &["compose/document.rs", "compose/lookup.rs", "compose/view.rs"],
        "a document, its nodes, and the index that finds them",
    ),
    (
        "ketch",
        &[
            "value/build.rs",
            "value/hash.rs",
            "value/index.rs",
            "value/mapping.rs",
            "value/mod.rs",
            "value/number.rs",
            "value/sequence.rs",
            "value/tagged.rs",
            "value/walk.rs",
            "value/write.rs",
        ],
        "a value and its collections hold each other",
    ),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

fn crates() -> impl Iterator<Item = (&'static str, Crate, usize)> {
    CRATES.iter().map(|&(name, folder, p99)| {
        let read = Crate::read(&root().join(folder).join("src"));
        (name, read.unwrap_or_else(|error| panic!("{name}: {error}")), p99)
    })
}

#[test]
fn files_use_each_other_in_one_direction() {
    let mut found = BTreeMap::new();
    for (name, code, _) in crates() {
        for cycle in code.cycles() {
            found.insert((name, cycle), code.edges());
        }
    }
    for (name, files, _) in CYCLES {
        let cycle = files.iter().map(|&file| file.to_owned()).collect();
        assert!(found.remove(&(*name, cycle)).is_some(), "{name}: no longer a cycle: {files:?}");
    }
    let reports = found.iter().map(|((name, cycle), edges)| {
        let inside =
            edges.iter().filter(|(from, to, _)| cycle.contains(from) && cycle.contains(to));
        let lines: Vec<String> =
            inside.map(|(from, to, path)| format!("    {from} uses {path} of {to}")).collect();
        format!("{name}: {} files\n{}", cycle.len(), lines.join("\n"))
    });
    let reports: Vec<String> = reports.collect();
    assert!(reports.is_empty(), "files that use each other in cycles:\n{}", reports.join("\n"));
}

#[test]
fn functions_are_short() {
    let mut long = Vec::new();
    for (name, code, p99) in crates() {
        let mut lengths = code.function_lengths();
        lengths.sort_unstable();
        let at = (lengths.len() * 99).div_ceil(100) - 1;
        if lengths[at].0 > p99 {
            long.push(format!("{name}: 99th percentile {}, not {p99}:", lengths[at].0));
            long.extend(lengths[at..].iter().map(|(lines, name)| format!("    {lines} {name}")));
        }
    }
    assert!(long.is_empty(), "{}", long.join("\n"));
}

#[test]
fn files_are_short() {
    let mut long = Vec::new();
    for (name, code, _) in crates() {
        for (file, lines) in code.file_lengths() {
            if lines > FILE_LINES_MAX {
                long.push(format!("{name}: {file}: {lines} lines"));
            }
        }
    }
    assert!(long.is_empty(), "over {FILE_LINES_MAX} lines:\n{}", long.join("\n"));
}

#[test]
fn derives_are_in_order() {
    let mut wrong = Vec::new();
    for (name, code, _) in crates() {
        let found = code.derives_out_of_order(DERIVES);
        wrong.extend(found.iter().map(|location| format!("{name}: {location}")));
    }
    assert!(wrong.is_empty(), "the order is {}:\n{}", DERIVES.join(", "), wrong.join("\n"));
}

/// The folders and files that contain none of the words not to use. This is a ratchet: add to it.
const WORDED: &[&str] = &[
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "README.md",
    "bench",
    "bindings",
    "conformance",
    "crates/ketch",
    "crates/ketch-bytes",
    "crates/ketch-cli",
    "crates/ketch-edit",
    "crates/ketch-extprot",
    "crates/ketch-files",
    "crates/ketch-host",
    "crates/ketch-query",
    "crates/ketch-syck",
    "crates/ketch-yaml",
    "docs",
    "fuzz",
];

fn words_not_to_use() -> Vec<words::Word> {
    words::words(&std::fs::read_to_string(root().join("docs/glossary.md")).unwrap())
}

#[test]
fn words_not_to_use_are_found() {
    let words = words_not_to_use();
    assert!(words.len() > 10, "{}", words.len());
    let lines = |text| -> Vec<usize> {
        words::uses(text, &words).into_iter().map(|(line, _)| line).collect()
    };
    assert_eq!(lines(concat!("/// a\n/// in fr", "ont\n/// of it")), [2]);
    assert_eq!(lines(concat!("let x = to", "ld;\nfn tel", "ls_all() {}")), [1, 2]);
    assert!(lines("a temporary file left behind, and an alias stands for a node").is_empty());
}

#[test]
fn text_uses_the_words_of_the_glossary() {
    let words = words_not_to_use();
    let mut found = Vec::new();
    for file in words::files(&root(), WORDED) {
        let Ok(text) = std::fs::read_to_string(root().join(&file)) else { continue };
        let uses = words::uses(&text, &words).into_iter();
        found.extend(uses.map(|(line, word)| format!("{file}:{line}: {word}")));
    }
    assert!(found.is_empty(), "docs/glossary.md says what to write:\n{}", found.join("\n"));
}

/// Returns the section of docs/modules.md that shows a picture of each crate.
fn pictures() -> String {
    let mut section =
        "## Modules\n\nEach line shows a module and the modules of the same crate that it \
        uses. A module comes before the modules that it uses, except in a cycle. To update this section, run \
        `UPDATE_PICTURES=1 cargo test -p ketch-conformance --test tidy`.\n"
            .to_owned();
    for (name, code, _) in crates() {
        section += &format!("\n### {name}\n\n```text\n{}```\n", code.picture());
    }
    section
}

#[test]
fn the_page_of_modules_shows_those_of_each_crate() {
    let path = root().join("docs/modules.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (before, _) = page.split_once("## Modules\n").expect("a section of modules");
    let expected = format!("{before}{}", pictures());
    if std::env::var_os("UPDATE_PICTURES").is_some() {
        std::fs::write(&path, expected).unwrap();
    } else {
        assert!(page == expected, "docs/modules.md is stale: run with UPDATE_PICTURES=1");
    }
}
