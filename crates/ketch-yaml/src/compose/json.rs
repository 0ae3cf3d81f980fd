//! Documents as JSON (RFC 8259).

use super::document::Document;
use super::expand::{ExpandOptions, Expanded, Role, Step, Visit};
use super::json_keys::Checked;
use super::json_options::{JsonOptions, NotInJson};
use super::json_text::{JsonText, is_unknown};
use super::options::FloatKeys;
use super::view::{Kind, Node};
use super::{json_keys, key};
use crate::error::Error;
use crate::problem::Problem;
use crate::schema::{Scalar, Schema};
use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write};

/// The reason why a document could not be written as JSON.
#[derive(Debug)]
#[non_exhaustive]
pub enum JsonError {
    /// JSON cannot represent the document, an alias cannot be expanded, or text is not valid for its
    /// tag.
    Document(Error),
    /// The writer failed.
    Io(io::Error),
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JsonError::Document(error) => error.fmt(f),
            JsonError::Io(error) => write!(f, "could not be written: {error}"),
        }
    }
}

impl std::error::Error for JsonError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            JsonError::Document(error) => Some(error),
            JsonError::Io(error) => Some(error),
        }
    }
}

impl From<Error> for JsonError {
    fn from(error: Error) -> Self {
        JsonError::Document(error)
    }
}

impl From<io::Error> for JsonError {
    fn from(error: io::Error) -> Self {
        JsonError::Io(error)
    }
}

/// Writes documents as JSON, reusing its buffer.
///
/// | YAML | JSON |
/// |---|---|
/// | null, bool | `null`, `true`, `false` |
/// | int | a number, whatever its size |
/// | float | a number with all its digits; `.inf` and `.nan` by [`JsonOptions::non_finite`] |
/// | str | a string |
/// | binary | a string, base 64 as written |
/// | timestamp | a string, as in `2001-12-14T21:59:43Z` |
/// | sequence, mapping | array, object; keys that are not strings become strings; two keys that become the same string are an error |
/// | collection as key | an error |
/// | unknown tag | by [`JsonOptions::unknown_tags`]: an error, or the value without the tag: `!x 2` is 2 |
/// | alias | its target |
///
/// Output is written as it is produced, so memory is bounded by the largest scalar. No line break
/// follows a document.
///
/// ```
/// use ketch_yaml::compose::{JsonOptions, JsonWriter};
/// use ketch_yaml::Documents;
///
/// let mut json = JsonWriter::new(&JsonOptions::default());
/// let mut out = Vec::new();
/// for document in Documents::new(b"{a: 0x1F, 1: [yes, 'no', ~]}") {
///     json.write(&document?, &mut out)?;
/// }
/// assert_eq!(out, br#"{"a":31,"1":["yes","no",null]}"#);
/// # Ok::<(), ketch_yaml::compose::JsonError>(())
/// ```
#[derive(Debug)]
pub struct JsonWriter {
    pub(super) text: JsonText,
    checked: Checked,
}

impl JsonWriter {
    /// Creates a writer with these options.
    pub fn new(options: &JsonOptions) -> JsonWriter {
        let text = JsonText { options: *options, bytes: Vec::new(), depth: 0, flushed: 0 };
        JsonWriter { text, checked: Checked::default() }
    }

    /// Writes `document` to `out`.
    ///
    /// # Errors
    ///
    /// Returns [`JsonError::Io`] if `out` fails, and [`JsonError::Document`] if the document cannot
    /// be written as JSON. Part of the document may have been written.
    pub fn write(
        &mut self,
        document: &Document<'_>,
        out: &mut (impl Write + ?Sized),
    ) -> Result<(), JsonError> {
        self.write_node(document.root(), out)
    }

    /// Writes a node of a document to `out`, as [`JsonWriter::write`] writes the root.
    ///
    /// # Errors
    ///
    /// See [`JsonWriter::write`].
    pub fn write_node(
        &mut self,
        node: Node<'_>,
        out: &mut (impl Write + ?Sized),
    ) -> Result<(), JsonError> {
        let JsonOptions { schema, merge_keys, limits, .. } = self.text.options;
        let merges = merge_keys.unwrap_or(schema.has_merge_keys());
        let float_keys = FloatKeys::Exact;
        let mut walk = node.expanded_with(&ExpandOptions { schema, float_keys, merges, limits });
        self.text.clear();
        self.checked.clear();
        while let Some(visit) = walk.next() {
            self.visit(&visit?, &walk)?;
            self.text.drain(out)?;
        }
        Ok(self.text.flush(out)?)
    }

    /// Writes `visit`, one step of the walk: a scalar or a bracket, with the comma or colon before
    /// it.
    #[inline]
    fn visit(&mut self, visit: &Visit<'_>, walk: &Expanded<'_>) -> Result<(), Error> {
        let node = visit.node;
        if visit.step == Step::End {
            self.text.close(node.kind() == Kind::Mapping, node.is_empty());
            return Ok(());
        }
        self.text.separate(visit.role, visit.index == 0);
        let stops = self.text.options.unknown_tags == NotInJson::Error;
        if stops && node.tag().is_some_and(is_unknown) {
            return Err(node.error_at_tag(Problem::NotJson));
        }
        match (visit.step, visit.role) {
            (Step::Scalar, Role::Key) => self.key(node, walk),
            (Step::Scalar, _) => self.value(node),
            (_, Role::Key) => Err(node.error(Problem::NotJson)),
            (_, role) => {
                self.text.open(role, node.kind() == Kind::Mapping);
                Ok(())
            }
        }
    }

    /// Writes the scalar `node` as a JSON value.
    #[inline]
    fn value(&mut self, node: Node<'_>) -> Result<(), Error> {
        if let Some(text) = node.verbatim_text(self.text.options.schema) {
            self.text.string(text);
            return Ok(());
        }
        self.resolved_value(node)
    }

    /// Resolves the scalar `node` and writes its value.
    #[inline(never)]
    fn resolved_value(&mut self, node: Node<'_>) -> Result<(), Error> {
        let value = scalar(node, self.text.options.schema)?;
        self.text.value(value, || node.content()).map_err(|problem| node.error(problem))
    }

    /// Writes the scalar `node` as a key, which in JSON is always in quotes. `walk` is at this key.
    #[inline]
    fn key(&mut self, node: Node<'_>, walk: &Expanded<'_>) -> Result<(), Error> {
        if let Some(text) = node.verbatim_text(self.text.options.schema) {
            self.text.string(text);
            return Ok(());
        }
        self.resolved_key(node, walk)
    }

    /// Writes the key `node`, which may not be a string. At the first key of a mapping that has a tag
    /// or is not a string, checks all keys of the mapping, which is the innermost open one of `walk`.
    #[inline(never)]
    fn resolved_key(&mut self, node: Node<'_>, walk: &Expanded<'_>) -> Result<(), Error> {
        let is_text = matches!(scalar(node, self.text.options.schema)?, Scalar::Str(_));
        if !(is_text && node.tag().is_none()) && self.checked.is_new(walk.open(), self.text.depth) {
            self.check_keys(walk)?;
        }
        self.key_text(node)
    }

    /// Checks that no two keys of the innermost open mapping of `walk` become the same JSON string.
    /// The composer has checked that strings without tags differ, so only mappings with other keys
    /// need this.
    fn check_keys(&mut self, walk: &Expanded<'_>) -> Result<(), Error> {
        let written = std::mem::take(&mut self.text.bytes);
        let keys = walk.open_keys();
        let mut ends = Vec::with_capacity(keys.len());
        for key in &keys {
            // A key that JSON cannot have is an error when the walk reaches it.
            let start = self.text.bytes.len();
            if key.kind() != Kind::Scalar || self.key_text(*key).is_err() {
                self.text.bytes.truncate(start);
            }
            ends.push(self.text.bytes.len());
        }
        let texts = std::mem::replace(&mut self.text.bytes, written);
        match json_keys::first_duplicate(&texts, &ends) {
            Some((first, second)) => Err(duplicate(keys[first], keys[second])),
            None => Ok(()),
        }
    }

    /// Writes the key `node` as a string, without checking it against the other keys.
    fn key_text(&mut self, node: Node<'_>) -> Result<(), Error> {
        let value = scalar(node, self.text.options.schema)?;
        self.text.key(value, || node.content()).map_err(|problem| node.error(problem))
    }
}

/// Returns the error for the key `second`, which becomes the same string in JSON as the key
/// `first`.
#[cold]
fn duplicate(first: Node<'_>, second: Node<'_>) -> Error {
    let related = Some(first.location());
    Error::new(Problem::DuplicateJsonKey, second.location(), related)
}

/// Returns the value of the scalar `node` without its tag if that is unknown, with text as bytes.
/// Fails if its text is not valid for its tag.
#[inline]
fn scalar<'d>(node: Node<'d>, schema: Schema) -> Result<Scalar<'d, Cow<'d, [u8]>>, Error> {
    let value = key::value_where(node.document().view(), node.id().index(), schema, |tag| {
        // Syck gives every plain scalar a tag, and resolves the text of its own tags.
        schema == Schema::Syck || !is_unknown(tag)
    });
    value.map_err(|_| node.error(Problem::TagMismatch))
}
