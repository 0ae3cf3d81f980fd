//! Converts objects to bytes. The entries of open collections are on the marked stack.

use super::stop::{Stop, exception_for};
use crate::given::{self, Content, Given, Stacked, classify, content};
use crate::memory::{Lease, Memory};
use crate::ruby::{self, VALUE};
use ketch_extprot::wire::{WireType, Writer};
use ketch_host::extprot::{self, Take, Words};
use magnus::{Error, RString, Ruby, Symbol, Value};

/// Implements `Ketch::Extprot.dump(value)`: returns the bytes of `value`.
pub fn dump(ruby: &Ruby, value: Value) -> Result<RString, Error> {
    let lease = Lease::take(ruby)?;
    let memory = lease.memory();
    memory.stack.push(ruby::raw(value));
    let (writer, mut open) = (&mut lease.buffers().writer, Vec::new());
    writer.clear();
    let mut output =
        Output::new((Parts { memory }, Stacked { memory, sorts: false }), writer, &mut open);
    ruby::run::<_, Stop>(|| output.all(&ruby::raw(value)))
        .map_err(|stop| stop.into_exception(ruby, 0))?;
    let bytes = writer.finish().map_err(|error| exception_for(ruby, &error, 0))?;
    Ok(ruby.str_from_slice(bytes))
}

type Output<'w, 'm> = extprot::Output<'w, Parts<'m>>;

/// Takes apart objects.
struct Parts<'m> {
    memory: &'m Memory,
}

impl<'m> Take for Parts<'m> {
    type Error = Stop;
    type Value = VALUE;
    type Entries = Stacked<'m>;
    const WORDS: Words = Words {
        tagged: "a Ketch::Tagged needs a text tag, and cannot be inside a tagged value",
        elements: "expected an Array as the elements of a block; in an Assoc, keys and values alternate",
        tag: "a tag must be an Integer from 0 to 2**59 - 1",
        primitive: "a Ketch::Extprot::Primitive whose value does not fit its type",
    };

    #[inline(always)]
    fn write(output: &mut Output<'_, 'm>, &value: &VALUE) -> Result<(), Stop> {
        match classify(value, output.take.memory) {
            Given::Null => output.null(),
            Given::Bool(value) => output.boolean(value),
            Given::Int(value) => output.integer(value),
            Given::Float(value) => output.float(value),
            Given::Text => text(output, value),
            Given::Array => output.collection(&value, WireType::Htuple),
            Given::Hash => output.collection(&value, WireType::Assoc),
            what => other(output, value, what),
        }
    }

    fn collection(&self, &value: &VALUE) -> Result<Option<WireType>, Stop> {
        Ok(match classify(value, self.memory) {
            Given::Array => Some(WireType::Htuple),
            Given::Hash => Some(WireType::Assoc),
            _ => None,
        })
    }

    fn elements(&self, &value: &VALUE) -> Result<Option<usize>, Stop> {
        Ok(ruby::is_array(value).then(|| ruby::array_len(value)))
    }

    fn tag(&self, value: &VALUE) -> Option<u64> {
        self.integer(value).and_then(|tag| tag.try_into().ok())
    }

    fn integer(&self, &value: &VALUE) -> Option<i64> {
        ruby::as_i64(value)
    }

    fn float(&self, &value: &VALUE) -> Option<f64> {
        match classify(value, self.memory) {
            Given::Float(value) => Some(value),
            _ => None,
        }
    }

    fn string(
        &self,
        &value: &VALUE,
        must_be_text: bool,
        write: impl FnOnce(&[u8]) -> Result<(), Stop>,
    ) -> Result<bool, Stop> {
        // SAFETY: the value is checked to be a string; it belongs to what is being written, and
        // writing does not call Ruby.
        let bytes = ruby::is_string(value).then(|| unsafe { given::bytes(value) });
        // SAFETY: as above.
        let is_text = || matches!(unsafe { content(value) }, Content::Text(_));
        match bytes.filter(|_| !must_be_text || is_text()) {
            Some(bytes) => write(bytes).map(|()| true),
            None => Ok(false),
        }
    }

    /// The allocator of the extension raises an exception when memory runs out.
    #[inline(always)]
    fn reserve(_: &mut Writer, _: usize) -> Result<(), Stop> {
        Ok(())
    }

    fn wrong(&self, message: &'static str) -> Stop {
        // SAFETY: writing runs only on Ruby threads.
        let ruby = unsafe { Ruby::get_unchecked() };
        Error::new(ruby.exception_type_error(), message).into()
    }
}

/// Writes a string. Inside a block that an object describes, it may have any encoding.
#[inline(always)]
fn text(output: &mut Output<'_, '_>, string: VALUE) -> Result<(), Stop> {
    // SAFETY: it is a string on the stack, and writing does not call Ruby.
    match unsafe { content(string) } {
        Content::Text(text) => output.text(text.as_bytes()),
        Content::Bytes(bytes) => output.binary(bytes),
        // SAFETY: as above.
        Content::Other if output.is_raw() => output.text(unsafe { given::bytes(string) }),
        Content::Other => {
            let converted = given::in_utf8(string)?;
            // SAFETY: the machine's stack keeps the string alive, and writing does not call
            // Ruby.
            output.text(unsafe { given::bytes(converted) })
        }
    }
}

/// Writes a value of one of the rarer classes.
#[cold]
fn other(output: &mut Output<'_, '_>, value: VALUE, what: Given) -> Result<(), Stop> {
    match what {
        Given::Symbol => text(output, ruby::symbol_name(value)),
        Given::Big => match ruby::as_i64(value) {
            Some(value) => output.integer(value),
            None => output.big_int(given::digits(value)?.as_bytes()),
        },
        Given::Tagged => output.tagged(ruby::member(value, 0), &ruby::member(value, 1)),
        _ => described(output, value),
    }
}

/// Writes an object of one of the classes that represent tags and wire types, or a time.
fn described(output: &mut Output<'_, '_>, value: VALUE) -> Result<(), Stop> {
    let classes = &output.take.memory.extprot;
    let wire_type = match ruby::class_of(value) {
        class if class == classes.tuple => WireType::Tuple,
        class if class == classes.htuple => WireType::Htuple,
        class if class == classes.assoc => WireType::Assoc,
        class if class == classes.constant => return output.constant(&ruby::member(value, 0)),
        class if class == classes.primitive => {
            let name = Symbol::from_value(ruby::value(ruby::member(value, 0)));
            let name = name.map(|name| name.name()).transpose()?;
            let (tag, content) = (ruby::member(value, 1), ruby::member(value, 2));
            return output.primitive(&tag, name.as_deref(), &content);
        }
        _ => return output.timestamp(&given::timestamp(value)?),
    };
    output.block(wire_type, &ruby::member(value, 0), &ruby::member(value, 1))
}
