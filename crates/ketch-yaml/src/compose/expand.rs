//! Walks through a document with aliases expanded, for writers of formats without aliases.

use super::document::Document;
use super::merge::{self, Pair};
use super::node::{NodeId, Shape};
use super::options::{Equality, FloatKeys};
use super::tree::View;
use super::view::Node;
use crate::error::Error;
use crate::fault::Fault;
use crate::limits::Limits;
use crate::problem::Problem;
use crate::schema::Schema;

/// Options for walking through a document.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ExpandOptions {
    /// The schema by which keys of merged mappings are compared.
    pub schema: Schema,
    /// How floats are compared as keys of merged mappings.
    pub float_keys: FloatKeys,
    /// Whether `<<` merges.
    pub merges: bool,
    /// The limits. [`Limits::max_alias_nodes`] bounds the walk.
    pub limits: Limits,
}

impl ExpandOptions {
    /// Returns the options with which `document` was composed, with default limits.
    pub fn of(document: &Document<'_>) -> ExpandOptions {
        let Equality { schema, floats: float_keys } = document.head.equality;
        let (merges, limits) = (document.merges(), Limits::default());
        ExpandOptions { schema, float_keys, merges, limits }
    }
}

/// What a step of a walk visits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A scalar.
    Scalar,
    /// A collection starts.
    Start,
    /// A collection ends.
    End,
}

/// The role of a node in its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The root.
    Root,
    /// An entry of a sequence.
    Item,
    /// A key of a mapping.
    Key,
    /// A value of a mapping.
    Value,
}

/// One step of a walk.
#[derive(Clone, Copy, Debug)]
pub struct Visit<'d> {
    /// Whether the step visits a scalar, or the start or the end of a collection.
    pub step: Step,
    /// The role of the node in its parent.
    pub role: Role,
    /// The number of its parent's entries or pairs that come before it.
    pub index: usize,
    /// The node, never an alias.
    pub node: Node<'d>,
    /// The id of the node or, if the walk reached it through an alias, of the alias.
    pub place: NodeId,
}

/// Iterates over a document with its aliases expanded, in document order. There is one step for each
/// scalar, and one each for the start and the end of a collection. The stack is on the heap.
///
/// The walk ends with an error if an alias is inside its own target ([`Problem::AliasCycle`]), if
/// aliases expand to more nodes than [`Limits::max_alias_nodes`] allows
/// ([`Problem::TooManyAliasNodes`]), or if the value of a merge key is not a mapping
/// ([`Problem::MergeValue`]).
///
/// ```
/// use ketch_yaml::compose::Step;
/// use ketch_yaml::Documents;
///
/// let text = b"[&a [one], *a]";
/// let document = Documents::new(text).next().unwrap()?;
/// let mut scalars = Vec::new();
/// for visit in document.expanded() {
///     let visit = visit?;
///     if visit.step == Step::Scalar {
///         scalars.push(visit.node.text());
///     }
/// }
/// assert_eq!(scalars, ["one", "one"]);
/// # Ok::<(), ketch_yaml::Error>(())
/// ```
#[derive(Debug)]
pub struct Expanded<'d> {
    document: &'d Document<'d>,
    options: ExpandOptions,
    /// The node at which the walk starts.
    start: usize,
    stack: Vec<Frame>,
    state: State,
    /// The number of frames entered through aliases or merges.
    through_alias: usize,
    /// The number of nodes visited inside these frames.
    alias_nodes: u64,
    alias_nodes_max: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Root,
    Inside,
    Done,
}

/// A collection that is being walked through.
#[derive(Debug)]
struct Frame {
    node: u32,
    place: u32,
    role: Role,
    /// The position among its parent's children.
    index: u32,
    /// The index of the next child.
    next: u32,
    /// The number of children visited so far.
    count: u32,
    /// Whether it was entered through an alias or a merge.
    is_alias: bool,
    /// The pairs, if others are merged in; then `next` is an index in them.
    merged: Option<Box<[Pair]>>,
}

impl<'t> Document<'t> {
    /// Walks through the document with aliases expanded. Merge keys are applied if the document was
    /// composed with them.
    pub fn expanded(&self) -> Expanded<'_> {
        self.expanded_with(&ExpandOptions::of(self))
    }

    /// Walks through the document with aliases expanded, as `options` say.
    pub fn expanded_with(&self, options: &ExpandOptions) -> Expanded<'_> {
        self.root().expanded_with(options)
    }
}

impl<'d> Node<'d> {
    /// Walks through the node with aliases expanded. The [`Role`] of the node itself is the root. Limits
    /// are computed for the whole document.
    pub fn expanded_with(self, options: &ExpandOptions) -> Expanded<'d> {
        let document = self.document();
        let bytes = document.text().len() as u64;
        Expanded {
            document,
            options: *options,
            start: self.id().index(),
            stack: Vec::new(),
            state: State::Root,
            through_alias: 0,
            alias_nodes: 0,
            alias_nodes_max: options.limits.max_alias_nodes.at(bytes),
        }
    }
}

impl<'d> Iterator for Expanded<'d> {
    type Item = Result<Visit<'d>, Error>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        match self.advance() {
            Ok(visit) => visit.map(Ok),
            Err(fault) => {
                self.state = State::Done;
                Some(Err(self.document.error(fault)))
            }
        }
    }
}

impl<'d> Expanded<'d> {
    /// Takes the next step. Returns `None` after the last step.
    #[inline]
    fn advance(&mut self) -> Result<Option<Visit<'d>>, Fault> {
        let Some(frame) = self.stack.last_mut() else {
            if self.state != State::Root {
                return Ok(None);
            }
            self.state = State::Inside;
            return self.visit(self.start, Role::Root, 0).map(Some);
        };
        if self.state == State::Done {
            return Ok(None);
        }
        let view = self.document.view();
        match frame.child(view) {
            Some((child, role, index)) => self.visit(child, role, index).map(Some),
            None => Ok(self.leave()),
        }
    }

    /// Visits the node at `place`, or its target if it is an alias. `role` and `index` are those of
    /// the node in its parent. Fails if the alias is inside its target, or if aliases expand to too
    /// many nodes.
    #[inline]
    fn visit(&mut self, place: usize, role: Role, index: usize) -> Result<Visit<'d>, Fault> {
        let view = self.document.view();
        let at = view.resolved(place);
        let is_alias = at != place;
        if is_alias || self.through_alias > 0 {
            self.count(place, 1)?;
        }
        if is_alias && view.is_cycle(place) {
            return Err(view.cycle(place));
        }
        let shape = view.nodes[at].shape();
        let step = match shape {
            Shape::Sequence | Shape::Mapping => {
                self.enter(at, place, role, index)?;
                Step::Start
            }
            _ => Step::Scalar,
        };
        Ok(self.new_visit(step, at, place, role, index))
    }

    /// Opens the collection at `at`, and applies its merge keys if it is a mapping. `place` is the
    /// collection itself or the alias in its place.
    fn enter(&mut self, at: usize, place: usize, role: Role, index: usize) -> Result<(), Fault> {
        let view = self.document.view();
        let is_mapping = view.nodes[at].shape() == Shape::Mapping;
        let mut is_alias = at != place;
        let mut merged = None;
        if is_mapping && self.options.merges && merge::has_merge_key(view, at) {
            let ExpandOptions { schema, float_keys: floats, limits, .. } = self.options;
            let result = merge::merge(view, at, Equality { schema, floats }, &limits)?;
            self.count(place, result.looked_at)?;
            merged = Some(result.pairs.into_boxed_slice());
            // Merged pairs are elsewhere in the document, like the target of an alias.
            is_alias = true;
        }
        self.through_alias += usize::from(is_alias);
        self.stack.push(Frame {
            node: at as u32,
            place: place as u32,
            role,
            index: index as u32,
            next: if merged.is_some() { 0 } else { at as u32 + 1 },
            count: 0,
            is_alias,
            merged,
        });
        Ok(())
    }

    /// Closes the innermost collection, and returns the visit of its end. Returns `None` if none is
    /// open.
    fn leave(&mut self) -> Option<Visit<'d>> {
        let frame = self.stack.pop()?;
        self.through_alias -= usize::from(frame.is_alias);
        let (at, place) = (frame.node as usize, frame.place as usize);
        Some(self.new_visit(Step::End, at, place, frame.role, frame.index as usize))
    }

    /// Returns the [`Visit`] for a step at the node `at`, which `place` refers to.
    fn new_visit(
        &self,
        step: Step,
        at: usize,
        place: usize,
        role: Role,
        index: usize,
    ) -> Visit<'d> {
        let node = Node::new(self.document, NodeId::from(at));
        Visit { step, role, index, node, place: NodeId::from(place) }
    }

    /// Returns the innermost open collection, or `None` if none is open.
    pub(super) fn open(&self) -> Option<NodeId> {
        self.stack.last().map(|frame| NodeId::from(frame.node as usize))
    }

    /// Returns those keys of the innermost open mapping that the walk visits, with aliases
    /// resolved.
    pub(super) fn open_keys(&self) -> Vec<Node<'d>> {
        let Some(frame) = self.stack.last() else { return Vec::new() };
        let view = self.document.view();
        let node = |key: u32| Node::new(self.document, NodeId::from(view.resolved(key as usize)));
        if let Some(pairs) = &frame.merged {
            return pairs.iter().map(|&(key, _)| node(key as u32)).collect();
        }
        let end = view.nodes[frame.node as usize].end();
        let mut keys = Vec::new();
        let mut at = frame.node as usize + 1;
        while at < end {
            if !view.nodes[at].is_overridden() {
                keys.push(node(at as u32));
            }
            at = view.nodes[view.nodes[at].end()].end();
        }
        keys
    }

    /// Adds `more` to the number of nodes visited through aliases. Fails at `place` if there are
    /// too many.
    fn count(&mut self, place: usize, more: u64) -> Result<(), Fault> {
        self.alias_nodes += more;
        if self.alias_nodes <= self.alias_nodes_max {
            return Ok(());
        }
        let span = self.document.view().span(place);
        let problem = Problem::TooManyAliasNodes(self.alias_nodes_max);
        Err(Fault { problem, at: span.start as u64, len: span.len(), related: None })
    }
}

impl Frame {
    /// Returns the next child, its role, and the number of entries or pairs before it. Returns
    /// `None` after the last child.
    #[inline]
    fn child(&mut self, view: View<'_>) -> Option<(usize, Role, usize)> {
        let node = view.nodes[self.node as usize];
        let count = self.count as usize;
        let is_sequence = node.shape() == Shape::Sequence;
        let role = match count % 2 {
            _ if is_sequence => Role::Item,
            0 => Role::Key,
            _ => Role::Value,
        };
        let index = if is_sequence { count } else { count / 2 };
        let child = match &self.merged {
            Some(pairs) => {
                let (key, value) = *pairs.get(index)?;
                if role == Role::Key { key } else { value }
            }
            None => self.child_in_place(view, role)?,
        };
        self.count += 1;
        Some((child, role, index))
    }

    /// Returns the next child, whose role is `role`, of a collection without merged pairs. Skips
    /// overridden keys with their values.
    #[inline]
    fn child_in_place(&mut self, view: View<'_>, role: Role) -> Option<usize> {
        let end = view.nodes[self.node as usize].end();
        loop {
            let child = self.next as usize;
            if child >= end {
                return None;
            }
            self.next = view.nodes[child].end() as u32;
            if role != Role::Key || !view.nodes[child].is_overridden() {
                return Some(child);
            }
            // The value of an overridden key is skipped as well.
            self.next = view.nodes[self.next as usize].end() as u32;
        }
    }
}
