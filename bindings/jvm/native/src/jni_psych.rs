//! The functions that JRuby's extension calls for Psych's interface, the native methods of
//! `dev.ketch.NativePsych`.

use crate::env::{self, Env, Object};
use crate::guard::{DEAD, guarded, guarded_object};
use ketch_host::breaks::{self, Converted};
use ketch_host::psych::{Meaning, meaning};
use ketch_yaml::Options;
use std::ptr::null_mut;

/// Implements `scan(text, isStrict, out)`: returns the kind of a plain scalar's value, and copies
/// to `out` the value or, for a symbol, the offset and the length of its name in the text.
/// `Psych.java` has the same kinds.
///
/// # Safety
/// `text` must be a `byte[]`, and `out` a `long[]` with two elements.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativePsych_scan(
    env: Env,
    _: Object,
    text: Object,
    is_strict: u8,
    out: Object,
) -> i64 {
    guarded!(env, || {
        // SAFETY: by the caller's contract.
        let text = unsafe { env::bytes_of(env, text, 0, env::length(env, text), Vec::new()) };
        let Ok(text) = text else { return DEAD };
        let (kind, numbers) = match meaning(&text, is_strict != 0) {
            Meaning::Null => (0, [0, 0]),
            Meaning::Bool(value) => (1, [value.into(), 0]),
            Meaning::Int(value) => (2, [value, 0]),
            Meaning::Float(value) => (3, [value.to_bits() as i64, 0]),
            Meaning::Symbol(name) => {
                let start = name.as_ptr() as usize - text.as_ptr() as usize;
                (4, [start as i64, name.len() as i64])
            }
            Meaning::Str => (5, [0, 0]),
            Meaning::Rare => (6, [0, 0]),
        };
        // SAFETY: by the caller's contract.
        unsafe { env::copy_longs(env, &numbers, out) };
        kind
    })
}

/// Implements `breaks(text)`: returns the text with only the line breaks of YAML 1.2, or null if it
/// contains no others. The result consists of the length of the text and the text, followed by the
/// start, the length and the content of each scalar that spans a separator. A number takes four
/// bytes, big-endian.
///
/// # Safety
/// `text` must be a `byte[]`.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativePsych_breaks(
    env: Env,
    _: Object,
    text: Object,
) -> Object {
    guarded_object!(env, || {
        // SAFETY: by the caller's contract.
        let text = unsafe { env::bytes_of(env, text, 0, env::length(env, text), Vec::new()) };
        let converted = text.ok().and_then(|text| breaks::convert(&text, &Options::default()).ok());
        match converted.flatten() {
            // SAFETY: by the caller's contract.
            Some(converted) => unsafe { env::new_bytes(env, &packed(&converted)) },
            None => null_mut(),
        }
    })
}

/// Returns a converted text in the form that `breaks` returns.
fn packed(converted: &Converted) -> Vec<u8> {
    let mut out = Vec::new();
    let mut part = |bytes: &[u8], start: Option<usize>| {
        for number in start.into_iter().chain([bytes.len()]) {
            out.extend_from_slice(&u32::try_from(number).unwrap_or(u32::MAX).to_be_bytes());
        }
        out.extend_from_slice(bytes);
    };
    part(&converted.text, None);
    for scalar in &converted.kept {
        part(&scalar.content, Some(scalar.start));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unicode_separators_are_part_of_the_content() {
        let converted = breaks::convert("\"a\u{2028}b\"".as_bytes(), &Options::default());
        let out = packed(&converted.unwrap().unwrap());
        assert_eq!(out[..9], [0, 0, 0, 5, b'"', b'a', b'\n', b'b', b'"']);
        assert_eq!(out[9..17], [0, 0, 0, 0, 0, 0, 0, 5]);
        assert_eq!(&out[17..], "a\u{2028}b".as_bytes());
    }
}
