//! The part of a text around one entry, as a text that can be parsed on its own.
//!
//! A window starts and ends between two entries of collections that are open there. Stand-ins
//! precede it that open the same collections at the same columns, and a stand-in for the next entry
//! follows it:
//!
//! ```text
//! items:              "\u{e000}":        stand-in
//!   - name: a         - 0                stand-in
//!   - name: b           - name: b        the window
//!   - name: c           - name: c
//!   - name: d           - 0              stand-in
//! ```
//!
//! At both edges, the parser is in the same state as in the whole text. So if the edited window has
//! the intended tokens, and the stand-in after it is unchanged, the whole text has them too.

use super::index::{Span, Table, Target};
use super::operation::Operation;
use super::store::Store;
use ketch_yaml::path::Step;
use std::ops::Range;

/// The key of the stand-ins before a window.
pub(super) const STAND_IN: &str = "\u{e000}";

/// The key of the stand-in after a window. It differs from [`STAND_IN`] because both may be in the
/// same mapping.
const LAST_STAND_IN: &str = "\u{e001}";

/// The maximum length of a neighbour in bytes. A longer one is not included in the window.
const NEIGHBOR_BYTES: usize = 64 * 1024;

/// The maximum number of levels. In collections that are nested more deeply, windows are not used,
/// because the stand-ins would be too long.
const LEVELS_MAX: usize = 100;

/// A collection on the way to the window.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level<'i> {
    pub table: &'i Table,
    /// The offset that those in the table are relative to.
    pub base: usize,
    /// The index of the entry on the way. In the last level, it may be the number of entries, which
    /// stands for a new entry at the end.
    pub at: usize,
}

impl Level<'_> {
    /// Returns the cut of the entry with the index `at`, as an offset in the text.
    pub fn cut(&self, at: usize) -> usize {
        self.base + self.table.cuts.at(at) as usize
    }

    /// Returns the cut of the entry on the way, or the offset where a new entry would start.
    pub fn start_of_entry(&self) -> usize {
        self.base + self.table.cuts.get(self.at).unwrap_or(self.table.end) as usize
    }

    /// Returns whether the entry with the index `at` is short enough to be included in a window as
    /// a neighbour.
    fn is_small(&self, at: usize) -> bool {
        let end = self.table.cuts.get(at + 1).unwrap_or(self.table.end);
        (end - self.table.cuts.at(at)) as usize <= NEIGHBOR_BYTES
    }
}

/// An edge of a window: before the entry with the index `at` of the collection at `level`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub level: usize,
    pub at: usize,
}

/// The text of a window, with its stand-ins.
#[derive(Debug)]
pub(super) struct Window {
    pub text: String,
    /// The number of bytes of the stand-ins before the window.
    pub before: usize,
    /// The number of bytes of the stand-ins after the window.
    pub after: usize,
    /// The range of the window in the whole text.
    pub range: Range<usize>,
    pub start: Option<Edge>,
    pub end: Option<Edge>,
    /// Whether the line break nearest to the start of the window is a CRLF.
    pub has_crlf: bool,
}

/// The extent of a window.
#[derive(Clone, Debug)]
pub(super) struct Bounds {
    /// The range of the window in the whole text.
    pub range: Range<usize>,
    pub start: Option<Edge>,
    pub end: Option<Edge>,
}

/// Finds the window around `target`, to which `levels` lead. Without levels, the window is the
/// whole document. Returns `None` if there are too many levels, or the edges cross.
pub(super) fn bounds(
    store: &Store<'_>,
    levels: &[Level<'_>],
    doc: &Span,
    target: &Target,
) -> Option<Bounds> {
    if levels.len() > LEVELS_MAX {
        return None;
    }
    let (start, from) = start_edge(store, levels, (doc, target.names_before));
    let (end, to) = end_edge(store, levels, (doc, target.reach));
    (from <= to).then_some(Bounds { range: from..to, start, end })
}

/// Creates the window with the extent `bounds`. `has_crlf` says whether the line breaks at its
/// start and at its end are CRLFs, which the stand-ins there imitate.
pub(super) fn window(
    store: &Store<'_>,
    levels: &[Level<'_>],
    doc: &Span,
    (bounds, has_crlf): (Bounds, [bool; 2]),
) -> Window {
    let Bounds { range, start, end } = bounds;
    let mut text = String::new();
    if let Some(edge) = start {
        if doc.has_directives {
            let content = store.skip_trivia(levels[0].cut(0));
            text.push_str(&store.text(doc.start..content.min(levels[0].cut(0))));
            text.push('\n');
        }
        push_opening(store, &mut text, &levels[..=edge.level]);
    }
    let mut closing = String::new();
    match end {
        Some(edge) => push_closing(store, &mut closing, &levels[..=edge.level]),
        None if doc.ends_with_dots => closing.push_str("...\n"),
        None if range.end < store.len() => closing.push_str("--- 0\n"),
        None => {}
    }
    for (part, has_crlf) in [&mut text, &mut closing].into_iter().zip(has_crlf) {
        if has_crlf {
            *part = part.replace("\r\n", "\n").replace('\n', "\r\n");
        }
    }
    let (before, after) = (text.len(), closing.len());
    text.push_str(&store.text(range.clone()));
    text.push_str(&closing);
    Window { text, before, after, range, start, end, has_crlf: has_crlf[0] }
}

/// Returns the edge and the offset where the window starts: before up to two short neighbours of
/// the target. The first of them may be long if the operation names it or the target is a new last
/// entry.
fn start_edge(
    store: &Store<'_>,
    levels: &[Level<'_>],
    (doc, names_before): (&Span, bool),
) -> (Option<Edge>, usize) {
    for (level, found) in levels.iter().enumerate().rev() {
        let mut at = found.at;
        if level + 1 == levels.len() {
            let is_new = at == found.table.len();
            for count in 0..2 {
                let is_needed = (is_new || names_before) && count == 0;
                if at > 0 && (is_needed || found.is_small(at - 1)) {
                    at -= 1;
                }
            }
        }
        if at == 0 || found.table.is_pair {
            continue;
        }
        let cut = found.cut(at);
        let from = match found.table.is_flow {
            true => cut,
            false => store.next_line(cut),
        };
        return (Some(Edge { level, at }), from);
    }
    (None, doc.start)
}

/// Returns the edge and the offset where the window ends: after one neighbour of the target, if it
/// is short, and after all entries that start before `reach`.
fn end_edge(
    store: &Store<'_>,
    levels: &[Level<'_>],
    (doc, reach): (&Span, usize),
) -> (Option<Edge>, usize) {
    for (level, found) in levels.iter().enumerate().rev() {
        let is_last = level + 1 == levels.len();
        let mut at = found.at + 1;
        if is_last && at < found.table.len() && found.is_small(at) {
            at += 1;
        }
        while at < found.table.len() && found.cut(at) < reach {
            at += 1;
        }
        if at >= found.table.len() || found.table.is_pair {
            continue;
        }
        let cut = found.cut(at);
        let to = match found.table.is_flow {
            // If a value is missing before a comma, a new one is written after the blank there.
            true => store.skip_blanks(cut),
            false => store.line_start(store.skip_trivia(cut)),
        };
        return (Some(Edge { level, at }), to);
    }
    (None, doc.end)
}

/// Returns the column of the entries of the block collection `level`.
fn column(store: &Store<'_>, level: &Level<'_>) -> usize {
    *level.table.column.get_or_init(|| {
        let first = store.skip_trivia(level.cut(0));
        first - store.line_start(first)
    })
}

/// Writes the stand-ins that open the collections `levels`. The last one gets an entry before the
/// window.
fn push_opening(store: &Store<'_>, out: &mut String, levels: &[Level<'_>]) {
    let last = levels.len() - 1;
    let mut outer = None;
    for (at, level) in levels.iter().enumerate() {
        let table = level.table;
        if table.is_flow {
            if let Some(column) = outer.take() {
                out.push_str(&" ".repeat(column + 1));
            }
            out.push_str(match (table.is_pair, table.is_mapping) {
                (true, _) => "",
                (_, true) => "{",
                (_, false) => "[",
            });
            match (table.is_mapping, at == last) {
                (true, true) => out.push_str(&format!("{STAND_IN}: 0")),
                (true, false) => out.push_str(&format!("{STAND_IN}: ")),
                (false, true) => out.push('0'),
                (false, false) => {}
            }
            continue;
        }
        let column = column(store, level);
        outer = Some(column);
        out.push_str(&" ".repeat(column));
        out.push_str(&match (table.is_mapping, at == last) {
            (true, true) => format!("{STAND_IN}: 0\n"),
            (true, false) => format!("{STAND_IN}:\n"),
            (false, true) => "- 0\n".to_owned(),
            (false, false) => "-\n".to_owned(),
        });
    }
}

/// Writes a stand-in for the entry after the window, and the closing brackets of open flow
/// collections.
fn push_closing(store: &Store<'_>, out: &mut String, levels: &[Level<'_>]) {
    let Some(level) = levels.last() else { return };
    if !level.table.is_flow {
        out.push_str(&" ".repeat(column(store, level)));
        out.push_str(&match level.table.is_mapping {
            true => format!("{LAST_STAND_IN}: 0\n"),
            false => "- 0\n".to_owned(),
        });
        return;
    }
    out.push_str(&match level.table.is_mapping {
        true => format!(", {LAST_STAND_IN}: 0"),
        false => ", 0".to_owned(),
    });
    for level in levels.iter().rev().take_while(|level| level.table.is_flow) {
        match (level.table.is_pair, level.table.is_mapping) {
            (true, _) => {}
            (_, true) => out.push('}'),
            (_, false) => out.push(']'),
        }
    }
    out.push('\n');
}

/// Returns whether `text` contains the key of a stand-in.
pub(super) fn has_stand_in(text: &str) -> bool {
    text.contains(STAND_IN) || text.contains(LAST_STAND_IN)
}

impl Window {
    /// Returns the text without the stand-ins.
    pub fn inner(&self) -> &str {
        &self.text[self.before..self.text.len() - self.after]
    }

    /// Returns the path `steps` as it is in the text of the window.
    pub fn steps(&self, levels: &[Level<'_>], steps: &[Step]) -> Vec<Step> {
        let start = self.start.map(|edge| (edge.level, edge.at));
        let each = steps.iter().enumerate().map(|(at, step)| {
            let Some(level) = levels.get(at) else { return step.clone() };
            let is_mapping = level.table.is_mapping;
            match start {
                Some((first, _)) if at < first => match is_mapping {
                    true => Step::Key(STAND_IN.to_owned()),
                    false => Step::Index(0),
                },
                _ if is_mapping => step.clone(),
                Some((first, skipped)) if at == first => {
                    Step::Index((level.at - skipped + 1) as i64)
                }
                _ => Step::Index(level.at as i64),
            }
        });
        each.collect()
    }

    /// Returns `operation` with its path and indices as they are in the window.
    pub fn operation(
        &self,
        operation: &Operation,
        levels: &[Level<'_>],
        is_new: bool,
    ) -> Operation {
        let mut moved = operation.clone();
        moved.path = self.steps(levels, &operation.path);
        moved.doc = 0;
        let Some(last) = levels.len().checked_sub(1) else { return moved };
        let skipped = match self.start {
            Some(edge) if edge.level == last => edge.at as i64 - 1,
            _ => 0,
        };
        if is_new && skipped != 0 {
            let shifted = |at: usize| (at as i64 - skipped) as usize;
            if let Some(position) = moved.action.position_mut() {
                *position = position.shifted(!levels[last].table.is_mapping, shifted);
            }
        }
        moved
    }

    /// Returns the innermost level whose collection contains both edges of the window. It is the
    /// last level if the window is among the entries of that collection.
    pub fn top(&self) -> usize {
        let level = |edge: Option<Edge>| edge.map_or(0, |edge| edge.level);
        level(self.start).min(level(self.end))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Action, Edit, Operation, Position};
    use super::NEIGHBOR_BYTES;
    use ketch_yaml::path::Path;

    #[test]
    fn a_value_takes_the_blank_before_a_comma() {
        for text in ["[a: ,b]\n".to_owned(), format!("[a: ,[{}]]\n", "1,".repeat(NEIGHBOR_BYTES))] {
            let path: Path = "[0].a".parse().expect("a path");
            let mut edit = Edit::open(&text).expect("a text");
            let operation = Operation::at(Action::set("1"), &path);
            let done = edit.run_in_window(&operation);
            assert!(matches!(done, Some(Ok(()))), "{done:?}");
            assert!(edit.text().starts_with("[a: 1,"), "{}", &edit.text()[..10]);
        }
    }

    #[test]
    fn a_window_has_a_long_neighbour_that_the_operation_names() {
        let long = format!("[{}]", "12, ".repeat(NEIGHBOR_BYTES));
        let texts = [
            (format!("a: 0\nb: {long}\nc: 1\n"), Some("d"), "b", "\nd: 7\nc: 1\n"),
            (format!("{{a: 0, b: {long}, c: 1}}\n"), Some("d"), "b", ", d: 7, c: 1}\n"),
            (format!("- 0\n- {long}\n- 1\n"), None, "1", "\n- 7\n- 1\n"),
        ];
        for (text, key, after, end) in texts {
            let action = Action::insert("7").with_key(key.map(str::to_owned));
            let action = action.placed(Position::After(after.to_owned()));
            let operation = Operation::at(action, &Path::default());
            let mut edit = Edit::open(&text).expect("a text");
            let done = edit.run_in_window(&operation);
            assert!(matches!(done, Some(Ok(()))), "{done:?}");
            assert!(edit.text().ends_with(end));
        }
    }
}
