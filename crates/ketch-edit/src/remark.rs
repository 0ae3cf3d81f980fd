//! What to tell the user after an edit.

use super::operation::{NewValue, Spelling};
use ketch_yaml::schema::{ScalarTag, Schema};

/// Something that an edit did and that may not have been intended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remark {
    /// A node lost this tag, because its new value has none.
    TagDropped(String),
    /// Text in quotes was replaced by a number, a boolean or null that was typed
    /// ([`Spelling::Typed`]), plain text with a digit, such as `1.9.1`, by a number, or any
    /// plain text by a float.
    TextReplaced {
        /// The text, with its quotes if it has any.
        old: String,
        /// The new value.
        new: String,
    },
    /// A number, a boolean or null that was typed is now an item of a sequence in which all other
    /// scalars are text in quotes, or a number of one in which they are text, one with a digit.
    TextExpected {
        /// The text of another item, with its quotes if it has any.
        sibling: String,
        /// The new item.
        new: String,
    },
    /// A number was typed with zeros in front, and the format has no such numbers: `01234` is
    /// written as 1234.
    ZerosDropped(String),
    /// A number was typed with zeros in front that is no file mode such as `0644`: `01234` is 1234.
    LeadingZeros(String),
    /// A typed scalar has replaced a collection with entries.
    CollectionReplaced,
}

impl Remark {
    /// Returns the remark for the leading zeros of the number `new`. `are_dropped` says that the
    /// format has no such numbers.
    #[must_use]
    pub fn of_zeros(new: &NewValue, are_dropped: bool) -> Option<Remark> {
        let digits = new.source.strip_prefix(['+', '-']).unwrap_or(&new.source);
        let has_zeros = matches!(digits.as_bytes(), [b'0', next, ..] if next.is_ascii_digit());
        let tag = Schema::Core.resolve(new.source.as_bytes());
        let is_number = matches!(tag, ScalarTag::Int(_) | ScalarTag::Float(_));
        let is_named = new.spelling == Spelling::Typed && has_zeros && is_number;
        let is_mode = digits.len() <= 4 && digits.bytes().all(|byte| byte < b'8');
        match are_dropped {
            true => is_named.then(|| Remark::ZerosDropped(new.source.clone())),
            false => (is_named && !is_mode).then(|| Remark::LeadingZeros(new.source.clone())),
        }
    }
}
