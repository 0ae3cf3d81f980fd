//! Operations on the entries of collections: inserting and renaming them, and changing their
//! comments.

use super::error::{EditError, EditErrorKind};
use super::lines::{
    Entry, blank_above, block_start, dangling_end, deeper_end, entries, follows_comma,
    head_comment, is_marker, is_set_apart, line_end, line_start, lines_end, skip_blanks,
    starts_line,
};
use super::operation::{Action, CommentPlace, Operation};
use super::pieces::Patch;
use super::plan::{Found, blanks_after, is_key};
use super::scene::{Place, Plan, Scene, Slot, Splice};
use super::tree::{Shape, Token, Tree};
use super::write::{Value, Written, is_plain, quoted};
use super::{foreign, key_nodes, replace, spread, typed};
use ketch_yaml::EventKind;
use ketch_yaml::path::Step;

impl Scene {
    /// Runs the operations `insert` and `append`.
    pub(super) fn insert(&mut self, operation: &Operation, value: Value) -> Result<(), EditError> {
        let Found::Node(parent) = self.find(operation, &operation.path)? else {
            if matches!(operation.action, Action::Append(_)) {
                let list = Value::holding(None, &value)?;
                self.set(operation, &operation.path, &list)?;
                return self.bring_entry(operation, None, &value);
            }
            return self.existing(operation, &operation.path).map(|_| ());
        };
        let parent = self.followed(operation, parent)?;
        let node = &self.tree.nodes[parent];
        if self.is_null(parent) {
            if node.is_absent() && node.parent.is_none() {
                let holder = Value::holding(operation.action.key(), &value)?;
                return self.fill_document(operation.doc, &holder);
            }
            self.fill_empty(parent, operation.action.key(), &value)?;
            return self.bring_entry(operation, None, &value);
        }
        let needed =
            if operation.action.key().is_some() { Shape::Mapping } else { Shape::Sequence };
        if node.shape != needed {
            let error = self.refuse(EditErrorKind::KindMismatch, node.start);
            return Err(match node.shape {
                Shape::Mapping => {
                    error.with_detail("a new entry of a mapping needs `key`".to_owned())
                }
                Shape::Sequence => error.with_detail("an item of a sequence has no key".to_owned()),
                _ => error.with_detail("a scalar has no entries".to_owned()),
            });
        }
        let at = self.index_for(operation, parent)?;
        let slot = Slot { at, is_after: operation.action.position().is_after() };
        self.remarks.extend(replace::expected_text(self, operation, parent, &value));
        let key = operation.action.key().map(|key| match key.parse::<i64>() {
            Ok(_) if operation.is_typed => {
                typed::key_at(self, Some(parent), &Step::Name(key.to_owned()))
            }
            _ => Ok(key.to_owned()),
        });
        self.insert_at(parent, key.transpose()?.as_deref(), &value, slot)?;
        self.bring_entry(operation, at, &value)
    }

    /// Writes the new entry of the operation's collection as in the text that `value` comes from.
    /// `at` is its index, or `None` if it is the last one.
    fn bring_entry(
        &mut self,
        operation: &Operation,
        at: Option<usize>,
        value: &Value,
    ) -> Result<(), EditError> {
        let place = Place {
            parents: operation.path.clone(),
            key: operation.action.key().map(str::to_owned),
        };
        foreign::bring(self, operation, (&place, at), value)
    }

    /// Returns the index of the existing entry of `parent` that will follow the new one; `None` if
    /// the new one comes last.
    pub(super) fn index_for(
        &self,
        operation: &Operation,
        parent: usize,
    ) -> Result<Option<usize>, EditError> {
        let node = &self.tree.nodes[parent];
        let all = entries(self.text.as_bytes(), &self.tree, parent);
        let position = operation.action.position();
        let Some(neighbor) = position.neighbor() else {
            let at = position.index();
            if let Some(at) = at.filter(|&at| at > all.len()) {
                return Err(self.no_entry(parent, &Step::Index(at as i64)));
            }
            return Ok(at.filter(|&at| at < all.len()));
        };
        let is_neighbor = |(index, entry): (usize, &Entry)| match entry.key {
            Some(key) => is_key(self.tree.content(key), &Step::Name(neighbor.to_owned())),
            None => neighbor.parse() == Ok(index),
        };
        let at = all.iter().enumerate().position(is_neighbor);
        let at = at.ok_or_else(|| {
            let index = neighbor.parse().ok().filter(|_| node.shape == Shape::Sequence);
            self.no_entry(
                parent,
                &index.map_or_else(|| Step::Name(neighbor.to_owned()), Step::Index),
            )
        })?;
        let at = at + usize::from(position.is_after());
        Ok(Some(at).filter(|&at| at < all.len()))
    }

    /// Returns the error that the collection `parent` has no entry at `step`.
    fn no_entry(&self, parent: usize, step: &Step) -> EditError {
        let error = self.refuse(EditErrorKind::NotFound, self.tree.nodes[parent].start);
        error.with_detail(self.missing(parent, step))
    }

    /// Adds an entry to the collection `parent`: before the entry with the index `at`, or at the
    /// end.
    pub(super) fn insert_entry(
        &mut self,
        parent: usize,
        key: Option<&str>,
        value: &Value,
        at: Option<usize>,
    ) -> Result<(), EditError> {
        self.insert_at(parent, key, value, Slot { at, is_after: false })
    }

    /// Adds an entry to the collection `parent`, at the place `slot`.
    pub(super) fn insert_at(
        &mut self,
        parent: usize,
        key: Option<&str>,
        value: &Value,
        mut slot: Slot,
    ) -> Result<(), EditError> {
        let key = key.map(|key| self.key_in(key)).transpose()?;
        let source = key.as_deref();
        let key = source.map(Value::parse).transpose()?;
        let node = &self.tree.nodes[parent];
        if let Some(key) = &key {
            let keys = key_nodes::keys(self, parent).map_err(|key| self.unknown_alias(key))?;
            let new = key.tree.content(key.root);
            if let Some((other, _)) = keys.iter().find(|(_, content)| *content == new) {
                let start = self.tree.nodes[*other].start;
                let error = self.refuse(EditErrorKind::DuplicateKey, start);
                let name = source.unwrap_or_default();
                return Err(error.with_detail(format!("the mapping already has the key `{name}`")));
            }
        }
        let count = entries(self.text.as_bytes(), &self.tree, parent).len();
        slot.at = slot.at.filter(|&at| at < count);
        if node.is_flow && node.event.len == 0 {
            let error = self.refuse(EditErrorKind::KindMismatch, node.start);
            let message = "a pair in a flow sequence has no braces, so it can have only one entry";
            return Err(error.with_detail(message.to_owned()));
        }
        if node.children.is_empty() {
            return match node.is_flow && self.text[node.content..node.end].contains('#') {
                true => self.fill_below_comment(parent, key.as_ref(), value),
                false => self.fill_empty(parent, source, value),
            };
        }
        let splice = || self.with_entry(parent, key.as_ref(), value, slot.at);
        if node.is_flow {
            let patches = self.flow_patches(parent, key.as_ref(), value, slot.at);
            return self.commit(Plan { patches, splices: vec![splice()] });
        }
        let patch = self.block_patch(parent, key.as_ref(), value, slot);
        if let Some(patch) = self.set_apart(parent, &patch) {
            // The blank line could become part of a block scalar.
            let plan = Plan { patches: vec![patch], splices: vec![splice()] };
            match self.commit(plan) {
                Err(error) if error.kind() == EditErrorKind::WouldChangeMeaning => {}
                done => return done,
            }
        }
        let splice = self.with_entry(parent, key.as_ref(), value, slot.at);
        self.commit(Plan { patches: vec![patch], splices: vec![splice] })
    }

    /// Returns `patch`, which adds the lines of an entry to the block collection `parent`, with the
    /// blank line that sets the entry apart. Returns `None` unless a blank line separates every two
    /// entries of the collection.
    fn set_apart(&self, parent: usize, patch: &Patch) -> Option<Patch> {
        let text = self.text.as_bytes();
        let all = entries(text, &self.tree, parent);
        if !self.are_apart(parent, &all) {
            return None;
        }
        let at = patch.at.start;
        // The entry that follows, or the start of its line, is where the patch is.
        let is_before = all.iter().any(|entry| {
            entry.start == at
                || starts_line(text, entry.start) && block_start(text, entry.start) == at
        });
        let new = match is_before {
            true => {
                let (lines, indent) = patch.new.rsplit_once('\n')?;
                format!("{lines}\n\n{indent}")
            }
            false if blank_above(text, at) < at => return None,
            false => format!("\n{}", patch.new),
        };
        Some(Patch { at: patch.at.clone(), new })
    }

    /// Returns whether a blank line separates every two entries of `all`, which are those of
    /// `parent`. If a window does not show that, it asks for the whole text.
    pub(super) fn are_apart(&self, parent: usize, all: &[Entry]) -> bool {
        let text = self.text.as_bytes();
        let Some((_, rest @ [_, ..])) = all.split_first() else { return self.was_apart };
        // The line above the first entry of a window may be one of a block scalar outside of it.
        let is_apart =
            |entry: &Entry| is_set_apart(text, entry.start) || self.starts_window(entry.start);
        rest.iter().all(is_apart) && self.is_apart_outside(parent)
    }

    /// Returns the source of a new key: `source` itself or, in JSON, text in double quotes.
    fn key_in(&self, source: &str) -> Result<String, EditError> {
        let key = Value::parse(source)?;
        Ok(match &key.tokens()[..] {
            [Token::Value(text)] if self.habits().is_json => quoted(text, EventKind::DoubleQuoted),
            _ => source.to_owned(),
        })
    }

    /// Gives `parent`, which is an empty collection or a null, its first entry.
    pub(super) fn fill_empty(
        &mut self,
        parent: usize,
        key: Option<&str>,
        value: &Value,
    ) -> Result<(), EditError> {
        self.overwrite(parent, &Value::holding(key, value)?)
    }

    /// Gives `parent`, an empty flow collection with comments inside, its first entry, before the
    /// closing bracket.
    fn fill_below_comment(
        &mut self,
        parent: usize,
        key: Option<&Value>,
        value: &Value,
    ) -> Result<(), EditError> {
        let end = self.tree.nodes[parent].end - 1;
        let value_text = self.writer(value, false).flow(value.root);
        let new = match key {
            Some(key) => format!("{}: {value_text}", self.writer(key, false).flow(key.root)),
            None => value_text,
        };
        let patch = Patch { at: end..end, new };
        let splice = self.with_entry(parent, key, value, None);
        self.commit(Plan { patches: vec![patch], splices: vec![splice] })
    }

    /// Returns the splice that adds the tokens of a new entry to those of the collection `parent`.
    pub(super) fn with_entry(
        &self,
        parent: usize,
        key: Option<&Value>,
        value: &Value,
        at: Option<usize>,
    ) -> Splice {
        let node = &self.tree.nodes[parent];
        let step = if key.is_some() { 2 } else { 1 };
        let place = at.and_then(|at| node.children.get(at * step));
        let place = place.map_or(node.tokens.end - 1, |&child| self.tree.nodes[child].tokens.start);
        let mut new = key.map_or(Vec::new(), Value::tokens);
        new.extend(value.whole());
        Splice::new(place..place, new)
    }

    /// Returns the patch that adds an entry to the block collection `parent`, on lines of its own.
    fn block_patch(&self, parent: usize, key: Option<&Value>, value: &Value, slot: Slot) -> Patch {
        let text = self.text.as_bytes();
        let all = entries(text, &self.tree, parent);
        let near = &all[slot.at.unwrap_or(all.len() - 1)];
        let column = self.column(near.start);
        let mut blanks = near.after_mark.map_or(" ".to_owned(), |mark| blanks_after(text, mark));
        if key.is_none() && !value.children().is_empty() && blanks.contains('\t') {
            // A block collection cannot start after a tab.
            " ".clone_into(&mut blanks);
        }
        let writer = self.writer(value, true);
        let gap = key.is_none().then_some(blanks.len());
        let written = match self.quotes_like(near.value, value, false) {
            Some(quotes) => writer.after_key(value.root, column, Some(quotes)),
            None => match self.flow_beside(&all, slot, value) {
                Some(model) => {
                    Written::line(spread::flow_like(self, &self.writer(value, false), [model]))
                }
                None => writer.inner(value.root, column, gap),
            },
        };
        let mark = match key {
            // The other entry is a key without a value, as in a set, so this one becomes one as
            // well.
            Some(key) if near.after_mark.is_none() && value.is_null() => {
                let key = self.new_key(near, key, false);
                return self.entry_lines(&all, slot, column, &format!("? {key}"));
            }
            Some(key) => match near.key.and_then(|near| self.quotes_like(near, key, false)) {
                Some(_) => format!("{}:", self.new_key(near, key, false)),
                None => self.writer(key, false).key(key.root, column),
            },
            None => "-".to_owned(),
        };
        let blanks = if written.head.is_empty() { "" } else { &blanks };
        let new = format!("{mark}{blanks}{}{}", written.head, written.body);
        self.entry_lines(&all, slot, column, &new)
    }

    /// Returns the value whose style a new value of a block collection follows, if that is a flow
    /// collection. In a sequence, only the nearest of the two neighbours that is a filled
    /// collection of the same shape counts. The values of a mapping differ more, so there both
    /// neighbours must be filled flow collections of that shape.
    fn flow_beside(&self, all: &[Entry], slot: Slot, value: &Value) -> Option<usize> {
        if value.children().is_empty() || value.traits.styles || value.tag().is_some() {
            return None;
        }
        let near = slot.at.unwrap_or(all.len() - 1);
        let is_like = |&at: &usize| {
            let node = &self.tree.nodes[at];
            node.shape == value.shape() && !node.children.is_empty()
        };
        let beside = [Some(near), near.checked_sub(1)].into_iter().flatten();
        let mut beside = beside.map(|at| all[at].value);
        let is_flow = |&at: &usize| is_like(&at) && spread::is_filled_flow(self, at);
        match all[near].key {
            None => beside.find(is_like).filter(is_flow),
            Some(_) => beside.all(|at| is_flow(&at)).then_some(all[near].value),
        }
    }

    /// Formats a new key on one line, with quotes if the key of the entry `near` has quotes without
    /// need.
    fn new_key(&self, near: &Entry, key: &Value, is_flow: bool) -> String {
        let quotes = near.key.and_then(|near| self.quotes_like(near, key, is_flow));
        match (quotes, key.tree.text_of(key.root)) {
            (Some(quotes), Some(text)) => quoted(text, quotes),
            _ => self.writer(key, false).flow(key.root),
        }
    }

    /// Returns the quotes of the node `near`, for a new value beside it. Returns `None` if that
    /// node has no quotes or needs them, or if `value` is not one line of text without a style and
    /// tag of its own.
    fn quotes_like(&self, near: usize, value: &Value, is_flow: bool) -> Option<EventKind> {
        let text = |tree: &Tree, node: usize| match tree.content(node) {
            [Token::Text(text)] => Some(text.clone()),
            _ => None,
        };
        let is_line = text(&value.tree, value.root).is_some_and(|text| !text.contains('\n'));
        let style = self.tree.nodes[near].event.kind;
        let is_quoted = matches!(style, EventKind::SingleQuoted | EventKind::DoubleQuoted);
        let needs_none = || text(&self.tree, near).is_some_and(|text| is_plain(&text, is_flow));
        let is_free = !value.keeps_style() && value.tag().is_none();
        (is_line && is_quoted && is_free && needs_none()).then_some(style)
    }

    /// Returns the patch that adds the lines `new` of an entry. Their first line has no
    /// indentation, and their last one no line break.
    fn entry_lines(&self, all: &[Entry], slot: Slot, column: usize, new: &str) -> Patch {
        let text = self.text.as_bytes();
        let indent = " ".repeat(column);
        let before = slot.at.filter(|_| slot.is_after).and_then(|at| at.checked_sub(1));
        if let Some(before) = before {
            let end = deeper_end(text, lines_end(text, &all[before]), column);
            return Patch { at: end..end, new: format!("{indent}{new}\n") };
        }
        if let Some(entry) = slot.at.map(|at| &all[at]) {
            if !starts_line(text, entry.start) {
                return Patch { at: entry.start..entry.start, new: format!("{new}\n{indent}") };
            }
            let at = block_start(text, entry.start);
            return Patch { at: at..at, new: format!("{indent}{new}\n") };
        }
        let end = lines_end(text, &all[all.len() - 1]);
        let at = dangling_end(text, end, column);
        if at > 0 && text[at - 1] != b'\n' {
            return Patch { at: at..at, new: format!("\n{indent}{new}") };
        }
        Patch { at: at..at, new: format!("{indent}{new}\n") }
    }

    /// Returns the patches that add an entry to the flow collection `parent`, with separators like
    /// those of its other entries.
    fn flow_patches(
        &self,
        parent: usize,
        key: Option<&Value>,
        value: &Value,
        at: Option<usize>,
    ) -> Vec<Patch> {
        let text = self.text.as_bytes();
        let all = entries(text, &self.tree, parent);
        let writer = self.writer(value, false);
        let last = all.len() - 1;
        let near = &all[at.unwrap_or(last)];
        let quotes = self.quotes_like(near.value, value, true);
        let value_text = match quotes.zip(value.tree.text_of(value.root)) {
            Some((quotes, text)) => quoted(text, quotes),
            None => {
                let before = at.unwrap_or(last).checked_sub(1).map(|before| all[before].value);
                spread::flow_like(self, &writer, [near.value].into_iter().chain(before))
            }
        };
        let is_absent = self.tree.nodes[near.value].is_absent();
        let blanks = near.after_mark.filter(|_| !is_absent);
        let blanks = blanks.map_or(" ", |mark| &self.text[mark..skip_blanks(text, mark)]);
        let new = match key {
            Some(key) if near.after_mark.is_none() && value.is_null() => {
                self.new_key(near, key, true)
            }
            Some(key) => format!("{}:{blanks}{value_text}", self.new_key(near, key, true)),
            None => value_text,
        };
        let next = at.and_then(|at| all.get(at + 1));
        let shares_line = next.is_some_and(|next| !starts_line(text, next.start));
        let has_lines = starts_line(text, near.start) && !shares_line;
        let second = at.map_or(last, |at| at + usize::from(shares_line)).max(1);
        let gap = if has_lines {
            format!("\n{}", &self.text[line_start(text, near.start)..near.start])
        } else {
            all.get(second).map_or(" ".to_owned(), |entry| {
                let before = all[second - 1].end;
                let comma = self.text[before..entry.start].find(',').unwrap_or(0);
                without_comment(&self.text[before + comma + 1..entry.start]).to_owned()
            })
        };
        if let Some(patches) = self.after_line_comma(&all, at, &new) {
            return patches;
        }
        if let Some(entry) = at.map(|at| &all[at]) {
            if !has_lines {
                return vec![Patch { at: entry.start..entry.start, new: format!("{new},{gap}") }];
            }
            let indent = &self.text[line_start(text, entry.start)..entry.start];
            let above = block_start(text, entry.start);
            return vec![Patch { at: above..above, new: format!("{indent}{new},\n") }];
        }
        let end = all[all.len() - 1].end;
        let close = self.tree.nodes[parent].end - 1;
        let comma = super::lines::skip_trivia(text, end);
        let has_comma = comma < close;
        let place = if has_comma { comma + 1 } else { end };
        // A new line comes after the comment that follows the last entry.
        let is_last_line = !has_lines || !self.text[place..close].contains('\n');
        let later = if is_last_line { place } else { self.content_end(place) };
        let after = if has_comma { "," } else { "" };
        let before = if has_comma { "" } else { "," };
        let new = format!("{gap}{new}{after}");
        if later == place {
            return vec![Patch {
                at: end.max(place)..end.max(place),
                new: format!("{before}{new}"),
            }];
        }
        vec![Patch { at: end..end, new: before.to_owned() }, Patch { at: later..later, new }]
    }

    /// Returns the patches that add the entry `new` to a flow collection whose lines start with
    /// commas. Returns `None` for other collections.
    fn after_line_comma(&self, all: &[Entry], at: Option<usize>, new: &str) -> Option<Vec<Patch>> {
        let text = self.text.as_bytes();
        let last = all.len() - 1;
        let model = all[at.unwrap_or(last).max(1).min(last)].start;
        if !follows_comma(text, model) {
            return None;
        }
        let lead = &self.text[line_start(text, model)..model];
        let Some(entry) = at.map(|at| &all[at]) else {
            let end = all[last].end;
            let is_line_end =
                matches!(text.get(skip_blanks(text, end)), Some(b'\n' | b'\r' | b'#'));
            let place = if is_line_end { self.content_end(end) } else { end };
            return Some(vec![Patch { at: place..place, new: format!("\n{lead}{new}") }]);
        };
        let line = line_start(text, entry.start);
        if at != Some(0) {
            let above = block_start(text, skip_blanks(text, line));
            return Some(vec![Patch { at: above..above, new: format!("{lead}{new}\n") }]);
        }
        if !starts_line(text, entry.start) {
            let place = entry.start..entry.start;
            return Some(vec![Patch { at: place, new: format!("{new}\n{lead}") }]);
        }
        let above = block_start(text, entry.start);
        let indent = &self.text[line..entry.start];
        let first = Patch { at: above..above, new: format!("{indent}{new}\n") };
        Some(vec![first, Patch { at: line..entry.start, new: lead.to_owned() }])
    }

    /// Renames the key at the operation's path to `name`.
    pub(super) fn rename(&mut self, operation: &Operation, name: &str) -> Result<(), EditError> {
        let node = self.existing(operation, &operation.path)?;
        let entry = self.entry_of(node).and_then(|(parent, _, entry)| Some((parent, entry.key?)));
        let (parent, key) = entry.ok_or_else(|| {
            let error = self.refuse(EditErrorKind::BadOperation, self.tree.nodes[node].start);
            error.with_detail("only an entry of a mapping has a key to rename".to_owned())
        })?;
        let new = [Token::Text(name.to_owned())];
        let keys = key_nodes::keys(self, parent).map_err(|key| self.unknown_alias(key))?;
        let taken = keys.iter().find(|(other, content)| *other != key && **content == new);
        if let Some(&(other, _)) = taken {
            let error = self.refuse(EditErrorKind::DuplicateKey, self.tree.nodes[other].start);
            return Err(error.with_detail(format!("the mapping already has the key `{name}`")));
        }
        let old = &self.tree.nodes[key];
        let is_flow = self.tree.nodes[parent].is_flow;

        let new = match old.event.kind {
            style @ (EventKind::SingleQuoted | EventKind::DoubleQuoted) => quoted(name, style),
            _ if is_plain(name, is_flow) => name.to_owned(),
            _ => quoted(name, self.habits().quote()),
        };
        let range =
            if old.shape == Shape::Scalar { old.content..old.end } else { old.start..old.end };
        let splice =
            Splice::new(old.content_tokens..old.tokens.end, vec![Token::Text(name.to_owned())]);
        self.commit(Plan { patches: vec![Patch { at: range, new }], splices: vec![splice] })
    }

    /// Returns the offset after which a trailing comment of `entry` may be, and the end of that
    /// line. The comment follows the value or, if that is a block collection or a block scalar, the
    /// indicator on the first line.
    pub(super) fn trailing_place(&self, node: usize, entry: &Entry) -> (usize, usize) {
        let node = &self.tree.nodes[node];
        let is_block = !node.is_flow && !node.children.is_empty()
            || matches!(node.event.kind, EventKind::Literal | EventKind::Folded);
        let head = if is_block { entry.after_mark.unwrap_or(entry.end) } else { entry.end };
        (head, self.content_end(head))
    }

    /// Returns the offset where a comment starts between `head` and `end`, which are on one line. A
    /// `#` in a scalar does not start a comment.
    pub(super) fn comment_start(&self, head: usize, end: usize) -> Option<usize> {
        let scalars = self.tree.nodes.iter().filter(|node| {
            let is_block = matches!(node.event.kind, EventKind::Literal | EventKind::Folded);
            node.children.is_empty() && node.content < end && !is_block
        });
        let from = scalars.map(|node| node.end.min(end)).max().unwrap_or(head).max(head);
        let text = self.text.as_bytes();
        let is_start =
            |&at: &usize| at > 0 && text[at] == b'#' && text[at - 1].is_ascii_whitespace();
        (from..end).find(is_start)
    }

    /// Adds, replaces or removes the comment at the head of the document with the root `node`.
    fn head_comment(
        &mut self,
        (operation, node): (&Operation, usize),
        (place, comment): (CommentPlace, Option<&str>),
    ) -> Result<(), EditError> {
        let bad = |message: &str| {
            let error = EditError::plain(EditErrorKind::BadOperation);
            Err(error.with_detail(message.to_owned()))
        };
        let (text, start) = (self.text.as_bytes(), self.tree.nodes[node].start);
        let line = line_start(text, start);
        if place == CommentPlace::Trailing {
            return bad("the comment of a document is at its head, not at the end of a line");
        }
        if is_marker(text, line) && line < start {
            return bad("a document that starts on the line of its marker has no head");
        }
        let mut at = head_comment(text, line);
        let lines = comment.iter().flat_map(|text| text.lines());
        let mut new: String = lines.map(|line| format!("# {line}\n")).collect();
        let is_blank = |at: usize| at == text.len() || blank_above(text, line_end(text, at)) <= at;
        match comment {
            Some(_) if at.is_empty() && !is_blank(at.end) => new.push('\n'),
            None if !at.is_empty() => at.end = line_end(text, at.end),
            None if operation.is_typed && block_start(text, start) < line => {
                return bad(
                    "the comment above the first entry is that entry's: no empty line follows it",
                );
            }
            _ => {}
        }
        let new = new.replace("# \n", "#\n");
        self.commit(Plan::of_layout(vec![Patch { at, new }]))
    }

    /// Adds, replaces or removes the comment above an entry or at the end of its line.
    pub(super) fn comment(
        &mut self,
        operation: &Operation,
        (place, comment): (CommentPlace, Option<&str>),
    ) -> Result<(), EditError> {
        let bad = |message: &str| {
            EditError::plain(EditErrorKind::BadOperation).with_detail(message.to_owned())
        };
        if self.is_named_json && comment.is_some() {
            return Err(bad("JSON has no comments"));
        }
        let node = self.existing(operation, &operation.path)?;
        let Some((_, _, entry)) = self.entry_of(node) else {
            return self.head_comment((operation, node), (place, comment));
        };
        let text = self.text.as_bytes();
        if operation.is_typed && comment.is_none() && place == CommentPlace::Leading {
            let (head, end) = self.trailing_place(node, &entry);
            let is_above = starts_line(text, entry.start)
                && block_start(text, entry.start) < line_start(text, entry.start);
            if let Some(at) = self.comment_start(head, end).filter(|_| !is_above) {
                let error = self.refuse(EditErrorKind::NotFound, at);
                let message = "the comment is not above the entry, but after it";
                return Err(error.with_detail(message.to_owned()));
            }
        }
        let mut patch = if place == CommentPlace::Trailing {
            if comment.is_some_and(|text| text.contains('\n')) {
                return Err(bad("a comment at the end of a line cannot contain line breaks"));
            }
            let (head, end) = self.trailing_place(node, &entry);
            let from = self.comment_start(head, end).unwrap_or(end);
            let from = self.text[..from].trim_end_matches([' ', '\t']).len().max(head);
            let gap = &self.text[from..skip_blanks(text, from)];
            let gap = if gap.is_empty() || from == end { " " } else { gap };
            let new = comment.map_or(String::new(), |text| format!("{gap}# {text}"));
            Patch { at: from..end, new }
        } else {
            if !starts_line(text, entry.start) {
                if comment.is_none() {
                    return Ok(());
                }
                let error = self.refuse(EditErrorKind::KindMismatch, entry.start);
                let message =
                    "a comment cannot be written above an entry that does not start its line";
                return Err(error.with_detail(message.to_owned()));
            }
            let indent = " ".repeat(self.column(entry.start));
            let lines = comment.iter().flat_map(|text| text.lines());
            let new = lines.map(|line| format!("{indent}# {line}\n")).collect();
            Patch { at: block_start(text, entry.start)..line_start(text, entry.start), new }
        };
        patch.new = patch.new.replace("# \n", "#\n");
        self.commit(Plan::of_layout(vec![patch]))
    }
}

/// Returns the white space of `gap`, which separates two entries, without the comment of the first
/// one.
fn without_comment(gap: &str) -> &str {
    match gap.rfind('\n').filter(|_| gap.contains('#')) {
        Some(at) => &gap[at..],
        None => gap,
    }
}
