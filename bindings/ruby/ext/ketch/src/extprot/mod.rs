//! extprot: converts bytes to objects and back.

mod options;
mod program;
mod read;
mod schema;
mod stop;
mod typed;
mod write;

use crate::guard::function;
use crate::load::Source;
use crate::memory::Lease;
use magnus::{Error, RHash, RModule, RString, Ruby, TryConvert, Value, prelude::*};
use options::ReadOptions;
use program::Program;

/// Defines `Ketch::Extprot`.
pub fn init(ketch: RModule) -> Result<(), Error> {
    let module = ketch.define_module("Extprot")?;
    module.define_singleton_method("load", function!(load, -1))?;
    module.define_singleton_method("dump", function!(write::dump, 1))?;
    module.define_singleton_method("decode_batch", function!(read::decode_batch, 4))?;
    module.define_singleton_method("yield_all", function!(read::yield_all, 1))?;
    module.define_singleton_method("read_typed", function!(typed::read_typed, 3))?;
    module.define_singleton_method("typed_batch", function!(typed::typed_batch, 5))?;
    module.define_singleton_method("write_typed", function!(typed::write_typed, 2))?;
    module.define_singleton_method("schema_source", function!(schema::schema_source, 2))?;
    let program = module.define_class("Program", Ruby::get_with(module).class_object())?;
    program.undef_default_alloc_func();
    // Looked up now, since an interrupt during a later lookup would cause a panic.
    <Program as magnus::TypedData>::class(&Ruby::get_with(module));
    program.define_singleton_method("new", function!(Program::new, 1))
}

/// Implements `Ketch::Extprot.load(source, **options)`: returns the only value in a string, or the
/// next value from an IO.
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
    read::only_value(source.bytes(), &options, &lease).map_err(|stop| stop.into_exception(ruby, 0))
}
