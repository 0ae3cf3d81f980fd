//! The function that JRuby's extension calls to replace a file, the native method of
//! `dev.ketch.NativeFiles`.

use crate::env::{self, Env, Object};
use crate::guard::guarded_object;
use crate::jni_dump::path_of;
use ketch_files::{Error, Options, Replacement};
use ketch_host::reserve;
use std::io::Write;
use std::path::Path;
use std::ptr::null_mut;

/// The first byte of a result that contains the number of a system error (four bytes, big-endian).
const SYSTEM: u8 = 0;
/// The first byte of a result that contains the reason why the file was left unchanged.
const REFUSED: u8 = 1;

/// The number of bytes that replacing a file may need in addition to its content.
const RESERVE_BYTES: usize = 1 << 16;

/// Implements `replace(path, name, content)`: replaces the file at `path` by way of a temporary
/// file called `name` in the same folder. The caller holds a lock on the file. Returns an empty
/// array, or an error; null if there is not enough memory.
///
/// # Safety
/// All three arguments must be `byte[]`s.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_dev_ketch_NativeFiles_replace(
    env: Env,
    _: Object,
    path: Object,
    name: Object,
    content: Object,
) -> Object {
    guarded_object!(env, || {
        // SAFETY: by the caller's contract.
        let len = unsafe { env::length(env, content) };
        let Some(_reserve) = reserve::hold_for(RESERVE_BYTES + len as usize) else {
            return null_mut();
        };
        // SAFETY: by the caller's contract.
        let bytes =
            |array| unsafe { env::bytes_of(env, array, 0, env::length(env, array), Vec::new()) };
        let (Ok(path), Ok(name), Ok(content)) = (bytes(path), bytes(name), bytes(content)) else {
            return null_mut();
        };
        let name = String::from_utf8_lossy(&name).into_owned();
        let result = match replace(&path_of(path), name, &content) {
            Ok(()) => Vec::new(),
            Err(error) => packed(&error),
        };
        // SAFETY: by the caller's contract.
        unsafe { env::new_bytes(env, &result) }
    })
}

/// Replaces the file at `path`.
fn replace(path: &Path, name: String, content: &[u8]) -> Result<(), Error> {
    let options = Options::default().with_temporary_name(name);
    let mut replacement = Replacement::open(path, &options)?;
    replacement.write_all(content).and_then(|()| replacement.sync()).map_err(Error::Io)?;
    replacement.commit().map(drop)
}

/// Returns an error in the form in which `replace` returns it to Java.
fn packed(error: &Error) -> Vec<u8> {
    match error {
        Error::Io(system) | Error::Folder(system) if system.raw_os_error().is_some() => {
            let number = system.raw_os_error().unwrap_or(0);
            [&[SYSTEM], &number.to_be_bytes()[..]].concat()
        }
        refused => [&[REFUSED], refused.to_string().as_bytes()].concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_error_has_its_number() {
        let path = Path::new("/nowhere/table");
        let error = replace(path, ".ketch-table.new".into(), b"").unwrap_err();
        assert_eq!(packed(&error), [SYSTEM, 0, 0, 0, 2]);
        assert_eq!(packed(&Error::HardLinks(2))[..8], *b"\x01it has ");
    }
}
