//! Deleting entries.

use super::error::{EditError, EditErrorKind};
use super::lines::{
    Entry, Line, block_start, entries, line_at, line_end, line_start, lines_end, skip_blanks,
    skip_trivia, starts_line,
};
use super::operation::Operation;
use super::pieces::Patch;
use super::session::{Edit, Plan};
use super::tree::Shape;
use std::ops::Range;

impl Edit {
    /// Removes an entry with its comments.
    pub(super) fn delete(&mut self, operation: &Operation) -> Result<(), EditError> {
        let node = self.existing(operation, &operation.path)?;
        let Some((parent, index, entry)) = self.entry_of(node) else {
            return Err(self.refuse(EditErrorKind::KindMismatch, self.tree.nodes[node].start));
        };
        self.check_anchors(&entry)?;
        let text = self.text.as_bytes();
        let all = entries(text, &self.tree, parent);
        let first = self.tree.nodes[entry.key.unwrap_or(entry.value)].tokens.start;
        let tokens = self.spliced(first..self.tree.nodes[entry.value].tokens.end, &[]);
        let patches = if self.tree.nodes[parent].is_flow {
            self.flow_removal(parent, &all, index)
        } else if all.len() == 1 {
            self.emptied(parent, &entry)
        } else {
            vec![Patch { at: self.block_range(&all, index), new: String::new() }]
        };
        self.commit(Plan { patches, tokens })
    }

    /// Refuses to remove an anchor that an alias outside the entry uses.
    fn check_anchors(&self, entry: &Entry) -> Result<(), EditError> {
        let inside = |at: usize| (entry.start..entry.end).contains(&self.tree.nodes[at].start);
        for at in entry.value..self.tree.nodes.len() {
            let is_alias = self.tree.nodes[at].shape == Shape::Alias;
            if is_alias && !inside(at) && self.target(at).is_some_and(inside) {
                return Err(self.refuse(EditErrorKind::AnchorInUse, self.tree.nodes[at].start));
            }
        }
        Ok(())
    }

    /// The only entry of a block collection: `{}` or `[]` stays.
    fn emptied(&self, parent: usize, entry: &Entry) -> Vec<Patch> {
        let text = self.text.as_bytes();
        let node = &self.tree.nodes[parent];
        let empty = if node.shape == Shape::Mapping { "{}" } else { "[]" };
        let end = self.trimmed(lines_end(text, entry));
        if !starts_line(text, entry.start) {
            return vec![Patch { at: entry.start..end, new: empty.to_owned() }];
        }
        let from = block_start(text, entry.start);
        let holder = self.entry_of(parent).and_then(|(_, _, entry)| entry.after_mark);
        let props = [&node.anchor, &node.tag].into_iter().flatten().map(|range| range.end).max();
        match props.or(holder) {
            Some(mark) => {
                let line = self.content_end(mark);
                let head = Patch { at: mark..mark, new: format!(" {empty}") };
                vec![head, Patch { at: line.max(self.trimmed(from))..end, new: String::new() }]
            }
            None => vec![Patch { at: from..end, new: empty.to_owned() }],
        }
    }

    /// What goes with one of several entries of a block collection.
    fn block_range(&self, all: &[Entry], index: usize) -> Range<usize> {
        let (text, entry) = (self.text.as_bytes(), &all[index]);
        if !starts_line(text, entry.start) {
            // The next entry moves up to the dash.
            return entry.start..all.get(index + 1).map_or(entry.end, |next| next.start);
        }
        let (mut from, mut end) = (block_start(text, entry.start), lines_end(text, entry));
        let above = blank_above(text, from);
        let below = blank_below(text, end);
        let is_last = index + 1 == all.len();
        if index == 0 {
            end = below;
        } else if is_last || (above < from && below > end) {
            from = above;
        }
        if end == text.len() && !text.ends_with(b"\n") {
            from = self.trimmed(from);
        }
        from..end
    }

    /// Removes an entry of a flow collection with a comma, and with its line if it has one.
    fn flow_removal(&self, parent: usize, all: &[Entry], index: usize) -> Vec<Patch> {
        let text = self.text.as_bytes();
        let at = self.flow_range(parent, all, index);
        let mut patches = vec![Patch { at: at.clone(), new: String::new() }];
        // The comma before the last entry may be followed by the comment of the entry before.
        if index > 0 && at.start > all[index - 1].end {
            let comma = skip_trivia(text, all[index - 1].end);
            if index + 1 == all.len() && text.get(skip_trivia(text, all[index].end)) != Some(&b',')
            {
                patches.insert(0, Patch { at: comma..comma + 1, new: String::new() });
            }
        }
        patches
    }

    fn flow_range(&self, parent: usize, all: &[Entry], index: usize) -> Range<usize> {
        let (text, entry) = (self.text.as_bytes(), &all[index]);
        let node = &self.tree.nodes[parent];
        let comma = skip_trivia(text, entry.end);
        let has_comma = text.get(comma) == Some(&b',');
        let after = if has_comma { comma + 1 } else { entry.end };
        if all.len() == 1 {
            return node.content + 1..node.end - 1;
        }
        let rest = skip_blanks(text, after);
        let ends_line = matches!(text.get(rest), Some(b'\n' | b'\r' | b'#'));
        if starts_line(text, entry.start) && ends_line {
            let from = block_start(text, entry.start);
            return from..line_end(text, after);
        }
        match (all.get(index + 1), index) {
            (Some(next), _) if line_start(text, next.start) <= entry.end => entry.start..next.start,
            (Some(_), _) => entry.start..skip_blanks(text, after),
            (None, 0) => entry.start..after,
            (None, _) => all[index - 1].end..entry.end,
        }
    }
}

/// The start of the blank lines above `at`.
fn blank_above(text: &[u8], mut at: usize) -> usize {
    while at > 0 && line_at(text, line_start(text, at - 1)) == Line::Blank {
        at = line_start(text, at - 1);
    }
    at
}

/// The end of the blank lines from `at` on.
fn blank_below(text: &[u8], mut at: usize) -> usize {
    while at < text.len() && line_at(text, at) == Line::Blank {
        at = line_end(text, at);
    }
    at
}

/// The source of an entry's value, moved to the margin.
pub(super) fn dedent(text: &str, entry: &Entry, start: usize) -> String {
    if start >= entry.end {
        return "null".to_owned();
    }
    let column = start - line_start(text.as_bytes(), start);
    let is_alone = starts_line(text.as_bytes(), start);
    let part = &text[start..entry.end];
    let Some((first, rest)) = part.split_once('\n') else { return part.to_owned() };
    let strip = |line: &str| {
        let blanks = line.len() - line.trim_start_matches(' ').len();
        let cut = if is_alone { column } else { 0 };
        line[blanks.min(cut)..].to_owned()
    };
    let rest: Vec<String> = rest.split('\n').map(strip).collect();
    format!("{first}\n{}", rest.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::Path;

    /// The names of the kinds of refusal, for a text, an operation and a path.
    fn refusal(text: &str, operation: Operation) -> &'static str {
        let mut edit = Edit::open(text).unwrap();
        let error = edit.apply(&[operation]).unwrap_err();
        assert_eq!(edit.text(), text);
        assert!(edit.patches().is_empty());
        error.kind().name()
    }

    fn at(op: &str, path: &str) -> Operation {
        Operation::new(op, path.parse::<Path>().unwrap().steps())
    }

    #[test]
    fn refusals_change_nothing() {
        let rows = [
            ("a: 1\n", at("delete", "b"), "not-found"),
            ("a: [1]\n", at("set", "a[3]").with_value("1"), "not-found"),
            ("a: {b: 1}\n", at("delete", "a.c"), "not-found"),
            ("b: &b {x: 1}\na: {<<: *b}\n", at("delete", "a.x"), "not-owned"),
            ("b: &b {x: 1}\na:\n  <<: *b\n", at("delete", "a.x"), "not-owned"),
            ("b: &b {x: 1}\na: {<<: [*b]}\n", at("delete", "a.x"), "not-owned"),
            ("a: &a {x: 1}\nb: *a\n", at("set", "b.x").with_value("2"), "through-alias"),
            ("a: &a {x: 1}\nb: *a\n", at("delete", "b.x"), "through-alias"),
            ("a: &a [1]\nb: *a\n", at("set", "b[0]").with_value("2"), "through-alias"),
            ("a: &a 1\nb: *a\n", at("delete", "a"), "anchor-in-use"),
            ("a: {c: &a 1}\nb: *a\n", at("delete", "a"), "anchor-in-use"),
            ("- &a 1\n- *a\n", at("delete", "[0]"), "anchor-in-use"),
            ("a: 1\na: 2\n", at("set", "a").with_value("3"), "duplicate-key"),
            ("a: 1\na: 2\n", at("delete", "a"), "duplicate-key"),
            (
                "a: 1\nb: 2\n",
                Operation { to: Some("b".into()), ..at("rename", "a") },
                "duplicate-key",
            ),
            ("a: 1\n", at("set", "a.b").with_value("3"), "kind-mismatch"),
            ("a: x\n", at("append", "a").with_value("3"), "kind-mismatch"),
            ("a: {b: 1}\n", at("append", "a").with_value("3"), "kind-mismatch"),
            ("a: 1\n", at("test", "a").with_value("2"), "test-failed"),
            ("a: 1\n", at("test", "a").with_value("'1'"), "test-failed"),
            ("a: [1]\n", at("test", "a").with_value("[2]"), "test-failed"),
            ("a: 1\n", at("set", "a"), "bad-operation"),
            ("a: 1\n", at("paint", "a"), "bad-operation"),
            ("a: 1\n", at("rename", "a"), "bad-operation"),
        ];
        for (text, operation, kind) in rows {
            assert_eq!(refusal(text, operation.clone()), kind, "{text} {operation:?}");
        }
    }
}
