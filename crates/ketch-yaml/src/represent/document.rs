//! Writing composed documents. A walk over the tree keeps their aliases.

use super::names::Names;
use super::shared::Shared;
use crate::compose::{Document, Entries, Items, Kind, Node, NodeId, Style};
use crate::present::{CollectionStyle, PresentError, Presenter, Properties, ScalarStyle};
use std::collections::HashSet;
use std::io::Write;

/// The order in which the pairs of a mapping are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum KeyOrder {
    /// In the order of the document.
    #[default]
    AsGiven,
    /// In the order of the bytes of the keys' content. Keys that are collections come last, in the
    /// order of the document.
    Sorted,
}

impl<W: Write> Presenter<W> {
    /// Writes a document with its directives, markers, anchors, aliases, tags and styles. Comments
    /// are not kept.
    ///
    /// If sorting would put an alias before its anchor, the two are swapped. If nodes may change
    /// places, anchors with the same name are made distinct by numbers.
    ///
    /// ```
    /// use ketch_yaml::present::Presenter;
    /// use ketch_yaml::represent::KeyOrder;
    /// use ketch_yaml::Documents;
    ///
    /// let document = Documents::new(b"rig: &r {b: 1, a: 2}\nboat: *r").next().unwrap().unwrap();
    /// let mut yaml = Presenter::new(Vec::new());
    /// yaml.document(&document, KeyOrder::Sorted)?;
    /// assert_eq!(yaml.finish()?, b"boat: &r {a: 2, b: 1}\nrig: *r\n");
    /// # Ok::<(), ketch_yaml::present::PresentError>(())
    /// ```
    pub fn document(
        &mut self,
        document: &Document<'_>,
        order: KeyOrder,
    ) -> Result<(), PresentError> {
        for line in document.directives() {
            self.directive(&String::from_utf8_lossy(line))?;
        }
        self.start_document(document.is_start_explicit())?;
        let may_move =
            order == KeyOrder::Sorted || document.has_overridden_keys(0..document.node_count());
        let names = if may_move { Names::unique(document.anchored()) } else { Names::default() };
        Walk { order, names, shared: None, open: Vec::new() }.run(self, document.root())?;
        self.end_document(document.is_end_explicit())
    }

    /// Writes a node as a document of its own, in the same way as [`Presenter::document`].
    ///
    /// If an alias refers to a node outside this node, the first such alias is replaced by that
    /// node. Anchors that no alias refers to are dropped.
    ///
    /// ```
    /// use ketch_yaml::present::Presenter;
    /// use ketch_yaml::represent::KeyOrder;
    /// use ketch_yaml::Documents;
    ///
    /// let text = b"rig: &r {masts: &m 2}\nboats: &b [*r, *r, *m]\n";
    /// let document = Documents::new(text).next().unwrap().unwrap();
    /// let mut yaml = Presenter::new(Vec::new());
    /// yaml.node(document.root().get("boats").unwrap(), KeyOrder::AsGiven)?;
    /// assert_eq!(yaml.finish()?, b"[&r {masts: &m 2}, *r, *m]\n");
    /// # Ok::<(), ketch_yaml::present::PresentError>(())
    /// ```
    pub fn node(&mut self, node: Node<'_>, order: KeyOrder) -> Result<(), PresentError> {
        let document = node.document();
        let shared = Shared::by(node);
        let may_move = shared.has_others
            || order == KeyOrder::Sorted
            || document.has_overridden_keys(node.resolved().subtree());
        let mut names = Names::default();
        if may_move {
            let mut anchored: Vec<_> = shared.nodes.iter().copied().collect();
            anchored.sort_unstable();
            names = Names::unique(anchored.into_iter().map(|id| document.node(id)));
        }
        self.start_document(false)?;
        Walk { order, names, shared: Some(shared.nodes), open: Vec::new() }.run(self, node)?;
        self.end_document(false)
    }
}

/// The state of a walk over a document. Its stack is on the heap.
struct Walk<'d> {
    order: KeyOrder,
    names: Names<'d>,
    /// The nodes that keep their anchors; with `None`, all nodes keep them.
    shared: Option<HashSet<NodeId>>,
    open: Vec<Open<'d>>,
}

/// The children of an open collection that have not been written yet.
enum Open<'d> {
    Items(Items<'d>),
    /// The remaining pairs, and the value of the last key if that has not been written yet.
    Pairs(Entries<'d>, Option<Node<'d>>),
    Sorted(std::vec::IntoIter<Node<'d>>),
}

impl<'d> Open<'d> {
    /// Returns the next child. In a mapping, keys and values alternate.
    fn next(&mut self) -> Option<Node<'d>> {
        match self {
            Open::Items(items) => items.next(),
            Open::Sorted(nodes) => nodes.next(),
            Open::Pairs(pairs, value) => match value.take() {
                Some(value) => Some(value),
                None => {
                    let (key, next) = pairs.next()?;
                    *value = Some(next);
                    Some(key)
                }
            },
        }
    }
}

impl<'d> Walk<'d> {
    /// Writes `node` with everything in it.
    fn run<W: Write>(
        mut self,
        yaml: &mut Presenter<W>,
        node: Node<'d>,
    ) -> Result<(), PresentError> {
        self.node(yaml, node)?;
        while let Some(open) = self.open.last_mut() {
            match open.next() {
                Some(node) => self.node(yaml, node)?,
                None => self.close(yaml)?,
            }
        }
        Ok(())
    }

    /// Writes `node` or, if it is a collection, its start.
    fn node<W: Write>(
        &mut self,
        yaml: &mut Presenter<W>,
        node: Node<'d>,
    ) -> Result<(), PresentError> {
        // An alias is replaced by its target if that has not been written yet.
        let node = node.resolved();
        let is_shared = self.shared.as_ref().is_none_or(|shared| shared.contains(&node.id()));
        let is_anchored = is_shared && node.anchor_span().is_some();
        if is_anchored && self.names.write(node) {
            return yaml.alias(self.names.name(node).unwrap_or_default());
        }
        let anchor = if is_anchored { self.names.name(node) } else { None };
        let properties = Properties { anchor, tag: node.tag() };
        let style = match node.style() {
            Style::Flow => CollectionStyle::Flow,
            _ => CollectionStyle::Block,
        };
        match node.kind() {
            Kind::Sequence => {
                yaml.start_sequence(style, properties)?;
                self.open.push(Open::Items(node.items()));
                Ok(())
            }
            Kind::Mapping => {
                yaml.start_mapping(style, properties)?;
                self.open.push(self.pairs(node));
                Ok(())
            }
            _ => yaml.scalar(&node.text(), ScalarStyle::from(node.style()), properties),
        }
    }

    /// Returns the pairs of the mapping `node` in the requested order.
    fn pairs(&self, node: Node<'d>) -> Open<'d> {
        if self.order == KeyOrder::AsGiven {
            return Open::Pairs(node.entries(), None);
        }
        let mut pairs: Vec<_> = node.entries().collect();
        pairs.sort_by_cached_key(|(key, _)| {
            let is_scalar = key.resolved().kind() == Kind::Scalar;
            (!is_scalar, key.content())
        });
        let nodes: Vec<_> = pairs.into_iter().flat_map(|(key, value)| [key, value]).collect();
        Open::Sorted(nodes.into_iter())
    }

    /// Ends the innermost collection.
    fn close<W: Write>(&mut self, yaml: &mut Presenter<W>) -> Result<(), PresentError> {
        match self.open.pop() {
            Some(Open::Items(_)) => yaml.end_sequence(),
            _ => yaml.end_mapping(),
        }
    }
}

impl From<Style> for ScalarStyle {
    /// Returns the style to request for a scalar that was written in `style`.
    fn from(style: Style) -> ScalarStyle {
        match style {
            Style::SingleQuoted => ScalarStyle::SingleQuoted,
            Style::DoubleQuoted => ScalarStyle::DoubleQuoted,
            Style::Literal => ScalarStyle::Literal,
            Style::Folded => ScalarStyle::Folded,
            _ => ScalarStyle::Plain,
        }
    }
}
