//! Values with a tag, a style or comments that a program has given them.

use super::Value;
use ketch_edit::Style;
use std::collections::HashMap;
use std::sync::Arc;

/// What is added to a value. It shows only where the value is written as YAML.
#[derive(Clone, Debug, Default)]
pub struct Decoration {
    /// The tag, as in `!Ref`, `!!set` or `!<tag:example.com,2026:t>`; an empty one removes the tag.
    pub tag: Option<Arc<str>>,
    /// The style.
    pub style: Option<Style>,
    /// The comment above the value; `None` inside removes it.
    pub comment: Option<Option<Arc<str>>>,
    /// The comment on the line of the value; `None` inside removes it.
    pub line_comment: Option<Option<Arc<str>>>,
    /// The keys of an object that are no texts, by the texts that they have in its entries.
    pub keys: Option<Arc<HashMap<Arc<str>, Value>>>,
}

/// A value with its decoration. The value itself has none.
#[derive(Debug)]
pub struct Decorated {
    pub value: Value,
    pub decoration: Decoration,
}
