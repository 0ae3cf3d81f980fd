//! Builds objects from composed documents.

use super::builder::{Builder, Step};
use super::source::Source;
use super::stop::{Stop, exception_for};
use crate::given;
use crate::holder;
use crate::interrupt;
use crate::memory::{Buffers, Lease, Memory};
use crate::options::LoadOptions;
use crate::ruby::{self, VALUE};
use ketch_host::load::Make;
use ketch_host::tree::{Convert, Ended, Place, Tree};
use ketch_yaml::compose::{Kind, Node};
use ketch_yaml::schema::Scalar;
use ketch_yaml::{Document, Documents, ReadParser};
use magnus::{RString, Ruby, Value, prelude::*};
use std::borrow::Cow;
use std::cell::RefCell;
use std::io::{self, Read};
use std::rc::Rc;

/// Loads the values of all documents onto the stack.
pub fn documents(
    text: &[u8],
    options: &LoadOptions,
    memory: &Memory,
    buffers: &mut Buffers,
) -> Result<(), Stop> {
    let mut document = std::mem::take(&mut buffers.document).recycle();
    let mut documents = Documents::with_options(text, &options.parse, &options.compose);
    let mut load_all = || {
        while documents.next_into(&mut document)? {
            load(&document, document.root(), options, memory, &mut buffers.decoded)?;
        }
        Ok(())
    };
    let result = load_all();
    buffers.document = document.recycle();
    result
}

/// Loads the value of a node onto the stack.
fn load(
    document: &Document<'_>,
    node: Node<'_>,
    options: &LoadOptions,
    memory: &Memory,
    decoded: &mut Vec<u8>,
) -> Result<(), Stop> {
    // This is created before `run`, since the frames that an exception unwinds must not own
    // anything.
    let builder = Builder::new(options, document.text().len(), false, memory);
    let mut tree = Tree::new(builder, document, &options.compose, decoded);
    ruby::run(|| tree.build(document.node(node.id()), Place::VALUE))
}

/// Yields the values of the documents in `from`, a string or an IO, one after another.
pub fn each_document(ruby: &Ruby, from: Value, options: &LoadOptions) -> Result<(), magnus::Error> {
    let raised_by_io = Rc::new(RefCell::new(None));
    let reader = Input::of(ruby, from, Rc::clone(&raised_by_io))?;
    let parser = ReadParser::with_options(reader, &options.parse);
    let mut documents = Documents::from_source(parser, &options.compose);
    let mut document = Document::new();
    loop {
        match documents.next_into(&mut document) {
            Ok(true) => {
                let value = match options.positions {
                    false => value_of(ruby, &document, document.root(), options)?,
                    true => located(ruby, std::mem::take(&mut document), options)?,
                };
                ruby.yield_value::<Value, Value>(value)?;
            }
            Ok(false) => return Ok(()),
            Err(error) => {
                let by_io = raised_by_io.borrow_mut().take();
                return Err(
                    by_io.unwrap_or_else(|| exception_for(ruby, Stop::Yaml(error), options))
                );
            }
        }
    }
}

/// Returns a `Ketch::Located` that holds a document and its value.
fn located(
    ruby: &Ruby,
    document: Document<'static>,
    options: &LoadOptions,
) -> Result<Value, magnus::Error> {
    let held = holder::held(ruby, document, options);
    ruby.define_module("Ketch")?.funcall("located", (held, options.filename.as_deref()))
}

/// Returns the Ruby value of a node.
pub fn value_of(
    ruby: &Ruby,
    document: &Document<'_>,
    node: Node<'_>,
    options: &LoadOptions,
) -> Result<Value, magnus::Error> {
    let lease = Lease::take(ruby)?;
    load(document, node, options, lease.memory(), &mut lease.buffers().decoded)
        .map_err(|stop| exception_for(ruby, stop, options))?;
    Ok(ruby::value(lease.memory().stack.get(0)))
}

/// The input from which a stream of documents is read.
struct Input {
    from: Origin,
    /// The exception that a read has raised, if any.
    raised: Rc<RefCell<Option<magnus::Error>>>,
}

enum Origin {
    Text(io::Cursor<Vec<u8>>),
    /// An object with a method `read`.
    Io(Value),
}

impl Input {
    /// Returns the input for a string or an IO.
    fn of(
        ruby: &Ruby,
        from: Value,
        raised: Rc<RefCell<Option<magnus::Error>>>,
    ) -> Result<Input, magnus::Error> {
        if RString::from_value(from).is_none() && from.respond_to("read", false)? {
            return Ok(Input { from: Origin::Io(from), raised });
        }
        let lease = Lease::take(ruby)?;
        let source = Source::read(ruby, from, &lease)?;
        let text = io::Cursor::new(source.bytes().to_vec());
        Ok(Input { from: Origin::Text(text), raised })
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Input { from, raised } = self;
        let read = match from {
            Origin::Text(text) => {
                interrupt::check().map(|()| text.read(buffer).unwrap_or_default())
            }
            Origin::Io(object) => read_some(*object, buffer),
        };
        read.map_err(|error| {
            *raised.borrow_mut() = Some(error);
            io::Error::other("Ruby has raised")
        })
    }
}

/// Reads at most `buffer.len()` bytes from a Ruby object. If the object has a method `readpartial`,
/// uses it, so as not to wait until `buffer` is full.
fn read_some(object: Value, buffer: &mut [u8]) -> Result<usize, magnus::Error> {
    let ruby = Ruby::get_with(object);
    let method = if object.respond_to("readpartial", false)? { "readpartial" } else { "read" };
    let read = match object.funcall::<_, _, Option<RString>>(method, (buffer.len(),)) {
        Err(error) if error.is_kind_of(ruby.exception_eof_error()) => None,
        read => read?,
    };
    let Some(string) = read else { return Ok(0) };
    // SAFETY: the string is live, and Ruby does not run while its bytes are copied.
    let bytes = unsafe { given::bytes(ruby::raw(string)) };
    let Some(target) = buffer.get_mut(..bytes.len()) else {
        let message = "`read` returned more bytes than requested";
        return Err(magnus::Error::new(ruby.exception_io_error(), message));
    };
    target.copy_from_slice(bytes);
    Ok(bytes.len())
}

impl Convert for Builder<'_> {
    fn scalar(&mut self, scalar: Scalar<'_, Cow<'_, [u8]>>, _: Node<'_>, _: Place) -> Step {
        self.push_scalar(scalar)
    }

    fn open(&mut self, node: Node<'_>, tag: Option<&str>) -> Step {
        let is_mapping = node.kind() == Kind::Mapping;
        let object = if is_mapping { ruby::new_hash() } else { ruby::new_array() };
        self.stack.push(object);
        if let Some(tag) = tag {
            self.stack.push(self.keys.string(tag.as_bytes()));
            self.stack.push(object);
            self.wrap()?;
        }
        Ok(())
    }

    fn close(&mut self, ended: Ended) -> Result<bool, Stop> {
        let Ended { start, is_mapping, is_open, is_tagged, .. } = ended;
        let values = self.stack.from(start);
        if !is_open && !is_mapping {
            self.finish(start, ruby::array(values))?;
            return Ok(true);
        }
        let at = if is_open { start - 1 - usize::from(is_tagged) } else { start };
        let object = if is_open { self.stack.get(at) } else { ruby::new_hash() };
        if is_mapping {
            ruby::hash_fill(object, values);
            if ruby::hash_len(object) * 2 != values.len() {
                return Ok(false);
            }
        } else {
            ruby::array_extend(object, values);
        }
        if self.freeze {
            ruby::freeze(object);
        }
        // Of the object and the `Ketch::Tagged` that contains it, the latter stays.
        self.finish(at, if is_open && is_tagged { self.stack.get(at + 1) } else { object })?;
        Ok(true)
    }

    #[cold]
    fn repeated(&mut self, start: usize) -> Result<(usize, usize), Stop> {
        let pairs = self.stack.from(start);
        let keys = || pairs.iter().step_by(2).copied();
        let seen = ruby::new_hash();
        let is_again = |key: VALUE| {
            let is_again = ruby::hash_has(seen, key);
            ruby::hash_set(seen, key, key);
            is_again
        };
        let again = keys().position(is_again).unwrap_or_default();
        let only = ruby::new_hash();
        ruby::hash_set(only, pairs[2 * again], pairs[2 * again]);
        let first = keys().position(|key| ruby::hash_has(only, key)).unwrap_or_default();
        Ok((first, again))
    }

    fn pause(&mut self) -> Step {
        ruby::check_interrupts();
        Ok(())
    }

    /// With `symbolize_names`, the same scalar is a symbol as a key and a string elsewhere.
    fn shares(&self, is_collection: bool, _: Place) -> bool {
        is_collection || !self.symbolize_names
    }
}
