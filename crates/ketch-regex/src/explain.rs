//! Explains the cost of a pattern, and what all its matches have in common.

use crate::error::Result;
use crate::mixed::below;
use crate::needs::needs;
use crate::options::Encoding;
use crate::regex::Regex;
use crate::regular::facts;
use crate::sets::Sets;
use crate::syntax::{Group, Kind, Span, Tree, parse};

/// The result of [`Regex::explain`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explanation {
    /// The first construct that automata cannot match, if any. A pattern with such a construct needs the
    /// memo machine.
    pub irregular: Option<(Span, &'static str)>,
    /// Whether the memo machine is needed only for captures.
    pub automata_find_spans: bool,
    /// The construct because of which a search may take more than linear time, if any.
    pub not_linear: Option<(Span, &'static str)>,
    /// Whether all searches of one scan together take linear time.
    pub scan_is_linear: bool,
    /// The minimum length of a match in bytes.
    pub length_min: usize,
    /// The maximum length in bytes, if there is one. It may be a few bytes too large if letters match in
    /// either case.
    pub length_max: Option<usize>,
    /// Texts of which every match contains at least one. They are empty if no such texts were found. In
    /// a text without any of them, a search is as fast as `memmem`.
    pub required: Vec<Vec<u8>>,
    /// The minimum and maximum distance in bytes from the start of a match to the required text in it.
    pub distance: (usize, Option<usize>),
    /// The construct because of which Ruby 3.2 and later backtrack without memoization, or `None`
    /// if they use it. Earlier versions and JRuby never use it.
    pub backtracks_in_ruby: Option<(Span, &'static str)>,
}

impl Regex {
    /// Explains the cost of the pattern, and what all its matches have in common.
    ///
    /// # Errors
    ///
    /// Fails as [`Regex::new`] does.
    ///
    /// ```
    /// use ketch_regex::{Options, Regex};
    /// let explained = Regex::new("\\d{1,3}quux", Options::default()).unwrap().explain().unwrap();
    /// assert_eq!(explained.required, [b"quux"]);
    /// assert_eq!(explained.distance, (1, Some(12)));
    /// assert_eq!((explained.length_min, explained.irregular), (5, None));
    /// ```
    pub fn explain(&self) -> Result<Explanation> {
        let options = &self.0.options;
        let tree = parse(self.pattern(), options)?;
        let facts = facts(&tree);
        let sets = Sets::new(&tree, options.encoding == Encoding::Binary);
        let required = needs(&tree, &sets).required;
        Ok(Explanation {
            irregular: facts.irregular.map(|(id, name)| (tree.node(id).span, name)),
            automata_find_spans: facts.spans,
            not_linear: self.not_linear(),
            scan_is_linear: self.scan_is_linear(),
            length_min: facts.length_min,
            length_max: facts.length_max,
            distance: required.as_ref().map_or((0, None), |need| (need.least, need.most)),
            required: required.map_or(Vec::new(), |need| need.literals),
            backtracks_in_ruby: backtracks_in_ruby(&tree),
        })
    }
}

/// Finds the first construct for which Ruby 3.4's `Regexp.linear_time?` returns false.
fn backtracks_in_ruby(tree: &Tree) -> Option<(Span, &'static str)> {
    let mut found: Vec<(Span, &'static str)> = Vec::new();
    for node in tree.nodes() {
        let reason = match &node.kind {
            Kind::BackReference(..) => Some("a back-reference"),
            Kind::Call(_) => Some("a subexpression call"),
            Kind::Conditional { .. } => Some("a conditional"),
            Kind::Group(Group::Absence, _) => Some("an absence operator"),
            Kind::Group(
                Group::LookAhead { .. } | Group::LookBehind { .. } | Group::Atomic,
                child,
            ) => {
                let captures = below(tree, *child).into_iter().any(|id| {
                    matches!(
                        tree.node(id).kind,
                        Kind::Group(Group::Plain(Some(_)) | Group::Named(..), _)
                    )
                });
                captures.then_some("a capture in a look-around or an atomic group")
            }
            _ => None,
        };
        found.extend(reason.map(|reason| (node.span, reason)));
    }
    found.into_iter().min_by_key(|(span, _)| span.start)
}
