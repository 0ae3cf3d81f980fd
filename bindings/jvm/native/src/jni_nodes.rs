//! The functions that JRuby's extension calls for nodes, the native methods of
//! `dev.ketch.NativeNodes`.

use crate::env::{self, Call, Env, Object, Pipe};
use crate::guard::{DEAD, guarded, guarded_object, guarded_or};
use crate::jni::{self, FAILED, HAS_WIDE, NO_MEMORY, STREAM_BYTES};
use crate::nodes::{Composition, Held};
use crate::tokens::Tokens;
use ketch_host::reserve;
use std::ptr::null_mut;

/// What Java's handle of a composition refers to.
struct Handle {
    composition: Option<Composition>,
    pipe: Pipe,
    error: Vec<u8>,
}

/// Returns the composition that a number in Java refers to.
///
/// # Safety
/// `handle` must be from `compose` or `open`, must not be closed, and must not be used by another
/// thread while the result is in use.
unsafe fn handle_of<'h>(handle: i64) -> &'h mut Handle {
    // SAFETY: by the caller's contract.
    unsafe { &mut *(handle as *mut Handle) }
}

/// Returns the document that a number in Java refers to.
///
/// # Safety
/// `document` must be from `next`, must not be freed, and must not be used by another thread while
/// the result is in use.
unsafe fn held_of<'h>(document: i64) -> &'h mut Held {
    // SAFETY: by the caller's contract.
    unsafe { &mut *(document as *mut Held) }
}

/// Returns a handle for a composition or its error, or zero if memory has run out.
fn handle(composition: Result<Composition, Vec<u8>>, pipe: Pipe) -> i64 {
    if reserve::was_needed() {
        return 0;
    }
    let (composition, error) = match composition {
        Ok(composition) => (Some(composition), Vec::new()),
        Err(fields) => (None, fields),
    };
    Box::into_raw(Box::new(Handle { composition, pipe, error })) as i64
}

/// Implements `compose(input, offset, length, numbers, file, most)`: composes a part of an array,
/// and keeps the first `most` documents. Returns a handle, zero if there is not enough memory, or
/// [`DEAD`].
///
/// # Safety
/// `input` must be a `byte[]` that contains the range, `numbers` a `long[]`, and `file` a `byte[]`
/// or null.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeNodes_compose(
    env: Env,
    _: Object,
    input: Object,
    offset: i32,
    len: i32,
    numbers: Object,
    file: Object,
    most: i32,
) -> i64 {
    guarded!(env, || {
        // SAFETY: by the caller's contract.
        let Some(options) = (unsafe { jni::options(env, numbers, file) }) else { return DEAD };
        let Some(_reserve) = reserve::hold_for(usize::try_from(len).unwrap_or(0)) else {
            jni::no_memory();
            return 0;
        };
        // SAFETY: by the caller's contract.
        let Ok(input) = (unsafe { env::bytes_of(env, input, offset, len, Vec::new()) }) else {
            return 0;
        };
        let kept_max = usize::try_from(most).unwrap_or(0);
        handle(Composition::of_text(&input, options, kept_max), Pipe::new())
    })
}

/// Implements `open(numbers, file)`: returns a handle for a composition of the stream that `next`
/// reads.
///
/// # Safety
/// `numbers` must be a `long[]`, and `file` a `byte[]` or null.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeNodes_open(
    env: Env,
    _: Object,
    numbers: Object,
    file: Object,
) -> i64 {
    guarded!(env, || {
        // SAFETY: by the caller's contract.
        let Some(options) = (unsafe { jni::options(env, numbers, file) }) else { return DEAD };
        let pipe = Pipe::new();
        handle(Ok(Composition::of_stream(Box::new(pipe.clone()), options)), pipe)
    })
}

/// Implements `next(handle, feed, buffer)`: returns the next document, zero at the end, or
/// [`FAILED`], [`NO_MEMORY`] or [`DEAD`]. For a stream, an exception of Java may be pending.
///
/// # Safety
/// `handle` must be from `compose` or `open` and must not be used by another thread. `feed` must be
/// a `Feed` that fills the `byte[]` `buffer`, or both must be null.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeNodes_next(
    env: Env,
    class: Object,
    handle: i64,
    feed: Object,
    buffer: Object,
) -> i64 {
    guarded!(env, || {
        // SAFETY: by the caller's contract.
        let handle = unsafe { handle_of(handle) };
        let Some(composition) = &mut handle.composition else { return FAILED };
        let Some(_reserve) = reserve::hold_for(STREAM_BYTES) else { return jni::no_memory() };
        let call = Call { env, class, feed, buffer };
        // SAFETY: by the caller's contract.
        let next = unsafe { handle.pipe.with(call, || composition.next()) };
        if reserve::was_needed() {
            return NO_MEMORY;
        }
        match next {
            Ok(None) => 0,
            Ok(Some(held)) => Box::into_raw(Box::new(held)) as i64,
            Err(fields) => {
                handle.composition = None;
                handle.error = fields;
                FAILED
            }
        }
    })
}

/// Implements `error(handle)`: returns the fields of the error of a composition.
///
/// # Safety
/// `handle` must be from `compose` or `open` and must not be used by another thread.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeNodes_error(
    env: Env,
    _: Object,
    handle: i64,
) -> Object {
    // SAFETY: by the caller's contract.
    guarded_object!(env, || unsafe { env::new_bytes(env, &handle_of(handle).error) })
}

/// Implements `close(handle)`: frees a composition.
///
/// # Safety
/// `handle` must be from `compose` or `open`, must not be used by another thread, and must never be
/// used again.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeNodes_close(env: Env, _: Object, handle: i64) {
    guarded_or!(env, (), || {
        // SAFETY: by the caller's contract.
        drop(unsafe { Box::from_raw(handle as *mut Handle) });
    });
}

/// Implements `free(document)`: frees a document.
///
/// # Safety
/// `document` must be from `next`, must not be used by another thread, and must never be used
/// again.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeNodes_free(env: Env, _: Object, document: i64) {
    guarded_or!(env, (), || {
        // SAFETY: by the caller's contract.
        drop(unsafe { Box::from_raw(document as *mut Held) });
    });
}

/// What Java can request about a document or a node as numbers.
const FACTS: i32 = 0;
const SHAPE: i32 = 1;
const PLACE: i32 = 2;
const CHILDREN: i32 = 3;
const PAIRS: i32 = 4;
const LINE_COLUMN: i32 = 5;

/// Implements `numbers(document, node, which, out)`: copies the requested numbers of a node to
/// `out`, if they fit. Returns their count, or [`DEAD`].
///
/// # Safety
/// `document` must be from `next` and must not be used by another thread, and `out` must be a
/// `long[]`.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeNodes_numbers(
    env: Env,
    _: Object,
    document: i64,
    node: i32,
    which: i32,
    out: Object,
) -> i64 {
    guarded!(env, || {
        // SAFETY: by the caller's contract.
        let held = unsafe { held_of(document) };
        let node = node as usize;
        // SAFETY: by the caller's contract.
        let copied = |numbers: &[i64]| unsafe { env::copy_longs(env, numbers, out) };
        match which {
            FACTS => copied(&held.facts()),
            SHAPE => copied(&held.shape(node)),
            PLACE => copied(&held.place(node)),
            CHILDREN => copied(&held.children(node)),
            PAIRS => copied(&held.pairs(node)),
            LINE_COLUMN => copied(&[held.line_column(node)]),
            _ => DEAD,
        }
    })
}

/// Implements `text(document, node, which)`: returns the requested text of a node, or null if it
/// has none.
///
/// # Safety
/// `document` must be from `next` and must not be used by another thread.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeNodes_text(
    env: Env,
    _: Object,
    document: i64,
    node: i32,
    which: i32,
) -> Object {
    guarded_object!(env, || {
        // SAFETY: by the caller's contract.
        let text = unsafe { held_of(document) }.text(node as usize, which);
        // SAFETY: by the caller's contract.
        text.map_or(null_mut(), |text| unsafe { env::new_bytes(env, &text) })
    })
}

/// Implements `value(document, node, isNew, words, kept)`: creates the tokens for the value of a
/// node, and copies them as `Native.next` does. If `isNew` is true, Java has no keys yet.
///
/// # Safety
/// `document` must be from `next` and must not be used by another thread. `words` must be a
/// `long[]` and `kept` a `byte[]`.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeNodes_value(
    env: Env,
    _: Object,
    document: i64,
    node: i32,
    is_new: u8,
    words: Object,
    kept: Object,
) -> i64 {
    guarded!(env, || {
        // SAFETY: by the caller's contract.
        let held = unsafe { held_of(document) };
        let Some(_reserve) = reserve::hold_for(STREAM_BYTES) else { return jni::no_memory() };
        let result = held.value(node as usize, is_new != 0);
        if reserve::was_needed() {
            return NO_MEMORY;
        }
        match result {
            // SAFETY: by the caller's contract.
            Ok(()) => unsafe { copy(env, held, words, kept) },
            Err(fields) => {
                held.error = fields;
                FAILED
            }
        }
    })
}

/// Copies the tokens and their texts to the arrays, if they fit. Returns what `Native.next`
/// returns.
///
/// # Safety
/// `env` must be the environment of this thread, `words` a `long[]` and `kept` a `byte[]`.
unsafe fn copy(env: Env, held: &Held, words: Object, kept: Object) -> i64 {
    let Some(out) = held.out.get() else { return DEAD };
    let most = i32::MAX as usize;
    if [out.words.len(), out.kept.len(), out.wide.len()].iter().any(|len| *len > most) {
        return NO_MEMORY;
    }
    // SAFETY: by the caller's contract.
    let counts = unsafe { env::copy(env, (&out.words, words), (&out.kept, kept)) };
    if out.wide.is_empty() { counts } else { counts | HAS_WIDE }
}

/// Implements `again(document, words, kept)`: copies the tokens of the last `value` to the arrays.
///
/// # Safety
/// See `value`.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeNodes_again(
    env: Env,
    _: Object,
    document: i64,
    words: Object,
    kept: Object,
) -> i64 {
    // SAFETY: by the caller's contract.
    guarded!(env, || unsafe { copy(env, held_of(document), words, kept) })
}

/// Implements `wide(document, units)`: copies the UTF-16 texts of the last `value` to the array, if
/// they fit. Returns the number of their code units.
///
/// # Safety
/// `document` must be from `next` and must not be used by another thread, and `units` must be a
/// `char[]`.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeNodes_wide(
    env: Env,
    _: Object,
    document: i64,
    units: Object,
) -> i64 {
    guarded!(env, || {
        // SAFETY: by the caller's contract.
        let wide = unsafe { held_of(document) }.out.get().map(|out: &Tokens| &out.wide[..]);
        // SAFETY: by the caller's contract.
        unsafe { env::copy_units(env, wide.unwrap_or_default(), units) }
    })
}

/// Implements `valueError(document)`: returns the fields of the error of the last `value`.
///
/// # Safety
/// `document` must be from `next` and must not be used by another thread.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeNodes_valueError(
    env: Env,
    _: Object,
    document: i64,
) -> Object {
    // SAFETY: by the caller's contract.
    guarded_object!(env, || unsafe { env::new_bytes(env, &held_of(document).error) })
}
