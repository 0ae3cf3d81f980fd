//! The figures in the READMEs are those of the saved records.

use ketch_conformance::figures::{PAGES, rewrite};
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
            assert_eq!(line, expected, "{name}: run the program `figures`");
        }
        assert_eq!(page, expected, "{name}: run the program `figures`");
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

#[test]
fn a_result_of_a_record_takes_one_line() {
    let folders = ["bench", "bench/serde", "bench/syck", "bindings/jvm/bench"];
    let mut records = 0;
    for folder in folders.map(|folder| root().join(folder).join("records")) {
        for entry in fs::read_dir(folder).expect("records") {
            let path = entry.expect("an entry").path();
            // Those of the board are not of this kind.
            if path.extension().is_some_and(|end| end == "jsonl") {
                continue;
            }
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
