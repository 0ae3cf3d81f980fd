//! One step of a path.

/// One step of a [`Path`](super::Path).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Step {
    /// The value of a key that is written so, or the entry of that number.
    Name(String),
    /// The value of the key that is this text.
    Key(String),
    /// The entry of that number, from the end if it is negative; the value of the key that is this
    /// integer.
    Index(i64),
    /// All entries, all values.
    All,
}
