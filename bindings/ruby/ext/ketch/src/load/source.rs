//! The bytes that are loaded: those of a string, or the content of an IO.

use crate::given;
use crate::memory::Lease;
use crate::ruby::{self, VALUE};
use ketch_host::reserve::{self, Held};
use magnus::{Error, RString, Ruby, Value, prelude::*};

/// The length from which a text is not copied. Copying a shorter one costs less than a frozen
/// string that shares its memory.
const SMALL_BYTES: usize = 4096;

/// Bytes that do not change during a load.
#[derive(Debug)]
pub struct Source {
    pointer: *const u8,
    len: usize,
    /// A reserve of memory, which is released if memory runs out.
    _reserve: Held,
}

impl Source {
    /// Returns the bytes of `source`, converted to UTF-8 if the engine cannot read their encoding.
    pub fn read(ruby: &Ruby, source: Value, lease: &Lease) -> Result<Source, Error> {
        Source::of_string(utf8(ruby, text(ruby, source)?)?, lease)
    }

    /// Returns the bytes of a string. The memory of the lease keeps them, so they must not be used
    /// after it ends.
    pub fn of_string(string: RString, lease: &Lease) -> Result<Source, Error> {
        let mut string = ruby::raw(string);
        // SAFETY: it is a string, and Ruby does not run before the bytes are copied, or are
        // replaced below.
        let bytes = unsafe { given::bytes(string) };
        let Some(reserve) = reserve::hold_for(bytes.len()) else {
            let ruby = Ruby::get_with(ruby::value(string));
            return Err(Error::new(ruby.exception_no_mem_error(), "failed to allocate memory"));
        };
        if bytes.len() < SMALL_BYTES {
            let (pointer, len) = lease.memory().keep(bytes);
            return Ok(Source { pointer, len, _reserve: reserve });
        }
        string = frozen(string)?;
        lease.memory().stack.push(string);
        // SAFETY: `string` is frozen, so its bytes do not move until it is collected. It is on the
        // marked stack, which keeps it alive and prevents it from being moved.
        let bytes = unsafe { given::bytes(string) };
        Ok(Source { pointer: bytes.as_ptr(), len: bytes.len(), _reserve: reserve })
    }

    /// Returns the bytes.
    pub fn bytes(&self) -> &[u8] {
        if self.len == 0 {
            return &[];
        }
        // SAFETY: see `of_string`.
        unsafe { std::slice::from_raw_parts(self.pointer, self.len) }
    }
}

/// Returns a string with the same bytes that cannot change: the string itself if it is frozen, and
/// otherwise one that shares its memory until the original is changed.
fn frozen(string: VALUE) -> Result<VALUE, Error> {
    // SAFETY: `string` is a string.
    ruby::protect(|| unsafe { rb_sys::rb_str_new_frozen(string) })
}

/// Returns `source` if it is a string, and otherwise what its method `read` returns.
pub fn text(ruby: &Ruby, source: Value) -> Result<RString, Error> {
    if let Some(string) = RString::from_value(source) {
        return Ok(string);
    }
    if source.respond_to("read", false)? {
        let read: Value = source.funcall("read", ())?;
        if read.is_nil() {
            return Ok(ruby.str_new(""));
        }
        return RString::from_value(read).ok_or_else(|| unread(ruby, read));
    }
    if let Ok(string) = RString::try_convert(source) {
        return Ok(string);
    }
    // SAFETY: the name is copied immediately.
    let class = unsafe { source.classname() }.into_owned();
    let message = format!("expected a String or an IO, not {class}");
    Err(Error::new(ruby.exception_type_error(), message))
}

/// Returns the exception for a method `read` that returns an object other than a string.
#[cold]
fn unread(ruby: &Ruby, read: Value) -> Error {
    // SAFETY: the name is copied immediately.
    let class = unsafe { read.classname() }.into_owned();
    Error::new(
        ruby.exception_type_error(),
        format!("expected `read` to return a String, not {class}"),
    )
}

/// Returns the string, converted to UTF-8 unless its encoding is UTF-8, US-ASCII or binary. For
/// binary strings, the engine detects the encoding.
pub(super) fn utf8(ruby: &Ruby, string: RString) -> Result<RString, Error> {
    // SAFETY: `string` is a string.
    let index = unsafe { rb_sys::rb_enc_get_index(ruby::raw(string)) };
    // SAFETY: these calls only return numbers.
    let (utf8, ascii) = unsafe { (rb_sys::rb_utf8_encindex(), rb_sys::rb_usascii_encindex()) };
    // SAFETY: as above.
    let binary = unsafe { rb_sys::rb_ascii8bit_encindex() };
    if index == utf8 || index == ascii || index == binary {
        return Ok(string);
    }
    string.funcall("encode", (ruby.utf8_encoding(),))
}
