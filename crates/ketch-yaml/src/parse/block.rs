//! Parses lines in block context (YAML 1.2.2, chapter 8).

use super::engine::Engine;
use super::state::{Checkpoint, Context, Halt, NodeStart, State, Step};
use crate::event::{EventKind, Flags};
use crate::problem::Problem;
use crate::scan::class::{Class, class};
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
