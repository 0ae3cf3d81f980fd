//! Documents whose nodes Java requests one by one.

use crate::failure;
use crate::options::LoadOptions;
use crate::tokens::Tokens;
use crate::tree;
use ketch_host::nodes::{self, Places};
use ketch_yaml::compose::{Kind, Node, NodeId, Style};
use ketch_yaml::schema::Scalar;
use ketch_yaml::{ComposeOptions, Document, Documents, Error, FloatKeys, ReadParser};
use std::cell::OnceCell;
use std::collections::VecDeque;
use std::io::Read;
use std::sync::Arc;

/// The documents of a text or a stream, in order.
pub struct Composition {
    options: LoadOptions,
    rest: Rest,
}

/// The documents of a composition that have not been returned yet.
enum Rest {
    /// The documents of a text, which are already composed.
    Text(VecDeque<Document<'static>>),
    Stream(Box<Documents<'static, ReadParser<Box<dyn Read>>>>),
}

/// Returns the options for documents whose nodes keep all digits of keys.
fn exact(options: &LoadOptions) -> ComposeOptions {
    let mut compose = options.compose;
    compose.float_keys = FloatKeys::Exact;
    compose
}

impl Composition {
    /// Composes the whole text, and keeps its first `kept_max` documents.
    pub fn of_text(
        text: &[u8],
        options: LoadOptions,
        kept_max: usize,
    ) -> Result<Composition, Vec<u8>> {
        let mut composed = Documents::with_options(text, &options.parse, &exact(&options));
        let mut documents = VecDeque::new();
        while let Some(document) = composed.next_owned() {
            let document = document.map_err(|error| fields(error, &options))?;
            if documents.len() < kept_max {
                documents.push_back(document);
            }
        }
        Ok(Composition { options, rest: Rest::Text(documents) })
    }

    /// Composes a stream, one document at a time.
    pub fn of_stream(stream: Box<dyn Read>, options: LoadOptions) -> Composition {
        let parser = ReadParser::with_options(stream, &options.parse);
        let documents = Documents::from_source(parser, &exact(&options));
        Composition { options, rest: Rest::Stream(Box::new(documents)) }
    }

    /// Returns the next document, or `None` at the end.
    pub fn next(&mut self) -> Result<Option<Held>, Vec<u8>> {
        let document = match &mut self.rest {
            Rest::Text(documents) => documents.pop_front(),
            Rest::Stream(documents) => {
                documents.next_owned().transpose().map_err(|error| fields(error, &self.options))?
            }
        };
        Ok(document.map(|document| Held::new(Arc::new(document), self.options.clone())))
    }
}

/// Returns the fields of an error of the engine.
fn fields(error: Error, options: &LoadOptions) -> Vec<u8> {
    failure::fields(error, options.file.as_deref())
}

/// The texts of a node, as the numbers with which Java requests them.
const TAG: i32 = 0;
const ANCHOR: i32 = 1;
const TEXT: i32 = 2;
const KEY: i32 = 3;
const LINE: i32 = 4;

/// A document that owns its text, for Java.
pub struct Held {
    document: Arc<Document<'static>>,
    options: LoadOptions,
    places: Places,
    /// The tokens of the last value. Created when a value is requested for the first time.
    pub out: OnceCell<Tokens>,
    pub error: Vec<u8>,
}

impl Held {
    /// Holds a document that was composed with these options.
    pub fn new(document: Arc<Document<'static>>, mut options: LoadOptions) -> Held {
        options.has_positions = false;
        let (places, out) = (Places::default(), OnceCell::new());
        Held { document, options, places, out, error: Vec::new() }
    }

    /// Returns the number of nodes, whether the document starts with `---`, and whether it ends
    /// with `...`.
    pub fn facts(&self) -> [i64; 3] {
        let document = &self.document;
        [
            document.node_count() as i64,
            document.is_start_explicit().into(),
            document.is_end_explicit().into(),
        ]
    }

    /// Returns the node with this number, which must be less than the number of nodes.
    fn node(&self, number: usize) -> Node<'_> {
        self.document.node(NodeId::from(number))
    }

    /// Returns the kind of a node, its style and, for an alias, the number of the node that it
    /// refers to (otherwise -1). `Nodes.java` has the same numbers.
    pub fn shape(&self, number: usize) -> [i64; 3] {
        let node = self.node(number);
        let kind = match node.kind() {
            Kind::Scalar => 0,
            Kind::Sequence => 1,
            Kind::Mapping => 2,
            Kind::Alias => 3,
        };
        let style = match node.style() {
            Style::Plain => 0,
            Style::SingleQuoted => 1,
            Style::DoubleQuoted => 2,
            Style::Literal => 3,
            Style::Folded => 4,
            Style::Block => 5,
            Style::Flow => 6,
            Style::Alias => 7,
        };
        [kind, style, node.target().map_or(-1, |target| target.id().index() as i64)]
    }

    /// Returns the requested text of a node, or `None` if the node has none.
    pub fn text(&self, number: usize, which: i32) -> Option<Vec<u8>> {
        let node = self.node(number);
        let bytes = |text: &str| text.as_bytes().to_vec();
        match which {
            TAG => nodes::tag(node).map(bytes),
            ANCHOR => node.anchor().map(bytes),
            TEXT => nodes::text(node).map(|text| text.into_owned().into_bytes()),
            KEY => self.key(node.resolved()),
            LINE => Some(node.location().text.into_bytes()),
            _ => None,
        }
    }

    /// Returns the text of a node that is a key, or `None` if its value is not text.
    fn key(&self, node: Node<'_>) -> Option<Vec<u8>> {
        if node.kind() != Kind::Scalar {
            return None;
        }
        match node.scalar_bytes(self.options.compose.schema) {
            Ok(Scalar::Str(content)) => Some(content.into_owned()),
            Ok(Scalar::Merge) => Some(b"<<".to_vec()),
            _ => None,
        }
    }

    /// Returns the location of a node: its start line and column, its end line and column, its
    /// offset in bytes, and its length in bytes.
    pub fn place(&self, number: usize) -> [i64; 6] {
        self.places.of(self.node(number)).map(|number| number as i64)
    }

    /// Returns the number of characters before a node in the line that error messages show.
    pub fn line_column(&self, number: usize) -> i64 {
        self.node(number).location().text_column as i64
    }

    /// Returns the numbers of the nodes in a sequence, or of the keys and values in a mapping,
    /// alternating.
    pub fn children(&self, number: usize) -> Vec<i64> {
        nodes::children(self.node(number)).into_iter().map(|number| number as i64).collect()
    }

    /// Returns three numbers for each pair of a mapping, including merged pairs: the number of the
    /// key, the number of the value, and whether the pair is written in this mapping itself.
    pub fn pairs(&self, number: usize) -> Vec<i64> {
        // If merging fails here, it has also failed in the load, so there is no value to locate.
        let pairs = nodes::numbered_pairs(self.node(number)).unwrap_or_default();
        let numbers = |(key, value, is_own)| [key as i64, value as i64, i64::from(is_own)];
        pairs.into_iter().flat_map(numbers).collect()
    }

    /// Creates the tokens for the value of a node. If `is_new` is true, the reader has no keys yet.
    pub fn value(&mut self, number: usize, is_new: bool) -> Result<(), Vec<u8>> {
        let mut out = self.out.take().unwrap_or_else(Tokens::new);
        out.clear();
        if is_new {
            out.forget_keys();
        }
        let result = tree::value(&self.document, self.node(number), &self.options, &mut out);
        let result = result.map_err(|error| {
            out.forget_keys();
            fields(error, &self.options)
        });
        self.out = OnceCell::from(out);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(text: &[u8]) -> Held {
        let options = LoadOptions::default();
        Composition::of_text(text, options, 1).unwrap().next().unwrap().unwrap()
    }

    #[test]
    fn nodes_are_requested_by_number() {
        let held = only("--- !a &m\nk: [*m, 'é']\n".as_bytes());
        assert_eq!(held.facts(), [5, 1, 0]);
        assert_eq!(held.children(0), [1, 2]);
        assert_eq!(held.shape(2), [1, 6, -1]);
        assert_eq!(held.shape(3), [3, 7, 0]);
        assert_eq!(held.text(0, TAG), Some(b"!a".to_vec()));
        assert_eq!(held.text(3, ANCHOR), Some(b"m".to_vec()));
        assert_eq!(held.text(4, TEXT), Some("é".into()));
        assert_eq!(held.text(4, LINE), Some("k: [*m, 'é']".into()));
        assert_eq!(held.place(4), [2, 9, 2, 12, 18, 4]);
        assert_eq!(held.line_column(4), 8);
    }

    #[test]
    fn a_text_is_composed_to_its_end() {
        let options = LoadOptions::default();
        assert!(Composition::of_text(b"a\n--- [", options.clone(), 1).is_err());
        let mut stream = Composition::of_stream(Box::new(&b"a\n--- ["[..]), options);
        assert!(stream.next().unwrap().is_some());
        assert!(stream.next().is_err());
    }
}
