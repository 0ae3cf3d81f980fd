//! Advice on the marks `+` and `-` in the first column that lines copied from a diff have.

use super::advice::Advice;
use super::entry::{entry, is_entry};
use super::quote::code;
use super::scene::{Line, Scene, cut};

/// Advises on lines from a diff: that of the error, or those directly above it.
pub(super) fn advise(scene: &Scene<'_>) -> Option<Advice> {
    let line = scene.line();
    let near = std::iter::once(line).chain(scene.lines_above(line.start));
    let is_here = fixed(line).is_some();
    let marked = near.skip(usize::from(!is_here)).take_while(|line| fixed(*line).is_some());
    let first = marked.last()?;
    let mark = cut(first.text, ..1);
    let neighbors = [scene.line_above(first), (!is_here).then_some(line)];
    let columns =
        neighbors.into_iter().flatten().flat_map(|line| [line.indent(), entry(line).column]);
    let columns: Vec<usize> = columns.filter(|column| *column > 0).collect();
    let plain = fixed(first)?;
    let blanks = plain.len() - plain.trim_start().len();
    // The mark is in a column of its own, or in place of a space.
    let is_aligned = |column: usize| columns.contains(&column);
    let fixed = match !is_aligned(blanks) && is_aligned(blanks + 1) {
        true => format!(" {plain}"),
        false if is_aligned(blanks) || mark == "+" => plain.to_owned(),
        false => return None,
    };
    let help = match mark {
        "+" => format!("Delete the `+`: {}.", code(&fixed)),
        _ => format!("Delete the line, or only its `-`: {}.", code(&fixed)),
    };
    let message = format!("a line of a diff, which starts with `{mark}`");
    let label = format!("expected no `{mark}` here");
    let advice = Advice::new(message, label.clone(), help);
    Some(match is_here {
        true => advice.at(scene, first.start, 1),
        false => {
            let advice = Advice { label: "noticed here".to_owned(), ..advice };
            advice.moved(scene, first.start, 1, label)
        }
    })
}

/// Returns `line` without its mark, if it is an entry of block YAML from a diff.
fn fixed(line: Line<'_>) -> Option<&str> {
    let rest = line.text.strip_prefix(['+', '-'])?;
    let least = if line.text.starts_with('+') { 1 } else { 4 };
    let is_deep = rest.len() - rest.trim_start_matches(' ').len() >= least;
    (is_deep && is_entry(Line { start: 0, text: rest })).then_some(rest)
}
