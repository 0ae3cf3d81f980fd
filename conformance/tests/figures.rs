//! The figures in the READMEs are those of the saved records, and every claim is true for every
//! record.

use ketch_conformance::figures::{PAGES, Record, rewrite};
use serde::Deserialize;
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
}

#[derive(Deserialize)]
struct Claim {
    level: String,
    subject: String,
    variants: Vec<String>,
    mean: f64,
    #[serde(default)]
    worst: f64,
}

#[test]
fn every_claim_holds_in_every_record() {
    let claims = fs::read_to_string(root().join("bench/definitions/levels.toml")).expect("claims");
    let claims: Claims = toml::from_str(&claims).expect("TOML");
    let mut records = 0;
    for entry in fs::read_dir(root().join("bench/records")).expect("records") {
        let path = entry.expect("an entry").path();
        let record = Record::load(&path).unwrap_or_else(|error| panic!("{error}"));
        records += 1;
        for Claim { level, subject, variants, mean, worst } in &claims.claim {
            let variants: Vec<&str> = variants.iter().map(String::as_str).collect();
            let ratio = record.ratio(level, subject, &variants).expect("figures for the claim");
            let place = path.display();
            assert!(ratio.files >= 30, "{place}: {} files", ratio.files);
            assert!(
                ratio.mean >= *mean,
                "{place}: {level}, {variants:?}: {ratio:?}, {mean} claimed"
            );
            assert!(
                ratio.worst >= *worst,
                "{place}: {level}, {variants:?}: {ratio:?}, {worst} claimed"
            );
        }
    }
    assert!(records >= 2, "{records} records");
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
