//! The options that Java passes as an array of numbers and the name of the file.

use ketch_yaml::schema::Schema;
use ketch_yaml::{
    Budget, ComposeOptions, Dialect, DuplicateKeys, FloatKeys, Limit, Limits, Options,
};

/// The options for loading.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    pub parse: Options,
    pub compose: ComposeOptions,
    /// The name of the input that error messages show.
    pub file: Option<String>,
    /// Whether the tokens are parser events instead of values.
    pub as_events: bool,
    /// Whether values are returned with their locations.
    pub has_positions: bool,
    /// Whether only the syntax is checked, without any result.
    pub only_syntax: bool,
    /// Whether all texts are passed in UTF-8, also those that Java would decode slowly.
    pub only_utf8: bool,
    /// If set, the result consists of the nodes of Syck's dialect, with implicit types if true.
    pub nodes: Option<bool>,
}

impl LoadOptions {
    /// Returns the options for the numbers that `Options.java` writes: the schema, duplicate keys,
    /// merge keys (0 or 1, or -1 for the schema's default), leniency, the result (1 for events, 2
    /// for values with locations, 3 for nodes of Syck's dialect, 4 for such nodes without implicit
    /// types, 5 for no result, 6 for values whose texts are all in UTF-8, and otherwise values), the dialect (1 for Syck's), whether a last block scalar gets a line
    /// break (0 if not), and then the base and the growth of each limit. Returns `None` if they are invalid.
    pub fn from_numbers(numbers: &[i64], file: Option<String>) -> Option<LoadOptions> {
        let &[schema, duplicate_keys, merge, lenient, form, dialect, final_break, ref limits @ ..] =
            numbers
        else {
            return None;
        };
        let mut options = LoadOptions { file, as_events: form == 1, ..LoadOptions::default() };
        options.compose.schema = *Schema::ALL.get(usize::try_from(schema).ok()?)?;
        options.compose.duplicate_keys = match duplicate_keys {
            0 => DuplicateKeys::Error,
            1 => DuplicateKeys::First,
            2 => DuplicateKeys::Last,
            _ => return None,
        };
        options.compose.float_keys = FloatKeys::Rounded;
        options.compose.merge_keys = (merge >= 0).then_some(merge != 0);
        options.parse.lenient = lenient != 0;
        options.parse.dialect = if dialect == 1 { ketch_syck::DIALECT } else { Dialect::Yaml };
        options.parse.final_break = final_break != 0;
        options.has_positions = form == 2;
        options.only_syntax = form == 5;
        options.only_utf8 = form == 6;
        options.nodes = matches!(form, 3 | 4).then_some(form == 3);
        set_limits(&mut options.parse.limits, limits)?;
        options.compose.limits = options.parse.limits;
        Some(options)
    }
}

/// Sets the limits, which are in the order of `Limit.java`. A negative base means the default.
/// Returns `None` if the numbers are invalid.
fn set_limits(limits: &mut Limits, numbers: &[i64]) -> Option<()> {
    let (pairs, []) = numbers.as_chunks::<2>() else { return None };
    let all = limits.all();
    if pairs.len() != all.len() {
        return None;
    }
    for (&[base, per_kib], (_, limit)) in pairs.iter().zip(all).filter(|(pair, _)| pair[0] >= 0) {
        match limit {
            Limit::Budget(limit) if base == i64::MAX => *limit = Budget::UNLIMITED,
            Limit::Budget(limit) => {
                *limit = Budget { base: base as u64, per_kib: u64::try_from(per_kib).ok()? };
            }
            Limit::Count(limit) => *limit = base as u64,
        }
    }
    Some(())
}
