//! Choosing the style of a scalar.

use super::analysis::Analysis;
use crate::event::EventKind;
use crate::schema::{ScalarTag, Schema, needs_quotes};

/// The requested style of a scalar.
///
/// | requested | not possible for | used instead |
/// |---|---|---|
/// | plain | indicators, blanks at the ends | single-quoted |
/// | plain, single-quoted | characters that need an escape, line breaks next to blanks | double-quoted |
/// | plain, single-quoted | several lines in a key or a flow collection | double-quoted |
/// | literal, folded | empty text, characters that need an escape, flow collections | double-quoted |
/// | literal, folded | text that starts with a blank and is the root, ends with a blank or is only spaces; only line breaks as the root | double-quoted |
/// | plain, empty | an entry of a flow sequence | plain `null` |
///
/// A key that is a block scalar becomes an explicit key: `? `.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScalarStyle {
    /// Without quotes, so that the schema determines the type. Empty text becomes an empty node.
    Plain,
    /// In single quotes.
    SingleQuoted,
    /// In double quotes.
    DoubleQuoted,
    /// As a block scalar after `|`.
    Literal,
    /// As a block scalar after `>`.
    Folded,
    /// As text, in the most readable style. This is plain if no common parser takes it for another
    /// type ([`needs_quotes`]), literal if it has several lines that neither start nor end with a
    /// blank, and quoted otherwise. Single quotes are used where double quotes would need escapes
    /// other than for tabs.
    Text,
}

impl ScalarStyle {
    /// Returns the style of a scalar event of the kind `kind`.
    #[inline(always)]
    pub(super) fn of(kind: EventKind) -> ScalarStyle {
        match kind {
            EventKind::SingleQuoted => ScalarStyle::SingleQuoted,
            EventKind::DoubleQuoted => ScalarStyle::DoubleQuoted,
            EventKind::Literal => ScalarStyle::Literal,
            EventKind::Folded => ScalarStyle::Folded,
            _ => ScalarStyle::Plain,
        }
    }
}

/// The kind of position that a scalar has, which limits its style.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Site {
    /// In block context, where the scalar may have several lines.
    Block,
    /// As a key of a block mapping.
    BlockKey,
    /// In a flow collection.
    Flow,
}

/// Returns the style of `text` at `site` if the style `wish` is requested. The result is never
/// [`ScalarStyle::Text`].
pub(super) fn choose(
    wish: ScalarStyle,
    text: &[u8],
    analysis: Analysis,
    site: Site,
    ascii: bool,
) -> ScalarStyle {
    use ScalarStyle::{DoubleQuoted, Folded, Literal, Plain, SingleQuoted, Text};
    let is_special = analysis.is_special() || (ascii && analysis.is_beyond_ascii());
    if is_special {
        return DoubleQuoted;
    }
    match wish {
        Plain if text.is_empty() || is_plain(analysis, site) => Plain,
        Plain | SingleQuoted if is_single(analysis, site) => SingleQuoted,
        Literal | Folded if site != Site::Flow && !text.is_empty() => wish,
        Text => best(text, analysis, site),
        _ => DoubleQuoted,
    }
}

/// Returns whether a text of printable characters can be a block scalar. Some parsers lose blanks
/// without other characters.
pub(super) fn is_block_text(text: &[u8]) -> bool {
    let is_break = |&byte: &u8| byte == b'\n';
    !text.is_empty()
        && (text.iter().any(|byte| !b" \t\n".contains(byte)) || text.iter().all(is_break))
}

/// Returns whether a text with this analysis can be plain at `site`.
fn is_plain(analysis: Analysis, site: Site) -> bool {
    if site == Site::Flow { analysis.is_flow_plain() } else { analysis.is_block_plain() }
}

/// Returns whether a text of printable characters with this analysis can be single-quoted at
/// `site`.
fn is_single(analysis: Analysis, site: Site) -> bool {
    !analysis.is_multiline() || (site == Site::Block && analysis.folds())
}

/// Returns the most readable style of `text` at `site`.
fn best(text: &[u8], analysis: Analysis, site: Site) -> ScalarStyle {
    if analysis.is_multiline() {
        return if site == Site::Block && is_best_literal(text) {
            ScalarStyle::Literal
        } else {
            ScalarStyle::DoubleQuoted
        };
    }
    if text.is_empty() || text.contains(&b'\t') {
        return ScalarStyle::DoubleQuoted;
    }
    // In flow context, parsers based on libyaml end plain text at a `?`, and others at a `:`.
    let is_cut = site == Site::Flow && text.iter().any(|byte| b"?:".contains(byte));
    if is_plain(analysis, site) && !is_cut && !needs_quotes(text) {
        return ScalarStyle::Plain;
    }
    let needs_escapes = text.iter().any(|byte| b"\"\\".contains(byte));
    if needs_escapes { ScalarStyle::SingleQuoted } else { ScalarStyle::DoubleQuoted }
}

/// Returns whether a literal scalar is the most readable style of a text with line breaks. Some
/// parsers cannot detect the indentation of text that starts with a blank, and others lose blanks
/// at its end.
pub(super) fn is_best_literal(text: &[u8]) -> bool {
    let first = text.iter().find(|&&byte| byte != b'\n');
    let is_blank = |byte: Option<&u8>| byte.is_none_or(|byte| b" \t".contains(byte));
    !is_blank(first) && !is_blank(text.last())
}

/// Returns a float in JSON's syntax with a dot and with a sign in its exponent, so that YAML 1.1
/// reads it as a float, too. Returns `None` if `text` is not such a float, or would not change.
pub(super) fn portable_float(text: &[u8]) -> Option<Vec<u8>> {
    let at = text.iter().position(|byte| matches!(byte, b'e' | b'E'))?;
    let (mantissa, exponent) = (&text[..at], &text[at + 1..]);
    let unsigned = exponent.strip_prefix(b"-").or(exponent.strip_prefix(b"+")).unwrap_or(exponent);
    let has_sign = unsigned.len() < exponent.len();
    let mut parts = mantissa.strip_prefix(b"-").unwrap_or(mantissa).splitn(2, |&byte| byte == b'.');
    let is_number = |digits: &[u8]| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    let is_float = parts.next().is_some_and(is_number) && is_number(unsigned);
    let fraction = parts.next();
    if !is_float || !fraction.is_none_or(is_number) || (has_sign && fraction.is_some()) {
        return None;
    }
    let dot: &[u8] = if fraction.is_some() { b"" } else { b".0" };
    let sign: &[u8] = if has_sign { b"" } else { b"+" };
    Some([mantissa, dot, &text[at..=at], sign, exponent].concat())
}

/// Returns a number of Syck's dialect without its commas, which Syck ignores. Returns `None` if
/// `text` is not a number by `schema`, or has no commas.
#[cold]
pub(super) fn without_commas(schema: Schema, text: &[u8]) -> Option<Vec<u8>> {
    if schema != Schema::Syck || !text.contains(&b',') {
        return None;
    }
    let is_number =
        |text: &[u8]| matches!(schema.resolve(text), ScalarTag::Int(_) | ScalarTag::Float(_));
    if !is_number(text) {
        return None;
    }
    let digits: Vec<u8> = text.iter().copied().filter(|&byte| byte != b',').collect();
    // `0x,` is a number, but `0x` would not be one.
    Some(if is_number(&digits) { digits } else { b"0".to_vec() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_respelled_for_yaml_1_1() {
        let cases =
            [("1e16", "1.0e+16"), ("-2.5E3", "-2.5E+3"), ("5e-7", "5.0e-7"), ("1e+9", "1.0e+9")];
        for (text, expected) in cases {
            assert_eq!(portable_float(text.as_bytes()).as_deref(), Some(expected.as_bytes()));
        }
        for text in ["1.0e+16", "0x1e5", "e5", "1e", ".5e3", "one", "1e5x", "", "-", "1.e5", "true"]
        {
            assert_eq!(portable_float(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn numbers_lose_their_commas_in_brackets_only() {
        use crate::present::{CollectionStyle, PresentOptions, Presenter, Properties};
        let written = |schema, style, text| {
            let options = PresentOptions { schema, ..PresentOptions::default() };
            let mut yaml = Presenter::with_options(Vec::new(), &options);
            yaml.start_document(false).unwrap();
            yaml.start_sequence(style, Properties::NONE).unwrap();
            yaml.scalar(text, ScalarStyle::Plain, Properties::NONE).unwrap();
            yaml.end_sequence().unwrap();
            yaml.end_document(false).unwrap();
            String::from_utf8(yaml.finish().unwrap()).unwrap()
        };
        for (text, in_brackets) in [
            ("1,2", "[12]\n"),
            ("-1,000.5", "[-1000.5]\n"),
            ("0x1,F", "[0x1F]\n"),
            ("1,0:30", "[10:30]\n"),
            ("0x,", "[0]\n"),
            ("1,a", "['1,a']\n"),
            ("08,1", "['08,1']\n"),
        ] {
            assert_eq!(written(Schema::Syck, CollectionStyle::Flow, text), in_brackets);
            let line = format!("- {text}\n");
            assert_eq!(written(Schema::Syck, CollectionStyle::Block, text), line);
            let quoted = format!("['{text}']\n");
            assert_eq!(written(Schema::Core, CollectionStyle::Flow, text), quoted);
        }
    }
}
