//! Options for composing documents.

use crate::limits::Limits;
use crate::schema::Schema;

/// What to do with duplicate keys in a mapping.
///
/// YAML 1.2.2 (section 3.2.1.3) forbids duplicate keys. Readers that accept them differ in which value
/// they use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DuplicateKeys {
    /// Report an error that shows both locations.
    #[default]
    Error,
    /// Use the first of the pairs with equal keys.
    First,
    /// Use the last of the pairs with equal keys.
    Last,
    /// Do not check. The document keeps all pairs, and a lookup may find any of them. This is for
    /// callers with a check of their own.
    Off,
}

/// How floats are compared as keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FloatKeys {
    /// By all their digits. `10513E58455` and `11193E11281` are different keys.
    #[default]
    Exact,
    /// As floats of 64 bits, but numbers too large for these by all their digits. This is for
    /// readers that keep such numbers as text.
    Finite,
    /// As floats of 64 bits. This is for readers whose keys have no more digits. All numbers too
    /// large for these equal `.inf`.
    Rounded,
}

/// What decides whether two keys are equal.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Equality {
    pub schema: Schema,
    pub floats: FloatKeys,
}

impl From<Schema> for Equality {
    /// Returns the exact equality under `schema`.
    fn from(schema: Schema) -> Equality {
        Equality { schema, floats: FloatKeys::Exact }
    }
}

/// Options for composing documents.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct ComposeOptions {
    /// The schema by which keys are compared. Under [`Schema::Core`], for example, `1` and `0x1` are the
    /// same key. Default: core.
    pub schema: Schema,
    /// What to do with duplicate keys.
    pub duplicate_keys: DuplicateKeys,
    /// How floats are compared as keys. Default: by all their digits.
    pub float_keys: FloatKeys,
    /// Whether `<<` merges other mappings into the one it is in (the YAML 1.1 type `merge`). With
    /// `None`, the default, the schema decides: yes for [`Schema::Yaml11`] and [`Schema::Syck`], no for
    /// the others.
    pub merge_keys: Option<bool>,
    /// The limits.
    pub limits: Limits,
}

impl ComposeOptions {
    /// Returns what decides whether two keys are equal.
    pub(super) fn equality(&self) -> Equality {
        Equality { schema: self.schema, floats: self.float_keys }
    }

    /// Returns whether `<<` merges, after taking the schema into account.
    pub fn merges(&self) -> bool {
        self.merge_keys.unwrap_or(self.schema.has_merge_keys())
    }
}
