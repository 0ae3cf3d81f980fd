//! The text between two edits, and the check of each.

use super::error::{EditError, EditErrorKind};
use super::pieces::{Patch, Pieces, apply_patches, inverse};
use super::tree::{Token, Tree};

/// A text while it is edited.
///
/// ```
/// use ketch_yaml::edit::{Edit, Operation};
/// use ketch_yaml::path::Path;
///
/// let mut edit = Edit::open("image:\n  tag: '1.9'   # pinned\n")?;
/// let path: Path = "image.tag".parse().unwrap();
/// edit.apply(&[Operation::new("set", path.steps()).with_value("'1.10'")])?;
/// assert_eq!(edit.text(), "image:\n  tag: '1.10'   # pinned\n");
/// # Ok::<(), ketch_yaml::edit::EditError>(())
/// ```
#[derive(Debug)]
pub struct Edit {
    pub(super) original: String,
    pub(super) text: String,
    pub(super) tree: Tree,
    pub(super) pieces: Pieces,
}

/// Patches on the current text, and the tokens of the result.
pub(super) struct Plan {
    pub patches: Vec<Patch>,
    pub tokens: Vec<Token>,
}

impl Edit {
    /// Starts with a text, which is parsed once.
    ///
    /// # Errors
    ///
    /// The parser's first error.
    pub fn open(text: &str) -> Result<Edit, EditError> {
        let tree = Tree::parse(text.as_bytes())?;
        let pieces = Pieces::new(text.len());
        Ok(Edit { original: text.to_owned(), text: text.to_owned(), tree, pieces })
    }

    /// The text with all edits.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The patches that turn the original into the text: sorted, without overlap.
    #[must_use]
    pub fn patches(&self) -> Vec<Patch> {
        self.pieces.patches(&self.original)
    }

    /// The patches that turn the text back into the original.
    #[must_use]
    pub fn inverse(&self) -> Vec<Patch> {
        inverse(&self.original, &self.patches())
    }

    pub(super) fn refuse(&self, kind: EditErrorKind, at: usize) -> EditError {
        EditError::at(kind, self.text.as_bytes(), at)
    }

    /// Applies a plan, if its result means what it should.
    pub(super) fn commit(&mut self, mut plan: Plan) -> Result<(), EditError> {
        plan.patches.sort_by_key(|patch| (patch.at.start, patch.at.end));
        let place = plan.patches.first().map_or(0, |patch| patch.at.start);
        if plan.patches.windows(2).any(|two| two[0].at.end > two[1].at.start) {
            return Err(self.refuse(EditErrorKind::WouldChangeMeaning, place));
        }
        let line_break = if self.text.contains("\r\n") { "\r\n" } else { "\n" };
        for patch in &mut plan.patches {
            if line_break == "\r\n" && !patch.new.contains('\r') {
                patch.new = patch.new.replace('\n', line_break);
            }
        }
        let text = apply_patches(&self.text, &plan.patches);
        let tree = Tree::parse(text.as_bytes())
            .map_err(|_| self.refuse(EditErrorKind::WouldChangeMeaning, place))?;
        if tree.tokens != plan.tokens {
            return Err(self.refuse(EditErrorKind::WouldChangeMeaning, place));
        }
        for patch in plan.patches.iter().rev() {
            self.pieces.apply(patch);
        }
        (self.text, self.tree) = (text, tree);
        Ok(())
    }
}
