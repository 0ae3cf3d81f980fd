//! The text of a file, in which the comments of its nodes are found.

use ketch_edit::{Comments, Edit};
use ketch_yaml::path::Step;
use std::sync::{Mutex, PoisonError};

/// The text of a file. The positions of its entries are noted when comments are looked for.
#[derive(Debug)]
pub struct SourceText {
    edit: Mutex<Edit>,
}

impl SourceText {
    /// Creates the text of a file.
    pub fn new(text: String) -> SourceText {
        SourceText { edit: Mutex::new(Edit::deferred(text)) }
    }

    /// Returns the comments of the entry at a path.
    pub(super) fn comments(&self, document: usize, path: &[Step]) -> Option<Comments> {
        let mut edit = self.edit.lock().unwrap_or_else(PoisonError::into_inner);
        edit.comments(document, path).ok()
    }
}
