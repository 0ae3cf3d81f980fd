//! Decodes quoted scalars: `''`, the escapes of double quotes (section 5.7) and line folding
//! (section 6.5). This is done for 64 bytes at a time: they are copied without what introduces an
//! escape, and then the letters are replaced. Escapes with numbers are decoded one by one.

use super::flow::count_breaks;
use super::target::Target;
use crate::scan::quoted::{below, odd_in_runs};
use ketch_bytes::{BLOCK_BYTES, Kernel, Lanes, Level, dispatch};
use std::ops::Range;

/// Appends the content of a quoted scalar to `out`. The text between the quotes, which has been
/// validated, is `span` of `text`; its quotes are double or else single (\[116\]
/// nb-double-multi-line, \[125\] nb-single-multi-line).
// [113] s-double-break, [114] nb-ns-double-in-line, [124] s-single-next-line.
pub(super) fn decode(text: &[u8], span: Range<usize>, is_double: bool, out: &mut Vec<u8>) {
    let level = Level::detect();
    if span.end + BLOCK_BYTES <= text.len() {
        dispatch(level, Quoted { text, span, is_double, out });
        return;
    }
    let len = span.len();
    let mut padded = Vec::with_capacity(len + BLOCK_BYTES);
    padded.extend_from_slice(&text[span]);
    padded.resize(len + BLOCK_BYTES, 0);
    dispatch(level, Quoted { text: &padded, span: 0..len, is_double, out });
}

/// The text between quotes, which is at `span` of `text` and followed by one more block, and the
/// buffer for its content.
struct Quoted<'t, 'o> {
    text: &'t [u8],
    span: Range<usize>,
    is_double: bool,
    out: &'o mut Vec<u8>,
}

impl Kernel for Quoted<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Quoted { text, span: Range { start, end }, is_double, out } = self;
        let escape = if is_double { b'\\' } else { b'\'' };
        let mut target = Target::new(out, end - start);
        let mut at = start;
        while at < end
            && let Some(block) = text[at..].first_chunk()
        {
            let loaded = lanes.load(block);
            let inside = u64::MAX >> (BLOCK_BYTES - (end - at).min(BLOCK_BYTES));
            let escapes = odd_in_runs(lanes.eq(loaded, escape) & inside);
            let escaped = if is_double { escapes << 1 } else { 0 };
            let breaks = lanes.eq_any(loaded, [b'\n', b'\r']) & inside & !escaped;
            let (mut part, mut others) = (inside & below(breaks), 0);
            if escapes == 0 {
                target.copy(text, at, part.count_ones() as usize);
            } else {
                if is_double {
                    others = (lanes.eq_any(loaded, OTHERS) & escaped) >> 1;
                    part &= below(others);
                }
                // What follows a backslash at the end of the block is in the next one.
                part >>= (escapes & part) >> (BLOCK_BYTES - 1);
                unescape_block(lanes, block, part, escapes & part, is_double, &mut target);
            }
            at += part.count_ones() as usize;
            let next = 1u64.checked_shl(part.count_ones()).unwrap_or(0);
            if next & others != 0 {
                while at < end && text[at] == b'\\' {
                    at = unescape(text, at + 1, end, &mut target);
                }
                target.keep_blanks(target.len());
            } else if next & breaks != 0 {
                at = end - fold(&text[at..end], &mut target).len();
            }
        }
        target.finish(true);
    }
}

/// Appends the bytes of `block` in `part`, whose `escapes` each stand for one ASCII character.
#[inline(always)]
fn unescape_block<L: Lanes>(
    lanes: L,
    block: &[u8; BLOCK_BYTES],
    part: u64,
    escapes: u64,
    is_double: bool,
    target: &mut Target<'_>,
) {
    let kept = part & !escapes;
    let start = target.len();
    let place = |below: u64| start + (kept & below).count_ones() as usize;
    target.compress(lanes, block, kept);
    if escapes == 0 {
        return;
    }
    target.keep_blanks(place(u64::MAX >> (escapes.leading_zeros() - 1)));
    if is_double {
        let mut letters = escapes << 1 & !lanes.eq_any(lanes.load(block), [b'"', b'\\', b'/']);
        while letters != 0 {
            let letter = block[letters.trailing_zeros() as usize];
            target.set(place(below(letters)), ASCII[usize::from(letter)]);
            letters &= letters - 1;
        }
    }
}

/// Appends what the line breaks at the start of `text` stand for, and returns the text after them. A
/// single line break becomes a space, and n line breaks become n - 1.
// [71] b-l-trimmed, [72] b-as-space, [73] b-l-folded.
#[inline(always)]
fn fold<'t>(text: &'t [u8], target: &mut Target<'_>) -> &'t [u8] {
    target.trim_blanks();
    let (count, rest) = count_breaks(text);
    match count {
        1 => target.byte(b' '),
        more => target.breaks(more - 1),
    }
    target.keep_blanks(target.len());
    rest
}

/// Decodes the escape sequence whose backslash is just before `at` (productions 42 to 62), and
/// returns the offset after it.
#[inline(always)]
fn unescape(text: &[u8], at: usize, end: usize, target: &mut Target<'_>) -> usize {
    match ASCII[usize::from(text[at])] {
        0 => other_escape(text, at, end, target),
        byte => {
            target.byte(byte);
            at + 1
        }
    }
}

/// Does what [`unescape`] does for an escape that is not one ASCII character. An escaped line break
/// adds nothing, but empty lines after it are kept.
// [112] s-double-escaped.
#[inline(always)]
fn other_escape(text: &[u8], at: usize, end: usize, target: &mut Target<'_>) -> usize {
    let digits = match text[at] {
        b'u' => 4,
        b'x' => 2,
        b'U' => 8,
        b'\n' | b'\r' => {
            let (breaks, rest) = count_breaks(&text[at..end]);
            target.breaks(breaks - 1);
            return end - rest.len();
        }
        letter => {
            // The two bytes `\L` become three.
            target.grow();
            target.char(match letter {
                b'N' => '\u{85}',
                b'_' => '\u{A0}',
                b'L' => '\u{2028}',
                b'P' => '\u{2029}',
                _ => '\0',
            });
            return at + 1;
        }
    };
    let after = at + 1 + digits;
    let code = number(&text[at + 1..after]);
    if let Some(char) = char::from_u32(code) {
        target.char(char);
        return after;
    }
    // A high surrogate is combined with the low one after it.
    let low = number(&text[after + 2..after + 6]);
    let code = 0x10000 + ((code & 0x3FF) << 10 | low & 0x3FF);
    target.char(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
    after + 6
}

/// Returns the number that the hexadecimal `digits` stand for.
#[inline(always)]
fn number(digits: &[u8]) -> u32 {
    // The low bits of a letter are its number, and 9 less than its value.
    digits.iter().fold(0, |code, &digit| code << 4 | u32::from((digit & 15) + 9 * (digit >> 6)))
}

/// What may follow a backslash and does not stand for one ASCII character other than NUL.
const OTHERS: [u8; 10] = *b"uxUN_LP0\n\r";

/// The ASCII characters that letters stand for after a backslash, or 0.
const ASCII: [u8; 256] = {
    let pairs = *b"  \t\t\"\"//\\\\a\x07b\x08t\tn\nv\x0Bf\x0Cr\re\x1B";
    let mut table = [0; 256];
    let mut at = 0;
    while at < pairs.len() {
        table[pairs[at] as usize] = pairs[at + 1];
        at += 2;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    /// Decodes `text` at each distance from the start of a block, at each level, with and without
    /// other text after it.
    fn decoded(is_double: bool, text: &str) -> String {
        let mut contents = Vec::new();
        for shift in 0..if cfg!(miri) { 2 } else { 70 } {
            let shifted = format!("{}{text}", "x".repeat(shift));
            let followed = shifted.clone() + &"\\".repeat(BLOCK_BYTES);
            for level in Level::available() {
                let mut out = b"before".to_vec();
                let span = 0..shifted.len();
                let text = followed.as_bytes();
                dispatch(level, Quoted { text, span, is_double, out: &mut out });
                contents.push(String::from_utf8(out).unwrap()[6 + shift..].to_owned());
            }
            let mut out = Vec::new();
            decode(shifted.as_bytes(), 0..shifted.len(), is_double, &mut out);
            contents.push(String::from_utf8(out).unwrap()[shift..].to_owned());
        }
        contents.dedup();
        assert_eq!(contents.len(), 1, "{text:?}: {contents:?}");
        contents.remove(0)
    }

    #[test]
    fn escapes_are_decoded() {
        assert_eq!(
            decoded(true, r#"\0\a\b\t\n\v\f\r\e\ \"\/\\\N\_\L\P"#),
            "\0\x07\x08\t\n\x0B\x0C\r\x1B \"/\\\u{85}\u{a0}\u{2028}\u{2029}"
        );
        assert_eq!(decoded(true, r"\x41\u00e9\U0001F600\uD83D\uDE00"), "A\u{e9}\u{1F600}\u{1F600}");
        assert_eq!(decoded(true, &r"\L".repeat(99)), "\u{2028}".repeat(99));
        assert_eq!(decoded(true, &r"\uD83D\uDE00\\".repeat(99)), "\u{1F600}\\".repeat(99));
    }

    #[test]
    fn quotes_are_unpaired() {
        assert_eq!(decoded(false, "'' a''''b \\''"), "' a''b \\'");
        assert_eq!(decoded(false, &"''".repeat(99)), "'".repeat(99));
    }

    #[test]
    fn line_breaks_are_folded_or_escaped() {
        assert_eq!(decoded(false, "it''s \n\n folded '' "), "it's\nfolded ' ");
        assert_eq!(decoded(false, "''\n x"), "' x");
        assert_eq!(decoded(true, "a \\\n  b"), "a b");
        assert_eq!(decoded(true, "a\\t \n b"), "a\t b");
        assert_eq!(decoded(true, "a\\\n\n  \\ b \r\n c"), "a\n b c");
        assert_eq!(decoded(true, "-\n a \n "), "- a ");
        assert_eq!(decoded(true, "a\r\n\r\nb\\\r\n c"), "a\nbc");
    }
}
