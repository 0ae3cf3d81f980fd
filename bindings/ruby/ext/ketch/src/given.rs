//! Classifies Ruby values for writers.

use crate::memory::{Memory, Stack};
use crate::ruby::{self, VALUE};
use ketch_host::entries::Entries;
use ketch_yaml::schema::Timestamp;
use magnus::encoding::Coderange;
use magnus::{Error, Ruby, Value, prelude::*};
use rb_sys::ruby_value_type as kind;
use std::os::raw::{c_char, c_int};

/// The kind of a Ruby value.
#[derive(Clone, Copy, Debug)]
pub enum Given {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text,
    Symbol,
    Big,
    Array,
    Hash,
    Tagged,
    /// An object that a representer, which is Ruby code, must convert.
    Other,
}

/// Returns the kind of a value.
#[inline(always)]
pub fn classify(value: VALUE, memory: &Memory) -> Given {
    // SAFETY: only called for floats.
    let float = |value| Given::Float(unsafe { rb_sys::rb_float_value(value) });
    match value {
        ruby::NIL => return Given::Null,
        ruby::TRUE => return Given::Bool(true),
        ruby::FALSE => return Given::Bool(false),
        _ if rb_sys::FIXNUM_P(value) => return Given::Int(value as i64 >> 1),
        _ if rb_sys::FLONUM_P(value) => return float(value),
        _ if rb_sys::STATIC_SYM_P(value) => return Given::Symbol,
        _ => {}
    }
    // SAFETY: a value that is not immediate is a live object, and has a type.
    match unsafe { rb_sys::RB_BUILTIN_TYPE(value) } {
        kind::RUBY_T_STRING => Given::Text,
        kind::RUBY_T_HASH => Given::Hash,
        kind::RUBY_T_ARRAY => Given::Array,
        kind::RUBY_T_FLOAT => float(value),
        kind::RUBY_T_SYMBOL => Given::Symbol,
        kind::RUBY_T_BIGNUM => Given::Big,
        kind::RUBY_T_STRUCT if ruby::class_of(value) == memory.tagged_class => Given::Tagged,
        _ => Given::Other,
    }
}

/// Returns whether the name of a symbol consists of ASCII letters, digits and `_`, does not start
/// with a digit, and has no other characters except perhaps a final `?` or `!`.
pub fn is_name(symbol: VALUE) -> bool {
    // SAFETY: the name of a symbol is a string, and Ruby does not run while its bytes are read.
    let name = unsafe { bytes(ruby::symbol_name(symbol)) };
    let word = name.strip_suffix(b"?").or_else(|| name.strip_suffix(b"!")).unwrap_or(name);
    word.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
        && word.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

/// The entries of open collections, on the marked stack.
#[derive(Clone, Copy, Debug)]
pub struct Stacked<'m> {
    pub memory: &'m Memory,
    /// Whether the entries of hashes are sorted by key.
    pub sorts: bool,
}

impl Entries for Stacked<'_> {
    type Error = Error;
    type Value = VALUE;

    #[inline(always)]
    fn count(&self) -> usize {
        self.memory.stack.len()
    }

    fn push(&mut self, value: VALUE) {
        self.memory.stack.push(value);
    }

    #[inline(always)]
    fn push_all(&mut self, &collection: &VALUE, is_mapping: bool) -> Result<(), Error> {
        match is_mapping {
            true if self.sorts => return self.push_sorted(collection),
            true => {
                let argument = std::ptr::from_ref(&self.memory.stack) as VALUE;
                // SAFETY: `collection` is a hash, and `push_pair` gets the stack, which outlives the
                // call.
                unsafe { rb_sys::rb_hash_foreach(collection, Some(push_pair), argument) };
            }
            // Nothing changes the array meanwhile, because Ruby does not run here.
            false => {
                for index in 0..ruby::array_len(collection) {
                    self.memory.stack.push(ruby::entry(collection, index));
                }
            }
        }
        Ok(())
    }

    /// The stack keeps the value alive while it is written.
    #[inline(always)]
    fn get(&self, at: usize) -> VALUE {
        self.memory.stack.get(at)
    }

    #[inline(always)]
    fn truncate(&mut self, count: usize) {
        self.memory.stack.truncate(count);
    }

    fn interrupt(&self) -> Result<(), Error> {
        ruby::check_interrupts();
        Ok(())
    }
}

impl Stacked<'_> {
    /// Pushes the alternating keys and values of a hash, sorted by key.
    #[cold]
    fn push_sorted(&mut self, hash: VALUE) -> Result<(), Error> {
        let hash = ruby::value(hash);
        let ketch = Ruby::get_with(hash).define_module("Ketch")?;
        let sorted: Value = ketch.funcall("sorted", (hash,))?;
        self.push_all(&ruby::raw(sorted), false)
    }
}

/// Pushes the key and the value of a pair onto the stack. Ruby calls this for each pair of a hash.
unsafe extern "C" fn push_pair(key: VALUE, value: VALUE, stack: VALUE) -> c_int {
    // SAFETY: `push_children` passes a pointer to the stack.
    let stack = unsafe { &*(stack as *const Stack) };
    stack.push(key);
    stack.push(value);
    rb_sys::st_retval::ST_CONTINUE as c_int
}

/// The text or the bytes of a string.
#[derive(Clone, Copy, Debug)]
pub enum Content<'s> {
    Text(&'s str),
    Bytes(&'s [u8]),
    /// Text in a different encoding, or invalid text.
    Other,
}

/// Returns the content of a string. It is valid until Ruby is called.
///
/// # Safety
///
/// `string` must be a live string, and no Ruby code may run while the content is used.
#[inline(always)]
pub unsafe fn content<'s>(string: VALUE) -> Content<'s> {
    use rb_sys::ruby_coderange_type::RUBY_ENC_CODERANGE_BROKEN;
    const BINARY: c_int = 0;
    const UTF8: c_int = 1;
    const ASCII: c_int = 2;
    // SAFETY: by the contract, `string` is a string.
    let (range, encoding) =
        unsafe { (rb_sys::rb_enc_str_coderange(string), rb_sys::rb_enc_get_index(string)) };
    // SAFETY: by the contract.
    let bytes = unsafe { bytes(string) };
    let is_valid = range != RUBY_ENC_CODERANGE_BROKEN as c_int;
    match encoding {
        UTF8 | ASCII if is_valid => {}
        BINARY => return Content::Bytes(bytes),
        _ => return Content::Other,
    }
    // SAFETY: Ruby says that the bytes are valid in the string's encoding, which is UTF-8 or ASCII.
    Content::Text(unsafe { std::str::from_utf8_unchecked(bytes) })
}

/// Returns the bytes of a string. They are valid until Ruby is called.
///
/// # Safety
///
/// `string` must be a live string, and no Ruby code may run while the bytes are used.
#[inline(always)]
pub unsafe fn bytes<'s>(string: VALUE) -> &'s [u8] {
    // SAFETY: by the contract.
    unsafe {
        let (pointer, len) = (rb_sys::RSTRING_PTR(string), rb_sys::RSTRING_LEN(string));
        let pointer: *const c_char = pointer;
        std::slice::from_raw_parts(pointer.cast::<u8>(), len as usize)
    }
}

/// Converts a string to UTF-8. Fails if that is not possible.
pub fn in_utf8(string: VALUE) -> Result<VALUE, Error> {
    let string = ruby::value(string);
    let ruby = Ruby::get_with(string);
    let converted: magnus::RString = string.funcall("encode", (ruby.utf8_encoding(),))?;
    if converted.enc_coderange_scan() == Coderange::Broken {
        let message = "a string is not valid UTF-8: force its encoding to BINARY, or repair it with String#scrub";
        return Err(Error::new(ruby.exception_encoding_error(), message));
    }
    Ok(ruby::raw(converted))
}

/// Returns a string whose bytes are either UTF-8 or binary: the string itself if its encoding is
/// UTF-8, US-ASCII or binary, and otherwise a copy converted to UTF-8.
pub fn in_utf8_or_binary(string: VALUE) -> Result<VALUE, Error> {
    // These are the indexes of binary, UTF-8 and US-ASCII, which `memory::init` checks.
    // SAFETY: `string` is a string.
    match unsafe { rb_sys::rb_enc_get_index(string) } {
        0..=2 => Ok(string),
        _ => in_utf8(string),
    }
}

/// Returns the point in time that a `Time` or `Date` represents. Fails for all other objects.
pub fn timestamp(value: VALUE) -> Result<Timestamp, Error> {
    let value = ruby::value(value);
    let ketch = Ruby::get_with(value).define_module("Ketch")?;
    let (seconds, nanoseconds, offset_minutes, date_only) =
        ketch.funcall("timestamp_of", (value,))?;
    Ok(Timestamp { seconds, nanoseconds, offset_minutes, date_only })
}

/// Returns the decimal digits of a big integer, after a minus sign if it is negative.
pub fn digits(value: VALUE) -> Result<String, Error> {
    ruby::value(value).funcall("to_s", ())
}
