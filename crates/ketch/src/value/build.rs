//! Values out of steps, and out of documents.

use super::walk::{self, Walk};
use super::{Mapping, Number, Sequence, Tag, TaggedValue, Value};
use crate::error::{Error, Problem, Where};
use crate::model::is_known_tag;
use ketch_yaml::Limits;
use ketch_yaml::compose::{Document, ExpandOptions, Node, Step, Visit};
use ketch_yaml::schema::{BigInt, Scalar, Schema};

/// How documents become values.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ValueOptions {
    /// The schema that gives plain scalars their values. Default: core.
    pub schema: Schema,
    /// Whether `<<` merges. Default, as `None`: as the schema has it.
    pub merge_keys: Option<bool>,
    /// The limits to obey: [`Limits::max_alias_nodes`] bounds what aliases make of a document.
    pub limits: Limits,
}

impl Default for ValueOptions {
    fn default() -> ValueOptions {
        ValueOptions { schema: Schema::Core, merge_keys: None, limits: Limits::default() }
    }
}

impl Value {
    /// The value of a document, aliases replaced by what they stand for.
    ///
    /// # Errors
    ///
    /// Where text does not fit its tag or the schema, and where aliases cannot be expanded within
    /// the budget.
    pub fn from_document(document: &Document<'_>, options: &ValueOptions) -> Result<Value, Error> {
        let ValueOptions { schema, merge_keys, limits } = *options;
        let mut walk = ExpandOptions::of(document);
        walk.schema = schema;
        walk.merges = merge_keys.unwrap_or(schema.has_merge_keys());
        walk.limits = limits;
        let mut builder = Builder::default();
        for visit in document.expanded_with(&walk) {
            builder.visit(&visit?, schema)?;
        }
        Ok(builder.finish())
    }
}

/// Builds a value step by step; its stack is on the heap.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    open: Vec<Open>,
    /// Tags of the value to come.
    tags: Vec<Tag>,
    root: Option<Value>,
    /// The keys of each mapping are known to differ.
    are_keys_distinct: bool,
}

#[derive(Debug)]
enum Content {
    Sequence(Vec<Value>),
    /// With the key whose value is to come.
    Mapping(Mapping, Option<Value>),
}

#[derive(Debug)]
struct Open {
    content: Content,
    tags: Vec<Tag>,
}

impl Builder {
    /// A builder of mappings whose keys are known to differ, or may be the same.
    pub fn new(are_keys_distinct: bool) -> Builder {
        Builder { are_keys_distinct, ..Builder::default() }
    }

    pub fn tag(&mut self, tag: Tag) {
        self.tags.push(tag);
    }

    pub fn sequence(&mut self, len: usize) {
        self.start(Content::Sequence(Vec::with_capacity(len)));
    }

    pub fn mapping(&mut self, len: usize) {
        self.start(Content::Mapping(Mapping::with_capacity(len), None));
    }

    fn start(&mut self, content: Content) {
        self.open.push(Open { content, tags: std::mem::take(&mut self.tags) });
    }

    /// Ends the innermost collection.
    pub fn end(&mut self) {
        let Some(Open { content, tags }) = self.open.pop() else { return };
        self.tags = tags;
        self.value(match content {
            Content::Sequence(values) => Value::Sequence(Sequence(values)),
            Content::Mapping(pairs, _) => Value::Mapping(pairs),
        });
    }

    /// Takes a whole value.
    pub fn value(&mut self, value: Value) {
        let mut value = value;
        while let Some(tag) = self.tags.pop() {
            value = Value::Tagged(Box::new(TaggedValue { tag, value }));
        }
        match self.open.last_mut().map(|open| &mut open.content) {
            None => self.root = Some(value),
            Some(Content::Sequence(values)) => values.push(value),
            Some(Content::Mapping(pairs, key)) => match key.take() {
                None => *key = Some(value),
                Some(key) if self.are_keys_distinct => pairs.push(key, value),
                Some(key) => {
                    pairs.insert(key, value);
                }
            },
        }
    }

    /// The value.
    pub fn finish(self) -> Value {
        self.root.unwrap_or_default()
    }

    fn visit(&mut self, visit: &Visit<'_>, schema: Schema) -> Result<(), Error> {
        let node = visit.node;
        if visit.step == Step::End {
            self.end();
            return Ok(());
        }
        if let (Step::Scalar, Some(text)) = (visit.step, node.verbatim_text(schema)) {
            self.value(Value::String(String::from_utf8_lossy(text).into_owned()));
            return Ok(());
        }
        if let Some(tag) = node.tag().filter(|tag| !is_known_tag(tag)) {
            self.tag(Tag::new(tag));
        }
        match visit.step {
            Step::Scalar => self.value(scalar_value(node, schema)?),
            _ if node.kind() == ketch_yaml::compose::Kind::Mapping => self.mapping(node.len()),
            _ => self.sequence(node.len()),
        }
        Ok(())
    }
}

/// A copy of a value, made step by step.
pub(super) fn copy(value: &Value) -> Value {
    let mut builder = Builder::new(true);
    for step in Walk::new(value) {
        match step {
            walk::Step::Leaf(leaf) => builder.value(leaf.clone()),
            walk::Step::Tag(tag) => builder.tag(Tag::new(tag)),
            walk::Step::Sequence(len) => builder.sequence(len),
            walk::Step::Mapping(len) => builder.mapping(len),
            walk::Step::SequenceEnd | walk::Step::MappingEnd => builder.end(),
        }
    }
    builder.finish()
}

/// The value of a scalar.
pub(crate) fn scalar_value(node: Node<'_>, schema: Schema) -> Result<Value, Error> {
    let wrong = |problem| Error::new(problem, Where::Text(node.place()));
    Ok(match node.scalar(schema)? {
        Scalar::Null => Value::Null,
        Scalar::Bool(value) => Value::Bool(value),
        Scalar::Int(value) => Value::Number(value.into()),
        Scalar::BigInt(value) => {
            Value::Number(big_int(&value).ok_or_else(|| wrong(Problem::IntegerTooLong))?)
        }
        Scalar::Float(value) => Value::Number(value.into()),
        Scalar::Timestamp(value) => Value::Timestamp(value),
        Scalar::Binary(bytes) => Value::Bytes(bytes),
        Scalar::Merge => Value::String("<<".to_owned()),
        Scalar::Str(text) => Value::String(text.into_owned()),
        Scalar::Unresolved(_) => return Err(wrong(Problem::UnresolvedScalar)),
    })
}

/// The value of text that is no document's: `None` for an integer of too many digits.
pub(crate) fn plain_value(scalar: Scalar<'_, &str>) -> Option<Value> {
    Some(match scalar {
        Scalar::Null => Value::Null,
        Scalar::Bool(value) => Value::Bool(value),
        Scalar::Int(value) => Value::Number(value.into()),
        Scalar::BigInt(value) => Value::Number(big_int(&value)?),
        Scalar::Float(value) => Value::Number(value.into()),
        Scalar::Timestamp(value) => Value::Timestamp(value),
        Scalar::Binary(bytes) => Value::Bytes(bytes),
        Scalar::Merge => Value::String("<<".to_owned()),
        Scalar::Str(text) | Scalar::Unresolved(text) => Value::String(text.to_owned()),
    })
}

/// More digits than this would take time in the square of their length.
const DIGITS_MAX: usize = 1 << 16;

pub(crate) fn big_int(value: &BigInt<'_>) -> Option<Number> {
    if value.digits().len() > DIGITS_MAX {
        return None;
    }
    let value: num_bigint::BigInt = value.to_decimal().parse().ok()?;
    Some(Number::from(value))
}
