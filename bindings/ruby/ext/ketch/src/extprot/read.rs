//! Converts bytes to objects, on the marked stack.

use super::options::ReadOptions;
use super::stop::{Stop, exception_for};
use crate::given::{self, Given};
use crate::load::Source;
use crate::memory::{Lease, Memory};
use crate::ruby::{self, VALUE};
use ketch_extprot::wire::WireType;
use ketch_host::extprot::{Make, Reader, whole_values};
use magnus::{Error, RArray, RHash, RString, Ruby, Value, prelude::*};
use std::ffi::CStr;

/// Reads `bytes`, which must contain exactly one value, and returns the value.
pub fn only_value(bytes: &[u8], options: &ReadOptions, lease: &Lease) -> Result<Value, Stop> {
    // This is created before `run`, since the frames that an exception unwinds must not own
    // anything.
    let mut reader = reader(bytes, options, lease);
    ruby::run::<_, Stop>(|| reader.only(options.form))?;
    Ok(ruby::value(reader.make.top()))
}

/// Creates a reader of `bytes` that uses the memory of `lease`.
fn reader<'m>(
    bytes: &'m [u8],
    options: &'m ReadOptions,
    lease: &'m Lease,
) -> Reader<'m, Values<'m>> {
    let make = Values { memory: lease.memory() };
    Reader::new(make, bytes, &options.limits, &mut lease.buffers().blocks)
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
    let mut reader = reader(&bytes[..whole], &options, &lease);
    let mut done = (0, reader.make.count());
    let first = done.1;
    let read = ruby::run(|| reader.all(options.form, &mut done));
    let error = match (read, damage) {
        (Err(stop), _) => Some(stop.into_exception(ruby, base)),
        (Ok(()), Some(damage)) if whole == 0 => Some(exception_for(ruby, &damage, base)),
        _ => None,
    };
    let error = exception(ruby, error)?;
    let values =
        ruby::protect(|| ruby::array(&lease.memory().stack.from(first)[..done.1 - first]))?;
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

/// Creates objects.
struct Values<'m> {
    memory: &'m Memory,
}

impl Values<'_> {
    #[inline(always)]
    fn push(&self, value: VALUE) -> Result<(), Stop> {
        self.memory.stack.push(value);
        Ok(())
    }

    /// Returns the value on top of the stack.
    fn top(&self) -> VALUE {
        self.memory.stack.get(self.count() - 1)
    }

    /// Replaces the values from `start` on by the object that `make` creates from them.
    #[inline(always)]
    fn replace(&self, start: usize, make: impl FnOnce(&[VALUE]) -> VALUE) -> Result<(), Stop> {
        let value = make(self.memory.stack.from(start));
        self.memory.stack.truncate(start);
        self.push(value)
    }
}

impl Make for Values<'_> {
    type Error = Stop;
    const FREEZES_KEYS: bool = false;
    const COUNTS_PAIRS: bool = true;
    const TAGGED: &'static str = "`as: :tagged`";

    #[inline(always)]
    fn count(&self) -> usize {
        self.memory.stack.len()
    }

    #[inline(always)]
    fn null(&mut self) {
        self.memory.stack.push(ruby::NIL);
    }

    #[inline(always)]
    fn boolean(&mut self, value: bool) {
        self.memory.stack.push(if value { ruby::TRUE } else { ruby::FALSE });
    }

    #[inline(always)]
    fn integer(&mut self, value: i64) -> Result<(), Stop> {
        self.push(ruby::integer(value))
    }

    #[inline(always)]
    fn float(&mut self, value: f64) -> Result<(), Stop> {
        self.push(ruby::float(value))
    }

    #[inline(always)]
    fn text(&mut self, bytes: &[u8], is_key: bool) -> Result<bool, Stop> {
        let is_text = bytes.is_ascii() || std::str::from_utf8(bytes).is_ok();
        if is_text {
            self.push(match is_key {
                true => self.memory.keys.string(bytes),
                false => ruby::string(bytes),
            })?;
        }
        Ok(is_text)
    }

    #[inline(always)]
    fn bytes(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        self.push(ruby::binary(bytes))
    }

    #[inline(always)]
    fn list(&mut self, start: usize) -> Result<(), Stop> {
        self.replace(start, ruby::array)
    }

    fn tuple(&mut self, start: usize) -> Result<(), Stop> {
        self.list(start)
    }

    #[inline(always)]
    fn mapping(&mut self, start: usize) -> Result<bool, Stop> {
        let pairs = (self.count() - start) / 2;
        self.replace(start, ruby::hash)?;
        Ok(ruby::hash_len(self.top()) == pairs)
    }

    #[inline(always)]
    fn constant(&mut self, tag: u64) -> Result<(), Stop> {
        let classes = &self.memory.extprot;
        self.push(match classes.constants.get(tag as usize) {
            Some(&constant) => constant,
            None => ruby::structure(classes.constant, &[ruby::unsigned(tag)]),
        })
    }

    #[inline(always)]
    fn byte(&mut self, value: u8) -> Result<(), Stop> {
        self.push(self.memory.extprot.bits8[usize::from(value)])
    }

    fn primitive(&mut self, name: &'static CStr, tag: u64) -> Result<(), Stop> {
        let class = self.memory.extprot.primitive;
        self.replace(self.count() - 1, |values| {
            ruby::structure(class, &[ruby::name(name), ruby::unsigned(tag), values[0]])
        })
    }

    #[inline(always)]
    fn block(&mut self, wire_type: WireType, tag: u64, start: usize) -> Result<(), Stop> {
        let classes = &self.memory.extprot;
        let class = match wire_type {
            WireType::Tuple => classes.tuple,
            WireType::Assoc => classes.assoc,
            _ => classes.htuple,
        };
        self.replace(start, |values| {
            let elements = ruby::array(values);
            ruby::structure(class, &[ruby::unsigned(tag), elements])
        })
    }

    fn text_fits(&self, at: usize, fits: fn(&[u8]) -> bool) -> Result<Option<bool>, Stop> {
        let value = self.memory.stack.get(at);
        // SAFETY: it is a string on the stack, and Ruby does not run while its bytes are read.
        Ok(ruby::is_string(value).then(|| fits(unsafe { given::bytes(value) })))
    }

    fn is_binary(&self) -> bool {
        ruby::is_string(self.top())
    }

    fn is_tagged(&self) -> Result<bool, Stop> {
        Ok(matches!(given::classify(self.top(), self.memory), Given::Tagged))
    }

    fn big_int(&mut self, _: u64) -> Result<(), Stop> {
        let value: Value = ruby::value(self.top()).funcall("to_i", ())?;
        self.replace(self.count() - 1, |_| ruby::raw(value))
    }

    /// Calls `Ketch.time_of`, which creates a `Time` or a `Date`.
    fn timestamp(&mut self, start: usize, _: u64) -> Result<bool, Stop> {
        let &[seconds, nanoseconds, offset] = self.memory.stack.from(start) else {
            return Ok(false);
        };
        let seconds = ruby::value(seconds);
        let ketch = Ruby::get_with(seconds).define_module("Ketch").map_err(Stop::from)?;
        let arguments = (seconds, ruby::value(nanoseconds), ruby::value(offset));
        let time: Value = ketch.funcall("time_of", arguments)?;
        self.replace(start, |_| ruby::raw(time)).map(|()| true)
    }

    fn wrap(&mut self, start: usize) -> Result<(), Stop> {
        self.replace(start, |values| ruby::structure(self.memory.tagged_class, values))
    }

    fn interrupt(&mut self) -> Result<(), Stop> {
        ruby::check_interrupts();
        Ok(())
    }
}

/// Returns a string in UTF-8 if `bytes` are valid UTF-8, and a binary string otherwise.
pub fn text_or_bytes(bytes: &[u8]) -> VALUE {
    match std::str::from_utf8(bytes) {
        Ok(_) => ruby::string(bytes),
        Err(_) => ruby::binary(bytes),
    }
}
