//! Splitting a line of block YAML into its parts: `- key: value # comment`.

use super::lexer::{is_marker, quote_end};
use super::scene::{Line, cut};

/// The parts of a line, which is an entry of a block collection or text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<'t> {
    /// The number of dashes before the content.
    pub dashes: usize,
    /// The offset in the scene of the content, which follows the dashes.
    pub at: usize,
    /// The column of the content, in bytes, counted from 0.
    pub column: usize,
    /// The key, if the content has one.
    pub key: Option<&'t str>,
    /// The text after the `:` or, without a key, all of the content. A comment is not included.
    pub value: &'t str,
    /// The offset of the value in the scene.
    pub value_at: usize,
}

/// Splits `line` into its parts.
pub(super) fn entry(line: Line<'_>) -> Entry<'_> {
    let marker = if is_marker(line.text) { 3 } else { 0 };
    let blanks = |at: usize| {
        let rest = cut(line.text, at..);
        rest.len() - rest.trim_start_matches([' ', '\t']).len()
    };
    let mut at = marker + blanks(marker);
    // What follows a marker is not indented.
    let offset = if marker > 0 { at } else { 0 };
    let mut dashes = 0;
    loop {
        let rest = cut(line.text, at..);
        if rest == "-" || rest.starts_with("- ") || rest.starts_with("-\t") {
            dashes += 1;
            at += 1;
            at += blanks(at);
            continue;
        }
        break;
    }
    let content = without_comment(cut(line.text, at..));
    let (key, value_at) = match colon(content) {
        Some(colon) => (Some(cut(content, ..colon).trim_end()), colon + 1),
        None => (None, 0),
    };
    let value = cut(content, value_at..);
    let blanks = value.len() - value.trim_start_matches([' ', '\t']).len();
    let value_at = at + value_at + blanks;
    Entry {
        dashes,
        at: line.start + at,
        column: at - offset,
        key,
        value: value.trim_matches([' ', '\t']),
        value_at: line.start + value_at,
    }
}

/// Returns the offset of the `:` that ends the key at the start of `content`, if there is one.
pub(super) fn colon(content: &str) -> Option<usize> {
    let bytes = content.as_bytes();
    let is_end = |at: usize| bytes.get(at).is_none_or(|b| b" \t".contains(b));
    if let Some(b'"' | b'\'') = bytes.first() {
        let end = quote_end(bytes, 0)?;
        let blanks = cut(content, end..).len() - cut(content, end..).trim_start().len();
        let is_key = bytes.get(end + blanks) == Some(&b':') && is_end(end + blanks + 1);
        return is_key.then_some(end + blanks);
    }
    if let Some(b'[' | b'{' | b'#') = bytes.first() {
        return None;
    }
    content.match_indices(':').map(|(at, _)| at).find(|&at| is_end(at + 1))
}

/// Returns `text` up to its comment, without blanks at its end.
pub(super) fn without_comment(text: &str) -> &str {
    let seen = super::lexer::read(text);
    let end = match seen.open_quote {
        // A comment may follow an unclosed quote.
        Some(quote) => cut(text, quote..).find(" #").map_or(text.len(), |at| quote + at),
        None => seen.comment.unwrap_or(text.len()),
    };
    cut(text, ..end).trim_end_matches([' ', '\t'])
}

/// Returns whether `line` is an entry: whether it has a key or starts with `- `.
pub(super) fn is_entry(line: Line<'_>) -> bool {
    let entry = entry(line);
    entry.dashes > 0 || entry.key.is_some()
}
