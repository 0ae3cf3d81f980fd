//! Passing nodes to a handler in Syck's order: children before their parents, and each node once.
//! The handler chooses an id for each node.

use super::dialect::{BAD_ALIAS_TAG, DIALECT};
use hashbrown::HashMap;
use ketch_yaml::schema::{ScalarTag, Schema};
use ketch_yaml::tag::TagHandles;
use ketch_yaml::{Chunk, Error, Event, EventKind, Options, Parser, scalar};
use std::borrow::Cow;
use std::ops::Range;

/// The style in which a node is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeStyle {
    /// A collection without brackets.
    Block,
    /// A collection in brackets.
    Flow,
    /// A plain scalar.
    Plain,
    /// A scalar in single quotes.
    SingleQuoted,
    /// A scalar in double quotes.
    DoubleQuoted,
    /// A literal scalar, after `|`.
    Literal,
    /// A folded scalar, after `>`.
    Folded,
}

/// The content of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content<'n, Id> {
    /// The text of a scalar.
    Scalar(&'n str),
    /// The ids of a sequence's entries.
    Sequence(&'n [Id]),
    /// The ids of a mapping's keys and values, alternating.
    Mapping(&'n [Id]),
}

/// A node as it is passed to a handler.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Node<'n, Id> {
    /// The text of the node, or the ids of its children.
    pub content: Content<'n, Id>,
    /// The tag of the node, expanded. If no tag is written, this is the tag of the scalar's
    /// implicit type with its refinement, such as `tag:yaml.org,2002:int#hex`; collections without
    /// a written tag have none.
    pub tag: Option<&'n str>,
    /// The name of the node's anchor. If it has several anchors, this is the first one.
    pub anchor: Option<&'n str>,
    /// The style in which the node is written.
    pub style: NodeStyle,
    /// The offset of the node's first byte in the text.
    pub start: u64,
    /// The offset after the node's last byte. A block collection ends where its last child ends.
    pub end: u64,
    /// If the node contains an alias to itself, the id that [`NodeHandler::bad_anchor`] returned
    /// for the alias.
    pub inside: Option<&'n Id>,
}

/// A handler, which receives the nodes of a document.
///
/// ```
/// use ketch_syck::{Content, Node, NodeHandler, Nodes};
///
/// /// Prints values.
/// struct Printer;
///
/// impl NodeHandler for Printer {
///     type Id = String;
///
///     fn node(&mut self, node: &Node<'_, String>) -> String {
///         match node.content {
///             Content::Scalar(text) => text.to_owned(),
///             Content::Sequence(items) => format!("[{}]", items.join(" ")),
///             Content::Mapping(pairs) => format!("{{{}}}", pairs.join(" ")),
///         }
///     }
///
///     fn bad_anchor(&mut self, name: &str) -> String {
///         format!("no {name}")
///     }
/// }
///
/// let mut nodes = Nodes::new(b"- &a 1\n- {b: *a, c: *d}\n");
/// assert_eq!(nodes.next_root(&mut Printer)?.as_deref(), Some("[1 {b 1 c no d}]"));
/// assert_eq!(nodes.next_root(&mut Printer)?, None);
/// # Ok::<(), ketch_yaml::Error>(())
/// ```
pub trait NodeHandler {
    /// The type of the ids with which the handler identifies nodes.
    type Id: Clone;

    /// Handles a node, after its children, and returns an id for it. This id is passed with the
    /// parent of the node, and used for its aliases.
    fn node(&mut self, node: &Node<'_, Self::Id>) -> Self::Id;

    /// Handles an alias to an anchor that is unknown, or belongs to a node that contains the alias.
    /// Returns an id for it.
    fn bad_anchor(&mut self, name: &str) -> Self::Id;

    /// Handles an error, which ends the stream. The error that this returns is passed to the
    /// caller.
    fn error(&mut self, error: Error) -> Error {
        error
    }
}

/// A handler that only counts the nodes, for benchmarks.
#[derive(Clone, Copy, Debug, Default)]
pub struct NullHandler {
    /// The number of nodes.
    pub nodes: u64,
}

impl NodeHandler for NullHandler {
    type Id = ();

    #[inline]
    fn node(&mut self, _: &Node<'_, ()>) {
        self.nodes += 1;
    }

    #[inline]
    fn bad_anchor(&mut self, _: &str) {}
}

/// A collection that has not ended yet.
#[derive(Debug)]
struct Open<Id> {
    first: usize,
    is_mapping: bool,
    is_flow: bool,
    start: u64,
    tag: Option<Range<usize>>,
    anchors: Vec<String>,
    inside: Option<Id>,
}

/// The node that has a certain anchor.
#[derive(Debug)]
enum Anchor<Id> {
    /// A collection that has not ended yet, as its index in [`Walk::open`].
    Open(usize),
    Node(Id),
}

/// Reads a text in Syck's dialect, and passes its nodes to a handler.
#[derive(Debug)]
pub struct Nodes<'t> {
    parser: Parser<'t>,
    types: bool,
}

impl<'t> Nodes<'t> {
    /// Creates a reader of `text` with default options, in which plain scalars have implicit types.
    #[must_use]
    pub fn new(text: &'t [u8]) -> Nodes<'t> {
        Nodes::with_options(text, &Options::default(), true)
    }

    /// Creates a reader of `text`. If `types` is set, plain scalars get the tags of their implicit
    /// types.
    #[must_use]
    pub fn with_options(text: &'t [u8], options: &Options, types: bool) -> Nodes<'t> {
        let mut options = *options;
        options.dialect = DIALECT;
        Nodes { parser: Parser::with_options(text, &options), types }
    }

    /// Returns the parser, which has the warnings.
    #[must_use]
    pub fn parser(&self) -> &Parser<'t> {
        &self.parser
    }

    /// Passes the nodes of the next document to `handler`. Returns the id of the root, or `None` at
    /// the end of the stream.
    ///
    /// # Errors
    ///
    /// Fails with the error that [`NodeHandler::error`] returns if the input is invalid.
    pub fn next_root<H: NodeHandler>(&mut self, handler: &mut H) -> Result<Option<H::Id>, Error> {
        match self.parser.next_chunk() {
            Ok(Some(chunk)) => Ok(Walk::new(handler, self.types).document(&chunk)),
            Ok(None) => Ok(None),
            Err(error) => Err(handler.error(error)),
        }
    }
}

/// A walk over the events of a document.
struct Walk<'h, H: NodeHandler> {
    handler: &'h mut H,
    types: bool,
    open: Vec<Open<H::Id>>,
    /// The ids of the children so far of all open collections.
    ids: Vec<H::Id>,
    anchors: HashMap<String, Anchor<H::Id>, foldhash::fast::RandomState>,
    /// The names of the anchors before the next node.
    names: Vec<String>,
    /// The tag before the next node, as a range of `tags`.
    tag: Option<Range<usize>>,
    /// The expanded tags of the open collections and of the next node.
    tags: String,
    decoded: Vec<u8>,
    end: u64,
}

impl<'h, H: NodeHandler> Walk<'h, H> {
    /// Creates a walk over one document.
    fn new(handler: &'h mut H, types: bool) -> Walk<'h, H> {
        Walk {
            handler,
            types,
            open: Vec::new(),
            ids: Vec::new(),
            anchors: HashMap::default(),
            names: Vec::new(),
            tag: None,
            tags: String::new(),
            decoded: Vec::new(),
            end: 0,
        }
    }

    /// Passes the nodes of the document to the handler, and returns the id of the root.
    fn document(mut self, chunk: &Chunk<'_, '_>) -> Option<H::Id> {
        for event in chunk.events() {
            match event.kind {
                EventKind::Anchor => self.names.push(name(chunk, &event)),
                EventKind::Tag => {
                    let written = chunk.bytes(&event);
                    let from = self.tags.len();
                    self.tags += &TagHandles::default().resolve(written);
                    self.tag = Some(from..self.tags.len());
                }
                EventKind::Alias => self.alias(&name(chunk, &event)),
                EventKind::SequenceStart | EventKind::MappingStart => self.start(chunk, &event),
                EventKind::SequenceEnd | EventKind::MappingEnd => self.close(chunk, &event),
                kind if kind.is_scalar() => self.scalar(chunk, &event),
                _ => {}
            }
        }
        self.ids.pop()
    }

    /// Processes an alias: looks up the id of its node, or gets an id from the handler.
    fn alias(&mut self, name: &str) {
        self.tag = None;
        let id = match self.anchors.get(name) {
            Some(Anchor::Node(id)) => id.clone(),
            Some(&Anchor::Open(index)) => {
                let known = self.open.get(index).and_then(|open| open.inside.clone());
                let id = known.unwrap_or_else(|| self.handler.bad_anchor(name));
                if let Some(open) = self.open.get_mut(index) {
                    open.inside = Some(id.clone());
                }
                id
            }
            None => self.handler.bad_anchor(name),
        };
        let names = std::mem::take(&mut self.names);
        self.keep(id, None, names);
    }

    /// Opens a collection, with the properties that were read before it.
    fn start(&mut self, chunk: &Chunk<'_, '_>, event: &Event) {
        let anchors = std::mem::take(&mut self.names);
        for name in &anchors {
            self.anchors.insert(name.clone(), Anchor::Open(self.open.len()));
        }
        self.open.push(Open {
            first: self.ids.len(),
            is_mapping: event.kind == EventKind::MappingStart,
            is_flow: event.flags.has(ketch_yaml::Flags::FLOW),
            start: chunk.base() + event.start as u64,
            tag: self.tag.take(),
            anchors,
            inside: None,
        });
    }

    /// Closes the innermost collection, and passes it to the handler.
    fn close(&mut self, chunk: &Chunk<'_, '_>, event: &Event) {
        let Some(open) = self.open.pop() else { return };
        if open.is_flow {
            self.end = chunk.base() + event.range().end as u64;
        }
        let children = &self.ids[open.first..];
        let content = match open.is_mapping {
            true => Content::Mapping(children),
            false => Content::Sequence(children),
        };
        let node = Node {
            content,
            tag: open.tag.clone().map(|tag| &self.tags[tag]),
            anchor: open.anchors.first().map(String::as_str),
            style: if open.is_flow { NodeStyle::Flow } else { NodeStyle::Block },
            start: open.start,
            end: self.end.max(open.start),
            inside: open.inside.as_ref(),
        };
        let id = self.handler.node(&node);
        self.ids.truncate(open.first);
        self.keep(id, open.tag, open.anchors);
    }

    /// Stores the id of a node for its parent and for aliases, and drops the text of its tag.
    fn keep(&mut self, id: H::Id, tag: Option<Range<usize>>, names: Vec<String>) {
        if let Some(tag) = tag {
            self.tags.truncate(tag.start);
        }
        if !names.is_empty() {
            for name in names {
                self.anchors.insert(name, Anchor::Node(id.clone()));
            }
        }
        self.ids.push(id);
    }

    /// Passes a scalar to the handler.
    fn scalar(&mut self, chunk: &Chunk<'_, '_>, event: &Event) {
        let text = match scalar::verbatim(chunk.text(), event) {
            Some(bytes) => bytes,
            None => {
                self.decoded.clear();
                scalar::decode(chunk.text(), event, &mut self.decoded);
                &self.decoded
            }
        };
        let written = self.tag.take();
        let start = chunk.base() + event.start as u64;
        self.end = chunk.base() + event.range().end as u64;
        if written.is_none() && self.names.is_empty() {
            let tag = self.types.then(|| implicit(style(event.kind), text));
            let (text, span) = (utf8(text), (start, self.end));
            let id = self.handler.node(&scalar_node(event, &text, tag.as_deref(), None, span));
            self.ids.push(id);
            return;
        }
        let names = std::mem::take(&mut self.names);
        let id = match &written {
            Some(tag) if &self.tags[tag.clone()] == BAD_ALIAS_TAG => {
                self.handler.bad_anchor(&String::from_utf8_lossy(text))
            }
            _ => {
                let style = style(event.kind);
                let tag = match &written {
                    Some(tag) => Some(Cow::Borrowed(&self.tags[tag.clone()])),
                    None => self.types.then(|| implicit(style, text)),
                };
                let (text, span) = (utf8(text), (start, self.end));
                let anchor = names.first().map(String::as_str);
                self.handler.node(&scalar_node(event, &text, tag.as_deref(), anchor, span))
            }
        };
        self.keep(id, written, names);
    }
}

/// Returns the name in an anchor or alias, without its indicator.
fn name(chunk: &Chunk<'_, '_>, event: &Event) -> String {
    String::from_utf8_lossy(&chunk.bytes(event)[1..]).into_owned()
}

/// Creates the node of a scalar.
#[inline]
fn scalar_node<'n, Id>(
    event: &Event,
    text: &'n str,
    tag: Option<&'n str>,
    anchor: Option<&'n str>,
    (start, end): (u64, u64),
) -> Node<'n, Id> {
    let (content, style) = (Content::Scalar(text), style(event.kind));
    Node { content, tag, anchor, style, start, end, inside: None }
}

/// Returns the text of a scalar, whose bytes are always UTF-8.
#[inline]
fn utf8(bytes: &[u8]) -> Cow<'_, str> {
    ketch_bytes::utf8::checked(bytes).map_or_else(|| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// Returns the style of a scalar event of the kind `kind`.
#[inline]
fn style(kind: EventKind) -> NodeStyle {
    match kind {
        EventKind::SingleQuoted => NodeStyle::SingleQuoted,
        EventKind::DoubleQuoted => NodeStyle::DoubleQuoted,
        EventKind::Literal => NodeStyle::Literal,
        EventKind::Folded => NodeStyle::Folded,
        _ => NodeStyle::Plain,
    }
}

/// Returns the tag for the implicit type of a scalar.
#[inline]
fn implicit(style: NodeStyle, text: &[u8]) -> Cow<'static, str> {
    let tag = match style {
        NodeStyle::Plain => Schema::Syck.resolve(text),
        _ => ScalarTag::Str,
    };
    if tag == ScalarTag::Str { Cow::Borrowed(STR) } else { other_type(tag) }
}

/// The tag of strings.
const STR: &str = "tag:yaml.org,2002:str";

/// Returns the tag of an implicit type other than string. If Syck has a name for the spelling of
/// the scalar, the tag ends with `#` and this name, as in `int#hex`.
fn other_type(tag: ScalarTag) -> Cow<'static, str> {
    match tag.refinement() {
        Some(refinement) => Cow::Owned(format!("{}#{refinement}", tag.uri())),
        None => Cow::Borrowed(tag.uri()),
    }
}
