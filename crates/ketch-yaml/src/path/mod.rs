//! Paths to nodes, such as `spec.containers[0].image` or `/spec/containers/0/image`.

mod compare;
mod filter;
#[doc(hidden)]
pub mod internal;
mod parse;
mod parse_filter;
mod show;
mod step;
#[cfg(test)]
mod tests;

pub(crate) use filter::{Matcher, Operand};
pub use parse::{PathError, PathProblem};
pub(crate) use step::Source;
pub use step::{Documents, Filter, Step};

use std::str::FromStr;

/// A path from the root of a document to some of its nodes.
///
/// | written | leads to |
/// |---|---|
/// | `spec` | the value of the key that is spelled like this; in a sequence, the entry with this index |
/// | `["app.kubernetes.io/name"]`, `['it''s']`, `"a b"` | the value of the key with this text |
/// | `[0]`, `[-1]` | the entry of a sequence, counted from 0, or back from the end; in a mapping, the value of the key with this integer |
/// | `[null]`, `[true]`, `[1.5]` | the value of the key that is equal to this scalar |
/// | `*`, `[*]`, `[]` | all entries of a sequence, or all values of a mapping |
/// | `[1:3]`, `[:2]`, `[-2:]` | the entries of a sequence from the first index up to, but not including, the second |
/// | `[?name == "web"]` | the entries or values that the [filter](Filter) accepts |
/// | `..` | the node and all nodes in it, each once; `..image` leads to the values of all keys `image` |
///
/// Steps are separated by dots, and a dot or `$.` may precede the first step; brackets need no dot. The
/// escapes in double quotes are those of JSON; in single quotes, `''` stands for a quote. An empty
/// path, or a dot alone, leads to the root.
///
/// Before the steps, `@1` chooses a document of a stream by its index, counted from 0, `@*` chooses
/// all documents, and `@[?kind == "Service"]` chooses those whose roots the filter accepts; see
/// [`Path::documents`].
///
/// A path that starts with `/` is a JSON Pointer (RFC 6901), in which `~1` stands for `/`, and `~0`
/// for `~`. All of its steps are of the first kind.
///
/// The step `8080` leads to the key with that text, or to the key with the value of that plain
/// scalar, here an integer. A key with a tag that YAML does not define is found by its text: `E_ALL`
/// leads to the key `!php/const E_ALL`. If the mapping has several such keys, it leads to the first
/// one.
///
/// A filter compares scalars with what paths lead to from the entry: `name == "web"`,
/// `.port > 1024`, `. != 0`, `image =~ "^nginx:"`; `key` stands for the key of the entry, or its
/// index. A path alone tests whether it leads to a node. Conditions are joined by `&&`, `||`, `!`
/// and parentheses, or by `and`, `or` and `not`. On the right side, a path must start with a dot,
/// and text that is one word needs no quotes.
///
/// ```
/// use ketch_yaml::path::Path;
/// use ketch_yaml::Documents;
///
/// let text = b"spec: {ports: [{name: http, port: 80}, {name: metrics, port: 9090}]}\n";
/// let document = Documents::new(text).next().unwrap()?;
/// let path: Path = "spec.ports[*].name".parse().unwrap();
/// let names: Vec<_> = document.root().select(&path)?.iter().map(|node| node.text()).collect();
/// assert_eq!(names, ["http", "metrics"]);
///
/// let last: Path = "/spec/ports/1".parse().unwrap();
/// assert_eq!(document.root().select(&last)?[0].get("name").unwrap().text(), "metrics");
///
/// let high: Path = "..[?port > 1024].name".parse().unwrap();
/// assert_eq!(document.root().select(&high)?[0].text(), "metrics");
/// # Ok::<(), ketch_yaml::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Path {
    documents: Option<Documents>,
    steps: Vec<Step>,
    is_pointer: bool,
}

impl Path {
    /// Returns the documents of a stream that the path chooses, or `None` if it does not choose
    /// any.
    #[must_use]
    pub fn documents(&self) -> Option<&Documents> {
        self.documents.as_ref()
    }

    /// Returns the same path with `documents` as its choice of documents.
    #[must_use]
    pub fn of_documents(self, documents: Option<Documents>) -> Path {
        // A pointer cannot choose documents.
        let is_pointer = self.is_pointer && documents.is_none();
        Path { documents, is_pointer, ..self }
    }

    /// Returns the steps of the path, starting at the root.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Returns whether the path may lead to several nodes of a document.
    #[must_use]
    pub fn has_wildcards(&self) -> bool {
        self.steps.iter().any(Step::is_wildcard)
    }

    /// Returns the path with `step` added at the end.
    ///
    /// ```
    /// use ketch_yaml::path::{Path, Step};
    ///
    /// let path: Path = "items".parse().unwrap();
    /// assert_eq!(path.then(Step::All).to_string(), "items[*]");
    /// ```
    #[must_use]
    pub fn then(mut self, step: Step) -> Path {
        // A pointer consists only of names.
        self.is_pointer &= matches!(step, Step::Name(_));
        self.steps.push(step);
        self
    }

    /// Returns a path with only the first `count` steps, or with all if there are fewer.
    #[must_use]
    pub fn prefix(&self, count: usize) -> Path {
        let steps = self.steps.iter().take(count).cloned().collect();
        Path { documents: self.documents.clone(), steps, is_pointer: self.is_pointer }
    }
}

impl FromStr for Path {
    type Err = PathError;

    /// Parses a path in a single pass over the text.
    fn from_str(text: &str) -> Result<Path, PathError> {
        if text.starts_with('/') {
            return Ok(Path { steps: parse::pointer(text)?, is_pointer: true, documents: None });
        }
        let (documents, steps) = parse::path(text)?;
        Ok(Path { documents, steps, is_pointer: false })
    }
}

/// Returns `name` as an index of a sequence. Returns `None` unless it consists of digits without
/// leading zeros (RFC 6901, section 4).
#[must_use]
pub fn array_index(name: &str) -> Option<usize> {
    let is_index = name == "0" || name.starts_with(|ch: char| matches!(ch, '1'..='9'));
    if is_index { name.parse().ok() } else { None }
}
