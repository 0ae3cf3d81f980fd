//! Advice on quoted scalars that are never closed, or are closed much later than was meant.

use super::advice::Advice;
use super::entry::{colon, entry, is_entry, without_comment};
use super::lexer;
use super::quote::{code, indented, quoted};
use super::scene::{Line, Scene, cut};
use crate::problem::Problem;

/// Advises on a quote that is still open where the text ends, or where a line is not indented
/// enough.
pub(super) fn advise(scene: &Scene<'_>) -> Option<Advice> {
    let open = scene.related?;
    let quote = quote_at(scene, open)?;
    let line = scene.line();
    let opening = scene.line_at(open);
    if scene.problem == Problem::QuotedIndentation
        && let Some(last) = last_unindented(scene, open, line)
    {
        return Some(indent_further(scene, open, opening, last));
    }
    Some(close(scene, open, opening, quote))
}

/// Returns the last line of the quoted text that opens at `open`, if the text goes on up to there
/// from `line` on, because none of these lines is an entry.
fn last_unindented<'t>(scene: &Scene<'t>, open: usize, line: Line<'t>) -> Option<Line<'t>> {
    let end = lexer::quote_end(scene.text.as_bytes(), open)?;
    let is_text = scene.lines_between(line.start, end).all(|line| !is_entry(line));
    is_text.then(|| scene.line_at(end))
}

/// Advises on the quote at `open`. It was closed by a quote further down that was meant to open
/// another text.
pub(super) fn closed_too_late(scene: &Scene<'_>, open: usize) -> Advice {
    close(scene, open, scene.line_at(open), quote_at(scene, open).unwrap_or('"'))
}

/// Returns the quote at `open`, if there is one.
fn quote_at(scene: &Scene<'_>, open: usize) -> Option<char> {
    cut(scene.text, open..).chars().next().filter(|ch| "\"'".contains(*ch))
}

/// Returns the advice for a quoted text of several lines. The line of the error and those up to
/// `last` are not indented enough.
fn indent_further(scene: &Scene<'_>, open: usize, opening: Line<'_>, last: Line<'_>) -> Advice {
    let line = scene.line();
    let column = entry(opening).column + 2;
    let spaces = super::quote::spaces(column);
    let fixed = code(&indented(column, line.body()));
    let (from, to) = (scene.number(line.start), scene.number(last.start));
    let help = match to - from {
        0 => format!("Indent it with {spaces}: {fixed}."),
        1 => format!("Indent lines {from} and {to} with {spaces}, as in {fixed}."),
        _ => format!("Indent lines {from} to {to} with {spaces}, as in {fixed}."),
    };
    let message = "a line of quoted text is not indented enough";
    let advice = Advice::new(message, "expected more spaces", help);
    advice.with(scene, open, 1, "the text starts here")
}

/// Advises on where to close the quote at `open`, which is on the line `opening`.
fn close(scene: &Scene<'_>, open: usize, opening: Line<'_>, quote: char) -> Advice {
    let last = last_line(scene, opening);

    let message = match scene.problem {
        Problem::UnclosedQuote | Problem::QuotedIndentation => {
            format!("a `{quote}` is never closed")
        }
        _ => format!("a `{quote}` is not closed where it should be"),
    };
    let label = match scene.problem {
        Problem::UnclosedQuote => "expected the closing quote before the end",
        Problem::QuotedIndentation => "this line is not part of the quoted text",
        Problem::MarkerInQuotes => "a new document starts inside the quoted text",
        _ => "the quoted text has ended before this",
    };
    let help = help(scene, open, opening, last, quote);
    let advice = Advice::new(message, label, help);
    let label = "the quote opens here";
    if last == opening {
        return advice.moved(scene, open, 1, label);
    }
    let end = last.text.trim_end();
    let end = last.start + end.char_indices().next_back().map_or(0, |(at, _)| at);
    let expected = format!("expected the closing `{quote}` after this");
    advice.with(scene, open, 1, label).moved(scene, end, 1, expected)
}

/// Returns the help, which says where on the line `last` to write the closing quote.
fn help(scene: &Scene<'_>, open: usize, opening: Line<'_>, last: Line<'_>, quote: char) -> String {
    let number = scene.number(last.start);
    if last != opening {
        let content = last.text.trim_end();
        return format!(
            "Write the closing `{quote}` at the end of line {number}: {}.",
            code(&format!("{}{quote}", content.trim_start()))
        );
    }
    let content = cut(scene.text, open..opening.end());
    let head = cut(scene.text, opening.start..open).trim_start();
    if quote == '"' && content.trim_end().ends_with("\\\"") {
        let path = &content.trim_end()[1..content.trim_end().len() - 1];
        return format!(
            "The backslash before the last `\"` makes it part of the text. Use single quotes: {}.",
            code(&format!("{head}'{}'", path.replace('\'', "''")))
        );
    }
    let end = close_in_line(scene, open, opening);
    let other = if quote == '"' { '\'' } else { '"' };
    let inner = cut(scene.text, open + 1..end).strip_suffix(other);
    if let Some(inner) = inner.filter(|inner| !inner.contains(['"', '\''])) {
        let tail = cut(scene.text, end..opening.end());
        let fixed = code(&format!("{head}{quote}{inner}{quote}{tail}"));
        return format!("Close it with the quote that opens it: {fixed}.");
    }
    // A backslash at the end of the line would make the closing quote part of the text.
    let quote =
        if quote == '"' && is_open_escape(cut(scene.text, open..end)) { '\'' } else { quote };
    let (text, tail) = (cut(scene.text, open + 1..end), cut(scene.text, end..opening.end()));
    let fixed = format!("{head}{quote}{text}{quote}{tail}");
    let mut help = format!("Close it on line {number}: {}.", code(&fixed));
    if quote == '\'' && text.starts_with(|ch: char| ch.is_lowercase()) && tail.is_empty() {
        let as_text = quoted(&format!("'{text}"));
        help += &format!(" If it is an apostrophe: {}.", code(&format!("{head}{as_text}")));
    }
    help
}

/// Returns whether `text` ends with a backslash that escapes what follows.
fn is_open_escape(text: &str) -> bool {
    (text.len() - text.trim_end_matches('\\').len()) % 2 == 1
}

/// Returns the line that was probably meant to be the last one of the quoted text, because an entry
/// or the error follows it.
fn last_line<'t>(scene: &Scene<'t>, opening: Line<'t>) -> Line<'t> {
    let error = scene.line();
    let is_end = scene.problem == Problem::UnclosedQuote;
    let mut last = opening;
    for line in scene.lines_between(opening.end() + 1, scene.at) {
        let is_error = line.start == error.start && !is_end;
        let is_other = is_entry(line) || line.body().starts_with([']', '}', '"', '\'']);
        if line.start <= opening.start || is_error || is_other || line.text.starts_with("---") {
            break;
        }
        last = line;
    }
    last
}

/// Returns the offset at which the quote at `open` was probably meant to be closed on its own line,
/// `opening`.
fn close_in_line(scene: &Scene<'_>, open: usize, opening: Line<'_>) -> usize {
    let rest = cut(scene.text, open + 1..opening.end());
    let content = without_comment(cut(scene.text, open..opening.end())).len() - 1;
    let content = cut(rest, ..content.min(rest.len()));
    let whole = lexer::read(cut(scene.text, ..open));
    let before = cut(scene.text, opening.start..open).trim_end();
    let is_entry = match whole.open.last() {
        Some(&(_, bracket)) => bracket == '{' && before.ends_with(['{', ',']),
        None => before.trim_matches(['-', ' ']).is_empty(),
    };
    if is_entry && let Some(colon) = colon(content) {
        return open + 1 + cut(content, ..colon).trim_end().len();
    }
    if !whole.open.is_empty() {
        let end = content.find(", ").or_else(|| content.find(','));
        let end = end.unwrap_or_else(|| content.trim_end_matches([']', '}', ' ', ',']).len());
        return open + 1 + end;
    }
    open + 1 + content.len()
}
