//! The tokens of messages.

use super::{Result, error};
use crate::json::parse_json;
use crate::syntax::Span;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    End,
    Name,
    Number,
    /// An opening quote.
    Quote,
    /// An operator, a bracket or another sign.
    Sign(&'static str),
}

/// A token, its place, and whether a blank or comment is before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub kind: Kind,
    pub span: Span,
    pub is_spaced: bool,
}

/// What ends a piece of a text in double quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PieceEnd {
    Quote,
    /// `#{`
    Query,
}

/// The signs, longer ones before those that they start with.
const SIGNS: [&str; 25] = [
    "**", "==", "!=", "<=", ">=", "(", ")", "[", "]", "{", "}", ",", ":", ";", ".", "?", "=", "<",
    ">", "+", "-", "*", "/", "%", "$",
];

#[derive(Clone, Copy, Debug)]
pub(super) struct Lexer<'t> {
    pub text: &'t str,
    pub at: usize,
}

impl<'t> Lexer<'t> {
    /// Returns what is left.
    pub fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Returns the place from `start` up to here.
    pub fn span(&self, start: usize) -> Span {
        Span { start: start as u32, end: self.at as u32 }
    }

    /// Takes the next token.
    pub fn token(&mut self) -> Result<Token> {
        let before = self.at;
        self.skip_blanks();
        let (is_spaced, start, rest) = (self.at > before, self.at, self.rest());
        let (kind, length) = match rest.chars().next() {
            None => (Kind::End, 0),
            Some(ch) if ch.is_alphabetic() || ch == '_' => (Kind::Name, name_length(rest)),
            Some(ch) if ch.is_ascii_digit() => (Kind::Number, number_length(rest)),
            Some('"' | '\'') => (Kind::Quote, 1),
            Some(ch) => match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
                Some(sign) => (Kind::Sign(sign), sign.len()),
                None => {
                    self.at += ch.len_utf8();
                    let message = format!("unexpected character `{ch}`");
                    return Err(error("syntax", self.span(start), message));
                }
            },
        };
        self.at += length;
        Ok(Token { kind, span: self.span(start), is_spaced })
    }

    /// Skips blanks and comments.
    fn skip_blanks(&mut self) {
        loop {
            let rest = self.rest().trim_start();
            self.at = self.text.len() - rest.len();
            if !rest.starts_with('#') {
                return;
            }
            self.at += rest.find('\n').unwrap_or(rest.len());
        }
    }

    /// Takes the digits of a step.
    pub fn digits(&mut self) -> &'t str {
        let rest = self.rest();
        let length = rest.bytes().take_while(u8::is_ascii_digit).count();
        self.at += length;
        &rest[..length]
    }

    /// Takes the rest of a text in single quotes, in which two quotes stand for one.
    pub fn single_quoted(&mut self) -> Result<String> {
        let mut text = String::new();
        loop {
            let rest = self.rest();
            let Some(end) = rest.find('\'') else { return Err(self.unfinished()) };
            text.push_str(&rest[..end]);
            self.at += end + 1;
            if !self.rest().starts_with('\'') {
                return Ok(text);
            }
            text.push('\'');
            self.at += 1;
        }
    }

    /// Takes a piece of a text in double quotes, and what ends it.
    pub fn piece(&mut self) -> Result<(String, PieceEnd)> {
        let mut text = String::new();
        loop {
            let start = self.at;
            let Some(ch) = self.rest().chars().next() else { return Err(self.unfinished()) };
            self.at += ch.len_utf8();
            match ch {
                '"' => return Ok((text, PieceEnd::Quote)),
                '#' if self.rest().starts_with('{') => {
                    self.at += 1;
                    return Ok((text, PieceEnd::Query));
                }
                '\\' => {
                    self.at = start;
                    text.push_str(&self.escapes()?);
                }
                ch => text.push(ch),
            }
        }
    }

    /// Takes escapes, as in JSON.
    fn escapes(&mut self) -> Result<String> {
        let start = self.at;
        while self.rest().starts_with('\\') {
            let length = if self.rest().starts_with("\\u") { 6 } else { 2 };
            let chars = self.rest().chars().take(length);
            self.at += chars.map(char::len_utf8).sum::<usize>();
        }
        let json = parse_json(&format!("\"{}\"", &self.text[start..self.at]));
        let text = json.ok().and_then(|value| value.as_text());
        let invalid = || error("syntax", self.span(start), "invalid escape in a text");
        text.map(|text| text.to_string()).ok_or_else(invalid)
    }

    /// Returns the error for a text without its closing quote.
    fn unfinished(&self) -> crate::error::QueryError {
        let end = self.text.len() as u32;
        error("syntax", Span { start: end, end }, "the closing quote of a text is missing")
    }
}

/// Returns the length of a name: letters, digits, `_`, and hyphens before one of these.
fn name_length(text: &str) -> usize {
    let is_part = |ch: char| ch.is_alphanumeric() || ch == '_';
    let mut end = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, ch)) = chars.next() {
        let continues = ch == '-' && chars.peek().is_some_and(|(_, next)| is_part(*next));
        if !is_part(ch) && !continues {
            break;
        }
        end = at + ch.len_utf8();
    }
    end
}

/// Returns the length of a number: digits, perhaps with a fraction and an exponent.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |from: usize| {
        let rest = bytes.get(from..).unwrap_or_default();
        rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
    };
    let mut end = digits(0);
    if bytes.get(end) == Some(&b'.') && digits(end + 1) > 0 {
        end += 1 + digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let count = digits(end + 1 + sign);
        end += if count > 0 { 1 + sign + count } else { 0 };
    }
    end
}
