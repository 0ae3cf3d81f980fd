//! `docs/yaml-rules.md`, and the examples in the parser's comments, are correct.

use ketch_conformance::checks::{self, Failures};
use ketch_conformance::examples::{self, Example};
use ketch_conformance::suite::cases;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn source(file: &str) -> String {
    let path = root().join("crates/ketch-yaml/src").join(file);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A row in a table of productions.
struct Rule {
    production: u32,
    decides: String,
    file: String,
    function: String,
    case: String,
}

fn page() -> String {
    fs::read_to_string(root().join("docs/yaml-rules.md")).expect("docs/yaml-rules.md")
}

fn rules() -> Vec<Rule> {
    page().lines().filter_map(rule).collect()
}

fn rule(line: &str) -> Option<Rule> {
    // A `|` in a cell is written as `\|`.
    let line = line.replace("\\|", "\u{1}");
    let cells: Vec<String> =
        line.split('|').map(|cell| cell.trim().replace('\u{1}', "|")).collect();
    let number = cells.get(1)?.strip_prefix('[')?.strip_suffix(']')?;
    let production = number.parse().unwrap_or_else(|_| panic!("no production number: {line}"));
    let [_, _, _, decides, place, case, _] = &cells[..] else {
        panic!("a row has five cells: {line}");
    };
    let (file, function) = place.split_once(", ").expect("a file and a function");
    let bare = |text: &str| text.trim_matches('`').to_owned();
    Some(Rule {
        production,
        decides: decides.clone(),
        file: bare(file),
        function: bare(function),
        case: bare(case),
    })
}

/// Returns the functions called `name` in `source`, each with the comments above it.
fn functions(source: &str, name: &str) -> Vec<String> {
    let lines: Vec<&str> = source.lines().collect();
    let is_named = |line: &str| {
        let found = line.split_once("fn ").and_then(|(_, rest)| rest.strip_prefix(name));
        found.is_some_and(|rest| rest.starts_with(['(', '<'])) && !line.trim().starts_with("//")
    };
    (0..lines.len()).filter(|&at| is_named(lines[at])).map(|at| region(&lines, at)).collect()
}

fn region(lines: &[&str], at: usize) -> String {
    let belongs = |line: &&&str| {
        let line = line.trim();
        line.starts_with("//") || line.starts_with("#[")
    };
    let above = lines[..at].iter().rev().take_while(belongs).count();
    let indent = lines[at].len() - lines[at].trim_start().len();
    let end = format!("{}}}", " ".repeat(indent));
    let len = lines[at..].iter().position(|line| *line == end).expect("the end of a function");
    lines[at - above..=at + len].join("\n")
}

#[test]
fn each_function_exists_and_cites_its_productions() {
    let mut failures = Failures::default();
    for rule in rules() {
        let name = format!("[{}] in {}, {}", rule.production, rule.file, rule.function);
        let found = functions(&source(&rule.file), &rule.function);
        let cited = [format!("[{}]", rule.production), format!("\\[{}\\]", rule.production)];
        let result = match &found[..] {
            [] => Err("no such function".to_owned()),
            [text] if cited.iter().any(|number| text.contains(number)) => Ok(()),
            [_] => Err("the function does not cite the production".to_owned()),
            _ => Err("more than one function has the name".to_owned()),
        };
        failures.note(&name, result);
    }
    failures.finish();
}

#[test]
fn each_case_exists() {
    let ids: BTreeSet<String> = cases().into_iter().map(|case| case.id).collect();
    for rule in rules() {
        assert!(ids.contains(&rule.case), "[{}]: no case {}", rule.production, rule.case);
        assert!(!rule.decides.is_empty(), "[{}] decides nothing", rule.production);
    }
}

/// The productions that only name a set of characters or combine others, and decide nothing
/// themselves.
const SILENT: [u32; 12] = [76, 77, 78, 84, 85, 119, 123, 156, 158, 159, 160, 198];

#[test]
fn each_production_that_decides_something_has_a_row() {
    let listed: BTreeSet<u32> = rules().iter().map(|rule| rule.production).collect();
    let missing: Vec<u32> =
        (69..=211).filter(|n| !listed.contains(n) && !SILENT.contains(n)).collect();
    assert!(missing.is_empty(), "productions without a row: {missing:?}");
}

#[test]
fn the_frequent_questions_name_real_productions() {
    let listed: BTreeSet<u32> = rules().iter().map(|rule| rule.production).collect();
    let page = page();
    let start = page.find("## Frequent questions").expect("the section");
    let section = page[start..].split("\n## ").next().expect("a section");
    let rows: Vec<&str> = section.lines().filter(|line| line.contains("| [")).collect();
    assert_eq!(rows.len(), 8);
    for row in rows {
        let numbers = row.split('[').skip(1).filter_map(|part| part.split_once(']'));
        for (number, _) in numbers {
            let number: u32 = number.parse().expect("a production number");
            assert!(listed.contains(&number), "[{number}] has no row");
        }
        let code = row.rsplit('|').nth(1).expect("a cell");
        let names: Vec<&str> = code.split('`').skip(1).step_by(2).collect();
        let (files, functions): (Vec<&str>, Vec<&str>) =
            names.iter().partition(|name| name.ends_with(".rs"));
        for function in functions {
            let is_there =
                files.iter().any(|file| source(file).contains(&format!("fn {function}")));
            assert!(is_there, "{function} is in none of {files:?}");
        }
    }
}

fn all_examples() -> Vec<(String, Example)> {
    let mut files = Vec::new();
    let mut folders = vec!["parse".to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(root().join("crates/ketch-yaml/src").join(&folder));
        for entry in entries.expect("a folder of the parser") {
            let entry = entry.expect("an entry");
            let name = format!("{folder}/{}", entry.file_name().to_str().expect("UTF-8"));
            let is_folder = entry.file_type().expect("its type").is_dir();
            if is_folder { &mut folders } else { &mut files }.push(name);
        }
    }
    files.sort();
    let of = |file: String| {
        let examples = examples::examples(&source(&file));
        examples.into_iter().map(move |example| (file.clone(), example))
    };
    files.into_iter().flat_map(of).collect()
}

#[test]
fn examples_have_their_events() {
    let mut failures = Failures::default();
    let mut names = BTreeMap::new();
    for (file, example) in all_examples() {
        if let Some(other) = names.insert(example.name.clone(), file.clone()) {
            panic!("{} is in {file} and in {other}", example.name);
        }
        let outcome = checks::all_ways(example.yaml.as_bytes());
        if let Some(outcome) = failures.note(&example.name, outcome) {
            failures.note(&example.name, example.judge(&outcome));
        }
    }
    failures.finish();
}

/// Each branch of the grammar that the rules name in the parser has an example.
#[test]
fn each_branch_of_the_grammar_has_an_example() {
    for rule in rules().iter().filter(|rule| rule.file.starts_with("parse/")) {
        let text = functions(&source(&rule.file), &rule.function).concat();
        assert!(
            !examples::examples(&text).is_empty(),
            "{} in {} has no example",
            rule.function,
            rule.file
        );
    }
}
