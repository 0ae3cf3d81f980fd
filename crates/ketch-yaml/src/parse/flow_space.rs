//! Skips white space, comments and line prefixes between the tokens of a flow collection (YAML
//! 1.2.2, section 6.7 and production \[69\]).

use super::engine::Engine;
use super::state::{Halt, Step};
use crate::problem::Problem;
use crate::scan::class::is_blank_or_break;
use crate::scan::text::Text;
use crate::scan::window::Window;
use ketch_bytes::{BLOCK_BYTES, Lanes};

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
