//! Lines of the text, the entries of collections, and the comments that belong to an entry.

use super::tree::{Shape, Tree};
use std::ops::Range;

/// Returns whether `text` contains a carriage return without a line feed after it.
pub(super) fn has_lone_return(text: &[u8]) -> bool {
    memchr::memchr_iter(b'\r', text).any(|at| text.get(at + 1) != Some(&b'\n'))
}

/// Returns the start of the line that contains `at`. On the first line, this is after a byte order
/// mark.
pub(super) fn line_start(text: &[u8], at: usize) -> usize {
    let mark = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len().min(at) } else { 0 };
    text[..at].iter().rposition(|&byte| byte == b'\n').map_or(mark, |at| at + 1)
}

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Returns the start of the line after the one that contains `at`, or the end of the text.
pub(super) fn line_end(text: &[u8], at: usize) -> usize {
    text[at..].iter().position(|&byte| byte == b'\n').map_or(text.len(), |len| at + len + 1)
}

/// Returns the offset of the first byte at or after `at` that is neither a space nor a tab.
pub(super) fn skip_blanks(text: &[u8], at: usize) -> usize {
    at + text[at..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// Returns the offset of the first byte at or after `at` that is neither white space nor part of a
/// comment.
pub(super) fn skip_trivia(text: &[u8], mut at: usize) -> usize {
    loop {
        match text.get(at) {
            Some(b' ' | b'\t' | b'\n' | b'\r') => at += 1,
            Some(b'#') if at == 0 || text[at - 1].is_ascii_whitespace() => {
                at += text[at..].iter().take_while(|byte| !matches!(byte, b'\n' | b'\r')).count();
            }
            _ => return at,
        }
    }
}

/// Returns whether only spaces and tabs precede `at` on its line.
pub(super) fn starts_line(text: &[u8], at: usize) -> bool {
    skip_blanks(text, line_start(text, at)) >= at
}

/// Returns whether the line of `at` starts with a comma, with only spaces and tabs between it and
/// `at`.
pub(super) fn follows_comma(text: &[u8], at: usize) -> bool {
    let first = skip_blanks(text, line_start(text, at));
    first < at && text[first] == b',' && skip_blanks(text, first + 1) >= at
}

/// Returns whether the first item of a flow sequence looks like JSON, judged by its first word.
/// `text` starts after the bracket of the sequence.
pub(super) fn starts_as_json(text: &[u8]) -> bool {
    let mut rest = text.trim_ascii_start();
    while let Some(inner) = rest.strip_prefix(b"[") {
        rest = inner.trim_ascii_start();
    }
    if let Some(inner) = rest.strip_prefix(b"{") {
        rest = inner.trim_ascii_start();
        return rest.starts_with(b"\"") || rest.starts_with(b"}");
    }
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b',' | b']');
    let word = &rest[..rest.iter().position(is_end).unwrap_or(rest.len())];
    let is_number = || {
        let digits = word.strip_prefix(b"-").unwrap_or(word);
        let is_part = |byte: &u8| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-');
        digits.first().is_some_and(u8::is_ascii_digit) && digits.iter().all(is_part)
    };
    word.starts_with(b"\"") || matches!(word, b"true" | b"false" | b"null") || is_number()
}

/// The kind of content that a line has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    Blank,
    /// A comment that starts at this column.
    Comment(usize),
    Other,
}

/// Returns the kind of the line that starts at `at`.
pub(super) fn line_at(text: &[u8], at: usize) -> Line {
    let first = skip_blanks(text, at);
    match text.get(first) {
        None | Some(b'\n' | b'\r') => Line::Blank,
        Some(b'#') => Line::Comment(first - at),
        _ => Line::Other,
    }
}

/// One entry of a collection. `key` and `value` are indices of nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// The offset of its first byte: that of its `?`, key or dash or, in a flow collection, of its
    /// key or item.
    pub start: usize,
    pub end: usize,
    pub key: Option<usize>,
    pub value: usize,
    /// The offset after its colon or dash, if it has one.
    pub after_mark: Option<usize>,
}

/// Returns the entries of the collection `parent`, in order.
pub(super) fn entries(text: &[u8], tree: &Tree, parent: usize) -> Vec<Entry> {
    let node = &tree.nodes[parent];
    let mut at = node.content + usize::from(node.is_flow && node.event.len > 0);
    let mut found = Vec::new();
    let step = if node.shape == Shape::Mapping { 2 } else { 1 };
    for pair in node.children.chunks_exact(step) {
        let entry = match *pair {
            [key, value] => pair_entry(text, tree, at, key, value, node.is_flow),
            _ => item_entry(text, tree, at, pair[0], node.is_flow),
        };
        at = entry.end;
        found.push(entry);
    }
    found
}

/// Returns the offset of the first byte of the entry at or after `at`. In a flow collection, a
/// comma may precede the entry.
fn entry_start(text: &[u8], at: usize, is_flow: bool) -> usize {
    let first = skip_trivia(text, at);
    if is_flow && text.get(first) == Some(&b',') { skip_trivia(text, first + 1) } else { first }
}

/// Returns the entry of the sequence item `item`, whose dash or content is at or after `at`.
fn item_entry(text: &[u8], tree: &Tree, at: usize, item: usize, is_flow: bool) -> Entry {
    let start = entry_start(text, at, is_flow);
    let node = &tree.nodes[item];
    if is_flow {
        return Entry { start, end: node.end, key: None, value: item, after_mark: None };
    }
    let end = if node.is_absent() { start + 1 } else { node.end };
    Entry { start, end, key: None, value: item, after_mark: Some(start + 1) }
}

/// Returns the entry of the pair of `key` and `value`, whose first byte is at or after `at`.
fn pair_entry(
    text: &[u8],
    tree: &Tree,
    at: usize,
    key: usize,
    value: usize,
    is_flow: bool,
) -> Entry {
    let first = entry_start(text, at, is_flow);
    let (key_node, value_node) = (&tree.nodes[key], &tree.nodes[value]);
    let is_explicit =
        text.get(first) == Some(&b'?') && (key_node.is_absent() || key_node.start > first);
    let key_end =
        if key_node.is_absent() { first + usize::from(is_explicit) } else { key_node.end };
    let colon = skip_trivia(text, key_end);
    let has_colon = text.get(colon) == Some(&b':')
        && (value_node.is_absent() || value_node.start > colon)
        && (is_flow || !is_explicit || is_value_indicator(text, first, colon));
    let after_mark = has_colon.then_some(colon + 1);
    let end = if value_node.is_absent() { after_mark.unwrap_or(key_end) } else { value_node.end };
    Entry { start: first, end, key: Some(key), value, after_mark }
}

/// Returns whether `colon` is the value indicator that belongs to the `?` at `question` in a block
/// mapping: it must be at the same column. Otherwise, the key has no value, and the colon starts
/// another key or an outer value.
fn is_value_indicator(text: &[u8], question: usize, colon: usize) -> bool {
    let first = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    let is_break = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let column = |at: usize| at - text[..at].iter().rposition(is_break).map_or(first, |at| at + 1);
    column(colon) == column(question) && text.get(colon + 1).is_none_or(u8::is_ascii_whitespace)
}

/// Returns the offset after the line break of the last line of `entry`.
pub(super) fn lines_end(text: &[u8], entry: &Entry) -> usize {
    if entry.end > entry.start && entry.end > 0 && text[entry.end - 1] == b'\n' {
        return entry.end;
    }
    line_end(text, entry.end)
}

/// Returns the offset where the lines of `entry` end. If its value is a block collection, this
/// includes the comments that follow the collection's last entry.
pub(super) fn owned_end(text: &[u8], tree: &Tree, entry: &Entry) -> usize {
    let end = lines_end(text, entry);
    let node = &tree.nodes[entry.value];
    if node.is_flow || node.children.is_empty() {
        return end;
    }
    let column = |at: usize| at - line_start(text, at);
    comments_end(text, end, column(node.content).max(column(entry.start) + 1))
}

/// Returns the end of the comment lines that start at `at` and whose comments are at `column` or
/// deeper.
pub(super) fn comments_end(text: &[u8], mut at: usize, column: usize) -> usize {
    while at < text.len() && matches!(line_at(text, at), Line::Comment(found) if found >= column) {
        at = line_end(text, at);
    }
    at
}

/// Returns the offset where the lines of an entry start, including its leading comments. The entry
/// starts at `start`, and is the first on its line.
///
/// The comments directly above the entry and at its column belong to it, except for one that is
/// about the file, such as a modeline, and those above that.
pub(super) fn block_start(text: &[u8], start: usize) -> usize {
    let line = line_start(text, start);
    let column = start - line;
    let mut at = line;
    while at > 0 {
        let previous = line_start(text, at - 1);
        if line_at(text, previous) != Line::Comment(column) || is_header(text, previous) {
            break;
        }
        at = previous;
    }
    at
}

/// Returns the range of the comment lines at the head of a document whose root starts on the line
/// at `root`. They are below comments about the file, such as a modeline, and above a blank line;
/// without such lines, the range is empty.
pub(super) fn head_comment(text: &[u8], root: usize) -> Range<usize> {
    let is_comment = |at: usize| matches!(line_at(text, at), Line::Comment(_));
    let first = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    let mut start = root;
    while start > first {
        let above = line_start(text, start - 1).max(first);
        if !is_comment(above) && line_at(text, above) != Line::Blank {
            break;
        }
        start = above;
    }
    while start < root && is_comment(start) && is_header(text, start) {
        start = line_end(text, start);
    }
    let mut end = start;
    while end < text.len() && is_comment(end) {
        end = line_end(text, end);
    }
    let is_apart = end == text.len() || line_at(text, end) == Line::Blank;
    start..if is_apart { end } else { start }
}

/// Returns the start of the blank lines directly above the line that starts at `at`, or `at`.
pub(super) fn blank_above(text: &[u8], mut at: usize) -> usize {
    while at > 0 && line_at(text, line_start(text, at - 1)) == Line::Blank {
        at = line_start(text, at - 1);
    }
    at
}

/// Returns whether a blank line precedes the entry that starts at `start`, and its comments.
pub(super) fn is_set_apart(text: &[u8], start: usize) -> bool {
    let at = block_start(text, start);
    blank_above(text, at) < at
}

/// Returns whether the comment line at `line` is about the file: a shebang, the mark of a
/// cloud-init file, a modeline, or a licence tag.
fn is_header(text: &[u8], line: usize) -> bool {
    let bytes = &text[line..line_end(text, line)];
    let has = |needle: &[u8]| memchr::memmem::find(bytes, needle).is_some();
    let starts = |prefix: &[u8]| line == 0 && bytes.starts_with(prefix);
    starts(b"#!")
        || starts(b"#cloud-")
        || has(b"yaml-language-server")
        || has(b"SPDX-License")
        || has(b"-*-")
        || has(b" vim:")
}

/// Returns the end of the comments from `at` on that are deeper than `column`. Blank lines may
/// precede them. They belong to the entry before them, which is at `column`.
pub(super) fn deeper_end(text: &[u8], at: usize, column: usize) -> usize {
    let (mut line, mut end) = (at, at);
    while line < text.len() {
        match line_at(text, line) {
            Line::Comment(found) if found > column => end = line_end(text, line),
            Line::Blank => {}
            _ => break,
        }
        line = line_end(text, line);
    }
    end
}

/// Returns the end of the comments that follow the last entry of a block collection and belong to
/// the collection: those at `column` without a blank line before them, and those that are deeper.
pub(super) fn dangling_end(text: &[u8], at: usize, column: usize) -> usize {
    let first = deeper_end(text, at, column);
    let mut at = first;
    while at < text.len() {
        match line_at(text, at) {
            Line::Comment(found) if found >= column => at = line_end(text, at),
            // Comments directly above an entry at the same column belong to that entry.
            Line::Other if column == 0 && at > first && !is_marker(text, at) => return first,
            _ => break,
        }
    }
    at
}

/// Returns whether the line that starts at `at` starts with a document marker.
pub(super) fn is_marker(text: &[u8], at: usize) -> bool {
    text[at..].starts_with(b"---") || text[at..].starts_with(b"...")
}

/// Returns `line` moved from the column `from` to the column `to`.
pub(super) fn shifted(line: &str, from: usize, to: usize) -> String {
    if from == to {
        return line.to_owned();
    }
    let blanks = line.len() - line.trim_start_matches(' ').len();
    if line.trim().is_empty() {
        let (blank, end) = line.strip_suffix('\r').map_or((line, ""), |blank| (blank, "\r"));
        return format!("{}{end}", blank.trim_matches(' '));
    }
    format!("{}{}", " ".repeat((blanks + to).saturating_sub(from)), &line[blanks..])
}
