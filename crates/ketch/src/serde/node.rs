//! A node as a deserializer.

use super::context::{Context, Pairs};
use super::error::Error;
use super::{spanned, value_de};
use crate::value::{Value, build};
use ketch_yaml::compose::{Items, Kind, Node, SimpleStep, SimpleWalk, Style};
use ketch_yaml::schema::{Scalar, ScalarTag, Schema};
use ketch_yaml::tag::is_known;
use serde::de::value::StrDeserializer;
use serde::de::{
    self, DeserializeSeed, EnumAccess, IntoDeserializer, MapAccess, SeqAccess, VariantAccess,
    Visitor,
};
use std::borrow::Cow;

/// A node that a type is read from.
#[derive(Clone, Copy)]
pub(super) struct NodeDeserializer<'d, 'de> {
    pub node: Node<'d>,
    pub context: &'d Context<'de>,
    /// The node's tag was the name of a variant; here it does not count.
    pub is_content: bool,
    /// A sequence of so many entries as the type has, none of which can be left out.
    is_tuple: bool,
}

type Result<T> = std::result::Result<T, Error>;

impl<'d, 'de> NodeDeserializer<'d, 'de> {
    pub fn new(node: Node<'d>, context: &'d Context<'de>) -> Self {
        NodeDeserializer { node, context, is_content: false, is_tuple: false }
    }

    /// Runs `read` on the node, and notes its place in an error.
    #[inline(always)]
    fn located<T>(self, read: impl FnOnce(Node<'d>) -> Result<T>) -> Result<T> {
        let mut result = match self.context.visit() {
            Ok(()) => read(self.node.resolved()),
            Err(error) => Err(error),
        };
        if let Err(error) = &mut result {
            error.note_place(|| self.node.place());
        }
        result
    }

    fn scalar(self, node: Node<'d>) -> Result<Scalar<'d, Cow<'d, str>>> {
        if !(self.is_content && node.style() == Style::Plain) {
            return Ok(node.scalar(self.context.schema)?);
        }
        Ok(match node.text() {
            Cow::Borrowed(text) => match self.context.schema.scalar(text) {
                Scalar::Str(text) => Scalar::Str(Cow::Borrowed(text)),
                Scalar::Null => Scalar::Null,
                Scalar::Bool(value) => Scalar::Bool(value),
                Scalar::Int(value) => Scalar::Int(value),
                Scalar::BigInt(value) => Scalar::BigInt(value),
                Scalar::Float(value) => Scalar::Float(value),
                Scalar::Timestamp(value) => Scalar::Timestamp(value),
                _ => Scalar::Str(Cow::Borrowed(text)),
            },
            // Text of several lines is nothing else.
            text => Scalar::Str(text),
        })
    }

    fn text<V: Visitor<'de>>(self, text: Cow<'d, str>, visitor: V) -> Result<V::Value> {
        match text {
            Cow::Borrowed(text) => match self.context.borrowed(text) {
                Some(text) => visitor.visit_borrowed_str(text),
                None => visitor.visit_str(text),
            },
            Cow::Owned(text) => visitor.visit_string(text),
        }
    }

    #[inline]
    fn any<V: Visitor<'de>>(self, node: Node<'d>, visitor: V) -> Result<V::Value> {
        match node.kind() {
            Kind::Sequence => return self.sequence(node, visitor),
            Kind::Mapping => return self.mapping(node, visitor),
            _ => {}
        }
        let Some((text, is_plain)) = self.context.verbatim(node) else {
            return self.any_scalar(node, visitor);
        };
        let schema = self.context.schema;
        let tag = if is_plain { schema.resolve(text.as_bytes()) } else { ScalarTag::Str };
        match tag {
            ScalarTag::Str => visitor.visit_borrowed_str(text),
            ScalarTag::Null => visitor.visit_unit(),
            ScalarTag::Bool(value) => visitor.visit_bool(value),
            tag => match schema.convert(tag, text) {
                Scalar::Int(value) => self.int(value, visitor),
                Scalar::Float(value) => visitor.visit_f64(value),
                _ => self.any_scalar(node, visitor),
            },
        }
    }

    #[inline]
    fn int<V: Visitor<'de>>(self, value: i64, visitor: V) -> Result<V::Value> {
        match u64::try_from(value) {
            Ok(value) => visitor.visit_u64(value),
            Err(_) => visitor.visit_i64(value),
        }
    }

    #[inline(never)]
    fn any_scalar<V: Visitor<'de>>(self, node: Node<'d>, visitor: V) -> Result<V::Value> {
        match self.scalar(node)? {
            Scalar::Null => visitor.visit_unit(),
            Scalar::Bool(value) => visitor.visit_bool(value),
            Scalar::Int(value) => self.int(value, visitor),
            Scalar::BigInt(value) => {
                let Some(number) = build::big_int(&value) else {
                    return Err(Error::new("an integer of too many digits"));
                };
                match (number.as_u64(), number.as_i128(), number.to_big_int()) {
                    (Some(value), ..) => visitor.visit_u64(value),
                    (_, Some(value), _) => visitor.visit_i128(value),
                    (.., Some(value)) => match u128::try_from(value) {
                        Ok(value) => visitor.visit_u128(value),
                        Err(_) => Err(Error::new("an integer of more than 128 bits")),
                    },
                    _ => Err(Error::new("an integer of more than 128 bits")),
                }
            }
            Scalar::Float(value) => visitor.visit_f64(value),
            Scalar::Timestamp(value) => visitor.visit_string(value.to_string()),
            Scalar::Binary(bytes) => visitor.visit_byte_buf(bytes),
            Scalar::Merge => visitor.visit_str("<<"),
            Scalar::Str(text) => self.text(text, visitor),
            Scalar::Unresolved(_) => Err(Error::new("plain text that the schema gives no meaning")),
        }
    }

    fn sequence<V: Visitor<'de>>(self, node: Node<'d>, visitor: V) -> Result<V::Value> {
        let _entered = self.context.enter()?;
        let len = node.len();
        let mut items = Entries {
            items: node.items(),
            context: self.context,
            index: 0,
            len,
            is_tuple: self.is_tuple,
        };
        let result = visitor.visit_seq(&mut items);
        if result.is_ok() && items.index < len {
            return Err(Error::new(format!(
                "expected a sequence of {} entries, found {len}",
                items.index
            )));
        }
        result
    }

    fn mapping<V: Visitor<'de>>(self, node: Node<'d>, visitor: V) -> Result<V::Value> {
        let _entered = self.context.enter()?;
        let pairs = self.context.pairs(node)?;
        visitor.visit_map(Members { pairs, context: self.context, last: None })
    }

    /// A plain scalar without text, which stands for an empty collection as well.
    fn is_empty(self, node: Node<'d>) -> bool {
        node.kind() == Kind::Scalar && node.style() == Style::Plain && node.content().is_empty()
    }

    fn is_null(self, node: Node<'d>) -> bool {
        if let Some((text, is_plain)) = self.context.verbatim(node) {
            // Nothing, `~`, or `null`.
            let may_be = is_plain && matches!(text.len(), 0 | 1 | 4);
            return may_be && self.context.schema.resolve(text.as_bytes()) == ScalarTag::Null;
        }
        node.kind() == Kind::Scalar
            && (node.style() == Style::Plain || node.tag().is_some())
            && matches!(self.scalar(node), Ok(Scalar::Null))
    }
}

/// Methods that take what the node is by its schema.
macro_rules! any {
    ($($method:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            self.located(|node| self.any(node, visitor))
        })*
    };
}

/// Methods that take the text of a scalar, whatever the schema makes of it.
macro_rules! text {
    ($($method:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            self.located(|node| match self.context.verbatim(node) {
                Some((text, _)) => visitor.visit_borrowed_str(text),
                None if node.kind() == Kind::Scalar => self.text(node.text(), visitor),
                None => self.any(node, visitor),
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
        self.located(|node| match self.is_null(node) {
            true => visitor.visit_none(),
            false => visitor.visit_some(self),
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
        if name != value_de::NAME {
            return visitor.visit_newtype_struct(self);
        }
        self.located(|node| {
            value_de::hand_over(self.value(node)?);
            visitor.visit_unit()
        })
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.located(|node| match self.is_empty(node) {
            true => visitor.visit_seq(de::value::SeqDeserializer::new(std::iter::empty::<()>())),
            false => self.any(node, visitor),
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
        self.located(|node| match self.is_empty(node) {
            true => {
                visitor.visit_map(de::value::MapDeserializer::new(std::iter::empty::<((), ())>()))
            }
            false => self.any(node, visitor),
        })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        if name == spanned::NAME {
            return visitor.visit_map(PlaceAndValue { node: self, next: 0 });
        }
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.located(|node| self.variant(node, visitor))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }
}

impl<'d, 'de> NodeDeserializer<'d, 'de> {
    /// `!Variant content`, `Variant`, or `{Variant: content}`.
    fn variant<V: Visitor<'de>>(self, node: Node<'d>, visitor: V) -> Result<V::Value> {
        let content = NodeDeserializer { is_content: true, ..self };
        let tag = node.custom_tag().filter(|_| !self.is_content);
        if let Some(tag) = tag {
            let name = Cow::Borrowed(tag.strip_prefix('!').unwrap_or(tag));
            return visitor.visit_enum(Variant { name, content: Some(content) });
        }
        match node.kind() {
            Kind::Scalar => visitor.visit_enum(Variant { name: node.text(), content: None }),
            Kind::Mapping if node.len() == 1 => {
                let Some((key, value)) = self.context.pairs(node)?.next() else {
                    return Err(Error::new("expected a variant"));
                };
                let content = NodeDeserializer::new(value, self.context);
                let name = key.text();
                let path = name.clone().into_owned();
                let variant = Variant { name, content: Some(content) };
                visitor.visit_enum(variant).map_err(|error| error.in_key(path))
            }
            _ => Err(Error::new(
                "expected a variant: `!Name content`, `Name`, or a mapping of that one name",
            )),
        }
    }

    /// The value of the node, built without recursion.
    fn value(self, root: Node<'d>) -> Result<Value> {
        let nodes = root.subtree().len();
        if !self.is_content
            && let Some(walk) = root.simple_walk()
            && let Some(value) = self.simple_value(walk, nodes)
        {
            return Ok(value);
        }
        let mut builder = build::Builder::new(self.context.are_keys_distinct, nodes);
        let mut open: Vec<Children<'d>> = Vec::new();
        let mut next = Some((root, self.is_content));
        loop {
            let Some((node, is_content)) = next.take() else {
                match open.last_mut() {
                    None => return Ok(builder.finish()),
                    Some(children) => match children.next() {
                        Some(child) => next = Some((child, false)),
                        None => {
                            open.pop();
                            builder.end();
                        }
                    },
                }
                continue;
            };
            self.context.visit()?;
            let place = |error: Error| error.or_at(|| node.place());
            if let Some(text) = node.verbatim_text(self.context.schema) {
                // The parser has checked that it is UTF-8.
                builder.value(Value::from(String::from_utf8_lossy(text)));
                continue;
            }
            let node = node.resolved();
            if open.last().is_some_and(Children::is_at_key) {
                self.context.hash_key(node.subtree().len()).map_err(place)?;
            }
            if let Some(tag) = node.tag().filter(|tag| !is_content && !is_known(tag)) {
                builder.tag(crate::value::Tag::new(tag));
            }
            match node.kind() {
                Kind::Sequence => {
                    builder.start(false);
                    open.push(Children::Items(node.items()));
                }
                Kind::Mapping => {
                    let pairs = self.context.pairs(node).map_err(place)?;
                    builder.start(true);
                    open.push(Children::Pairs(pairs, None));
                }
                _ if is_content => builder.value(self.content_value(node).map_err(place)?),
                _ => builder.value(build::scalar_value(node, self.context.schema)?),
            }
        }
    }

    /// The value of a tree without tags and aliases; `None` where some node needs a closer look, be
    /// it for an error or for the hash of a key.
    fn simple_value(self, mut walk: SimpleWalk<'d>, nodes: usize) -> Option<Value> {
        let schema = self.context.schema;
        let mut builder = build::Builder::new(self.context.are_keys_distinct, nodes);
        while let Some(step) = walk.next() {
            match step {
                SimpleStep::Text(text) => builder.text(text),
                SimpleStep::Plain(text) => match schema.resolve(text.as_bytes()) {
                    ScalarTag::Str => builder.text(text),
                    ScalarTag::Unresolved => return None,
                    tag => builder.plain(schema.convert(tag, text.as_str()))?,
                },
                SimpleStep::End => builder.end(),
                SimpleStep::Sequence | SimpleStep::Mapping if builder.is_at_key() => return None,
                SimpleStep::Sequence => builder.start(false),
                SimpleStep::Mapping => builder.start(true),
            }
        }
        Some(builder.finish())
    }

    fn content_value(self, node: Node<'d>) -> Result<Value> {
        let schema =
            if node.style() == Style::Plain { self.context.schema } else { Schema::Failsafe };
        let text = node.text();
        build::plain_value(schema.scalar(&*text))
            .ok_or_else(|| Error::new("an integer of too many digits"))
    }
}

/// The children of a collection that are still to come.
enum Children<'d> {
    Items(Items<'d>),
    /// With the value of the key that came last.
    Pairs(Pairs<'d>, Option<Node<'d>>),
}

impl<'d> Children<'d> {
    /// Whether the child that was given last is a key.
    fn is_at_key(&self) -> bool {
        matches!(self, Children::Pairs(_, Some(_)))
    }

    fn next(&mut self) -> Option<Node<'d>> {
        match self {
            Children::Items(items) => items.next(),
            Children::Pairs(pairs, value) => value.take().or_else(|| {
                let (key, behind) = pairs.next()?;
                *value = Some(behind);
                Some(key)
            }),
        }
    }
}

/// The entries of a sequence.
struct Entries<'d, 'de> {
    items: Items<'d>,
    context: &'d Context<'de>,
    index: usize,
    len: usize,
    is_tuple: bool,
}

impl<'de> SeqAccess<'de> for &mut Entries<'_, 'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let (node, index) = loop {
            let Some(node) = self.items.next() else { return Ok(None) };
            self.index += 1;
            if !self.context.leaves_out(node) {
                break (node, self.index - 1);
            }
        };
        match seed.deserialize(NodeDeserializer::new(node, self.context)) {
            Ok(value) => Ok(Some(value)),
            Err(mut error) => {
                if !self.is_tuple {
                    self.context.note_entry(node, None, &error);
                }
                error.note_index(index);
                Err(error)
            }
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.len - self.index)
    }
}

/// The pairs of a mapping.
struct Members<'d, 'de> {
    pairs: Pairs<'d>,
    context: &'d Context<'de>,
    /// The pair whose key came last.
    last: Option<(Node<'d>, Node<'d>)>,
}

impl<'de> MapAccess<'de> for Members<'_, 'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        self.last = self.pairs.find(|(_, value)| !self.context.leaves_out(*value));
        let Some((key, value)) = self.last else { return Ok(None) };
        let name = |error: Error| {
            self.context.note_entry(value, Some(key), &error);
            error.in_key(key.text())
        };
        seed.deserialize(NodeDeserializer::new(key, self.context)).map(Some).map_err(name)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        let Some((key, value)) = self.last.take() else {
            return Err(Error::new("a value was asked for in front of its key"));
        };
        let mut result = seed.deserialize(NodeDeserializer::new(value, self.context));
        if let Err(error) = &mut result {
            self.context.note_entry(value, Some(key), error);
            error.note_key(key.text());
        }
        result
    }
}

/// A variant of an enum.
struct Variant<'d, 'de> {
    name: Cow<'d, str>,
    content: Option<NodeDeserializer<'d, 'de>>,
}

impl<'d, 'de> EnumAccess<'de> for Variant<'d, 'de> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self)> {
        let name: StrDeserializer<'_, Error> = (*self.name).into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'d, 'de> Variant<'d, 'de> {
    fn content(self) -> Result<NodeDeserializer<'d, 'de>> {
        let name = self.name;
        self.content.ok_or_else(|| {
            Error::new(format!("the variant `{name}` has content: write `!{name} content`"))
        })
    }
}

impl<'de> VariantAccess<'de> for Variant<'_, 'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        match self.content {
            None => Ok(()),
            Some(content) => de::Deserialize::deserialize(content),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        seed.deserialize(self.content()?)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _len: usize, visitor: V) -> Result<V::Value> {
        let content = NodeDeserializer { is_tuple: true, ..self.content()? };
        de::Deserializer::deserialize_seq(content, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        de::Deserializer::deserialize_map(self.content()?, visitor)
    }
}

/// The place of a node, then the node: what [`Spanned`](super::Spanned) asks for.
struct PlaceAndValue<'d, 'de> {
    node: NodeDeserializer<'d, 'de>,
    next: usize,
}

impl<'de> MapAccess<'de> for PlaceAndValue<'_, 'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        let Some(name) = spanned::FIELDS.get(self.next) else { return Ok(None) };
        let name: StrDeserializer<'_, Error> = (*name).into_deserializer();
        seed.deserialize(name).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        let place = self.node.node.place();
        let start = place.offset;
        let numbers = [start, start + place.len as u64, place.line, place.column];
        self.next += 1;
        match numbers.get(self.next - 1) {
            Some(&number) => seed.deserialize(number.into_deserializer()),
            None => seed.deserialize(self.node),
        }
    }
}
