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
    if let Some(fixed) = with_colon(line.text) {
        return Some(fixed.advice(scene, line));
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
    let advice = Advice::new(message, "expected `:`", help);
    Some(match above.or_else(|| scene.line_above(line)) {
        Some(above) => advice.with(scene, above.body_at(), above.body().len(), "the entry above"),
        None => advice,
    })
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
    let advice = Advice::new(message, "expected `:`", help);
    Some(match scene.line_above(line) {
        Some(above) => advice.with(scene, above.body_at(), above.body().len(), "the entry above"),
        None => advice,
    })
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
            what: Missing::Colon,
            at: first.at,
            len: first.value.len(),
        },
    };
    let message = fixed.message(above);
    let help = fixed.help(scene, above, line);
    let advice = Advice::new(message, "so this `:` belongs to a key of several lines", help);
    Some(advice.moved(scene, above.start + fixed.at_in(above), fixed.len, fixed.label()))
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
    what: Missing,
    at: usize,
    len: usize,
}

/// What is missing after a key.
enum Missing {
    /// The space after a `:`.
    Space,
    /// The `:` after a key.
    Colon,
    /// A space after a `:`, in place of this character.
    Blank(char),
    /// A `:` in place of this character.
    Instead(char),
}

impl Fixed {
    /// Returns the offset in the line to which the advice points.
    fn at_in(&self, line: Line<'_>) -> usize {
        match self.what {
            Missing::Colon => line.body_at() - line.start,
            _ => self.at,
        }
    }

    /// Returns the message that says what is wrong with the key.
    fn message(&self, line: Line<'_>) -> String {
        let body = code(entry(line).value);
        match self.what {
            Missing::Space => format!("a space is missing after the `:` of {}", code(line.body())),
            Missing::Colon => format!("{body} has no `:`, so it is not a key"),
            Missing::Blank(ch) => {
                format!("the blank after `:` is the character U+{:04X}, not a space", ch as u32)
            }
            Missing::Instead(ch) => format!("a key ends with `:` and a space, not with `{ch}`"),
        }
    }

    /// Returns the label at the location of the mistake.
    fn label(&self) -> &'static str {
        match self.what {
            Missing::Space | Missing::Blank(_) => "expected a space after this",
            Missing::Colon => "expected `:` after this key",
            Missing::Instead(_) => "expected `: `",
        }
    }

    /// Returns the help, which shows the corrected line. If `line` is not the line `other`, the
    /// help includes its number.
    fn help(&self, scene: &Scene<'_>, line: Line<'_>, other: Line<'_>) -> String {
        let fixed = code(self.line.trim_start());
        if line.start == other.start {
            return format!("Write {fixed}.");
        }
        format!("Write {fixed} on line {}.", scene.number(line.start))
    }

    /// Returns the advice on `line`, including the location of the mistake if it differs from that
    /// of the error.
    fn advice(self, scene: &Scene<'_>, line: Line<'_>) -> Advice {
        let help = self.help(scene, line, line);
        let advice = Advice::new(self.message(line), self.label(), help);
        let at = line.start + self.at;
        if at == scene.at {
            return advice;
        }
        advice.with(scene, at, self.len, "here")
    }
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
        let fixed = |what| {
            Some(Fixed {
                line: format!(
                    "{before}: {}",
                    after.trim_start_matches('>').trim_start_matches(is_blank)
                ),
                what,
                at,
                len: ch.len_utf8(),
            })
        };
        if before.len() <= body_at.saturating_sub(1) || at == body_at {
            continue;
        }
        let next = after.chars().next().unwrap_or(' ');
        match ch {
            ':' if next != ' ' && is_blank(next) => return fixed(Missing::Blank(next)),
            _ if !before.contains(char::is_alphanumeric) => {}
            '#' if line[..at].ends_with(' ') => return None,
            ':' if after.starts_with("//") => return None,
            ':' if !after.is_empty() && !after.starts_with(' ') => return fixed(Missing::Space),
            '\u{ff1a}' | '\u{a789}' | '\u{2236}' | '=' => return fixed(Missing::Instead(ch)),
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
