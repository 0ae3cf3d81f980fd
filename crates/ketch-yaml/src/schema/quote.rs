//! Detects strings that are not read as strings if written plain.

use super::forms::{CLASS, COMMA, DIGIT, DOT, HEX, Rules, Start, UNDERSCORE, Wide};
use super::resolve::resolve;
use super::tag::ScalarTag;
use super::timestamp;

/// Returns whether some common reader would read the string `text` as something other than a string
/// if it were written as a plain scalar.
///
/// This covers the schemas of this module and the rules of libyaml-based readers, Psych, PyYAML,
/// SnakeYAML, go-yaml, goccy/go-yaml, js-yaml and yaml for Node.js: words in any mix of case, `y`
/// and `n`, `1,000`, `0B1`, `1e3`, `1:30`, `:symbol`, and dates with short fields. Only resolution
/// counts here; the presenter checks whether indicators, blanks or line breaks require quotes. A
/// word takes a few nanoseconds, and a number one pass.
///
/// ```
/// use ketch_yaml::schema::needs_quotes;
///
/// for text in ["", "~", "no", "nO", "y", "0777", "1e3", "1_000", "2001-1-1", "<<", ":a", "+-1"] {
///     assert!(needs_quotes(text.as_bytes()), "{text}");
/// }
/// for text in ["none", "yesterday", "1.2.3", "10.0.0.1", "v1", "0xyz", "-", "a:b", "..."] {
///     assert!(!needs_quotes(text.as_bytes()), "{text}");
/// }
/// ```
#[inline(always)]
#[must_use]
pub fn needs_quotes(text: &[u8]) -> bool {
    let (Some(&first), Some(&last)) = (text.first(), text.last()) else { return true };
    let is_asked = LENGTHS[first as usize] >> text.len().min(LENGTH_MAX) & 1 != 0;
    (is_asked || last == b'<') && is_misread(text)
}

/// For each first byte, one bit per length at which a text may be misread. The last bit is for its
/// length and all greater ones.
static LENGTHS: [u8; 256] = {
    let mut table = [0xFF; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match (Wide::START[byte], byte as u8 | 0x20) {
            // What `is_misread` checks in addition to the schemas' rules.
            (_, b':' | b'+' | b'-' | b'.' | b'0'..=b'9' | b'e') => 0xFF,
            (Start::Text, _) => 0,
            (Start::Letter, b't') => 1 << b"true".len(),
            (Start::Letter, b'f') => 1 << b"false".len(),
            (Start::Letter, b'y') => 1 << b"y".len() | 1 << b"yes".len(),
            (Start::Letter, b'n') => 1 << b"n".len() | 1 << b"no".len() | 1 << b"null".len(),
            (Start::Letter, b'o') => 1 << b"on".len() | 1 << b"off".len(),
            _ => 0xFF,
        };
        byte += 1;
    }
    table
};

const LENGTH_MAX: usize = u8::BITS as usize - 1;

/// Returns whether some reader would read `text`, if written plain, as something other than text.
#[inline(never)]
fn is_misread(text: &[u8]) -> bool {
    // goccy/go-yaml takes a key that ends like this for a merge key.
    text.ends_with(b"<<")
        || resolve::<Wide>(text) != ScalarTag::Str
        || is_ruby_symbol(text)
        || is_odd_number(text)
        || is_odd_timestamp(text)
}

/// Returns whether Psych reads `text` as a symbol, which is a colon followed by anything.
fn is_ruby_symbol(text: &[u8]) -> bool {
    text.len() > 1 && text[0] == b':'
}

/// Returns whether some reader may take `text` for a number although no schema of this module does.
/// The check is approximate, and also returns true for some texts that no reader misreads. It
/// covers these peculiarities:
///
/// - go-yaml first drops all underscores: `0_x1F`, `1_e5`; and it accepts a sign after a prefix:
///   `0o+17`.
/// - SnakeYAML and js-yaml need no leading digit: `+_1`, `._5`.
/// - The 1.1 mode of the yaml package for Node.js needs no digit before an exponent or around a
///   dot: `E5`, `.`.
/// - goccy/go-yaml drops a plus before a minus: `+-1`.
fn is_odd_number(text: &[u8]) -> bool {
    let (signed, rest) = match text {
        [b'+' | b'-', rest @ ..] => (true, rest),
        _ => (false, text),
    };
    let class = |byte: u8, classes: u8| CLASS[byte as usize] & classes != 0;
    let numeric = |byte: &u8| {
        class(*byte, HEX | UNDERSCORE | COMMA | DOT)
            || matches!(byte, b'+' | b'-' | b'x' | b'X' | b'o' | b'O')
    };
    match *rest {
        [b'.'] => true,
        [b'-', ref digits @ ..] if text[0] == b'+' => digits.iter().any(|&byte| class(byte, DIGIT)),
        [b'0', b'o' | b'b', b'+' | b'-', ..] => true,
        [b'e' | b'E', ref exponent @ ..] => {
            let digits = exponent.strip_prefix(b"+").or(exponent.strip_prefix(b"-"));
            let digits = digits.unwrap_or(exponent);
            !digits.is_empty() && digits.iter().all(|&byte| class(byte, DIGIT | UNDERSCORE))
        }
        [first, ..] if first == b'.' || class(first, DIGIT) || (signed && first == b'_') => {
            (first == b'.' || rest.contains(&b'_'))
                && rest.iter().all(numeric)
                && rest.iter().any(|&byte| class(byte, DIGIT | UNDERSCORE))
        }
        _ => false,
    }
}

/// Returns whether `text` looks like a date, followed by nothing, or by a blank or `T` and
/// characters of a time. The date may have short fields or a minus before it, which Psych and
/// go-yaml accept.
fn is_odd_timestamp(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"-").unwrap_or(text);
    match timestamp::skip_date(text).map(|end| &text[end..]) {
        None => false,
        Some([]) => true,
        Some([separator, time @ ..]) => {
            matches!(separator, b'T' | b't' | b' ' | b'\t')
                && time.iter().all(|byte| {
                    matches!(byte, b'0'..=b'9' | b':' | b'.' | b',' | b'+' | b'-' | b'Z')
                        || matches!(byte, b' ' | b'\t')
                })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn words_are_found_in_any_case() {
        for word in ["y", "n", "no", "on", "yes", "off", "true", "null", "false"] {
            for capitals in 0..1 << word.len() {
                let is_capital = |at: usize| capitals >> at & 1 != 0;
                let text: Vec<u8> = word
                    .bytes()
                    .enumerate()
                    .map(|(at, byte)| if is_capital(at) { byte.to_ascii_uppercase() } else { byte })
                    .collect();
                assert!(needs_quotes(&text), "{}", text.escape_ascii());
            }
        }
    }

    #[test]
    fn first_byte_table_agrees_on_all_short_texts() {
        let bytes: Vec<u8> = (b' '..=b'~').collect();
        for &a in &bytes {
            for &b in &bytes {
                for &c in &bytes {
                    for text in [&[a][..], &[a, b], &[a, b, c]] {
                        let (quick, asked) = (needs_quotes(text), is_misread(text));
                        assert_eq!(quick, asked, "{}", text.escape_ascii());
                    }
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn first_byte_table_misses_no_text_that_needs_quotes(
            text in "[ -~\u{e9}]?[tfynoeTFYNOE0-9.:+_-]?[a-zA-Z0-9.:+_ -]{0,6}",
        ) {
            let text = text.as_bytes();
            prop_assert_eq!(needs_quotes(text), text.is_empty() || is_misread(text));
        }
    }
}
