//! Edits of entries: insert, rename, merge, sort, move, comment, anchors.

use super::error::{EditError, EditErrorKind};
use super::lines::{
    Entry, block_start, dangling_end, entries, line_start, lines_end, skip_blanks, starts_line,
};
use super::operation::{Operation, Value, key_source};
use super::pieces::Patch;
use super::plan::{Found, blanks_after, is_key};
use super::session::{Edit, Plan};
use super::tree::{Shape, Token};
use super::write::{Written, is_plain, quoted};
use crate::event::EventKind;
use crate::path::Step;

/// Items with their source, in the order of a sequence.
type Sorted = Vec<(usize, Vec<Token>)>;

impl Edit {
    /// Sets a node to a value, keeping what is equal.
    pub(super) fn reconcile(
        &mut self,
        operation: &Operation,
        path: &[Step],
        node: usize,
        value: &Value,
    ) -> Result<(), EditError> {
        if self.tree.content(node) == value.tree.content(value.root) {
            return Ok(());
        }
        let (old, new) = (&self.tree.nodes[node], &value.tree.nodes[value.root]);
        let is_filled = !old.children.is_empty() && !new.children.is_empty();
        match (old.shape, new.shape) {
            (Shape::Mapping, Shape::Mapping) if is_filled => {
                self.drop_keys(operation, path, node, value)?;
                self.set_pairs(operation, path, value, false)
            }
            (Shape::Sequence, Shape::Sequence) if is_filled => {
                self.reconcile_items(operation, path, node, value)
            }
            _ => self.overwrite(node, value),
        }
    }

    /// Deletes the keys that a value does not have.
    fn drop_keys(
        &mut self,
        operation: &Operation,
        path: &[Step],
        node: usize,
        value: &Value,
    ) -> Result<(), EditError> {
        let new = value.tree.nodes[value.root].children.chunks_exact(2);
        let kept: Vec<&[Token]> = new.map(|pair| value.tree.content(pair[0])).collect();
        let old = self.tree.nodes[node].children.chunks_exact(2);
        let gone: Vec<Step> = old
            .map(|pair| self.tree.content(pair[0]))
            .filter(|key| !kept.contains(key))
            .filter_map(step_of)
            .collect();
        for step in gone {
            let path = [path, &[step]].concat();
            self.delete(&Operation { path, ..operation.clone() })?;
        }
        Ok(())
    }

    /// Sets the pairs of a value in the mapping at a path; mappings are merged if asked.
    fn set_pairs(
        &mut self,
        operation: &Operation,
        path: &[Step],
        value: &Value,
        merges: bool,
    ) -> Result<(), EditError> {
        for pair in value.tree.nodes[value.root].children.chunks_exact(2) {
            let step = step_of(value.tree.content(pair[0]))
                .ok_or_else(|| EditError::plain(EditErrorKind::BadOperation))?;
            let path = [path, &[step]].concat();
            let part = Value::parse(&value.flow(pair[1]))?;
            if merges {
                self.merge(operation, &path, &part)?;
            } else {
                self.set(operation, &path, &part)?;
            }
        }
        Ok(())
    }

    /// Sets what a mapping has, deeply, and keeps the rest.
    pub(super) fn merge(
        &mut self,
        operation: &Operation,
        path: &[Step],
        value: &Value,
    ) -> Result<(), EditError> {
        if let Found::Node(node) = self.find(operation, path)? {
            let shapes = (self.tree.nodes[node].shape, value.tree.nodes[value.root].shape);
            if shapes == (Shape::Mapping, Shape::Mapping) {
                return self.set_pairs(operation, path, value, true);
            }
        }
        self.set(operation, path, value)
    }

    /// Items: the equal ones at both ends stay; those between are set, deleted or inserted.
    fn reconcile_items(
        &mut self,
        operation: &Operation,
        path: &[Step],
        node: usize,
        value: &Value,
    ) -> Result<(), EditError> {
        let old = self.tree.nodes[node].children.clone();
        let new = &value.tree.nodes[value.root].children;
        let same =
            |(old, new): (&usize, &usize)| self.tree.content(*old) == value.tree.content(*new);
        let head = old.iter().zip(new).take_while(|&pair| same(pair)).count();
        let tails = old[head..].iter().rev().zip(new[head..].iter().rev());
        let tail = tails.take_while(|&pair| same(pair)).count();
        let (old_end, new_end) = (old.len() - tail, new.len() - tail);
        let common = (old_end - head).min(new_end - head);
        for (at, &item) in new.iter().enumerate().take(head + common).skip(head) {
            let part = Value::parse(&value.flow(item))?;
            self.set(operation, &[path, &[Step::Index(at as i64)]].concat(), &part)?;
        }
        for at in (head + common..old_end).rev() {
            let path = [path, &[Step::Index(at as i64)]].concat();
            self.delete(&Operation { path, ..operation.clone() })?;
        }
        for (at, &item) in new.iter().enumerate().take(new_end).skip(head + common) {
            let part = Value::parse(&value.flow(item))?;
            let parent = self.existing(operation, path)?;
            self.insert_entry(parent, None, &part, Some(at))?;
        }
        Ok(())
    }

    /// The operations `insert` and `append`.
    pub(super) fn insert(&mut self, operation: &Operation, value: Value) -> Result<(), EditError> {
        let Found::Node(parent) = self.find(operation, &operation.path)? else {
            if operation.op == "append" {
                let list = Value::parse(&format!("[{}]", value.flow(value.root)))?;
                return self.set(operation, &operation.path, &list);
            }
            return self.existing(operation, &operation.path).map(|_| ());
        };
        let parent = match operation.alias.as_deref() {
            Some("through") => self.target(parent).unwrap_or(parent),
            _ => parent,
        };
        let node = &self.tree.nodes[parent];
        if self.is_null(parent) {
            let flow = value.flow(value.root);
            let source = match &operation.key {
                Some(key) => format!("{{{key}: {flow}}}"),
                None => format!("[{flow}]"),
            };
            return self.overwrite(parent, &Value::parse(&source)?);
        }
        let needed = if operation.key.is_some() { Shape::Mapping } else { Shape::Sequence };
        if node.shape != needed {
            return Err(self.refuse(EditErrorKind::KindMismatch, node.start));
        }
        let at = self.index_for(operation, parent)?;
        self.insert_entry(parent, operation.key.as_deref(), &value, at)
    }

    /// Where an operation wants its new entry; `None` is after the last.
    fn index_for(&self, operation: &Operation, parent: usize) -> Result<Option<usize>, EditError> {
        let node = &self.tree.nodes[parent];
        let all = entries(self.text.as_bytes(), &self.tree, parent);
        let Some(neighbor) = operation.before.as_ref().or(operation.after.as_ref()) else {
            let at = if operation.first { Some(0) } else { operation.index };
            if at.is_some_and(|at| at > all.len()) {
                return Err(self.refuse(EditErrorKind::NotFound, node.start));
            }
            return Ok(at.filter(|&at| at < all.len()));
        };
        let is_neighbor = |(index, entry): (usize, &Entry)| match entry.key {
            Some(key) => is_key(self.tree.content(key), &Step::Name(neighbor.clone())),
            None => neighbor.parse() == Ok(index),
        };
        let at = all.iter().enumerate().position(is_neighbor);
        let at = at.ok_or_else(|| self.refuse(EditErrorKind::NotFound, node.start))?;
        let at = at + usize::from(operation.before.is_none());
        Ok(Some(at).filter(|&at| at < all.len()))
    }

    /// Adds an entry to a collection, before the entry at an index or after the last.
    pub(super) fn insert_entry(
        &mut self,
        parent: usize,
        key: Option<&str>,
        value: &Value,
        at: Option<usize>,
    ) -> Result<(), EditError> {
        let key = key.map(Value::parse).transpose()?;
        let node = &self.tree.nodes[parent];
        if let Some(key) = &key {
            let is_same = |pair: &[usize]| self.tree.content(pair[0]) == key.tree.content(key.root);
            if node.children.chunks_exact(2).any(is_same) {
                return Err(self.refuse(EditErrorKind::DuplicateKey, node.start));
            }
        }
        let at = at.filter(|&at| at < entries(self.text.as_bytes(), &self.tree, parent).len());
        if node.children.is_empty() {
            return self.fill_empty(parent, key.as_ref(), value);
        }
        let patches = if node.is_flow {
            self.flow_patches(parent, key.as_ref(), value, at)
        } else {
            vec![self.block_patch(parent, key.as_ref(), value, at)]
        };
        self.commit(Plan { patches, tokens: self.with_entry(parent, key.as_ref(), value, at) })
    }

    fn fill_empty(
        &mut self,
        parent: usize,
        key: Option<&Value>,
        value: &Value,
    ) -> Result<(), EditError> {
        let flow = value.flow(value.root);
        let source = match key {
            Some(key) => format!("{{{}: {flow}}}", key.flow(key.root)),
            None => format!("[{flow}]"),
        };
        self.overwrite(parent, &Value::parse(&source)?)
    }

    /// The tokens of the text with one more entry.
    pub(super) fn with_entry(
        &self,
        parent: usize,
        key: Option<&Value>,
        value: &Value,
        at: Option<usize>,
    ) -> Vec<Token> {
        let node = &self.tree.nodes[parent];
        let step = if key.is_some() { 2 } else { 1 };
        let place = at.and_then(|at| node.children.get(at * step));
        let place = place.map_or(node.tokens.end - 1, |&child| self.tree.nodes[child].tokens.start);
        let mut new = key.map_or(Vec::new(), |key| key.tree.content(key.root).to_vec());
        new.extend_from_slice(value.tree.content(value.root));
        self.spliced(place..place, &new)
    }

    /// A new entry of a block collection, on lines of its own.
    fn block_patch(
        &self,
        parent: usize,
        key: Option<&Value>,
        value: &Value,
        at: Option<usize>,
    ) -> Patch {
        let text = self.text.as_bytes();
        let all = entries(text, &self.tree, parent);
        let near = &all[at.unwrap_or(all.len() - 1)];
        let column = self.column(near.start);
        let blanks = near.after_mark.map_or(" ".to_owned(), |mark| blanks_after(text, mark));
        let writer = self.writer(value, true);
        let (mark, written) = match key {
            Some(key) => {
                let written = writer.after_key(value.root, column, None);
                let key = self.writer(key, false).flow(key.root);
                let explicit = if key.len() > 1000 {
                    format!("? {key}\n{}:", " ".repeat(column))
                } else {
                    format!("{key}:")
                };
                (explicit, written)
            }
            None => ("-".to_owned(), writer.after_dash(value.root, column, blanks.len())),
        };
        let blanks = if written.head.is_empty() { "" } else { &blanks };
        let new = format!("{mark}{blanks}{}{}", written.head, written.body);
        self.entry_lines(&all, at, column, &new)
    }

    /// Lines for a new entry: `new` has no indentation on its first line and no last line break.
    fn entry_lines(&self, all: &[Entry], at: Option<usize>, column: usize, new: &str) -> Patch {
        let text = self.text.as_bytes();
        let indent = " ".repeat(column);
        if let Some(entry) = at.map(|at| &all[at]) {
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

    /// A new entry of a flow collection, with the separators of its siblings.
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
        let value_text = writer.flow(value.root);
        let blanks =
            all[0].after_mark.map_or(" ", |mark| &self.text[mark..skip_blanks(text, mark)]);
        let new = match key {
            Some(key) => format!("{}:{blanks}{value_text}", self.writer(key, false).flow(key.root)),
            None => value_text,
        };
        let has_lines = starts_line(text, all[all.len() - 1].start);
        let gap = if has_lines {
            format!("\n{}", " ".repeat(self.column(all[all.len() - 1].start)))
        } else {
            all.get(1).map_or(" ".to_owned(), |second| {
                let comma = self.text[all[0].end..second.start].find(',').unwrap_or(0);
                self.text[all[0].end + comma + 1..second.start].to_owned()
            })
        };
        if let Some(entry) = at.map(|at| &all[at]) {
            return vec![Patch { at: entry.start..entry.start, new: format!("{new},{gap}") }];
        }
        let end = all[all.len() - 1].end;
        let close = self.tree.nodes[parent].end - 1;
        let comma = super::lines::skip_trivia(text, end);
        let has_comma = comma < close;
        let place = if has_comma { comma + 1 } else { end };
        // The new line comes after a comment on the last entry's line.
        let later = if has_lines { self.content_end(place).min(close) } else { place };
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

    /// Changes a key.
    pub(super) fn rename(&mut self, operation: &Operation) -> Result<(), EditError> {
        let bad = || EditError::plain(EditErrorKind::BadOperation);
        let name = operation.to.as_deref().ok_or_else(bad)?;
        let node = self.existing(operation, &operation.path)?;
        let (parent, _, entry) = self.entry_of(node).ok_or_else(bad)?;
        let key = entry.key.ok_or_else(bad)?;
        let pairs = self.tree.nodes[parent].children.chunks_exact(2);
        let taken = pairs.map(|pair| pair[0]).find(|&other| {
            other != key && self.tree.content(other) == [Token::Text(name.to_owned())]
        });
        if let Some(other) = taken {
            return Err(self.refuse(EditErrorKind::DuplicateKey, self.tree.nodes[other].start));
        }
        let old = &self.tree.nodes[key];
        let is_flow = self.tree.nodes[parent].is_flow;
        let quote = self.writer(&Value::text(name)?, false).habits.quote;
        let new = match old.event.kind {
            style @ (EventKind::SingleQuoted | EventKind::DoubleQuoted) => quoted(name, style),
            _ if is_plain(name, is_flow) => name.to_owned(),
            _ => quoted(name, quote),
        };
        let range =
            if old.shape == Shape::Scalar { old.content..old.end } else { old.start..old.end };
        let tokens =
            self.spliced(old.content_tokens..old.tokens.end, &[Token::Text(name.to_owned())]);
        self.commit(Plan { patches: vec![Patch { at: range, new }], tokens })
    }

    /// Moves or copies an entry to another collection, with its comments.
    pub(super) fn transfer(&mut self, operation: &Operation) -> Result<(), EditError> {
        let bad = || EditError::plain(EditErrorKind::BadOperation);
        let node = self.existing(operation, &operation.path)?;
        let (_, _, entry) = self.entry_of(node).ok_or_else(bad)?;
        let step = operation.path.last().ok_or_else(bad)?;
        let text = self.text.as_bytes();
        let own_lines = starts_line(text, entry.start) && !self.is_in_flow(node);
        let column = self.column(entry.start);
        let from = if own_lines { block_start(text, entry.start) } else { entry.start };
        let block = self.text[from..self.trimmed(lines_end(text, &entry)).max(from)].to_owned();
        let has_properties = self
            .tree
            .whole(node)
            .iter()
            .any(|token| matches!(token, Token::Alias(_) | Token::Anchor(_) | Token::Tag(_)));
        if has_properties {
            return Err(self.refuse(EditErrorKind::WouldChangeMeaning, entry.start));
        }
        let source = super::removal::dedent(&self.text, &entry, self.tree.nodes[node].start);
        let value = Value::parse(&source)?;
        if operation.op == "move" {
            self.delete(operation)?;
        }
        let target = self.existing(operation, &operation.to_path)?;
        let is_item = self.tree.nodes[target].shape == Shape::Sequence;
        let key = (!is_item).then(|| key_source(step));
        let length = self.tree.nodes[target].children.len();
        self.insert_entry(target, key.as_deref(), &value, None)?;
        let same_kind = entry.key.is_some() != is_item;
        if own_lines && same_kind {
            self.restore_block(operation, (length, column), &block)?;
        }
        Ok(())
    }

    /// Writes a moved entry as it was, at its new column, if that means the same.
    fn restore_block(
        &mut self,
        operation: &Operation,
        (index, from): (usize, usize),
        block: &str,
    ) -> Result<(), EditError> {
        let target = self.existing(operation, &operation.to_path)?;
        let text = self.text.as_bytes();
        let all = entries(text, &self.tree, target);
        let Some(entry) = all.get(index).filter(|entry| starts_line(text, entry.start)) else {
            return Ok(());
        };
        let column = self.column(entry.start);
        let lines: Vec<String> = block.lines().map(|line| shifted(line, from, column)).collect();
        let at = line_start(text, entry.start)..self.trimmed(lines_end(text, entry));
        let plan = Plan {
            patches: vec![Patch { at, new: lines.join("\n") }],
            tokens: self.tree.tokens.clone(),
        };
        // Where shifting would change the content, the entry stays as newly written.
        let _ = self.commit(plan);
        Ok(())
    }

    /// Sorts items by value, or entries by key; blocks move, what is between them stays.
    pub(super) fn sort(&mut self, operation: &Operation) -> Result<(), EditError> {
        let node = self.existing(operation, &operation.path)?;
        let parent = &self.tree.nodes[node];
        let text = self.text.as_bytes();
        let all = entries(text, &self.tree, node);
        let field = operation.key.clone().map(Step::Name);
        let mut order: Sorted = Vec::new();
        for (index, entry) in all.iter().enumerate() {
            let by = match (&field, entry.key) {
                (_, Some(key)) => key,
                (Some(step), None) => {
                    let pairs = self.tree.nodes[entry.value].children.chunks_exact(2);
                    let found =
                        pairs.into_iter().find(|pair| is_key(self.tree.content(pair[0]), step));
                    found.map_or(entry.value, |pair| pair[1])
                }
                (None, None) => entry.value,
            };
            order.push((index, self.tree.content(by).to_vec()));
        }
        order.sort_by(|a, b| compare(&a.1, &b.1));
        let is_flow = parent.is_flow;
        if !is_flow && all.iter().skip(1).any(|entry| !starts_line(text, entry.start)) {
            return Err(self.refuse(EditErrorKind::KindMismatch, parent.start));
        }
        let span = |entry: &Entry| match is_flow {
            true => entry.start..entry.end,
            false if starts_line(text, entry.start) => {
                block_start(text, entry.start) + self.column(entry.start)
                    ..self.trimmed(lines_end(text, entry))
            }
            false => entry.start..self.trimmed(lines_end(text, entry)),
        };
        let mut patches = Vec::new();
        let mut inner = Vec::new();
        for (entry, (from, _)) in all.iter().zip(&order) {
            let source = &all[*from];
            patches.push(Patch { at: span(entry), new: self.text[span(source)].to_owned() });
            for child in source.key.iter().chain([&source.value]) {
                inner.extend_from_slice(self.tree.whole(*child));
            }
        }
        patches.retain(|patch| self.text[patch.at.clone()] != *patch.new);
        let tokens = self.spliced(
            parent.content_tokens + 1
                ..parent.tokens.end - usize::from(parent.shape != Shape::Scalar),
            &inner,
        );
        if parent.children.is_empty() {
            return Err(self.refuse(EditErrorKind::KindMismatch, parent.start));
        }
        self.commit(Plan { patches, tokens })
    }

    /// Writes, changes or removes a comment.
    pub(super) fn comment(&mut self, operation: &Operation) -> Result<(), EditError> {
        let bad = || EditError::plain(EditErrorKind::BadOperation);
        let node = self.existing(operation, &operation.path)?;
        let entry = self.entry_of(node).map(|(_, _, entry)| entry).ok_or_else(bad)?;
        let text = self.text.as_bytes();
        let mut patch = if operation.place.as_deref() == Some("trailing") {
            let node = &self.tree.nodes[node];
            let is_one_line = !self.text[node.start..node.end].contains('\n');
            let head = if is_one_line { entry.end } else { entry.after_mark.unwrap_or(entry.end) };
            let end = self.content_end(head);
            let from = self.text[head..end].find(" #").map_or(end, |at| head + at);
            let from = self.text[..from].trim_end_matches([' ', '\t']).len().max(head);
            let gap = &self.text[from..skip_blanks(text, from)];
            let gap = if gap.is_empty() || from == end { " " } else { gap };
            let new =
                operation.text.as_ref().map_or(String::new(), |text| format!("{gap}# {text}"));
            Patch { at: from..end, new }
        } else {
            if !starts_line(text, entry.start) {
                return Err(self.refuse(EditErrorKind::KindMismatch, entry.start));
            }
            let indent = " ".repeat(self.column(entry.start));
            let lines = operation.text.iter().flat_map(|text| text.lines());
            let new = lines.map(|line| format!("{indent}# {line}\n")).collect();
            Patch { at: block_start(text, entry.start)..line_start(text, entry.start), new }
        };
        patch.new = patch.new.replace("# \n", "#\n");
        self.commit(Plan { patches: vec![patch], tokens: self.tree.tokens.clone() })
    }

    /// Renames a definition of an anchor and the aliases that refer to it.
    pub(super) fn rename_anchor(&mut self, operation: &Operation) -> Result<(), EditError> {
        let bad = || EditError::plain(EditErrorKind::BadOperation);
        let (Some(from), Some(to)) = (&operation.from, &operation.to) else { return Err(bad()) };
        let node = match operation.path.is_empty() {
            true => (0..self.tree.nodes.len()).find(|&at| self.anchor_of(at) == Some(from)),
            false => Some(self.existing(operation, &operation.path)?),
        };
        let node = node.filter(|&node| self.anchor_of(node) == Some(from));
        let node = node.ok_or_else(|| EditError::plain(EditErrorKind::NotFound))?;
        let mut tokens = self.tree.tokens.clone();
        let defined = &self.tree.nodes[node];
        let mut patches = Vec::new();
        if let Some(range) = &defined.anchor {
            patches.push(Patch { at: range.start + 1..range.end, new: to.clone() });
        }
        for token in &mut tokens[defined.tokens.start..defined.content_tokens] {
            if matches!(token, Token::Anchor(_)) {
                *token = Token::Anchor(to.clone());
            }
        }
        for at in node..self.tree.nodes.len() {
            let alias = &self.tree.nodes[at];
            if self.anchor_of(at) == Some(to) {
                return Err(self.refuse(EditErrorKind::DuplicateKey, alias.start));
            }
            if alias.shape == Shape::Alias && self.target(at) == Some(node) {
                patches.push(Patch { at: alias.content + 1..alias.end, new: to.clone() });
                tokens[alias.content_tokens] = Token::Alias(to.clone());
            }
        }
        self.commit(Plan { patches, tokens })
    }

    /// Replaces the alias on a path by a copy of what it refers to.
    pub(super) fn detach(&mut self, operation: &Operation) -> Result<(), EditError> {
        for count in 1..=operation.path.len() {
            let Found::Node(node) = self.find(operation, &operation.path[..count])? else { break };
            if self.tree.nodes[node].shape != Shape::Alias {
                continue;
            }
            let Some(target) = self.target(node) else { break };
            let found = &self.tree.nodes[target];
            let column = self.column(found.content);
            let first = format!("{}{}", " ".repeat(column), &self.text[found.content..found.end]);
            let lines: Vec<String> = first.lines().map(|line| shifted(line, column, 0)).collect();
            let value = Value::parse(&lines.join("\n"))?;
            self.overwrite_detached(node, &value, found.is_flow)?;
        }
        Ok(())
    }

    fn overwrite_detached(
        &mut self,
        node: usize,
        value: &Value,
        is_flow: bool,
    ) -> Result<(), EditError> {
        if !is_flow {
            return self.overwrite(node, value);
        }
        let alias = &self.tree.nodes[node];
        let written = Written { head: value.flow(value.root), body: String::new() };
        let patches = vec![Patch { at: alias.content..alias.end, new: written.head }];
        let new = value.tree.content(value.root);
        let tokens = self.spliced(alias.content_tokens..alias.tokens.end, new);
        self.commit(Plan { patches, tokens })
    }
}

/// A line moved from one column to another.
fn shifted(line: &str, from: usize, to: usize) -> String {
    let blanks = line.len() - line.trim_start_matches(' ').len();
    if line.trim().is_empty() {
        return String::new();
    }
    format!("{}{}", " ".repeat((blanks + to).saturating_sub(from)), &line[blanks..])
}

fn step_of(key: &[Token]) -> Option<Step> {
    match key {
        [Token::Text(text)] => Some(Step::Key(text.clone())),
        [Token::Value(text)] => {
            Some(text.parse().map_or_else(|_| Step::Name(text.clone()), Step::Index))
        }
        _ => None,
    }
}

/// Numbers before text, each in its own order.
fn compare(a: &[Token], b: &[Token]) -> std::cmp::Ordering {
    let number = |tokens: &[Token]| match tokens {
        [Token::Value(text)] => text.parse::<f64>().ok(),
        _ => None,
    };
    let text = |tokens: &[Token]| match tokens {
        [Token::Value(text) | Token::Text(text)] => text.clone(),
        _ => String::new(),
    };
    match (number(a), number(b)) {
        (Some(a), Some(b)) => a.total_cmp(&b),
        (Some(_), None) => std::cmp::Ordering::Less,
        (None, Some(_)) => std::cmp::Ordering::Greater,
        _ => text(a).cmp(&text(b)),
    }
}
