//! Editing sessions for files.

use super::held::{Held, Origin, held};
use crate::files::{path_of, system_error, without_gvl};
use crate::options::LoadOptions;
use ketch_files::{Error as Failure, Options, Replacement};
use magnus::{Error, ExceptionClass, Module, RHash, RString, Ruby, prelude::*, typed_data::Obj};
use std::io::Write;

/// Implements `Ketch::Edit.of_file(path, options)`: reads the file, and starts an editing session.
pub fn of_file(ruby: &Ruby, path: RString, options: RHash) -> Result<Obj<Held>, Error> {
    // SAFETY: the bytes are copied immediately.
    let bytes = unsafe { path.as_slice() }.to_vec();
    let path = path_of(&bytes).to_owned();
    let failed = |error: std::io::Error| system_error(ruby, &error, &path);
    let Some((content, stamp)) = ketch_files::read(&path).map_err(failed)? else {
        let message = format!("{} is not a regular file", path.display());
        return Err(Error::new(ruby.exception_arg_error(), message));
    };
    let options = LoadOptions::of_hash(ruby, options)?;
    let origin = Origin { path, stamp };
    held(ruby, content, options, Some(origin))
}

/// Implements `replace_file(write_through)`: replaces the file if the text has changed, and returns
/// whether it has. While the content is written and synced, other threads can run.
pub fn save(ruby: &Ruby, held: &Held, write_through: bool) -> Result<bool, Error> {
    let Some(origin) = &held.origin else {
        let message = "the text is not from a file: use Ketch.edit_file";
        return Err(Error::new(ruby.exception_io_error(), message));
    };
    let session = held.session(ruby)?;
    if !session.edit().is_changed() {
        return Ok(false);
    }
    let options =
        Options::default().with_write_through(write_through).with_stamp(Some(origin.stamp.clone()));
    let failed = |error: Failure| refused(ruby, error, origin);
    let mut replacement = Replacement::open(&origin.path, &options).map_err(failed)?;
    let mut written = Ok(());
    let mut write = || {
        let mut out = std::io::BufWriter::new(&mut replacement);
        written = session.edit().write_to(&mut out).and_then(|()| out.flush());
        drop(out);
        if written.is_ok() {
            written = replacement.sync();
        }
    };
    without_gvl(&mut write)?;
    written.map_err(|error| failed(Failure::Io(error)))?;
    replacement.commit().map_err(failed)?;
    Ok(true)
}

/// Returns the exception that explains why the file of `origin` could not be replaced.
fn refused(ruby: &Ruby, error: Failure, origin: &Origin) -> Error {
    let (name, message) = match error {
        Failure::Io(error) | Failure::Folder(error) => {
            return system_error(ruby, &error, &origin.path);
        }
        Failure::Changed => {
            let help = "Edit it again: nothing was written.";
            ("file_changed", format!("it has changed since it was read\n{help}"))
        }
        other => {
            let help = "`write_through: true` writes into the file in place.";
            ("not_replaced", format!("it is left as it is: {other}\n{help}"))
        }
    };
    let message = format!("{}: {message}", origin.path.display());
    let made = || -> Result<magnus::Exception, Error> {
        let facts = ruby.hash_new();
        facts.aset(ruby.to_symbol("file"), origin.path.display().to_string())?;
        facts.aset(ruby.to_symbol("name"), ruby.to_symbol(name))?;
        let class: ExceptionClass = ruby.define_module("Ketch")?.const_get("FileError")?;
        class.new_instance((message, facts))
    };
    made().map_or_else(|failure| failure, Error::from)
}
