//! Editing sessions, and what their views read.

use super::file::Origin;
use super::value;
use crate::errors::{self, Stop};
use crate::host;
use crate::interrupt;
use crate::load::{key_of, value_of};
use crate::memory;
use crate::options::LoadOptions;
use crate::panics;
use ketch_edit::Edit;
use ketch_host::edit::{Child, Reading, Refusal, Session, View};
use ketch_host::reserve::Held;
use ketch_yaml::path::Step;
use pyo3::exceptions::PyRuntimeError;
use pyo3::panic::PanicException;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyList};
use std::sync::{Mutex, MutexGuard, TryLockError};

/// An editing session on a text.
#[pyclass(frozen, module = "ketch._ketch")]
pub struct EditSession {
    state: Mutex<State>,
    /// The length of the text in bytes when the session was started.
    pub(super) size: usize,
    pub(super) options: LoadOptions,
}

pub(super) struct State {
    pub session: Session,
    /// The file from which the text was read, if it was a file.
    pub origin: Option<Origin>,
    /// Whether there are edits that have not been saved.
    pub is_dirty: bool,
    /// Whether this session has already replaced the file.
    pub was_saved: bool,
}

/// The factor by which more memory is reserved than for a load: the nodes that an operation on the
/// whole text needs take up to ten times the memory of the nodes for a load.
const NODES: usize = 10;

/// Reserves memory for an edit or a read in a text of `bytes` bytes.
pub(super) fn hold(bytes: usize) -> PyResult<Held> {
    interrupt::hold_memory(bytes.saturating_mul(NODES))
}

impl EditSession {
    /// Parses `bytes`, and starts a session with this text. `origin` is the file, if the text is
    /// that of a file.
    pub(super) fn start(
        py: Python<'_>,
        bytes: Vec<u8>,
        options: LoadOptions,
        origin: Option<Origin>,
    ) -> PyResult<EditSession> {
        let size = bytes.len();
        let _reserve = hold(size)?;
        interrupt::check(py)?;
        let file = options.filename.as_deref();
        let edit = Edit::from_bytes(bytes).map_err(|error| errors::edit(py, &error, file, 1))?;
        let edit = edit.of_file(file.unwrap_or_default());
        let mut session = Session::with_options(edit, options.parse, options.compose);
        // Counting the documents parses the text, and fails if it is not valid YAML.
        let count = session.document_count();
        count.map_err(|refusal| errors::refusal(py, refusal, &options))?;
        interrupt::check(py)?;
        let state = Mutex::new(State { session, origin, is_dirty: false, was_saved: false });
        Ok(EditSession { state, size, options })
    }

    /// Returns the state, or an exception if a call that is still running, of this thread or
    /// another one, is using it.
    pub(super) fn state(&self) -> PyResult<MutexGuard<'_, State>> {
        panics::panic_if_planted();
        match self.state.try_lock() {
            Ok(state) => Ok(state),
            // The text may be half edited.
            Err(TryLockError::Poisoned(_)) => Err(PanicException::new_err(
                "an earlier call has panicked, so this editing session is over: open the text again",
            )),
            Err(TryLockError::WouldBlock) => Err(PyRuntimeError::new_err(
                "another thread, or a call that is still running, is using the text",
            )),
        }
    }

    /// Returns the exception for a call that the session has refused.
    pub(super) fn refused(&self, py: Python<'_>, refusal: Refusal) -> PyErr {
        errors::refusal(py, refusal, &self.options)
    }

    /// Calls `call` with the session, and converts a refusal to an exception.
    pub(super) fn ask<T>(
        &self,
        py: Python<'_>,
        call: impl FnOnce(&mut Session) -> Result<T, Refusal>,
    ) -> PyResult<T> {
        let answer = call(&mut self.state()?.session);
        answer.map_err(|refusal| self.refused(py, refusal))
    }

    /// Returns `key`, a key or an index, as a step from `view`. If `view` is a sequence, a negative
    /// index counts from its end.
    pub(super) fn step(&self, view: View, key: &Bound<'_, PyAny>) -> PyResult<Step> {
        let step = value::step(key)?;
        self.ask(key.py(), |session| session.step(view, step))
    }

    /// Returns the step for the only key in `keys`, or `None` if `keys` is empty.
    pub(super) fn step_of(&self, view: View, keys: &Bound<'_, PyList>) -> PyResult<Option<Step>> {
        match keys.is_empty() {
            true => Ok(None),
            false => self.step(view, &keys.get_item(0)?).map(Some),
        }
    }

    /// Returns the value of a node in the form that it has as a key of a dict.
    pub(super) fn key<'py>(
        &self,
        py: Python<'py>,
        reading: &Reading,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut keys = memory::lease();
        let node = reading.node().id();
        key_of(py, reading.document(), node, &self.options, &mut keys)
            .map_err(|stop: Stop| stop.into_exception(py, &self.options))
    }

    /// Returns the value of a node.
    pub(super) fn value<'py>(
        &self,
        py: Python<'py>,
        reading: &Reading,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut keys = memory::lease();
        let node = reading.node().id();
        value_of(py, reading.document(), node, &self.options, &mut keys)
            .map_err(|stop: Stop| stop.into_exception(py, &self.options))
    }

    /// Converts a child of a view for Python: a collection to a tuple of whether it is a mapping
    /// and the number of its view, and a scalar to a tuple of `None` and its value. Returns `None`
    /// if there is no child.
    pub(super) fn answer<'py>(&self, py: Python<'py>, child: Child) -> PyResult<Bound<'py, PyAny>> {
        let number = |view: View| host::integer(py, i64::from(view.0));
        let kind = |is_mapping: bool| PyBool::new(py, is_mapping).to_owned().into_any();
        let (kind, found) = match child {
            Child::Missing => return Ok(py.None().into_bound(py)),
            Child::Mapping(view) => (kind(true), number(view)?),
            Child::Sequence(view) => (kind(false), number(view)?),
            Child::Scalar(reading) => (py.None().into_bound(py), self.value(py, &reading)?),
        };
        Ok(host::arguments(py, [kind, found])?.into_any())
    }

    /// Reads the node of a view or, if `keys` is not empty, the entry at the key that it contains.
    /// Returns `None` if there is no such node.
    pub(super) fn reading(
        &self,
        py: Python<'_>,
        view: u32,
        keys: &Bound<'_, PyList>,
    ) -> PyResult<Option<Reading>> {
        let _reserve = hold(self.size)?;
        let view = View(view);
        let step = self.step_of(view, keys)?;
        self.ask(py, |session| session.read(view, step))
    }
}
