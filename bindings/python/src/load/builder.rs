//! Creates the objects of a load from events, on a stack.

use super::plain::{self, Meaning};
use super::scalar;
use super::subtree::Subtrees;
use crate::errors::{self, Stop};
use crate::host;
use crate::keys::Keys;
use crate::options::LoadOptions;
use crate::origin::Origin;
use crate::source::Source;
use ketch_bytes::utf8::is_ascii;
use ketch_host::load::{Complex, Make, Tag};
use ketch_yaml::schema::Scalar;
use ketch_yaml::{Chunk, Event};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyTuple};

/// Creates the values of a stream, one document after another.
pub struct Builder<'py, 'k> {
    pub py: Python<'py>,
    pub stack: Vec<Bound<'py, PyAny>>,
    /// The values of anchors, by the anchors' numbers; `None` while a value is incomplete.
    anchored: Vec<Option<Bound<'py, PyAny>>>,
    pub keys: &'k mut Keys,
    pub options: &'k LoadOptions,
    /// The string from which the text was encoded, if there is one.
    origin: Option<Origin<'k>>,
    /// Whether the whole text is ASCII. Scalars may still contain other characters, as escapes.
    is_ascii: bool,
    pyyaml: bool,
    /// The nodes whose tags have a constructor, if some tags have one.
    subtrees: &'k mut Option<Subtrees<'py>>,
}

/// The result of adding something to a builder.
pub type Step = Result<(), Stop>;

impl<'py, 'k> Builder<'py, 'k> {
    /// Creates a builder that uses the given memory for keys and for values.
    #[inline(always)]
    pub fn new(
        py: Python<'py>,
        source: &'k Source<'_>,
        options: &'k LoadOptions,
        (keys, stack): (&'k mut Keys, Vec<Bound<'py, PyAny>>),
        subtrees: &'k mut Option<Subtrees<'py>>,
    ) -> Builder<'py, 'k> {
        let (origin, is_ascii) = (source.origin(), source.is_ascii());
        let (anchored, pyyaml) = (Vec::new(), options.pyyaml);
        Builder { py, stack, anchored, keys, options, origin, is_ascii, pyyaml, subtrees }
    }

    /// Creates a builder for the nodes of a document.
    pub fn of_document(
        py: Python<'py>,
        options: &'k LoadOptions,
        keys: &'k mut Keys,
        subtrees: &'k mut Option<Subtrees<'py>>,
    ) -> Builder<'py, 'k> {
        let (stack, anchored) = (Vec::new(), Vec::new());
        let (origin, is_ascii, pyyaml) = (None, false, options.pyyaml);
        Builder { py, stack, anchored, keys, options, origin, is_ascii, pyyaml, subtrees }
    }

    #[inline(always)]
    fn push(&mut self, value: PyResult<Bound<'py, PyAny>>) -> Step {
        self.stack.push(value?);
        Ok(())
    }

    /// Returns the string that contains `text`.
    #[inline(always)]
    fn string(&mut self, text: &[u8]) -> PyResult<Bound<'py, PyAny>> {
        if is_ascii(text) {
            return host::string(self.py, text, true);
        }
        if let Some(origin) = &mut self.origin
            && let Some(string) = origin.string(self.py, text)
        {
            return string;
        }
        host::string(self.py, text, false)
    }

    /// Returns the subtrees in the collection whose values start at `start`, which is about to end.
    #[inline(always)]
    fn subtrees_in(
        &mut self,
        start: usize,
        is_mapping: bool,
    ) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        match self.subtrees {
            Some(subtrees) => subtrees.keys_in(&self.stack, start, is_mapping),
            None => Ok(Vec::new()),
        }
    }

    /// Pushes a collection, and records which of its values are subtrees.
    #[inline(always)]
    fn finish(&mut self, collection: Bound<'py, PyAny>, keys: Vec<Bound<'py, PyTuple>>) -> Step {
        if let Some(subtrees) = self.subtrees {
            subtrees.place(&collection, keys)?;
        }
        self.push(Ok(collection))
    }
}

impl<'py> Make for Builder<'py, '_> {
    type Error = Stop;

    #[inline(always)]
    fn count(&self) -> usize {
        self.stack.len()
    }

    #[inline(always)]
    fn null(&mut self) {
        self.stack.push(self.py.None().into_bound(self.py));
    }

    #[inline(always)]
    fn boolean(&mut self, value: bool) {
        self.stack.push(PyBool::new(self.py, value).to_owned().into_any());
    }

    #[inline(always)]
    fn integer(&mut self, value: i64) -> Step {
        self.push(host::integer(self.py, value))
    }

    #[inline(always)]
    fn float(&mut self, value: f64) -> Step {
        self.push(host::float(self.py, value))
    }

    fn digits(&mut self, text: &str, is_integer: bool) -> Step {
        let class = match is_integer {
            true => self.py.get_type::<PyInt>().into_any(),
            false => self.py.import("decimal")?.getattr("Decimal")?,
        };
        self.push(class.call1((text,)))
    }

    #[inline(always)]
    fn text(&mut self, text: &[u8], is_verbatim: bool) -> Step {
        let string = match is_verbatim && self.is_ascii {
            true => host::string(self.py, text, true),
            false => self.string(text),
        };
        self.push(string)
    }

    #[inline(always)]
    fn key(&mut self, text: &[u8], is_verbatim: bool) -> Step {
        let key = self.keys.string(self.py, text, is_verbatim && self.is_ascii);
        self.push(key)
    }

    /// Python may not be able to represent the value. Then the composer determines the location for
    /// the error.
    fn rare(&mut self, scalar: Scalar<'_, &[u8]>) -> Step {
        match scalar::value(self.py, &scalar) {
            Ok(Some(value)) => self.push(Ok(value)),
            _ => Err(Stop::Complex),
        }
    }

    #[inline(always)]
    fn sequence(&mut self, start: usize) -> Step {
        let keys = self.subtrees_in(start, false)?;
        let list = host::list(self.py, &mut self.stack, start)?;
        self.finish(list, keys)
    }

    /// If keys are equal, so that the dict has fewer pairs, fails (except with PyYAML's rules), since
    /// the composer handles duplicate keys.
    #[inline(always)]
    fn mapping(&mut self, start: usize, _: bool) -> Step {
        let keys = self.subtrees_in(start, true)?;
        let pairs = (self.stack.len() - start) / 2;
        let dict = host::new_dict(self.py)?;
        match host::fill_dict(&dict, &mut self.stack, start)? == pairs || self.pyyaml {
            true => self.finish(dict, keys),
            false => Err(Stop::Complex),
        }
    }

    fn tag(&mut self, tag: &str) -> Step {
        let tag = self.keys.string(self.py, tag.as_bytes(), false);
        self.push(tag)
    }

    #[cold]
    fn wrap(&mut self) -> Step {
        if let (Some(value), Some(tag)) = (self.stack.pop(), self.stack.pop()) {
            self.stack.push(errors::tagged(&tag, &value)?);
        }
        Ok(())
    }

    fn anchor(&mut self) -> u32 {
        self.anchored.push(None);
        self.anchored.len() as u32 - 1
    }

    #[cold]
    fn define(&mut self, anchor: u32) {
        if let Some(value) = self.anchored.get_mut(anchor as usize) {
            *value = self.stack.last().cloned();
        }
    }

    fn alias(&mut self, anchor: u32, _: bool) -> Step {
        match self.anchored.get(anchor as usize) {
            Some(Some(value)) => {
                self.stack.push(value.clone());
                Ok(())
            }
            _ => Err(Stop::Complex),
        }
    }

    /// In PyYAML, a duplicate anchor is an error.
    fn may_anchor(&self, _: bool, is_known: bool) -> bool {
        !(is_known && self.pyyaml)
    }

    #[inline(always)]
    fn is_dialect(&self) -> bool {
        self.pyyaml
    }

    #[inline(always)]
    fn plain_of_dialect(&mut self, text: &[u8], is_verbatim: bool) -> Result<bool, Stop> {
        match plain::meaning(text) {
            Meaning::Str => return Ok(false),
            Meaning::Null => self.null(),
            Meaning::Bool(value) => self.boolean(value),
            Meaning::Int(value) => self.integer(value)?,
            Meaning::Float(value) => self.float(value)?,
            Meaning::Merge => return Err(Stop::Complex),
            // If Python cannot represent the value, the composer determines the location for the
            // error.
            Meaning::Rare => {
                let text = host::string(self.py, text, is_verbatim && self.is_ascii)?;
                self.push(Ok(plain::rare(&text).map_err(|_| Stop::Complex)?))?;
            }
        }
        Ok(true)
    }

    fn tag_of_dialect(&self, tag: &str) -> Result<Tag, Complex> {
        if tag == "!" { Ok(Tag::AsPlain) } else { Err(Complex) }
    }

    fn takes(&mut self, chunk: &Chunk<'_, '_>, event: &Event, tag: &str) -> Result<bool, Stop> {
        match self.subtrees {
            Some(subtrees) if tag != "!" => subtrees.begin(self.py, chunk, (event, tag)),
            _ => Ok(false),
        }
    }

    #[inline(always)]
    fn take(
        &mut self,
        chunk: &Chunk<'_, '_>,
        events: &mut impl Iterator<Item = Event>,
    ) -> Result<bool, Stop> {
        match self.subtrees {
            Some(subtrees) => subtrees.read(&mut self.stack, chunk, events),
            None => Ok(false),
        }
    }
}
