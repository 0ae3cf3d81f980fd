//! Advice on text after the end of a document, and on directives.

use super::advice::Advice;
use super::entry::{entry, is_entry};
use super::quote::{code, indented, spaces};
use super::scene::{Line, Scene, cut};

/// Advises on text after the root node, when that is complete.
pub(super) fn advise(scene: &Scene<'_>) -> Option<Advice> {
    let line = scene.line();
    let found = scene.found()?;
    let above = scene.line_above(line)?;
    if "]})".contains(found) {
        let message = format!("`{found}` closes nothing");
        let help = format!(
            "Delete the `{found}` on line {}, or write the bracket that it closes.",
            scene.number(scene.at)
        );
        return Some(Advice::new(message, "no bracket is open here", help));
    }
    let first = root_start(scene, line);
    if first.body().starts_with(['{', '[']) {
        return Some(after_flow_root(scene, line, above));
    }
    if first.indent() > line.indent() && is_entry(first) {
        return Some(outdented(scene, first, line));
    }
    let message = format!("text after {}, which is the whole document", code(above.body()));
    let is_key = entry(line).key.is_some() && !is_entry(first);
    let help = match is_key {
        true => format!(
            "If line {} is a key, write a `:` after it: {}.",
            scene.number(first.start),
            code(&format!("{}:", first.body()))
        ),
        false => "Delete it, or write `---` on a line of its own before it.".to_owned(),
    };
    let advice = Advice::new(message, "expected the end, or `---`", help);
    let (at, len) = (first.body_at(), first.body().len());
    Some(match is_key {
        true => advice.moved(scene, at, len, "expected `:` after this key"),
        false => advice.with(scene, at, len, "the document starts here"),
    })
}

/// Advises on a line that was meant as the marker `---`.
pub(super) fn short_marker(scene: &Scene<'_>) -> Option<Advice> {
    let body = scene.line().text.trim_end();
    let is_marker = body.len() > 1 && body.bytes().all(|byte| byte == b'-');
    let message = format!("{} does not start a document", code(body));
    let line = scene.line();
    is_marker.then(|| {
        Advice::new(message, "expected `---`", "Write `---`.").at(scene, line.start, body.len())
    })
}

/// Advises on text after brackets that are the whole document.
fn after_flow_root(scene: &Scene<'_>, line: Line<'_>, above: Line<'_>) -> Advice {
    let is_json = line.body().starts_with(['{', '[']);
    let message = match is_json {
        true => "another value follows the first, which is a document of its own",
        false => "text after the value that is the whole document",
    };
    let help = match is_json {
        true => "Write `---` on a line of its own between the two, or read the lines one by one if the file is JSON Lines.".to_owned(),
        false => format!("Delete line {}, or write `---` on a line of its own before it.", scene.number(line.start)),
    };
    let advice = Advice::new(message, "expected the end, or `---`", help);
    advice.with(scene, above.body_at(), above.body().len(), "the document ends here")
}

/// Returns the first line of the document that contains `line`, or of the scene if the document
/// starts before it.
fn root_start<'t>(scene: &Scene<'t>, line: Line<'_>) -> Line<'t> {
    let mut first = scene.line();
    for above in scene.lines_above(line.start) {
        if above.text.starts_with("---") || above.text.starts_with("...") {
            break;
        }
        first = above;
    }
    first
}

/// Advises on a line that is indented less than the first line of its document.
fn outdented(scene: &Scene<'_>, first: Line<'_>, line: Line<'_>) -> Advice {
    let to = first.indent();
    let is_first_alone = scene.line_above(line) == Some(first) || {
        let inner = scene.lines_between(first.end() + 1, line.start);
        inner.into_iter().filter(|inner| inner.start < line.start).all(|inner| inner.indent() > to)
    };
    let (number, start) = (scene.number(line.start), scene.number(first.start));
    let fixed = code(&indented(to, line.body()));
    let here = format!("indent line {number} with {}: {fixed}", spaces(to));
    let there = format!("remove the spaces before line {start}: {}", code(first.body()));
    let (one, other) = if is_first_alone { (there, here) } else { (here, there) };
    let help = format!("Align the two: {one}, or {other}.");
    let message =
        format!("{} is indented less than the first line of the document", code(line.body()));
    let advice = Advice::new(message, format!("expected {}", spaces(to)), help);
    let (at, len) = (first.body_at(), first.body().len());
    let label = format!("the document starts with {}", spaces(to));
    if is_first_alone {
        return advice.moved(scene, at, len, label);
    }
    advice.with(scene, at, len, label)
}

/// Advises on a line that starts with `%`, and is therefore a directive, although no `---` follows
/// it.
pub(super) fn directive(scene: &Scene<'_>) -> Option<Advice> {
    let at = scene.related?;
    let line = scene.line_at(at);
    if line.text.starts_with("%YAML") || line.text.starts_with("%TAG") {
        return None;
    }
    let entry = entry(line);
    let fixed = match entry.key {
        Some(key) => format!("{}{}", super::quote::quoted(key), cut(line.text, key.len()..)),
        None => super::quote::quoted(line.body()),
    };
    let help =
        format!("If line {} is not a directive, quote it: {}.", scene.number(at), code(&fixed));
    let message = "a line that starts with `%` is a directive, and `---` must follow it";
    let advice = Advice::new(message, "expected `---` before this", help);
    Some(advice.moved(scene, at, line.text.len(), "the directive"))
}
