//! Replaces files, for `Ketch::Store`.

use crate::panics;
use crate::ruby;
use ketch_files::{Error as Failure, Options, Replacement};
use magnus::{Error, RString, Ruby, Value, prelude::*};
use std::ffi::c_void;
use std::io::{self, Write};
use std::path::Path;

/// Implements `Ketch.replace_file(path, name, content)`: replaces the file at `path` by way of a
/// temporary file called `name` in the same folder. The caller holds a lock on the file. Returns
/// nil, or the reason why the file is left as it is, such as metadata that could not be restored.
/// Raises a `SystemCallError` if a system call fails.
///
/// Other threads can run while the content is written and synced. The rest runs with the GVL held,
/// so that a fork does not copy a lock that another thread holds.
pub fn replace_file(
    ruby: &Ruby,
    path: RString,
    name: String,
    content: RString,
) -> Result<Value, Error> {
    let content = RString::new_frozen(content);
    // SAFETY: the bytes are copied immediately.
    let path = unsafe { path.as_slice() }.to_vec();
    let path = path_of(&path);
    let result = replace(path, name, content);
    match result {
        Ok(()) => Ok(ruby.qnil().as_value()),
        Err(Stop::Ruby(error)) => Err(error),
        Err(Stop::Files(Failure::Io(error) | Failure::Folder(error))) => {
            Err(system_error(ruby, &error, path))
        }
        Err(Stop::Files(refused)) => {
            let message = format!("{} is left as it is: {refused}", path.display());
            Ok(ruby.str_new(&message).as_value())
        }
    }
}

enum Stop {
    Files(Failure),
    Ruby(Error),
}

impl From<Failure> for Stop {
    fn from(error: Failure) -> Stop {
        Stop::Files(error)
    }
}

/// Replaces the file at `path`. The content is written without the GVL.
fn replace(path: &Path, name: String, content: RString) -> Result<(), Stop> {
    let options = Options::default().with_temporary_name(name);
    let mut replacement = Replacement::open(path, &options)?;
    // SAFETY: the string is frozen, and is kept alive until `black_box` below.
    let bytes = unsafe { content.as_slice() };
    let mut written = Ok(());
    let mut write = || written = replacement.write_all(bytes).and_then(|()| replacement.sync());
    without_gvl(&mut write).map_err(Stop::Ruby)?;
    written.map_err(Failure::Io)?;
    std::hint::black_box(&content);
    replacement.commit()?;
    Ok(())
}

/// Runs `body`, which must not use Ruby, while other Ruby threads can run. Fails if Ruby raises
/// afterwards, for example because of an interrupt or a timeout.
pub fn without_gvl(body: &mut dyn FnMut()) -> Result<(), Error> {
    /// Calls the closure that `body` points to, which does not panic.
    unsafe extern "C" fn call(body: *mut c_void) -> *mut c_void {
        // SAFETY: it points to the `guarded` below, which lives until the call returns.
        let body = unsafe { &mut *body.cast::<&mut dyn FnMut()>() };
        body();
        std::ptr::null_mut()
    }
    let mut panic = None;
    let mut guarded: &mut dyn FnMut() = &mut || panic = panics::caught(&mut *body).err();
    let pointer = (&raw mut guarded).cast();
    let result = ruby::protect(|| {
        // SAFETY: `call` expects a pointer to such a closure. Since there is no function that could
        // unblock the call, it always runs to its end.
        unsafe {
            rb_sys::rb_thread_call_without_gvl(Some(call), pointer, None, std::ptr::null_mut());
        }
        ruby::NIL
    });
    panics::resume(panic);
    result.map(|_| ())
}

/// Returns the `SystemCallError` for an error of the operating system, with `path` in its message.
pub fn system_error(ruby: &Ruby, error: &io::Error, path: &Path) -> Error {
    let message = path.display().to_string();
    let class = ruby.exception_system_call_error();
    match class.new_instance((message.as_str(), error.raw_os_error())) {
        Ok(exception) => exception.into(),
        Err(error) => error,
    }
}

/// Returns the path that consists of `bytes`.
#[cfg(unix)]
pub fn path_of(bytes: &[u8]) -> &Path {
    use std::os::unix::ffi::OsStrExt;
    Path::new(std::ffi::OsStr::from_bytes(bytes))
}

/// Returns the path that consists of `bytes`, which must be UTF-8.
#[cfg(not(unix))]
pub fn path_of(bytes: &[u8]) -> &Path {
    Path::new(std::str::from_utf8(bytes).unwrap_or_default())
}
