//! The sections of docs/extprot.md that comments cite, as in "specification 11.2", exist.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use regex::Regex;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

/// Returns the source files below `folder`. Links to folders are followed only once.
fn sources(folder: &str) -> Vec<PathBuf> {
    let mut folders = vec![root().join(folder)];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{folder:?}: {e}")) {
            let entry = entry.unwrap();
            let path = entry.path();
            let is_target = path.file_name().is_some_and(|name| name == "target");
            if entry.file_type().unwrap().is_dir() && !is_target {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "rs" || it == "rb" || it == "md") {
                files.push(path);
            }
        }
    }
    files
}

/// Returns the section numbers of the headings.
fn sections(page: &str) -> HashSet<&str> {
    let heading = Regex::new(r"(?m)^##+ (\d+(?:\.\d+)?)\.? ").unwrap();
    heading.captures_iter(page).map(|found| found.get(1).unwrap().as_str()).collect()
}

/// Returns the sections that `text` cites: all numbers that follow the word in the same sentence,
/// on the same line or, if the word ends its line, on the next line of the comment.
fn cited(text: &str) -> Vec<String> {
    let citation = Regex::new(
        r"\bspecification (?:\(section )?(\d[^\n]*)|\bspecification\s*\n\s*(?://[/!]?|#) *(\d[^\n]*)",
    )
    .unwrap();
    let number = Regex::new(r"\d+(?:\.\d+)?").unwrap();
    let rest = citation.captures_iter(text).filter_map(|found| found.get(1).or(found.get(2)));
    let sentence = rest.map(|rest| rest.as_str().split(". ").next().unwrap_or_default());
    sentence.flat_map(|it| number.find_iter(it).map(|it| it.as_str().to_owned())).collect()
}

#[test]
fn citations_are_found() {
    let text =
        "//! Vints (specification 2.1) and zigzag (2.3).\n// see the specification\n// 9.2\n";
    assert_eq!(cited(text), ["2.1", "2.3", "9.2"]);
    assert_eq!(cited("(specification 11 and 12): syntax"), ["11", "12"]);
    assert_eq!(cited("specification 4.2. Refuses -2^62"), ["4.2"]);
    let page = "# Page\n## 2. Wire\n### 2.1 vint\ntext 2.2\n";
    assert_eq!(sections(page), HashSet::from(["2", "2.1"]));
}

#[test]
fn every_cited_section_exists() {
    let page = std::fs::read_to_string(root().join("docs/extprot.md")).unwrap();
    let sections = sections(&page);
    let mut citations = 0;
    let mut missing = Vec::new();
    for folder in ["crates", "bindings", "conformance/src", "conformance/extprot"] {
        for path in sources(folder) {
            let text = std::fs::read_to_string(&path).unwrap();
            for number in cited(&text) {
                citations += 1;
                if !sections.contains(number.as_str()) {
                    missing.push(format!("{}: {number}", path.display()));
                }
            }
        }
    }
    assert!(citations >= 43, "only {citations} citations");
    assert!(missing.is_empty(), "docs/extprot.md has no section for:\n{}", missing.join("\n"));
}

/// Sections are numbered in order and without gaps, so that a section can be found by its number.
#[test]
fn sections_are_numbered_in_order() {
    let page = std::fs::read_to_string(root().join("docs/extprot.md")).unwrap();
    let heading = Regex::new(r"(?m)^(##+) (\d+)(?:\.(\d+))?\.? ").unwrap();
    let (mut section, mut part) = (0, 0);
    for found in heading.captures_iter(&page) {
        let number: u32 = found[2].parse().unwrap();
        match found.get(3) {
            None => (section, part) = (section + 1, 0),
            Some(_) => part += 1,
        }
        assert_eq!(number, section, "{}", &found[0]);
        let is_next = found.get(3).is_none_or(|it| it.as_str().parse() == Ok(part));
        assert!(is_next, "{}", &found[0]);
    }
    assert_eq!(section, 14);
}
