//! Checks that text contains only what YAML allows in a stream: valid UTF-8 without C0 control
//! characters other than tab, line feed and carriage return (the union of the productions \[1\]
//! c-printable and \[2\] nb-json of YAML 1.2.2).

use crate::lanes::{BLOCK_BYTES, Lanes};
use crate::level::{Kernel, Level, dispatch};

/// An error in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// Invalid UTF-8.
    Malformed,
    /// A control character that YAML does not allow.
    Control(u8),
}

/// The result of [`check`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The number of valid bytes at the start of the input. They end at the end of a character.
    pub valid_bytes: usize,
    /// The error after the valid bytes. If it is `None`, there is no error, but the input may end
    /// inside a character.
    pub flaw: Option<Flaw>,
}

/// The size in bytes of the regions that are checked separately. A region is validated as UTF-8
/// only if it is not ASCII.
const REGION_BYTES: usize = 4096;

/// Checks `bytes` up to the first error. It is not an error if a character is cut off at the end of
/// `bytes`: `valid_bytes` excludes this character, and the caller knows whether more bytes follow.
///
/// ```
/// use ketch_bytes::{Level, text};
/// let checked = text::check(Level::detect(), b"ab\x1b");
/// assert_eq!((checked.valid_bytes, checked.flaw), (2, Some(text::Flaw::Control(0x1b))));
/// ```
pub fn check(level: Level, bytes: &[u8]) -> Checked {
    let mut done = 0;
    loop {
        let rest = &bytes[done..];
        if rest.is_empty() {
            return Checked { valid_bytes: done, flaw: None };
        }
        let region = &rest[..rest.len().min(REGION_BYTES)];
        let ascii = dispatch(level, Scan(region));
        if let (Some(at), false) = (ascii.control, ascii.non_ascii) {
            return Checked { valid_bytes: done + at, flaw: Some(Flaw::Control(region[at])) };
        }
        if !ascii.non_ascii {
            done += region.len();
            continue;
        }
        let utf8 = check_utf8(region);
        match ascii.control {
            // If there are both errors, the first one is returned.
            Some(at) if at <= utf8.valid_bytes => {
                return Checked { valid_bytes: done + at, flaw: Some(Flaw::Control(region[at])) };
            }
            _ => {}
        }
        done += utf8.valid_bytes;
        let cut_by_region = utf8.flaw.is_none() && region.len() < rest.len();
        if utf8.flaw.is_some() || (utf8.valid_bytes < region.len() && !cut_by_region) {
            return Checked { valid_bytes: done, flaw: utf8.flaw };
        }
    }
}

/// Checks whether `region` is UTF-8. It is not an error if a character is cut off at its end.
fn check_utf8(region: &[u8]) -> Checked {
    match simdutf8::compat::from_utf8(region) {
        Ok(_) => Checked { valid_bytes: region.len(), flaw: None },
        Err(error) => Checked {
            valid_bytes: error.valid_up_to(),
            flaw: error.error_len().map(|_| Flaw::Malformed),
        },
    }
}

struct Seen {
    control: Option<usize>,
    non_ascii: bool,
}

struct Scan<'a>(&'a [u8]);

impl Kernel for Scan<'_> {
    type Output = Seen;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Seen {
        let (blocks, rest) = self.0.as_chunks::<BLOCK_BYTES>();
        let mut seen = Masks::default();
        for block in blocks {
            seen.add(lanes, lanes.load(block));
        }
        if !rest.is_empty() {
            // The last block may overlap the previous one, which makes no difference.
            match self.0.last_chunk() {
                Some(block) => seen.add(lanes, lanes.load(block)),
                None => seen.add_first(lanes, lanes.load_text(rest), rest.len()),
            }
        }
        // The loop above need not stop at a control character, because a second pass looks for it.
        let control = || self.0.iter().position(|&byte| is_control(byte));
        Seen {
            control: if seen.control != 0 { control() } else { None },
            non_ascii: seen.non_ascii != 0,
        }
    }
}

/// Returns a mask of the bytes of `block` that are C0 control characters that YAML does not allow.
#[inline(always)]
pub fn controls<L: Lanes>(lanes: L, block: L::Block) -> u64 {
    lanes.le(block, 0x1F) & !lanes.eq_any(block, [b'\t', b'\n', b'\r'])
}

/// The masks of all blocks so far, combined with a bitwise or.
#[derive(Default)]
struct Masks {
    control: u64,
    non_ascii: u64,
}

impl Masks {
    /// Adds the masks of `block`.
    #[inline(always)]
    fn add<L: Lanes>(&mut self, lanes: L, block: L::Block) {
        self.add_first(lanes, block, BLOCK_BYTES);
    }

    /// Adds the masks of the first `count` bytes of `block`. `count` must not be 0.
    #[inline(always)]
    fn add_first<L: Lanes>(&mut self, lanes: L, block: L::Block, count: usize) {
        let counts = u64::MAX >> (BLOCK_BYTES - count);
        self.control |= controls(lanes, block) & counts;
        self.non_ascii |= lanes.non_ascii(block) & counts;
    }
}

/// Returns whether `byte` is a C0 control character that YAML does not allow.
fn is_control(byte: u8) -> bool {
    byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Does the same as [`check`], but without its regions and kernels.
    fn naive(bytes: &[u8]) -> Checked {
        let (valid, flaw) = match std::str::from_utf8(bytes) {
            Ok(text) => (text, None),
            Err(error) => {
                let text = std::str::from_utf8(&bytes[..error.valid_up_to()]).expect("valid part");
                (text, error.error_len().map(|_| Flaw::Malformed))
            }
        };
        let control = |byte: &u8| *byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r');
        match valid.bytes().position(|byte| control(&byte)) {
            Some(at) => Checked { valid_bytes: at, flaw: Some(Flaw::Control(bytes[at])) },
            None => Checked { valid_bytes: valid.len(), flaw },
        }
    }

    fn agrees(bytes: &[u8]) {
        for level in Level::available() {
            assert_eq!(check(level, bytes), naive(bytes), "{level}");
        }
    }

    #[test]
    fn invalid_bytes_are_found_at_every_offset() {
        for flaw in [&b"\x00"[..], b"\x1b", b"\xff", b"\xc3", b"\xe2\x82", b"\xed\xa0\x80", b"\x7f"]
        {
            // Under Miri, only a few offsets in a block are tested, because each takes seconds.
            for before in (0..130).step_by(if cfg!(miri) { 43 } else { 1 }) {
                let mut bytes = vec![b'x'; before];
                bytes.extend_from_slice(flaw);
                agrees(&bytes);
                bytes.extend_from_slice("\u{e9} tail".as_bytes());
                agrees(&bytes);
            }
        }
    }

    #[test]
    fn characters_may_cross_region_boundaries() {
        // Under Miri, each shift takes minutes, so only one is tested.
        let shifts = if cfg!(miri) { 1..2 } else { 0..4 };
        for shift in shifts {
            let text = "x".repeat(shift) + &"\u{1f30a}".repeat(3000);
            agrees(text.as_bytes());
            agrees(&text.as_bytes()[..text.len() - 1]);
            let mut broken = text.into_bytes();
            broken[8191] = b'x';
            agrees(&broken);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 4 } else { 512 }))]
        #[test]
        fn invalid_characters_are_those_of_the_definition(text in "[ -~\\t\\n\u{e9}\u{20ac}\u{1f30a}]{0,300}",
                                      at in any::<proptest::sample::Index>(),
                                      byte in any::<Option<u8>>()) {
            let mut bytes = text.into_bytes();
            if let (Some(byte), false) = (byte, bytes.is_empty()) {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            agrees(&bytes);
        }
    }
}
