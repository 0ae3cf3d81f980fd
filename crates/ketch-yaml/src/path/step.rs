//! The parts of a path.

/// One step of a [`Path`](super::Path).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Step {
    /// The value of the key that is spelled like this, or the entry of a sequence with this index.
    Name(String),
    /// The value of the key that is this text.
    Key(String),
    /// The entry of a sequence with this index, which counts from the end if it is negative. In a
    /// mapping, the value of the key that is this integer.
    Index(i64),
    /// The value of the key that is equal to this plain scalar, such as `null`, `true` or `1.5`.
    Plain(String),
    /// All entries of a sequence, or all values of a mapping.
    All,
    /// The entries of a sequence from the first index up to, but not including, the second.
    /// Negative indices count from the end. `None` stands for the start or the end of the sequence.
    Slice(Option<i64>, Option<i64>),
    /// The entries of a sequence, or the values of a mapping, that the filter accepts.
    Filter(Filter),
    /// The node itself and all nodes inside it, each once. Aliases inside it are not followed.
    Descend,
}

impl Step {
    /// Returns whether the step may lead to several nodes.
    #[must_use]
    pub fn is_wildcard(&self) -> bool {
        matches!(self, Step::All | Step::Slice(..) | Step::Filter(_) | Step::Descend)
    }
}

/// The documents of a stream that a path selects.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Documents {
    /// The document with this index, counted from 0.
    Index(u64),
    /// All documents.
    All,
    /// The documents whose roots the filter accepts.
    Filter(Filter),
}

/// A condition on a node. It consists of comparisons that are joined by `&&`, `||`, `!` and
/// parentheses.
///
/// Paths in it start at the node. If a path leads to several nodes, a comparison is true if it is
/// true for any of them. If it leads to none, only `!=` is true. Numbers are compared by value, and
/// texts by their bytes. All other values can only be compared for equality.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Filter {
    pub(super) paths: Vec<Vec<Step>>,
    pub(super) expression: Expression,
}

/// A part of a filter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Expression {
    Any(Vec<Expression>),
    All(Vec<Expression>),
    Not(Box<Expression>),
    Exists(Source),
    Compare(Source, Operator, Right),
    Matches(Source, String),
}

/// The right side of a comparison.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Right {
    Source(Source),
    Text(String),
    /// A plain scalar, whose meaning depends on the schema.
    Plain(String),
}

/// What a filter compares: one side of a comparison that is not a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// The key of the node, or its index in a sequence.
    Key,
    /// The nodes to which a path leads from the node. The number is the index of the path in
    /// [`Filter::paths`].
    Path(usize),
}

/// A comparison operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Operator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Filter {
    /// Returns the paths in the filter. They start at the node that the filter checks.
    #[doc(hidden)]
    #[must_use]
    pub fn paths(&self) -> &[Vec<Step>] {
        &self.paths
    }
}

impl Operator {
    /// Returns the operator as it is written in a path.
    pub fn text(self) -> &'static str {
        match self {
            Operator::Equal => "==",
            Operator::NotEqual => "!=",
            Operator::Less => "<",
            Operator::LessOrEqual => "<=",
            Operator::Greater => ">",
            Operator::GreaterOrEqual => ">=",
        }
    }
}
