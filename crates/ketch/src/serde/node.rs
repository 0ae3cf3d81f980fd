//! Reads types from the nodes of a composed document.

use super::context::{Children, Context, Pairs, Seen};
use super::scalar::{self, visit_plain, visit_scalar};
use super::{spanned, value_de};
use crate::error::Problem;
use crate::model::has_digits;
use crate::serde_error::Error;
use crate::value::{Value, build};
use ketch_yaml::compose::internal::{NodeSummaries, SimpleStep, SimpleWalk};
use ketch_yaml::compose::{Kind, Node, NodeId, Style};
use ketch_yaml::schema::{Scalar, ScalarTag};
use ketch_yaml::tag::is_known;
use serde::de::value::StrDeserializer;
use serde::de::{
    self, DeserializeSeed, EnumAccess, IntoDeserializer, MapAccess, SeqAccess, Unexpected,
    VariantAccess, Visitor,
};
use std::borrow::Cow;

/// The length in bytes above which decoded text is moved to the visitor instead of being copied.
pub(super) const COPIED_BYTES_MAX: usize = 4096;

/// A deserializer for a node.
#[derive(Clone, Copy)]
pub(super) struct NodeDeserializer<'c, 'de> {
    context: &'c Context<'c, 'de>,
    id: NodeId,
    /// Whether the node's tag is ignored, because it has already been read as the name of a
    /// variant.
    is_content: bool,
    /// Whether the type has a fixed number of items, so that none of them can be left out.
    is_tuple: bool,
}

type Result<T> = std::result::Result<T, Error>;

impl<'c, 'de> NodeDeserializer<'c, 'de> {
    /// Creates the deserializer for the node `id`.
    #[inline(always)]
    pub fn new(id: NodeId, context: &'c Context<'c, 'de>) -> Self {
        NodeDeserializer { context, id, is_content: false, is_tuple: false }
    }

    /// Returns the node itself, which may be an alias.
    fn node(self) -> Node<'c> {
        self.context.nodes.node(self.id)
    }

    /// Calls `read` with the kind and content of the node. If this fails, adds the node's location
    /// to the error.
    #[inline(always)]
    fn located<T>(self, read: impl FnOnce(Seen<'de>) -> Result<T>) -> Result<T> {
        let mut result = match self.context.classify(self.id) {
            Ok(seen) => read(seen),
            Err(error) => Err(error),
        };
        if let Err(error) = &mut result {
            self.note_location(error);
        }
        result
    }

    /// Runs `read`, and counts it as a step of the recursion limit, because a type can repeat it
    /// without consuming input. If this fails, adds the node's location to the error.
    #[inline(always)]
    fn stepping<T>(self, read: impl FnOnce(Self) -> Result<T>) -> Result<T> {
        let mut result = match self.context.step() {
            Ok(_stepped) => read(self),
            Err(error) => Err(error),
        };
        if let Err(error) = &mut result {
            self.note_location(error);
        }
        result
    }

    /// Adds the location of the node to `error`, unless the error has one.
    #[cold]
    fn note_location(self, error: &mut Error) {
        error.note_location(|| self.node().location());
    }

    /// Passes `text` to `visitor`, borrowed from the input if possible.
    fn text<V: Visitor<'de>>(self, text: Cow<'_, str>, visitor: V) -> Result<V::Value> {
        match text {
            Cow::Borrowed(text) => match self.context.borrowed(text) {
                Some(text) => visitor.visit_borrowed_str(text),
                None => visitor.visit_str(text),
            },
            Cow::Owned(text) => visitor.visit_string(text),
        }
    }

    /// Passes the text of the scalar `id`, which may have to be decoded, to `visitor`.
    #[inline(never)]
    fn scalar_text<V: Visitor<'de>>(self, id: NodeId, visitor: V) -> Result<V::Value> {
        let node = self.context.nodes.node(id);
        self.context.check_input()?;
        if node.verbatim_span().is_some() || node.span().len() > COPIED_BYTES_MAX {
            return self.text(node.text(), visitor);
        }
        self.context.with_decoded(node, |text| visitor.visit_str(text))
    }

    /// Passes `seen`, the content of the node, to `visitor`, as the type that the schema
    /// determines.
    #[inline(always)]
    fn any<V: Visitor<'de>>(self, seen: Seen<'de>, visitor: V) -> Result<V::Value> {
        match seen {
            Seen::Plain(text) => visit_plain(self.context.schema, text, visitor),
            Seen::Text(text) => visitor.visit_borrowed_str(text),
            Seen::Sequence(children) => self.sequence(children, visitor),
            Seen::Mapping(id) => self.mapping(self.context.pairs(id)?, visitor),
            Seen::Scalar(id) => self.any_scalar(id, visitor),
        }
    }

    /// Passes the scalar `id`, which has a tag or does not appear verbatim in the input, to
    /// `visitor`.
    #[inline(never)]
    fn any_scalar<V: Visitor<'de>>(self, id: NodeId, visitor: V) -> Result<V::Value> {
        let node = self.context.nodes.node(id);
        let value = build::node_scalar(node, self.context.schema)?;
        if matches!(value, Scalar::Float(value) if value.is_infinite()) && has_digits(&node.text())
        {
            return Err(Error::new(Problem::FloatTooLarge.to_string()));
        }
        visit_scalar(value, visitor, |text, visitor| self.text(text, visitor))
    }

    /// Passes `children`, the items of a sequence, to `visitor`, which must read all of them.
    #[inline(always)]
    fn sequence<V: Visitor<'de>>(self, children: Children, visitor: V) -> Result<V::Value> {
        let _entered = self.context.enter()?;
        let mut entries =
            Entries { children, context: self.context, index: 0, is_tuple: self.is_tuple };
        let result = visitor.visit_seq(&mut entries);
        if result.is_ok() && entries.index < children.count {
            return Err(wrong_len(entries.index, children.count));
        }
        result
    }

    /// Passes `pairs`, the pairs of a mapping, to `visitor`.
    #[inline(always)]
    fn mapping<V: Visitor<'de>>(self, pairs: Pairs, visitor: V) -> Result<V::Value> {
        let _entered = self.context.enter()?;
        visitor.visit_map(Members { pairs, context: self.context, last: None })
    }

    /// Returns whether the node is an empty plain scalar. This is also treated as an empty
    /// collection.
    #[inline(always)]
    fn is_empty(self, seen: Seen<'de>) -> bool {
        match seen {
            Seen::Plain(text) => text.is_empty(),
            Seen::Scalar(id) => {
                let node = self.context.nodes.node(id);
                node.style() == Style::Plain && node.content().is_empty()
            }
            _ => false,
        }
    }

    /// Returns whether the node is null in the schema.
    #[inline(always)]
    fn is_null(self, seen: Seen<'de>) -> bool {
        match seen {
            Seen::Plain(text) => scalar::is_null(self.context.schema, text),
            Seen::Scalar(id) => self.is_null_scalar(id),
            _ => false,
        }
    }

    /// Returns whether the scalar `id`, which has a tag or does not appear verbatim in the input,
    /// is null in the schema.
    #[inline(never)]
    fn is_null_scalar(self, id: NodeId) -> bool {
        let node = self.context.nodes.node(id);
        // Plain text that has to be decoded has several lines, so it is not null.
        let may_be =
            node.tag().is_some() || node.style() == Style::Plain && node.verbatim_span().is_some();
        // A tag other than YAML's own may be the name of a variant.
        let is_named = node.tag().is_some_and(|tag| !self.is_content && !is_known(tag));
        may_be
            && !is_named
            && matches!(build::node_scalar(node, self.context.schema), Ok(Scalar::Null))
    }
}

/// Returns the error for a sequence of `found` items where the type has `expected` items.
#[cold]
pub(super) fn wrong_len(expected: usize, found: usize) -> Error {
    Error::new(format!("expected a sequence of {expected} entries, found {found}"))
}

/// Defines methods that read a node as the type that the schema determines.
macro_rules! any {
    ($($method:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            self.located(|seen| self.any(seen, visitor))
        })*
    };
}

/// Defines methods that read the text of a scalar, regardless of the schema.
macro_rules! text {
    ($($method:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            self.located(|seen| match seen {
                Seen::Plain(text) | Seen::Text(text) => visitor.visit_borrowed_str(text),
                Seen::Scalar(id) => self.scalar_text(id, visitor),
                seen => self.any(seen, visitor),
            })
        })*
    };
}

impl<'de> de::Deserializer<'de> for NodeDeserializer<'_, 'de> {
    type Error = Error;

    any! {
        deserialize_any deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32
        deserialize_i64 deserialize_i128 deserialize_u8 deserialize_u16 deserialize_u32
        deserialize_u64 deserialize_u128 deserialize_f32 deserialize_f64 deserialize_bytes
        deserialize_byte_buf deserialize_unit
    }

    text! { deserialize_char deserialize_str deserialize_string deserialize_identifier }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.located(|seen| match self.is_null(seen) {
            true => visitor.visit_none(),
            false => {
                let _stepped = self.context.step()?;
                visitor.visit_some(self)
            }
        })
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        let Some(kind) = value_de::Kind::of(name) else {
            return self.stepping(|node| visitor.visit_newtype_struct(node));
        };
        let value = self.context.resolved(self.id).and_then(|node| self.value(node));
        let mut result = value.and_then(|value| kind.pass_to(value, visitor));
        if let Err(error) = &mut result {
            self.note_location(error);
        }
        result
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.located(|seen| match self.is_empty(seen) {
            true => self.any(Seen::Sequence(Children::NONE), visitor),
            false => self.any(seen, visitor),
        })
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _len: usize, visitor: V) -> Result<V::Value> {
        NodeDeserializer { is_tuple: true, ..self }.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_tuple(len, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.located(|seen| match self.is_empty(seen) {
            true => self.mapping(Pairs::NONE, visitor),
            false if matches!(seen, Seen::Sequence(_)) => {
                Err(de::Error::invalid_type(Unexpected::Seq, &visitor))
            }
            false => self.any(seen, visitor),
        })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        if name == spanned::NAME {
            return self.stepping(|node| visitor.visit_map(LocationAndValue { node, next: 0 }));
        }
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let node = self.context.resolved(self.id);
        let mut result = node.and_then(|node| self.variant(node, visitor));
        if let Err(error) = &mut result {
            self.note_location(error);
        }
        result
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }
}

impl<'c, 'de> NodeDeserializer<'c, 'de> {
    /// Reads `node` as a variant, written as `!Variant content`, `Variant` or `{Variant: content}`.
    fn variant<V: Visitor<'de>>(self, node: Node<'c>, visitor: V) -> Result<V::Value> {
        let content = NodeDeserializer { is_content: true, ..self };
        let tag = node.custom_tag().filter(|_| !self.is_content);
        if let Some(tag) = tag {
            let name = Cow::Borrowed(tag.strip_prefix('!').unwrap_or(tag));
            let _stepped = self.context.step()?;
            return visitor.visit_enum(Variant { name, content: Some(content) });
        }
        match node.kind() {
            Kind::Scalar => {
                self.context.check_input()?;
                visitor.visit_enum(Variant { name: node.text(), content: None })
            }
            Kind::Mapping if node.len() == 1 => {
                let mut pairs = self.context.pairs(node.id())?;
                let Some((key, value)) = pairs.next(self.context.nodes) else {
                    return Err(Error::new("expected a variant"));
                };
                let content = NodeDeserializer::new(value, self.context);
                let name = self.context.nodes.node(key).text();
                let path = name.clone().into_owned();
                let variant = Variant { name, content: Some(content) };
                let _stepped = self.context.step()?;
                visitor.visit_enum(variant).map_err(|error| error.in_key(path))
            }
            _ => Err(Error::new(
                "expected a variant: `!Name content`, `Name`, or a mapping of that one name",
            )),
        }
    }

    /// Builds the value of `root` without recursion.
    fn value(self, root: Node<'c>) -> Result<Value> {
        let count = root.subtree().len();
        if !self.is_content
            && let Some(walk) = root.simple_walk()
            && let Some(value) = self.simple_value(walk, count)
        {
            return Ok(value);
        }
        let mut builder = build::Builder::new(self.context.are_keys_distinct, count);
        let mut open: Vec<Open> = Vec::new();
        let nodes = self.context.nodes;
        let mut next = Some((root.id(), self.is_content));
        loop {
            let Some((id, is_content)) = next.take() else {
                match open.last_mut() {
                    None => return Ok(builder.finish()),
                    Some(children) => match children.next(nodes) {
                        Some(child) => next = Some((child, false)),
                        None => {
                            open.pop();
                            builder.end();
                        }
                    },
                }
                continue;
            };
            let node = nodes.node(id);
            let place = |error: Error| error.or_at(|| node.location());
            if let Some(text) = node.verbatim_text(self.context.schema) {
                // The parser has already checked that the text is UTF-8.
                builder.value(Value::from(String::from_utf8_lossy(text)));
                continue;
            }
            let node = self.context.resolved(id).map_err(place)?;
            if open.last().is_some_and(Open::is_at_key) {
                self.context.hash_key(node.subtree().len()).map_err(place)?;
            }
            if let Some(tag) = node.tag().filter(|tag| !is_content && !is_known(tag)) {
                builder.tag(build::tag_of(node, tag, self.context.schema));
            }
            match node.kind() {
                Kind::Sequence => {
                    builder.start(false);
                    open.push(Open::Items(self.context.children(node.id())));
                }
                Kind::Mapping => {
                    let pairs = self.context.pairs(node.id()).map_err(place)?;
                    builder.start(true);
                    open.push(Open::Pairs(pairs, None));
                }
                _ => builder.value(build::scalar_value(node, self.context.schema)?),
            }
        }
    }

    /// Builds the value of a tree without tags and aliases, which has `nodes` nodes. Returns `None`
    /// if a node needs the general path, which reports errors and counts the nodes in keys.
    fn simple_value(self, mut walk: SimpleWalk<'c>, nodes: usize) -> Option<Value> {
        let schema = self.context.schema;
        let mut builder = build::Builder::new(self.context.are_keys_distinct, nodes);
        while let Some(step) = walk.next() {
            match step {
                SimpleStep::Text(text) => builder.text(text),
                SimpleStep::Plain(text) => match schema.resolve(text.as_bytes()) {
                    ScalarTag::Str => builder.text(text),
                    ScalarTag::Unresolved => return None,
                    tag => builder.plain(schema, tag, text.as_str())?,
                },
                SimpleStep::End => builder.end(),
                SimpleStep::Sequence | SimpleStep::Mapping if builder.is_at_key() => return None,
                SimpleStep::Sequence => builder.start(false),
                SimpleStep::Mapping => builder.start(true),
            }
        }
        Some(builder.finish())
    }
}

/// The remaining children of an open collection.
enum Open {
    Items(Children),
    /// The remaining pairs, and the value of the key that was yielded last until it is yielded,
    /// too.
    Pairs(Pairs, Option<NodeId>),
}

impl Open {
    /// Returns whether the child that was yielded last is a key.
    fn is_at_key(&self) -> bool {
        matches!(self, Open::Pairs(_, Some(_)))
    }

    /// Returns the next child, or `None` at the end. In a mapping, keys and values alternate.
    fn next(&mut self, nodes: NodeSummaries<'_>) -> Option<NodeId> {
        match self {
            Open::Items(items) => items.next(nodes),
            Open::Pairs(pairs, value) => value.take().or_else(|| {
                let (key, next) = pairs.next(nodes)?;
                *value = Some(next);
                Some(key)
            }),
        }
    }
}

/// The remaining items of a sequence.
struct Entries<'c, 'de> {
    children: Children,
    context: &'c Context<'c, 'de>,
    index: usize,
    is_tuple: bool,
}

impl Entries<'_, '_> {
    /// Adds the location and index of `entry`, the item that was yielded last, to `error`.
    #[cold]
    fn add_to_path(&self, entry: NodeId, error: &mut Error) {
        if !self.is_tuple {
            self.context.note_entry(entry, None, error);
        }
        error.note_location(|| self.context.nodes.node(entry).location());
        error.note_index(self.index - 1);
    }
}

impl<'de> SeqAccess<'de> for &mut Entries<'_, 'de> {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let id = loop {
            let Some(id) = self.children.next(self.context.nodes) else { return Ok(None) };
            self.index += 1;
            if !self.context.leaves_out(id) {
                break id;
            }
        };
        match seed.deserialize(NodeDeserializer::new(id, self.context)) {
            Ok(value) => Ok(Some(value)),
            Err(mut error) => {
                self.add_to_path(id, &mut error);
                Err(error)
            }
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.children.count - self.index)
    }
}

/// The remaining pairs of a mapping.
struct Members<'c, 'de> {
    pairs: Pairs,
    context: &'c Context<'c, 'de>,
    /// The pair whose key was yielded last, until its value is read.
    last: Option<(NodeId, NodeId)>,
}

impl<'de> Members<'_, 'de> {
    /// Returns the next pair that is not left out, or `None` at the end.
    #[inline(always)]
    fn next_pair(&mut self) -> Option<(NodeId, NodeId)> {
        loop {
            let pair = self.pairs.next(self.context.nodes)?;
            if !self.context.leaves_out(pair.1) {
                return Some(pair);
            }
        }
    }

    /// Reads `node`, which is the key or the value of `pair`, with `seed`.
    #[inline(always)]
    fn read<S: DeserializeSeed<'de>>(
        &self,
        node: NodeId,
        pair: (NodeId, NodeId),
        seed: S,
    ) -> Result<S::Value> {
        let mut result = seed.deserialize(NodeDeserializer::new(node, self.context));
        if let Err(error) = &mut result {
            self.add_to_path(pair, node, error);
        }
        result
    }

    /// Adds the location of `node`, which is the key or the value of the pair, and the text of the
    /// key to `error`.
    #[cold]
    fn add_to_path(&self, (key, value): (NodeId, NodeId), node: NodeId, error: &mut Error) {
        error.note_location(|| self.context.nodes.node(node).location());
        self.context.note_entry(value, Some(key), error);
        error.note_key(self.context.nodes.node(key).text());
    }
}

impl<'de> MapAccess<'de> for Members<'_, 'de> {
    type Error = Error;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        let Some(pair) = self.next_pair() else { return Ok(None) };
        self.last = Some(pair);
        match seed.deserialize(NodeDeserializer::new(pair.0, self.context)) {
            Ok(key) => Ok(Some(key)),
            Err(mut error) => {
                self.add_to_path(pair, pair.0, &mut error);
                Err(error)
            }
        }
    }

    #[inline]
    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        let Some(pair) = self.last.take() else {
            return Err(Error::new("a value was requested before its key"));
        };
        self.read(pair.1, pair, seed)
    }

    #[inline]
    fn next_entry_seed<K: DeserializeSeed<'de>, T: DeserializeSeed<'de>>(
        &mut self,
        key_seed: K,
        value_seed: T,
    ) -> Result<Option<(K::Value, T::Value)>> {
        let Some(pair) = self.next_pair() else { return Ok(None) };
        let key = self.read(pair.0, pair, key_seed)?;
        // The pair is created directly in the return value, because moving large values takes time.
        match value_seed.deserialize(NodeDeserializer::new(pair.1, self.context)) {
            Ok(value) => Ok(Some((key, value))),
            Err(mut error) => {
                self.add_to_path(pair, pair.1, &mut error);
                Err(error)
            }
        }
    }
}

/// A variant of an enum, with its content if it has any.
pub(super) struct Variant<'c, 'ce> {
    pub name: Cow<'c, str>,
    pub content: Option<NodeDeserializer<'c, 'ce>>,
}

impl<'c, 'ce> EnumAccess<'ce> for Variant<'c, 'ce> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'ce>>(self, seed: V) -> Result<(V::Value, Self)> {
        let name: StrDeserializer<'_, Error> = (*self.name).into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'c, 'ce> Variant<'c, 'ce> {
    /// Returns the content of the variant. It is an error if there is none.
    fn content(self) -> Result<NodeDeserializer<'c, 'ce>> {
        let name = self.name;
        self.content.ok_or_else(|| {
            Error::new(format!("the variant `{name}` has content: write `!{name} content`"))
        })
    }
}

impl<'ce> VariantAccess<'ce> for Variant<'_, 'ce> {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        match self.content {
            None => Ok(()),
            Some(content) => de::Deserialize::deserialize(content),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'ce>>(self, seed: T) -> Result<T::Value> {
        seed.deserialize(self.content()?)
    }

    fn tuple_variant<V: Visitor<'ce>>(self, _len: usize, visitor: V) -> Result<V::Value> {
        let content = NodeDeserializer { is_tuple: true, ..self.content()? };
        de::Deserializer::deserialize_seq(content, visitor)
    }

    fn struct_variant<V: Visitor<'ce>>(
        self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        de::Deserializer::deserialize_map(self.content()?, visitor)
    }
}

/// The fields of [`Spanned`](super::Spanned): the location of a node, and then the node itself.
struct LocationAndValue<'c, 'ce> {
    node: NodeDeserializer<'c, 'ce>,
    next: usize,
}

impl<'ce> MapAccess<'ce> for LocationAndValue<'_, 'ce> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'ce>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        let Some(name) = spanned::FIELDS.get(self.next) else { return Ok(None) };
        let name: StrDeserializer<'_, Error> = (*name).into_deserializer();
        seed.deserialize(name).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'ce>>(&mut self, seed: T) -> Result<T::Value> {
        let place = self.node.node().location();
        let start = place.offset;
        let numbers = [start, start + place.len as u64, place.line, place.column];
        self.next += 1;
        match numbers.get(self.next - 1) {
            Some(&number) => seed.deserialize(number.into_deserializer()),
            None => seed.deserialize(self.node),
        }
    }
}
