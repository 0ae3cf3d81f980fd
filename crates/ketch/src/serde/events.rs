//! A stream of documents as events, and the tree of the current document if one is needed.
//!
//! See [`super::event_de`].

use super::context::{Budgets, Context, Depth, too_deep};
use super::node::{COPIED_BYTES_MAX, NodeDeserializer};
use super::options::DeOptions;
use super::scalar::{visit_plain, visit_scalar};
use crate::serde_error::Error;
use ketch_bytes::utf8::checked;
use ketch_yaml::compose::NodeId;
use ketch_yaml::compose::internal::{NodeSummaries, Pull};
use ketch_yaml::schema::ScalarTag;
use ketch_yaml::{ComposeOptions, Document, DuplicateKeys};
use serde::de::{self, Visitor};

type Result<T> = std::result::Result<T, Error>;

/// A stream of documents, from whose events types are read.
pub(super) struct Events<'de> {
    pub(super) pull: Pull<'de>,
    pub(super) text: &'de str,
    pub(super) options: DeOptions,
    /// What remains of the recursion limit.
    pub(super) depth_left: Depth,
    /// A buffer for the decoded content of scalars, which is reused.
    pub(super) decoded: Vec<u8>,
    /// The current document, if it has been composed.
    pub(super) tree: Option<Tree<'de>>,
    /// The error in the text of the current document, if there is one. It takes precedence over any
    /// error of a type.
    pub(super) failed: Option<Error>,
    /// A document whose memory can be reused.
    pub spare: Option<Box<Document<'de>>>,
}

/// Returns whether to keep `document` so that its memory can be reused. A large document would
/// occupy too much memory.
pub(super) fn is_spare(document: &Document<'_>) -> bool {
    document.node_count() <= 1 << 14
}

pub(super) struct Tree<'de> {
    document: Box<Document<'de>>,
    budgets: Budgets,
}

impl<'de> Events<'de> {
    /// Creates a stream of the documents of `text`. Returns `None` if no document can be read
    /// without a tree.
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

    /// Moves to the start of the next document. Returns false at the end of the stream.
    pub fn begin(&mut self) -> Result<bool> {
        self.failed = None;
        self.depth_left = Depth::new(self.options.max_recursion);
        if let Some(tree) = self.tree.take().filter(|tree| is_spare(&tree.document)) {
            self.spare = Some(tree.document);
        }
        Ok(self.pull.begin()?)
    }

    /// Moves past the current document, whose root is `root`.
    pub(super) fn leave(&mut self, root: NodeId) {
        // The type may not have read the root.
        let is_passed = self.failed.is_some() || self.pull.id() != root || self.pull.skip();
        if !(is_passed && self.pull.end()) {
            // An error in the document is recorded in `failed`.
            let _ = self.compose();
        }
    }

    /// Composes and returns the next document. Returns `None` at the end of the stream.
    pub fn next_document(&mut self) -> Option<Result<Box<Document<'de>>>> {
        let mut document = self.spare.take().unwrap_or_default();
        match self.pull.compose_next(&mut document) {
            Ok(true) => Some(Ok(document)),
            Ok(false) => None,
            Err(error) => Some(Err(error.into())),
        }
    }

    /// Composes and returns the next document. Returns `None` at the end of the stream. Allocates
    /// memory only if there is a document, because it is called where there rarely is another one.
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

    /// Composes the current document. If this fails, [`Events::read`] returns the document's error.
    /// The error that this function returns is only used to get there.
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

    /// Composes the current document, and runs `read` on the next node in its tree.
    #[inline(never)]
    pub(super) fn in_tree<T>(
        &mut self,
        read: impl FnOnce(NodeDeserializer<'_, 'de>) -> Result<T>,
    ) -> Result<T> {
        let id = self.pull.id();
        self.compose()?;
        self.node(id, read)
    }

    /// Runs `read` on the node `id` of the tree.
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

    /// Returns the nodes of the tree, if the current document has been composed.
    #[inline(always)]
    pub(super) fn summaries(&self) -> Option<NodeSummaries<'_>> {
        self.tree.as_ref().map(|tree| NodeSummaries::new(&tree.document))
    }

    /// Skips the next node. If that is not possible from events, composes the current document
    /// instead.
    pub(super) fn skip(&mut self) -> Result<()> {
        if self.pull.skip() { Ok(()) } else { self.compose() }
    }

    /// Adds the location of the node `id` to `error`, which requires composing the document.
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

    /// Reads the next node, which is a scalar that may have to be decoded. `by_schema` says whether
    /// the schema resolves it if it is plain.
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
        // The parser has already checked that the text is UTF-8.
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

    /// Runs `read`, and counts it as a step of the recursion limit, because a type can repeat it
    /// without consuming input.
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
