//! Finds out what is wrong between the parts of a JSON text: colons, commas, quotes and brackets.

use super::repairs::{line, opening};
use serde_json::{Value, from_slice};
use std::ops::Range;

/// What is wrong: the place, the message and the help.
type Wrong = (Range<usize>, String, String);

/// Returns what is wrong at the offset `at`, where a reader has `said` what it expects.
pub fn wrong(text: &[u8], at: usize, said: &str) -> Option<Wrong> {
    let (found, before) = (*text.get(at)?, text[..at].trim_ascii_end());
    let expects = |what: &str| said.starts_with(what);
    // Inside brackets, something else is expected after a value.
    let is_after = before.ends_with(b"}") || before.ends_with(b"]") || before.ends_with(b"\"");
    let is_outside = expects("trailing") || expects("expected value") && is_after;
    match found {
        _ if expects("expected `:`") => after_key(text, at),
        b'{' if expects("key must be") && text[..at].ends_with(b"{") => template(text, at - 1),
        _ if expects("key must be") => opening_quote(text, at),
        b':' if expects("expected `,` or `}`") => {
            let colon = before_string(text, before.len())?;
            let is_above = text[colon..at].contains(&b'\n') && text[..colon].ends_with(b":");
            let help = line(text, colon..colon, " {", "Write `{`");
            is_above.then(|| (colon - 1..colon, "a `{` is missing before the keys".into(), help))
        }
        b':' if expects("expected `,` or `]`") => open_array(text, before.len()),
        _ if is_outside => outside(text, at),
        b',' | b'}' | b']' if before.ends_with(b":") => {
            let help = line(text, before.len()..at, " null", "Write one, such as `null`");
            Some((at..at + 1, "a value is missing after the `:`".into(), help))
        }
        _ if expects("expected `,` or `}`") && before.ends_with(b"\"") => {
            let is_word = found.is_ascii_alphanumeric() || b"-.$%".contains(&found);
            let is_near = !text[before.len()..at].contains(&b'\n');
            (is_word && is_near).then(|| after_quote(text, at))?
        }
        _ => None,
    }
}

/// Returns what is wrong at the offset `at`, after a key.
fn after_key(text: &[u8], at: usize) -> Option<Wrong> {
    let (found, before) = (text[at], text[..at].trim_ascii_end());
    match found {
        b',' | b'}' if !is_value(&text[at + 1..]) => {
            let key = opening(text, before.len().checked_sub(1)?)?..before.len();
            let help = line(text, before.len()..at, ": null", "Write one, such as `null`");
            let help = help + " A list has square brackets.";
            Some((key, "a key without a value".into(), help))
        }
        b';' | b'=' | b',' => {
            let end = at + 1 + usize::from(text[at..].starts_with(b"=>"));
            let new = if text[end..].starts_with(b" ") { ":" } else { ": " };
            let help = line(text, before.len()..end, new, "Write `:` instead");
            let message = format!("a key ends with `:`, not with `{}`", found as char);
            Some((at..end, message, help))
        }
        _ => closing_quote(text, at),
    }
}

/// Returns what is wrong at the offset `at`, after a value that is in no brackets.
fn outside(text: &[u8], at: usize) -> Option<Wrong> {
    let before = text[..at].trim_ascii_end();
    let (message, help) = match text[at] {
        b':' if before.ends_with(b"\"") => (
            "a key outside of braces",
            "Write `{` before the first key and `}` after the last value.",
        ),
        b',' if before.ends_with(b"}") && is_key(&text[at + 1..]) => {
            let end = before.len() - 1;
            let help = line(text, end..end + 1, "", "Delete the `}`");
            return Some((end..end + 1, "the object ends here, but keys follow".into(), help));
        }
        b',' => (
            "several values without brackets",
            "Write `[` before the first value and `]` after the last.",
        ),
        _ => return None,
    };
    Some((at..at + 1, message.into(), help.into()))
}

/// Returns the end of the text before the string that ends at `end`.
fn before_string(text: &[u8], end: usize) -> Option<usize> {
    let quote = end.checked_sub(1).filter(|last| text[*last] == b'"')?;
    Some(text[..opening(text, quote)?].trim_ascii_end().len())
}

/// Finds a key such as `"a: "b"`, whose closing quote is that of the value.
fn closing_quote(text: &[u8], at: usize) -> Option<Wrong> {
    let quote = at.checked_sub(1).filter(|last| text[*last] == b'"')?;
    let open = opening(text, quote)?;
    let key = text[open..quote].trim_ascii_end().strip_suffix(b":")?;
    let new = format!("{}\": \"", String::from_utf8_lossy(key));
    let help = line(text, open..at, &new, "Write the closing quote");
    Some((open..open + 1, "a text in quotes is not closed".into(), help))
}

/// Finds a key such as `a": 1` at `at`.
fn opening_quote(text: &[u8], at: usize) -> Option<Wrong> {
    let len = memchr::memchr2(b'"', b'\n', &text[at..])?;
    let is_key = text[at + len..].strip_prefix(b"\"")?.trim_ascii_start().starts_with(b":");
    let name = String::from_utf8_lossy(&text[at..at + len]);
    let is_word = !name.contains([' ', ',', ':', '{', '}', '[', ']', '\'']);
    let message = format!("the key `{name}` has no opening quote");
    let help = line(text, at..at, "\"", "Write it");
    (is_key && is_word && len > 0).then_some((at..at + len, message, help))
}

/// Finds a value with a template such as `{{ x }}` at `at`.
fn template(text: &[u8], at: usize) -> Option<Wrong> {
    let rest = text[at..].split(|byte| *byte == b'\n').next()?;
    let end = memchr::memmem::find(rest, b"}}")? + 2;
    let len = rest[end..].iter().position(|byte| b",]}".contains(byte));
    let value = rest[..len.map_or(rest.len(), |len| end + len)].trim_ascii_end();
    let name = String::from_utf8_lossy(&rest[..end]);
    let new = Value::from(String::from_utf8_lossy(value)).to_string();
    let help = line(text, at..at + value.len(), &new, "Put the whole value in quotes");
    Some((at..at + end, format!("`{name}` is a template expression, not JSON"), help))
}

/// Returns whether a value starts on the line that `rest` starts with.
fn is_value(rest: &[u8]) -> bool {
    let first = rest.iter().find(|byte| !b" \t".contains(byte));
    first.is_some_and(|byte| !b"\r\n,}]".contains(byte))
}

/// Returns whether `rest` starts with a key in quotes.
fn is_key(rest: &[u8]) -> bool {
    let quoted = rest.trim_ascii_start().strip_prefix(b"\"");
    let after = quoted.and_then(|rest| rest.splitn(2, |byte| *byte == b'"').nth(1));
    after.is_some_and(|after| after.trim_ascii_start().starts_with(b":"))
}

/// Finds an array that is still open before the key that ends at `end`, or keys in one that are not
/// in braces.
fn open_array(text: &[u8], end: usize) -> Option<Wrong> {
    let key = opening(text, end.checked_sub(1)?)?;
    let before = before_string(text, end)?;
    let close = closed(text, end)?;
    let after = text[close + 1..].trim_ascii_start();
    let next = after.strip_prefix(b",").unwrap_or(after).trim_ascii_start();
    if text[close] == b'}' && (next.starts_with(b"{") || next.starts_with(b"]")) {
        let help = line(text, key..key, "{", "Write `{`");
        return Some((key..key + 1, "a `{` is missing before the keys".into(), help));
    }
    let last = before.checked_sub(1)?;
    match (text[last], text[close]) {
        (b'[', end) => {
            let help = match end {
                b']' => "Write `{` instead, and `}` where it ends.".to_owned(),
                _ => line(text, last..before, "{", "Write `{` instead"),
            };
            Some((last..before, "keys belong in braces".into(), help))
        }
        (b',', b'}') => {
            let help = line(text, last..last, "]", "Write `]`");
            Some((last - 1..last, "a `[` is never closed".into(), help))
        }
        _ => None,
    }
}

/// Returns the offset of the first bracket after `from` that closes one before it.
fn closed(text: &[u8], from: usize) -> Option<usize> {
    let (mut depth, mut is_quoted, mut is_escaped) = (0usize, false, false);
    let position = text[from..].iter().position(|byte| {
        match byte {
            b'"' if !is_escaped => is_quoted = !is_quoted,
            b'[' | b'{' if !is_quoted => depth += 1,
            b']' | b'}' if !is_quoted && depth == 0 => return true,
            b']' | b'}' if !is_quoted => depth -= 1,
            _ => {}
        }
        is_escaped = *byte == b'\\' && !is_escaped;
        false
    });
    position.map(|len| from + len)
}

/// Finds text after the closing quote of a value, as in `"a" b`.
fn after_quote(text: &[u8], at: usize) -> Option<Wrong> {
    let rest = text[at..].split(|byte| b"\n,}]".contains(byte)).next()?.trim_ascii_end();
    if rest.is_empty() || rest.contains(&b'"') || from_slice::<Value>(rest).is_ok() {
        return None;
    }
    let quote = text[..at].trim_ascii_end().len() - 1;
    let inner = String::from_utf8_lossy(&text[quote + 1..at + rest.len()]);
    let new = format!("{}\"", inner.replace('\\', "\\\\"));
    let help = line(text, quote..at + rest.len(), &new, "Put quotes around all of it");
    Some((at..at + rest.len(), "text after the closing quote".into(), help))
}
