//! Compares texts line by line, in linear time.
//!
//! Finding the shortest diff takes quadratic time if the texts differ a lot. So the texts are first
//! aligned at lines that occur once in each of them and in the same order (as in patience diff).
//! The lines between these are compared in windows of fixed size. The diff of a window is the
//! shortest one. The whole diff may be longer than necessary, but it is always correct.

use crate::color;
use crate::output::{self, stdout_failed};
use crate::status::Failure;
use similar::{Algorithm, DiffOp, DiffTag, capture_diff_slices, group_diff_ops};
use std::collections::HashMap;
use std::io::{self, Write};

/// The number of lines in a window. In the worst case, each line is compared with twice this number
/// of lines.
const WINDOW_LINES: usize = 256;

/// The number of unchanged lines that are shown before and after a change.
const CONTEXT_LINES: usize = 3;

/// Writes the unified diff of `old` and `new`, two versions of the file `name`.
fn write_unified(
    out: &mut (impl Write + ?Sized),
    name: &str,
    old: &[u8],
    new: &[u8],
) -> io::Result<()> {
    let (old, new) = (split(old), split(new));
    let ops = changes(&old, &new);
    write!(out, "--- {name}\n+++ {name}\n")?;
    for hunk in group_diff_ops(ops, CONTEXT_LINES) {
        write_hunk(out, &hunk, &old, &new)?;
    }
    Ok(())
}

/// Prints the difference between `old` and `new` as a unified diff, in color on a terminal.
pub fn print(name: &str, old: &[u8], new: &[u8]) -> Result<(), Failure> {
    let mut diff = Vec::new();
    write_unified(&mut diff, name, old, new).map_err(stdout_failed)?;
    output::print(|out| color::write_diff(out, &diff))
}

/// Returns the lines of `text`, including their line feeds.
pub fn split(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|&byte| byte == b'\n').collect()
}

/// Writes a hunk with its header.
fn write_hunk(
    out: &mut (impl Write + ?Sized),
    hunk: &[DiffOp],
    old: &[&[u8]],
    new: &[&[u8]],
) -> io::Result<()> {
    let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else { return Ok(()) };
    let side = |start: usize, end: usize| match end - start {
        0 => format!("{start},0"),
        1 => format!("{}", start + 1),
        len => format!("{},{len}", start + 1),
    };
    let old_side = side(first.old_range().start, last.old_range().end);
    let new_side = side(first.new_range().start, last.new_range().end);
    writeln!(out, "@@ -{old_side} +{new_side} @@")?;
    for op in hunk {
        if op.tag() == DiffTag::Equal {
            write_lines(out, b' ', &old[op.old_range()])?;
        } else {
            write_lines(out, b'-', &old[op.old_range()])?;
            write_lines(out, b'+', &new[op.new_range()])?;
        }
    }
    Ok(())
}

/// Writes `lines`, each after the character `sign`. If the last line of the text has no line break,
/// adds a note.
fn write_lines(out: &mut (impl Write + ?Sized), sign: u8, lines: &[&[u8]]) -> io::Result<()> {
    for line in lines {
        out.write_all(&[sign])?;
        out.write_all(line)?;
        if !line.ends_with(b"\n") {
            out.write_all(b"\n\\ No newline at end of file\n")?;
        }
    }
    Ok(())
}

/// Returns the ranges of equal and of changed lines, in order. Adjacent ranges of the same kind are
/// merged.
pub fn changes(old: &[&[u8]], new: &[&[u8]]) -> Vec<DiffOp> {
    let mut numbers = HashMap::new();
    let mut number = |line| {
        let next = numbers.len() as u32;
        *numbers.entry(line).or_insert(next)
    };
    let old: Vec<u32> = old.iter().map(|&line| number(line)).collect();
    let new: Vec<u32> = new.iter().map(|&line| number(line)).collect();
    let mut changes = Changes { old: &old, new: &new, at: (0, 0), ops: Vec::new() };
    for (old_at, new_at) in common_unique(&old, &new, numbers.len()) {
        changes.compare_up_to(old_at, new_at);
        changes.equal(1);
    }
    changes.compare_up_to(old.len(), new.len());
    changes.ops
}

/// Returns the old and the new position of each line that occurs exactly once in each text. If the
/// order of these lines differs, as few of them as possible are left out, so that both positions
/// increase.
fn common_unique(old: &[u32], new: &[u32], count: usize) -> Vec<(usize, usize)> {
    const NONE: usize = usize::MAX;
    const MANY: usize = usize::MAX - 1;
    let places = |lines: &[u32]| {
        let mut places = vec![NONE; count];
        for (at, &line) in lines.iter().enumerate() {
            let place = &mut places[line as usize];
            *place = if *place == NONE { at } else { MANY };
        }
        places
    };
    let new_places = places(new);
    let old_places = places(old);
    let is_single = |at: usize| at < MANY;
    let pairs: Vec<(usize, usize)> = old
        .iter()
        .enumerate()
        .map(|(at, &line)| (at, line as usize))
        .filter(|&(_, line)| is_single(old_places[line]) && is_single(new_places[line]))
        .map(|(at, line)| (at, new_places[line]))
        .collect();
    longest_rising(&pairs)
}

/// Returns the longest subsequence of `pairs` in which the second numbers increase. The first
/// numbers of `pairs` must already increase.
fn longest_rising(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // For each length, the index of the last pair of a subsequence of this length: the one with the
    // smallest second number.
    let mut ends: Vec<usize> = Vec::new();
    let mut before = vec![None; pairs.len()];
    for (index, &(_, new_at)) in pairs.iter().enumerate() {
        let len = ends.partition_point(|&end| pairs[end].1 < new_at);
        before[index] = len.checked_sub(1).map(|last| ends[last]);
        if len == ends.len() {
            ends.push(index);
        } else {
            ends[len] = index;
        }
    }
    let mut next = ends.last().copied();
    let mut selected = Vec::with_capacity(ends.len());
    while let Some(index) = next {
        selected.push(pairs[index]);
        next = before[index];
    }
    selected.reverse();
    selected
}

/// The changes that were found so far, up to the positions `at` in both texts.
struct Changes<'l> {
    old: &'l [u32],
    new: &'l [u32],
    at: (usize, usize),
    ops: Vec<DiffOp>,
}

impl Changes<'_> {
    /// Compares all lines before `old_end` and `new_end` that have not been compared yet.
    fn compare_up_to(&mut self, old_end: usize, new_end: usize) {
        while self.at != (old_end, new_end) {
            let (old_at, new_at) = self.at;
            let old = &self.old[old_at..old_end.min(old_at + WINDOW_LINES)];
            let new = &self.new[new_at..new_end.min(new_at + WINDOW_LINES)];
            let is_last = old_at + old.len() == old_end && new_at + new.len() == new_end;
            let ops = capture_diff_slices(Algorithm::Myers, old, new);
            let last_equal = ops.iter().rposition(|op| op.tag() == DiffTag::Equal);
            // Changed lines at the end of the window may be equal to lines after the window.
            let taken = match last_equal {
                Some(last) if !is_last => last + 1,
                _ => ops.len(),
            };
            ops[..taken].iter().for_each(|op| self.take(op));
        }
    }

    /// Adds `op`, an operation from the comparison of a window, to the changes.
    fn take(&mut self, op: &DiffOp) {
        if op.tag() == DiffTag::Equal {
            self.equal(op.old_range().len());
        } else {
            self.replace(op.old_range().len(), op.new_range().len());
        }
    }

    /// Records that the next `more` lines are equal.
    fn equal(&mut self, more: usize) {
        let (old_index, new_index) = self.at;
        self.at = (old_index + more, new_index + more);
        if let Some(DiffOp::Equal { len, .. }) = self.ops.last_mut() {
            *len += more;
        } else {
            self.ops.push(DiffOp::Equal { old_index, new_index, len: more });
        }
    }

    /// Records that the next `old_more` lines are replaced with the next `new_more` lines.
    fn replace(&mut self, old_more: usize, new_more: usize) {
        let (old_index, new_index) = self.at;
        self.at = (old_index + old_more, new_index + new_more);
        if let Some(DiffOp::Replace { old_len, new_len, .. }) = self.ops.last_mut() {
            *old_len += old_more;
            *new_len += new_more;
        } else {
            let (old_len, new_len) = (old_more, new_more);
            self.ops.push(DiffOp::Replace { old_index, old_len, new_index, new_len });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Applies the changes between `old` and `new` to the old lines, and returns the result.
    fn applied(old: &[&[u8]], new: &[&[u8]]) -> Vec<u8> {
        let mut out = Vec::new();
        let mut at = (0, 0);
        for op in changes(old, new) {
            assert_eq!((op.old_range().start, op.new_range().start), at);
            at = (op.old_range().end, op.new_range().end);
            match op.tag() {
                DiffTag::Equal => out.extend(old[op.old_range()].concat()),
                _ => out.extend(new[op.new_range()].concat()),
            }
        }
        assert_eq!(at, (old.len(), new.len()));
        out
    }

    #[test]
    fn changes_turn_one_text_into_the_other() {
        let mut state = 7_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % below
        };
        for round in 0..200 {
            let (words, lines) = (1 + random(40), random(1500));
            let mut text = |changed: u64| -> String {
                (0..lines)
                    .map(|line| match random(10) < changed {
                        true => format!("{}\n", random(words)),
                        false => format!("line {}\n", line % (words * 7)),
                    })
                    .collect()
            };
            let (old, new) = (text(round % 10), text(5));
            let (old, new) = (split(old.as_bytes()), split(new.as_bytes()));
            assert_eq!(applied(&old, &new), new.concat());
        }
    }

    #[test]
    fn small_texts_differ_as_diff_shows_them() {
        let mut out = Vec::new();
        write_unified(&mut out, "x", b"a\nb\nc\nd\ne\nf\ng\nh", b"a\nb\nc\nd\nE\nf\ng\nh\n")
            .expect("writing to memory");
        let want = "--- x\n+++ x\n@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+E\n f\n g\n-h\n\
            \\ No newline at end of file\n+h\n";
        assert_eq!(String::from_utf8_lossy(&out), want);
    }
}
