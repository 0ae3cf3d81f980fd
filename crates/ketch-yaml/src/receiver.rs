//! Receivers, which consume events. The tree builder, the printers and the object builders of bindings
//! are receivers. They get whole chunks, so that there is no call per event.

use crate::error::Error;
use crate::event::{Chunk, EventKind};
use crate::parse::{Parser, ReadParser};
use std::io::Read;

/// A consumer of chunks of events.
pub trait Receiver {
    /// The type of error with which the receiver can stop the parser.
    type Error: From<Error>;

    /// Takes the next chunk of events. An error stops the parser.
    fn receive(&mut self, chunk: &Chunk<'_, '_>) -> Result<(), Self::Error>;
}

impl Parser<'_> {
    /// Pushes all events into `receiver`. Fails if the input is invalid or the receiver fails.
    ///
    /// ```
    /// use ketch_yaml::{Counter, EventKind, Parser};
    ///
    /// let mut counter = Counter::default();
    /// Parser::new(b"[a, b]").push_into(&mut counter)?;
    /// assert_eq!(counter.count(EventKind::Plain), 2);
    /// # Ok::<(), ketch_yaml::Error>(())
    /// ```
    pub fn push_into<T: Receiver>(&mut self, receiver: &mut T) -> Result<(), T::Error> {
        while let Some(chunk) = self.next_chunk()? {
            receiver.receive(&chunk)?;
        }
        Ok(())
    }
}

impl<R: Read> ReadParser<R> {
    /// Pushes all events into `receiver`. Fails if the input is invalid or the receiver fails.
    pub fn push_into<T: Receiver>(&mut self, receiver: &mut T) -> Result<(), T::Error> {
        while let Some(chunk) = self.next_chunk()? {
            receiver.receive(&chunk)?;
        }
        Ok(())
    }
}

/// A receiver that counts the events of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counter {
    counts: [u64; 16],
}

impl Counter {
    /// Returns the number of events of `kind`.
    pub fn count(&self, kind: EventKind) -> u64 {
        self.counts[kind as usize]
    }

    /// Returns the number of scalars of all styles.
    pub fn scalars(&self) -> u64 {
        self.counts[EventKind::Plain as usize..=EventKind::Folded as usize].iter().sum()
    }

    /// Returns the number of events, without no-ops.
    pub fn events(&self) -> u64 {
        self.counts[EventKind::Nop as usize + 1..].iter().sum()
    }
}

impl Receiver for Counter {
    type Error = Error;

    fn receive(&mut self, chunk: &Chunk<'_, '_>) -> Result<(), Error> {
        chunk.add_kinds(&mut self.counts);
        Ok(())
    }
}
