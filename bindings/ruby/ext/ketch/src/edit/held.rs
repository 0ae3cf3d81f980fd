//! Editing sessions as Ruby objects.

use super::value;
use crate::charge::Charge;
use crate::failure;
use crate::interrupt::{self, no_memory};
use crate::load;
use crate::options::LoadOptions;
use ketch_edit::Edit;
use ketch_files::Stamp;
use ketch_host::edit::{Reading, Refusal, Session, View};
use ketch_host::reserve;
use ketch_yaml::path::Step;
use magnus::{Error, Ruby, TypedData, Value, typed_data::Obj};
use std::cell::{Cell, RefCell, RefMut};
use std::ops::{Deref, DerefMut};
use std::path::PathBuf;

/// The file from which a text was read, and the stamp that the file had then.
#[derive(Debug)]
pub struct Origin {
    pub path: PathBuf,
    pub stamp: Stamp,
}

/// The factor by which more memory is reserved than for a load: the nodes that an operation on the
/// whole text needs take up to ten times the memory of the nodes for a load.
const NODES: usize = 10;

fn hold(ruby: &Ruby, bytes: usize) -> Result<reserve::Held, Error> {
    reserve::hold_for(bytes.saturating_mul(NODES)).ok_or_else(|| no_memory(ruby))
}

/// An editing session as a Ruby object.
#[derive(Debug, TypedData)]
#[magnus(class = "Ketch::Edit", free_immediately, size)]
pub struct Held {
    session: RefCell<Session>,
    /// Whether a call has panicked while it was using the session.
    is_broken: Cell<bool>,
    pub options: LoadOptions,
    pub origin: Option<Origin>,
    _charge: Charge,
}

impl magnus::DataTypeFunctions for Held {
    fn size(&self) -> usize {
        let text = |session: std::cell::Ref<'_, Session>| session.edit().original().len();
        size_of::<Held>() + self.session.try_borrow().map_or(0, text)
    }
}

/// Parses `bytes`, and starts a session with this text. `origin` is the file, if the text is that
/// of a file.
pub fn held(
    ruby: &Ruby,
    bytes: Vec<u8>,
    options: LoadOptions,
    origin: Option<Origin>,
) -> Result<Obj<Held>, Error> {
    let _reserve = hold(ruby, bytes.len())?;
    let charge = Charge::of(bytes.len());
    interrupt::check()?;
    let file = options.filename.as_deref();
    let edit = Edit::from_bytes(bytes).map_err(|error| failure::edit(ruby, &error, file, 1))?;
    let edit = edit.of_file(file.unwrap_or_default());
    let session = Session::with_options(edit, options.parse, options.compose);
    let held = Held {
        session: RefCell::new(session),
        is_broken: Cell::new(false),
        options,
        origin,
        _charge: charge,
    };
    // Counting the documents parses the text, and fails if it is not valid YAML.
    held.session
        .borrow_mut()
        .document_count()
        .map_err(|refusal| failure::refusal(ruby, refusal, &held.options))?;
    interrupt::check()?;
    Ok(ruby.obj_wrap(held))
}

/// A session that a call is using. After a panic, the session may be in any state, so it is not
/// used again.
#[derive(Debug)]
pub struct Use<'h> {
    session: RefMut<'h, Session>,
    is_broken: &'h Cell<bool>,
}

impl Deref for Use<'_> {
    type Target = Session;

    fn deref(&self) -> &Session {
        &self.session
    }
}

impl DerefMut for Use<'_> {
    fn deref_mut(&mut self) -> &mut Session {
        &mut self.session
    }
}

impl Drop for Use<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.is_broken.set(true);
        }
    }
}

impl Held {
    /// Returns the session, or an exception if a call that is still running, of this thread or
    /// another one, is using it.
    pub fn session(&self, ruby: &Ruby) -> Result<Use<'_>, Error> {
        if self.is_broken.get() {
            return Err(failure::internal(ruby, "an earlier call on this text failed"));
        }
        let session = self.session.try_borrow_mut().map_err(|_| {
            let message = "another thread, or a call that is still running, is using the text";
            Error::new(ruby.exception_thread_error(), message)
        })?;
        Ok(Use { session, is_broken: &self.is_broken })
    }

    /// Prepares a reserve of memory for an edit, or for reading one entry. The memory is only taken
    /// once the nodes of the whole text are needed; the parser then checks for interrupts.
    pub fn reserve_late(&self, ruby: &Ruby) -> Result<reserve::Deferred, Error> {
        let bytes = self.session(ruby)?.edit().original().len();
        reserve::defer_for(bytes.saturating_mul(NODES)).ok_or_else(|| no_memory(ruby))
    }

    /// Reserves memory for a read that may need the nodes of the whole text.
    pub fn reserve(&self, ruby: &Ruby) -> Result<reserve::Held, Error> {
        let bytes = self.session(ruby)?.edit().original().len();
        hold(ruby, bytes)
    }

    pub fn refused(&self, ruby: &Ruby, refusal: Refusal) -> Error {
        failure::refusal(ruby, refusal, &self.options)
    }

    /// Returns `key`, a key or an index, as a step from `view`. If `view` is a sequence, a negative
    /// index counts from its end.
    pub fn step(&self, ruby: &Ruby, view: View, key: Value) -> Result<Step, Error> {
        let step = value::step(ruby, key)?;
        let step = self.session(ruby)?.step(view, step);
        step.map_err(|refusal| self.refused(ruby, refusal))
    }

    pub fn value(&self, ruby: &Ruby, reading: &Reading) -> Result<Value, Error> {
        load::value_of(ruby, reading.document(), reading.node(), &self.options)
    }
}
