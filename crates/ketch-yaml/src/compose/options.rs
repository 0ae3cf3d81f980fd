//! How documents are composed.

use crate::limits::Limits;
use crate::schema::Schema;

/// What to do with duplicate keys in a mapping.
///
/// YAML 1.2.2 (section 3.2.1.3) forbids them, and readers differ in which one they take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DuplicateKeys {
    /// An error that shows both locations.
    #[default]
    Error,
    /// The first one wins.
    First,
    /// The last one wins.
    Last,
    /// No check: all of them are in the document, and lookup finds any of them. For callers that
    /// check themselves.
    Off,
}

/// How documents are composed.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct ComposeOptions {
    /// The schema by which keys are compared: under [`Schema::Core`], `1` and `0x1` are the same
    /// key. Default: core.
    pub schema: Schema,
    /// What to do with duplicate keys.
    pub duplicate_keys: DuplicateKeys,
    /// Whether `<<` merges other mappings into its own (the YAML 1.1 type `merge`). Default,
    /// `None`: as the schema says, on for [`Schema::Yaml11`] and [`Schema::Syck`], off for all
    /// others.
    pub merge_keys: Option<bool>,
    /// The limits to obey.
    pub limits: Limits,
}

impl ComposeOptions {
    /// Whether `<<` merges.
    pub fn merges(&self) -> bool {
        self.merge_keys.unwrap_or(self.schema.has_merge_keys())
    }
}
