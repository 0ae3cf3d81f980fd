//! YPath, the path language of Syck: `/spec/ports/0`, `//name`, `/a/(b|c)[kind]`.
//!
//! The results are those of Syck's Ruby layer on Yecht (JRuby 1.7), with its surprises: see
//! [`YPath`]. Paths that Syck's layer reads without a meaning, such as those with an open bracket, are
//! errors.

mod choices;
mod find;
mod parse;
mod problem;
mod segment;
#[cfg(test)]
mod tests;
mod tree;

pub use find::{Entry, Label, Match, Matches, NodeKind, Target, TooManyVisits, Tree};
pub use problem::{YPathError, YPathProblem};
pub use tree::{Composed, Hit, select, select_within};

use crate::path::Path;
use segment::{Segment, SegmentKind};
use std::str::FromStr;

/// A path of YPath.
///
/// | written | step |
/// |---|---|
/// | `name` | the value of the first key with this text; in a sequence, the entry with this index |
/// | `"name"`, `'name'` | the same, for names such as `"*"` |
/// | `*` | all entries, all values; of a scalar, its lines as text |
/// | `.` | the node itself |
/// | `..` | no node: the result is null, and a step after it leads nowhere |
/// | `//name` | the steps from here, or from the outermost nodes below from which the next step leads somewhere; if it is the last step, all results |
/// | `(a\|b)` | each choice in turn, anywhere in the text of the path |
/// | `name[key]` | only if the node has this key or index |
/// | `name[.=text]` | only if the node is a scalar with this text |
///
/// Steps are separated by `/`. A path may start with `/`, which does not change its meaning.
///
/// ```
/// use ketch_yaml::Documents;
/// use ketch_yaml::ypath::{self, YPath};
///
/// let text = b"web: {port: 80}\ndb: {port: 5432, host: a}\n";
/// let document = Documents::new(text).next().unwrap()?;
/// let path: YPath = "/*[host]/port".parse().unwrap();
/// let hits = ypath::select(&path, document.root())?;
/// assert_eq!(hits[0].node().unwrap().text(), "5432");
/// # Ok::<(), ketch_yaml::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct YPath {
    text: String,
    /// The paths that the choices stand for.
    routes: Vec<Vec<Segment>>,
}

impl YPath {
    /// Returns the text of the path.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns whether the path may lead to several nodes.
    #[must_use]
    pub fn has_wildcards(&self) -> bool {
        let is_wild = |segment: &Segment| segment.is_deep || segment.kind == SegmentKind::All;
        self.routes.len() > 1 || self.routes.iter().flatten().any(is_wild)
    }

    /// Splits the path into the steps at its start that a
    /// [`Selection`](crate::compose::Selection) can follow without composing what is around them, and
    /// the rest.
    ///
    /// The selection then finds the same nodes if its options have
    /// [`text_keys`](crate::compose::SelectionOptions::text_keys) and allow neither merge keys nor
    /// duplicate keys.
    #[must_use]
    pub fn split(&self) -> (Path, YPath) {
        let mut path = Path::default();
        let [route] = &self.routes[..] else { return (path, self.clone()) };
        let mut taken = 0;
        for (at, segment) in route.iter().enumerate() {
            let Some(step) = segment.step(at + 1 == route.len()) else { break };
            path = path.then(step);
            taken = at + 1;
        }
        (path, YPath { text: self.text.clone(), routes: vec![route[taken..].to_vec()] })
    }
}

impl FromStr for YPath {
    type Err = YPathError;

    fn from_str(text: &str) -> Result<YPath, YPathError> {
        let routes = parse::routes(text)?;
        Ok(YPath { text: text.to_owned(), routes })
    }
}

impl std::fmt::Display for YPath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}
