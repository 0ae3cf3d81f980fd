//! Tests of the crate. The dialect's parser also has tests beside its tables.

mod dialect;
mod emitter;
mod ypath;

use crate::DIALECT;
use ketch_yaml::schema::Schema;
use ketch_yaml::{ComposeOptions, Dialect, DuplicateKeys, Options};

/// Returns options that select the dialect `dialect`.
fn reading(dialect: Dialect) -> Options {
    let mut options = Options::default();
    options.dialect = dialect;
    options
}

/// Returns options that select Syck's dialect.
fn read() -> Options {
    reading(DIALECT)
}

/// Returns options that select a schema, and the last one of duplicate keys.
fn composing(schema: Schema) -> ComposeOptions {
    let mut options = ComposeOptions::default();
    (options.schema, options.duplicate_keys) = (schema, DuplicateKeys::Last);
    options
}

/// Returns options that select Syck's schema, and the last one of duplicate keys.
fn compose() -> ComposeOptions {
    composing(Schema::Syck)
}
