//! Writes values as YAML.

use super::number::N;
use super::walk::{Step, Walk};
use super::{Number, Tag, Value};
use ketch_bytes::utf8::into_string;
use ketch_yaml::present::{
    CollectionStyle, Collections, PresentError, PresentOptions, Presenter, Properties, ScalarStyle,
};
use ketch_yaml::represent::Native;
use std::io::Write;

impl Value {
    /// Returns the value as a YAML document. The value may have any depth.
    ///
    /// ```
    /// let value: ketch::Value = ketch::from_str("{a: [1, 'NO']}").unwrap();
    /// assert_eq!(value.to_yaml().unwrap(), "a:\n- 1\n- \"NO\"\n");
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if a value in it has several tags, which YAML cannot represent.
    pub fn to_yaml(&self) -> Result<String, PresentError> {
        text(self, &PresentOptions::default())
    }

    /// Writes the value as the next document of `yaml`.
    ///
    /// # Errors
    ///
    /// Fails if the writer fails, or if a value has several tags, which YAML cannot represent.
    pub fn write_document<W: Write>(&self, yaml: &mut Presenter<W>) -> Result<(), PresentError> {
        yaml.start_document(false)?;
        self.write_node(yaml)?;
        yaml.end_document(false)
    }

    /// Writes the value as the next node of the open document.
    pub(crate) fn write_node<W: Write>(&self, yaml: &mut Presenter<W>) -> Result<(), PresentError> {
        self.write_tagged_node(None, yaml)
    }

    /// Writes the value as the next node of the open document, with `tag` if it is given.
    pub(crate) fn write_tagged_node<'v, W: Write>(
        &'v self,
        mut tag: Option<&'v Tag>,
        yaml: &mut Presenter<W>,
    ) -> Result<(), PresentError> {
        for step in Walk::new(self) {
            let properties = Properties { anchor: None, tag: tag.map(Tag::as_str) };
            match step {
                Step::Tag(_) if tag.is_some() => {
                    return Err(PresentError::Misplaced("a node has at most one tag"));
                }
                Step::Tag(own) => {
                    tag = Some(own);
                    continue;
                }
                Step::Leaf(leaf) => match tag.and_then(|tag| tag.spelling_of(leaf)) {
                    Some(text) => write_spelling(text, yaml, properties)?,
                    None => write_leaf(leaf, yaml, properties)?,
                },
                Step::Sequence(_) => yaml.start_sequence(CollectionStyle::Block, properties)?,
                Step::Mapping(_) => yaml.start_mapping(CollectionStyle::Block, properties)?,
                Step::SequenceEnd => yaml.end_sequence()?,
                Step::MappingEnd => yaml.end_mapping()?,
            }
            tag = None;
        }
        Ok(())
    }
}

/// Writes a plain scalar that has a tag. `text` is its original spelling. If that is empty, it is
/// written as `null`, so that it is visible.
pub(crate) fn write_spelling<W: Write>(
    text: &str,
    yaml: &mut Presenter<W>,
    properties: Properties<'_>,
) -> Result<(), PresentError> {
    match text {
        "" => yaml.native(Native::Null, properties),
        text => yaml.scalar(text, ScalarStyle::Plain, properties),
    }
}

/// Writes `leaf`, a value that contains no other values.
fn write_leaf<W: Write>(
    leaf: &Value,
    yaml: &mut Presenter<W>,
    properties: Properties<'_>,
) -> Result<(), PresentError> {
    match leaf {
        Value::Bool(value) => yaml.native(Native::Bool(*value), properties),
        Value::Number(value) => write_number(value, yaml, properties),
        Value::String(text) => yaml.native(Native::Str(text), properties),
        Value::Bytes(bytes) => yaml.native(Native::Binary(bytes), properties),
        Value::Timestamp(value) => yaml.native(Native::Timestamp(*value), properties),
        _ => yaml.native(Native::Null, properties),
    }
}

/// Writes the number `value`.
pub(crate) fn write_number<W: Write>(
    value: &Number,
    yaml: &mut Presenter<W>,
    properties: Properties<'_>,
) -> Result<(), PresentError> {
    match &value.0 {
        N::Int(value) => yaml.native(Native::Int(*value), properties),
        N::Big(value) => yaml.native(Native::BigInt(&value.to_string()), properties),
        N::Float(value) => yaml.native(Native::Float(*value), properties),
    }
}

/// Returns `value` as YAML on one line, for messages.
pub(super) fn flow_text(value: &Value) -> String {
    let mut options = PresentOptions::default();
    options.collections = Collections::Flow;
    match text(value, &options) {
        Ok(text) => text.trim_end().to_owned(),
        Err(error) => format!("<{error}>"),
    }
}

/// Returns `value` as a YAML document that is formatted with `options`.
fn text(value: &Value, options: &PresentOptions) -> Result<String, PresentError> {
    let mut yaml = Presenter::with_options(Vec::new(), options);
    value.write_document(&mut yaml)?;
    Ok(into_string(yaml.finish()?).unwrap_or_default())
}
