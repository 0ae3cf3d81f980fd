//! Advice on missing or superfluous commas and colons inside brackets.

use super::advice::Advice;
use super::after_value::{after_quoted, quoted_before};
use super::entry::without_comment;
use super::lexer;
use super::quote::{code, quoted};
use super::scene::{Line, Scene, cut};
use crate::problem::Problem;

/// Advises on a missing or superfluous comma or colon inside brackets.
pub(super) fn advise(scene: &Scene<'_>) -> Option<Advice> {
    if scene.problem == Problem::EmptyFlowEntry {
        return Some(two_commas(scene));
    }
    let quoted = quoted_before(scene);
    if let Some((start, end)) = quoted {
        let content = cut(scene.text, start + 1..end - 1);
        let is_word = scene.found().is_some_and(|ch| !":\"'[{".contains(ch));
        let is_cut = content.trim_end().ends_with([',', ':', '{', '[']);
        if end == scene.at && (is_word || is_cut) {
            return Some(after_quoted(scene, (start, end)));
        }
    }
    match scene.found()? {
        ':' => at_colon(scene),
        '[' | '{' if is_joined(scene) => Some(joined(scene)),
        _ if scene.problem == Problem::ExpectedFlowValue => missing_colon(scene),
        _ => Some(missing_comma(scene, scene.at)),
    }
}

/// Returns whether text is directly before the bracket at the error.
fn is_joined(scene: &Scene<'_>) -> bool {
    let before = cut(scene.text, ..scene.at).chars().next_back();
    before.is_some_and(|ch| !ch.is_whitespace() && !"[]{},\"'".contains(ch))
}

/// Advises on a bracket directly after text, which is part of it, as in `{a: ${b}}`.
fn joined(scene: &Scene<'_>) -> Advice {
    let line = scene.line();
    let rest = cut(scene.text, scene.at..line.end());
    let mut depth = 0;
    let end = rest.find(|ch| {
        let is_end = depth == 0 && ",]}".contains(ch);
        depth += i32::from("[{".contains(ch)) - i32::from("]}".contains(ch));
        is_end
    });
    let (inside, tail) = rest.split_at(end.unwrap_or(rest.len()));
    let before = cut(scene.text, line.start..scene.at);
    let start = before.rfind(['[', '{', ',', ' ']).map_or(0, |at| at + 1);
    let start = before.rfind(": ").map_or(start, |at| start.max(at + 2));
    let (head, text) = before.split_at(start);
    let fixed =
        format!("{}{}{tail}", head.trim_start(), quoted(&format!("{text}{}", inside.trim_end())));
    let help = format!("Quote the text: {}.", code(&fixed));
    let advice =
        Advice::new("text with a bracket in it needs quotes here", "part of the text", help);
    advice.with(scene, line.start + start, text.len(), "the text starts here")
}

/// Advises on a comma that no entry precedes.
fn two_commas(scene: &Scene<'_>) -> Advice {
    let line = scene.line();
    let (before, after) = line.text.split_at(scene.at - line.start);
    let fixed = format!("{}{}", before.trim_start(), cut(after, 1..).trim_start());
    let help = format!("Delete it: {}. To have an empty entry, write `null`.", code(&fixed));
    let advice = Advice::new("a `,` without an entry before it", "delete this", help);
    match scene.related {
        Some(at) => advice.with(scene, at, 1, "the collection opens here"),
        None => advice,
    }
}

/// Advises on a `:` in a value, if the text before it was meant as a key.
fn at_colon(scene: &Scene<'_>) -> Option<Advice> {
    let line = scene.line();
    let key_at = key_start(scene, line);
    let before = without_comment(cut(scene.text, ..key_at));
    let last = before.chars().next_back()?;
    if last == ':' || "[{,".contains(last) {
        return Some(two_colons(scene, key_at));
    }
    Some(missing_comma(scene, key_at))
}

/// Returns the start of the last word before the error. A quoted scalar is one word.
fn key_start(scene: &Scene<'_>, line: Line<'_>) -> usize {
    if let Some((start, _)) = quoted_before(scene) {
        return start;
    }
    let before = cut(scene.text, line.start..scene.at).trim_end();
    if let Some(start) =
        before.ends_with(['"', '\'']).then(|| before.rfind([' ', ',', '{', '['])).flatten()
    {
        return line.start + start + 1;
    }
    let word = before.rfind([' ', '\t', ',', '{', '[']).map_or(0, |at| at + 1);
    line.start + word.max(line.body_at() - line.start)
}

/// Advises on two colons in one entry, as in `{a: b: c}`.
fn two_colons(scene: &Scene<'_>, key_at: usize) -> Advice {
    let line = scene.line();
    let rest = cut(scene.text, key_at..line.end());
    let end = rest.find([',', '}', ']']).unwrap_or(rest.len());
    let (value, tail) =
        (cut(rest, ..end).trim_end(), cut(rest, cut(rest, ..end).trim_end().len()..));
    let head = cut(scene.text, line.start..key_at).trim_start();
    let help = format!(
        "If the value is text, quote it: {}. If it is a mapping, put it in braces: {}.",
        code(&format!("{head}{}{tail}", quoted(value))),
        code(&format!("{head}{{{value}}}{tail}"))
    );
    let advice = Advice::new("a second `:` after one key", "the second `:`", help);
    advice.with(scene, key_at, value.len(), "the value starts here")
}

/// Advises on a missing comma before the entry at `next`.
pub(super) fn missing_comma(scene: &Scene<'_>, next: usize) -> Advice {
    let before = content_before(scene, next);
    let end = before.len();
    let line = scene.line_at(end);
    let head = cut(scene.text, line.start..end);
    let head = head.strip_suffix(';').unwrap_or(head);
    let tail = cut(scene.text, end..line.end());
    let instead = if before.ends_with(';') { " instead of `;`" } else { "" };
    let place = match line == scene.line_at(next) {
        true => String::new(),
        false => format!(" at the end of line {}", scene.number(end)),
    };
    let fixed = code(&format!("{},{tail}", head.trim_start()));
    let help = format!("Write `,`{instead}{place}: {fixed}.");
    let label =
        if next == scene.at { "expected `,` before this" } else { "so this `:` is in a value" };
    let advice = Advice::new("a `,` is missing between two entries", label, help);
    let last = head.char_indices().next_back().map_or(0, |(at, _)| at);
    if next == scene.at || line != scene.line_at(next) {
        return advice.moved(scene, line.start + last, 1, "expected `,` after this");
    }
    let next_len = cut(scene.text, next..scene.at).trim_end().len();
    advice.with(scene, next, next_len, "expected `,` before this key")
}

/// Returns the text up to `next`, without comments and white space at its end.
fn content_before<'t>(scene: &Scene<'t>, next: usize) -> &'t str {
    let mut end = next;
    loop {
        let line = scene.line_at(end);
        let content = without_comment(cut(scene.text, line.start..end));
        if !content.trim().is_empty() {
            return cut(scene.text, ..line.start + content.len());
        }
        match line.start.checked_sub(1) {
            Some(above) => end = above,
            None => return cut(scene.text, ..next),
        }
    }
}

/// Advises on a colon that is missing after a quoted key, as in `{"a" 1}`.
fn missing_colon(scene: &Scene<'_>) -> Option<Advice> {
    let line = scene.line();
    let before = content_before(scene, scene.at);
    let (head, tail) =
        (cut(line.text, ..scene.at - line.start), cut(scene.text, scene.at..line.end()));
    let tail = tail.trim_start_matches(['=', '>']).trim_start();
    let fixed = code(&format!("{}: {tail}", head.trim()));
    let help = format!("Write `:` between a key and its value: {fixed}.");
    let seen = lexer::read(before);
    let advice =
        Advice::new("a `:` is missing between key and value", "expected `:` before this", help);
    Some(match seen.quoted.last() {
        Some(&(start, end)) => advice.with(scene, start, end - start, "the key"),
        None => advice,
    })
}
