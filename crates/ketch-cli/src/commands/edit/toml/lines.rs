//! Restores the lines that printing TOML changes: their ends, and those that belong to no entry.

use crate::line_diff::{changes, split};
use similar::DiffTag;
use std::borrow::Cow;
use std::mem;

/// Returns whether the lines of `text` and `printed` differ only in how they end.
pub fn are_same(text: &str, printed: &str) -> bool {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.lines().eq(printed.lines())
}

/// Returns `new` with the lines of `text` that are the same in `old`, which is `text` as it is
/// printed. If `keep` is set, comments that a blank line separates from an entry stay where they are.
pub fn restored(text: &str, old: &str, new: &str, keep: bool) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let (old, new) = (split(old.as_bytes()), split(new.as_bytes()));
    let is_crlf = lines.first().is_some_and(|line| line.ends_with("\r\n"));
    let mut end = if is_crlf { "\r\n" } else { "\n" };
    let (mut out, mut done, mut is_blank) = (Vec::new(), 0, None);
    for op in changes(&old, &new) {
        let (range, added) = (op.old_range(), op.new_range());
        let is_section = new[added.clone()].iter().any(|line| line.starts_with(b"["));
        let free = free_lines(&lines[range.start..]);
        let is_equal = op.tag() == DiffTag::Equal;
        let to = match range.is_empty() {
            _ if is_equal => range.end,
            _ if !keep => range.start,
            false => range.start + free.min(range.len()),
            true if range.start == 0 => free,
            // A new section follows the comments at the end.
            true if is_section && lines[range.start..].iter().all(is_free) => lines.len(),
            true => range.start,
        };
        for line in lines.get(done.max(range.start)..to).unwrap_or_default() {
            let body = line.trim_end_matches(['\r', '\n']);
            if line.ends_with('\n') {
                end = &line[body.len()..];
            }
            match mem::take(&mut is_blank) {
                Some(false) if body.starts_with('[') && !ends_blank(&out) => {
                    out.push(("".into(), end))
                }
                Some(true) if body.is_empty() => continue,
                _ => {}
            }
            out.push((body.into(), end));
        }
        done = done.max(to);
        if is_equal {
            continue;
        }
        // One blank line separates what is new from the next section, and what stays from it.
        let is_apart = range.is_empty() && (is_section || range.start == 0);
        is_blank = match keep && (is_apart || to > range.start) {
            true => Some(to > range.start && added.is_empty()),
            false => None,
        };
        if let Some(line) = lines[range.clone()].first() {
            end = if line.ends_with("\r\n") { "\r\n" } else { end };
        }
        for line in &new[added] {
            let body = String::from_utf8_lossy(line.strip_suffix(b"\n").unwrap_or(line));
            out.push((body, end));
        }
    }
    let mut out: String = out.into_iter().flat_map(|(body, end)| [body, end.into()]).collect();
    if !text.is_empty() && !text.ends_with('\n') {
        out.truncate(out.trim_end_matches(['\r', '\n']).len());
    }
    match text.starts_with('\u{feff}') && !out.starts_with('\u{feff}') {
        true => format!("\u{feff}{out}"),
        false => out,
    }
}

fn is_free(line: &&str) -> bool {
    line.trim().is_empty() || line.trim_start().starts_with('#')
}

fn ends_blank(lines: &[(Cow<'_, str>, &str)]) -> bool {
    lines.last().is_some_and(|(body, _)| body.is_empty())
}

/// Returns the number of lines at the start of `lines` that are comments set apart from the next
/// entry by a blank line.
fn free_lines(lines: &[&str]) -> usize {
    let head = lines.iter().take_while(|line| is_free(line)).count();
    let end = lines[..head].iter().rposition(|line| line.trim().is_empty()).map_or(0, |at| at + 1);
    match lines[..end].iter().any(|line| !line.trim().is_empty()) {
        true => end,
        false => 0,
    }
}
