//! extprot: bytes to objects and back.

mod cursor;
mod program;
mod read;
mod schema;
mod typed;
mod write;

use crate::load::Source;
use crate::memory::Lease;
use crate::ruby;
use ketch_extprot::{Error as Wrong, ErrorKind, Limits};
use magnus::r_hash::ForEach;
use magnus::{
    Error, ExceptionClass, RHash, RModule, RString, Ruby, Symbol, TryConvert, Value, function,
    prelude::*,
};
use program::Program;
use read::As;
pub use read::Block;

/// Defines `Ketch::Extprot`.
pub fn init(ketch: RModule) -> Result<(), Error> {
    let module = ketch.define_module("Extprot")?;
    module.define_singleton_method("load", function!(load, -1))?;
    module.define_singleton_method("dump", function!(write::dump, 1))?;
    module.define_singleton_method("decode_batch", function!(read::decode_batch, 4))?;
    module.define_singleton_method("hand_out", function!(read::hand_out, 1))?;
    module.define_singleton_method("read_typed", function!(typed::read_typed, 3))?;
    module.define_singleton_method("typed_batch", function!(typed::typed_batch, 5))?;
    module.define_singleton_method("write_typed", function!(typed::write_typed, 2))?;
    module.define_singleton_method("schema_source", function!(schema::schema_source, 2))?;
    let program = module.define_class("Program", Ruby::get_with(module).class_object())?;
    program.undef_default_alloc_func();
    // Looked up now, and not in the middle of a call, where an interrupt would end it with a panic.
    <Program as magnus::TypedData>::class(&Ruby::get_with(module));
    program.define_singleton_method("new", function!(Program::new, 1))
}

/// How to read.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    shape: As,
    limits: Limits,
}

impl ReadOptions {
    fn for_ruby() -> ReadOptions {
        // Whatever fits 64 bits fits a Ruby integer.
        let limits = Limits { wide_ints: true, ..Limits::default() };
        ReadOptions { shape: As::default(), limits }
    }

    pub fn from_hash(ruby: &Ruby, hash: RHash) -> Result<ReadOptions, Error> {
        let mut options = ReadOptions::for_ruby();
        hash.foreach(|name: Symbol, value: Value| {
            options.set(ruby, &name.name()?, value)?;
            Ok(ForEach::Continue)
        })?;
        Ok(options)
    }

    fn set(&mut self, ruby: &Ruby, name: &str, value: Value) -> Result<(), Error> {
        match name {
            "as" => self.shape = shape(ruby, value)?,
            "max_depth" => self.limits.depth = limit(value)?,
            "max_string_bytes" => self.limits.string_length = limit(value)?,
            "max_elements" => self.limits.num_elements = limit(value)?,
            "max_block_bytes" => self.limits.message_length = limit(value)?,
            "strict" => self.limits.strict = value.to_bool(),
            _ => {
                let message = format!("unknown keyword: :{name}");
                return Err(Error::new(ruby.exception_arg_error(), message));
            }
        }
        Ok(())
    }
}

fn shape(ruby: &Ruby, value: Value) -> Result<As, Error> {
    match Symbol::from_value(value).map(|name| name.name()).transpose()?.as_deref() {
        Some("values") => Ok(As::Values),
        Some("tagged") => Ok(As::Tagged),
        Some("arrays") => Ok(As::Arrays),
        _ => {
            let message = "as: expected one of :values, :tagged, :arrays";
            Err(Error::new(ruby.exception_arg_error(), message))
        }
    }
}

fn limit(value: Value) -> Result<u64, Error> {
    match f64::try_convert(value) {
        Ok(f64::INFINITY) => Ok(u64::MAX),
        _ => u64::try_convert(value),
    }
}

/// `Ketch::Extprot.load(source, **options)`: the only value of a string, or the next one of an IO.
fn load(ruby: &Ruby, arguments: &[Value]) -> Result<Value, Error> {
    let (source, options) = match *arguments {
        [source] => (source, ReadOptions::for_ruby()),
        [source, options] => (source, ReadOptions::from_hash(ruby, RHash::try_convert(options)?)?),
        _ => return Err(Error::new(ruby.exception_arg_error(), "expected a String or an IO")),
    };
    let string = match RString::from_value(source) {
        Some(string) => string,
        None => {
            let module: RModule = ruby.define_module("Ketch")?.const_get("Extprot")?;
            module.const_get::<_, Value>("Decoder")?.funcall("one", (source,))?
        }
    };
    let lease = Lease::take(ruby)?;
    let source = Source::of_string(string, &lease)?;
    read::only_value(source.bytes(), &options, &lease).map_err(|stop| stop.raised(ruby, 0))
}

/// The exception of what is wrong with bytes that stand at `base` of the stream.
fn raised(ruby: &Ruby, wrong: &Wrong, base: u64) -> Error {
    let made = || -> Result<Error, Error> {
        let module: RModule = ruby.define_module("Ketch")?.const_get("Extprot")?;
        let name = match wrong.kind() {
            ErrorKind::Eof => "EndOfInput",
            _ => "Error",
        };
        let facts = ruby.hash_new();
        facts.aset(ruby.to_symbol("offset"), wrong.offset_bytes().map(|offset| base + offset))?;
        facts.aset(ruby.to_symbol("name"), ruby.to_symbol(kind_name(wrong.kind())))?;
        if wrong.path().next().is_some() {
            facts.aset(ruby.to_symbol("path"), wrong.path_text())?;
        }
        if let ErrorKind::LimitExceeded { limit, .. } = wrong.kind() {
            let setting = match *limit {
                "depth" => "max_depth",
                "string_length" => "max_string_bytes",
                "num_elements" => "max_elements",
                _ => "max_block_bytes",
            };
            facts.aset(ruby.to_symbol("setting"), ruby.to_symbol(setting))?;
        }
        let class: ExceptionClass = module.const_get(name)?;
        let mut message = wrong.to_string();
        if base > 0 {
            message = format!("{message}, counted from byte {base} of the stream");
        }
        Ok(class.new_instance((message, facts))?.into())
    };
    made().unwrap_or_else(|failure| failure)
}

fn kind_name(kind: &ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Eof => "eof",
        ErrorKind::BadWireType { .. } => "bad_wire_type",
        ErrorKind::UnknownTag { .. } => "unknown_tag",
        ErrorKind::MissingField => "missing_field",
        ErrorKind::MissingTupleElement { .. } => "missing_tuple_element",
        ErrorKind::LimitExceeded { .. } => "limit_exceeded",
        ErrorKind::VintTooLong => "vint_too_long",
        ErrorKind::IntRange { .. } => "int_range",
        ErrorKind::NotCanonical(_) => "not_canonical",
        ErrorKind::TrailingBytes => "trailing_bytes",
        ErrorKind::NotUtf8 => "not_utf8",
        ErrorKind::Shape { .. } => "shape",
        ErrorKind::ReadOnly => "read_only",
        _ => "not_in_the_data_model",
    }
}

/// Runs `body`, which may raise, from frames that own nothing.
fn run<T>(body: impl FnOnce() -> Result<T, Stop>) -> Result<T, Stop> {
    let mut result = Err(Stop::Nothing);
    let raised = ruby::protect(|| {
        result = body();
        ruby::NIL
    });
    raised?;
    result
}

/// Why reading or writing stops.
#[derive(Debug)]
enum Stop {
    Nothing,
    Bytes(Wrong),
    /// Extprot that is no row of the data model.
    Value(&'static str, u64),
    Ruby(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Ruby(error)
    }
}

impl From<Wrong> for Stop {
    fn from(error: Wrong) -> Stop {
        Stop::Bytes(error)
    }
}

impl Stop {
    fn raised(self, ruby: &Ruby, base: u64) -> Error {
        match self {
            Stop::Ruby(error) => error,
            Stop::Bytes(error) => raised(ruby, &error, base),
            Stop::Value(what, offset) => {
                let words = format!("{what}: read with `as: :tagged`, or by its schema");
                raised(ruby, &Wrong::new(ErrorKind::Conversion(words), offset), base)
            }
            Stop::Nothing => Error::new(ruby.exception_fatal(), "nothing was read"),
        }
    }
}
