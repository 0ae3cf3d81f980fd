//! Moving and copying entries, with their comments.

use super::aliases::NameCounts;
use super::collections::Slot;
use super::error::{EditError, EditErrorKind};
use super::index::index_of;
use super::lines::{
    Entry, block_start, entries, follows_comma, line_start, lines_end, owned_end, skip_blanks,
    starts_line,
};
use super::operation::Operation;
use super::pieces::Patch;
use super::scene::{Plan, Scene, aliases};
use super::tree::{Shape, Token};
use super::write::{Traits, Value, key_source, quoted};
use crate::event::EventKind;
use crate::path::Step;
use std::collections::HashSet;
use std::ops::Range;

/// Where a moved node goes.
pub(super) struct Place {
    pub parents: Vec<Step>,
    /// The new key; `None` in a sequence.
    pub key: Option<String>,
}

/// A node that is moved or copied, as it was before.
pub(super) struct Lifted {
    pub value: Value,
    lines: Option<Lines>,
    comments: OwnComments,
    /// Whether it has no anchors and aliases, so that only its value moves.
    pub is_plain: bool,
    /// Its anchors and aliases.
    pub names: Names,
    /// The source of its key, if that is a scalar.
    key: Option<String>,
    /// Whether its key has an anchor or is an alias.
    pub is_key_named: bool,
    was_in_flow: bool,
    /// Whether it was the item of a sequence.
    is_item: bool,
}

/// An entry as it was written.
struct Lines {
    /// The comments above it.
    leading: Vec<String>,
    /// What comes after its colon or dash, with the comment there.
    rest: String,
    /// The columns of the entry and of the collection in it.
    column: usize,
    content: Option<usize>,
}

/// The anchors and aliases of a node.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// The names of its anchors.
    pub anchors: HashSet<String>,
    /// The names of its aliases that refer to anchors before it.
    pub outer: HashSet<String>,
}

impl Lifted {
    /// Returns whether it has no key in the mapping that it is moved to. `key` is its new key, or
    /// `None` in a sequence.
    pub fn lacks_key(&self, operation: &Operation, key: Option<&str>) -> bool {
        let has_new = operation.key.is_some() || operation.target.is_some();
        self.is_item && !has_new && key.is_some()
    }
}

impl Lifted {
    /// Returns the key that it gets in its new collection; `None` in a sequence. A number in a path is
    /// text if the old key is, or the document is JSON.
    pub fn new_key(
        &self,
        operation: &Operation,
        is_sequence: bool,
        is_json: bool,
    ) -> Option<String> {
        if is_sequence {
            return None;
        }
        let was_text = self.key.as_ref().is_some_and(|key| key.starts_with('"'));
        if let Some(target) = &operation.target {
            return target.last().map(|step| key_source(step, was_text || is_json));
        }
        let old = || operation.path.last().map(|step| key_source(step, is_json));
        operation.key.clone().or_else(|| self.key.clone()).or_else(old)
    }
}

impl Names {
    fn of(tokens: &[Token]) -> Names {
        let mut names = Names::default();
        for token in tokens {
            match token {
                Token::Anchor(name) => drop(names.anchors.insert(name.clone())),
                Token::Alias(name) if !names.anchors.contains(name) => {
                    names.outer.insert(name.clone());
                }
                _ => {}
            }
        }
        names
    }

    /// Returns whether all aliases refer to the same nodes wherever the node is, if it is after the
    /// anchors that its aliases refer to. `others` are the names outside it.
    pub fn are_free(&self, others: &NameCounts) -> bool {
        self.anchors.iter().all(|name| others.aliases(name) == 0 && !self.outer.contains(name))
            && self.outer.iter().all(|name| others.anchors(name) == 1)
    }
}

/// The comments of an entry, each with its `#`; the trailing one with the blanks before it.
#[derive(Default)]
struct OwnComments {
    leading: Vec<String>,
    trailing: String,
}

impl Scene {
    /// Returns whether an entry is moved to where it is. A neighbour in a mapping is not looked up.
    fn is_in_place(&self, operation: &Operation) -> Result<bool, EditError> {
        let node = self.existing(operation, &operation.path)?;
        let Some((parent, index, entry)) = self.entry_of(node) else { return Ok(false) };
        let count =
            self.tree.nodes[parent].children.len() / if entry.key.is_some() { 2 } else { 1 };
        Ok(keeps_place(operation, (index, count), entry.key.is_some()))
    }

    /// Moves or copies an entry to another collection, or within its own.
    pub(super) fn transfer(&mut self, operation: &Operation) -> Result<(), EditError> {
        if self.is_in_place(operation)? {
            return Ok(());
        }
        let lifted = self.lift(operation)?;
        let is_move = operation.op == "move";
        if is_move && destination(operation).starts_with(&operation.path) {
            let error = EditError::plain(EditErrorKind::BadOperation);
            return Err(error.with_detail("a node cannot be moved into itself".to_owned()));
        }
        // An error shows the text as it is before the removal.
        if operation.target.is_none() {
            let parent = self.existing(operation, &operation.to_path)?;
            self.index_for(operation, self.followed(operation, parent)?)?;
        }
        let before = (!lifted.is_plain).then(|| references(&self.tree.tokens));
        self.are_aliases_loose = before.is_some();
        let removed = if is_move { self.removed_index(operation)? } else { None };
        if is_move {
            self.delete(operation, &operation.path)?;
        }
        let (place, placed) = self.place_of(operation, removed, &lifted)?;
        if lifted.lacks_key(operation, place.key.as_deref()) {
            let error = EditError::plain(EditErrorKind::BadOperation);
            return Err(error.with_detail("an item in a mapping needs `key`".to_owned()));
        }
        let at = self.put(&placed, &place, &lifted.value)?;
        self.are_aliases_loose = false;
        if let Some(before) = before {
            self.check_references(before, is_move)?;
        }
        self.restore_entry(operation, &place, at, &lifted)
    }

    /// Reads the node that an operation moves or copies.
    pub(super) fn lift(&self, operation: &Operation) -> Result<Lifted, EditError> {
        let node = self.existing(operation, &operation.path)?;
        let Some((_, _, entry)) = self.entry_of(node) else {
            return Err(self.refuse(EditErrorKind::KindMismatch, self.tree.nodes[node].start));
        };
        let is_move = operation.op == "move";
        let traits = Traits { styles: true, tags: true, anchors: is_move };
        let is_reference = |token: &Token| matches!(token, Token::Anchor(_) | Token::Alias(_));
        Ok(Lifted {
            value: Value::copy(&self.text, &self.tree, node, traits)?,
            lines: self.lines_of(node, &entry, is_move),
            comments: self.own_comments(node, &entry),
            is_plain: !self.tree.whole(node).iter().any(is_reference),
            names: Names::of(self.tree.whole(node)),
            was_in_flow: self.is_in_flow(node),
            is_item: entry.key.is_none(),
            key: entry.key.and_then(|key| self.key_source_of(key)),
            is_key_named: entry
                .key
                .is_some_and(|key| self.tree.whole(key).iter().any(is_reference)),
        })
    }

    /// Returns a key as the source of a new one; `None` if it is not a scalar.
    fn key_source_of(&self, key: usize) -> Option<String> {
        let node = &self.tree.nodes[key];
        match self.tree.content(key) {
            [Token::Text(text)] => Some(quoted(text, EventKind::DoubleQuoted)),
            [Token::Value(_)] if !node.is_absent() => {
                Some(self.text[node.content..node.end].to_owned())
            }
            _ => None,
        }
    }

    /// Returns the index of the item that an operation moves, if its parent is a sequence.
    fn removed_index(&self, operation: &Operation) -> Result<Option<usize>, EditError> {
        let node = self.existing(operation, &operation.path)?;
        let Some(parent) = self.tree.nodes[node].parent else { return Ok(None) };
        let parent = &self.tree.nodes[parent];
        let at = parent.children.iter().position(|&child| child == node);
        Ok(at.filter(|_| parent.shape == Shape::Sequence))
    }

    /// Returns where the node goes after the one at index `removed` of its old sequence is gone,
    /// and the operation that puts it there.
    fn place_of(
        &self,
        operation: &Operation,
        removed: Option<usize>,
        lifted: &Lifted,
    ) -> Result<(Place, Operation), EditError> {
        let (parents, placed) = after_removal(operation, removed);
        let parent = self.existing(operation, &parents)?;
        let parent = self.followed(operation, parent)?;
        let is_sequence = self.tree.nodes[parent].shape == Shape::Sequence;
        let key = lifted.new_key(operation, is_sequence, self.habits().is_json);
        Ok((Place { parents, key }, placed))
    }

    /// Inserts the value. Returns its index; `None` if it is the last entry, or one with a key.
    pub(super) fn put(
        &mut self,
        operation: &Operation,
        place: &Place,
        value: &Value,
    ) -> Result<Option<usize>, EditError> {
        let parent = self.existing(operation, &place.parents)?;
        let parent = self.followed(operation, parent)?;
        let node = &self.tree.nodes[parent];
        if let Some(target) = &operation.target {
            let count = node.children.len();
            let mut path = target.clone();
            if let (Some(Step::Name(name)), Some(key)) = (target.last(), &place.key)
                && key.starts_with('"')
                && !self.leads_to_node(operation, target)
            {
                path.pop();
                path.push(Step::Key(name.clone()));
            }
            self.add(operation, &path, value)?;
            let at = target.last().and_then(index_of).and_then(|at| usize::try_from(at).ok());
            return Ok(at.filter(|&at| at < count));
        }
        if node.shape == Shape::Scalar && !self.is_null(parent) {
            return Err(self.refuse(EditErrorKind::KindMismatch, node.start));
        }
        if node.shape == Shape::Scalar {
            self.fill_empty(parent, place.key.as_deref(), value)?;
            return Ok(None);
        }
        let key = place.key.as_deref();
        let at = self.index_for(operation, parent)?;
        let slot = Slot { at, is_after: operation.after.is_some() };
        self.insert_at(parent, key, value, slot)?;
        Ok(at)
    }

    /// Returns an error if an alias of the result refers to another node than before.
    fn check_references(
        &self,
        before: Vec<(String, Option<Vec<Token>>)>,
        is_move: bool,
    ) -> Result<(), EditError> {
        let after = references(&self.tree.tokens);
        let is_lost = after.iter().any(|(_, target)| target.is_none());
        let had_lost = before.iter().any(|(_, target)| target.is_none());
        if is_lost && !had_lost {
            return Err(EditError::plain(EditErrorKind::AnchorInUse)
                .with_detail("an alias would come before its anchor".to_owned()));
        }
        let is_same = match is_move {
            true => after == before,
            // A copy adds aliases.
            false => after.len() >= before.len(),
        };
        match is_same {
            true => Ok(()),
            false => Err(EditError::plain(EditErrorKind::WouldChangeMeaning)),
        }
    }

    /// Returns an entry as it is written, if it has lines of its own.
    fn lines_of(&self, node: usize, entry: &Entry, with_anchor: bool) -> Option<Lines> {
        let text = self.text.as_bytes();
        if self.is_in_flow(node) {
            return None;
        }
        let line = line_start(text, entry.start);
        let column = entry.start - line;
        let leading = match starts_line(text, entry.start) {
            true => &self.text[block_start(text, entry.start)..line],
            false => "",
        };
        let mark = entry.after_mark?;
        let found = &self.tree.nodes[node];
        let end = self.trimmed(owned_end(text, &self.tree, entry)).max(mark);
        let rest = match with_anchor {
            true => self.text[mark..end].to_owned(),
            false => self.without_anchors(mark..end),
        };
        let is_block = !found.is_flow && !found.children.is_empty();
        Some(Lines {
            leading: leading.lines().map(str::to_owned).collect(),
            rest,
            column,
            content: is_block.then(|| self.column(found.content)),
        })
    }

    /// Returns a part of the text without its anchors.
    pub(super) fn without_anchors(&self, range: Range<usize>) -> String {
        let nodes = &self.tree.nodes;
        let first = nodes.partition_point(|node| node.start < range.start);
        let nodes = nodes[first..].iter().take_while(|node| node.start < range.end);
        let mut text = String::new();
        let mut from = range.start;
        for anchor in nodes.filter_map(|node| node.anchor.as_ref()) {
            text.push_str(&self.text[from..anchor.start]);
            let next = skip_blanks(self.text.as_bytes(), anchor.end);
            from = match self.text.as_bytes().get(next) {
                // The blanks before it go with it, and not those before a comment.
                None | Some(b'\n' | b'\r' | b'#') => {
                    text.truncate(text.trim_end_matches([' ', '\t']).len());
                    anchor.end
                }
                _ => next,
            };
        }
        text + &self.text[from..range.end]
    }

    /// Writes a moved entry as it was, at its new column, if that means the same. Where shifting
    /// would change the content, it stays as newly written. `at` is its index, or `None` if it is the
    /// last entry or has a key.
    pub(super) fn restore_entry(
        &mut self,
        operation: &Operation,
        place: &Place,
        at: Option<usize>,
        lifted: &Lifted,
    ) -> Result<(), EditError> {
        let Some((parent, entry)) = self.new_entry(operation, place, at) else { return Ok(()) };
        let lines = lifted.lines.as_ref().filter(|_| !self.tree.nodes[parent].is_flow);
        match lines.and_then(|lines| self.old_lines(parent, &entry, lines)) {
            Some((patch, fallback)) => {
                let whole = Plan::of_layout(vec![patch]);
                if self.commit(whole).is_err() {
                    let _ = self.commit(Plan::of_layout(vec![fallback]));
                }
            }
            None => {
                let patches = self.comment_patches(parent, &entry, lifted)?;
                let _ = self.commit(Plan::of_layout(patches));
            }
        }
        Ok(())
    }

    /// Returns the comments that an entry owns. In a flow collection, it owns some only if it is the
    /// first one on its line.
    fn own_comments(&self, node: usize, entry: &Entry) -> OwnComments {
        let text = self.text.as_bytes();
        let is_in_flow = self.is_in_flow(node);
        let first = self.first_on_line(entry);
        if is_in_flow && first.is_none() && !self.follows_bracket(node, entry) {
            return OwnComments::default();
        }
        let above = match first.filter(|_| !is_in_flow || self.ends_line(entry)) {
            Some(first) => &self.text[block_start(text, first)..line_start(text, first)],
            None => "",
        };
        let trailing = if is_in_flow {
            let trail = self.trail(entry);
            trail.blanks.start..trail.comment.end
        } else {
            let (head, end) = self.trailing_place(node, entry);
            let comment = self.comment_start(head, end);
            let blanks = |at: usize| self.text[head..at].trim_end_matches([' ', '\t']).len();
            comment.map_or(end, |at| head + blanks(at))..end
        };
        OwnComments {
            leading: above.lines().map(|line| line.trim_start().to_owned()).collect(),
            trailing: self.text[trailing].to_owned(),
        }
    }

    /// Returns where the line of an entry starts after its blanks: at the entry, or at the comma of a
    /// flow collection before it. `None` if something else precedes the entry.
    fn first_on_line(&self, entry: &Entry) -> Option<usize> {
        let text = self.text.as_bytes();
        let first = || skip_blanks(text, line_start(text, entry.start));
        (starts_line(text, entry.start) || follows_comma(text, entry.start)).then(first)
    }

    /// Returns whether no other entry of its flow collection follows an entry on its line.
    fn ends_line(&self, entry: &Entry) -> bool {
        let text = self.text.as_bytes();
        let comma = skip_blanks(text, entry.end);
        let is_comma = text.get(comma) == Some(&b',');
        let next = if is_comma { skip_blanks(text, comma + 1) } else { comma };
        matches!(text.get(next), None | Some(b'\n' | b'\r' | b'#' | b']' | b'}'))
    }

    /// Returns whether only blanks are between an entry and the bracket of its flow collection.
    fn follows_bracket(&self, node: usize, entry: &Entry) -> bool {
        let parent = self.tree.nodes[node].parent.map(|parent| &self.tree.nodes[parent]);
        let parent = parent.filter(|parent| parent.is_flow && parent.event.len > 0);
        parent.is_some_and(|parent| {
            skip_blanks(self.text.as_bytes(), parent.content + 1) >= entry.start
        })
    }

    /// Returns the patches that write comments above and after an entry. On a line of a flow collection
    /// that other entries share, those from a block collection are dropped, and others are an error.
    fn comment_patches(
        &self,
        parent: usize,
        entry: &Entry,
        lifted: &Lifted,
    ) -> Result<Vec<Patch>, EditError> {
        let (text, comments) = (self.text.as_bytes(), &lifted.comments);
        let is_flow = self.tree.nodes[parent].is_flow;
        let mut patches = Vec::new();
        let head = match is_flow {
            true => self.trail(entry).blanks.start,
            false => self.trailing_place(entry.value, entry).0,
        };
        let is_line_end = self.text[head..self.content_end(head)].trim().is_empty();
        let (trailing, above) = match is_line_end {
            true => (&*comments.trailing, ""),
            // Something follows on the line, such as the bracket.
            false => ("", comments.trailing.trim_start()),
        };
        let first = self.first_on_line(entry);
        let has_above = !comments.leading.is_empty() || !above.is_empty();
        if is_flow && has_above && first.is_none() && lifted.was_in_flow {
            let error = self.refuse(EditErrorKind::KindMismatch, entry.start);
            let message = "the comments of the entry have no place on this line";
            return Err(error.with_detail(message.to_owned()));
        }
        if let Some(first) = first {
            let at = line_start(text, first);
            let indent = &self.text[at..first];
            let lines = comments.leading.iter().map(|line| &**line);
            let lines = lines.chain([above].into_iter().filter(|line| !line.is_empty()));
            let lines = lines.map(|line| format!("{indent}{line}\n"));
            patches.push(Patch { at: at..at, new: lines.collect() });
        }
        patches.push(Patch { at: head..head, new: trailing.to_owned() });
        Ok(patches)
    }

    /// Returns the collection that an entry was moved into, and the entry.
    fn new_entry(
        &self,
        operation: &Operation,
        place: &Place,
        at: Option<usize>,
    ) -> Option<(usize, Entry)> {
        let parent = self.existing(operation, &place.parents).ok()?;
        let parent = self.followed(operation, parent).ok()?;
        let all = entries(self.text.as_bytes(), &self.tree, parent);
        let key = place.key.as_deref().map(Value::parse).transpose().ok()?;
        let entry = match (&key, at) {
            (Some(key), _) => all.iter().find(|entry| {
                entry.key.is_some_and(|other| self.tree.content(other) == key.tokens())
            })?,
            (None, Some(at)) => all.get(at)?,
            (None, None) => all.last()?,
        };
        Some((parent, *entry))
    }

    /// Returns the new entry as it was written before: with its comments, or without those above
    /// it.
    fn old_lines(&self, parent: usize, entry: &Entry, lines: &Lines) -> Option<(Patch, Patch)> {
        let text = self.text.as_bytes();
        let step = if self.tree.nodes[parent].shape == Shape::Mapping { 2 } else { 1 };
        let column = self.column(entry.start);
        let mark = entry.after_mark?;
        let head = &self.text[entry.start..mark];
        let content = self.tree.nodes[entry.value].content;
        let delta = match lines.content {
            Some(old) => (old, self.column(content)),
            None => (lines.column, column),
        };
        let rest = shifted_rest(lines, delta, step == 2);
        let at = self.trimmed(lines_end(text, entry));
        let indent = " ".repeat(column);
        let mut above: String =
            lines.leading.iter().map(|line| format!("{}\n{indent}", line.trim_start())).collect();
        let new = format!("{head}{rest}");
        let plain = Patch { at: entry.start..at, new: new.clone() };
        above.push_str(&new);
        Some((Patch { at: entry.start..at, new: above }, plain))
    }

    /// Replaces a copy of a collection with its original lines, if they mean the same.
    pub(super) fn restore_lines(&mut self, node: usize, source: &str, from: usize) {
        let found = &self.tree.nodes[node];
        let column = self.column(found.content);
        let mut lines = source.split('\n');
        let first = lines.next().unwrap_or_default().to_owned();
        let rest = lines.map(|line| shifted(line, from, column));
        let lines: Vec<String> = std::iter::once(first).chain(rest).collect();
        let at = found.content..self.trimmed(found.end);
        let _ = self.commit(Plan::of_layout(vec![Patch { at, new: lines.join("\n") }]));
    }
}

/// Returns the path of the collection that a node is moved into.
pub(super) fn destination(operation: &Operation) -> &[Step] {
    match &operation.target {
        Some(target) => &target[..target.len().saturating_sub(1)],
        None => &operation.to_path,
    }
}

/// Returns whether an operation moves the entry at `index` of a collection of `count` to where it is.
pub(super) fn keeps_place(
    operation: &Operation,
    (index, count): (usize, usize),
    is_pair: bool,
) -> bool {
    let is_same = operation.path.split_last().is_some_and(|(_, old)| destination(operation) == old);
    if operation.op != "move" || !is_same || operation.target.is_some() || operation.key.is_some() {
        return false;
    }
    if let Some(neighbor) = operation.before.as_ref().or(operation.after.as_ref()) {
        let is_before = operation.before.is_some();
        return match (is_pair, neighbor.parse::<usize>()) {
            (true, _) => operation.path.last().is_some_and(|own| names(own, neighbor)),
            (false, Ok(at)) if is_before => at == index || at < count && at == index + 1,
            (false, Ok(at)) => at == index || at + 1 == index,
            (false, Err(_)) => false,
        };
    }
    if operation.first { index == 0 } else { operation.index.unwrap_or(count - 1) == index }
}

/// Returns whether a step leads to the entry whose key is given as text.
fn names(step: &Step, key: &str) -> bool {
    match step {
        Step::Key(name) | Step::Name(name) | Step::Plain(name) => name == key,
        Step::Index(index) => key.parse() == Ok(*index),
        _ => false,
    }
}

/// Returns the path of the collection that a node is moved into, and the operation, both after the
/// item at index `removed` of its old sequence is gone.
pub(super) fn after_removal(
    operation: &Operation,
    removed: Option<usize>,
) -> (Vec<Step>, Operation) {
    let mut parents = destination(operation).to_vec();
    let mut placed = operation.clone();
    let (Some(removed), Some((_, old))) = (removed, operation.path.split_last()) else {
        return (parents, placed);
    };
    let depth = old.len();
    // RFC 6902 counts after the removal, and `to` before it.
    let counts_before = operation.target.is_none();
    if counts_before
        && parents.len() > depth
        && parents[..depth] == *old
        && let Some(Step::Index(index)) = parents.get_mut(depth)
    {
        *index -= i64::from(*index > removed as i64);
    }
    if counts_before && parents == *old {
        for neighbor in [&mut placed.before, &mut placed.after].into_iter().flatten() {
            if let Ok(at) = neighbor.parse::<usize>() {
                *neighbor = (at - usize::from(at > removed)).to_string();
            }
        }
    }
    (parents, placed)
}

/// Returns what comes after the colon or dash of the entry, moved to another column.
fn shifted_rest(lines: &Lines, (from, to): (usize, usize), is_pair: bool) -> String {
    let mut rest = lines.rest.split('\n');
    let first = rest.next().unwrap_or_default();
    let mut below: Vec<String> = rest.map(|line| shifted(line, from, to)).collect();
    let is_compact = lines.content.is_some() && !first.trim().is_empty();
    let starts_content = is_compact && !first.trim_start().starts_with(['#', '&', '!']);
    match (is_pair, starts_content) {
        // After a colon, a collection starts on the next line.
        (true, true) => {
            below.insert(0, format!("{}{}", " ".repeat(to), first.trim_start()));
            format!("\n{}", below.join("\n"))
        }
        // After a dash, it starts on that line if nothing else is there.
        (false, false) if first.trim().is_empty() && lines.content.is_some() => {
            let Some(next) = below.first_mut() else { return first.to_owned() };
            *next = format!(" {}", next.trim_start());
            below.join("\n")
        }
        _ => std::iter::once(first.to_owned()).chain(below).collect::<Vec<_>>().join("\n"),
    }
}

/// Returns a line moved from one column to another.
pub(super) fn shifted(line: &str, from: usize, to: usize) -> String {
    if from == to {
        return line.to_owned();
    }
    let blanks = line.len() - line.trim_start_matches(' ').len();
    if line.trim().is_empty() {
        let (blank, end) = line.strip_suffix('\r').map_or((line, ""), |blank| (blank, "\r"));
        return format!("{}{end}", blank.trim_matches(' '));
    }
    format!("{}{}", " ".repeat((blanks + to).saturating_sub(from)), &line[blanks..])
}

/// Returns the aliases of a text, sorted, each with the content that it refers to.
fn references(tokens: &[Token]) -> Vec<(String, Option<Vec<Token>>)> {
    let mut found: Vec<_> = aliases(tokens)
        .into_iter()
        .map(|(alias, target)| {
            let name = match &tokens[alias] {
                Token::Alias(name) => name.clone(),
                _ => String::new(),
            };
            (name, target.map(|target| content_after(tokens, target).to_vec()))
        })
        .collect();
    found.sort();
    found
}

/// Returns the tokens of the node that a property belongs to.
fn content_after(tokens: &[Token], at: usize) -> &[Token] {
    let (mut depth, mut end) = (0usize, at);
    for token in &tokens[at..] {
        end += 1;
        match token {
            Token::Anchor(_) | Token::Tag(_) => continue,
            Token::Sequence | Token::Mapping => depth += 1,
            Token::End => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    &tokens[at..end]
}
