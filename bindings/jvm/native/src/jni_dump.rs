//! The functions that Java calls to write, the native methods of `dev.ketch.NativeDump`.

use crate::dump::{Dump, Failure};
use crate::env::{self, Env, Object};
use crate::guard::{guarded, guarded_object, guarded_or};
use ketch_host::reserve;
use std::collections::TryReserveError;
use std::path::PathBuf;
use std::ptr::null_mut;

/// What a handle in Java refers to.
struct Handle {
    /// The writer, or `None` after an error.
    dump: Option<Dump>,
    /// The kind of the error, followed by its message.
    error: Vec<u8>,
}

impl Handle {
    /// Stores an error, after which nothing is written.
    fn fail(&mut self, failure: Failure) {
        let (kind, words) = match failure {
            Failure::Value(words) => (b'v', words),
            Failure::File(words) => (b'f', words),
        };
        self.dump = None;
        self.error = [&[kind], words.as_bytes()].concat();
    }

    /// Runs a step. Returns the text that it has written, or `None` after an error.
    fn run(
        &mut self,
        step: impl FnOnce(&mut Option<Dump>) -> Result<Vec<u8>, Failure>,
    ) -> Option<Vec<u8>> {
        let result = step(&mut self.dump);
        if reserve::was_needed() {
            self.dump = None;
            self.error = vec![b'm'];
            return None;
        }
        match result {
            Ok(text) => Some(text),
            Err(failure) => {
                self.fail(failure);
                None
            }
        }
    }
}

/// Returns the handle that a number in Java refers to.
///
/// # Safety
/// `handle` must be from `create`, must not be destroyed, and must not be used by another thread
/// while the result is in use.
unsafe fn handle_of<'h>(handle: i64) -> &'h mut Handle {
    // SAFETY: by the caller's contract.
    unsafe { &mut *(handle as *mut Handle) }
}

/// Returns the path that consists of `bytes`.
#[cfg(unix)]
pub fn path_of(bytes: Vec<u8>) -> PathBuf {
    use std::os::unix::ffi::OsStringExt;
    std::ffi::OsString::from_vec(bytes).into()
}

/// Returns the path that consists of `bytes`, which are UTF-8.
#[cfg(not(unix))]
pub fn path_of(bytes: Vec<u8>) -> PathBuf {
    String::from_utf8_lossy(&bytes).into_owned().into()
}

/// Implements `create(numbers, path)`: returns a handle for writing to memory or, if `path` is not
/// null, for replacing a file; zero if there is not enough
/// memory. If the file cannot be opened, the first `write` fails.
///
/// # Safety
/// `env` must be the environment of this thread, `numbers` a `long[]`, and `path` a `byte[]` or
/// null.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeDump_create(
    env: Env,
    _: Object,
    numbers: Object,
    path: Object,
) -> i64 {
    guarded!(env, || {
        let mut values = [0; 16];
        // SAFETY: by the caller's contract.
        let (numbers, bytes) = unsafe {
            let numbers = env::longs_of(env, numbers, &mut values);
            (numbers, env::bytes_of(env, path, 0, env::length(env, path), Vec::new()))
        };
        let Ok(bytes) = bytes else { return 0 };
        let reserve = reserve::hold_for(0);
        let path = (!path.is_null()).then(|| path_of(bytes));
        let mut handle = Handle { dump: None, error: Vec::new() };
        match Dump::open(numbers, path.as_deref()) {
            _ if reserve.is_none() => handle.error = vec![b'm'],
            Ok(dump) => handle.dump = Some(dump),
            Err(failure) => handle.fail(failure),
        }
        Box::into_raw(Box::new(handle)) as i64
    })
}

/// Implements `write(handle, words, wordCount, bytes, byteCount)`: writes tokens. Returns the text
/// that was written to memory, or null after an error.
///
/// # Safety
/// `handle` must be from `create` and must not be used by another thread. `words` must be a
/// `long[]` and `bytes` a `byte[]`, each of at least the given length.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeDump_write(
    env: Env,
    _: Object,
    handle: i64,
    words: Object,
    word_count: i32,
    bytes: Object,
    byte_count: i32,
) -> Object {
    guarded_object!(env, || {
        // SAFETY: by the caller's contract.
        let handle = unsafe { handle_of(handle) };
        // SAFETY: by the caller's contract.
        let (words, bytes) = unsafe { tokens(env, (words, word_count), (bytes, byte_count)) };
        let text = handle.run(|dump| {
            let (Some(dump), Ok(bytes)) = (dump, bytes) else { return Ok(Vec::new()) };
            dump.write(&words, &bytes)?;
            Ok(dump.take())
        });
        // SAFETY: by the caller's contract.
        unsafe { object(env, handle, text) }
    })
}

/// Returns copies of words and bytes from Java.
///
/// # Safety
/// `env` must be the environment of this thread. `words` must be a `long[]` and `bytes` a `byte[]`,
/// each of at least the given length.
unsafe fn tokens(
    env: Env,
    (words, word_count): (Object, i32),
    (bytes, byte_count): (Object, i32),
) -> (Vec<i64>, Result<Vec<u8>, TryReserveError>) {
    let mut longs = vec![0; usize::try_from(word_count).unwrap_or(0)];
    // SAFETY: by the caller's contract.
    let bytes = unsafe {
        env::longs_of(env, words, &mut longs);
        env::bytes_of(env, bytes, 0, byte_count, Vec::new())
    };
    (longs, bytes)
}

/// Implements `once(numbers, words, wordCount, bytes, byteCount)`: returns the text of all tokens;
/// null if that fails, after which `write` reports the error.
///
/// # Safety
/// `numbers` and `words` must be `long[]`s and `bytes` a `byte[]`, the last two of at least the given
/// length.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeDump_once(
    env: Env,
    _: Object,
    numbers: Object,
    words: Object,
    word_count: i32,
    bytes: Object,
    byte_count: i32,
) -> Object {
    guarded_object!(env, || {
        let mut values = [0; 16];
        // SAFETY: by the caller's contract.
        let numbers = unsafe { env::longs_of(env, numbers, &mut values) };
        let Some(_reserve) = reserve::hold_for(0) else { return null_mut() };
        // SAFETY: by the caller's contract.
        let (words, bytes) = unsafe { tokens(env, (words, word_count), (bytes, byte_count)) };
        let text = bytes.ok().and_then(|bytes| Dump::once(numbers, &words, &bytes).ok());
        match text {
            _ if reserve::was_needed() => null_mut(),
            // SAFETY: by the caller's contract.
            Some(text) => unsafe { env::new_bytes(env, &text) },
            None => null_mut(),
        }
    })
}

/// Implements `finish(handle)`: ends the text, and replaces the file if there is one. Returns the
/// rest of the text that was written to memory, or null after an error.
///
/// # Safety
/// `handle` must be from `create` and must not be used by another thread.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeDump_finish(
    env: Env,
    _: Object,
    handle: i64,
) -> Object {
    guarded_object!(env, || {
        // SAFETY: by the caller's contract.
        let handle = unsafe { handle_of(handle) };
        let text = handle.run(|dump| dump.take().map_or(Ok(Vec::new()), Dump::finish));
        // SAFETY: by the caller's contract.
        unsafe { object(env, handle, text) }
    })
}

/// Returns a text as a `byte[]`, or null after an error.
///
/// # Safety
/// `env` must be the environment of this thread.
unsafe fn object(env: Env, handle: &Handle, text: Option<Vec<u8>>) -> Object {
    match text {
        // SAFETY: by the caller's contract.
        Some(text) if handle.error.is_empty() => unsafe { env::new_bytes(env, &text) },
        _ => null_mut(),
    }
}

/// Implements `error(handle)`: returns the kind of the error followed by its message.
///
/// # Safety
/// `handle` must be from `create` and must not be used by another thread.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeDump_error(
    env: Env,
    _: Object,
    handle: i64,
) -> Object {
    guarded_object!(env, || {
        // SAFETY: by the caller's contract.
        let handle = unsafe { handle_of(handle) };
        // SAFETY: by the caller's contract.
        unsafe { env::new_bytes(env, &handle.error) }
    })
}

/// Implements `destroy(handle)`: frees the handle. If `finish` was not called, the file stays
/// unchanged.
///
/// # Safety
/// `handle` must be from `create`, must not be used by another thread, and must never be used
/// again.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeDump_destroy(env: Env, _: Object, handle: i64) {
    guarded_or!(env, (), || {
        // SAFETY: by the caller's contract.
        drop(unsafe { Box::from_raw(handle as *mut Handle) });
    });
}
