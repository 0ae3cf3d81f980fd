//! Writing patches in other formats: unified diffs, edits of the Language Server Protocol, and
//! JSON.

use super::pieces::Patch;
use std::fmt::Write;
use std::ops::Range;

/// The number of unchanged lines that a diff shows before and after a change.
const CONTEXT: usize = 3;

/// Returns patches as a JSON list of objects such as `{"start": 3, "end": 4, "new": "2"}`. Offsets
/// are in bytes.
///
/// ```
/// use ketch_edit::{Patch, patches_to_json};
///
/// let patch = Patch { at: 3..4, new: "2".to_owned() };
/// assert_eq!(patches_to_json(&[patch]), r#"[{"start":3,"end":4,"new":"2"}]"#);
/// ```
#[must_use]
pub fn patches_to_json(patches: &[Patch]) -> String {
    let each = patches.iter().map(|patch| {
        let (start, end) = (patch.at.start, patch.at.end);
        format!("{{\"start\":{start},\"end\":{end},\"new\":{}}}", json_text(&patch.new))
    });
    format!("[{}]", each.collect::<Vec<_>>().join(","))
}

/// Returns patches as a JSON list of `TextEdit`s of the Language Server Protocol. Lines count from
/// 0, and columns are in UTF-16 code units.
///
/// ```
/// use ketch_edit::{Patch, patches_to_lsp};
///
/// let patch = Patch { at: 9..10, new: "2".to_owned() };
/// let edits = patches_to_lsp("a: 😀\nb: 1\n", &[Patch { at: 11..12, ..patch }]);
/// assert_eq!(
///     edits,
///     r#"[{"range":{"start":{"line":1,"character":3},"end":{"line":1,"character":4}},"newText":"2"}]"#,
/// );
/// ```
#[must_use]
pub fn patches_to_lsp(text: &str, patches: &[Patch]) -> String {
    let mut position = Position { text, at: 0, line: 0, line_start: 0 };
    let each = patches.iter().map(|patch| {
        let (start, end) = (position.json(patch.at.start), position.json(patch.at.end));
        let new = json_text(&patch.new);
        format!("{{\"range\":{{\"start\":{start},\"end\":{end}}},\"newText\":{new}}}")
    });
    format!("[{}]", each.collect::<Vec<_>>().join(","))
}

/// A position in a text that only moves forward.
struct Position<'t> {
    text: &'t str,
    at: usize,
    line: usize,
    line_start: usize,
}

impl Position<'_> {
    /// Moves forward to the offset `to`, and returns it as a `Position` of the Language Server
    /// Protocol.
    fn json(&mut self, to: usize) -> String {
        let bytes = self.text.as_bytes();
        while self.at < to {
            // Of a CRLF, only the LF counts as a line break.
            let is_break = match bytes[self.at] {
                b'\n' => true,
                b'\r' => bytes.get(self.at + 1) != Some(&b'\n'),
                _ => false,
            };
            self.at += 1;
            if is_break {
                (self.line, self.line_start) = (self.line + 1, self.at);
            }
        }
        let column = self.text[self.line_start..to].encode_utf16().count();
        format!("{{\"line\":{},\"character\":{column}}}", self.line)
    }
}

/// Returns `text` as a JSON string, with quotes.
fn json_text(text: &str) -> String {
    let mut out = String::from("\"");
    for ch in text.chars() {
        match ch {
            '"' | '\\' => out.extend(['\\', ch]),
            '\n' => out.push_str("\\n"),
            ch if ch.is_control() => {
                let _ = write!(out, "\\u{:04x}", u32::from(ch));
            }
            ch => out.push(ch),
        }
    }
    out.push('"');
    out
}

/// A run of changed lines: the indices of the old lines, their text, and the new lines.
struct Change<'t> {
    old: Range<usize>,
    removed: Vec<&'t str>,
    added: Vec<String>,
}

/// Returns patches as a unified diff with three lines of context. The diff is empty if nothing
/// changes.
///
/// ```
/// use ketch_edit::{Patch, unified_diff};
///
/// let patch = Patch { at: 3..4, new: "2".to_owned() };
/// let diff = unified_diff("a: 1\nb: 1\n", &[patch], "old", "new");
/// assert_eq!(diff, "--- old\n+++ new\n@@ -1,2 +1,2 @@\n-a: 1\n+a: 2\n b: 1\n");
/// ```
#[must_use]
pub fn unified_diff(text: &str, patches: &[Patch], old_name: &str, new_name: &str) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let changes = changes(text, &lines, patches);
    let mut out = String::new();
    let mut shift = 0isize;
    let mut at = 0;
    while at < changes.len() {
        let near = |two: &[Change<'_>]| two[1].old.start - two[0].old.end <= 2 * CONTEXT;
        let count = 1 + changes[at..].windows(2).take_while(|two| near(two)).count();
        if out.is_empty() {
            out = format!("--- {old_name}\n+++ {new_name}\n");
        }
        shift += hunk(&mut out, &lines, &changes[at..at + count], shift);
        at += count;
    }
    out
}

/// Writes one hunk with the changes `changes`, before which the diff has added `shift` lines.
/// Returns the number of lines that this hunk adds.
fn hunk(out: &mut String, lines: &[&str], changes: &[Change<'_>], shift: isize) -> isize {
    let (Some(first), Some(last)) = (changes.first(), changes.last()) else { return 0 };
    let start = first.old.start.saturating_sub(CONTEXT);
    let end = (last.old.end + CONTEXT).min(lines.len());
    let grown: isize = changes
        .iter()
        .map(|change| change.added.len() as isize - change.removed.len() as isize)
        .sum();
    let old_count = end - start;
    let new_count = old_count.wrapping_add_signed(grown);
    let new_start = start.wrapping_add_signed(shift);
    let from = |start: usize, count: usize| start + usize::from(count > 0);
    let range = |start: usize, count: usize| match count {
        1 => format!("{}", from(start, count)),
        _ => format!("{},{count}", from(start, count)),
    };
    let _ = writeln!(out, "@@ -{} +{} @@", range(start, old_count), range(new_start, new_count));
    let mut at = start;
    for change in changes {
        lines[at..change.old.start].iter().for_each(|line| push_line(out, ' ', line));
        change.removed.iter().for_each(|line| push_line(out, '-', line));
        change.added.iter().for_each(|line| push_line(out, '+', line));
        at = change.old.end;
    }
    lines[at..end].iter().for_each(|line| push_line(out, ' ', line));
    grown
}

/// Writes a line of a hunk after `sign`, with a note if it has no line break at its end.
fn push_line(out: &mut String, sign: char, line: &str) {
    out.push(sign);
    out.push_str(line);
    if !line.ends_with('\n') {
        out.push_str("\n\\ No newline at end of file\n");
    }
}

/// Returns the runs of lines that `patches` change, without equal lines at the ends of a run.
fn changes<'t>(text: &'t str, lines: &[&'t str], patches: &[Patch]) -> Vec<Change<'t>> {
    let mut starts: Vec<usize> = Vec::with_capacity(lines.len() + 1);
    let mut at = 0;
    for line in lines {
        starts.push(at);
        at += line.len();
    }
    starts.push(text.len());
    let line_of = |offset: usize| starts.partition_point(|&start| start <= offset).max(1) - 1;
    let mut runs: Vec<(Range<usize>, Vec<&Patch>)> = Vec::new();
    for patch in patches {
        let first = line_of(patch.at.start).min(lines.len());
        let last = (line_of(patch.at.end) + 1).min(lines.len());
        match runs.last_mut() {
            Some((run, inside)) if first < run.end => {
                run.end = run.end.max(last);
                inside.push(patch);
            }
            _ => runs.push((first..last, vec![patch])),
        }
    }
    let changed = runs.into_iter().map(|(run, patches)| {
        let (from, to) = (starts[run.start], starts[run.end]);
        let (mut new, mut at) = (String::new(), from);
        for patch in patches {
            new.push_str(&text[at..patch.at.start]);
            new.push_str(&patch.new);
            at = patch.at.end;
        }
        new.push_str(&text[at..to]);
        trimmed(run.clone(), &lines[run], &new)
    });
    changed.filter(|change| !change.removed.is_empty() || !change.added.is_empty()).collect()
}

/// Returns the change from the lines `old`, whose indices are `run`, to the text `new`, without
/// equal lines at its ends.
fn trimmed<'t>(run: Range<usize>, old: &[&'t str], new: &str) -> Change<'t> {
    let new: Vec<&str> = new.split_inclusive('\n').collect();
    let head = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let tails = old[head..].iter().rev().zip(new[head..].iter().rev());
    let tail = tails.take_while(|(old, new)| old == new).count();
    Change {
        old: run.start + head..run.end - tail,
        removed: old[head..old.len() - tail].to_vec(),
        added: new[head..new.len() - tail].iter().map(|&line| line.to_owned()).collect(),
    }
}
