//! Where the bytes come from: a string, or all that an IO gives.

use crate::memory::Lease;
use crate::ruby::{self, VALUE};
use magnus::{Error, RString, Ruby, Value, prelude::*};

/// Bytes that stay as they are while a load runs.
#[derive(Debug)]
pub struct Source {
    pointer: *const u8,
    len: usize,
}

impl Source {
    /// The bytes of `source`, kept on the stack of the lease, whose holder they must not outlive.
    pub fn read(ruby: &Ruby, source: Value, lease: &Lease) -> Result<Source, Error> {
        let string = utf8(ruby, text(ruby, source)?)?;
        let string = frozen(ruby::raw(string))?;
        lease.memory().stack.push(string);
        // SAFETY: `string` is a string, and frozen: its bytes stay until it is collected, and it is
        // on the marked stack, which also keeps it from being moved.
        let (pointer, len) = unsafe { (rb_sys::RSTRING_PTR(string), rb_sys::RSTRING_LEN(string)) };
        Ok(Source { pointer: pointer.cast::<u8>(), len: len as usize })
    }

    pub fn bytes(&self) -> &[u8] {
        if self.len == 0 {
            return &[];
        }
        // SAFETY: see `read`.
        unsafe { std::slice::from_raw_parts(self.pointer, self.len) }
    }
}

/// A string that nobody changes, with the same bytes: the string itself if it is frozen, or one
/// that shares its memory until either is changed.
fn frozen(string: VALUE) -> Result<VALUE, Error> {
    // SAFETY: `string` is a string.
    ruby::protect(|| unsafe { rb_sys::rb_str_new_frozen(string) })
}

/// A string, or what an IO reads.
pub fn text(ruby: &Ruby, source: Value) -> Result<RString, Error> {
    if let Some(string) = RString::from_value(source) {
        return Ok(string);
    }
    if source.respond_to("read", false)? {
        let read: Value = source.funcall("read", ())?;
        if let Some(string) = RString::from_value(read) {
            return Ok(string);
        }
        return Ok(ruby.str_new(""));
    }
    if let Ok(string) = RString::try_convert(source) {
        return Ok(string);
    }
    // SAFETY: the name is copied at once.
    let class = unsafe { source.classname() }.into_owned();
    let message = format!("expected a String or an IO, not {class}");
    Err(Error::new(ruby.exception_type_error(), message))
}

/// The text in an encoding that the engine reads: UTF-8, or bytes, whose encoding it tells itself.
fn utf8(ruby: &Ruby, string: RString) -> Result<RString, Error> {
    // SAFETY: `string` is a string.
    let index = unsafe { rb_sys::rb_enc_get_index(ruby::raw(string)) };
    // SAFETY: these ask for numbers.
    let (utf8, ascii) = unsafe { (rb_sys::rb_utf8_encindex(), rb_sys::rb_usascii_encindex()) };
    // SAFETY: as above.
    let binary = unsafe { rb_sys::rb_ascii8bit_encindex() };
    if index == utf8 || index == ascii || index == binary {
        return Ok(string);
    }
    string.funcall("encode", (ruby.utf8_encoding(),))
}
