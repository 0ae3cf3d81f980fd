//! Tables of the entries of collections: with them, a program that reads one entry after another
//! does not search the collection from the start each time. They are created on first use, and only
//! for long collections.

use ketch_yaml::compose::Node;
use ketch_yaml::schema::{Scalar, Schema};
use pyo3::PyResult;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, PoisonError};

/// The number of entries from which a collection has a table.
const ENTRIES_MIN: usize = 16;

/// The tables of a document, by the numbers of the collections.
#[derive(Debug, Default)]
pub struct Indexes {
    items: Mutex<HashMap<usize, Arc<[u32]>>>,
    pairs: Mutex<HashMap<usize, Arc<Pairs>>>,
    hasher: RandomState,
}

/// The keys of a mapping that are text, with their values.
#[derive(Debug)]
struct Pairs {
    /// The hash of each key, and the numbers of the key's and the value's node, sorted by hash.
    by_hash: Box<[(u64, u32, u32)]>,
}

impl Indexes {
    /// Returns the number of the node at an index of a sequence, or `None` if there is none.
    pub fn item(&self, sequence: Node<'_>, index: usize) -> Option<usize> {
        if index < ENTRIES_MIN {
            return sequence.items().nth(index).map(|item| item.id().index());
        }
        let mut items = self.items.lock().unwrap_or_else(PoisonError::into_inner);
        let known = items.entry(sequence.id().index());
        let table = known
            .or_insert_with(|| sequence.items().map(|item| item.id().index() as u32).collect());
        table.get(index).map(|&number| number as usize)
    }

    /// Returns the numbers of the nodes of the text key `key` and of its value, or `None` if the
    /// mapping has no such key. `pairs` returns all pairs of the mapping.
    pub fn pair(
        &self,
        mapping: Node<'_>,
        key: &[u8],
        schema: Schema,
        pairs: impl Fn() -> PyResult<Vec<(usize, usize)>>,
    ) -> PyResult<Option<(usize, usize)>> {
        let document = mapping.document();
        let is_key = |number: usize| is_text(document.node(number.into()).resolved(), key, schema);
        if mapping.len() < ENTRIES_MIN {
            return Ok(pairs()?.into_iter().find(|&(number, _)| is_key(number)));
        }
        let table = self.table(mapping, schema, pairs)?;
        let hash = self.hasher.hash_one(key);
        let start = table.by_hash.partition_point(|entry| entry.0 < hash);
        let same = table.by_hash[start..].iter().take_while(|entry| entry.0 == hash);
        let mut found = same.map(|&(_, key, value)| (key as usize, value as usize));
        Ok(found.find(|&(number, _)| is_key(number)))
    }

    /// Returns the table of a mapping, which is created from `pairs` on first use.
    fn table(
        &self,
        mapping: Node<'_>,
        schema: Schema,
        pairs: impl Fn() -> PyResult<Vec<(usize, usize)>>,
    ) -> PyResult<Arc<Pairs>> {
        let number = mapping.id().index();
        let known = self.pairs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = known.get(&number) {
            return Ok(Arc::clone(table));
        }
        drop(known);
        let mut by_hash = Vec::with_capacity(mapping.len());
        for (key, value) in pairs()? {
            let node = mapping.document().node(key.into()).resolved();
            let hash = match node.verbatim_text(schema) {
                Some(text) => self.hasher.hash_one(text),
                None => match node.scalar_bytes(schema) {
                    Ok(Scalar::Str(text)) => self.hasher.hash_one(&*text),
                    _ => continue,
                },
            };
            by_hash.push((hash, key as u32, value as u32));
        }
        by_hash.sort_unstable();
        let table = Arc::new(Pairs { by_hash: by_hash.into() });
        let mut known = self.pairs.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Arc::clone(known.entry(number).or_insert(table)))
    }
}

/// Returns whether a key is the text `text`, not a number or other value that is written like it.
fn is_text(node: Node<'_>, text: &[u8], schema: Schema) -> bool {
    match node.verbatim_text(schema) {
        Some(own) => own == text,
        None => match node.scalar_bytes(schema) {
            Ok(Scalar::Str(own)) => *own == *text,
            _ => false,
        },
    }
}
