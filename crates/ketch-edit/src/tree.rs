//! The parsed text: its nodes with their places, and its meaning as a list of tokens.

use super::error::{EditError, EditErrorKind};
use ketch_bytes::encoding::Encoding;
use ketch_yaml::schema::{Exact, Schema};
use ketch_yaml::{Error, Event, EventKind, Flags, Options, Parser, Problem, scalar};
use std::ops::Range;

/// A part of the meaning of a text. It does not depend on styles, comments or layout.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Token {
    Document,
    Sequence,
    Mapping,
    End,
    Alias(String),
    Anchor(String),
    Tag(String),
    /// A plain scalar that is not text, in canonical form.
    Value(String),
    Text(String),
}

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Scalar,
    Sequence,
    Mapping,
    Alias,
}

/// A node of the text, and its place.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub shape: Shape,
    pub is_flow: bool,
    /// The start of its properties or, if it has none, of its content.
    pub start: usize,
    pub content: usize,
    pub end: usize,
    pub anchor: Option<Range<usize>>,
    pub tag: Option<Range<usize>>,
    pub event: Event,
    /// The items, or the keys and values in turn, as indices of nodes.
    pub children: Vec<usize>,
    pub parent: Option<usize>,
    /// The tokens of the node, including those of its properties.
    pub tokens: Range<usize>,
    /// The index of the first token after those of the properties.
    pub content_tokens: usize,
}

impl Node {
    /// Returns whether the node is an empty node without properties, which takes no bytes.
    pub fn is_absent(&self) -> bool {
        self.start == self.end && self.shape == Shape::Scalar
    }
}

/// A document of the stream, with the index of its root, if it has one.
#[derive(Clone, Debug)]
pub(super) struct Doc {
    pub root: Option<usize>,
    /// The offset of its first directive or its marker. Without both, the end of the marker before it.
    pub start: usize,
    /// The index of its first token.
    pub token: usize,
    pub end: usize,
}

/// The documents, nodes and tokens of a stream.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    pub nodes: Vec<Node>,
    pub docs: Vec<Doc>,
    pub tokens: Vec<Token>,
}

/// The properties of a node that has not been read yet.
#[derive(Default)]
struct Waiting {
    start: Option<usize>,
    anchor: Option<Range<usize>>,
    tag: Option<Range<usize>>,
    tokens: usize,
}

/// Builds a tree from the events of a parser.
struct Builder<'t> {
    text: &'t [u8],
    tree: Tree,
    open: Vec<usize>,
    waiting: Waiting,
    /// The offset after the line of the last document's end.
    after: usize,
    /// The offset of the first directive since then.
    directive: Option<usize>,
}

/// The function that a parser polls, as in [`Options::interrupt`].
pub(super) type Interrupt = Option<fn() -> bool>;

/// Returns the options of a parser that accepts layouts that YAML 1.2 forbids if `lenient` is set,
/// and that `interrupt` can stop.
pub(super) fn reading(lenient: bool, interrupt: Interrupt) -> Options {
    let mut options = Options::default();
    (options.lenient, options.interrupt) = (lenient, interrupt);
    options
}

/// Returns a parser of `text`, which must be in UTF-8. A NUL near the start is an error, because
/// the parser would take the text for UTF-16 or UTF-32.
pub(super) fn parser<'t>(text: &'t [u8], options: &Options) -> Result<Parser<'t>, EditError> {
    if Encoding::detect(text).0 == Encoding::Utf8 {
        return Ok(Parser::with_options(text, options));
    }
    let at = memchr::memchr(0, text).unwrap_or_default() as u64;
    Err(EditError::invalid(Error::in_text(Problem::Control(0), text, at, 1)))
}

impl Tree {
    /// Parses `text`, which must be in UTF-8.
    pub fn parse(text: &[u8]) -> Result<Tree, EditError> {
        Tree::parse_as(text, false)
    }

    /// Parses `text`, which must be in UTF-8. If `lenient` is set, layouts are accepted that YAML
    /// 1.2 forbids.
    pub fn parse_as(text: &[u8], lenient: bool) -> Result<Tree, EditError> {
        Tree::parse_with(text, &reading(lenient, None))
    }

    /// Parses `text`, which must be in UTF-8, with the options `options`.
    pub fn parse_with(text: &[u8], options: &Options) -> Result<Tree, EditError> {
        let mut parser = parser(text, options)?;
        let waiting = Waiting::default();
        let (tree, open) = (Tree::default(), Vec::new());
        let mut builder = Builder { text, tree, open, waiting, after: 0, directive: None };
        loop {
            let chunk = parser.next_chunk().map_err(EditError::invalid)?;
            let Some(chunk) = chunk else { break };
            for mut event in chunk.events() {
                event.start += chunk.base() as usize;
                builder.event(event);
            }
        }
        Ok(builder.tree)
    }

    /// Returns the root of the only document. It is an error if there is not exactly one document,
    /// or if it is empty.
    pub fn single_root(&self) -> Result<usize, EditError> {
        match &self.docs[..] {
            [doc] => doc.root.ok_or_else(|| EditError::plain(EditErrorKind::BadOperation)),
            _ => {
                let error = EditError::plain(EditErrorKind::BadOperation);
                Err(error.with_detail("a value must be a single YAML document".to_owned()))
            }
        }
    }

    /// Returns the tokens of `node`, without those of its properties.
    pub fn content(&self, node: usize) -> &[Token] {
        let node = &self.nodes[node];
        &self.tokens[node.content_tokens..node.tokens.end]
    }

    /// Returns the tokens of `node`, including those of its properties.
    pub fn whole(&self, node: usize) -> &[Token] {
        &self.tokens[self.nodes[node].tokens.clone()]
    }

    /// Returns the tag of `node` as it is written.
    pub fn tag(&self, node: usize) -> Option<&str> {
        let node = &self.nodes[node];
        let properties = &self.tokens[node.tokens.start..node.content_tokens];
        properties.iter().find_map(|token| match token {
            Token::Tag(tag) => Some(&**tag),
            _ => None,
        })
    }

    /// Returns the number of levels below the node `root`.
    pub fn depth(&self, root: usize) -> usize {
        let (mut deepest, mut pending) = (0, vec![(root, 0)]);
        while let Some((at, depth)) = pending.pop() {
            deepest = deepest.max(depth);
            pending.extend(self.nodes[at].children.iter().map(|&child| (child, depth + 1)));
        }
        deepest
    }

    /// Returns the text or the canonical form of a scalar; `None` if the node is not a scalar.
    pub fn text_of(&self, node: usize) -> Option<&str> {
        match self.content(node) {
            [Token::Text(text) | Token::Value(text)] => Some(text),
            _ => None,
        }
    }
}

impl Builder<'_> {
    /// Processes the next event of the text.
    fn event(&mut self, event: Event) {
        match event.kind {
            EventKind::DocumentStart => {
                let (token, directive) = (self.tree.tokens.len(), self.directive.take());
                self.tree.tokens.push(Token::Document);
                let start = match event.flags.has(Flags::EXPLICIT) {
                    true if !self.tree.docs.is_empty() => directive.unwrap_or(event.start),
                    _ => self.after,
                };
                let end = event.start + event.len;
                self.tree.docs.push(Doc { root: None, start, token, end });
            }
            EventKind::DocumentEnd => {
                if let Some(doc) = self.tree.docs.last_mut() {
                    doc.end = event.start;
                }
                let end = event.start + event.len;
                let rest = memchr::memchr(b'\n', &self.text[end..]);
                self.after = rest.map_or(self.text.len(), |rest| end + rest + 1);
            }
            EventKind::Directive => {
                self.directive.get_or_insert(event.start);
            }
            EventKind::Anchor => {
                self.wait(event);
                self.waiting.anchor = Some(event.range());
                self.tree.tokens.push(Token::Anchor(self.name(event)));
            }
            EventKind::Tag => {
                self.wait(event);
                self.waiting.tag = Some(event.range());
                self.tree.tokens.push(Token::Tag(self.lossy(event.range())));
            }
            EventKind::SequenceEnd | EventKind::MappingEnd => self.end(event),
            EventKind::SequenceStart => self.start(event, Shape::Sequence, Token::Sequence),
            EventKind::MappingStart => self.start(event, Shape::Mapping, Token::Mapping),
            EventKind::Alias => {
                let token = Token::Alias(self.name(event));
                self.node(event, Shape::Alias, token);
            }
            EventKind::Nop => {}
            _ => self.scalar(event),
        }
    }

    /// Returns the text in `range`, with malformed UTF-8 replaced.
    fn lossy(&self, range: Range<usize>) -> String {
        String::from_utf8_lossy(&self.text[range]).into_owned()
    }

    /// Returns the name in an anchor or alias, without the `&` or `*`.
    fn name(&self, event: Event) -> String {
        self.lossy(event.start + 1..event.start + event.len)
    }

    /// Records where the properties of the next node start, if `event` is the first of them.
    fn wait(&mut self, event: Event) {
        if self.waiting.start.is_none() {
            self.waiting.start = Some(event.start);
            self.waiting.tokens = self.tree.tokens.len();
        }
    }

    /// Adds a scalar with a token for its meaning.
    fn scalar(&mut self, event: Event) {
        let content = scalar::content(self.text, &event);
        let text = String::from_utf8_lossy(&content).into_owned();
        let tag = self.waiting.tag.clone().map(|tag| &self.text[tag]);
        let token = if is_text(&event, tag) { Token::Text(text) } else { meaning(&text) };
        self.node(event, Shape::Scalar, token);
    }

    /// Adds a node with its first token, and with the properties that were read before it.
    fn node(&mut self, event: Event, shape: Shape, token: Token) {
        let waiting = std::mem::take(&mut self.waiting);
        let at = self.tree.tokens.len();
        self.tree.tokens.push(token);
        let start = waiting.start.unwrap_or(event.start);
        let first = if waiting.start.is_some() { waiting.tokens } else { at };
        let id = self.tree.nodes.len();
        let parent = self.open.last().copied();
        self.tree.nodes.push(Node {
            shape,
            is_flow: event.flags.has(Flags::FLOW),
            start,
            content: event.start,
            end: event_end(self.text, &event),
            anchor: waiting.anchor,
            tag: waiting.tag,
            event,
            children: Vec::new(),
            parent,
            tokens: first..at + 1,
            content_tokens: at,
        });
        match parent {
            Some(parent) => self.tree.nodes[parent].children.push(id),
            None => {
                if let Some(doc) = self.tree.docs.last_mut() {
                    doc.root = Some(id);
                }
            }
        }
    }

    /// Adds a collection as the innermost open one.
    fn start(&mut self, event: Event, shape: Shape, token: Token) {
        self.node(event, shape, token);
        self.open.push(self.tree.nodes.len() - 1);
    }

    /// Ends the innermost open collection at `event`.
    fn end(&mut self, event: Event) {
        self.tree.tokens.push(Token::End);
        let Some(id) = self.open.pop() else { return };
        let last = self.tree.nodes[id].children.last().map(|&child| self.tree.nodes[child].end);
        let node = &mut self.tree.nodes[id];
        node.tokens.end = self.tree.tokens.len();
        node.end = if event.len > 0 { event.start + event.len } else { last.unwrap_or(node.end) };
    }
}

/// Returns the end of `event` in `text`. For a block scalar, this is before the blank lines after
/// it that are not part of its text.
pub(super) fn event_end(text: &[u8], event: &Event) -> usize {
    let end = event.start + event.len;
    if !matches!(event.kind, EventKind::Literal | EventKind::Folded) {
        return end;
    }
    let header = memchr::memchr(b'\n', &text[event.start..end]);
    let Some(first) = header.map(|len| event.start + len + 1) else { return end };
    let is_indicator = |byte: &&u8| matches!(byte, b'-' | b'+' | b'0'..=b'9');
    let mut indicators = text[event.start + 1..first].iter().take_while(is_indicator);
    if indicators.any(|&byte| byte == b'+') {
        return end;
    }
    let mut lines = &text[first..end];
    while let Some(rest) = lines.strip_suffix(b"\n") {
        let rest = rest.strip_suffix(b"\r").unwrap_or(rest);
        if !rest.is_empty() && !rest.ends_with(b"\n") {
            break;
        }
        lines = rest;
    }
    first + lines.len()
}

/// Returns the suffix of a standard YAML tag, such as `int`; `None` for other tags.
pub(super) fn core_tag(tag: &[u8]) -> Option<&str> {
    let verbatim = tag.strip_prefix(b"!<tag:yaml.org,2002:").and_then(|tag| tag.strip_suffix(b">"));
    std::str::from_utf8(tag.strip_prefix(b"!!").or(verbatim)?).ok()
}

/// Returns whether a scalar is text because of its tag or, without a tag, because it is quoted or a
/// block scalar.
pub(super) fn is_text(event: &Event, tag: Option<&[u8]>) -> bool {
    match tag {
        Some(tag) => !matches!(core_tag(tag), Some("int" | "float" | "bool" | "null")),
        None => event.kind != EventKind::Plain,
    }
}

/// Returns the token for the meaning that the plain scalar `text` has in the core schema.
pub(super) fn meaning(text: &str) -> Token {
    match Schema::Core.scalar(text) {
        ketch_yaml::schema::Scalar::Str(text) => Token::Text(text.to_owned()),
        ketch_yaml::schema::Scalar::Null => Token::Value("null".to_owned()),
        ketch_yaml::schema::Scalar::Bool(value) => Token::Value(value.to_string()),
        ketch_yaml::schema::Scalar::Int(value) => Token::Value(value.to_string()),
        ketch_yaml::schema::Scalar::BigInt(value) => Token::Value(value.to_string()),
        ketch_yaml::schema::Scalar::Float(value) => Token::Value(float(value, text)),
        _ => Token::Value(text.to_owned()),
    }
}

/// Returns the canonical form of the float `text`, whose nearest float of 64 bits is `value`. The
/// form has all the digits that tell it from other numbers.
fn float(value: f64, text: &str) -> String {
    /// Numbers of up to this length have different nearest floats.
    const SHORT_BYTES: usize = 15;
    let shown = format!("{value:?}");
    if text == shown || text.len() <= SHORT_BYTES && value.is_normal() {
        return shown;
    }
    let exact = Schema::Core.exact(text.as_bytes());
    let is_shown = value.is_finite() && exact == Exact::from(value);
    if is_shown { shown } else { exact.to_string() }
}
