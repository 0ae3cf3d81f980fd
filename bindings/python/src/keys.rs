//! Caches strings that occur repeatedly: keys and tags. Equal strings become one object, whose hash
//! is computed once.

use crate::host;
use ketch_bytes::string;
use pyo3::prelude::*;

/// The number of slots, a power of two.
const SLOTS: usize = 2048;
/// Longer strings are not kept.
const BYTES_MAX: usize = 32;

/// A table of strings. A new string replaces the one in its slot.
#[derive(Debug)]
pub struct Keys(Box<[Slot]>);

#[derive(Debug, Default)]
struct Slot {
    len: usize,
    words: Words,
    object: Option<Py<PyAny>>,
}

/// The bytes of a string of up to `BYTES_MAX` bytes, for its length.
type Words = [u64; BYTES_MAX / 8];

impl Default for Keys {
    fn default() -> Keys {
        Keys(std::iter::repeat_with(Slot::default).take(SLOTS).collect())
    }
}

impl Keys {
    /// Returns the Python string of this text, from the table if it is cached.
    ///
    /// # Errors
    ///
    /// Raises a `MemoryError` if memory runs out.
    #[inline(always)]
    pub fn string<'py>(
        &mut self,
        py: Python<'py>,
        text: &[u8],
        is_ascii: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Some(words) = words(text) else { return host::string(py, text, is_ascii) };
        let slot = &mut self.0[slot_of(&words, text.len())];
        if slot.len == text.len()
            && slot.words == words
            && let Some(object) = &slot.object
        {
            return Ok(object.bind(py).clone());
        }
        let string = host::string(py, text, is_ascii)?;
        (slot.len, slot.words) = (text.len(), words);
        // A bound object is released at once. PyO3 may release others later.
        drop(slot.object.replace(string.clone().unbind()).map(|old| old.into_bound(py)));
        Ok(string)
    }
}

/// Returns the words of a text, or `None` if it is longer than `BYTES_MAX`.
#[inline(always)]
fn words(text: &[u8]) -> Option<Words> {
    if let Some([a, b, c]) = string::words(text) {
        return Some([a, b, c, 0]);
    }
    let (head, _) = text.as_chunks::<8>();
    let (&[a, b, c, ..], Some(&last), ..=BYTES_MAX) = (head, text.last_chunk(), text.len()) else {
        return None;
    };
    Some([a, b, c, last].map(u64::from_le_bytes))
}

/// Returns the slot of a text.
#[inline(always)]
fn slot_of([a, b, c, d]: &Words, len: usize) -> usize {
    let mixed = (a ^ b.rotate_left(23) ^ c.rotate_left(41) ^ d.rotate_left(11) ^ len as u64)
        .wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 53) as usize & (SLOTS - 1)
}
