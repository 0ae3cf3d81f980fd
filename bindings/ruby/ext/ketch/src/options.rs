//! Keyword arguments, which have the same names as the options of the core.

use crate::interrupt;
use crate::permissions::Permissions;
use crate::ruby::{self, VALUE};
use ketch_host::options::{Named, ReadOption, option};
use ketch_yaml::present::{Collections, PresentOptions};
use ketch_yaml::schema::Schema;
use ketch_yaml::{Budget, ComposeOptions, DuplicateKeys, FloatKeys};
use magnus::r_hash::ForEach;
use magnus::{Error, Float, Integer, RArray, RHash, Ruby, Symbol, TryConvert, Value, prelude::*};

/// The options for loading.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    pub parse: ketch_yaml::Options,
    pub compose: ComposeOptions,
    pub symbolize_names: bool,
    pub freeze: bool,
    pub filename: Option<String>,
    /// Whether values are returned with their locations.
    pub positions: bool,
    /// What is permitted, if scalars and merge keys follow the rules of Psych.
    pub psych: Option<Permissions>,
}

/// The options for writing.
#[derive(Clone, Debug, Default)]
pub struct DumpOptions {
    pub present: PresentOptions,
    /// Whether each document starts with `---`.
    pub header: bool,
    /// Whether the entries of hashes are sorted by key.
    pub sort_keys: bool,
    /// The `Ketch::Psych::Representer` that converts objects. It is an argument of the call, so it
    /// stays alive.
    pub representer: Option<VALUE>,
    /// Whether symbols for which [`is_name`](crate::given::is_name) is true are written without
    /// calling the representer.
    pub plain_symbols: bool,
}

impl DumpOptions {
    /// Returns the options that the keyword arguments in `hash` set.
    pub fn from_hash(ruby: &Ruby, hash: RHash) -> Result<DumpOptions, Error> {
        let mut options = DumpOptions::default();
        hash.foreach(|name: Symbol, value: Value| {
            options.set(ruby, &name.name()?, value)?;
            Ok(ForEach::Continue)
        })?;
        Ok(options)
    }

    /// Sets the option `name` to `value`.
    fn set(&mut self, ruby: &Ruby, name: &str, value: Value) -> Result<(), Error> {
        match name {
            "indent" => self.present.indent = indent(ruby, value)?,
            "width" => self.present.width = Option::<usize>::try_convert(value)?,
            "sequences" => self.present.sequences = choice(ruby, name, value)?,
            "flow" if value.to_bool() => self.present.collections = Collections::Flow,
            "flow" => self.present.collections = Collections::AsGiven,
            "ascii" => self.present.ascii = value.to_bool(),
            "header" => self.header = value.to_bool(),
            "sort_keys" => self.sort_keys = value.to_bool(),
            "plain_symbols" => self.plain_symbols = value.to_bool(),
            "representer" => self.representer = Some(ruby::raw(value)),
            _ => return Err(unknown(ruby, "dump", name)),
        }
        Ok(())
    }
}

/// Returns the exception for an unknown option of a method of `Ketch`, which helps users of Psych.
fn unknown(ruby: &Ruby, method: &str, name: &str) -> Error {
    let message = ruby
        .define_module("Ketch")
        .and_then(|ketch| ketch.funcall::<_, _, String>("unknown_keyword", (method, name)));
    message
        .map_or_else(|failure| failure, |message| Error::new(ruby.exception_arg_error(), message))
}

/// Returns the number of columns by which each level is indented.
fn indent(ruby: &Ruby, value: Value) -> Result<usize, Error> {
    match i64::try_convert(value)? {
        columns @ 1..=9 => Ok(columns as usize),
        _ => Err(Error::new(ruby.exception_arg_error(), "indent: expected 1 to 9")),
    }
}

/// Returns the positional argument of a call, and the options that its keyword arguments set.
pub fn source_and_options(ruby: &Ruby, arguments: &[Value]) -> Result<(Value, LoadOptions), Error> {
    let (source, mut options) = match *arguments {
        [source] => (source, LoadOptions::default()),
        [source, options] if let Some(options) = RHash::from_value(options) => {
            (source, LoadOptions::from_hash(ruby, options)?)
        }
        _ => {
            let message =
                format!("wrong number of arguments (given {}, expected 1)", arguments.len());
            return Err(Error::new(ruby.exception_arg_error(), message));
        }
    };
    options.compose.float_keys = FloatKeys::Rounded;
    interrupt::allow(&mut options.parse);
    Ok((source, options))
}

impl LoadOptions {
    /// Returns the options that the keyword arguments in `hash` set. Parsing with them can be
    /// interrupted.
    pub fn of_hash(ruby: &Ruby, hash: RHash) -> Result<LoadOptions, Error> {
        let mut options = LoadOptions::from_hash(ruby, hash)?;
        options.compose.float_keys = FloatKeys::Rounded;
        interrupt::allow(&mut options.parse);
        Ok(options)
    }

    /// Returns the options that the keyword arguments in `hash` set.
    fn from_hash(ruby: &Ruby, hash: RHash) -> Result<LoadOptions, Error> {
        let mut options = LoadOptions::default();
        let (mut has_schema, mut has_keys) = (false, false);
        hash.foreach(|name: Symbol, value: Value| {
            let name = name.name()?;
            has_schema |= name == "schema";
            has_keys |= name == "duplicate_keys";
            options.set(ruby, &name, value)?;
            Ok(ForEach::Continue)
        })?;
        if options.parse.dialect == ketch_syck::DIALECT {
            if !has_schema {
                options.compose.schema = Schema::Syck;
            }
            if !has_keys {
                options.compose.duplicate_keys = DuplicateKeys::Last;
            }
        }
        options.compose.limits = options.parse.limits;
        Ok(options)
    }

    /// Sets the option `name` to `value`.
    fn set(&mut self, ruby: &Ruby, name: &str, value: Value) -> Result<(), Error> {
        match name {
            "symbolize_names" => self.symbolize_names = value.to_bool(),
            "freeze" => self.freeze = value.to_bool(),
            "positions" => self.positions = value.to_bool(),
            "filename" => self.filename = Option::<String>::try_convert(value)?,
            _ => self.set_of_core(ruby, name, value)?,
        }
        Ok(())
    }

    /// Sets the option `name` of the core to `value`.
    fn set_of_core(&mut self, ruby: &Ruby, name: &str, value: Value) -> Result<(), Error> {
        let option = option(name, &mut self.parse, &mut self.compose);
        match option.ok_or_else(|| unknown(ruby, "load", name))? {
            ReadOption::Schema(schema) => *schema = choice(ruby, name, value)?,
            ReadOption::DuplicateKeys(policy) => *policy = choice(ruby, name, value)?,
            ReadOption::Dialect(dialect) => *dialect = choice(ruby, name, value)?,
            ReadOption::Flag(flag) => *flag = value.to_bool(),
            ReadOption::Choice(choice) => *choice = (!value.is_nil()).then(|| value.to_bool()),
            ReadOption::Budget(limit) => *limit = budget(ruby, name, value)?,
            ReadOption::Count(limit) => *limit = count(ruby, name, value)?,
        }
        Ok(())
    }
}

/// Returns `value` as a budget: it is a number, infinity, or an array `[base, per_kib]`.
fn budget(ruby: &Ruby, name: &str, value: Value) -> Result<Budget, Error> {
    let Some(parts) = RArray::from_value(value) else {
        let base = count(ruby, name, value)?;
        return Ok(if base == u64::MAX { Budget::UNLIMITED } else { Budget::fixed(base) });
    };
    if parts.len() != 2 {
        return Err(wrong_limit(ruby, name));
    }
    let base = count(ruby, name, parts.entry(0)?)?;
    Ok(Budget { base, per_kib: count(ruby, name, parts.entry(1)?)? })
}

/// Returns `value` as a number. Infinity means the largest number.
fn count(ruby: &Ruby, name: &str, value: Value) -> Result<u64, Error> {
    if let Some(number) = Integer::from_value(value) {
        return number.to_u64().map_err(|_| wrong_limit(ruby, name));
    }
    match Float::from_value(value) {
        Some(number) if number.to_f64() == f64::INFINITY => Ok(u64::MAX),
        _ => Err(wrong_limit(ruby, name)),
    }
}

/// Returns the exception for a limit whose value is neither a number nor a budget.
fn wrong_limit(ruby: &Ruby, name: &str) -> Error {
    let message = format!(
        "{name}: expected a number, Float::INFINITY, or [base, extra per KiB of input] for a budget"
    );
    Error::new(ruby.exception_arg_error(), message)
}

/// Returns the choice that `value`, the name of one, makes for the option `name`.
fn choice<T: Named>(ruby: &Ruby, name: &str, value: Value) -> Result<T, Error> {
    T::named(&word(ruby, name, value)?).ok_or_else(|| {
        let names: Vec<String> = T::NAMES.iter().map(|(name, _)| format!(":{name}")).collect();
        let expected = match &names[..] {
            [first, second] => format!("{first} or {second}"),
            names => format!("one of {}", names.join(", ")),
        };
        Error::new(ruby.exception_arg_error(), format!("{name}: expected {expected}"))
    })
}

/// Returns the text of an option whose value is a symbol or a string. Fails for other values.
fn word(ruby: &Ruby, option: &str, value: Value) -> Result<String, Error> {
    if let Some(symbol) = Symbol::from_value(value) {
        return Ok(symbol.name()?.into_owned());
    }
    String::try_convert(value).map_err(|_| {
        let message =
            format!("{option}: expected a Symbol, not {}", ruby::value(ruby::raw(value.class())));
        Error::new(ruby.exception_type_error(), message)
    })
}
