//! The options of reading by name. All hosts use these names.

use ketch_yaml::present::Sequences;
use ketch_yaml::schema::Schema;
use ketch_yaml::{Budget, ComposeOptions, Dialect, DuplicateKeys, Limit, Options};

/// A type whose values have names.
pub trait Named: Copy + 'static {
    /// The values that can be chosen, by their names.
    const NAMES: &'static [(&'static str, Self)];

    /// Returns the value with this name.
    fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|&(_, value)| value)
    }
}

impl Named for Schema {
    const NAMES: &'static [(&'static str, Schema)] = &[
        ("core", Schema::Core),
        ("json", Schema::Json),
        ("failsafe", Schema::Failsafe),
        ("yaml11", Schema::Yaml11),
        ("syck", Schema::Syck),
    ];
}

impl Named for DuplicateKeys {
    const NAMES: &'static [(&'static str, DuplicateKeys)] = &[
        ("error", DuplicateKeys::Error),
        ("first", DuplicateKeys::First),
        ("last", DuplicateKeys::Last),
    ];
}

impl Named for Dialect {
    const NAMES: &'static [(&'static str, Dialect)] =
        &[("yaml", Dialect::Yaml), ("syck", ketch_syck::DIALECT)];
}

impl Named for Sequences {
    const NAMES: &'static [(&'static str, Sequences)] =
        &[("flush", Sequences::Flush), ("indented", Sequences::Indented)];
}

/// An option of reading, to be set.
#[derive(Debug)]
pub enum ReadOption<'o> {
    /// The schema.
    Schema(&'o mut Schema),
    /// The handling of duplicate keys.
    DuplicateKeys(&'o mut DuplicateKeys),
    /// The dialect.
    Dialect(&'o mut Dialect),
    /// A switch.
    Flag(&'o mut bool),
    /// A switch whose default depends on another option.
    Choice(&'o mut Option<bool>),
    /// A limit that grows with the input.
    Budget(&'o mut Budget),
    /// A limit.
    Count(&'o mut u64),
}

/// Returns the option with this name, or `None` if there is none. The limits are those of `parse`.
///
/// ```
/// use ketch_host::options::{ReadOption, option};
/// use ketch_yaml::{ComposeOptions, Options};
///
/// let (mut parse, mut compose) = (Options::default(), ComposeOptions::default());
/// if let Some(ReadOption::Flag(lenient)) = option("lenient", &mut parse, &mut compose) {
///     *lenient = true;
/// }
/// assert!(parse.lenient);
/// ```
pub fn option<'o>(
    name: &str,
    parse: &'o mut Options,
    compose: &'o mut ComposeOptions,
) -> Option<ReadOption<'o>> {
    Some(match name {
        "schema" => ReadOption::Schema(&mut compose.schema),
        "duplicate_keys" => ReadOption::DuplicateKeys(&mut compose.duplicate_keys),
        "merge" => ReadOption::Choice(&mut compose.merge_keys),
        "dialect" => ReadOption::Dialect(&mut parse.dialect),
        "lenient" => ReadOption::Flag(&mut parse.lenient),
        "final_break" => ReadOption::Flag(&mut parse.final_break),
        _ => match parse.limits.named(name)? {
            Limit::Budget(budget) => ReadOption::Budget(budget),
            Limit::Count(count) => ReadOption::Count(count),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_fields() {
        let mut limits = ketch_yaml::Limits::default();
        let shown = format!("{limits:?}");
        let names: Vec<&str> = limits.all().iter().map(|(name, _)| *name).collect();
        assert_eq!(shown.matches("max_").count(), names.len());
        assert!(names.iter().all(|name| shown.contains(&format!("{name}: "))), "{shown}");
        for schema in Schema::ALL {
            assert_eq!(Schema::named(schema.name()), Some(schema));
        }
    }
}
