//! Options for writing JSON.

use crate::limits::Limits;
#[cfg(doc)]
use crate::problem::Problem;
use crate::schema::Schema;

/// What to do with values that JSON cannot represent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum NotInJson {
    /// Report the error [`Problem::NotJson`].
    #[default]
    Error,
    /// Write a substitute: the strings `".inf"`, `"-.inf"` and `".nan"` for infinities and
    /// not-a-number, and the value without its tag for an unknown tag.
    Convert,
}

/// Options for writing JSON.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct JsonOptions {
    /// The schema that gives plain scalars their values. Default: core.
    pub schema: Schema,
    /// Whether `<<` merges. With `None`, the default, the schema decides; see
    /// [`ComposeOptions::merge_keys`](crate::ComposeOptions::merge_keys).
    pub merge_keys: Option<bool>,
    /// Whether to write JSON on several lines, indented by two spaces. Default: off.
    pub pretty: bool,
    /// Whether to write JSON lines: the items of a list as values of their own, with line feeds
    /// instead of brackets and commas. Default: off.
    pub lines: bool,
    /// What to do with `.inf` and `.nan`. Default: an error.
    pub non_finite: NotInJson,
    /// What to do with tags that YAML does not define. Default: write values without these tags.
    pub unknown_tags: NotInJson,
    /// The limits. [`Limits::max_alias_nodes`] bounds the number of nodes that aliases expand to.
    pub limits: Limits,
}

impl Default for JsonOptions {
    fn default() -> Self {
        JsonOptions {
            schema: Schema::Core,
            merge_keys: None,
            pretty: false,
            lines: false,
            non_finite: NotInJson::Error,
            unknown_tags: NotInJson::Convert,
            limits: Limits::default(),
        }
    }
}
