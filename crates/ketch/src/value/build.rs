//! Builds values step by step, and from documents, and applies merge keys (`<<`).

use super::number::N;
use super::walk::{self, Walk};
use super::{Mapping, Number, Sequence, Tag, TaggedValue, Text, Value};
use crate::error::{Error, ErrorLocation, Problem};
use crate::model::has_digits;
use ketch_bytes::string::Part;
use ketch_yaml::compose::{ExpandOptions, Kind, Node, Step, Style, Visit};
use ketch_yaml::schema::{BigInt, Scalar, ScalarTag, Schema};
use ketch_yaml::tag::is_known;
use ketch_yaml::{Document, FloatKeys, Limits};
use std::borrow::Cow;

/// Options for converting documents to values.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ValueOptions {
    /// The schema that determines the values of plain scalars. Default: core.
    pub schema: Schema,
    /// Whether merge keys (`<<`) are applied. The default, `None`, means that the schema decides.
    pub merge_keys: Option<bool>,
    /// The limits for the conversion. [`Limits::max_alias_nodes`] bounds the expansion of aliases.
    pub limits: Limits,
}

impl Default for ValueOptions {
    fn default() -> ValueOptions {
        ValueOptions { schema: Schema::Core, merge_keys: None, limits: Limits::default() }
    }
}

impl Value {
    /// Converts `document` to a value. Aliases are expanded.
    ///
    /// # Errors
    ///
    /// Fails if the text of a scalar is not valid for its tag or the schema, if the expansion of
    /// aliases exceeds the budget, or if two keys of a mapping become the same float.
    pub fn from_document(document: &Document<'_>, options: &ValueOptions) -> Result<Value, Error> {
        Value::from_node(document.root(), options)
    }

    /// Converts `node` to a value, as [`Value::from_document`] does with the root.
    ///
    /// # Errors
    ///
    /// Fails as [`Value::from_document`] does.
    pub fn from_node(node: Node<'_>, options: &ValueOptions) -> Result<Value, Error> {
        let ValueOptions { schema, merge_keys, limits } = *options;
        node.check_keys(FloatKeys::Finite)?;
        let mut walk = ExpandOptions::of(node.document());
        walk.schema = schema;
        walk.float_keys = FloatKeys::Finite;
        walk.merges = merge_keys.unwrap_or(schema.has_merge_keys());
        walk.limits = limits;
        let mut builder = Builder::default();
        for visit in node.expanded_with(&walk) {
            builder.visit(&visit?, schema)?;
        }
        Ok(builder.finish())
    }
}

/// Builds a value step by step. Its stack of open collections is on the heap, so that the depth is
/// not limited.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    /// The values in all open collections that are complete, in order.
    values: Vec<Value>,
    open: Vec<Open>,
    /// The tags of the open collections, followed by those of the next value.
    tags: Vec<Tag>,
    /// The number of tags that the next value has.
    pending_tags: u32,
    /// Whether the keys of each mapping are known to be distinct.
    are_keys_distinct: bool,
}

/// The maximum number of values for which space is reserved at the start.
const VALUES_MIN: usize = 32;

#[derive(Clone, Copy, Debug)]
struct Open {
    /// The index in [`Builder::values`] of the collection's first value.
    start: usize,
    tags: u32,
    is_mapping: bool,
}

impl Builder {
    /// Creates a builder for a value that consists of `values` values in total. `are_keys_distinct`
    /// says whether the keys of each mapping are known to be distinct.
    pub fn new(are_keys_distinct: bool, values: usize) -> Builder {
        // There may be more values, but only those of open collections are stored at the same time.
        let values = Vec::with_capacity(values.min(VALUES_MIN));
        Builder { are_keys_distinct, values, ..Builder::default() }
    }

    /// Adds `tag` to the tags of the next value.
    pub fn tag(&mut self, tag: Tag) {
        self.tags.push(tag);
        self.pending_tags += 1;
    }

    /// Starts a mapping if `is_mapping` is set, and a sequence otherwise.
    #[inline]
    pub fn start(&mut self, is_mapping: bool) {
        let tags = std::mem::take(&mut self.pending_tags);
        self.open.push(Open { start: self.values.len(), tags, is_mapping });
    }

    /// Returns whether the next value is a key of a mapping.
    #[inline]
    pub fn is_at_key(&self) -> bool {
        let open = self.open.last().filter(|open| open.is_mapping);
        open.is_some_and(|open| (self.values.len() - open.start).is_multiple_of(2))
    }

    /// Ends the innermost collection.
    #[inline]
    pub fn end(&mut self) {
        let Some(Open { start, tags, is_mapping }) = self.open.pop() else { return };
        // This allocates exactly as much memory as is needed, and copies the values once.
        let values = self.values.split_off(start);
        let is_distinct = self.are_keys_distinct;
        self.push(|| match is_mapping {
            false => Value::Sequence(Sequence(values)),
            true if is_distinct => Value::Mapping(Mapping::of_distinct(values)),
            true => Value::Mapping(pairs(values)),
        });
        if tags > 0 {
            self.pending_tags = tags;
            let value = self.values.pop().unwrap_or_default();
            self.value(value);
        }
    }

    /// Adds `value`, which is complete, with the tags of the next value.
    #[inline]
    pub fn value(&mut self, value: Value) {
        let value = if self.pending_tags > 0 { self.tagged(value) } else { value };
        self.values.push(value);
    }

    /// Adds the text of `part` as a value without a tag.
    #[inline(always)]
    pub fn text(&mut self, part: Part<'_>) {
        match Text::of_short(part) {
            Some(text) => self.push(|| Value::String(text)),
            None => self.long_text(part.as_str()),
        }
    }

    /// Adds text that [`Text::of_short`] cannot store inline.
    #[inline(never)]
    fn long_text(&mut self, text: &str) {
        self.values.push(text.into());
    }

    /// Adds the value of `text`, which `schema` resolves to `tag`. Returns `None` if it is an
    /// integer with too many digits. The result is the same as with [`convert`], but the scalar is
    /// not moved, which would cause the stall that [`Builder::push`] avoids.
    #[inline(always)]
    pub fn plain(&mut self, schema: Schema, tag: ScalarTag, text: &str) -> Option<()> {
        match schema.convert(tag, text) {
            Scalar::Null => self.push(|| Value::Null),
            Scalar::Bool(value) => self.push(|| Value::Bool(value)),
            Scalar::Int(value) => self.push(|| Value::Number(Number(N::Int(value)))),
            Scalar::Float(value) if value.is_infinite() && has_digits(text) => self.long_text(text),
            Scalar::Float(value) => self.push(|| Value::Number(Number(N::Float(value)))),
            other => self.values.push(plain_value(other)?),
        }
        Some(())
    }

    /// Adds the value that `make` returns. It is created in place. `Vec::push` would create it
    /// elsewhere and then copy it, and copying what has just been written in smaller pieces causes
    /// a store-forwarding stall.
    #[inline(always)]
    fn push(&mut self, make: impl FnOnce() -> Value) {
        self.values.extend(std::iter::once_with(make));
    }

    /// Returns `value` with the tags of the next value.
    #[cold]
    #[inline(never)]
    fn tagged(&mut self, mut value: Value) -> Value {
        for _ in 0..std::mem::take(&mut self.pending_tags) {
            if let Some(tag) = self.tags.pop() {
                value = Value::Tagged(Box::new(TaggedValue { tag, value }));
            }
        }
        value
    }

    /// Returns the value that was built.
    pub fn finish(mut self) -> Value {
        self.values.pop().unwrap_or_default()
    }

    /// Adds `visit`, one step of the walk through a document.
    fn visit(&mut self, visit: &Visit<'_>, schema: Schema) -> Result<(), Error> {
        let node = visit.node;
        if visit.step == Step::End {
            self.end();
            return Ok(());
        }
        if let (Step::Scalar, Some(text)) = (visit.step, node.verbatim_text(schema)) {
            self.value(Value::from(String::from_utf8_lossy(text)));
            return Ok(());
        }
        if let Some(tag) = node.tag().filter(|tag| !is_known(tag)) {
            self.tag(tag_of(node, tag, schema));
        }
        match visit.step {
            Step::Scalar => self.value(scalar_value(node, schema)?),
            _ => self.start(node.kind() == Kind::Mapping),
        }
        Ok(())
    }
}

/// Builds a mapping from `values`, in which keys and values alternate. If keys are equal, the last
/// value wins.
fn pairs(values: Vec<Value>) -> Mapping {
    let mut values = values.into_iter();
    let pairs = std::iter::from_fn(|| Some((values.next()?, values.next()?)));
    pairs.collect()
}

/// Copies `value` without recursion.
pub(super) fn copy(value: &Value) -> Value {
    let mut builder = Builder::new(true, VALUES_MIN);
    for step in Walk::new(value) {
        match step {
            walk::Step::Leaf(leaf) => builder.value(leaf.clone()),
            walk::Step::Tag(tag) => builder.tag(tag.clone()),
            walk::Step::Sequence(_) => builder.start(false),
            walk::Step::Mapping(_) => builder.start(true),
            walk::Step::SequenceEnd | walk::Step::MappingEnd => builder.end(),
        }
    }
    builder.finish()
}

/// Returns the value of the scalar `node`. If it is plain and has a tag other than YAML's own, the
/// schema determines the value.
pub(crate) fn node_scalar(
    node: Node<'_>,
    schema: Schema,
) -> Result<Scalar<'_, Cow<'_, str>>, ketch_yaml::Error> {
    let is_plain = node.style() == Style::Plain;
    match node.tag() {
        Some(tag) if is_plain && !is_known(tag) => Ok(own_scalar(node, schema)),
        None if is_plain => Ok(match node.scalar(schema)? {
            Scalar::Float(value) if value.is_infinite() => own_scalar(node, schema),
            scalar => scalar,
        }),
        _ => node.scalar(schema),
    }
}

/// Returns the value of the plain scalar `node`, ignoring its tag.
fn own_scalar(node: Node<'_>, schema: Schema) -> Scalar<'_, Cow<'_, str>> {
    match node.text() {
        Cow::Borrowed(text) => match convert(schema, schema.resolve(text.as_bytes()), text) {
            Scalar::Null => Scalar::Null,
            Scalar::Bool(value) => Scalar::Bool(value),
            Scalar::Int(value) => Scalar::Int(value),
            Scalar::BigInt(value) => Scalar::BigInt(value),
            Scalar::Float(value) => Scalar::Float(value),
            Scalar::Timestamp(value) => Scalar::Timestamp(value),
            _ => Scalar::Str(Cow::Borrowed(text)),
        },
        // Plain text that has to be decoded has several lines, so it is always a string.
        text => Scalar::Str(text),
    }
}

/// Converts `text`, which `schema` resolves to `tag`. A finite number that is too large for `f64`
/// stays text, because it must not silently become infinite.
#[inline(always)]
pub(crate) fn convert(schema: Schema, tag: ScalarTag, text: &str) -> Scalar<'_, &str> {
    match schema.convert(tag, text) {
        Scalar::Float(value) if value.is_infinite() && has_digits(text) => Scalar::Str(text),
        scalar => scalar,
    }
}

/// Returns the value of the plain scalar `text`, or `None` if it is an integer with too many
/// digits.
pub(crate) fn plain_text_value(schema: Schema, text: &str) -> Option<Value> {
    plain_value(convert(schema, schema.resolve(text.as_bytes()), text))
}

/// Returns `tag`, the tag of `node`. If the node is a plain scalar that is not a string, its
/// spelling is stored with the tag.
pub(crate) fn tag_of(node: Node<'_>, tag: &str, schema: Schema) -> Tag {
    if node.kind() == Kind::Scalar
        && node.style() == Style::Plain
        && let Cow::Borrowed(text) = node.text()
        && schema.resolve(text.as_bytes()) != ScalarTag::Str
    {
        return Tag::with_spelling(tag, text);
    }
    Tag::new(tag)
}

/// Returns the value of the scalar `node`.
pub(crate) fn scalar_value(node: Node<'_>, schema: Schema) -> Result<Value, Error> {
    let wrong = |problem| Error::new(problem, ErrorLocation::Text(node.location()));
    Ok(match node_scalar(node, schema)? {
        Scalar::Null => Value::Null,
        Scalar::Bool(value) => Value::Bool(value),
        Scalar::Int(value) => Value::Number(value.into()),
        Scalar::BigInt(value) => {
            Value::Number(big_int(&value).ok_or_else(|| wrong(Problem::IntegerTooLong))?)
        }
        Scalar::Float(value) if value.is_infinite() && has_digits(&node.text()) => {
            return Err(wrong(Problem::FloatTooLarge));
        }
        Scalar::Float(value) => Value::Number(value.into()),
        Scalar::Timestamp(value) => Value::Timestamp(value),
        Scalar::Binary(bytes) => Value::Bytes(bytes),
        Scalar::Merge => Value::from("<<"),
        Scalar::Str(text) => Value::from(text),
        Scalar::Unresolved(_) => return Err(wrong(Problem::UnresolvedScalar)),
    })
}

/// Returns the value of `scalar`, which need not be in a document, or `None` if it is an integer
/// with too many digits.
pub(crate) fn plain_value(scalar: Scalar<'_, &str>) -> Option<Value> {
    Some(match scalar {
        Scalar::Null => Value::Null,
        Scalar::Bool(value) => Value::Bool(value),
        Scalar::Int(value) => Value::Number(value.into()),
        Scalar::BigInt(value) => Value::Number(big_int(&value)?),
        Scalar::Float(value) => Value::Number(value.into()),
        Scalar::Timestamp(value) => Value::Timestamp(value),
        Scalar::Binary(bytes) => Value::Bytes(bytes),
        Scalar::Merge => Value::from("<<"),
        Scalar::Str(text) | Scalar::Unresolved(text) => Value::from(text),
    })
}

/// The maximum number of digits of an integer. Converting it takes quadratic time.
const DIGITS_MAX: usize = 1 << 16;

/// Converts an integer that does not fit in `i64`. Returns `None` if it has too many digits.
pub(crate) fn big_int(value: &BigInt<'_>) -> Option<Number> {
    if value.digits().len() > DIGITS_MAX {
        return None;
    }
    let value: num_bigint::BigInt = value.to_decimal().parse().ok()?;
    Some(Number::from(value))
}

/// The merge key.
const MERGE: &str = "<<";

impl Value {
    /// Replaces each `<<` key in the value with the entries of the mappings that are its value.
    /// Such a value is a mapping, or a sequence of mappings in which earlier ones take precedence.
    /// The other keys of the mapping that contains `<<` take precedence over all of them.
    ///
    /// To apply merge keys while reading, set [`DeOptions::merge_keys`](crate::serde::DeOptions).
    ///
    /// ```
    /// let text = "base: &b {x: 1, y: 2}\nboat: {<<: *b, y: 3}\n";
    /// let mut value: ketch::Value = ketch::from_str(text).unwrap();
    /// value.apply_merge().unwrap();
    /// assert_eq!(value["boat"], ketch::from_str::<ketch::Value>("{x: 1, y: 3}").unwrap());
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the value of a `<<` key is neither a mapping nor a sequence of mappings. Merge keys
    /// that have been applied before the error stay applied.
    pub fn apply_merge(&mut self) -> Result<(), crate::serde::Error> {
        let mut pending = vec![self];
        while let Some(value) = pending.pop() {
            match value {
                Value::Mapping(pairs) => {
                    merge_into(pairs)?;
                    pending.extend(pairs.values_mut());
                }
                Value::Sequence(values) => pending.extend(values.iter_mut()),
                Value::Tagged(tagged) => pending.push(&mut tagged.value),
                _ => {}
            }
        }
        Ok(())
    }
}

/// Applies the merge key of `pairs`, and those of the mappings that it merges.
fn merge_into(pairs: &mut Mapping) -> Result<(), crate::serde::Error> {
    let Some(merged) = pairs.remove(MERGE) else { return Ok(()) };
    // The last mapping in the list is merged next.
    let mut pending = sources(merged)?;
    while let Some(mut source) = pending.pop() {
        let inner = source.remove(MERGE);
        for (key, value) in source {
            pairs.entry(key).or_insert(value);
        }
        if let Some(inner) = inner {
            pending.append(&mut sources(inner)?);
        }
    }
    Ok(())
}

/// Returns the mappings in `merged`, the value of a `<<` key, in reverse order.
fn sources(merged: Value) -> Result<Vec<Mapping>, crate::serde::Error> {
    let mapping = |value| match value {
        Value::Mapping(pairs) => Ok(pairs),
        other => Err(crate::serde::Error::new(format!(
            "`<<` merges a mapping or a sequence of mappings, found {}",
            kind(&other)
        ))),
    };
    match merged {
        Value::Sequence(values) => values.into_iter().rev().map(mapping).collect(),
        other => Ok(vec![mapping(other)?]),
    }
}

/// Returns what kind of value `value` is, for messages. It must not be a mapping.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Sequence(_) => "a sequence",
        Value::Tagged(_) => "a value with a tag",
        _ => "a scalar",
    }
}
