//! Advice on lines that are indented more deeply than the value above them allows.

use super::advice::Advice;
use super::entry::{Entry, entry};
use super::indent::name;
use super::quote::{code, indented, quoted, spaces};
use super::scene::{Line, Scene, cut};

/// Advises on a line below a plain scalar, which the line would continue if it were not a key.
pub(super) fn below_text(scene: &Scene<'_>) -> Option<Advice> {
    let line = scene.line();
    let above = scene.line_at(scene.related?);
    if above.start == line.start || line.indent() <= above.indent() {
        return None;
    }
    let parent = entry(above);
    if is_prose(parent.value, line) && parent.key.is_some() {
        return Some(colon_in_text(scene, above, parent));
    }
    too_deep(scene, above)
}

/// Advises on a line below a comment that has ended the text above it.
pub(super) fn below_comment(scene: &Scene<'_>) -> Option<Advice> {
    let line = scene.line();
    let above = scene.line_above(line)?;
    if entry(line).key.is_some() || entry(line).dashes > 0 {
        return too_deep(scene, above);
    }
    let comment = scene.line_at(scene.related?);
    let parent = entry(above);
    let advice = Advice::new(
        "a comment has ended the text above; this line cannot continue it",
        "expected a key, a `- ` or a comment",
        format!(
            "Move the comment {} to the line before {}.",
            code(comment_of(comment.body())),
            name_of(parent, above)
        ),
    );
    let at = scene.related?;
    Some(advice.moved(scene, at, comment.end().saturating_sub(at), "the comment"))
}

/// Returns the comment at the end of `line`, or the whole line if it has none.
fn comment_of(line: &str) -> &str {
    line.find(" #").map_or(line, |at| &line[at + 1..])
}

/// Returns the key of `parent` as it is shown in messages, or the name of `line` if there is no
/// key.
fn name_of(parent: Entry<'_>, line: Line<'_>) -> String {
    parent.key.map_or_else(|| name(line), code)
}

/// Advises on a line below a complete value: a quoted scalar, an alias or a flow collection.
pub(super) fn after_complete_value(scene: &Scene<'_>) -> Option<Advice> {
    let line = scene.line();
    let above = scene.line_above(line)?;
    (line.indent() > above.indent()).then(|| too_deep(scene, above)).flatten()
}

/// Returns whether `line` probably continues the prose of `value`, and is not an entry.
fn is_prose(value: &str, line: Line<'_>) -> bool {
    let key = entry(line).key.unwrap_or_default();
    let words = |text: &str| text.split_whitespace().count();
    words(key) >= 2 && words(value) >= 2 && entry(line).dashes == 0
}

/// Advises on a `:` in the text that belongs to the key above, which turns this line of the text
/// into a key.
fn colon_in_text(scene: &Scene<'_>, above: Line<'_>, parent: Entry<'_>) -> Advice {
    let key = parent.key.unwrap_or_default();
    let head = cut(above.text, ..parent.value_at - above.start);
    let folded = format!("{}>-", head.trim_start());
    let help = format!(
        "Write {} there, and move its text to the next line, indented as this one.",
        code(&folded)
    );
    let message = format!("the text of `{key}` goes on here, and the `:` makes this line a key");
    let advice = Advice::new(message, "a `:` and a space end a key", help);
    advice.with(scene, parent.value_at, parent.value.len(), "the text starts here")
}

/// Advises on the line of the error, which is indented as if it were inside the entry of `above`,
/// although that already has a value.
fn too_deep(scene: &Scene<'_>, above: Line<'_>) -> Option<Advice> {
    let line = scene.line();
    let (parent, child) = (entry(above), entry(line));
    if parent.value.is_empty() {
        return None;
    }
    match parent.key {
        _ if child.key.is_none() && child.dashes == 0 => text_below(scene, above),
        Some(key) if parent.value.starts_with('*') && child.key.is_some() => {
            Some(below_alias(scene, above, key))
        }
        // A sequence inside the entry would be deeper by more than one column.
        Some(_)
            if child.dashes > 0
                && parent.dashes > 0
                && (child.key == parent.key
                    || child.key.is_some() && line.indent() == above.indent() + 1) =>
        {
            Some(item_below(scene, above))
        }
        Some(key) if child.dashes > 0 || is_empty(parent.value) => {
            Some(collection_below(scene, above, key))
        }
        Some(key) => Some(mapping_below(scene, above, key)),
        None if parent.dashes > 0 => Some(below_item(scene, above)),
        None => None,
    }
}

/// Advises on text below a quoted scalar, an alias or brackets, which it cannot continue.
fn text_below(scene: &Scene<'_>, above: Line<'_>) -> Option<Advice> {
    let (line, parent) = (scene.line(), entry(above));
    let body = line.body();
    let quote = parent.value.chars().next().filter(|ch| "\"'".contains(*ch));
    let inner = quote.and_then(|quote| parent.value.get(1..)?.strip_suffix(quote));
    let help = match (quote, inner) {
        (Some(quote), Some(inner)) => {
            let more = body.strip_prefix(quote).and_then(|body| body.strip_suffix(quote));
            let head = cut(above.text, ..parent.value_at - above.start).trim_start();
            let fixed = format!("{head}{quote}{inner} {}{quote}", more.unwrap_or(body));
            format!(
                "If both are one text, write it on line {}: {}.",
                scene.number(above.start),
                code(&fixed)
            )
        }
        _ => format!(
            "Delete line {}, or make it a comment: {}.",
            scene.number(line.start),
            code(&format!("# {body}"))
        ),
    };
    let message = format!("{} follows the complete value {}", code(body), code(parent.value));
    let advice = Advice::new(message, "expected a key, a `- ` or a comment", help);
    Some(advice.with(scene, parent.value_at, parent.value.len(), "the value ends here"))
}

/// Advises on a mapping that is indented as if it were inside a complete entry, such as `b: 2`
/// below `a: 1`.
fn mapping_below(scene: &Scene<'_>, above: Line<'_>, key: &str) -> Advice {
    let (line, parent) = (scene.line(), entry(above));
    // The value of a `? key` has none.
    let key = if key.is_empty() { above.body() } else { key };
    // In `- -name: x`, the key is not at the start of the line.
    let rest = above.body().strip_prefix(key);
    let item = key.strip_prefix('-').filter(|item| item.starts_with(char::is_alphabetic));
    if let (Some(item), Some(rest)) = (item, rest) {
        let help = format!("Write {}.", code(&format!("- {item}{rest}")));
        let advice = Advice::new("a space is missing after `-`", "a key of the entry above", help);
        return advice.moved(scene, above.body_at(), 1, "expected `- `");
    }
    let body = line.body();
    let fixed = indented(parent.column, body);
    let named = name(line);
    let help = format!(
        "Indent it with {}, as {}: {}. If it belongs inside {}, remove the value {} instead.",
        spaces(parent.column),
        code(key),
        code(&fixed),
        code(key),
        code(parent.value),
    );
    let message = format!(
        "{named} is indented too deeply: {} on line {} already has a value",
        code(key),
        scene.number(above.start)
    );
    let label = format!("expected {} before {named}", spaces(parent.column));
    let advice = Advice::new(message, label, help).at(scene, line.body_at(), name_len(line));
    advice.with(scene, parent.value_at, parent.value.len(), format!("the value of {}", code(key)))
}

/// Advises on an item below the item `above`, which starts with the same key.
fn item_below(scene: &Scene<'_>, above: Line<'_>) -> Advice {
    let line = scene.line();
    let help = format!(
        "Align it with the `- ` on line {}: {}.",
        scene.number(above.start),
        code(&indented(above.indent(), line.body()))
    );
    let advice = Advice::new("a `- ` entry inside the entry above", "indented too deeply", help);
    let advice = advice.at(scene, line.body_at(), line.body().len());
    advice.with(scene, above.body_at(), above.body().len(), "the entry above")
}

/// Returns whether `value` is a value of an entry to which lines below were added later.
pub(super) fn is_empty(value: &str) -> bool {
    ["{}", "[]", "null", "~", "\"\"", "''"].contains(&value)
}

/// Advises on a collection below a complete entry, whose value it was meant to be, such as `- b`
/// below `a: 1`.
pub(super) fn collection_below(scene: &Scene<'_>, above: Line<'_>, key: &str) -> Advice {
    let parent = entry(above);
    let noun = if entry(scene.line()).dashes > 0 { "sequence" } else { "mapping" };
    let head = cut(above.text, ..parent.value_at - above.start);
    let help = format!(
        "Remove the value {} on line {}, so that the {noun} is the value: {}.",
        code(parent.value),
        scene.number(above.start),
        code(head.trim()),
    );
    let message = format!("{} cannot have both a value and a {noun}", code(key));
    let advice = Advice::new(message, format!("the {noun}"), help);
    let label = format!("the value of {}", code(key));
    advice.moved(scene, parent.value_at, parent.value.len(), label)
}

/// Advises on an entry that is indented as if it were inside an alias, such as `b: 2` below
/// `a: *x`.
fn below_alias(scene: &Scene<'_>, above: Line<'_>, key: &str) -> Advice {
    let (line, parent) = (scene.line(), entry(above));
    let merge = format!("<<: {}", parent.value);
    let help = format!(
        "To add keys to what {} refers to, write {} with nothing after it, and on the next line {}.",
        code(parent.value),
        code(&format!("{key}:")),
        code(&indented(line.indent(), &merge)),
    );
    let message = format!("{} is an alias, which cannot have keys of its own", code(parent.value));
    let advice = Advice::new(message, "expected a line that is not deeper", help);
    advice.moved(scene, parent.value_at, parent.value.len(), "the alias")
}

/// Advises on a line that is indented as if it were inside a complete item, such as `b: 2` below
/// `- a`.
fn below_item(scene: &Scene<'_>, above: Line<'_>) -> Advice {
    let (line, parent) = (scene.line(), entry(above));
    let text = parent.value;
    if let Some(advice) = beside_item(scene, above) {
        return advice;
    }
    let head = cut(above.text, ..parent.at - above.start);
    let value_is_plain = !text.starts_with(['"', '\'', '[', '{', '*', '&', '!']);
    let fixed = indented(parent.column, line.body());
    let help = if value_is_plain && !text.contains(' ') {
        format!(
            "If {} is a key, write a `:` after it, {}, and align this line with it: {}.",
            code(text),
            code(&format!("{head}{text}:")),
            code(&fixed)
        )
    } else {
        let value = text.strip_prefix("name ").unwrap_or(text);
        format!(
            "Give {} a key, as in {}, and align this line with it: {}.",
            code(text),
            code(&format!("{head}name: {}", quoted_if_needed(value))),
            code(&fixed)
        )
    };
    let message = format!("the entry {} is text, so it cannot have keys", code(text));
    let advice = Advice::new(message, "a key inside text", help);
    advice.moved(scene, parent.at, text.len(), "the entry")
}

/// Advises on a line below the item `above` that is aligned neither with the text of the item nor
/// with a key above the sequence, as the last line of `a:`, `- b`, ` c: d`. It was probably meant
/// to be beside that key.
fn beside_item(scene: &Scene<'_>, above: Line<'_>) -> Option<Advice> {
    let (line, item) = (scene.line(), entry(above));
    let mut outer = scene.lines_above(above.start);
    let outer =
        outer.find(|outer| entry(*outer).key.is_some() && outer.indent() <= above.indent())?;
    let column = entry(outer).column;
    if line.indent() == item.column || column > line.indent() {
        return None;
    }
    let help = format!(
        "Indent it with {}, as {} on line {}: {}.",
        spaces(column),
        name_of(entry(outer), outer),
        scene.number(outer.start),
        code(&indented(column, line.body()))
    );
    let message = format!(
        "{} is indented with {}, but the entry above it is text, which has no keys",
        name(line),
        spaces(line.indent())
    );
    let advice =
        Advice::new(message, format!("expected {} before {}", spaces(column), name(line)), help);
    let advice = advice.at(scene, line.body_at(), name_len(line));
    Some(advice.with(scene, item.at, item.value.len(), "the entry"))
}

/// Returns the length of what [`name`] shows of `line`.
fn name_len(line: Line<'_>) -> usize {
    let entry = entry(line);
    entry.key.filter(|_| entry.dashes == 0).map_or(line.body().len(), str::len)
}

/// Returns `text`, in quotes if it contains `: `.
fn quoted_if_needed(text: &str) -> String {
    if text.contains(": ") { quoted(text) } else { text.to_owned() }
}
