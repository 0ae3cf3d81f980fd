//! The scanner, which turns bytes into tokens. A stack of levels determines which lines open and
//! close blocks.

use super::block;
use super::plain::{self, Around};
use super::quoted::{self, Quoted};
use super::tag;
use super::text::{Nowhere, Text};
use super::token::{Kind, ScalarToken, Style, Token};
use ketch_yaml::Problem;
use ketch_yaml::internal::Fault;

/// What opened a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    /// Nothing yet, because the document is at its start.
    Header,
    /// An indented line.
    Block,
    /// An indented line that starts with a key.
    Mapping,
    /// An indicator `- ` or `? `.
    Entry,
    FlowSequence,
    FlowMapping,
}

impl Status {
    /// Returns whether the level is in brackets.
    pub fn is_flow(self) -> bool {
        matches!(self, Status::FlowSequence | Status::FlowMapping)
    }
}

/// A level of nesting.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    /// The indentation of the level's lines; -1 for the outermost level.
    pub spaces: i64,
    pub status: Status,
    /// The prefix of tags that start with `^`: one more than its index in [`Scanner::prefixes`], or
    /// 0 if there is none.
    prefix: u32,
}

/// What an indicator means in the place where it occurs.
enum Indicated {
    Token(Token),
    /// It is skipped, and yields no token.
    Nothing,
    /// It is content, or starts content.
    Content,
}

const OUTERMOST: Level = Level { spaces: -1, status: Status::Header, prefix: 0 };

/// The maximum number of warnings that are kept at a time.
const WARNINGS_MAX: usize = 1000;

/// A scanner, which turns a text into tokens, one document after the other.
#[derive(Debug)]
pub(super) struct Scanner {
    pos: usize,
    /// The start of the last line that was scanned. This may be after `pos`.
    line: usize,
    levels: Vec<Level>,
    /// Whether the next token is [`Kind::Open`] although there is no line break, because a `-` or
    /// `?` was just scanned.
    opens: bool,
    prefixes: Vec<Vec<u8>>,
    /// The last tag, in expanded form.
    pub tag: Vec<u8>,
    pub warnings: Vec<Fault>,
}

impl Scanner {
    /// Creates a scanner that starts at the offset `pos`.
    pub fn new(pos: usize) -> Scanner {
        let mut levels = Vec::with_capacity(8);
        levels.push(OUTERMOST);
        Scanner {
            pos,
            line: pos,
            levels,
            opens: false,
            prefixes: Vec::new(),
            tag: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// Prepares for the next document.
    pub fn start_document(&mut self) {
        self.levels.truncate(1);
        self.levels[0] = OUTERMOST;
        self.prefixes.clear();
    }

    /// Returns the offset of the next byte to be scanned.
    pub fn pos(&self) -> usize {
        self.pos
    }

    /// Continues at the offset `pos`. The last line that was scanned starts at `line`.
    pub fn continue_at(&mut self, pos: usize, line: usize) {
        self.pos = pos;
        self.line = line;
    }

    /// Returns the innermost level.
    #[inline(always)]
    pub fn top(&self) -> Level {
        self.levels.last().copied().unwrap_or(OUTERMOST)
    }

    /// Returns the indentation of the level around the innermost one.
    pub fn outer_spaces(&self) -> i64 {
        self.levels.iter().rev().nth(1).map_or(OUTERMOST.spaces, |level| level.spaces)
    }

    /// Sets the status of the innermost level.
    #[inline(always)]
    pub fn set_status(&mut self, status: Status) {
        if let Some(level) = self.levels.last_mut() {
            level.status = status;
        }
    }

    /// Opens a level, which inherits the prefix of tags.
    pub fn push(&mut self, spaces: i64, status: Status) {
        let prefix = self.top().prefix;
        self.levels.push(Level { spaces, status, prefix });
    }

    /// Closes the innermost level, unless it is the outermost one.
    pub fn pop(&mut self) {
        if self.levels.len() > 1 {
            self.levels.pop();
        }
    }

    /// Adds a warning, unless there are already `WARNINGS_MAX`.
    pub fn warn(&mut self, problem: Problem, at: usize, len: usize) {
        if self.warnings.len() < WARNINGS_MAX {
            self.warnings.push(Fault { problem, at: at as u64, len, related: None });
        }
    }

    /// Scans the next token.
    pub fn next(&mut self, text: Text<'_>) -> Token {
        if self.opens {
            self.opens = false;
            return Token::new(Kind::Open, self.pos, self.pos);
        }
        if self.pos == self.line { self.header(text) } else { self.node(text, 0) }
    }

    /// Scans a token outside of nodes: before a document, or a marker after it.
    fn header(&mut self, text: Text<'_>) -> Token {
        let mut column = 0;
        loop {
            let pos = self.pos;
            match text.at(pos) {
                0 if text.is_end(pos) => return self.close(pos),
                b'#' => self.pos = text.comment(pos + 1),
                b'\n' => column = self.break_at(text),
                b'\r' if text.at(pos + 1) == b'\n' => column = self.break_at(text),
                b' ' | b'\t' => {
                    self.pos = blanks(text, pos);
                    column = self.pos as i64 - self.line as i64;
                }
                marker @ (b'-' | b'.') if is_marker(text, pos, marker) => {
                    if self.top().status != Status::Header {
                        return self.close(pos);
                    }
                    if marker == b'-' {
                        self.pos = directives(text, pos + 3);
                        return Token::new(Kind::Marker, pos, pos + 3);
                    }
                    self.pos = text.after_indicator(pos + 3).unwrap_or(pos + 3);
                }
                _ => return self.node(text, column),
            }
        }
    }

    /// Skips the line breaks at the current position, and returns the indentation of the text after
    /// them.
    fn break_at(&mut self, text: Text<'_>) -> i64 {
        let lines = text.lines(self.pos);
        (self.pos, self.line) = (lines.end, lines.line);
        lines.indent
    }

    /// Closes the innermost level or, if only the outermost one is open, ends the document. Returns
    /// the token for that.
    fn close(&mut self, pos: usize) -> Token {
        let kind = if self.top().spaces > -1 { Kind::Close } else { Kind::End };
        self.pop();
        Token::new(kind, pos, pos)
    }

    /// Scans a token in a document. If the token is the first one on its line, it may open a level,
    /// and `column` is its column. Otherwise, `column` is 0.
    fn node(&mut self, text: Text<'_>, mut column: i64) -> Token {
        loop {
            let Level { spaces, status, .. } = self.top();
            if status == Status::Header {
                self.set_status(Status::Block);
            }
            let pos = self.pos;
            if text.is_end(pos) {
                return self.close(pos);
            }
            if let Some(end) = passed(text, pos) {
                self.pos = end;
                continue;
            }
            if text.line_break(pos) > 0 {
                column = 0;
                match self.line(text) {
                    Some(token) => return token,
                    None => continue,
                }
            }
            match self.indicator(text, text.at(pos)) {
                Indicated::Token(token) => return token,
                Indicated::Nothing => continue,
                Indicated::Content => {}
            }
            // Anything else opens a level if it is indented more deeply.
            if spaces < column {
                if !status.is_flow() {
                    self.push(column, Status::Block);
                    return Token::new(Kind::Open, pos, pos);
                }
                // Syck skips the character in this case.
                if let Some(end) = skipped(text, pos) {
                    self.pos = end;
                    continue;
                }
            }
            return self.content(text);
        }
    }

    /// Scans `- `, `? `, or an indicator that does not open a level, and returns what it means
    /// here.
    fn indicator(&mut self, text: Text<'_>, byte: u8) -> Indicated {
        let pos = self.pos;
        let after = || text.after_indicator(pos + 1);
        match byte {
            b'!' => return Indicated::Token(self.tag(text)),
            b'&' => {
                if let Some(end) = name(text, pos + 1) {
                    self.pos = end;
                    return Indicated::Token(Token::new(Kind::Anchor, pos, end));
                }
            }
            b',' | b':' if after().is_some() => {
                return Indicated::Token(self.separator(byte, pos));
            }
            b'-' | b'?' => {
                if let Some(end) = after() {
                    let token = self.entry(text, end);
                    return token.map_or(Indicated::Nothing, Indicated::Token);
                }
            }
            b'>' | b'|' => {
                if let Some(end) = block::indicator(text, pos) {
                    return Indicated::Token(self.block(text, end));
                }
            }
            b']' | b'}' => {
                self.pop();
                self.pos += 1;
                let is_sequence = byte == b']';
                let kind = if is_sequence { Kind::SequenceClose } else { Kind::MappingClose };
                return Indicated::Token(Token::new(kind, pos, pos + 1));
            }
            _ => {}
        }
        Indicated::Content
    }

    /// Skips the line breaks at the current position. Returns the token that they yield, if any.
    fn line(&mut self, text: Text<'_>) -> Option<Token> {
        let start = self.pos;
        let lines = text.lines(start);
        self.line = lines.line;
        let Level { spaces, status, .. } = self.top();
        self.pos = lines.end;
        if text.at(lines.end) == b'#' || status.is_flow() {
            return None;
        }
        if spaces > lines.indent {
            self.pop();
            // The line breaks are scanned again for the level around this one.
            self.pos = if lines.indent == -1 { lines.end - 1 } else { start };
            return Some(Token::new(Kind::Close, start, start));
        }
        if spaces < lines.indent {
            self.push(lines.indent, Status::Block);
            return Some(Token::new(Kind::Open, lines.end, lines.end));
        }
        let kind = if lines.indent == -1 { Kind::End } else { Kind::Line };
        Some(Token::new(kind, lines.end, lines.end))
    }

    /// Scans the `,` or `:` at `pos`.
    fn separator(&mut self, byte: u8, pos: usize) -> Token {
        self.pos += 1;
        if byte == b',' {
            return Token::new(Kind::Comma, pos, pos + 1);
        }
        if !self.top().status.is_flow() {
            self.set_status(Status::Mapping);
        }
        Token::new(Kind::Colon, pos, pos + 1)
    }

    /// Scans `- ` or `? `, which opens a level for its content. The blanks or the line break after
    /// it end at `end`. Returns `None` if it is in brackets, where it is skipped.
    fn entry(&mut self, text: Text<'_>, end: usize) -> Option<Token> {
        let pos = self.pos;
        let column = pos as i64 - self.line as i64;
        let Level { spaces, status, .. } = self.top();
        if spaces < column {
            if status.is_flow() {
                self.pos = end;
                return None;
            }
            self.push(column, Status::Block);
            return Some(Token::new(Kind::Open, pos, pos));
        }
        self.opens = true;
        let is_line_end =
            text.at(end) == b'#' || text.line_break(end) > 0 || text.at(end - 1) == b'\n';
        self.pos = if is_line_end { end - 1 } else { end };
        let content = if is_line_end { column + 1 } else { end as i64 - self.line as i64 };
        self.push(content, Status::Entry);
        let kind = if text.at(pos) == b'-' { Kind::Dash } else { Kind::Question };
        Some(Token::new(kind, pos, pos + 1))
    }

    /// Scans a scalar, an alias, or an opening bracket.
    fn content(&mut self, text: Text<'_>) -> Token {
        let pos = self.pos;
        match text.at(pos) {
            b'"' | b'\'' => return self.quoted(text),
            open @ (b'[' | b'{') => {
                self.pos += 1;
                let is_sequence = open == b'[';
                let status = if is_sequence { Status::FlowSequence } else { Status::FlowMapping };
                self.push(self.top().spaces + 1, status);
                let kind = if is_sequence { Kind::SequenceOpen } else { Kind::MappingOpen };
                return Token::new(kind, pos, pos + 1);
            }
            b'*' => {
                if let Some(end) = name(text, pos + 1) {
                    self.pos = end;
                    return Token::new(Kind::Alias, pos, end);
                }
            }
            _ => {}
        }
        self.plain(text)
    }

    /// Scans a plain scalar.
    fn plain(&mut self, text: Text<'_>) -> Token {
        let start = self.pos;
        let around = match self.top().status {
            Status::FlowSequence => Around::Sequence,
            Status::FlowMapping => Around::Mapping,
            _ => Around::Block,
        };
        let parent = self.true_indent(start as i64 - self.line as i64);
        let found = plain::scan(text, start, around, parent);
        self.pos = found.resume;
        self.line = found.line.unwrap_or(self.line);
        let scalar = ScalarToken {
            style: Style::Plain,
            is_verbatim: !found.is_multiline,
            is_trimmed: found.is_trimmed,
            before_marker: false,
            indent: 0,
        };
        Token { kind: Kind::Scalar, start, end: found.end, scalar: Some(scalar) }
    }

    /// Returns the indentation of the block around the current node, which is at `column`.
    fn true_indent(&self, column: i64) -> i64 {
        let Level { spaces, status, .. } = self.top();
        let is_own = status == Status::Entry || spaces == column && status != Status::Mapping;
        match self.levels.len().checked_sub(2) {
            Some(outer) if is_own => self.levels[outer].spaces,
            _ => spaces,
        }
    }

    /// Scans a quoted scalar.
    fn quoted(&mut self, text: Text<'_>) -> Token {
        let start = self.pos;
        let is_single = text.at(start) == b'\'';
        let found = match is_single {
            true => quoted::single(text, start + 1, &mut Nowhere),
            false => quoted::double(text, start + 1, &mut Nowhere),
        };
        let Quoted { end, is_closed, line, is_changed, unknown_escape } = found;
        self.pos = end;
        self.line = line.unwrap_or(self.line);
        if !is_closed {
            self.warn(Problem::SyckOpenQuote, start, 1);
        }
        if let Some(at) = unknown_escape {
            self.warn(Problem::SyckEscape, at, 2);
        }
        let scalar = ScalarToken {
            style: if is_single { Style::SingleQuoted } else { Style::DoubleQuoted },
            is_verbatim: !is_changed,
            is_trimmed: false,
            before_marker: false,
            indent: 0,
        };
        Token { kind: Kind::Scalar, start, end, scalar: Some(scalar) }
    }

    /// Scans the block scalar at the current position, whose indicator ends at `end`.
    fn block(&mut self, text: Text<'_>, end: usize) -> Token {
        let start = self.pos;
        let found =
            block::scan(text, start, end, |end, line| self.true_indent((end - line) as i64));
        self.pos = found.resume;
        self.line = found.line.unwrap_or(self.line);
        if found.at_end && found.indent.is_none() {
            self.pop();
        }
        let style = if text.at(start) == b'|' { Style::Literal } else { Style::Folded };
        let scalar = ScalarToken {
            style,
            is_verbatim: false,
            is_trimmed: false,
            before_marker: found.before_marker,
            indent: u32::try_from(found.indent.unwrap_or(0)).unwrap_or(u32::MAX),
        };
        Token { kind: Kind::Block, start, end: found.end, scalar: Some(scalar) }
    }

    /// Scans a tag, which ends at a space or line break. Stores the expanded tag in
    /// [`Scanner::tag`].
    fn tag(&mut self, text: Text<'_>) -> Token {
        let start = self.pos;
        let mut written = Vec::new();
        let mut pos = start + 1;
        while !text.is_end(pos) && text.at(pos) != b' ' && text.line_break(pos) == 0 {
            let escaped =
                (text.at(pos) == b'\\').then(|| quoted::escaped_byte(text, pos)).flatten();
            let (byte, end) = escaped.unwrap_or((text.at(pos), pos + 1));
            written.push(byte);
            pos = end;
        }
        self.pos = pos;
        if pos == start + 1 {
            return Token::new(Kind::Implicit, start, pos);
        }
        let prefix = self.top().prefix.checked_sub(1).map(|index| index as usize);
        let known = prefix.and_then(|index| self.prefixes.get(index));
        let written = match written.strip_prefix(b"^") {
            Some(rest) => [known.map_or(&[][..], Vec::as_slice), rest].concat(),
            None => match written.iter().position(|&byte| byte == b'^') {
                Some(at) => {
                    self.prefixes.push(written[..at].to_vec());
                    let index = self.prefixes.len() as u32;
                    if let Some(level) = self.levels.last_mut() {
                        level.prefix = index;
                    }
                    [&written[..at], &written[at + 1..]].concat()
                }
                None => written,
            },
        };
        self.tag.clear();
        tag::expand(&written, &mut self.tag);
        Token::new(Kind::Tag, start, pos)
    }
}

/// Returns the end of the blanks or the comment at `pos`; `None` if there are none.
fn passed(text: Text<'_>, pos: usize) -> Option<usize> {
    match text.at(pos) {
        b' ' | b'\t' => Some(blanks(text, pos)),
        b'#' => Some(text.comment(pos + 1)),
        _ => None,
    }
}

/// Returns the end of the text at `pos` that is skipped in brackets, where a block would have
/// opened in block context. Returns `None` if nothing is skipped.
fn skipped(text: Text<'_>, pos: usize) -> Option<usize> {
    match text.at(pos) {
        b'\'' | b'"' | b'[' | b'{' => Some(pos + 1),
        b'*' => name(text, pos + 1),
        _ => None,
    }
}

/// Returns the end of the spaces and tabs at `pos`.
pub(super) fn blanks(text: Text<'_>, mut pos: usize) -> usize {
    while matches!(text.at(pos), b' ' | b'\t') {
        pos += 1;
    }
    pos
}

/// Returns the end of the name of an anchor or alias at `pos`; `None` if there is no name.
pub(super) fn name(text: Text<'_>, pos: usize) -> Option<usize> {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let mut end = pos;
    while is_name(text.at(end)) {
        end += 1;
    }
    (end > pos).then_some(end)
}

/// Returns whether the byte at `pos`, which is `byte`, starts a marker. A marker is this byte three
/// times, followed by a space or a line break.
fn is_marker(text: Text<'_>, pos: usize, byte: u8) -> bool {
    text.at(pos + 1) == byte && text.at(pos + 2) == byte && text.after_indicator(pos + 3).is_some()
}

/// Returns the end of the blanks and directives, such as `%YAML:1.0`, at `pos`. They follow a
/// `---`.
fn directives(text: Text<'_>, mut pos: usize) -> usize {
    loop {
        match text.at(pos) {
            b' ' | b'\t' => pos = blanks(text, pos),
            b'%' => {
                let mut end = pos + 1;
                while matches!(text.at(end), b'.'..=b'_' | b'a'..=b'z') {
                    end += 1;
                }
                let word = text.0.get(pos + 1..end).unwrap_or_default();
                let colon = word.iter().skip(1).position(|&byte| byte == b':');
                if colon.is_none_or(|at| at + 2 >= word.len()) {
                    return pos;
                }
                pos = end;
            }
            _ => return pos,
        }
    }
}
