//! The methods that `ketch._edit` and `ketch._views` call.

use super::session::{EditSession, State, hold};
use super::{file, operations};
use crate::facts::text;
use crate::host;
use crate::options::LoadOptions;
use crate::source::Source;
use ketch_edit::{patches_to_lsp, unified_diff};
use ketch_host::edit::{Child, Session, View};
use ketch_host::nodes;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::path::PathBuf;

fn none(py: Python<'_>) -> Bound<'_, PyAny> {
    py.None().into_bound(py)
}

#[pymethods]
impl EditSession {
    #[new]
    #[pyo3(signature = (data, /, **options), text_signature = "(data, /, *, schema='core', duplicate_keys='error', merge=None, lenient=False, final_break=True, filename=None, max_depth=None, max_alias_nodes=None, max_nodes=None, max_tag_bytes=None, max_tag_handles=None, max_implicit_key_chars=None, max_scalar_bytes=None, max_buffer_bytes=None)")]
    fn new(data: &Bound<'_, PyAny>, options: Option<&Bound<'_, PyDict>>) -> PyResult<EditSession> {
        let options = LoadOptions::from_keywords(options)?;
        let source = Source::of_yaml(data, &options)?;
        let bytes = source.bytes().to_vec();
        drop(source);
        EditSession::start(data.py(), bytes, options, None)
    }

    /// Starts a session with the content of the file at `path`.
    #[staticmethod]
    #[pyo3(signature = (path, /, **options), text_signature = "(path, /, *, schema='core', duplicate_keys='error', merge=None, lenient=False, final_break=True, filename=None, max_depth=None, max_alias_nodes=None, max_nodes=None, max_tag_bytes=None, max_tag_handles=None, max_implicit_key_chars=None, max_scalar_bytes=None, max_buffer_bytes=None)")]
    fn of_file(
        py: Python<'_>,
        path: PathBuf,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<EditSession> {
        let options = LoadOptions::from_keywords(options)?;
        let (content, origin) = file::read(py, path)?;
        EditSession::start(py, content, options, Some(origin))
    }

    /// Returns whether the text was read from a file.
    fn is_file(&self) -> PyResult<bool> {
        Ok(self.state()?.origin.is_some())
    }

    /// Replaces the file if there are edits that have not been saved, and returns whether there
    /// were such edits.
    #[pyo3(signature = (write_through, /))]
    fn save(&self, py: Python<'_>, write_through: bool) -> PyResult<bool> {
        let mut state = self.state()?;
        let State { session, origin, is_dirty, was_saved } = &mut *state;
        let Some(origin) = origin else {
            let message = "the text is not from a file: use ketch.edit";
            return Err(PyOSError::new_err(message));
        };
        if !*is_dirty || !*was_saved && !session.edit().is_changed() {
            return Ok(false);
        }
        origin.save(py, session.edit(), write_through)?;
        (*is_dirty, *was_saved) = (false, true);
        Ok(true)
    }

    /// Returns the number of documents.
    fn document_count<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        host::integer(py, self.ask(py, Session::document_count)? as i64)
    }

    /// Returns the text with all edits.
    fn text<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let state = self.state()?;
        host::string(py, state.session.edit().text().as_bytes(), false)
    }

    /// Returns the text before all edits.
    fn original<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        host::string(py, self.state()?.session.edit().original().as_bytes(), false)
    }

    /// Returns the text with all edits, in the encoding that the original bytes have.
    fn bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let _reserve = hold(self.size)?;
        host::bytes(py, &self.state()?.session.edit().to_bytes())
    }

    /// Returns whether the text differs from the original.
    fn is_changed(&self) -> PyResult<bool> {
        Ok(self.state()?.session.edit().is_changed())
    }

    /// Returns a list of the patches or, if `inverse` is true, of the patches that undo them. Each
    /// is a tuple of its start, its end and its new text.
    fn patches<'py>(&self, py: Python<'py>, inverse: bool) -> PyResult<Bound<'py, PyAny>> {
        let state = self.state()?;
        let edit = state.session.edit();
        let patches = if inverse { edit.inverse() } else { edit.patches() };
        let mut list = Vec::with_capacity(patches.len());
        for patch in patches {
            let (start, end) = (patch.at.start as i64, patch.at.end as i64);
            let new = host::string(py, patch.new.as_bytes(), false)?;
            let parts = [host::integer(py, start)?, host::integer(py, end)?, new];
            list.push(host::arguments(py, parts)?.into_any());
        }
        host::list(py, &mut list, 0)
    }

    /// Returns the changes as a list of text edits of the Language Server Protocol, in JSON.
    fn lsp<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let state = self.state()?;
        let edit = state.session.edit();
        text(py, Some(&patches_to_lsp(edit.original(), &edit.patches())))
    }

    /// Returns the changes as a unified diff. `old` and `new` are the names of the files in it.
    fn diff<'py>(&self, py: Python<'py>, old: &str, new: &str) -> PyResult<Bound<'py, PyAny>> {
        let state = self.state()?;
        let edit = state.session.edit();
        text(py, Some(&unified_diff(edit.original(), &edit.patches(), old, new)))
    }

    /// Returns the number of the view of a document's root.
    fn root<'py>(&self, py: Python<'py>, doc: usize) -> PyResult<Bound<'py, PyAny>> {
        host::integer(py, i64::from(self.state()?.session.root(doc).0))
    }

    /// Returns the entry of a view at `key` (see `answer`), or `None` if there is none.
    fn child<'py>(&self, view: u32, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let _reserve = hold(self.size)?;
        let view = View(view);
        let step = self.step(view, key)?;
        let child = self.ask(key.py(), |session| session.child(view, step))?;
        self.answer(key.py(), child)
    }

    /// Returns the kind of a view's node, or `None` if the view has no node.
    fn kind<'py>(&self, py: Python<'py>, view: u32) -> PyResult<Bound<'py, PyAny>> {
        let _reserve = hold(self.size)?;
        let kind = match self.ask(py, |session| session.look(View(view)))? {
            Child::Missing => None,
            Child::Mapping(_) => Some("mapping"),
            Child::Sequence(_) => Some("sequence"),
            Child::Scalar(_) => Some("scalar"),
        };
        text(py, kind)
    }

    /// Returns the number of entries of a view.
    fn count<'py>(&self, py: Python<'py>, view: u32) -> PyResult<Bound<'py, PyAny>> {
        let _reserve = hold(self.size)?;
        host::integer(py, self.ask(py, |session| session.count(View(view)))? as i64)
    }

    /// Returns the value of a view or, if `keys` is not empty, of the entry at the key that it
    /// contains.
    fn read<'py>(
        &self,
        py: Python<'py>,
        view: u32,
        keys: &Bound<'py, PyList>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        match self.reading(py, view, keys)? {
            Some(reading) => self.value(py, &reading).map(Some),
            None => Ok(None),
        }
    }

    /// Returns a list with a tuple for each entry of a view: the key (`None` in a sequence) and the
    /// entry.
    fn entries<'py>(&self, py: Python<'py>, view: u32) -> PyResult<Bound<'py, PyAny>> {
        let _reserve = hold(self.size)?;
        let entries = self.ask(py, |session| session.entries(View(view)))?;
        let mut list = Vec::with_capacity(entries.len());
        for (key, child) in entries {
            let key = key.map_or_else(|| Ok(none(py)), |key| self.key(py, &key))?;
            let entry = host::arguments(py, [key, self.answer(py, child)?])?;
            list.push(entry.into_any());
        }
        host::list(py, &mut list, 0)
    }

    /// Returns the path of a view as text.
    fn path<'py>(&self, py: Python<'py>, view: u32) -> PyResult<Bound<'py, PyAny>> {
        let path = self.ask(py, |session| session.place(View(view)))?.path();
        text(py, Some(&path.to_string()))
    }

    /// Returns the kind, style, tag and anchor of a view's node or, if `keys` is not empty, of the
    /// entry at the key that it contains. An alias is described as an alias.
    fn facts<'py>(
        &self,
        py: Python<'py>,
        view: u32,
        keys: &Bound<'py, PyList>,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(reading) = self.reading(py, view, keys)? else { return Ok(None) };
        let facts = host::new_dict(py)?.cast_into::<PyDict>()?;
        for (name, fact) in nodes::facts(reading.written()) {
            facts.set_item(text(py, Some(name))?, text(py, fact)?)?;
        }
        Ok(Some(facts))
    }

    /// Returns the comments before and after an entry or, if `keys` is empty, those of the view
    /// itself.
    fn comments<'py>(
        &self,
        py: Python<'py>,
        view: u32,
        keys: &Bound<'py, PyList>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let _reserve = hold(self.size)?;
        let view = View(view);
        let step = self.step_of(view, keys)?;
        let comments = self.ask(py, |session| session.comments(view, step))?;
        let both = [comments.leading, comments.trailing];
        let [leading, trailing] = both.map(|comment| text(py, comment.as_deref()));
        Ok(host::arguments(py, [leading?, trailing?])?.into_any())
    }

    /// Applies all of the operations, or none if one fails. Each consists of its name, the number
    /// of a view, the keys that lead from the view to the node, and its fields.
    fn operate(&self, list: &Bound<'_, PyList>) -> PyResult<()> {
        operations::operate(self, list)
    }

    /// Applies operations that are given as values, or as a text in YAML or JSON.
    fn operate_data(&self, data: &Bound<'_, PyAny>) -> PyResult<()> {
        operations::operate_data(self, data)
    }
}
