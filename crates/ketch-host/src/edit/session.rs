//! A text that is being edited, and the views of its collections.

use super::refusal::Refusal;
use super::slots::{self, Slots};
use ketch_edit::{Comments, Edit, EditError, Look, Operation, Request};
use ketch_yaml::compose::{Kind, Node, NodeId};
use ketch_yaml::path::{Path, Step};
use ketch_yaml::schema::{Scalar, Schema};
use ketch_yaml::{ComposeOptions, Document, Documents, Error, FloatKeys, Options, Problem};
use std::collections::HashMap;
use std::sync::Arc;

/// A number that identifies a collection of the text, or the root of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct View(pub u32);

/// The location of a collection or another node in the text.
#[derive(Clone, Debug)]
pub struct Place {
    /// The index of the document.
    pub doc: usize,
    /// The steps from the root of the document to the node.
    pub steps: Vec<Step>,
}

impl Place {
    /// Returns the path to this place in the syntax of `ketch get`.
    #[must_use]
    pub fn path(&self) -> Path {
        slots::shown(&self.steps)
    }

    /// Returns the place of the entry of this collection that `step` leads to.
    #[must_use]
    pub fn then(mut self, step: Step) -> Place {
        self.steps.push(step);
        self
    }

    /// Creates a request for the operation `op` on the node at this place.
    #[must_use]
    pub fn request(self, op: &str) -> Request {
        Request::new(op, self.doc, self.steps)
    }
}

/// The node that an entry of a collection contains.
#[derive(Clone, Debug)]
pub enum Child {
    /// There is no such entry.
    Missing,
    /// A sequence.
    Sequence(View),
    /// A mapping.
    Mapping(View),
    /// A scalar. [`Session::entries`] also returns this for a collection that no path leads to.
    Scalar(Reading),
}

/// A node of a composed document, with the document.
#[derive(Clone, Debug)]
pub struct Reading {
    document: Arc<Document<'static>>,
    node: NodeId,
}

impl Reading {
    /// Returns the node or, if it is an alias, the node that the alias stands for.
    #[must_use]
    pub fn node(&self) -> Node<'_> {
        self.written().resolved()
    }

    /// Returns the node as it is written in the text, which may be an alias.
    #[must_use]
    pub fn written(&self) -> Node<'_> {
        self.document.node(self.node)
    }

    /// Returns the document that contains the node.
    #[must_use]
    pub fn document(&self) -> &Arc<Document<'static>> {
        &self.document
    }
}

/// A text that is being edited, and the views of its collections.
#[derive(Debug)]
pub struct Session {
    edit: Edit,
    parse: Options,
    compose: ComposeOptions,
    slots: Slots,
    /// The documents that have been composed as a whole for a read since the last edit.
    whole: HashMap<usize, Arc<Document<'static>>>,
}

impl Session {
    /// Creates a session that reads values of `edit` with the default options.
    #[must_use]
    pub fn new(edit: Edit) -> Session {
        Session::with_options(edit, Options::default(), ComposeOptions::default())
    }

    /// Creates a session that reads values of `edit` with the options `parse` and `compose`. If
    /// `parse` has an interrupt, it also stops operations.
    #[must_use]
    pub fn with_options(edit: Edit, parse: Options, mut compose: ComposeOptions) -> Session {
        // Edits tell keys apart by all their digits.
        compose.float_keys = FloatKeys::Exact;
        let edit = match parse.interrupt {
            Some(stop) => edit.interruptible(stop),
            None => edit,
        };
        Session { edit, parse, compose, slots: Slots::default(), whole: HashMap::new() }
    }

    /// Returns the edited text.
    #[must_use]
    pub fn edit(&self) -> &Edit {
        &self.edit
    }

    /// Returns the number of documents of the text.
    ///
    /// # Errors
    ///
    /// Fails if the text cannot be read.
    pub fn document_count(&mut self) -> Result<usize, Refusal> {
        Ok(self.edit.document_count()?)
    }

    /// Returns the view of the root of document `doc`. It is never stale.
    pub fn root(&mut self, doc: usize) -> View {
        View(self.slots.root(doc))
    }

    /// Returns the location of the collection of `view`.
    ///
    /// # Errors
    ///
    /// Fails if `view` is stale.
    pub fn place(&self, view: View) -> Result<Place, Refusal> {
        let (doc, steps) = self.slots.place(view.0)?;
        Ok(Place { doc, steps })
    }

    /// Returns the entry of `view` that `step`, a key or an index, leads to.
    ///
    /// # Errors
    ///
    /// Fails if `view` is stale or the text cannot be read.
    pub fn child(&mut self, view: View, step: Step) -> Result<Child, Refusal> {
        let place = self.place(view)?.then(step.clone());
        if place.steps.len() == 1 && matches!(step, Step::Index(_)) {
            self.note_root(view, place.doc);
        }
        let look = self.edit.look(place.doc, &place.steps)?;
        let (is_mapping, is_loose) = match look {
            Look::Missing => return Ok(Child::Missing),
            Look::Sequence(_) => (false, false),
            Look::Mapping(_) => (true, false),
            Look::Node | Look::Unknown => {
                let Some((reading, is_loose)) = self.reading(&place)? else {
                    return Ok(Child::Missing);
                };
                match reading.node().kind() {
                    Kind::Sequence => (false, is_loose),
                    Kind::Mapping => (true, is_loose),
                    _ => return Ok(Child::Scalar(reading)),
                }
            }
        };
        let child = View(self.slots.child(view.0, step, is_mapping, is_loose));
        Ok(if is_mapping { Child::Mapping(child) } else { Child::Sequence(child) })
    }

    /// Returns the view of the collection at `place`, if there is one, or with `below` those of its
    /// entries.
    #[must_use]
    pub fn views(&self, place: &Place, below: bool) -> Vec<View> {
        let found = self.slots.known(place.doc, &place.steps);
        let slots = found.map(|slot| if below { self.slots.below(slot) } else { vec![slot] });
        slots.unwrap_or_default().into_iter().map(View).collect()
    }

    /// Makes `view` stale, because the host treats its collection as replaced.
    pub fn forget(&mut self, view: View) {
        self.slots.drop_slot(view.0);
    }

    /// Records whether the root of document `doc` is a mapping. This matters for integer steps: in
    /// a sequence, edits shift them, but in a mapping, they are keys that no edit shifts.
    fn note_root(&mut self, root: View, doc: usize) {
        let is_mapping = match self.edit.look(doc, &[]) {
            Ok(Look::Sequence(_)) => Some(false),
            Ok(Look::Mapping(_)) => Some(true),
            _ => None,
        };
        self.slots.note_root(root.0, is_mapping);
    }

    /// Returns the node of `view`, or [`Child::Missing`] if the view is the root of a document
    /// without a node.
    ///
    /// # Errors
    ///
    /// Fails as [`Session::child`] does.
    pub fn look(&mut self, view: View) -> Result<Child, Refusal> {
        let place = self.place(view)?;
        match self.edit.look(place.doc, &place.steps)? {
            Look::Sequence(_) => return Ok(Child::Sequence(view)),
            Look::Mapping(_) => return Ok(Child::Mapping(view)),
            _ => {}
        }
        Ok(match self.reading(&place)? {
            None => Child::Missing,
            Some((reading, _)) => match reading.node().kind() {
                Kind::Sequence => Child::Sequence(view),
                Kind::Mapping => Child::Mapping(view),
                _ => Child::Scalar(reading),
            },
        })
    }

    /// Returns `step` with an index that counts from the start: if `view` is a sequence, a negative index
    /// counts from its end.
    ///
    /// # Errors
    ///
    /// Fails as [`Session::child`] does.
    pub fn step(&mut self, view: View, step: Step) -> Result<Step, Refusal> {
        let Step::Index(index @ ..0) = step else { return Ok(step) };
        if !matches!(self.look(view)?, Child::Sequence(_)) {
            return Ok(step);
        }
        let index = self.count(view)? as i64 + index;
        // A negative index before the first item must find nothing, so it is replaced by an index that is
        // beyond the end of any sequence.
        Ok(Step::Index(if index < 0 { i64::MAX } else { index }))
    }

    /// Returns the number of entries of `view`. It is 0 if the node is a scalar or missing.
    ///
    /// # Errors
    ///
    /// Fails as [`Session::child`] does.
    pub fn count(&mut self, view: View) -> Result<usize, Refusal> {
        let place = self.place(view)?;
        match self.edit.look(place.doc, &place.steps)? {
            Look::Sequence(count) | Look::Mapping(count) => return Ok(count),
            _ => {}
        }
        let Some((reading, _)) = self.reading(&place)? else { return Ok(0) };
        let node = reading.node();
        Ok(match node.kind() {
            Kind::Sequence => node.items().count(),
            Kind::Mapping if reading.document.merges() => node.merged_entries()?.len(),
            Kind::Mapping => node.entries().count(),
            _ => 0,
        })
    }

    /// Returns the node of `view` or, with a `step`, of the entry that it leads to. Returns `None`
    /// if there is no such node.
    ///
    /// # Errors
    ///
    /// Fails as [`Session::child`] does.
    pub fn read(&mut self, view: View, step: Option<Step>) -> Result<Option<Reading>, Refusal> {
        let mut place = self.place(view)?;
        place.steps.extend(step);
        Ok(self.reading(&place)?.map(|(reading, _)| reading))
    }

    /// Returns the nodes of the entries of `view`, and their keys if it is a mapping.
    ///
    /// # Errors
    ///
    /// Fails as [`Session::child`] does.
    pub fn entries(&mut self, view: View) -> Result<Vec<(Option<Reading>, Child)>, Refusal> {
        let place = self.place(view)?;
        let Some((reading, is_loose)) = self.reading(&place)? else { return Ok(Vec::new()) };
        let node = reading.node();
        let own = node.subtree();
        let pairs = pairs(&reading)?;
        if place.steps.is_empty() {
            self.slots.note_root(view.0, Some(node.kind() == Kind::Mapping));
        }
        let at = |node: Node<'_>| Reading { document: reading.document.clone(), node: node.id() };
        let mut entries = Vec::with_capacity(pairs.len());
        for (index, (key, value)) in pairs.into_iter().enumerate() {
            let step = match key {
                Some(key) => step_of(key),
                None => Some(Step::Index(index as i64)),
            };
            let is_loose =
                is_loose || value.kind() == Kind::Alias || !own.contains(&value.id().index());
            let child = match (value.resolved().kind(), step) {
                (Kind::Mapping, Some(step)) => {
                    Child::Mapping(View(self.slots.child(view.0, step, true, is_loose)))
                }
                (Kind::Sequence, Some(step)) => {
                    Child::Sequence(View(self.slots.child(view.0, step, false, is_loose)))
                }
                // No path leads to a value whose key is a collection.
                _ => Child::Scalar(at(value)),
            };
            entries.push((key.map(at), child));
        }
        Ok(entries)
    }

    /// Returns the comments of the entry of `view` that `step` leads to or, without a step, the
    /// comments of the view's own entry.
    ///
    /// # Errors
    ///
    /// Fails as [`Session::child`] does, or if there is no such entry.
    pub fn comments(&mut self, view: View, step: Option<Step>) -> Result<Comments, Refusal> {
        let mut place = self.place(view)?;
        place.steps.extend(step);
        Ok(self.edit.comments(place.doc, &place.steps)?)
    }

    /// Returns the node at `place`, and whether it is reached through an alias or a merge key.
    /// Returns `None` if there is no node.
    fn reading(&mut self, place: &Place) -> Result<Option<(Reading, bool)>, Refusal> {
        if let Some(found) = self.reading_of_part(place)? {
            return Ok(Some((found, false)));
        }
        let Some(document) = self.whole(place.doc)? else { return Ok(None) };
        let Some((node, is_loose)) = follow(&document, &place.steps)? else { return Ok(None) };
        let node = node.id();
        Ok(Some((Reading { document, node }, is_loose)))
    }

    /// Returns the node at `place`, composed only from the part of the text around it. Returns
    /// `None` if there is no node, or if this part is not sufficient.
    fn reading_of_part(&mut self, place: &Place) -> Result<Option<Reading>, Error> {
        let Some(part) = self.edit.part(place.doc, &place.steps) else { return Ok(None) };
        let mut documents =
            Documents::with_options(part.text.as_bytes(), &self.parse, &self.compose);
        let document = match documents.next_owned() {
            Some(Ok(document)) => document,
            Some(Err(error)) if error.problem() == Problem::Interrupted => return Err(error),
            // Either an alias refers to an anchor outside this part, or there is an error, whose
            // location must be determined in the whole text.
            _ => return Ok(None),
        };
        let Ok(Some((node, false))) = follow(&document, &part.steps) else { return Ok(None) };
        let node = node.id();
        Ok(Some(Reading { document: Arc::new(document), node }))
    }

    /// Returns document `doc`, composed as a whole, or `None` if the text has fewer documents.
    fn whole(&mut self, doc: usize) -> Result<Option<Arc<Document<'static>>>, Refusal> {
        if let Some(document) = self.whole.get(&doc) {
            return Ok(Some(document.clone()));
        }
        let text = self.edit.text();
        let mut lenient = self.parse;
        lenient.lenient = true;
        let mut documents = Documents::with_options(text.as_bytes(), &lenient, &self.compose);
        let mut index = 0;
        while let Some(document) = documents.next_owned() {
            let document = document?;
            if index == doc {
                let document = Arc::new(document);
                self.whole.insert(doc, document.clone());
                return Ok(Some(document));
            }
            index += 1;
        }
        Ok(None)
    }

    /// Applies `operations` in order: all of them or, if there is an error, none.
    ///
    /// # Errors
    ///
    /// Fails if an operation is rejected. The text is unchanged then.
    pub fn apply(&mut self, operations: &[Operation]) -> Result<(), EditError> {
        self.edit.apply(operations)?;
        self.whole.clear();
        for operation in operations {
            for slot in self.slots.settle(operation) {
                self.check(slot);
            }
        }
        Ok(())
    }

    /// Marks the view `slot` as stale if its node is no longer the kind of collection that it was.
    fn check(&mut self, slot: u32) {
        let Ok(place) = self.place(View(slot)) else { return };
        let is_mapping = match self.edit.look(place.doc, &place.steps) {
            Ok(Look::Sequence(_)) => Some(false),
            Ok(Look::Mapping(_)) => Some(true),
            Ok(Look::Missing) => None,
            _ => match self.reading(&place) {
                Ok(Some((reading, _))) => match reading.node().kind() {
                    Kind::Sequence => Some(false),
                    Kind::Mapping => Some(true),
                    _ => None,
                },
                _ => None,
            },
        };
        if is_mapping != self.slots.is_mapping(slot) {
            self.slots.drop_slot(slot);
        }
    }
}

/// Follows `steps` from the root of `document`. Returns the node that they lead to, and whether it
/// is reached through an alias or a merge key, or `None` if they lead to no node.
fn follow<'d>(
    document: &'d Document<'static>,
    steps: &[Step],
) -> Result<Option<(Node<'d>, bool)>, Error> {
    let (mut node, mut is_loose) = (document.root(), false);
    for step in steps {
        is_loose |= node.kind() == Kind::Alias;
        let parent = node.resolved();
        let found = parent.select(&Path::default().then(step.clone()))?;
        let Some(&child) = found.first() else { return Ok(None) };
        is_loose |= !parent.subtree().contains(&child.id().index());
        node = child;
    }
    is_loose |= node.kind() == Kind::Alias;
    Ok(Some((node, is_loose)))
}

/// Returns the values of the entries of a node, and the keys if it is a mapping. Merge keys are
/// applied if the document has them enabled.
fn pairs(reading: &Reading) -> Result<Vec<(Option<Node<'_>>, Node<'_>)>, Error> {
    let node = reading.node();
    let pairs = match node.kind() {
        Kind::Sequence => return Ok(node.items().map(|item| (None, item)).collect()),
        Kind::Mapping if reading.document.merges() => node.merged_entries()?,
        Kind::Mapping => node.entries().collect(),
        _ => Vec::new(),
    };
    Ok(pairs.into_iter().map(|(key, value)| (Some(key), value)).collect())
}

/// Returns the step that leads to the value of `key`, or `None` if no step does, for example
/// because the key is a collection.
fn step_of(key: Node<'_>) -> Option<Step> {
    let key = key.resolved();
    // Operations resolve keys with the core schema.
    match key.scalar(Schema::Core).ok()? {
        Scalar::Str(text) | Scalar::Unresolved(text) => Some(Step::Key(text.into_owned())),
        Scalar::Int(value) => Some(Step::Index(value)),
        Scalar::Merge => Some(Step::Key(key.text().into_owned())),
        Scalar::Null | Scalar::Bool(_) | Scalar::BigInt(_) | Scalar::Float(_) => {
            Some(Step::Plain(key.text().into_owned()))
        }
        Scalar::Timestamp(_) | Scalar::Binary(_) => None,
    }
}
