//! A stream of documents as events, and the tree of a document if one is needed.
//!
//! See [`super::event_de`].

use super::context::{Budgets, Context, Depth, too_deep};
use super::error::Error;
use super::node::{COPIED_BYTES_MAX, NodeDeserializer};
use super::options::DeOptions;
use super::scalar::{visit_plain, visit_scalar};
use ketch_bytes::utf8::checked;
use ketch_yaml::compose::NodeId;
use ketch_yaml::compose::internal::{NodeSummaries, Pull};
use ketch_yaml::schema::ScalarTag;
use ketch_yaml::{ComposeOptions, Document, DuplicateKeys};
use serde::de::{self, Visitor};

type Result<T> = std::result::Result<T, Error>;

/// A stream of documents to read types from.
pub(super) struct Events<'de> {
    pub(super) pull: Pull<'de>,
    pub(super) text: &'de str,
    pub(super) options: DeOptions,
    /// What remains of the recursion limit.
    pub(super) depth_left: Depth,
    /// A buffer for decoding text.
    pub(super) decoded: Vec<u8>,
    /// The document being read, once it has been composed.
    pub(super) tree: Option<Tree<'de>>,
    /// The error in the document, which takes precedence over any error of a type.
    pub(super) failed: Option<Error>,
    /// A document whose memory can be reused.
    pub spare: Option<Box<Document<'de>>>,
}

/// Returns whether to keep the document for reuse. A large one would occupy too much memory.
pub(super) fn is_spare(document: &Document<'_>) -> bool {
    document.node_count() <= 1 << 14
}

pub(super) struct Tree<'de> {
    document: Box<Document<'de>>,
    budgets: Budgets,
}

impl<'de> Events<'de> {
    /// Creates a stream of the documents of `text`. Returns `None` if every document would need a
    /// tree.
    pub fn new(
        text: &'de str,
        read: &ketch_yaml::Options,
        compose: &ComposeOptions,
        options: &DeOptions,
    ) -> Option<Events<'de>> {
        Some(Events {
            pull: Pull::new(text, read, compose)?,
            text,
            options: *options,
            depth_left: Depth::new(options.max_recursion),
            decoded: Vec::new(),
            tree: None,
            failed: None,
            spare: None,
        })
    }

    /// Moves to the next document. Returns false at the end of the stream.
    pub fn begin(&mut self) -> Result<bool> {
        self.failed = None;
        self.depth_left = Depth::new(self.options.max_recursion);
        if let Some(tree) = self.tree.take().filter(|tree| is_spare(&tree.document)) {
            self.spare = Some(tree.document);
        }
        Ok(self.pull.begin()?)
    }

    /// Moves past the document with this root.
    pub(super) fn leave(&mut self, root: NodeId) {
        // A type may have ignored its root.
        let is_passed = self.failed.is_some() || self.pull.id() != root || self.pull.skip();
        if !(is_passed && self.pull.end()) {
            // An error is recorded in `failed`.
            let _ = self.compose();
        }
    }

    /// Composes and returns the next document, or returns `None` at the end of the stream.
    pub fn next_document(&mut self) -> Option<Result<Box<Document<'de>>>> {
        let mut document = self.spare.take().unwrap_or_default();
        match self.pull.compose_next(&mut document) {
            Ok(true) => Some(Ok(document)),
            Ok(false) => None,
            Err(error) => Some(Err(error.into())),
        }
    }

    /// Composes and returns the next document, or returns `None` at the end of the stream.
    /// Allocates only if there is a document, for places where another one is unlikely.
    pub fn begin_and_take(&mut self) -> Option<Result<Box<Document<'de>>>> {
        match self.begin() {
            Ok(true) => Some(self.take_document()),
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        }
    }

    /// Composes and returns the current document.
    pub fn take_document(&mut self) -> Result<Box<Document<'de>>> {
        let mut document = self.spare.take().unwrap_or_default();
        self.pull.compose(&mut document)?;
        Ok(document)
    }

    /// Composes the document. If this fails, [`read`](Events::read) reports the error, and the
    /// error returned here only serves to return there.
    #[cold]
    #[inline(never)]
    pub(super) fn compose(&mut self) -> Result<()> {
        if self.tree.is_some() {
            return Ok(());
        }
        if self.failed.is_none() {
            match self.take_document() {
                Ok(document) => {
                    let budgets = Budgets::of(&document, &self.options.limits);
                    self.tree = Some(Tree { document, budgets });
                    return Ok(());
                }
                Err(error) => self.failed = Some(error),
            }
        }
        Err(Error::new("invalid document"))
    }

    /// Composes the document, and reads the next node from the tree.
    #[inline(never)]
    pub(super) fn in_tree<T>(
        &mut self,
        read: impl FnOnce(NodeDeserializer<'_, 'de>) -> Result<T>,
    ) -> Result<T> {
        let id = self.pull.id();
        self.compose()?;
        self.node(id, read)
    }

    /// Reads a node of the tree.
    pub(super) fn node<T>(
        &mut self,
        id: NodeId,
        read: impl FnOnce(NodeDeserializer<'_, 'de>) -> Result<T>,
    ) -> Result<T> {
        let Some(tree) = &mut self.tree else { return Err(Error::new("there is no document")) };
        let are_keys_distinct = self.options.duplicate_keys != DuplicateKeys::Off;
        let Tree { document, budgets } = tree;
        let context =
            Context::new(Some(self.text), document, *budgets, self.depth_left, are_keys_distinct);
        context.decoded.set(std::mem::take(&mut self.decoded));
        let result = read(NodeDeserializer::new(id, &context));
        *budgets = context.budgets();
        self.decoded = context.decoded.take();
        result
    }

    /// Returns the nodes of the tree, if there is one.
    #[inline(always)]
    pub(super) fn summaries(&self) -> Option<NodeSummaries<'_>> {
        self.tree.as_ref().map(|tree| NodeSummaries::new(&tree.document))
    }

    /// Skips the next node. If that is not possible, composes the document instead.
    pub(super) fn skip(&mut self) -> Result<()> {
        if self.pull.skip() { Ok(()) } else { self.compose() }
    }

    /// Adds the location of a node to an error.
    #[cold]
    #[inline(never)]
    pub(super) fn note_location(&mut self, id: NodeId, error: &mut Error) {
        if id != NodeId::NONE
            && self.compose().is_ok()
            && let Some(nodes) = self.summaries()
        {
            error.note_location(|| nodes.node(id).location());
        }
    }

    /// Reads a scalar that may have to be decoded. `by_schema` says whether to resolve plain text.
    #[inline(never)]
    pub(super) fn scalar<V: Visitor<'de>>(
        &mut self,
        by_schema: bool,
        visitor: V,
    ) -> Result<V::Value> {
        let mut decoded = std::mem::take(&mut self.decoded);
        decoded.clear();
        let Some(content) = self.pull.take_scalar(&mut decoded) else {
            return self.in_tree(|node| de::Deserializer::deserialize_any(node, visitor));
        };
        let schema = self.options.schema;
        let by_schema = by_schema && content.is_plain;
        if let Some(text) = content.text {
            self.decoded = decoded;
            return match by_schema {
                true => visit_plain(schema, text, visitor),
                false => visitor.visit_borrowed_str(text),
            };
        }
        // The parser has checked that all text is UTF-8.
        let text = checked(&decoded).unwrap_or_default();
        if by_schema && schema.resolve(text.as_bytes()) != ScalarTag::Str {
            return visit_scalar(schema.scalar(text), visitor, |text, visitor| {
                visitor.visit_str(text)
            });
        }
        if text.len() > COPIED_BYTES_MAX {
            return visitor.visit_string(String::from_utf8(decoded).unwrap_or_default());
        }
        let result = visitor.visit_str(text);
        self.decoded = decoded;
        result
    }

    /// Runs a step that a type can repeat without consuming input, and counts it against the
    /// recursion limit.
    #[inline(always)]
    pub(super) fn step<T>(
        &mut self,
        read: impl FnOnce(&mut Events<'de>) -> Result<T>,
    ) -> Result<T> {
        if self.depth_left.steps == 0 {
            return Err(too_deep());
        }
        self.depth_left.steps -= 1;
        let result = read(self);
        self.depth_left.steps += 1;
        result
    }
}
