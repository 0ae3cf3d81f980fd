//! The functions that JRuby's part calls for nodes, `dev.ketch.NativeNodes`.

use crate::env::{self, Call, Env, Object, Pipe};
use crate::guard::{DEAD, guarded, guarded_object};
use crate::jni::{self, FAILED, HAS_WIDE, NO_MEMORY, STREAM_BYTES};
use crate::nodes::{Composition, Held};
use crate::tokens::Tokens;
use ketch_host::reserve;
use std::ptr::null_mut;

/// What Java's handle of a composition is.
struct Handle {
    composition: Option<Composition>,
    pipe: Pipe,
    error: Vec<u8>,
}

/// Returns the composition that a number from Java refers to.
///
/// # Safety
/// `handle` is from `compose` or `open`, not destroyed, and used by no other thread while the
/// result is in use.
unsafe fn handle_of<'h>(handle: i64) -> &'h mut Handle {
    // SAFETY: by the caller's contract.
    unsafe { &mut *(handle as *mut Handle) }
}

/// Returns the document that a number from Java refers to.
///
/// # Safety
/// `document` is from `next`, not destroyed, and used by no other thread while the result is in
/// use.
unsafe fn held_of<'h>(document: i64) -> &'h mut Held {
    // SAFETY: by the caller's contract.
    unsafe { &mut *(document as *mut Held) }
}

/// Returns the handle of a composition, or of its error. Zero if there was no memory.
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

/// Implements `compose(input, offset, length, numbers, file, most)`: composes an array, and keeps
/// the first documents. Returns a handle, zero without memory, or [`DEAD`].
///
/// # Safety
/// `input` is a `byte[]` with that range, `numbers` a `long[]`, `file` a `byte[]` or null.
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
    guarded(|| {
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

/// Implements `open(numbers, file)`: a composition of what `next` reads.
///
/// # Safety
/// `numbers` is a `long[]`, `file` a `byte[]` or null.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeNodes_open(
    env: Env,
    _: Object,
    numbers: Object,
    file: Object,
) -> i64 {
    guarded(|| {
        // SAFETY: by the caller's contract.
        let Some(options) = (unsafe { jni::options(env, numbers, file) }) else { return DEAD };
        let pipe = Pipe::new();
        handle(Ok(Composition::of_stream(Box::new(pipe.clone()), options)), pipe)
    })
}

/// Implements `next(handle, feed, buffer)`: returns the next document, zero at the end, [`FAILED`],
/// [`NO_MEMORY`] or [`DEAD`]. For a stream, Java may have an exception pending.
///
/// # Safety
/// `handle` is from `compose` or `open` and used by no other thread; `feed` is a `Feed` that fills
/// the `byte[]` `buffer`, or both are null.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeNodes_next(
    env: Env,
    class: Object,
    handle: i64,
    feed: Object,
    buffer: Object,
) -> i64 {
    guarded(|| {
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

/// Implements `error(handle)`: returns the fields of the error of a composition; null after a
/// panic.
///
/// # Safety
/// `handle` is from `compose` or `open`, and used by no other thread.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeNodes_error(
    env: Env,
    _: Object,
    handle: i64,
) -> Object {
    // SAFETY: by the caller's contract.
    guarded_object(|| unsafe { env::new_bytes(env, &handle_of(handle).error) })
}

/// Implements `close(handle)`: frees a composition.
///
/// # Safety
/// `handle` is from `compose` or `open`, is used by no other thread, and is never used again.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeNodes_close(_: Env, _: Object, handle: i64) {
    // Nobody is left to report a panic to.
    let _ = guarded(|| {
        // SAFETY: by the caller's contract.
        drop(unsafe { Box::from_raw(handle as *mut Handle) });
        0
    });
}

/// Implements `free(document)`: frees a document.
///
/// # Safety
/// `document` is from `next`, is used by no other thread, and is never used again.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeNodes_free(_: Env, _: Object, document: i64) {
    // Nobody is left to report a panic to.
    let _ = guarded(|| {
        // SAFETY: by the caller's contract.
        drop(unsafe { Box::from_raw(document as *mut Held) });
        0
    });
}

/// The numbers of a document or of a node that Java can request.
const FACTS: i32 = 0;
const SHAPE: i32 = 1;
const PLACE: i32 = 2;
const CHILDREN: i32 = 3;
const PAIRS: i32 = 4;
const LINE_COLUMN: i32 = 5;

/// Implements `numbers(document, node, which, out)`: copies the numbers of a node if they fit.
/// Returns their count, or [`DEAD`].
///
/// # Safety
/// `document` is from `next` and used by no other thread, `out` a `long[]`.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeNodes_numbers(
    env: Env,
    _: Object,
    document: i64,
    node: i32,
    which: i32,
    out: Object,
) -> i64 {
    guarded(|| {
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

/// Implements `text(document, node, which)`: returns a text of a node, or null if it has none.
///
/// # Safety
/// `document` is from `next`, and used by no other thread.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeNodes_text(
    env: Env,
    _: Object,
    document: i64,
    node: i32,
    which: i32,
) -> Object {
    guarded_object(|| {
        // SAFETY: by the caller's contract.
        let text = unsafe { held_of(document) }.text(node as usize, which);
        // SAFETY: by the caller's contract.
        text.map_or(null_mut(), |text| unsafe { env::new_bytes(env, &text) })
    })
}

/// Implements `value(document, node, isNew, words, kept)`: makes the tokens of the value of a node,
/// and copies them as `Native.next` does. Java has no keys yet if `is_new`.
///
/// # Safety
/// `document` is from `next` and used by no other thread, `words` a `long[]`, `kept` a `byte[]`.
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
    guarded(|| {
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

/// Copies the tokens and texts, if they fit.
///
/// # Safety
/// `env` is the environment of this thread, `words` a `long[]` and `kept` a `byte[]`.
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

/// Implements `again(document, words, kept)`: copies the tokens of the last `value`.
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
    guarded(|| unsafe { copy(env, held_of(document), words, kept) })
}

/// Implements `wide(document, units)`: copies the texts in UTF-16 of the last `value` if they fit.
/// Returns the number of their units.
///
/// # Safety
/// `document` is from `next` and used by no other thread, `units` a `char[]`.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeNodes_wide(
    env: Env,
    _: Object,
    document: i64,
    units: Object,
) -> i64 {
    guarded(|| {
        // SAFETY: by the caller's contract.
        let wide = unsafe { held_of(document) }.out.get().map(|out: &Tokens| &out.wide[..]);
        // SAFETY: by the caller's contract.
        unsafe { env::copy_units(env, wide.unwrap_or_default(), units) }
    })
}

/// Implements `valueError(document)`: returns the fields of the error of the last `value`; null
/// after a panic.
///
/// # Safety
/// `document` is from `next`, and used by no other thread.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeNodes_valueError(
    env: Env,
    _: Object,
    document: i64,
) -> Object {
    // SAFETY: by the caller's contract.
    guarded_object(|| unsafe { env::new_bytes(env, &held_of(document).error) })
}
