//! Objects to YAML.
//!
//! A collection that occurs more than once gets an anchor ([`ketch_host::dump`]).

use crate::failure;
use crate::given::{self, Content, Given};
use crate::memory::{Lease, Memory};
use crate::options::DumpOptions;
use crate::ruby::{self, VALUE};
use crate::walk::{Collection, Receiver, Walk};
use ketch_host::dump::{self, Anchors, merge_key_as_text};
use ketch_yaml::present::{PresentError, Presenter, Properties, ScalarStyle};
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
    let documents = memory.stack.len();
    let mut text = write_all(memory, documents, options, false);
    if matches!(text, Err(Stop::Dump(dump::Stop::Again))) {
        if let Some(representer) = options.representer {
            ruby::value(representer).funcall::<_, _, Value>("permit_aliases!", ())?;
        }
        text = write_all(memory, documents, options, true);
    }
    let text = text.map_err(|stop| stop.into_exception(ruby))?;
    let string = ruby::protect(|| ruby::string(&text))?;
    Ok(ruby::value(string))
}

/// Writes the first `documents` values on the stack, each as a document. If `shares` is true,
/// collections that occur more than once get anchors.
fn write_all(
    memory: &Memory,
    documents: usize,
    options: &DumpOptions,
    shares: bool,
) -> Result<Vec<u8>, Stop> {
    let mut walk = Walk::with_options(memory, options);
    let mut presenter = Presenter::with_options(Vec::new(), &options.present);
    for at in 0..documents {
        let root = memory.stack.get(at);
        memory.stack.truncate(documents);
        let mut anchors = Anchors::default();
        if shares {
            ruby::run(|| walk.run(root, &mut Counter(&mut anchors)))?;
            anchors.counted();
        }
        memory.stack.truncate(documents);
        presenter.start_document(options.header)?;
        let mut writer = Writer { presenter: &mut presenter, anchors: &mut anchors };
        ruby::run(|| walk.run(root, &mut writer))?;
        presenter.end_document(false)?;
    }
    memory.stack.truncate(documents);
    Ok(presenter.finish()?)
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

impl From<PresentError> for Stop {
    fn from(error: PresentError) -> Stop {
        Stop::Dump(error.into())
    }
}

/// Counts the occurrences of collections.
struct Counter<'w>(&'w mut Anchors);

impl Receiver for Counter<'_> {
    type Stop = Stop;

    fn scalar(&mut self, _: VALUE, _: Given, _: Option<VALUE>) -> Result<(), Stop> {
        Ok(())
    }

    fn stand_in(
        &mut self,
        object: VALUE,
        _: VALUE,
        _: Given,
        _: Option<VALUE>,
    ) -> Result<(), Stop> {
        self.0.count(object as usize).map_err(dump::Stop::from)?;
        Ok(())
    }

    fn start(&mut self, collection: &Collection) -> Result<bool, Stop> {
        Ok(self.0.count(collection.object as usize).map_err(dump::Stop::from)?)
    }

    fn end(&mut self, _: bool) -> Result<(), Stop> {
        Ok(())
    }
}

struct Writer<'w> {
    presenter: &'w mut Presenter<Vec<u8>>,
    anchors: &'w mut Anchors,
}

impl Receiver for Writer<'_> {
    type Stop = Stop;

    #[inline(always)]
    fn scalar(&mut self, value: VALUE, what: Given, tag: Option<VALUE>) -> Result<(), Stop> {
        let native = match what {
            _ if tag.is_some() => return self.tagged_scalar(value, what, tag),
            Given::Null => Native::Null,
            Given::Bool(value) => Native::Bool(value),
            Given::Int(value) => Native::Int(value),
            Given::Float(value) => Native::Float(value),
            // SAFETY: it is a string on the marked stack, and writing does not call Ruby.
            Given::Text => match unsafe { given::content(value) } {
                Content::Text("<<") => return Ok(merge_key_as_text(self.presenter)?),
                Content::Text(text) => Native::Str(text),
                Content::Bytes(bytes) => bytes_or_ascii(bytes),
                Content::Other => return self.converted(given::in_utf8(value)?),
            },
            Given::Symbol => return self.converted(ruby::symbol_name(value)),
            Given::Plain => return self.plain(value),
            Given::Name => return self.name(value),
            _ => return self.other(value, what),
        };
        Ok(self.presenter.native(native, Properties::NONE)?)
    }

    #[cold]
    fn stand_in(
        &mut self,
        object: VALUE,
        value: VALUE,
        what: Given,
        tag: Option<VALUE>,
    ) -> Result<(), Stop> {
        let Some(number) = self.anchors.meet(self.presenter, object as usize)? else {
            return Ok(());
        };
        let anchor = number.map(|number| number.to_string());
        self.text_of_object(value, what, tag, anchor.as_deref())
    }

    fn start(&mut self, collection: &Collection) -> Result<bool, Stop> {
        let &Collection { object, tag, is_mapping } = collection;
        // SAFETY: the stack holds the tag, or the object that contains it, and writing does not
        // call Ruby.
        let tag = tag.map(|tag| unsafe { tag_text(tag) }).transpose()?;
        Ok(self.anchors.start(self.presenter, Some(object as usize), tag, is_mapping)?)
    }

    fn end(&mut self, is_mapping: bool) -> Result<(), Stop> {
        Ok(Anchors::end(self.presenter, is_mapping)?)
    }
}

impl Writer<'_> {
    /// Writes a string that does not occur in the written objects, such as a converted copy.
    #[cold]
    fn converted(&mut self, string: VALUE) -> Result<(), Stop> {
        // SAFETY: it is a string, which the machine's stack keeps alive, and writing does not call
        // Ruby.
        let native = match unsafe { given::content(string) } {
            Content::Text(text) => Native::Str(text),
            Content::Bytes(bytes) => bytes_or_ascii(bytes),
            Content::Other => return self.converted(given::in_utf8(string)?),
        };
        Ok(self.presenter.native(native, Properties::NONE)?)
    }

    /// Writes a symbol as a plain scalar that starts with a colon, as Psych does.
    fn name(&mut self, symbol: VALUE) -> Result<(), Stop> {
        // SAFETY: the name is a string that the symbol keeps alive, and writing does not call Ruby.
        let name = unsafe { given::bytes(ruby::symbol_name(symbol)) };
        let text = format!(":{}", String::from_utf8_lossy(name));
        Ok(self.presenter.scalar(&text, ScalarStyle::Plain, Properties::NONE)?)
    }

    /// Writes a string that a representer has returned, without quotes.
    #[cold]
    fn plain(&mut self, string: VALUE) -> Result<(), Stop> {
        // SAFETY: it is a string, which the representer keeps alive, and writing does not call
        // Ruby.
        let Content::Text(text) = (unsafe { given::content(string) }) else {
            return self.converted(string);
        };
        Ok(self.presenter.scalar(text, ScalarStyle::Plain, Properties::NONE)?)
    }

    /// Writes a scalar of one of the rarer classes: a big integer, a time or a date.
    #[cold]
    fn other(&mut self, value: VALUE, what: Given) -> Result<(), Stop> {
        match what {
            Given::Big => {
                let digits = given::digits(value)?;
                self.presenter.native(Native::BigInt(&digits), Properties::NONE)?;
            }
            _ => {
                let time = given::timestamp(value)?;
                self.presenter.native(Native::Timestamp(time), Properties::NONE)?;
            }
        }
        Ok(())
    }

    /// Writes a scalar that has a tag. Its content is written as text, regardless of its class.
    #[cold]
    fn tagged_scalar(&mut self, value: VALUE, what: Given, tag: Option<VALUE>) -> Result<(), Stop> {
        self.text_of_object(value, what, tag, None)
    }

    /// Writes the content of a scalar as text if it has a tag, and as a plain scalar otherwise.
    fn text_of_object(
        &mut self,
        value: VALUE,
        what: Given,
        tag: Option<VALUE>,
        anchor: Option<&str>,
    ) -> Result<(), Stop> {
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
        let properties = Properties { anchor, tag: tag.transpose()? };
        Ok(self.presenter.scalar(content, style, properties)?)
    }
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
