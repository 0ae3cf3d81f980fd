//! Converts objects to bytes, from back to front, as the core's writer does. The entries of open
//! collections are on the marked stack, and are written from the last to the first.

use super::stop::{Stop, exception_for};
use crate::given::{self, Content, Given, classify, content, push_children};
use crate::memory::{Lease, Memory};
use crate::ruby::{self, VALUE};
use ketch_extprot::value::tags;
use ketch_extprot::wire::vint::zigzag;
use ketch_extprot::wire::{Prefix, WireType, Writer};
use magnus::{Error, RString, Ruby, Symbol, Value};

const MISFIT: &str = "a Ketch::Extprot::Primitive whose value does not fit its type";

/// Implements `Ketch::Extprot.dump(value)`: returns the bytes of `value`.
pub fn dump(ruby: &Ruby, value: Value) -> Result<RString, Error> {
    let lease = Lease::take(ruby)?;
    let memory = lease.memory();
    memory.stack.push(ruby::raw(value));
    let buffers = lease.buffers();
    let mut open = Vec::new();
    buffers.writer.clear();
    let mut output =
        Output { memory, writer: &mut buffers.writer, open: &mut open, turn: 0, raw: 0 };
    let result =
        ruby::run(|| output.all(ruby::raw(value))).map_err(|stop| stop.into_exception(ruby, 0));
    result?;
    let bytes = buffers.writer.finish().map_err(|error| exception_for(ruby, &error, 0))?;
    Ok(ruby.str_from_slice(bytes))
}

/// An open block.
#[derive(Clone, Copy, Debug)]
struct Open {
    /// The index on the stack at which the block's values start, and the number of values that
    /// still have to be written.
    start: usize,
    left: usize,
    count: u64,
    mark: usize,
    tag: u64,
    wire_type: WireType,
    /// Whether the block represents a `Ketch::Extprot::Tuple`, `Htuple` or `Assoc`.
    is_raw: bool,
    /// Whether the block is the content of a `Ketch::Tagged`, whose tag is on the stack before the
    /// values.
    is_tagged: bool,
    outer_mark: usize,
}

struct Output<'m> {
    memory: &'m Memory,
    writer: &'m mut Writer,
    open: &'m mut Vec<Open>,
    turn: u32,
    /// The number of open blocks with `is_raw`. Inside them, strings are written as bytes.
    raw: usize,
}

/// The maximum depth of nested collections.
const DEPTH_MAX: usize = 10_000;

impl Output<'_> {
    /// Writes a value and everything in it.
    fn all(&mut self, root: VALUE) -> Result<(), Stop> {
        self.value(root)?;
        while let Some(open) = self.open.last_mut() {
            if open.left > 0 {
                open.left -= 1;
                let value = self.memory.stack.get(open.start + open.left);
                self.value(value)?;
            } else {
                self.close()?;
            }
        }
        Ok(())
    }

    /// Writes a scalar, or opens a collection.
    #[inline(always)]
    fn value(&mut self, value: VALUE) -> Result<(), Stop> {
        self.turn = self.turn.wrapping_add(1);
        if self.turn.is_multiple_of(4096) {
            ruby::check_interrupts();
        }
        match classify(value, self.memory) {
            Given::Null => self.writer.write_enum(tags::NULL),
            Given::Bool(value) => self.writer.write_bool(value),
            Given::Int(value) => self.integer(value),
            Given::Float(value) => self.float(value),
            Given::Text => self.text(value)?,
            Given::Array => self.start(value, 0, WireType::Htuple)?,
            Given::Hash => self.start(value, 0, WireType::Assoc)?,
            what => self.other(value, what)?,
        }
        Ok(())
    }

    /// Writes an integer that is a fixnum.
    #[inline(always)]
    fn integer(&mut self, value: i64) {
        // Fixnums have 63 bits, a range that every reader supports.
        self.writer.write_int(value);
    }

    /// Writes a float.
    fn float(&mut self, value: f64) {
        // The data model has only one NaN.
        let is_odd = value.is_nan() && self.raw == 0;
        self.writer.write_float(if is_odd { f64::NAN } else { value });
    }

    /// Writes a string. Inside a block with `is_raw`, the string may have any encoding.
    #[inline(always)]
    fn text(&mut self, string: VALUE) -> Result<(), Stop> {
        // SAFETY: it is a string on the stack, and writing does not call Ruby.
        match unsafe { content(string) } {
            Content::Text(text) => self.writer.write_string(text.as_bytes()),
            // SAFETY: as above.
            _ if self.raw > 0 => self.writer.write_string(unsafe { given::bytes(string) }),
            Content::Bytes(bytes) => {
                let mark = self.writer.mark();
                self.writer.write_string(bytes);
                self.writer.close_block(mark, 1, tags::BINARY, WireType::Tuple);
            }
            Content::Other => {
                let converted = given::in_utf8(string)?;
                // SAFETY: the machine's stack keeps the string alive, and writing does not call
                // Ruby.
                self.writer.write_string(unsafe { given::bytes(converted) });
            }
        }
        Ok(())
    }

    /// Opens a block for a collection of the data model.
    #[inline(always)]
    fn start(&mut self, holder: VALUE, tag: u64, wire_type: WireType) -> Result<(), Stop> {
        self.start_block(holder, tag, wire_type, false, false, self.writer.mark())
    }

    /// Opens a block, and pushes the entries of `holder` onto the stack.
    fn start_block(
        &mut self,
        holder: VALUE,
        tag: u64,
        wire_type: WireType,
        is_raw: bool,
        is_tagged: bool,
        outer_mark: usize,
    ) -> Result<(), Stop> {
        if self.open.len() >= DEPTH_MAX {
            return Err(type_error(
                "the value is nested more than 10,000 levels deep, or contains itself",
            ));
        }
        let stack = &self.memory.stack;
        let start = stack.len();
        // An `Assoc` holds its pairs as an array.
        push_children(holder, wire_type == WireType::Assoc && !is_raw, stack);
        let left = stack.len() - start;
        let count = if wire_type == WireType::Assoc { left / 2 } else { left } as u64;
        let mark = self.writer.mark();
        self.raw += usize::from(is_raw);
        self.open.push(Open {
            start,
            left,
            count,
            mark,
            tag,
            wire_type,
            is_raw,
            is_tagged,
            outer_mark,
        });
        Ok(())
    }

    /// Ends the innermost block, whose values have all been written.
    #[inline(always)]
    fn close(&mut self) -> Result<(), Stop> {
        let Some(open) = self.open.pop() else { return Ok(()) };
        self.writer.close_block(open.mark, open.count, open.tag, open.wire_type);
        self.raw -= usize::from(open.is_raw);
        self.memory.stack.truncate(open.start);
        if open.is_tagged {
            let stack = &self.memory.stack;
            let tag = stack.get(open.start - 1);
            stack.truncate(open.start - 1);
            self.close_tagged(tag, open.outer_mark)?;
        }
        Ok(())
    }

    /// Writes the tag of a `Ketch::Tagged`, which precedes the content in the output, and ends its
    /// block.
    fn close_tagged(&mut self, tag: VALUE, mark: usize) -> Result<(), Stop> {
        // SAFETY: the value is checked to be a string; it belongs to what is being written, and
        // writing does not call Ruby.
        let text = ruby::is_string(tag).then(|| unsafe { content(tag) });
        let Some(Content::Text(text)) = text.filter(|_| self.raw == 0) else {
            return Err(type_error(
                "a Ketch::Tagged needs a text tag, and cannot be inside a tagged value",
            ));
        };
        self.writer.write_string(text.as_bytes());
        self.writer.close_block(mark, 2, tags::TAGGED, WireType::Tuple);
        Ok(())
    }

    /// Writes a value of one of the rarer classes.
    #[cold]
    fn other(&mut self, value: VALUE, what: Given) -> Result<(), Stop> {
        match what {
            Given::Symbol => self.text(ruby::symbol_name(value)),
            Given::Big => self.big(value),
            Given::Tagged => self.tagged(value),
            _ => self.described(value),
        }
    }

    /// Writes an integer that is not a fixnum.
    fn big(&mut self, value: VALUE) -> Result<(), Stop> {
        if let Some(value) = ruby::as_i64(value) {
            self.writer.write_long(value);
            return Ok(());
        }
        let digits = given::digits(value)?;
        let mark = self.writer.mark();
        self.writer.write_string(digits.as_bytes());
        self.writer.close_block(mark, 1, tags::BIG_INT, WireType::Tuple);
        Ok(())
    }

    /// Starts to write a `Ketch::Tagged`. If its content is a scalar, also ends it.
    fn tagged(&mut self, tagged: VALUE) -> Result<(), Stop> {
        let (tag, value) = (ruby::member(tagged, 0), ruby::member(tagged, 1));
        let mark = self.writer.mark();
        let wire_type = match classify(value, self.memory) {
            Given::Array => WireType::Htuple,
            Given::Hash => WireType::Assoc,
            _ => {
                self.value(value)?;
                return self.close_tagged(tag, mark);
            }
        };
        self.memory.stack.push(tag);
        self.start_block(value, 0, wire_type, false, true, mark)
    }

    /// Writes an object of one of the classes that represent tags and wire types, or a time.
    fn described(&mut self, value: VALUE) -> Result<(), Stop> {
        let classes = &self.memory.extprot;
        let class = ruby::class_of(value);
        let wire_type = match class {
            _ if class == classes.tuple => WireType::Tuple,
            _ if class == classes.htuple => WireType::Htuple,
            _ if class == classes.assoc => WireType::Assoc,
            _ if class == classes.constant => {
                self.writer.write_enum(tag_number(ruby::member(value, 0))?);
                return Ok(());
            }
            _ if class == classes.primitive => return self.primitive(value),
            _ => return self.time(value),
        };
        let (tag, elements) = (tag_number(ruby::member(value, 0))?, ruby::member(value, 1));
        let is_array = matches!(classify(elements, self.memory), Given::Array);
        // SAFETY: it is an array.
        let len = if is_array { unsafe { rb_sys::RARRAY_LEN(elements) } } else { 1 };
        if !is_array || wire_type == WireType::Assoc && len % 2 != 0 {
            return Err(type_error(
                "expected an Array as the elements of a block; in an Assoc, keys and values alternate",
            ));
        }
        let mark = self.writer.mark();
        self.start_block(elements, tag, wire_type, true, false, mark)
    }

    /// Writes a `Ketch::Extprot::Primitive`.
    fn primitive(&mut self, value: VALUE) -> Result<(), Stop> {
        let tag = tag_number(ruby::member(value, 1))?;
        let (name, content) = (ruby::value(ruby::member(value, 0)), ruby::member(value, 2));
        let name = Symbol::from_value(name).map(|name| name.name()).transpose()?;
        let mut own = Writer::new();
        own.set_wide_ints(true);
        let wire_type = self.primitive_content(name.as_deref(), content, &mut own)?;
        self.writer.raw(own.finish()?);
        self.writer.prefix(Prefix::new(tag, wire_type));
        Ok(())
    }

    /// Writes the content of a primitive to `own`, and returns its wire type.
    fn primitive_content(
        &self,
        name: Option<&str>,
        content: VALUE,
        own: &mut Writer,
    ) -> Result<WireType, Stop> {
        Ok(match (name, ruby::as_i64(content), classify(content, self.memory)) {
            (Some("vint"), Some(value), _) => {
                own.vint(zigzag(value));
                WireType::Vint
            }
            (Some("bits8"), Some(value @ 0..=255), _) => {
                own.raw(&[value as u8]);
                WireType::Bits8
            }
            (Some("bits32"), Some(value), _) if i32::try_from(value).is_ok() => {
                own.raw(&(value as i32).to_le_bytes());
                WireType::Bits32
            }
            (Some("long"), Some(value), _) => {
                own.raw(&value.to_le_bytes());
                WireType::Bits64Long
            }
            (Some("float"), _, Given::Float(value)) => {
                own.raw(&value.to_le_bytes());
                WireType::Bits64Float
            }
            (Some("bytes"), _, Given::Text) => {
                // SAFETY: it is a string that the primitive keeps alive, and Ruby does not run
                // while its bytes are read.
                let bytes = unsafe { given::bytes(content) };
                own.raw(bytes);
                own.vint(bytes.len() as u64);
                WireType::Bytes
            }
            _ => return Err(type_error(MISFIT)),
        })
    }

    /// Writes a `Time` or a `Date` as a tuple of the data model.
    fn time(&mut self, value: VALUE) -> Result<(), Stop> {
        let time = given::timestamp(value)?;
        let mark = self.writer.mark();
        match time.offset_minutes {
            _ if time.date_only => self.writer.write_enum(tags::DATE_ONLY),
            None => self.writer.write_enum(tags::NULL),
            Some(minutes) => self.writer.write_int(minutes.into()),
        }
        self.writer.write_int(time.nanoseconds.into());
        self.writer.write_int(time.seconds);
        self.writer.close_block(mark, 3, tags::TIMESTAMP, WireType::Tuple);
        Ok(())
    }
}

/// Returns the tag that `value` holds. It may have at most 59 bits, since the prefix also contains
/// the wire type.
fn tag_number(value: VALUE) -> Result<u64, Stop> {
    const TAG_MAX: i64 = (1 << 59) - 1;
    match ruby::as_i64(value) {
        Some(tag @ 0..=TAG_MAX) => Ok(tag as u64),
        _ => Err(type_error("a tag must be an Integer from 0 to 2**59 - 1")),
    }
}

/// Returns the error that raises a `TypeError` with this message.
fn type_error(message: &'static str) -> Stop {
    // SAFETY: writing runs only on Ruby threads.
    let ruby = unsafe { Ruby::get_unchecked() };
    Error::new(ruby.exception_type_error(), message).into()
}
