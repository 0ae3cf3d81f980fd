//! Hashes values without recursion. The order of a mapping's pairs makes no difference.

use super::Value;
use super::walk::{Step, Walk};
use foldhash::fast::RandomState;
use std::hash::{BuildHasher, Hash, Hasher};
use std::mem::discriminant;
use std::sync::LazyLock;

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        discriminant(self).hash(state);
        match self {
            Value::Null => {}
            Value::Bool(value) => value.hash(state),
            Value::Number(value) => value.hash(state),
            Value::String(text) => text.hash(state),
            Value::Bytes(bytes) => bytes.hash(state),
            Value::Timestamp(value) => value.hash(state),
            Value::Sequence(_) | Value::Mapping(_) | Value::Tagged(_) => digest(self).hash(state),
        }
    }
}

/// The hasher with which values are hashed. Its keys are random in each process.
static STATE: LazyLock<RandomState> = LazyLock::new(RandomState::default);

/// Returns the hash of `key` for the index of a mapping.
pub(super) fn key_hash(key: &Value) -> u64 {
    match key {
        Value::String(text) => text_hash(text),
        other => STATE.hash_one(other),
    }
}

/// Returns the hash of a key that is the text `text`.
pub(super) fn text_hash(text: &str) -> u64 {
    STATE.hash_one(text)
}

/// An open collection, with the combined hash of its entries so far.
struct Open {
    is_mapping: bool,
    sum: u64,
    key: Option<u64>,
    tag: u64,
}

/// Returns the hash of `value` and everything in it. The hashes of a sequence's items are combined
/// in order; those of a mapping's pairs are added, so that their order makes no difference.
pub(super) fn digest(value: &Value) -> u64 {
    let hash = |what: (u64, u64)| STATE.hash_one(what);
    let mut open: Vec<Open> = Vec::new();
    let mut tag = 0;
    for step in Walk::new(value) {
        let done = match step {
            Step::Leaf(leaf) => hash((std::mem::take(&mut tag), STATE.hash_one(leaf))),
            Step::Tag(own) => {
                tag = hash((tag, STATE.hash_one(own.as_str())));
                continue;
            }
            Step::Sequence(len) | Step::Mapping(len) => {
                let is_mapping = matches!(step, Step::Mapping(_));
                let tag = std::mem::take(&mut tag);
                open.push(Open { is_mapping, sum: len as u64, key: None, tag });
                continue;
            }
            Step::SequenceEnd | Step::MappingEnd => match open.pop() {
                Some(Open { is_mapping, sum, tag, .. }) => {
                    hash((hash((tag, is_mapping.into())), sum))
                }
                None => 0,
            },
        };
        let Some(parent) = open.last_mut() else { return done };
        if !parent.is_mapping {
            parent.sum = hash((parent.sum, done));
        } else if let Some(key) = parent.key.take() {
            parent.sum = parent.sum.wrapping_add(hash((key, done)));
        } else {
            parent.key = Some(done);
        }
    }
    0
}
