//! Deleting entries.

use super::error::{EditError, EditErrorKind};
use super::lines::{
    Entry, Line, block_start, entries, follows_comma, line_at, line_end, line_start, owned_end,
    skip_blanks, skip_trivia, starts_line,
};
use super::operation::Operation;
use super::pieces::Patch;
use super::scene::{Plan, Scene, Splice};
use super::tree::Shape;
use crate::event::EventKind;
use crate::path::Step;
use std::ops::Range;

impl Scene {
    /// Removes an entry with its comments.
    pub(super) fn delete(&mut self, operation: &Operation, path: &[Step]) -> Result<(), EditError> {
        if !self.are_aliases_loose {
            self.release_anchors(operation, path)?;
        }
        let node = self.existing(operation, path)?;
        let Some((parent, index, entry)) = self.entry_of(node) else {
            let error = self.refuse(EditErrorKind::KindMismatch, self.tree.nodes[node].start);
            return Err(error.with_detail("the root of a document cannot be removed".to_owned()));
        };
        let text = self.text.as_bytes();
        let all = entries(text, &self.tree, parent);
        let first = self.tree.nodes[entry.key.unwrap_or(entry.value)].tokens.start;
        let splice = Splice::new(first..self.tree.nodes[entry.value].tokens.end, Vec::new());
        let patches = if self.tree.nodes[parent].is_flow {
            self.flow_removal(parent, &all, index)
        } else if all.len() == 1 {
            self.emptied(parent, &entry)
        } else {
            vec![Patch { at: self.block_range(&all, index), new: String::new() }]
        };
        self.commit(Plan { patches, splices: vec![splice] })
    }

    /// Removes the only entry of a block collection, which leaves `{}` or `[]`.
    fn emptied(&self, parent: usize, entry: &Entry) -> Vec<Patch> {
        let text = self.text.as_bytes();
        let node = &self.tree.nodes[parent];
        let empty = if node.shape == Shape::Mapping { "{}" } else { "[]" };
        let end = self.trimmed(owned_end(text, &self.tree, entry));
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

    /// Returns the range to remove for one of several entries of a block collection.
    fn block_range(&self, all: &[Entry], index: usize) -> Range<usize> {
        let (text, entry) = (self.text.as_bytes(), &all[index]);
        if !starts_line(text, entry.start) {
            // The next entry moves up to the dash, after the comments above it.
            let Some(next) = all.get(index + 1) else { return entry.start..entry.end };
            let below = owned_end(text, &self.tree, entry).min(next.start);
            let is_space = |byte: &&u8| byte.is_ascii_whitespace();
            return entry.start..below + text[below..].iter().take_while(is_space).count();
        }
        let mut from = block_start(text, entry.start);
        let mut end = owned_end(text, &self.tree, entry);
        // The blank lines above may be part of the text of the entry before.
        let before = index.checked_sub(1).map_or(0, |before| all[before].end);
        let above = blank_above(text, from).max(before);
        let below = blank_below(text, end);
        let is_last = index + 1 == all.len();
        if index == 0 {
            end = below;
        } else if is_last || (above < from && below > end) {
            from = above;
        }
        if end == text.len() && !text.ends_with(b"\n") && !self.is_block_scalar_before(from) {
            from = self.trimmed(from);
        }
        from..end
    }

    /// Returns whether the text before `at` ends with a block scalar. Many readers take the last line break
    /// for a part of it only if it is there.
    fn is_block_scalar_before(&self, at: usize) -> bool {
        let last = self.tree.nodes.partition_point(|node| node.start < at).checked_sub(1);
        last.is_some_and(|last| {
            let kind = self.tree.nodes[last].event.kind;
            matches!(kind, EventKind::Literal | EventKind::Folded)
        })
    }

    /// Removes an entry of a flow collection with a comma, and with its line if it is alone there.
    fn flow_removal(&self, parent: usize, all: &[Entry], index: usize) -> Vec<Patch> {
        let (text, node) = (self.text.as_bytes(), &self.tree.nodes[parent]);
        if node.event.len == 0 {
            // A pair without braces holds one entry.
            return vec![Patch { at: node.content..node.end, new: "{}".to_owned() }];
        }
        if let Some(patches) = self.comma_line_removal(all, index) {
            return patches;
        }
        let at = self.flow_range(parent, all, index);
        let mut patches = vec![Patch { at: at.clone(), new: String::new() }];
        // The comma before the last entry may be followed by the comment of the entry before.
        if index > 0 && at.start > all[index - 1].end {
            let comma = skip_trivia(text, all[index - 1].end);
            let is_last = index + 1 == all.len();
            let ends = text.get(skip_trivia(text, all[index].end)) != Some(&b',');
            if is_last && ends && comma < at.start {
                patches.insert(0, Patch { at: comma..comma + 1, new: String::new() });
            }
        }
        patches
    }

    /// Removes an entry of a flow collection whose next line starts with a comma. The comments above
    /// that line stay.
    fn comma_line_removal(&self, all: &[Entry], index: usize) -> Option<Vec<Patch>> {
        let (text, entry) = (self.text.as_bytes(), &all[index]);
        let next = all.get(index + 1).filter(|next| follows_comma(text, next.start))?;
        let first = skip_blanks(text, line_start(text, entry.start));
        let is_line = starts_line(text, entry.start) || follows_comma(text, entry.start);
        let at = match index.checked_sub(1) {
            _ if is_line => block_start(text, first)..line_end(text, entry.end),
            Some(before) => skip_trivia(text, all[before].end)..entry.end,
            None => entry.start..self.content_end(entry.end),
        };
        let comma = skip_blanks(text, line_start(text, next.start));
        let comma = if index == 0 { comma..next.start } else { comma..comma };
        Some([at, comma].map(|at| Patch { at, new: String::new() }).into())
    }

    /// Returns the range to remove for an entry of a flow collection.
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
            // The blanks before it would be left at the end of the line.
            (Some(_), 1..) if ends_line => skip_trivia(text, all[index - 1].end) + 1..after,
            // Its comment is on the line of the bracket.
            (Some(next), 0) if text.get(rest) == Some(&b'#') => {
                let line = self.content_end(rest);
                let is_next = self.text[line..next.start].trim().is_empty();
                entry.start..if is_next { next.start } else { line }
            }
            (Some(_), _) => entry.start..skip_blanks(text, after),
            (None, 0) => entry.start..after,
            (None, _) => self.last_flow_range(all[index - 1].end, entry),
        }
    }

    /// Returns the range to remove for the last entry of a flow collection, whose comma comes after `before`.
    /// The comment of the entry before it stays.
    fn last_flow_range(&self, before: usize, entry: &Entry) -> Range<usize> {
        let text = self.text.as_bytes();
        let comma = skip_trivia(text, before);
        let has_comment = |range: Range<usize>| self.text[range].contains('#');
        if comma < entry.start && has_comment(before..comma) {
            // With the line of a comma at its start goes the comment of the entry.
            let line = self.content_end(entry.end);
            let is_line = starts_line(text, comma) && skip_trivia(text, entry.end) >= line;
            let is_first = starts_line(text, comma);
            let above = if is_first { block_start(text, comma) } else { comma };
            return match is_line {
                true => above..line_end(text, line),
                false if is_first => skip_blanks(text, above)..skip_blanks(text, entry.end),
                false => comma..entry.end,
            };
        }
        if has_comment(before..entry.start) {
            let is_first = starts_line(text, entry.start);
            let above = if is_first { block_start(text, entry.start) } else { entry.start };
            return skip_blanks(text, above)..skip_blanks(text, entry.end);
        }
        let is_comment = text.get(skip_blanks(text, entry.end)) == Some(&b'#');
        let is_own = is_comment && follows_comma(text, entry.start);
        before..if is_own { self.content_end(entry.end) } else { entry.end }
    }
}

/// Returns the start of the blank lines above `at`.
fn blank_above(text: &[u8], mut at: usize) -> usize {
    while at > 0 && line_at(text, line_start(text, at - 1)) == Line::Blank {
        at = line_start(text, at - 1);
    }
    at
}

/// Returns the end of the blank lines from `at` on.
fn blank_below(text: &[u8], mut at: usize) -> usize {
    while at < text.len() && line_at(text, at) == Line::Blank {
        at = line_end(text, at);
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::Edit;
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
    fn the_colon_after_a_key_without_a_value_may_be_of_another_entry() {
        let rows = [
            ("a:\n  ? x\n::b: 1\n", "a.x", "a: {}\n::b: 1\n"),
            ("? a\n:b: 1\n", "a", ":b: 1\n"),
            ("\u{feff}? a\n: b\nc: 1\n", "a", "\u{feff}c: 1\n"),
            ("- ? a\n  : b\n  c: 1\n", "[0].a", "- c: 1\n"),
        ];
        for (text, path, expected) in rows {
            for is_whole in [false, true] {
                let mut edit = Edit::open(text).unwrap();
                if is_whole {
                    edit = edit.checking_whole();
                }
                let _ = edit.apply(&[at("delete", path)]);
                assert_eq!(edit.text(), expected, "{text:?} {path} {is_whole}");
            }
        }
    }

    /// The text after an operation, which must be the same by a window and by the whole text.
    fn edited(text: &str, operation: &Operation) -> String {
        let [window, whole] = [false, true].map(|is_whole| {
            let edit = Edit::open(text).unwrap();
            let mut edit = if is_whole { edit.checking_whole() } else { edit };
            let done = edit.apply(std::slice::from_ref(operation)).map_err(|error| error.kind());
            done.map_or_else(|kind| kind.name().to_owned(), |()| edit.text().to_owned())
        });
        assert_eq!(window, whole, "{text:?} {operation:?}");
        window
    }

    #[test]
    fn comments_of_flow_collections_stay_with_their_entries() {
        let first = |path| Operation { first: true, ..at("insert", path).with_value("q") };
        let rows = [
            ("a: [\n  y,\n  x, # x\n  z ]\n", at("delete", "a[2]"), "a: [\n  y,\n  x # x\n  ]\n"),
            (
                "a: [x, # x\n    y, # y\n    z]\n",
                at("delete", "a[2]"),
                "a: [x, # x\n    y # y\n    ]\n",
            ),
            (
                "a: [\n x # x\n , y # y\n , z # z\n ]\n",
                at("delete", "a[2]"),
                "a: [\n x # x\n , y # y\n ]\n",
            ),
            ("a: [\n x # x\n , y]\n", at("delete", "a[1]"), "a: [\n x # x\n ]\n"),
            ("a: [y, # y\n    x]\n", first("a"), "a: [q,\n    y, # y\n    x]\n"),
            (
                "a: [\n  # one\n ] # c\n",
                at("append", "a").with_value("x"),
                "a: [\n  # one\n x] # c\n",
            ),
            ("a: { # c\n }\n", at("set", "a.x").with_value("1"), "a: { # c\n x: 1}\n"),
            ("a: [y, # y\n    x, # x\n   ]\n", at("sort", "a"), "kind-mismatch"),
            ("a: [\n  y # y\n  , x # x\n  ]\n", at("sort", "a"), "kind-mismatch"),
            ("a: [x, # x\n    y]\n", at("sort", "a"), "a: [x, # x\n    y]\n"),
            ("a: # c\n  x\nb: 1\n", at("set", "a").with_value("{q: 1}"), "a: # c\n  q: 1\nb: 1\n"),
            (
                "a:\n   # c\n   x\nb: 1\n",
                at("set", "a").with_value("[1]"),
                "a:\n   # c\n  - 1\nb: 1\n",
            ),
        ];
        for (text, operation, expected) in rows {
            assert_eq!(edited(text, &operation), expected, "{text:?} {operation:?}");
        }
    }

    #[test]
    fn comments_stay_with_entries_after_a_comma_or_a_bracket() {
        let commas = "a: [\n x # x\n , y # y\n , z # z\n ]\n";
        let line = "a: [y, # y\n    x, # x\n    z]\n";
        let a = "a".parse::<Path>().unwrap().steps().to_vec();
        let to = |path| Operation { to_path: a.clone(), ..at("move", path) };
        let first = |operation| Operation { first: true, ..operation };
        let insert = |index| Operation { index: Some(index), ..at("insert", "a").with_value("q") };
        let rows = [
            (
                commas,
                at("append", "a").with_value("q"),
                "a: [\n x # x\n , y # y\n , z # z\n , q\n ]\n",
            ),
            (commas, insert(0), "a: [\n q\n , x # x\n , y # y\n , z # z\n ]\n"),
            (commas, insert(1), "a: [\n x # x\n , q\n , y # y\n , z # z\n ]\n"),
            (commas, first(to("a[1]")), "a: [\n y # y\n , x # x\n , z # z\n ]\n"),
            (commas, to("a[0]"), "a: [\n y # y\n , z # z\n , x # x\n ]\n"),
            (line, first(to("a[1]")), "a: [x, # x\n    y, # y\n    z]\n"),
            (line, to("a[0]"), "a: [x, # x\n    z,\n    # y\n    y]\n"),
            ("a: [u, v,\n  w, # w\n  x]\n", first(to("a[2]")), "kind-mismatch"),
            ("a: [u, v, w]\nb: 1 # b\n", to("b"), "a: [u, v, w, 1]\n"),
            ("a: [\n  # u\n  u, v,\n  w\n  ]\n", to("a[0]"), "a: [\n  # u\n  v,\n  w,\n  u\n  ]\n"),
            ("a: [u\n , v # v\n ]\n", at("delete", "a[1]"), "a: [u\n ]\n"),
            ("a: [\n  u\n , v # v\n ]\n", first(to("a[1]")), "a: [\n  v, # v\n  u\n ]\n"),
            (line, first(to("a[0]")), line),
            (line, to("a[2]"), line),
            ("a: [ v\n  # w\n  , w\n ]\n", at("delete", "a[0]"), "a: [ \n  # w\n  w\n ]\n"),
            (
                "a: [ u\n  # v\n  , v # v2\n  # w\n  , w\n ]\n",
                at("delete", "a[1]"),
                "a: [ u\n  # w\n  , w\n ]\n",
            ),
            ("a: [ u, v\n  # w\n  , w\n ]\n", at("delete", "a[1]"), "a: [ u\n  # w\n  , w\n ]\n"),
            ("a: [u,\n  # v\n  v]\n", at("delete", "a[1]"), "a: [u\n  ]\n"),
            ("a: [u # u\n  # v\n  , v]\n", at("delete", "a[1]"), "a: [u # u\n  ]\n"),
            (line, at("delete", "a[0]"), "a: [x, # x\n    z]\n"),
            ("a: [x, # x\n # y\n y]\n", at("delete", "a[0]"), "a: [\n # y\n y]\n"),
            ("a: [\n # x\n x,\n y\n ]\n", insert(0), "a: [\n q,\n # x\n x,\n y\n ]\n"),
        ];
        for (text, operation, expected) in rows {
            assert_eq!(edited(text, &operation), expected, "{text:?} {operation:?}");
        }
    }

    #[test]
    fn comments_below_a_blank_line_stay_in_their_collection() {
        let text = "a:\n  b: 1\n\n  # c: 2\n\n    # d\n\n# end\n";
        let new = "a:\n  b: 1\n\n  # c: 2\n\n    # d\nq: 1\n\n# end\n";
        assert_eq!(edited(text, &at("set", "q").with_value("1")), new);
        let after =
            Operation { key: Some("q".into()), after: Some("a".into()), ..at("insert", ".") };
        assert_eq!(edited(text, &after.with_value("1")), new);
        let flow = Operation { to: Some("flow".into()), ..at("style", "a") };
        assert_eq!(edited("a:\n  # doc\n  b: 1\n", &flow), "kind-mismatch");
        assert_eq!(edited("a: # doc\n  b: 1\n", &flow), "a: {b: 1} # doc\n");
        assert_eq!(
            edited("#cloud-config\na: 1\nb: 2\n", &at("delete", "a")),
            "#cloud-config\nb: 2\n"
        );
    }

    #[test]
    fn a_block_scalar_that_becomes_the_last_value_ends_with_a_line_break() {
        let rows = [
            ("b: |\n  x\nc: 2", "b: |\n  x\n"),
            ("a:\n  b: |\n    x\nc: 2", "a:\n  b: |\n    x\n"),
            ("b: x\nc: 2", "b: x"),
        ];
        for (text, expected) in rows {
            assert_eq!(edited(text, &at("delete", "c")), expected);
        }
    }

    #[test]
    fn a_new_scalar_fits_its_text() {
        let set = |value: &str| at("set", "a").with_value(value);
        let rows = [
            ("{\"a\": 1}\n", set("010"), "{\"a\": 10}\n"),
            ("{\"a\": 1}\n", set("[0x1F, ~, +1, .5, 1.10]"), "{\"a\": [31, null, 1, 0.5, 1.10]}\n"),
            ("a: 2021-05-05\n", set("2021-05-06"), "a: 2021-05-06\n"),
            ("a: 2021-05-05\n", set("'2021-05-06'"), "a: \"2021-05-06\"\n"),
            ("a: x\n", set("2021-05-06"), "a: \"2021-05-06\"\n"),
            ("a: yes\n", set("no"), "a: no\n"),
            ("a: [x]\n", at("append", "a").with_value("b/?q"), "a: [x, \"b/?q\"]\n"),
            ("", at("set", ".").with_value("x"), "x\n"),
            ("b: 1\n", at("set", "a[0].x").with_value("1"), "b: 1\na:\n  - x: 1\n"),
            ("b: 1\n", at("set", "a[1].x").with_value("1"), "not-found"),
            ("a: [1.0]\n", at("test", "a").with_value("[1]"), "a: [1.0]\n"),
            ("a: 1.5\n", at("test", "a").with_value("1"), "test-failed"),
        ];
        for (text, operation, expected) in rows {
            assert_eq!(edited(text, &operation), expected, "{text:?} {operation:?}");
        }
    }

    #[test]
    fn an_item_gets_a_key_in_a_mapping() {
        let m = "m".parse::<Path>().unwrap().steps().to_vec();
        let to = Operation { to_path: m, ..at("move", "l[0]") };
        let keyed = Operation { key: Some("k".into()), ..to.clone() };
        let text = "l:\n- 1\n- 2\nm:\n  a: 1\n";
        assert_eq!(edited(text, &to), "bad-operation");
        assert_eq!(edited(text, &keyed), "l:\n- 2\nm:\n  a: 1\n  k: 1\n");
    }

    #[test]
    fn an_edit_with_if_exists_adds_nothing_where_nothing_is() {
        let add = |path| Operation { if_exists: true, ..at("append", path).with_value("1") };
        assert_eq!(edited("a: [0]\n", &add("a")), "a: [0, 1]\n");
        for path in ["b", "b.c", "a.b"] {
            assert_eq!(edited("a: {}\n", &add(path)), "a: {}\n");
        }
    }

    #[test]
    fn white_space_that_is_not_yamls_is_text() {
        let set = at("set", "a").with_value("\u{a0}");
        assert_eq!(edited("a: 1\n", &set), "a: \u{a0}\n");
        assert_eq!(edited("a: 1\n", &at("set", "a").with_value(" \t\n")), "a: null\n");
    }

    #[test]
    fn an_edit_that_fails_leaves_the_text_unchanged() {
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
