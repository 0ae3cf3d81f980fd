//! Splits a schema into words (specification 11.1).

use super::diagnostic::{Diagnostic, Rule, Span};

/// A word and its location.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Word {
    pub(crate) kind: WordKind,
    pub(crate) span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum WordKind {
    /// A name that starts with a lowercase letter or `_`, or a reserved word.
    Lower(String),
    /// A name that starts with a capital letter.
    Upper(String),
    /// `'a`, without the quote.
    Variable(String),
    String(Vec<u8>),
    /// An integer without its sign, and whether it ends in `L`.
    Int(u128, bool),
    /// A float without its sign, as written.
    Float(String),
    /// An operator or a bracket.
    Sign(&'static str),
    End,
}

/// The operators and brackets, the longer ones first. Unlike in the reference implementation, `>`
/// needs no space after it.
const SIGNS: [&str; 18] =
    ["[|", "|]", "[@", "{|", "|}", "=", "|", "{", "}", "[", "]", "(", ")", "<", ">", "*", ":", ";"];
const SIGNS_MORE: [&str; 3] = [",", ".", "-"];

pub(crate) struct Words {
    pub(crate) words: Vec<Word>,
    pub(crate) comments: Vec<Span>,
}

/// Splits the text of the file with the number `file` into words. The last one is
/// [`WordKind::End`].
pub(crate) fn words(text: &str, file: u32) -> Result<Words, Diagnostic> {
    let mut lexer = Lexer { text, bytes: text.as_bytes(), at: 0, file, comments: Vec::new() };
    let mut words = Vec::new();
    loop {
        lexer.skip_blank()?;
        let start = lexer.at;
        let kind = lexer.word()?;
        let end = kind == WordKind::End;
        words.push(Word { kind, span: lexer.span(start) });
        if end {
            return Ok(Words { words, comments: lexer.comments });
        }
    }
}

struct Lexer<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    file: u32,
    comments: Vec<Span>,
}

impl Lexer<'_> {
    /// Returns the span from `start` to the current position.
    fn span(&self, start: usize) -> Span {
        Span { file: self.file, start: start as u32, end: self.at as u32 }
    }

    /// Returns the next byte, or `None` at the end of the text.
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Returns a syntax error for the span from `start` to the current position.
    fn error(&self, start: usize, message: &str, help: &str) -> Diagnostic {
        let mut span = self.span(start);
        span.end = span.end.max(span.start + 1);
        Diagnostic {
            rule: Rule::Syntax,
            span,
            message: message.into(),
            help: help.into(),
            related: None,
        }
    }

    /// Moves past all next bytes that pass `test`, and returns them.
    fn eat_while(&mut self, test: impl Fn(u8) -> bool) -> &str {
        let start = self.at;
        while self.peek().is_some_and(&test) {
            self.at += 1;
        }
        &self.text[start..self.at]
    }

    /// Moves past white space, comments and line directives.
    fn skip_blank(&mut self) -> Result<(), Diagnostic> {
        loop {
            self.eat_while(|b| matches!(b, b' ' | b'\t' | b'\r' | b'\n'));
            if self.bytes[self.at..].starts_with(b"(*") {
                self.skip_comment()?;
            } else if self.peek() == Some(b'#') {
                self.skip_directive()?;
            } else {
                return Ok(());
            }
        }
    }

    /// Skips a comment. Comments nest, and a string inside a comment may contain `*)`.
    fn skip_comment(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        let mut depth = 0usize;
        loop {
            match &self.bytes[self.at..] {
                [b'(', b'*', ..] => {
                    depth += 1;
                    self.at += 2;
                }
                [b'*', b')', ..] => {
                    depth -= 1;
                    self.at += 2;
                    if depth == 0 {
                        self.comments.push(self.span(start));
                        return Ok(());
                    }
                }
                [b'"', ..] => {
                    self.string()?;
                }
                [_, ..] => self.at += 1,
                [] => {
                    self.at = start + 2;
                    let help = "close it with *); comments nest, and quotes inside them must match";
                    return Err(self.error(start, "this comment is never closed", help));
                }
            }
        }
    }

    /// Skips a line directive, such as `#1 "file"`, up to the end of its line.
    fn skip_directive(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        let line = self.text[start..].split(['\n', '\r']).next().unwrap_or("");
        let rest = line[1..].trim_start_matches([' ', '\t']);
        let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        if after.len() == rest.len() || !after.trim_start().starts_with('"') {
            self.at += 1;
            let help = "write comments as (* ... *)";
            return Err(self.error(start, "# does not start a comment here", help));
        }
        self.at += line.len();
        self.comments.push(self.span(start));
        Ok(())
    }

    /// Reads the next word.
    fn word(&mut self) -> Result<WordKind, Diagnostic> {
        let start = self.at;
        let Some(byte) = self.peek() else {
            return Ok(WordKind::End);
        };
        match byte {
            b'a'..=b'z' | b'_' => Ok(WordKind::Lower(self.identifier())),
            b'A'..=b'Z' => Ok(WordKind::Upper(self.identifier())),
            b'0'..=b'9' => self.number(),
            b'"' => self.string().map(WordKind::String),
            b'\'' => {
                self.at += 1;
                if !matches!(self.peek(), Some(b'a'..=b'z' | b'_')) {
                    let help = "write type variables as 'a";
                    return Err(self.error(start, "no type variable follows the quote", help));
                }
                Ok(WordKind::Variable(self.identifier()))
            }
            _ => self.sign(),
        }
    }

    /// Reads letters, digits, `_` and `'`: a name, or the rest of one.
    fn identifier(&mut self) -> String {
        self.eat_while(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'\'').to_owned()
    }

    /// Reads an operator or a bracket.
    fn sign(&mut self) -> Result<WordKind, Diagnostic> {
        let rest = &self.text[self.at..];
        if let Some(sign) = SIGNS.iter().chain(&SIGNS_MORE).find(|sign| rest.starts_with(**sign)) {
            self.at += sign.len();
            return Ok(WordKind::Sign(sign));
        }
        let start = self.at;
        let Some(c) = rest.chars().next() else {
            return Ok(WordKind::End);
        };
        self.at += c.len_utf8();
        let help = match c {
            '\u{feff}' => "remove the byte order mark",
            '/' => "write comments as (* ... *)",
            _ => {
                "names have the letters a to z, digits, _ and '; everything else belongs in comments"
            }
        };
        Err(self.error(start, &format!("the character {c:?} has no meaning here"), help))
    }

    /// Reads an integer or a float.
    fn number(&mut self) -> Result<WordKind, Diagnostic> {
        let start = self.at;
        let radix = match self.bytes.get(self.at..self.at + 2) {
            Some(b"0x" | b"0X") => 16,
            Some(b"0o" | b"0O") => 8,
            Some(b"0b" | b"0B") => 2,
            _ => 10,
        };
        if radix != 10 {
            self.at += 2;
        }
        let digits: String = self
            .eat_while(|b| (b as char).is_digit(radix) || b == b'_')
            .chars()
            .filter(|&c| c != '_')
            .collect();
        if radix == 10 && matches!(self.peek(), Some(b'.' | b'e' | b'E')) {
            return self.float(start);
        }
        let value = u128::from_str_radix(&digits, radix);
        let long = self.peek() == Some(b'L');
        self.at += usize::from(long);
        let glued = self.peek().is_some_and(|b| b.is_ascii_alphanumeric() || b == b'_');
        // A minus sign is a separate word, so the magnitude of the smallest integer must be
        // accepted here. The range is checked where the value is used.
        let greatest = if long { 1u128 << 63 } else { 1 << 62 };
        match value {
            Ok(n) if !glued && n <= greatest => Ok(WordKind::Int(n, long)),
            Ok(_) if !glued => {
                let help = "an integer must fit 63 bits, or 64 with an L after it";
                Err(self.error(start, "this integer is too large", help))
            }
            _ => {
                self.identifier();
                let help = "names start with a letter or _; numbers are decimal, 0x, 0o or 0b";
                Err(self.error(start, "this is neither a number nor a name", help))
            }
        }
    }

    /// Reads the rest of a float, from its point or exponent. The float starts at `start`.
    fn float(&mut self, start: usize) -> Result<WordKind, Diagnostic> {
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.eat_while(|b| b.is_ascii_digit() || b == b'_');
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            self.at += usize::from(matches!(self.peek(), Some(b'+' | b'-')));
            self.eat_while(|b| b.is_ascii_digit() || b == b'_');
        }
        let text = self.text[start..self.at].replace('_', "");
        if text.parse::<f64>().is_err() {
            return Err(self.error(start, "this is not a number", "write floats as 1.5 or 1e10"));
        }
        Ok(WordKind::Float(text))
    }

    /// Reads a string, and decodes its escapes.
    fn string(&mut self) -> Result<Vec<u8>, Diagnostic> {
        let start = self.at;
        self.at += 1;
        let mut out = Vec::new();
        loop {
            let Some(byte) = self.peek() else {
                self.at = start + 1;
                return Err(self.error(start, "this string is never closed", "close it with \""));
            };
            self.at += 1;
            match byte {
                b'"' => return Ok(out),
                b'\\' => self.escape(&mut out)?,
                _ => out.push(byte),
            }
        }
    }

    /// Decodes the escape after a backslash, and appends the byte that it stands for to `out`.
    fn escape(&mut self, out: &mut Vec<u8>) -> Result<(), Diagnostic> {
        let start = self.at - 1;
        let rest = &self.bytes[self.at..];
        let code = |digits: &[u8], radix| {
            std::str::from_utf8(digits).ok().and_then(|d| u8::from_str_radix(d, radix).ok())
        };
        let (length, byte) = match rest {
            [b'n', ..] => (1, Some(b'\n')),
            [b't', ..] => (1, Some(b'\t')),
            [b'r', ..] => (1, Some(b'\r')),
            [b'b', ..] => (1, Some(8)),
            [c @ (b'\\' | b'"' | b'\'' | b' '), ..] => (1, Some(*c)),
            [b'x', digits @ ..] if digits.len() >= 2 => (3, code(&digits[..2], 16)),
            [b'0'..=b'9', ..] if rest.len() >= 3 => (3, code(&rest[..3], 10)),
            [b'\n', ..] | [b'\r', b'\n', ..] => {
                // An escaped line break is removed, with the spaces and tabs at the start of the
                // next line.
                self.at += 1 + usize::from(rest[0] == b'\r');
                self.eat_while(|b| b == b' ' || b == b'\t');
                return Ok(());
            }
            _ => (1, None),
        };
        self.at = (self.at + length).min(self.bytes.len());
        match byte {
            Some(byte) => {
                out.push(byte);
                Ok(())
            }
            None => {
                let help =
                    "the escapes are \\n \\t \\r \\b \\\\ \\\" \\' \\ddd (decimal) and \\xhh";
                Err(self.error(start, "this escape does not exist", help))
            }
        }
    }
}
