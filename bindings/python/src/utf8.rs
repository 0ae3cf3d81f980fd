//! Converts between UTF-8 and the characters of CPython's strings, which take one, two or four
//! bytes each. CPython's own conversions handle one character at a time.

use ketch_bytes::{BLOCK_BYTES, Kernel, Lanes, Level, Tail, block_at, dispatch};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use std::mem::MaybeUninit;
use std::ops::Deref;
use std::sync::{Mutex, PoisonError};

/// A character of a string, in one of CPython's three widths.
pub trait Unit: Copy + Into<u32> {
    /// Returns the character with the code point `bits`, which must fit into the width.
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

/// A part of a valid UTF-8 text, and an earlier position.
pub struct Part<'t> {
    pub text: &'t [u8],
    pub tail: &'t Tail,
    /// The earlier position, the start of the part and its end, as offsets in the text.
    pub from: usize,
    pub start: usize,
    pub end: usize,
}

/// The characters of a [`Part`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Characters {
    /// The number of characters between the earlier position and the part.
    pub before: usize,
    /// The number of characters in the part.
    pub count: usize,
    /// The number of bytes that CPython uses for each character of the part, if this is not all
    /// ASCII.
    pub unit_bytes: usize,
}

impl Part<'_> {
    /// Counts the characters before and in the part, and determines their width.
    #[inline(always)]
    pub fn characters(self) -> Characters {
        dispatch(Level::detect(), self)
    }
}

impl Kernel for Part<'_> {
    type Output = Characters;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Characters {
        let Part { text, tail, from, start, end } = self;
        let (mut before, mut count) = (start - from, end - start);
        let (mut above_latin, mut above_bmp) = (0, 0);
        let mut at = from;
        while at < end {
            let block = lanes.load(block_at(text, tail, at));
            let outside = first_bits(start.saturating_sub(at));
            let inside = first_bits(end - at) & !outside;
            let continuations = lanes.non_ascii(block) & lanes.le(block, 0xBF);
            before -= (continuations & outside).count_ones() as usize;
            count -= (continuations & inside).count_ones() as usize;
            // A lead byte of at most 0xC3 starts a character below U+0100.
            above_latin |= inside & !lanes.le(block, 0xC3);
            above_bmp |= inside & !lanes.le(block, 0xEF);
            at += BLOCK_BYTES;
        }
        let unit_bytes = match (above_latin, above_bmp) {
            (0, _) => 1,
            (_, 0) => 2,
            _ => 4,
        };
        Characters { before, count, unit_bytes }
    }
}

/// Returns a mask of the first `count` bits, or of all bits if there are fewer.
#[inline(always)]
fn first_bits(count: usize) -> u64 {
    1u64.checked_shl(count as u32).map_or(u64::MAX, |bit| bit - 1)
}

/// Returns the number of characters of valid UTF-8 text.
pub fn count(text: &[u8]) -> usize {
    text.iter().filter(|&&byte| byte as i8 >= -0x40).count()
}

/// Decodes valid UTF-8 into `units`, whose length is the number of characters, and sets all of
/// them. `widest` is the greatest byte of `text`.
pub fn decode<U: Unit>(text: &[u8], widest: u8, units: &mut [MaybeUninit<U>]) {
    let (mut text, mut units) = decode_blocks(text, widest < 0xE0, units);
    while let Some((unit, tail)) = units.split_first_mut() {
        let (value, len) = character(text);
        unit.write(value);
        (text, units) = (text.get(len..).unwrap_or_default(), tail);
    }
}

/// Decodes eight bytes at a time, and returns what is left of `text` and `units`. If `is_narrow` is
/// true, no character has more than two bytes, so eight bytes start with at least four characters.
/// These are decoded without a branch, since it is unpredictable which of them have two bytes.
#[inline(always)]
fn decode_blocks<'t, 'u, U: Unit>(
    mut text: &'t [u8],
    is_narrow: bool,
    mut units: &'u mut [MaybeUninit<U>],
) -> (&'t [u8], &'u mut [MaybeUninit<U>]) {
    while let (Some(block), true) = (text.first_chunk::<8>(), units.len() >= 8) {
        let word = u64::from_le_bytes(*block);
        let (taken, made) = if word & HIGH_BITS == 0 {
            for (unit, &byte) in units.iter_mut().zip(block) {
                unit.write(U::of(byte.into()));
            }
            (8, 8)
        } else if is_narrow {
            let mut rest = word;
            let mut pairs = 0;
            for unit in &mut units[..4] {
                let is_pair = rest >> 7 & 1;
                let pair = (rest & 0x1F) << 6 | rest >> 8 & 0x3F;
                let mask = is_pair.wrapping_neg();
                unit.write(U::of((rest & 0x7F & !mask | pair & mask) as u32));
                rest >>= 8 + 8 * is_pair;
                pairs += is_pair;
            }
            (4 + pairs as usize, 4)
        } else {
            let (value, len) = character(text);
            units[0].write(value);
            (len, 1)
        };
        (text, units) = (text.get(taken..).unwrap_or_default(), &mut units[made..]);
    }
    (text, units)
}

/// Returns the first character of a text, and its length in bytes.
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

/// The maximum capacity of a buffer that is kept for the next text: if such buffers were freed, the
/// system would take the memory back and provide it again page by page.
const KEPT_BYTES_MAX: usize = 1 << 20;

static KEPT: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// A text in UTF-8.
#[derive(Debug, Default)]
pub struct Encoded {
    /// The text, followed by bytes that are not part of it and can be overwritten.
    bytes: Vec<u8>,
    len: usize,
}

impl Deref for Encoded {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

impl Drop for Encoded {
    fn drop(&mut self) {
        if (1..=KEPT_BYTES_MAX).contains(&self.bytes.capacity()) {
            let bytes = std::mem::take(&mut self.bytes);
            *KEPT.lock().unwrap_or_else(PoisonError::into_inner) = bytes;
        }
    }
}

impl Encoded {
    /// Returns the bytes. Their buffer is not kept for the next text.
    pub fn into_bytes(mut self) -> Vec<u8> {
        self.bytes.truncate(self.len);
        std::mem::take(&mut self.bytes)
    }

    /// Encodes characters in UTF-8. Returns `None` if one of them is a surrogate.
    ///
    /// # Errors
    ///
    /// Raises a `MemoryError` if memory runs out.
    pub fn of<U: Unit>(units: &[U]) -> PyResult<Option<Encoded>> {
        let bytes = match units.len() <= KEPT_BYTES_MAX {
            true => std::mem::take(&mut *KEPT.lock().unwrap_or_else(PoisonError::into_inner)),
            false => Vec::new(),
        };
        let mut text = Encoded { bytes, len: 0 };
        text.reserve(units.len() + PIECE_BYTES)?;
        for piece in units.chunks(PIECE_UNITS) {
            text.reserve(PIECE_BYTES)?;
            let rest = &mut text.bytes[text.len..];
            let Some(len) = dispatch(Level::detect(), Encode { units: piece, text: rest }) else {
                return Ok(None);
            };
            text.len += len;
        }
        Ok(Some(text))
    }

    /// Makes sure that there is space for `count` bytes after the text.
    fn reserve(&mut self, count: usize) -> PyResult<()> {
        let len = self.bytes.len();
        if len - self.len >= count {
            return Ok(());
        }
        let more = count.max(len / 2);
        self.bytes.try_reserve_exact(more).map_err(|_| PyMemoryError::new_err(()))?;
        self.bytes.resize(len + more, 0);
        Ok(())
    }
}

/// The number of characters that are encoded after each check of the available space.
const PIECE_UNITS: usize = 1 << 12;
/// The maximum number of bytes that a piece takes, including those that are overwritten later.
const PIECE_BYTES: usize = 4 * PIECE_UNITS + WINDOW_BYTES;

/// The number of characters that are encoded by one call of [`encode_block`].
const BLOCK_UNITS: usize = 16;
/// The maximum number of bytes that this call writes, including those that are overwritten later.
const WINDOW_BYTES: usize = 4 * BLOCK_UNITS + 4;

/// The number of characters that a [`Short`] has.
const SHORT_UNITS: usize = 64;

/// Space for the text of a few characters, and what is overwritten after it.
pub type Short = [u8; 4 * SHORT_UNITS + WINDOW_BYTES];

/// Encodes a few characters in UTF-8. Returns the length of the text, or `None` if there are too many
/// characters or one of them is a surrogate.
pub fn encode_short<U: Unit>(units: &[U], text: &mut Short) -> Option<usize> {
    let fits = units.len() <= SHORT_UNITS;
    fits.then(|| dispatch(Level::detect(), Encode { units, text })).flatten()
}

/// Writes characters as UTF-8. Returns the length of the result, or `None` if a character is a
/// surrogate. `text` must have four bytes for each character and [`WINDOW_BYTES`] more.
struct Encode<'u, U> {
    units: &'u [U],
    text: &'u mut [u8],
}

impl<U: Unit> Kernel for Encode<'_, U> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Option<usize> {
        let Encode { units, text } = self;
        let mut at = 0;
        let (blocks, rest) = units.as_chunks::<BLOCK_UNITS>();
        for block in blocks {
            at += encode_block(lanes, block, text.get_mut(at..)?.first_chunk_mut()?)?;
        }
        for &unit in rest {
            at += put(text.get_mut(at..)?.first_chunk_mut()?, 0, long(unit.into())?);
        }
        Some(at)
    }
}

/// Writes a block of characters as UTF-8, and returns the length of the result, or `None` if a
/// character is a surrogate.
#[inline(always)]
fn encode_block<L: Lanes, U: Unit>(
    lanes: L,
    block: &[U; BLOCK_UNITS],
    text: &mut [u8; WINDOW_BYTES],
) -> Option<usize> {
    let widest = block.iter().fold(0, |bits, &unit| bits | unit.into());
    if widest < 0x80 {
        let bytes = block.map(|unit| unit.into() as u16).map(|unit| unit as u8);
        *text.first_chunk_mut()? = bytes;
        return Some(BLOCK_UNITS);
    }
    if widest < 0x800 {
        return Some(encode_pairs(lanes, block, text));
    }
    let mut at = 0;
    // The lengths of the characters are unpredictable, so four bytes are written for each, and the
    // next character overwrites the excess.
    for &unit in block {
        at += put(text, at, long(unit.into())?);
    }
    Some(at)
}

/// Writes a block of characters, each of which takes at most two bytes, and returns the length of
/// the result. First, two bytes are written for each character. Then a shuffle removes the unused
/// bytes of eight characters at once.
#[inline(always)]
fn encode_pairs<L: Lanes, U: Unit>(
    lanes: L,
    block: &[U; BLOCK_UNITS],
    text: &mut [u8; WINDOW_BYTES],
) -> usize {
    // The highest bit of each mark says whether the character takes two bytes.
    let mut marks = [0; BLOCK_BYTES];
    for (mark, &unit) in marks.iter_mut().zip(block) {
        *mark = if (unit.into() as u16) < 0x80 { 0 } else { 0xFF };
    }
    let marks = lanes.non_ascii(lanes.load(&marks)) as usize;
    let mut at = 0;
    for (number, eight) in block.as_chunks::<8>().0.iter().enumerate() {
        let mut bytes = [0; 16];
        for (place, &unit) in bytes.as_chunks_mut::<2>().0.iter_mut().zip(eight) {
            *place = short(unit.into() as u16).to_le_bytes();
        }
        let marks = marks >> (8 * number) & 0xFF;
        if let Some(place) = text[at & (2 * BLOCK_UNITS - 1)..].first_chunk_mut() {
            *place = lanes.shuffle(bytes, &ORDERS[marks]);
        }
        at += 8 + marks.count_ones() as usize;
    }
    at
}

/// The positions of the used bytes of eight characters, for each of which two bytes are written.
/// The index has a bit for each character that uses both bytes.
static ORDERS: [[u8; 16]; 256] = {
    let mut orders = [[0; 16]; 256];
    let mut marks = 0;
    while marks < 256 {
        let (mut character, mut at) = (0, 0);
        while character < 8 {
            orders[marks][at] = 2 * character;
            at += 1;
            if marks >> character & 1 == 1 {
                orders[marks][at] = 2 * character + 1;
                at += 1;
            }
            character += 1;
        }
        marks += 1;
    }
    orders
};

/// Writes a character at the offset `at`, and returns its length in bytes.
#[inline(always)]
fn put(text: &mut [u8; WINDOW_BYTES], at: usize, (bytes, len): (u32, usize)) -> usize {
    if let Some(place) = text[at & (4 * BLOCK_UNITS - 1)..].first_chunk_mut() {
        *place = bytes.to_le_bytes();
    }
    len
}

/// Returns the UTF-8 bytes of a character that takes at most two bytes.
#[inline(always)]
fn short(bits: u16) -> u16 {
    let pair = 0x80C0 | bits >> 6 | (bits & 0x3F) << 8;
    if bits < 0x80 { bits } else { pair }
}

/// Returns the UTF-8 bytes of any character and their number, or `None` for a surrogate.
#[inline(always)]
fn long(bits: u32) -> Option<(u32, usize)> {
    let low = |shift: u32| 0x80 | bits >> shift & 0x3F;
    match bits {
        0..0x800 => Some((short(bits as u16).into(), 1 + usize::from(bits >= 0x80))),
        0xD800..0xE000 => None,
        0x800..0x1_0000 => Some((0xE0 | bits >> 12 | low(6) << 8 | low(0) << 16, 3)),
        _ => Some((0xF0 | bits >> 18 | low(12) << 8 | low(6) << 16 | low(0) << 24, 4)),
    }
}
