//! Paths to nodes: `spec.containers[0].image`, `/spec/containers/0/image`.

mod parse;
mod step;
#[cfg(test)]
mod tests;

pub use parse::{PathError, PathProblem};
pub use step::Step;

use std::fmt;
use std::str::FromStr;

/// A path from the root of a document to nodes of it.
///
/// | written | step |
/// |---|---|
/// | `spec` | the value of the key with this spelling; in a sequence, the entry with this index |
/// | `["app.kubernetes.io/name"]`, `['it''s']`, `"a b"` | the value of the key with this text |
/// | `[0]`, `[-1]` | the entry of a sequence, counted from 0, or back from the end; in a mapping, the value of the key with this integer |
/// | `*`, `[*]` | all entries, all values |
///
/// Steps are separated by dots, and a dot may come first; brackets need none. The escapes of double
/// quotes are those of JSON; in single quotes, `''` is a quote. An empty path, or a dot alone, is
/// the root.
///
/// A path that starts with `/` is a JSON Pointer (RFC 6901), with `~1` for `/` and `~0` for `~`;
/// its steps are of the first kind.
///
/// The step `8080` finds the key with that text, or the one with its value as a plain scalar, here
/// an integer; of several, the first.
///
/// ```
/// use ketch_yaml::path::Path;
/// use ketch_yaml::Documents;
///
/// let text = b"spec: {ports: [{name: http}, {name: metrics}]}\n";
/// let document = Documents::new(text).next().unwrap()?;
/// let path: Path = "spec.ports[*].name".parse().unwrap();
/// let names: Vec<_> = document.root().select(&path)?.iter().map(|node| node.text()).collect();
/// assert_eq!(names, ["http", "metrics"]);
///
/// let last: Path = "/spec/ports/1".parse().unwrap();
/// assert_eq!(document.root().select(&last)?[0].get("name").unwrap().text(), "metrics");
/// # Ok::<(), ketch_yaml::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Path {
    steps: Vec<Step>,
    is_pointer: bool,
}

impl Path {
    /// The steps, from the root.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Whether it may lead to several nodes.
    #[must_use]
    pub fn has_wildcards(&self) -> bool {
        self.steps.contains(&Step::All)
    }

    /// The path with one more step.
    ///
    /// ```
    /// use ketch_yaml::path::{Path, Step};
    ///
    /// let path: Path = "items".parse().unwrap();
    /// assert_eq!(path.then(Step::All).to_string(), "items[*]");
    /// ```
    #[must_use]
    pub fn then(mut self, step: Step) -> Path {
        // A pointer has names only.
        self.is_pointer &= matches!(step, Step::Name(_));
        self.steps.push(step);
        self
    }

    /// The path of its first `count` steps, or of all.
    #[must_use]
    pub fn prefix(&self, count: usize) -> Path {
        let steps = self.steps.iter().take(count).cloned().collect();
        Path { steps, is_pointer: self.is_pointer }
    }
}

impl FromStr for Path {
    type Err = PathError;

    /// Costs a pass over the text.
    fn from_str(text: &str) -> Result<Path, PathError> {
        if text.starts_with('/') {
            return Ok(Path { steps: parse::pointer(text)?, is_pointer: true });
        }
        Ok(Path { steps: parse::steps(text)?, is_pointer: false })
    }
}

/// In a form that parses to the same path. A name of a JSON Pointer to which other steps were added
/// may need quotes, and then comes back as a key.
impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.steps.is_empty() && !self.is_pointer {
            return f.write_str(".");
        }
        for (at, step) in self.steps.iter().enumerate() {
            match step {
                Step::Name(name) if self.is_pointer => {
                    write!(f, "/{}", name.replace('~', "~0").replace('/', "~1"))?;
                }
                // One that starts with a slash would be a pointer.
                Step::Name(name) if !parse::is_name(name) => write!(f, "[{}]", Quoted(name))?,
                Step::Name(name) if at == 0 && !name.starts_with('/') => f.write_str(name)?,
                Step::Name(name) => write!(f, ".{name}")?,
                Step::Key(key) => write!(f, "[{}]", Quoted(key))?,
                Step::Index(index) => write!(f, "[{index}]")?,
                Step::All => f.write_str("[*]")?,
            }
        }
        Ok(())
    }
}

/// A name as an index of a sequence: digits without leading zeros (RFC 6901, section 4).
#[must_use]
pub fn array_index(name: &str) -> Option<usize> {
    let is_index = name == "0" || name.starts_with(|ch: char| matches!(ch, '1'..='9'));
    if is_index { name.parse().ok() } else { None }
}

/// Text in double quotes.
struct Quoted<'t>(&'t str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        for ch in self.0.chars() {
            match ch {
                '"' | '\\' => write!(f, "\\{ch}")?,
                '\n' => f.write_str("\\n")?,
                '\t' => f.write_str("\\t")?,
                ch if ch.is_control() => write!(f, "\\u{:04x}", u32::from(ch))?,
                ch => write!(f, "{ch}")?,
            }
        }
        f.write_str("\"")
    }
}
