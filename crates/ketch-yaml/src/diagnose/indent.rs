//! Advice on lines whose indentation matches that of no line above.

use super::advice::Advice;
use super::entry::{entry, is_entry};
use super::quote::{code, indented, spaces};
use super::scene::{Line, Scene};

/// Advises on a line that ends collections, but does not align with a collection that is still
/// open.
pub(super) fn no_such_level(scene: &Scene<'_>) -> Option<Advice> {
    let line = scene.line();
    let found = line.indent();
    let mut deeper: Option<Line<'_>> = None;
    let mut outer: Option<Line<'_>> = None;
    for above in scene.lines_above(line.start).filter(|&above| is_entry(above)) {
        let indent = above.indent();
        let is_outermost_yet = deeper.is_none_or(|deeper| indent <= deeper.indent());
        if indent > found && is_outermost_yet && is_same_kind(above, line) {
            deeper = Some(above);
        }
        if indent < found {
            outer = Some(above);
            break;
        }
    }
    let Some(sibling) = deeper else { return outer.map(|outer| as_outer(scene, outer)) };
    let (to, name) = (sibling.indent(), name(sibling));
    let mut help = format!(
        "Indent it with {}, as {name} on line {}: {}",
        spaces(to),
        scene.number(sibling.start),
        code(&indented(to, line.body())),
    );
    match outer.filter(|&outer| is_same_kind(outer, line)) {
        Some(outer) => {
            let columns = outer.indent();
            help += &format!(
                "; or with {}, if it belongs beside {}.",
                spaces(columns),
                self::name(outer)
            );
        }
        None => help.push('.'),
    }
    let message =
        format!("{} indented with {}, which matches no line above", verb(line), spaces(found));
    let label = format!("expected {}", spaces(to));
    let advice = Advice::new(message, label, help);
    Some(advice.with(scene, sibling.body_at(), sibling.body().len(), spaces(to)))
}

/// Advises on a line that can only be an entry of an outer collection, because no inner collection
/// is of the same kind.
fn as_outer(scene: &Scene<'_>, outer: Line<'_>) -> Advice {
    let line = scene.line();
    let (found, to) = (line.indent(), outer.indent());
    let help = format!(
        "Indent it with {}, as {} on line {}: {}.",
        spaces(to),
        name(outer),
        scene.number(outer.start),
        code(&indented(to, line.body())),
    );
    let message =
        format!("{} indented with {}, which matches no line above", verb(line), spaces(found));
    let advice = Advice::new(message, format!("expected {}", spaces(to)), help);
    advice.with(scene, outer.body_at(), outer.body().len(), spaces(to))
}

/// Returns the name of `line` and a verb, which start a sentence.
fn verb(line: Line<'_>) -> String {
    format!("{} is", name(line))
}

/// Returns whether both lines are entries of sequences, or neither is. If `b` has no key, it may be
/// either.
fn is_same_kind(a: Line<'_>, b: Line<'_>) -> bool {
    (entry(a).dashes > 0) == (entry(b).dashes > 0) || entry(b).key.is_none()
}

/// Returns the key of `line` as it is shown in messages. If the line has no key or starts with
/// `- `, returns the whole line.
pub(super) fn name(line: Line<'_>) -> String {
    let entry = entry(line);
    match entry.key {
        Some(key) if entry.dashes == 0 => code(key),
        _ => code(line.body()),
    }
}
