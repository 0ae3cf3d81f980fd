//! Advice on the markers that a version control system leaves in a file where it could not merge
//! two versions.

use super::advice::Advice;
use super::scene::{LOOKBACK_BYTES, Line, Scene};

/// The number of bytes, from the start of a conflict, in which its end is searched for.
const CONFLICT_BYTES: usize = 8 * 1024;

/// Returns whether the diagnosis of an error at `at` needs more text than `text`, because the error
/// is in a conflict whose end is missing.
pub(crate) fn wants_more(text: &[u8], at: usize) -> bool {
    let from = at.saturating_sub(LOOKBACK_BYTES);
    let line = memchr::memchr2(b'\n', b'\r', &text[at..]).map_or(text.len(), |len| at + len);
    let found =
        memchr::memmem::rfind(&text[from..line], b"\n<<<<<<<").map(|found| from + found + 1);
    let is_first = from == 0 && text.starts_with(b"<<<<<<<");
    let Some(start) = found.or(is_first.then_some(0)) else { return false };
    let rest = &text[start..];
    let end = end_of(rest).filter(|&end| memchr::memchr(b'\n', &rest[end..]).is_some());
    rest.len() < CONFLICT_BYTES && end.is_none()
}

/// Advises on the markers that a merge conflict has left in a file. `text` is the scene's text and
/// the buffered text after it.
pub(super) fn advise(scene: &Scene<'_>, text: &[u8]) -> Option<Advice> {
    let line = scene.line();
    let start = scene.lines_between(0, scene.at).filter(|line| is_marker(line.text, '<')).last();
    let nearest = nearest_marker(scene, line)?;
    // A conflict that ended above is not the mistake here, unless its last marker is on the line
    // directly above.
    if nearest.text.starts_with('>') && nearest != line && scene.line_above(line) != Some(nearest) {
        return None;
    }
    let whole = start.and_then(|start| Conflict::find(text, start.start));
    let help = match &whole {
        Some(conflict) => conflict.help(scene, text),
        None if start.is_none() && nearest == line => {
            "Delete this line, which is what is left of the conflict.".to_owned()
        }
        None => "Delete the marker lines (`<<<<<<<`, `=======` and `>>>>>>>`), and one of the two \
                 versions between them."
            .to_owned(),
    };
    let is_here = nearest == line;
    let label = if is_here { "a conflict marker" } else { "between two versions" };
    let advice = Advice::new("unresolved merge conflict", label, help);
    Some(match (start, whole) {
        (Some(start), _) if start != line => {
            advice.moved(scene, start.start, 7, "the conflict starts here")
        }
        (_, Some(conflict)) => advice.at(scene, line.start, line.text.len()).with(
            scene,
            conflict.end,
            7,
            "the conflict ends here",
        ),
        _ if !is_here => advice.moved(scene, nearest.start, 7, "a conflict marker"),
        _ => advice.at(scene, line.start, line.text.len()),
    })
}

/// The offsets of the marker lines of a complete conflict.
struct Conflict {
    start: usize,
    /// The marker before the common ancestor, if the conflict shows that.
    base: Option<usize>,
    middle: usize,
    end: usize,
}

impl Conflict {
    /// Returns the conflict that starts at the offset `start`, if it is complete.
    fn find(text: &[u8], start: usize) -> Option<Conflict> {
        let rest = &text[start..text.len().min(start + CONFLICT_BYTES)];
        let (middle, end) = (memchr::memmem::find(rest, b"\n=======")? + 1, end_of(rest)?);
        let base = memchr::memmem::find(&rest[..middle], b"\n|||||||").map(|at| start + at + 1);
        (middle < end).then_some(Conflict { start, base, middle: start + middle, end: start + end })
    }

    /// Returns the help, which says which lines to delete.
    fn help(&self, scene: &Scene<'_>, text: &[u8]) -> String {
        let number = |at: usize| scene.number(self.start) + lines_in(&text[self.start..at]);
        let (first, middle, last) = (number(self.start), number(self.middle), number(self.end));
        let Some(base) = self.base.map(number) else {
            return format!(
                "Delete the marker lines {first}, {middle} and {last}, and one of the two versions between them."
            );
        };
        format!(
            "Delete the marker lines {first}, {base}, {middle} and {last}. Between lines {base} and {middle} is what both versions changed: delete it too, and one of the two versions."
        )
    }
}

/// Returns the line with the nearest marker: `line` itself, or a line above it.
fn nearest_marker<'t>(scene: &Scene<'t>, line: Line<'t>) -> Option<Line<'t>> {
    let is_any = |line: &Line<'_>| ['<', '=', '>', '|'].iter().any(|&ch| is_marker(line.text, ch));
    // Outside a conflict, a line of `=` is not a marker.
    let is_heading = |marker: &Line<'_>| {
        marker.text.starts_with('=')
            && !scene.lines_above(marker.start).any(|above| is_marker(above.text, '<'))
    };
    let near = std::iter::once(line).chain(scene.lines_above(line.start));
    near.filter(is_any).find(|&marker| marker == line || !is_heading(&marker))
}

/// Returns whether `line` is a conflict marker, which starts with `ch` exactly seven times.
fn is_marker(line: &str, ch: char) -> bool {
    let rest = line.trim_start_matches(ch);
    line.len() - rest.len() == 7 && (rest.is_empty() || (rest.starts_with(' ') && ch != '='))
}

/// Returns the offset in `text` of the first marker line that ends a conflict.
fn end_of(text: &[u8]) -> Option<usize> {
    memchr::memmem::find(text, b"\n>>>>>>>").map(|at| at + 1)
}

/// Returns the number of line feeds in `bytes`.
fn lines_in(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}
