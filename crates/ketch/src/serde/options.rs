//! Options for reading YAML into types.

use ketch_yaml::schema::Schema;
use ketch_yaml::{DuplicateKeys, Limits};

/// Options of a [`Deserializer`](crate::Deserializer).
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct DeOptions {
    /// The schema for plain scalars whose type is not determined by the Rust type. Default: core.
    pub schema: Schema,
    /// Whether merge keys (`<<`) are applied. The default, `None`, means that the schema decides.
    pub merge_keys: Option<bool>,
    /// What to do with duplicate keys. By default, they are an error.
    pub duplicate_keys: DuplicateKeys,
    /// Whether a block scalar that ends the input without a line break is read with one, as
    /// [`ketch_yaml::Options::final_break`] describes. serde_yaml reads it without. Default: on.
    pub final_break: bool,
    /// The maximum nesting depth of types, which is limited because reading them recurses. Reading
    /// a [`Value`](crate::Value) does not recurse. Default: 128.
    pub max_recursion: usize,
    /// The limits of the YAML engine.
    pub limits: Limits,
}

impl Default for DeOptions {
    fn default() -> DeOptions {
        DeOptions {
            schema: Schema::Core,
            merge_keys: None,
            duplicate_keys: DuplicateKeys::Error,
            final_break: true,
            max_recursion: 128,
            limits: Limits::default(),
        }
    }
}
