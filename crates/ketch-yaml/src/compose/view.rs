//! Views of nodes.

use super::document::Document;
use super::key;
use super::lookup::{self, Key};
use super::merge;
use super::node::{FLOW, HAS_OVERRIDDEN, NodeId, Packed, Shape, TAGGED};
use super::tree;
use crate::dialect::{Language, other};
use crate::error::Error;
use crate::fault::Fault;
use crate::limits::Limits;
use crate::location::Location;
use crate::problem::Problem;
use crate::scalar;
use crate::schema::{Scalar, ScalarTag, Schema};
use ketch_bytes::utf8::into_string;
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

/// The kinds of nodes (YAML 1.2.2, section 3.2.1.1), and aliases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Text, which a schema may resolve to another type.
    Scalar,
    /// Nodes in order.
    Sequence,
    /// Pairs of a key and a value.
    Mapping,
    /// A reference to another node of the document.
    Alias,
}

/// How a node is written (YAML 1.2.2, section 3.2.3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Style {
    /// A scalar without quotes.
    Plain,
    /// A scalar in `'`.
    SingleQuoted,
    /// A scalar in `"`.
    DoubleQuoted,
    /// A literal block scalar, `|`.
    Literal,
    /// A folded block scalar, `>`.
    Folded,
    /// A collection in block style, by indentation.
    Block,
    /// A collection in flow style, in brackets.
    Flow,
    /// An alias.
    Alias,
}

/// A reference to a node of a [`Document`]. It is cheap to copy.
///
/// An alias has its own location and id, but the content, tag, children and value of its target.
#[derive(Clone, Copy)]
pub struct Node<'d> {
    document: &'d Document<'d>,
    id: NodeId,
}

impl<'d> Node<'d> {
    /// Returns the node of `document` with the id `id`, which must exist.
    #[inline]
    pub(super) fn new(document: &'d Document<'d>, id: NodeId) -> Node<'d> {
        Node { document, id }
    }

    /// Returns the node at the index `at` of the same document.
    fn at(self, at: usize) -> Node<'d> {
        Node { id: NodeId::from(at), ..self }
    }

    /// Returns the stored form of the node itself, not of an alias's target.
    #[inline]
    fn packed(self) -> Packed {
        self.document.tree.storage[self.id.index()]
    }

    /// Returns the tree and text of the node's document.
    #[inline]
    fn view(self) -> tree::View<'d> {
        self.document.view()
    }

    /// Returns the index of the node that this one means: itself, or the target of an alias.
    #[inline]
    fn meaning(self) -> usize {
        self.view().resolved(self.id.index())
    }

    /// Returns the document that the node is in.
    pub fn document(self) -> &'d Document<'d> {
        self.document
    }

    /// Returns the node's id in its document.
    #[inline]
    pub fn id(self) -> NodeId {
        self.id
    }

    /// Returns the kind of the node.
    #[inline]
    pub fn kind(self) -> Kind {
        match self.packed().shape() {
            Shape::Sequence => Kind::Sequence,
            Shape::Mapping => Kind::Mapping,
            Shape::Alias => Kind::Alias,
            _ => Kind::Scalar,
        }
    }

    /// Returns the style of the node.
    pub fn style(self) -> Style {
        match self.packed().shape() {
            Shape::Plain => Style::Plain,
            Shape::SingleQuoted => Style::SingleQuoted,
            Shape::DoubleQuoted => Style::DoubleQuoted,
            Shape::Literal => Style::Literal,
            Shape::Folded => Style::Folded,
            Shape::Alias => Style::Alias,
            _ if self.packed().has(FLOW) => Style::Flow,
            _ => Style::Block,
        }
    }

    /// Returns the range of the node in [`Document::text`], without its anchor and tag. A
    /// collection in block style starts at the indicator or key of its first entry. It ends with
    /// its last node, or with the last indicator or property if that node is empty.
    pub fn span(self) -> Range<usize> {
        let span = self.view().span(self.id.index());
        match self.kind() {
            Kind::Sequence | Kind::Mapping => span.start..self.content_end(span),
            _ => span,
        }
    }

    /// Returns the end of a collection whose span is `span`, without blanks, line breaks and
    /// comments before an empty last node. Whether the span includes these depends on how far the
    /// parser looked for the node.
    fn content_end(self, span: Range<usize>) -> usize {
        let (view, first) = (self.view(), self.id.index());
        let mut last = self.subtree().end - 1;
        if last == first || view.span(last) != (span.end..span.end) {
            return span.end;
        }
        // Several empty nodes may follow one another.
        while last > first && view.span(last).is_empty() {
            last -= 1;
        }
        let node = view.span(last);
        let start = match self.at(last).kind() {
            Kind::Sequence | Kind::Mapping => node.start,
            _ => node.end,
        };
        start + written_len(&self.document.text()[start..span.end])
    }

    /// Returns the location of the node in the stream.
    pub fn location(self) -> Location {
        self.document.location(self.span())
    }

    /// Returns the range of indices of the node and its descendants.
    pub fn subtree(self) -> Range<usize> {
        self.id.index()..self.packed().end()
    }

    /// Returns the target of an alias, or `None` for any other node.
    #[inline]
    pub fn target(self) -> Option<Node<'d>> {
        let node = self.packed();
        (node.shape() == Shape::Alias).then(|| self.at(self.view().target(node)))
    }

    /// Returns the targets of the aliases among these nodes of the document.
    pub(crate) fn targets_among(self, nodes: Range<usize>) -> impl Iterator<Item = Node<'d>> {
        nodes.filter_map(move |at| self.at(at).target())
    }

    /// Returns the node itself, or the target of an alias.
    #[inline]
    pub fn resolved(self) -> Node<'d> {
        self.at(self.meaning())
    }

    /// Returns the tag of the node, if it has one, with its handle replaced and `%` escapes
    /// decoded. `!` is the non-specific tag.
    pub fn tag(self) -> Option<&'d str> {
        self.view().tag(self.meaning())
    }

    /// Returns the tag of the node, or `None` if it has no tag, or one that starts with
    /// `tag:yaml.org,2002:` or is `!`.
    pub fn custom_tag(self) -> Option<&'d str> {
        self.tag().filter(|tag| *tag != "!" && !tag.starts_with(crate::tag::YAML_PREFIX))
    }

    /// Returns the range of the tag in [`Document::text`], or `None` if the node has no tag.
    pub fn tag_span(self) -> Option<Range<usize>> {
        let tag = self.view().tag_entry(self.id.index())?;
        Some(tag.start as usize..(tag.start + tag.len) as usize)
    }

    /// Returns the name of the node's anchor or, for an alias, of the anchor that it refers to.
    /// Returns `None` if there is none.
    pub fn anchor(self) -> Option<&'d str> {
        let span = match self.kind() {
            Kind::Alias => self.span(),
            _ => self.anchor_span()?,
        };
        // The parser has checked that all text is UTF-8.
        std::str::from_utf8(&self.view().text[span.start + 1..span.end]).ok()
    }

    /// Returns the range of the anchor in [`Document::text`], or `None` if the node has no anchor.
    pub fn anchor_span(self) -> Option<Range<usize>> {
        let anchor = self.view().anchor_entry(self.id.index())?;
        Some(anchor.start as usize..(anchor.start + anchor.len) as usize)
    }

    /// Returns the content of a scalar as UTF-8 bytes, with escapes decoded and lines folded. It is
    /// empty for collections, and borrowed if it is a slice of the text.
    #[inline]
    pub fn content(self) -> Cow<'d, [u8]> {
        let at = self.meaning();
        if self.view().nodes[at].is_scalar() { self.view().content(at) } else { Cow::Borrowed(&[]) }
    }

    /// Returns the content of a scalar as text, with escapes decoded and lines folded. It is empty
    /// for collections.
    pub fn text(self) -> Cow<'d, str> {
        into_text(self.content())
    }

    /// Appends the content of a scalar to `out`, as UTF-8 bytes. Use this to decode many scalars
    /// into one buffer.
    pub fn decode_into(self, out: &mut Vec<u8>) {
        let (view, at) = (self.view(), self.meaning());
        if view.nodes[at].is_scalar() {
            scalar::decode(view.text, &view.event(at), out);
        }
    }

    /// Returns the value of a scalar under a schema. A scalar with a tag is converted to the type that
    /// the tag names. Without a tag, a plain scalar is resolved by its text, and any other scalar is
    /// text. A scalar whose tag YAML does not define is text, too.
    ///
    /// # Errors
    ///
    /// Returns [`Problem::TagMismatch`] if the text is not valid for its tag, and
    /// [`Problem::NotAScalar`] for a collection.
    /// [`Problem::NotAScalar`] for a collection.
    pub fn scalar(self, schema: Schema) -> Result<Scalar<'d, Cow<'d, str>>, Error> {
        let at = self.meaning();
        if !self.view().nodes[at].is_scalar() {
            return Err(self.error(Problem::NotAScalar));
        }
        match key::value(self.view(), at, schema) {
            Ok(value) => Ok(key::with_text(value, into_text)),
            Err(_) => Err(self.at(at).error(Problem::TagMismatch)),
        }
    }

    /// Returns the value of a scalar as [`Node::scalar`] does, but with text as bytes, for writers
    /// that need no `str`. The parser has checked that the bytes are UTF-8.
    ///
    /// # Errors
    ///
    /// See [`Node::scalar`].
    pub fn scalar_bytes(self, schema: Schema) -> Result<Scalar<'d, Cow<'d, [u8]>>, Error> {
        let at = self.meaning();
        if !self.view().nodes[at].is_scalar() {
            return Err(self.error(Problem::NotAScalar));
        }
        key::value(self.view(), at, schema).map_err(|_| self.at(at).error(Problem::TagMismatch))
    }

    /// Returns the number of entries of a sequence or of pairs of a mapping, without overridden
    /// ones. It is zero for scalars.
    #[inline]
    pub fn len(self) -> usize {
        let at = self.meaning();
        let node = self.view().nodes[at];
        match node.shape() {
            Shape::Sequence => node.count(),
            Shape::Mapping if node.has(HAS_OVERRIDDEN) => self.view().pairs(at).count(),
            Shape::Mapping => node.count() / 2,
            _ => 0,
        }
    }

    /// Returns whether the node has neither entries nor pairs.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Returns the entries of a sequence. Any other node has none.
    #[inline]
    pub fn items(self) -> Items<'d> {
        let at = self.meaning();
        let view = self.view();
        let children = if view.nodes[at].shape() == Shape::Sequence {
            view.children(at)
        } else {
            tree::Children::none()
        };
        Items { document: self.document, children }
    }

    /// Returns the pairs of a mapping as written, without overridden keys
    /// ([`DuplicateKeys`](crate::DuplicateKeys)). Any other node has none. Merge keys are not
    /// applied; see [`Node::merged_entries`].
    #[inline]
    pub fn entries(self) -> Entries<'d> {
        let at = self.meaning();
        let view = self.view();
        let pairs = if view.nodes[at].shape() == Shape::Mapping {
            view.pairs(at)
        } else {
            tree::Pairs::none()
        };
        Entries { document: self.document, pairs }
    }

    /// Returns the pairs of a mapping as written, including those with duplicate keys. Any other
    /// node has none.
    pub fn written_entries(self) -> impl Iterator<Item = (Node<'d>, Node<'d>)> {
        let at = self.meaning();
        let view = self.view();
        let is_mapping = view.nodes[at].shape() == Shape::Mapping;
        let mut children = if is_mapping { view.children(at) } else { tree::Children::none() };
        std::iter::from_fn(move || Some((self.at(children.next()?), self.at(children.next()?))))
    }

    /// Returns the pairs of a mapping with merge keys (`<<`) applied. The mapping's own keys win
    /// over merged ones, and an earlier merge wins over a later one. Merged pairs take the position
    /// of the `<<`. Without a merge key, the pairs are those of [`Node::entries`].
    ///
    /// This works even if the document was composed without merge keys. It visits the mapping and
    /// each mapping merged into it once, and allocates a list of the pairs.
    ///
    /// # Errors
    ///
    /// Returns [`Problem::MergeValue`] if the value of a merge key is not a mapping, and
    /// [`Problem::AliasCycle`] if a mapping would be merged into a part of itself.
    ///
    /// ```
    /// use ketch_yaml::Documents;
    ///
    /// let text = b"- &base {a: 1, b: 2}\n- {<<: *base, b: 3}\n";
    /// let document = Documents::new(text).next().unwrap()?;
    /// let pairs = document.root().get(1).unwrap().merged_entries()?;
    /// let pairs: Vec<_> = pairs.iter().map(|(key, value)| (key.text(), value.text())).collect();
    /// assert_eq!(pairs, [("a".into(), "1".into()), ("b".into(), "3".into())]);
    /// # Ok::<(), ketch_yaml::Error>(())
    /// ```
    pub fn merged_entries(self) -> Result<Vec<(Node<'d>, Node<'d>)>, Error> {
        self.counted_entries().map(|(entries, _)| entries)
    }

    /// Returns the pairs as [`Node::merged_entries`] does, and the number of pairs of other mappings
    /// that were visited.
    pub(super) fn counted_entries(self) -> Result<(Vec<(Node<'d>, Node<'d>)>, u64), Error> {
        let at = self.meaning();
        let view = self.view();
        if view.nodes[at].shape() != Shape::Mapping || !merge::has_merge_key(view, at) {
            return Ok((self.entries().collect(), 0));
        }
        let limits = Limits::default();
        let merge::Merged { pairs, looked_at } =
            merge::merge(view, at, self.document.head.equality, &limits)
                .map_err(|fault| self.document.error(fault))?;
        let entries = pairs.into_iter().map(|(key, value)| (self.at(key), self.at(value)));
        Ok((entries.collect(), looked_at))
    }

    /// Returns the value of `key` in a mapping, or the entry with the index `key` of a sequence.
    /// Returns `None` if there is none.
    ///
    /// Keys are compared by their values under [`Document::schema`]. `get(1)` finds the key `0x1` but
    /// not `"1"`, and `get("1")` finds only the latter. In a sequence, an integer is an index from 0.
    ///
    /// Mappings of up to eight pairs are searched linearly. Larger ones get an index at the first
    /// lookup.
    ///
    /// ```
    /// use ketch_yaml::Documents;
    ///
    /// let document = Documents::new(b"0x1: int\n'1': text\nlist: [a, b]\n").next().unwrap()?;
    /// let root = document.root();
    /// assert_eq!(root.get(1).unwrap().text(), "int");
    /// assert_eq!(root.get("1").unwrap().text(), "text");
    /// assert_eq!(root.get("list").unwrap().get(1).unwrap().text(), "b");
    /// assert!(root.get("none").is_none());
    /// # Ok::<(), ketch_yaml::Error>(())
    /// ```
    pub fn get<'k>(self, key: impl Into<Key<'k>>) -> Option<Node<'d>> {
        let found = lookup::get(self.document, self.meaning(), &key.into())?;
        Some(self.at(found))
    }

    /// Returns the node at the end of `path`, a path of keys and indices that starts at this node,
    /// or `None` if the path leads to no node. See [`Document::at_path`].
    pub fn at_path<'k, P>(self, path: P) -> Option<Node<'d>>
    where
        P: IntoIterator,
        P::Item: Into<Key<'k>>,
    {
        path.into_iter().try_fold(self, |node, step| {
            let found = lookup::step(self.document, node.meaning(), step.into())?;
            Some(self.at(found))
        })
    }

    /// Returns the content of a scalar as UTF-8 if it is text under `schema`, has no tag, and is a
    /// slice of the document's text, as most text is. Otherwise, and for an alias, returns `None`;
    /// use [`Node::scalar`].
    #[inline]
    pub fn verbatim_text(self, schema: Schema) -> Option<&'d [u8]> {
        let node = self.packed();
        let text = self.view().verbatim(node).filter(|_| !node.has(TAGGED))?;
        let is_text = node.shape() != Shape::Plain || schema.resolve(text) == ScalarTag::Str;
        is_text.then_some(text)
    }

    /// Returns the range of a scalar's content in [`Document::text`], and whether the scalar is
    /// plain. Returns `None` for a collection, for a scalar with a tag, and if the content is not a
    /// slice of the text.
    #[inline(always)]
    pub fn verbatim_span(self) -> Option<(Range<usize>, bool)> {
        let view = self.view();
        let node = view.nodes[self.meaning()];
        if node.has(TAGGED) {
            return None;
        }
        let (start, end) = view.verbatim_range(node)?;
        Some((start..end, node.shape() == Shape::Plain))
    }

    /// Returns the error for `problem` at this node.
    pub fn error(self, problem: Problem) -> Error {
        self.document.error_at(problem, self.id)
    }

    /// Returns the location of the tag in the stream, if the node has one.
    ///
    /// In another language, such as Syck's, a tag that sets or uses a prefix has the location of the node.
    pub fn tag_location(self) -> Option<Location> {
        self.tag_span()?;
        Some(self.document.location(self.written_tag_span()))
    }

    /// Returns the range of the tag where it is written; the range of the node if it has no tag, or
    /// if its tag is not found. In another language, the expanded tags are after all nodes.
    fn written_tag_span(self) -> Range<usize> {
        let (node, Some(tag)) = (self.span(), self.tag_span()) else { return self.span() };
        if self.document.stream_offset(tag.start) <= self.document.stream_offset(node.start) {
            return tag;
        }
        let expanded = self.view().tag(self.id.index()).unwrap_or_default();
        let find =
            |other: &dyn Language| other.written_tag(self.document.text(), node.start, expanded);
        other().and_then(find).unwrap_or(node)
    }

    /// Returns the error for `problem` at the tag of this node, or at the node if it has no tag.
    pub fn error_at_tag(self, problem: Problem) -> Error {
        let span = self.written_tag_span();
        let fault = Fault { problem, at: span.start as u64, len: span.len(), related: None };
        self.document.error(fault)
    }
}

impl fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {:?} {:?}", self.id, self.kind(), self.style())
    }
}

/// Returns the length of `text`, which is between nodes, up to and including its last indicator,
/// anchor or tag.
fn written_len(text: &[u8]) -> usize {
    let mut end = 0;
    let mut is_comment = false;
    for (at, &byte) in text.iter().enumerate() {
        match byte {
            b'\n' | b'\r' => is_comment = false,
            b' ' | b'\t' => {}
            _ if is_comment => {}
            b'#' if at == 0 || text[at - 1].is_ascii_whitespace() => is_comment = true,
            _ => end = at + 1,
        }
    }
    end
}

/// Converts `content` to text. The parser has checked that it is UTF-8.
fn into_text(content: Cow<'_, [u8]>) -> Cow<'_, str> {
    match content {
        Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes),
        Cow::Owned(bytes) => Cow::Owned(into_string(bytes).unwrap_or_default()),
    }
}

/// Iterates over the entries of a sequence.
#[derive(Clone, Debug)]
pub struct Items<'d> {
    document: &'d Document<'d>,
    children: tree::Children<'d>,
}

impl<'d> Iterator for Items<'d> {
    type Item = Node<'d>;

    #[inline]
    fn next(&mut self) -> Option<Node<'d>> {
        let at = self.children.next()?;
        Some(Node { document: self.document, id: NodeId::from(at) })
    }
}

/// Iterates over the pairs of a mapping.
#[derive(Clone, Debug)]
pub struct Entries<'d> {
    document: &'d Document<'d>,
    pairs: tree::Pairs<'d>,
}

impl<'d> Iterator for Entries<'d> {
    type Item = (Node<'d>, Node<'d>);

    #[inline]
    fn next(&mut self) -> Option<(Node<'d>, Node<'d>)> {
        let (key, value) = self.pairs.next()?;
        let node = |at| Node { document: self.document, id: NodeId::from(at) };
        Some((node(key), node(value)))
    }
}
