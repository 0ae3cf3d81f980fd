//! Replacing a node by a value: what becomes of its tag and its spelling, and what to tell the
//! user.

use super::error::EditError;
use super::operation::{Operation, Spelling};
use super::pieces::Patch;
use super::plan::is_foreign;
use super::remark::Remark;
use super::scene::{Plan, Scene};
use super::tree::{Shape, Token};
use super::write::{Value, style_of};
use crate::event::EventKind;

/// Returns whether a node that the value of `operation` replaces keeps its tag.
fn keeps_tag(operation: &Operation) -> bool {
    operation.action.value().is_some_and(|new| new.keep_tag)
}

impl Scene {
    /// Replaces the node `at` by `value`. A tag that YAML does not define is dropped, unless
    /// `value` has a tag or the operation keeps it.
    pub(super) fn replace_node(
        &mut self,
        operation: &Operation,
        at: usize,
        value: &Value,
    ) -> Result<(), EditError> {
        let dropped = self.dropped_tag(operation, at, value);
        let new = operation.action.value();
        let is_typed = new.is_some_and(|new| new.spelling == Spelling::Typed);
        let is_typed = is_typed && dropped.is_none();
        let replaced = self.replaced_text(at, value).filter(|_| is_typed);
        self.overwrite_with(at, value, keeps_tag(operation))?;
        self.bring_lines(at, value);
        self.remarks.extend(dropped.map(Remark::TagDropped).or(replaced));
        Ok(())
    }

    /// Returns the tag that the node `at` loses when `value` replaces it.
    fn dropped_tag(&self, operation: &Operation, at: usize, value: &Value) -> Option<String> {
        let tag = self.tree.nodes[at].tag.clone().map(|tag| &self.text[tag])?;
        let is_dropped = value.tag().is_none() && !keeps_tag(operation) && is_foreign(tag);
        is_dropped.then(|| tag.to_owned())
    }

    /// Returns the remark that the node `at` is text in quotes and `value` is not text.
    fn replaced_text(&self, at: usize, value: &Value) -> Option<Remark> {
        let node = &self.tree.nodes[at];
        let is_quoted =
            matches!(style_of(node), Some(EventKind::SingleQuoted | EventKind::DoubleQuoted));
        let is_text = matches!(self.tree.content(at), [Token::Text(_)]) && node.tag.is_none();
        let is_other = matches!(value.tokens()[..], [Token::Value(_)]) && value.tag().is_none();
        (is_quoted && is_text && is_other).then(|| Remark::TextReplaced {
            old: self.text[node.content..node.end].to_owned(),
            new: value.flow(value.root),
        })
    }

    /// Drops the tag of the collection `at`, whose entries become those of `value`, if
    /// [`Scene::replace_node`] would drop it.
    pub(super) fn drop_tag(
        &mut self,
        operation: &Operation,
        at: usize,
        value: &Value,
    ) -> Result<(), EditError> {
        let node = &self.tree.nodes[at];
        let (Some(dropped), Some(tag)) = (self.dropped_tag(operation, at, value), node.tag.clone())
        else {
            return Ok(());
        };
        let text = &self.text;
        let gap = &text[tag.end..node.content.max(tag.end)];
        let blanks = gap.len() - gap.trim_start_matches([' ', '\t']).len();
        let range = match gap[blanks..].is_empty() || gap[blanks..].starts_with(['&', '#']) {
            true => tag.start..tag.end + blanks,
            // The content is below, so the blanks before the tag would end the line.
            false => text[..tag.start].trim_end_matches([' ', '\t']).len()..tag.end,
        };
        let patches = vec![Patch { at: range, new: String::new() }];
        let splices = self.tag_splice(at, Vec::new()).into_iter().collect();
        self.commit(Plan { patches, splices })?;
        self.remarks.push(Remark::TagDropped(dropped));
        Ok(())
    }

    /// Spells the scalars of the node `at` as in the equal `value`, as its spelling demands.
    pub(super) fn respell(&mut self, at: usize, value: &Value) -> Result<(), EditError> {
        if matches!(value.traits.spelling, Spelling::Free | Spelling::Whole) {
            return Ok(());
        }
        let mut pending = vec![(at, value.root)];
        while let Some((old, new)) = pending.pop() {
            if self.is_respelled(old, value, new) {
                // A scalar replaces a scalar, so the indices of the other nodes stay.
                self.overwrite(old, &value.part(new))?;
            }
            let children = self.tree.nodes[old].children.iter().copied();
            pending.extend(children.zip(value.tree.nodes[new].children.iter().copied()));
        }
        Ok(())
    }

    /// Returns whether the scalar `new` of `value` is spelled otherwise than the equal node `at`.
    fn is_respelled(&self, at: usize, value: &Value, new: usize) -> bool {
        let (old, node) = (&self.tree.nodes[at], &value.tree.nodes[new]);
        if old.shape != Shape::Scalar || node.shape != Shape::Scalar {
            return false;
        }
        let is_plain = style_of(node) == Some(EventKind::Plain);
        match (value.traits.spelling, value.tree.content(new)) {
            (Spelling::Typed, [Token::Text(_)]) if is_plain => false,
            (Spelling::Typed, _) => {
                self.text[old.content..old.end] != value.source[node.content..node.end]
            }
            (Spelling::Safe, [Token::Text(text)]) => {
                style_of(old) == Some(EventKind::Plain)
                    && old.tag.is_none()
                    && crate::schema::needs_quotes(text.as_bytes())
            }
            _ => false,
        }
    }
}
