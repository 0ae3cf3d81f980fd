//! Finds what gives a JSON text its structure, 64 bytes at a time.
//!
//! The marks are `{ } [ ] : ,` and quotes, the first bytes of all other scalars, and inside strings the backslashes that
//! start escapes. What is between two marks is white space, or the inside of a string or of another scalar.

use ketch_bytes::{BLOCK_BYTES, Kernel, Lanes, Level, Tail, block_at, dispatch};

/// What the bytes before a block say about it.
#[derive(Clone, Copy, Debug, Default)]
struct State {
    /// All bits set if the block starts inside a string.
    in_string: u64,
    /// Whether the first byte is escaped.
    is_escaped: bool,
    /// Whether the byte before the block belongs to a scalar that is no string.
    in_scalar: bool,
}

/// The marks of a text that may still grow.
#[derive(Debug)]
pub struct Index {
    level: Level,
    state: State,
    /// The start of the block that comes next.
    block: usize,
    /// The first byte in it whose mark was not found yet.
    done: usize,
    marks: Vec<usize>,
    /// The next one of them.
    at: usize,
}

/// The number of bytes whose marks are found at once.
const WINDOW_BYTES: usize = 16 << 10;

impl Index {
    /// Starts at the offset `start`.
    pub fn new(start: usize) -> Index {
        Index {
            level: Level::detect(),
            state: State::default(),
            block: start,
            done: start,
            marks: Vec::new(),
            at: 0,
        }
    }

    /// Returns the next mark that is known.
    #[inline]
    pub fn next(&mut self) -> Option<usize> {
        let mark = *self.marks.get(self.at)?;
        self.at += 1;
        Some(mark)
    }

    /// Finds marks in the next part of `bytes`, when there are no known ones left. Returns false if there is no more.
    pub fn find(&mut self, bytes: &[u8]) -> bool {
        self.marks.clear();
        self.at = 0;
        while self.marks.is_empty() {
            if self.done >= bytes.len() {
                return false;
            }
            let end = bytes.len().min(self.block + WINDOW_BYTES);
            dispatch(self.level, Find { index: self, bytes: &bytes[..end] });
        }
        true
    }

    /// Returns the offset of the first byte that is still needed to find marks.
    pub fn kept(&self) -> usize {
        self.block
    }

    /// Counts all offsets from `start`, when there are no known marks left.
    pub fn shift(&mut self, start: usize) {
        self.block -= start;
        self.done -= start;
    }
}

/// Finds the marks up to the end of `bytes`. If that is inside of a block, the block will be looked at again.
struct Find<'i> {
    index: &'i mut Index,
    bytes: &'i [u8],
}

impl Kernel for Find<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Find { index, bytes } = self;
        let tail = Tail::of(bytes);
        let mut state = index.state;
        while index.done < bytes.len() {
            let before = state;
            let mask = marks(lanes, block_at(bytes, &tail, index.block), &mut state);
            let left = bytes.len() - index.block;
            let mut mask = mask & u64::MAX << (index.done - index.block);
            if left < BLOCK_BYTES {
                mask &= !(u64::MAX << left);
            }
            index.marks.reserve(BLOCK_BYTES);
            while mask != 0 {
                index.marks.push(index.block + mask.trailing_zeros() as usize);
                mask &= mask - 1;
            }
            if left < BLOCK_BYTES {
                index.done = bytes.len();
                state = before;
                break;
            }
            index.block += BLOCK_BYTES;
            index.done = index.block;
        }
        index.state = state;
    }
}

/// Returns the marks of a block, and the state after it.
#[inline(always)]
fn marks<L: Lanes>(lanes: L, bytes: &[u8; BLOCK_BYTES], state: &mut State) -> u64 {
    let block = lanes.load(bytes);
    let backslashes = lanes.eq(block, b'\\');
    let (escaped, escapes) = match backslashes == 0 && !state.is_escaped {
        true => (0, 0),
        false => escapes(backslashes, &mut state.is_escaped),
    };
    let quotes = lanes.eq(block, b'"') & !escaped;
    let in_string = prefix_xor(quotes) ^ state.in_string;
    let signs = lanes.eq_any(block, [b'{', b'}', b'[', b']', b':', b',']);
    let blanks = lanes.eq_any(block, [b' ', b'\t', b'\n', b'\r']);
    let scalars = !(signs | blanks | quotes | in_string);
    let starts = scalars & !(scalars << 1 | u64::from(state.in_scalar));
    state.in_string = ((in_string as i64) >> 63) as u64;
    state.in_scalar = scalars >> 63 != 0;
    (signs & !in_string) | quotes | starts | (escapes & in_string)
}

/// Returns which bytes are escaped, and which backslashes start an escape.
#[inline(always)]
fn escapes(backslashes: u64, is_escaped: &mut bool) -> (u64, u64) {
    let mut escaped = u64::from(*is_escaped);
    let mut escapes = 0;
    let mut rest = backslashes & !escaped;
    *is_escaped = false;
    while rest != 0 {
        let first = rest & rest.wrapping_neg();
        escapes |= first;
        escaped |= first << 1;
        *is_escaped = first >> 63 != 0;
        rest &= !(first | first << 1);
    }
    (escaped, escapes)
}

/// Returns a mask whose bits say whether the number of bits up to there is odd.
#[inline(always)]
fn prefix_xor(mut mask: u64) -> u64 {
    for shift in [1, 2, 4, 8, 16, 32] {
        mask ^= mask << shift;
    }
    mask
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the marks by looking at each byte.
    fn slow(text: &[u8]) -> Vec<usize> {
        let (mut marks, mut in_string, mut in_scalar, mut at) = (Vec::new(), false, false, 0);
        while at < text.len() {
            let byte = text[at];
            let is_scalar = !in_string && !b"{}[]:,\" \t\r\n".contains(&byte);
            if byte == b'\\' {
                if in_string || !in_scalar {
                    marks.push(at);
                }
                // The escaped byte is no quote.
                at += 1;
                if let Some(&next) = text.get(at)
                    && !in_string
                    && b"{}[]:,".contains(&next)
                {
                    marks.push(at);
                }
                in_scalar =
                    !in_string && text.get(at).is_some_and(|byte| !b"{}[]:, \t\r\n".contains(byte));
            } else {
                let is_sign = !in_string && b"{}[]:,".contains(&byte);
                if is_sign || byte == b'"' || is_scalar && !in_scalar {
                    marks.push(at);
                }
                in_string ^= byte == b'"';
                in_scalar = is_scalar;
            }
            at += 1;
        }
        marks
    }

    /// Returns the marks of a text that arrives in pieces of `step` bytes.
    fn found(text: &[u8], step: usize) -> Vec<usize> {
        let (mut index, mut marks, mut end) = (Index::new(0), Vec::new(), 0);
        loop {
            marks.extend(std::iter::from_fn(|| index.next()));
            if !index.find(&text[..end]) {
                if end == text.len() {
                    return marks;
                }
                end = (end + step).min(text.len());
            }
        }
    }

    #[test]
    fn marks_are_found_in_texts_of_any_kind() {
        let alphabet = b"{}[]:,\"\"\"\\\\ \t\n1ab-\xc3\xa9";
        let mut seed = 1_u64;
        for length in 0..400 {
            let mut next = || {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                alphabet[(seed >> 33) as usize % alphabet.len()]
            };
            let text: Vec<u8> = (0..length).map(|_| next()).collect();
            for step in [1, 7, 64, 1000] {
                assert_eq!(found(&text, step), slow(&text), "{:?}", String::from_utf8_lossy(&text));
            }
        }
    }
}
