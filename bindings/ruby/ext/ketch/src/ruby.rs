//! Creates Ruby values from Rust values with direct calls to Ruby's C API.
//!
//! All functions here may raise at least `NoMemoryError`, which leaves them by `longjmp`. So they
//! may only be called inside [`protect`], and no stack frame inside it may own anything that has to
//! be dropped: what a load owns is created before the call of `protect`. Code that rarely runs uses
//! magnus instead, which protects each call.

use crate::panics;
use ketch_host::reserve;
use magnus::rb_sys::{AsRawValue, FromRawValue};
use magnus::{Error, Value};
use rb_sys::ruby_coderange_type::{RUBY_ENC_CODERANGE_7BIT, RUBY_ENC_CODERANGE_VALID};
use rb_sys::ruby_encoding_consts::RUBY_ENCODING_SHIFT;
use std::os::raw::{c_char, c_long};

pub use rb_sys::VALUE;

/// `nil`.
pub const NIL: VALUE = rb_sys::Qnil as VALUE;
/// `true`.
pub const TRUE: VALUE = rb_sys::Qtrue as VALUE;
/// `false`.
pub const FALSE: VALUE = rb_sys::Qfalse as VALUE;

/// Declares that Ractors may use the extension.
pub fn allow_ractors() {
    // SAFETY: called while the extension is loaded. Ractors share nothing but constants; see
    // docs/ruby.md.
    unsafe { rb_sys::rb_ext_ractor_safe(true) }
}

/// Runs `body`, in which Ruby may raise, and returns the exception as an error.
///
/// An exception unwinds the stack frames in `body` without dropping anything.
pub fn protect(body: impl FnOnce() -> VALUE) -> Result<VALUE, Error> {
    let mut panic = None;
    // Ruby calls the closure, and a panic must not leave it.
    let result = magnus::rb_sys::protect(|| {
        let run = || {
            panics::point();
            body()
        };
        panics::caught(run).unwrap_or_else(|payload| {
            panic = Some(payload);
            NIL
        })
    });
    panics::resume(panic);
    result
}

/// Runs `body`, in which Ruby may raise. Neither `body` nor the functions that it calls may own
/// anything that has to be dropped.
pub fn run<T: Default, E: From<Error>>(body: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    let mut result = Ok(T::default());
    protect(|| {
        result = body();
        NIL
    })?;
    result
}

/// Checks for interrupts: lets other threads run, and raises the exception that one of them, a
/// signal or a timeout has sent to this thread. Also raises `NoMemoryError` if memory has run out.
pub fn check_interrupts() {
    if reserve::was_needed() {
        no_memory();
    }
    // SAFETY: called with the GVL held, in a frame that may be unwound.
    unsafe { rb_sys::rb_thread_check_ints() }
}

/// Lets each thread that waits for the GVL run for a time slice.
pub fn yield_to_threads() {
    // SAFETY: as in `check_interrupts`.
    unsafe { rb_sys::rb_thread_schedule() }
}

/// Raises `NoMemoryError`.
#[cold]
pub fn no_memory() -> ! {
    // SAFETY: called in a frame that may be unwound.
    unsafe { rb_sys::rb_memerror() }
}

/// Returns a Ruby string that contains `text`, which is UTF-8: the parser has checked it.
#[inline(always)]
pub fn string(text: &[u8]) -> VALUE {
    if let Some(value) = small::string(text) {
        return value;
    }
    // SAFETY: the pointer and the length are those of a slice, which Ruby copies.
    let value = unsafe { rb_sys::rb_str_new(text.as_ptr().cast::<c_char>(), text.len() as c_long) };
    mark_utf8(value, text);
    value
}

/// Creates small objects whose content is embedded in their slots, using the layout of Ruby 3.1.
/// This halves the cost, since Ruby's own functions handle all sizes. Later versions of Ruby have a
/// different layout, so there, Ruby's functions are used.
#[cfg(ruby_eq_3_1)]
mod small {
    use super::{VALUE, utf8_flags};
    use rb_sys::ruby_value_type::{RUBY_T_ARRAY, RUBY_T_STRING};
    use rb_sys::{ruby_rarray_consts, ruby_rarray_flags, ruby_rstring_consts};

    /// RUBY_FL_WB_PROTECTED: the object has a write barrier.
    const PROTECTED: VALUE = 1 << 5;
    const VALUES_MAX: usize = 3;
    const BYTES_MAX: usize = 23;

    #[repr(C)]
    struct Slot<T> {
        basic: rb_sys::RBasic,
        content: T,
    }

    /// Creates an array whose values are embedded in its object slot. Returns `None` if there are
    /// too many values.
    #[inline(always)]
    pub fn array(values: &[VALUE]) -> Option<VALUE> {
        if values.len() > VALUES_MAX {
            return None;
        }
        let kind = RUBY_T_ARRAY as VALUE | ruby_rarray_flags::RARRAY_EMBED_FLAG as VALUE;
        let len = values.len() << ruby_rarray_consts::RARRAY_EMBED_LEN_SHIFT as usize;
        let flags = kind | PROTECTED | len as VALUE;
        // SAFETY: this makes a new object whose slot is zeroed and has space for three values after
        // the class and the flags. Nothing is allocated before the values are stored in it, so no
        // write barrier is needed.
        unsafe { Some(filled(rb_sys::rb_newobj_of(rb_sys::rb_cArray, flags), values)) }
    }

    /// Creates a Struct whose members are embedded in its object slot. Returns `None` if there are
    /// no members, or too many.
    #[inline(always)]
    pub fn structure(class: VALUE, members: &[VALUE]) -> Option<VALUE> {
        // RSTRUCT_EMBED_LEN_SHIFT
        const LEN_SHIFT: usize = 13;
        if members.is_empty() || members.len() > VALUES_MAX {
            return None;
        }
        let len = (members.len() << LEN_SHIFT) as VALUE;
        let flags = rb_sys::ruby_value_type::RUBY_T_STRUCT as VALUE | PROTECTED | len;
        // SAFETY: as in `array`; callers pass a class with `members.len()` members.
        unsafe { Some(filled(rb_sys::rb_newobj_of(class, flags), members)) }
    }

    /// Stores `values` in a new object, and returns the object.
    ///
    /// # Safety
    ///
    /// `object` must be new, and its slot must have space for `values` after the class and the
    /// flags.
    #[inline(always)]
    unsafe fn filled(object: VALUE, values: &[VALUE]) -> VALUE {
        // SAFETY: by the contract.
        unsafe {
            let content = &raw mut (*(object as *mut Slot<[VALUE; VALUES_MAX]>)).content;
            for (at, &value) in values.iter().enumerate() {
                (*content)[at] = value;
            }
        }
        object
    }

    /// Creates a UTF-8 string whose text is embedded in its object slot. Returns `None` if the text
    /// is too long.
    #[inline(always)]
    pub fn string(text: &[u8]) -> Option<VALUE> {
        if text.len() > BYTES_MAX {
            return None;
        }
        let len = text.len() << ruby_rstring_consts::RSTRING_EMBED_LEN_SHIFT as usize;
        let kind = RUBY_T_STRING as VALUE | PROTECTED;
        let flags = kind | len as VALUE | utf8_flags(text);
        // SAFETY: this makes a new object whose slot is zeroed and has space for 23 bytes and a
        // final zero after the class and the flags.
        unsafe {
            let string = rb_sys::rb_newobj_of(rb_sys::rb_cString, flags);
            let content = &raw mut (*(string as *mut Slot<[u8; BYTES_MAX + 1]>)).content;
            (&mut (*content))[..text.len()].copy_from_slice(text);
            Some(string)
        }
    }
}

/// Does nothing, since other versions of Ruby have a different object layout.
#[cfg(not(ruby_eq_3_1))]
mod small {
    use super::VALUE;

    pub fn array(_: &[VALUE]) -> Option<VALUE> {
        None
    }

    pub fn string(_: &[u8]) -> Option<VALUE> {
        None
    }

    pub fn structure(_: VALUE, _: &[VALUE]) -> Option<VALUE> {
        None
    }
}

/// Marks a new string that contains `text` as valid UTF-8, so that Ruby does not scan it.
#[inline(always)]
fn mark_utf8(value: VALUE, text: &[u8]) {
    let basic = value as *mut rb_sys::RBasic;
    // SAFETY: `value` is a string that was just created, so its flags contain neither an encoding
    // (index 0 is binary) nor a code range, and nothing else refers to it. The macros
    // RB_ENCODING_SET_INLINED and RB_ENC_CODERANGE_SET do the same; `memory::init` checks the index
    // of UTF-8.
    unsafe { (*basic).flags |= utf8_flags(text) }
}

/// Returns the flags of a UTF-8 string that contains `text`: its encoding, and whether it is ASCII.
#[inline(always)]
fn utf8_flags(text: &[u8]) -> VALUE {
    const UTF8_INDEX: VALUE = 1;
    const ENCODING: VALUE = UTF8_INDEX << (RUBY_ENCODING_SHIFT as u32);
    let range = if text.is_ascii() { RUBY_ENC_CODERANGE_7BIT } else { RUBY_ENC_CODERANGE_VALID };
    ENCODING | range as VALUE
}

/// Returns the interned, frozen string that contains `text`, which is UTF-8.
pub fn interned(text: &[u8]) -> VALUE {
    let (pointer, len) = (text.as_ptr().cast::<c_char>(), text.len() as c_long);
    // SAFETY: as in `string`; the encoding, UTF-8, lives as long as the process.
    unsafe { rb_sys::rb_enc_interned_str(pointer, len, rb_sys::rb_utf8_encoding()) }
}

/// Returns the symbol whose name is `string`. Ruby can collect it when it is no longer used.
pub fn symbol(string: VALUE) -> VALUE {
    // SAFETY: `string` is a string: this is only called with results of `interned`.
    unsafe { rb_sys::rb_str_intern(string) }
}

/// Returns `value` as a Ruby integer.
#[inline(always)]
pub fn integer(value: i64) -> VALUE {
    const FIXNUM_MAX: i64 = i64::MAX >> 1;
    const FIXNUM_MIN: i64 = i64::MIN >> 1;
    if (FIXNUM_MIN..=FIXNUM_MAX).contains(&value) {
        return (value as VALUE) << 1 | rb_sys::FIXNUM_FLAG as VALUE;
    }
    // SAFETY: this creates an object from a number.
    unsafe { rb_sys::rb_ll2inum(value) }
}

/// Returns `value`, an unsigned number, as a Ruby integer.
pub fn unsigned(value: u64) -> VALUE {
    match i64::try_from(value) {
        Ok(value) => integer(value),
        // SAFETY: this creates an object from a number.
        Err(_) => unsafe { rb_sys::rb_ull2inum(value) },
    }
}

/// Returns the value of an integer that fits into an `i64`, or `None` for other values.
pub fn as_i64(of: VALUE) -> Option<i64> {
    magnus::Integer::from_value(value(of)).and_then(|number| number.to_i64().ok())
}

/// Returns the symbol with this name.
pub fn name(name: &std::ffi::CStr) -> VALUE {
    // The macro ID2SYM would return a different symbol if the program has created the symbol from a
    // string. SAFETY: the name ends with a zero, and lives as long as the process.
    unsafe { rb_sys::rb_id2sym(rb_sys::rb_intern(name.as_ptr())) }
}

/// Returns `value` as a Ruby float.
#[inline(always)]
pub fn float(value: f64) -> VALUE {
    // SAFETY: this creates an object from a number, or an immediate value.
    unsafe { rb_sys::rb_float_new(value) }
}

/// Returns an array that contains `values`.
#[inline(always)]
pub fn array(values: &[VALUE]) -> VALUE {
    if let Some(value) = small::array(values) {
        return value;
    }
    // SAFETY: the pointer and the length are those of a slice, which Ruby copies. The values are
    // live, because they are on the marked stack.
    unsafe { rb_sys::rb_ary_new_from_values(values.len() as c_long, values.as_ptr()) }
}

/// Returns a hash that contains `pairs`, which are alternating keys and values.
#[inline(always)]
pub fn hash(pairs: &[VALUE]) -> VALUE {
    // SAFETY: this creates an object.
    let hash = unsafe { rb_sys::rb_hash_new() };
    hash_fill(hash, pairs);
    hash
}

/// Adds alternating keys and values to an empty hash. (With a hash that is not empty, Ruby would
/// walk through all of its pairs.)
#[inline(always)]
pub fn hash_fill(hash: VALUE, pairs: &[VALUE]) {
    if !pairs.is_empty() {
        // SAFETY: the pointer and the length are those of a slice of even length, whose values are
        // live, because they are on the marked stack. `hash` is a hash.
        unsafe { rb_sys::rb_hash_bulk_insert(pairs.len() as c_long, pairs.as_ptr(), hash) }
    }
}

/// Sets the value of a key in a hash.
pub fn hash_set(hash: VALUE, key: VALUE, value: VALUE) {
    // SAFETY: `hash` is a hash that this load has created; the key and the value are live.
    unsafe { rb_sys::rb_hash_aset(hash, key, value) };
}

/// Returns whether a hash contains a key.
pub fn hash_has(hash: VALUE, key: VALUE) -> bool {
    let none = rb_sys::Qundef as VALUE;
    // SAFETY: `hash` is a hash, and `key` a live value. The default, `none`, is only compared.
    unsafe { rb_sys::rb_hash_lookup2(hash, key, none) != none }
}

/// Removes a key and its value from a hash.
pub fn hash_delete(hash: VALUE, key: VALUE) {
    // SAFETY: `hash` is a hash that this load has created, and `key` a live value.
    unsafe { rb_sys::rb_hash_delete(hash, key) };
}

/// Adds all pairs of `other` to `hash`. If both have a key, the value in `other` is used.
pub fn hash_update(hash: VALUE, other: VALUE) {
    // SAFETY: both are hashes. Without a function to choose, Ruby uses the values of `other`.
    unsafe { rb_sys::rb_hash_update_by(hash, other, None) };
}

/// Returns whether a value is a hash.
pub fn is_hash(value: VALUE) -> bool {
    // SAFETY: `value` is live.
    unsafe { rb_sys::RB_TYPE_P(value, rb_sys::ruby_value_type::RUBY_T_HASH) }
}

/// Returns whether the class of a hash is `Hash` itself, not a subclass.
pub fn is_plain_hash(hash: VALUE) -> bool {
    // SAFETY: the class `Hash` lives as long as the process.
    class_of(hash) == unsafe { rb_sys::rb_cHash }
}

/// Returns whether a value is a symbol.
pub fn is_symbol(value: VALUE) -> bool {
    // SAFETY: `value` is live.
    unsafe { rb_sys::RB_SYMBOL_P(value) }
}

/// Returns whether a value is an array.
pub fn is_array(value: VALUE) -> bool {
    // SAFETY: `value` is live.
    unsafe { rb_sys::RB_TYPE_P(value, rb_sys::ruby_value_type::RUBY_T_ARRAY) }
}

/// Returns the value at `index` in an array.
pub fn entry(array: VALUE, index: usize) -> VALUE {
    // SAFETY: `array` is an array; for an index beyond its end, the result is nil.
    unsafe { rb_sys::rb_ary_entry(array, index as c_long) }
}

/// Returns the number of pairs of a hash.
#[inline(always)]
pub fn hash_len(hash: VALUE) -> usize {
    // SAFETY: `hash` is a hash.
    unsafe { rb_sys::rb_hash_size_num(hash) as usize }
}

/// Appends `values` to an array.
pub fn array_extend(array: VALUE, values: &[VALUE]) {
    // SAFETY: `array` is an array that this load has created. The values are live, because they are
    // on the marked stack.
    unsafe { rb_sys::rb_ary_cat(array, values.as_ptr(), values.len() as c_long) };
}

/// Returns the number of values in an array.
pub fn array_len(array: VALUE) -> usize {
    // SAFETY: `array` is a live array.
    unsafe { rb_sys::RARRAY_LEN(array) as usize }
}

/// Appends a value to an array.
pub fn array_push(array: VALUE, value: VALUE) {
    // SAFETY: `array` is an array, and both are live.
    unsafe { rb_sys::rb_ary_push(array, value) };
}

/// Removes the first value of an array, and returns it.
pub fn array_shift(array: VALUE) -> VALUE {
    // SAFETY: `array` is a live array.
    unsafe { rb_sys::rb_ary_shift(array) }
}

/// Yields a value to the block of the running method, and ignores the block's result.
pub fn yield_value(value: VALUE) {
    yielded(value);
}

/// Yields a value to the block of the running method, and returns the block's result.
pub fn yielded(value: VALUE) -> VALUE {
    // SAFETY: `value` is live. Ruby raises if there is no block.
    unsafe { rb_sys::rb_yield(value) }
}

/// Returns the value of a key in a hash, or the hash's default if it does not contain the key.
pub fn hash_get(hash: VALUE, key: VALUE) -> VALUE {
    // SAFETY: `hash` is a hash, and both are live.
    unsafe { rb_sys::rb_hash_aref(hash, key) }
}

/// Returns the string that `to_s` returns for `of`.
pub fn to_s(of: VALUE) -> VALUE {
    // SAFETY: `of` is live.
    unsafe { rb_sys::rb_obj_as_string(of) }
}

/// Returns an empty array.
pub fn new_array() -> VALUE {
    // SAFETY: this creates an object.
    unsafe { rb_sys::rb_ary_new() }
}

/// Returns an empty hash.
pub fn new_hash() -> VALUE {
    // SAFETY: this creates an object.
    unsafe { rb_sys::rb_hash_new() }
}

/// Creates an object of a class that `Struct.new` has created. `members` has a value for each
/// member.
#[inline(always)]
pub fn structure(class: VALUE, members: &[VALUE]) -> VALUE {
    if let Some(value) = small::structure(class, members) {
        return value;
    }
    // SAFETY: `class` is such a class. All members are live, because they are on the marked stack.
    unsafe {
        let value = rb_sys::rb_struct_alloc_noinit(class);
        for (index, &member) in members.iter().enumerate() {
            rb_sys::rb_struct_aset(value, integer(index as i64), member);
        }
        value
    }
}

/// Calls `new` of a class with these arguments.
pub fn new_instance(class: VALUE, arguments: &[VALUE]) -> VALUE {
    // SAFETY: `class` is a class. The arguments are live, and their number is correct.
    unsafe { rb_sys::rb_class_new_instance(arguments.len() as i32, arguments.as_ptr(), class) }
}

/// Returns the value of an instance variable of `of`.
pub fn instance_variable(of: VALUE, name: &std::ffi::CStr) -> VALUE {
    // SAFETY: `of` is live, and the name ends with a zero.
    unsafe { rb_sys::rb_iv_get(of, name.as_ptr()) }
}

/// Returns the value of a float or an integer as a float, or `None` for other values.
pub fn as_float(of: VALUE) -> Option<f64> {
    // SAFETY: `of` is live, and is only converted if it is a number.
    unsafe {
        let is_number = rb_sys::RB_FLOAT_TYPE_P(of) || rb_sys::RB_INTEGER_TYPE_P(of);
        is_number.then(|| rb_sys::rb_num2dbl(of))
    }
}

/// Returns a binary string that contains `bytes`.
pub fn binary(bytes: &[u8]) -> VALUE {
    // SAFETY: the pointer and the length are those of a slice, which Ruby copies.
    unsafe { rb_sys::rb_str_new(bytes.as_ptr().cast::<c_char>(), bytes.len() as c_long) }
}

/// Returns whether a value is a string.
pub fn is_string(value: VALUE) -> bool {
    // SAFETY: `value` is live.
    unsafe { rb_sys::RB_TYPE_P(value, rb_sys::ruby_value_type::RUBY_T_STRING) }
}

/// Returns the class of an object.
pub fn class_of(value: VALUE) -> VALUE {
    // SAFETY: `value` is live.
    unsafe { rb_sys::rb_obj_class(value) }
}

/// Returns the member of a struct at `index`, which is counted from 0.
pub fn member(of: VALUE, index: i64) -> VALUE {
    // SAFETY: `of` is a live struct that has this member.
    unsafe { rb_sys::rb_struct_aref(of, integer(index)) }
}

/// Returns the name of a symbol, a string.
pub fn symbol_name(symbol: VALUE) -> VALUE {
    // SAFETY: `symbol` is a symbol.
    unsafe { rb_sys::rb_sym2str(symbol) }
}

/// Freezes an object, but not the objects that it refers to.
pub fn freeze(value: VALUE) {
    // SAFETY: `value` is live. The call does nothing if it is not an object.
    unsafe { rb_sys::rb_obj_freeze(value) };
}

/// Returns a raw value as a value of magnus.
pub fn value(raw: VALUE) -> Value {
    // SAFETY: every raw value that is passed here comes from Ruby and is live: it is on the marked
    // stack, is an argument, or is about to be returned.
    unsafe { Value::from_raw(raw) }
}

/// Returns a value of magnus as a raw value.
pub fn raw(value: impl AsRawValue) -> VALUE {
    value.as_raw()
}
