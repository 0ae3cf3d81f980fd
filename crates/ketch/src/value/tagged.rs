//! Values with tags that YAML does not know.

use super::{Value, drop_values};
use std::fmt;

/// A value and its tag.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct TaggedValue {
    /// The tag.
    pub tag: Tag,
    /// The value.
    pub value: Value,
}

impl Drop for TaggedValue {
    fn drop(&mut self) {
        if self.value.holds_values() {
            drop_values(vec![self.value.take()]);
        }
    }
}

impl fmt::Debug for TaggedValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.tag, self.value)
    }
}

/// A tag in full: `!local`, or a URI.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tag(String);

impl Tag {
    /// The tag with that text; a name without `!` and without `:` is taken for a local one.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Tag {
        let text = text.into();
        if text.starts_with('!') || text.contains(':') {
            Tag(text)
        } else {
            Tag(format!("!{text}"))
        }
    }

    /// Its text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl PartialEq<str> for Tag {
    fn eq(&self, text: &str) -> bool {
        self.0 == text || self.0.strip_prefix('!') == Some(text)
    }
}

impl PartialEq<&str> for Tag {
    fn eq(&self, text: &&str) -> bool {
        *self == **text
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Debug for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}
