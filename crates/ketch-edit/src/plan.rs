//! Finding nodes, and planning their replacement: patches of the text, and the tokens that should
//! result.

use super::error::{EditError, EditErrorKind};
use super::lines::{Entry, entries, line_end, line_start, owned_end, skip_blanks};
use super::operation::{AliasMode, Operation, Spelling};
use super::pieces::Patch;
use super::scene::{Plan, Scene, Splice};
use super::tree::{Node, Shape, Token, core_tag, meaning};
use super::write::{Value, Writer, Written, style_of};
use super::{key_nodes, spread};
use ketch_yaml::EventKind;
use ketch_yaml::path::{Step, array_index};
use ketch_yaml::schema::{Schema, needs_quotes};
use ketch_yaml::tag::{YAML_PREFIX, is_known};
use std::ops::Range;

/// The maximum number of keys that an error message lists.
const KEYS_SHOWN: usize = 10;

/// What a path leads to.
pub(super) enum Found {
    Node(usize),
    /// No node: `step` is the index of the first step that leads nowhere, and `parent` the node
    /// that it starts from.
    Missing {
        parent: Option<usize>,
        step: usize,
    },
}

impl Scene {
    /// Returns what `path` leads to in the document of the operation.
    pub(super) fn find(&self, operation: &Operation, path: &[Step]) -> Result<Found, EditError> {
        let mut at = match self.tree.docs.get(operation.doc) {
            Some(doc) => doc.root,
            None if operation.doc == 0 => None,
            None => {
                let message = format!("there is no document {}, counted from 0", operation.doc);
                return Err(EditError::plain(EditErrorKind::NotFound).with_detail(message));
            }
        };
        for (index, step) in path.iter().enumerate() {
            let Some(node) = at else {
                return Ok(Found::Missing { parent: None, step: index });
            };
            let node = self.followed(operation, node)?;
            match self.child(node, step)? {
                Some(child) => at = Some(child),
                None => return Ok(Found::Missing { parent: Some(node), step: index }),
            }
        }
        Ok(at.map_or(Found::Missing { parent: None, step: 0 }, Found::Node))
    }

    /// Returns whether there is a node at the operation's path.
    pub fn exists(&self, operation: &Operation) -> Result<bool, EditError> {
        Ok(matches!(self.find(operation, &operation.path)?, Found::Node(_)))
    }

    /// Returns the node at `path`; it is an error if there is none.
    pub(super) fn existing(
        &self,
        operation: &Operation,
        path: &[Step],
    ) -> Result<usize, EditError> {
        match self.find(operation, path)? {
            Found::Node(node) => Ok(node),
            Found::Missing { parent, step } => {
                let at = parent.map_or(0, |node| self.tree.nodes[node].start);
                let merged = parent.is_some_and(|node| self.has_merged(node, path.get(step)));
                let kind = if merged { EditErrorKind::NotOwned } else { EditErrorKind::NotFound };
                let error = self.refuse(kind, at);
                Err(match (parent, path.get(step), merged) {
                    (Some(parent), Some(step), false) => {
                        error.with_detail(self.missing(parent, step))
                    }
                    _ => error,
                })
            }
        }
    }

    /// Returns the message that `parent` has no entry at `step`. It lists the keys, or gives the
    /// number of items, that do exist.
    pub(super) fn missing(&self, parent: usize, step: &Step) -> String {
        let node = &self.tree.nodes[parent];
        let step = match step {
            Step::Name(text) | Step::Key(text) => text.clone(),
            Step::Index(index) => index.to_string(),
            Step::Plain(text) => text.clone(),
            _ => String::new(),
        };
        match node.shape {
            Shape::Sequence => {
                format!("there is no item `{step}` in a sequence of {}", node.children.len())
            }
            Shape::Mapping => {
                let keys = node.children.iter().step_by(2);
                let keys = keys.filter_map(|&key| self.tree.text_of(key));
                let mut keys: Vec<_> = keys.map(|key| format!("`{key}`")).collect();
                if keys.is_empty() {
                    return format!("there is no key `{step}`; the mapping is empty");
                }
                if keys.len() > KEYS_SHOWN {
                    let rest = format!("{} more", keys.len() - KEYS_SHOWN);
                    keys.splice(KEYS_SHOWN.., [rest]);
                }
                format!("there is no key `{step}`; the mapping has {}", keys.join(", "))
            }
            _ => format!("a scalar has no `{step}`"),
        }
    }

    /// Returns whether the entry at `step` comes from a merge key (`<<`) of the mapping `node`.
    fn has_merged(&self, node: usize, step: Option<&Step>) -> bool {
        let Some(step) = step else { return false };
        let pairs = self.tree.nodes[node].children.chunks_exact(2);
        let merges = pairs.filter(|pair| self.tree.text_of(pair[0]) == Some("<<"));
        let mut sources = Vec::new();
        for pair in merges {
            sources.push(pair[1]);
            sources.extend(&self.tree.nodes[pair[1]].children);
        }
        sources.into_iter().any(|source| {
            let source = self.target(source).unwrap_or(source);
            matches!(self.child(source, step), Ok(Some(_)))
        })
    }

    /// Returns `node` itself or, if it is an alias, the node that it refers to. That is an error
    /// unless the operation follows aliases.
    pub(super) fn followed(&self, operation: &Operation, node: usize) -> Result<usize, EditError> {
        if self.tree.nodes[node].shape != Shape::Alias {
            return Ok(node);
        }
        match operation.alias {
            Some(AliasMode::Through) => {
                self.target(node).ok_or_else(|| EditError::plain(EditErrorKind::NotFound))
            }
            _ => Err(self.refuse(EditErrorKind::ThroughAlias, self.tree.nodes[node].start)),
        }
    }

    /// Returns the node that `alias` refers to: the last node before it with that anchor.
    pub(super) fn target(&self, alias: usize) -> Option<usize> {
        let [Token::Alias(name)] = self.tree.content(alias) else { return None };
        (0..alias).rev().find(|&at| self.anchor_of(at) == Some(name))
    }

    /// Returns the name of the anchor of `node`.
    pub(super) fn anchor_of(&self, node: usize) -> Option<&str> {
        let range = self.tree.nodes[node].anchor.as_ref()?;
        Some(&self.text[range.start + 1..range.end])
    }

    /// Returns the child of the node `at` that `step` leads to. It is an error if several keys
    /// match.
    pub(super) fn child(&self, at: usize, step: &Step) -> Result<Option<usize>, EditError> {
        let node = &self.tree.nodes[at];
        if node.shape == Shape::Sequence {
            let count = node.children.len();
            let index = match step {
                Step::Index(index) if *index < 0 => {
                    count.checked_sub(index.unsigned_abs() as usize)
                }
                Step::Index(index) => Some(*index as usize),
                Step::Name(name) => array_index(name),
                _ => None,
            };
            return Ok(index.and_then(|index| node.children.get(index)).copied());
        }
        if node.shape != Shape::Mapping {
            return Ok(None);
        }
        let keys = key_nodes::keys(self, at).map_err(|key| self.unknown_alias(key))?;
        let mut found = (0..keys.len()).filter(|&index| is_key(keys[index].1, step));
        let first = found.next().map(|index| node.children[2 * index + 1]);
        match found.next() {
            Some(index) => {
                let at = self.tree.nodes[keys[index].0].start;
                Err(self.refuse(EditErrorKind::DuplicateKey, at))
            }
            None => Ok(first),
        }
    }

    /// Returns the error that `key` is an alias of an unknown node. In a window, this means that
    /// the whole text must be parsed.
    pub(super) fn unknown_alias(&self, key: usize) -> EditError {
        let error = self.refuse(EditErrorKind::ThroughAlias, self.tree.nodes[key].start);
        error.with_detail("the key is an alias of a node that is not known here".to_owned())
    }

    /// Returns whether `node` is null, even if it has properties.
    pub(super) fn is_null(&self, node: usize) -> bool {
        self.tree.content(node) == [Token::Value("null".to_owned())]
    }

    /// Returns the entry whose value is `node`, after its collection and its index in the
    /// collection.
    pub(super) fn entry_of(&self, node: usize) -> Option<(usize, usize, Entry)> {
        let parent = self.tree.nodes[node].parent?;
        let all = entries(self.text.as_bytes(), &self.tree, parent);
        let index = all.iter().position(|entry| entry.value == node)?;
        Some((parent, index, all[index]))
    }

    /// Returns the column of the offset `at`, in bytes.
    pub(super) fn column(&self, at: usize) -> usize {
        at - line_start(self.text.as_bytes(), at)
    }

    /// Returns a writer that formats `value` in the style of the document.
    pub(super) fn writer<'v>(&'v self, value: &'v Value, allows_literal: bool) -> Writer<'v> {
        Writer::new(value, self.habits(), allows_literal)
    }

    /// Returns whether `node` is a child of a flow collection.
    pub(super) fn is_in_flow(&self, node: usize) -> bool {
        self.tree.nodes[node].parent.is_some_and(|parent| self.tree.nodes[parent].is_flow)
    }

    /// Replaces the node `at` by `value`, in the style of the node. Text that cannot have that
    /// style is written in double quotes.
    pub(super) fn overwrite(&mut self, at: usize, value: &Value) -> Result<(), EditError> {
        self.overwrite_with(at, value, true)
    }

    /// Replaces the node `at` by `value`. The tag of the node is kept if it fits and, unless
    /// `keeps_tag` is set, YAML defines it.
    pub(super) fn overwrite_with(
        &mut self,
        at: usize,
        value: &Value,
        keeps_tag: bool,
    ) -> Result<(), EditError> {
        let old = style_of(&self.tree.nodes[at]);
        match self.commit(self.plan_overwrite(at, value, (old, keeps_tag))) {
            Err(error) if error.kind() == EditErrorKind::WouldChangeMeaning => {
                let quoted = Some(EventKind::DoubleQuoted);
                let plan = self.plan_overwrite(at, value, (quoted, keeps_tag));
                let is_long =
                    |token: &Token| matches!(token, Token::Text(text) if text.contains('\n'));
                let below = self.text[self.tree.nodes[at].end..].trim_start();
                let error = match below.starts_with('#') && value.tokens().iter().any(is_long) {
                    true => error.with_detail(COMMENT_BELOW.to_owned()),
                    false => error,
                };
                self.commit(plan).map_err(|_| error)
            }
            done => done,
        }
    }

    /// Plans the replacement of the node `at` by `value`, in the style `old` if that is possible.
    /// `keeps_tag` is as for [`Scene::overwrite_with`].
    pub(super) fn plan_overwrite(
        &self,
        at: usize,
        value: &Value,
        (old, keeps_tag): (Option<EventKind>, bool),
    ) -> Plan {
        let node = &self.tree.nodes[at];
        let entry = self.entry_of(at);
        let written = self.written(at, value, old);
        let mut patches = self.place(at, entry.map(|(_, _, entry)| entry), &written);
        let mut splices = Vec::new();
        let mut new = value.tokens();
        if let Some(tag) = value.tag() {
            match &node.tag {
                Some(range) => {
                    patches.insert(0, Patch { at: range.clone(), new: tag.to_owned() });
                    splices.extend(self.tag_splice(at, vec![Token::Tag(tag.to_owned())]));
                }
                None => new = value.whole(),
            }
            splices.push(Splice::new(node.content_tokens..node.tokens.end, new));
            return Plan { patches, splices };
        }
        let fit_of = |tag: &str| match keeps_tag || !is_foreign(tag) {
            true => fit(tag, value),
            false => Fit::No,
        };
        match node.tag.clone().map(|tag| (fit_of(&self.text[tag.clone()]), tag)) {
            Some((Fit::AsText, _)) => new = as_text(new),
            Some((Fit::No, tag)) => {
                self.remove_tag(at, tag, &mut patches);
                splices.extend(self.tag_splice(at, Vec::new()));
            }
            _ => {}
        }
        splices.push(Splice::new(node.content_tokens..node.tokens.end, new));
        Plan { patches, splices }
    }

    /// Returns the splice that replaces the token of the node's tag by `new`.
    pub(super) fn tag_splice(&self, at: usize, new: Vec<Token>) -> Option<Splice> {
        let node = &self.tree.nodes[at];
        let mut properties = node.tokens.start..node.content_tokens;
        let tag = properties.find(|&at| matches!(self.tree.tokens[at], Token::Tag(_)))?;
        Some(Splice::new(tag..tag + 1, new))
    }

    /// Changes `patches`, which put new content after the tag at `tag`, so that they also remove
    /// the tag.
    fn remove_tag(&self, at: usize, tag: Range<usize>, patches: &mut Vec<Patch>) {
        let node = &self.tree.nodes[at];
        let mark = match &node.anchor {
            Some(anchor) => (anchor.end < tag.start).then_some(anchor.end),
            None => self.entry_of(at).and_then(|(_, _, entry)| entry.after_mark),
        };
        // The blanks after the tag are removed too if the content is on the same line.
        let blanks = skip_blanks(self.text.as_bytes(), tag.end);
        let end = if blanks <= node.content { blanks } else { tag.end };
        match patches.first_mut() {
            // There was no content: the new content takes the place of the tag, before which there
            // is a blank.
            Some(head) if head.at == (tag.end..tag.end) => {
                let is_below = head.new.is_empty() || head.new.starts_with(['\n', '\r']);
                let from = mark.filter(|_| is_below);
                head.at.start = from.unwrap_or(tag.start);
                let blanks = head.new.len() - head.new.trim_start_matches(' ').len();
                head.new.drain(..blanks);
            }
            Some(head) if head.at.start < end => {
                let is_below = head.new.is_empty() || head.new.starts_with(['\n', '\r']);
                let from = mark.filter(|_| is_below);
                head.at.start = from.unwrap_or(tag.start);
            }
            _ => patches.insert(0, Patch { at: tag.start..end, new: String::new() }),
        }
    }

    /// Formats `value` to take the place of the node `at`, in the style `old` if that is possible.
    /// This includes the tag of `value` if the node has none.
    fn written(&self, at: usize, value: &Value, old: Option<EventKind>) -> Written {
        let mut written = self.content_for(at, value, old);
        if let Some(tag) = value.tag().filter(|_| self.tree.nodes[at].tag.is_none()) {
            let blank = if written.head.is_empty() { "" } else { " " };
            written.head = format!("{tag}{blank}{}", written.head);
        }
        written
    }

    /// Formats the content of `value` to take the place of the node `at`, in the style `old` if
    /// that is possible.
    fn content_for(&self, at: usize, value: &Value, old: Option<EventKind>) -> Written {
        let (node, root) = (&self.tree.nodes[at], value.root);
        let in_flow = self.is_in_flow(at);
        let entry = self.entry_of(at).map(|(_, _, entry)| entry);
        let column = entry.map_or(0, |entry| self.column(entry.start));
        let mut writer = self.writer(value, !in_flow);
        if value.children().is_empty() {
            let is_free = value.traits.spelling != Spelling::Safe;
            writer.keeps_plain = is_free && old == Some(EventKind::Plain) && self.is_misread(at);
            writer.old_step = self.content_column(node).and_then(|at| at.checked_sub(column));
            return writer.after_key(root, column, old);
        }
        let stays_flow = spread::is_filled_flow(self, at) && !value.traits.styles;
        if in_flow || stays_flow || writer.habits.is_json {
            let bare = value.without_tag();
            let writer = Writer { value: &bare, allows_literal: false, ..writer };
            let all = node.parent.map(|parent| entries(self.text.as_bytes(), &self.tree, parent));
            let all = all.filter(|_| in_flow).unwrap_or_default();
            let index = all.iter().position(|entry| entry.value == at).unwrap_or_default();
            let models = [at].into_iter().chain(spread::values_beside(&all, index));
            return Written { head: spread::flow_like(self, &writer, models), body: String::new() };
        }
        match entry {
            Some(Entry { key: None, after_mark: Some(mark), .. }) if node.start >= mark => {
                if value.tag().is_some() || self.needs_own_line(node, mark) {
                    return writer.below(root, column + 2);
                }
                let gap = (node.content - mark).clamp(1, 8);
                let is_below = self.text[mark..node.content].contains('\n');
                writer.after_dash(root, column, if node.is_absent() || is_below { 1 } else { gap })
            }
            Some(_) => writer.after_key(root, column, old),
            None if value.tag().is_some() || self.root_mark(node).is_some() => {
                writer.below(root, 0)
            }
            None => Written { head: writer.entries(root, 0), body: String::new() },
        }
    }

    /// Returns whether the node `at` is untagged text that would need quotes for other parsers.
    fn is_misread(&self, at: usize) -> bool {
        let [Token::Text(text)] = self.tree.content(at) else { return false };
        self.tree.nodes[at].tag.is_none() && needs_quotes(text.as_bytes())
    }

    /// Returns whether a block collection that replaces `node` must start on a line of its own,
    /// because it cannot start on the line of its dash, or because the comment on that line would
    /// become one of its first entry.
    pub(super) fn needs_own_line(&self, node: &Node, mark: usize) -> bool {
        let has_properties = node.anchor.is_some() || node.tag.is_some();
        let has_tab = || self.text[mark..node.content.max(mark)].contains('\t');
        let has_comment = || {
            let is_block_scalar = matches!(node.event.kind, EventKind::Literal | EventKind::Folded);
            let end = match (node.is_absent(), is_block_scalar) {
                (true, _) => mark,
                (_, true) => header_end(self.text.as_bytes(), node.content),
                _ => node.end,
            };
            self.comment_start(end, self.content_end(end)).is_some()
        };
        !is_block_collection(node) && (has_properties || has_tab() || has_comment())
    }

    /// Returns the end of what precedes a root on its line: its properties or the marker `---`.
    fn root_mark(&self, node: &Node) -> Option<usize> {
        let line = line_start(self.text.as_bytes(), node.start);
        let marker = self.text[line..node.start].starts_with("---").then_some(line + 3);
        let properties = [&node.anchor, &node.tag].into_iter().flatten().map(|range| range.end);
        properties.max().or(marker)
    }

    /// Returns the patches that put `written` in the place of the node `at`: its head on the line
    /// of the key, and its body below.
    pub(super) fn place(&self, at: usize, entry: Option<Entry>, written: &Written) -> Vec<Patch> {
        let (text, node) = (self.text.as_bytes(), &self.tree.nodes[at]);
        let mark = match entry {
            Some(entry) => entry.after_mark,
            None => self.root_mark(node),
        };
        let props = [&node.anchor, &node.tag].into_iter().flatten().map(|range| range.end).max();
        // The offset after which the head is written, with a blank between.
        let before = props.or(mark);
        if node.is_absent() || node.content == node.end {
            return self.fill(at, before, written);
        }
        let is_block_scalar = matches!(node.event.kind, EventKind::Literal | EventKind::Folded);
        let is_below = !node.is_flow
            && matches!(node.shape, Shape::Mapping | Shape::Sequence)
            && before.is_some_and(|before| text[before..node.content].contains(&b'\n'));
        if is_below {
            let before = before.unwrap_or(node.content);
            let blank = if written.head.is_empty() { "" } else { " " };
            let head = Patch { at: before..before, new: format!("{blank}{}", written.head) };
            // The comment on the last line belongs to the last entry, so it is replaced too.
            let end = self.replaced_end(at, written);
            let below = self.content_end(before)..end;
            return vec![head, Patch { at: below, new: written.body.clone() }];
        }
        let end = self.trimmed(node.end);
        if let Some(patches) = self.place_leaf(at, (end, mark.is_some()), written) {
            return patches;
        }
        let head_end = if is_block_scalar { header_end(text, node.content) } else { end };
        let before = before.filter(|_| written.head.is_empty());
        let from = before.map_or(node.content, |before| self.below_comments(before, node.content));
        let head = Patch { at: from..head_end, new: written.head.clone() };
        if is_block_scalar {
            let end = self.end_for(node, written).unwrap_or(end);
            let below = self.content_end(head_end)..end.max(self.content_end(head_end));
            return vec![head, Patch { at: below, new: written.body.clone() }];
        }
        let below = if is_block_collection(node) { end } else { self.content_end(end) };
        if written.body.is_empty() { vec![head] } else { with_body(head, below, &written.body) }
    }

    /// Returns the end of the comments between `mark` and the content at `content`, or `mark` if
    /// there are none.
    fn below_comments(&self, mark: usize, content: usize) -> usize {
        match self.comment_start(mark, content) {
            Some(_) => self.trimmed(line_start(self.text.as_bytes(), content)),
            None => mark,
        }
    }

    /// Returns the patches that put `written` where a value is missing. If the node has properties
    /// or follows an indicator, `before` is the offset where these end.
    fn fill(&self, at: usize, before: Option<usize>, written: &Written) -> Vec<Patch> {
        let text = self.text.as_bytes();
        let blank = if written.head.is_empty() { "" } else { " " };
        let entry = self.entry_of(at).map(|(_, _, entry)| entry).filter(|_| before.is_none());
        let (at, lead) = match entry {
            Some(entry) if text[entry.start..].starts_with(b"? ") && !self.is_in_flow(at) => {
                let indent = " ".repeat(self.column(entry.start));
                (self.content_end(entry.end), format!("\n{indent}:{blank}"))
            }
            Some(entry) if text[entry.start..].starts_with(b"? ") => (entry.end, " : ".to_owned()),
            Some(entry) => (entry.end, format!(":{blank}")),
            None => {
                let at = before.unwrap_or(self.tree.nodes[at].content);
                let next = text.get(skip_blanks(text, at));
                // If the line ends after an existing blank, the text is written after that blank.
                let is_end = matches!(next, None | Some(b'\n' | b'\r' | b',' | b'}' | b']'));
                match is_end && !blank.is_empty() && text.get(at) == Some(&b' ') {
                    true => (at + 1, String::new()),
                    false => (at, blank.to_owned()),
                }
            }
        };
        let head = Patch { at: at..at, new: format!("{lead}{}", written.head) };
        with_body(head, self.content_end(at), &written.body)
    }

    /// Returns the patches that put a scalar in the place of a block collection on several lines
    /// that starts after a dash or is a root. After a dash, the comment on the first line belongs
    /// to the item as well, so it stays. Returns `None` for other nodes and other text.
    fn place_leaf(
        &self,
        at: usize,
        (end, is_item): (usize, bool),
        written: &Written,
    ) -> Option<Vec<Patch>> {
        let node = &self.tree.nodes[at];
        let first_end = self.content_end(node.content);
        let is_line = !written.head.is_empty() && !written.head.contains('\n');
        let is_leaf = is_line && written.body.is_empty();
        if !is_leaf || !is_block_collection(node) || first_end >= end {
            return None;
        }
        let comment = self.comment_start(node.content, first_end).filter(|_| is_item);
        let head_end = comment.unwrap_or(first_end);
        let head_end = self.text[..head_end].trim_end_matches([' ', '\t']).len();
        let head = Patch { at: node.content..head_end, new: written.head.clone() };
        let below = first_end..self.replaced_end(at, written);
        Some(vec![head, Patch { at: below, new: String::new() }])
    }

    /// Returns the end of what `written` replaces in the place of the block collection `at`: the
    /// end of its last line or, if `written` is a scalar, the end of the comments that belong to
    /// the collection.
    fn replaced_end(&self, at: usize, written: &Written) -> usize {
        let is_scalar = written.body.is_empty() && !written.head.starts_with(['{', '[']);
        match self.entry_of(at).filter(|_| is_scalar) {
            Some((_, _, entry)) => {
                self.trimmed(owned_end(self.text.as_bytes(), &self.tree, &entry))
            }
            None => {
                let text = self.text.as_bytes();
                let last = entries(text, &self.tree, at).pop();
                let end = last.map(|last| self.trimmed(owned_end(text, &self.tree, &last)));
                self.content_end(self.trimmed(self.tree.nodes[at].end)).max(end.unwrap_or(0))
            }
        }
    }

    /// Returns `end`, or the start of the line break that ends there.
    pub(super) fn trimmed(&self, end: usize) -> usize {
        let text = &self.text[..end];
        text.strip_suffix("\r\n").or_else(|| text.strip_suffix('\n')).map_or(end, str::len)
    }

    /// Returns the column of the content of a block scalar; `None` for other nodes, and if the
    /// block scalar has an indentation indicator or no content.
    fn content_column(&self, node: &Node) -> Option<usize> {
        if !matches!(node.event.kind, EventKind::Literal | EventKind::Folded) {
            return None;
        }
        let (header, lines) = self.text[node.content..node.end].split_once('\n')?;
        let header = header.split('#').next().unwrap_or_default();
        let line = lines.lines().find(|line| !line.trim().is_empty())?;
        let blanks = line.len() - line.trim_start_matches(' ').len();
        Some(blanks).filter(|_| !header.contains(|ch: char| ch.is_ascii_digit()))
    }

    /// Returns the end of a block scalar including the blank lines after it, without the last line
    /// break. Returns `None` unless the header of `written` has a `+`, with which the blank lines
    /// would become part of the new text.
    fn end_for(&self, node: &Node, written: &Written) -> Option<usize> {
        let keeps_blanks = written.head.starts_with(['|', '>']) && written.head.contains('+');
        keeps_blanks.then(|| self.trimmed(node.event.start + node.event.len))
    }

    /// Returns the end of the line that contains `at`, before its line break.
    pub(super) fn content_end(&self, at: usize) -> usize {
        let end = line_end(self.text.as_bytes(), at);
        self.trimmed(end).max(at)
    }

    /// Makes `value` the content of the empty document `doc`.
    pub(super) fn fill_document(&mut self, doc: usize, value: &Value) -> Result<(), EditError> {
        let writer = self.writer(value, true);
        let mut content = match value.children().is_empty() {
            false if writer.habits.is_json => writer.flow(value.root),
            true => {
                let Written { head, body } = writer.after_key(value.root, 0, None);
                head + &body
            }
            false => writer.entries(value.root, 0),
        };
        if let Some(tag) = value.tag() {
            let gap = if value.children().is_empty() { " " } else { "\n" };
            content = format!("{tag}{gap}{content}");
        }
        let at = self.tree.docs.get(doc).map_or(self.text.len(), |doc| doc.end);
        let before = self.text[..at].trim_start_matches('\u{feff}');
        let new = match before.is_empty() || before.ends_with('\n') {
            true => format!("{content}\n"),
            // If the text has no line break at its end, none is added.
            false => format!("\n{content}"),
        };
        let mut tokens = value.whole();
        let end = self.tree.tokens.len();
        let root = self.tree.docs.get(doc).and_then(|doc| doc.root);
        let at_tokens = root.map_or(end..end, |root| self.tree.nodes[root].tokens.clone());
        if root.is_none() {
            tokens.insert(0, Token::Document);
        }
        let splices = vec![Splice::new(at_tokens, tokens)];
        self.commit(Plan { patches: vec![Patch { at: at..at, new }], splices })
    }
}

/// Why new text in a block scalar may be refused.
const COMMENT_BELOW: &str =
    "the comment below would become a part of the new text, so indent it less first";

/// Returns whether a node is a block sequence or a block mapping.
fn is_block_collection(node: &Node) -> bool {
    !node.is_flow && matches!(node.shape, Shape::Mapping | Shape::Sequence)
}

/// Returns whether YAML does not define `tag`.
pub(super) fn is_foreign(tag: &str) -> bool {
    let is_defined = |name: &str| {
        is_known(&[YAML_PREFIX, name].concat()) || matches!(name, "set" | "omap" | "pairs" | "yaml")
    };
    tag != "!" && !core_tag(tag.as_bytes()).is_some_and(is_defined)
}

/// How a new value fits the tag of the node that it replaces.
enum Fit {
    /// The tag stays, and does not change the type of the value.
    AsValue,
    /// The tag stays, and makes a scalar text.
    AsText,
    /// The tag is removed.
    No,
}

/// Returns how `value` fits `tag`. An unknown tag fits every value, but a standard YAML tag fits
/// only values of its type. The non-specific tag `!` makes every scalar text, as `!!str` does.
fn fit(tag: &str, value: &Value) -> Fit {
    let tokens = value.tokens();
    let fits = |does: bool| if does { Fit::AsValue } else { Fit::No };
    let is_number = |text: &str| !matches!(text, "null" | "true" | "false");
    let is_integer = |text: &str| text.trim_start_matches('-').bytes().all(|b| b.is_ascii_digit());
    if let ("!", [Token::Value(_)]) = (tag, &tokens[..]) {
        return Fit::No;
    }
    match (core_tag(tag.as_bytes()), &tokens[..]) {
        (Some("str"), [Token::Text(_)]) => Fit::AsText,
        (Some(name @ ("binary" | "timestamp")), [Token::Text(text)]) => {
            match Schema::Yaml11.convert_tagged(&[YAML_PREFIX, name].concat(), &**text) {
                Ok(_) => Fit::AsText,
                Err(_) => Fit::No,
            }
        }
        (Some("null"), [Token::Value(text)]) => fits(text == "null"),
        (Some("bool"), [Token::Value(text)]) => fits(text == "true" || text == "false"),
        (Some("int"), [Token::Value(text)]) => fits(is_integer(text)),
        (Some("float"), [Token::Value(text)]) => fits(is_number(text)),
        (Some("str" | "binary" | "timestamp" | "null" | "bool" | "int" | "float"), _) => Fit::No,
        (Some("seq" | "omap" | "pairs"), [Token::Sequence, ..]) => Fit::AsValue,
        (Some("map" | "set"), [Token::Mapping, ..]) => Fit::AsValue,
        (Some("seq" | "omap" | "pairs" | "map" | "set"), _) => Fit::No,
        _ => Fit::AsText,
    }
}

/// Returns `tokens` as they are under an unknown tag, which makes a scalar text.
fn as_text(mut tokens: Vec<Token>) -> Vec<Token> {
    if let [Token::Value(text)] = &mut tokens[..] {
        tokens = vec![Token::Text(std::mem::take(text))];
    }
    tokens
}

/// Returns the patch `head` with `body` appended or, if `at` is further on, as a separate patch
/// there.
fn with_body(mut head: Patch, at: usize, body: &str) -> Vec<Patch> {
    if head.at.end == at {
        head.new.push_str(body);
        return vec![head];
    }
    vec![head, Patch { at: at..at, new: body.to_owned() }]
}

/// Returns the end of the block scalar header that starts at `at`, before blanks and a comment.
fn header_end(text: &[u8], at: usize) -> usize {
    let is_header = |byte: &&u8| matches!(byte, b'|' | b'>' | b'+' | b'-' | b'0'..=b'9');
    at + text[at..].iter().take_while(is_header).count()
}

/// Returns whether `step` selects the key with the tokens `key`.
pub(super) fn is_key(key: &[Token], step: &Step) -> bool {
    match (key, step) {
        ([Token::Text(key)], Step::Key(name) | Step::Name(name)) => key == name,
        ([Token::Value(key)], Step::Name(name) | Step::Plain(name)) => {
            meaning(name) == Token::Value(key.clone())
        }
        ([Token::Value(key)], Step::Index(index)) => *key == index.to_string(),
        _ => false,
    }
}

/// Returns the blanks after the indicator that ends at `mark`, or one space if there are none or
/// nothing follows them.
pub(super) fn blanks_after(text: &[u8], mark: usize) -> String {
    let end = skip_blanks(text, mark);
    let is_last = matches!(text.get(end), None | Some(b'\n' | b'\r' | b'#'));
    if is_last || end == mark {
        " ".to_owned()
    } else {
        String::from_utf8_lossy(&text[mark..end]).into_owned()
    }
}

/// Returns the path step that selects a key, or `None` if the key is not a scalar.
pub(super) fn step_of(key: &[Token]) -> Option<Step> {
    match key {
        [Token::Text(text)] => Some(Step::Key(text.clone())),
        [Token::Value(text)] => {
            Some(text.parse().map_or_else(|_| Step::Name(text.clone()), Step::Index))
        }
        _ => None,
    }
}
