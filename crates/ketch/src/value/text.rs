//! The text of values, which is stored inline if it is short.

use ketch_bytes::string::{Part, ShortString};
use std::borrow::{Borrow, Cow};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;

/// The text of a value. Up to 24 bytes are stored inline. Most keys and scalars are that short, and
/// allocating memory for them would take most of the time of reading a value.
///
/// `Text` dereferences to `str`, and strings can be converted to it with `From`. To change the
/// text, convert it to a `String`: `String::from(text)`.
///
/// ```
/// use ketch::value::Text;
///
/// let text = Text::from("mizzen");
/// assert_eq!(text.len(), 6);
/// assert_eq!(text, "mizzen");
/// assert_eq!(String::from(text), "mizzen");
/// ```
#[derive(Clone, Default)]
pub struct Text(ShortString);

impl Text {
    /// Creates empty text.
    #[must_use]
    pub const fn new() -> Text {
        Text(ShortString::new())
    }

    /// Returns the text as a string slice.
    #[inline]
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Converts the text to a `String`. This allocates memory if the text is stored inline.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0.into_string()
    }

    /// Appends `text`. This copies the text that is already there.
    pub fn push_str(&mut self, text: &str) {
        *self = Text::from([self, text].concat());
    }

    /// Creates text from `part` if it can be stored inline, as [`ShortString::of_short`] does.
    #[inline(always)]
    pub(super) fn of_short(part: Part<'_>) -> Option<Text> {
        ShortString::of_short(part).map(Text)
    }
}

impl Deref for Text {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl PartialEq for Text {
    #[inline]
    fn eq(&self, other: &Text) -> bool {
        **self == **other
    }
}

impl Eq for Text {}

impl PartialOrd for Text {
    fn partial_cmp(&self, other: &Text) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Text {
    fn cmp(&self, other: &Text) -> Ordering {
        (**self).cmp(&**other)
    }
}

/// The hash is the same as that of a `str`.
impl Hash for Text {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl AsRef<str> for Text {
    fn as_ref(&self) -> &str {
        self
    }
}

impl AsRef<[u8]> for Text {
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl Borrow<str> for Text {
    fn borrow(&self) -> &str {
        self
    }
}

impl From<&str> for Text {
    #[inline]
    fn from(text: &str) -> Text {
        Text(text.into())
    }
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        Text(text.into())
    }
}

impl From<Cow<'_, str>> for Text {
    fn from(text: Cow<'_, str>) -> Text {
        match text {
            Cow::Borrowed(text) => text.into(),
            Cow::Owned(text) => text.into(),
        }
    }
}

impl From<char> for Text {
    fn from(ch: char) -> Text {
        Text::from(&*ch.encode_utf8(&mut [0; 4]))
    }
}

impl From<Text> for String {
    fn from(text: Text) -> String {
        text.into_string()
    }
}

impl From<Text> for Cow<'_, str> {
    fn from(text: Text) -> Self {
        Cow::Owned(text.into_string())
    }
}

impl FromIterator<char> for Text {
    fn from_iter<I: IntoIterator<Item = char>>(chars: I) -> Text {
        Text::from(chars.into_iter().collect::<String>())
    }
}

macro_rules! equal {
    ($($other:ty)*) => {
        $(
            impl PartialEq<$other> for Text {
                fn eq(&self, other: &$other) -> bool {
                    **self == **other
                }
            }

            impl PartialEq<Text> for $other {
                fn eq(&self, other: &Text) -> bool {
                    **self == **other
                }
            }
        )*
    };
}

equal!(String &str Cow<'_, str>);

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        **self == *other
    }
}

impl PartialEq<Text> for str {
    fn eq(&self, other: &Text) -> bool {
        *self == **other
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self)
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl serde::Serialize for Text {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for Text {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Text, D::Error> {
        let text: Cow<'de, str> = serde::Deserialize::deserialize(deserializer)?;
        Ok(text.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_and_long_texts_behave_alike() {
        for text in ["", "a", "twenty-four bytes of it.", "more than twenty-four bytes of it"] {
            let mut held = Text::from(text);
            assert_eq!(held, text);
            assert_eq!(held, Text::from(text.to_owned()));
            assert_eq!(held.clone().into_string(), text);
            assert_eq!(text.chars().collect::<Text>(), held);
            held.push_str("+");
            assert_eq!(held, format!("{text}+"));
        }
        assert!(Text::new().is_empty());
        assert_eq!(format!("{:>3}{:?}", Text::from("a"), Text::from('b')), "  a\"b\"");
    }
}
