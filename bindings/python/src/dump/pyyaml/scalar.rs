//! Determines the styles in which PyYAML writes texts.

/// The styles that are possible for a text, and what else matters for writing it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Analysis {
    /// The number of characters.
    pub count: usize,
    pub is_multiline: bool,
    pub flow_plain: bool,
    pub block_plain: bool,
    pub single_quoted: bool,
    /// Whether the text contains single quotes.
    pub has_quote: bool,
    pub has_space: bool,
}

/// The style of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Plain,
    Single,
    Double,
}

/// Determines which characters need double quotes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Special {
    /// Whether characters beyond ASCII can be written without double quotes.
    pub allow_unicode: bool,
    /// Whether characters beyond U+FFFF need double quotes, as with libyaml.
    pub beyond_basic: bool,
}

pub(super) const BREAKS: [char; 4] = ['\n', '\u{85}', '\u{2028}', '\u{2029}'];

/// Classes of bytes, as bits.
const SPECIAL: u8 = 1;
const BREAK: u8 = 2;
const SPACE: u8 = 4;
const FLOW: u8 = 8;
const COLON: u8 = 16;
const HASH: u8 = 32;
const QUOTE: u8 = 64;
const WIDE: u8 = 128;

const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b'\n' => BREAK,
            b' ' => SPACE,
            b',' | b'?' | b'[' | b']' | b'{' | b'}' => FLOW,
            b':' => COLON,
            b'#' => HASH,
            b'\'' => QUOTE,
            0x80.. => WIDE,
            ..0x20 | 0x7F => SPECIAL,
            _ => 0,
        };
        byte += 1;
    }
    classes
};

impl Special {
    /// Returns whether a text that contains `character` needs double quotes.
    fn matches(self, character: char) -> bool {
        !match character {
            '\n' | ' '..='~' => true,
            '\u{85}' | '\u{A0}'..='\u{D7FF}' => self.allow_unicode,
            '\u{E000}'..='\u{FEFE}' | '\u{FF00}'..='\u{FFFD}' => self.allow_unicode,
            '\u{10000}'..='\u{10FFFE}' => self.allow_unicode && !self.beyond_basic,
            _ => false,
        }
    }

    /// Returns whether `character` is written as an escape in double quotes.
    pub fn is_escaped(self, character: char) -> bool {
        !match character {
            '"' | '\\' => false,
            ' '..='~' => true,
            '\u{A0}'..='\u{2027}' | '\u{202A}'..='\u{D7FF}' => self.allow_unicode,
            '\u{E000}'..='\u{FEFE}' | '\u{FF00}'..='\u{FFFD}' => self.allow_unicode,
            _ => false,
        }
    }
}

fn is_space(character: char) -> bool {
    matches!(character, '\0' | ' ' | '\t' | '\r') || BREAKS.contains(&character)
}

/// Returns the styles that are possible for a text.
#[inline(always)]
pub(super) fn analyze(text: &str, special: Special) -> Analysis {
    let bytes = text.as_bytes();
    let Some(&first) = bytes.first() else {
        return Analysis { block_plain: true, single_quoted: true, ..Analysis::default() };
    };
    let mut classes = 0;
    for &byte in bytes {
        classes |= CLASSES[usize::from(byte)];
    }
    // The most common case: the first character is a letter or similar, and no character can be an
    // indicator.
    if classes & !(SPACE | QUOTE) == 0
        && (first.is_ascii_alphanumeric() || matches!(first, b'/' | b'_' | b'.' | b'('))
        && bytes.last() != Some(&b' ')
        && !bytes.starts_with(b"...")
    {
        return Analysis {
            count: bytes.len(),
            is_multiline: false,
            flow_plain: true,
            block_plain: true,
            single_quoted: true,
            has_quote: classes & QUOTE != 0,
            has_space: classes & SPACE != 0,
        };
    }
    match classes & (WIDE | SPECIAL | BREAK) {
        0 => analyze_printable(text, classes),
        _ => analyze_characters(text, special),
    }
}

/// What the start of a text determines about its style.
#[derive(Clone, Copy, Debug)]
struct Start {
    no_flow: bool,
    no_block: bool,
}

impl Start {
    /// Analyzes the start of a text, which must not be empty.
    fn of(text: &str) -> Start {
        let mut characters = text.chars();
        let first = characters.next().unwrap_or_default();
        let is_separated = characters.next().is_none_or(is_space);
        let is_marker = text.starts_with("---") || text.starts_with("...");
        let starts_as_entry = first == '-' && is_separated;
        let is_indicator = "#,[]{}&*!|>'\"%@`".contains(first);
        let no_plain = is_marker || is_indicator || starts_as_entry;
        let is_key = matches!(first, '?' | ':');
        Start { no_flow: no_plain || is_key, no_block: no_plain || is_key && is_separated }
    }
}

/// Returns the styles that are possible for a text of printable ASCII characters.
fn analyze_printable(text: &str, classes: u8) -> Analysis {
    let Start { mut no_flow, mut no_block } = Start::of(text);
    no_flow |= classes & (FLOW | COLON) != 0;
    if classes & (COLON | HASH) != 0 {
        let ends_as_key = text.ends_with(':') && text.len() > 1;
        let has_comment = text.contains(" #");
        no_flow |= has_comment;
        no_block |= has_comment || ends_as_key || text[1..].contains(": ");
    }
    let plain = !text.starts_with(' ') && !text.ends_with(' ');
    Analysis {
        count: text.len(),
        is_multiline: false,
        flow_plain: plain && !no_flow,
        block_plain: plain && !no_block,
        single_quoted: true,
        has_quote: classes & QUOTE != 0,
        has_space: classes & SPACE != 0,
    }
}

/// Returns the styles that are possible for any text that is not empty.
fn analyze_characters(text: &str, special: Special) -> Analysis {
    let Start { mut no_flow, mut no_block } = Start::of(text);
    let (mut is_multiline, mut is_special, mut space_break, mut break_space) =
        (false, false, false, false);
    let (mut count, mut has_quote, mut has_space) = (0, false, false);
    let mut previous = None;
    let mut last = '\0';
    for (at, character) in text.char_indices() {
        let is_break = BREAKS.contains(&character);
        if let Some(previous) = previous {
            match character {
                ',' | '?' | '[' | ']' | '{' | '}' => no_flow = true,
                ':' => {
                    no_flow = true;
                    no_block |= text[at + 1..].chars().next().is_none_or(is_space);
                }
                '#' if is_space(previous) => (no_flow, no_block) = (true, true),
                _ => {}
            }
            space_break |= previous == ' ' && is_break;
            break_space |= character == ' ' && BREAKS.contains(&previous);
        }
        is_multiline |= is_break;
        is_special |= special.matches(character);
        has_quote |= character == '\'';
        has_space |= character == ' ';
        count += 1;
        previous = Some(character);
        last = character;
    }
    let is_padding = |character: char| character == ' ' || BREAKS.contains(&character);
    let only_quoted = is_special || space_break;
    let is_padded = text.starts_with(is_padding) || is_padding(last);
    let plain = !(is_padded || break_space || only_quoted || is_multiline);
    Analysis {
        count,
        is_multiline,
        flow_plain: plain && !no_flow,
        block_plain: plain && !no_block,
        single_quoted: !(break_space || only_quoted),
        has_quote,
        has_space,
    }
}
