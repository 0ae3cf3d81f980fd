//! `Ketch::MatchData`: a match, stored as byte offsets in a frozen string. Character offsets are
//! computed when they are needed.

use super::encoding;
use super::pattern::{self, State, Subject};
use crate::given;
use crate::ruby::{self, VALUE};
use ketch_regex::Captures;
use magnus::{DataTypeFunctions, Error, IntoValue, Ruby, Symbol, TypedData, Value, gc, prelude::*};
use std::sync::OnceLock;

/// The offset that is stored for a group that has not matched.
const UNSET: usize = usize::MAX;

/// A match.
#[derive(Debug, TypedData)]
#[magnus(class = "Ketch::MatchData", free_immediately, mark, size, wb_protected, frozen_shareable)]
pub struct Match {
    string: VALUE,
    regexp: VALUE,
    /// The start and the end of each group, in bytes.
    slots: Slots,
    /// The same in characters, once they are needed.
    chars: OnceLock<Box<[usize]>>,
}

/// The maximum number of offsets that are stored in the match itself, not in separate memory.
const FEW: usize = 8;

/// The start and the end of each group, alternating.
#[derive(Debug)]
enum Slots {
    Few([u32; FEW], u8),
    Many(Box<[usize]>),
}

impl Slots {
    /// Returns the offsets of all groups, each converted by `offset`.
    fn new(captures: &Captures, offset: impl Fn(usize) -> usize) -> Slots {
        let slots = || {
            captures.iter().flat_map(|group| match group {
                Some(span) => [offset(span.start), offset(span.end)],
                None => [UNSET; 2],
            })
        };
        let len = 2 * captures.len();
        let fits = |slot: usize| slot == UNSET || slot < u32::MAX as usize;
        if len > FEW || !slots().all(fits) {
            return Slots::Many(slots().collect());
        }
        let mut few = [u32::MAX; FEW];
        for (place, slot) in few.iter_mut().zip(slots()) {
            *place = slot as u32;
        }
        Slots::Few(few, len as u8)
    }

    #[inline]
    fn len(&self) -> usize {
        match self {
            Slots::Few(_, len) => usize::from(*len),
            Slots::Many(slots) => slots.len(),
        }
    }

    /// Returns the offset at the index `slot`, or `None` if the group has not matched or there is
    /// no such index.
    #[inline]
    fn get(&self, slot: usize) -> Option<usize> {
        match self {
            Slots::Few(slots, len) if slot < usize::from(*len) => {
                Some(slots[slot]).filter(|at| *at != u32::MAX).map(|at| at as usize)
            }
            Slots::Few(..) => None,
            Slots::Many(slots) => slots.get(slot).copied().filter(|at| *at != UNSET),
        }
    }
}

// SAFETY: a match never changes. Its string is frozen, and Ractors can share a match only if they
// can share its regexp.
unsafe impl Send for Match {}
// SAFETY: as above.
unsafe impl Sync for Match {}

impl DataTypeFunctions for Match {
    fn mark(&self, _: &gc::Marker) {
        for value in [self.string, self.regexp] {
            // SAFETY: called by the collector while it marks. Both values were live when the match
            // was created.
            unsafe { rb_sys::rb_gc_mark(value) };
        }
    }

    fn size(&self) -> usize {
        size_of::<Match>()
            + match &self.slots {
                Slots::Few(..) => 0,
                Slots::Many(slots) => size_of_val(&**slots),
            }
    }
}

/// Creates the Ruby object for a match. `subject` must be frozen. May raise.
pub fn create(ruby: &Ruby, regexp: VALUE, subject: Subject, captures: &Captures) -> VALUE {
    let slots = Slots::new(captures, |at| subject.offset(at));
    let string = subject.string;
    let made = ruby.obj_wrap(Match { string, regexp, slots, chars: OnceLock::new() });
    // Up to this point, the collector must find both values on the machine's stack.
    std::hint::black_box((string, regexp));
    ruby::raw(made)
}

/// The group that a caller asks for.
enum Group {
    Number(usize),
    /// The caller gave a negative number, or a name that no group has.
    None,
}

impl Match {
    fn state(&self, ruby: &Ruby) -> Result<&'static State, Error> {
        pattern::state(ruby, self.regexp)
    }

    fn len(&self) -> usize {
        self.slots.len() / 2
    }

    /// Returns the start and the end of a group in bytes, or `None` if the group has not matched.
    fn span(&self, group: usize) -> Option<(usize, usize)> {
        let start = self.slots.get(group.checked_mul(2)?)?;
        Some((start, self.slots.get(2 * group + 1)?))
    }

    /// Returns the text of a group, or `nil` if the group has not matched.
    #[inline]
    fn text(&self, group: usize) -> VALUE {
        self.span(group).map_or(ruby::NIL, |(start, end)| encoding::part(self.string, start, end))
    }

    /// Returns the start and the end of a group in characters, or `None` if the group has not
    /// matched.
    fn chars(&self, group: usize) -> Option<(usize, usize)> {
        self.span(group)?;
        let chars = self.chars.get_or_init(|| self.count_chars());
        Some((chars[2 * group], chars[2 * group + 1]))
    }

    /// Converts all offsets to characters, in ascending order, so that the string is read only
    /// once.
    fn count_chars(&self) -> Box<[usize]> {
        let length = encoding::length(self.string);
        // SAFETY: the string is frozen, and Ruby does not run while its bytes are used.
        let bytes = unsafe { encoding::bytes(self.string) };
        if length == bytes.len() {
            return (0..self.slots.len())
                .map(|slot| self.slots.get(slot).unwrap_or(UNSET))
                .collect();
        }
        let utf8 = encoding::content(self.string).1 == encoding::UTF8;
        let mut order: Vec<usize> = (0..self.slots.len()).collect();
        order.sort_unstable_by_key(|slot| self.slots.get(*slot).unwrap_or(UNSET));
        let mut chars = vec![UNSET; self.slots.len()].into_boxed_slice();
        let (mut at, mut count) = (0, 0);
        for slot in order {
            let Some(offset) = self.slots.get(slot) else { break };
            count = match utf8 {
                true => {
                    count + bytes[at..offset].iter().filter(|byte| **byte & 0xC0 != 0x80).count()
                }
                false => encoding::char_index(self.string, offset),
            };
            (at, chars[slot]) = (offset, count);
        }
        chars
    }

    /// Returns the group that `of`, a number or a name, refers to. Fails if there is no group with
    /// the name.
    fn group(&self, ruby: &Ruby, of: Value) -> Result<Group, Error> {
        let raw = ruby::raw(of);
        if rb_sys::FIXNUM_P(raw) {
            let index = raw as i64 >> 1;
            return Ok(usize::try_from(index).map_or(Group::None, Group::Number));
        }
        let name = match Symbol::from_value(of) {
            Some(symbol) => ruby::symbol_name(ruby::raw(symbol)),
            None if ruby::is_string(raw) => raw,
            None => {
                let index = magnus::Integer::try_convert(of)?.to_i64()?;
                return Ok(usize::try_from(index).map_or(Group::None, Group::Number));
            }
        };
        // SAFETY: the name is a live string, and Ruby does not run before it has been looked up.
        let bytes = unsafe { given::bytes(name) };
        let Some(groups) = self.state(ruby)?.groups_of(bytes) else {
            let name = String::from_utf8_lossy(bytes);
            let message = format!("undefined group name reference: {name}");
            return Err(Error::new(ruby.exception_index_error(), message));
        };
        let set = groups.iter().rev().find(|group| self.span(**group as usize).is_some());
        let group = set.or(groups.last());
        Ok(group.map_or(Group::None, |group| Group::Number(*group as usize)))
    }

    /// Returns the number of the group that `of`, a number or a name, refers to. Fails if there is
    /// none.
    fn group_number(&self, ruby: &Ruby, of: Value) -> Result<usize, Error> {
        match self.group(ruby, of)? {
            Group::Number(group) if group < self.len() => Ok(group),
            _ => {
                let message = format!("index {of} out of matches");
                Err(Error::new(ruby.exception_index_error(), message))
            }
        }
    }
}

/// The methods of `Ketch::MatchData`.
impl Match {
    /// Implements `entry(group)`: returns the text of the group with this number or name, or `nil`
    /// if it has not matched. A negative number counts from the end.
    pub fn entry(ruby: &Ruby, rb_self: &Match, of: Value) -> Result<Value, Error> {
        let raw = ruby::raw(of);
        let group = match rb_self.group(ruby, of)? {
            Group::Number(group) => group,
            Group::None => {
                let index = if rb_sys::FIXNUM_P(raw) { raw as i64 >> 1 } else { i64::MIN };
                // As in Ruby, a negative index never refers to group 0, the whole match.
                match usize::try_from(index.saturating_add(rb_self.len() as i64)) {
                    Ok(group) if group > 0 => group,
                    _ => return Ok(ruby.qnil().into_value_with(ruby)),
                }
            }
        };
        Ok(ruby::value(rb_self.text(group)))
    }

    /// Implements `byteoffset(group)`: returns the start and the end of the group in bytes.
    pub fn byteoffset(ruby: &Ruby, rb_self: &Match, of: Value) -> Result<Value, Error> {
        let group = rb_self.group_number(ruby, of)?;
        Ok((rb_self.span(group).map(|span| span.0), rb_self.span(group).map(|span| span.1))
            .into_value_with(ruby))
    }

    /// Implements `offset(group)`: returns the start and the end of the group in characters.
    pub fn offset(ruby: &Ruby, rb_self: &Match, of: Value) -> Result<Value, Error> {
        let group = rb_self.group_number(ruby, of)?;
        let chars = rb_self.chars(group);
        Ok((chars.map(|span| span.0), chars.map(|span| span.1)).into_value_with(ruby))
    }

    /// Implements `begin(group)`: returns the start of the group in characters.
    pub fn begin(ruby: &Ruby, rb_self: &Match, of: Value) -> Result<Option<usize>, Error> {
        let group = rb_self.group_number(ruby, of)?;
        Ok(rb_self.chars(group).map(|span| span.0))
    }

    /// Implements `end(group)`: returns the end of the group in characters.
    pub fn end(ruby: &Ruby, rb_self: &Match, of: Value) -> Result<Option<usize>, Error> {
        let group = rb_self.group_number(ruby, of)?;
        Ok(rb_self.chars(group).map(|span| span.1))
    }

    /// Implements `pre_match`: returns the text before the match.
    pub fn pre_match(&self) -> Value {
        let start = self.span(0).map_or(0, |span| span.0);
        ruby::value(encoding::part(self.string, 0, start))
    }

    /// Implements `post_match`: returns the text after the match.
    pub fn post_match(&self) -> Value {
        // SAFETY: the string is live, and only the length of its bytes is used.
        let len = unsafe { encoding::bytes(self.string) }.len();
        let end = self.span(0).map_or(len, |span| span.1);
        ruby::value(encoding::part(self.string, end, len))
    }

    /// Implements `to_a`: returns an array of the texts of all groups, including group 0.
    pub fn to_a(&self) -> Value {
        self.texts(0)
    }

    /// Implements `captures`: returns an array of the texts of all groups except group 0.
    pub fn captures(&self) -> Value {
        self.texts(1)
    }

    /// Returns an array of the texts of the groups from number `first` on.
    fn texts(&self, first: usize) -> Value {
        let array = ruby::new_array();
        for group in first..self.len() {
            ruby::array_push(array, self.text(group));
        }
        ruby::value(array)
    }

    /// Implements `size`: returns the number of groups, including group 0.
    pub fn size(&self) -> usize {
        self.len()
    }

    /// Implements `string`: returns the string that was searched, which is frozen.
    pub fn string(&self) -> Value {
        ruby::value(self.string)
    }

    /// Implements `regexp`: returns the pattern.
    pub fn regexp(&self) -> Value {
        ruby::value(self.regexp)
    }

    /// Implements `names`: returns the names of the groups.
    pub fn names(ruby: &Ruby, rb_self: &Match) -> Result<Value, Error> {
        rb_self.state(ruby).map(|state| ruby::value(state.names))
    }
}
