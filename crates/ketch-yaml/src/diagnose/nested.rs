//! Advice on block collections on the line of a key, as in `a: b: c` and `a: - b`.

use super::advice::Advice;
use super::entry::{colon, entry};
use super::quote::{code, indented, quoted};
use super::scene::{Line, Scene, cut};

/// Advises on a second `: ` on a line.
pub(super) fn mapping(scene: &Scene<'_>) -> Option<Advice> {
    let line = scene.line();
    if let Some(advice) = after_marker(scene, line) {
        return Some(advice);
    }
    let entry = entry(line);
    let head = cut(line.text, ..entry.value_at - line.start).trim_start();
    let column = entry.column + 2;
    let value = entry.value;
    let below = code(&indented(column, value));
    if value.starts_with(['&', '!']) {
        return after_property(head, column, value);
    }
    if value.starts_with("? ") {
        return Some(question_mark(head, value));
    }
    let after_brackets = || value.starts_with(['[', '{']).then(|| value.rfind(": ")).flatten();
    let second = colon(value).or_else(after_brackets)?;
    let two = || two_entries(scene, head, value, second);
    if let Some(advice) = without_brace(head, value).or_else(two) {
        return Some(advice);
    }
    let second_at = entry.value_at + second;
    let message =
        format!("a second `: ` on one line: {} is followed by another key", code(entry.key?));
    let help = if value.ends_with(':') && second + 1 == value.len() {
        let help = format!(
            "Put {} on a line of its own, deeper than {}: {below}. ",
            code(value),
            code(entry.key?)
        );
        help + &format!("If it is text, quote it: {}.", code(&format!("{head}{}", quoted(value))))
    } else {
        format!(
            "If the value is text, quote it: {}. If it is a mapping, write {} and put {below} on the next line.",
            code(&format!("{head}{}", without_curly_quotes(value))),
            code(head.trim_end()),
        )
    };
    let advice = Advice::new(message, "this starts another mapping", help);
    Some(advice.with(scene, second_at, 1, "the second `:`"))
}

/// Advises on a mapping that ends with a `}`, but does not start with a `{`.
fn without_brace(head: &str, value: &str) -> Option<Advice> {
    let is_closed = value.ends_with('}') && !value.contains('{');
    let help = format!("Write the `{{`: {}.", code(&format!("{head}{{{value}")));
    is_closed.then(|| {
        Advice::new(
            "the `}` at the end of this line closes nothing",
            "expected `{` before this",
            help,
        )
    })
}

/// Advises on a value that starts with an anchor or a tag and contains another key.
fn after_property(head: &str, column: usize, value: &str) -> Option<Advice> {
    let (property, rest) = value.split_at(value.find(' ')?);
    let name = if property.starts_with('&') { "anchor" } else { "tag" };
    let help = format!(
        "If it is text, quote it: {}. If it is a mapping, end the line after {}, and write {} on the next one.",
        code(&format!("{head}{}", quoted(value))),
        code(&format!("{head}{property}")),
        code(&indented(column, rest.trim_start()))
    );
    let message = format!("the {name} {} is followed by another key on this line", code(property));
    Some(Advice::new(message, "this is a key, too", help))
}

/// Advises on a text that starts with `? `.
fn question_mark(head: &str, value: &str) -> Advice {
    let help = format!("If it is text, quote it: {}.", code(&format!("{head}{}", quoted(value))));
    let message = "text cannot start with `? `, which starts a key";
    Advice::new(message, "expected text or quotes", help)
}

/// Advises on two entries on one line, as in `a: 1, b: 2`.
fn two_entries(scene: &Scene<'_>, head: &str, value: &str, colon: usize) -> Option<Advice> {
    let (first, key) = cut(value, ..colon).rsplit_once([',', ';'])?;
    let is_word = !key.trim().is_empty() && !key.trim().contains(' ');
    let (first, rest) = (first.trim_end(), cut(value, first.len() + 1..).trim_start());
    let entry = entry(scene.line());
    let help = format!(
        "Write each on its own line: {}, then {}. Commas are for braces: {}. If the value is text, quote it: {}.",
        code(&format!("{head}{first}")),
        code(&indented(entry.column, rest)),
        code(&format!("{{{}{value}}}", head.trim_start_matches("- "))),
        code(&format!("{head}{}", quoted(value))),
    );
    let message = "two entries of a mapping on one line";
    let at = entry.value_at + colon;
    is_word.then(|| {
        Advice::new(message, "this starts another mapping", help).with(
            scene,
            at,
            1,
            "the second `:`",
        )
    })
}

/// Returns `value` in YAML's quotes. Curly quotes around it, which mean nothing in YAML, are
/// removed.
fn without_curly_quotes(value: &str) -> String {
    let inner = value.strip_prefix(['\u{201c}', '\u{201d}', '\u{2018}', '\u{2019}', '\u{201e}']);
    let inner = inner
        .and_then(|inner| inner.strip_suffix(['\u{201d}', '\u{201c}', '\u{2019}', '\u{2018}']));
    quoted(inner.unwrap_or(value))
}

/// Advises on a `- ` on the line of a key.
pub(super) fn sequence(scene: &Scene<'_>) -> Option<Advice> {
    let line = scene.line();
    if let Some(advice) = after_marker(scene, line) {
        return Some(advice);
    }
    let entry = entry(line);
    let key = entry.key?;
    let rest = cut(line.text, scene.at - line.start..);
    let head = cut(line.text, ..scene.at - line.start).trim();
    // Further entries below show where this one belongs.
    let next = scene.lines_below(line).next();
    let next = next.filter(|next| next.body().starts_with('-') && next.indent() >= entry.column);
    let column = next.map_or(entry.column + 2, Line::indent);
    let mut help = format!(
        "End the line after {}, and put {} on the next one.",
        code(head),
        code(&indented(column, rest)),
    );
    if next.is_none() {
        let text = quoted(super::entry::without_comment(rest));
        help += &format!(" If it is text, quote it: {}.", code(&format!("{head} {text}")));
    }
    let message = format!("a sequence cannot start on the line of its key {}", code(key));
    Some(Advice::new(message, "expected the end of the line", help))
}

/// Advises on a block collection on the line of a `---`.
fn after_marker(scene: &Scene<'_>, line: Line<'_>) -> Option<Advice> {
    let rest = line.text.strip_prefix("---")?;
    let help = format!("End the line after `---`, and put {} on the next one.", code(rest.trim()));
    let message = "a block collection cannot start on the line of `---`";
    let advice = Advice::new(message, "expected the end of the line", help);
    Some(advice.with(scene, line.start, 3, "the marker"))
}
