//! Examples of the grammar, in the comments of the parser:
//!
//! ```text
//! // example: compact_sequence
//! //     - - a
//! //       - b
//! // events: +SEQ +SEQ =VAL :a =VAL :b -SEQ -SEQ
//! ```
//!
//! The YAML is indented by four columns more than the comment around it; `→` is a tab. The events
//! are those of yaml-test-suite on one line, without the start and the end of the stream, and of
//! documents that have no markers. An example of invalid YAML has the name of its problem instead:
//! `// error: TabIndentation`.

use crate::run::Outcome;

/// The expected result of an example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// The events on one line.
    Events(String),
    /// The name of the problem.
    Problem(String),
}

/// An example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The unique name.
    pub name: String,
    /// The input.
    pub yaml: String,
    /// The expected result.
    pub expected: Expected,
}

impl Example {
    /// Compares the outcome with the expected result.
    ///
    /// # Errors
    ///
    /// Returns a message that contains the expected and the actual result if they differ.
    pub fn judge(&self, outcome: &Outcome) -> Result<(), String> {
        let found = match &outcome.fault {
            None => Expected::Events(on_one_line(&outcome.notation)),
            Some(fault) => Expected::Problem(format!("{:?}", fault.problem)),
        };
        if found == self.expected {
            return Ok(());
        }
        Err(format!("{:?}\nexpected {:?}\nfound    {found:?}", self.yaml, self.expected))
    }
}

/// Returns the events in `notation` on one line.
fn on_one_line(notation: &str) -> String {
    let is_shown = |line: &&str| !matches!(*line, "+STR" | "-STR" | "+DOC" | "-DOC");
    notation.lines().filter(is_shown).collect::<Vec<_>>().join(" ")
}

/// Returns the examples in the comments of `source`.
///
/// # Panics
///
/// Panics if an example has no end.
#[must_use]
pub fn examples(source: &str) -> Vec<Example> {
    let mut lines = source.lines().map(str::trim_start);
    let mut found = Vec::new();
    while let Some(line) = lines.next() {
        if let Some(name) = line.strip_prefix("// example: ") {
            found.push(example(name, &mut lines));
        }
    }
    found
}

/// Reads the lines of an example, up to and including the line with the expected result.
fn example<'s>(name: &str, lines: &mut impl Iterator<Item = &'s str>) -> Example {
    let mut yaml = String::new();
    for line in lines {
        let expected = match line.split_once(": ") {
            Some(("// events", events)) => Expected::Events(events.to_owned()),
            Some(("// error", problem)) => Expected::Problem(problem.to_owned()),
            _ => {
                let text = line.strip_prefix("//     ").or(line.strip_prefix("//"));
                let text = text.unwrap_or_else(|| panic!("the example {name} has no end"));
                yaml.push_str(&text.replace('→', "\t"));
                yaml.push('\n');
                continue;
            }
        };
        return Example { name: name.to_owned(), yaml, expected };
    }
    panic!("the example {name} has no end");
}
