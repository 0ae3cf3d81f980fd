//! Documents that Ruby holds.

use crate::options::LoadOptions;
use ketch_host::places::Lines;
use ketch_yaml::Document;
use magnus::{Ruby, TypedData, typed_data::Obj};
use std::cell::OnceCell;

/// A document that owns its text.
#[derive(Debug, TypedData)]
#[magnus(class = "Ketch::Document", free_immediately, size)]
pub struct Holder {
    pub document: Document<'static>,
    pub options: LoadOptions,
    /// Made when the first location is needed.
    pub lines: OnceCell<Option<Lines>>,
}

/// Wraps a document in an object for Ruby.
pub fn held(ruby: &Ruby, document: Document<'static>, options: &LoadOptions) -> Obj<Holder> {
    ruby.obj_wrap(Holder { document, options: options.clone(), lines: OnceCell::new() })
}

impl magnus::DataTypeFunctions for Holder {
    fn size(&self) -> usize {
        size_of::<Holder>() + self.document.text().len() + 16 * self.document.node_count()
    }
}
