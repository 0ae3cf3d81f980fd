//! Writes items as YAML.

use crate::error::Problem;
use crate::model::{Item, Sink};
use ketch_yaml::present::{CollectionStyle, PresentError, PresentOptions, Presenter, Properties};
use ketch_yaml::represent::Native;

/// Writes values as YAML documents.
///
/// ```
/// use ketch::{Item, Sink, YamlSink};
///
/// let mut yaml = YamlSink::new(&Default::default());
/// for item in [Item::MappingStart(1), Item::Str("on"), Item::Tag("!n"), Item::Str("1"), Item::MappingEnd] {
///     yaml.item(item).unwrap();
/// }
/// assert_eq!(yaml.end_document().unwrap(), b"\"on\": !n \"1\"\n");
/// ```
#[derive(Debug)]
pub struct YamlSink {
    options: PresentOptions,
    yaml: Presenter<Vec<u8>>,
    tag: Option<String>,
    scalar_tags: bool,
    is_open: bool,
    /// Whether the stream already has documents, so that the next one starts with `---`.
    is_continued: bool,
}

impl YamlSink {
    /// Creates a sink with the options `options`.
    pub fn new(options: &PresentOptions) -> YamlSink {
        YamlSink {
            options: *options,
            yaml: Presenter::with_options(Vec::new(), options),
            tag: None,
            scalar_tags: false,
            is_open: false,
            is_continued: false,
        }
    }

    /// Sets whether scalars that are not text may have tags, as in `!Circle 5`. By default, they
    /// may not, because without a schema, a scalar with an unknown tag is read as text.
    #[must_use]
    pub fn with_scalar_tags(mut self, are_allowed: bool) -> YamlSink {
        self.scalar_tags = are_allowed;
        self
    }

    /// Continues a stream that already has documents, so that the next document starts with `---`.
    pub fn continue_stream(&mut self) {
        self.is_continued = true;
        self.yaml.continue_stream();
    }

    /// Discards the value that has been passed as items so far.
    pub fn clear(&mut self) {
        let is_continued = self.is_continued;
        *self = YamlSink::new(&self.options).with_scalar_tags(self.scalar_tags);
        if is_continued {
            self.continue_stream();
        }
    }

    /// Ends the document, and returns its text.
    ///
    /// # Errors
    ///
    /// Fails if the items are not exactly one complete value.
    pub fn end_document(&mut self) -> Result<&[u8], Problem> {
        self.yaml.end_document(false).map_err(incomplete_value)?;
        self.yaml.flush_documents().map_err(incomplete_value)?;
        self.is_open = false;
        self.is_continued = true;
        Ok(self.yaml.get_mut())
    }

    /// Writes `item`, whose tag is in `properties`.
    fn write(&mut self, item: Item<'_>, properties: Properties<'_>) -> Result<(), PresentError> {
        let yaml = &mut self.yaml;
        match item {
            Item::Null => yaml.native(Native::Null, properties),
            Item::Bool(value) => yaml.native(Native::Bool(value), properties),
            Item::Int(value) => yaml.native(Native::Int(value), properties),
            Item::BigInt(digits) => yaml.native(Native::BigInt(digits), properties),
            Item::Float(value) => yaml.native(Native::Float(value), properties),
            Item::Str(text) => yaml.native(Native::Str(text), properties),
            Item::Binary(bytes) => yaml.native(Native::Binary(bytes), properties),
            Item::Timestamp(value) => yaml.native(Native::Timestamp(value), properties),
            Item::SequenceStart(_) => yaml.start_sequence(CollectionStyle::Block, properties),
            Item::MappingStart(_) => yaml.start_mapping(CollectionStyle::Block, properties),
            Item::SequenceEnd => yaml.end_sequence(),
            Item::MappingEnd => yaml.end_mapping(),
            Item::Tag(_) => Ok(()),
        }
    }
}

impl Sink for YamlSink {
    fn item(&mut self, item: Item<'_>) -> Result<(), Problem> {
        if !self.is_open {
            // The buffer still contains the text of the previous document. It is cleared now and
            // not later, because a long document is written to it in parts.
            self.yaml.get_mut().clear();
            self.yaml.start_document(false).map_err(incomplete_value)?;
            self.is_open = true;
        }
        if let Item::Tag(tag) = item {
            return match self.tag.replace(tag.to_owned()) {
                None => Ok(()),
                // A YAML node has at most one tag.
                Some(_) => Err(Problem::NotInModel { found: "a tag on a tag".to_owned() }),
            };
        }
        let takes_tag = match item {
            Item::Str(_) | Item::SequenceStart(_) | Item::MappingStart(_) => true,
            // These items are already written with tags.
            Item::Binary(_) | Item::Timestamp(_) => false,
            _ => self.scalar_tags,
        };
        if self.tag.is_some() && !takes_tag {
            return Err(Problem::NotInYaml("tags on scalars that are not text"));
        }
        let tag = self.tag.take();
        self.write(item, Properties { anchor: None, tag: tag.as_deref() }).map_err(incomplete_value)
    }
}

/// Returns the problem for an error of the presenter. Writing to memory cannot fail, so the items
/// must be wrong.
fn incomplete_value(_: PresentError) -> Problem {
    Problem::Malformed { what: "document", expected: "one complete value" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_longer_than_the_buffer_is_complete() {
        let mut options = PresentOptions::default();
        options.held_bytes = 16;
        let mut sink = YamlSink::new(&options);
        for text in ["the first of many entries", "the second of them"] {
            let items =
                [Item::SequenceStart(2), Item::Str(text), Item::Str(text), Item::SequenceEnd];
            for item in items {
                sink.item(item).expect("a sequence");
            }
            let written = String::from_utf8(sink.end_document().expect("one value").to_vec());
            let written = written.expect("UTF-8");
            assert_eq!(written.matches(text).count(), 2, "{written}");
        }
    }
}
