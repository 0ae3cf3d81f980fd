//! One step of a path.

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
    /// All entries, all values.
    All,
}
