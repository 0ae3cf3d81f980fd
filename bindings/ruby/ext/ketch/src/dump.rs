//! Objects to YAML.
//!
//! A collection that occurs more than once gets an anchor ([`ketch_host::dump`]).

use crate::failure;
use crate::given::{self, Content, Given, Stacked, classify};
use crate::memory::{Lease, Memory};
use crate::options::DumpOptions;
use crate::ruby::{self, VALUE};
use ketch_host::dump::{self, Take};
use ketch_yaml::present::{Properties, ScalarStyle};
use ketch_yaml::represent::Native;
use magnus::{Error, RArray, RHash, Ruby, TryConvert, Value, prelude::*};

/// Implements `Ketch.generate(value, **options)`: returns the text of a document that contains the
/// value.
pub fn generate(ruby: &Ruby, arguments: &[Value]) -> Result<Value, Error> {
    let (value, options) = value_and_options(ruby, arguments)?;
    let lease = Lease::take(ruby)?;
    lease.memory().stack.push(ruby::raw(value));
    written(ruby, lease.memory(), &options)
}

/// Implements `Ketch.generate_stream(values, **options)`: returns the text of a stream that
/// contains one document for each value.
pub fn generate_stream(ruby: &Ruby, arguments: &[Value]) -> Result<Value, Error> {
    let (values, options) = value_and_options(ruby, arguments)?;
    let values = RArray::try_convert(values)?;
    let lease = Lease::take(ruby)?;
    values.into_iter().for_each(|value| lease.memory().stack.push(ruby::raw(value)));
    written(ruby, lease.memory(), &options)
}

/// Returns the value and the options that a call was given.
fn value_and_options(ruby: &Ruby, arguments: &[Value]) -> Result<(Value, DumpOptions), Error> {
    match *arguments {
        [value] => Ok((value, DumpOptions::default())),
        [value, options] if let Some(options) = RHash::from_value(options) => {
            Ok((value, DumpOptions::from_hash(ruby, options)?))
        }
        _ => {
            let message =
                format!("wrong number of arguments (given {}, expected 1)", arguments.len());
            Err(Error::new(ruby.exception_arg_error(), message))
        }
    }
}

/// Writes the values on the stack, each as a document, and returns the text of the stream.
fn written(ruby: &Ruby, memory: &Memory, options: &DumpOptions) -> Result<Value, Error> {
    let DumpOptions { representer, plain_symbols, sort_keys, .. } = *options;
    let objects = Objects { memory, representer, plain_symbols };
    let entries = Stacked { memory, sorts: sort_keys };
    let text = Output::new(objects, entries, &options.present).documents(options.header);
    let text = text.map_err(|stop| stop.into_exception(ruby))?;
    let string = ruby::protect(|| ruby::string(&text))?;
    Ok(ruby::value(string))
}

/// The reason why writing stops.
#[derive(Debug)]
enum Stop {
    Ruby(Error),
    Dump(dump::Stop),
}

impl Stop {
    /// Returns the exception that Ruby should raise.
    fn into_exception(self, ruby: &Ruby) -> Error {
        match self {
            Stop::Ruby(error) => error,
            Stop::Dump(dump::Stop::Present(error)) => {
                Error::new(ruby.exception_runtime_error(), error.to_string())
            }
            Stop::Dump(dump::Stop::Memory(error)) => {
                Error::new(ruby.exception_no_mem_error(), error.to_string())
            }
            Stop::Dump(dump::Stop::Again) => {
                failure::internal(ruby, "a collection was not counted")
            }
        }
    }
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Ruby(error)
    }
}

impl From<dump::Stop> for Stop {
    fn from(stop: dump::Stop) -> Stop {
        Stop::Dump(stop)
    }
}

/// Takes apart objects.
struct Objects<'m> {
    memory: &'m Memory,
    /// Converts objects that are not values of YAML.
    representer: Option<VALUE>,
    /// Whether symbols for which [`given::is_name`] is true are written without the representer.
    plain_symbols: bool,
}

type Output<'o, 'm> = dump::Output<'o, Objects<'m>>;

impl<'m> Take for Objects<'m> {
    type Error = Stop;
    type Value = VALUE;
    type Entries = Stacked<'m>;
    type Text = Vec<u8>;

    #[inline(always)]
    fn write(output: &mut Output<'_, 'm>, &value: &VALUE) -> Result<(), Stop> {
        match classify(value, output.take.memory) {
            Given::Array => output.collection(Some(value as usize), &value, None, false),
            Given::Hash if output.take.representer.is_none() || ruby::is_plain_hash(value) => {
                output.collection(Some(value as usize), &value, None, true)
            }
            Given::Tagged => tagged(output, value),
            Given::Symbol if output.take.plain_symbols && given::is_name(value) => {
                name(output, value)
            }
            what @ (Given::Hash | Given::Other | Given::Symbol) => object(output, value, what),
            what => scalar(output, value, what),
        }
    }

    fn run(body: impl FnOnce() -> Result<(), Stop>) -> Result<(), Stop> {
        ruby::run(body)
    }

    fn again(&mut self) -> Result<(), Stop> {
        if let Some(representer) = self.representer {
            ruby::value(representer).funcall::<_, _, Value>("permit_aliases!", ())?;
        }
        Ok(())
    }
}

/// Writes what the representer makes of an object, if there is one: a collection, a tagged value, or a
/// scalar. A string is then plain.
#[cold]
fn object(output: &mut Output<'_, '_>, value: VALUE, what: Given) -> Result<(), Stop> {
    let Some(representer) = output.take.representer else { return scalar(output, value, what) };
    let represented =
        ruby::value(representer).funcall::<_, _, Value>("represent", (ruby::value(value),));
    let made = ruby::raw(represented?);
    match classify(made, output.take.memory) {
        given @ (Given::Array | Given::Hash) => {
            let is_mapping = matches!(given, Given::Hash);
            output.collection(Some(made as usize), &made, None, is_mapping)
        }
        Given::Tagged if matches!(what, Given::Other) => stand_in(output, made),
        Given::Tagged => tagged(output, made),
        Given::Text => plain(output, made),
        what => scalar(output, made, what),
    }
}

/// Writes a `Ketch::Tagged` that represents an object. Since the object may occur again, a scalar may need
/// an anchor. Without a tag, it is plain.
#[cold]
fn stand_in(output: &mut Output<'_, '_>, object: VALUE) -> Result<(), Stop> {
    let (tag, value) = (ruby::member(object, 0), ruby::member(object, 1));
    let what = match classify(value, output.take.memory) {
        Given::Array | Given::Hash => return tagged(output, object),
        what => what,
    };
    let Some(anchor) = output.meet(object as usize)? else { return Ok(()) };
    let tag = (tag != ruby::NIL).then_some(tag);
    text_of_object(output, value, what, tag, anchor.as_deref())
}

/// Writes the value of a `Ketch::Tagged`, together with the tag.
#[cold]
fn tagged(output: &mut Output<'_, '_>, object: VALUE) -> Result<(), Stop> {
    let (tag, value) = (ruby::member(object, 0), ruby::member(object, 1));
    match classify(value, output.take.memory) {
        given @ (Given::Array | Given::Hash) => {
            // SAFETY: the object, which contains the tag, is on the stack, and Ruby is only called
            // once the tag is written.
            let tag = unsafe { tag_text(tag) };
            let tag = if output.is_counting() { None } else { Some(tag?) };
            let is_mapping = matches!(given, Given::Hash);
            output.collection(Some(object as usize), &value, tag, is_mapping)
        }
        what => text_of_object(output, value, what, Some(tag), None),
    }
}

/// Writes a scalar.
#[inline(always)]
fn scalar(output: &mut Output<'_, '_>, value: VALUE, what: Given) -> Result<(), Stop> {
    if output.is_counting() {
        return Ok(());
    }
    output.native(match what {
        Given::Null => Native::Null,
        Given::Bool(value) => Native::Bool(value),
        Given::Int(value) => Native::Int(value),
        Given::Float(value) => Native::Float(value),
        // SAFETY: it is a string on the marked stack, and writing does not call Ruby.
        Given::Text => match unsafe { given::content(value) } {
            Content::Text("<<") => return output.merge_key_as_text(),
            Content::Text(text) => Native::Str(text),
            Content::Bytes(bytes) => bytes_or_ascii(bytes),
            Content::Other => return converted(output, given::in_utf8(value)?),
        },
        Given::Symbol => return converted(output, ruby::symbol_name(value)),
        _ => return rare(output, value, what),
    })
}

/// Writes a string that does not occur in the written objects, such as a converted copy.
#[cold]
fn converted(output: &mut Output<'_, '_>, string: VALUE) -> Result<(), Stop> {
    // SAFETY: it is a string, which the machine's stack keeps alive, and writing does not call Ruby.
    output.native(match unsafe { given::content(string) } {
        Content::Text(text) => Native::Str(text),
        Content::Bytes(bytes) => bytes_or_ascii(bytes),
        Content::Other => return converted(output, given::in_utf8(string)?),
    })
}

/// Writes a symbol as a plain scalar that starts with a colon, as Psych does.
fn name(output: &mut Output<'_, '_>, symbol: VALUE) -> Result<(), Stop> {
    // SAFETY: the name is a string that the symbol keeps alive, and writing does not call Ruby.
    let name = unsafe { given::bytes(ruby::symbol_name(symbol)) };
    let text = format!(":{}", String::from_utf8_lossy(name));
    output.scalar(&text, ScalarStyle::Plain, Properties::NONE)
}

/// Writes a string that a representer has returned, without quotes.
#[cold]
fn plain(output: &mut Output<'_, '_>, string: VALUE) -> Result<(), Stop> {
    // SAFETY: it is a string, which the representer keeps alive, and writing does not call Ruby.
    match unsafe { given::content(string) } {
        Content::Text(text) => output.scalar(text, ScalarStyle::Plain, Properties::NONE),
        _ if output.is_counting() => Ok(()),
        _ => converted(output, string),
    }
}

/// Writes a scalar of one of the rarer classes: a big integer, a time or a date.
#[cold]
fn rare(output: &mut Output<'_, '_>, value: VALUE, what: Given) -> Result<(), Stop> {
    match what {
        Given::Big => output.native(Native::BigInt(&given::digits(value)?)),
        _ => output.native(Native::Timestamp(given::timestamp(value)?)),
    }
}

/// Writes the content of a scalar, regardless of its class: as text if it has a tag, and as a plain
/// scalar otherwise.
#[cold]
fn text_of_object(
    output: &mut Output<'_, '_>,
    value: VALUE,
    what: Given,
    tag: Option<VALUE>,
    anchor: Option<&str>,
) -> Result<(), Stop> {
    if output.is_counting() {
        return Ok(());
    }
    let text = match what {
        Given::Text => value,
        Given::Null => ruby::string(b""),
        _ => ruby::raw(ruby::value(value).funcall::<_, _, Value>("to_s", ())?),
    };
    // SAFETY: both are strings that the marked stack or the machine's stack keeps alive, and
    // writing does not call Ruby.
    let (content, tag) = unsafe { (given::content(text), tag.map(|tag| tag_text(tag))) };
    let Content::Text(content) = content else {
        let message = "the content of a tagged scalar has to be text in UTF-8";
        return Err(Error::new(handle().exception_encoding_error(), message).into());
    };
    let style = if tag.is_some() { ScalarStyle::Text } else { ScalarStyle::Plain };
    output.scalar(content, style, Properties { anchor, tag: tag.transpose()? })
}

/// Returns a handle for calls to Ruby.
fn handle() -> Ruby {
    // SAFETY: this code runs only on Ruby threads: all entry points are Ruby methods.
    unsafe { Ruby::get_unchecked() }
}

/// Returns `bytes` as text if they are all ASCII, and otherwise as binary data.
fn bytes_or_ascii(bytes: &[u8]) -> Native<'_> {
    match std::str::from_utf8(bytes) {
        Ok(text) if text.is_ascii() => Native::Str(text),
        _ => Native::Binary(bytes),
    }
}

/// Returns the text of a tag. Fails if the tag is not a string, is empty, or is not valid UTF-8.
///
/// # Safety
///
/// See [`given::content`].
unsafe fn tag_text<'s>(tag: VALUE) -> Result<&'s str, Stop> {
    // SAFETY: the value is checked to be a string; everything else is required by the contract.
    let content = ruby::is_string(tag).then(|| unsafe { given::content(tag) });
    match content {
        Some(Content::Text(text)) if !text.is_empty() => Ok(text),
        _ => {
            let message = "the tag of a Ketch::Tagged has to be text that is not empty";
            Err(Error::new(handle().exception_type_error(), message).into())
        }
    }
}
