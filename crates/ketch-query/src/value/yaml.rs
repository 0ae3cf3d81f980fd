//! Values as YAML.

use super::{Kind, Number, Origin, Value};
use ketch_edit::Style;
use ketch_yaml::compose::{Kind as NodeKind, Node, Style as NodeStyle};
use ketch_yaml::present::{
    CollectionStyle, Collections, PresentError, PresentOptions, Presenter, Properties, ScalarStyle,
};
use ketch_yaml::represent::KeyOrder;
use std::borrow::Cow;
use std::collections::HashMap;
use std::io::Write;
use std::sync::Arc;

impl Value {
    /// Writes the value as a YAML document, as `ketch get` writes a node: with its anchors, tags and styles, but without
    /// comments. In a new collection, nodes keep their tags and styles, and what aliases refer to takes their place.
    ///
    /// ```
    /// use ketch_query::Value;
    /// use ketch_yaml::present::Presenter;
    /// use ketch_yaml::represent::KeyOrder;
    ///
    /// let mut yaml = Presenter::new(Vec::new());
    /// for value in [Value::from("1.10"), Value::array(vec![1.into(), Value::Null])] {
    ///     value.write_yaml(&mut yaml, KeyOrder::AsGiven)?;
    /// }
    /// assert_eq!(yaml.finish()?, b"\"1.10\"\n---\n- 1\n- null\n");
    /// # Ok::<(), ketch_yaml::present::PresentError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the errors of the presenter, such as those of its writer.
    pub fn write_yaml<W: Write>(
        &self,
        yaml: &mut Presenter<W>,
        order: KeyOrder,
    ) -> Result<(), PresentError> {
        if let Value::Node(source, id) = self
            && self.decoration().is_none()
            && !source.has_merges()
            && !is_empty(source.node(*id))
        {
            return yaml.node(source.node(*id), order);
        }
        yaml.start_document(false)?;
        self.write_root(yaml, order)?;
        yaml.end_document(false)
    }

    /// Writes the value as the root of a document.
    fn write_root<W: Write>(
        &self,
        yaml: &mut Presenter<W>,
        order: KeyOrder,
    ) -> Result<(), PresentError> {
        Writer { yaml, order, open: Vec::new() }.run(self)
    }

    /// Returns the value as a YAML document.
    ///
    /// # Errors
    ///
    /// Fails if the text is too long, as aliases can make it.
    pub fn to_yaml(&self) -> Result<String, PresentError> {
        let mut yaml = Presenter::new(Bounded::default());
        let written = self.write_yaml(&mut yaml, KeyOrder::AsGiven);
        Ok(written.and_then(|()| yaml.finish())?.text())
    }

    /// Returns the value in flow style, without a line break at the end.
    pub(crate) fn to_flow(&self) -> Result<String, PresentError> {
        if let (Some(text), None) = (self.as_text(), Look::of(self).tag) {
            // On its own, a text with line breaks would be a block scalar.
            return Ok(Value::Text(text).to_json());
        }
        let mut options = PresentOptions::default();
        options.collections = Collections::Flow;
        let mut yaml = Presenter::with_options(Bounded::default(), &options);
        let mut write = || {
            yaml.start_document(false)?;
            self.write_root(&mut yaml, KeyOrder::AsGiven)?;
            yaml.end_document(false)
        };
        let written = write();
        let text = written.and_then(|()| yaml.finish())?.text();
        Ok(text.trim_end().to_owned())
    }
}

/// The maximum number of bytes of a value as YAML.
const TEXT_BYTES_MAX: usize = 1 << 26;

/// A text that fails to grow beyond the maximum.
#[derive(Default)]
struct Bounded(Vec<u8>);

impl Bounded {
    /// Returns the text.
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.0).into_owned()
    }
}

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.0.len() + bytes.len() > TEXT_BYTES_MAX {
            return Err(std::io::Error::other("the text is too long"));
        }
        self.0.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Returns whether `node` is an empty node, as the value in `a:`.
fn is_empty(node: Node<'_>) -> bool {
    node.kind() == NodeKind::Scalar
        && node.style() == NodeStyle::Plain
        && node.tag().is_none()
        && node.content().is_empty()
}

/// An open collection.
struct Open {
    /// The entries that are still to be written, in an object with their keys.
    entries: std::vec::IntoIter<(Option<Value>, Value)>,
    /// The value of the key that was written last.
    value: Option<Value>,
    is_object: bool,
    is_flow: bool,
}

struct Writer<'y, W> {
    yaml: &'y mut Presenter<W>,
    order: KeyOrder,
    open: Vec<Open>,
}

impl<W: Write> Writer<'_, W> {
    /// Writes `value` and all that is in it.
    fn run(mut self, value: &Value) -> Result<(), PresentError> {
        self.comments(value)?;
        self.start(value)?;
        while let Some(open) = self.open.last_mut() {
            if let Some(value) = open.value.take() {
                self.start(&value)?;
                continue;
            }
            match open.entries.next() {
                Some((Some(key), value)) => {
                    open.value = Some(value.clone());
                    self.comments(&value)?;
                    self.start(&key)?;
                }
                Some((None, value)) => {
                    self.comments(&value)?;
                    self.start(&value)?;
                }
                None => self.close()?,
            }
        }
        Ok(())
    }

    /// Writes the comments that decorate `value`, before its entry. There are none in brackets.
    fn comments(&mut self, value: &Value) -> Result<(), PresentError> {
        let Some(decoration) = value.decoration() else { return Ok(()) };
        if self.open.last().is_some_and(|open| open.is_flow) {
            return Ok(());
        }
        if let Some(Some(comment)) = &decoration.comment {
            self.yaml.comment(comment)?;
        }
        match &decoration.line_comment {
            Some(Some(comment)) => self.yaml.line_comment(comment),
            _ => Ok(()),
        }
    }

    /// Writes a scalar, or opens a collection.
    fn start(&mut self, value: &Value) -> Result<(), PresentError> {
        let look = Look::of(value);
        let properties = Properties { anchor: None, tag: look.tag.as_deref() };
        match value.kind() {
            Kind::Array => {
                self.yaml.start_sequence(look.collection, properties)?;
                let array = value.as_array().unwrap_or_default();
                let entries = array.entries.iter().map(|entry| (None, entry.clone()));
                self.open(entries.collect(), false, look.collection);
                Ok(())
            }
            Kind::Object => {
                self.yaml.start_mapping(look.collection, properties)?;
                self.open(pairs(value, self.order), true, look.collection);
                Ok(())
            }
            _ => {
                let text = match &look.node {
                    Some((source, id)) => match is_empty(source.node(*id)) {
                        // An empty document would not be read as a document.
                        true if self.open.is_empty() => "null".into(),
                        _ => source.node(*id).text(),
                    },
                    None => scalar_text(value),
                };
                self.yaml.scalar(&text, look.scalar, properties)
            }
        }
    }

    /// Opens a collection.
    fn open(
        &mut self,
        entries: Vec<(Option<Value>, Value)>,
        is_object: bool,
        style: CollectionStyle,
    ) {
        let is_outer_flow = self.open.last().is_some_and(|open| open.is_flow);
        let is_flow = is_outer_flow || style == CollectionStyle::Flow;
        self.open.push(Open { entries: entries.into_iter(), value: None, is_object, is_flow });
    }

    /// Closes the innermost collection.
    fn close(&mut self) -> Result<(), PresentError> {
        match self.open.pop() {
            Some(Open { is_object: true, .. }) => self.yaml.end_mapping(),
            _ => self.yaml.end_sequence(),
        }
    }
}

/// Returns the entries of an object. A key of the mapping that it comes from is that node, so it keeps its type.
pub(crate) fn pairs(value: &Value, order: KeyOrder) -> Vec<(Option<Value>, Value)> {
    let object = value.as_object().unwrap_or_default();
    let mut entries: Vec<_> = object.entries.iter().collect();
    if order == KeyOrder::Sorted {
        entries.sort_by_key(|(key, _)| *key);
    }
    let mut known: HashMap<Arc<str>, Value> = HashMap::new();
    if let Some((source, id)) = value.origin() {
        for (key, _) in source.pairs(source.node(id)) {
            let (text, key) = (source.key_text(key), key.resolved());
            if source.is_text(key) || !known.contains_key(&text) {
                known.insert(text, source.value(key));
            }
        }
    }
    if let Some(keys) = value.decoration().and_then(|own| own.keys.as_ref()) {
        known.extend(keys.iter().map(|(text, key)| (text.clone(), key.clone())));
    }
    let pair = |(key, value): (&Arc<str>, &Value)| {
        let key = known.remove(key).unwrap_or_else(|| Value::Text(key.clone()));
        (Some(key), value.clone())
    };
    entries.into_iter().map(pair).collect()
}

/// Returns the text of a scalar that is no node.
pub(crate) fn scalar_text(value: &Value) -> Cow<'static, str> {
    match value.kind() {
        Kind::False => "false".into(),
        Kind::True => "true".into(),
        Kind::Number => number_text(&value.as_number().unwrap_or_else(Number::nan)).into(),
        Kind::Text => value.as_text().unwrap_or_default().to_string().into(),
        _ => "null".into(),
    }
}

/// Returns the text of a number in YAML.
pub(crate) fn number_text(number: &Number) -> String {
    match (number.is_nan(), number.is_infinite()) {
        _ if number.is_spelled() => number.to_string(),
        (true, _) => ".nan".to_owned(),
        (_, true) if number.is_negative() => "-.inf".to_owned(),
        (_, true) => ".inf".to_owned(),
        _ => number.to_string(),
    }
}

/// How a value is written.
struct Look {
    tag: Option<String>,
    scalar: ScalarStyle,
    collection: CollectionStyle,
    /// The scalar whose text is written as it is.
    node: Origin,
}

impl Look {
    fn of(value: &Value) -> Look {
        let mut look = Look {
            tag: None,
            scalar: ScalarStyle::Plain,
            collection: CollectionStyle::Block,
            node: None,
        };
        if let Some(text) = value.as_text() {
            // Few readers take these letters for booleans, and they are usually not quoted.
            let is_letter = matches!(&*text, "y" | "n" | "Y" | "N");
            look.scalar = if is_letter { ScalarStyle::Plain } else { ScalarStyle::Text };
        }
        if let Some((source, id)) = value.origin() {
            let node = source.node(id);
            look.tag = node.tag().map(str::to_owned);
            look.scalar = ScalarStyle::from(node.style());
            if node.style() == NodeStyle::Flow {
                look.collection = CollectionStyle::Flow;
            }
            look.node = (node.kind() == NodeKind::Scalar).then_some((source.clone(), id));
        }
        if let Some(decoration) = value.decoration() {
            if let Some(tag) = &decoration.tag {
                look.tag = Some(full_tag(tag)).filter(|tag| !tag.is_empty());
            }
            if let Some(style) = decoration.style {
                look.restyle(style, value.kind() == Kind::Text);
            }
        }
        look
    }

    /// Changes the style. A scalar that is no text stays plain, as it would become one in quotes.
    fn restyle(&mut self, style: Style, is_text: bool) {
        let scalar = match style {
            Style::Block => return self.collection = CollectionStyle::Block,
            Style::Flow => return self.collection = CollectionStyle::Flow,
            Style::Plain => ScalarStyle::Text,
            Style::Single => ScalarStyle::SingleQuoted,
            Style::Double => ScalarStyle::DoubleQuoted,
            Style::Literal => ScalarStyle::Literal,
            Style::Folded => ScalarStyle::Folded,
        };
        if is_text {
            self.scalar = scalar;
        }
    }
}

/// Returns `tag`, written as in YAML, with its handle replaced.
pub(crate) fn full_tag(tag: &str) -> String {
    let verbatim = tag.strip_prefix("!<").and_then(|tag| tag.strip_suffix('>'));
    match (verbatim, tag.strip_prefix("!!")) {
        (Some(tag), _) => tag.to_owned(),
        (_, Some(name)) => format!("tag:yaml.org,2002:{name}"),
        _ => tag.to_owned(),
    }
}
