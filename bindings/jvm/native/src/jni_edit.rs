//! The functions that Java and JRuby's extension call to edit, the native methods of
//! `dev.ketch.internal.NativeEdit`.

use crate::edit::{Editing, Failed};
use crate::env::{self, Env, Object};
use crate::guard::{DEAD, guarded, guarded_object, guarded_or};
use crate::jni;
use crate::jni_dump::path_of;
use ketch_host::edit::source;
use ketch_host::reserve;
use std::ptr::null_mut;

/// The first byte of a reply: the call has succeeded, or was refused.
const DONE: u8 = 0;
const REFUSED: u8 = 1;

/// The factor by which more memory is reserved than for a load: the nodes that an operation on the
/// whole text needs take up to ten times the memory of the nodes for a load.
const NODES: usize = 10;

/// Implements `open(text, numbers, file, isPath)`: starts to edit a text or, if `isPath` is true,
/// the file with this path. Returns a handle, whose `error` must be checked; zero if there is not
/// enough memory; or [`DEAD`].
///
/// # Safety
/// `text` must be a `byte[]`, `numbers` a `long[]`, and `file` a `byte[]` or null.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_internal_NativeEdit_open(
    env: Env,
    _: Object,
    text: Object,
    numbers: Object,
    file: Object,
    is_path: u8,
) -> i64 {
    guarded!(env, || {
        // SAFETY: by the caller's contract.
        let Some(options) = (unsafe { jni::options(env, numbers, file) }) else { return DEAD };
        // SAFETY: by the caller's contract.
        let len = unsafe { env::length(env, text) };
        let Some(_reserve) = reserve::hold_for(len as usize * NODES) else { return 0 };
        // SAFETY: by the caller's contract.
        let Ok(text) = (unsafe { env::bytes_of(env, text, 0, len, Vec::new()) }) else { return 0 };
        let editing = if is_path != 0 {
            Editing::open_file(path_of(text), options)
        } else {
            Editing::open(text, options)
        };
        if reserve::was_needed() {
            return 0;
        }
        Box::into_raw(Box::new(editing)) as i64
    })
}

/// Returns the session that a number in Java refers to.
///
/// # Safety
/// `handle` must be from `open`, must not be closed, and must not be used by another thread while
/// the result is in use.
unsafe fn editing_of<'h>(handle: i64) -> &'h mut Result<Editing, Failed> {
    // SAFETY: by the caller's contract.
    unsafe { &mut *(handle as *mut Result<Editing, Failed>) }
}

/// Implements `error(handle)`: returns the reason why the text cannot be edited, or an empty array.
///
/// # Safety
/// `handle` must be from `open` and must not be used by another thread.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_internal_NativeEdit_error(
    env: Env,
    _: Object,
    handle: i64,
) -> Object {
    guarded_object!(env, || {
        // SAFETY: by the caller's contract.
        let error = match unsafe { editing_of(handle) } {
            Ok(_) => &[][..],
            Err(failed) => failed,
        };
        // SAFETY: by the caller's contract.
        unsafe { env::new_bytes(env, error) }
    })
}

/// Implements `call(handle, which, argument)`: returns [`DONE`] and the reply, or [`REFUSED`] and
/// the reason why the call was refused. Returns null if there is not enough memory.
///
/// # Safety
/// `handle` must be from `open` and must not be used by another thread, and `argument` must be a
/// `byte[]`.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_internal_NativeEdit_call(
    env: Env,
    _: Object,
    handle: i64,
    which: i32,
    argument: Object,
) -> Object {
    guarded_object!(env, || {
        // SAFETY: by the caller's contract.
        let Ok(editing) = (unsafe { editing_of(handle) }) else { return null_mut() };
        // SAFETY: by the caller's contract.
        let len = unsafe { env::length(env, argument) };
        let Some(_reserve) = reserve::hold_for((len as usize + editing.len()) * NODES) else {
            return null_mut();
        };
        // SAFETY: by the caller's contract.
        let argument = unsafe { env::bytes_of(env, argument, 0, len, Vec::new()) };
        let Ok(argument) = argument else { return null_mut() };
        let reply = match editing.call(which, &argument) {
            Ok(reply) => [vec![DONE], reply].concat(),
            Err(failed) => [vec![REFUSED], failed].concat(),
        };
        if reserve::was_needed() {
            return null_mut();
        }
        // SAFETY: by the caller's contract.
        unsafe { env::new_bytes(env, &reply) }
    })
}

/// Implements `close(handle)`: frees a session.
///
/// # Safety
/// `handle` must be from `open`, must not be used by another thread, and must never be used again.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_internal_NativeEdit_close(
    env: Env,
    _: Object,
    handle: i64,
) {
    guarded_or!(env, (), || {
        // SAFETY: by the caller's contract.
        drop(unsafe { Box::from_raw(handle as *mut Result<Editing, Failed>) });
    });
}

/// Implements `quoted(text)`: returns a text as a double-quoted scalar.
///
/// # Safety
/// `text` must be a `byte[]`.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_internal_NativeEdit_quoted(
    env: Env,
    _: Object,
    text: Object,
) -> Object {
    guarded_object!(env, || {
        // SAFETY: by the caller's contract.
        let text = unsafe { env::bytes_of(env, text, 0, env::length(env, text), Vec::new()) };
        let Ok(text) = text else { return null_mut() };
        let mut out = String::new();
        source::push_text(&mut out, &String::from_utf8_lossy(&text));
        // SAFETY: by the caller's contract.
        unsafe { env::new_bytes(env, out.as_bytes()) }
    })
}

/// Implements `floating(value)`: returns a floating-point number as a scalar.
///
/// # Safety
/// `env` must be the environment of this thread.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_internal_NativeEdit_floating(
    env: Env,
    _: Object,
    value: f64,
) -> Object {
    guarded_object!(env, || {
        let mut out = String::new();
        source::push_float(&mut out, value);
        // SAFETY: by the caller's contract.
        unsafe { env::new_bytes(env, out.as_bytes()) }
    })
}
