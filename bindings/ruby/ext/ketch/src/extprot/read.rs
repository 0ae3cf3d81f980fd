//! Bytes to objects: tokens onto the marked stack, and each block that ends takes its values off it.

use super::{ReadOptions, Stop, run};
use crate::given::{self, Given};
use crate::load::Source;
use crate::memory::{Keys, Lease, Memory, Stack};
use crate::ruby::{self, VALUE};
use ketch_extprot::wire::{TokenKind, Tokens, WireType, value_length};
use ketch_extprot::{Error as Wrong, ErrorKind};
use ketch_yaml::tag::is_known;
use magnus::{Error, RArray, RHash, RString, Ruby, Value, prelude::*};

/// What is made of the bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum As {
    /// The values of the data model; what is no row of its table is an error.
    #[default]
    Values,
    /// Values that describe themselves, from which the same bytes can be written.
    Tagged,
    /// Plain arrays, hashes and scalars: tags of blocks and scalars are left out.
    Arrays,
}

/// So many tokens are read between two looks at what other threads want.
const TOKENS_A_TURN: u32 = 4096;

/// The value that `bytes` are, and nothing behind it.
pub fn only_value(bytes: &[u8], options: &ReadOptions, lease: &Lease) -> Result<Value, Stop> {
    // In front of `run`: what a raise passes over may own nothing.
    let mut tokens = Tokens::with_limits(bytes, &options.limits);
    let mut reader = Reader::new(options, lease);
    let value = run(|| reader.value(&mut tokens))?;
    if tokens.offset_bytes() < bytes.len() {
        return Err(Wrong::new(ErrorKind::TrailingBytes, tokens.offset_bytes() as u64).into());
    }
    Ok(ruby::value(value))
}

/// `Ketch::Extprot.decode_batch(buffer, at, base, options)`: all values that are whole in a part of a
/// stream, from `at` on, which is `base` of the stream; the place behind them, and the exception that
/// comes behind them, if there is one.
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
    let mut tokens = Tokens::with_limits(&bytes[..whole], &options.limits);
    let mut reader = Reader::new(&options, &lease);
    let first = reader.stack.len();
    let read = run(|| reader.values(&mut tokens));
    let error = match (read, damage) {
        (Err(stop), _) => Some(stop.raised(ruby, base)),
        (Ok(()), Some(damage)) if whole == 0 => Some(super::raised(ruby, &damage, base)),
        _ => None,
    };
    let error = match error.map(|error| error.value()) {
        Some(None) => return Err(Error::new(ruby.exception_fatal(), "an exception is no object")),
        Some(Some(exception)) => exception,
        None => ruby.qnil().as_value(),
    };
    let values = ruby::protect(|| ruby::array(lease.memory().stack.from(first)))?;
    let batch = ruby.ary_new_capa(3);
    batch.push(ruby::value(values))?;
    batch.push(at + whole)?;
    batch.push(error)?;
    Ok(batch)
}

/// How many bytes the whole values in front are, and what is wrong behind them, if it is not that the
/// bytes end.
fn whole_values(bytes: &[u8]) -> (usize, Option<Wrong>) {
    let mut whole = 0;
    while whole < bytes.len() {
        match value_length(&bytes[whole..]) {
            Ok(len) => whole += len,
            Err(error) if matches!(error.kind(), ErrorKind::Eof) => return (whole, None),
            Err(error) => return (whole, Some(error)),
        }
    }
    (whole, None)
}

/// A block that is open.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// Where its values start on the stack.
    start: usize,
    tag: u64,
    wire_type: WireType,
}

struct Reader<'m> {
    shape: As,
    memory: &'m Memory,
    stack: &'m Stack,
    keys: &'m Keys,
    blocks: &'m mut Vec<Block>,
    /// The innermost block is an Assoc.
    in_assoc: bool,
    /// The value to come is a key of a hash.
    at_key: bool,
    turn: u32,
}

impl<'m> Reader<'m> {
    fn new(options: &ReadOptions, lease: &'m Lease) -> Reader<'m> {
        let (memory, buffers) = (lease.memory(), lease.buffers());
        buffers.blocks.clear();
        let (shape, stack, keys) = (options.shape, &memory.stack, &memory.keys);
        let blocks = &mut buffers.blocks;
        Reader { shape, memory, stack, keys, blocks, in_assoc: false, at_key: false, turn: 0 }
    }

    /// All values, onto the stack. Behind an error, those in front of it.
    fn values(&mut self, tokens: &mut Tokens<'_, '_>) -> Result<(), Stop> {
        loop {
            let before = self.stack.len();
            match self.next_value(tokens) {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                Err(stop) => {
                    self.stack.truncate(before);
                    return Err(stop);
                }
            }
        }
    }

    fn value(&mut self, tokens: &mut Tokens<'_, '_>) -> Result<VALUE, Stop> {
        match self.next_value(tokens)? {
            true => Ok(self.stack.get(self.stack.len() - 1)),
            false => Err(Wrong::new(ErrorKind::Eof, tokens.offset_bytes() as u64).into()),
        }
    }

    /// The next value, onto the stack. Says whether there is one.
    fn next_value(&mut self, tokens: &mut Tokens<'_, '_>) -> Result<bool, Stop> {
        for token in tokens.by_ref() {
            let token = token?;
            match token.kind {
                TokenKind::Bytes(bytes) if token.tag == 0 => {
                    self.bytes(bytes, token.offset_bytes)?
                }
                TokenKind::Vint(value) if token.tag == 0 => self.push(ruby::integer(value)),
                TokenKind::Begin(wire_type, _) => {
                    let start = self.stack.len();
                    self.blocks.push(Block { start, tag: token.tag, wire_type });
                    self.in_assoc = wire_type == WireType::Assoc;
                    self.at_key = self.in_assoc;
                }
                TokenKind::End(_) => self.end(token.offset_bytes)?,
                kind => self.other(kind, token.tag, token.offset_bytes)?,
            }
            if self.blocks.is_empty() {
                return Ok(true);
            }
            self.turn += 1;
            if self.turn == TOKENS_A_TURN {
                self.turn = 0;
                ruby::check_interrupts();
            }
        }
        Ok(false)
    }

    #[inline(always)]
    fn push(&mut self, value: VALUE) {
        self.stack.push(value);
        self.at_key ^= self.in_assoc;
    }

    #[inline(always)]
    fn bytes(&mut self, bytes: &[u8], offset: u64) -> Result<(), Stop> {
        let is_key = self.at_key && self.shape != As::Tagged;
        if is_key || self.shape == As::Values && self.is_binary() {
            return self.key_or_binary(bytes, offset);
        }
        let value = match ruby::string_if_text(bytes) {
            Some(value) => value,
            None if self.shape == As::Values => {
                return Err(Wrong::new(ErrorKind::NotUtf8, offset).into());
            }
            None => ruby::binary(bytes),
        };
        self.push(value);
        Ok(())
    }

    fn key_or_binary(&mut self, bytes: &[u8], offset: u64) -> Result<(), Stop> {
        let is_text = bytes.is_ascii() || std::str::from_utf8(bytes).is_ok();
        let value = match self.shape {
            As::Values if self.is_binary() => ruby::binary(bytes),
            _ if is_text => self.keys.string(bytes),
            As::Values => return Err(Wrong::new(ErrorKind::NotUtf8, offset).into()),
            _ => ruby::binary(bytes),
        };
        self.push(value);
        Ok(())
    }

    /// Whether the block around is that of bytes which are no text.
    #[inline(always)]
    fn is_binary(&self) -> bool {
        let block = self.blocks.last();
        block.is_some_and(|block| block.wire_type == WireType::Tuple && block.tag == rows::BINARY)
    }

    fn other(&mut self, kind: TokenKind<'_>, tag: u64, offset: u64) -> Result<(), Stop> {
        let value = match self.shape {
            As::Tagged => self.tagged(kind, tag),
            As::Arrays => self.untagged(kind, tag),
            As::Values if tag != 0 && kind != TokenKind::Enum => {
                return Err(Stop::Value("a tagged scalar is no row of the data model", offset));
            }
            As::Values => self.row(kind, tag, offset)?,
        };
        self.push(value);
        Ok(())
    }

    /// A scalar of the data model.
    fn row(&self, kind: TokenKind<'_>, tag: u64, offset: u64) -> Result<VALUE, Stop> {
        match kind {
            TokenKind::Bits8(0) => Ok(ruby::FALSE),
            TokenKind::Bits8(1) => Ok(ruby::TRUE),
            TokenKind::Bits64Long(value) => Ok(ruby::integer(value)),
            TokenKind::Bits64Float(value) => Ok(ruby::float(value)),
            TokenKind::Enum if tag == rows::NULL => Ok(ruby::NIL),
            // The mark of a day, which the end of its tuple looks at.
            TokenKind::Enum if tag == rows::DATE_ONLY && self.is_timestamp() => Ok(ruby::TRUE),
            _ => Err(Stop::Value("this is no row of the data model", offset)),
        }
    }

    fn is_timestamp(&self) -> bool {
        let block = self.blocks.last();
        block
            .is_some_and(|block| block.wire_type == WireType::Tuple && block.tag == rows::TIMESTAMP)
    }

    /// A scalar without its tag.
    fn untagged(&self, kind: TokenKind<'_>, tag: u64) -> VALUE {
        match kind {
            TokenKind::Bits8(0) => ruby::FALSE,
            TokenKind::Bits8(1) => ruby::TRUE,
            TokenKind::Bits8(value) => ruby::integer(value.into()),
            TokenKind::Bits32(value) => ruby::integer(value.into()),
            TokenKind::Vint(value) | TokenKind::Bits64Long(value) => ruby::integer(value),
            TokenKind::Bits64Float(value) => ruby::float(value),
            TokenKind::Bytes(bytes) => text_or_bytes(bytes),
            _ => self.constant(tag),
        }
    }

    fn constant(&self, tag: u64) -> VALUE {
        let classes = &self.memory.extprot;
        match classes.constants.get(tag as usize) {
            Some(&constant) => constant,
            None => ruby::structure(classes.constant, &[ruby::unsigned(tag)]),
        }
    }

    /// A scalar that describes itself.
    fn tagged(&self, kind: TokenKind<'_>, tag: u64) -> VALUE {
        let classes = &self.memory.extprot;
        let primitive = |name, value| {
            ruby::structure(classes.primitive, &[ruby::name(name), ruby::unsigned(tag), value])
        };
        match kind {
            TokenKind::Bits64Float(value) if tag == 0 => ruby::float(value),
            TokenKind::Bits8(value) if tag == 0 => classes.bits8[usize::from(value)],
            TokenKind::Bits8(value) => primitive(c"bits8", ruby::integer(value.into())),
            TokenKind::Bits32(value) => primitive(c"bits32", ruby::integer(value.into())),
            TokenKind::Bits64Long(value) => primitive(c"long", ruby::integer(value)),
            TokenKind::Vint(value) => primitive(c"vint", ruby::integer(value)),
            TokenKind::Bits64Float(value) => primitive(c"float", ruby::float(value)),
            TokenKind::Bytes(bytes) => primitive(c"bytes", text_or_bytes(bytes)),
            _ => self.constant(tag),
        }
    }

    /// The innermost block ends.
    #[inline(always)]
    fn end(&mut self, offset: u64) -> Result<(), Stop> {
        let Some(block) = self.blocks.pop() else { return Ok(()) };
        let values = self.stack.from(block.start);
        let value = match (self.shape, block.wire_type) {
            (As::Tagged, _) => self.tagged_block(block, values),
            (As::Values, WireType::Htuple | WireType::Assoc) if block.tag != 0 => {
                return Err(Stop::Value(
                    "a list or mapping with a tag is no row of the data model",
                    offset,
                ));
            }
            (_, WireType::Assoc) => hash(values, offset)?,
            (As::Values, WireType::Tuple) => self.row_of_tuple(block.tag, values, offset)?,
            _ => ruby::array(values),
        };
        self.stack.truncate(block.start);
        // The value of the block is a key where the one in front of it was a value.
        let outer = self.blocks.last();
        self.in_assoc = outer.is_some_and(|outer| outer.wire_type == WireType::Assoc);
        let before = outer.map_or(0, |outer| block.start - outer.start);
        self.stack.push(value);
        self.at_key = self.in_assoc && !before.is_multiple_of(2);
        Ok(())
    }

    fn tagged_block(&self, block: Block, values: &[VALUE]) -> VALUE {
        let classes = &self.memory.extprot;
        let class = match block.wire_type {
            WireType::Tuple => classes.tuple,
            WireType::Assoc => classes.assoc,
            _ => classes.htuple,
        };
        let elements = ruby::array(values);
        ruby::structure(class, &[ruby::unsigned(block.tag), elements])
    }

    /// The rows of the data model that have a tuple around them.
    #[cold]
    fn row_of_tuple(&self, tag: u64, values: &[VALUE], offset: u64) -> Result<VALUE, Stop> {
        let wrong = |what| Err(Stop::Value(what, offset));
        match (tag, values) {
            (rows::BIG_INT, &[digits]) if ruby::is_string(digits) => match integer(digits)? {
                Some(value) => Ok(value),
                None => wrong("these digits are no integer"),
            },
            (rows::BINARY, &[bytes]) if ruby::is_string(bytes) => Ok(bytes),
            (rows::TIMESTAMP, &[seconds, nanoseconds, offset]) => {
                Ok(time(seconds, nanoseconds, offset)?)
            }
            (rows::TAGGED, &[tag, value]) if self.may_tag(tag, value) => {
                Ok(ruby::structure(self.memory.tagged_class, &[tag, value]))
            }
            _ => wrong("this tuple is no row of the data model"),
        }
    }
}

impl Reader<'_> {
    /// Whether a value may have that tag: one that is text and says something, and only one.
    fn may_tag(&self, tag: VALUE, value: VALUE) -> bool {
        if !ruby::is_string(tag) {
            return false;
        }
        // SAFETY: it is a string on the stack, and Ruby does not run while it is looked at.
        let text = std::str::from_utf8(unsafe { given::bytes(tag) });
        let says_something = text.is_ok_and(|text| !text.is_empty() && !is_known(text));
        says_something && !matches!(given::given(value, self.memory), Given::Tagged)
    }
}

/// The tags of the data model, docs/data-model.md.
pub mod rows {
    pub const BIG_INT: u64 = 1;
    pub const BINARY: u64 = 2;
    pub const TIMESTAMP: u64 = 3;
    pub const TAGGED: u64 = 15;
    pub const NULL: u64 = 0;
    pub const DATE_ONLY: u64 = 1;
}

fn hash(values: &[VALUE], offset: u64) -> Result<VALUE, Stop> {
    let hash = ruby::hash(values);
    match ruby::hash_len(hash) * 2 == values.len() {
        true => Ok(hash),
        false => Err(Stop::Value("a key stands twice", offset)),
    }
}

fn text_or_bytes(bytes: &[u8]) -> VALUE {
    match std::str::from_utf8(bytes) {
        Ok(_) => ruby::string(bytes),
        Err(_) => ruby::binary(bytes),
    }
}

/// The integer of decimal digits.
fn integer(digits: VALUE) -> Result<Option<VALUE>, Error> {
    // SAFETY: it is a string on the stack, and Ruby does not run while it is looked at.
    let text = unsafe { given::bytes(digits) };
    let unsigned = text.strip_prefix(b"-").unwrap_or(text);
    let is_number = unsigned.first().is_some_and(|&first| first != b'0')
        && unsigned.iter().all(u8::is_ascii_digit);
    if !is_number {
        return Ok(None);
    }
    ruby::value(digits).funcall::<_, _, Value>("to_i", ()).map(|value| Some(ruby::raw(value)))
}

fn time(seconds: VALUE, nanoseconds: VALUE, offset: VALUE) -> Result<VALUE, Error> {
    let seconds = ruby::value(seconds);
    let ketch = Ruby::get_with(seconds).define_module("Ketch")?;
    let arguments = (seconds, ruby::value(nanoseconds), ruby::value(offset));
    ketch.funcall::<_, _, Value>("time_of", arguments).map(ruby::raw)
}
