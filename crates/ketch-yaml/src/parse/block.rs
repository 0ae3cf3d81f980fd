//! Parses streams and documents (YAML 1.2.2, chapter 9), directives (section 6.8), and lines in block
//! context (chapter 8), and skips white space, comments and line prefixes between the tokens of a flow
//! collection (section 6.7 and production \[69\]).

use super::engine::Engine;
use super::node::{is_uri_char, is_word};
use super::state::{Checkpoint, Context, Directives, Frame, Halt, NodeStart, State, Step};
use crate::event::{EventKind, Flags};
use crate::problem::Problem;
use crate::scan::class::{Class, class, is_blank, is_blank_or_break, is_flow_indicator};
use crate::scan::plain::plain_line;
use crate::scan::text::Text;
use crate::scan::window::Window;
use ketch_bytes::{BLOCK_BYTES, Kernel, Lanes};

/// Finds the start of the line that follows the line containing `at`. This is a separate kernel so
/// that its code is not inlined.
struct NextLine<'t> {
    text: Text<'t>,
    at: usize,
}

impl Kernel for NextLine<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> usize {
        let mut base = self.at;
        loop {
            let newline = lanes.eq_any(self.text.load(lanes, base), [b'\n', b'\r']);
            if newline != 0 {
                return self.text.after_break(base + newline.trailing_zeros() as usize);
            }
            base += BLOCK_BYTES;
        }
    }
}

/// Parses a line whose text starts at `start` and can only continue the plain scalar above it. This
/// is a separate kernel so that its code is not inlined.
struct FurtherLine<'e, 't> {
    engine: &'e mut Engine,
    text: Text<'t>,
    start: usize,
}

impl Kernel for FurtherLine<'_, '_> {
    type Output = Step;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Step {
        let window = Window::load(lanes, self.text, self.start);
        self.engine.continue_plain(lanes, self.text, &window, self.start)
    }
}

impl Engine {
    /// Parses the line of a document that starts at `line`, and returns the offset after what was
    /// parsed, which is usually the start of the next line.
    #[inline(always)]
    pub(super) fn line<L: Lanes>(&mut self, lanes: L, text: Text<'_>, line: usize) -> Step {
        let mut window = Window::load(lanes, text, line);
        let mut start = line + (!window.space).trailing_zeros() as usize;
        if start == line + BLOCK_BYTES {
            while text.byte(start) == b' ' {
                start += 1;
            }
            window = Window::load(lanes, text, start);
        }
        let byte = text.byte(start);
        match class(byte) {
            Class::Break => return Ok(text.after_break(start)),
            Class::Comment => return Ok(self.comment(lanes, text, start)),
            Class::Blank => return self.line_with_tab(lanes, text, line, start),
            _ => {}
        }
        let indent = (start - line) as isize;
        if indent == 0 && (byte == b'-' || byte == b'.') && text.is_marker(start) {
            return self.marker(text, start);
        }
        if indent > self.top.indent {
            if self.top.state.awaits_node() {
                let node = NodeStart { line, at: start, context: Context::Block, tabbed: false };
                return self.node(lanes, text, window, node);
            }
            return self.continue_plain(lanes, text, &window, start);
        }
        let context = self.settle(text, start, indent, byte)?;
        self.node(lanes, text, window, NodeStart { line, at: start, context, tabbed: false })
    }

    /// Closes the block collections that end before a line indented by `indent` columns, whose text
    /// starts at `start` with `byte`. Returns the context of the node there. The line must not be
    /// indented deeper than the innermost collection.
    // [187] l+block-mapping, [201] seq-space.
    //
    // example: sequence_at_the_column_of_its_key
    //     a:
    //     - b
    //     c: d
    // events: +MAP =VAL :a +SEQ =VAL :b -SEQ =VAL :c =VAL :d -MAP
    //
    // example: line_at_no_open_column
    //     a:
    //        b: 1
    //       c: 2
    // error: BadIndentation
    #[inline(always)]
    fn settle(
        &mut self,
        text: Text<'_>,
        start: usize,
        indent: isize,
        byte: u8,
    ) -> Result<Context, Halt> {
        while indent < self.top.indent {
            self.close_block(start)?;
        }
        if indent > self.top.indent {
            return Err(self.fail_unexpected(start));
        }
        let is_entry = byte == b'-' && text.is_blank_or_break(start + 1);
        if self.top.state.is_sequence() {
            if is_entry {
                if self.top.state.awaits_node() {
                    self.empty_node(start)?;
                }
                return Ok(Context::Item);
            }
            // A sequence may be at the column of the mapping that contains it.
            let parent = self.frames.last().map(|frame| (frame.indent, frame.state.is_mapping()));
            if parent != Some((indent, true)) {
                return Err(self.fail(Problem::ExpectedEntry, start, 1));
            }
            self.close_block(start)?;
        }
        match self.top.state {
            State::MappingKey => Ok(Context::Entry),
            _ => self.settle_mapping(text, start, byte, is_entry),
        }
    }

    /// Handles a line at the column of the innermost mapping, which starts with `byte` at `start`,
    /// and with `- ` if `is_entry`. If the last entry of the mapping is incomplete, adds the empty
    /// nodes that it lacks, unless this line supplies them. Returns the context of the node at
    /// `start`.
    // [188] ns-l-block-map-entry, [189] c-l-block-map-explicit-entry.
    //
    // example: explicit_key_without_a_value
    //     ? a
    //     b: c
    // events: +MAP =VAL :a =VAL : =VAL :b =VAL :c -MAP
    #[inline]
    fn settle_mapping(
        &mut self,
        text: Text<'_>,
        start: usize,
        byte: u8,
        is_entry: bool,
    ) -> Result<Context, Halt> {
        if self.top.state.awaits_node() {
            if is_entry {
                return Ok(Context::Block);
            }
            self.empty_node(start)?;
        }
        if self.top.state == State::MappingExplicitKeyDone {
            if byte == b':' && text.is_blank_or_break(start + 1) {
                return Ok(Context::ExplicitValue);
            }
            self.awaited_at = start;
            self.empty_node(start)?;
            self.top.state = State::MappingKey;
        }
        Ok(Context::Entry)
    }

    /// Parses a line that is indented deeper than the innermost collection although no node is
    /// awaited. Such a line can only continue a plain scalar. Its text starts at `start`.
    // [133] ns-plain-one-line, [134] s-ns-plain-next-line, [135] ns-plain-multi-line.
    //
    // example: plain_scalar_over_lines
    //     a: b
    //       c
    // events: +MAP =VAL :a =VAL :b c -MAP
    //
    // example: key_over_lines
    //     a
    //     b: c
    // error: MultilineKey
    #[inline(always)]
    fn continue_plain<L: Lanes>(
        &mut self,
        lanes: L,
        text: Text<'_>,
        window: &Window,
        start: usize,
    ) -> Step {
        let Some((index, event)) = self.events.last() else {
            return Err(self.fail_unexpected(start));
        };
        if event.kind != EventKind::Plain || event.len == 0 {
            return Err(self.fail_unexpected(start));
        }
        if self.comment_mark > event.start {
            let comment = self.comment_mark - 1;
            return Err(self.fail_with(Problem::CommentInPlain, start, 1, comment));
        }
        let part = plain_line(lanes, text, window, start);
        let stop = text.byte(part.stop);
        if stop == b':' {
            return Err(self.fail_with(Problem::MultilineKey, part.stop, 1, event.start));
        }
        let len = part.end - event.start;
        self.check_scalar_len(event.start, len)?;
        self.events.truncate(index);
        self.events.push(EventKind::Plain, Flags::MULTILINE, event.start, len);
        if stop == b'#' {
            return Ok(self.comment(lanes, text, part.stop));
        }
        Ok(text.after_break(part.stop))
    }

    /// Records the fault for text at `at`, where no node is awaited and no scalar can continue, and
    /// returns the halt.
    #[cold]
    #[inline(never)]
    fn fail_unexpected(&mut self, at: usize) -> Halt {
        let problem = if self.top.state == State::RootDone {
            Problem::ExpectedDocumentEnd
        } else {
            Problem::BadIndentation
        };
        self.fail(problem, at, 1)
    }

    /// Parses the line that starts at `line` and whose first character after the spaces is the tab
    /// at `tab`. Tabs separate tokens but never indent (\[63\] s-indent), so only the spaces before
    /// the tab count as indentation.
    // example: tab_that_separates
    //     a:
    //       →b
    // events: +MAP =VAL :a =VAL :b -MAP
    //
    // example: tab_that_indents
    //     a:
    //     →b: c
    // error: TabIndentation
    #[cold]
    #[inline(never)]
    fn line_with_tab<L: Lanes>(
        &mut self,
        lanes: L,
        text: Text<'_>,
        line: usize,
        tab: usize,
    ) -> Step {
        let start = text.skip_blanks(tab);
        match class(text.byte(start)) {
            Class::Break => return Ok(text.after_break(start)),
            Class::Comment => return Ok(self.comment(lanes, text, start)),
            _ => {}
        }
        if ((tab - line) as isize) <= self.top.indent {
            return Err(self.fail(Problem::TabIndentation, tab, 1));
        }
        if self.top.state.awaits_node() {
            self.checkpoint = Checkpoint::Node { line, context: Context::Block, tabbed: true };
            return Ok(start);
        }
        lanes.outline(FurtherLine { engine: self, text, start })
    }

    /// Skips the comment at `start` and returns the start of the next line. Remembers where the
    /// comment is, because a plain scalar cannot continue after one.
    // [79] s-l-comments.
    //
    // example: comment_ends_a_plain_scalar
    //     a # b
    //     c
    // error: CommentInPlain
    #[inline(always)]
    pub(super) fn comment<L: Lanes>(&mut self, lanes: L, text: Text<'_>, start: usize) -> usize {
        self.comment_mark = start + 1;
        lanes.outline(NextLine { text, at: start })
    }

    /// Parses the rest of a line after a node that ends at `end` and is not a key. Only a comment
    /// may follow. Returns the start of the next line.
    // [75] c-nb-comment-text.
    //
    // example: comment_after_a_quoted_scalar
    //     "a" # b
    // events: =VAL "a
    #[inline(always)]
    pub(super) fn line_rest<L: Lanes>(&mut self, lanes: L, text: Text<'_>, end: usize) -> Step {
        let at = text.skip_blanks(end);
        match text.byte(at) {
            b'\n' | b'\r' => Ok(text.after_break(at)),
            b'#' if at > end => Ok(self.comment(lanes, text, at)),
            b'#' => Err(self.fail(Problem::CommentNotSeparated, at, 1)),
            _ => Err(self.fail(Problem::ExpectedLineEnd, at, 1)),
        }
    }

    /// Fails if the scalar at `start`, which has `len` bytes, is longer than the limit allows.
    #[inline(always)]
    pub(super) fn check_scalar_len(&mut self, start: usize, len: usize) -> Result<(), Halt> {
        if len as u64 > self.settings.limits.max_scalar_bytes {
            return Err(self.fail(Problem::ScalarTooLong(len as u64), start, 1));
        }
        Ok(())
    }
}

impl Engine {
    /// Skips white space and comments from `pos` on, and returns the offset of the next token.
    #[inline(always)]
    pub(super) fn flow_blanks<L: Lanes>(&mut self, lanes: L, text: Text<'_>, pos: usize) -> Step {
        let byte = text.byte(pos);
        if pos < text.bytes.len() && !is_blank_or_break(byte) && byte != b'#' {
            return Ok(pos);
        }
        if byte == b' ' && !is_blank_or_break(text.byte(pos + 1)) && text.byte(pos + 1) != b'#' {
            return Ok(pos + 1);
        }
        // Most often this is a line break and the indentation of the next line.
        let window = Window::load(lanes, text, pos);
        let run = (!window.blank).trailing_zeros() as usize;
        let end = pos + run;
        if run == BLOCK_BYTES || end >= text.bytes.len() || text.byte(end) == b'#' {
            return self.flow_blanks_slowly(text, pos);
        }
        let breaks = window.newline & !(u64::MAX << run);
        if breaks != 0 {
            let line = pos + BLOCK_BYTES - breaks.leading_zeros() as usize;
            if window.between(line, end) & window.tab() != 0
                || end - line < self.flow_indent()
                || end == line
            {
                return self.flow_blanks_slowly(text, pos);
            }
            self.flow_root.current_line = self.absolute(line);
        }
        Ok(end)
    }

    /// Does what [`Engine::flow_blanks`] does from `pos` on, but also handles comments, tabs, the
    /// end of the input and errors.
    // [80] s-separate.
    //
    // example: comment_between_tokens
    //     [a, # b
    //       c]
    // events: +SEQ [] =VAL :a =VAL :c -SEQ
    #[inline(never)]
    pub(super) fn flow_blanks_slowly(&mut self, text: Text<'_>, mut pos: usize) -> Step {
        loop {
            let at = text.skip_blanks(pos);
            if at >= text.bytes.len() {
                return Err(self.flow_end_of_text(text));
            }
            match text.byte(at) {
                b'#' if at > pos
                    || self.is_line_start(at)
                    || (at > 0 && is_blank_or_break(text.byte(at - 1))) =>
                {
                    pos = text.line_end(at);
                    if pos >= text.bytes.len() {
                        return Err(self.flow_end_of_text(text));
                    }
                }
                b'#' => return Err(self.fail(Problem::CommentNotSeparated, at, 1)),
                b'\n' | b'\r' => {
                    let line = text.after_break(at);
                    if line + 4 > text.bytes.len() && !text.is_last {
                        return Err(Halt::NeedMoreInput);
                    }
                    self.flow_root.current_line = self.absolute(line);
                    self.check_flow_line(text, line)?;
                    pos = line;
                }
                _ => return Ok(at),
            }
        }
    }

    /// Returns whether the current line starts at `at`.
    pub(super) fn is_line_start(&self, at: usize) -> bool {
        self.flow_root.current_line == self.absolute(at)
    }

    /// Checks the line of a flow collection that starts at `line`: it must not be a document
    /// marker, and must be indented deeper than the block collection around it. Lenient mode allows
    /// less indentation, with a warning.
    // [69] s-flow-line-prefix, [206] c-forbidden.
    //
    // example: flow_line_at_the_column_of_its_key
    //     a: [b,
    //     c]
    // error: FlowIndentation
    pub(super) fn check_flow_line(&mut self, text: Text<'_>, line: usize) -> Result<(), Halt> {
        let mut start = line;
        while text.byte(start) == b' ' {
            start += 1;
        }
        let at = text.skip_blanks(start);
        if at >= text.bytes.len() || matches!(text.byte(at), b'\n' | b'\r' | b'#') {
            return Ok(());
        }
        if text.is_marker(line) {
            return Err(self.fail_in_flow(Problem::MarkerInFlow, line, 3));
        }
        if start - line >= self.flow_indent() {
            return Ok(());
        }
        let problem = match text.byte(start) {
            b'\t' => Problem::TabIndentation,
            b']' | b'}' => Problem::FlowEndIndentation,
            _ => Problem::FlowIndentation,
        };
        if !self.settings.lenient {
            return Err(self.fail_in_flow(problem, start, 1));
        }
        self.warn_or_fail(problem, start, 1)
    }

    /// Records a fault for `problem` in the `len` bytes at `at`, with the start of the innermost
    /// collection as its related offset, and returns the halt.
    #[cold]
    #[inline(never)]
    pub(super) fn fail_in_flow(&mut self, problem: Problem, at: usize, len: usize) -> Halt {
        let open = self.flow.last().map_or(self.base, |frame| frame.start);
        self.fail_with_offset(problem, at, len, open)
    }

    /// Returns the halt for the end of the buffer inside a flow collection: a request for more
    /// input or, if the input has ended, a recorded fault.
    #[cold]
    pub(super) fn flow_end_of_text(&mut self, text: Text<'_>) -> Halt {
        if !text.is_last {
            return Halt::NeedMoreInput;
        }
        let is_mapping = self.flow.iter().rev().find(|frame| !frame.state.is_pair());
        let problem = match is_mapping {
            Some(frame) if frame.state.is_sequence() => Problem::UnclosedSequence,
            _ => Problem::UnclosedMapping,
        };
        self.fail_in_flow(problem, text.bytes.len(), 0)
    }
}

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

impl Engine {
    /// Parses the lines before a document (directives and \[202\] l-document-prefix), up to its
    /// start or `limit`, and starts the document. Returns the offset at which to continue.
    // example: directive_and_its_document
    //     %YAML 1.2
    //     ---
    //     a
    // events: +DOC --- =VAL :a
    #[inline(never)]
    pub(super) fn prefix(&mut self, text: Text<'_>, limit: usize) -> Step {
        let mut pos = self.pos;
        while pos < limit {
            self.pos = pos;
            // [209] l-directive-document has no byte order mark before its `---`.
            let may_be_marked = self.directives.first.is_none();
            if may_be_marked
                && text.byte(pos) == BYTE_ORDER_MARK[0]
                && text.bytes[pos..].starts_with(BYTE_ORDER_MARK)
            {
                pos += BYTE_ORDER_MARK.len();
                continue;
            }
            let start = text.skip_blanks(pos);
            match text.byte(start) {
                b'\n' | b'\r' => pos = text.after_break(start),
                b'#' => pos = text.after_break(text.line_end(start)),
                b'%' if start == pos && self.directives.allowed => {
                    pos = self.directive(text, pos)?
                }
                b'.' if start == pos && text.is_marker(pos) => {
                    pos = self.lone_end_marker(text, pos)?
                }
                b'-' if start == pos && text.is_marker(pos) => return self.explicit_document(pos),
                _ => return self.bare_document(pos, start),
            }
        }
        Ok(pos)
    }

    /// Parses the `...` at `pos`, which is between documents and therefore ends none. Returns the
    /// start of the next line.
    // [209] l-directive-document.
    //
    // example: directive_without_a_document
    //     %YAML 1.2
    //     ...
    // error: DirectiveWithoutDocument
    fn lone_end_marker(&mut self, text: Text<'_>, pos: usize) -> Step {
        if let Some(first) = self.directives.first {
            return Err(self.fail_with(Problem::DirectiveWithoutDocument, pos, 3, first));
        }
        self.directives.allowed = true;
        self.marker_rest(text, pos + 3)
    }

    /// Parses the rest of a line whose `...` ends at `end`. Only a comment may follow. Returns the
    /// start of the next line.
    // [205] l-document-suffix.
    //
    // example: text_after_the_end
    //     a
    //     ... b
    // error: ContentAfterEndMarker
    fn marker_rest(&mut self, text: Text<'_>, end: usize) -> Step {
        let at = text.skip_blanks(end);
        match text.byte(at) {
            b'\n' | b'\r' => Ok(text.after_break(at)),
            b'#' => Ok(text.after_break(text.line_end(at))),
            _ => Err(self.fail(Problem::ContentAfterEndMarker, at, 1)),
        }
    }

    /// Starts the document whose `---` is at `pos`, and returns the offset after the `---`. The
    /// root node may follow on the same line.
    // [203] c-directives-end, [208] l-explicit-document.
    //
    // example: root_on_the_marker_line
    //     --- a
    // events: +DOC --- =VAL :a
    fn explicit_document(&mut self, pos: usize) -> Step {
        self.start_document(EventKind::DocumentStart, Flags::EXPLICIT, pos, 3);
        self.checkpoint = Checkpoint::Node { line: pos, context: Context::Inline, tabbed: false };
        self.awaited_at = pos + 3;
        Ok(pos + 3)
    }

    /// Starts a document without `---`, whose first line starts at `pos` and has text at `start`.
    /// Fails if there are directives, which require a `---`. Returns `pos`.
    // [207] l-bare-document.
    //
    // example: document_without_markers
    //     # b
    //     a
    // events: =VAL :a
    fn bare_document(&mut self, pos: usize, start: usize) -> Step {
        if let Some(first) = self.directives.first {
            return Err(self.fail_with(Problem::DirectiveWithoutDocument, start, 1, first));
        }
        self.start_document(EventKind::DocumentStart, Flags::NONE, pos, 0);
        self.checkpoint = Checkpoint::Line;
        self.awaited_at = pos;
        Ok(pos)
    }

    /// Writes the start of a document as an event of `kind` with `flags`, and resets the state that
    /// belongs to the previous document. The marker has `len` bytes at `pos`; `len` is 0 if there
    /// is no marker.
    fn start_document(&mut self, kind: EventKind, flags: Flags, pos: usize, len: usize) {
        self.events.push_short(kind, flags, pos, len);
        self.top = Frame { indent: -1, state: State::RootAwaits };
        self.frames.clear();
        self.comment_mark = 0;
    }

    /// Parses the `---` or `...` at `pos`, which ends the current document and all collections that
    /// are open in it. Returns the offset at which to continue.
    // [204] c-document-end, [211] l-yaml-stream.
    //
    // example: document_with_an_end
    //     a
    //     ...
    //     b
    // events: =VAL :a -DOC ... =VAL :b
    #[inline(never)]
    pub(super) fn marker(&mut self, text: Text<'_>, pos: usize) -> Step {
        self.close_document(pos)?;
        let allowed = text.byte(pos) == b'.';
        let flags = if allowed { Flags::EXPLICIT } else { Flags::NONE };
        self.events.push_short(EventKind::DocumentEnd, flags, pos, if allowed { 3 } else { 0 });
        self.directives = Directives { allowed, ..Directives::default() };
        if allowed {
            self.checkpoint = Checkpoint::Prefix;
            return self.marker_rest(text, pos + 3);
        }
        self.explicit_document(pos)
    }

    /// Closes all open block collections before the text at `at`, and adds an empty root node if
    /// the document has no node.
    // [210] l-any-document.
    //
    // example: empty_documents
    //     ---
    //     ---
    // events: +DOC --- =VAL : +DOC --- =VAL :
    fn close_document(&mut self, at: usize) -> Result<(), Halt> {
        while self.top.indent >= 0 {
            self.close_block(at)?;
        }
        if self.top.state.awaits_node() {
            self.empty_node(at)?;
        }
        Ok(())
    }

    /// Closes the open document, if there is one, after the last byte of the stream. Fails if
    /// something is incomplete, such as directives without a document.
    #[cold]
    #[inline(never)]
    pub(super) fn end_of_stream(&mut self, text: Text<'_>) -> Result<(), Halt> {
        let end = text.bytes.len();
        match self.checkpoint {
            Checkpoint::Prefix => {
                if let Some(first) = self.directives.first {
                    return Err(self.fail_with(Problem::DirectiveWithoutDocument, end, 0, first));
                }
            }
            _ => {
                self.close_document(end)?;
                self.events.push_short(EventKind::DocumentEnd, Flags::NONE, end, 0);
            }
        }
        self.checkpoint = Checkpoint::End;
        Ok(())
    }

    /// Parses the directive line at `pos` (\[82\] l-directive), and returns the start of the next
    /// line.
    // [83] ns-reserved-directive.
    //
    // example: unknown_directive
    //     %NAME text
    //     ---
    //     a
    // events: +DOC --- =VAL :a
    fn directive(&mut self, text: Text<'_>, pos: usize) -> Step {
        let line_end = text.line_end(pos);
        let end = directive_end(&text.bytes[pos..line_end]) + pos;
        let words: Vec<&[u8]> = text.bytes[pos + 1..end]
            .split(|&byte| is_blank(byte))
            .filter(|w| !w.is_empty())
            .collect();
        // [82] l-directive: the name directly follows the `%`.
        if is_blank(text.byte(pos + 1)) {
            return Err(self.fail(Problem::EmptyDirective, pos, 1));
        }
        match words.split_first() {
            Some((&b"YAML", parameters)) => self.yaml_directive(parameters, pos, end)?,
            Some((&b"TAG", parameters)) => self.tag_directive(parameters, pos, end)?,
            Some(_) => {
                let (at, len) = (self.base + pos as u64, end - pos);
                let problem = Problem::UnknownDirective;
                self.warn(crate::fault::Fault { problem, at, len, related: None });
            }
            None => return Err(self.fail(Problem::EmptyDirective, pos, 1)),
        }
        self.directives.first.get_or_insert(pos);
        self.events.push(EventKind::Directive, Flags::NONE, pos, end - pos);
        Ok(text.after_break(line_end))
    }

    /// Checks `parameters`, the parameters of a directive such as `%YAML 1.2` (\[86\]
    /// ns-yaml-directive). The directive starts at `pos` and ends at `end`.
    // [87] ns-yaml-version.
    //
    // example: two_parameters
    //     %YAML 1.2 x
    //     ---
    //     a
    // error: YamlDirective
    fn yaml_directive(&mut self, parameters: &[&[u8]], pos: usize, end: usize) -> Result<(), Halt> {
        let [version] = parameters else {
            return Err(self.fail(Problem::YamlDirective, pos, end - pos));
        };
        let mut parts = version.split(|&byte| byte == b'.');
        let number = |part: Option<&[u8]>| -> Option<u32> {
            let digits = std::str::from_utf8(part?).ok()?;
            digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
        };
        let (major, minor, more) = (number(parts.next()), number(parts.next()), parts.next());
        let (Some(major), Some(minor), None) = (major, minor, more) else {
            return Err(self.fail(Problem::YamlDirective, pos, end - pos));
        };
        if self.directives.has_version {
            return Err(self.fail(Problem::TwoYamlDirectives, pos, end - pos));
        }
        self.directives.has_version = true;
        if major != 1 {
            return Err(self.fail(Problem::YamlVersion, pos, end - pos));
        }
        if minor > 2 {
            let (at, len) = (self.base + pos as u64, end - pos);
            let problem = Problem::NewerYamlVersion;
            self.warn(crate::fault::Fault { problem, at, len, related: None });
        }
        Ok(())
    }

    /// Checks `parameters`, the parameters of a directive such as `%TAG !e! tag:example.com,2000:`
    /// (\[88\] ns-tag-directive), and records the handle. The directive starts at `pos` and ends at
    /// `end`.
    // [89] c-tag-handle.
    //
    // example: named_handle
    //     %TAG !e! tag:example.com,2000:
    //     ---
    //     !e!x a
    // events: +DOC --- =VAL <tag:example.com,2000:x> :a
    fn tag_directive(&mut self, parameters: &[&[u8]], pos: usize, end: usize) -> Result<(), Halt> {
        let [handle, prefix] = parameters else {
            return Err(self.fail(Problem::TagDirective, pos, end - pos));
        };
        let is_handle = match handle {
            [b'!'] => true,
            [b'!', name @ .., b'!'] => name.iter().all(|&byte| is_word(byte)),
            _ => false,
        };
        if !is_handle || !is_tag_prefix(prefix) {
            return Err(self.fail(Problem::TagDirective, pos, end - pos));
        }
        match self.directives.search(handle) {
            Ok(_) => return Err(self.fail(Problem::TwoTagDirectives, pos, end - pos)),
            Err(index) => {
                self.directives.handles.insert(index, ((*handle).into(), prefix.len()));
            }
        }
        let max = self.settings.limits.max_tag_handles;
        if self.directives.handles.len() as u64 > max {
            return Err(self.fail(Problem::TooManyTagHandles(max), pos, end - pos));
        }
        Ok(())
    }
}

/// Returns whether `prefix` is a valid tag prefix (\[93\] ns-tag-prefix).
// [94] c-ns-local-tag-prefix, [95] ns-global-tag-prefix.
//
// example: local_prefix
//     %TAG !e! !my-
//     ---
//     !e!x a
// events: +DOC --- =VAL <!my-x> :a
fn is_tag_prefix(prefix: &[u8]) -> bool {
    let is_hex = |digits: Option<&[u8]>| {
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    let fine = |(at, &byte): (usize, &u8)| match byte {
        b'%' => is_hex(prefix.get(at + 1..at + 3)),
        _ => is_uri_char(byte),
    };
    let starts_well = prefix.first().is_some_and(|&byte| !is_flow_indicator(byte));
    starts_well && prefix.iter().enumerate().all(fine)
}

/// Returns the length in bytes of the directive in `line`, without a comment and trailing blanks.
fn directive_end(line: &[u8]) -> usize {
    let comment = line.windows(2).position(|pair| is_blank(pair[0]) && pair[1] == b'#');
    let line = &line[..comment.unwrap_or(line.len())];
    line.iter().rposition(|&byte| !is_blank(byte)).map_or(0, |last| last + 1)
}
