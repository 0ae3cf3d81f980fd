//! Converts between UTF-8 and the characters of CPython's strings, of one, two or four bytes. CPython's
//! own conversions take each character by itself.

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use std::ops::Deref;
use std::sync::{Mutex, PoisonError};

/// A character of a string, in one of CPython's three widths.
pub trait Unit: Copy + Into<u32> {
    /// Returns the character with these bits, of which it may have only as many as its width allows.
    fn of(bits: u32) -> Self;
}

impl Unit for u8 {
    fn of(bits: u32) -> u8 {
        bits as u8
    }
}

impl Unit for u16 {
    fn of(bits: u32) -> u16 {
        bits as u16
    }
}

impl Unit for u32 {
    fn of(bits: u32) -> u32 {
        bits.min(0x10_FFFF)
    }
}

const HIGH_BITS: u64 = 0x8080_8080_8080_8080;

/// Decodes valid UTF-8 into as many units as it has characters. `widest` is its greatest byte.
pub fn decode<U: Unit>(text: &[u8], widest: u8, units: &mut [U]) {
    let (mut text, mut units) = decode_blocks(text, widest < 0xE0, units);
    while let Some((unit, tail)) = units.split_first_mut() {
        let (value, len) = character(text);
        *unit = value;
        (text, units) = (text.get(len..).unwrap_or_default(), tail);
    }
}

/// Decodes eight bytes at a time, and returns what is left. If no character has more than two bytes,
/// eight bytes begin with at least four characters, which are decoded without a branch: which of them
/// have two bytes cannot be predicted.
#[inline(always)]
fn decode_blocks<'t, 'u, U: Unit>(
    mut text: &'t [u8],
    is_narrow: bool,
    mut units: &'u mut [U],
) -> (&'t [u8], &'u mut [U]) {
    while let (Some(block), true) = (text.first_chunk::<8>(), units.len() >= 8) {
        let word = u64::from_le_bytes(*block);
        let (taken, made) = if word & HIGH_BITS == 0 {
            for (unit, &byte) in units.iter_mut().zip(block) {
                *unit = U::of(byte.into());
            }
            (8, 8)
        } else if is_narrow {
            let mut rest = word;
            let mut pairs = 0;
            for unit in &mut units[..4] {
                let is_pair = rest >> 7 & 1;
                let pair = (rest & 0x1F) << 6 | rest >> 8 & 0x3F;
                let mask = is_pair.wrapping_neg();
                *unit = U::of((rest & 0x7F & !mask | pair & mask) as u32);
                rest >>= 8 + 8 * is_pair;
                pairs += is_pair;
            }
            (4 + pairs as usize, 4)
        } else {
            let (value, len) = character(text);
            units[0] = value;
            (len, 1)
        };
        (text, units) = (text.get(taken..).unwrap_or_default(), &mut units[made..]);
    }
    (text, units)
}

/// Returns the first character of a text, and its length.
#[inline(always)]
fn character<U: Unit>(text: &[u8]) -> (U, usize) {
    let byte = |at: usize| u32::from(text.get(at).copied().unwrap_or_default());
    let next = |at| byte(at) & 0x3F;
    let lead = byte(0);
    match lead {
        0..0x80 => (U::of(lead), 1),
        0x80..0xE0 => (U::of((lead & 0x1F) << 6 | next(1)), 2),
        0xE0..0xF0 => (U::of((lead & 0x0F) << 12 | next(1) << 6 | next(2)), 3),
        _ => (U::of((lead & 0x07) << 18 | next(1) << 12 | next(2) << 6 | next(3)), 4),
    }
}

/// Buffers up to this size are kept for the next text: the system would take the memory back, and
/// hand it out page by page.
const KEPT_BYTES_MAX: usize = 1 << 20;

static KEPT: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Text in UTF-8.
#[derive(Debug, Default)]
pub struct Encoded(Vec<u8>);

impl Deref for Encoded {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl Drop for Encoded {
    fn drop(&mut self) {
        if (1..=KEPT_BYTES_MAX).contains(&self.0.capacity()) {
            let text = std::mem::take(&mut self.0);
            *KEPT.lock().unwrap_or_else(PoisonError::into_inner) = text;
        }
    }
}

impl Encoded {
    /// Returns the bytes, which are not kept then.
    pub fn into_bytes(mut self) -> Vec<u8> {
        std::mem::take(&mut self.0)
    }

    /// Encodes characters. Returns nothing if one is a surrogate.
    ///
    /// # Errors
    ///
    /// `MemoryError`.
    pub fn of<U: Unit>(units: &[U]) -> PyResult<Option<Encoded>> {
        let no_memory = |_| PyMemoryError::new_err(());
        let mut text = match units.len() <= KEPT_BYTES_MAX {
            true => std::mem::take(&mut *KEPT.lock().unwrap_or_else(PoisonError::into_inner)),
            false => Vec::new(),
        };
        text.clear();
        text.try_reserve_exact(units.len() + SLACK).map_err(no_memory)?;
        // In pieces that stay in the cache, since each is read twice.
        for piece in units.chunks(1 << 12) {
            let Some(len) = encoded_len(piece) else { return Ok(None) };
            let start = text.len();
            text.try_reserve(len + SLACK).map_err(no_memory)?;
            text.resize(start + len + SLACK, 0);
            fill(&mut text[start..], piece);
            text.truncate(start + len);
        }
        Ok(Some(Encoded(text)))
    }
}

/// Writes characters as UTF-8. The text is [`SLACK`] longer than they.
fn fill<U: Unit>(mut text: &mut [u8], units: &[U]) {
    for block in units.chunks(16) {
        let widest = block.iter().fold(0, |bits, &unit| bits | unit.into());
        if widest < 0x80 {
            let (head, tail) = text.split_at_mut(block.len());
            for (byte, &unit) in head.iter_mut().zip(block) {
                *byte = unit.into() as u8;
            }
            text = tail;
            continue;
        }
        // The lengths of characters cannot be predicted, so each is written as if it had the most
        // bytes, and the next one overwrites what is too much.
        let mut at = 0;
        for &unit in block {
            at += match widest {
                0..0x800 => put(text, at, short(unit.into())),
                _ => put(text, at, long(unit.into())),
            };
        }
        text = &mut text[at..];
    }
}

/// Bytes after the text that [`put`] may write.
const SLACK: usize = 4;

/// Writes a character, and returns its length.
#[inline(always)]
fn put(text: &mut [u8], at: usize, (bytes, len): ([u8; 4], usize)) -> usize {
    if let Some(place) = text.get_mut(at..at + 4) {
        place.copy_from_slice(&bytes);
    }
    len
}

/// Returns the bytes of a character of up to two bytes, and their number.
#[inline(always)]
fn short(bits: u32) -> ([u8; 4], usize) {
    let is_pair = bits >= 0x80;
    let pair = 0x80C0 | bits >> 6 | (bits & 0x3F) << 8;
    (if is_pair { pair } else { bits }.to_le_bytes(), 1 + usize::from(is_pair))
}

/// Returns the bytes of any character, and their number.
#[inline(always)]
fn long(bits: u32) -> ([u8; 4], usize) {
    let low = |shift: u32| 0x80 | (bits >> shift & 0x3F) as u8;
    match bits {
        0..0x800 => short(bits),
        0x800..0x1_0000 => ([0xE0 | (bits >> 12) as u8, low(6), low(0), 0], 3),
        _ => ([0xF0 | (bits >> 18) as u8, low(12), low(6), low(0)], 4),
    }
}

/// Returns the length of characters as UTF-8, or nothing if one is a surrogate.
fn encoded_len<U: Unit>(units: &[U]) -> Option<usize> {
    let (mut more, mut surrogates) = (0, 0);
    for &unit in units {
        let bits: u32 = unit.into();
        more += u32::from(bits >= 0x80) + u32::from(bits >= 0x800) + u32::from(bits >= 0x1_0000);
        surrogates |= u32::from(bits & 0xFFFF_F800 == 0xD800);
    }
    (surrogates == 0).then_some(units.len() + more as usize)
}
