//! Converts bytes to objects. Values are pushed on the marked stack, and the end of a block
//! replaces the block's values there by one object.

use super::cursor::Cursor;
use super::options::{As, ReadOptions};
use super::stop::{Stop, exception_for};
use crate::block::Block;
use crate::given::{self, Given};
use crate::load::Source;
use crate::memory::{Keys, Lease, Memory, Stack};
use crate::ruby::{self, VALUE};
use ketch_extprot::value::tags;
use ketch_extprot::wire::vint::unzigzag;
use ketch_extprot::wire::{Prefix, WireType};
use ketch_extprot::{Error as ExtprotError, Limits, Problem};
use ketch_host::extprot::{check_strict, whole_values};
use ketch_yaml::tag::is_known;
use magnus::{Error, RArray, RHash, RString, Ruby, Value, prelude::*};

/// The number of blocks that are read between two checks for interrupts.
const BLOCKS_A_TURN: u32 = 1024;

/// Reads `bytes`, which must contain exactly one value, and returns the value.
pub fn only_value(bytes: &[u8], options: &ReadOptions, lease: &Lease) -> Result<Value, Stop> {
    check_strict(bytes, &options.limits)?;
    // This is created before `run`, since the frames that an exception unwinds must not own
    // anything.
    let mut cursor = Cursor::new(bytes);
    let mut reader = Reader::new(options, lease);
    let value = ruby::run::<_, Stop>(|| {
        reader.value(&mut cursor)?;
        Ok(reader.stack.get(reader.stack.len() - 1))
    })?;
    if !cursor.is_at_end() {
        return Err(cursor.error(Problem::TrailingBytes).into());
    }
    Ok(ruby::value(value))
}

/// Implements `Ketch::Extprot.decode_batch(buffer, at, base, options)`: reads the complete values
/// in `buffer` from the offset `at` on, which is the offset `base` in the stream. Returns an array
/// of the values, the offset after them, and the exception for what follows them, or `nil`.
pub fn decode_batch(
    ruby: &Ruby,
    buffer: RString,
    at: usize,
    base: u64,
    options: RHash,
) -> Result<RArray, Error> {
    let options = ReadOptions::from_hash(ruby, options)?;
    let lease = Lease::take(ruby)?;
    let source = Source::of_string(buffer, &lease)?;
    let bytes = source.bytes().get(at..).unwrap_or_default();
    let (whole, damage) = whole_values(bytes);
    let mut cursor = Cursor::new(&bytes[..whole]);
    let mut reader = Reader::new(&options, &lease);
    let first = reader.stack.len();
    let read = check_strict(&bytes[..whole], &options.limits).map_err(Stop::from);
    let read = read.and_then(|()| ruby::run(|| reader.values(&mut cursor)));
    let error = match (read, damage) {
        (Err(stop), _) => Some(stop.into_exception(ruby, base)),
        (Ok(()), Some(damage)) if whole == 0 => Some(exception_for(ruby, &damage, base)),
        _ => None,
    };
    let error = exception(ruby, error)?;
    let values = ruby::protect(|| ruby::array(lease.memory().stack.from(first)))?;
    let batch = ruby.ary_new_capa(3);
    batch.push(ruby::value(values))?;
    batch.push(at + whole)?;
    batch.push(error)?;
    Ok(batch)
}

/// Returns the exception object of `error`, or `nil` if there is no error.
pub fn exception(ruby: &Ruby, error: Option<Error>) -> Result<Value, Error> {
    match error.map(|error| error.value()) {
        Some(None) => Err(Error::new(ruby.exception_fatal(), "the error has no exception object")),
        Some(Some(exception)) => Ok(exception),
        None => Ok(ruby.qnil().as_value()),
    }
}

/// Implements `Ketch::Extprot.yield_all(values) { |value| }`: removes each value from the array,
/// from the first to the last, and yields it.
pub fn yield_all(values: RArray) -> Result<(), Error> {
    let values = ruby::raw(values);
    ruby::protect(|| {
        while ruby::array_len(values) > 0 {
            ruby::yield_value(ruby::array_shift(values));
        }
        ruby::NIL
    })?;
    Ok(())
}

/// The form of the result as a type parameter: checking it at run time for each value would cost
/// 5%.
trait Shape {
    const AS: As;
}

struct Values;
struct Tagged;
struct Arrays;

impl Shape for Values {
    const AS: As = As::Values;
}

impl Shape for Tagged {
    const AS: As = As::Tagged;
}

impl Shape for Arrays {
    const AS: As = As::Arrays;
}

/// A value that is not a block.
enum Scalar<'a> {
    Vint(i64),
    Bits8(u8),
    Bits32(i32),
    Long(i64),
    Float(f64),
    Enum,
    Bytes(&'a [u8]),
}

struct Reader<'m> {
    shape: As,
    limits: &'m Limits,
    memory: &'m Memory,
    stack: &'m Stack,
    keys: &'m Keys,
    /// The open blocks; the innermost one is the last.
    blocks: &'m mut Vec<Block>,
    turn: u32,
}

impl<'m> Reader<'m> {
    /// Creates a reader that uses the memory of `lease`.
    fn new(options: &'m ReadOptions, lease: &'m Lease) -> Reader<'m> {
        let (memory, buffers) = (lease.memory(), lease.buffers());
        let blocks = &mut buffers.blocks;
        Reader {
            shape: options.shape,
            limits: &options.limits,
            memory,
            stack: &memory.stack,
            keys: &memory.keys,
            blocks,
            turn: 0,
        }
    }

    /// Reads the next value, and pushes it.
    fn value(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Stop> {
        match self.shape {
            As::Values => self.value_as::<Values>(cursor),
            As::Tagged => self.value_as::<Tagged>(cursor),
            As::Arrays => self.value_as::<Arrays>(cursor),
        }
    }

    /// Reads all values up to the end, and pushes them. After an error, the values before it are on
    /// the stack.
    fn values(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Stop> {
        match self.shape {
            As::Values => self.values_as::<Values>(cursor),
            As::Tagged => self.values_as::<Tagged>(cursor),
            As::Arrays => self.values_as::<Arrays>(cursor),
        }
    }

    /// Reads all values in the form `S`, and pushes them.
    fn values_as<S: Shape>(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Stop> {
        while !cursor.is_at_end() {
            let before = self.stack.len();
            if let Err(stop) = self.value_as::<S>(cursor) {
                self.stack.truncate(before);
                return Err(stop);
            }
        }
        Ok(())
    }

    /// Reads the next value in the form `S`, and pushes it. The cursor, and the number of values
    /// left in the innermost block, are local variables, so they stay in registers.
    fn value_as<S: Shape>(&mut self, place: &mut Cursor<'_>) -> Result<(), Stop> {
        self.blocks.clear();
        let mut own = *place;
        let cursor = &mut own;
        let mut left = 1;
        loop {
            if left == 0 {
                if self.blocks.is_empty() {
                    *place = own;
                    return Ok(());
                }
                left = self.end::<S>(cursor)?;
                continue;
            }
            left -= 1;
            let offset = cursor.offset();
            let prefix = Prefix(cursor.vint()?);
            match prefix.0 {
                0 => self.stack.push(ruby::integer(unzigzag(cursor.vint()?))),
                1 => left = self.begin(WireType::Tuple, 0, 1, left, cursor)?,
                2 => {
                    let value =
                        self.scalar::<S>(Scalar::Bits8(cursor.fixed::<1>()?[0]), 0, offset as u64)?;
                    self.stack.push(value);
                }
                3 => self.bytes::<S>(cursor.bytes(self.limits)?, offset)?,
                5 => left = self.begin(WireType::Htuple, 0, 1, left, cursor)?,
                _ => left = self.other::<S>(prefix, left, cursor, offset)?,
            }
        }
    }

    /// Reads the start of a block, or a scalar other than an integer or untagged text. Returns the
    /// number of values left in the block that is then the innermost.
    #[inline(always)]
    fn other<S: Shape>(
        &mut self,
        prefix: Prefix,
        left: usize,
        cursor: &mut Cursor<'_>,
        offset: usize,
    ) -> Result<usize, Stop> {
        let tag = prefix.tag();
        let scalar = match prefix.wire_type() {
            Some(block @ (WireType::Tuple | WireType::Htuple)) => {
                return self.begin(block, tag, 1, left, cursor);
            }
            Some(WireType::Assoc) => return self.begin(WireType::Assoc, tag, 2, left, cursor),
            Some(WireType::Bits8) => Scalar::Bits8(cursor.fixed::<1>()?[0]),
            Some(WireType::Enum) => Scalar::Enum,
            Some(WireType::Bits64Float) => Scalar::Float(f64::from_le_bytes(cursor.fixed()?)),
            Some(WireType::Bits64Long) => Scalar::Long(i64::from_le_bytes(cursor.fixed()?)),
            Some(WireType::Bits32) => Scalar::Bits32(i32::from_le_bytes(cursor.fixed()?)),
            Some(WireType::Vint) => Scalar::Vint(unzigzag(cursor.vint()?)),
            Some(WireType::Bytes) => Scalar::Bytes(cursor.bytes(self.limits)?),
            None => {
                let found = prefix.wire_number();
                let problem = Problem::BadWireType { found, expected: "a value".into() };
                return Err(ExtprotError::new(problem, offset as u64).into());
            }
        };
        let value = self.scalar::<S>(scalar, tag, offset as u64)?;
        self.stack.push(value);
        Ok(left)
    }

    /// Starts a block, after which `outer_left` values follow in the enclosing block. Returns the
    /// number of values in the block.
    #[inline(always)]
    fn begin(
        &mut self,
        wire_type: WireType,
        tag: u64,
        values_each: usize,
        outer_left: usize,
        cursor: &mut Cursor<'_>,
    ) -> Result<usize, Stop> {
        let (left, outer_end) = cursor.enter(values_each, self.limits)?;
        let depth = self.blocks.len() as u64;
        if depth >= self.limits.depth {
            return Err(cursor.beyond("depth", depth + 1, self.limits.depth).into());
        }
        let start = self.stack.len();
        self.blocks.push(Block { start, tag, wire_type, outer_left, outer_end });
        self.turn += 1;
        if self.turn == BLOCKS_A_TURN {
            self.turn = 0;
            ruby::check_interrupts();
        }
        Ok(left)
    }

    /// Pushes the string that consists of `bytes`.
    #[inline(always)]
    fn bytes<S: Shape>(&mut self, bytes: &[u8], offset: usize) -> Result<(), Stop> {
        let value = if self.is_key::<S>() || self.is_binary::<S>() {
            self.key_or_binary::<S>(bytes, offset)?
        } else {
            match ruby::string_if_text(bytes) {
                Some(value) => value,
                None if S::AS == As::Values => {
                    return Err(ExtprotError::new(Problem::NotUtf8, offset as u64).into());
                }
                None => ruby::binary(bytes),
            }
        };
        self.stack.push(value);
        Ok(())
    }

    /// Returns the string for a key of a hash, or for bytes that are not text.
    fn key_or_binary<S: Shape>(&mut self, bytes: &[u8], offset: usize) -> Result<VALUE, Stop> {
        let is_text = bytes.is_ascii() || std::str::from_utf8(bytes).is_ok();
        match S::AS {
            As::Values if self.is_binary::<S>() => Ok(ruby::binary(bytes)),
            _ if is_text => Ok(self.keys.string(bytes)),
            As::Values => Err(ExtprotError::new(Problem::NotUtf8, offset as u64).into()),
            _ => Ok(ruby::binary(bytes)),
        }
    }

    /// Returns whether the next value is the key of a hash.
    #[inline(always)]
    fn is_key<S: Shape>(&self) -> bool {
        let Some(block) = self.blocks.last() else { return false };
        block.wire_type == WireType::Assoc
            && S::AS != As::Tagged
            && (self.stack.len() - block.start).is_multiple_of(2)
    }

    /// Returns whether the innermost block contains bytes that are not text.
    #[inline(always)]
    fn is_binary<S: Shape>(&self) -> bool {
        S::AS == As::Values && self.is_in(tags::BINARY)
    }

    /// Returns whether the innermost block is a tuple with this tag.
    fn is_in(&self, tag: u64) -> bool {
        let block = self.blocks.last();
        block.is_some_and(|block| block.wire_type == WireType::Tuple && block.tag == tag)
    }

    /// Returns the value of a scalar in the form `S`.
    #[inline(always)]
    fn scalar<S: Shape>(&self, scalar: Scalar<'_>, tag: u64, offset: u64) -> Result<VALUE, Stop> {
        match S::AS {
            As::Tagged => Ok(self.tagged(scalar, tag)),
            As::Arrays => Ok(self.untagged(scalar, tag)),
            As::Values if tag != 0 && !matches!(scalar, Scalar::Enum) => {
                Err(Stop::Value("a tagged scalar is not in the data model", offset))
            }
            As::Values => self.row(scalar, tag, offset),
        }
    }

    /// Returns the value of a scalar in the data model, or an error if the data model has no such
    /// scalar.
    #[inline(always)]
    fn row(&self, scalar: Scalar<'_>, tag: u64, offset: u64) -> Result<VALUE, Stop> {
        match scalar {
            Scalar::Bits8(0) => Ok(ruby::FALSE),
            Scalar::Bits8(1) => Ok(ruby::TRUE),
            Scalar::Enum if tag == tags::NULL => Ok(ruby::NIL),
            Scalar::Float(value) => Ok(ruby::float(value)),
            Scalar::Long(value) => Ok(ruby::integer(value)),
            // Marks a timestamp as a date without a time. The mark is checked at the end of the timestamp's tuple.
            Scalar::Enum if tag == tags::DATE_ONLY && self.is_in(tags::TIMESTAMP) => Ok(ruby::TRUE),
            _ => Err(Stop::Value("this is not in the data model", offset)),
        }
    }

    /// Returns the value of a scalar without its tag. For a constant, the tag is the value.
    fn untagged(&self, scalar: Scalar<'_>, tag: u64) -> VALUE {
        match scalar {
            Scalar::Bits8(0) => ruby::FALSE,
            Scalar::Bits8(1) => ruby::TRUE,
            Scalar::Bits8(value) => ruby::integer(value.into()),
            Scalar::Bits32(value) => ruby::integer(value.into()),
            Scalar::Vint(value) | Scalar::Long(value) => ruby::integer(value),
            Scalar::Float(value) => ruby::float(value),
            Scalar::Bytes(bytes) => text_or_bytes(bytes),
            _ => self.constant(tag),
        }
    }

    /// Returns the constant with this tag. For small tags, it comes from a table.
    fn constant(&self, tag: u64) -> VALUE {
        let classes = &self.memory.extprot;
        match classes.constants.get(tag as usize) {
            Some(&constant) => constant,
            None => ruby::structure(classes.constant, &[ruby::unsigned(tag)]),
        }
    }

    /// Returns a value that keeps the tag and the wire type of a scalar.
    fn tagged(&self, scalar: Scalar<'_>, tag: u64) -> VALUE {
        let classes = &self.memory.extprot;
        let primitive = |name, value| {
            ruby::structure(classes.primitive, &[ruby::name(name), ruby::unsigned(tag), value])
        };
        match scalar {
            Scalar::Float(value) if tag == 0 => ruby::float(value),
            Scalar::Bits8(value) if tag == 0 => classes.bits8[usize::from(value)],
            Scalar::Bits8(value) => primitive(c"bits8", ruby::integer(value.into())),
            Scalar::Bits32(value) => primitive(c"bits32", ruby::integer(value.into())),
            Scalar::Long(value) => primitive(c"long", ruby::integer(value)),
            Scalar::Vint(value) => primitive(c"vint", ruby::integer(value)),
            Scalar::Float(value) => primitive(c"float", ruby::float(value)),
            Scalar::Bytes(bytes) => primitive(c"bytes", text_or_bytes(bytes)),
            _ => self.constant(tag),
        }
    }

    /// Ends the innermost block. Returns the number of values that follow it in the enclosing
    /// block.
    #[inline(always)]
    fn end<S: Shape>(&mut self, cursor: &mut Cursor<'_>) -> Result<usize, Stop> {
        let Some(&block) = self.blocks.last() else { return Ok(0) };
        let offset = cursor.offset() as u64;
        let values = self.stack.from(block.start);
        let value = match (S::AS, block.wire_type) {
            (As::Tagged, _) => self.tagged_block(&block, values),
            (As::Values, WireType::Htuple | WireType::Assoc) if block.tag != 0 => {
                return Err(Stop::Value(
                    "a list or mapping with a tag is not in the data model",
                    offset,
                ));
            }
            (_, WireType::Assoc) => hash(values, offset)?,
            (As::Values, WireType::Tuple) => self.row_of_tuple(block.tag, values, offset)?,
            _ => ruby::array(values),
        };
        self.stack.truncate(block.start);
        self.stack.push(value);
        cursor.leave(block.outer_end);
        self.blocks.truncate(self.blocks.len() - 1);
        Ok(block.outer_left)
    }

    /// Returns a value that keeps the tag and the wire type of a block.
    fn tagged_block(&self, block: &Block, values: &[VALUE]) -> VALUE {
        let classes = &self.memory.extprot;
        let class = match block.wire_type {
            WireType::Tuple => classes.tuple,
            WireType::Assoc => classes.assoc,
            _ => classes.htuple,
        };
        let elements = ruby::array(values);
        ruby::structure(class, &[ruby::unsigned(block.tag), elements])
    }

    /// Returns the value of a tuple in the data model, such as a timestamp, or an error if the data
    /// model has no such tuple.
    #[cold]
    fn row_of_tuple(&self, tag: u64, values: &[VALUE], offset: u64) -> Result<VALUE, Stop> {
        let wrong = |what| Err(Stop::Value(what, offset));
        match (tag, values) {
            (tags::BIG_INT, &[digits]) if ruby::is_string(digits) => match integer(digits)? {
                Some(value) => Ok(value),
                None => wrong("these digits are not an integer"),
            },
            (tags::BINARY, &[bytes]) if ruby::is_string(bytes) => Ok(bytes),
            (tags::TIMESTAMP, &[seconds, nanoseconds, offset]) => {
                Ok(time(seconds, nanoseconds, offset)?)
            }
            (tags::TAGGED, &[tag, value]) if self.may_tag(tag, value) => {
                Ok(ruby::structure(self.memory.tagged_class, &[tag, value]))
            }
            _ => wrong("this tuple is not in the data model"),
        }
    }
}

impl Reader<'_> {
    /// Returns whether the data model allows `tag` on `value`: the tag has to be text, must not be
    /// empty or one of YAML's own, and the value must not have a tag yet.
    fn may_tag(&self, tag: VALUE, value: VALUE) -> bool {
        if !ruby::is_string(tag) {
            return false;
        }
        // SAFETY: it is a string on the stack, and Ruby does not run while its bytes are read.
        let text = std::str::from_utf8(unsafe { given::bytes(tag) });
        let says_something = text.is_ok_and(|text| !text.is_empty() && !is_known(text));
        says_something && !matches!(given::classify(value, self.memory), Given::Tagged)
    }
}

/// Creates a hash from alternating keys and values. Fails if two keys are equal.
fn hash(values: &[VALUE], offset: u64) -> Result<VALUE, Stop> {
    let hash = ruby::hash(values);
    match ruby::hash_len(hash) * 2 == values.len() {
        true => Ok(hash),
        false => Err(Stop::Value("duplicate key", offset)),
    }
}

/// Returns a string in UTF-8 if `bytes` are valid UTF-8, and a binary string otherwise.
pub fn text_or_bytes(bytes: &[u8]) -> VALUE {
    match std::str::from_utf8(bytes) {
        Ok(_) => ruby::string(bytes),
        Err(_) => ruby::binary(bytes),
    }
}

/// Returns the integer that `digits` spells, or `None` if these are not decimal digits, perhaps
/// after a minus sign, or if they start with a zero.
fn integer(digits: VALUE) -> Result<Option<VALUE>, Error> {
    // SAFETY: it is a string on the stack, and Ruby does not run while its bytes are read.
    let text = unsafe { given::bytes(digits) };
    let unsigned = text.strip_prefix(b"-").unwrap_or(text);
    let is_number = unsigned.first().is_some_and(|&first| first != b'0')
        && unsigned.iter().all(u8::is_ascii_digit);
    if !is_number {
        return Ok(None);
    }
    ruby::value(digits).funcall::<_, _, Value>("to_i", ()).map(|value| Some(ruby::raw(value)))
}

/// Calls `Ketch.time_of`, which creates a `Time` or a `Date`.
fn time(seconds: VALUE, nanoseconds: VALUE, offset: VALUE) -> Result<VALUE, Error> {
    let seconds = ruby::value(seconds);
    let ketch = Ruby::get_with(seconds).define_module("Ketch")?;
    let arguments = (seconds, ruby::value(nanoseconds), ruby::value(offset));
    ketch.funcall::<_, _, Value>("time_of", arguments).map(ruby::raw)
}
