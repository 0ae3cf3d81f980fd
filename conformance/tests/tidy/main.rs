//! Tests that keep the code easy to read: no cycles between files, short files, short functions,
//! one order of derives, the words of docs/glossary.md, and the pictures of ARCHITECTURE.md.

mod modules;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use modules::Crate;

/// The crates, their folders and the 99th percentile of their functions' lengths, in lines. A ratchet:
/// lower it when the code gets shorter.
const CRATES: &[(&str, &str, usize)] = &[
    ("ketch-bytes", "crates/ketch-bytes", 31),
    ("ketch-yaml", "crates/ketch-yaml", 42),
    ("ketch-extprot", "crates/ketch-extprot", 50),
    ("ketch-regex", "crates/ketch-regex", 50),
    ("ketch", "crates/ketch", 35),
    ("ketch-files", "crates/ketch-files", 40),
    ("ketch-cli", "crates/ketch-cli", 40),
    ("the Ruby extension", "bindings/ruby/ext/ketch", 39),
];

/// No hand-written file is longer, tests included.
const FILE_LINES_MAX: usize = 700;

/// The order of derives.
const DERIVES: &[&str] =
    &["Clone", "Copy", "Debug", "Default", "PartialEq", "Eq", "PartialOrd", "Ord", "Hash"];

/// Circles that belong to what they implement: the crate, its files, and why.
const CIRCLES: &[(&str, &[&str], &str)] = &[
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
        for circle in code.circles() {
            found.insert((name, circle), code.edges());
        }
    }
    for (name, files, _) in CIRCLES {
        let circle = files.iter().map(|&file| file.to_owned()).collect();
        assert!(found.remove(&(*name, circle)).is_some(), "{name}: no longer a circle: {files:?}");
    }
    let reports = found.iter().map(|((name, circle), edges)| {
        let inside =
            edges.iter().filter(|(from, to, _)| circle.contains(from) && circle.contains(to));
        let lines: Vec<String> =
            inside.map(|(from, to, path)| format!("    {from} uses {path} of {to}")).collect();
        format!("{name}: {} files\n{}", circle.len(), lines.join("\n"))
    });
    let reports: Vec<String> = reports.collect();
    assert!(reports.is_empty(), "files that use each other in circles:\n{}", reports.join("\n"));
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
