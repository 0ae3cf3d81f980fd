//! What a text allows: one pass over its bytes, and a second look only at what is rare.

use memchr::{memchr2_iter, memchr3_iter};

/// What was found in a text, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Analysis(u8);

/// A plain scalar in block context (\[131\] ns-plain(n,c), on one line).
const BLOCK_PLAIN: u8 = 1;
/// A plain scalar in flow context, too.
const FLOW_PLAIN: u8 = 2;
/// Has line breaks.
const MULTILINE: u8 = 4;
/// Its line breaks have no blanks beside them, so that they can be folded.
const FOLDS: u8 = 8;
/// Has characters that only escapes can carry.
const SPECIAL: u8 = 16;
/// Has characters beyond ASCII.
const BEYOND_ASCII: u8 = 32;

impl Analysis {
    /// What short plain text without anything to look at allows; for the fast lane.
    pub fn is_block_plain(self) -> bool {
        self.0 & BLOCK_PLAIN != 0
    }

    pub fn is_flow_plain(self) -> bool {
        self.0 & FLOW_PLAIN != 0
    }

    pub fn is_multiline(self) -> bool {
        self.0 & MULTILINE != 0
    }

    pub fn folds(self) -> bool {
        self.0 & FOLDS != 0
    }

    pub fn is_special(self) -> bool {
        self.0 & SPECIAL != 0
    }

    pub fn is_beyond_ascii(self) -> bool {
        self.0 & BEYOND_ASCII != 0
    }
}

/// Looks at a text, which is UTF-8.
pub(super) fn analyse(text: &[u8]) -> Analysis {
    let seen = classes_of(text);
    let mut bits = 0;
    if seen & C_HIGH != 0 {
        bits |= BEYOND_ASCII;
    }
    if seen & C_SPECIAL != 0 || (seen & C_HIGH != 0 && has_special_char(text)) {
        return Analysis(bits | SPECIAL | if seen & C_BREAK != 0 { MULTILINE } else { 0 });
    }
    if seen & C_BREAK != 0 {
        return Analysis(bits | MULTILINE | if folds(text) { FOLDS } else { 0 });
    }
    let (Some(&first), Some(&last)) = (text.first(), text.last()) else { return Analysis(bits) };
    let is_separated = seen & C_SEPARATOR == 0 || !has_separator(text);
    if starts_plain(first, text) && !is_blank(last) && is_separated {
        bits |= BLOCK_PLAIN;
        if seen & C_FLOW == 0 && !starts_indicator_alone(text) {
            bits |= FLOW_PLAIN;
        }
    }
    Analysis(bits)
}

/// The classes of all bytes. Long text is asked sixteen bytes at a time for what is in one of the
/// classes that matter, which compiles to vector instructions.
fn classes_of(text: &[u8]) -> u8 {
    let by_table = |text: &[u8]| text.iter().fold(0, |seen, &byte| seen | CLASS[byte as usize]);
    let (blocks, rest) = text.as_chunks::<16>();
    let mut seen = by_table(rest);
    for block in blocks {
        let mut is_any = 0;
        for &byte in block {
            let is_control = byte.wrapping_sub(0x20) >= 0x5F;
            let is_separator = byte == b':' || byte == b'#';
            let is_bracket = matches!(byte | 0x20, b'{' | b'}') || byte == b',';
            is_any |= u8::from(is_control) | u8::from(is_separator) | u8::from(is_bracket);
        }
        if is_any != 0 {
            seen |= by_table(block);
        }
    }
    seen
}

const C_SPECIAL: u8 = 1;
const C_BREAK: u8 = 2;
/// `:` and `#`, which end plain text with a blank beside them.
const C_SEPARATOR: u8 = 4;
/// Indicators of flow collections.
const C_FLOW: u8 = 8;
const C_HIGH: u8 = 16;
/// Indicators that no plain scalar starts with (\[22\] c-indicator).
const C_INDICATOR: u8 = 32;

static CLASS: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        if byte < 0x20 || byte == 0x7F {
            table[byte] = C_SPECIAL;
        } else if byte >= 0x80 {
            table[byte] = C_HIGH;
        }
        byte += 1;
    }
    table[b'\t' as usize] = 0;
    table[b'\n' as usize] = C_BREAK;
    let indicators = b"-?:,[]{}#&*!|>'\"%@`";
    let mut i = 0;
    while i < indicators.len() {
        table[indicators[i] as usize] = C_INDICATOR;
        i += 1;
    }
    let flow = b",[]{}";
    let mut i = 0;
    while i < flow.len() {
        table[flow[i] as usize] |= C_FLOW;
        i += 1;
    }
    table[b':' as usize] |= C_SEPARATOR;
    table[b'#' as usize] |= C_SEPARATOR;
    table
}

pub(super) fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

/// \[126\] ns-plain-first(c), and no document marker.
fn starts_plain(first: u8, text: &[u8]) -> bool {
    if is_blank(first) || text.starts_with(b"---") || text.starts_with(b"...") {
        return false;
    }
    if CLASS[first as usize] & C_INDICATOR == 0 {
        return true;
    }
    matches!(first, b'-' | b'?' | b':') && text.get(1).is_some_and(|&next| !is_blank(next))
}

/// A `?` or `-` that some readers take for an indicator in flow context.
fn starts_indicator_alone(text: &[u8]) -> bool {
    matches!(text, [b'-' | b'?' | b':'])
}

/// Whether a `:` stands in front of a blank or at the end, or a `#` behind a blank.
fn has_separator(text: &[u8]) -> bool {
    memchr2_iter(b':', b'#', text).any(|at| match text[at] {
        b':' => text.get(at + 1).is_none_or(|&next| is_blank(next)),
        _ => at > 0 && is_blank(text[at - 1]),
    })
}

/// Whether no line break has a blank beside it.
fn folds(text: &[u8]) -> bool {
    memchr::memchr_iter(b'\n', text).all(|at| {
        let before = at.checked_sub(1).map(|at| text[at]);
        !before.is_some_and(is_blank) && !text.get(at + 1).copied().is_some_and(is_blank)
    })
}

/// Whether there are characters beyond ASCII that are not printable, or that other readers take for
/// line breaks or byte order marks: C1 controls, U+0085, U+2028, U+2029, U+FEFF, U+FFFE, U+FFFF.
fn has_special_char(text: &[u8]) -> bool {
    memchr3_iter(0xC2, 0xE2, 0xEF, text).any(|at| special_len(&text[at..]) > 0)
}

/// How many bytes the character has that `text` starts with, if it is one of those; else zero.
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
    fn plain_text() {
        let plain = ["a", "a b", "a:b", "a#b", "-a", "?a", ":a", "a\tb", "\u{e9}", "\u{a0}", "--"];
        for text in plain {
            let analysis = analyse(text.as_bytes());
            assert!(analysis.is_block_plain() && analysis.is_flow_plain(), "{text}");
        }
        for text in ["a,b", "a]", "-{", "x[0]"] {
            let analysis = analyse(text.as_bytes());
            assert!(analysis.is_block_plain() && !analysis.is_flow_plain(), "{text}");
        }
        for text in
            ["", " a", "a ", "a: b", "a:", "a #b", "-", "- a", "? a", "---", "...a", "\u{85}"]
        {
            assert!(!analyse(text.as_bytes()).is_block_plain(), "{text}");
        }
        for first in "#&*!|>'\"%@`,[]{}".chars() {
            assert!(!analyse(format!("{first}a").as_bytes()).is_block_plain(), "{first}");
        }
    }

    #[test]
    fn every_character_is_special_or_not() {
        for ch in '\0'..=char::MAX {
            // [1] c-printable, without other breaks and the byte order mark.
            let is_printable = matches!(ch, '\t' | '\n' | ' '..='~' | '\u{a0}'..='\u{d7ff}')
                || matches!(ch, '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
            let is_plain = is_printable && !matches!(ch, '\u{2028}' | '\u{2029}' | '\u{feff}');
            let analysis = analyse(format!("a{ch}b").as_bytes());
            assert_eq!(analysis.is_special(), !is_plain, "{ch:?}");
            assert_eq!(analysis.is_beyond_ascii(), !ch.is_ascii(), "{ch:?}");
        }
    }

    #[test]
    fn long_text_is_looked_at_in_blocks() {
        let matters = C_SPECIAL | C_BREAK | C_SEPARATOR | C_FLOW | C_HIGH;
        for byte in 0..=255 {
            for at in 0..40 {
                let mut text = [b'a'; 40];
                text[at] = byte;
                assert_eq!(classes_of(&text) & matters, CLASS[byte as usize] & matters, "{byte}");
            }
        }
    }

    #[test]
    fn folding() {
        for (text, folded) in [("a\nb", true), ("\n", true), ("a \nb", false), ("a\n\tb", false)] {
            assert_eq!(analyse(text.as_bytes()).folds(), folded, "{text:?}");
        }
    }
}
