//! State shared by all nodes of a document while it is read.

use super::error::Error;
use super::errors::LeftOut;
use ketch_bytes::utf8::checked;
use ketch_yaml::compose::internal::{NodeSummaries, NodeSummary};
use ketch_yaml::compose::{Kind, Node, NodeId};
use ketch_yaml::schema::Schema;
use ketch_yaml::{Document, Limits};
use std::cell::Cell;
use std::rc::Rc;

/// The budget for hashing nodes in keys, in addition to that for each node. A collection that is a
/// key is hashed as a whole, and again for each level of keys around it, which could take quadratic
/// time. No sensible document comes near this limit.
const HASHES_BASE: u64 = 1_000_000;
const HASHES_PER_NODE: u64 = 16;

/// State shared by all nodes of a document.
pub(super) struct Context<'d, 'de> {
    pub nodes: NodeSummaries<'d>,
    /// The document's text, if it may be borrowed from the input.
    text: Option<&'de str>,
    pub schema: Schema,
    merges: bool,
    /// Whether the input has no document at all.
    pub is_input_empty: bool,
    /// Whether the composer has checked that the keys of each mapping differ.
    pub are_keys_distinct: bool,
    /// The entries to skip, if all errors are requested.
    pub left_out: Option<Rc<LeftOut>>,
    /// The number of nodes that may still be read again.
    repeats_left: Cell<u64>,
    /// The number of nodes in keys that may still be hashed.
    hashes_left: Cell<u64>,
    /// The levels and steps that remain of the recursion limit, as in [`Depth`].
    levels_left: Cell<usize>,
    steps_left: Cell<usize>,
    /// A buffer for decoding text.
    pub decoded: Cell<Vec<u8>>,
}

/// The remaining budgets of a document that is read in parts.
#[derive(Clone, Copy)]
pub(super) struct Budgets {
    repeats: u64,
    hashes: u64,
}

impl Budgets {
    /// Returns the full budgets of a document.
    pub fn of(document: &Document<'_>, limits: &Limits) -> Budgets {
        Budgets {
            repeats: limits.max_alias_nodes.at(document.text().len() as u64),
            hashes: HASHES_BASE + HASHES_PER_NODE * document.node_count() as u64,
        }
    }
}

/// The content of a node, after following aliases.
#[derive(Clone, Copy)]
pub(super) enum Seen<'de> {
    /// A plain scalar without a tag that appears verbatim in the input.
    Plain(&'de str),
    /// A quoted scalar without a tag that appears verbatim in the input.
    Text(&'de str),
    Sequence(Children),
    Mapping(NodeId),
    /// Any other scalar.
    Scalar(NodeId),
}

/// The children of a collection, from `next` up to `end`.
#[derive(Clone, Copy)]
pub(super) struct Children {
    pub next: NodeId,
    pub end: NodeId,
    pub count: usize,
}

impl<'d, 'de> Context<'d, 'de> {
    /// Creates the context of a document. `input` is the text that contains the document, if types
    /// may borrow from it.
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

    /// Fails if the input has no document. A missing document is null, but not text.
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

    /// Classifies a node.
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

    /// Classifies any node, after following an alias.
    #[inline(never)]
    fn classify_slow(&self, id: NodeId) -> Result<Seen<'de>, Error> {
        let node = self.resolved(id)?;
        Ok(match node.kind() {
            Kind::Sequence => Seen::Sequence(self.children(node.id())),
            Kind::Mapping => Seen::Mapping(node.id()),
            _ => Seen::Scalar(node.id()),
        })
    }

    /// Returns the children of a collection.
    #[inline(always)]
    pub fn children(&self, id: NodeId) -> Children {
        let nodes = self.nodes;
        Children { next: nodes.first_child(id), end: nodes.after(id), count: nodes.count(id) }
    }

    /// Returns the target of an alias, and counts its nodes against the budget for aliases. Returns
    /// any other node itself.
    pub fn resolved(&self, id: NodeId) -> Result<Node<'d>, Error> {
        let node = self.nodes.node(id);
        match node.target() {
            Some(target) => self.repeat(target).map(|()| target),
            None => Ok(node),
        }
    }

    /// Counts the nodes of a repeated part against the budget for aliases.
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

    /// Returns the pairs of a mapping, with merge keys applied if enabled.
    #[inline(always)]
    pub fn pairs(&self, id: NodeId) -> Result<Pairs, Error> {
        if self.merges || self.nodes.summary(id) != NodeSummary::Mapping {
            return self.listed_pairs(id);
        }
        Ok(Pairs { children: self.children(id), listed: None })
    }

    /// Returns the pairs of a mapping as a list, in which merge keys are applied if enabled. Counts
    /// the pairs from other mappings against the budget for aliases.
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

    /// Returns whether the entry must be skipped.
    #[inline(always)]
    pub fn leaves_out(&self, node: NodeId) -> bool {
        self.left_out.as_ref().is_some_and(|left_out| left_out.contains(node))
    }

    /// Records that an entry failed, with its key if it is a value of a mapping.
    pub fn note_entry(&self, node: NodeId, key: Option<NodeId>, error: &Error) {
        if let Some(left_out) = &self.left_out {
            let node_of = |id| self.nodes.node(id);
            left_out.claim(node_of(node), key.map(node_of), error);
        }
    }

    /// Counts the nodes of a key against the budget for hashing, before it is hashed.
    pub fn hash_key(&self, nodes: usize) -> Result<(), Error> {
        let left = self.hashes_left.get().checked_sub(nodes as u64);
        self.hashes_left.set(left.unwrap_or(0));
        match left {
            Some(_) => Ok(()),
            None => Err(Error::new("collections used as keys are nested too deeply")),
        }
    }

    /// Enters a collection, which counts as a level of recursion.
    #[inline(always)]
    pub fn enter(&self) -> Result<Entered<'_>, Error> {
        Entered::new(&self.levels_left)
    }

    /// Enters a newtype, a `Some`, a variant or a `Spanned`, because types can recurse through
    /// these without consuming input.
    #[inline(always)]
    pub fn step(&self) -> Result<Entered<'_>, Error> {
        Entered::new(&self.steps_left)
    }

    /// Runs `read` on the decoded content of a scalar.
    pub fn with_decoded<T>(&self, node: Node<'_>, read: impl FnOnce(&str) -> T) -> T {
        let mut decoded = self.decoded.take();
        decoded.clear();
        node.decode_into(&mut decoded);
        // The parser has checked that all text is UTF-8.
        let result = read(checked(&decoded).unwrap_or_default());
        self.decoded.set(decoded);
        result
    }

    /// Returns the same text borrowed from the input, or `None` if it is not part of the input.
    pub fn borrowed(&self, text: &str) -> Option<&'de str> {
        part_of(self.text?, text.as_bytes())
    }
}

/// Returns `part` as a slice of the input, or `None` if it is not part of the input.
fn part_of<'de>(input: &'de str, part: &[u8]) -> Option<&'de str> {
    let start = (part.as_ptr() as usize).checked_sub(input.as_ptr() as usize)?;
    input.get(start..start + part.len())
}

/// Returns the error for exceeding the recursion limit.
#[cold]
pub(super) fn too_deep() -> Error {
    Error::new("nested too deeply for this type; raise `max_recursion`, or read a `Value`")
}

/// A guard for one level or step, which is left when the guard is dropped.
pub(super) struct Entered<'c> {
    left: &'c Cell<usize>,
}

impl<'c> Entered<'c> {
    /// Enters a level, or fails if none is left.
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

/// What remains of `max_recursion`. Collections are counted separately from the steps of a type
/// that enter no collection (newtypes, `Some`, variants, `Spanned`), so that a list of
/// `Option<Box<Node>>` has only the levels that its text has.
#[derive(Clone, Copy)]
pub(super) struct Depth {
    pub levels: usize,
    pub steps: usize,
}

impl Depth {
    /// Returns the depth before anything is entered.
    pub fn new(max_recursion: usize) -> Depth {
        Depth { levels: max_recursion, steps: max_recursion }
    }

    /// Returns the depth that is left inside a collection, or `None` if there is none.
    #[inline(always)]
    pub fn entered(self) -> Option<Depth> {
        Some(Depth { levels: self.levels.checked_sub(1)?, ..self })
    }

    /// Returns the depth that is left after a step, or `None` if there is none.
    #[inline(always)]
    pub fn stepped(self) -> Option<Depth> {
        Some(Depth { steps: self.steps.checked_sub(1)?, ..self })
    }
}

/// The pairs of a mapping.
pub(super) struct Pairs {
    children: Children,
    /// A list of pairs, for those that are not adjacent in the document.
    listed: Option<std::vec::IntoIter<(NodeId, NodeId)>>,
}

impl Pairs {
    pub const NONE: Pairs = Pairs { children: Children::NONE, listed: None };

    /// Returns the next key and value.
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

    /// Returns the next child.
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
