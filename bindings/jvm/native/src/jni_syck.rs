//! The functions that JRuby's part calls for the dialect of Syck, `dev.ketch.NativeSyck`.

use crate::env::{self, Asker, Env, Object};
use crate::guard::guarded_object;
use crate::packed::put_int;
use crate::syck_write;
use crate::ypath::{Asked, Stop, put_matches};
use ketch_host::reserve;
use ketch_syck::ypath::YPath;
use ketch_yaml::present::PresentError;
use ketch_yaml::schema::Schema;
use std::ptr::null_mut;

/// The memory that a call may need beyond its arguments.
const RESERVE_BYTES: usize = 1 << 20;

/// Runs a function on the bytes of an array, and returns its result. Null without a result or
/// without memory.
///
/// # Safety
/// `env` is the environment of this thread, and `array` a `byte[]` of at least `len` bytes.
unsafe fn answer(
    env: Env,
    (array, len): (Object, i32),
    run: impl FnOnce(&[u8]) -> Option<Vec<u8>>,
) -> Object {
    guarded_object!(env, || {
        let space = RESERVE_BYTES + usize::try_from(len).unwrap_or(0);
        let Some(_reserve) = reserve::hold_for(space) else { return null_mut() };
        // SAFETY: by the caller's contract.
        let bytes = unsafe { env::bytes_of(env, array, 0, len, Vec::new()) };
        let result = bytes.ok().and_then(|bytes| run(&bytes));
        match result {
            _ if reserve::was_needed() => null_mut(),
            // SAFETY: by the caller's contract.
            Some(result) => unsafe { env::new_bytes(env, &result) },
            None => null_mut(),
        }
    })
}

/// Implements `tag(text)`: returns the tag that Syck gives to plain text, with its refinement.
///
/// # Safety
/// `text` is a `byte[]`.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeSyck_tag(
    env: Env,
    _: Object,
    text: Object,
) -> Object {
    // SAFETY: by the caller's contract.
    unsafe { answer(env, (text, env::length(env, text)), |text| Some(tag(text))) }
}

/// Returns the tag of plain text.
fn tag(text: &[u8]) -> Vec<u8> {
    let tag = Schema::Syck.resolve(text);
    match tag.refinement() {
        Some(refinement) => [tag.uri(), "#", refinement].concat().into_bytes(),
        None => tag.uri().into(),
    }
}

/// Implements `write(tokens, length, isIndented)`: returns 0 and a document, 1 and the message of an error
/// about a tag, or 2 and that of another error.
///
/// # Safety
/// `tokens` is a `byte[]` of at least that length.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeSyck_write(
    env: Env,
    _: Object,
    tokens: Object,
    len: i32,
    is_indented: u8,
) -> Object {
    // SAFETY: by the caller's contract.
    unsafe {
        answer(env, (tokens, len), |tokens| {
            let (kind, bytes) = match syck_write::document(tokens, is_indented != 0)? {
                Ok(text) => (0, text),
                Err(error @ PresentError::Tag(_)) => (1, error.to_string().into()),
                Err(error) => (2, error.to_string().into()),
            };
            Some([&[kind], &bytes[..]].concat())
        })
    }
}

/// Implements `search(path, tree, visits)`: returns 0 and the results, 1 and the offset and message of an
/// error in the path, or 2 if the search needs more visits. Java may have an exception pending.
///
/// # Safety
/// `path` is a `byte[]`, `tree` a `SyckSearch.Tree`.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeSyck_search(
    env: Env,
    class: Object,
    path: Object,
    tree: Object,
    visits: i64,
) -> Object {
    // SAFETY: by the caller's contract.
    unsafe {
        answer(env, (path, env::length(env, path)), |path| {
            let asked = Asked(Asker::new(env, class, tree)?);
            search(path, asked, u64::try_from(visits).unwrap_or(0))
        })
    }
}

/// Returns what `search` returns; `None` if Java does not answer.
fn search(path: &[u8], mut asked: Asked, visits: u64) -> Option<Vec<u8>> {
    let path = match String::from_utf8_lossy(path).parse::<YPath>() {
        Ok(path) => path,
        Err(error) => {
            let mut out = vec![1];
            put_int(&mut out, error.offset());
            out.extend_from_slice(error.to_string().as_bytes());
            return Some(out);
        }
    };
    match path.matches(&mut asked, 0, visits) {
        Ok(matches) => {
            let mut out = vec![0];
            put_matches(&mut out, &matches);
            Some(out)
        }
        Err(Stop::TooMany) => Some(vec![2]),
        Err(Stop::NoAnswer) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_has_its_refinement() {
        assert_eq!(tag(b"0x1f"), b"tag:yaml.org,2002:int#hex");
        assert_eq!(tag(b"x"), b"tag:yaml.org,2002:str");
    }
}
