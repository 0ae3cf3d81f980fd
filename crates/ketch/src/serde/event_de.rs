//! Types straight from the events of a document, with no tree between.
//!
//! Most documents need none: each node is told to its type when it comes. What only the tree can tell
//! (tags, aliases, keys that may stand twice, the place of an error) is left to [`NodeDeserializer`](super::node::NodeDeserializer):
//! the document is composed from its start, and whatever is still to be read of it is read from the
//! tree. That happens once in a document at most; the types that are being read do not notice.
//!
//! So what is unusual is decided in one place, and an error is the same whichever way was taken.

use super::context::too_deep;
use super::error::Error;
use super::events::Events;
use super::node::{Variant, wrong_len};
use super::scalar::{is_null, visit_plain};
use super::spanned;
use super::value_de::Kind;
use ketch_yaml::compose::NodeId;
use ketch_yaml::compose::internal::{Keys, Next, NodeSummaries};
use serde::de::{self, DeserializeSeed, MapAccess, SeqAccess, Unexpected, Visitor};
use std::borrow::Cow;

type Result<T> = std::result::Result<T, Error>;

impl<'de> Events<'de> {
    /// Runs `read` on the document that was begun, and leaves it.
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

    /// The same where it is not likely to be taken.
    #[inline(never)]
    fn any_else<V: Visitor<'de>>(&mut self, next: Next<'de>, visitor: V) -> Result<V::Value> {
        self.any(next, visitor)
    }

    /// The sequence that comes next. One place for the result, here and below: a second one, be it that
    /// of a `?`, would have every value moved.
    #[inline(always)]
    fn sequence<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        self.depth_left.levels -= 1;
        let (id, ahead) = (self.pull.id(), self.pull.entries_ahead());
        self.pull.take();
        let mut entries = Entries { events: self, id, given: id, ahead };
        let mut result = visitor.visit_seq(&mut entries);
        if entries.given != NodeId::NONE
            && result.is_ok()
            && let Err(error) = entries.finish()
        {
            result = Err(error);
        }
        self.depth_left.levels += 1;
        result
    }

    /// The mapping that comes next.
    #[inline(always)]
    fn mapping<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        self.depth_left.levels -= 1;
        let (id, keys) = (self.pull.id(), self.pull.open_keys());
        self.pull.take();
        let mut members = Members { events: self, id, keys, key: id, given: id, is_done: false };
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

    /// What is no sequence where one is wanted: nothing stands for an empty one.
    #[inline(never)]
    fn no_sequence<V: Visitor<'de>>(&mut self, next: Next<'de>, visitor: V) -> Result<V::Value> {
        match next {
            Next::Plain("") if self.depth_left.levels == 0 => Err(too_deep()),
            Next::Plain("") => {
                let id = self.pull.id();
                self.pull.take();
                visitor.visit_seq(&mut Entries { events: self, id, given: NodeId::NONE, ahead: 0 })
            }
            Next::Rare => self.in_tree(|node| de::Deserializer::deserialize_seq(node, visitor)),
            next => self.any(next, visitor),
        }
    }

    /// What is no mapping where one is wanted.
    #[inline(never)]
    fn no_mapping<V: Visitor<'de>>(&mut self, next: Next<'de>, visitor: V) -> Result<V::Value> {
        match next {
            Next::Plain("") if self.depth_left.levels == 0 => Err(too_deep()),
            Next::Plain("") => {
                let (key, keys) = (self.pull.id(), self.pull.open_keys());
                self.pull.take();
                let (id, given) = (key, NodeId::NONE);
                visitor.visit_map(&mut Members {
                    events: self,
                    id,
                    keys,
                    key,
                    given,
                    is_done: true,
                })
            }
            Next::Rare => self.in_tree(|node| de::Deserializer::deserialize_map(node, visitor)),
            Next::Sequence => Err(de::Error::invalid_type(Unexpected::Seq, &visitor)),
            next => self.any(next, visitor),
        }
    }

    /// What does not stand in the text as it is, where text is wanted.
    #[inline(never)]
    fn no_text<V: Visitor<'de>>(&mut self, next: Next<'de>, visitor: V) -> Result<V::Value> {
        match next {
            Next::Scalar => self.scalar(false, visitor),
            Next::Rare => self.in_tree(|node| de::Deserializer::deserialize_str(node, visitor)),
            next => self.any(next, visitor),
        }
    }

    /// Runs `read` on what comes next, and notes its place in an error.
    #[inline(always)]
    fn located<T>(
        &mut self,
        read: impl FnOnce(&mut Events<'de>, Next<'de>) -> Result<T>,
    ) -> Result<T> {
        let id = self.pull.id();
        let next = self.pull.look();
        let mut result = read(self, next);
        if let Err(error) = &mut result {
            self.note_place(id, error);
        }
        result
    }
}

/// The node that comes next.
pub(super) struct EventDeserializer<'c, 'de> {
    events: &'c mut Events<'de>,
}

/// Methods that take a scalar as the schema has it.
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

/// Methods that take the text of a scalar, whatever the schema makes of it.
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
        // A field's number comes back in two parts: whoever looked at them as one would have to wait.
        match visitor.visit_borrowed_str(text) {
            Ok(value) => Ok(value),
            Err(mut error) => {
                self.events.note_place(id, &mut error);
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
                self.events.note_place(id, error);
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

/// Where the next child of a collection is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    /// In the stream.
    Events,
    /// In the tree.
    Tree,
    /// There is none.
    End,
}

/// The child behind `given`, or the first one if that is the parent.
fn child_behind(nodes: NodeSummaries<'_>, parent: NodeId, given: NodeId) -> NodeId {
    if given == parent { nodes.first_child(parent) } else { nodes.after(given) }
}

/// The entries of a sequence.
struct Entries<'c, 'de> {
    events: &'c mut Events<'de>,
    /// The sequence.
    id: NodeId,
    /// The entry that was given last, at first the sequence, at last none. A number above it comes
    /// next unless something is unusual: a tree, an entry that its type has left alone, the end.
    given: NodeId,
    /// So many entries or more there are.
    ahead: usize,
}

impl<'de> Entries<'_, 'de> {
    /// Goes to the next entry.
    #[inline(always)]
    fn go_on(&mut self) -> Result<At> {
        let id = self.events.pull.id();
        if id <= self.given {
            return self.go_on_slowly();
        }
        if self.events.pull.is_at_end() {
            self.events.pull.take_end();
            self.given = NodeId::NONE;
            return Ok(At::End);
        }
        self.given = id;
        Ok(At::Events)
    }

    #[cold]
    #[inline(never)]
    fn go_on_slowly(&mut self) -> Result<At> {
        if self.given == NodeId::NONE {
            return Ok(At::End);
        }
        if self.events.tree.is_none() {
            // Nobody has looked at the last entry.
            self.events.skip()?;
            if self.events.tree.is_none() {
                return self.go_on();
            }
        }
        let Some(nodes) = self.events.summaries() else { return Ok(At::End) };
        let next = child_behind(nodes, self.id, self.given);
        let is_end = next == nodes.after(self.id);
        self.given = if is_end { NodeId::NONE } else { next };
        Ok(if is_end { At::End } else { At::Tree })
    }

    #[inline(never)]
    fn read_in_tree<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        match self.events.node(self.given, |node| seed.deserialize(node)) {
            Ok(value) => Ok(Some(value)),
            Err(mut error) => {
                self.note(&mut error);
                Err(error)
            }
        }
    }

    /// The type takes no more entries: there must be none.
    #[inline(never)]
    fn finish(&mut self) -> Result<()> {
        if self.go_on()? == At::End {
            return Ok(());
        }
        self.events.compose()?;
        let count = self.events.summaries().map_or(0, |nodes| nodes.count(self.id));
        Err(wrong_len(self.index(), count))
    }

    /// How many entries stand in front of the one that was given last.
    fn index(&self) -> usize {
        let Some(nodes) = self.events.summaries() else { return 0 };
        let mut entry = nodes.first_child(self.id);
        let mut index = 0;
        while entry < self.given {
            entry = nodes.after(entry);
            index += 1;
        }
        index
    }

    /// An error has come out of the entry that was given last.
    #[cold]
    #[inline(never)]
    fn note(&mut self, error: &mut Error) {
        match self.events.compose() {
            Ok(()) => {
                self.events.note_place(self.given, error);
                error.note_index(self.index());
            }
            Err(_) => self.given = NodeId::NONE,
        }
    }
}

impl<'de> SeqAccess<'de> for &mut Entries<'_, 'de> {
    type Error = Error;

    #[inline(always)]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        match self.go_on()? {
            At::Events => {}
            At::Tree => return self.read_in_tree(seed),
            At::End => return Ok(None),
        }
        match seed.deserialize(EventDeserializer { events: self.events }) {
            Ok(value) => Ok(Some(value)),
            Err(mut error) => {
                self.note(&mut error);
                Err(error)
            }
        }
    }

    fn size_hint(&self) -> Option<usize> {
        (self.given == self.id).then_some(self.ahead)
    }
}

/// The pairs of a mapping.
struct Members<'c, 'de> {
    events: &'c mut Events<'de>,
    /// The mapping.
    id: NodeId,
    keys: Keys,
    /// The key that was given last, at first the mapping.
    key: NodeId,
    /// The value that was given last, at first the mapping; none behind a key, and at last.
    given: NodeId,
    is_done: bool,
}

impl<'de> Members<'_, 'de> {
    /// Goes to the next key.
    #[inline(always)]
    fn go_to_key(&mut self) -> Result<At> {
        let id = self.events.pull.id();
        if id <= self.given {
            return self.go_to_key_slowly();
        }
        if !self.events.pull.see_key(&mut self.keys) {
            if !self.events.pull.close_keys(&self.keys) {
                return self.go_to_key_slowly();
            }
            (self.given, self.is_done) = (NodeId::NONE, true);
            return Ok(At::End);
        }
        (self.key, self.given) = (id, NodeId::NONE);
        Ok(At::Events)
    }

    #[cold]
    #[inline(never)]
    fn go_to_key_slowly(&mut self) -> Result<At> {
        if self.is_done {
            return Ok(At::End);
        }
        let id = self.events.pull.id();
        if self.events.tree.is_none() && id > self.given {
            // The keys may not differ: the tree knows.
            self.events.compose()?;
        }
        let is_behind_key = self.given == NodeId::NONE;
        if self.events.tree.is_none() {
            // Nobody has looked at the key, or at the value.
            if is_behind_key && id == self.key {
                self.events.skip()?;
            }
            let value = self.events.pull.id();
            if self.events.tree.is_none() {
                self.events.skip()?;
            }
            if self.events.tree.is_none() {
                self.given = value;
                return self.go_to_key();
            }
        }
        let Some(nodes) = self.events.summaries() else { return Ok(At::End) };
        let last = if is_behind_key { nodes.after(self.key) } else { self.given };
        let next = child_behind(nodes, self.id, last);
        self.given = NodeId::NONE;
        self.is_done = next == nodes.after(self.id);
        if self.is_done {
            return Ok(At::End);
        }
        self.key = next;
        Ok(At::Tree)
    }

    /// Goes to the value of the key: [`At::End`] if there was none.
    #[inline(always)]
    fn go_to_value(&mut self) -> At {
        let id = self.events.pull.id();
        if id <= self.key || self.given != NodeId::NONE {
            return self.go_to_value_slowly();
        }
        self.given = id;
        At::Events
    }

    #[cold]
    #[inline(never)]
    fn go_to_value_slowly(&mut self) -> At {
        if self.given != NodeId::NONE || self.is_done {
            return At::End;
        }
        // Nobody has looked at the key.
        if self.events.tree.is_none() && self.events.skip().is_err() {
            return At::Events;
        }
        let (given, at) = match self.events.summaries() {
            Some(nodes) => (nodes.after(self.key), At::Tree),
            None => (self.events.pull.id(), At::Events),
        };
        self.given = given;
        at
    }

    /// Reads the value, which does not come straight from the stream.
    #[inline(never)]
    fn read_slowly<S: DeserializeSeed<'de>>(&mut self, at: At, seed: S) -> Result<S::Value> {
        match at {
            At::Events => seed.deserialize(EventDeserializer { events: self.events }),
            At::Tree => self.events.node(self.given, |node| seed.deserialize(node)),
            At::End => Err(Error::new("a value was asked for in front of its key")),
        }
    }

    /// The type takes no more pairs: the others are passed over.
    #[inline(never)]
    fn finish(&mut self) -> Result<()> {
        while self.go_to_key()? == At::Events {}
        Ok(())
    }

    /// An error has come out of `node`, a key or its value.
    #[cold]
    #[inline(never)]
    fn note(&mut self, node: NodeId, error: &mut Error) {
        self.is_done = self.events.compose().is_err();
        self.events.note_place(node, error);
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
                    self.note(self.key, error);
                }
                return key.map(Some);
            }
            At::End => return Ok(None),
        }
        match seed.deserialize(EventDeserializer { events: self.events }) {
            Ok(key) => Ok(Some(key)),
            Err(mut error) => {
                self.note(self.key, &mut error);
                Err(error)
            }
        }
    }

    #[inline]
    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        let at = self.go_to_value();
        let mut result = match at {
            At::Events => seed.deserialize(EventDeserializer { events: self.events }),
            _ => self.read_slowly(at, seed),
        };
        if let Err(error) = &mut result
            && at != At::End
        {
            self.note(self.given, error);
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
            at => self.read_slowly(at, value_seed),
        };
        // Put together where it is returned: values may be large.
        match value {
            Ok(value) => Ok(Some((key, value))),
            Err(mut error) => {
                self.note(self.given, &mut error);
                Err(error)
            }
        }
    }
}
