//! The state of a presenter, which determines how each node is written.
//!
//! A node is written as soon as it arrives, after its indentation and indicator. The start of a
//! collection is delayed until its first entry arrives, because an empty collection is written as
//! `[]` or `{}`, and because a key that is a collection must be explicit. Each entry of a block
//! collection starts a line, and each leaf in block context ends its line.

use super::analysis::{analyse, is_blank};
use super::block::{block_header, block_scalar};
use super::error::{PresentError, Result};
use super::fast_path::FastPath;
use super::frame::{Frame, FrameKind, Frames, Lead, Slot};
use super::layout::Lines;
use super::options::{Collections, Directives, Markers, PresentOptions, Scalars, Sequences};
use super::plain::plain;
use super::properties::{Properties, check_name};
use super::quoted::{double_quoted, single_quoted};
use super::style::{ScalarStyle, Site, choose, portable_float, without_commas};
use super::tag::write_tag;
use crate::buffer::Buffer;
use crate::tag::TagHandles;

/// The column beyond which mappings are written in flow style. The total indentation grows with the
/// square of the depth, and nobody reads text that is this deep.
const BLOCK_COLUMNS_MAX: usize = 1000;

/// A collection that has started, but has no entry yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending {
    pub is_mapping: bool,
    pub is_flow: bool,
}

/// The state of a presenter, with the buffered output.
#[derive(Debug)]
pub(super) struct Core {
    pub out: Buffer,
    pub options: PresentOptions,
    /// What the options allow on the fast path.
    pub fast_path: FastPath,
    frames: Frames,
    pub pending: Option<Pending>,
    /// The anchor and tag of the next node or of the pending collection, as they are written.
    pub node_properties: Buffer,
    /// The comment for the end of the next node's line, if `has_line_comment` is set.
    pub line_comment: Buffer,
    pub has_line_comment: bool,
    /// The tag handles that the output document has declared.
    handles: TagHandles,
    /// The tag handles that the input document has declared.
    pub read_handles: TagHandles,
    /// The directive lines of the next document.
    directives: Vec<u8>,
    /// Whether the next node is a root that follows a `---` on its line.
    pub is_marked: bool,
    /// Whether the last document ended with a `...`, or there has been no document yet.
    is_end_marked: bool,
    /// Whether the next document needs no marker, because it is the first or follows an explicit
    /// `...`.
    may_be_bare: bool,
    /// Whether the line breaks at the end of the output are part of a scalar.
    pub is_open_ended: bool,
    /// Whether a `:` directly after the last key would be read as part of it.
    pub needs_space: bool,
    /// The column at which the buffered text starts. It is tracked only if a width is set.
    held_column: usize,
    /// The number of buffered bytes that belong to complete documents.
    pub complete_len: usize,
    /// Whether part of the open document has already been flushed.
    pub is_partly_flushed: bool,
}

impl Core {
    /// Creates a core without an open document.
    pub fn new(options: &PresentOptions) -> Core {
        let mut options = *options;
        options.indent = options.indent.clamp(1, 9);
        Core {
            out: Buffer::default(),
            options,
            fast_path: FastPath::of(&options),
            frames: Frames::new(),
            pending: None,
            node_properties: Buffer::default(),
            line_comment: Buffer::default(),
            has_line_comment: false,
            handles: TagHandles::default(),
            read_handles: TagHandles::default(),
            directives: Vec::new(),
            is_marked: false,
            is_end_marked: true,
            may_be_bare: true,
            is_open_ended: false,
            needs_space: false,
            held_column: 0,
            complete_len: 0,
            is_partly_flushed: false,
        }
    }

    /// Returns the innermost open collection, or the document.
    #[inline(always)]
    pub fn top(&self) -> &Frame {
        self.frames.top()
    }

    /// Returns the innermost open collection, or the document, for changes.
    #[inline(always)]
    pub fn top_mut(&mut self) -> &mut Frame {
        self.frames.top_mut()
    }

    /// Returns whether no document is open, because the last one is complete or there has been none
    /// yet.
    pub fn is_between_documents(&self) -> bool {
        self.top().slot == Slot::Full && self.frames.is_document() && self.pending.is_none()
    }

    // Documents.

    /// Continues a stream that already contains documents, so that the next document needs a `---`.
    pub fn continue_stream(&mut self) {
        self.is_end_marked = false;
        self.may_be_bare = false;
    }

    /// Keeps a directive line for the next document, unless the options drop directives.
    pub fn directive(&mut self, line: &[u8]) {
        if self.options.directives == Directives::Keep {
            self.handles.directive(line);
            self.directives.extend_from_slice(line);
            self.directives.push(b'\n');
        }
    }

    /// Starts a document, and writes its `---` if that is required or requested. Fails if a
    /// document is open.
    pub fn start_document(&mut self, is_explicit: bool) -> Result {
        if !self.is_between_documents() {
            return Err(PresentError::Misplaced("the previous document has not ended"));
        }
        self.top_mut().slot = Slot::Root;
        if !self.directives.is_empty() {
            if !self.is_end_marked {
                self.out.put(b"...\n");
            }
            self.out.put(&self.directives);
        }
        let is_asked = match self.options.markers {
            Markers::AsGiven => is_explicit,
            Markers::Needed => false,
            Markers::Start => true,
        };
        self.is_marked = is_asked || !self.may_be_bare || !self.directives.is_empty();
        self.directives.clear();
        if self.is_marked {
            self.out.put(b"---");
        }
        Ok(())
    }

    /// Ends the document, and writes its `...` if that is required or requested. Fails if the
    /// document is not complete.
    pub fn end_document(&mut self, is_explicit: bool) -> Result {
        if !self.is_between_documents() {
            return Err(PresentError::Misplaced(
                "a collection is still open, or the document is empty",
            ));
        }
        let is_asked = is_explicit && self.options.markers == Markers::AsGiven;
        self.is_end_marked = is_asked || self.is_open_ended;
        // After a `...`, a document needs no `---` in YAML 1.2, but libyaml and parsers based on it
        // require one.
        self.may_be_bare = is_asked;
        if self.is_end_marked {
            self.out.put(b"...\n");
        }
        self.is_open_ended = false;
        self.is_partly_flushed = false;
        self.complete_len = self.out.len();
        self.handles.clear();
        Ok(())
    }

    // Nodes.

    /// Sets the anchor and the tag of the next node. Fails if the anchor's name is not valid.
    #[inline]
    pub fn properties(&mut self, properties: Properties<'_>) -> Result {
        if properties == Properties::NONE { Ok(()) } else { self.write_properties(properties) }
    }

    /// Writes `properties` to the buffer for the next node's properties.
    fn write_properties(&mut self, properties: Properties<'_>) -> Result {
        if let Some(name) = properties.anchor {
            check_name(name)?;
            self.anchor(&[b"&", name.as_bytes()].concat())?;
        }
        if let Some(tag) = properties.tag.filter(|tag| !tag.is_empty()) {
            self.tag(tag)?;
        }
        Ok(())
    }

    /// Sets the anchor of the next node. `anchor` includes its `&`.
    pub fn anchor(&mut self, anchor: &[u8]) -> Result {
        self.open_pending()?;
        // The anchor is written before the tag, in whatever order they arrive.
        let separator: &[u8] = if self.node_properties.len() > 0 { b" " } else { b"" };
        self.node_properties.insert(0, &[anchor, separator].concat());
        Ok(())
    }

    /// Sets the tag of the next node. `tag` is the full tag, without a handle.
    pub fn tag(&mut self, tag: &str) -> Result {
        self.open_pending()?;
        if self.node_properties.len() > 0 {
            self.node_properties.put_byte(b' ');
        }
        write_tag(&mut self.node_properties, tag, &mut self.handles);
        Ok(())
    }

    /// Writes an alias. `alias` includes its `*`.
    pub fn alias(&mut self, alias: &[u8]) -> Result {
        self.open_pending()?;
        let lead = self.lead(true)?;
        self.separate(lead);
        self.out.put(alias);
        self.needs_space = true;
        self.end_leaf();
        Ok(())
    }

    /// Starts a collection, which stays pending until its first entry arrives.
    #[inline]
    pub fn start(&mut self, is_mapping: bool, is_flow: bool) -> Result {
        self.open_pending()?;
        let is_flow = match self.options.collections {
            Collections::AsGiven => is_flow,
            Collections::Block => false,
            Collections::Flow => true,
        };
        let top = self.top();
        let is_flow = is_flow || top.is_flow() || is_mapping && top.column > BLOCK_COLUMNS_MAX;
        self.pending = Some(Pending { is_mapping, is_flow });
        Ok(())
    }

    /// Ends the innermost collection. Fails if that is of the other kind, or lacks a value.
    pub fn end(&mut self, is_mapping: bool) -> Result {
        if let Some(pending) = self.pending.take() {
            if pending.is_mapping != is_mapping {
                return Err(WRONG_END);
            }
            return self.empty_collection(is_mapping);
        }
        let frame = self.top();
        let is_flow = frame.is_flow();
        let is_complete = frame.slot == if is_mapping { Slot::Key } else { Slot::Entry };
        if !is_complete || !self.frames.pop() {
            return Err(WRONG_END);
        }
        if is_flow {
            self.out.put_byte(if is_mapping { b'}' } else { b']' });
            self.end_leaf();
        }
        Ok(())
    }

    /// Writes an empty collection as `[]` or `{}`.
    fn empty_collection(&mut self, is_mapping: bool) -> Result {
        let lead = self.lead(true)?;
        self.separate(lead);
        self.put_properties(true);
        self.out.put(if is_mapping { b"{}" } else { b"[]" });
        self.end_leaf();
        Ok(())
    }

    /// Writes the start of the pending collection, if there is one, before its first entry.
    #[inline(always)]
    pub fn open_pending(&mut self) -> Result {
        match self.pending.take() {
            Some(pending) => self.open(pending, false),
            None => Ok(()),
        }
    }

    /// Writes the start of the block collection `pending`, and ends its line.
    pub fn open_below(&mut self, pending: Pending) -> Result {
        self.open(pending, true)
    }

    /// Writes the start of a collection, and opens its frame. With `is_below`, its first entry
    /// starts on a new line.
    fn open(&mut self, Pending { is_mapping, is_flow }: Pending, is_below: bool) -> Result {
        // A collection is never an implicit key, because it may have several lines, or more than
        // 1,024 characters.
        let lead = self.lead(false)?;
        let frame = match is_flow {
            true => self.open_flow(is_mapping, lead),
            false => self.open_block(is_mapping, lead, is_below),
        };
        self.frames.push(frame);
        Ok(())
    }

    /// Writes the opening bracket of a flow collection, and returns its frame.
    fn open_flow(&mut self, is_mapping: bool, lead: Lead) -> Frame {
        self.separate(lead);
        self.put_properties(true);
        self.out.put_byte(if is_mapping { b'{' } else { b'[' });
        let (kind, slot) = match is_mapping {
            true => (FrameKind::FlowMapping, Slot::Key),
            false => (FrameKind::FlowSequence, Slot::Entry),
        };
        Frame { kind, slot, is_first: true, column: self.top().column }
    }

    /// Starts a block collection after `lead`, and returns its frame. With `is_below`, its first
    /// entry starts on a new line.
    fn open_block(&mut self, is_mapping: bool, lead: Lead, is_below: bool) -> Frame {
        let has_properties = self.node_properties.len() > 0;
        let has_text = has_properties || self.has_line_comment;
        let is_compact = lead == Lead::Indicator && !has_text && !is_below;
        if is_compact {
            self.out.put_byte(b' ');
        } else if lead != Lead::Nothing || has_text {
            if has_properties {
                self.separate(lead);
                self.put_properties(false);
            }
            self.end_line();
        }
        let parent = self.top();
        let is_flush = !is_mapping
            && parent.kind == FrameKind::BlockMapping
            && self.options.sequences == Sequences::Flush;
        let column = match lead {
            Lead::Marker | Lead::Nothing => 0,
            _ if is_flush && !is_compact => parent.column,
            Lead::Indicator => parent.column + 2,
            Lead::Key | Lead::Flow => parent.column + self.options.indent,
        };
        let (kind, slot) = match is_mapping {
            true => (FrameKind::BlockMapping, Slot::Key),
            false => (FrameKind::BlockSequence, Slot::Entry),
        };
        Frame { kind, slot, is_first: is_compact, column }
    }

    /// Writes a scalar in the style `wish`, or in another style if the options, the text or the
    /// position require that.
    pub fn scalar(&mut self, text: &[u8], wish: ScalarStyle) -> Result {
        if wish == ScalarStyle::Plain
            && self.options.scalars != Scalars::AsGiven
            && let Some(text) = portable_float(text)
        {
            return self.styled_scalar(&text, wish);
        }
        self.styled_scalar(text, wish)
    }

    /// Does the same as [`Core::scalar`], but keeps the spelling of floats.
    #[inline(always)]
    fn styled_scalar(&mut self, text: &[u8], wish: ScalarStyle) -> Result {
        self.open_pending()?;
        let site = self.site();
        let analysis = analyse(self.options.level, text);
        let ascii = self.options.ascii;
        let wished = match self.wish(wish) {
            ScalarStyle::Literal | ScalarStyle::Folded if !self.may_be_block(text) => {
                ScalarStyle::DoubleQuoted
            }
            wished => wished,
        };
        let style = match choose(wished, text, analysis, site, ascii) {
            // Plain style was requested, but is not possible.
            style if wish == ScalarStyle::Plain && style != wish => {
                if let Some(number) = without_commas(self.options.schema, text) {
                    return self.flow_scalar(&number, wish);
                }
                choose(self.wish(ScalarStyle::SingleQuoted), text, analysis, site, ascii)
            }
            style => style,
        };
        match style {
            ScalarStyle::Literal | ScalarStyle::Folded => self.block_scalar(text, style),
            _ => self.flow_scalar(text, style),
        }
    }

    /// Returns whether other parsers understand a block scalar with the value `text`. If the text
    /// starts with a blank, yaml for Node.js loses trailing blanks, and text that consists only of
    /// spaces. If the root consists only of line breaks, ruamel.yaml and go-yaml read on after the
    /// `...`. If the root starts with a blank, js-yaml counts the indentation indicator from a
    /// different column than other parsers.
    fn may_be_block(&self, text: &[u8]) -> bool {
        let is_root = self.top().slot == Slot::Root;
        match text.iter().find(|&&byte| byte != b'\n') {
            None => !is_root,
            Some(&first) if is_blank(first) => {
                let has_text = text.iter().any(|byte| !b" \n".contains(byte));
                !is_root && has_text && !text.last().is_some_and(|&last| is_blank(last))
            }
            Some(_) => true,
        }
    }

    /// Returns the style to use for a scalar whose requested style is `wish`, according to the
    /// options.
    fn wish(&self, wish: ScalarStyle) -> ScalarStyle {
        match self.options.scalars {
            Scalars::AsGiven => wish,
            _ if wish == ScalarStyle::Plain => wish,
            Scalars::Minimal => ScalarStyle::Text,
            Scalars::DoubleQuoted => ScalarStyle::DoubleQuoted,
        }
    }

    /// Returns the kind of position that the next scalar has, which limits its style.
    fn site(&self) -> Site {
        match (self.top().kind, self.top().slot) {
            (FrameKind::FlowSequence | FrameKind::FlowMapping, _) => Site::Flow,
            (FrameKind::BlockMapping, Slot::Key) => Site::BlockKey,
            _ => Site::Block,
        }
    }

    /// Writes a literal or folded scalar.
    fn block_scalar(&mut self, text: &[u8], style: ScalarStyle) -> Result {
        let lines = self.lines();
        let lead = self.lead(false)?;
        self.separate(lead);
        self.put_properties(true);
        let is_folded = style == ScalarStyle::Folded;
        let step = self.options.indent;
        block_header(&mut self.out, text, is_folded, step);
        self.end_line();
        self.is_open_ended = block_scalar(&mut self.out, text, is_folded, lines);
        Ok(())
    }

    /// Writes a plain or quoted scalar. If it is an overlong key, the key becomes explicit.
    fn flow_scalar(&mut self, text: &[u8], style: ScalarStyle) -> Result {
        if text.is_empty() && style == ScalarStyle::Plain {
            return self.empty_node();
        }
        let is_key = self.top().slot == Slot::Key;
        let lead = self.lead(true)?;
        let start = self.out.len();
        self.separate(lead);
        self.put_properties(true);
        let lines = match self.options.width {
            Some(_) if !is_key && !self.top().is_flow() => self.lines().starting_at(self.column()),
            _ => self.lines().unbroken(),
        };
        match style {
            ScalarStyle::Plain => plain(&mut self.out, text, lines),
            ScalarStyle::SingleQuoted => single_quoted(&mut self.out, text, lines),
            _ => double_quoted(&mut self.out, text, lines, self.options.ascii),
        }
        if is_key && self.out.len() - start > crate::limits::IMPLICIT_KEY_BYTES {
            self.make_explicit(start);
        }
        self.end_leaf();
        Ok(())
    }

    /// Writes an empty plain scalar, which consists only of its properties, if it has any. In a
    /// flow sequence, an empty scalar without properties is written as `null`.
    fn empty_node(&mut self) -> Result {
        let has_properties = self.node_properties.len() > 0;
        let needs_null = !has_properties && self.top().kind == FrameKind::FlowSequence;
        let lead = self.lead(true)?;
        if has_properties {
            self.separate(lead);
            self.put_properties(false);
            self.needs_space = true;
        } else if lead == Lead::Nothing && self.top().slot == Slot::Full {
            // Without a marker, an empty document would vanish.
            self.out.put(b"---");
        }
        if needs_null {
            self.out.put(b"null");
        } else if self.top().is_flow() && (has_properties || !self.top().is_after_key()) {
            // Without the space, libyaml would read a comma as part of a tag.
            self.out.put_byte(b' ');
            self.needs_space = false;
        }
        self.end_leaf();
        Ok(())
    }

    /// Makes the overlong implicit key that starts at the offset `start` explicit.
    fn make_explicit(&mut self, start: usize) {
        self.out.insert(start, b"? ");
        self.top_mut().slot = Slot::ExplicitValue;
    }

    // Before and after nodes.

    /// Writes the indentation and the indicator before the next node, and returns their kind. If
    /// the node is a key, it becomes an explicit one unless `may_be_implicit` is set. Fails if no
    /// node may come next.
    #[inline(always)]
    pub fn lead(&mut self, may_be_implicit: bool) -> Result<Lead> {
        self.is_open_ended = false;
        match (self.top().slot, self.top().is_flow()) {
            (Slot::Entry, false) => {
                self.start_line();
                self.out.put_byte(b'-');
                Ok(Lead::Indicator)
            }
            (Slot::Key, false) => {
                self.start_line();
                self.top_mut().slot = Slot::Value;
                if may_be_implicit { Ok(Lead::Nothing) } else { Ok(self.explicit_key()) }
            }
            (Slot::Value, is_flow) => {
                if self.needs_space {
                    self.out.put_byte(b' ');
                    self.needs_space = false;
                }
                self.out.put_byte(b':');
                self.top_mut().slot = Slot::Key;
                Ok(if is_flow { Lead::Flow } else { Lead::Key })
            }
            _ => self.rare_lead(may_be_implicit),
        }
    }

    /// Does the same as [`Core::lead`] for rare positions.
    #[inline(never)]
    fn rare_lead(&mut self, may_be_implicit: bool) -> Result<Lead> {
        self.needs_space = false;
        match self.top().slot {
            Slot::Root => {
                self.top_mut().slot = Slot::Full;
                Ok(if self.is_marked { Lead::Marker } else { Lead::Nothing })
            }
            Slot::Full => Err(PresentError::Misplaced(
                "a node cannot be outside a document or after its root",
            )),
            Slot::ExplicitValue if self.top().is_flow() => {
                self.out.put(b" :");
                self.top_mut().slot = Slot::Key;
                Ok(Lead::Flow)
            }
            Slot::ExplicitValue => {
                self.out.fill(b' ', self.top().column);
                self.out.put_byte(b':');
                self.top_mut().slot = Slot::Key;
                Ok(Lead::Indicator)
            }
            Slot::Entry => {
                self.start_flow_entry();
                Ok(Lead::Nothing)
            }
            Slot::Key | Slot::Value => {
                self.start_flow_entry();
                self.top_mut().slot = Slot::Value;
                if may_be_implicit { Ok(Lead::Nothing) } else { Ok(self.explicit_key()) }
            }
        }
    }

    /// Writes the `?` of an explicit key.
    fn explicit_key(&mut self) -> Lead {
        self.out.put_byte(b'?');
        self.top_mut().slot = Slot::ExplicitValue;
        if self.top().is_flow() { Lead::Flow } else { Lead::Indicator }
    }

    /// Indents an entry of a block collection, unless the entry follows an indicator on the same
    /// line.
    #[inline(always)]
    fn start_line(&mut self) {
        if self.top().is_first {
            self.top_mut().is_first = false;
        } else {
            self.out.fill(b' ', self.top().column);
        }
        self.needs_space = false;
    }

    /// Writes the separator before an entry of a flow collection, unless it is the first entry.
    fn start_flow_entry(&mut self) {
        if self.top().is_first {
            self.top_mut().is_first = false;
            return;
        }
        self.out.put_byte(b',');
        match self.options.width {
            Some(width) if self.column() >= width => self.lines().start_next(&mut self.out),
            _ => self.out.put_byte(b' '),
        }
    }

    /// Writes a space, unless `lead` says that none is needed before the node.
    #[inline(always)]
    pub fn separate(&mut self, lead: Lead) {
        if lead != Lead::Nothing {
            self.out.put_byte(b' ');
        }
    }

    /// Writes the properties of the node. If `has_text` is set, a space follows them.
    #[inline(always)]
    fn put_properties(&mut self, has_text: bool) {
        if self.node_properties.len() > 0 {
            self.out.put(self.node_properties.written());
            self.node_properties.clear();
            if has_text {
                self.out.put_byte(b' ');
            }
        }
    }

    /// Ends a leaf or a flow collection. In block context, this ends its line, unless the node is
    /// an implicit key.
    #[inline(always)]
    pub fn end_leaf(&mut self) {
        if !self.top().is_flow() && !self.top().is_after_key() {
            self.end_line();
        }
    }

    // Layout.

    /// Returns the line layout of the next node, whose lines are indented more deeply than the
    /// block around it.
    fn lines(&self) -> Lines {
        Lines::new(self.top().column + self.options.indent, self.options.width)
    }

    /// Returns the current column, in bytes.
    fn column(&self) -> usize {
        let held = self.out.written();
        match memchr::memrchr(b'\n', held) {
            Some(at) => held.len() - at - 1,
            None => self.held_column + held.len(),
        }
    }

    /// Records the column at which the buffered text will start after the buffer is flushed.
    pub fn note_column(&mut self) {
        if self.options.width.is_some() {
            self.held_column = self.column();
        }
    }
}

const WRONG_END: PresentError =
    PresentError::Misplaced("no such collection is open, or a key still has no value");
