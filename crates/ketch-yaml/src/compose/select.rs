//! Follows paths in a tree.
//!
//! It goes step by step with all nodes at once, each step from the nodes of the one before, in
//! order. So the final nodes are in document order, with aliases ordered by their own locations.

use super::document::Document;
use super::key::{self, ScalarKey};
use super::lookup;
use super::merge;
use super::node::Shape;
use super::tree::View;
use super::view::{Kind, Node};
use crate::error::Error;
use crate::fault::Fault;
use crate::limits::Limits;
use crate::path::{Path, Step, array_index};
use crate::problem::Problem;
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

/// The most keys kept for messages, and the most bytes.
const KEYS_MAX: usize = 1000;
const KEY_BYTES_MAX: usize = 64 << 10;

/// The keys of a mapping, for messages.
#[derive(Debug, Default)]
pub(super) struct Keys {
    keys: Vec<String>,
    bytes: usize,
}

impl Keys {
    pub fn note(&mut self, key: &[u8]) {
        if self.keys.len() < KEYS_MAX && self.bytes + key.len() <= KEY_BYTES_MAX {
            self.bytes += key.len();
            self.keys.push(String::from_utf8_lossy(key).into_owned());
        }
    }

    pub fn into_vec(self) -> Vec<String> {
        self.keys
    }
}

/// What a step asks for.
#[derive(Debug)]
pub(super) struct Wanted {
    /// The key with this text.
    text: Option<Box<str>>,
    /// The key with this meaning, which is not a string.
    meaning: Option<ScalarKey<'static>>,
    /// The entry of a sequence, from the end if it is negative.
    pub index: Option<i64>,
    pub is_all: bool,
}

/// How a key matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Match {
    Text,
    Meaning,
}

impl Wanted {
    pub fn all(path: &Path, schema: Schema) -> Vec<Wanted> {
        path.steps().iter().map(|step| Wanted::new(step, schema)).collect()
    }

    fn new(step: &Step, schema: Schema) -> Wanted {
        let nothing = Wanted { text: None, meaning: None, index: None, is_all: false };
        match step {
            Step::Name(name) => Wanted {
                text: Some(name.as_str().into()),
                meaning: meaning(name, schema),
                index: array_index(name).and_then(|index| i64::try_from(index).ok()),
                ..nothing
            },
            Step::Key(key) => Wanted { text: Some(key.as_str().into()), ..nothing },
            Step::Index(index) => {
                Wanted { meaning: Some(ScalarKey::Int(*index)), index: Some(*index), ..nothing }
            }
            Step::All => Wanted { is_all: true, ..nothing },
        }
    }

    /// Whether it asks for this key.
    pub fn matches(&self, key: &ScalarKey<'_>) -> Option<Match> {
        match key {
            ScalarKey::Str(content) => self.matches_text(content),
            _ => (self.meaning.as_ref() == Some(key)).then_some(Match::Meaning),
        }
    }

    /// Whether it asks for the key with this text.
    pub fn matches_text(&self, content: &[u8]) -> Option<Match> {
        let is_text = self.text.as_ref().is_some_and(|text| text.as_bytes() == content);
        is_text.then_some(Match::Text)
    }

    fn text_key(&self) -> Option<ScalarKey<'_>> {
        Some(ScalarKey::Str(Cow::Borrowed(self.text.as_ref()?.as_bytes())))
    }
}

/// The value of a name as a plain scalar, if that is not a string.
fn meaning(name: &str, schema: Schema) -> Option<ScalarKey<'static>> {
    match schema.scalar(name.as_bytes()) {
        Scalar::Str(_) | Scalar::Unresolved(_) | Scalar::Merge => None,
        value => {
            let value = key::with_text(key::into_static(value), |()| Cow::Owned(Vec::new()));
            Some(ScalarKey::from_value(value))
        }
    }
}

/// The nodes at the end of a path, or how far it got.
pub(super) enum Selected {
    Nodes(Vec<usize>),
    None(Reached),
}

/// Follows `wanted` from the node at `start`.
pub(super) fn select(
    document: &Document<'_>,
    start: usize,
    wanted: &[Wanted],
    limits: &Limits,
) -> Result<Selected, Fault> {
    let view = document.view();
    // Without aliases, no node is visited twice.
    let aliases = limits.max_alias_nodes.at(document.text().len() as u64);
    let max = aliases.saturating_add(document.node_count() as u64);
    let mut met = 0;
    let mut nodes = vec![start];
    check_cycles(view, &nodes)?;
    for (at, step) in wanted.iter().enumerate() {
        let mut next = Vec::new();
        for &node in &nodes {
            met += children(document, view.resolved(node), step, limits, &mut next)?;
            if met + next.len() as u64 > max {
                let span = view.span(node);
                let problem = Problem::TooManyAliasNodes(aliases);
                return Err(Fault {
                    problem,
                    at: span.start as u64,
                    len: span.len(),
                    related: None,
                });
            }
        }
        if next.is_empty() {
            return Ok(Selected::None(reached(document, nodes[0], at)));
        }
        check_cycles(view, &next)?;
        met += next.len() as u64;
        nodes = next;
    }
    Ok(Selected::Nodes(nodes))
}

/// Checks that no alias is inside its own target: the path would go in a circle.
fn check_cycles(view: View<'_>, nodes: &[usize]) -> Result<(), Fault> {
    let is_cycle = |&&at: &&usize| view.resolved(at) != at && view.is_cycle(at);
    nodes.iter().find(is_cycle).map_or(Ok(()), |&at| Err(view.cycle(at)))
}

/// Appends the children of the node at `at` that the step asks for. Returns the number of pairs of
/// merged mappings that were visited.
fn children(
    document: &Document<'_>,
    at: usize,
    wanted: &Wanted,
    limits: &Limits,
    found: &mut Vec<usize>,
) -> Result<u64, Fault> {
    let view = document.view();
    match view.nodes[at].shape() {
        Shape::Sequence if wanted.is_all => found.extend(view.children(at)),
        Shape::Sequence => {
            let len = view.nodes[at].count();
            let index = wanted.index.and_then(|index| position(index, len));
            found.extend(index.and_then(|index| lookup::item(view, at, index)));
        }
        Shape::Mapping if document.merges() && merge::has_merge_key(view, at) => {
            let schema = document.schema();
            let merge::Merged { pairs, looked_at } = merge::merge(view, at, schema, limits)?;
            let is_wanted = |&&(key, _): &&(usize, usize)| {
                wanted.is_all || is_wanted_key(view, key, wanted, schema)
            };
            let count = if wanted.is_all { pairs.len() } else { 1 };
            let values = pairs.iter().filter(is_wanted).map(|&(_, value)| value);
            found.extend(values.take(count));
            return Ok(looked_at);
        }
        Shape::Mapping if wanted.is_all => found.extend(view.pairs(at).map(|(_, value)| value)),
        Shape::Mapping => {
            let text = wanted.text_key();
            let keys = [text.as_ref(), wanted.meaning.as_ref()].into_iter().flatten();
            found.extend(keys.filter_map(|key| lookup::value_of(document, at, key)).min());
        }
        _ => {}
    }
    Ok(0)
}

/// The index from the start in a sequence of this many entries.
fn position(index: i64, len: usize) -> Option<usize> {
    let from_start = if index < 0 { index.checked_add_unsigned(len as u64)? } else { index };
    usize::try_from(from_start).ok()
}

fn is_wanted_key(view: View<'_>, key: usize, wanted: &Wanted, schema: Schema) -> bool {
    let target = view.resolved(key);
    view.nodes[target].is_scalar() && wanted.matches(&ScalarKey::of(view, target, schema)).is_some()
}

/// What there is at the node at `at`, where the step after `steps` others found nothing.
fn reached(document: &Document<'_>, at: usize, steps: usize) -> Reached {
    let node = Node::new(document, at.into()).resolved();
    let mut keys = Keys::default();
    let scalars = node.entries().map(|(key, _)| key.resolved());
    for key in scalars.filter(|key| key.kind() == Kind::Scalar).take(KEYS_MAX) {
        keys.note(&key.content());
    }
    Reached { steps, kind: node.kind(), len: node.len() as u64, keys: keys.into_vec() }
}

impl<'d> Node<'d> {
    /// The nodes that a path leads to from this one, in document order. There may be none.
    ///
    /// Aliases on the path are followed. If the path ends at an alias, the result has the alias itself.
    /// Merge keys are applied if the document was composed with them. Keys are compared by their
    /// values under [`Document::schema`].
    ///
    /// # Errors
    ///
    /// [`Problem::AliasCycle`] where the path goes through an alias inside its own target,
    /// [`Problem::MergeValue`], and [`Problem::TooManyAliasNodes`] if wildcards find more through
    /// aliases than the default limit allows.
    ///
    /// ```
    /// use ketch_yaml::Documents;
    ///
    /// let document = Documents::new(b"- &a {port: 80}\n- {port: 443}\n- *a\n").next().unwrap()?;
    /// let ports = document.root().select(&"[*].port".parse().unwrap())?;
    /// let ports: Vec<_> = ports.iter().map(|node| node.text()).collect();
    /// assert_eq!(ports, ["80", "443", "80"]);
    /// # Ok::<(), ketch_yaml::Error>(())
    /// ```
    pub fn select(self, path: &Path) -> Result<Vec<Node<'d>>, Error> {
        let document = self.document();
        let wanted = Wanted::all(path, document.schema());
        match select(document, self.id().index(), &wanted, &Limits::default()) {
            Ok(Selected::Nodes(nodes)) => {
                Ok(nodes.into_iter().map(|at| Node::new(document, at.into())).collect())
            }
            Ok(Selected::None(_)) => Ok(Vec::new()),
            Err(fault) => Err(document.error(fault)),
        }
    }
}
