//! Documents as Ruby objects.

use crate::charge::Charge;
use crate::options::LoadOptions;
use ketch_host::nodes::Places;
use ketch_yaml::Document;
use magnus::{Ruby, TypedData, typed_data::Obj};

/// A document that owns its text, as a Ruby object.
#[derive(Debug, TypedData)]
#[magnus(class = "Ketch::Document", free_immediately, size)]
pub struct Holder {
    pub document: Document<'static>,
    pub options: LoadOptions,
    pub places: Places,
    _charge: Charge,
}

/// Returns the approximate number of bytes of memory that a document takes.
fn bytes_of(document: &Document<'_>) -> usize {
    document.text().len() + 16 * document.node_count()
}

/// Wraps a document in a Ruby object.
pub fn held(ruby: &Ruby, document: Document<'static>, options: &LoadOptions) -> Obj<Holder> {
    let charge = Charge::of(bytes_of(&document));
    let (options, places) = (options.clone(), Places::default());
    ruby.obj_wrap(Holder { document, options, places, _charge: charge })
}

impl magnus::DataTypeFunctions for Holder {
    fn size(&self) -> usize {
        size_of::<Holder>() + bytes_of(&self.document)
    }
}
