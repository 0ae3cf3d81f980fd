//! The words that docs/glossary.md says not to use, and the places in files where they are used.

use std::path::Path;
use std::process::Command;

use regex::{Captures, Regex};

/// A word or phrase not to use, and the phrases in which it is allowed.
pub struct Word {
    name: String,
    pattern: Regex,
    exceptions: Vec<Regex>,
}

/// Returns a pattern that matches a phrase in upper and lower case, also within names and across
/// line breaks.
fn phrase(words: &str) -> Regex {
    let parts: Vec<String> = words.split_whitespace().map(regex::escape).collect();
    let joined = parts.join(r"(?:[\s/!#*]+|_)");
    Regex::new(&format!(r"(?i)(?-u:\b|_){joined}(?-u:\b|_)")).unwrap()
}

/// Returns the rows of the table under "Words not to use". Each consists of the word, what to write
/// instead, and the phrases in which it is allowed, each in backticks.
pub fn words(glossary: &str) -> Vec<Word> {
    let (_, section) = glossary.split_once("\n## Words not to use\n").expect("the section");
    let section = section.split("\n## ").next().unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    let word = |row: &str| {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").collect();
        let [name, _, exceptions] = cells[..] else { panic!("not three cells: {row}") };
        let quoted = |cell: &str| -> Vec<String> {
            cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
        };
        let name = quoted(name).remove(0);
        Word {
            pattern: phrase(&name),
            exceptions: quoted(exceptions).iter().map(|exception| phrase(exception)).collect(),
            name,
        }
    };
    rows.map(word).collect()
}

/// Returns the places where `text` uses one of the words: the line and the word.
pub fn uses(text: &str, words: &[Word]) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for word in words {
        let mut text = text.to_owned();
        let blank = |part: &Captures<'_>| -> String {
            part[0].chars().map(|c| if c == '\n' { c } else { ' ' }).collect()
        };
        for exception in &word.exceptions {
            text = exception.replace_all(&text, blank).into_owned();
        }
        for part in word.pattern.find_iter(&text) {
            found.push((text[..part.start()].matches('\n').count() + 1, word.name.clone()));
        }
    }
    found.sort_unstable();
    found
}

/// Returns the text files below `folders` that git tracks or would add, without data files.
pub fn files(root: &Path, folders: &[&str]) -> Vec<String> {
    let listing = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"])
        .args(folders)
        .current_dir(root)
        .output()
        .expect("git runs");
    assert!(listing.status.success(), "{}", String::from_utf8_lossy(&listing.stderr));
    let names = String::from_utf8(listing.stdout).expect("file names are UTF-8");
    let data = Regex::new(r"\.(json|svg|lock|txt|ya?ml|bin)$|/records/|/test/psych/|glossary\.md$");
    let data = data.unwrap();
    let names = names.split_terminator('\0').filter(|name| !data.is_match(name));
    names.filter(|name| root.join(name).is_file()).map(str::to_owned).collect()
}
