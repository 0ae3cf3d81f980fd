//! Walks through Ruby values without recursion.
//!
//! The entries of open collections are on the marked stack, so that Ruby code that runs during the
//! walk (to convert a string, for example) cannot change them.

use crate::given::{self, Given, classify, push_children};
use crate::memory::{Memory, Stack};
use crate::options::DumpOptions;
use crate::ruby::{self, VALUE};
use magnus::{Error, Ruby, Value, prelude::*};

/// Receives the values of a walk in order.
pub trait Receiver {
    /// The reason why a receiver stops the walk.
    type Stop: From<Error>;

    /// Receives a value other than a collection, with its tag if it has one.
    fn scalar(&mut self, value: VALUE, what: Given, tag: Option<VALUE>) -> Result<(), Self::Stop>;

    /// Receives a scalar that represents `object`. Since the object may occur again, the scalar may
    /// need an anchor. Without a tag, the scalar is plain.
    fn stand_in(
        &mut self,
        object: VALUE,
        value: VALUE,
        what: Given,
        tag: Option<VALUE>,
    ) -> Result<(), Self::Stop>;

    /// Receives the start of a collection. Returns whether to walk through it; if not, no end is
    /// received.
    fn start(&mut self, collection: &Collection) -> Result<bool, Self::Stop>;

    /// Receives the end of the innermost collection.
    fn end(&mut self, is_mapping: bool) -> Result<(), Self::Stop>;
}

/// A collection whose start a receiver gets.
#[derive(Clone, Copy, Debug)]
pub struct Collection {
    /// The array or hash, or the `Ketch::Tagged` around it.
    pub object: VALUE,
    pub tag: Option<VALUE>,
    pub is_mapping: bool,
}

/// A walk through Ruby values. It can be run several times.
#[derive(Debug)]
pub struct Walk<'m> {
    memory: &'m Memory,
    /// Converts objects that are not values of YAML.
    representer: Option<VALUE>,
    /// Whether symbols for which [`given::is_name`] is true are written without the representer.
    plain_symbols: bool,
    /// Whether the entries of hashes are sorted by key.
    sorts: bool,
    open: Vec<Open>,
    turn: u32,
}

/// An open collection. The fields are indices on the stack, which holds its children.
#[derive(Clone, Copy, Debug)]
struct Open {
    start: usize,
    next: usize,
    end: usize,
    is_mapping: bool,
}

/// The number of values that are visited between two checks for interrupts.
const VALUES_A_TURN: u32 = 4096;

impl<'m> Walk<'m> {
    /// Creates a walk through values on the stack of `memory`.
    pub fn new(memory: &'m Memory) -> Walk<'m> {
        Walk {
            memory,
            representer: None,
            plain_symbols: false,
            sorts: false,
            open: Vec::new(),
            turn: 0,
        }
    }

    /// Creates a walk for writing with these options. It calls the representer, if there is one, for
    /// objects that Psych writes in a special form.
    pub fn with_options(memory: &'m Memory, options: &DumpOptions) -> Walk<'m> {
        let DumpOptions { representer, plain_symbols, sort_keys, .. } = *options;
        Walk { representer, plain_symbols, sorts: sort_keys, ..Walk::new(memory) }
    }

    /// Walks through `root`, which is on the stack. This may only be called inside `protect`.
    pub fn run<R: Receiver>(&mut self, root: VALUE, receiver: &mut R) -> Result<(), R::Stop> {
        self.open.clear();
        self.value(root, receiver)?;
        while let Some(open) = self.open.last_mut() {
            if open.next < open.end {
                let value = self.memory.stack.get(open.next);
                open.next += 1;
                self.value(value, receiver)?;
                continue;
            }
            let Open { start, is_mapping, .. } = *open;
            self.open.pop();
            self.memory.stack.truncate(start);
            receiver.end(is_mapping)?;
        }
        Ok(())
    }

    /// Passes a scalar to the receiver, or opens a collection.
    #[inline(always)]
    fn value<R: Receiver>(&mut self, value: VALUE, receiver: &mut R) -> Result<(), R::Stop> {
        self.turn = self.turn.wrapping_add(1);
        if self.turn.is_multiple_of(VALUES_A_TURN) {
            ruby::check_interrupts();
        }
        match classify(value, self.memory) {
            Given::Array => self.collection(value, value, None, false, receiver),
            Given::Hash if self.representer.is_none() || ruby::is_plain_hash(value) => {
                self.collection(value, value, None, true, receiver)
            }
            Given::Tagged => self.tagged(value, receiver),
            Given::Symbol if self.plain_symbols && given::is_name(value) => {
                receiver.scalar(value, Given::Name, None)
            }
            what @ (Given::Hash | Given::Other | Given::Symbol) => {
                self.object(value, what, receiver)
            }
            what => receiver.scalar(value, what, None),
        }
    }

    /// Converts an object with the representer, and visits the result: a collection, a tagged
    /// value, or a scalar. A string is then plain.
    #[cold]
    fn object<R: Receiver>(
        &mut self,
        value: VALUE,
        what: Given,
        receiver: &mut R,
    ) -> Result<(), R::Stop> {
        let Some(representer) = self.representer else { return receiver.scalar(value, what, None) };
        let represented =
            ruby::value(representer).funcall::<_, _, Value>("represent", (ruby::value(value),));
        let stand_in = ruby::raw(represented?);
        match classify(stand_in, self.memory) {
            Given::Array => self.collection(stand_in, stand_in, None, false, receiver),
            Given::Hash => self.collection(stand_in, stand_in, None, true, receiver),
            Given::Tagged if matches!(what, Given::Other) => self.stand_in(stand_in, receiver),
            Given::Tagged => self.tagged(stand_in, receiver),
            Given::Text => receiver.scalar(stand_in, Given::Plain, None),
            what => receiver.scalar(stand_in, what, None),
        }
    }

    /// Visits a `Ketch::Tagged` that represents an object.
    #[cold]
    fn stand_in<R: Receiver>(&mut self, tagged: VALUE, receiver: &mut R) -> Result<(), R::Stop> {
        let (tag, value) = (ruby::member(tagged, 0), ruby::member(tagged, 1));
        match classify(value, self.memory) {
            Given::Array | Given::Hash => self.tagged(tagged, receiver),
            what => receiver.stand_in(tagged, value, what, (tag != ruby::NIL).then_some(tag)),
        }
    }

    /// Visits the value of a `Ketch::Tagged`, together with the tag.
    #[cold]
    fn tagged<R: Receiver>(&mut self, tagged: VALUE, receiver: &mut R) -> Result<(), R::Stop> {
        let (tag, value) = (ruby::member(tagged, 0), ruby::member(tagged, 1));
        match classify(value, self.memory) {
            Given::Array => self.collection(tagged, value, Some(tag), false, receiver),
            Given::Hash => self.collection(tagged, value, Some(tag), true, receiver),
            what => receiver.scalar(value, what, Some(tag)),
        }
    }

    /// Passes the start of a collection to the receiver, and opens the collection if the receiver
    /// asks for its content.
    fn collection<R: Receiver>(
        &mut self,
        object: VALUE,
        holder: VALUE,
        tag: Option<VALUE>,
        is_mapping: bool,
        receiver: &mut R,
    ) -> Result<(), R::Stop> {
        if receiver.start(&Collection { object, tag, is_mapping })? {
            let stack = &self.memory.stack;
            let start = stack.len();
            if is_mapping && self.sorts {
                push_sorted(holder, stack)?;
            } else {
                push_children(holder, is_mapping, stack);
            }
            self.open.push(Open { start, next: start, end: stack.len(), is_mapping });
        }
        Ok(())
    }
}

/// Pushes the alternating keys and values of a hash, sorted by key.
#[cold]
fn push_sorted(hash: VALUE, stack: &Stack) -> Result<(), Error> {
    let hash = ruby::value(hash);
    let ketch = Ruby::get_with(hash).define_module("Ketch")?;
    let sorted: Value = ketch.funcall("sorted", (hash,))?;
    push_children(ruby::raw(sorted), false, stack);
    Ok(())
}
