//! The steps of paths.

use ketch_yaml::path::{Step, array_index};

/// A step with the slashes before it and the predicate after it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Segment {
    /// Whether it follows `//`.
    pub is_deep: bool,
    pub kind: SegmentKind,
    pub predicate: Option<Predicate>,
}

/// What a step leads to from a node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SegmentKind {
    Name(String),
    All,
    Here,
    Up,
}

/// A condition that a step puts on the nodes that it leads to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Predicate {
    /// The node has this key or index.
    Has(String),
    /// The node is a scalar with this text.
    Is(String),
}

impl Segment {
    /// Returns the step of a [`Path`] that has the same meaning, or `None` if there is none.
    /// `is_last` says whether this is the last step of the path.
    pub fn step(&self, is_last: bool) -> Option<Step> {
        match &self.kind {
            _ if self.is_deep || self.predicate.is_some() => None,
            SegmentKind::Name(name) if name.bytes().all(|byte| byte.is_ascii_digit()) => {
                array_index(name).map(|_| Step::Name(name.clone()))
            }
            SegmentKind::Name(name) => Some(Step::Key(name.clone())),
            // As the last step, `*` also leads to the lines of a scalar.
            SegmentKind::All if !is_last => Some(Step::All),
            SegmentKind::All | SegmentKind::Here | SegmentKind::Up => None,
        }
    }
}
