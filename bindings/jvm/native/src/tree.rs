//! Converts composed documents to tokens. This covers all of YAML: tags, merge keys, and aliases to
//! collections that contain them.
//!
//! The object of a collection with an anchor is created before the collection's values and filled
//! after them, so that it can contain itself.

use crate::options::LoadOptions;
use crate::scalar;
use crate::tokens::{Kind, Tokens};
use ketch_host::walk::{Children, RepeatBudget};
use ketch_yaml::compose::{Kind as NodeKind, Node};
use ketch_yaml::schema::{Scalar, Schema};
use ketch_yaml::tag::is_known;
use ketch_yaml::{Document, Error, FloatKeys, Problem};
use std::collections::HashMap;

/// Appends the tokens of a document. If the options request locations, `input` must contain the
/// document's text.
pub fn document(
    document: &Document<'_>,
    options: &LoadOptions,
    input: &[u8],
    out: &mut Tokens,
) -> Result<(), Error> {
    let base = options.has_positions.then(|| base(document, input));
    subtree(document, document.root(), options, base, out)
}

/// Appends the tokens of a node and of everything in it.
pub fn value<'d>(
    document: &'d Document<'d>,
    node: Node<'d>,
    options: &LoadOptions,
    out: &mut Tokens,
) -> Result<(), Error> {
    subtree(document, node, options, None, out)
}

/// Appends the tokens of a node. If `base` is set, it is the offset at which the document's text
/// starts, and locations are appended as well.
fn subtree<'d>(
    document: &'d Document<'d>,
    root: Node<'d>,
    options: &LoadOptions,
    base: Option<usize>,
    out: &mut Tokens,
) -> Result<(), Error> {
    let mut tree = Tree {
        document,
        schema: options.compose.schema,
        out,
        open: Vec::new(),
        known: HashMap::new(),
        budget: RepeatBudget::new(document, &options.compose.limits),
        base,
    };
    root.check_keys(FloatKeys::Rounded)?;
    tree.node(root, false)?;
    while let Some(open) = tree.open.last_mut() {
        match open.children.next() {
            Some((child, is_key)) => {
                open.values += 1;
                tree.node(child, is_key)?;
            }
            None => tree.end(),
        }
    }
    tree.out.push(Kind::End);
    Ok(())
}

/// Returns the offset in the input at which the text of a document starts. In most cases, it is
/// determined without counting lines.
fn base(document: &Document<'_>, input: &[u8]) -> usize {
    let start = (document.text().as_ptr() as usize).wrapping_sub(input.as_ptr() as usize);
    if start <= input.len() { start } else { document.location(0..0).offset as usize }
}

struct Tree<'d, 'o> {
    document: &'d Document<'d>,
    schema: Schema,
    out: &'o mut Tokens,
    open: Vec<Open<'d>>,
    /// The numbers that are assigned to the values of nodes, by the numbers of the nodes.
    known: HashMap<usize, u32>,
    budget: RepeatBudget,
    /// The offset at which the document's text starts, if locations are requested.
    base: Option<usize>,
}

/// An open collection.
struct Open<'d> {
    node: Node<'d>,
    children: Children<'d>,
    values: usize,
    /// Whether the collection's object is already on the stack, below its values.
    is_filled: bool,
    is_key: bool,
}

impl<'d> Tree<'d, '_> {
    /// Appends a scalar or an alias, or starts a collection.
    fn node(&mut self, node: Node<'d>, is_key: bool) -> Result<(), Error> {
        let node = node.resolved();
        let is_collection = node.kind() != NodeKind::Scalar;
        if is_key && is_collection {
            self.budget.count_key(node, self.document)?;
        }
        if let Some(&number) = self.known.get(&node.id().index()) {
            self.out.anchor(Kind::Alias, number);
            return Ok(());
        }
        if is_collection { self.start(node, is_key) } else { self.scalar(node, is_key) }
    }

    /// Starts a collection. If it has an anchor, its object is created now.
    fn start(&mut self, node: Node<'d>, is_key: bool) -> Result<(), Error> {
        let is_mapping = node.kind() == NodeKind::Mapping;
        let children = Children::of(node, self.document, &mut self.budget)?;
        let is_filled = node.anchor_span().is_some();
        self.tag(node);
        if is_filled {
            self.out.push(if is_mapping { Kind::OpenMapping } else { Kind::OpenSequence });
            self.position(node);
            self.end_tag(node);
            self.remember(node, false);
        }
        self.open.push(Open { node, children, values: 0, is_filled, is_key });
        Ok(())
    }

    /// Ends the innermost collection.
    fn end(&mut self) {
        let Some(Open { node, values, is_filled, is_key, .. }) = self.open.pop() else { return };
        let (kind, count) = match (node.kind() == NodeKind::Mapping, is_filled) {
            (true, true) => (Kind::FillMapping, values / 2),
            (true, false) => (Kind::Mapping, values / 2),
            (false, true) => (Kind::FillSequence, values),
            (false, false) => (Kind::Sequence, values),
        };
        self.out.push_with(kind, count);
        if !is_filled {
            self.position(node);
            self.end_tag(node);
            self.remember(node, is_key);
        }
    }

    /// Appends a scalar and its tag.
    fn scalar(&mut self, node: Node<'d>, is_key: bool) -> Result<(), Error> {
        self.tag(node);
        match node.verbatim_text(self.schema) {
            Some(text) => self.text(text, is_key),
            None => self.value(node, is_key)?,
        }
        self.position(node);
        self.end_tag(node);
        self.remember(node, is_key);
        Ok(())
    }

    /// Appends the value of a scalar whose content is not simply its text in the source.
    fn value(&mut self, node: Node<'d>, is_key: bool) -> Result<(), Error> {
        match node.scalar_bytes(self.schema)? {
            Scalar::Str(text) => self.text(&text, is_key),
            Scalar::Merge => self.text(b"<<", is_key),
            Scalar::Unresolved(_) => {
                return Err(Error::at(Problem::UnresolvedScalar, node.location()));
            }
            other => {
                scalar::push(self.out, &other);
            }
        }
        Ok(())
    }

    /// Appends text, as a key if `is_key` is true.
    fn text(&mut self, text: &[u8], is_key: bool) {
        if is_key {
            self.out.key(text);
        } else {
            self.out.text(text);
        }
    }

    /// Appends the location of the value on top of the stack, if locations are requested.
    fn position(&mut self, node: Node<'d>) {
        if let Some(base) = self.base {
            let span = node.span();
            self.out.position(base + span.start, span.len());
        }
    }

    /// Appends the tag of a node, if values include it.
    fn tag(&mut self, node: Node<'d>) {
        if let Some(tag) = kept_tag(node) {
            self.out.key(tag.as_bytes());
        }
    }

    /// Combines the tag of a node with its value, if values include the tag.
    fn end_tag(&mut self, node: Node<'d>) {
        if kept_tag(node).is_some() {
            self.out.push(Kind::Tagged);
        }
    }

    /// Assigns a number to the value on top of the stack, if its node may be referred to again: by
    /// an alias, or by a merge key whose mapping contains it.
    fn remember(&mut self, node: Node<'d>, is_key: bool) {
        if node.anchor_span().is_some() || self.document.merges() && !is_key {
            let number = self.known.len() as u32;
            self.known.insert(node.id().index(), number);
            self.out.anchor(Kind::Anchor, number);
        }
    }
}

/// Returns the tag of a node, or `None` if values do not include it.
fn kept_tag<'d>(node: Node<'d>) -> Option<&'d str> {
    node.tag().filter(|tag| !is_known(tag))
}
