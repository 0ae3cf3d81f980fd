//! What a path consists of.

/// One step of a [`Path`](super::Path).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Step {
    /// The value of the key with this spelling, or the entry with this index.
    Name(String),
    /// The value of the key with this text.
    Key(String),
    /// The entry with this index, from the end if it is negative; the value of the key with this
    /// integer.
    Index(i64),
    /// The value of the key that this plain scalar means, which is not text: `null`, `true`, `1.5`.
    Plain(String),
    /// All entries, all values.
    All,
    /// The entries of a sequence from the first index up to, but without, the second. Negative
    /// ones count from the end; a missing one is the start or the end.
    Slice(Option<i64>, Option<i64>),
    /// The entries, or the values of a mapping, that the filter accepts.
    Filter(Filter),
    /// The node itself and all nodes in it, each once. Aliases in it are not followed.
    Descend,
}

impl Step {
    /// Whether it may lead to several nodes.
    #[must_use]
    pub fn is_wildcard(&self) -> bool {
        matches!(self, Step::All | Step::Slice(..) | Step::Filter(_) | Step::Descend)
    }
}

/// The documents of a stream that a path is for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Documents {
    /// The one with this index, from 0.
    Index(u64),
    /// All of them.
    All,
    /// Those whose roots the filter accepts.
    Filter(Filter),
}

/// A condition on a node: comparisons, joined by `&&`, `||`, `!` and parentheses.
///
/// Its paths start at the node. If a path leads to several nodes, the comparison holds if it holds
/// for one of them; if it leads to none, only `!=` holds. Numbers are compared by value, text by
/// its bytes; of other kinds, only equal ones are equal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Filter {
    pub(super) paths: Vec<Vec<Step>>,
    pub(super) expression: Expression,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Expression {
    Any(Vec<Expression>),
    All(Vec<Expression>),
    Not(Box<Expression>),
    Exists(Source),
    Compare(Source, Operator, Right),
    Matches(Source, String),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Right {
    Source(Source),
    Text(String),
    /// A plain scalar, whose meaning depends on the schema.
    Plain(String),
}

/// What a filter asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// The key of the node, or its index in a sequence.
    Key,
    /// What the path of this number in [`Filter::paths`] leads to from the node.
    Path(usize),
}

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
    /// The paths in it, from the node.
    #[doc(hidden)]
    #[must_use]
    pub fn paths(&self) -> &[Vec<Step>] {
        &self.paths
    }
}

impl Operator {
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
