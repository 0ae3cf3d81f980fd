//! Equality of nodes (YAML 1.2.2, section 3.2.1.3) by kind, tag and content. The content of a scalar is
//! its value under the schema, however it is spelled.

use super::node::{Shape, TAGGED};
use super::options::{Equality, FloatKeys};
use super::tree::{Side, View};
use crate::schema::{BigInt, ConvertError, Exact, Scalar, Schema, Timestamp};
use foldhash::fast::RandomState;
use std::borrow::Cow;
use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::OnceLock;

/// Returns the hasher for all keys and tags. There is one per process, so that nodes of different
/// documents can be compared. Its seed is random, so that nobody can choose keys that collide.
pub(super) fn hasher() -> &'static RandomState {
    static HASHER: OnceLock<RandomState> = OnceLock::new();
    HASHER.get_or_init(RandomState::default)
}

/// The value of a scalar node, with text as bytes.
pub(super) type Value<'a> = Scalar<'a, Cow<'a, [u8]>>;

/// Returns the value of the scalar node at `at`.
///
/// If the node has a tag that YAML does not define, the value is its content as text.
pub(super) fn value<'a>(
    view: View<'a>,
    at: usize,
    schema: Schema,
) -> Result<Value<'a>, ConvertError> {
    value_where(view, at, schema, |_| true)
}

/// Returns the value of the scalar node at `at`, without its tag unless `counts` accepts it.
#[inline]
pub(super) fn value_where<'a>(
    view: View<'a>,
    at: usize,
    schema: Schema,
    counts: impl FnOnce(&str) -> bool,
) -> Result<Value<'a>, ConvertError> {
    let node = view.nodes[at];
    let tag = if node.has(TAGGED) { view.tag(at).filter(|tag| counts(tag)) } else { None };
    value_of(view.content(at), node.shape() == Shape::Plain, tag, schema)
}

/// Returns the value of a scalar with the content `content` and the tag `tag`. A scalar without a
/// tag is resolved if it is plain, and is a string otherwise.
pub(super) fn value_of<'a>(
    content: Cow<'a, [u8]>,
    is_plain: bool,
    tag: Option<&str>,
    schema: Schema,
) -> Result<Value<'a>, ConvertError> {
    match content {
        content if tag.is_none() && !is_plain => Ok(Scalar::Str(content)),
        Cow::Borrowed(content) => {
            let value = convert(schema, tag, content)?;
            Ok(with_text(value, Cow::Borrowed))
        }
        Cow::Owned(content) => {
            let value = into_static(convert(schema, tag, &content)?);
            Ok(with_text(value, |()| Cow::Owned(content)))
        }
    }
}

/// Converts `content` to the type that `tag` names or, if there is no tag, resolves it as a plain
/// scalar.
fn convert<'a>(
    schema: Schema,
    tag: Option<&str>,
    content: &'a [u8],
) -> Result<Scalar<'a, &'a [u8]>, ConvertError> {
    match tag {
        None => Ok(schema.scalar(content)),
        Some(tag) => Ok(schema.convert_tagged(tag, content)?.unwrap_or(Scalar::Str(content))),
    }
}

/// Applies `text` to the content of `value` if it is a string, and leaves all other values
/// unchanged.
pub(super) fn with_text<'a, T, U>(
    value: Scalar<'a, T>,
    text: impl FnOnce(T) -> U,
) -> Scalar<'a, U> {
    match value {
        Scalar::Str(content) => Scalar::Str(text(content)),
        Scalar::Unresolved(content) => Scalar::Unresolved(text(content)),
        Scalar::Null => Scalar::Null,
        Scalar::Bool(value) => Scalar::Bool(value),
        Scalar::Int(value) => Scalar::Int(value),
        Scalar::BigInt(value) => Scalar::BigInt(value),
        Scalar::Float(value) => Scalar::Float(value),
        Scalar::Timestamp(value) => Scalar::Timestamp(value),
        Scalar::Binary(value) => Scalar::Binary(value),
        Scalar::Merge => Scalar::Merge,
    }
}

/// Drops the text of `value`, so that it borrows nothing.
pub(super) fn into_static(value: Scalar<'_, &[u8]>) -> Scalar<'static, ()> {
    match value {
        Scalar::BigInt(value) => Scalar::BigInt(value.into_owned()),
        other => {
            // No other value borrows, but the type does not show this.
            match with_text(other, |_| ()) {
                Scalar::Null => Scalar::Null,
                Scalar::Bool(value) => Scalar::Bool(value),
                Scalar::Int(value) => Scalar::Int(value),
                Scalar::BigInt(value) => Scalar::BigInt(value.into_owned()),
                Scalar::Float(value) => Scalar::Float(value),
                Scalar::Timestamp(value) => Scalar::Timestamp(value),
                Scalar::Binary(value) => Scalar::Binary(value),
                Scalar::Merge => Scalar::Merge,
                Scalar::Str(()) => Scalar::Str(()),
                Scalar::Unresolved(()) => Scalar::Unresolved(()),
            }
        }
    }
}

/// The form in which scalars are compared as keys: two scalars are the same key if their
/// `ScalarKey`s are equal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum ScalarKey<'a> {
    Null,
    Bool(bool),
    Int(i64),
    BigInt(BigInt<'a>),
    /// A number with all its digits. All NaNs count as equal, and so do `0.0` and `-0.0`.
    Float(Exact),
    /// The bits of a number that has been rounded. Zero and NaN have the same bits as above.
    Rounded(u64),
    Timestamp(Timestamp),
    Binary(Vec<u8>),
    Merge,
    Str(Cow<'a, [u8]>),
    /// Text with a tag that YAML does not define, or that is not valid for its tag.
    Tagged(TagKey<'a>, Cow<'a, [u8]>),
}

/// A tag with its hash. Tags may be long and shared by many nodes, so each is hashed once, at its
/// first occurrence.
#[derive(Clone, Copy, Debug)]
pub(super) struct TagKey<'a> {
    text: &'a str,
    hash: u64,
}

impl PartialEq for TagKey<'_> {
    fn eq(&self, other: &TagKey<'_>) -> bool {
        // A document stores each tag once, so equal tags of one document have the same address.
        std::ptr::eq(self.text, other.text) || self.hash == other.hash && self.text == other.text
    }
}

impl Eq for TagKey<'_> {}

impl Hash for TagKey<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

impl<'a> TagKey<'a> {
    /// Returns the hash of the tag.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Returns the tag of the node at `at`, or `None` if it has no tag or the standard tag of its
    /// kind.
    pub fn of(view: View<'a>, at: usize) -> Option<TagKey<'a>> {
        let entry = view.tag_entry(at)?;
        TagKey::named(view.side, entry.name, view.nodes[at].shape())
    }

    /// Does what [`TagKey::of`] does, for the tag with the index `name` on a node of the shape
    /// `shape`.
    pub fn named(side: &'a Side, name: u32, shape: Shape) -> Option<TagKey<'a>> {
        let text = side.tag_name(name);
        let is_usual = match shape {
            Shape::Sequence => text == "!" || text == "tag:yaml.org,2002:seq",
            Shape::Mapping => text == "!" || text == "tag:yaml.org,2002:map",
            _ => is_str(text),
        };
        (!is_usual).then(|| TagKey { text, hash: side.tag_hashes[name as usize] })
    }
}

impl<'a> ScalarKey<'a> {
    /// Returns the key of the scalar node at `at`.
    pub fn of(view: View<'a>, at: usize, equality: impl Into<Equality>) -> ScalarKey<'a> {
        let equality = equality.into();
        let value = value(view, at, equality.schema);
        ScalarKey::new(value, || TagKey::of(view, at), || view.content(at), equality)
    }

    /// Returns the key of a scalar with this value, tag and content.
    #[inline(always)]
    pub fn new(
        value: Result<Value<'a>, ConvertError>,
        tag: impl FnOnce() -> Option<TagKey<'a>>,
        content: impl FnOnce() -> Cow<'a, [u8]>,
        equality: Equality,
    ) -> ScalarKey<'a> {
        match value {
            Ok(Scalar::Str(content)) => ScalarKey::text(tag(), content),
            Ok(Scalar::Float(value)) => ScalarKey::float(value, &content(), equality),
            Ok(value) => ScalarKey::from_value(value, b"", equality),
            Err(_) => ScalarKey::text(tag(), content()),
        }
    }

    /// Returns the key of a string: `content`, with `tag` if there is one.
    fn text(tag: Option<TagKey<'a>>, content: Cow<'a, [u8]>) -> ScalarKey<'a> {
        match tag {
            Some(tag) => ScalarKey::Tagged(tag, content),
            None => ScalarKey::Str(content),
        }
    }

    /// Returns the key of a float whose nearest float of 64 bits is `value`, and which is spelled
    /// as `content`.
    fn float(value: f64, content: &[u8], Equality { schema, floats }: Equality) -> ScalarKey<'a> {
        match floats {
            FloatKeys::Exact => ScalarKey::Float(schema.exact(content)),
            FloatKeys::Finite if value.is_infinite() => ScalarKey::Float(schema.exact(content)),
            _ if value.is_nan() => ScalarKey::Rounded(f64::NAN.to_bits()),
            _ => ScalarKey::Rounded((value + 0.0).to_bits()),
        }
    }

    /// Returns the key of a scalar with the value `value` and without a tag that YAML does not
    /// define. `content` is the text of a float.
    pub fn from_value(
        value: Value<'a>,
        content: &[u8],
        equality: impl Into<Equality>,
    ) -> ScalarKey<'a> {
        match value {
            Scalar::Null => ScalarKey::Null,
            Scalar::Bool(value) => ScalarKey::Bool(value),
            Scalar::Int(value) => ScalarKey::Int(value),
            Scalar::BigInt(value) => ScalarKey::BigInt(value),
            Scalar::Float(value) => ScalarKey::float(value, content, equality.into()),
            Scalar::Timestamp(value) => ScalarKey::Timestamp(value),
            Scalar::Binary(value) => ScalarKey::Binary(value),
            Scalar::Merge => ScalarKey::Merge,
            Scalar::Str(content) | Scalar::Unresolved(content) => ScalarKey::Str(content),
        }
    }

    /// Returns the hash of the key, which is the same for equal keys, even of different documents.
    pub fn hash_one(&self) -> u64 {
        hasher().hash_one(self)
    }
}

/// Returns whether a scalar with the tag `tag` is always a string.
fn is_str(tag: &str) -> bool {
    tag == "!" || tag == "tag:yaml.org,2002:str"
}
