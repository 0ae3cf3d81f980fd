//! What values come from: nodes of documents, and what programs have added to them.

use super::decoration::{Decorated, Decoration};
use super::{Array, Object, Origin, Source, Value};
use ketch_yaml::Document;
use std::sync::Arc;

impl Value {
    /// Returns what a collection that is made of the value comes from: its node, with its decoration.
    pub(crate) fn source(&self) -> Origin {
        match self {
            Value::Node(source, id) => Some((source.clone(), source.node(*id).id())),
            Value::Array(array) => array.origin.clone(),
            Value::Object(object) => object.origin.clone(),
            _ => None,
        }
    }

    /// Returns the place of the value in its document.
    pub fn origin(&self) -> Origin {
        match self {
            Value::Node(source, id) => undecorated(&Some((source.clone(), *id))),
            Value::Array(array) => undecorated(&array.origin),
            Value::Object(object) => undecorated(&object.origin),
            _ => None,
        }
    }

    /// Returns the value with the decoration that `change` makes of its own.
    pub(crate) fn decorated(self, change: impl FnOnce(&mut Decoration)) -> Value {
        let mut decoration = self.decoration().cloned().unwrap_or_default();
        change(&mut decoration);
        let decorated = Decorated { value: self.bare(), decoration };
        let source = Source::of_decorated(Document::new(), Box::new(decorated));
        Arc::new(source).root()
    }

    /// Returns what was added to the value.
    pub(crate) fn decoration(&self) -> Option<&Decoration> {
        Some(&self.holder()?.decorated.as_ref()?.decoration)
    }

    /// Returns the value without its decoration. Its entries keep theirs.
    pub(crate) fn bare(&self) -> Value {
        let Some(decorated) = self.holder().and_then(|source| source.decorated.as_ref()) else {
            return self.clone();
        };
        match self {
            Value::Array(array) => {
                let (entries, origin) = (array.entries.clone(), decorated.value.origin());
                Value::Array(Arc::new(Array { entries, origin }))
            }
            Value::Object(object) => {
                let (entries, origin) = (object.entries.clone(), decorated.value.origin());
                Value::Object(Arc::new(Object { entries, origin }))
            }
            _ => decorated.value.clone(),
        }
    }

    /// Returns whether an entry of the value, however deep, has a decoration.
    pub(crate) fn has_decorated_entries(&self) -> bool {
        let mut pending = vec![self.clone()];
        while let Some(value) = pending.pop() {
            let before = pending.len();
            match value.bare() {
                Value::Array(array) => pending.extend(array.entries.iter().cloned()),
                Value::Object(object) => pending.extend(object.entries.values().cloned()),
                _ => {}
            }
            if pending[before..].iter().any(|entry| entry.decoration().is_some()) {
                return true;
            }
        }
        false
    }

    /// Returns the source that the value refers to.
    fn holder(&self) -> Option<&Arc<Source>> {
        match self {
            Value::Node(source, _) => Some(source),
            Value::Array(array) => array.origin.as_ref().map(|(source, _)| source),
            Value::Object(object) => object.origin.as_ref().map(|(source, _)| source),
            _ => None,
        }
    }
}

/// Returns the node of a document that `origin` stands for: for a decorated value, the one of that value.
fn undecorated(origin: &Origin) -> Origin {
    let (source, _) = origin.as_ref()?;
    match &source.decorated {
        // The value inside has no decoration.
        Some(decorated) => decorated.value.origin(),
        None => origin.clone(),
    }
}
