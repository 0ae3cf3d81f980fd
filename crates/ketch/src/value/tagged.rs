//! Values that have tags other than YAML's own.

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
    /// Returns the original text of the value if it is a plain scalar that is not a string. For
    /// example, the spelling of `!code 007`, whose value is 7, is `007`. Returns `None` if the
    /// spelling is not known, or if the value has been changed.
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

/// A full tag: `!local` or a URI.
#[derive(Clone)]
pub struct Tag {
    text: String,
    /// The spelling of the plain scalar that was read with this tag, if its value is not a string.
    spelling: Option<Box<str>>,
}

impl Tag {
    /// Creates a tag. If `text` neither starts with `!` nor contains `:`, it is the name of a local
    /// tag, so `!` is added.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Tag {
        let text = text.into();
        if text.starts_with('!') || text.contains(':') {
            Tag { text, spelling: None }
        } else {
            Tag { text: format!("!{text}"), spelling: None }
        }
    }

    /// Creates the tag of a plain scalar whose original text is `spelling`.
    pub(crate) fn with_spelling(text: &str, spelling: &str) -> Tag {
        Tag { spelling: Some(spelling.into()), ..Tag::new(text) }
    }

    /// Returns the spelling of the scalar, or `None` if it is not known or its meaning is not
    /// `value`, because the value has been changed.
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
