//! Shows lines that are not JSON as they were probably meant.

use serde_json::Value;
use std::ops::Range;

/// The maximum length of a line that is shown.
const LINE_BYTES: usize = 120;

/// Returns the range of the line that contains the offset `at`.
fn line_at(text: &[u8], at: usize) -> Range<usize> {
    let start = memchr::memrchr(b'\n', &text[..at]).map_or(0, |last| last + 1);
    let end = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |len| at + len);
    start..end
}

fn lossy(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}

/// Returns the sentence `way`, with `line` as it was meant if that is short.
fn shown(way: &str, line: &str) -> String {
    match line.trim() {
        line if line.is_empty() || line.len() > LINE_BYTES => format!("{way}."),
        line => format!("{way}: `{line}`."),
    }
}

/// Returns the sentence `way`, with the line in which `new` replaces `range`.
pub fn line(text: &[u8], range: Range<usize>, new: &str, way: &str) -> String {
    let line = line_at(text, range.start);
    let tail = lossy(&text[range.end..line.end.max(range.end)]);
    shown(way, &format!("{}{new}{tail}", lossy(&text[line.start..range.start])))
}

/// Returns the line without the comment at `at`.
pub fn without_comment(text: &[u8], at: usize) -> String {
    let end = line_at(text, at).end;
    let close =
        memchr::memmem::find(&text[at..end], b"*/").filter(|_| text[at..].starts_with(b"/*"));
    let end = close.map_or(end, |len| at + len + 2);
    line(text, at..end, "", "Delete the comment")
}

/// Returns the line with double quotes in place of the single ones from `at` on.
pub fn double_quoted(text: &[u8], at: usize) -> String {
    let end = line_at(text, at).end;
    let rest = lossy(&text[at..end]);
    let (mut new, mut left) = (String::new(), &*rest);
    while let Some(start) = left.find(['"', '\'']) {
        let (before, quoted) = left.split_at(start);
        let len = closing(quoted);
        if len == quoted.len() && start > 0 {
            break;
        }
        let (inner, after) = (&quoted[1..len], quoted.get(len + 1..).unwrap_or_default());
        let is_double = quoted.starts_with('"');
        let inner = if is_double { inner.to_owned() } else { in_double_quotes(inner) };
        new += &format!("{before}\"{inner}\"");
        left = after;
    }
    line(text, at..end, &(new + left), "Write double quotes")
}

/// Returns the offset of the quote that closes the text that starts with one. An apostrophe does not
/// close it.
fn closing(quoted: &str) -> usize {
    let quote = quoted.chars().next().unwrap_or('"');
    let is_end = |&at: &usize| {
        let slashes = quoted[..at].len() - quoted[..at].trim_end_matches('\\').len();
        let next = quoted[at + 1..].trim_start();
        let ends_value = quote == '"' || next.is_empty() || next.starts_with([',', ':', '}', ']']);
        slashes.is_multiple_of(2) && ends_value
    };
    let mut quotes = quoted.match_indices(quote).map(|(at, _)| at).skip(1);
    quotes.find(is_end).unwrap_or(quoted.len())
}

/// Returns the content `inner` of single quotes as that of double quotes.
fn in_double_quotes(inner: &str) -> String {
    let mut new = String::new();
    let mut chars = inner.chars().peekable();
    while let Some(ch) = chars.next() {
        match (ch, chars.peek()) {
            ('\\', Some('\'')) => {}
            ('\\', Some('"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't' | 'u')) => {
                new.push('\\');
                new.extend(chars.next());
            }
            ('\\', _) => new += "\\\\",
            ('"', _) => new += "\\\"",
            _ => new.push(ch),
        }
    }
    new
}

/// Returns the line with straight quotes, if `word`, which starts at `start`, has curly ones.
pub fn straight(text: &[u8], word: &str, start: usize) -> Option<String> {
    let is_curly = |ch: char| ('\u{2018}'..='\u{201f}').contains(&ch);
    word.contains(is_curly).then(|| {
        let range = line_at(text, start);
        let new = lossy(&text[range.clone()]).replace(is_curly, "\"");
        line(text, range, &new, "Write straight quotes")
    })
}

/// Returns the offset of the quote that opens the text in which `at` is.
pub fn opening(text: &[u8], at: usize) -> Option<usize> {
    let line = line_at(text, at);
    let (mut open, mut is_escaped) = (None, false);
    for (at, &byte) in text.iter().enumerate().take(at).skip(line.start) {
        match byte {
            b'"' if !is_escaped => open = if open.is_some() { None } else { Some(at) },
            _ => {}
        }
        is_escaped = byte == b'\\' && open.is_some() && !is_escaped;
    }
    open
}

/// Returns the line with `\\` in place of each backslash of the text that contains `at`, except
/// before a quote.
pub fn escaped(text: &[u8], at: usize) -> String {
    let line_end = line_at(text, at).end;
    let Some(open) = opening(text, at - 1) else { return String::new() };
    let rest = lossy(&text[open + 1..line_end]);
    let mut chars = rest.chars().peekable();
    let (mut new, mut len) = ("\"".to_owned(), 1);
    while let Some(ch) = chars.next() {
        len += ch.len_utf8();
        new.push(ch);
        match (ch, chars.peek()) {
            ('"', _) => break,
            ('\\', Some(next @ ('"' | '\\'))) => {
                len += 1;
                new.push(*next);
                chars.next();
            }
            ('\\', _) => new.push('\\'),
            _ => {}
        }
    }
    line(text, open..open + len, &new, "Write `\\\\` for a backslash")
}

/// Returns the quote that opens the text in which the line ends at `at`, and the line with the quote
/// that closes it, if an entry follows on the next line.
pub fn closed(text: &[u8], at: usize) -> Option<(Range<usize>, String)> {
    let open = opening(text, at)?;
    let next = text[at..].trim_ascii_start();
    let rest = next.strip_prefix(b"\"").and_then(|rest| rest.splitn(2, |b| *b == b'"').nth(1));
    let is_key = rest.is_some_and(|rest| rest.trim_ascii_start().starts_with(b":"));
    if !is_key && !next.starts_with(b"}") && !next.starts_with(b"]") {
        return None;
    }
    let inner = lossy(&text[open..at]);
    let end = inner.trim_end();
    let body = end.trim_end_matches([',', '}', ']']);
    let new = format!("{body}\"{}", &end[body.len()..]);
    Some((open..open + 1, line(text, open..at, &new, "Write the closing quote")))
}

/// Returns the line that the lines of the text become in which the line break at `at` is.
pub fn one_line(text: &[u8], at: usize) -> String {
    let start = line_at(text, at).start;
    let Some(close) = memchr::memchr(b'"', &text[at..]) else {
        return "Write `\\n` for the line break.".to_owned();
    };
    let end = line_at(text, at + close).end;
    let inner = lossy(&text[at..at + close]);
    let words: Vec<_> =
        inner.split(['\r', '\n']).map(str::trim).filter(|line| !line.is_empty()).collect();
    let whole = format!(
        "{} {}{}",
        lossy(&text[start..at]).trim_end(),
        words.join(" "),
        lossy(&text[at + close..end])
    );
    let first = memchr::memchr_iter(b'\n', &text[..at]).count() + 1;
    let last = first + inner.matches('\n').count();
    let lines = if last == first + 1 { "and" } else { "to" };
    let way = format!(
        "Write lines {first} {lines} {last} as one, with `\\n` for a line break that belongs to the text"
    );
    shown(&way, whole.trim_end())
}

/// Returns the quote that opens the text which ends directly before `at`, although it was meant to go
/// on, and the line with escapes in that text.
pub fn quotes_inside(text: &[u8], at: usize) -> Option<(Range<usize>, String)> {
    let inside = at.checked_sub(1).filter(|last| text[*last] == b'"')?;
    let open = opening(text, inside)?;
    let rest = lossy(&text[open..line_at(text, at).end]);
    let body = rest.trim_end().trim_end_matches([',', '}', ']', ' ']);
    let inner = body.strip_suffix('"')?.get(1..)?;
    let plain = inner.replace("\\\"", "\"");
    if !plain.contains('"') || b";:=,".contains(text.get(at)?) {
        return None;
    }
    let new = format!("\"{}\"", plain.replace('"', "\\\""));
    serde_json::from_str::<String>(&new).ok()?;
    let range = open..open + body.len();
    Some((open..open + 1, line(text, range, &new, "Write `\\\"` for a quote in the text")))
}

/// Returns the line with a value of JSON in place of the word at `range`.
pub fn value(text: &[u8], range: Range<usize>, word: &str) -> String {
    let named = match word {
        "True" | "TRUE" | "yes" | "Yes" | "on" => "true",
        "False" | "FALSE" | "no" | "No" | "off" => "false",
        "None" | "undefined" | "nil" | "NULL" | "Null" | "NaN" | "Infinity" => "null",
        _ => "",
    };
    let end = line_at(text, range.start).end;
    let rest = lossy(&text[range.start..end]);
    let whole = rest.find([',', '}', ']']).map_or(&*rest, |len| &rest[..len]).trim_end();
    if !named.is_empty() && whole == word {
        return line(text, range, named, &format!("Write `{named}`"));
    }
    let quoted = Value::from(whole).to_string();
    let as_text = range.start..range.start + whole.len();
    match number(word).filter(|_| whole == word) {
        Some(number) => {
            let text_form = line(text, as_text, &quoted, " If it is text");
            line(text, range, &number, "Write") + &text_form
        }
        None => line(text, as_text, &quoted, "Write text in double quotes"),
    }
}

/// Returns the number `word` of other languages as JSON has it.
fn number(word: &str) -> Option<String> {
    let (sign, digits) = word.split_at(word.len() - word.trim_start_matches(['+', '-']).len());
    let digits = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => u64::from_str_radix(hex, 16).ok()?.to_string(),
        None => digits.replace('_', ""),
    };
    let whole = digits.trim_start_matches('0');
    let is_bare = !whole.starts_with(|ch: char| ch.is_ascii_digit());
    let new = format!("{}{}{whole}", sign.trim_matches('+'), if is_bare { "0" } else { "" });
    let new = if new.ends_with('.') { new + "0" } else { new };
    serde_json::from_str::<serde_json::Number>(&new).is_ok().then_some(new)
}
