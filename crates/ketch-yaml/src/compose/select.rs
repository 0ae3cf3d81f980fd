//! The nodes that the steps of a path select, and how far a path led that found nothing.

use super::document::Document;
use super::key::{self, ScalarKey};
use super::lookup;
use super::view::{Kind, Node};
use crate::location::is_masked;
use crate::path::{self, Filter, Matcher, Path, Step, array_index};
use crate::schema::{Scalar, Schema};
use std::borrow::Cow;

/// How far a path led, if it found nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reached {
    /// The number of steps that led to a node.
    pub steps: usize,
    /// The kind of that node; never an alias.
    pub kind: Kind,
    /// The number of its entries or pairs.
    pub len: u64,
    /// The text of its keys that are scalars. At most the first thousand are listed, and at most 64 KiB.
    pub keys: Vec<String>,
}

/// The number of keys that a message lists.
const SHOWN_MAX: usize = 10;

impl Reached {
    /// Describes the last node that `path` reached, for an error message: `` `spec` has the keys
    /// containers, replicas``.
    #[must_use]
    pub fn shown(&self, path: &Path) -> String {
        let location = match self.steps {
            0 => "the document".to_owned(),
            steps => format!("`{}`", path.prefix(steps)),
        };
        match self.kind {
            Kind::Mapping if self.len == 0 => format!("{location} is an empty mapping"),
            Kind::Mapping if self.keys.is_empty() => format!("{location} is a mapping"),
            Kind::Mapping => format!("{location} has the keys {}", self.listed()),
            Kind::Sequence if self.len == 1 => format!("{location} is a sequence of 1 entry"),
            Kind::Sequence => format!("{location} is a sequence of {} entries", self.len),
            _ => format!("{location} is a scalar"),
        }
    }

    /// Returns a list of the first few keys, with control characters masked, and of the number of
    /// the others.
    fn listed(&self) -> String {
        let visible = |key: &String| {
            key.chars().map(|ch| if is_masked(ch) { '\u{fffd}' } else { ch }).collect()
        };
        let keys: Vec<String> = self.keys.iter().take(SHOWN_MAX).map(visible).collect();
        match self.len.saturating_sub(keys.len() as u64) {
            0 => keys.join(", "),
            more => format!("{}, and {more} more", keys.join(", ")),
        }
    }
}

/// The maximum number of keys kept for messages, and of their bytes.
const KEYS_MAX: usize = 1000;
const KEY_BYTES_MAX: usize = 64 << 10;

/// Collects the keys of a mapping for messages.
#[derive(Debug, Default)]
pub(super) struct Keys {
    keys: Vec<String>,
    bytes: usize,
}

impl Keys {
    /// Adds `key`, unless there are too many keys already.
    pub fn note(&mut self, key: &[u8]) {
        if self.keys.len() < KEYS_MAX && self.bytes + key.len() <= KEY_BYTES_MAX {
            self.bytes += key.len();
            self.keys.push(String::from_utf8_lossy(key).into_owned());
        }
    }

    /// Returns the keys in document order.
    pub fn into_vec(self) -> Vec<String> {
        self.keys
    }
}

/// The children that a step of a path selects.
#[derive(Debug, Default)]
pub(super) struct Wanted {
    /// The text of the key, if the step selects a key by its text.
    text: Option<Box<str>>,
    /// The value of the key, if the step selects a key that is not a string.
    meaning: Option<ScalarKey<'static>>,
    /// The index of the entry in a sequence, from the end if it is negative.
    pub index: Option<i64>,
    pub many: Many,
}

/// The kind of a step that selects several nodes.
#[derive(Debug, Default)]
pub(super) enum Many {
    #[default]
    No,
    All,
    /// The entries of a sequence from one index up to, but not including, another.
    Slice(Option<i64>, Option<i64>),
    Filter(Box<Test>),
    /// The node and all nodes in it.
    Descend,
}

/// A filter, with its prepared paths.
#[derive(Debug)]
pub(super) struct Test {
    pub matcher: Matcher,
    pub paths: Vec<Vec<Wanted>>,
}

/// How a key matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Match {
    Text,
    Meaning,
    /// The key is the text, with a tag that YAML does not define, whose hash this is.
    Tagged(u64),
}

impl Wanted {
    /// Prepares each of `steps` for comparisons under `schema`.
    pub fn all(steps: &[Step], schema: Schema) -> Vec<Wanted> {
        steps.iter().map(|step| Wanted::new(step, schema)).collect()
    }

    /// Prepares the steps of `path` for comparisons under `schema`. If the path has a filter of
    /// documents, this comes first, as a step.
    pub fn in_stream(path: &Path, schema: Schema) -> Vec<Wanted> {
        let mut wanted = Vec::new();
        if let Some(path::Documents::Filter(filter)) = path.documents() {
            wanted.push(Wanted::filtered(filter, schema));
        }
        wanted.extend(Wanted::all(path.steps(), schema));
        wanted
    }

    /// Makes the steps find only keys that are text.
    pub fn only_text(wanted: &mut [Wanted]) {
        wanted.iter_mut().for_each(|wanted| wanted.meaning = None);
    }

    /// Prepares `step` for comparisons under `schema`.
    fn new(step: &Step, schema: Schema) -> Wanted {
        let many = |many| Wanted { many, ..Wanted::default() };
        match step {
            Step::Name(name) => Wanted {
                text: Some(name.as_str().into()),
                meaning: meaning(name, schema),
                index: array_index(name).and_then(|index| i64::try_from(index).ok()),
                ..Wanted::default()
            },
            Step::Key(key) => Wanted { text: Some(key.as_str().into()), ..Wanted::default() },
            Step::Index(index) => Wanted {
                meaning: Some(ScalarKey::Int(*index)),
                index: Some(*index),
                ..Wanted::default()
            },
            Step::Plain(source) => {
                let meaning = meaning(source, schema);
                let text = meaning.is_none().then(|| source.as_str().into());
                Wanted { text, meaning, ..Wanted::default() }
            }
            Step::All => many(Many::All),
            Step::Slice(from, to) => many(Many::Slice(*from, *to)),
            Step::Filter(filter) => Wanted::filtered(filter, schema),
            Step::Descend => many(Many::Descend),
        }
    }

    /// Prepares `filter`, with the paths in it, for comparisons under `schema`.
    fn filtered(filter: &Filter, schema: Schema) -> Wanted {
        let paths = filter.paths().iter().map(|steps| Wanted::all(steps, schema)).collect();
        let test = Test { matcher: filter.matcher(schema), paths };
        Wanted { many: Many::Filter(Box::new(test)), ..Wanted::default() }
    }

    /// Returns how the step matches `key`, or `None` if it selects another key.
    pub fn matches(&self, key: &ScalarKey<'_>) -> Option<Match> {
        match key {
            ScalarKey::Str(content) => self.matches_text(content),
            ScalarKey::Tagged(tag, content) => {
                self.matches_text(content).map(|_| Match::Tagged(tag.hash()))
            }
            _ => (self.meaning.as_ref() == Some(key)).then_some(Match::Meaning),
        }
    }

    /// Returns how the step matches a key that is the string `content`, or `None` if it selects
    /// another key.
    pub fn matches_text(&self, content: &[u8]) -> Option<Match> {
        let is_text = self.text.as_ref().is_some_and(|text| text.as_bytes() == content);
        is_text.then_some(Match::Text)
    }

    /// Returns the step's name in the form in which keys are compared, if the step has a name.
    fn text_key(&self) -> Option<ScalarKey<'_>> {
        Some(ScalarKey::Str(Cow::Borrowed(self.text.as_ref()?.as_bytes())))
    }

    /// Returns the value of the key that the step selects in the mapping at `mapping`, or `None` if
    /// it selects none. Of several that are spelled alike, it selects the first, or the last if the
    /// last of equal keys wins.
    pub fn value_in(&self, document: &Document<'_>, mapping: usize) -> Option<usize> {
        let text = self.text_key();
        let keys = [text.as_ref(), self.meaning.as_ref()].into_iter().flatten();
        let values = keys.map(|key| lookup::value_of(document, mapping, key));
        let tagged =
            self.text.as_ref().map(|text| lookup::tagged_value_of(document, mapping, text));
        let values = values.chain(tagged).flatten();
        if document.head.last_wins { values.max() } else { values.min() }
    }
}

/// Returns the value of `name` as a plain scalar under `schema`, or `None` if it is a string.
fn meaning(name: &str, schema: Schema) -> Option<ScalarKey<'static>> {
    match schema.scalar(name.as_bytes()) {
        Scalar::Str(_) | Scalar::Unresolved(_) | Scalar::Merge => None,
        value => {
            let value = key::with_text(key::into_static(value), |()| Cow::Owned(Vec::new()));
            Some(ScalarKey::from_value(value, name.as_bytes(), schema))
        }
    }
}

/// Describes the node at `at`, to which the first `steps` steps of a path led and where the next
/// step found nothing.
pub(super) fn reached(document: &Document<'_>, at: usize, steps: usize) -> Reached {
    let node = Node::new(document, at.into()).resolved();
    let mut keys = Keys::default();
    let scalars = node.entries().map(|(key, _)| key.resolved());
    for key in scalars.filter(|key| key.kind() == Kind::Scalar).take(KEYS_MAX) {
        keys.note(&key.content());
    }
    Reached { steps, kind: node.kind(), len: node.len() as u64, keys: keys.into_vec() }
}
