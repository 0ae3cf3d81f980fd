//! The text of a file, in which the comments of its nodes are found, and its documents.

use ketch_edit::{Comments, DocumentSpan, Edit, document_spans};
use ketch_yaml::path::Step;
use std::sync::{Mutex, OnceLock, PoisonError};

/// The text of a file.
#[derive(Debug)]
pub struct SourceText {
    text: String,
    /// The positions of its entries, once comments have been looked for.
    edit: OnceLock<Mutex<Edit>>,
    /// Its documents, once they have been looked for.
    documents: OnceLock<Vec<DocumentSpan>>,
}

impl AsRef<str> for SourceText {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl SourceText {
    /// Creates the text of a file.
    pub fn new(text: String) -> SourceText {
        SourceText { text, edit: OnceLock::new(), documents: OnceLock::new() }
    }

    /// Returns the comments of the entry at a path.
    pub(super) fn comments(&self, document: usize, path: &[Step]) -> Option<Comments> {
        let edit = self.edit.get_or_init(|| Mutex::new(Edit::deferred(self.text.clone())));
        let mut edit = edit.lock().unwrap_or_else(PoisonError::into_inner);
        edit.comments(document, path).ok()
    }

    /// Returns the text of a document up to the start of the next one, and whether a marker starts it.
    pub(crate) fn document(&self, number: usize) -> Option<(&str, &DocumentSpan)> {
        let documents =
            self.documents.get_or_init(|| document_spans(&self.text).unwrap_or_default());
        let span = documents.get(number)?;
        let end = documents.get(number + 1).map_or(self.text.len(), |next| next.range.start);
        Some((self.text.get(span.range.start..end)?, span))
    }
}
