//! The functions that JRuby's part calls to edit, `dev.ketch.NativeEdit`.

use crate::edit::{Editing, Failed};
use crate::env::{self, Env, Object};
use crate::guard::{DEAD, guarded, guarded_object};
use crate::jni;
use crate::jni_dump::path_of;
use ketch_host::edit::source;
use ketch_host::reserve;
use std::ptr::null_mut;

/// The first byte of a reply.
const DONE: u8 = 0;
const REFUSED: u8 = 1;

/// The nodes of an operation on the whole text take up to ten times the memory of those of a load.
const NODES: usize = 10;

/// Implements `open(text, numbers, file, isPath)`: starts to edit a text, or the file of this
/// path. Returns a handle, of which `error` says whether it is of use; zero without memory, or
/// [`DEAD`].
///
/// # Safety
/// `text` is a `byte[]`, `numbers` a `long[]`, `file` a `byte[]` or null.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeEdit_open(
    env: Env,
    _: Object,
    text: Object,
    numbers: Object,
    file: Object,
    is_path: u8,
) -> i64 {
    guarded(|| {
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

/// Returns the session that a number from Java refers to.
///
/// # Safety
/// `handle` is from `open`, not destroyed, and used by no other thread while the result is in use.
unsafe fn editing_of<'h>(handle: i64) -> &'h mut Result<Editing, Failed> {
    // SAFETY: by the caller's contract.
    unsafe { &mut *(handle as *mut Result<Editing, Failed>) }
}

/// Implements `error(handle)`: returns why the text cannot be edited, or an empty array.
///
/// # Safety
/// `handle` is from `open`, and used by no other thread.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeEdit_error(
    env: Env,
    _: Object,
    handle: i64,
) -> Object {
    guarded_object(|| {
        // SAFETY: by the caller's contract.
        let error = match unsafe { editing_of(handle) } {
            Ok(_) => &[][..],
            Err(failed) => failed,
        };
        // SAFETY: by the caller's contract.
        unsafe { env::new_bytes(env, error) }
    })
}

/// Implements `call(handle, which, argument)`: returns the reply after [`DONE`], or why the call is
/// rejected after [`REFUSED`]; null after a panic or without memory.
///
/// # Safety
/// `handle` is from `open` and used by no other thread, `argument` a `byte[]`.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeEdit_call(
    env: Env,
    _: Object,
    handle: i64,
    which: i32,
    argument: Object,
) -> Object {
    guarded_object(|| {
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
/// `handle` is from `open`, is used by no other thread, and is never used again.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeEdit_close(_: Env, _: Object, handle: i64) {
    // Nobody is left to report a panic to.
    let _ = guarded(|| {
        // SAFETY: by the caller's contract.
        drop(unsafe { Box::from_raw(handle as *mut Result<Editing, Failed>) });
        0
    });
}

/// Implements `quoted(text)`: returns text as a double-quoted scalar.
///
/// # Safety
/// `text` is a `byte[]`.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeEdit_quoted(
    env: Env,
    _: Object,
    text: Object,
) -> Object {
    guarded_object(|| {
        // SAFETY: by the caller's contract.
        let text = unsafe { env::bytes_of(env, text, 0, env::length(env, text), Vec::new()) };
        let Ok(text) = text else { return null_mut() };
        let mut out = String::new();
        source::push_text(&mut out, &String::from_utf8_lossy(&text));
        // SAFETY: by the caller's contract.
        unsafe { env::new_bytes(env, out.as_bytes()) }
    })
}

/// Implements `floating(value)`: returns a number of floating point as a scalar.
///
/// # Safety
/// `env` is the environment of this thread.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeEdit_floating(
    env: Env,
    _: Object,
    value: f64,
) -> Object {
    guarded_object(|| {
        let mut out = String::new();
        source::push_float(&mut out, value);
        // SAFETY: by the caller's contract.
        unsafe { env::new_bytes(env, out.as_bytes()) }
    })
}
