//! Builds objects from events. Values are pushed on a stack, and the end of a collection replaces
//! its values there by one object.

use super::plain::{self, Meaning};
use super::scalar;
use crate::errors::{self, Stop};
use crate::host;
use crate::keys::Keys;
use crate::memory::Frame;
use crate::options::LoadOptions;
use crate::origin::Origin;
use ketch_bytes::utf8::is_ascii;
use ketch_yaml::schema::{IntForm, Scalar, ScalarTag, Schema};
use pyo3::prelude::*;
use pyo3::types::PyBool;

/// Builds the values of a stream, one document after another.
pub struct Builder<'py, 'k> {
    py: Python<'py>,
    pub stack: Vec<Bound<'py, PyAny>>,
    keys: &'k mut Keys,
    /// The string from which the text was encoded, if there is one.
    pub origin: Option<Origin<'k>>,
    pub frames: Vec<Frame>,
    schema: Schema,
    merges: bool,
    pub pyyaml: bool,
    in_mapping: bool,
    /// Whether the next value is a key.
    pub at_key: bool,
}

/// The result of adding something to a builder.
pub type Step = Result<(), Stop>;

impl<'py, 'k> Builder<'py, 'k> {
    /// Creates an empty builder that uses the given memory for values and for open collections.
    #[inline(always)]
    pub fn new(
        py: Python<'py>,
        options: &LoadOptions,
        keys: &'k mut Keys,
        (stack, frames): (Vec<Bound<'py, PyAny>>, Vec<Frame>),
    ) -> Builder<'py, 'k> {
        Builder {
            py,
            stack,
            keys,
            origin: None,
            frames,
            schema: options.compose.schema,
            merges: options.compose.merges(),
            pyyaml: options.pyyaml,
            in_mapping: false,
            at_key: false,
        }
    }

    /// Returns PyO3's token for the attached interpreter.
    pub fn py(&self) -> Python<'py> {
        self.py
    }

    /// Returns the index on the stack at which the values of the innermost collection start, and
    /// whether the collection is a mapping.
    pub fn innermost(&self) -> Option<(usize, bool)> {
        self.frames.last().map(|frame| (frame.start, frame.is_mapping))
    }

    /// Adds a complete value.
    #[inline(always)]
    pub fn push(&mut self, value: Bound<'py, PyAny>) {
        self.stack.push(value);
        self.at_key ^= self.in_mapping;
    }

    /// Adds a string. `is_ascii` may only be true if `text` is ASCII.
    #[inline(always)]
    pub fn text(&mut self, text: &[u8], is_ascii: bool) -> Step {
        let value = match self.at_key {
            true => self.keys.string(self.py, text, is_ascii)?,
            false if is_ascii => host::string(self.py, text, true)?,
            false => self.string(text)?,
        };
        self.push(value);
        Ok(())
    }

    /// Returns the string that contains `text`.
    #[inline(always)]
    fn string(&mut self, text: &[u8]) -> Result<Bound<'py, PyAny>, Stop> {
        if is_ascii(text) {
            return Ok(host::string(self.py, text, true)?);
        }
        if let Some(origin) = &mut self.origin
            && let Some(string) = origin.string(self.py, text)
        {
            return Ok(string?);
        }
        Ok(host::string(self.py, text, false)?)
    }

    /// Adds a plain scalar.
    #[inline(always)]
    pub fn plain(&mut self, text: &[u8], is_ascii: bool) -> Step {
        if self.pyyaml {
            return self.plain_of_pyyaml(text, is_ascii);
        }
        match self.schema.resolve(text) {
            // In the schemas of YAML 1.2, `<<` is text, even if the options enable merge keys.
            ScalarTag::Str if self.merges && self.at_key && text == b"<<" => Err(Stop::Complex),
            ScalarTag::Str => self.text(text, is_ascii),
            ScalarTag::Null => {
                self.push(self.py.None().into_bound(self.py));
                Ok(())
            }
            ScalarTag::Bool(value) => {
                self.push(PyBool::new(self.py, value).to_owned().into_any());
                Ok(())
            }
            ScalarTag::Int(IntForm::Decimal) => match few_digits(text) {
                Some(value) => {
                    self.push(host::integer(self.py, value)?);
                    Ok(())
                }
                None => self.other(ScalarTag::Int(IntForm::Decimal), text, is_ascii),
            },
            tag => self.other(tag, text, is_ascii),
        }
    }

    /// Adds a plain scalar, resolved by the rules of PyYAML.
    #[inline(always)]
    fn plain_of_pyyaml(&mut self, text: &[u8], is_ascii: bool) -> Step {
        let value = match plain::meaning(text) {
            Meaning::Str => return self.text(text, is_ascii),
            Meaning::Null => self.py.None().into_bound(self.py),
            Meaning::Bool(value) => PyBool::new(self.py, value).to_owned().into_any(),
            Meaning::Int(value) => host::integer(self.py, value)?,
            Meaning::Float(value) => host::float(self.py, value)?,
            Meaning::Merge => return Err(Stop::Complex),
            // If Python cannot represent the value, the composer determines the location for the
            // error.
            Meaning::Rare => {
                let text = host::string(self.py, text, is_ascii)?;
                plain::rare(&text).map_err(|_| Stop::Complex)?
            }
        };
        self.push(value);
        Ok(())
    }

    /// Adds a plain scalar that the schema does not resolve to text or another common type.
    #[inline(never)]
    fn other(&mut self, tag: ScalarTag, text: &[u8], is_ascii: bool) -> Step {
        match (self.schema.convert(tag, text), self.at_key) {
            (Scalar::Int(value), _) => self.push(host::integer(self.py, value)?),
            (Scalar::Float(value), false) => self.push(host::float(self.py, value)?),
            (Scalar::Unresolved(_), _) => return Err(Stop::Complex),
            (Scalar::Merge, true) if self.merges => return Err(Stop::Complex),
            (Scalar::Str(_) | Scalar::Merge, _) => return self.text(text, is_ascii),
            // As keys, Python would compare these values by different rules than YAML. As values,
            // Python may not be able to represent them.
            (rare, _) => match scalar::value(self.py, &rare) {
                Ok(Some(value)) if !self.at_key => self.push(value),
                _ => return Err(Stop::Complex),
            },
        }
        Ok(())
    }

    /// Adds the tag that belongs to the next value.
    pub fn tag(&mut self, tag: &[u8]) -> Step {
        if self.at_key {
            return Err(Stop::Complex);
        }
        self.stack.push(self.keys.string(self.py, tag, false)?);
        Ok(())
    }

    /// Adds a string, together with the tag that was added last.
    pub fn tagged_text(&mut self, text: &[u8]) -> Step {
        self.stack.push(host::string(self.py, text, false)?);
        self.wrap()?;
        self.at_key ^= self.in_mapping;
        Ok(())
    }

    /// Replaces the value on top of the stack, and the tag below it, by a `ketch.Tagged`.
    #[cold]
    fn wrap(&mut self) -> Step {
        if let (Some(value), Some(tag)) = (self.stack.pop(), self.stack.pop()) {
            self.stack.push(errors::tagged(&tag, &value)?);
        }
        Ok(())
    }

    /// Starts a collection. If it would be a key, fails, which leaves the document to the composer.
    #[inline(always)]
    pub fn start(&mut self, is_mapping: bool, anchor: Option<u32>, is_tagged: bool) -> Step {
        if self.at_key {
            return Err(Stop::Complex);
        }
        self.frames.push(Frame { start: self.stack.len(), is_mapping, anchor, is_tagged });
        (self.in_mapping, self.at_key) = (is_mapping, is_mapping);
        Ok(())
    }

    /// Ends the innermost collection, and returns the number of its anchor, if it has one.
    #[inline(always)]
    pub fn end(&mut self) -> Result<Option<u32>, Stop> {
        let Some(frame) = self.frames.pop() else { return Ok(None) };
        let Frame { start, is_mapping, anchor, is_tagged } = frame;
        let value = match is_mapping {
            true => self.dict(start)?,
            false => host::list(self.py, &mut self.stack, start)?,
        };
        self.stack.push(value);
        if is_tagged {
            self.wrap()?;
        }
        self.in_mapping = self.frames.last().is_some_and(|frame| frame.is_mapping);
        self.at_key = self.in_mapping;
        Ok(anchor)
    }

    /// Creates a dict from the pairs on the stack from `start` on. If keys are equal, so that the
    /// dict has fewer pairs, fails (except with PyYAML's rules), since the composer handles
    /// duplicate keys.
    #[inline(always)]
    fn dict(&mut self, start: usize) -> Result<Bound<'py, PyAny>, Stop> {
        let pairs = (self.stack.len() - start) / 2;
        let dict = host::new_dict(self.py)?;
        match host::fill_dict(&dict, &mut self.stack, start)? == pairs || self.pyyaml {
            true => Ok(dict),
            false => Err(Stop::Complex),
        }
    }
}

/// Returns the value of one to eight decimal digits, or `None` for other text, for example with a
/// sign.
#[inline(always)]
fn few_digits(text: &[u8]) -> Option<i64> {
    if text.len() > 8 {
        return None;
    }
    text.iter().try_fold(0, |value, &byte| match byte {
        b'0'..=b'9' => Some(10 * value + i64::from(byte - b'0')),
        _ => None,
    })
}
