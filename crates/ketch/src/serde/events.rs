//! A stream of documents as events, for types; and the tree of a document where one is needed.
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

/// A stream of documents that types are read from.
pub(super) struct Events<'de> {
    pub(super) pull: Pull<'de>,
    pub(super) text: &'de str,
    pub(super) options: DeOptions,
    /// What is left of the recursion limit.
    pub(super) depth_left: Depth,
    /// Memory to decode text in.
    pub(super) decoded: Vec<u8>,
    /// The document that is being read, once it was composed.
    pub(super) tree: Option<Tree<'de>>,
    /// What is wrong with it. It goes before all that a type can say.
    pub(super) failed: Option<Error>,
    /// A document for its memory.
    pub spare: Option<Box<Document<'de>>>,
}

/// Whether the document is worth to be kept for its memory: a large one is not.
pub(super) fn is_spare(document: &Document<'_>) -> bool {
    document.node_count() <= 1 << 14
}

pub(super) struct Tree<'de> {
    document: Box<Document<'de>>,
    budgets: Budgets,
}

impl<'de> Events<'de> {
    /// The documents of `text`; `None` where trees are needed for all.
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

    /// Goes on to the next document; false at the end of the stream.
    pub fn begin(&mut self) -> Result<bool> {
        self.failed = None;
        self.depth_left = Depth::new(self.options.max_recursion);
        if let Some(tree) = self.tree.take().filter(|tree| is_spare(&tree.document)) {
            self.spare = Some(tree.document);
        }
        Ok(self.pull.begin()?)
    }

    /// Goes behind the document.
    pub(super) fn leave(&mut self, root: NodeId) {
        // A type may have left its root alone.
        let is_passed = self.failed.is_some() || self.pull.id() != root || self.pull.skip();
        if !(is_passed && self.pull.end()) {
            // What is wrong, if anything is, is noted.
            let _ = self.compose();
        }
    }

    /// The next document as a whole; `None` at the end of the stream.
    pub fn next_document(&mut self) -> Option<Result<Box<Document<'de>>>> {
        let mut document = self.spare.take().unwrap_or_default();
        match self.pull.compose_next(&mut document) {
            Ok(true) => Some(Ok(document)),
            Ok(false) => None,
            Err(error) => Some(Err(error.into())),
        }
    }

    /// The same where there is hardly one: memory is asked for only then.
    pub fn begin_and_take(&mut self) -> Option<Result<Box<Document<'de>>>> {
        match self.begin() {
            Ok(true) => Some(self.take_document()),
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        }
    }

    /// The document that was begun, as a whole.
    pub fn take_document(&mut self) -> Result<Box<Document<'de>>> {
        let mut document = self.spare.take().unwrap_or_default();
        self.pull.compose(&mut document)?;
        Ok(document)
    }

    /// Composes the document. An error is told by [`read`](Events::read); the one that comes of it
    /// here goes up to there.
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
        Err(Error::new("the document is wrong"))
    }

    /// Reads the node that comes next from the tree.
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

    /// The nodes of the tree, if there is one.
    #[inline(always)]
    pub(super) fn summaries(&self) -> Option<NodeSummaries<'_>> {
        self.tree.as_ref().map(|tree| NodeSummaries::new(&tree.document))
    }

    /// Passes over the node that comes next, or composes the document.
    pub(super) fn skip(&mut self) -> Result<()> {
        if self.pull.skip() { Ok(()) } else { self.compose() }
    }

    /// Notes the place of an error that came out of the node.
    #[cold]
    #[inline(never)]
    pub(super) fn note_place(&mut self, id: NodeId, error: &mut Error) {
        if id != NodeId::NONE
            && self.compose().is_ok()
            && let Some(nodes) = self.summaries()
        {
            error.note_place(|| nodes.node(id).location());
        }
    }

    /// A scalar that may have to be decoded; `by_schema` says whether plain text is more than text.
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

    /// Runs what a type may do over and over without reading on.
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
