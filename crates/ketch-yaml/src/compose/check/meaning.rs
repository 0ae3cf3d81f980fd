//! Compares keys without a tree.
//!
//! A scalar is represented by its event and its tag, and compared by its value. A collection is compared
//! by a structural hash of 128 bits, which is computed while its events arrive; see [`super::digest`].

use crate::compose::key::{ScalarKey, TagKey, hasher, value_of};
use crate::compose::node::Shape;
use crate::compose::tree::Side;
use crate::event::{Event, EventKind};
use crate::fault::Fault;
use crate::scalar;
use crate::schema::Schema;
use foldhash::HashMap;
use foldhash::fast::RandomState;
use std::hash::{BuildHasher, Hash};
use std::sync::OnceLock;

/// A hash so wide that two nodes with the same digest are taken to be equal.
pub(super) type Digest = u128;

/// A scalar, with its offset in the document's text.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScalarNode {
    pub event: Event,
    /// The number of its tag.
    pub tag: Option<u32>,
}

/// The meaning of a node.
#[derive(Clone, Copy, Debug)]
pub(super) enum Meaning {
    Scalar(ScalarNode),
    /// A collection, or the fault if it contains an alias to a collection around it.
    Collection(Result<Digest, Fault>),
}

/// Everything needed to find the meaning of a scalar.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    /// The document's text so far.
    pub text: &'a [u8],
    /// The document's tags.
    pub side: &'a Side,
    pub schema: Schema,
}

impl<'a> Context<'a> {
    /// Returns whether the text of the scalar `node` is valid for its tag.
    pub fn is_valid(self, node: ScalarNode) -> bool {
        self.value(node).is_ok()
    }

    /// Returns the value of the scalar `node`, or an error if its text is not valid for its tag.
    fn value(
        self,
        node: ScalarNode,
    ) -> Result<crate::compose::key::Value<'a>, crate::schema::ConvertError> {
        let tag = node.tag.map(|name| self.side.tag_name(name));
        let is_plain = node.event.kind == EventKind::Plain;
        value_of(scalar::content(self.text, &node.event), is_plain, tag, self.schema)
    }

    /// Returns the scalar `node` in the form in which keys are compared.
    pub fn key(self, node: ScalarNode) -> ScalarKey<'a> {
        let tag = || TagKey::named(self.side, node.tag?, Shape::Plain);
        let content = || scalar::content(self.text, &node.event);
        ScalarKey::new(self.value(node), tag, content, self.schema.into())
    }

    /// Returns whether the scalar is a merge key, by the rules of
    /// [`is_merge_key`](crate::compose::merge::is_merge_key).
    pub fn is_merge_key(self, node: ScalarNode) -> bool {
        match node.tag {
            None => {
                node.event.kind == EventKind::Plain
                    && node.event.len == 2
                    && scalar::verbatim(self.text, &node.event) == Some(b"<<")
            }
            Some(name) => self.side.tag_name(name) == "tag:yaml.org,2002:merge",
        }
    }
}

/// Returns the digest of `value`. Its upper half is the hash that [`hasher`] computes.
pub(super) fn digest_of(value: impl Hash) -> Digest {
    static SECOND: OnceLock<RandomState> = OnceLock::new();
    let second = SECOND.get_or_init(RandomState::default).hash_one(&value);
    u128::from(hasher().hash_one(&value)) << 64 | u128::from(second)
}

/// Digests of long scalars, by their offsets. A few bytes of alias can refer to a very long scalar, so
/// hashing it for each alias could take quadratic time.
#[derive(Debug, Default)]
pub(super) struct LongScalars(HashMap<usize, Digest>);

/// Scalars of at most this number of bytes are hashed again for each alias.
const SHORT_BYTES: usize = 256;

impl LongScalars {
    /// Returns the digest of the scalar `node`.
    pub fn digest(&mut self, context: Context<'_>, node: ScalarNode) -> Digest {
        let digest = || digest_of(context.key(node));
        match node.event.len {
            0..=SHORT_BYTES => digest(),
            _ => *self.0.entry(node.event.start).or_insert_with(digest),
        }
    }

    /// Clears the state of the last document.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}
