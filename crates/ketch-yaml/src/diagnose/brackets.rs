//! Advice on brackets that are never closed, are closed by the wrong kind, or are not indented
//! enough.

use super::advice::Advice;
use super::comma;
use super::entry::{entry, is_entry, without_comment};
use super::lexer::{self, closer};
use super::quote::{code, indented, spaces};
use super::scene::{Line, Scene, cut};
use crate::problem::Problem;

/// Returns the innermost bracket that is open at the error, with its offset.
fn opener(scene: &Scene<'_>) -> Option<(usize, char)> {
    let bracket = |at: usize| {
        let ch = cut(scene.text, at..).chars().next()?;
        "[{".contains(ch).then_some((at, ch))
    };
    let seen = lexer::read(cut(scene.text, ..scene.at));
    scene.related.and_then(bracket).or_else(|| seen.open.last().copied())
}

/// Advises on brackets that are still open where the input, the document or the surrounding block
/// ends.
pub(super) fn unclosed(scene: &Scene<'_>) -> Option<Advice> {
    // If the opening bracket is too far away, the parser's own message names its location.
    let (at, open) = closed_below(scene).or_else(|| opener(scene))?;
    let opening = scene.line_at(at);
    let line = scene.line();
    let is_inside = || is_inside(scene, opening, at, line) || closes_here(scene, at, line);
    if scene.problem == Problem::FlowIndentation && is_inside() {
        return Some(indent_inside(scene, at, opening));
    }
    Some(unclosed_at(scene, at, open))
}

/// Returns the bracket that was closed by a bracket that is indented less, if one was still open where
/// the input ends. The bracket was probably meant to be closed further up.
fn closed_below(scene: &Scene<'_>) -> Option<(usize, char)> {
    if !matches!(scene.problem, Problem::UnclosedMapping | Problem::UnclosedSequence) {
        return None;
    }
    let mut lines = scene.lines_between(scene.related?, scene.at);
    lines.find_map(|line| {
        let is_end = line.body().starts_with(['}', ']']);
        let seen = is_end.then(|| lexer::read(cut(scene.text, ..line.body_at())))?;
        let last = seen.open.last().copied();
        last.filter(|&(at, _)| scene.line_at(at).indent() > line.indent())
    })
}

/// Advises on lines that became one key because a bracket above them was not closed.
pub(super) fn swallowed_line(scene: &Scene<'_>) -> Option<Advice> {
    let seen = lexer::read(cut(scene.text, ..scene.at));
    let &(at, open) = seen.open.last()?;
    let (line, opening) = (scene.line(), scene.line_at(at));
    // A deeper line was probably meant to be inside the brackets.
    if line.indent() > opening.indent() && scene.related.is_some_and(|key| key < line.start) {
        return Some(comma::missing_comma(scene, line.body_at()));
    }
    (opening != line).then(|| unclosed_at(scene, at, open))
}

/// Advises on where to close the bracket `open`, which is at the offset `at`.
fn unclosed_at(scene: &Scene<'_>, at: usize, open: char) -> Advice {
    let opening = scene.line_at(at);
    let last = last_inside(scene, at, opening);
    let close = closer(open);
    let content = without_comment(last.text);
    let tail = cut(last.text, content.len()..);
    let content = content.trim_start().trim_end_matches(',');
    let number = scene.number(last.start);
    let help = if content.ends_with(')') && !content.contains('(') {
        let fixed = format!("{}{close}{tail}", content.trim_end_matches(')'));
        format!("Write `{close}` instead of `)` at the end of line {number}: {}.", code(&fixed))
    } else {
        let close =
            if is_followed(scene, at, last) { format!("{close},") } else { close.to_string() };
        format!(
            "Write `{close}` at the end of line {number}: {}.",
            code(&format!("{content}{close}{tail}"))
        )
    };
    let label = match scene.problem {
        Problem::FlowIndentation => "this line is not inside the brackets",
        Problem::MarkerInFlow => "a new document starts inside the brackets",
        Problem::UnclosedSequence | Problem::UnclosedMapping => "the input ends here",
        _ => "still inside the brackets",
    };
    let advice = Advice::new(format!("a `{open}` is never closed"), label, help);
    let label = format!("this `{open}` is not closed");
    if last == opening {
        return advice.moved(scene, at, 1, label);
    }
    let end = without_comment(last.text).trim_end_matches(',');
    let end = last.start + end.char_indices().next_back().map_or(0, |(at, _)| at);
    advice.with(scene, at, 1, label).moved(scene, end, 1, format!("expected `{close}` after this"))
}

/// Returns the last line that was probably meant to be inside the bracket at `at`. The bracket is
/// on the line `opening`.
fn last_inside<'t>(scene: &Scene<'t>, at: usize, opening: Line<'t>) -> Line<'t> {
    let is_root = opening.body_at() == at;
    let is_end = matches!(scene.problem, Problem::UnclosedSequence | Problem::UnclosedMapping);
    let error = scene.line();
    let mut last = opening;
    for line in scene.lines_between(at, scene.at).skip(1) {
        let is_out = line.indent() <= opening.indent()
            && !line.body().starts_with([']', '}', ','])
            && (!is_root || line.indent() < opening.indent());
        let is_error = line.start == error.start && !is_end;
        let is_block =
            is_entry(line) && !line.body().ends_with(',') && is_root && is_swallowed(scene);
        let is_own_end = line.body().starts_with(closer_of(scene, at));
        let is_outer_end = line.body().starts_with([']', '}'])
            && line.indent() < opening.indent() + usize::from(!is_own_end);
        if is_out || is_error || is_block || is_outer_end {
            break;
        }
        last = line;
    }
    last
}

/// Returns whether another entry of the collection around the bracket at `at` follows the line
/// `last`.
fn is_followed(scene: &Scene<'_>, at: usize, last: Line<'_>) -> bool {
    let is_inner = !lexer::read(cut(scene.text, ..at)).open.is_empty();
    let mut below = scene.lines_between(last.end() + 1, scene.at);
    is_inner && below.next().is_some_and(|line| !line.body().starts_with([']', '}']))
}

/// Returns whether the error is that several lines became one key.
fn is_swallowed(scene: &Scene<'_>) -> bool {
    matches!(scene.problem, Problem::MultilineKey)
}

/// Returns the bracket that closes the bracket at `at`.
fn closer_of(scene: &Scene<'_>, at: usize) -> char {
    cut(scene.text, at..).chars().next().map_or(']', closer)
}

/// Returns whether `line` probably belongs inside the bracket at `at`, and only its indentation is
/// wrong. The bracket is on the line `opening`.
fn is_inside(scene: &Scene<'_>, opening: Line<'_>, at: usize, line: Line<'_>) -> bool {
    let opens_last = without_comment(cut(opening.text, at - opening.start..)).len() == 1;
    let Some(above) = scene.line_above(line) else { return false };
    let above = without_comment(above.text);
    let body = without_comment(line.body());
    let goes_on = above.ends_with([',', '[', '{']);
    let is_json = body.starts_with(['"', '\'', '[', '{']) || body.ends_with(',');
    goes_on && (opens_last || is_json) && (is_json || !is_entry(line))
}

/// Returns whether `line` closes the bracket at `at`, and is not an entry.
fn closes_here(scene: &Scene<'_>, at: usize, line: Line<'_>) -> bool {
    let seen = lexer::read(cut(scene.text, ..line.end()));
    !is_entry(line) && !seen.open.iter().any(|&(open, _)| open == at)
}

/// Advises on a line inside the bracket at `at` that is not indented more deeply than the key
/// before the bracket.
fn indent_inside(scene: &Scene<'_>, at: usize, opening: Line<'_>) -> Advice {
    let line = scene.line();
    let column = entry(opening).column + 2;
    let help = format!(
        "Indent it, and all lines up to the closing bracket, with at least {}: {}.",
        spaces(column),
        code(&indented(column, line.body()))
    );
    let message = "a line inside brackets must be indented deeper than the key above them";
    let advice = Advice::new(message, "expected more spaces", help);
    advice.with(scene, at, 1, "the bracket opens here")
}

/// Advises on a closing bracket that is not indented more deeply than the key of its collection.
pub(super) fn flush_end(scene: &Scene<'_>) -> Option<Advice> {
    let line = scene.line();
    let (at, _) = opener(scene)?;
    let column = entry(scene.line_at(at)).column + 2;
    let help = format!(
        "Indent it with {}: {}. The option `lenient` accepts it as it is.",
        spaces(column),
        code(&indented(column, line.body()))
    );
    let message = "a closing bracket must be indented deeper than the key of its collection";
    let advice = Advice::new(message, "expected more spaces", help);
    Some(advice.with(scene, at, 1, "the bracket opens here"))
}

/// Advises on a `]` in place of a `}`, or the reverse.
pub(super) fn mismatched(scene: &Scene<'_>) -> Option<Advice> {
    let found = scene.found()?;
    let (at, open) = opener(scene)?;
    let due = closer(open);
    let seen = lexer::read(cut(scene.text, ..scene.at));
    let mut outer = seen.open.iter().rev().filter(|&&(_, open)| closer(open) == found);
    let (line, opening) = (scene.line(), scene.line_at(at));
    let (before, after) = line.text.split_at(scene.at - line.start);
    let has_outer = outer.next().is_some_and(|&(start, _)| {
        let around = scene.line_at(start);
        if line.body_at() == scene.at {
            return around == opening || opening.indent() != line.indent();
        }
        // Where a comma follows, the collection around it goes on, unless that is inside another one.
        let goes_on = cut(after, 1..).trim_start().starts_with(',');
        !goes_on || around == line && start != seen.open[0].0
    });
    let help = if !has_outer {
        let fixed = format!("{}{due}{}", before.trim_start(), cut(after, 1..));
        format!("Write `{due}` instead of `{found}`: {}.", code(&fixed))
    } else if line == opening {
        let fixed = format!("{}{due}{after}", before.trim_start());
        format!("Write `{due}` before the `{found}`: {}.", code(&fixed))
    } else {
        return Some(unclosed_at(scene, at, open));
    };
    let message = format!("`{found}` does not close the `{open}` that is open here");
    let advice = Advice::new(message, format!("expected `{due}`"), help);
    Some(advice.with(scene, at, 1, format!("this `{open}` is open")))
}
