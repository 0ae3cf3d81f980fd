//! The README of each crate and the first page of its documentation agree: they have the same first
//! example, which both run, and the same table that says what to use for what.

use regex::Regex;
use std::fs;
use std::path::Path;

const CRATES: [&str; 8] = [
    "ketch",
    "ketch-bytes",
    "ketch-edit",
    "ketch-files",
    "ketch-host",
    "ketch-query",
    "ketch-syck",
    "ketch-yaml",
];

fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the documentation at the top of a crate as Markdown.
fn first_page(name: &str) -> String {
    let source = read(&format!("{name}/src/lib.rs"));
    let lines = source.lines().map_while(|line| line.strip_prefix("//!"));
    lines.map(|line| line.strip_prefix(' ').unwrap_or(line).to_owned() + "\n").collect()
}

/// Returns the lines of the first code block, without those that rustdoc hides.
fn example(page: &str) -> Vec<&str> {
    let block = page.split("```").nth(1).unwrap_or_default();
    block.lines().skip(1).filter(|line| !line.starts_with("# ")).collect()
}

/// Returns the rows of the first table, with links replaced by their text.
fn table(page: &str) -> Vec<String> {
    let link = Regex::new(r"\[`(?:mod@)?([^`]*)`\](?:\([^)]*\))?").unwrap();
    let rows = page.lines().skip_while(|line| !line.starts_with('|'));
    rows.take_while(|line| line.starts_with('|'))
        .map(|row| link.replace_all(row, "`$1`").into_owned())
        .collect()
}

#[test]
fn the_readme_and_the_first_page_say_the_same() {
    for name in CRATES {
        let (readme, page) = (read(&format!("{name}/README.md")), first_page(name));
        assert!(example(&page).len() >= 4, "{name}: the page has an example");
        assert_eq!(example(&readme), example(&page), "{name}: the examples differ");
        assert!(table(&page).len() >= 5, "{name}: the page has a table");
        assert_eq!(table(&readme), table(&page), "{name}: the tables differ");
    }
}
