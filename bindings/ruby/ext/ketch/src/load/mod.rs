//! Loads YAML.
//!
//! There are two paths from text to objects. [`events`] uses the parser's events, which is enough
//! for most documents. Where it is not (some tags, merge keys, duplicate keys, or errors that only
//! the composer detects), `events` gives up, and [`tree`] composes the documents and converts them.
//! So all bindings share the composer's implementation of these rules.

mod builder;
mod events;
mod merge;
mod psych;
mod query;
mod scalar;
mod source;
mod stop;
mod tree;

use crate::failure;
use crate::interrupt;
use crate::memory::Lease;
use crate::options::{LoadOptions, source_and_options};
use crate::permissions::Permissions;
use crate::ruby;
use ketch_host::breaks::{self, Kept};
use ketch_host::tree::location_of_document;
use magnus::{Error, RArray, RString, Ruby, Value, value::ReprValue};
pub use psych::scan as psych_scan;
pub use query::init as init_query;
pub use source::Source;
use stop::{Stop, exception_for};
pub use tree::value_of;

/// Implements `Ketch.load(source, **options)`: returns the value of the only document, or nil if
/// there is none.
pub fn load(ruby: &Ruby, arguments: &[Value]) -> Result<Value, Error> {
    let (source, options) = source_and_options(ruby, arguments)?;
    if options.positions {
        return ruby.define_module("Ketch")?.funcall("locate", arguments);
    }
    let lease = Lease::take(ruby)?;
    let source = Source::read(ruby, source, &lease)?;
    let first = documents(ruby, &source, &options, &lease)?;
    let stack = &lease.memory().stack;
    match stack.len() - first {
        0 => Ok(ruby.qnil().as_value()),
        1 => Ok(ruby::value(stack.get(first))),
        _ => Err(several_documents(ruby, &source, &options)),
    }
}

/// Implements `Ketch.load_stream(source, **options)`: returns an array of the values of all
/// documents.
pub fn load_stream(ruby: &Ruby, arguments: &[Value]) -> Result<Value, Error> {
    let (source, options) = source_and_options(ruby, arguments)?;
    if options.positions {
        return ruby.define_module("Ketch")?.funcall("locate_stream", arguments);
    }
    let lease = Lease::take(ruby)?;
    let source = Source::read(ruby, source, &lease)?;
    let first = documents(ruby, &source, &options, &lease)?;
    let values = ruby::protect(|| ruby::array(lease.memory().stack.from(first)))?;
    Ok(ruby::value(values))
}

/// Implements `Ketch.stream_documents(io, **options) { |value| }`: yields the values of the
/// documents one after another, with bounded memory.
pub fn each_document(ruby: &Ruby, arguments: &[Value]) -> Result<Value, Error> {
    let (source, options) = source_and_options(ruby, arguments)?;
    tree::each_document(ruby, source, &options)?;
    Ok(ruby.qnil().as_value())
}

/// Implements `Ketch.psych_document(source, bits, permissions) { otherwise }`: returns the value of
/// the first document as Psych reads it. If events are not enough, if the source is invalid, or if
/// it has no document, returns what the block returns.
pub fn psych_document(
    ruby: &Ruby,
    source: Value,
    bits: u32,
    object: Value,
) -> Result<Value, Error> {
    let permissions = Permissions { bits, object: ruby::raw(object) };
    if let Some((lease, first)) = psych_values(ruby, source, permissions, true)?
        && lease.memory().stack.len() > first
    {
        return Ok(ruby::value(lease.memory().stack.get(first)));
    }
    ruby.yield_values(())
}

/// Implements `Ketch.psych_documents(source, bits, permissions) { otherwise }`: returns an array of
/// the values of all documents as Psych reads them. If events are not enough, or if the source is
/// invalid, returns what the block returns.
pub fn psych_documents(
    ruby: &Ruby,
    source: Value,
    bits: u32,
    object: Value,
) -> Result<Value, Error> {
    let permissions = Permissions { bits, object: ruby::raw(object) };
    match psych_values(ruby, source, permissions, false)? {
        Some((lease, first)) => {
            let values = ruby::protect(|| ruby::array(lease.memory().stack.from(first)))?;
            Ok(ruby::value(values))
        }
        None => ruby.yield_values(()),
    }
}

/// Pushes the values of the documents as Psych reads them. Returns the lease, and the index on the
/// stack at which the values start, or `None` if events are not enough or the source is invalid.
fn psych_values(
    ruby: &Ruby,
    source: Value,
    permissions: Permissions,
    first_only: bool,
) -> Result<Option<(Lease, usize)>, Error> {
    let mut options = LoadOptions {
        symbolize_names: permissions.symbolize_names(),
        freeze: permissions.freeze(),
        psych: Some(permissions),
        ..LoadOptions::default()
    };
    options.parse.lenient = true;
    options.parse.final_break = false;
    interrupt::allow(&mut options.parse);
    let lease = Lease::take(ruby)?;
    let source = Source::read(ruby, source, &lease)?;
    let first = lease.memory().stack.len();
    let result = psych_events(source.bytes(), first_only, &options, &lease)?;
    match result {
        Ok(_) => Ok(Some((lease, first))),
        Err(Stop::Ruby(error)) => Err(error),
        Err(Stop::Yaml(error)) => interrupt::take(&error).map_or(Ok(None), Err),
        Err(_) => Ok(None),
    }
}

/// Pushes the values of the documents, which are built from events. Returns the offset at which
/// loading stopped.
fn psych_events(
    bytes: &[u8],
    first_only: bool,
    options: &LoadOptions,
    lease: &Lease,
) -> Result<Result<usize, Stop>, Error> {
    let first = lease.memory().stack.len();
    let read = |text: &[u8], kept: &[Kept]| {
        events::documents(text, kept, first_only, options, lease.memory(), lease.buffers())
    };
    // If only the first document is needed, it is read before the whole text is searched for line
    // breaks of YAML 1.1.
    let as_it_is = match first_only.then(|| read(bytes, &[])) {
        Some(Ok(end)) if !breaks::are_in_document(bytes, end) => return Ok(Ok(end)),
        Some(Err(Stop::Ruby(error))) => return Err(error),
        result => result,
    };
    Ok(match (interrupt::converted_breaks(bytes)?, as_it_is) {
        (Some(converted), _) => {
            lease.memory().stack.truncate(first);
            read(&converted.text, &converted.kept)
        }
        (None, Some(result)) => result,
        (None, None) => read(bytes, &[]),
    })
}

/// Pushes the values of all documents, and returns the index on the stack at which they start.
fn documents(
    ruby: &Ruby,
    source: &Source,
    options: &LoadOptions,
    lease: &Lease,
) -> Result<usize, Error> {
    let first = lease.memory().stack.len();
    let buffers = lease.buffers();
    let mut result = match events::suffice(options) {
        true => events::documents(source.bytes(), &[], false, options, lease.memory(), buffers)
            .map(|_| ()),
        false => Err(Stop::Complex),
    };
    if matches!(result, Err(Stop::Complex)) {
        lease.memory().stack.truncate(first);
        result = tree::documents(source.bytes(), options, lease.memory(), buffers);
    }
    match result {
        Ok(()) => Ok(first),
        Err(stop) => Err(exception_for(ruby, stop, options)),
    }
}

/// Returns the exception for a stream with more than one document.
#[cold]
fn several_documents(ruby: &Ruby, source: &Source, options: &LoadOptions) -> Error {
    let problem = "the stream has more than one document";
    let help = "Read all of them with Ketch.load_stream or Ketch.each_document.";
    let LoadOptions { parse, compose, .. } = options;
    let location = location_of_document(source.bytes(), 1, parse, compose);
    failure::at_location(ruby, problem, help, &location, options)
}

/// Implements `Ketch.psych_breaks(text)`: returns an array of two elements. The first is the text
/// in UTF-8, with only the line breaks of YAML 1.2. The second is a hash from the offsets of the
/// scalars that span a separator to their contents.
pub fn psych_breaks(ruby: &Ruby, text: RString) -> Result<RArray, Error> {
    let text = RString::new_frozen(source::utf8(ruby, text)?);
    let contents = ruby.hash_new();
    // SAFETY: the string is frozen, and is on the machine's stack until the bytes are converted.
    let converted = interrupt::converted_breaks(unsafe { text.as_slice() })?;
    let Some(converted) = converted else {
        return Ok(ruby.ary_new_from_values(&[text.as_value(), contents.as_value()]));
    };
    let string =
        |bytes: &[u8]| -> Value { ruby.enc_str_new(bytes, ruby.utf8_encoding()).as_value() };
    for scalar in &converted.kept {
        contents.aset(scalar.start, string(&scalar.content))?;
    }
    Ok(ruby.ary_new_from_values(&[string(&converted.text), contents.as_value()]))
}
