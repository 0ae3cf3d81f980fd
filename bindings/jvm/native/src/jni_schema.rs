//! The function that JRuby's extension calls for schemas of extprot, the native method of
//! `dev.ketch.NativeSchema`.

use crate::env::{self, Env, Object};
use crate::failure::schema_fields;
use crate::guard::guarded_object;
use ketch_extprot::codegen;
use ketch_host::{raised, reserve};
use std::ptr::null_mut;

/// The first byte of a result that contains the source of a Ruby module.
const SOURCE: u8 = 0;
/// The first byte of a result that contains the fields of an error.
const WRONG: u8 = 1;

/// The number of bytes that checking a schema may need in addition to its text.
const RESERVE_BYTES: usize = 1 << 20;

/// Implements `rubySource(name, text)`: returns [`SOURCE`] and the source of the Ruby module for a
/// schema, or [`WRONG`] and the fields of an error. If `text` is null, `name` is the name of the
/// schema file. Returns null if there is not enough memory.
///
/// # Safety
/// `name` must be a `byte[]`, and `text` a `byte[]` or null.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeSchema_rubySource(
    env: Env,
    _: Object,
    name: Object,
    text: Object,
) -> Object {
    guarded_object!(env, || {
        // SAFETY: by the caller's contract.
        let len = unsafe { env::length(env, text) };
        let Some(_reserve) = reserve::hold_for(RESERVE_BYTES + len as usize) else {
            return null_mut();
        };
        // SAFETY: by the caller's contract.
        let Some(name) = (unsafe { text_of(env, name) }) else { return null_mut() };
        let text = if text.is_null() {
            None
        } else {
            // SAFETY: by the caller's contract.
            let Some(text) = (unsafe { text_of(env, text) }) else { return null_mut() };
            Some(text)
        };
        let result = ruby_source(&name, text.as_deref());
        if reserve::was_needed() {
            return null_mut();
        }
        // SAFETY: by the caller's contract.
        unsafe { env::new_bytes(env, &result) }
    })
}

/// Returns the text in an array. Bytes that are not UTF-8 become U+FFFD. Returns `None` if there is
/// not enough memory.
///
/// # Safety
/// `env` must be the environment of this thread, and `array` a `byte[]`.
unsafe fn text_of(env: Env, array: Object) -> Option<String> {
    // SAFETY: by the caller's contract.
    let bytes = unsafe { env::bytes_of(env, array, 0, env::length(env, array), Vec::new()) };
    Some(String::from_utf8_lossy(&bytes.ok()?).into_owned())
}

/// Returns the result of `rubySource`.
fn ruby_source(name: &str, text: Option<&str>) -> Vec<u8> {
    match raised::schema_source(name, text, codegen::ruby_body) {
        Ok(source) => [&[SOURCE], source.as_bytes()].concat(),
        Err(wrong) => [vec![WRONG], schema_fields(&wrong)].concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_becomes_source_and_its_errors_become_fields() {
        let source = ruby_source("m.proto", Some("message m = { id : int }"));
        assert_eq!(source[0], SOURCE);
        assert!(String::from_utf8_lossy(&source[1..]).contains("M = message(\"m\", id: int"));
        let wrong = ruby_source("m.proto", Some("message m = { id : nothing }"));
        assert_eq!(wrong[0], WRONG);
        let fields = String::from_utf8_lossy(&wrong[1..]);
        assert!(fields.contains("m.proto:1:20") && fields.contains("nothing"), "{fields}");
    }
}
