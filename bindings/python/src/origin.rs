//! Creates strings for parts of a text that was encoded from a Python string. Copying their
//! characters from that string is faster than decoding them again.

use crate::host::{self, Units};
use crate::utf8::{Part, count};
use ketch_bytes::Tail;
use pyo3::prelude::*;

/// The Python string from which a text was encoded in UTF-8.
#[derive(Debug)]
pub struct Origin<'s> {
    text: &'s [u8],
    tail: Tail,
    units: Units<'s>,
    /// The offset from which the next part is searched for, and the number of characters before it.
    byte: usize,
    character: usize,
}

impl<'s> Origin<'s> {
    /// Creates the origin of `text`, whose characters are `units`.
    pub fn new(text: &'s [u8], units: Units<'s>) -> Origin<'s> {
        Origin { text, tail: Tail::of(text), units, byte: 0, character: 0 }
    }

    /// Returns the string for `part`, a part of the text that is not ASCII. The search for the next
    /// part then starts at the end of this one. Returns `None` if the part does not belong to this
    /// text, or has only one character, whose string CPython shares.
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
