//! Advice on lines whose indentation matches that of no line above.

use super::advice::Advice;
use super::entry::entry;
use super::quote::{code, indented, spaces};
use super::scene::{Line, Scene};

/// An open collection above the error: a line that starts an entry of it, and the column at which
/// its entries start.
#[derive(Clone, Copy)]
struct Level<'t> {
    line: Line<'t>,
    column: usize,
    is_sequence: bool,
}

impl<'t> Level<'t> {
    /// Returns the collections of which `line` starts an entry. In `- a: 1`, these are a sequence
    /// and a mapping.
    fn of(line: Line<'t>) -> impl Iterator<Item = Level<'t>> {
        let entry = entry(line);
        let key = entry.key.map(|_| Level { line, column: entry.column, is_sequence: false });
        let (column, is_sequence) = (line.indent(), true);
        let dash = (entry.dashes > 0).then_some(Level { line, column, is_sequence });
        key.into_iter().chain(dash)
    }

    /// Returns whether `line` may be an entry of the collection. If it has no key, it may be an
    /// entry of either kind.
    fn fits(self, line: Line<'_>) -> bool {
        self.is_sequence == (entry(line).dashes > 0) || entry(line).key.is_none()
    }
}

/// Advises on a line that ends collections, but does not align with a collection that is still
/// open.
pub(super) fn no_such_level(scene: &Scene<'_>) -> Option<Advice> {
    let line = scene.line();
    let found = line.indent();
    let mut deeper: Option<Level<'_>> = None;
    let mut outer: Option<Level<'_>> = None;
    for level in scene.lines_above(line.start).flat_map(Level::of) {
        let is_outermost_yet = deeper.is_none_or(|deeper| level.column <= deeper.column);
        if level.column > found && is_outermost_yet && level.fits(line) {
            deeper = Some(level);
        }
        if level.column < found {
            outer = Some(level);
            break;
        }
    }
    let Some(sibling) = deeper else { return outer.map(|outer| as_outer(scene, outer.line)) };
    odd_sibling(scene, sibling, outer).or_else(|| Some(as_sibling(scene, sibling, outer)))
}

/// Advises on a line that was probably meant to be beside `sibling` or, if it fits there, beside
/// `outer`.
fn as_sibling(scene: &Scene<'_>, sibling: Level<'_>, outer: Option<Level<'_>>) -> Advice {
    let line = scene.line();
    let found = line.indent();
    let (sibling, outer) = match outer.filter(|outer| outer.fits(line)) {
        Some(outer) if found - outer.column < sibling.column - found => (outer, Some(sibling)),
        _ => (sibling, outer),
    };
    let (to, name) = (sibling.column, name(sibling.line));
    let mut help = format!(
        "Indent it with {}, as {name} on line {}: {}",
        spaces(to),
        scene.number(sibling.line.start),
        code(&indented(to, line.body())),
    );
    match outer.filter(|outer| outer.fits(line)) {
        Some(outer) => {
            help += &format!(
                "; or with {}, if it belongs beside {}.",
                spaces(outer.column),
                self::name(outer.line)
            );
        }
        None => help.push('.'),
    }
    let advice = Advice::new(matches_nothing(line), format!("expected {}", spaces(to)), help);
    let sibling = sibling.line;
    advice.with(scene, sibling.body_at(), sibling.body().len(), spaces(to))
}

/// Advises on the line of `sibling`, the first entry of its collection, if the line of the error
/// and the next line agree on another column.
fn odd_sibling(scene: &Scene<'_>, sibling: Level<'_>, outer: Option<Level<'_>>) -> Option<Advice> {
    let (line, first) = (scene.line(), sibling.line);
    let next = scene.lines_below(line).next()?;
    let is_alone = scene.line_above(line) == Some(first) && sibling.column == first.indent();
    let opens = scene.line_above(first).filter(|above| entry(*above).value.is_empty())?;
    if !is_alone || next.indent() != line.indent() || outer.map(|outer| outer.line) != Some(opens) {
        return None;
    }
    let to = line.indent();
    let help = format!(
        "Indent it with {}, as the lines below it: {}.",
        spaces(to),
        code(&indented(to, first.body()))
    );
    let message =
        format!("{} indented with {}, unlike the lines below", verb(first), spaces(sibling.column));
    let advice = Advice::new(message, "indented differently", help);
    let label = format!("expected {}", spaces(to));
    Some(advice.moved(scene, first.body_at(), first.body().len(), label))
}

/// Advises on a line that can only be an entry of an outer collection, because no inner collection
/// is of the same kind.
fn as_outer(scene: &Scene<'_>, outer: Line<'_>) -> Advice {
    let line = scene.line();
    let to = outer.indent();
    let help = format!(
        "Indent it with {}, as {} on line {}: {}.",
        spaces(to),
        name(outer),
        scene.number(outer.start),
        code(&indented(to, line.body())),
    );
    let advice = Advice::new(matches_nothing(line), format!("expected {}", spaces(to)), help);
    advice.with(scene, outer.body_at(), outer.body().len(), spaces(to))
}

/// Returns the message that the indentation of `line` matches no line above.
fn matches_nothing(line: Line<'_>) -> String {
    format!("{} indented with {}, which matches no line above", verb(line), spaces(line.indent()))
}

/// Returns the name of `line` and a verb, which start a sentence.
fn verb(line: Line<'_>) -> String {
    format!("{} is", name(line))
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
