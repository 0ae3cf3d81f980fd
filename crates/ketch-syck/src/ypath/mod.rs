//! YPath, the path language of Syck: `/spec/ports/0`, `//name`, `/a/(b|c)[kind]`.
//!
//! The results are those of Syck's Ruby layer on Yecht (JRuby 1.7), including surprising ones: see
//! [`YPath`]. Paths to which Syck's layer gives no sensible meaning, such as those with an unclosed
//! bracket, are errors.

mod choices;
mod find;
mod parse;
mod problem;
mod segment;
mod tree;

pub use find::{Entry, Label, Match, Matches, NodeKind, Target, TooManyVisits, Tree};
pub use problem::{YPathError, YPathProblem};
pub use tree::{Composed, Hit, select, select_within};

use ketch_yaml::path::Path;
use segment::{Segment, SegmentKind};
use std::str::FromStr;

/// A path of YPath.
///
/// | written | leads to |
/// |---|---|
/// | `name` | the value of the first key that is this text; in a sequence, the entry with this index |
/// | `"name"`, `'name'` | the same; for names such as `"*"` |
/// | `*` | all entries of a sequence, or all values of a mapping; from a scalar, its lines as text |
/// | `.` | the node itself |
/// | `..` | no node: the result is null, and further steps lead nowhere |
/// | `//name` | what the step leads to from this node or, if it leads nowhere, from the outermost nodes below from which it leads somewhere; as the last step, what it leads to from this node and all nodes below |
/// | `(a\|b)` | each choice in turn; this is allowed anywhere in the text of the path |
/// | `name[key]` | the same as `name`, if the node that it leads to has this key or index |
/// | `name[.=text]` | the same as `name`, if it leads to a scalar with this text |
///
/// Steps are separated by `/`. A path may start with `/`, which does not change its meaning.
///
/// ```
/// use ketch_yaml::Documents;
/// use ketch_syck::ypath::{self, YPath};
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
    /// The steps of each path that the choices stand for.
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

    /// Splits the path in two: the steps at its start that a
    /// [`Selection`](ketch_yaml::compose::Selection) can follow without composing what is around them,
    /// and the rest.
    ///
    /// The two parts then find the same nodes, provided that the selection's options have
    /// [`text_keys`](ketch_yaml::compose::SelectionOptions::text_keys) and allow neither merge keys nor
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
