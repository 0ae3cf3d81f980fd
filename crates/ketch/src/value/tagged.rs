//! Values with tags other than YAML's own.

use super::{Value, build, drop_values};
use ketch_yaml::schema::Schema;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

/// A value and its tag.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct TaggedValue {
    /// The tag.
    pub tag: Tag,
    /// The value.
    pub value: Value,
}

impl TaggedValue {
    /// Returns the original text of a plain scalar whose value is not a string, such as `007` for
    /// `!code 007`, whose value is 7.
    ///
    /// ```
    /// let value: ketch::Value = ketch::from_str("!code 007").unwrap();
    /// let ketch::Value::Tagged(tagged) = &value else { panic!() };
    /// assert_eq!((tagged.value.as_i64(), tagged.spelling()), (Some(7), Some("007")));
    /// assert_eq!(value.to_yaml().unwrap(), "!code 007\n");
    /// ```
    #[must_use]
    pub fn spelling(&self) -> Option<&str> {
        self.tag.spelling_of(&self.value)
    }
}

impl Drop for TaggedValue {
    fn drop(&mut self) {
        if self.value.holds_values() {
            drop_values(vec![self.value.take()]);
        }
    }
}

/// A full tag, which is `!local` or a URI.
#[derive(Clone)]
pub struct Tag {
    text: String,
    /// The spelling of the plain scalar that was read with this tag.
    spelling: Option<Box<str>>,
}

impl Tag {
    /// Creates a tag. A name that does not start with `!` and has no `:` becomes a local tag.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Tag {
        let text = text.into();
        if text.starts_with('!') || text.contains(':') {
            Tag { text, spelling: None }
        } else {
            Tag { text: format!("!{text}"), spelling: None }
        }
    }

    /// Creates the tag of a plain scalar with its spelling.
    pub(crate) fn with_spelling(text: &str, spelling: &str) -> Tag {
        Tag { spelling: Some(spelling.into()), ..Tag::new(text) }
    }

    /// Returns the spelling, if it still means `value`, which may have been changed.
    pub(crate) fn spelling_of(&self, value: &Value) -> Option<&str> {
        let text = self.spelling.as_deref()?;
        let means = |schema| build::plain_text_value(schema, text).as_ref() == Some(value);
        (means(Schema::Core) || means(Schema::Yaml11)).then_some(text)
    }

    /// Returns the text of the tag.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl PartialEq for Tag {
    fn eq(&self, other: &Tag) -> bool {
        self.text == other.text
    }
}

impl Eq for Tag {}

impl PartialOrd for Tag {
    fn partial_cmp(&self, other: &Tag) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Tag {
    fn cmp(&self, other: &Tag) -> Ordering {
        self.text.cmp(&other.text)
    }
}

impl Hash for Tag {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

impl PartialEq<str> for Tag {
    fn eq(&self, text: &str) -> bool {
        self.text == text || self.text.strip_prefix('!') == Some(text)
    }
}

impl PartialEq<&str> for Tag {
    fn eq(&self, text: &&str) -> bool {
        *self == **text
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl fmt::Debug for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}
