//! Expanding tags. `written` is the text of a tag after its `!`.

use std::ops::Range;

/// The domain and date of tags without a domain of their own.
const DOMAIN: &[u8] = b"yaml.org,2002";

/// Returns the range of the tag of a node that expands to `expanded`. Searches the properties
/// before the offset `node`, and those that start there.
pub(super) fn written_tag(text: &[u8], node: usize, expanded: &str) -> Option<Range<usize>> {
    let is_it = |range: &Range<usize>| {
        let mut tag = Vec::new();
        text[range.clone()].strip_prefix(b"!").is_some_and(|written| {
            expand(written, &mut tag);
            tag == expanded.as_bytes()
        })
    };
    let before =
        std::iter::successors(word_before(text, node), |word| word_before(text, word.start));
    let after = std::iter::successors(word_after(text, node), |word| word_after(text, word.end));
    let is_property = |word: &Range<usize>| matches!(text[word.start], b'&' | b'!');
    before.take_while(is_property).chain(after.take_while(is_property)).find(is_it)
}

/// Returns the range of the last word before `end`, without opening brackets at its start.
fn word_before(text: &[u8], end: usize) -> Option<Range<usize>> {
    let end = text[..end].trim_ascii_end().len();
    let word = text[..end].rsplit(|&byte| byte.is_ascii_whitespace()).next()?;
    let brackets = word.iter().take_while(|&&byte| matches!(byte, b'[' | b'{')).count();
    Some(end - word.len() + brackets..end).filter(|word| !word.is_empty())
}

/// Returns the range of the first word at or after `start`, or `None` if there is none.
fn word_after(text: &[u8], start: usize) -> Option<Range<usize>> {
    let rest = text[start..].trim_ascii_start();
    let start = text.len() - rest.len();
    let len = rest.iter().take_while(|byte| !byte.is_ascii_whitespace()).count();
    Some(start..start + len).filter(|word| !word.is_empty())
}

/// Appends the expanded form of the tag `written` to `out`.
pub(super) fn expand(written: &[u8], out: &mut Vec<u8>) {
    if is_whole(written) {
        out.extend_from_slice(written);
        return;
    }
    if let Some(rest) = written.strip_prefix(b"!") {
        out.extend_from_slice(b"x-private:");
        out.extend_from_slice(rest);
        return;
    }
    out.extend_from_slice(b"tag:");
    let name = domain_len(written);
    let rest = &written[name..];
    if let Some(rest) = rest.strip_prefix(b"/").filter(|_| name > 0) {
        out.extend_from_slice(&written[..name]);
        out.push(b'.');
        out.extend_from_slice(DOMAIN);
        out.push(b':');
        out.extend_from_slice(rest);
        return;
    }
    let date = date_len(rest);
    if name > 0 && date > 0 && rest.get(date) == Some(&b'/') {
        out.extend_from_slice(&written[..name + date]);
        out.push(b':');
        out.extend_from_slice(&rest[date + 1..]);
        return;
    }
    out.extend_from_slice(DOMAIN);
    out.push(b':');
    out.extend_from_slice(written);
}

/// Returns whether a tag is written in full: as `tag:domain,date:name` or `x-private:name`.
fn is_whole(written: &[u8]) -> bool {
    if written.starts_with(b"x-private:") {
        return true;
    }
    let Some(rest) = written.strip_prefix(b"tag:") else { return false };
    let name = domain_len(rest);
    let date = date_len(&rest[name..]);
    name > 0 && date > 0 && rest.get(name + date) == Some(&b':')
}

/// Returns the length of the domain name at the start of `bytes`, or 0 if there is none. Its labels
/// are separated by dots, and consist of letters, digits and `_`, and of `-` except at their ends.
fn domain_len(bytes: &[u8]) -> usize {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut end = 0;
    loop {
        let label = &bytes[end..];
        let len = label.iter().take_while(|&&byte| is_word(byte) || byte == b'-').count();
        let is_label = len > 0 && is_word(label[0]) && is_word(label[len - 1]);
        if !is_label {
            // No separator can follow an invalid label.
            return 0;
        }
        end += len;
        if bytes.get(end) != Some(&b'.') {
            return end;
        }
        end += 1;
    }
}

/// Returns the length of the comma and the date at the start of `bytes`, or 0 if there are none.
/// The date is a year, a year and a month, or a full date.
fn date_len(bytes: &[u8]) -> usize {
    let digits = |at: usize, count: usize| {
        bytes.get(at..at + count).is_some_and(|part| part.iter().all(u8::is_ascii_digit))
    };
    if bytes.first() != Some(&b',') || !digits(1, 4) {
        return 0;
    }
    let mut end = 5;
    for _ in 0..2 {
        if bytes.get(end) == Some(&b'-') && digits(end + 1, 2) {
            end += 3;
        }
    }
    end
}
