//! The lexer: from text to tokens.

use super::error::SyntaxError;
use super::token::{Bracket, Kind, Token, Word};
use super::tree::Span;

/// Makes tokens of a source, one at a time.
pub(super) struct Lexer<'s> {
    source: &'s str,
    position: usize,
    /// Whether the position is in a string, outside of its interpolations.
    in_string: bool,
    /// Where the open strings begin.
    strings: Vec<usize>,
    /// For each open interpolation, the number of `(` that are open in it.
    parentheses: Vec<usize>,
    /// The unescaped text of the last [`Kind::StringText`].
    text: String,
}

impl<'s> Lexer<'s> {
    /// A lexer at the beginning of a source.
    pub fn new(source: &'s str) -> Self {
        Self {
            source,
            position: 0,
            in_string: false,
            strings: Vec::new(),
            parentheses: Vec::new(),
            text: String::new(),
        }
    }

    /// The unescaped text of the last [`Kind::StringText`].
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The next token. At the end, it is [`Kind::End`] forever.
    pub fn next_token(&mut self) -> Result<Token, SyntaxError> {
        if self.in_string { self.string_token() } else { self.program_token() }
    }

    /// What follows the position.
    fn rest(&self) -> &'s str {
        &self.source[self.position..]
    }

    /// The byte at the position, and some further on.
    fn byte(&self, ahead: usize) -> Option<u8> {
        self.source.as_bytes().get(self.position + ahead).copied()
    }

    /// The span of this number of bytes at the position.
    fn span(&self, length: usize) -> Span {
        span(self.position, self.position + length)
    }

    /// A token of this number of bytes, which the position passes.
    fn take(&mut self, kind: Kind, length: usize) -> Token {
        let token = Token { kind, span: self.span(length) };
        self.position += length;
        token
    }

    /// The next token outside of strings.
    fn program_token(&mut self) -> Result<Token, SyntaxError> {
        self.skip_space();
        let Some(first) = self.byte(0) else { return Ok(self.take(Kind::End, 0)) };
        let named = match first {
            b'"' => return Ok(self.start_string()),
            b'$' => self.binding(),
            b'@' => self.format(),
            b'.' => self.field(),
            _ => self.word(),
        };
        if let Some((kind, length)) = named.or_else(|| self.number()) {
            return Ok(self.take(kind, length));
        }
        match Kind::symbol(self.rest()) {
            Some((kind, length)) => Ok(self.symbol(kind, length)),
            None => Err(self.stray_character()),
        }
    }

    /// Passes spaces and comments.
    fn skip_space(&mut self) {
        while let Some(byte) = self.byte(0) {
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' => self.position += 1,
                b'#' => self.skip_comment(),
                _ => return,
            }
        }
    }

    /// Passes a comment. It goes on over the end of the line after an odd number of backslashes.
    fn skip_comment(&mut self) {
        while let Some(byte) = self.byte(0) {
            self.position += match (byte, self.byte(1), self.byte(2)) {
                (b'\n', ..) => return,
                (b'\\', Some(b'\\' | b'\n'), _) => 2,
                (b'\\', Some(b'\r'), Some(b'\n')) => 3,
                _ => 1,
            };
        }
    }

    /// A name of a function, or a reserved word.
    fn word(&self) -> Option<(Kind, usize)> {
        let length = self.qualified_name(0)?;
        let word = Word::of(&self.rest()[..length]);
        Some((word.map_or(Kind::Identifier, Kind::Word), length))
    }

    /// `$name`.
    fn binding(&self) -> Option<(Kind, usize)> {
        let length = 1 + self.qualified_name(1)?;
        let location = &self.rest()[..length] == "$__loc__";
        Some((if location { Kind::Location } else { Kind::Binding }, length))
    }

    /// `.name`.
    fn field(&self) -> Option<(Kind, usize)> {
        Some((Kind::Field, 1 + self.name(1)?))
    }

    /// `@name`, which may begin with a digit.
    fn format(&self) -> Option<(Kind, usize)> {
        let length = self.count(1, is_name_byte);
        (length > 0).then_some((Kind::Format, 1 + length))
    }

    /// The length of a name that begins after some bytes.
    fn name(&self, ahead: usize) -> Option<usize> {
        let begins =
            self.byte(ahead).is_some_and(|byte| is_name_byte(byte) && !byte.is_ascii_digit());
        begins.then(|| self.count(ahead, is_name_byte))
    }

    /// The length of a name that may be qualified by names of modules.
    fn qualified_name(&self, ahead: usize) -> Option<usize> {
        let mut length = self.name(ahead)?;
        while self.rest()[ahead + length..].starts_with("::") {
            let Some(more) = self.name(ahead + length + 2) else { break };
            length += 2 + more;
        }
        Some(length)
    }

    /// The number of bytes of a kind that follow after some bytes.
    fn count(&self, ahead: usize, is_counted: fn(u8) -> bool) -> usize {
        self.source.as_bytes()[self.position + ahead..]
            .iter()
            .take_while(|byte| is_counted(**byte))
            .count()
    }

    /// A number: digits, a fraction and an exponent.
    fn number(&self) -> Option<(Kind, usize)> {
        let whole = self.count(0, is_digit);
        let mut length = whole;
        if self.byte(length) == Some(b'.') {
            let fraction = self.count(length + 1, is_digit);
            if whole + fraction > 0 {
                length += 1 + fraction;
            }
        }
        (length > 0).then(|| (Kind::Number, length + self.exponent(length)))
    }

    /// The length of the exponent of a number, which may have none.
    fn exponent(&self, ahead: usize) -> usize {
        if !matches!(self.byte(ahead), Some(b'e' | b'E')) {
            return 0;
        }
        let sign = usize::from(matches!(self.byte(ahead + 1), Some(b'+' | b'-')));
        match self.count(ahead + 1 + sign, is_digit) {
            0 => 0,
            digits => 1 + sign + digits,
        }
    }

    /// A symbol. The `)` that closes an interpolation is a token of its own.
    fn symbol(&mut self, kind: Kind, length: usize) -> Token {
        let mut kind = kind;
        if let Some(depth) = self.parentheses.last_mut() {
            match kind {
                Kind::Open(Bracket::Round) => *depth += 1,
                Kind::Close(Bracket::Round) if *depth > 0 => *depth -= 1,
                Kind::Close(Bracket::Round) => kind = Kind::InterpolationEnd,
                _ => {}
            }
        }
        if kind == Kind::InterpolationEnd {
            self.parentheses.pop();
            self.in_string = true;
        }
        self.take(kind, length)
    }

    /// The error of a character that begins no token.
    fn stray_character(&self) -> SyntaxError {
        let character = self.rest().chars().next().unwrap_or_default();
        let help = match character {
            '$' => Some("write the name of a variable directly after `$`"),
            '@' => Some("write the name of a format directly after `@`"),
            '!' => Some("write `| not` after the condition"),
            '&' => Some("write `and`"),
            '\'' => Some("strings are in double quotes"),
            _ => None,
        };
        let message = format!("unexpected character `{}`", character.escape_debug());
        let error = SyntaxError::new(self.span(character.len_utf8()), message);
        SyntaxError { help: help.map(str::to_owned), ..error }
    }

    /// The opening quote of a string.
    fn start_string(&mut self) -> Token {
        self.strings.push(self.position);
        self.in_string = true;
        self.take(Kind::StringStart, 1)
    }

    /// The next token in a string.
    fn string_token(&mut self) -> Result<Token, SyntaxError> {
        match (self.byte(0), self.byte(1)) {
            (None, _) => Err(self.unclosed_string()),
            (Some(b'"'), _) => {
                self.strings.pop();
                self.in_string = false;
                Ok(self.take(Kind::StringEnd, 1))
            }
            (Some(b'\\'), Some(b'(')) => {
                self.parentheses.push(0);
                self.in_string = false;
                Ok(self.take(Kind::InterpolationStart, 2))
            }
            _ => self.string_text(),
        }
    }

    /// Text in a string, up to its end or to an interpolation.
    fn string_text(&mut self) -> Result<Token, SyntaxError> {
        self.text.clear();
        let start = self.position;
        loop {
            let rest = self.rest();
            let length = rest.find(['"', '\\']).unwrap_or(rest.len());
            self.text.push_str(&rest[..length]);
            self.position += length;
            if !rest[length..].starts_with('\\') || rest[length..].starts_with("\\(") {
                break;
            }
            self.escape()?;
        }
        Ok(Token { kind: Kind::StringText, span: span(start, self.position) })
    }

    /// A backslash and what it escapes.
    fn escape(&mut self) -> Result<(), SyntaxError> {
        let Some(escaped) = self.rest()[1..].chars().next() else {
            self.position += 1;
            return Err(self.unclosed_string());
        };
        let character = match escaped {
            '"' | '\\' | '/' => escaped,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => return self.unicode_escape(),
            _ => return Err(self.invalid_escape(1 + escaped.len_utf8())),
        };
        self.text.push(character);
        self.position += 2;
        Ok(())
    }

    /// `\uXXXX`, or two of them that are a surrogate pair.
    fn unicode_escape(&mut self) -> Result<(), SyntaxError> {
        let Some(mut code) = self.code_unit(0) else {
            let digits = self.count(2, |byte| byte.is_ascii_alphanumeric()).min(4);
            let help = "write four hexadecimal digits after `\\u`";
            return Err(self.invalid_escape(2 + digits).with_help(help));
        };
        let mut length = 6;
        if (0xd800..0xdc00).contains(&code) {
            let Some(low @ 0xdc00..0xe000) = self.code_unit(6) else {
                let help = "the first half of a surrogate pair needs the second half after it";
                return Err(self.invalid_escape(6).with_help(help));
            };
            code = 0x10000 + ((code - 0xd800) << 10 | (low - 0xdc00));
            length = 12;
        }
        self.text.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
        self.position += length;
        Ok(())
    }

    /// The number of a `\uXXXX` after some bytes.
    fn code_unit(&self, ahead: usize) -> Option<u32> {
        let escape = self.source.as_bytes().get(self.position + ahead..)?.get(..6)?;
        let digits = escape.strip_prefix(b"\\u")?;
        digits
            .iter()
            .try_fold(0, |number, digit| Some(number << 4 | char::from(*digit).to_digit(16)?))
    }

    /// The error of an escape of this number of bytes.
    fn invalid_escape(&self, length: usize) -> SyntaxError {
        let text = &self.rest()[..length];
        SyntaxError::new(self.span(length), format!("invalid escape `{}`", text.escape_debug()))
    }

    /// The error of the end of the source in a string.
    fn unclosed_string(&self) -> SyntaxError {
        let start = self.strings.last().copied().unwrap_or_default();
        let place = place(self.source, start);
        let message = format!("unexpected end: the string that begins at {place} is not closed");
        SyntaxError::new(span(self.source.len(), self.source.len()), message)
    }
}

/// Whether a byte can be in a name.
fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Whether a byte is a digit.
fn is_digit(byte: u8) -> bool {
    byte.is_ascii_digit()
}

/// A span. The parser takes no source that is too long for its numbers.
fn span(start: usize, end: usize) -> Span {
    let number = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
    Span { start: number(start), end: number(end) }
}

/// The line and the column of an offset, for people.
pub(super) fn place(source: &str, offset: usize) -> String {
    let before = &source[..offset];
    let line = 1 + before.matches('\n').count();
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    format!("line {line}, column {}", 1 + before[start..].chars().count())
}
