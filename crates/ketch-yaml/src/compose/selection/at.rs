//! An event in its part of the stream.

use super::cut::{Sight, location};
use crate::diagnose;
use crate::error::Error;
use crate::event::Event;
use crate::location::Location;
use crate::problem::Problem;

/// An event with the chunk that it is in.
#[derive(Clone, Copy)]
pub(super) struct At<'a> {
    pub sight: &'a Sight<'a>,
    pub words: &'a [u64],
    pub event: Event,
}

impl<'a> At<'a> {
    /// Returns the offset of the event in the stream.
    pub fn offset(self) -> u64 {
        self.sight.part.words_base + self.event.start as u64
    }

    /// Returns the offset of the event in the text of its part.
    pub fn start_in_text(self) -> usize {
        (self.offset() - self.sight.part.text_base) as usize
    }

    /// Returns the bytes of the event.
    pub fn bytes(self) -> &'a [u8] {
        let start = self.start_in_text();
        &self.sight.part.text[start..start + self.event.len]
    }

    /// Returns the location of the event.
    pub fn location(self) -> Location {
        location(self.sight.part, self.offset(), self.event.len)
    }

    /// Returns the error for a key that repeats the key at `first` in the stream.
    pub fn duplicate(self, first: u64) -> Error {
        let part = self.sight.part;
        // If the first key is in an earlier chunk, its line is no longer available.
        let related = match first >= part.text_base {
            true => location(part, first, 1),
            false => Location::at_offset(first, 1),
        };
        let advice = std::str::from_utf8(self.bytes()).ok().map(diagnose::duplicate_key);
        Error::at(Problem::DuplicateKey, self.location()).with_related(related).with_advice(advice)
    }
}
