//! The functions that Java calls to run programs in jq's language, `dev.ketch.NativeQuery`. After an
//! error, they return [`FAILED`](crate::jni::FAILED) or null, and the session has the error.

use crate::env::{self, Env, Object, Poller};
use crate::failure;
use crate::guard::{DEAD, guarded, guarded_object, guarded_or};
use crate::jni::{handle_of, no_memory, options};
use crate::options::LoadOptions;
use ketch_host::query::{Program, Settings};
use std::io::Cursor;
use std::ptr::null_mut;

/// Returns the bytes of an array.
///
/// # Safety
/// `env` must be the environment of this thread, and `array` a `byte[]`.
unsafe fn bytes(env: Env, array: Object) -> Option<Vec<u8>> {
    // SAFETY: by the caller's contract.
    unsafe { env::bytes_of(env, array, 0, env::length(env, array), Vec::new()) }.ok()
}

/// Returns the settings in `texts`, which alternate between names and values, and the options of reading. Returns
/// `None` if one of them is not valid.
fn settings(texts: &[u8], options: LoadOptions) -> Option<(Settings, LoadOptions)> {
    let mut settings = Settings::default();
    let texts = String::from_utf8_lossy(texts);
    for line in texts.lines() {
        let (name, value) = line.split_once('=')?;
        if !settings.set(name, value) {
            return None;
        }
    }
    let mut parser = options.parse;
    parser.interrupt = Some(env::poll);
    let settings = settings.reading(&parser, &options.compose, options.file.as_deref());
    Some((settings, options))
}

/// Implements `compile(session, texts)`: compiles a program, or messages. `texts` are `jq` or `messages`, the program's
/// variables, its modules and the program, with a zero between them. Returns its address.
///
/// # Safety
/// `session` must be from `Native.create` and must not be used by another thread, and `texts` must be a `byte[]`.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeQuery_compile(
    env: Env,
    _: Object,
    session: i64,
    texts: Object,
) -> i64 {
    guarded!(env, || {
        // SAFETY: by the caller's contract.
        let Some(texts) = (unsafe { bytes(env, texts) }) else { return no_memory() };
        let texts = String::from_utf8_lossy(&texts);
        let mut texts = texts.splitn(4, '\0');
        let mut next = || texts.next().unwrap_or_default();
        let is_messages = next() == "messages";
        let (variables, modules) = (next(), next());
        match Program::new(next(), variables, modules, is_messages) {
            Ok(program) => Box::into_raw(Box::new(program)) as i64,
            Err(trouble) => {
                // SAFETY: by the caller's contract.
                unsafe { handle_of(session) }.fail(failure::query_fields(trouble, None))
            }
        }
    })
}

/// Implements `free(program)`: frees a program.
///
/// # Safety
/// `program` must be from `compile`, and must not be used any more.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeQuery_free(env: Env, _: Object, program: i64) {
    guarded_or!(env, (), || {
        // SAFETY: by the caller's contract.
        drop(unsafe { Box::from_raw(program as *mut Program) });
    });
}

/// Implements `run(session, program, text, numbers, file, settings)`: starts a run, whose results `Native.next` returns.
///
/// # Safety
/// As for `compile`; `program` is from it, `text` and `settings` are `byte[]`, `numbers` is a `long[]`, and `file` a
/// `byte[]` or null.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeQuery_run(
    env: Env,
    _: Object,
    session: i64,
    program: i64,
    text: Object,
    numbers: Object,
    file: Object,
    settings: Object,
) -> i64 {
    guarded!(env, || {
        // SAFETY: by the caller's contract.
        let (program, given) =
            unsafe { (&*(program as *const Program), given(env, text, numbers, file, settings)) };
        let Some((text, settings, options)) = given else { return DEAD };
        let len = text.len();
        let run = program.run(Cursor::new(text), settings);
        // SAFETY: by the caller's contract.
        unsafe { handle_of(session) }.start_query(run, len, options)
    })
}

/// Implements `edit(session, program, text, numbers, file, settings, poller)`: returns the text that the program makes of
/// a text. An exception of Java may be pending.
///
/// # Safety
/// As for `run`, and `poller` is a `Runnable` or null.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeQuery_edit(
    env: Env,
    _: Object,
    session: i64,
    program: i64,
    text: Object,
    numbers: Object,
    file: Object,
    settings: Object,
    poller: Object,
) -> Object {
    guarded_object!(env, || {
        // SAFETY: by the caller's contract.
        let (program, given) =
            unsafe { (&*(program as *const Program), given(env, text, numbers, file, settings)) };
        // SAFETY: by the caller's contract.
        let session = unsafe { handle_of(session) };
        let Some((text, settings, options)) = given else {
            session.fail(Vec::new());
            return null_mut();
        };
        let edit = || program.edit(&String::from_utf8_lossy(&text), &settings);
        // SAFETY: by the caller's contract.
        match unsafe { env::polling(Poller { env, poller }, edit) } {
            // SAFETY: by the caller's contract.
            Ok(edit) => unsafe { env::new_bytes(env, edit.text().as_bytes()) },
            Err(trouble) => {
                session.fail(failure::query_fields(trouble, options.file.as_deref()));
                null_mut()
            }
        }
    })
}

/// Returns the text, the settings and the options that Java has passed, or `None` if they are not valid.
///
/// # Safety
/// As for `run`.
unsafe fn given(
    env: Env,
    text: Object,
    numbers: Object,
    file: Object,
    texts: Object,
) -> Option<(Vec<u8>, Settings, LoadOptions)> {
    // SAFETY: by the caller's contract.
    let (text, texts, options) =
        unsafe { (bytes(env, text)?, bytes(env, texts)?, options(env, numbers, file)?) };
    let (settings, options) = settings(&texts, options)?;
    Some((text, settings, options))
}
