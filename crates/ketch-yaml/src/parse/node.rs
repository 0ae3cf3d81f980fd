//! Parses a node in block context and the rest of its line, and node properties (YAML 1.2.2, section
//! 6.9), which are kept until their node is known.
//!
//! Properties on the line of a key belong to the key, and those on earlier lines to the mapping
//! that the key starts. There are therefore two sets: `inner` for the current line and `outer` for
//! earlier lines.

use super::engine::Engine;
use super::state::{
    Checkpoint, Context, Frame, Halt, NodeStart, Properties, Set, Span, State, Step,
};
use crate::event::{EventKind, Flags};
use crate::fault::Fault;
use crate::limits::KEY_CEILING;
use crate::problem::Problem;
use crate::scan::block::{self, BodyError, Chomping};
use crate::scan::class::{Class, class, is_blank_or_break, is_flow_indicator};
use crate::scan::plain::plain_line;
use crate::scan::quoted::{self, Quoted, QuotedError, Unindented};
use crate::scan::text::Text;
use crate::scan::window::Window;
use ketch_bytes::Lanes;

/// A scalar or alias that has been scanned and may still turn out to be a key.
#[derive(Clone, Copy)]
struct Token {
    kind: EventKind,
    flags: Flags,
    start: usize,
    end: usize,
}

impl Engine {
    /// Resumes parsing at the current position, where a node in `context` may follow, inside the
    /// line that starts at `line`. `tabbed` says whether a tab precedes the position on its line.
    #[inline(always)]
    pub(super) fn resume_node<L: Lanes>(
        &mut self,
        lanes: L,
        text: Text<'_>,
        line: usize,
        context: Context,
        tabbed: bool,
    ) -> Step {
        // A line is started only if all of it is buffered, so more input is needed only if the node
        // is after the complete lines.
        if self.pos >= text.lines_end && !text.is_last {
            return Err(Halt::NeedMoreInput);
        }
        self.checkpoint = Checkpoint::Line;
        let at = text.skip_blanks(self.pos);
        let tabbed =
            tabbed || text.bytes[self.pos.min(at)..at.min(text.bytes.len())].contains(&b'\t');
        let window = Window::load(lanes, text, at);
        self.node(lanes, text, window, NodeStart { line, at, context, tabbed })
    }

    /// Parses the node at `node`, which must not start with a blank, and the rest of its line. A
    /// line may have several nodes: `- - key: value` has three collections and two scalars.
    // [126] ns-plain-first, [184] c-l-block-seq-entry, [185] s-l+block-indented,
    // [196] s-l+block-node.
    //
    // example: entries_on_one_line
    //     - - a: b
    // events: +SEQ +SEQ +MAP =VAL :a =VAL :b -MAP -SEQ -SEQ
    #[inline(always)]
    pub(super) fn node<L: Lanes>(
        &mut self,
        lanes: L,
        text: Text<'_>,
        mut window: Window,
        mut node: NodeStart,
    ) -> Step {
        loop {
            let NodeStart { at, context, tabbed, .. } = node;
            let byte = text.byte(at);
            let mut class = class(byte);
            if matches!(class, Class::Dash | Class::Question | Class::Colon)
                && !text.is_blank_or_break(at + 1)
            {
                class = Class::Plain;
            }
            // Each arm either ends the line or reaches an indicator that a node follows.
            let indicator = match class {
                Class::Plain => {
                    let part = plain_line(lanes, text, &window, at);
                    let token = Token {
                        kind: EventKind::Plain,
                        flags: Flags::NONE,
                        start: at,
                        end: part.end,
                    };
                    let stop = text.byte(part.stop);
                    if stop != b':' {
                        self.value(text, token, context)?;
                        if stop == b'#' {
                            return Ok(self.comment(lanes, text, part.stop));
                        }
                        return Ok(text.after_break(part.stop));
                    }
                    self.key(text, node, token)?;
                    node.context = Context::Inline;
                    part.stop
                }
                Class::Break => return self.no_node(text, context, at),
                Class::Comment => {
                    self.no_node(text, context, at)?;
                    return Ok(self.comment(lanes, text, at));
                }
                Class::Dash => {
                    if context != Context::Item {
                        self.open_sequence(text, node)?;
                    }
                    self.top.state = State::SequenceAwaits;
                    node.context = Context::Block;
                    at
                }
                Class::DoubleQuote | Class::SingleQuote => {
                    match self.quoted_node(lanes, text, node)? {
                        Next::Line(next) => return Ok(next),
                        Next::Colon(colon) => {
                            node.context = Context::Inline;
                            colon
                        }
                    }
                }
                Class::BlockScalar => {
                    return self.block_scalar(lanes, text, node);
                }
                Class::FlowOpen => {
                    return self.open_flow_root(text, node);
                }
                _ => match self.rare_node(lanes, text, node, class)? {
                    (Next::Line(next), _) => return Ok(next),
                    (Next::Colon(last), next_context) => {
                        node.context = next_context;
                        last
                    }
                },
            };
            self.awaited_at = indicator + 1;
            // Tabs may separate properties from their node, so only tabs before the properties
            // count.
            node.at = self.next_token(lanes, text, &mut window, indicator + 1, &mut node.tabbed);
            if class == Class::Property {
                node.tabbed = tabbed;
            }
        }
    }

    /// Returns the offset of the first character from `at` on that is neither a space nor a tab,
    /// and moves `window` if needed so that it contains that character. Sets `tabbed` if there are
    /// tabs before the character.
    // [66] s-separate-in-line.
    //
    // example: tabs_between_tokens
    //     -→a
    // events: +SEQ =VAL :a -SEQ
    #[inline(always)]
    fn next_token<L: Lanes>(
        &mut self,
        lanes: L,
        text: Text<'_>,
        window: &mut Window,
        at: usize,
        tabbed: &mut bool,
    ) -> usize {
        if window.covers(at) {
            let visible = (!window.blank | window.newline) & window.from(at);
            // If the newline is not in the window, the rest of the line gets a new window.
            if visible != 0 && window.newline & window.from(at) != 0 {
                let next = window.base + visible.trailing_zeros() as usize;
                *tabbed |= window.tab() & window.between(at, next) != 0;
                return next;
            }
        }
        let next = text.skip_blanks(at);
        *tabbed |=
            text.bytes[at.min(text.bytes.len())..next.min(text.bytes.len())].contains(&b'\t');
        *window = Window::load(lanes, text, next);
        next
    }

    /// Handles a line that ends, or has a comment, at `at` instead of a node. Fails if a key must
    /// come there; another node may follow on a later line. Returns the start of the next line if
    /// the line ends at `at`.
    // [81] s-separate-lines.
    //
    // example: node_on_a_later_line
    //     a: # b
    //       c
    // events: +MAP =VAL :a =VAL :c -MAP
    #[inline(always)]
    fn no_node(&mut self, text: Text<'_>, context: Context, at: usize) -> Step {
        if context == Context::Entry {
            return Err(self.fail(Problem::ExpectedKey, at, 1));
        }
        Ok(text.after_break(at))
    }

    /// Writes `token` as an implicit key (\[193\] ns-s-block-map-implicit-key), and opens a block
    /// mapping before it if it is the first key.
    // example: implicit_key
    //     a: b
    //     "c": d
    // events: +MAP =VAL :a =VAL :b =VAL "c =VAL :d -MAP
    #[inline(always)]
    fn key(&mut self, text: Text<'_>, node: NodeStart, token: Token) -> Result<(), Halt> {
        self.check_key_len(text, token.start, token.end)?;
        self.check_scalar_len(token.start, token.end - token.start)?;
        if node.context != Context::Entry {
            self.open_mapping(text, NodeStart { at: token.start, ..node })?;
        }
        if self.properties.any {
            self.emit_key_properties(token)?;
        }
        self.events.push_short(token.kind, token.flags, token.start, token.end - token.start);
        self.top.state = State::MappingAwaitsValue;
        Ok(())
    }

    /// Writes the pending properties, which belong to the key `token`. Fails if the key is an
    /// alias, which cannot have properties.
    #[cold]
    #[inline(never)]
    fn emit_key_properties(&mut self, token: Token) -> Result<(), Halt> {
        if token.kind == EventKind::Alias {
            self.refuse_properties(token.start, token.end - token.start)?;
        }
        self.emit_all_properties()
    }

    /// Checks that the implicit key from `start` to `end` has no more characters than the limit,
    /// which by default is 1,024, as in YAML.
    #[inline(always)]
    pub(super) fn check_key_len(
        &mut self,
        text: Text<'_>,
        start: usize,
        end: usize,
    ) -> Result<(), Halt> {
        if (end - start) as u64 > self.settings.limits.max_implicit_key_chars {
            return self.check_long_key(text, start, end);
        }
        Ok(())
    }

    /// Counts the characters of the key from `start` to `end`, which has more bytes than the limit
    /// has characters. Fails if there are too many, or if the key has more than [`KEY_CEILING`]
    /// bytes.
    // [154] ns-s-implicit-yaml-key.
    //
    // example: key_with_characters_of_several_bytes
    //     ключ: a
    // events: +MAP =VAL :ключ =VAL :a -MAP
    #[cold]
    #[inline(never)]
    fn check_long_key(&mut self, text: Text<'_>, start: usize, end: usize) -> Result<(), Halt> {
        let key = &text.bytes[start..end];
        // Every byte except a continuation byte is the first byte of a character.
        let chars = key.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() as u64;
        let max = self.settings.limits.max_implicit_key_chars;
        if chars > max || key.len() as u64 > KEY_CEILING {
            return Err(self.fail(Problem::KeyTooLong(chars), start, 1));
        }
        Ok(())
    }

    /// Writes `token`, which is not a key, as the awaited node. Fails if a key must come here.
    // [131] ns-plain.
    //
    // example: plain_scalar_as_a_value
    //     - a
    // events: +SEQ =VAL :a -SEQ
    #[inline(always)]
    fn value(&mut self, text: Text<'_>, token: Token, context: Context) -> Result<(), Halt> {
        if context == Context::Entry {
            return Err(self.fail_missing_colon(text, token));
        }
        let len = token.end - token.start;
        self.check_scalar_len(token.start, len)?;
        self.emit_all_properties()?;
        self.events.push(token.kind, token.flags, token.start, len);
        self.top.state = self.top.state.done();
        Ok(())
    }

    /// Records the fault for `token`, which is where a mapping expects a key but has no `:` after
    /// it, and returns the halt. Often only the space after a colon is missing; the fault is then
    /// at the colon.
    #[cold]
    #[inline(never)]
    fn fail_missing_colon(&mut self, text: Text<'_>, token: Token) -> Halt {
        let body = &text.bytes[token.start..token.end];
        match body.iter().position(|&byte| byte == b':') {
            Some(colon) if token.kind == EventKind::Plain => {
                self.fail(Problem::NoBlankAfterColon, token.start + colon, 1)
            }
            _ => self.fail(Problem::ExpectedColon, token.end, 1),
        }
    }

    /// Opens the block mapping whose first key is at `node`. Its column is that of the key or, if
    /// properties precede the key on its line, of the first property.
    // [187] l+block-mapping, [195] ns-l-compact-mapping.
    //
    // example: compact_mapping
    //     - a: b
    //       c: d
    // events: +SEQ +MAP =VAL :a =VAL :b =VAL :c =VAL :d -MAP -SEQ
    #[inline(always)]
    pub(super) fn open_mapping(&mut self, text: Text<'_>, node: NodeStart) -> Result<(), Halt> {
        let NodeStart { line, at, context, tabbed } = node;
        if context != Context::Block || tabbed {
            return Err(self.fail_block_here(text, at, context, Problem::MappingNotHere));
        }
        let mut start = at;
        if self.properties.any {
            self.emit_outer_properties(line)?;
            if self.properties.on_line(line) {
                start = self.properties.inner_start;
            }
        }
        self.events.push_short(EventKind::MappingStart, Flags::NONE, start, 0);
        let indent = (start - line) as isize;
        self.open_block(start, Frame { indent, state: State::MappingKey })
    }

    /// Opens the block sequence whose first `-` is at `node`.
    // [183] l+block-sequence, [186] ns-l-compact-sequence.
    //
    // example: compact_sequence
    //     - - a
    //       - b
    // events: +SEQ +SEQ =VAL :a =VAL :b -SEQ -SEQ
    #[inline(always)]
    fn open_sequence(&mut self, text: Text<'_>, node: NodeStart) -> Result<(), Halt> {
        let NodeStart { line, at, context, tabbed } = node;
        if context != Context::Block || tabbed || self.properties.on_line(line) {
            return Err(self.fail_block_here(text, at, context, Problem::SequenceNotHere));
        }
        self.emit_all_properties()?;
        self.events.push_short(EventKind::SequenceStart, Flags::NONE, at, 0);
        let indent = (at - line) as isize;
        self.open_block(at, Frame { indent, state: State::SequenceAwaits })
    }

    /// Records the fault for a block collection at `at`, where none may start, and returns the
    /// halt. The fault is `problem`, unless there is a more specific one.
    // [194] c-l-block-map-implicit-value.
    //
    // example: mapping_after_an_implicit_key
    //     a: b: c
    // error: MappingNotHere
    #[cold]
    #[inline(never)]
    fn fail_block_here(
        &mut self,
        text: Text<'_>,
        at: usize,
        context: Context,
        problem: Problem,
    ) -> Halt {
        if context == Context::Block && !self.properties.any {
            // The collection would be valid without the tab, so the fault is at the tab.
            let mut tab = at;
            while tab > 0 && text.byte(tab) != b'\t' {
                tab -= 1;
            }
            return self.fail(Problem::TabIndentation, tab, 1);
        }
        if context == Context::Entry {
            return self.fail(Problem::ExpectedKey, at, 1);
        }
        self.fail(problem, at, 1)
    }

    /// Parses the quoted scalar at `node`, which may be a key, and returns what follows it.
    // [110] nb-double-text, [111] nb-double-one-line, [121] nb-single-text,
    // [122] nb-single-one-line.
    //
    // example: quoted_scalars
    //     "a": 'b
    //       c'
    // events: +MAP =VAL "a =VAL 'b c -MAP
    //
    // example: quoted_key_over_lines_in_block
    //     "a
    //       b": c
    // error: MultilineKey
    #[inline(always)]
    fn quoted_node<L: Lanes>(
        &mut self,
        lanes: L,
        text: Text<'_>,
        node: NodeStart,
    ) -> Result<Next, Halt> {
        let NodeStart { at, context, .. } = node;
        let quoted = quoted::quoted(lanes, text, at, self.flow_indent())
            .or_else(|error| self.quoted_again(lanes, text, error, at))
            .map_err(|error| self.quoted_halt(text, error, node))?;
        // The rest of the last line must also be buffered, because it may contain the `:` of a key.
        if quoted.end >= text.lines_end && !text.is_last {
            return Err(self.suspend_at(node));
        }
        let kind =
            if text.byte(at) == b'"' { EventKind::DoubleQuoted } else { EventKind::SingleQuoted };
        let token = Token { kind, flags: quoted.flags, start: at, end: quoted.end };
        let next = text.skip_blanks(quoted.end);
        if text.byte(next) == b':' {
            if !text.is_blank_or_break(next + 1) {
                return Err(self.fail(Problem::NoBlankAfterColon, next, 1));
            }
            if quoted.last_line.is_some() {
                return Err(self.fail_with(Problem::MultilineKey, next, 1, at));
            }
            self.key(text, node, token)?;
            return Ok(Next::Colon(next));
        }
        self.value(text, token, context)?;
        self.line_rest(lanes, text, quoted.end).map(Next::Line)
    }

    /// In lenient mode, scans the quoted scalar at `open` again if `error` is that a line of it is not
    /// indented enough, and warns.
    #[cold]
    #[inline(never)]
    pub(super) fn quoted_again<L: Lanes>(
        &mut self,
        lanes: L,
        text: Text<'_>,
        error: QuotedError,
        open: usize,
    ) -> Result<Quoted, QuotedError> {
        let QuotedError::Bad { problem, at, len } = error else { return Err(error) };
        let is_layout = matches!(problem, Problem::QuotedIndentation | Problem::TabIndentation);
        if !self.settings.lenient || !is_layout {
            return Err(error);
        }
        match lanes.outline(Unindented { text, open }) {
            Ok(quoted) => {
                let at = self.base + at as u64;
                self.warn(Fault { problem, at, len, related: Some(self.base + open as u64) });
                Ok(quoted)
            }
            Err(QuotedError::NeedMoreInput) if !text.is_last => Err(QuotedError::NeedMoreInput),
            Err(_) => Err(error),
        }
    }

    /// Turns `error`, found in scanning the quoted scalar at `node`, into a halt: a request for
    /// more input or, if the scalar is invalid or the input has ended, a recorded fault.
    #[cold]
    #[inline(never)]
    fn quoted_halt(&mut self, text: Text<'_>, error: QuotedError, node: NodeStart) -> Halt {
        let open = node.at;
        match error {
            QuotedError::NeedMoreInput if text.is_last => self.fail_unclosed_quote(text, open),
            QuotedError::NeedMoreInput => self.suspend_at(node),
            QuotedError::Bad { problem, at, len } => self.fail_with(problem, at, len, open),
        }
    }

    /// Records the fault for the end of the input inside the quoted scalar that opens at `open`,
    /// and returns the halt.
    #[cold]
    pub(super) fn fail_unclosed_quote(&mut self, text: Text<'_>, open: usize) -> Halt {
        self.fail_with(Problem::UnclosedQuote, text.bytes.len(), 0, open)
    }

    /// Suspends parsing before `node` until more input has arrived, and returns the halt.
    #[cold]
    fn suspend_at(&mut self, node: NodeStart) -> Halt {
        let NodeStart { line, at, context, tabbed } = node;
        self.checkpoint = Checkpoint::Node { line, context, tabbed };
        self.pos = at;
        Halt::NeedMoreInput
    }

    /// Parses the literal or folded scalar at `node`, and returns the start of the line after it.
    // [170] c-l+literal, [174] c-l+folded, [199] s-l+block-scalar.
    //
    // example: literal_and_folded
    //     - |
    //       a
    //       b
    //     - >-
    //       c
    //       d
    // events: +SEQ =VAL |a\nb\n =VAL >c d -SEQ
    #[inline(always)]
    fn block_scalar<L: Lanes>(&mut self, lanes: L, text: Text<'_>, node: NodeStart) -> Step {
        let NodeStart { at, context, .. } = node;
        if context == Context::Entry {
            return Err(self.fail(Problem::ExpectedKey, at, 1));
        }
        let header = block::header(text.bytes, at);
        let (rest, is_fine) = block::header_rest(text, header.end);
        if !is_fine {
            return Err(self.fail_block_header(text, header.end, rest));
        }
        let start = match text.byte(rest) {
            b'#' => self.comment(lanes, text, rest),
            _ => text.after_break(rest),
        };
        let body = match block::body(lanes, text, start, header, self.top.indent) {
            Ok(body) => body,
            Err(BodyError::NeedMoreInput) => return Err(self.suspend_at(node)),
            Err(BodyError::Bad { problem, at, len }) => return Err(self.fail(problem, at, len)),
        };
        self.check_scalar_len(at, body.end - at)?;
        self.emit_all_properties()?;
        let kind = if text.byte(at) == b'|' { EventKind::Literal } else { EventKind::Folded };
        let flags = match text.is_last && body.end == text.bytes.len() {
            true => self.flags_at_end(text, start, header.chomping, body.indent),
            false => Flags::NONE,
        };
        self.events.push_long(kind, flags, at, body.end - at, body.indent as u32);
        self.top.state = self.top.state.done();
        Ok(body.end)
    }

    /// Returns the flags of a block scalar whose lines, which start at `start` and are indented by
    /// `indent` columns, end the stream. Warns if its content ends with a line break that the
    /// stream does not have.
    #[cold]
    #[inline(never)]
    fn flags_at_end(
        &mut self,
        text: Text<'_>,
        start: usize,
        chomping: Chomping,
        indent: usize,
    ) -> Flags {
        let (lines, end) = (&text.bytes[start..], text.bytes.len() as u64);
        let last = lines.rsplit(|&byte| matches!(byte, b'\n' | b'\r')).next().unwrap_or(&[]);
        let has_break = match chomping {
            Chomping::Strip => false,
            // A last line that has only indentation is not part of the content.
            Chomping::Clip => last.len() > indent,
            Chomping::Keep => !last.is_empty(),
        };
        if !has_break {
            return Flags::NONE;
        }
        if !self.settings.final_break {
            return Flags::UNBROKEN;
        }
        let at = self.base + end;
        self.warn(Fault { problem: Problem::NoFinalBreak, at, len: 0, related: None });
        Flags::NONE
    }

    /// Records the fault for text after the header of a block scalar, and returns the halt. The
    /// indicators end at `end`, and the blanks after them at `rest`.
    #[cold]
    #[inline(never)]
    fn fail_block_header(&mut self, text: Text<'_>, end: usize, rest: usize) -> Halt {
        let problem = match text.byte(rest) {
            b'#' => Problem::CommentNotSeparated,
            b'0' if rest == end => Problem::ZeroIndentation,
            _ => Problem::BlockHeader,
        };
        self.fail(problem, rest, 1)
    }

    /// Parses the token at `node`, whose `class` is one of the rarer ones, such as an alias, a
    /// property or a `?`. Returns what follows the token, and the context of the next node.
    #[inline(never)]
    fn rare_node<L: Lanes>(
        &mut self,
        lanes: L,
        text: Text<'_>,
        node: NodeStart,
        class: Class,
    ) -> Result<(Next, Context), Halt> {
        let NodeStart { line, at, context, .. } = node;
        match class {
            Class::Question => {
                self.explicit_key(text, node)?;
                Ok((Next::Colon(at), Context::Block))
            }
            Class::Colon => {
                let next = self.lone_colon(text, node)?;
                Ok((Next::Colon(at), next))
            }
            Class::Property => {
                let end = self.property(text, line, at)?;
                // [`Engine::node`] continues after the last byte of the property.
                Ok((Next::Colon(end - 1), context))
            }
            Class::Alias => self.alias_node(lanes, text, node).map(|next| (next, Context::Inline)),
            Class::FlowEnd => Err(self.fail(Problem::FlowIndicatorInBlock, at, 1)),
            _ => Err(self.fail(Problem::ReservedIndicator, at, 1)),
        }
    }

    /// Parses the `?` at `node`, which starts an entry (\[190\] c-l-block-map-explicit-key), and
    /// opens a block mapping if it is the first entry.
    // example: explicit_key
    //     ? a
    //     : b
    // events: +MAP =VAL :a =VAL :b -MAP
    fn explicit_key(&mut self, text: Text<'_>, node: NodeStart) -> Result<(), Halt> {
        let NodeStart { line, at, context, .. } = node;
        if self.properties.on_line(line) {
            return Err(self.fail(Problem::MappingNotHere, at, 1));
        }
        if context != Context::Entry {
            self.open_mapping(text, node)?;
        }
        self.top.state = State::MappingAwaitsKey;
        Ok(())
    }

    /// Parses the `:` at `node`, which has no key before it on its line. It starts the value of an
    /// explicit key, or an entry with an empty key. Returns the context of the value.
    // [191] l-block-map-explicit-value, [192] ns-l-block-map-implicit-entry.
    //
    // example: empty_key
    //     ? - a
    //     : - b
    //     : c
    // events: +MAP +SEQ =VAL :a -SEQ +SEQ =VAL :b -SEQ =VAL : =VAL :c -MAP
    fn lone_colon(&mut self, text: Text<'_>, node: NodeStart) -> Result<Context, Halt> {
        let NodeStart { at, context, .. } = node;
        if context == Context::ExplicitValue {
            self.top.state = State::MappingAwaitsExplicitValue;
            return Ok(Context::Block);
        }
        let empty = Token { kind: EventKind::Plain, flags: Flags::NONE, start: at, end: at };
        self.key(text, node, empty)?;
        Ok(Context::Inline)
    }

    /// Parses the alias at `node`, which may be a key, and returns what follows it.
    // [104] c-ns-alias-node.
    //
    // example: alias_as_a_key
    //     &a b: c
    //     *a : d
    // events: +MAP =VAL &a :b =VAL :c =ALI *a =VAL :d -MAP
    fn alias_node<L: Lanes>(
        &mut self,
        lanes: L,
        text: Text<'_>,
        node: NodeStart,
    ) -> Result<Next, Halt> {
        let NodeStart { at, context, .. } = node;
        let end = self.alias_end(text, at)?;
        let token = Token { kind: EventKind::Alias, flags: Flags::NONE, start: at, end };
        let next = text.skip_blanks(end);
        if text.byte(next) == b':' && text.is_blank_or_break(next + 1) {
            self.key(text, node, token)?;
            return Ok(Next::Colon(next));
        }
        self.refuse_properties(at, end - at)?;
        self.value(text, token, context)?;
        self.line_rest(lanes, text, end).map(Next::Line)
    }
}

/// What follows a node.
enum Next {
    /// The next line, which starts at this offset.
    Line(usize),
    /// The offset of a key's `:`, or of the last byte of something else that a node follows.
    Colon(usize),
}

impl Engine {
    /// Parses the anchor or tag at `at` on the line that starts at `line`, and returns the offset
    /// after it.
    // [96] c-ns-properties, [101] c-ns-anchor-property.
    //
    // example: two_anchors
    //     &a &b c
    // error: TwoAnchors
    #[inline(never)]
    pub fn property(&mut self, text: Text<'_>, line: usize, at: usize) -> Result<usize, Halt> {
        if self.properties.any && self.properties.inner_line != line {
            self.inner_to_outer()?;
        }
        if self.properties.inner.is_empty() {
            self.properties.inner_line = line;
            self.properties.inner_start = at;
        }
        self.properties.any = true;
        let (end, is_anchor) = if text.byte(at) == b'&' {
            (self.name_end(text, at)?, true)
        } else {
            (self.tag_end(text, at)?, false)
        };
        // In a flow collection, a comma or a closing bracket may directly follow the properties of
        // an empty node.
        let next = text.byte(end);
        let ends_entry = matches!(next, b',' | b']' | b'}') && !self.flow.is_empty();
        if !is_blank_or_break(next) && !ends_entry {
            return Err(self.fail(Problem::PropertyNotSeparated, end, 1));
        }
        let span = Some(Span { start: at, len: end - at });
        let inner = &mut self.properties.inner;
        let (slot, problem) = if is_anchor {
            (&mut inner.anchor, Problem::TwoAnchors)
        } else {
            (&mut inner.tag, Problem::TwoTags)
        };
        if let Some(first) = *slot {
            return Err(self.fail_with(problem, at, end - at, first.start));
        }
        *slot = span;
        Ok(end)
    }

    /// Returns the offset after the name of the anchor or alias at `at` (\[102\] ns-anchor-char).
    /// Fails if the name is empty.
    // [103] ns-anchor-name.
    //
    // example: colon_in_an_anchor
    //     &a:b c
    // events: =VAL &a:b :c
    pub fn name_end(&mut self, text: Text<'_>, at: usize) -> Result<usize, Halt> {
        let rest = text.bytes.get(at + 1..).unwrap_or(&[]);
        let len = rest
            .iter()
            .position(|&byte| is_blank_or_break(byte) || is_flow_indicator(byte))
            .unwrap_or(rest.len());
        if len == 0 {
            return Err(self.fail(Problem::EmptyAnchor, at, 1));
        }
        Ok(at + 1 + len)
    }

    /// Returns the offset after the alias at `at`. `*a: b` is invalid, since the colon is part of
    /// the name; lenient mode reads it as `*a : b`, as libyaml does. Valid input keeps its meaning,
    /// so this applies only if something follows the colon.
    pub fn alias_end(&mut self, text: Text<'_>, at: usize) -> Result<usize, Halt> {
        let end = self.name_end(text, at)?;
        if !self.settings.lenient || end - at < 3 || text.byte(end - 1) != b':' {
            return Ok(end);
        }
        // These are the characters that libyaml allows in names.
        let is_name = |&byte: &u8| is_word(byte) || byte == b'_';
        if !text.bytes[at + 1..end - 1].iter().all(is_name) {
            return Ok(end);
        }
        let next = text.skip_blanks(end);
        let may_follow =
            matches!(text.byte(next), b'\n' | b'\r' | b'#' | b':' | b',' | b']' | b'}');
        Ok(end - usize::from(next > end && !may_follow))
    }

    /// Returns the offset after the tag at `at` (\[97\] c-ns-tag-property). Fails if the tag is not
    /// valid or its handle is not declared.
    // [92] c-named-tag-handle, [98] c-verbatim-tag, [99] c-ns-shorthand-tag.
    //
    // example: tags_of_all_kinds
    //     - !!str a
    //     - !b c
    //     - !<x:y> d
    //     - ! e
    // events: +SEQ =VAL <tag:yaml.org,2002:str> :a =VAL <!b> :c =VAL <x:y> :d =VAL <!> :e -SEQ
    //
    // example: unknown_handle
    //     !e!x a
    // error: UnknownTagHandle
    pub(super) fn tag_end(&mut self, text: Text<'_>, at: usize) -> Result<usize, Halt> {
        let rest = text.bytes.get(at + 1..).unwrap_or(&[]);
        if rest.first() == Some(&b'<') {
            let len = rest.iter().position(|&byte| byte == b'>' || is_blank_or_break(byte));
            return match len {
                Some(len) if rest[len] == b'>' && len > 1 => {
                    self.check_tag_text(text, at + 2, at + 1 + len)?;
                    Ok(at + len + 2)
                }
                _ => Err(self.fail(Problem::VerbatimTag, at, 2)),
            };
        }
        let len = rest
            .iter()
            .position(|&byte| is_blank_or_break(byte) || is_flow_indicator(byte))
            .unwrap_or(rest.len());
        let body = &rest[..len];
        let end = at + 1 + len;
        let handle_len = match body.iter().position(|&byte| byte == b'!') {
            Some(bang) => bang + 1,
            None => {
                if let Some(prefix_len) = self.directives.prefix_len(b"!") {
                    self.count_prefix(prefix_len, at, end)?;
                }
                self.check_tag_text(text, at + 1, end)?;
                return Ok(end);
            }
        };
        if let Some(bad) = body[..handle_len - 1].iter().position(|&b| !is_word(b)) {
            return Err(self.fail(Problem::TagHandle, at + 1 + bad, 1));
        }
        if handle_len == len {
            return Err(self.fail(Problem::TagWithoutSuffix, at, end - at));
        }
        let handle = &text.bytes[at..at + 1 + handle_len];
        match self.directives.prefix_len(handle) {
            Some(prefix_len) => self.count_prefix(prefix_len, at, end)?,
            None if handle == b"!!" => {}
            None => return Err(self.fail(Problem::UnknownTagHandle, at, handle.len())),
        }
        // [40] ns-tag-char: the suffix has no further `!`.
        if let Some(bang) = body[handle_len..].iter().position(|&byte| byte == b'!') {
            return Err(self.fail(Problem::TagCharacter, at + 1 + handle_len + bang, 1));
        }
        self.check_tag_text(text, at + 1 + handle_len, end)?;
        Ok(end)
    }

    /// Adds `prefix_len`, the length of the prefix that a tag uses, to the total for the stream.
    /// The tag starts at `at` and ends at `end`. Fails if the total exceeds its limit, because
    /// using a long prefix often would make a short input very large. Short prefixes are not
    /// counted, since they add at most a constant factor.
    fn count_prefix(&mut self, prefix_len: usize, at: usize, end: usize) -> Result<(), Halt> {
        const SHORT_BYTES: usize = 256;
        if prefix_len <= SHORT_BYTES {
            return Ok(());
        }
        let offset = self.base + at as u64;
        if offset >= self.prefixes.counted_to {
            self.prefixes.bytes += prefix_len as u64;
            self.prefixes.counted_to = offset + 1;
        }
        let max = self.settings.limits.max_tag_bytes.at(offset);
        if self.prefixes.bytes <= max {
            return Ok(());
        }
        Err(self.fail(Problem::TooMuchTagText(max), at, end - at))
    }

    /// Checks that the tag text from `start` to `end` consists of URI characters, and of `%` with
    /// two hexadecimal digits.
    fn check_tag_text(&mut self, text: Text<'_>, start: usize, end: usize) -> Result<(), Halt> {
        let tag = &text.bytes[start..end];
        for (i, &byte) in tag.iter().enumerate() {
            let fine = match byte {
                b'%' => tag.get(i + 1..i + 3).is_some_and(|d| d.iter().all(u8::is_ascii_hexdigit)),
                _ => is_uri_char(byte),
            };
            if !fine {
                return Err(self.fail(Problem::TagCharacter, start + i, 1));
            }
        }
        Ok(())
    }

    /// Merges the inner properties into the outer ones, because a new line starts.
    // [96] c-ns-properties.
    //
    // example: anchors_of_a_mapping_and_its_key
    //     &a
    //     &b c: d
    // events: +MAP &a =VAL &b :c =VAL :d -MAP
    fn inner_to_outer(&mut self) -> Result<(), Halt> {
        let Properties { outer, inner, .. } = self.properties;
        self.properties.outer = self.merge(outer, inner)?;
        self.properties.inner = Set::default();
        Ok(())
    }

    /// Merges `outer` and `inner`, two sets of properties of one node. Fails if the node would then
    /// have two anchors or two tags.
    fn merge(&mut self, outer: Set, inner: Set) -> Result<Set, Halt> {
        if let (Some(first), Some(second)) = (outer.anchor, inner.anchor) {
            let Span { start, len } = second;
            return Err(self.fail_with(Problem::TwoAnchors, start, len, first.start));
        }
        if let (Some(first), Some(second)) = (outer.tag, inner.tag) {
            let Span { start, len } = second;
            return Err(self.fail_with(Problem::TwoTags, start, len, first.start));
        }
        Ok(Set { anchor: outer.anchor.or(inner.anchor), tag: outer.tag.or(inner.tag) })
    }

    /// Writes all pending properties, which belong to the node that follows.
    #[inline(always)]
    pub fn emit_all_properties(&mut self) -> Result<(), Halt> {
        if self.properties.any { self.emit_merged_properties() } else { Ok(()) }
    }

    /// Writes both sets of pending properties as those of one node.
    #[inline(never)]
    fn emit_merged_properties(&mut self) -> Result<(), Halt> {
        let Properties { outer, inner, .. } = self.properties;
        let set = self.merge(outer, inner)?;
        self.emit_set(set);
        self.properties = Properties::default();
        Ok(())
    }

    /// Writes the properties of lines before `line`, which belong to the collection that the key on
    /// that line starts.
    // [200] s-l+block-collection.
    //
    // example: tag_of_a_block_mapping
    //     !!map
    //     a: b
    // events: +MAP <tag:yaml.org,2002:map> =VAL :a =VAL :b -MAP
    #[inline(never)]
    pub fn emit_outer_properties(&mut self, line: usize) -> Result<(), Halt> {
        if self.properties.inner_line != line {
            self.inner_to_outer()?;
        }
        let outer = std::mem::take(&mut self.properties.outer);
        self.emit_set(outer);
        self.properties.any = !self.properties.inner.is_empty();
        Ok(())
    }

    /// Writes the properties of `set` in the order in which they occur in the text.
    fn emit_set(&mut self, set: Set) {
        let anchor = set.anchor.map(|span| (EventKind::Anchor, span));
        let tag = set.tag.map(|span| (EventKind::Tag, span));
        let mut both = [anchor, tag];
        both.sort_by_key(|property| property.map(|(_, span)| span.start));
        for (kind, span) in both.into_iter().flatten() {
            self.events.push(kind, Flags::NONE, span.start, span.len);
        }
    }

    /// Fails if there are pending properties. The alias of `len` bytes at `at` cannot have any
    /// (\[104\] c-ns-alias-node).
    // example: anchor_on_an_alias
    //     &a b: &c *a
    // error: PropertiesOnAlias
    pub fn refuse_properties(&mut self, at: usize, len: usize) -> Result<(), Halt> {
        if !self.properties.any {
            return Ok(());
        }
        let first = self.properties.first_start();
        Err(self.fail_with(Problem::PropertiesOnAlias, at, len, first))
    }
}

/// Returns whether `byte` is a word character (\[38\] ns-word-char).
pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-'
}

/// Returns whether `byte` is a URI character other than `%` (\[39\] ns-uri-char). Characters
/// outside ASCII must be escaped.
#[inline(always)]
pub(crate) fn is_uri_char(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'&'..=b';' | b'?' | b'@')
        || matches!(byte, b'!' | b'#' | b'$' | b'=' | b'[' | b']' | b'_' | b'~')
}
