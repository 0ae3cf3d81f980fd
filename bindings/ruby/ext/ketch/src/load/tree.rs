//! Builds objects from composed documents. This covers all of YAML: tags, merge keys, and aliases
//! to collections that contain them.
//!
//! The object for a collection is created when the collection starts, and is filled when it ends,
//! so that it can contain itself.

use super::scalar;
use super::source::Source;
use super::stop::{Stop, exception_for};
use crate::given;
use crate::holder;
use crate::interrupt;
use crate::memory::{Buffers, Lease, Memory, Stack};
use crate::options::LoadOptions;
use crate::ruby::{self, VALUE};
use ketch_host::walk::{Children, RepeatBudget};
use ketch_yaml::compose::{Kind, Node};
use ketch_yaml::schema::{Scalar, Schema};
use ketch_yaml::tag::is_known;
use ketch_yaml::{Document, Documents, Error, FloatKeys, Location, Problem, ReadParser};
use magnus::{RString, Ruby, Value, prelude::*};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::io::{self, Read};
use std::rc::Rc;

/// The number of nodes that are loaded between two checks for interrupts.
const NODES_A_TURN: u32 = 4096;

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
    let mut tree = Tree::new(document, options, memory, decoded);
    ruby::run(|| tree.build(document.node(node.id())))
}

/// Returns the location at which the second document of a stream starts. There has to be one.
pub fn second_document(text: &[u8], options: &LoadOptions) -> Location {
    let mut parse = options.parse;
    parse.interrupt = None;
    let mut documents = Documents::with_options(text, &parse, &options.compose);
    match documents.nth(1) {
        Some(Ok(document)) => document.root().location(),
        _ => Location::at_offset(0, 0),
    }
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

struct Tree<'d, 'm> {
    document: &'d Document<'d>,
    options: &'m LoadOptions,
    schema: Schema,
    memory: &'m Memory,
    decoded: &'m mut Vec<u8>,
    open: Vec<Open<'d>>,
    /// For each node that aliases may refer to, the index of its value in `Memory::anchored`.
    known: HashMap<usize, usize>,
    budget: RepeatBudget,
    turn: u32,
}

/// An open collection.
struct Open<'d> {
    node: Node<'d>,
    children: Children<'d>,
    /// The index of the collection's object on the stack, where it precedes the collection's
    /// values.
    at: usize,
    is_tagged: bool,
}

impl<'d, 'm> Tree<'d, 'm> {
    /// Prepares to load nodes of `document`.
    fn new(
        document: &'d Document<'d>,
        options: &'m LoadOptions,
        memory: &'m Memory,
        decoded: &'m mut Vec<u8>,
    ) -> Tree<'d, 'm> {
        Tree {
            document,
            options,
            schema: options.compose.schema,
            memory,
            decoded,
            open: Vec::new(),
            known: HashMap::new(),
            budget: RepeatBudget::new(document, &options.compose.limits),
            turn: 0,
        }
    }

    /// Returns the stack of values.
    fn stack(&self) -> &'m Stack {
        &self.memory.stack
    }

    /// Loads the value of a node and everything in it onto the stack.
    fn build(&mut self, root: Node<'d>) -> Result<(), Stop> {
        root.check_keys(FloatKeys::Rounded)?;
        self.node(root, false)?;
        while let Some(open) = self.open.last_mut() {
            match open.children.next() {
                Some((child, is_key)) => self.node(child, is_key)?,
                None => self.end()?,
            }
        }
        Ok(())
    }

    /// Adds the value of a scalar, or starts a collection.
    fn node(&mut self, node: Node<'d>, is_key: bool) -> Result<(), Stop> {
        self.turn += 1;
        if self.turn.is_multiple_of(NODES_A_TURN) {
            ruby::check_interrupts();
        }
        let node = node.resolved();
        let is_collection = node.kind() != Kind::Scalar;
        if is_key && is_collection {
            self.budget.count_key(node, self.document)?;
        }
        // This check comes first because most documents have no anchors.
        let known = if self.known.is_empty() { None } else { self.known.get(&node.id().index()) };
        // With `symbolize_names`, the same scalar is a symbol as a key and a string elsewhere.
        let is_shared = is_collection || !self.options.symbolize_names;
        if let Some(&known) = known.filter(|_| is_shared) {
            self.stack().push(self.memory.anchored.get(known));
            return Ok(());
        }
        if is_collection { self.start(node) } else { self.scalar(node, is_key) }
    }

    /// Starts a collection, and creates its object.
    fn start(&mut self, node: Node<'d>) -> Result<(), Stop> {
        let is_mapping = node.kind() == Kind::Mapping;
        let children = Children::of(node, self.document, &mut self.budget)?;
        // From here on, the frame owns the children.
        self.open.push(Open { node, children, at: self.stack().len(), is_tagged: false });
        let object = if is_mapping { ruby::new_hash() } else { ruby::new_array() };
        self.stack().push(object);
        let outer = self.tagged(node, object);
        if outer != object {
            self.stack().push(outer);
        }
        if let Some(open) = self.open.last_mut() {
            open.is_tagged = outer != object;
        }
        self.remember(node, outer);
        Ok(())
    }

    /// Fills the object of the innermost collection with its values, and ends the collection.
    fn end(&mut self) -> Result<(), Stop> {
        let Some(open) = self.open.pop() else { return Ok(()) };
        let Open { node, at, is_tagged, children } = open;
        let is_mapping = node.kind() == Kind::Mapping;
        // The iterator is exhausted and owns hardly any memory, but an exception must not unwind
        // it.
        drop(children);
        let stack = self.stack();
        let object = stack.get(at);
        let values = stack.from(at + 1 + usize::from(is_tagged));
        if is_mapping {
            ruby::hash_fill(object, values);
            if ruby::hash_len(object) * 2 != values.len() {
                return Err(self.equal_keys(node, values)?);
            }
        } else {
            ruby::array_extend(object, values);
        }
        if self.options.freeze {
            ruby::freeze(object);
        }
        let outer = if is_tagged { stack.get(at + 1) } else { object };
        stack.truncate(at);
        stack.push(outer);
        Ok(())
    }

    /// Returns the error for the first of the keys in `pairs` that equals an earlier one.
    #[cold]
    fn equal_keys(&mut self, node: Node<'d>, pairs: &[VALUE]) -> Result<Stop, Stop> {
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
        let keys = Children::of(node, self.document, &mut self.budget)?;
        Ok(keys.repeated((first, again)).into())
    }

    /// Adds a scalar.
    fn scalar(&mut self, node: Node<'d>, is_key: bool) -> Result<(), Stop> {
        if let Some(text) = node.verbatim_text(self.schema) {
            let value = self.text(text, is_key);
            self.stack().push(value);
            if !is_key || node.anchor_span().is_some() {
                self.remember(node, value);
            }
            return Ok(());
        }
        let value = self.scalar_value(node, is_key)?;
        self.stack().push(value);
        let outer = self.tagged(node, value);
        if outer != value {
            let stack = self.stack();
            stack.truncate(stack.len() - 1);
            stack.push(outer);
        }
        if !is_key || node.anchor_span().is_some() {
            self.remember(node, outer);
        }
        Ok(())
    }

    /// Returns the value of a scalar whose content is not simply its text in the source.
    fn scalar_value(&mut self, node: Node<'d>, is_key: bool) -> Result<VALUE, Stop> {
        match node.scalar_bytes(self.schema)? {
            Scalar::Str(Cow::Borrowed(text)) => Ok(self.text(text, is_key)),
            Scalar::Str(Cow::Owned(text)) => {
                // An exception must not unwind the frame that owns this buffer, so the buffer is
                // moved.
                *self.decoded = text;
                Ok(self.text(self.decoded, is_key))
            }
            Scalar::Merge => Ok(self.text(b"<<", is_key)),
            Scalar::Unresolved(_) => {
                Err(Error::at(Problem::UnresolvedScalar, node.location()).into())
            }
            other => {
                let value = scalar::value(other)?.unwrap_or(ruby::NIL);
                if self.options.freeze {
                    ruby::freeze(value);
                }
                Ok(value)
            }
        }
    }

    /// Returns a string, or a symbol if this is a key and the options ask for symbols.
    fn text(&self, text: &[u8], is_key: bool) -> VALUE {
        let keys = &self.memory.keys;
        match is_key {
            true if self.options.symbolize_names => keys.symbol(text),
            true => keys.string(text),
            false if self.options.freeze => keys.string(text),
            false => ruby::string(text),
        }
    }

    /// Returns a `Ketch::Tagged` with the tag of the node and the value, or just the value if the
    /// node has no tag, or one of YAML's own.
    fn tagged(&self, node: Node<'d>, value: VALUE) -> VALUE {
        match node.tag().filter(|tag| !is_known(tag)) {
            None => value,
            Some(tag) => {
                let tag = self.memory.keys.string(tag.as_bytes());
                let tagged = ruby::structure(self.memory.tagged_class, &[tag, value]);
                if self.options.freeze {
                    ruby::freeze(tagged);
                }
                tagged
            }
        }
    }

    /// Stores the value of a node, if an alias or a merge key may refer to the node later.
    fn remember(&mut self, node: Node<'d>, value: VALUE) {
        if self.document.merges() || node.anchor_span().is_some() {
            self.known.insert(node.id().index(), self.memory.anchored.len());
            self.memory.anchored.push(value);
        }
    }
}
