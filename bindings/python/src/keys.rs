//! Caches strings that occur repeatedly: keys and tags. Equal strings become one object, whose hash
//! is computed once.

use crate::host;
use ketch_bytes::string;
use ketch_yaml::Buffers;
use pyo3::prelude::*;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

/// The number of slots, a power of two.
const SLOTS: usize = 2048;
/// Longer strings are not kept.
const BYTES_MAX: usize = 32;
/// The number of unused tables to keep. More are needed only by loads within loads, and by threads.
const TABLES_MAX: usize = 16;

/// A table of strings. A new string replaces the one in its slot.
#[derive(Debug, Default)]
pub struct Keys(Box<[Slot]>);

#[derive(Debug, Default)]
struct Slot {
    len: usize,
    words: Words,
    object: Option<Py<PyAny>>,
}

/// The bytes of a string of up to `BYTES_MAX` bytes, for its length.
type Words = [u64; BYTES_MAX / 8];

/// Tables that no load uses.
static UNUSED: Mutex<Vec<Kept>> = Mutex::new(Vec::new());

impl Keys {
    /// Takes a table that no other load uses.
    pub fn lease() -> Lease {
        let kept = UNUSED.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let new = || Keys(std::iter::repeat_with(Slot::default).take(SLOTS).collect());
        Lease(kept.unwrap_or_else(|| Kept { keys: new(), buffers: Buffers::default() }))
    }

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
        *slot = Slot { len: text.len(), words, object: Some(string.clone().unbind()) };
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

/// What is kept for the next load.
#[derive(Debug, Default)]
struct Kept {
    keys: Keys,
    buffers: Buffers,
}

/// A table in use, and buffers for a parser.
#[derive(Debug)]
pub struct Lease(Kept);

impl Lease {
    /// Takes the buffers. They have no memory if they were taken already.
    pub fn take_buffers(&mut self) -> Buffers {
        std::mem::take(&mut self.0.buffers)
    }

    /// Puts the buffers back.
    pub fn keep_buffers(&mut self, buffers: Buffers) {
        self.0.buffers = buffers;
    }
}

impl Deref for Lease {
    type Target = Keys;

    fn deref(&self) -> &Keys {
        &self.0.keys
    }
}

impl DerefMut for Lease {
    fn deref_mut(&mut self) -> &mut Keys {
        &mut self.0.keys
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let mut unused = UNUSED.lock().unwrap_or_else(PoisonError::into_inner);
        if unused.len() < TABLES_MAX {
            unused.push(std::mem::take(&mut self.0));
        }
    }
}
