//! A walk through Ruby values, without recursion.
//!
//! The entries of a collection that is open stand on the marked stack, so nothing that Ruby code does
//! meanwhile (converting a string, say) can change what is walked through.

use crate::given::{Given, given, push_children};
use crate::memory::Memory;
use crate::ruby::{self, VALUE};

/// What takes the values, in order.
pub trait Receiver {
    /// Why it stops.
    type Stop;

    /// A value that is no collection. It may be tagged.
    fn scalar(&mut self, value: VALUE, what: Given, tag: Option<VALUE>) -> Result<(), Self::Stop>;

    /// A collection starts. Says whether to go in; if not, it has no end.
    fn start(&mut self, collection: &Collection) -> Result<bool, Self::Stop>;

    /// The innermost collection ends.
    fn end(&mut self, is_mapping: bool) -> Result<(), Self::Stop>;
}

/// A collection that starts.
#[derive(Clone, Copy, Debug)]
pub struct Collection {
    /// The array or hash, or the `Ketch::Tagged` around it.
    pub object: VALUE,
    pub tag: Option<VALUE>,
    pub is_mapping: bool,
}

/// A walk, which can be made several times.
#[derive(Debug)]
pub struct Walk<'m> {
    memory: &'m Memory,
    open: Vec<Open>,
    turn: u32,
}

/// A collection that is open: its children stand on the stack.
#[derive(Clone, Copy, Debug)]
struct Open {
    start: usize,
    next: usize,
    end: usize,
    is_mapping: bool,
}

/// So many values are walked through between two looks at what other threads want.
const VALUES_A_TURN: u32 = 4096;

impl<'m> Walk<'m> {
    pub fn new(memory: &'m Memory) -> Walk<'m> {
        Walk { memory, open: Vec::new(), turn: 0 }
    }

    /// Walks through `root`, which is on the stack. To be called inside of `protect`.
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

    #[inline(always)]
    fn value<R: Receiver>(&mut self, value: VALUE, receiver: &mut R) -> Result<(), R::Stop> {
        self.turn = self.turn.wrapping_add(1);
        if self.turn.is_multiple_of(VALUES_A_TURN) {
            ruby::check_interrupts();
        }
        match given(value, self.memory) {
            Given::Array => self.collection(value, value, None, false, receiver),
            Given::Hash => self.collection(value, value, None, true, receiver),
            Given::Tagged => self.tagged(value, receiver),
            what => receiver.scalar(value, what, None),
        }
    }

    #[cold]
    fn tagged<R: Receiver>(&mut self, tagged: VALUE, receiver: &mut R) -> Result<(), R::Stop> {
        let (tag, value) = (ruby::member(tagged, 0), ruby::member(tagged, 1));
        match given(value, self.memory) {
            Given::Array => self.collection(tagged, value, Some(tag), false, receiver),
            Given::Hash => self.collection(tagged, value, Some(tag), true, receiver),
            what => receiver.scalar(value, what, Some(tag)),
        }
    }

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
            push_children(holder, is_mapping, stack);
            self.open.push(Open { start, next: start, end: stack.len(), is_mapping });
        }
        Ok(())
    }
}
