//! Converts bytes to the values of a host.
//!
//! Values are pushed on a stack of the host, and the end of a block replaces the block's values there by
//! one object. A host says how it creates its objects, in [`Make`]; everything else is decided here.
//!
//! Ruby may leave the functions of a reader by a jump, so they own nothing across a call to the host.

use super::{Form, check_strict};
use ketch_extprot::value::tags;
use ketch_extprot::wire::vint::unzigzag;
use ketch_extprot::wire::{Prefix, Reader as Input, WireType, value_length};
use ketch_extprot::{Error, Limits, Problem, Shortage};
use ketch_yaml::tag::is_known;
use std::ffi::CStr;

/// The number of blocks that are read between two checks for interrupts.
const BLOCKS_A_TURN: u32 = 1024;

/// How a host creates its values, each of which it pushes on its stack.
pub trait Make {
    /// What ends the reading.
    type Error: From<Error>;
    /// Whether keys must not change. Then a list in a key becomes a tuple, and a mapping is an error.
    const FREEZES_KEYS: bool;
    /// Whether the error for an Assoc with more pairs than bytes for them states their number.
    const COUNTS_PAIRS: bool;
    /// How the host is asked for tagged values.
    const TAGGED: &'static str;

    /// Returns the number of values on the stack.
    fn count(&self) -> usize;
    /// Pushes null.
    fn null(&mut self);
    /// Pushes a boolean.
    fn boolean(&mut self, value: bool);
    /// Pushes an integer.
    fn integer(&mut self, value: i64) -> Result<(), Self::Error>;
    /// Pushes a float.
    fn float(&mut self, value: f64) -> Result<(), Self::Error>;
    /// If `bytes` are UTF-8, pushes them as text, and returns true.
    fn text(&mut self, bytes: &[u8], is_key: bool) -> Result<bool, Self::Error>;
    /// Pushes bytes.
    fn bytes(&mut self, bytes: &[u8]) -> Result<(), Self::Error>;
    /// Replaces the values from `start` on by a list.
    fn list(&mut self, start: usize) -> Result<(), Self::Error>;
    /// Replaces the values from `start` on by a list that must not change.
    fn tuple(&mut self, start: usize) -> Result<(), Self::Error>;
    /// Replaces the keys and values, which alternate, from `start` on by a mapping. Returns false if
    /// two keys are equal.
    fn mapping(&mut self, start: usize) -> Result<bool, Self::Error>;

    /// Pushes a constant.
    fn constant(&mut self, tag: u64) -> Result<(), Self::Error>;
    /// Pushes a primitive of type `bits8` without a tag.
    fn byte(&mut self, value: u8) -> Result<(), Self::Error>;
    /// Replaces the value on top of the stack by a primitive with this type and tag.
    fn primitive(&mut self, name: &'static CStr, tag: u64) -> Result<(), Self::Error>;
    /// Replaces the values from `start` on by an object that keeps the tag and the wire type of a block.
    fn block(&mut self, wire_type: WireType, tag: u64, start: usize) -> Result<(), Self::Error>;

    /// Returns whether the text on the stack at `at` `fits`, or `None` if that is not text.
    fn text_fits(&self, at: usize, fits: fn(&[u8]) -> bool) -> Result<Option<bool>, Self::Error>;
    /// Returns whether the value on top of the stack is bytes.
    fn is_binary(&self) -> bool;
    /// Returns whether the value on top of the stack has a tag of YAML.
    fn is_tagged(&self) -> Result<bool, Self::Error>;
    /// Replaces the decimal digits on top of the stack by an integer. `offset` is for errors, also below.
    fn big_int(&mut self, offset: u64) -> Result<(), Self::Error>;
    /// Replaces seconds, nanoseconds and the offset from UTC by a time. Returns false if they are wrong.
    fn timestamp(&mut self, start: usize, offset: u64) -> Result<bool, Self::Error>;
    /// Replaces a tag of YAML and a value by a tagged value.
    fn wrap(&mut self, start: usize) -> Result<(), Self::Error>;
    /// Checks for interrupts.
    fn interrupt(&mut self) -> Result<(), Self::Error>;
}

/// The form of the result as a type parameter: checking it at run time for each value would cost
/// 5%.
trait Shape {
    const FORM: Form;
}

struct Values;
struct Tagged;
struct Plain;

impl Shape for Values {
    const FORM: Form = Form::Values;
}

impl Shape for Tagged {
    const FORM: Form = Form::Tagged;
}

impl Shape for Plain {
    const FORM: Form = Form::Plain;
}

/// An open block.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// The index on the stack at which the block's values start.
    start: usize,
    tag: u64,
    wire_type: WireType,
    /// The number of values that follow this block in the enclosing block.
    outer_left: usize,
    /// The offset of the end of the enclosing block.
    outer_end: u64,
    /// Whether the block is a key that must not change, or part of such a key.
    is_key: bool,
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

/// Reads values.
#[derive(Debug)]
pub struct Reader<'m, M> {
    /// What makes the values.
    pub make: M,
    input: &'m [u8],
    /// The position in the input.
    place: Input<'m, 'm>,
    limits: &'m Limits,
    /// The open blocks; the innermost one is the last.
    blocks: &'m mut Vec<Block>,
    turn: u32,
}

type Step<M> = Result<(), <M as Make>::Error>;

impl<'m, M: Make> Reader<'m, M> {
    /// Creates a reader of `input` that keeps its open blocks in `blocks`.
    pub fn new(
        make: M,
        input: &'m [u8],
        limits: &'m Limits,
        blocks: &'m mut Vec<Block>,
    ) -> Reader<'m, M> {
        let place = Input::with_limits(input, limits);
        Reader { make, input, place, limits, blocks, turn: 0 }
    }

    /// Reads the input, which must contain exactly one value, and pushes the value.
    pub fn only(&mut self, form: Form) -> Step<M> {
        check_strict(self.input, self.limits)?;
        self.value(form)?;
        match self.place.is_empty() {
            true => Ok(()),
            false => Err(self.place.error(Problem::TrailingBytes).into()),
        }
    }

    /// Reads all values in the input, none of which is cut off, and pushes them. After each, sets `done`
    /// to the offset after it, and the number of values on the stack.
    pub fn all(&mut self, form: Form, done: &mut (usize, usize)) -> Step<M> {
        while !self.place.is_empty() {
            if self.limits.strict {
                let (start, rest) = (self.place.offset_bytes(), self.place.remaining());
                let one = &rest[..value_length(rest)?];
                check_strict(one, self.limits).map_err(|error| error.shifted(start))?;
            }
            self.value(form)?;
            *done = (self.place.offset_bytes() as usize, self.make.count());
        }
        Ok(())
    }

    /// Reads the next value, and pushes it.
    fn value(&mut self, form: Form) -> Step<M> {
        match form {
            Form::Values => self.value_as::<Values>(),
            Form::Tagged => self.value_as::<Tagged>(),
            Form::Plain => self.value_as::<Plain>(),
        }
    }

    /// Reads the next value in the form `S`, and pushes it. The position, and the number of values
    /// left in the innermost block, are local variables, so they stay in registers. One function for
    /// all forms would need more of them.
    #[inline(never)]
    fn value_as<S: Shape>(&mut self) -> Step<M> {
        self.blocks.clear();
        let mut own = self.place.clone();
        let input = &mut own;
        let mut left = 1;
        loop {
            if left == 0 {
                if self.blocks.is_empty() {
                    self.place = own;
                    return Ok(());
                }
                left = self.end::<S>(input)?;
                continue;
            }
            left -= 1;
            let offset = input.offset_bytes();
            let prefix = input.prefix()?;
            match prefix.0 {
                0 => self.make.integer(unzigzag(input.vint()?))?,
                1 => left = self.begin::<S>(WireType::Tuple, 0, left, input)?,
                2 => self.scalar::<S>(Scalar::Bits8(input.fixed::<1>()?[0]), 0, offset)?,
                3 => self.string::<S>(input.bytes()?, offset)?,
                5 => left = self.begin::<S>(WireType::Htuple, 0, left, input)?,
                _ => left = self.other::<S>(prefix, left, input, offset)?,
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
        input: &mut Input<'m, 'm>,
        offset: u64,
    ) -> Result<usize, M::Error> {
        let tag = prefix.tag();
        let scalar = match prefix.wire_type() {
            Some(block @ (WireType::Tuple | WireType::Htuple | WireType::Assoc)) => {
                return self.begin::<S>(block, tag, left, input);
            }
            Some(WireType::Bits8) => Scalar::Bits8(input.fixed::<1>()?[0]),
            Some(WireType::Enum) => Scalar::Enum,
            Some(WireType::Bits64Float) => Scalar::Float(f64::from_le_bytes(input.fixed()?)),
            Some(WireType::Bits64Long) => Scalar::Long(i64::from_le_bytes(input.fixed()?)),
            Some(WireType::Bits32) => Scalar::Bits32(i32::from_le_bytes(input.fixed()?)),
            Some(WireType::Vint) => Scalar::Vint(unzigzag(input.vint()?)),
            Some(WireType::Bytes) => Scalar::Bytes(input.bytes()?),
            None => {
                let found = prefix.wire_number();
                let problem = Problem::BadWireType { found, expected: "a value".into() };
                return Err(Error::new(problem, offset).into());
            }
        };
        self.scalar::<S>(scalar, tag, offset)?;
        Ok(left)
    }

    /// Starts a block, after which `outer_left` values follow in the enclosing block. Returns the
    /// number of values in the block.
    #[inline(always)]
    fn begin<S: Shape>(
        &mut self,
        wire_type: WireType,
        tag: u64,
        outer_left: usize,
        input: &mut Input<'m, 'm>,
    ) -> Result<usize, M::Error> {
        let outer_end = input.end_bytes();
        let block = input.enter()?;
        let count = input.check_list(&block)?;
        let left = match wire_type {
            // Each value takes at least one byte.
            WireType::Assoc if count > input.remaining().len() / 2 => {
                let available = input.remaining().len() as u64;
                return Err(too_many_pairs::<M>(count as u64, available, input.offset_bytes()));
            }
            WireType::Assoc => count * 2,
            _ => count,
        };
        let (depth, max) = (self.blocks.len() as u64, self.limits.depth);
        if depth >= max {
            let problem = Problem::LimitExceeded { limit: "depth", n: depth + 1, max };
            return Err(Error::new(problem, input.offset_bytes()).into());
        }
        let is_key = M::FREEZES_KEYS
            && (self.is_key::<S>() || self.blocks.last().is_some_and(|block| block.is_key));
        let start = self.make.count();
        self.blocks.push(Block { start, tag, wire_type, outer_left, outer_end, is_key });
        self.turn += 1;
        if self.turn == BLOCKS_A_TURN {
            self.turn = 0;
            self.make.interrupt()?;
        }
        Ok(left)
    }

    /// Pushes text, or bytes that are allowed here.
    #[inline(always)]
    fn string<S: Shape>(&mut self, bytes: &[u8], offset: u64) -> Step<M> {
        let is_key = self.is_key::<S>();
        if !is_key && S::FORM == Form::Values && self.is_in(tags::BINARY) {
            return self.make.bytes(bytes);
        }
        match self.make.text(bytes, is_key)? {
            true => Ok(()),
            false if S::FORM == Form::Values => Err(Error::new(Problem::NotUtf8, offset).into()),
            false => self.make.bytes(bytes),
        }
    }

    /// Returns whether the next value is the key of a mapping.
    #[inline(always)]
    fn is_key<S: Shape>(&self) -> bool {
        let Some(block) = self.blocks.last() else { return false };
        block.wire_type == WireType::Assoc
            && S::FORM != Form::Tagged
            && (self.make.count() - block.start).is_multiple_of(2)
    }

    /// Returns whether the innermost block is a tuple with this tag.
    fn is_in(&self, tag: u64) -> bool {
        let block = self.blocks.last();
        block.is_some_and(|block| block.wire_type == WireType::Tuple && block.tag == tag)
    }

    /// Pushes a scalar in the form `S`.
    #[inline(always)]
    fn scalar<S: Shape>(&mut self, scalar: Scalar<'_>, tag: u64, offset: u64) -> Step<M> {
        match S::FORM {
            Form::Tagged => self.tagged(scalar, tag),
            Form::Plain => self.plain(scalar, tag),
            Form::Values => self.row(scalar, tag, offset),
        }
    }

    /// Pushes a scalar of the data model. Fails if the data model has no such scalar.
    #[inline(always)]
    fn row(&mut self, scalar: Scalar<'_>, tag: u64, offset: u64) -> Step<M> {
        match scalar {
            Scalar::Enum if tag == tags::NULL => self.make.null(),
            // Marks a timestamp as a date without a time. The mark is checked at the end of the timestamp's tuple.
            Scalar::Enum if tag == tags::DATE_ONLY && self.is_in(tags::TIMESTAMP) => {
                self.make.boolean(true);
            }
            Scalar::Enum => return Err(unfit::<M>("this is not in the data model", offset)),
            _ if tag != 0 => {
                return Err(unfit::<M>("a tagged scalar is not in the data model", offset));
            }
            Scalar::Bits8(value @ 0..=1) => self.make.boolean(value == 1),
            Scalar::Float(value) => self.make.float(value)?,
            Scalar::Long(value) => self.make.integer(value)?,
            _ => return Err(unfit::<M>("this is not in the data model", offset)),
        }
        Ok(())
    }

    /// Pushes a scalar without its tag. For a constant, the tag is the value.
    fn plain(&mut self, scalar: Scalar<'_>, tag: u64) -> Step<M> {
        match scalar {
            Scalar::Bits8(value @ 0..=1) => {
                self.make.boolean(value == 1);
                Ok(())
            }
            Scalar::Enum => self.make.constant(tag),
            scalar => self.content(scalar).map(|_| ()),
        }
    }

    /// Pushes a value that keeps the tag and the wire type of a scalar.
    fn tagged(&mut self, scalar: Scalar<'_>, tag: u64) -> Step<M> {
        match scalar {
            Scalar::Float(value) if tag == 0 => self.make.float(value),
            Scalar::Bits8(value) if tag == 0 => self.make.byte(value),
            Scalar::Enum => self.make.constant(tag),
            scalar => {
                let name = self.content(scalar)?;
                self.make.primitive(name, tag)
            }
        }
    }

    /// Pushes the content of a scalar that is not a constant, and returns the name of its type.
    #[inline(always)]
    fn content(&mut self, scalar: Scalar<'_>) -> Result<&'static CStr, M::Error> {
        let (value, name) = match scalar {
            Scalar::Float(value) => return self.make.float(value).map(|()| c"float"),
            Scalar::Bytes(bytes) => {
                if !self.make.text(bytes, false)? {
                    self.make.bytes(bytes)?;
                }
                return Ok(c"bytes");
            }
            Scalar::Bits8(value) => (value.into(), c"bits8"),
            Scalar::Bits32(value) => (value.into(), c"bits32"),
            Scalar::Long(value) => (value, c"long"),
            Scalar::Vint(value) => (value, c"vint"),
            Scalar::Enum => return Ok(c"enum"),
        };
        self.make.integer(value).map(|()| name)
    }

    /// Ends the innermost block. Returns the number of values that follow it in the enclosing
    /// block.
    #[inline(always)]
    fn end<S: Shape>(&mut self, input: &mut Input<'m, 'm>) -> Result<usize, M::Error> {
        let Some(&block) = self.blocks.last() else { return Ok(0) };
        let Block { start, tag, wire_type, .. } = block;
        let (make, offset) = (&mut self.make, input.offset_bytes());
        match (S::FORM, wire_type) {
            (Form::Tagged, _) => make.block(wire_type, tag, start)?,
            (Form::Values, WireType::Htuple | WireType::Assoc) if tag != 0 => {
                let what = "a list or mapping with a tag is not in the data model";
                return Err(unfit::<M>(what, offset));
            }
            (_, WireType::Assoc) if block.is_key => {
                return Err(unfit::<M>("a mapping as a key is not in the data model", offset));
            }
            (_, WireType::Assoc) => {
                if !make.mapping(start)? {
                    return Err(unfit::<M>("duplicate key", offset));
                }
            }
            (Form::Values, WireType::Tuple) => self.row_of_tuple(tag, start, offset)?,
            _ if block.is_key => make.tuple(start)?,
            _ => make.list(start)?,
        }
        input.leave_for(self.input, block.outer_end);
        self.blocks.truncate(self.blocks.len() - 1);
        Ok(block.outer_left)
    }

    /// Replaces the values of a tuple in the data model, such as a timestamp, by one. Fails if the data
    /// model has no such tuple.
    #[cold]
    fn row_of_tuple(&mut self, tag: u64, start: usize, offset: u64) -> Step<M> {
        let make = &mut self.make;
        let what = match (tag, make.count() - start) {
            (tags::BIG_INT, 1) => match make.text_fits(start, is_integer)? {
                Some(true) => return make.big_int(offset),
                Some(false) => "these digits are not an integer",
                None => "this tuple is not in the data model",
            },
            (tags::BINARY, 1) if make.is_binary() => return Ok(()),
            (tags::TIMESTAMP, 3) => match make.timestamp(start, offset)? {
                true => return Ok(()),
                false => "this is not a timestamp",
            },
            (tags::TAGGED, 2)
                if make.text_fits(start, is_tag)? == Some(true) && !make.is_tagged()? =>
            {
                return make.wrap(start);
            }
            _ => "this tuple is not in the data model",
        };
        Err(unfit::<M>(what, offset))
    }
}

/// Returns whether `digits` spell an integer: they are decimal digits, perhaps after a minus sign, and do
/// not start with a zero.
fn is_integer(digits: &[u8]) -> bool {
    let unsigned = digits.strip_prefix(b"-").unwrap_or(digits);
    unsigned.first().is_some_and(|&first| first != b'0') && unsigned.iter().all(u8::is_ascii_digit)
}

/// Returns whether the data model allows the tag `text`, which must not be empty or one of YAML's own.
fn is_tag(text: &[u8]) -> bool {
    std::str::from_utf8(text).is_ok_and(|text| !text.is_empty() && !is_known(text))
}

/// Returns the error for a value that is not in the data model.
#[cold]
#[inline(never)]
fn unfit<M: Make>(what: &str, offset: u64) -> M::Error {
    let words = format!("{what}: read with {}, or by its schema", M::TAGGED);
    Error::new(Problem::Conversion(words), offset).into()
}

/// Returns the error for an Assoc that has fewer bytes than keys and values.
#[cold]
#[inline(never)]
fn too_many_pairs<M: Make>(declared: u64, available: u64, offset: u64) -> M::Error {
    match M::COUNTS_PAIRS {
        true => Error::too_short(Shortage::Count { declared, available }, offset),
        false => Error::new(Problem::Eof, offset),
    }
    .into()
}
