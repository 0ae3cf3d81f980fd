//! Converts bytes to objects of a schema's classes and back, as a program describes.

use super::options::ReadOptions;
use super::program::{Objects, Program, typed_options};
use super::read;
use super::stop::{Stop, exception_for};
use crate::given;
use crate::load::Source;
use crate::memory::{Lease, Stack};
use crate::ruby::{self, VALUE};
use ketch_extprot::wire::{Reader, Writer};
use ketch_extprot::{Error as ExtprotError, Result as Read, Segment};
use ketch_host::typed::{self, Build, Decoder, Encoder, Primitive, Take};
use magnus::{Error, RArray, RHash, RString, Ruby, Value, typed_data::Obj};

/// Implements `Ketch::Extprot.read_typed(program, bytes, options)`: returns the only value in a
/// string.
pub fn read_typed(
    ruby: &Ruby,
    program: Obj<Program>,
    bytes: RString,
    options: RHash,
) -> Result<Value, Error> {
    let options = typed_options(ReadOptions::from_hash(ruby, options)?);
    let lease = Lease::take(ruby)?;
    let source = Source::of_string(bytes, &lease)?;
    let bytes = source.bytes();
    let mut reader = Reader::with_limits(bytes, &options.limits);
    let build = Objects::of(&program, &lease);
    let mut decoder = Decoder::new(&program.types, build, &options.limits, bytes.len());
    let value = ruby::run::<_, Stop>(|| {
        decoder.only(&mut reader)?;
        Ok(decoder.build.stack.get(decoder.build.stack.len() - 1))
    });
    value.map(ruby::value).map_err(|stop| stop.into_exception(ruby, 0))
}

/// Implements `Ketch::Extprot.typed_batch(program, buffer, at, base, options)`: reads the complete
/// messages in `buffer` from the offset `at` on, which is the offset `base` in the stream, up to
/// the first message that cannot be read. Returns an array of the messages, the offset at which
/// reading may continue, the exception or `nil`, and whether reading may continue at all.
pub fn typed_batch(
    ruby: &Ruby,
    program: Obj<Program>,
    buffer: RString,
    at: usize,
    base: u64,
    options: RHash,
) -> Result<RArray, Error> {
    let options = typed_options(ReadOptions::from_hash(ruby, options)?);
    let lease = Lease::take(ruby)?;
    let source = Source::of_string(buffer, &lease)?;
    let bytes = source.bytes().get(at..).unwrap_or_default();
    let build = Objects::of(&program, &lease);
    let mut decoder = Decoder::new(&program.types, build, &options.limits, bytes.len());
    let first = decoder.build.count();
    let (mut whole, mut goes_on) = (0, true);
    let read = ruby::run::<_, Stop>(|| {
        Ok(decoder.messages(bytes, &options.limits, &mut whole, &mut goes_on)?)
    });
    let error = read.err().map(|stop| stop.into_exception(ruby, base));
    let error = read::exception(ruby, error)?;
    let values = ruby::protect(|| ruby::array(lease.memory().stack.from(first)))?;
    let batch = ruby.ary_new_capa(4);
    batch.push(ruby::value(values))?;
    batch.push(at + whole)?;
    batch.push(error)?;
    batch.push(goes_on)?;
    Ok(batch)
}

/// Implements `Ketch::Extprot.write_typed(program, value)`: returns the bytes of `value`.
pub fn write_typed(ruby: &Ruby, program: Obj<Program>, value: Value) -> Result<RString, Error> {
    let lease = Lease::take(ruby)?;
    let writer = &mut lease.buffers().writer;
    writer.clear();
    let take = Parts { lazy_class: program.lazy_class };
    let mut encoder = Encoder { program: &program.types, writer: &mut *writer, take };
    ruby::run(|| encoder.only(&ruby::raw(value))).map_err(|stop| stop.into_exception(ruby, 0))?;
    let bytes = writer.finish().map_err(|error| exception_for(ruby, &error, 0))?;
    Ok(ruby.str_from_slice(bytes))
}

/// Creates objects, on the marked stack.
struct Builder<'m> {
    stack: &'m Stack,
    lazy_class: VALUE,
    turn: u32,
}

impl Objects {
    /// Creates a builder that uses the memory of `lease`.
    fn of<'m>(program: &Program, lease: &'m Lease) -> Builder<'m> {
        Builder { stack: &lease.memory().stack, lazy_class: program.lazy_class, turn: 0 }
    }
}

/// The number of blocks that are read between two checks for interrupts.
const BLOCKS_A_TURN: u32 = 1024;

impl Builder<'_> {
    /// Replaces the values from `start` on by the object that `make` creates from them.
    #[inline(always)]
    fn finish(&mut self, start: usize, make: impl FnOnce(&[VALUE]) -> VALUE) -> Read<()> {
        let value = make(self.stack.from(start));
        self.stack.truncate(start);
        self.push(value)
    }

    #[inline(always)]
    fn push(&mut self, value: VALUE) -> Read<()> {
        self.stack.push(value);
        Ok(())
    }
}

impl Build<'_, Objects> for Builder<'_> {
    type Error = ExtprotError;

    #[inline(always)]
    fn count(&self) -> usize {
        self.stack.len()
    }

    fn truncate(&mut self, count: usize) {
        self.stack.truncate(count);
    }

    #[inline(always)]
    fn held(&mut self, &held: &VALUE) {
        self.stack.push(held);
    }

    #[inline(always)]
    fn boolean(&mut self, value: bool) {
        self.stack.push(if value { ruby::TRUE } else { ruby::FALSE });
    }

    #[inline(always)]
    fn integer(&mut self, value: i64, _: Primitive) -> Read<()> {
        self.push(ruby::integer(value))
    }

    #[inline(always)]
    fn float(&mut self, value: f64) -> Read<()> {
        self.push(ruby::float(value))
    }

    #[inline(always)]
    fn string(&mut self, bytes: &[u8], _: bool, _: impl FnOnce() -> u64) -> Read<()> {
        self.push(read::text_or_bytes(bytes))
    }

    #[inline(always)]
    fn list(&mut self, start: usize) -> Read<()> {
        self.finish(start, ruby::array)
    }

    #[inline(always)]
    fn tuple(&mut self, start: usize) -> Read<()> {
        self.finish(start, ruby::array)
    }

    #[inline(always)]
    fn object(&mut self, &class: &VALUE, start: usize) -> Read<()> {
        self.finish(start, |values| ruby::structure(class, values))
    }

    fn lazy(&mut self, bytes: &[u8], &ty: &VALUE, offset: u64) -> Read<()> {
        let start = self.stack.len();
        self.stack.push(ruby::unsigned(offset));
        self.stack.push(ruby::binary(bytes));
        let class = self.lazy_class;
        self.finish(start, |values| ruby::new_instance(class, &[values[1], ty, values[0]]))
    }

    #[inline(always)]
    fn turn(&mut self) -> Read<()> {
        self.turn += 1;
        if self.turn == BLOCKS_A_TURN {
            self.turn = 0;
            ruby::check_interrupts();
        }
        Ok(())
    }
}

/// Takes apart objects.
struct Parts {
    lazy_class: VALUE,
}

impl Take<Objects> for Parts {
    type Error = Stop;
    type Value = VALUE;
    type Elements = VALUE;
    type Element<'e> = VALUE;

    /// The allocator of the extension raises an exception when memory runs out.
    #[inline(always)]
    fn reserve(&self, _: &mut Writer, _: usize) -> Result<(), Stop> {
        Ok(())
    }

    #[inline(always)]
    fn boolean(&self, &value: &VALUE) -> Option<bool> {
        (value == ruby::TRUE || value == ruby::FALSE).then_some(value == ruby::TRUE)
    }

    #[inline(always)]
    fn integer(&self, &value: &VALUE) -> Option<i64> {
        ruby::as_i64(value)
    }

    #[inline(always)]
    fn float(&self, &value: &VALUE) -> Result<Option<f64>, Stop> {
        Ok(ruby::as_float(value))
    }

    #[inline(always)]
    fn string(
        &self,
        &value: &VALUE,
        _: bool,
        write: impl FnOnce(&[u8]) -> Result<(), Stop>,
    ) -> Result<bool, Stop> {
        if !ruby::is_string(value) {
            return Ok(false);
        }
        let value = given::in_utf8_or_binary(value)?;
        // SAFETY: the object that is being written, or the machine's stack, keeps the string alive,
        // and writing does not call Ruby.
        write(unsafe { given::bytes(value) }).map(|()| true)
    }

    #[inline(always)]
    fn elements(&self, &value: &VALUE) -> Result<Option<VALUE>, Stop> {
        Ok(ruby::is_array(value).then_some(value))
    }

    #[inline(always)]
    fn count(&elements: &VALUE) -> usize {
        ruby::array_len(elements)
    }

    #[inline(always)]
    fn element<'e>(&elements: &'e VALUE, at: usize) -> VALUE
    where
        Self: 'e,
    {
        ruby::entry(elements, at)
    }

    #[inline(always)]
    fn is_held(&self, value: &VALUE, held: &VALUE) -> bool {
        value == held
    }

    #[inline(always)]
    fn is_of(&self, &value: &VALUE, &class: &VALUE) -> bool {
        ruby::class_of(value) == class
    }

    #[inline(always)]
    fn member(&self, &value: &VALUE, _: &VALUE, _: Option<&()>, at: usize) -> Result<VALUE, Stop> {
        Ok(ruby::member(value, at as i64))
    }

    fn lazy(
        &self,
        &value: &VALUE,
        write: impl FnOnce(&[u8]) -> Result<(), Stop>,
    ) -> Result<bool, Stop> {
        if ruby::class_of(value) != self.lazy_class {
            return Ok(false);
        }
        let bytes = ruby::instance_variable(value, c"@bytes");
        // SAFETY: the lazy field keeps the string alive, and writing does not call Ruby.
        write(unsafe { given::bytes(bytes) }).map(|()| true)
    }
}

impl typed::Stop for Stop {
    fn within(self, segment: Segment) -> Stop {
        match self {
            Stop::Bytes(error) => Stop::Bytes(error.within(segment)),
            stop => stop,
        }
    }
}
