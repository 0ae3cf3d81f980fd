//! The readers in `conformance/readers/readers.json`, and how they are run.

use super::Case;
use super::notation::{Host, Integers};
use serde::Deserialize;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};

/// A program that reads YAML.
#[derive(Clone, Debug)]
pub struct Reader {
    /// Its name.
    pub name: String,
    /// The types of its host language.
    pub host: Host,
    /// Whether the program may be missing.
    pub is_optional: bool,
    program: Vec<String>,
}

/// The output of a reader.
#[derive(Debug)]
pub struct Answers {
    /// The name and the version of the library.
    pub version: String,
    /// The lines that the reader has printed, one for each case.
    pub lines: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    reader: String,
    program: Vec<String>,
    integers: String,
    keys: String,
    #[serde(default)]
    optional: bool,
    /// A description for people.
    #[serde(rename = "reads")]
    _reads: String,
}

/// Returns the readers in a file: an array of objects with `reader`, `reads`, `program`, `integers`
/// (`exact`, `64 bits, or floats`, `64 bits, or text`, `doubles`) and `keys` (`any`, `text`), and
/// with `optional` if the program may be missing.
///
/// # Panics
///
/// Panics if the file is missing or invalid.
pub fn read(path: &Path) -> Vec<Reader> {
    let file = std::fs::read_to_string(path).expect("a readable list of readers");
    let entries: Vec<Entry> = serde_json::from_str(&file).expect("readers in JSON");
    let reader = |entry: Entry| {
        let integers = match entry.integers.as_str() {
            "exact" => Integers::Exact,
            "64 bits, or floats" => Integers::WideOrFloat,
            "64 bits, or text" => Integers::WideOrText,
            "doubles" => Integers::Doubles,
            other => panic!("integers: {other}"),
        };
        let any_keys = match entry.keys.as_str() {
            "any" => true,
            "text" => false,
            other => panic!("keys: {other}"),
        };
        assert!(!entry.program.is_empty(), "{} has no program", entry.reader);
        let host = Host { integers, any_keys };
        Reader { name: entry.reader, host, is_optional: entry.optional, program: entry.program }
    };
    entries.into_iter().map(reader).collect()
}

impl Reader {
    /// Returns whether the reader's program can be run.
    pub fn is_here(&self) -> bool {
        let version = Command::new(&self.program[0])
            .arg("--version")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        !matches!(version, Err(error) if error.kind() == std::io::ErrorKind::NotFound)
    }

    /// Runs the reader on all cases. Its input and output are kept in `folder`.
    ///
    /// # Errors
    ///
    /// Fails if the program cannot be run, or does not print a line for each case.
    pub fn read(&self, cases: &[&Case], folder: &Path) -> Result<Answers, String> {
        let wrong = |what: &dyn std::fmt::Display| format!("{}: {what}", self.name);
        let name = self.name.replace(|ch: char| !ch.is_ascii_alphanumeric(), "-");
        let (input, output) =
            (folder.join(format!("{name}.cases")), folder.join(format!("{name}.answers")));
        write_cases(cases, &input).map_err(|error| wrong(&error))?;
        let status = Command::new(&self.program[0])
            .args(&self.program[1..])
            .arg(&input)
            .stdin(Stdio::null())
            .stdout(File::create(&output).map_err(|error| wrong(&error))?)
            .status()
            .map_err(|error| wrong(&error))?;
        let text = std::fs::read_to_string(&output).map_err(|error| wrong(&error))?;
        let mut lines = text.lines().map(str::to_owned);
        let answers = Answers { version: lines.next().unwrap_or_default(), lines: lines.collect() };
        if !status.success() || answers.lines.len() != cases.len() {
            let (found, wanted) = (answers.lines.len(), cases.len());
            return Err(wrong(&format!("{found} answers for {wanted} cases, {status}")));
        }
        Ok(answers)
    }
}

/// Writes the cases to a file in the form that the readers expect: the number of documents, the
/// length of the text, and the text.
fn write_cases(cases: &[&Case], path: &Path) -> std::io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    for case in cases {
        write!(out, "{} {}\n{}", case.documents.len(), case.text.len(), case.text)?;
    }
    out.flush()
}
