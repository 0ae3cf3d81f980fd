//! Parses streams and documents (YAML 1.2.2, chapter 9) and directives (section 6.8).

use super::engine::Engine;
use super::properties::{is_uri_char, is_word};
use super::state::{Checkpoint, Context, Directives, Frame, Halt, State, Step};
use crate::event::{EventKind, Flags};
use crate::problem::Problem;
use crate::scan::class::{is_blank, is_flow_indicator};
use crate::scan::text::Text;

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
