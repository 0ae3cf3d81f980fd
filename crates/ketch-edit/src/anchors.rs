//! Operations on anchors and aliases: renaming, adding and removing anchors, and replacing aliases
//! by copies.

use super::error::{EditError, EditErrorKind};
use super::lines::{Entry, block_start, starts_line};
use super::operation::{Action, AnchorMode, Operation, Spelling};
use super::pieces::Patch;
use super::plan::Found;
use super::scene::{Plan, Scene, Splice};
use super::tree::{Shape, Token};
use super::write::{Traits, Value};

/// The maximum number of aliases that one operation replaces by copies of their nodes.
const COPIES_MAX: usize = 1000;

/// What a copy that replaces an alias keeps of the original node: everything but its anchors, which
/// would otherwise be defined twice.
const COPY: Traits = Traits { styles: true, tags: true, anchors: false, spelling: Spelling::Free };
/// What a copy keeps if the original node is about to be removed: everything.
const MOVED: Traits = Traits { anchors: true, ..COPY };

impl Scene {
    /// Renames an anchor from `from` to `to`, together with the aliases that refer to it.
    pub(super) fn rename_anchor(
        &mut self,
        operation: &Operation,
        (from, to): (&str, &str),
    ) -> Result<(), EditError> {
        let node = match operation.path.is_empty() {
            true => self.defined(from, operation.doc),
            false => Some(self.existing(operation, &operation.path)?),
        };
        let node = node.filter(|&node| self.anchor_of(node) == Some(from));
        let node = node.ok_or_else(|| {
            let error = EditError::plain(EditErrorKind::NotFound);
            error.with_detail(format!("there is no anchor `{from}`"))
        })?;
        self.rename_definition(node, to)
    }

    /// Returns the first node of the document `doc` that has the anchor `name`.
    fn defined(&self, name: &str, doc: usize) -> Option<usize> {
        let root = self.tree.docs.get(doc)?.root?;
        let next = self.tree.docs.get(doc + 1).and_then(|doc| doc.root);
        let end = next.unwrap_or(self.tree.nodes.len());
        (root..end).find(|&at| self.anchor_of(at) == Some(name))
    }

    /// Renames the anchor of `node` to `to`, and with it the aliases that refer to `node`.
    fn rename_definition(&mut self, node: usize, to: &str) -> Result<(), EditError> {
        check_name(to)?;
        let defined = &self.tree.nodes[node];
        let Some(range) = defined.anchor.clone() else { return Ok(()) };
        if self.text[range.start + 1..range.end] == *to {
            return Ok(());
        }
        let mut patches = vec![Patch { at: range.start + 1..range.end, new: to.to_owned() }];
        let properties = defined.tokens.start..defined.content_tokens;
        let renamed =
            properties.clone().find(|&at| matches!(self.tree.tokens[at], Token::Anchor(_)));
        let renamed = renamed.unwrap_or(properties.start);
        let mut splices =
            vec![Splice::new(renamed..renamed + 1, vec![Token::Anchor(to.to_owned())])];
        let mut is_taken = false;
        for at in node + 1..self.tree.nodes.len() {
            let alias = &self.tree.nodes[at];
            is_taken |= self.anchor_of(at) == Some(to);
            if alias.shape != Shape::Alias || self.target(at) != Some(node) {
                continue;
            }
            if is_taken {
                let error = self.refuse(EditErrorKind::DuplicateKey, alias.start);
                return Err(error.with_detail(format!("`&{to}` is defined before this alias")));
            }
            patches.push(Patch { at: alias.content + 1..alias.end, new: to.to_owned() });
            let token = alias.content_tokens;
            splices.push(Splice::new(token..token + 1, vec![Token::Alias(to.to_owned())]));
        }
        self.commit(Plan { patches, splices })
    }

    /// Gives the node at the operation's path the anchor `name`, or renames its anchor to that.
    /// Without a name, removes the anchor.
    pub(super) fn anchor(
        &mut self,
        operation: &Operation,
        name: Option<&str>,
    ) -> Result<(), EditError> {
        let node = self.existing(operation, &operation.path)?;
        let found = &self.tree.nodes[node];
        if found.shape == Shape::Alias {
            let error = self.refuse(EditErrorKind::KindMismatch, found.start);
            return Err(error.with_detail("an alias has no anchor of its own".to_owned()));
        }
        match (name, found.anchor.is_some()) {
            (Some(name), true) => self.rename_definition(node, name),
            (Some(name), false) => self.add_anchor(node, name),
            (None, true) => self.remove_anchor(operation, node),
            (None, false) => Ok(()),
        }
    }

    /// Writes the anchor `name` before the content of the node `at`, which has no anchor yet.
    fn add_anchor(&mut self, at: usize, name: &str) -> Result<(), EditError> {
        check_name(name)?;
        let node = &self.tree.nodes[at];
        let entry = self.entry_of(at).map(|(_, _, entry)| entry);
        let mark = entry.and_then(|entry| entry.after_mark);
        let is_block = !node.is_flow && matches!(node.shape, Shape::Sequence | Shape::Mapping);
        let own_line = starts_line(self.text.as_bytes(), node.start);
        let patch = match mark {
            // On the same line, it would become the anchor of the first key of the block mapping.
            _ if is_block && node.tag.is_none() && !own_line => {
                let indent = " ".repeat(self.column(node.content));
                Patch { at: node.start..node.start, new: format!("&{name}\n{indent}") }
            }
            Some(mark) if node.is_absent() || is_block && node.tag.is_none() => {
                Patch { at: mark..mark, new: format!(" &{name}") }
            }
            None if is_block && node.tag.is_none() => {
                Patch { at: node.start..node.start, new: format!("&{name}\n") }
            }
            _ => Patch { at: node.start..node.start, new: format!("&{name} ") },
        };
        let token = node.tokens.start;
        let splice = Splice::new(token..token, vec![Token::Anchor(name.to_owned())]);
        self.commit(Plan { patches: vec![patch], splices: vec![splice] })
    }

    /// Removes the anchor of the node `at`. With `anchors: expand`, first replaces its aliases by
    /// copies of the node.
    fn remove_anchor(&mut self, operation: &Operation, at: usize) -> Result<(), EditError> {
        let (path, expands) = (&operation.path, operation.anchors == Some(AnchorMode::Expand));
        let mut node = at;
        if expands {
            self.are_aliases_loose = true;
            for _ in 0..COPIES_MAX {
                let Some(alias) = self.uses(&[node]).first().copied() else { break };
                self.copy_over(alias, node, COPY)?;
                node = self.existing(operation, path)?;
            }
            self.are_aliases_loose = false;
        }
        let found = &self.tree.nodes[node];
        let Some(range) = found.anchor.clone() else { return Ok(()) };
        let blanks = self.text[range.end..].len()
            - self.text[range.end..].trim_start_matches([' ', '\t']).len();
        let ends_line = self.content_end(range.end) == range.end + blanks;
        let before = self.text[..range.start].trim_end_matches([' ', '\t']).len();
        // At the end of a line, the blanks before the anchor are removed with it, elsewhere those
        // after it.
        let from = match ends_line {
            true if !starts_line(self.text.as_bytes(), range.start) => before..range.end,
            _ => range.start..range.end + blanks,
        };
        let mut properties = found.tokens.start..found.content_tokens;
        let token = properties.find(|&at| matches!(self.tree.tokens[at], Token::Anchor(_)));
        let token = token.unwrap_or(found.tokens.start);
        let splices = vec![Splice::new(token..token + 1, Vec::new())];
        self.commit(Plan { patches: vec![Patch { at: from, new: String::new() }], splices })
    }

    /// Returns the aliases that refer to one of the nodes `targets`, in document order.
    fn uses(&self, targets: &[usize]) -> Vec<usize> {
        let first = targets.iter().min().copied().unwrap_or(0);
        let after = first + 1..self.tree.nodes.len();
        let is_use = |&at: &usize| {
            self.tree.nodes[at].shape == Shape::Alias
                && self.target(at).is_some_and(|target| targets.contains(&target))
        };
        after.filter(is_use).collect()
    }

    /// Prepares the removal of the entry at `path`, whose anchors may be used outside it. If they
    /// are, this is an error, unless `operation.anchors` is `promote` or `expand`: then those
    /// aliases are first replaced by copies of their nodes.
    pub(super) fn release_anchors(
        &mut self,
        operation: &Operation,
        path: &[ketch_yaml::path::Step],
    ) -> Result<(), EditError> {
        let mode = operation.anchors;
        for _ in 0..COPIES_MAX {
            let node = self.existing(operation, path)?;
            let Some((_, _, entry)) = self.entry_of(node) else { return Ok(()) };
            let Some((alias, target)) = self.outside_use(&entry) else {
                self.are_aliases_loose = false;
                return Ok(());
            };
            let traits = match mode {
                Some(AnchorMode::Promote) => MOVED,
                Some(AnchorMode::Expand) => COPY,
                None => return Err(self.in_use(&entry)),
            };
            self.are_aliases_loose = true;
            self.copy_over(alias, target, traits)?;
        }
        Err(EditError::plain(EditErrorKind::AnchorInUse))
    }

    /// Returns the error that aliases outside `entry` use an anchor in it. Its message lists their
    /// lines.
    fn in_use(&self, entry: &Entry) -> EditError {
        let inside = self.anchored_inside(entry);
        let uses = self.uses(&inside);
        let outside = uses.into_iter().filter(|&at| !is_inside(entry, self.tree.nodes[at].start));
        let starts: Vec<usize> = outside.map(|at| self.tree.nodes[at].start).collect();
        let lines: Vec<String> = starts
            .iter()
            .take(5)
            .map(|&at| (self.text[..at].matches('\n').count() + 1).to_string())
            .collect();
        let rest = if starts.len() > 5 { ", ..." } else { "" };
        let word = if starts.len() == 1 { "line" } else { "lines" };
        let message =
            format!("aliases still use an anchor in this entry: {word} {}{rest}", lines.join(", "));
        let at = starts.first().copied().unwrap_or(entry.start);
        self.refuse(EditErrorKind::AnchorInUse, at).with_detail(message)
    }

    /// Returns the nodes in `entry` that have an anchor.
    fn anchored_inside(&self, entry: &Entry) -> Vec<usize> {
        let first = entry.key.unwrap_or(entry.value);
        let inside = (first..self.tree.nodes.len())
            .take_while(|&at| self.tree.nodes[at].start < entry.end.max(entry.start + 1));
        inside.filter(|&at| self.tree.nodes[at].anchor.is_some()).collect()
    }

    /// Returns the first alias outside `entry` that refers to a node in it, and that node.
    fn outside_use(&self, entry: &Entry) -> Option<(usize, usize)> {
        let inside = self.anchored_inside(entry);
        if inside.is_empty() {
            return None;
        }
        let uses = self.uses(&inside).into_iter();
        let mut outside = uses.filter(|&at| !is_inside(entry, self.tree.nodes[at].start));
        let alias = outside.next()?;
        Some((alias, self.target(alias)?))
    }

    /// Replaces each alias on the operation's path by a copy of the node that it refers to.
    pub(super) fn detach(&mut self, operation: &Operation) -> Result<(), EditError> {
        for count in 1..=operation.path.len() {
            let path = &operation.path[..count];
            let Found::Node(node) = self.find(operation, path)? else { break };
            // An alias at the last step matters only if the operation changes entries of its node.
            let is_last = count == operation.path.len();
            let enters = operation.action.inserts()
                || matches!(operation.action, Action::Merge(_) | Action::Sort { .. });
            if self.tree.nodes[node].shape != Shape::Alias || is_last && !enters {
                continue;
            }
            let Some(target) = self.target(node) else { break };
            self.copy_over(node, target, COPY)?;
        }
        Ok(())
    }

    /// Replaces `alias` by a copy of the node `target`, in the style of the node and, if possible,
    /// with its comments.
    fn copy_over(&mut self, alias: usize, target: usize, traits: Traits) -> Result<(), EditError> {
        let value = Value::copy(&self.text, &self.tree, target, traits)?;
        let found = &self.tree.nodes[target];
        let (text, column) = (self.text.as_bytes(), self.column(found.content));
        // Comments above the first entry of the node are part of the copy.
        let from = match starts_line(text, found.content) {
            true => block_start(text, found.content) + column,
            false => found.content,
        };
        let (is_flow, is_leaf) = (found.is_flow, found.children.is_empty());
        let end = if is_flow { found.end } else { self.content_end(self.trimmed(found.end)) };
        let source = match traits.anchors {
            true => self.text[from..end].to_owned(),
            false => self.without_anchors(from..end),
        };
        self.overwrite_alias(alias, &value, is_flow || self.is_in_flow(alias))?;
        if self.tree.nodes[alias].is_flow == is_flow && !is_leaf {
            self.restore_lines(alias, &source, column);
        }
        Ok(())
    }

    /// Replaces the alias `node` by `value`, including the properties of `value`.
    fn overwrite_alias(
        &mut self,
        node: usize,
        value: &Value,
        is_flow: bool,
    ) -> Result<(), EditError> {
        if !is_flow && value.whole().len() == value.tokens().len() {
            return self.overwrite(node, value);
        }
        let alias = &self.tree.nodes[node];
        let splice = Splice::new(alias.content_tokens..alias.tokens.end, value.whole());
        let entry = self.entry_of(node).map(|(_, _, entry)| entry);
        let writer = self.writer(value, !is_flow);
        let column = entry.map_or(0, |entry| self.column(entry.start));
        let mut written = match is_flow {
            true => super::write::Written { head: writer.flow(value.root), body: String::new() },
            false => writer.with_properties(value.root, column),
        };
        if is_flow && entry.is_some_and(|entry| entry.key == Some(node)) {
            written.head.push(' ');
        }
        let patches = self.place(node, entry, &written);
        self.commit(Plan { patches, splices: vec![splice] })
    }
}

/// Returns whether the offset `at` is in `entry`.
fn is_inside(entry: &Entry, at: usize) -> bool {
    (entry.start..entry.end).contains(&at)
}

/// Returns an error about the operation itself, with `message` as its detail.
fn bad(message: &str) -> EditError {
    EditError::plain(EditErrorKind::BadOperation).with_detail(message.to_owned())
}

/// Returns an error if `name` cannot be the name of an anchor.
fn check_name(name: &str) -> Result<(), EditError> {
    let is_wrong = |ch: char| ch.is_whitespace() || ch.is_control() || ",[]{}".contains(ch);
    if name.is_empty() || name.contains(is_wrong) {
        return Err(bad(
            "an anchor's name must not be empty or contain white space, control characters or any of `,[]{}`",
        ));
    }
    Ok(())
}
