//! Creates strings from parts of a text that came from a Python string. Copying their characters
//! from that string is faster than decoding them again.

use crate::host::{self, Units};
use pyo3::prelude::*;
use std::ops::Range;

/// The Python string from which a text in UTF-8 was encoded.
#[derive(Debug)]
pub struct Origin<'s> {
    text: &'s [u8],
    units: Units<'s>,
    /// A position in the text, from which others are found, and the number of characters before it.
    byte: usize,
    character: usize,
}

impl<'s> Origin<'s> {
    /// Creates the origin of a text, which has these characters.
    pub fn new(text: &'s [u8], units: Units<'s>) -> Origin<'s> {
        Origin { text, units, byte: 0, character: 0 }
    }

    /// Returns the string of a part of the text. Returns nothing for a text from elsewhere, and for
    /// strings of one character, which CPython shares.
    pub fn string<'py>(
        &mut self,
        py: Python<'py>,
        part: &[u8],
    ) -> Option<PyResult<Bound<'py, PyAny>>> {
        let start = part.as_ptr().addr().checked_sub(self.text.as_ptr().addr())?;
        let inside = start..start.checked_add(part.len())?;
        let characters = self.characters(self.text.get(inside.clone())?, inside)?;
        host::copy(py, self.units, characters)
    }

    /// Returns the range of characters of a part. The search for the next part starts there.
    fn characters(&mut self, part: &[u8], inside: Range<usize>) -> Option<Range<usize>> {
        let first = match inside.start.checked_sub(self.byte) {
            Some(_) => self.character + count(self.text.get(self.byte..inside.start)?),
            None => self.character - count(self.text.get(inside.start..self.byte)?),
        };
        (self.byte, self.character) = (inside.end, first + count(part));
        Some(first..self.character)
    }
}

/// Returns the number of characters of UTF-8 text.
fn count(text: &[u8]) -> usize {
    let is_first = |&byte: &u8| u8::from(byte as i8 >= -0x40);
    // The count of 255 bytes fits into a byte, so that a vector counts more of them at once.
    let counted = |part: &[u8]| usize::from(part.iter().map(is_first).sum::<u8>());
    text.chunks(255).map(counted).sum()
}
