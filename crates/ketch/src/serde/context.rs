//! The state that all nodes of a document share while it is read.

use super::errors::LeftOut;
use crate::serde_error::Error;
use ketch_bytes::utf8::checked;
use ketch_yaml::compose::internal::{NodeSummaries, NodeSummary};
use ketch_yaml::compose::{Kind, Node, NodeId};
use ketch_yaml::schema::Schema;
use ketch_yaml::{Document, Limits};
use std::cell::Cell;
use std::rc::Rc;

/// The number of nodes in keys that may be hashed, in addition to [`HASHES_PER_NODE`] for each node
/// of the document. A collection that is a key is hashed as a whole, and again for each key that
/// contains it, which could take quadratic time. No sensible document comes near this limit.
const HASHES_BASE: u64 = 1_000_000;
const HASHES_PER_NODE: u64 = 16;

/// The state that all nodes of a document share while it is read.
pub(super) struct Context<'d, 'de> {
    pub nodes: NodeSummaries<'d>,
    /// The document's text, if types may borrow from it.
    text: Option<&'de str>,
    pub schema: Schema,
    merges: bool,
    /// Whether the input has no document at all.
    pub is_input_empty: bool,
    /// Whether the composer has checked that the keys of each mapping differ.
    pub are_keys_distinct: bool,
    /// The entries to skip, if the caller has requested all errors.
    pub left_out: Option<Rc<LeftOut>>,
    /// The remaining number of nodes that may be read again through aliases and merge keys.
    repeats_left: Cell<u64>,
    /// The remaining number of nodes in keys that may be hashed.
    hashes_left: Cell<u64>,
    /// The remaining levels and steps of the recursion limit, as in [`Depth`].
    levels_left: Cell<usize>,
    steps_left: Cell<usize>,
    /// A buffer for the decoded content of scalars, which is reused.
    pub decoded: Cell<Vec<u8>>,
}

/// The remaining budgets of a document. They can be passed on if the document is read in parts.
#[derive(Clone, Copy)]
pub(super) struct Budgets {
    repeats: u64,
    hashes: u64,
}

impl Budgets {
    /// Returns the full budgets for `document`.
    pub fn of(document: &Document<'_>, limits: &Limits) -> Budgets {
        Budgets {
            repeats: limits.max_alias_nodes.at(document.text().len() as u64),
            hashes: HASHES_BASE + HASHES_PER_NODE * document.node_count() as u64,
        }
    }
}

/// The kind of a node and, if it is a simple scalar, its text. Aliases have been followed.
#[derive(Clone, Copy)]
pub(super) enum Seen<'de> {
    /// A plain scalar without a tag whose text appears verbatim in the input.
    Plain(&'de str),
    /// A quoted scalar without a tag whose text appears verbatim in the input.
    Text(&'de str),
    Sequence(Children),
    Mapping(NodeId),
    /// Any other scalar.
    Scalar(NodeId),
}

/// The children of a collection, from `next` up to but not including `end`.
#[derive(Clone, Copy)]
pub(super) struct Children {
    pub next: NodeId,
    pub end: NodeId,
    pub count: usize,
}

impl<'d, 'de> Context<'d, 'de> {
    /// Creates the context of `document`. `input` is the text that contains the document, or `None`
    /// if types must not borrow from it.
    pub fn new(
        input: Option<&'de str>,
        document: &'d Document<'d>,
        budgets: Budgets,
        depth: Depth,
        are_keys_distinct: bool,
    ) -> Context<'d, 'de> {
        let bytes = document.text();
        Context {
            nodes: NodeSummaries::new(document),
            text: input.and_then(|input| part_of(input, bytes)),
            schema: document.schema(),
            merges: document.merges(),
            is_input_empty: false,
            are_keys_distinct,
            left_out: None,
            repeats_left: Cell::new(budgets.repeats),
            hashes_left: Cell::new(budgets.hashes),
            levels_left: Cell::new(depth.levels),
            steps_left: Cell::new(depth.steps),
            decoded: Cell::default(),
        }
    }

    /// Fails if the input has no document, not even an empty one. Such input can be read as null,
    /// but not as text.
    pub fn check_input(&self) -> Result<(), Error> {
        match self.is_input_empty {
            true => Err(Error::new("expected a value, found empty input")),
            false => Ok(()),
        }
    }

    /// Returns the remaining budgets.
    pub fn budgets(&self) -> Budgets {
        Budgets { repeats: self.repeats_left.get(), hashes: self.hashes_left.get() }
    }

    /// Returns what the node `id` is. An alias is followed.
    #[inline(always)]
    pub fn classify(&self, id: NodeId) -> Result<Seen<'de>, Error> {
        if let Some(text) = self.text {
            match self.nodes.summary(id) {
                NodeSummary::Plain(start, end) => {
                    if let Some(text) = text.get(start..end) {
                        return Ok(Seen::Plain(text));
                    }
                }
                NodeSummary::Quoted(start, end) => {
                    if let Some(text) = text.get(start..end) {
                        return Ok(Seen::Text(text));
                    }
                }
                NodeSummary::Sequence => return Ok(Seen::Sequence(self.children(id))),
                NodeSummary::Mapping => return Ok(Seen::Mapping(id)),
                NodeSummary::Other => {}
            }
        }
        self.classify_slow(id)
    }

    /// Returns what the node `id` is, like [`Context::classify`], but handles all nodes, also
    /// aliases.
    #[inline(never)]
    fn classify_slow(&self, id: NodeId) -> Result<Seen<'de>, Error> {
        let node = self.resolved(id)?;
        Ok(match node.kind() {
            Kind::Sequence => Seen::Sequence(self.children(node.id())),
            Kind::Mapping => Seen::Mapping(node.id()),
            _ => Seen::Scalar(node.id()),
        })
    }

    /// Returns the children of the collection `id`.
    #[inline(always)]
    pub fn children(&self, id: NodeId) -> Children {
        let nodes = self.nodes;
        Children { next: nodes.first_child(id), end: nodes.after(id), count: nodes.count(id) }
    }

    /// Returns the node `id` or, if it is an alias, the node that the alias stands for, whose nodes
    /// are then subtracted from the budget for aliases.
    pub fn resolved(&self, id: NodeId) -> Result<Node<'d>, Error> {
        let node = self.nodes.node(id);
        match node.target() {
            Some(target) => self.repeat(target).map(|()| target),
            None => Ok(node),
        }
    }

    /// Subtracts the nodes in `node`, which is read again, from the budget for aliases. Fails if it
    /// is exceeded.
    fn repeat(&self, node: Node<'_>) -> Result<(), Error> {
        let left = self.repeats_left.get().checked_sub(node.subtree().len() as u64);
        self.repeats_left.set(left.unwrap_or(0));
        left.map(|_| ()).ok_or_else(|| {
            Error::new(
                "the aliases expand to too many nodes; raise `max_alias_nodes` if you trust the \
                 input",
            )
        })
    }

    /// Returns the pairs of the mapping `id`. Merge keys are applied if they are enabled.
    #[inline(always)]
    pub fn pairs(&self, id: NodeId) -> Result<Pairs, Error> {
        if self.merges || self.nodes.summary(id) != NodeSummary::Mapping {
            return self.listed_pairs(id);
        }
        Ok(Pairs { children: self.children(id), listed: None })
    }

    /// Returns the pairs of the mapping `id` as a list. Merge keys are applied if they are enabled.
    /// Pairs from other mappings are subtracted from the budget for aliases.
    #[inline(never)]
    fn listed_pairs(&self, id: NodeId) -> Result<Pairs, Error> {
        let node = self.nodes.node(id);
        let pairs: Vec<_> = match self.merges {
            true => node.merged_entries()?,
            false => node.entries().collect(),
        };
        let own = node.subtree();
        let merged = pairs.iter().filter(|(key, _)| !own.contains(&key.id().index()));
        for (key, value) in merged {
            self.repeat(*key)?;
            self.repeat(*value)?;
        }
        let pairs = pairs.into_iter().map(|(key, value)| (key.id(), value.id()));
        let children = Children { next: id, end: id, count: 2 * pairs.len() };
        Ok(Pairs { children, listed: Some(pairs.collect::<Vec<_>>().into_iter()) })
    }

    /// Returns whether the entry `node` must be skipped.
    #[inline(always)]
    pub fn leaves_out(&self, node: NodeId) -> bool {
        self.left_out.as_ref().is_some_and(|left_out| left_out.contains(node))
    }

    /// Records that the entry `node` failed with `error`. `key` is its key if it is the value of a
    /// mapping's entry.
    pub fn note_entry(&self, node: NodeId, key: Option<NodeId>, error: &Error) {
        if let Some(left_out) = &self.left_out {
            let node_of = |id| self.nodes.node(id);
            left_out.claim(node_of(node), key.map(node_of), error);
        }
    }

    /// Subtracts `nodes`, the number of nodes in a key, from the budget for hashing. This must be
    /// called before the key is hashed.
    pub fn hash_key(&self, nodes: usize) -> Result<(), Error> {
        let left = self.hashes_left.get().checked_sub(nodes as u64);
        self.hashes_left.set(left.unwrap_or(0));
        match left {
            Some(_) => Ok(()),
            None => Err(Error::new("keys that are collections contain too many nodes")),
        }
    }

    /// Enters a collection, which counts as a level of recursion until the guard is dropped.
    #[inline(always)]
    pub fn enter(&self) -> Result<Entered<'_>, Error> {
        Entered::new(&self.levels_left)
    }

    /// Enters a newtype, a `Some`, a variant or a `Spanned`, which counts as a step of recursion
    /// until the guard is dropped. These are limited because types can recurse through them without
    /// consuming input.
    #[inline(always)]
    pub fn step(&self) -> Result<Entered<'_>, Error> {
        Entered::new(&self.steps_left)
    }

    /// Runs `read` on the decoded content of the scalar `node`.
    pub fn with_decoded<T>(&self, node: Node<'_>, read: impl FnOnce(&str) -> T) -> T {
        let mut decoded = self.decoded.take();
        decoded.clear();
        node.decode_into(&mut decoded);
        // The parser has already checked that the text is UTF-8.
        let result = read(checked(&decoded).unwrap_or_default());
        self.decoded.set(decoded);
        result
    }

    /// Returns `text` borrowed from the input, or `None` if it is not a slice of the input.
    pub fn borrowed(&self, text: &str) -> Option<&'de str> {
        part_of(self.text?, text.as_bytes())
    }
}

/// Returns `part` as a slice of `input`, or `None` if it is not in the memory of `input`.
fn part_of<'de>(input: &'de str, part: &[u8]) -> Option<&'de str> {
    let start = (part.as_ptr() as usize).checked_sub(input.as_ptr() as usize)?;
    input.get(start..start + part.len())
}

/// Returns the error for a document that exceeds the recursion limit.
#[cold]
pub(super) fn too_deep() -> Error {
    Error::new("nested too deeply for this type; raise `max_recursion`, or read a `Value`")
}

/// A guard for a level or step of recursion, which ends when the guard is dropped.
pub(super) struct Entered<'c> {
    left: &'c Cell<usize>,
}

impl<'c> Entered<'c> {
    /// Enters a level or step. `left` is the remaining number; fails if it is 0.
    #[inline(always)]
    fn new(left: &'c Cell<usize>) -> Result<Entered<'c>, Error> {
        match left.get().checked_sub(1) {
            Some(less) => {
                left.set(less);
                Ok(Entered { left })
            }
            None => Err(too_deep()),
        }
    }
}

impl Drop for Entered<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        self.left.set(self.left.get() + 1);
    }
}

/// What remains of `max_recursion`. The levels of collections are counted separately from the steps
/// of a type that enter no collection (newtypes, `Some`, variants, `Spanned`). So for a list of
/// `Option<Box<Node>>`, only the levels in its text count.
#[derive(Clone, Copy)]
pub(super) struct Depth {
    pub levels: usize,
    pub steps: usize,
}

impl Depth {
    /// Returns the depth that is available at the root.
    pub fn new(max_recursion: usize) -> Depth {
        Depth { levels: max_recursion, steps: max_recursion }
    }

    /// Returns the depth that is left inside a collection, or `None` if no level is left.
    #[inline(always)]
    pub fn entered(self) -> Option<Depth> {
        Some(Depth { levels: self.levels.checked_sub(1)?, ..self })
    }

    /// Returns the depth that is left after a step, or `None` if no step is left.
    #[inline(always)]
    pub fn stepped(self) -> Option<Depth> {
        Some(Depth { steps: self.steps.checked_sub(1)?, ..self })
    }
}

/// The remaining pairs of a mapping.
pub(super) struct Pairs {
    children: Children,
    /// The remaining pairs as a list, if they are not adjacent in the document.
    listed: Option<std::vec::IntoIter<(NodeId, NodeId)>>,
}

impl Pairs {
    pub const NONE: Pairs = Pairs { children: Children::NONE, listed: None };

    /// Returns the next key and its value, or `None` at the end.
    #[inline(always)]
    pub fn next(&mut self, nodes: NodeSummaries<'_>) -> Option<(NodeId, NodeId)> {
        let key = self.children.next;
        if key == self.children.end {
            return self.listed.as_mut()?.next();
        }
        let value = nodes.after(key);
        self.children.next = nodes.after(value);
        Some((key, value))
    }
}

impl Children {
    pub const NONE: Children = Children { next: NodeId::ROOT, end: NodeId::ROOT, count: 0 };

    /// Returns the next child, or `None` at the end.
    #[inline(always)]
    pub fn next(&mut self, nodes: NodeSummaries<'_>) -> Option<NodeId> {
        let child = self.next;
        if child == self.end {
            return None;
        }
        self.next = nodes.after(child);
        Some(child)
    }
}
