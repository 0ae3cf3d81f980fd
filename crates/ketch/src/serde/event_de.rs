//! Reads types directly from the events of a document, without a tree.
//!
//! Most documents need no tree: each node is passed to its type as it arrives. For anything that
//! needs the tree (tags, aliases, possible duplicate keys, the location of an error), the document
//! is composed from its start, and the rest of it is read by
//! [`NodeDeserializer`](super::node::NodeDeserializer). This happens at most once per document, and
//! makes no difference to the types that are being read.
//!
//! So unusual input is handled in one place, and errors do not depend on the way in which the
//! document is read.

use super::context::too_deep;
use super::events::Events;
use super::node::{Variant, wrong_len};
use super::scalar::{is_null, visit_plain};
use super::spanned;
use super::value_de::Kind;
use crate::serde_error::Error;
use ketch_yaml::compose::NodeId;
use ketch_yaml::compose::internal::{Keys, Next, NodeSummaries};
use serde::de::{self, DeserializeSeed, MapAccess, SeqAccess, Unexpected, Visitor};
use std::borrow::Cow;

type Result<T> = std::result::Result<T, Error>;

impl<'de> Events<'de> {
    /// Runs `read` on the root of the current document, and then moves past the document.
    pub fn read<T>(
        &mut self,
        read: impl FnOnce(EventDeserializer<'_, 'de>) -> Result<T>,
    ) -> Result<T> {
        let root = self.pull.id();
        let result = read(EventDeserializer { events: self });
        if self.tree.is_none() {
            self.leave(root);
        }
        match self.failed.take() {
            Some(failed) => Err(failed),
            None => result,
        }
    }

    /// Reads `next` as the type that the schema determines.
    #[inline(always)]
    fn any<V: Visitor<'de>>(&mut self, next: Next<'de>, visitor: V) -> Result<V::Value> {
        match next {
            Next::Plain(text) => {
                self.pull.take();
                visit_plain(self.options.schema, text, visitor)
            }
            Next::Quoted(text) => {
                self.pull.take();
                visitor.visit_borrowed_str(text)
            }
            Next::Sequence if self.depth_left.levels > 0 => self.sequence(visitor),
            Next::Mapping if self.depth_left.levels > 0 => self.mapping(visitor),
            Next::Sequence | Next::Mapping => Err(too_deep()),
            Next::Scalar => self.scalar(true, visitor),
            Next::End | Next::Rare => {
                self.in_tree(|node| de::Deserializer::deserialize_any(node, visitor))
            }
        }
    }

    /// Does the same as [`Events::any`]. It is not inlined, because it is called in unlikely
    /// branches.
    #[inline(never)]
    fn any_else<V: Visitor<'de>>(&mut self, next: Next<'de>, visitor: V) -> Result<V::Value> {
        self.any(next, visitor)
    }

    /// Reads the next node, which is a sequence. Here and below, the result is kept in a single
    /// variable: a second one, even the implicit one of `?`, would cause every value to be moved.
    #[inline(always)]
    fn sequence<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        self.depth_left.levels -= 1;
        let (id, ahead) = (self.pull.id(), self.pull.entries_ahead());
        self.pull.take();
        let mut entries = Entries { events: self, id, last: id, ahead };
        let mut result = visitor.visit_seq(&mut entries);
        if entries.last != NodeId::NONE
            && result.is_ok()
            && let Err(error) = entries.finish()
        {
            result = Err(error);
        }
        self.depth_left.levels += 1;
        result
    }

    /// Reads the next node, which is a mapping.
    #[inline(always)]
    fn mapping<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        self.depth_left.levels -= 1;
        let (id, keys) = (self.pull.id(), self.pull.open_keys());
        self.pull.take();
        let mut members = Members { events: self, id, keys, key: id, last: id, is_done: false };
        let mut result = visitor.visit_map(&mut members);
        if !members.is_done
            && result.is_ok()
            && let Err(error) = members.finish()
        {
            result = Err(error);
        }
        self.depth_left.levels += 1;
        result
    }

    /// Reads `next`, which is not a simple sequence, where a sequence is expected. An empty node is
    /// read as an empty sequence.
    #[inline(never)]
    fn no_sequence<V: Visitor<'de>>(&mut self, next: Next<'de>, visitor: V) -> Result<V::Value> {
        match next {
            Next::Plain("") if self.depth_left.levels == 0 => Err(too_deep()),
            Next::Plain("") => {
                let id = self.pull.id();
                self.pull.take();
                visitor.visit_seq(&mut Entries { events: self, id, last: NodeId::NONE, ahead: 0 })
            }
            Next::Rare => self.in_tree(|node| de::Deserializer::deserialize_seq(node, visitor)),
            next => self.any(next, visitor),
        }
    }

    /// Reads `next` where a mapping is expected, if it is not a simple mapping. An empty node is
    /// read as an empty mapping.
    #[inline(never)]
    fn no_mapping<V: Visitor<'de>>(&mut self, next: Next<'de>, visitor: V) -> Result<V::Value> {
        match next {
            Next::Plain("") if self.depth_left.levels == 0 => Err(too_deep()),
            Next::Plain("") => {
                let (key, keys) = (self.pull.id(), self.pull.open_keys());
                self.pull.take();
                let (id, last) = (key, NodeId::NONE);
                visitor.visit_map(&mut Members { events: self, id, keys, key, last, is_done: true })
            }
            Next::Rare => self.in_tree(|node| de::Deserializer::deserialize_map(node, visitor)),
            Next::Sequence => Err(de::Error::invalid_type(Unexpected::Seq, &visitor)),
            next => self.any(next, visitor),
        }
    }

    /// Reads `next` where text is expected, if it is not a scalar that appears verbatim in the
    /// input.
    #[inline(never)]
    fn no_text<V: Visitor<'de>>(&mut self, next: Next<'de>, visitor: V) -> Result<V::Value> {
        match next {
            Next::Scalar => self.scalar(false, visitor),
            Next::Rare => self.in_tree(|node| de::Deserializer::deserialize_str(node, visitor)),
            next => self.any(next, visitor),
        }
    }

    /// Runs `read` on the next node. If it fails, adds the node's location to the error.
    #[inline(always)]
    fn located<T>(
        &mut self,
        read: impl FnOnce(&mut Events<'de>, Next<'de>) -> Result<T>,
    ) -> Result<T> {
        let id = self.pull.id();
        let next = self.pull.look();
        let mut result = read(self, next);
        if let Err(error) = &mut result {
            self.note_location(id, error);
        }
        result
    }
}

/// A deserializer for the next node.
pub(super) struct EventDeserializer<'c, 'de> {
    events: &'c mut Events<'de>,
}

/// Defines methods that read a scalar as the type that the schema determines.
macro_rules! plain {
    ($($method:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            self.events.located(|events, next| match next {
                Next::Plain(text) => {
                    events.pull.take();
                    visit_plain(events.options.schema, text, visitor)
                }
                next => events.any_else(next, visitor),
            })
        })*
    };
}

/// Defines methods that read the text of a scalar, regardless of the schema.
macro_rules! text {
    ($($method:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            self.events.located(|events, next| match next {
                Next::Plain(text) | Next::Quoted(text) => {
                    events.pull.take();
                    visitor.visit_borrowed_str(text)
                }
                next => events.no_text(next, visitor),
            })
        })*
    };
}

impl<'de> de::Deserializer<'de> for EventDeserializer<'_, 'de> {
    type Error = Error;

    plain! {
        deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_i128 deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
        deserialize_u128 deserialize_f32 deserialize_f64 deserialize_bytes deserialize_byte_buf
        deserialize_unit
    }

    text! { deserialize_char deserialize_str deserialize_string }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.events.located(|events, next| events.any(next, visitor))
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let (Next::Plain(text) | Next::Quoted(text)) = self.events.pull.look() else {
            return self.deserialize_str(visitor);
        };
        let id = self.events.pull.id();
        self.events.pull.take();
        // The visitor writes the number of a field in two parts. Moving the result would load both
        // parts at once, which causes a store-forwarding stall, so the result is matched instead.
        match visitor.visit_borrowed_str(text) {
            Ok(value) => Ok(value),
            Err(mut error) => {
                self.events.note_location(id, &mut error);
                Err(error)
            }
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.events.located(|events, next| match next {
            Next::Plain(text) if is_null(events.options.schema, text) => {
                events.pull.take();
                visitor.visit_none()
            }
            Next::Rare => events.in_tree(|node| node.deserialize_option(visitor)),
            _ => events.step(|events| visitor.visit_some(EventDeserializer { events })),
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
        if Kind::of(name).is_none() {
            let id = self.events.pull.id();
            let read = |events: &mut _| visitor.visit_newtype_struct(EventDeserializer { events });
            let mut result = self.events.step(read);
            if let Err(error) = &mut result {
                self.events.note_location(id, error);
            }
            return result;
        }
        self.events.in_tree(|node| node.deserialize_newtype_struct(name, visitor))
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.events.located(|events, next| match next {
            Next::Sequence if events.depth_left.levels > 0 => events.sequence(visitor),
            next => events.no_sequence(next, visitor),
        })
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        match self.events.pull.look() {
            Next::Rare => self.events.in_tree(|node| node.deserialize_tuple(len, visitor)),
            _ => self.deserialize_seq(visitor),
        }
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
        self.events.located(|events, next| match next {
            Next::Mapping if events.depth_left.levels > 0 => events.mapping(visitor),
            next => events.no_mapping(next, visitor),
        })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        if name == spanned::NAME {
            return self.events.in_tree(|node| node.deserialize_struct(name, fields, visitor));
        }
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.events.located(|events, next| match next {
            Next::Plain(text) | Next::Quoted(text) => {
                events.pull.take();
                visitor.visit_enum(Variant { name: Cow::Borrowed(text), content: None })
            }
            _ => events.in_tree(|node| node.deserialize_enum(name, variants, visitor)),
        })
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.events.skip()?;
        visitor.visit_unit()
    }
}

/// Where the next child of a collection is read from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    /// The stream of events.
    Events,
    /// The tree.
    Tree,
    /// There is no further child.
    End,
}

/// Returns the child of `parent` after `last`, or the first child if `last` is `parent` itself.
fn child_after(nodes: NodeSummaries<'_>, parent: NodeId, last: NodeId) -> NodeId {
    if last == parent { nodes.first_child(parent) } else { nodes.after(last) }
}

/// The remaining items of a sequence.
struct Entries<'c, 'de> {
    events: &'c mut Events<'de>,
    /// The sequence itself.
    id: NodeId,
    /// The item that was yielded last. At the start, this is the sequence itself, and at the end,
    /// it is [`NodeId::NONE`]. Normally, the next item has a greater number. Otherwise, there is a
    /// tree, the type has not read an item, or this is the end.
    last: NodeId,
    /// A lower bound for the number of items, for `size_hint`.
    ahead: usize,
}

impl<'de> Entries<'_, 'de> {
    /// Moves to the next item, and returns where to read it from.
    #[inline(always)]
    fn advance(&mut self) -> Result<At> {
        let id = self.events.pull.id();
        if id <= self.last {
            return self.advance_slow();
        }
        if self.events.pull.is_at_end() {
            self.events.pull.take_end();
            self.last = NodeId::NONE;
            return Ok(At::End);
        }
        self.last = id;
        Ok(At::Events)
    }

    /// Does the same as [`Entries::advance`] in the other cases: at the end, if there is a tree, or
    /// if the type has not read the last item.
    #[cold]
    #[inline(never)]
    fn advance_slow(&mut self) -> Result<At> {
        if self.last == NodeId::NONE {
            return Ok(At::End);
        }
        if self.events.tree.is_none() {
            // The type has not read the last item.
            self.events.skip()?;
            if self.events.tree.is_none() {
                return self.advance();
            }
        }
        let Some(nodes) = self.events.summaries() else { return Ok(At::End) };
        let next = child_after(nodes, self.id, self.last);
        let is_end = next == nodes.after(self.id);
        self.last = if is_end { NodeId::NONE } else { next };
        Ok(if is_end { At::End } else { At::Tree })
    }

    /// Reads the current item from the tree with `seed`.
    #[inline(never)]
    fn read_in_tree<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        match self.events.node(self.last, |node| seed.deserialize(node)) {
            Ok(value) => Ok(Some(value)),
            Err(mut error) => {
                self.add_to_path(&mut error);
                Err(error)
            }
        }
    }

    /// Fails if there are items that the type has not read.
    #[inline(never)]
    fn finish(&mut self) -> Result<()> {
        if self.advance()? == At::End {
            return Ok(());
        }
        self.events.compose()?;
        let count = self.events.summaries().map_or(0, |nodes| nodes.count(self.id));
        Err(wrong_len(self.index(), count))
    }

    /// Returns the index of the item that was yielded last.
    fn index(&self) -> usize {
        let Some(nodes) = self.events.summaries() else { return 0 };
        let mut entry = nodes.first_child(self.id);
        let mut index = 0;
        while entry < self.last {
            entry = nodes.after(entry);
            index += 1;
        }
        index
    }

    /// Adds the location and index of the item that was yielded last to `error`.
    #[cold]
    #[inline(never)]
    fn add_to_path(&mut self, error: &mut Error) {
        match self.events.compose() {
            Ok(()) => {
                self.events.note_location(self.last, error);
                error.note_index(self.index());
            }
            Err(_) => self.last = NodeId::NONE,
        }
    }
}

impl<'de> SeqAccess<'de> for &mut Entries<'_, 'de> {
    type Error = Error;

    #[inline(always)]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        match self.advance()? {
            At::Events => {}
            At::Tree => return self.read_in_tree(seed),
            At::End => return Ok(None),
        }
        match seed.deserialize(EventDeserializer { events: self.events }) {
            Ok(value) => Ok(Some(value)),
            Err(mut error) => {
                self.add_to_path(&mut error);
                Err(error)
            }
        }
    }

    fn size_hint(&self) -> Option<usize> {
        (self.last == self.id).then_some(self.ahead)
    }
}

/// The remaining pairs of a mapping.
struct Members<'c, 'de> {
    events: &'c mut Events<'de>,
    /// The mapping itself.
    id: NodeId,
    keys: Keys,
    /// The key that was yielded last. At the start, this is the mapping itself.
    key: NodeId,
    /// The value that was yielded last. At the start, this is the mapping itself. After a key, and
    /// at the end, it is [`NodeId::NONE`].
    last: NodeId,
    is_done: bool,
}

impl<'de> Members<'_, 'de> {
    /// Moves to the next key, and returns where to read it from.
    #[inline(always)]
    fn go_to_key(&mut self) -> Result<At> {
        let id = self.events.pull.id();
        if id <= self.last {
            return self.go_to_key_slow();
        }
        if !self.events.pull.see_key(&mut self.keys) {
            if !self.events.pull.close_keys(&self.keys) {
                return self.go_to_key_slow();
            }
            (self.last, self.is_done) = (NodeId::NONE, true);
            return Ok(At::End);
        }
        (self.key, self.last) = (id, NodeId::NONE);
        Ok(At::Events)
    }

    /// Does the same as [`Members::go_to_key`] in the other cases: at the end, if there is a tree,
    /// or if the type has not read a key or value.
    #[cold]
    #[inline(never)]
    fn go_to_key_slow(&mut self) -> Result<At> {
        if self.is_done {
            return Ok(At::End);
        }
        let id = self.events.pull.id();
        if self.events.tree.is_none() && id > self.last {
            // There may be duplicate keys. Composing the tree detects them.
            self.events.compose()?;
        }
        let is_after_key = self.last == NodeId::NONE;
        if self.events.tree.is_none() {
            // The type has not read the key or the value.
            if is_after_key && id == self.key {
                self.events.skip()?;
            }
            let value = self.events.pull.id();
            if self.events.tree.is_none() {
                self.events.skip()?;
            }
            if self.events.tree.is_none() {
                self.last = value;
                return self.go_to_key();
            }
        }
        let Some(nodes) = self.events.summaries() else { return Ok(At::End) };
        let last = if is_after_key { nodes.after(self.key) } else { self.last };
        let next = child_after(nodes, self.id, last);
        self.last = NodeId::NONE;
        self.is_done = next == nodes.after(self.id);
        if self.is_done {
            return Ok(At::End);
        }
        self.key = next;
        Ok(At::Tree)
    }

    /// Moves to the value of the current key, and returns where to read it from. Returns
    /// [`At::End`] if there is no key whose value has not been read.
    #[inline(always)]
    fn go_to_value(&mut self) -> At {
        let id = self.events.pull.id();
        if id <= self.key || self.last != NodeId::NONE {
            return self.go_to_value_slow();
        }
        self.last = id;
        At::Events
    }

    /// Does the same as [`Members::go_to_value`] in the other cases: if there is a tree, or if the
    /// type has not read the key.
    #[cold]
    #[inline(never)]
    fn go_to_value_slow(&mut self) -> At {
        if self.last != NodeId::NONE || self.is_done {
            return At::End;
        }
        // The type has not read the key.
        if self.events.tree.is_none() && self.events.skip().is_err() {
            return At::Events;
        }
        let (last, at) = match self.events.summaries() {
            Some(nodes) => (nodes.after(self.key), At::Tree),
            None => (self.events.pull.id(), At::Events),
        };
        self.last = last;
        at
    }

    /// Reads the current value with `seed` from the source `at`.
    #[inline(never)]
    fn read_slow<S: DeserializeSeed<'de>>(&mut self, at: At, seed: S) -> Result<S::Value> {
        match at {
            At::Events => seed.deserialize(EventDeserializer { events: self.events }),
            At::Tree => self.events.node(self.last, |node| seed.deserialize(node)),
            At::End => Err(Error::new("a value was requested before its key")),
        }
    }

    /// Skips the pairs that the type has not read.
    #[inline(never)]
    fn finish(&mut self) -> Result<()> {
        while self.go_to_key()? == At::Events {}
        Ok(())
    }

    /// Adds the location of `node`, which is the current key or its value, and the text of the key
    /// to `error`.
    #[cold]
    #[inline(never)]
    fn add_to_path(&mut self, node: NodeId, error: &mut Error) {
        self.is_done = self.events.compose().is_err();
        self.events.note_location(node, error);
        if let Some(nodes) = self.events.summaries() {
            error.note_key(nodes.node(self.key).text());
        }
    }
}

impl<'de> MapAccess<'de> for &mut Members<'_, 'de> {
    type Error = Error;

    #[inline(always)]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        match self.go_to_key()? {
            At::Events => {}
            At::Tree => {
                let mut key = self.events.node(self.key, |node| seed.deserialize(node));
                if let Err(error) = &mut key {
                    self.add_to_path(self.key, error);
                }
                return key.map(Some);
            }
            At::End => return Ok(None),
        }
        match seed.deserialize(EventDeserializer { events: self.events }) {
            Ok(key) => Ok(Some(key)),
            Err(mut error) => {
                self.add_to_path(self.key, &mut error);
                Err(error)
            }
        }
    }

    #[inline]
    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        let at = self.go_to_value();
        let mut result = match at {
            At::Events => seed.deserialize(EventDeserializer { events: self.events }),
            _ => self.read_slow(at, seed),
        };
        if let Err(error) = &mut result
            && at != At::End
        {
            self.add_to_path(self.last, error);
        }
        result
    }

    #[inline(always)]
    fn next_entry_seed<K: DeserializeSeed<'de>, T: DeserializeSeed<'de>>(
        &mut self,
        key_seed: K,
        value_seed: T,
    ) -> Result<Option<(K::Value, T::Value)>> {
        let Some(key) = self.next_key_seed(key_seed)? else { return Ok(None) };
        let value = match self.go_to_value() {
            At::Events => value_seed.deserialize(EventDeserializer { events: self.events }),
            at => self.read_slow(at, value_seed),
        };
        // The pair is created directly in the return value, because moving large values takes time.
        match value {
            Ok(value) => Ok(Some((key, value))),
            Err(mut error) => {
                self.add_to_path(self.last, &mut error);
                Err(error)
            }
        }
    }
}
