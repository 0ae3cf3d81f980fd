//! Advice on entries of sequences beside entries of mappings.

use super::advice::Advice;
use super::entry::entry;
use super::quote::{code, indented, spaces};
use super::scene::{Line, Scene, cut};

/// Advises on a line in a sequence that does not start with `- `.
pub(super) fn in_sequence(scene: &Scene<'_>) -> Option<Advice> {
    let line = scene.line();
    let column = line.indent();
    let mut above = scene.lines_above(line.start);
    let sibling = above.find(|above| above.indent() <= column && entry(*above).dashes > 0)?;
    let body = line.body();
    let last = entry(sibling);
    // Two dashes start an option, which is text.
    let text = if body.starts_with("--") { body } else { body.trim_start_matches('-') };
    let item = indented(column, &format!("- {}", text.trim_start()));
    let (message, help) = if body.starts_with('-') && !body.starts_with("---") {
        let message = "a space is missing after `-`".to_owned();
        (message, format!("Write {}.", code(item.trim_start())))
    } else if entry(line).key.is_some() && last.key.is_some() {
        let inside = indented(last.column, body);
        let value = entry(line).value;
        let rest = match value.is_empty() || value.starts_with(['|', '>']) {
            true => ", with the lines that belong to it,",
            false => "",
        };
        let message = format!("{} is beside a `- `, so it is not part of an entry", code(body));
        (
            message,
            format!(
                "Indent it{rest} to make it part of the entry above: {}. To start a new entry, write {}.",
                code(&inside),
                code(item.trim_start())
            ),
        )
    } else {
        let message = format!("{} is in a sequence, but does not start with `- `", code(body));
        (message, format!("Write {}.", code(item.trim_start())))
    };
    let advice = Advice::new(message, "expected `- `", help);
    Some(advice.with(scene, sibling.body_at(), sibling.body().len(), "an entry of the sequence"))
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
    let name = sibling_name(sibling);
    let message = format!("a `- ` entry beside the key {name}: mappings and sequences do not mix");
    if let Some(advice) = misplaced_entry(scene, line, sibling) {
        return Some(advice);
    }
    let items = indented(line.indent(), "items:");
    let help = match child.key {
        Some(_) => {
            let body = cut(line.text, child.at - line.start..);
            format!(
                "Remove the `- `: {}. If it is a sequence, give it a key: write a line such as {} above it.",
                code(&indented(line.indent(), body)),
                code(&items)
            )
        }
        None => format!(
            "Give the sequence a key: write a line such as {} above this one.",
            code(&items)
        ),
    };
    let advice = Advice::new(message, "expected `key: value`", help);
    Some(advice.with(scene, sibling.body_at(), sibling.body().len(), "an entry of the mapping"))
}

/// Advises on an entry that was probably meant in another column.
fn misplaced_entry(scene: &Scene<'_>, line: Line<'_>, parent: Line<'_>) -> Option<Advice> {
    too_deep_entry(scene, line).or_else(|| outdented_entry(scene, line, parent))
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
