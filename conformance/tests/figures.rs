//! The figures in the READMEs are those of the saved records, and every claim is true for every
//! record.

use ketch_conformance::figures::{PAGES, Record, is_shape, rewrite};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[test]
fn the_readmes_have_the_figures_of_the_records() {
    for name in PAGES {
        let path = root().join(name);
        let page = fs::read_to_string(&path).expect("a page");
        assert!(page.contains("<!-- figures: end -->"), "{name}: all figures are between marks");
        let expected = rewrite(&page, path.parent().expect("a folder"));
        let expected = expected.unwrap_or_else(|error| panic!("{name}: {error}"));
        for (line, expected) in page.lines().zip(expected.lines()) {
            assert_eq!(line, expected, "{name}: run `bench/run --readme`");
        }
        assert_eq!(page, expected, "{name}: run `bench/run --readme`");
    }
}

#[test]
fn unknown_marks_and_records_are_errors() {
    let error = |mark: &str| {
        rewrite(&format!("<!-- figures: {mark} -->\n<!-- figures: end -->\n"), &root()).unwrap_err()
    };
    assert!(error("noise").contains("no figures of this kind"));
    assert!(error("peers bench/records/none.json").contains("none.json"));
    assert!(
        rewrite("<!-- figures: peers a.json -->\n", &root()).unwrap_err().contains("has no end")
    );
}

#[derive(Deserialize)]
struct Claims {
    claim: Vec<Claim>,
    floors: Floors,
}

#[derive(Deserialize)]
struct Claim {
    level: String,
    subject: String,
    variants: Vec<String>,
    #[serde(default)]
    shapes: bool,
    mean: f64,
    #[serde(default)]
    worst: f64,
}

#[derive(Deserialize)]
struct Floors {
    subject: String,
    peers: Vec<String>,
    files: BTreeMap<String, [f64; 2]>,
}

fn definitions<T: serde::de::DeserializeOwned>(name: &str) -> T {
    let text = fs::read_to_string(root().join("bench/definitions").join(name)).expect("a file");
    toml::from_str(&text).expect("TOML")
}

fn refs(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}

#[test]
fn every_claim_holds_in_every_record() {
    let Claims { claim: claims, floors } = definitions("levels.toml");
    let mut records = 0;
    for entry in fs::read_dir(root().join("bench/records")).expect("records") {
        let path = entry.expect("an entry").path();
        let place = path.display();
        let record = Record::load(&path).unwrap_or_else(|error| panic!("{error}"));
        records += 1;
        for Claim { level, subject, variants, shapes, mean, worst } in &claims {
            let variants = refs(variants);
            let counts = |file: &str| is_shape(file) == *shapes;
            let Some(ratio) = record.ratio_of(level, subject, &variants, counts) else {
                assert!(shapes, "{place}: no figures for {level}, {variants:?}");
                continue;
            };
            assert!(ratio.files >= 30, "{place}: {} files", ratio.files);
            assert!(
                ratio.mean >= *mean && ratio.worst >= *worst,
                "{place}: {level}, {variants:?}: {ratio:?}, {mean} and {worst} claimed"
            );
        }
        let mut found = 0;
        for (file, least) in &floors.files {
            for (level, least) in ["events", "decoded"].into_iter().zip(least) {
                let peers = refs(&floors.peers);
                let ratio = record.ratio_of(level, &floors.subject, &peers, |name| name == file);
                let ratio = ratio.map_or(f64::INFINITY, |ratio| ratio.worst);
                assert!(ratio >= *least, "{place}: {level}, {file}: {ratio}, {least} claimed");
                found += usize::from(ratio.is_finite());
            }
        }
        assert!(found >= 30, "{place}: {found} floors");
    }
    assert!(records >= 2, "{records} records");
}

#[test]
fn every_generated_file_has_floors() {
    #[derive(Deserialize)]
    struct File {
        name: String,
    }
    let floors: Claims = definitions("levels.toml");
    let mut files: BTreeMap<String, Vec<File>> = definitions("generated.toml");
    let mut names: Vec<String> =
        files.remove("file").into_iter().flatten().map(|file| file.name).collect();
    names.sort();
    assert!(names.iter().filter(|name| is_shape(name)).count() >= 70);
    assert_eq!(names, floors.floors.files.into_keys().collect::<Vec<_>>());
}

#[test]
fn a_result_of_a_record_takes_one_line() {
    let folders = ["bench", "bench/serde", "bench/syck", "bindings/jvm/bench"];
    let mut records = 0;
    for folder in folders.map(|folder| root().join(folder).join("records")) {
        for entry in fs::read_dir(folder).expect("records") {
            let path = entry.expect("an entry").path();
            let text = fs::read_to_string(&path).expect("a record");
            let record: serde_json::Value = serde_json::from_str(&text).expect("JSON");
            let fields = record.as_object().expect("fields");
            let results: usize =
                fields.values().filter_map(|field| field.as_array().map(Vec::len)).sum();
            let lines = text.lines().count();
            // Each list may have a line of its own for its brackets.
            assert!(lines <= results + 2 * fields.len() + 2, "{}: {lines} lines", path.display());
            records += 1;
        }
    }
    assert!(records >= 11, "{records} records");
}
