//! Advice on backslashes in double quotes: in paths, in patterns, and in escapes of other
//! languages.

use super::advice::Advice;
use super::entry::without_comment;
use super::lexer::quote_end;
use super::quote::code;
use super::scene::{Scene, cut};
use crate::problem::Problem;

/// Advises on an invalid escape in double quotes.
pub(super) fn advise(scene: &Scene<'_>) -> Option<Advice> {
    let open = scene.related?;
    let opening = scene.line_at(open);
    let line = scene.line();
    let escape = escape_shown(scene);
    let message = match scene.problem {
        Problem::UnknownEscape => format!("`\\{escape}` is not an escape that YAML knows"),
        Problem::EscapeDigits(digits) => {
            format!("`\\{escape}` in double quotes needs {digits} hexadecimal digits after it")
        }
        _ => return None,
    };
    let advice = |help: String| {
        let advice = Advice::new(message.clone(), "in double quotes, `\\` starts an escape", help);
        Some(advice.with(scene, open, 1, "the quote opens here"))
    };
    if opening != line {
        return advice(format!("Write {} for the backslash, as `\\\\`.", code("\\\\")));
    }
    let head = cut(scene.text, opening.start..open);
    let end = match quote_end(scene.text.as_bytes(), open) {
        Some(end) if end <= line.end() => end,
        _ => open + without_comment(cut(scene.text, open..line.end())).len(),
    };
    let (text, tail) =
        (cut(scene.text, open + 1..end.max(open + 2) - 1), cut(scene.text, end..line.end()));
    let show = |fixed: &str| code(&format!("{}{fixed}{tail}", head.trim_start()));
    if let Some(fixed) = other_language(scene, text) {
        return advice(format!("Write {}.", show(&format!("\"{fixed}\""))));
    }
    let doubled = doubled(text);
    if text.contains('\'') || is_mixed(text) {
        return advice(format!("Write each backslash twice: {}.", show(&format!("\"{doubled}\""))));
    }
    advice(format!(
        "Use single quotes, in which a backslash is a character like any other: {}.",
        show(&format!("'{text}'"))
    ))
}

/// Returns the character after the backslash, or an empty string if that cannot be shown.
fn escape_shown(scene: &Scene<'_>) -> String {
    let after = cut(scene.text, scene.at..).chars().nth(1);
    after.filter(|ch| !ch.is_control()).map(String::from).unwrap_or_default()
}

/// Returns `text` with an escape of another language replaced by its equivalent in YAML. Returns
/// `None` if the error is not at such an escape.
fn other_language(scene: &Scene<'_>, text: &str) -> Option<String> {
    let at = scene.at - scene.related? - 1;
    let rest = text.get(at..)?;
    if rest.starts_with("\\'") {
        return Some(text.replace("\\'", "'"));
    }
    if let Some(code) = rest.strip_prefix("\\u{") {
        let (digits, _) = code.split_once('}')?;
        let number = u32::from_str_radix(digits, 16).ok()?;
        return Some(text.replace(&format!("\\u{{{digits}}}"), &format!("\\U{number:08X}")));
    }
    let digits: String = cut(rest, 1..).chars().take_while(char::is_ascii_digit).collect();
    let octal = u32::from_str_radix(&digits, 8).ok().filter(|_| digits.len() == 3)?;
    Some(text.replace(&format!("\\{digits}"), &format!("\\x{octal:02X}")))
}

/// Returns whether `text` is not a path, and contains escapes that were probably meant as escapes.
fn is_mixed(text: &str) -> bool {
    let is_path = text.as_bytes().get(1) == Some(&b':') || text.starts_with("\\\\");
    !is_path && ["\\n", "\\\"", "\\\\", "\\t"].iter().any(|escape| text.contains(escape))
}

/// Returns `text` with each backslash doubled that does not start an escape. In a path, none of
/// them does.
fn doubled(text: &str) -> String {
    let is_path = text.as_bytes().get(1) == Some(&b':');
    let mut out = String::with_capacity(text.len() + 8);
    let mut chars = text.chars().peekable();
    while let Some(ch) = chars.next() {
        out.push(ch);
        if ch != '\\' {
            continue;
        }
        match chars.peek() {
            Some(&next @ ('n' | 't' | '"' | '\\')) if !is_path => {
                out.push(next);
                chars.next();
            }
            _ => out.push('\\'),
        }
    }
    out
}
