//! What to tell the user after an edit.

/// Something that an edit did and that may not have been intended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remark {
    /// A node lost this tag, because its new value has none.
    TagDropped(String),
    /// Text in quotes was replaced by a number, a boolean or null that was typed
    /// ([`Spelling::Typed`](super::Spelling::Typed)), or plain text with a digit, such as `1.9.1`, by a
    /// number.
    TextReplaced {
        /// The text, with its quotes if it has any.
        old: String,
        /// The new value.
        new: String,
    },
    /// A number, a boolean or null that was typed is now an item of a sequence in which all other
    /// scalars are text in quotes.
    TextExpected {
        /// The text of another item with its quotes.
        sibling: String,
        /// The new item.
        new: String,
    },
}
