//! The functions that Java calls to read, the native methods of `dev.ketch.Native`.
//!
//! A panic does not unwind into Java. It becomes an `InternalException`, after which the handle must
//! not be used again.

use crate::env::{self, Call, Env, Object, Pipe, Poller};
use crate::guard::{DEAD, guarded, guarded_object, guarded_or};
use crate::loader::Loader;
use crate::options::LoadOptions;
use ketch_host::query::Session;
use ketch_host::reserve::{self, Held};
use std::collections::TryReserveError;
use std::io::{self, Read};

/// The call has failed; `error` returns the error.
pub const FAILED: i64 = -1;
/// There was not enough memory. The handle must be destroyed.
pub const NO_MEMORY: i64 = -3;

/// A bit in the result of `next`, which says that there are texts in UTF-16.
pub const HAS_WIDE: i64 = 1 << 31;

/// The maximum capacity that the input's buffer keeps after the input has been read.
const KEPT_BYTES: usize = 1 << 20;

/// The size of an input for which as much memory is reserved as, at first, for a stream.
pub const STREAM_BYTES: usize = 1 << 22;

/// A loader, and the input that it borrows. The order of the fields is that in which they are
/// dropped.
pub(crate) struct Handle {
    loader: Loader<'static>,
    input: Vec<u8>,
    pipe: Pipe,
    error: Vec<u8>,
    /// A reserve of memory, which is used when an allocation fails.
    reserve: Option<Held>,
}

impl Handle {
    /// Creates a handle without an input.
    fn new() -> Handle {
        Handle {
            loader: Loader::new(),
            input: Vec::new(),
            pipe: Pipe::new(),
            error: Vec::new(),
            reserve: None,
        }
    }

    /// Starts to load `input`. If `is_shared` is true, Java has the same bytes in an array.
    fn start(&mut self, input: Vec<u8>, is_shared: bool, options: LoadOptions) -> i64 {
        self.end();
        self.reserve = reserve::hold_for(input.len());
        if self.reserve.is_none() {
            return no_memory();
        }
        self.input = input;
        // SAFETY: the bytes are only changed or freed after `end`, which removes the loader's
        // reference to them, and the loader is dropped before them.
        let text = unsafe { std::slice::from_raw_parts(self.input.as_ptr(), self.input.len()) };
        self.loader.start(text, is_shared, options);
        0
    }

    /// Starts to load the stream that the pipe reads.
    fn start_stream(&mut self, options: LoadOptions) -> i64 {
        self.end();
        self.reserve = reserve::hold_for(STREAM_BYTES);
        if self.reserve.is_none() {
            return no_memory();
        }
        self.loader.start_stream(Box::new(self.pipe.clone()), options);
        0
    }

    /// Starts to return the results of a program for a text of this length.
    pub(crate) fn start_query(
        &mut self,
        session: Session,
        len: usize,
        options: LoadOptions,
    ) -> i64 {
        self.end();
        self.reserve = reserve::hold_for(len);
        if self.reserve.is_none() {
            return no_memory();
        }
        self.loader.start_query(session, options);
        0
    }

    /// Stores an error. Returns [`FAILED`].
    pub(crate) fn fail(&mut self, fields: Vec<u8>) -> i64 {
        self.error = fields;
        FAILED
    }

    /// Removes the input, and frees memory that only large inputs need.
    fn end(&mut self) {
        self.loader.end();
        self.input.clear();
        self.reserve = None;
        if self.input.capacity() > KEPT_BYTES {
            self.input = Vec::new();
        }
    }

    /// Runs a step of the loader. If it fails, stores the error, and returns [`FAILED`].
    fn run(&mut self, step: impl FnOnce(&mut Loader<'static>) -> Result<(), Vec<u8>>) -> i64 {
        let result = step(&mut self.loader);
        if reserve::was_needed() {
            return NO_MEMORY;
        }
        match result {
            Ok(()) => 0,
            Err(fields) => self.fail(fields),
        }
    }
}

/// Returns [`NO_MEMORY`], after clearing the flag for the failed allocation, so that the next load
/// does not see it.
pub fn no_memory() -> i64 {
    reserve::was_needed();
    NO_MEMORY
}

/// Returns the handle that a number in Java refers to.
///
/// # Safety
/// `handle` must be from `create`, must not be destroyed, and must not be used by another thread
/// while the result is in use.
pub(crate) unsafe fn handle_of<'h>(handle: i64) -> &'h mut Handle {
    // SAFETY: by the caller's contract.
    unsafe { &mut *(handle as *mut Handle) }
}

/// Returns the options that Java has passed, or `None` if they are invalid.
///
/// # Safety
/// `env` must be the environment of this thread, `numbers` a `long[]`, and `file` a `byte[]` or
/// null.
pub unsafe fn options(env: Env, numbers: Object, file: Object) -> Option<LoadOptions> {
    let mut values = [0; 32];
    // SAFETY: by the caller's contract.
    let (numbers, file) = unsafe {
        let numbers = env::longs_of(env, numbers, &mut values);
        (numbers, env::bytes_of(env, file, 0, env::length(env, file), Vec::new()).ok()?)
    };
    let file = (!file.is_empty()).then(|| String::from_utf8_lossy(&file).into_owned());
    LoadOptions::from_numbers(numbers, file)
}

/// Reads a stream to its end, into the memory of `bytes`.
fn read_all(mut stream: impl Read, mut bytes: Vec<u8>) -> Result<Vec<u8>, ReadError> {
    const STEP_BYTES: usize = 1 << 16;
    bytes.clear();
    loop {
        bytes.try_reserve(STEP_BYTES)?;
        let filled = bytes.len();
        bytes.resize(filled + STEP_BYTES, 0);
        let count = stream.read(&mut bytes[filled..])?;
        bytes.truncate(filled + count);
        if count == 0 {
            return Ok(bytes);
        }
    }
}

enum ReadError {
    /// Java has thrown an exception, which is pending.
    Thrown,
    NoMemory,
}

impl From<io::Error> for ReadError {
    fn from(_: io::Error) -> ReadError {
        ReadError::Thrown
    }
}

impl From<TryReserveError> for ReadError {
    fn from(_: TryReserveError) -> ReadError {
        ReadError::NoMemory
    }
}

/// Implements `create()`: returns a new handle.
///
/// # Safety
/// `env` must be the environment of this thread.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_Native_create(env: Env, _: Object) -> i64 {
    guarded!(env, || Box::into_raw(Box::new(Handle::new())) as i64)
}

/// Implements `destroy(handle)`: frees the handle.
///
/// # Safety
/// `handle` must be from `create`, must not be used by another thread, and must never be used
/// again.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_Native_destroy(env: Env, _: Object, handle: i64) {
    guarded_or!(env, (), || {
        // SAFETY: by the caller's contract.
        drop(unsafe { Box::from_raw(handle as *mut Handle) });
    });
}

/// Implements `open(handle, input, offset, length, numbers, file)`: starts to load a part of an
/// array. Returns 0, [`NO_MEMORY`] or [`DEAD`].
///
/// # Safety
/// `handle` must be from `create` and must not be used by another thread. `input` must be a
/// `byte[]` that contains the range, `numbers` a `long[]`, and `file` a `byte[]` or null.
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
    guarded!(env, || {
        // SAFETY: by the caller's contract.
        let (handle, options) = unsafe { (handle_of(handle), options(env, numbers, file)) };
        let Some(options) = options else { return DEAD };
        handle.end();
        let memory = std::mem::take(&mut handle.input);
        // SAFETY: by the caller's contract.
        match unsafe { env::bytes_of(env, input, offset, len, memory) } {
            Ok(input) => handle.start(input, true, options),
            Err(_) => no_memory(),
        }
    })
}

/// Implements `openStream(handle, feed, buffer, numbers, file, isWhole)`: starts to load a stream.
/// If `isWhole` is true, the stream is first read to its end. Returns 0, [`NO_MEMORY`] or [`DEAD`].
/// An exception of Java may be pending.
///
/// # Safety
/// `handle` must be from `create` and must not be used by another thread. `feed` must be a `Feed`
/// that fills the `byte[]` `buffer`, `numbers` a `long[]`, and `file` a `byte[]` or null.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_Native_openStream(
    env: Env,
    class: Object,
    handle: i64,
    feed: Object,
    buffer: Object,
    numbers: Object,
    file: Object,
    is_whole: u8,
) -> i64 {
    guarded!(env, || {
        // SAFETY: by the caller's contract.
        let (handle, options) = unsafe { (handle_of(handle), options(env, numbers, file)) };
        let Some(options) = options else { return DEAD };
        if is_whole == 0 {
            return handle.start_stream(options);
        }
        handle.end();
        let memory = std::mem::take(&mut handle.input);
        let pipe = handle.pipe.clone();
        let call = Call { env, class, feed, buffer };
        // SAFETY: by the caller's contract.
        match unsafe { pipe.with(call, || read_all(pipe.clone(), memory)) } {
            Ok(input) => handle.start(input, false, options),
            Err(ReadError::Thrown) => DEAD,
            Err(ReadError::NoMemory) => no_memory(),
        }
    })
}

/// Implements `next(handle, words, kept, feed, buffer, poller)`: copies the next tokens to the arrays.
/// Returns the number of words in the low half and the number of bytes of their texts in the high
/// half, with the bit [`HAS_WIDE`] if `wide` returns further texts; or [`FAILED`], [`NO_MEMORY`] or
/// [`DEAD`]. If the arrays are too short, nothing is copied, and `again` copies the tokens to
/// longer ones. For a stream or with a poller, an exception of Java may be pending.
///
/// # Safety
/// `handle` must be open and must not be used by another thread. `words` must be a `long[]` and
/// `kept` a `byte[]`. `feed` and `buffer` must be those of `openStream`, or null if an array is
/// loaded, and `poller` a `Runnable` that runs of programs call, or null.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_Native_next(
    env: Env,
    class: Object,
    handle: i64,
    words: Object,
    kept: Object,
    feed: Object,
    buffer: Object,
    poller: Object,
) -> i64 {
    guarded!(env, || {
        // SAFETY: by the caller's contract.
        let handle = unsafe { handle_of(handle) };
        let pipe = handle.pipe.clone();
        let call = Call { env, class, feed, buffer };
        let mut advance = || handle.run(Loader::advance);
        // SAFETY: by the caller's contract.
        match unsafe { pipe.with(call, || env::polling(Poller { env, poller }, &mut advance)) } {
            // SAFETY: by the caller's contract.
            0 => unsafe { copy(env, handle, words, kept) },
            result => result,
        }
    })
}

/// Copies the tokens and their texts to the arrays, if they fit. Returns what `next` returns.
///
/// # Safety
/// `env` must be the environment of this thread, `words` a `long[]` and `kept` a `byte[]`.
unsafe fn copy(env: Env, handle: &Handle, words: Object, kept: Object) -> i64 {
    let out = &handle.loader.out;
    // SAFETY: by the caller's contract.
    let counts = unsafe { env::copy(env, (&out.words, words), (&out.kept, kept)) };
    if out.wide.is_empty() { counts } else { counts | HAS_WIDE }
}

/// Implements `wide(handle, units)`: copies the UTF-16 texts of the last `next` to the array, if
/// they fit. Returns the number of their code units.
///
/// # Safety
/// `handle` must be open and must not be used by another thread, and `units` must be a `char[]`.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_Native_wide(
    env: Env,
    _: Object,
    handle: i64,
    units: Object,
) -> i64 {
    // SAFETY: by the caller's contract.
    guarded!(env, || unsafe { env::copy_units(env, &handle_of(handle).loader.out.wide, units) })
}

/// Implements `again(handle, words, kept)`: copies the tokens of the last `next` to the arrays.
///
/// # Safety
/// See `next`.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_Native_again(
    env: Env,
    _: Object,
    handle: i64,
    words: Object,
    kept: Object,
) -> i64 {
    // SAFETY: by the caller's contract.
    guarded!(env, || unsafe { copy(env, handle_of(handle), words, kept) })
}

/// Implements `restart(handle)`: loads the text from the start again, by composing documents.
/// Returns 0, or [`DEAD`].
///
/// # Safety
/// `handle` must be open and must not be used by another thread.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_Native_restart(
    env: Env,
    _: Object,
    handle: i64,
) -> i64 {
    guarded!(env, || {
        // SAFETY: by the caller's contract.
        unsafe { handle_of(handle) }.loader.restart();
        0
    })
}

/// Implements `error(handle)`: returns the fields of the last error.
///
/// # Safety
/// See `restart`.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_Native_error(
    env: Env,
    _: Object,
    handle: i64,
) -> Object {
    // SAFETY: by the caller's contract.
    guarded_object!(env, || unsafe { env::new_bytes(env, &handle_of(handle).error) })
}

/// Implements `severalDocuments(handle)`: returns the fields of the error for a second document.
///
/// # Safety
/// See `restart`.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_Native_severalDocuments(
    env: Env,
    _: Object,
    handle: i64,
) -> Object {
    guarded_object!(env, || {
        // SAFETY: by the caller's contract.
        let fields = unsafe { handle_of(handle) }.loader.several_documents();
        // SAFETY: by the caller's contract.
        unsafe { env::new_bytes(env, &fields) }
    })
}

/// Implements `end(handle)`: frees the memory that belongs to the text. Returns 0, or [`DEAD`].
///
/// # Safety
/// See `restart`.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_Native_end(env: Env, _: Object, handle: i64) -> i64 {
    guarded!(env, || {
        // SAFETY: by the caller's contract.
        unsafe { handle_of(handle) }.end();
        0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_outside_of_a_call_fails() {
        assert!(Pipe::new().read(&mut [0]).is_err());
    }
}
