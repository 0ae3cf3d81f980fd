//! Caches strings that occur repeatedly: keys, tags, and short values. Equal strings become the
//! same object, so that Python computes its hash only once.

use crate::host;
use ketch_bytes::string;
use pyo3::prelude::*;

/// The number of slots of each table, a power of two.
const SLOTS: usize = 2048;
/// The maximum length of a cached string in bytes.
const BYTES_MAX: usize = 32;

/// The strings that loads have cached.
#[derive(Debug, Default)]
pub struct Keys {
    keys: Table,
    values: Table,
    /// For each slot of `values`, some bits of the hash of the last string that was looked up there
    /// in vain.
    seen: Box<[u32]>,
    luck: Luck,
}

/// A table of strings, which has no slots until the first string is looked up.
#[derive(Debug, Default)]
struct Table(Box<[Slot]>);

#[derive(Debug, Default)]
struct Slot {
    len: usize,
    words: Words,
    object: Option<Py<PyAny>>,
}

/// The bytes of a string of at most `BYTES_MAX` bytes. Together with its length, they identify it.
type Words = [u64; BYTES_MAX / 8];

impl Keys {
    /// Returns the Python string for a key or a tag in a text that the parser has checked.
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
        self.key(py, text, || host::string(py, text, is_ascii))
    }

    /// Returns the Python string for a key, from the table if it is cached. Otherwise, `make`
    /// creates the string, which then replaces the one in its slot.
    ///
    /// # Errors
    ///
    /// Passes on the errors of `make`.
    #[inline(always)]
    pub fn key<'py, E>(
        &mut self,
        py: Python<'py>,
        text: &[u8],
        make: impl FnOnce() -> Result<Bound<'py, PyAny>, E>,
    ) -> Result<Bound<'py, PyAny>, E> {
        let Some(words) = words(text) else { return make() };
        let slot = self.keys.slot(mix(&words, text.len()));
        if let Some(string) = slot.get(py, &words, text.len()) {
            return Ok(string);
        }
        let string = make()?;
        slot.put(words, text.len(), &string);
        Ok(string)
    }

    /// Returns the Python string for a value, as [`Keys::key`] does for a key. A string is only
    /// cached when it occurs for the second time, because most values occur once.
    ///
    /// # Errors
    ///
    /// Passes on the errors of `make`.
    #[inline(always)]
    pub fn value<'py, E>(
        &mut self,
        py: Python<'py>,
        text: &[u8],
        make: impl FnOnce() -> Result<Bound<'py, PyAny>, E>,
    ) -> Result<Bound<'py, PyAny>, E> {
        let words = match text.len() {
            2.. if self.luck.tries() => words(text),
            _ => None,
        };
        let Some(words) = words else { return make() };
        let mixed = mix(&words, text.len());
        let slot = self.values.slot(mixed);
        if let Some(string) = slot.get(py, &words, text.len()) {
            self.luck.hit();
            return Ok(string);
        }
        self.luck.miss();
        let string = make()?;
        if self.seen.is_empty() {
            self.seen = vec![0; SLOTS].into();
        }
        let bits = (mixed >> 20) as u32;
        if std::mem::replace(&mut self.seen[slot_of(mixed)], bits) == bits {
            slot.put(words, text.len(), &string);
        }
        Ok(string)
    }
}

impl Table {
    /// Returns the slot for a text whose hash is `mixed`.
    #[inline(always)]
    fn slot(&mut self, mixed: u64) -> &mut Slot {
        if self.0.is_empty() {
            self.fill();
        }
        &mut self.0[slot_of(mixed)]
    }

    /// Creates the slots, which are empty.
    #[cold]
    fn fill(&mut self) {
        self.0 = std::iter::repeat_with(Slot::default).take(SLOTS).collect();
    }
}

impl Slot {
    /// Returns the string in this slot, if it consists of these words and has this length.
    #[inline(always)]
    fn get<'py>(&self, py: Python<'py>, words: &Words, len: usize) -> Option<Bound<'py, PyAny>> {
        // Comparing the arrays would read the words from memory, to which they have just been
        // written.
        let [a, b, c, d] = self.words;
        let differs = a ^ words[0] | b ^ words[1] | c ^ words[2] | d ^ words[3];
        match &self.object {
            Some(object) if differs | (self.len ^ len) as u64 == 0 => Some(object.bind(py).clone()),
            _ => None,
        }
    }

    /// Stores a string in this slot.
    #[inline(always)]
    fn put(&mut self, words: Words, len: usize, string: &Bound<'_, PyAny>) {
        (self.words, self.len) = (words, len);
        // A bound object is released immediately, while PyO3 may release an unbound one later.
        let old = self.object.replace(string.clone().unbind());
        drop(old.map(|old| old.into_bound(string.py())));
    }
}

/// Determines whether looking up values is worth the time. It is not if fewer than half of them are
/// found.
#[derive(Debug)]
struct Luck(i32);

/// If misses exceed hits by this number, values are not looked up for a while.
const MISSES_MAX: i32 = 64;
/// The number of values that are then not looked up.
const SKIPPED: i32 = 1024;

impl Default for Luck {
    fn default() -> Luck {
        Luck(MISSES_MAX)
    }
}

impl Luck {
    /// Returns whether to look up the next value.
    #[inline(always)]
    fn tries(&mut self) -> bool {
        if self.0 > 0 {
            return true;
        }
        self.0 += 1;
        if self.0 == 0 {
            self.0 = MISSES_MAX / 2;
        }
        false
    }

    #[inline(always)]
    fn hit(&mut self) {
        self.0 = (self.0 + 1).min(MISSES_MAX);
    }

    #[inline(always)]
    fn miss(&mut self) {
        self.0 -= 1;
        if self.0 == 0 {
            self.0 = -SKIPPED;
        }
    }
}

/// Returns the words that identify a text, or `None` if it is longer than `BYTES_MAX`.
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

/// Returns a hash of a text, given as words, and of its length.
#[inline(always)]
fn mix([a, b, c, d]: &Words, len: usize) -> u64 {
    (a ^ b.rotate_left(23) ^ c.rotate_left(41) ^ d.rotate_left(11) ^ len as u64)
        .wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Returns the index of the slot for a text whose hash is `mixed`.
#[inline(always)]
fn slot_of(mixed: u64) -> usize {
    (mixed >> 53) as usize & (SLOTS - 1)
}
