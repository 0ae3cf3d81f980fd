//! Strings that occur again: keys and tags. Equal ones become one object, whose hash is computed
//! once.

use crate::host;
use pyo3::prelude::*;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

/// The number of slots, a power of two.
const SLOTS: usize = 2048;
/// Longer strings are not kept.
const BYTES_MAX: usize = 31;
/// Unused tables to keep. More are needed only by loads within loads, and by threads.
const TABLES_MAX: usize = 16;

/// A table of strings. A new string replaces the one in its slot.
#[derive(Debug, Default)]
pub struct Keys(Box<[Slot]>);

#[derive(Debug, Default)]
struct Slot {
    len: u8,
    bytes: [u8; BYTES_MAX],
    object: Option<Py<PyAny>>,
}

/// Tables that no load uses.
static UNUSED: Mutex<Vec<Keys>> = Mutex::new(Vec::new());

impl Keys {
    /// Takes a table that no other load uses.
    pub fn lease() -> Lease {
        let kept = UNUSED.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let new = || Keys(std::iter::repeat_with(Slot::default).take(SLOTS).collect());
        Lease(kept.unwrap_or_else(new))
    }

    /// Returns the Python string of this text, from the table if the text is there.
    ///
    /// # Errors
    ///
    /// `MemoryError`.
    #[inline(always)]
    pub fn string<'py>(
        &mut self,
        py: Python<'py>,
        text: &[u8],
        is_ascii: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        if text.len() > BYTES_MAX {
            return host::string(py, text, is_ascii);
        }
        let slot = &mut self.0[place(text)];
        if slot.len as usize == text.len()
            && slot.bytes[..text.len()] == *text
            && let Some(object) = &slot.object
        {
            return Ok(object.bind(py).clone());
        }
        let string = host::string(py, text, is_ascii)?;
        slot.len = text.len() as u8;
        slot.bytes[..text.len()].copy_from_slice(text);
        slot.object = Some(string.clone().unbind());
        Ok(string)
    }
}

/// Returns the slot of a text of up to `BYTES_MAX` bytes.
#[inline(always)]
fn place(text: &[u8]) -> usize {
    let (head, tail) = match (text.first_chunk::<8>(), text.last_chunk::<8>()) {
        (Some(head), Some(tail)) => (u64::from_le_bytes(*head), u64::from_le_bytes(*tail)),
        _ => (short(text), 0),
    };
    let mixed =
        (head ^ tail.rotate_left(23) ^ text.len() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 53) as usize & (SLOTS - 1)
}

/// Returns the bytes of a text of fewer than eight.
#[inline(always)]
fn short(text: &[u8]) -> u64 {
    match (text.first_chunk::<4>(), text.last_chunk::<4>()) {
        (Some(head), Some(tail)) => {
            u64::from(u32::from_le_bytes(*head)) | u64::from(u32::from_le_bytes(*tail)) << 32
        }
        _ => text.iter().fold(0, |bits, &byte| bits << 8 | u64::from(byte)),
    }
}

/// A table in use. It is kept for the next load.
#[derive(Debug)]
pub struct Lease(Keys);

impl Deref for Lease {
    type Target = Keys;

    fn deref(&self) -> &Keys {
        &self.0
    }
}

impl DerefMut for Lease {
    fn deref_mut(&mut self) -> &mut Keys {
        &mut self.0
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
