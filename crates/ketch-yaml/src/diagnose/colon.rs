//! Advice on keys whose `:` is missing or is not followed by a space.

use super::advice::Advice;
use super::entry::entry;
use super::mixed;
use super::quote::{code, indented};
use super::scene::{Line, Scene, cut};
use crate::problem::Problem;

/// Advises on the line of the error if it is in a mapping but has no key.
pub(super) fn missing_here(scene: &Scene<'_>) -> Option<Advice> {
    let line = scene.line();
    let above = scene.line_above(line);
    if let Some(advice) = explicit_value(scene, line) {
        return Some(advice);
    }
    if let Some(Fixed { line: fixed, message, label, at, len }) = with_colon(line.text) {
        let help = format!("Write {}.", code(fixed.trim_start()));
        return Some(Advice::new(message, label, help).at(scene, line.start + at, len));
    }
    if line.body().starts_with(['"', '\'']) {
        return after_quoted_key(scene, line);
    }
    if line.body().starts_with(['[', '{', '*', '|', '>']) {
        return None;
    }
    let words = line.body().split_whitespace().count();
    let above = above.filter(|&above| is_text_above(above));
    let fixed = guess(line.text)?;
    let mut help = format!("Write `:` after the key: {}.", code(&fixed));
    if let Some(above) = above {
        let deeper = indented(line.indent() + 2, line.body());
        let joined = format!(
            "If it continues the text of line {}, indent it: {}.",
            scene.number(above.start),
            code(&deeper)
        );
        help = if words >= 3 || entry(above).value.split_whitespace().count() >= 3 {
            format!("{joined} If it is a key, write `:` after it: {}.", code(&fixed))
        } else {
            format!("{help} {joined}")
        };
    }
    let message = format!("{} has no `:`, so it is not a key", code(line.body()));
    let above = above.or_else(|| scene.line_above(line));
    Some(Advice::new(message, "expected `:`", help).with_line(scene, above, "the entry above"))
}

/// Advises on a line below a `? key` that was probably meant as its value.
fn explicit_value(scene: &Scene<'_>, line: Line<'_>) -> Option<Advice> {
    let key = scene.lines_above(line.start).find(|above| above.indent() <= line.indent())?;
    if key.indent() < line.indent() || !key.body().starts_with("? ") {
        return None;
    }
    let body = line.body();
    let help = format!(
        "Write {} to make it the value of the key on line {}.",
        code(&indented(line.indent(), &format!(": {body}"))),
        scene.number(key.start)
    );
    let message =
        format!("{} is not the value of the key above, because it has no `: `", code(body));
    let advice = Advice::new(message, "expected `: ` before this", help);
    Some(advice.with(scene, key.body_at(), key.body().len(), "the key"))
}

/// Advises on a `:` that is missing after a quoted key, as in `"key" value`.
fn after_quoted_key(scene: &Scene<'_>, line: Line<'_>) -> Option<Advice> {
    let (key, value) = line.text.split_at_checked(scene.at - line.start)?;
    let rest = value.trim_start_matches([' ', '=', '>']);
    let blank = if rest.is_empty() { "" } else { " " };
    let fixed = code(&format!("{}:{blank}{rest}", key.trim()));
    let message = format!("{} has no `:`, so it is not a key", code(key.trim()));
    let help = format!("Write `:` after the key: {fixed}.");
    let above = scene.line_above(line);
    Some(Advice::new(message, "expected `:`", help).with_line(scene, above, "the entry above"))
}

/// Advises on a line above the error that has no `:`, so that the two lines became one key.
pub(super) fn missing_above(scene: &Scene<'_>) -> Option<Advice> {
    let line = scene.line();
    let above = scene.text_above()?;
    if let Some(advice) = quoted_key(scene, line, above) {
        return Some(advice);
    }
    if let Some(advice) = mixed::below_setting(scene, above) {
        return Some(advice);
    }
    let first = entry(above);
    if above.start == line.start || first.key.is_some() && first.dashes == 0 {
        return None;
    }
    let starts_there = scene.related == Some(first.at) || scene.problem == Problem::CommentInPlain;
    if !starts_there || first.key.is_some() || first.dashes > 0 && line.indent() < first.column {
        return None;
    }
    let is_item = first.dashes > 0;
    let fixed = match with_colon(above.text) {
        Some(fixed) => fixed,
        None if is_item => return None,
        None => Fixed {
            line: guess(above.text)?,
            message: format!("{} has no `:`, so it is not a key", code(first.value)),
            label: "expected `:` after this key",
            at: first.at - above.start,
            len: first.value.len(),
        },
    };
    let help =
        format!("Write {} on line {}.", code(fixed.line.trim_start()), scene.number(above.start));
    let label = "so this `:` belongs to a key of several lines";
    let advice = Advice::new(fixed.message, label, help);
    Some(advice.moved(scene, above.start + fixed.at, fixed.len, fixed.label))
}

/// Advises on a quoted key that starts on the line `above` and ends on the next line.
fn quoted_key(scene: &Scene<'_>, line: Line<'_>, above: Line<'_>) -> Option<Advice> {
    let start = scene.related.filter(|_| scene.line_above(line) == Some(above))?;
    let key = cut(scene.text, start..scene.at).trim_end();
    let quote = key.chars().next().filter(|ch| "\"'".contains(*ch))?;
    if !key.ends_with(quote) || !key.contains('\n') {
        return None;
    }
    let head = cut(scene.text, above.start..above.end()).trim();
    let help = format!("Write the key on one line: {}.", code(&format!("{head} {}", line.body())));
    let advice = Advice::new("a quoted key must be on one line", "the key ends here", help);
    Some(advice.moved(scene, start, above.end() - start, "the key starts here"))
}

/// A line as it was probably meant. `at` and `len` are the place of the mistake in the line as it
/// is.
struct Fixed {
    line: String,
    message: String,
    label: &'static str,
    at: usize,
    len: usize,
}

/// Returns `line` with `: ` in place of a character that was written instead, such as `=`, or in
/// place of a `:` without a space. Returns `None` if there is no such character.
fn with_colon(line: &str) -> Option<Fixed> {
    let body_at = line.len() - line.trim_start_matches([' ', '-']).len();
    let body = &line[body_at..];
    for (at, ch) in body.char_indices() {
        let at = body_at + at;
        let after = &line[at + ch.len_utf8()..];
        let before = line[..at].trim_end_matches([' ', '\t']);
        let fixed = |message: String, label| {
            let value = after.trim_start_matches('>').trim_start_matches(is_blank);
            let line = format!("{before}: {value}");
            Some(Fixed { line, message, label, at, len: ch.len_utf8() })
        };
        let space = "expected a space after this";
        if before.len() <= body_at.saturating_sub(1) || at == body_at {
            continue;
        }
        let next = after.chars().next().unwrap_or(' ');
        match ch {
            ':' if next != ' ' && is_blank(next) => {
                let found = next as u32;
                let message =
                    format!("the blank after `:` is the character U+{found:04X}, not a space");
                return fixed(message, space);
            }
            _ if !before.contains(char::is_alphanumeric) => {}
            '#' if line[..at].ends_with(' ') => return None,
            ':' if after.starts_with("//") => return None,
            ':' if !after.is_empty() && !after.starts_with(' ') => {
                let line = code(line.trim_matches([' ', '\t']));
                return fixed(format!("a space is missing after the `:` of {line}"), space);
            }
            '\u{ff1a}' | '\u{a789}' | '\u{2236}' | '=' => {
                let message = format!("a key ends with `:` and a space, not with `{ch}`");
                return fixed(message, "expected `: `");
            }
            _ => {}
        }
    }
    None
}

/// Returns whether a character is shown as a blank, or not at all.
fn is_blank(ch: char) -> bool {
    ch.is_whitespace() || matches!(ch, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}')
}

/// Returns `line` with a `:` after its first word.
fn guess(line: &str) -> Option<String> {
    let body_at = line.len() - line.trim_start_matches([' ', '-']).len();
    let (content, comment) = {
        let content = super::entry::without_comment(line);
        (content, &line[content.len()..])
    };
    let body = content.get(body_at..)?;
    let end = body.find([' ', '\t']).unwrap_or(body.len());
    let (key, rest) = body.split_at(end);
    let key = key.trim_end_matches([';', ',']);
    (!key.is_empty()).then(|| format!("{}{key}:{rest}{comment}", &line[..body_at]))
}

/// Returns whether the value of `line` is text that could continue on the next line.
fn is_text_above(line: Line<'_>) -> bool {
    let value = entry(line).value;
    value.contains(char::is_alphabetic) && !value.starts_with(['"', '\'', '[', '{', '*', '|', '>'])
}
