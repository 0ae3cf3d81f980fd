//! Advice on entries of sequences beside entries of mappings.

use super::advice::Advice;
use super::deep;
use super::entry::entry;
use super::quote::{code, indented, spaces};
use super::scene::{Line, Scene, cut};

/// Advises on a line in a sequence that does not start with `- `.
pub(super) fn in_sequence(scene: &Scene<'_>) -> Option<Advice> {
    let line = scene.line();
    let column = line.indent();
    let mut above = scene.lines_above(line.start);
    let sibling = above.find(|above| above.indent() <= column && entry(*above).dashes > 0)?;
    let last = entry(sibling);
    let child = entry(line);
    let is_word = line.body().chars().all(|ch| ch.is_alphanumeric() || ch == '_');
    let body = match child.key {
        None if last.key.is_some() && is_word => format!("{}:", line.body()),
        _ => line.body().to_owned(),
    };
    let is_key = child.key.is_some() || body.len() > line.body().len();
    let (message, help) = if body.starts_with('-') && !body.starts_with("---") {
        ("a space is missing after `-`".to_owned(), format!("Write {}.", code(&item(&body))))
    } else if let Some((item, key)) = setting(last.value).zip(child.key) {
        let message = format!("{} is in a sequence of `key=value`", code(&body));
        (message, as_setting(sibling, key, child.value, item))
    } else if is_key && (last.key.is_some() || last.value.is_empty()) {
        let rest = match child.value.is_empty() || child.value.starts_with(['|', '>']) {
            true if child.key.is_some() => ", with the lines that belong to it,",
            _ => "",
        };
        (
            format!("{} is beside a `- `, so it is not part of an entry", code(line.body())),
            format!(
                "Indent it{rest} to make it part of the entry above: {}. To start a new entry, write {}.",
                code(&indented(last.column.max(column + 2), &body)),
                code(&item(&body))
            ),
        )
    } else {
        let message = match (mark(&body), body.chars().next()) {
            (Some(_), Some(mark)) => format!("an entry starts with `-`, not with `{mark}`"),
            _ => format!("{} is in a sequence, but does not start with `- `", code(&body)),
        };
        (message, format!("Write {}.", code(&item(&body))))
    };
    let advice = Advice::new(message, "expected `- `", help);
    Some(advice.with(scene, sibling.body_at(), sibling.body().len(), "an entry of the sequence"))
}

/// Returns `body` as an item of a sequence. It may start with a `-` without a space, or with
/// another mark of a list.
fn item(body: &str) -> String {
    let text = match mark(body) {
        Some(text) => text,
        // Two dashes start an option, which is text.
        None if body.starts_with("--") => body,
        None => body.trim_start_matches('-'),
    };
    format!("- {}", text.trim_start())
}

/// Returns the text after the mark that `body` starts with, if it is one that lists have elsewhere.
fn mark(body: &str) -> Option<&str> {
    let text = body.strip_prefix(['+', '*', '\u{2022}', '\u{2013}', '\u{2014}'])?;
    text.starts_with(' ').then_some(text)
}

/// Advises on an item such as `-b` below another item, or below the key of the sequence, if it was
/// read as a key.
pub(super) fn joined_item(scene: &Scene<'_>) -> Option<Advice> {
    let line = scene.line();
    let body = line.body();
    let is_joined = body.starts_with('-') && !body.starts_with("--") || mark(body).is_some();
    let above = scene.lines_above(line.start).find(|above| above.indent() <= line.indent())?;
    let parent = entry(above);
    let is_opened = parent.key.is_some() && parent.value.is_empty();
    let advice = match parent.dashes {
        0 if is_opened => {
            let message = match mark(body) {
                Some(_) => format!("{} is not an entry of a sequence", code(body)),
                None => "a space is missing after `-`".to_owned(),
            };
            let advice =
                Advice::new(message, "expected `- `", format!("Write {}.", code(&item(body))));
            advice.with(scene, above.body_at(), above.body().len(), "the entry above")
        }
        0 => return None,
        _ => in_sequence(scene)?,
    };
    let is_item = parent.dashes == 0 || above.indent() == line.indent();
    (is_joined && is_item).then(|| advice.at(scene, line.body_at(), 1))
}

/// Returns the key and the value of `text`, if it is `key=value`.
fn setting(text: &str) -> Option<(&str, &str)> {
    let (key, value) = text.split_once('=')?;
    let is_name = key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    (is_name && !key.is_empty()).then_some((key, value))
}

/// Returns the help for `key: value` in a sequence of `key=value`, of which `sibling` is one, with
/// the key and value `other`.
fn as_setting(sibling: Line<'_>, key: &str, value: &str, other: (&str, &str)) -> String {
    let fixed = format!("- {key}={}", value.trim_matches(['"', '\'']));
    format!(
        "Write {}, as the entries above. To have a mapping, write all of them as {}.",
        code(&indented(sibling.indent(), &fixed)),
        code(&format!("{}: {}", other.0, other.1)),
    )
}

/// Advises on `key: value` below the item `above`, which is `key=value`.
pub(super) fn below_setting(scene: &Scene<'_>, above: Line<'_>) -> Option<Advice> {
    let (line, last) = (scene.line(), entry(above));
    let other = setting(last.value).filter(|_| last.dashes > 0 && last.key.is_none())?;
    let (child, key) = (entry(line), entry(line).key?);
    // Other names may be keys of a mapping, in which a `=` is in place of the `:`.
    if (other.0.to_owned() + key).contains(char::is_lowercase) || child.dashes > 0 {
        return None;
    }
    let help = as_setting(above, key, child.value, other);
    let message = format!("{} is below {}, which is text", code(line.body()), code(last.value));
    let advice = Advice::new(message, "expected `- `", help);
    let advice = advice.at(scene, line.body_at(), line.body().len());
    Some(advice.with(scene, last.at, last.value.len(), "an entry of the sequence"))
}

/// Advises on a line in a mapping that is not `key: value`.
pub(super) fn in_mapping(scene: &Scene<'_>) -> Option<Advice> {
    let line = scene.line();
    let sibling = scene.lines_above(line.start).find(|above| above.indent() <= line.indent());
    let child = entry(line);
    if child.dashes == 0 {
        return marker_alone(scene, line);
    }
    let sibling = sibling?;
    let parent = entry(sibling);
    if scene.line_above(line) == Some(sibling) && deep::is_empty(parent.value) {
        return Some(deep::collection_below(scene, sibling, parent.key?));
    }
    let name = sibling_name(sibling);
    let message = format!("a `- ` entry beside the key {name}: mappings and sequences do not mix");
    if let Some(advice) = misplaced_entry(scene, line, sibling) {
        return Some(advice);
    }
    let items = indented(line.indent(), "items:");
    let setting = setting(child.value).filter(|_| child.key.is_none() && parent.key.is_some());
    let help = match (child.key, setting) {
        (_, Some((key, value))) => {
            let fixed = indented(line.indent(), &format!("{key}: {value}"));
            format!("Write {}, as the entry above.", code(&fixed))
        }
        (Some(_), _) => {
            let body = cut(line.text, child.at - line.start..);
            format!(
                "Remove the `- `: {}. If it is a sequence, give it a key: write a line such as {} above it.",
                code(&indented(line.indent(), body)),
                code(&items)
            )
        }
        _ => format!(
            "Give the sequence a key: write a line such as {} above this one.",
            code(&items)
        ),
    };
    let advice = Advice::new(message, "expected `key: value`", help);
    Some(advice.with(scene, sibling.body_at(), sibling.body().len(), "an entry of the mapping"))
}

/// Advises on an entry that was probably meant in another column.
fn misplaced_entry(scene: &Scene<'_>, line: Line<'_>, parent: Line<'_>) -> Option<Advice> {
    too_deep_entry(scene, line)
        .or_else(|| outdented_entry(scene, line, parent))
        .or_else(|| first_without_dash(scene))
}

/// Advises on an entry beside the keys of the entry above it, such as `- b` below `- a: 1` at the
/// column of `a`.
fn too_deep_entry(scene: &Scene<'_>, line: Line<'_>) -> Option<Advice> {
    let is_parent = |above: &Line<'_>| above.indent() < line.indent();
    let above = scene.lines_above(line.start).find(is_parent)?;
    let parent = entry(above);
    if parent.dashes == 0 || parent.column != line.indent() {
        return None;
    }
    let help = format!(
        "Align it with the `- ` on line {}: {}. If it is a value of that entry, give it a key: write a line such as {} above it.",
        scene.number(above.start),
        code(&indented(above.indent(), line.body())),
        code(&indented(line.indent(), "items:"))
    );
    let message = "a `- ` entry beside the keys of the entry above";
    let advice = Advice::new(message, "indented too deeply", help);
    Some(advice.with(scene, above.body_at(), above.body().len(), "the entry above"))
}

/// Advises on an entry at the column of the key `parent`, although the first entry of the key's
/// sequence is indented more deeply.
fn outdented_entry(scene: &Scene<'_>, line: Line<'_>, parent: Line<'_>) -> Option<Advice> {
    let key = entry(parent);
    let is_key = key.dashes == 0 && key.key.is_some() && key.value.is_empty();
    let first = scene.lines_between(parent.end() + 1, line.start).next()?;
    let to = first.indent();
    if !is_key
        || parent.indent() != line.indent()
        || to <= line.indent()
        || entry(first).dashes == 0
    {
        return None;
    }
    let help = format!(
        "Indent it with {}, as the entry on line {}: {}.",
        spaces(to),
        scene.number(first.start),
        code(&indented(to, line.body()))
    );
    let message = "a `- ` entry that is not aligned with the entries above";
    let advice = Advice::new(message, format!("expected {}", spaces(to)), help);
    Some(advice.with(scene, first.body_at(), first.body().len(), spaces(to)))
}

/// Advises on the first line of the collection that ends above the error, if it was meant as the first
/// entry of the sequence in which the line of the error is, but has no `- `.
pub(super) fn first_without_dash(scene: &Scene<'_>) -> Option<Advice> {
    let line = scene.line();
    let is_inside = |above: &Line<'_>| above.indent() > line.indent();
    let first = scene.lines_above(line.start).take_while(is_inside).last()?;
    let parent = entry(scene.line_above(first)?);
    let is_opened = parent.dashes == 0 && parent.key.is_some() && parent.value.is_empty();
    let child = entry(line);
    let is_same = child.key.is_some() && child.key == entry(first).key;
    if !is_opened || !is_same || child.dashes != 1 || first.indent() != child.column {
        return None;
    }
    let help = format!(
        "Write {} on line {}.",
        code(&indented(line.indent(), &format!("- {}", first.body()))),
        scene.number(first.start)
    );
    let message = format!("{} starts no entry of the sequence", code(first.body()));
    let advice = Advice::new(message, "the next entry of the sequence", help);
    Some(advice.moved(scene, first.body_at(), first.body().len(), "expected `- ` before this"))
}

/// Returns the key of `line` as it is shown in messages, or the whole line if it has no key.
fn sibling_name(line: Line<'_>) -> String {
    let entry = entry(line);
    entry.key.map_or_else(|| code(line.body()), code)
}

/// Advises on a line in a mapping that is neither a `- ` entry nor a key, such as a lone indicator.
fn marker_alone(scene: &Scene<'_>, line: Line<'_>) -> Option<Advice> {
    let above = scene.line_above(line)?;
    let parent = entry(above);
    let deeper = indented(parent.column + 2, line.body());
    let (message, help) = match scene.found()? {
        '|' | '>' => (
            "a block scalar without a key".to_owned(),
            format!(
                "Write it after a key, on the key's line, as in {}.",
                code(&format!("text: {}", line.body()))
            ),
        ),
        _ if parent.value.is_empty() && parent.key.is_some() => (
            format!("{} does not belong to any key", code(line.body())),
            format!("Indent it more deeply than its key: {}.", code(&deeper)),
        ),
        _ => (
            format!("{} is not a `key: value`", code(line.body())),
            format!("Write it after a key, as in {}.", code(&format!("key: {}", line.body()))),
        ),
    };
    let advice = Advice::new(message, "expected `key: value`", help);
    Some(advice.with(scene, above.body_at(), above.body().len(), "the entry above"))
}
