//! Deletion of entries.

use super::anchors;
use super::error::{EditError, EditErrorKind};
use super::lines::{
    Entry, Line, blank_above, block_start, entries, follows_comma, line_at, line_end, line_start,
    owned_end, skip_blanks, skip_trivia, starts_line,
};
use super::operation::Operation;
use super::pieces::Patch;
use super::scene::{Plan, Scene, Splice};
use super::tree::Shape;
use ketch_yaml::path::Step;
use std::ops::Range;

/// Removes the entry at `path`, together with its comments.
pub(super) fn delete(
    scene: &mut Scene,
    operation: &Operation,
    path: &[Step],
) -> Result<(), EditError> {
    if path.is_empty() && scene.tree.docs.len() > 1 && operation.doc < scene.tree.docs.len() {
        return delete_document(scene, operation.doc);
    }
    if !scene.are_aliases_loose {
        anchors::release_anchors(scene, operation, path)?;
    }
    let node = scene.existing(operation, path)?;
    let Some((parent, index, entry)) = scene.entry_of(node) else {
        let error = scene.refuse(EditErrorKind::KindMismatch, scene.tree.nodes[node].start);
        return Err(error.with_detail("the only document of a stream cannot be removed".to_owned()));
    };
    let text = scene.text.as_bytes();
    let all = entries(text, &scene.tree, parent);
    let first = scene.tree.nodes[entry.key.unwrap_or(entry.value)].tokens.start;
    let splice = Splice::new(first..scene.tree.nodes[entry.value].tokens.end, Vec::new());
    let patches = if scene.tree.nodes[parent].is_flow {
        flow_removal(scene, parent, &all, index)
    } else if all.len() == 1 {
        emptied(scene, parent, &entry)
    } else {
        vec![Patch { at: block_range(scene, &all, index), new: String::new() }]
    };
    scene.commit(Plan { patches, splices: vec![splice] })
}

/// Removes the document with the index `doc`, with its marker, from a stream of several.
fn delete_document(scene: &mut Scene, doc: usize) -> Result<(), EditError> {
    let (removed, next) = (&scene.tree.docs[doc], scene.tree.docs.get(doc + 1));
    let is_marked = scene.text.starts_with('\u{feff}') && removed.start == 0;
    let from = if is_marked { '\u{feff}'.len_utf8() } else { removed.start };
    let end = next.map_or(scene.text.len(), |next| next.start);
    let tokens = removed.token..next.map_or(scene.tree.tokens.len(), |next| next.token);
    let patches = vec![Patch { at: from..end, new: String::new() }];
    scene.commit(Plan { patches, splices: vec![Splice::new(tokens, Vec::new())] })
}

/// Returns the patches that remove the only entry of the block collection `parent`, and leave
/// `{}` or `[]`.
fn emptied(scene: &Scene, parent: usize, entry: &Entry) -> Vec<Patch> {
    let text = scene.text.as_bytes();
    let node = &scene.tree.nodes[parent];
    let empty = if node.shape == Shape::Mapping { "{}" } else { "[]" };
    let end = scene.trimmed(owned_end(text, &scene.tree, entry));
    if !starts_line(text, entry.start) {
        return vec![Patch { at: entry.start..end, new: empty.to_owned() }];
    }
    let from = block_start(text, entry.start);
    let holder = scene.entry_of(parent).and_then(|(_, _, entry)| entry.after_mark);
    let props = [&node.anchor, &node.tag].into_iter().flatten().map(|range| range.end).max();
    match props.or(holder) {
        Some(mark) => {
            let line = scene.content_end(mark);
            let head = Patch { at: mark..mark, new: format!(" {empty}") };
            vec![head, Patch { at: line.max(scene.trimmed(from))..end, new: String::new() }]
        }
        None => vec![Patch { at: from..end, new: empty.to_owned() }],
    }
}

/// Returns the range to remove for the entry with the index `index` of a block collection with
/// several entries.
fn block_range(scene: &Scene, all: &[Entry], index: usize) -> Range<usize> {
    let (text, entry) = (scene.text.as_bytes(), &all[index]);
    if !starts_line(text, entry.start) {
        // The next entry, with the comments above it, moves up to the dash of the parent.
        let Some(next) = all.get(index + 1) else { return entry.start..entry.end };
        let below = owned_end(text, &scene.tree, entry).min(next.start);
        let is_space = |byte: &&u8| byte.is_ascii_whitespace();
        return entry.start..below + text[below..].iter().take_while(is_space).count();
    }
    let mut from = block_start(text, entry.start);
    let mut end = owned_end(text, &scene.tree, entry);
    // The blank lines above may be part of a block scalar in the previous entry.
    let before = index.checked_sub(1).map_or(0, |before| all[before].end);
    let above = blank_above(text, from).max(before);
    let below = blank_below(text, end);
    let is_last = index + 1 == all.len();
    if index == 0 {
        end = below;
    } else if is_last || (above < from && below > end) {
        from = above;
    }
    if end == text.len() && !text.ends_with(b"\n") {
        from = scene.trimmed(from);
    }
    from..end
}

/// Returns the patches that remove an entry of the flow collection `parent`, with one comma,
/// and with its line if nothing else is on it.
fn flow_removal(scene: &Scene, parent: usize, all: &[Entry], index: usize) -> Vec<Patch> {
    let (text, node) = (scene.text.as_bytes(), &scene.tree.nodes[parent]);
    if node.event.len == 0 {
        // A pair without braces has exactly one entry.
        return vec![Patch { at: node.content..node.end, new: "{}".to_owned() }];
    }
    if let Some(patches) = comma_line_removal(scene, all, index) {
        return patches;
    }
    let at = flow_range(scene, parent, all, index);
    let mut patches = vec![Patch { at: at.clone(), new: String::new() }];
    // The comma before the last entry may be followed by a comment of the previous entry.
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

/// Returns the patches that remove an entry of a flow collection if the line of the next entry
/// starts with a comma. Comments above that line stay. Returns `None` for other entries.
fn comma_line_removal(scene: &Scene, all: &[Entry], index: usize) -> Option<Vec<Patch>> {
    let (text, entry) = (scene.text.as_bytes(), &all[index]);
    let next = all.get(index + 1).filter(|next| follows_comma(text, next.start))?;
    let first = skip_blanks(text, line_start(text, entry.start));
    let is_line = starts_line(text, entry.start) || follows_comma(text, entry.start);
    let at = match index.checked_sub(1) {
        _ if is_line => block_start(text, first)..line_end(text, entry.end),
        Some(before) => skip_trivia(text, all[before].end)..entry.end,
        None if is_blank(scene, entry.end..skip_trivia(text, entry.end)) => {
            let at = entry.start..next.start;
            return Some(vec![Patch { at, new: String::new() }]);
        }
        None => after_bracket(scene, entry)..scene.content_end(entry.end),
    };
    let comma = skip_blanks(text, line_start(text, next.start));
    let comma = if index == 0 { comma..next.start } else { comma..comma };
    Some([at, comma].map(|at| Patch { at, new: String::new() }).into())
}

/// Returns the range to remove for the entry with the index `index` of the flow collection
/// `parent`.
fn flow_range(scene: &Scene, parent: usize, all: &[Entry], index: usize) -> Range<usize> {
    let (text, entry) = (scene.text.as_bytes(), &all[index]);
    let node = &scene.tree.nodes[parent];
    let comma = skip_trivia(text, entry.end);
    let has_comma = text.get(comma) == Some(&b',');
    let after = if has_comma { comma + 1 } else { entry.end };
    if all.len() == 1 {
        return node.content + 1..node.end - 1;
    }
    let rest = skip_blanks(text, after);
    let ends_line = matches!(text.get(rest), Some(b'\n' | b'\r' | b'#'));
    if starts_line(text, entry.start) && ends_line {
        let (from, end) = (block_start(text, entry.start), line_end(text, after));
        let (above, below) = (blank_above(text, from), blank_below(text, end));
        return match index {
            0 => from..below,
            _ if index + 1 == all.len() || (above < from && below > end) => above..end,
            _ => from..end,
        };
    }
    match (all.get(index + 1), index) {
        (Some(next), _) if line_start(text, next.start) <= entry.end => entry.start..next.start,
        // The blanks before the entry would be left at the end of the previous line.
        (Some(_), 1..) if ends_line => skip_trivia(text, all[index - 1].end) + 1..after,
        // The comment of the entry is on the line of the bracket.
        (Some(next), 0) if text.get(rest) == Some(&b'#') => {
            let line = scene.content_end(rest);
            let is_next = scene.text[line..next.start].trim().is_empty();
            entry.start..if is_next { next.start } else { line }
        }
        (Some(next), 0) if ends_line && is_blank(scene, after..next.start) => {
            entry.start..next.start
        }
        (Some(_), 0) if ends_line => after_bracket(scene, entry)..after,
        (Some(_), _) => entry.start..skip_blanks(text, after),
        (None, 0) => entry.start..after,
        (None, _) => last_flow_range(scene, all[index - 1].end, entry),
    }
}

/// Returns whether the text in `range` is only white space.
fn is_blank(scene: &Scene, range: Range<usize>) -> bool {
    scene.text[range].trim().is_empty()
}

/// Returns the offset after the opening bracket if only blanks are between it and `entry`, the
/// first entry of a flow collection; otherwise the start of the entry.
fn after_bracket(scene: &Scene, entry: &Entry) -> usize {
    let blanks = scene.text[..entry.start].trim_end_matches([' ', '\t']);
    if blanks.ends_with(['[', '{']) { blanks.len() } else { entry.start }
}

/// Returns the range to remove for `entry`, the last one of a flow collection. `before` is the
/// end of the previous entry, whose comment stays.
fn last_flow_range(scene: &Scene, before: usize, entry: &Entry) -> Range<usize> {
    let text = scene.text.as_bytes();
    let comma = skip_trivia(text, before);
    let has_comment = |range: Range<usize>| scene.text[range].contains('#');
    if comma < entry.start && has_comment(before..comma) {
        // If the comma starts the line, the comment of the entry is removed with the line.
        let line = scene.content_end(entry.end);
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
    before..if is_own { scene.content_end(entry.end) } else { entry.end }
}

/// Returns the end of the blank lines that start at `at`, or `at` if there are none.
fn blank_below(text: &[u8], mut at: usize) -> usize {
    while at < text.len() && line_at(text, at) == Line::Blank {
        at = line_end(text, at);
    }
    at
}
