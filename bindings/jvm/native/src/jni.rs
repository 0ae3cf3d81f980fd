//! The functions that Java calls, `dev.ketch.Native`. All of the `unsafe` is here.
//!
//! The table of the JVM's functions is read by index (JNI specification, "Interface Function
//! Table"): six functions do not need a crate. Nothing unwinds into Java: a panic is a result, and
//! the handle is not used again.

use crate::loader::Loader;
use crate::options::LoadOptions;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A JVM's environment of a thread.
pub type Env = *mut *const *const c_void;
/// A reference to a Java object.
pub type Object = *mut c_void;

const GET_ARRAY_LENGTH: usize = 171;
const NEW_BYTE_ARRAY: usize = 176;
const GET_BYTE_ARRAY_REGION: usize = 200;
const GET_LONG_ARRAY_REGION: usize = 204;
const SET_BYTE_ARRAY_REGION: usize = 208;
const SET_LONG_ARRAY_REGION: usize = 212;

type GetLength = unsafe extern "system" fn(Env, Object) -> i32;
type NewBytes = unsafe extern "system" fn(Env, i32) -> Object;
type GetBytes = unsafe extern "system" fn(Env, Object, i32, i32, *mut u8);
type SetBytes = unsafe extern "system" fn(Env, Object, i32, i32, *const u8);
type GetLongs = unsafe extern "system" fn(Env, Object, i32, i32, *mut i64);
type SetLongs = unsafe extern "system" fn(Env, Object, i32, i32, *const u64);

/// [`next`]: there is an error to be fetched.
const FAILED: i64 = -1;
/// A panic: the handle is dead.
const DEAD: i64 = -2;

/// An input keeps this capacity when it has been read.
const KEPT_BYTES: usize = 1 << 20;

/// A loader with the input that it borrows, in the order in which they are dropped.
struct Handle {
    loader: Loader<'static>,
    input: Vec<u8>,
    error: Vec<u8>,
}

impl Handle {
    fn start(&mut self, input: Vec<u8>, options: LoadOptions) {
        self.end();
        self.input = input;
        // SAFETY: the bytes are only changed or freed after `end`, which makes the loader forget
        // them; the loader is dropped first.
        let text = unsafe { std::slice::from_raw_parts(self.input.as_ptr(), self.input.len()) };
        self.loader.start(text, options);
    }

    fn end(&mut self) {
        self.loader.end();
        self.input.clear();
        if self.input.capacity() > KEPT_BYTES {
            self.input = Vec::new();
        }
    }
}

/// A function of the table.
///
/// # Safety
/// `env` is the environment of this thread, and `F` the type of the function at `index`.
unsafe fn function<F: Copy>(env: Env, index: usize) -> F {
    const { assert!(size_of::<F>() == size_of::<*const c_void>()) };
    // SAFETY: by the caller's contract, the table has a pointer of that type there.
    unsafe { std::mem::transmute_copy(&*(*env).add(index)) }
}

/// The bytes of an array from `offset`, in the memory of `bytes`; none if the array is null.
///
/// # Safety
/// `env` is the environment of this thread, `array` a `byte[]` or null, and the range in it.
unsafe fn bytes_of(env: Env, array: Object, offset: i32, len: i32, mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.clear();
    let count = usize::try_from(len).unwrap_or(0);
    if array.is_null() || count == 0 {
        return bytes;
    }
    bytes.reserve_exact(count);
    // SAFETY: by the caller's contract; the JVM writes `count` bytes, which fit.
    unsafe {
        let get: GetBytes = function(env, GET_BYTE_ARRAY_REGION);
        get(env, array, offset, len, bytes.as_mut_ptr());
        bytes.set_len(count);
    }
    bytes
}

/// The length of an array.
///
/// # Safety
/// `env` is the environment of this thread, and `array` an array or null.
unsafe fn length(env: Env, array: Object) -> i32 {
    if array.is_null() {
        return 0;
    }
    // SAFETY: by the caller's contract.
    unsafe { function::<GetLength>(env, GET_ARRAY_LENGTH)(env, array) }
}

/// A new `byte[]`, or null if the JVM has no memory, with its exception pending.
///
/// # Safety
/// `env` is the environment of this thread.
unsafe fn new_bytes(env: Env, bytes: &[u8]) -> Object {
    let len = i32::try_from(bytes.len()).unwrap_or(i32::MAX);
    // SAFETY: by the caller's contract; the array has `len` bytes, and so has `bytes`.
    unsafe {
        let array = function::<NewBytes>(env, NEW_BYTE_ARRAY)(env, len);
        if !array.is_null() {
            function::<SetBytes>(env, SET_BYTE_ARRAY_REGION)(env, array, 0, len, bytes.as_ptr());
        }
        array
    }
}

/// Copies the tokens and texts, if they fit. Returns their number, and the number of bytes in the
/// high half.
///
/// # Safety
/// `env` is the environment of this thread, `words` a `long[]` and `kept` a `byte[]`.
unsafe fn copy(env: Env, handle: &Handle, words: Object, kept: Object) -> i64 {
    let out = &handle.loader.out;
    let (word_count, byte_count) = (out.words.len() as i32, out.kept.len() as i32);
    // SAFETY: by the caller's contract; both ranges are checked.
    unsafe {
        if word_count <= length(env, words) && byte_count <= length(env, kept) {
            let set: SetLongs = function(env, SET_LONG_ARRAY_REGION);
            set(env, words, 0, word_count, out.words.as_ptr());
            let set: SetBytes = function(env, SET_BYTE_ARRAY_REGION);
            set(env, kept, 0, byte_count, out.kept.as_ptr());
        }
    }
    i64::from(word_count) | i64::from(byte_count) << 32
}

/// `create()`: a new handle.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_ketch_Native_create(_: Env, _: Object) -> i64 {
    let create = || Handle { loader: Loader::new(), input: Vec::new(), error: Vec::new() };
    catch_unwind(create).map_or(0, |handle| Box::into_raw(Box::new(handle)) as i64)
}

/// `destroy(handle)`: frees it.
///
/// # Safety
/// `handle` is from `create`, and is not used by another thread or again.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_Native_destroy(_: Env, _: Object, handle: i64) {
    // SAFETY: by the caller's contract.
    let handle = AssertUnwindSafe(unsafe { Box::from_raw(handle as *mut Handle) });
    // Nobody is left to report a panic to.
    let _ = catch_unwind(|| drop(handle.0));
}

/// `open(handle, input, offset, length, numbers, file)`: starts to load. Returns 0, or [`DEAD`].
///
/// # Safety
/// `handle` is from `create` and used by no other thread, `input` a `byte[]` with that range,
/// `numbers` a `long[]`, `file` a `byte[]` or null.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_Native_open(
    env: Env,
    _: Object,
    handle: i64,
    input: Object,
    offset: i32,
    len: i32,
    numbers: Object,
    file: Object,
) -> i64 {
    // SAFETY: by the caller's contract.
    let handle = unsafe { &mut *(handle as *mut Handle) };
    let start = || {
        let mut values = [0; 32];
        // SAFETY: by the caller's contract; the count is at most the array's and the buffer's.
        let (input, file, count) = unsafe {
            let count = length(env, numbers).min(values.len() as i32);
            let get: GetLongs = function(env, GET_LONG_ARRAY_REGION);
            get(env, numbers, 0, count, values.as_mut_ptr());
            handle.end();
            let memory = std::mem::take(&mut handle.input);
            let name = bytes_of(env, file, 0, length(env, file), Vec::new());
            (bytes_of(env, input, offset, len, memory), name, count as usize)
        };
        let file = (!file.is_empty()).then(|| String::from_utf8_lossy(&file).into_owned());
        let options = LoadOptions::from_numbers(&values[..count], file)?;
        handle.start(input, options);
        Some(0)
    };
    catch_unwind(AssertUnwindSafe(start)).ok().flatten().unwrap_or(DEAD)
}

/// `next(handle, words, kept)`: the next tokens. Returns their number and that of the bytes beside
/// them, or [`FAILED`], or [`DEAD`]. If they do not fit, `again` copies them to larger arrays.
///
/// # Safety
/// `handle` is open and used by no other thread, `words` a `long[]`, `kept` a `byte[]`.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_Native_next(
    env: Env,
    _: Object,
    handle: i64,
    words: Object,
    kept: Object,
) -> i64 {
    // SAFETY: by the caller's contract.
    let handle = unsafe { &mut *(handle as *mut Handle) };
    let next = || match handle.loader.advance() {
        // SAFETY: by the caller's contract.
        Ok(()) => unsafe { copy(env, handle, words, kept) },
        Err(fields) => {
            handle.error = fields;
            FAILED
        }
    };
    catch_unwind(AssertUnwindSafe(next)).unwrap_or(DEAD)
}

/// `again(handle, words, kept)`: copies the tokens of the last `next`.
///
/// # Safety
/// As for `next`.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_Native_again(
    env: Env,
    _: Object,
    handle: i64,
    words: Object,
    kept: Object,
) -> i64 {
    // SAFETY: by the caller's contract.
    unsafe { copy(env, &*(handle as *const Handle), words, kept) }
}

/// `restart(handle)`: starts again by way of documents. Returns 0, or [`DEAD`].
///
/// # Safety
/// `handle` is open and used by no other thread.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_Native_restart(_: Env, _: Object, handle: i64) -> i64 {
    // SAFETY: by the caller's contract.
    let handle = unsafe { &mut *(handle as *mut Handle) };
    catch_unwind(AssertUnwindSafe(|| handle.loader.restart())).map_or(DEAD, |()| 0)
}

/// `error(handle)`: the fields of the last error.
///
/// # Safety
/// As for `restart`.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_Native_error(
    env: Env,
    _: Object,
    handle: i64,
) -> Object {
    // SAFETY: by the caller's contract.
    unsafe { new_bytes(env, &(*(handle as *const Handle)).error) }
}

/// `severalDocuments(handle)`: the fields of the error at the second document.
///
/// # Safety
/// As for `restart`.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_Native_severalDocuments(
    env: Env,
    _: Object,
    handle: i64,
) -> Object {
    // SAFETY: by the caller's contract.
    let handle = unsafe { &*(handle as *const Handle) };
    let fields = catch_unwind(AssertUnwindSafe(|| handle.loader.several_documents()));
    // SAFETY: as above.
    unsafe { new_bytes(env, &fields.unwrap_or_default()) }
}

/// `end(handle)`: frees what belongs to the text. Returns 0, or [`DEAD`].
///
/// # Safety
/// As for `restart`.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_Native_end(_: Env, _: Object, handle: i64) -> i64 {
    // SAFETY: by the caller's contract.
    let handle = unsafe { &mut *(handle as *mut Handle) };
    catch_unwind(AssertUnwindSafe(|| handle.end())).map_or(DEAD, |()| 0)
}
