//! How YAML is read into types.

use ketch_yaml::schema::Schema;
use ketch_yaml::{DuplicateKeys, Limits};

/// How to read.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct DeOptions {
    /// The schema that plain scalars go by where the type does not decide. Default: core.
    pub schema: Schema,
    /// Whether `<<` merges. Default, as `None`: as the schema has it.
    pub merge_keys: Option<bool>,
    /// What to do with a key that stands twice. Default: an error.
    pub duplicate_keys: DuplicateKeys,
    /// How deep types may nest in one another, since reading them recurses; a [`Value`](crate::Value) does not.
    /// Default: 128.
    pub max_recursion: usize,
    /// The engine's limits.
    pub limits: Limits,
}

impl Default for DeOptions {
    fn default() -> DeOptions {
        DeOptions {
            schema: Schema::Core,
            merge_keys: None,
            duplicate_keys: DuplicateKeys::Error,
            max_recursion: 128,
            limits: Limits::default(),
        }
    }
}
