//! What to tell the user after an edit.

/// Something that an edit did and that may not have been intended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remark {
    /// A node lost this tag, because its new value has none.
    TagDropped(String),
    /// Text in quotes was replaced by a number, a boolean or null that was typed
    /// ([`Spelling::Typed`](super::Spelling::Typed)).
    TextReplaced {
        /// The text with its quotes.
        old: String,
        /// The new value.
        new: String,
    },
}
