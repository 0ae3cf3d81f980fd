//! Creates strings from parts of a text that came from a Python string. Copying their characters
//! from that string is faster than decoding them again.

use crate::host::{self, Units};
use crate::utf8::{Part, count};
use ketch_bytes::Tail;
use pyo3::prelude::*;

/// The Python string from which a text in UTF-8 was encoded.
#[derive(Debug)]
pub struct Origin<'s> {
    text: &'s [u8],
    tail: Tail,
    units: Units<'s>,
    /// A position in the text, from which others are found, and the number of characters before it.
    byte: usize,
    character: usize,
}

impl<'s> Origin<'s> {
    /// Creates the origin of a text, which has these characters.
    pub fn new(text: &'s [u8], units: Units<'s>) -> Origin<'s> {
        Origin { text, tail: Tail::of(text), units, byte: 0, character: 0 }
    }

    /// Returns the string of a part of the text that is not ASCII. Returns nothing for a text from
    /// elsewhere, and for strings of one character, which CPython shares. The search for the next
    /// part starts at the end of this one.
    pub fn string<'py>(
        &mut self,
        py: Python<'py>,
        part: &[u8],
    ) -> Option<PyResult<Bound<'py, PyAny>>> {
        let start = part.as_ptr().addr().checked_sub(self.text.as_ptr().addr())?;
        let end = start.checked_add(part.len()).filter(|&end| end <= self.text.len())?;
        if start < self.byte {
            self.character -= count(self.text.get(start..self.byte)?);
            self.byte = start;
        }
        let Origin { text, ref tail, byte: from, .. } = *self;
        let found = Part { text, tail, from, start, end }.characters();
        let first = self.character + found.before;
        (self.byte, self.character) = (end, first + found.count);
        host::copy(py, self.units, first..self.character, found.unit_bytes)
    }
}
