//! Misreadings that quotes cannot prevent, which are listed in
//! `conformance/readers/differences.json`.

use super::Misreading;
use super::notation::readable;
use regex::Regex;
use serde::Deserialize;
use std::path::Path;

/// The list of known misreadings.
#[derive(Debug, Default)]
pub struct Known(Vec<Entry>);

#[derive(Debug)]
struct Entry {
    name: String,
    readers: Vec<String>,
    text: Regex,
    read: Regex,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    name: String,
    readers: Vec<String>,
    text: String,
    read: String,
    why: String,
}

impl Known {
    /// Returns the list in a file: an array of objects with `name`, `readers`, `why`, and regular
    /// expressions for the whole `text` and for what is `read` from it.
    ///
    /// # Panics
    ///
    /// Panics if the file is missing or invalid.
    pub fn read(path: &Path) -> Known {
        let file = std::fs::read_to_string(path).expect("a readable list of differences");
        let list: Vec<Written> = serde_json::from_str(&file).expect("differences in JSON");
        let entry = |written: Written| {
            assert!(!written.why.is_empty(), "{} needs a reason", written.name);
            let whole = |pattern: &str| {
                Regex::new(&format!("(?s)^(?:{pattern})$")).expect("a regular expression")
            };
            let (text, read) = (whole(&written.text), whole(&written.read));
            Entry { name: written.name, readers: written.readers, text, read }
        };
        Known(list.into_iter().map(entry).collect())
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the index of the entry that covers a misreading, or `None` if no entry does.
    pub fn find(&self, misreading: &Misreading<'_>) -> Option<usize> {
        self.0.iter().position(|entry| {
            entry.readers.iter().any(|name| name == misreading.reader)
                && entry.text.is_match(misreading.text)
                && entry.read.is_match(&readable(&misreading.read))
        })
    }

    /// Returns the names of the entries for a reader that have not occurred. `listed` contains the
    /// count of each entry.
    pub fn outdated<'k>(&'k self, reader: &str, listed: &[usize]) -> Vec<&'k str> {
        let of_reader = |entry: &Entry| entry.readers.iter().any(|name| name == reader);
        let unused =
            self.0.iter().zip(listed).filter(|(entry, times)| **times == 0 && of_reader(entry));
        unused.map(|(entry, _)| entry.name.as_str()).collect()
    }

    /// Returns the readers in the list that are not in `names`.
    pub fn unknown_readers(&self, names: &[&str]) -> Vec<&str> {
        let listed = self.0.iter().flat_map(|entry| &entry.readers);
        listed.map(String::as_str).filter(|name| !names.contains(name)).collect()
    }
}
