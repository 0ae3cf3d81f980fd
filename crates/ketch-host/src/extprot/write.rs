//! Converts the values of a host to bytes, from back to front, as the core's writer does.
//!
//! The entries of open collections are on a stack of the host, and are written from the last to the
//! first. A host says what its objects are, in [`Take`]; everything else is decided here.
//!
//! Ruby may leave the functions of a writer by a jump, so they own nothing across a call to the host.

use crate::entries::{Entries, Turns};
use ketch_extprot::value::tags;
use ketch_extprot::wire::vint::zigzag;
use ketch_extprot::wire::{Prefix, WireType, Writer};
use ketch_yaml::schema::Timestamp;

/// The maximum depth of nested collections.
const DEPTH_MAX: usize = 10_000;
/// How a host takes apart its objects.
pub trait Take: Sized {
    /// What ends the writing.
    type Error: From<<Self::Entries as Entries>::Error>;
    /// An object.
    type Value;
    /// The entries of open collections.
    type Entries: Entries<Value = Self::Value>;
    /// What the host says about wrong objects.
    const WORDS: Words;

    /// Calls the method of `output` for the kind of `value`.
    fn write(output: &mut Output<'_, Self>, value: &Self::Value) -> Step<Self>;

    /// Returns the wire type of a collection, or `None` for a scalar. Fails for objects that cannot
    /// have a tag of YAML.
    fn collection(&self, value: &Self::Value) -> Result<Option<WireType>, Self::Error>;
    /// Returns the number of elements of a list, or `None` for other objects.
    fn elements(&self, value: &Self::Value) -> Result<Option<usize>, Self::Error>;
    /// Returns an unsigned integer, or `None` for other objects.
    fn tag(&self, value: &Self::Value) -> Option<u64>;
    /// Returns an integer that fits into 64 bits, or `None` for other objects.
    fn integer(&self, value: &Self::Value) -> Option<i64>;
    /// Returns a float, or `None` for other objects.
    fn float(&self, value: &Self::Value) -> Option<f64>;
    /// Passes the bytes of a string to `write`. Returns whether it is a string and, if it must be text,
    /// text.
    fn string(
        &self,
        value: &Self::Value,
        must_be_text: bool,
        write: impl FnOnce(&[u8]) -> Step<Self>,
    ) -> Result<bool, Self::Error>;

    /// Makes space in `writer` for `bytes` bytes and a prefix.
    fn reserve(writer: &mut Writer, bytes: usize) -> Step<Self>;
    /// Returns the error for an object of a wrong type.
    fn wrong(&self, message: &'static str) -> Self::Error;
}

/// What a host says about wrong objects.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    /// About a tagged value whose tag is not text, or that is in a tagged value.
    pub tagged: &'static str,
    /// About the elements of a block that are not a list, or of an Assoc if there is an odd number.
    pub elements: &'static str,
    /// About a tag that is not such a number.
    pub tag: &'static str,
    /// About a primitive whose value does not fit its type.
    pub primitive: &'static str,
}

/// An open block.
#[derive(Clone, Copy, Debug)]
pub struct Open {
    /// The index on the stack at which the block's values start, and the number of values that
    /// still have to be written.
    start: usize,
    left: usize,
    count: u64,
    mark: usize,
    tag: u64,
    wire_type: WireType,
    /// Whether an object of the host describes the block, with its tag and wire type.
    is_raw: bool,
    /// If the block is the content of a tagged value, the mark at which that starts. Its tag is on
    /// the stack before the values.
    tagged: Option<usize>,
}

/// Writes values.
#[derive(Debug)]
pub struct Output<'w, T: Take> {
    /// What takes apart the objects.
    pub take: T,
    /// The entries of the open blocks.
    pub entries: T::Entries,
    writer: &'w mut Writer,
    /// The open blocks; the innermost one is the last.
    open: &'w mut Vec<Open>,
    turns: Turns,
    /// The number of open blocks with `is_raw`. Inside them, strings are written as bytes.
    raw: usize,
}

type Step<T> = Result<(), <T as Take>::Error>;

impl<'w, T: Take> Output<'w, T> {
    /// Creates an output that keeps its open blocks in `open`.
    pub fn new(
        (take, entries): (T, T::Entries),
        writer: &'w mut Writer,
        open: &'w mut Vec<Open>,
    ) -> Output<'w, T> {
        Output { take, entries, writer, open, turns: Turns::default(), raw: 0 }
    }

    /// Writes a value and everything in it.
    pub fn all(&mut self, root: &T::Value) -> Step<T> {
        self.value(root)?;
        while let Some(open) = self.open.last_mut() {
            if open.left > 0 {
                open.left -= 1;
                let value = self.entries.take(open.start + open.left);
                self.value(&value)?;
            } else {
                self.close()?;
            }
        }
        Ok(())
    }

    /// Writes a scalar, or opens a collection.
    #[inline(always)]
    fn value(&mut self, value: &T::Value) -> Step<T> {
        self.turns.take(&self.entries)?;
        T::write(self, value)
    }

    /// Returns whether the value is in a block that an object describes. There, strings may be any bytes.
    #[inline(always)]
    pub fn is_raw(&self) -> bool {
        self.raw > 0
    }

    /// Writes null.
    #[inline(always)]
    pub fn null(&mut self) -> Step<T> {
        T::reserve(self.writer, 0)?;
        self.writer.write_enum(tags::NULL);
        Ok(())
    }

    /// Writes a boolean.
    #[inline(always)]
    pub fn boolean(&mut self, value: bool) -> Step<T> {
        T::reserve(self.writer, 0)?;
        self.writer.write_bool(value);
        Ok(())
    }

    /// Writes an integer, as an `int` if every reader supports it.
    #[inline(always)]
    pub fn integer(&mut self, value: i64) -> Step<T> {
        T::reserve(self.writer, 0)?;
        match (-(1 << 62)..1 << 62).contains(&value) {
            true => self.writer.write_int(value),
            false => self.writer.write_long(value),
        }
        Ok(())
    }

    /// Writes a float. The data model has only one NaN.
    #[inline(always)]
    pub fn float(&mut self, value: f64) -> Step<T> {
        T::reserve(self.writer, 0)?;
        let is_odd = value.is_nan() && !self.is_raw();
        self.writer.write_float(if is_odd { f64::NAN } else { value });
        Ok(())
    }

    /// Writes text, or bytes where they need no tag.
    #[inline(always)]
    pub fn text(&mut self, text: &[u8]) -> Step<T> {
        T::reserve(self.writer, text.len())?;
        self.writer.write_string(text);
        Ok(())
    }

    /// Writes bytes.
    pub fn binary(&mut self, bytes: &[u8]) -> Step<T> {
        match self.is_raw() {
            true => self.text(bytes),
            false => self.string_in_tuple(bytes, tags::BINARY),
        }
    }

    /// Writes an integer that needs more than 64 bits as its decimal digits.
    pub fn big_int(&mut self, digits: &[u8]) -> Step<T> {
        self.string_in_tuple(digits, tags::BIG_INT)
    }

    /// Writes a tuple that contains a string.
    fn string_in_tuple(&mut self, bytes: &[u8], tag: u64) -> Step<T> {
        let mark = self.writer.mark();
        self.text(bytes)?;
        self.close_block(mark, 1, tag, WireType::Tuple)
    }

    /// Writes a time.
    pub fn timestamp(&mut self, time: &Timestamp) -> Step<T> {
        T::reserve(self.writer, 0)?;
        let mark = self.writer.mark();
        match time.offset_minutes {
            _ if time.date_only => self.writer.write_enum(tags::DATE_ONLY),
            None => self.writer.write_enum(tags::NULL),
            Some(minutes) => self.writer.write_int(minutes.into()),
        }
        self.writer.write_int(time.nanoseconds.into());
        self.writer.write_int(time.seconds);
        self.close_block(mark, 3, tags::TIMESTAMP, WireType::Tuple)
    }

    /// Opens a block for a list or a mapping of the data model.
    #[inline(always)]
    pub fn collection(&mut self, collection: &T::Value, wire_type: WireType) -> Step<T> {
        self.start(collection, 0, wire_type, false, None)
    }

    /// Opens a block, and pushes the entries of `collection` onto the stack.
    #[inline(always)]
    fn start(
        &mut self,
        collection: &T::Value,
        tag: u64,
        wire_type: WireType,
        is_raw: bool,
        tagged: Option<usize>,
    ) -> Step<T> {
        if self.open.len() >= DEPTH_MAX {
            let what = "the value is nested more than 10,000 levels deep, or contains itself";
            return Err(self.take.wrong(what));
        }
        let start = self.entries.count();
        let is_assoc = wire_type == WireType::Assoc;
        // An object that describes an Assoc holds the keys and values as a list.
        self.entries.push_all(collection, is_assoc && !is_raw)?;
        let left = self.entries.count() - start;
        let count = if is_assoc { left / 2 } else { left } as u64;
        let mark = self.writer.mark();
        self.raw += usize::from(is_raw);
        self.open.push(Open { start, left, count, mark, tag, wire_type, is_raw, tagged });
        Ok(())
    }

    /// Ends the innermost block, whose values have all been written.
    #[inline(always)]
    fn close(&mut self) -> Step<T> {
        let Some(open) = self.open.pop() else { return Ok(()) };
        self.close_block(open.mark, open.count, open.tag, open.wire_type)?;
        self.raw -= usize::from(open.is_raw);
        self.entries.truncate(open.start);
        match open.tagged {
            Some(mark) => {
                let tag = self.entries.take(open.start - 1);
                self.entries.truncate(open.start - 1);
                self.close_tagged(&tag, mark)
            }
            None => Ok(()),
        }
    }

    #[inline(always)]
    fn close_block(&mut self, mark: usize, count: u64, tag: u64, wire_type: WireType) -> Step<T> {
        T::reserve(self.writer, 0)?;
        self.writer.close_block(mark, count, tag, wire_type);
        Ok(())
    }

    /// Writes a value with a tag of YAML. If it is a scalar, also ends it.
    pub fn tagged(&mut self, tag: T::Value, value: &T::Value) -> Step<T> {
        let mark = self.writer.mark();
        match self.take.collection(value)? {
            Some(wire_type) => {
                self.entries.push(tag);
                self.start(value, 0, wire_type, false, Some(mark))
            }
            None => {
                let open = self.open.len();
                self.value(value)?;
                match self.open.len() == open {
                    true => self.close_tagged(&tag, mark),
                    false => Err(self.take.wrong(T::WORDS.tagged)),
                }
            }
        }
    }

    /// Writes the tag of a tagged value, which precedes the content in the output, and ends its
    /// block.
    fn close_tagged(&mut self, tag: &T::Value, mark: usize) -> Step<T> {
        let Output { take, writer, .. } = self;
        let write = |text: &[u8]| {
            T::reserve(writer, text.len())?;
            writer.write_string(text);
            Ok(())
        };
        if self.raw > 0 || !take.string(tag, true, write)? {
            return Err(self.take.wrong(T::WORDS.tagged));
        }
        self.close_block(mark, 2, tags::TAGGED, WireType::Tuple)
    }

    /// Writes a constant.
    pub fn constant(&mut self, tag: &T::Value) -> Step<T> {
        let tag = self.tag(tag)?;
        T::reserve(self.writer, 0)?;
        self.writer.write_enum(tag);
        Ok(())
    }

    /// Opens the block that an object describes.
    pub fn block(&mut self, wire_type: WireType, tag: &T::Value, elements: &T::Value) -> Step<T> {
        let tag = self.tag(tag)?;
        match self.take.elements(elements)? {
            Some(count) if wire_type != WireType::Assoc || count.is_multiple_of(2) => {
                self.start(elements, tag, wire_type, true, None)
            }
            _ => Err(self.take.wrong(T::WORDS.elements)),
        }
    }

    /// Writes a primitive whose type has this name.
    pub fn primitive(&mut self, tag: &T::Value, name: Option<&str>, content: &T::Value) -> Step<T> {
        let tag = self.tag(tag)?;
        let Output { take, writer, .. } = self;
        T::reserve(writer, 0)?;
        let mut write = |bytes: &[u8], wire_type| {
            writer.raw(bytes);
            Some(wire_type)
        };
        let written = match (name, take.integer(content)) {
            (Some("vint"), Some(value)) => {
                writer.vint(zigzag(value));
                Some(WireType::Vint)
            }
            (Some("bits8"), Some(value @ 0..=255)) => write(&[value as u8], WireType::Bits8),
            (Some("bits32"), Some(value)) => match i32::try_from(value) {
                Ok(value) => write(&value.to_le_bytes(), WireType::Bits32),
                Err(_) => None,
            },
            (Some("long"), Some(value)) => write(&value.to_le_bytes(), WireType::Bits64Long),
            (Some("float"), _) => match take.float(content) {
                Some(value) => write(&value.to_le_bytes(), WireType::Bits64Float),
                None => None,
            },
            (Some("bytes"), _) => {
                let write = |bytes: &[u8]| {
                    T::reserve(writer, bytes.len())?;
                    writer.raw(bytes);
                    writer.vint(bytes.len() as u64);
                    Ok(())
                };
                take.string(content, false, write)?.then_some(WireType::Bytes)
            }
            _ => None,
        };
        let wire_type = written.ok_or_else(|| self.take.wrong(T::WORDS.primitive))?;
        self.writer.prefix(Prefix::new(tag, wire_type));
        Ok(())
    }

    /// Returns the tag that `value` holds. It may have at most 59 bits, since the prefix also contains
    /// the wire type.
    fn tag(&self, value: &T::Value) -> Result<u64, T::Error> {
        match self.take.tag(value) {
            Some(tag) if tag < 1 << 59 => Ok(tag),
            _ => Err(self.take.wrong(T::WORDS.tag)),
        }
    }
}
