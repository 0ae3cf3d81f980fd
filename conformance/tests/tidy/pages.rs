//! The pages that people read first: their length, their links, and the picture of the crates.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use regex::Regex;

use crate::{CRATES, root, words};

/// The maximum number of words of README.md, ARCHITECTURE.md and CHANGELOG.md together. This is a
/// ratchet: move what is longer to a page of docs.
const FRONT_WORDS_MAX: usize = 3_500;

fn read(page: &str) -> String {
    fs::read_to_string(root().join(page)).unwrap_or_else(|error| panic!("{page}: {error}"))
}

#[test]
fn the_front_pages_are_short() {
    let pages = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md"];
    let words = pages.map(|page| (page, read(page).split_whitespace().count()));
    let sum: usize = words.iter().map(|(_, words)| words).sum();
    assert!(sum <= FRONT_WORDS_MAX, "{sum} words, not {FRONT_WORDS_MAX}: {words:?}");
}

#[test]
fn the_shelves_list_each_page_once() {
    let shelves = read("docs/README.md");
    let links = Regex::new(r"\]\(([^)#]+)\)").unwrap();
    let mut listed: BTreeMap<&str, usize> = BTreeMap::new();
    for link in links.captures_iter(&shelves) {
        *listed.entry(link.get(1).unwrap().as_str()).or_default() += 1;
    }
    let mut pages = words::files(&root(), &["docs"]);
    // These files leave out the glossary, which is full of words not to use.
    pages.push("docs/glossary.md".to_owned());
    for page in pages {
        let page = page.strip_prefix("docs/").unwrap();
        // The decisions have a list of their own.
        if page != "README.md" && (!page.starts_with("adr/") || page == "adr/README.md") {
            assert_eq!(listed.get(page), Some(&1), "links to {page} in docs/README.md");
        }
    }
}

/// Returns the anchors of the headings of a page, as GitHub and GitLab make them.
fn anchors(page: &str) -> Vec<String> {
    let mut is_code = false;
    let mut headings: Vec<String> = Vec::new();
    for line in page.lines() {
        is_code ^= line.starts_with("```");
        let text = line.trim_start_matches('#');
        if is_code || text.len() == line.len() {
            continue;
        }
        let kept = text.trim().chars().filter(|&c| c.is_alphanumeric() || " -_".contains(c));
        let anchor: String = kept.map(|c| if c == ' ' { '-' } else { c }).collect();
        headings.push(anchor.to_lowercase());
    }
    headings
}

#[test]
fn links_lead_to_files_and_headings() {
    let links = Regex::new(r"\]\(([^)\s:#]*)(?:#([^)\s]+))?\)").unwrap();
    let mut broken = Vec::new();
    // Symbolic links to pages are elsewhere than the pages, which their links are relative to.
    let is_page = |file: &String| file.ends_with(".md") && !root().join(file).is_symlink();
    let pages = words::files(&root(), &["."]).into_iter().filter(is_page);
    for page in pages {
        let text = read(&page);
        for link in links.captures_iter(&text) {
            let target = match &link[1] {
                "" => root().join(&page),
                path => root().join(&page).parent().unwrap().join(path),
            };
            let is_heading = |anchor: &str| {
                let text = fs::read_to_string(&target).unwrap_or_default();
                anchors(&text).iter().any(|heading| heading == anchor)
            };
            if !target.exists() || link.get(2).is_some_and(|anchor| !is_heading(anchor.as_str())) {
                broken.push(format!("{page}: {}", &link[0]));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// Where the paths in ARCHITECTURE.md start.
const BASES: &[&str] =
    &["", "crates/ketch-yaml/src", "bindings/ruby/ext/ketch/src", "bindings/python"];

#[test]
fn paths_in_the_architecture_exist() {
    let page = read("ARCHITECTURE.md");
    let paths = Regex::new(r"`([\w.-]+(?:/[\w.-]+)+)/?`").unwrap();
    let mut found = 0;
    for path in paths.captures_iter(&page) {
        found += 1;
        let exists = BASES.iter().any(|base| root().join(base).join(&path[1]).exists());
        assert!(exists, "ARCHITECTURE.md: {} does not exist", &path[1]);
    }
    assert!(found >= 40, "{found} paths");
}

/// Returns the name of a crate in the picture of ARCHITECTURE.md.
fn name_in_picture(folder: &str) -> String {
    let parts: Vec<&str> = folder.split('/').collect();
    if parts[0] == "crates" { parts[1].to_owned() } else { parts[..2].join("/") }
}

/// Returns the crates of ours that a crate depends on.
fn dependencies(folder: &Path) -> Vec<String> {
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
    let manifest: toml::Table = toml::from_str(&manifest).expect("TOML");
    let names = manifest["dependencies"].as_table().expect("a table").keys();
    names.filter(|name| *name == "ketch" || name.starts_with("ketch-")).cloned().collect()
}

#[test]
fn the_picture_shows_every_crate_above_those_it_uses() {
    let page = read("ARCHITECTURE.md");
    let picture = page.split("```").nth(1).expect("a picture");
    let floor = |name: &str| {
        let is_on = |line: &str| line.split_whitespace().any(|word| word == name);
        let floor = picture.lines().position(is_on);
        floor.unwrap_or_else(|| panic!("{name} is not in the first picture of ARCHITECTURE.md"))
    };
    let mut folders: Vec<String> =
        CRATES.iter().map(|(_, folder, _)| (*folder).to_owned()).collect();
    for entry in fs::read_dir(root().join("crates")).expect("the crates") {
        let name = entry.expect("an entry").file_name().into_string().expect("UTF-8");
        folders.push(format!("crates/{name}"));
    }
    for folder in folders {
        let name = name_in_picture(&folder);
        for used in dependencies(&root().join(&folder)) {
            assert!(
                floor(&used) > floor(&name),
                "{name} uses {used}, which is not on a lower floor"
            );
        }
        floor(&name);
    }
}
