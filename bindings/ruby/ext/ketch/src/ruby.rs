//! Makes Ruby values from Rust values directly.
//!
//! All functions here may raise (`NoMemoryError`), which leaves by `longjmp`. So call them only
//! inside [`protect`], from frames that own nothing that needs to be dropped: what a load owns is
//! created before the `protect`. Cold code uses magnus, which protects each call.

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

/// Declares the extension safe for Ractors.
pub fn allow_ractors() {
    // SAFETY: called while the extension is loaded. Ractors share nothing but constants: see
    // docs/ruby.md.
    unsafe { rb_sys::rb_ext_ractor_safe(true) }
}

/// Runs `body`, which may raise, and returns the exception as an error.
///
/// An exception unwinds the frames of `body` without dropping anything.
pub fn protect(body: impl FnOnce() -> VALUE) -> Result<VALUE, Error> {
    magnus::rb_sys::protect(body)
}

/// Checks for interrupts: lets other threads run, and raises what they, a signal or a timeout sent
/// to this one. Also raises if memory ran out.
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

/// Returns a Ruby string of `text`, or `None` if it is not UTF-8.
#[inline(always)]
pub fn string_if_text(text: &[u8]) -> Option<VALUE> {
    let is_text = text.is_ascii() || std::str::from_utf8(text).is_ok();
    is_text.then(|| string(text))
}

/// Returns a Ruby string of `text`, which is UTF-8: the parser has checked it.
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

/// Small embedded objects, in the layout of Ruby 3.1. This halves their cost, since Ruby's own
/// functions are for all sizes. Newer Rubies have a different layout, so their own functions are
/// used.
#[cfg(ruby_eq_3_1)]
mod small {
    use super::{VALUE, utf8_flags};
    use rb_sys::ruby_value_type::{RUBY_T_ARRAY, RUBY_T_STRING};
    use rb_sys::{ruby_rarray_consts, ruby_rarray_flags, ruby_rstring_consts};

    /// RUBY_FL_WB_PROTECTED: it has a write barrier.
    const PROTECTED: VALUE = 1 << 5;
    const VALUES_MAX: usize = 3;
    const BYTES_MAX: usize = 23;

    #[repr(C)]
    struct Slot<T> {
        basic: rb_sys::RBasic,
        content: T,
    }

    /// Creates an array in its slot. Returns `None` if it has too many values for a slot.
    #[inline(always)]
    pub fn array(values: &[VALUE]) -> Option<VALUE> {
        if values.len() > VALUES_MAX {
            return None;
        }
        let kind = RUBY_T_ARRAY as VALUE | ruby_rarray_flags::RARRAY_EMBED_FLAG as VALUE;
        let len = values.len() << ruby_rarray_consts::RARRAY_EMBED_LEN_SHIFT as usize;
        let flags = kind | PROTECTED | len as VALUE;
        // SAFETY: makes a new object, whose slot has space for three values after class and flags
        // and is zeroed. Nothing is allocated before the values are in it, so no write barrier is
        // needed.
        unsafe { Some(filled(rb_sys::rb_newobj_of(rb_sys::rb_cArray, flags), values)) }
    }

    /// Creates a Struct in its slot. Returns `None` if it has no members, or too many for a slot.
    #[inline(always)]
    pub fn structure(class: VALUE, members: &[VALUE]) -> Option<VALUE> {
        // RSTRUCT_EMBED_LEN_SHIFT
        const LEN_SHIFT: usize = 13;
        if members.is_empty() || members.len() > VALUES_MAX {
            return None;
        }
        let len = (members.len() << LEN_SHIFT) as VALUE;
        let flags = rb_sys::ruby_value_type::RUBY_T_STRUCT as VALUE | PROTECTED | len;
        // SAFETY: as in `array`; the class has as many members.
        unsafe { Some(filled(rb_sys::rb_newobj_of(class, flags), members)) }
    }

    /// Puts values into a new object.
    ///
    /// # Safety
    ///
    /// `object` is new, and has space for them after class and flags.
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

    /// Creates a UTF-8 string in its slot. Returns `None` if the text is too long for a slot.
    #[inline(always)]
    pub fn string(text: &[u8]) -> Option<VALUE> {
        if text.len() > BYTES_MAX {
            return None;
        }
        let len = text.len() << ruby_rstring_consts::RSTRING_EMBED_LEN_SHIFT as usize;
        let kind = RUBY_T_STRING as VALUE | PROTECTED;
        let flags = kind | len as VALUE | utf8_flags(text);
        // SAFETY: makes a new object, whose slot has space for 23 bytes and a zero after class and
        // flags and is zeroed.
        unsafe {
            let string = rb_sys::rb_newobj_of(rb_sys::rb_cString, flags);
            let content = &raw mut (*(string as *mut Slot<[u8; BYTES_MAX + 1]>)).content;
            (&mut (*content))[..text.len()].copy_from_slice(text);
            Some(string)
        }
    }
}

/// Other versions of Ruby have a different object layout, so these functions create nothing there.
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

/// Marks a new string as valid UTF-8, so that Ruby does not scan it again.
#[inline(always)]
fn mark_utf8(value: VALUE, text: &[u8]) {
    let basic = value as *mut rb_sys::RBasic;
    // SAFETY: `value` is a string that was made just now, so its flags have neither an encoding
    // (index 0 is binary) nor a code range, and nobody else has it. This is what the macros
    // RB_ENCODING_SET_INLINED and RB_ENC_CODERANGE_SET do; `memory::init` checks the index.
    unsafe { (*basic).flags |= utf8_flags(text) }
}

/// Returns the bits for encoding and content in the flags of a string.
#[inline(always)]
fn utf8_flags(text: &[u8]) -> VALUE {
    const UTF8_INDEX: VALUE = 1;
    const ENCODING: VALUE = UTF8_INDEX << (RUBY_ENCODING_SHIFT as u32);
    let range = if text.is_ascii() { RUBY_ENC_CODERANGE_7BIT } else { RUBY_ENC_CODERANGE_VALID };
    ENCODING | range as VALUE
}

/// Returns the interned, frozen string of `text`, which is UTF-8.
pub fn interned(text: &[u8]) -> VALUE {
    let (pointer, len) = (text.as_ptr().cast::<c_char>(), text.len() as c_long);
    // SAFETY: as in `string`; the encoding is that of UTF-8, which lives as long as the process.
    unsafe { rb_sys::rb_enc_interned_str(pointer, len, rb_sys::rb_utf8_encoding()) }
}

/// Returns the symbol of a string. Ruby collects it when it is no longer used.
pub fn symbol(string: VALUE) -> VALUE {
    // SAFETY: `string` is a string; only called with what `interned` gives.
    unsafe { rb_sys::rb_str_intern(string) }
}

/// Returns the Ruby integer of `value`.
#[inline(always)]
pub fn integer(value: i64) -> VALUE {
    const FIXNUM_MAX: i64 = i64::MAX >> 1;
    const FIXNUM_MIN: i64 = i64::MIN >> 1;
    if (FIXNUM_MIN..=FIXNUM_MAX).contains(&value) {
        return (value as VALUE) << 1 | rb_sys::FIXNUM_FLAG as VALUE;
    }
    // SAFETY: makes a new object of a number.
    unsafe { rb_sys::rb_ll2inum(value) }
}

/// Returns the Ruby integer of `value`, which has no sign.
pub fn unsigned(value: u64) -> VALUE {
    match i64::try_from(value) {
        Ok(value) => integer(value),
        // SAFETY: makes a new object of a number.
        Err(_) => unsafe { rb_sys::rb_ull2inum(value) },
    }
}

/// Returns the value of an integer of 64 bits, or `None` for others.
pub fn as_i64(of: VALUE) -> Option<i64> {
    magnus::Integer::from_value(value(of)).and_then(|number| number.to_i64().ok())
}

/// Returns the symbol of a static name.
pub fn name(name: &std::ffi::CStr) -> VALUE {
    // The macro ID2SYM would return a different symbol if a program has created the symbol from a
    // string. SAFETY: the name ends with a zero, and lives as long as the process.
    unsafe { rb_sys::rb_id2sym(rb_sys::rb_intern(name.as_ptr())) }
}

/// Returns the Ruby float of `value`.
#[inline(always)]
pub fn float(value: f64) -> VALUE {
    // SAFETY: makes a new object of a number, or none.
    unsafe { rb_sys::rb_float_new(value) }
}

/// Returns an array of `values`.
#[inline(always)]
pub fn array(values: &[VALUE]) -> VALUE {
    if let Some(value) = small::array(values) {
        return value;
    }
    // SAFETY: the pointer and the length are those of a slice, which Ruby copies; the values are
    // live, because they are on the marked stack.
    unsafe { rb_sys::rb_ary_new_from_values(values.len() as c_long, values.as_ptr()) }
}

/// Returns a hash of alternating keys and values.
#[inline(always)]
pub fn hash(pairs: &[VALUE]) -> VALUE {
    // SAFETY: makes a new object.
    let hash = unsafe { rb_sys::rb_hash_new() };
    hash_fill(hash, pairs);
    hash
}

/// Puts alternating keys and values into an empty hash. (If it has pairs, Ruby walks through all of
/// them.)
#[inline(always)]
pub fn hash_fill(hash: VALUE, pairs: &[VALUE]) {
    if !pairs.is_empty() {
        // SAFETY: the pointer and the length are those of a slice of an even length, whose values
        // are live, because they are on the marked stack; `hash` is a hash.
        unsafe { rb_sys::rb_hash_bulk_insert(pairs.len() as c_long, pairs.as_ptr(), hash) }
    }
}

/// Sets a key of a hash.
pub fn hash_set(hash: VALUE, key: VALUE, value: VALUE) {
    // SAFETY: `hash` is a hash that this load has made; key and value are live.
    unsafe { rb_sys::rb_hash_aset(hash, key, value) };
}

/// Returns whether a hash has a key.
pub fn hash_has(hash: VALUE, key: VALUE) -> bool {
    let none = rb_sys::Qundef as VALUE;
    // SAFETY: `hash` is a hash, `key` a live value; the default is only compared.
    unsafe { rb_sys::rb_hash_lookup2(hash, key, none) != none }
}

/// Removes a key and its value from a hash.
pub fn hash_delete(hash: VALUE, key: VALUE) {
    // SAFETY: `hash` is a hash that this load has made, `key` a live value.
    unsafe { rb_sys::rb_hash_delete(hash, key) };
}

/// Adds all pairs of another hash to a hash.
pub fn hash_update(hash: VALUE, other: VALUE) {
    // SAFETY: both are hashes; without a function, the values of the other one win.
    unsafe { rb_sys::rb_hash_update_by(hash, other, None) };
}

/// Returns whether a value is a hash.
pub fn is_hash(value: VALUE) -> bool {
    // SAFETY: `value` is live.
    unsafe { rb_sys::RB_TYPE_P(value, rb_sys::ruby_value_type::RUBY_T_HASH) }
}

/// Returns whether a hash is of `Hash` itself, not of a subclass.
pub fn is_plain_hash(hash: VALUE) -> bool {
    // SAFETY: the class lives as long as the process.
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

/// Returns the entry of an array.
pub fn entry(array: VALUE, index: usize) -> VALUE {
    // SAFETY: `array` is an array; an index beyond its end gives nil.
    unsafe { rb_sys::rb_ary_entry(array, index as c_long) }
}

/// Returns the number of pairs of a hash.
#[inline(always)]
pub fn hash_len(hash: VALUE) -> usize {
    // SAFETY: `hash` is a hash.
    unsafe { rb_sys::rb_hash_size_num(hash) as usize }
}

/// Adds values to an array.
pub fn array_extend(array: VALUE, values: &[VALUE]) {
    // SAFETY: `array` is an array that this load has made; the values are live, because they are on
    // the marked stack.
    unsafe { rb_sys::rb_ary_cat(array, values.as_ptr(), values.len() as c_long) };
}

/// Returns the number of values of an array.
pub fn array_len(array: VALUE) -> usize {
    // SAFETY: `array` is an array, and live.
    unsafe { rb_sys::RARRAY_LEN(array) as usize }
}

/// Appends a value to an array.
pub fn array_push(array: VALUE, value: VALUE) {
    // SAFETY: `array` is an array, and both are live.
    unsafe { rb_sys::rb_ary_push(array, value) };
}

/// Takes the first value off an array.
pub fn array_shift(array: VALUE) -> VALUE {
    // SAFETY: `array` is an array, and live.
    unsafe { rb_sys::rb_ary_shift(array) }
}

/// Yields a value to the block of the running method.
pub fn yield_value(value: VALUE) {
    yielded(value);
}

/// Yields a value to the block of the running method, and returns what it returns.
pub fn yielded(value: VALUE) -> VALUE {
    // SAFETY: `value` is live; a missing block raises.
    unsafe { rb_sys::rb_yield(value) }
}

/// Returns the value of a key of a hash, or its default.
pub fn hash_get(hash: VALUE, key: VALUE) -> VALUE {
    // SAFETY: `hash` is a hash, and both are live.
    unsafe { rb_sys::rb_hash_aref(hash, key) }
}

/// Returns what `to_s` returns, a string.
pub fn to_s(of: VALUE) -> VALUE {
    // SAFETY: `of` is live.
    unsafe { rb_sys::rb_obj_as_string(of) }
}

/// Returns an empty array.
pub fn new_array() -> VALUE {
    // SAFETY: makes a new object.
    unsafe { rb_sys::rb_ary_new() }
}

/// Returns an empty hash.
pub fn new_hash() -> VALUE {
    // SAFETY: makes a new object.
    unsafe { rb_sys::rb_hash_new() }
}

/// Creates a struct of a class that `Struct.new` has made, with values for all its members.
#[inline(always)]
pub fn structure(class: VALUE, members: &[VALUE]) -> VALUE {
    if let Some(value) = small::structure(class, members) {
        return value;
    }
    // SAFETY: `class` is such a class; all members are live, on the marked stack.
    unsafe {
        let value = rb_sys::rb_struct_alloc_noinit(class);
        for (index, &member) in members.iter().enumerate() {
            rb_sys::rb_struct_aset(value, integer(index as i64), member);
        }
        value
    }
}

/// Creates an object of a class by its `new`.
pub fn new_instance(class: VALUE, arguments: &[VALUE]) -> VALUE {
    // SAFETY: `class` is a class; the arguments are live, and as many as the count says.
    unsafe { rb_sys::rb_class_new_instance(arguments.len() as i32, arguments.as_ptr(), class) }
}

/// Returns what an instance variable of an object holds.
pub fn instance_variable(of: VALUE, name: &std::ffi::CStr) -> VALUE {
    // SAFETY: `of` is live; the name ends with a zero.
    unsafe { rb_sys::rb_iv_get(of, name.as_ptr()) }
}

/// Returns the value of a float or an integer as a float, or `None` for others.
pub fn as_float(of: VALUE) -> Option<f64> {
    // SAFETY: `of` is live, and a number where it is converted.
    unsafe {
        let is_number = rb_sys::RB_FLOAT_TYPE_P(of) || rb_sys::RB_INTEGER_TYPE_P(of);
        is_number.then(|| rb_sys::rb_num2dbl(of))
    }
}

/// Returns a binary string of `bytes`.
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

/// Returns a member of a struct, counted from 0.
pub fn member(of: VALUE, index: i64) -> VALUE {
    // SAFETY: `of` is a struct of more members, and live.
    unsafe { rb_sys::rb_struct_aref(of, integer(index)) }
}

/// Returns the name of a symbol.
pub fn symbol_name(symbol: VALUE) -> VALUE {
    // SAFETY: `symbol` is a symbol.
    unsafe { rb_sys::rb_sym2str(symbol) }
}

/// Freezes a value, not what it holds.
pub fn freeze(value: VALUE) {
    // SAFETY: `value` is live; does nothing if it is not an object.
    unsafe { rb_sys::rb_obj_freeze(value) };
}

/// Wraps a raw value for magnus.
pub fn value(raw: VALUE) -> Value {
    // SAFETY: every raw value here comes from Ruby and is live: it is on the marked stack, an
    // argument, or about to be returned.
    unsafe { Value::from_raw(raw) }
}

/// Returns the raw value of a value of magnus.
pub fn raw(value: impl AsRawValue) -> VALUE {
    value.as_raw()
}
