//! Editing: change one value and leave every other byte alone.
//!
//! ```text
//! text ──▶ tree: nodes, spans, tokens ──▶ plan: patches and intended tokens ──▶ check ──▶ pieces
//!            lines: entries, comments       write: the style of new text
//! ```
//!
//! An operation finds its node, plans patches around it, applies them, parses the result and
//! compares its meaning with the intended one. If they differ, the text stays as it was.
//! `docs/editing.md` has the rules.

mod collections;
mod error;
mod lines;
mod operation;
mod pieces;
mod plan;
mod removal;
mod request;
mod session;
mod tree;
mod write;

pub use error::{EditError, EditErrorKind};
pub use operation::Operation;
pub use pieces::{Patch, apply_patches};
pub use session::Edit;

use crate::path::Step;
use operation::Value;
use plan::Found;
use tree::Tree;

impl Edit {
    /// Applies operations in turn, each to the result of the one before: all of them, or none.
    /// Each patch costs a parse of the text.
    ///
    /// # Errors
    ///
    /// Why the first refused operation is refused. Then nothing changes.
    pub fn apply(&mut self, operations: &[Operation]) -> Result<(), EditError> {
        let before = (self.text.clone(), self.pieces.clone());
        for (index, operation) in operations.iter().enumerate() {
            if let Err(error) = self.run(operation) {
                (self.text, self.pieces) = before;
                self.tree = Tree::parse(self.text.as_bytes())?;
                return Err(error.of_operation(index));
            }
        }
        Ok(())
    }

    fn run(&mut self, operation: &Operation) -> Result<(), EditError> {
        let bad = || EditError::plain(EditErrorKind::BadOperation);
        let value = operation.value.as_deref().map(Value::parse).transpose();
        let value = value.map_err(EditError::in_value)?;
        let detaches = operation.alias.as_deref() == Some("detach");
        if detaches {
            self.detach(operation)?;
        }
        match operation.op.as_str() {
            "set" => self.set(operation, &operation.path, &value.ok_or_else(bad)?),
            "replace" => self.replace(operation, &value.ok_or_else(bad)?),
            "insert" | "append" => self.insert(operation, value.ok_or_else(bad)?),
            "delete" => self.delete(operation),
            "rename" => self.rename(operation),
            "move" | "copy" => self.transfer(operation),
            "merge" => self.merge(operation, &operation.path, &value.ok_or_else(bad)?),
            "sort" => self.sort(operation),
            "comment" => self.comment(operation),
            "rename_anchor" => self.rename_anchor(operation),
            "test" => self.test(operation, &value.ok_or_else(bad)?),
            _ => Err(bad()),
        }
    }

    /// Sets a path: changes the node, or adds the entry.
    fn set(
        &mut self,
        operation: &Operation,
        path: &[Step],
        value: &Value,
    ) -> Result<(), EditError> {
        match self.find(operation, path)? {
            Found::Node(node) => self.reconcile(operation, path, node, value),
            Found::Missing { parent, step } => {
                let mut value = Value::parse(&value.source)?;
                for deeper in path[step + 1..].iter().rev() {
                    value = value.wrapped(deeper)?;
                }
                self.set_missing(operation, path, (parent, step), value)
            }
        }
    }

    fn set_missing(
        &mut self,
        operation: &Operation,
        path: &[Step],
        (parent, step): (Option<usize>, usize),
        value: Value,
    ) -> Result<(), EditError> {
        let Some(parent) = parent else {
            return self.fill_document(operation.doc, &value.wrapped(&path[step])?);
        };
        let node = &self.tree.nodes[parent];
        match node.shape {
            tree::Shape::Mapping => {
                let key = operation::key_source(&path[step]);
                self.insert_entry(parent, Some(&key), &value, None)
            }
            tree::Shape::Scalar if self.is_null(parent) => {
                self.overwrite(parent, &value.wrapped(&path[step])?)
            }
            tree::Shape::Sequence => Err(self.refuse(EditErrorKind::NotFound, node.start)),
            _ => Err(self.refuse(EditErrorKind::KindMismatch, node.start)),
        }
    }

    fn replace(&mut self, operation: &Operation, value: &Value) -> Result<(), EditError> {
        let node = self.existing(operation, &operation.path)?;
        self.overwrite(node, value)
    }

    fn test(&mut self, operation: &Operation, value: &Value) -> Result<(), EditError> {
        let node = self.existing(operation, &operation.path)?;
        if self.tree.content(node) == value.tree.content(value.root) {
            return Ok(());
        }
        Err(self.refuse(EditErrorKind::TestFailed, self.tree.nodes[node].start))
    }
}
