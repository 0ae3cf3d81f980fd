//! Advice on the headers of literal and folded scalars, and on lines that are not indented enough
//! to be part of such a scalar.

use super::advice::Advice;
use super::entry::{entry, is_entry, without_comment};
use super::lexer::is_block_header;
use super::quote::{code, indented, quoted, spaces};
use super::scene::{Line, Scene, cut};

/// Advises on a line directly below a block scalar that is not indented enough to be part of it.
pub(super) fn advise(scene: &Scene<'_>) -> Option<Advice> {
    let line = scene.line();
    let (header, text) = block_above(scene, line)?;
    let first = scene.lines_between(text, line.start).next()?;
    let style = header_of(header)?;
    if first == line {
        return Some(not_indented(scene, header, style));
    }
    let to = first.indent();
    if line.indent() >= to {
        return None;
    }
    let above = scene.line_above(line)?;
    // A line of a program is probably as deep as the one above, unless it ends what that is in.
    let is_inner = above.indent() > to && !line.body().starts_with(['}', ']', ')']);
    let (column, like) = match is_inner {
        true => (above.indent(), "line above"),
        false => (to, "first line of the text"),
    };
    let mut help = format!(
        "Indent it with {}, as the {like}: {}.",
        spaces(column),
        code(&indented(column, line.body()))
    );
    if is_inner {
        help += &format!(" The text needs at least {}.", spaces(to));
    }
    if is_entry(line) {
        let key = entry(header);
        help += &format!(" If it is not text, indent it with {}.", spaces(key.column));
    }
    let message = format!("this line is indented less than the text of the `{style}` above");
    let advice = Advice::new(message, format!("expected {}", spaces(column)), help);
    let advice = advice.at(scene, line.body_at(), line.body().len());
    Some(advice.with(scene, first.body_at(), first.body().len(), "the text starts here"))
}

/// Advises on the closing bracket `bracket` below a block scalar, in whose text it was open.
pub(super) fn of_bracket(scene: &Scene<'_>, bracket: char) -> Option<Advice> {
    let (_, text) = block_above(scene, scene.line())?;
    let open = ["[]", "{}", "()"].into_iter().find(|pair| pair.ends_with(bracket))?;
    let text = cut(scene.text, text..scene.line().start);
    let is_open = text.matches(cut(open, ..1)).count() > text.matches(bracket).count();
    is_open.then(|| advise(scene)).flatten()
}

/// Advises on a line that was probably meant as the first one of the block scalar whose header is
/// on the line `header`, directly above.
fn not_indented(scene: &Scene<'_>, header: Line<'_>, style: char) -> Advice {
    let line = scene.line();
    let parent = entry(header);
    let column = column_of(header) + 2;
    let help = format!(
        "Indent it, and further lines of the text, with {}: {}.",
        spaces(column),
        code(&indented(column, line.body()))
    );
    let message = format!("the text of the `{style}` above is not indented");
    let advice = Advice::new(message, format!("expected {}", spaces(column)), help);
    let advice = advice.at(scene, line.body_at(), line.body().len());
    advice.with(scene, parent.value_at, parent.value.len(), "the text belongs to this")
}

/// Returns the column of the last key on the line `header` or, if it has none, its indentation.
fn column_of(header: Line<'_>) -> usize {
    let parent = entry(header);
    if parent.key.is_some() { parent.column } else { header.indent() }
}

/// Returns the line with the header of the block scalar that ends directly above `line`, and the
/// offset where its text starts.
fn block_above<'t>(scene: &Scene<'t>, line: Line<'_>) -> Option<(Line<'t>, usize)> {
    let mut at = line.start;
    let mut least = usize::MAX;
    while let Some(above) = at.checked_sub(1).map(|at| scene.line_at(at)) {
        at = above.start;
        let body = above.body();
        if body.is_empty() || above.indent() > line.indent() && header_of(above).is_none() {
            least = if body.is_empty() { least } else { least.min(above.indent()) };
            continue;
        }
        let is_header = header_of(above).is_some()
            && match least {
                usize::MAX => !is_entry(line) && column_of(above) >= line.indent(),
                least => above.indent() < least,
            };
        return is_header.then(|| (above, above.end() + 1));
    }
    None
}

/// Returns the `|` or `>` of the block scalar header at the end of `line`, if there is one.
fn header_of(line: Line<'_>) -> Option<char> {
    let entry = entry(line);
    let value = entry.value;
    let start = value.rfind(['|', '>'])?;
    let is_first =
        start == 0 || cut(value, ..start).ends_with(' ') && value.starts_with(['!', '&']);
    let is_alone = entry.key.is_some() || entry.dashes > 0;
    (is_first && is_alone && is_block_header(cut(value, start..)))
        .then(|| cut(value, start..).chars().next())
        .flatten()
}

/// Advises on several lines of text below a key, one of which was read as a key because of its `: `.
pub(super) fn missing_header(scene: &Scene<'_>) -> Option<Advice> {
    let (line, first) = (scene.line(), scene.line_at(scene.related?));
    let above = scene.line_above(first)?;
    let parent = entry(above);
    let is_parent = parent.value.is_empty() && above.indent() < first.indent();
    let is_text = |text: &str| text.split_whitespace().count() >= 2;
    let key = parent.key.filter(|_| is_parent && first != line && !is_entry(first))?;
    if !is_text(first.body()) || !is_text(entry(line).key?) {
        return None;
    }
    let header = format!("{} |", without_comment(above.text).trim_start());
    let help = format!(
        "Write {} on line {}, so that the lines below are text.",
        code(&header),
        scene.number(above.start)
    );
    let message = format!("a `: ` in the text below {} turns it into a key", code(key));
    let advice = Advice::new(message, "this `:` ends a key", help);
    Some(advice.moved(scene, above.body_at(), above.body().len(), "expected `|` after this"))
}

/// Advises on an indentation indicator such as 0 or 10.
pub(super) fn zero(scene: &Scene<'_>) -> Option<Advice> {
    let line = scene.line();
    let (before, after) = line.text.split_at(scene.at - line.start);
    let is_digit = |ch: char| ch.is_ascii_digit();
    let head = before.trim_start().trim_end_matches(is_digit);
    let fixed = format!("{head}{}", after.trim_start_matches(is_digit));
    let help = format!("Delete it, and indent the text: {}.", code(&fixed));
    let message = "an indentation indicator is one digit, from 1 to 9";
    Some(Advice::new(message, "not such a digit", help))
}

/// Advises on text after a `|` or `>` on the same line.
pub(super) fn header(scene: &Scene<'_>) -> Option<Advice> {
    let line = scene.line();
    let entry = entry(line);
    let value = cut(line.text, entry.value_at - line.start..);
    let style = value.chars().next().filter(|ch| "|>".contains(*ch))?;
    let head = cut(line.text, ..entry.value_at - line.start).trim_start();
    let text = cut(value, 1..).trim_start_matches(['+', '-']);
    let as_text = code(&format!("{head}{}", quoted(entry.value)));
    let column = entry.column + 2;
    let rest = text.trim_start();
    let help = if text.starts_with(' ') && !rest.starts_with(|ch: char| ch.is_ascii_digit()) {
        let header = cut(value, ..value.len() - text.len());
        format!(
            "End the line after {}, and write the text on the next one: {}. If the `{style}` is part of the text, quote it: {as_text}.",
            code(&format!("{head}{header}")),
            code(&indented(column, rest)),
        )
    } else {
        format!(
            "If the `{style}` is part of the text, quote it: {as_text}. Otherwise put the text on the next line, indented."
        )
    };
    let message = format!("text after `{style}`, which starts a block of text on the lines below");
    let advice = Advice::new(message, "expected the end of the line", help);
    Some(advice.with(scene, entry.value_at, 1, "the block starts here"))
}
