//! Determines which styles can represent a text, in one pass over its bytes, 64 at a time. Only
//! rare characters are examined a second time.

use ketch_bytes::{BLOCK_BYTES, Kernel, Lanes, Level, dispatch};
use memchr::memchr3_iter;

/// Properties of a text, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Analysis(u8);

/// The text can be a plain scalar in block context (\[131\] ns-plain(n,c), on one line).
const BLOCK_PLAIN: u8 = 1;
/// The text can also be a plain scalar in flow context.
const FLOW_PLAIN: u8 = 2;
/// The text contains line breaks.
const MULTILINE: u8 = 4;
/// The text contains line breaks, and no blanks next to them, so it can be folded.
const FOLDS: u8 = 8;
/// The text contains characters that must be escaped.
const SPECIAL: u8 = 16;
/// The text contains characters outside ASCII.
const BEYOND_ASCII: u8 = 32;

impl Analysis {
    /// Returns whether the text can be a plain scalar in block context.
    pub fn is_block_plain(self) -> bool {
        self.0 & BLOCK_PLAIN != 0
    }

    /// Returns whether the text can be a plain scalar in flow context.
    pub fn is_flow_plain(self) -> bool {
        self.0 & FLOW_PLAIN != 0
    }

    /// Returns whether the text contains line breaks.
    pub fn is_multiline(self) -> bool {
        self.0 & MULTILINE != 0
    }

    /// Returns whether the text contains line breaks, and no blanks next to them, so that it can be
    /// folded.
    pub fn folds(self) -> bool {
        self.0 & FOLDS != 0
    }

    /// Returns whether the text contains characters that must be escaped.
    pub fn is_special(self) -> bool {
        self.0 & SPECIAL != 0
    }

    /// Returns whether the text contains characters outside ASCII.
    pub fn is_beyond_ascii(self) -> bool {
        self.0 & BEYOND_ASCII != 0
    }
}

/// Determines which styles can represent `text`, which must be UTF-8.
pub(super) fn analyse(level: Level, text: &[u8]) -> Analysis {
    let seen = dispatch(level, Scan { text });
    let mut bits = 0;
    if seen.has(S_HIGH) {
        bits |= BEYOND_ASCII;
    }
    if seen.has(S_SPECIAL) || (seen.has(S_LEAD) && has_special_char(text)) {
        return Analysis(bits | SPECIAL | if seen.has(S_BREAK) { MULTILINE } else { 0 });
    }
    if seen.has(S_BREAK) {
        return Analysis(bits | MULTILINE | if seen.has(S_BLANK_AT_BREAK) { 0 } else { FOLDS });
    }
    let Some(&last) = text.last() else { return Analysis(bits) };
    let is_separated = !seen.has(S_SEPARATOR) && last != b':';
    if starts_plain(text) && !is_blank(last) && is_separated {
        bits |= BLOCK_PLAIN;
        if !seen.has(S_FLOW) && !starts_indicator_alone(text) {
            bits |= FLOW_PLAIN;
        }
    }
    Analysis(bits)
}

/// What occurs in a text, as a set of the bits below.
#[derive(Clone, Copy, Default)]
struct Seen(u8);

/// A control character other than a tab or a line feed.
const S_SPECIAL: u8 = 1;
/// A line break.
const S_BREAK: u8 = 2;
/// A `:` before a blank, or a `#` after a blank.
const S_SEPARATOR: u8 = 4;
/// An indicator of flow collections.
const S_FLOW: u8 = 8;
/// A byte outside ASCII.
const S_HIGH: u8 = 16;
/// The first byte of a character that [`special_len`] has to check.
const S_LEAD: u8 = 32;
/// A blank next to a line break.
const S_BLANK_AT_BREAK: u8 = 64;

impl Seen {
    /// Returns whether one of the bits `what` is set.
    fn has(self, what: u8) -> bool {
        self.0 & what != 0
    }

    /// Adds the bits `what` if `mask` is not zero.
    #[inline(always)]
    fn note(&mut self, what: u8, mask: u64) {
        self.0 |= if mask != 0 { what } else { 0 };
    }
}

/// The kernel that scans a text, 64 bytes at a time.
struct Scan<'t> {
    text: &'t [u8],
}

impl Kernel for Scan<'_> {
    type Output = Seen;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Seen {
        let mut seen = Seen::default();
        let mut before = Before::default();
        let (blocks, rest) = self.text.as_chunks::<BLOCK_BYTES>();
        for block in blocks {
            before = look(lanes, block, u64::MAX, before, &mut seen);
        }
        if !rest.is_empty() {
            let mut block = [0; BLOCK_BYTES];
            block[..rest.len()].copy_from_slice(rest);
            look(lanes, &block, (1 << rest.len()) - 1, before, &mut seen);
        }
        seen
    }
}

/// The classes of the last byte before a block, in the lowest bit of each mask.
#[derive(Clone, Copy, Default)]
struct Before {
    blank: u64,
    newline: u64,
    colon: u64,
}

/// Records in `seen` what occurs in the `valid` bytes of a block. Returns the classes of the
/// block's last byte.
#[inline(always)]
fn look<L: Lanes>(
    lanes: L,
    block: &[u8; BLOCK_BYTES],
    valid: u64,
    before: Before,
    seen: &mut Seen,
) -> Before {
    let bytes = lanes.load(block);
    let blank = lanes.eq_any(bytes, [b' ', b'\t']) & valid;
    let newline = lanes.eq(bytes, b'\n') & valid;
    let colon = lanes.eq(bytes, b':') & valid;
    let hash = lanes.eq(bytes, b'#') & valid;
    let control = lanes.le(bytes, 0x1F) & !lanes.eq_any(bytes, [b'\t', b'\n']);
    seen.note(S_SPECIAL, (control | lanes.eq(bytes, 0x7F)) & valid);
    seen.note(S_BREAK, newline);
    seen.note(S_FLOW, lanes.eq_any(bytes, *b",[]{}") & valid);
    seen.note(S_HIGH, lanes.non_ascii(bytes) & valid);
    seen.note(S_LEAD, lanes.eq_any(bytes, [0xC2, 0xE2, 0xEF]) & valid);
    // Each byte is examined together with the one before it.
    let after_blank = blank << 1 | before.blank;
    let after_newline = newline << 1 | before.newline;
    let after_colon = colon << 1 | before.colon;
    seen.note(S_SEPARATOR, hash & after_blank | blank & after_colon);
    seen.note(S_BLANK_AT_BREAK, newline & after_blank | blank & after_newline);
    Before { blank: blank >> 63, newline: newline >> 63, colon: colon >> 63 }
}

/// Whether the first byte of a text can start plain text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum First {
    /// The byte can start plain text.
    Plain,
    /// The byte cannot start plain text, because it is a blank or an indicator (\[22\]
    /// c-indicator).
    Other,
    /// The next byte decides.
    Open,
}

static FIRST: [First; 256] = {
    let mut table = [First::Plain; 256];
    let (other, open) = (b" \t,[]{}#&*!|>'\"%@`", b"-?:.");
    let mut i = 0;
    while i < other.len() {
        table[other[i] as usize] = First::Other;
        i += 1;
    }
    let mut i = 0;
    while i < open.len() {
        table[open[i] as usize] = First::Open;
        i += 1;
    }
    table
};

/// Returns whether `byte` is a space or a tab.
pub(super) fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

/// Returns whether `text` starts like a plain scalar (\[126\] ns-plain-first(c)) and not with a
/// document marker. Empty text does not.
#[inline(always)]
pub(super) fn starts_plain(text: &[u8]) -> bool {
    text.first().is_some_and(|&first| match FIRST[first as usize] {
        First::Plain => true,
        First::Other => false,
        First::Open => match text {
            [b'-', b'-', b'-', ..] | [b'.', b'.', b'.', ..] => false,
            [b'.', ..] => true,
            [_, next, ..] => !is_blank(*next),
            _ => false,
        },
    })
}

/// Returns whether `text` is a single `-`, `?` or `:`, which would be an indicator in flow context.
fn starts_indicator_alone(text: &[u8]) -> bool {
    matches!(text, [b'-' | b'?' | b':'])
}

/// Returns whether `text` contains characters outside ASCII that are not printable, or that other
/// parsers take for line breaks or byte order marks. These are the C1 controls, U+2028, U+2029,
/// U+FEFF, U+FFFE and U+FFFF.
fn has_special_char(text: &[u8]) -> bool {
    memchr3_iter(0xC2, 0xE2, 0xEF, text).any(|at| special_len(&text[at..]) > 0)
}

/// Returns the length in bytes of the first character of `text` if it is one that
/// [`has_special_char`] looks for, and otherwise 0.
pub(super) fn special_len(text: &[u8]) -> usize {
    match *text {
        [0xC2, 0x80..=0x9F, ..] => 2,
        [0xE2, 0x80, 0xA8 | 0xA9, ..] | [0xEF, 0xBB, 0xBF, ..] => 3,
        [0xEF, 0xBF, 0xBE | 0xBF, ..] => 3,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_with_a_meaningful_indicator_is_not_plain() {
        let plain = ["a", "a b", "a:b", "a#b", "-a", "?a", ":a", "a\tb", "\u{e9}", "\u{a0}", "--"];
        for text in plain {
            let analysis = analyse(Level::detect(), text.as_bytes());
            assert!(analysis.is_block_plain() && analysis.is_flow_plain(), "{text}");
        }
        for text in ["a,b", "a]", "-{", "x[0]"] {
            let analysis = analyse(Level::detect(), text.as_bytes());
            assert!(analysis.is_block_plain() && !analysis.is_flow_plain(), "{text}");
        }
        for text in
            ["", " a", "a ", "a: b", "a:", "a #b", "-", "- a", "? a", "---", "...a", "\u{85}"]
        {
            assert!(!analyse(Level::detect(), text.as_bytes()).is_block_plain(), "{text}");
        }
        for first in "#&*!|>'\"%@`,[]{}".chars() {
            assert!(
                !analyse(Level::detect(), format!("{first}a").as_bytes()).is_block_plain(),
                "{first}"
            );
        }
    }

    #[test]
    fn characters_that_need_escapes_are_special() {
        for ch in '\0'..=char::MAX {
            // These are the characters of [1] c-printable, except other breaks and the byte order
            // mark.
            let is_printable = matches!(ch, '\t' | '\n' | ' '..='~' | '\u{a0}'..='\u{d7ff}')
                || matches!(ch, '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
            let is_plain = is_printable && !matches!(ch, '\u{2028}' | '\u{2029}' | '\u{feff}');
            let analysis = analyse(Level::detect(), format!("a{ch}b").as_bytes());
            assert_eq!(analysis.is_special(), !is_plain, "{ch:?}");
            assert_eq!(analysis.is_beyond_ascii(), !ch.is_ascii(), "{ch:?}");
        }
    }

    /// Computes the same analysis byte by byte.
    fn naive(text: &[u8]) -> Analysis {
        let pairs = || text.windows(2).map(|pair| (pair[0], pair[1]));
        let is_high = text.iter().any(|byte| *byte >= 0x80);
        let high = if is_high { BEYOND_ASCII } else { 0 };
        let is_control = |byte: &u8| matches!(byte, 0..=8 | 0x0B..=0x1F | 0x7F);
        let breaks = if text.contains(&b'\n') { MULTILINE } else { 0 };
        if text.iter().any(is_control) || (0..text.len()).any(|at| special_len(&text[at..]) > 0) {
            return Analysis(high | SPECIAL | breaks);
        }
        if breaks != 0 {
            let is_beside = |(a, b)| a == b'\n' && is_blank(b) || is_blank(a) && b == b'\n';
            return Analysis(high | breaks | if pairs().any(is_beside) { 0 } else { FOLDS });
        }
        let is_separator = |(a, b)| a == b':' && is_blank(b) || is_blank(a) && b == b'#';
        let Some(&last) = text.last() else { return Analysis(high) };
        let is_cut = pairs().any(is_separator) || last == b':' || is_blank(last);
        if !starts_plain(text) || is_cut {
            return Analysis(high);
        }
        let is_flow = !text.iter().any(|byte| b",[]{}".contains(byte));
        let flow = if is_flow && !starts_indicator_alone(text) { FLOW_PLAIN } else { 0 };
        Analysis(high | BLOCK_PLAIN | flow)
    }

    #[test]
    fn analysing_blocks_equals_analysing_bytes() {
        let pairs = [": ", " #", ":a", "a#", "\n ", " \n", "\n\n", "\t#", ":\t", ",a", "\u{7f}"];
        for length in 0..140 {
            for at in 0..length {
                for pair in pairs.iter().chain(&["\u{2028}", "\u{a9}", "\u{416}", "\u{feff}"]) {
                    let text = format!("{:a<at$}{pair}{:b<rest$}", "", "", rest = length - at - 1);
                    for level in Level::available() {
                        let found = analyse(level, text.as_bytes());
                        assert_eq!(found, naive(text.as_bytes()), "{level:?} {text:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn folding() {
        for (text, folded) in [("a\nb", true), ("\n", true), ("a \nb", false), ("a\n\tb", false)] {
            assert_eq!(analyse(Level::detect(), text.as_bytes()).folds(), folded, "{text:?}");
        }
    }
}
