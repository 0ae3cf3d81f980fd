//! Parses escapes.

use super::parser::Parser;
use crate::dialect::Rule;
use crate::error::{Error, Result};
use crate::problem::Problem;
use crate::tree::{Assertion, Escape, Kind, Reference, Shorthand};
use crate::unicode;

impl Parser<'_> {
    /// Parses an escape outside of classes, after its backslash.
    pub(super) fn escape(&mut self, start: usize) -> Result<Escape> {
        let from = self.at;
        let Some(char) = self.bump() else {
            return Err(self.short_escape(start));
        };
        let kind = match char {
            'A' => Kind::Assertion(Assertion::TextStart),
            'z' => Kind::Assertion(Assertion::TextEnd),
            'Z' => Kind::Assertion(Assertion::TextEndLine),
            'b' => Kind::Assertion(Assertion::Word),
            'B' => Kind::Assertion(Assertion::NotWord),
            'G' => Kind::Assertion(Assertion::SearchStart),
            'K' => Kind::Keep,
            'R' => Kind::LineBreak,
            'X' => Kind::Grapheme,
            'N' | 'O' if self.rules.syntax.has(Rule::SUPER_DOT) => {
                return Ok(Escape::Dot(char == 'O'));
            }
            'Q' if self.rules.syntax.has(Rule::QUOTE) => return Ok(self.quote()),
            'y' | 'Y' if self.rules.oniguruma => {
                let problem = Problem::Irregular("a boundary between graphemes");
                return Err(self.error(problem, start));
            }
            'k' => match self.back_reference(start)? {
                Some(kind) => kind,
                None => Kind::Char('k' as u32),
            },
            'g' => match self.call(start)? {
                Some(call) => return Ok(call),
                None => Kind::Char('g' as u32),
            },
            '1'..='9' => {
                self.at = from;
                match self.numbered_reference(start)? {
                    Some(kind) => kind,
                    None => return self.character(start),
                }
            }
            _ => {
                self.at = from;
                return match self.set_escape(start)? {
                    Some(kind) => Ok(Escape::Node(kind)),
                    None => self.character(start),
                };
            }
        };
        Ok(Escape::Node(kind))
    }

    /// Returns the error for an escape at the end of the pattern.
    fn short_escape(&self, start: usize) -> Error {
        let problem =
            if self.rules.oniguruma { Problem::EndAtEscape } else { Problem::ShortEscape };
        self.error(problem, start)
    }

    /// Parses an escape such as `\10` as a back-reference, if the number is at most 9 or at most
    /// the number of groups so far. Otherwise, returns `None`.
    fn numbered_reference(&mut self, start: usize) -> Result<Option<Kind>> {
        let from = self.at;
        let digits = self.pattern[from..].bytes().take_while(u8::is_ascii_digit).count();
        let number = self.pattern[from..from + digits].parse::<u32>().ok();
        let Some(number) = number.filter(|&number| number <= 9 || number <= self.groups) else {
            return Ok(None);
        };
        self.at += digits;
        self.note_number(start);
        Ok(Some(Kind::BackReference(Reference::Number(number), None)))
    }

    /// Parses `\w`, `\p{...}` and similar escapes, after the backslash. Returns `None` for other
    /// escapes.
    pub(super) fn set_escape(&mut self, start: usize) -> Result<Option<Kind>> {
        let Some(char) = self.peek() else { return Ok(None) };
        let shorthand = match char.to_ascii_lowercase() {
            'w' => Shorthand::Word,
            'd' => Shorthand::Digit,
            's' => Shorthand::Space,
            'h' if self.rules.syntax.has(Rule::HEX_DIGIT) => Shorthand::Hex,
            'p' if self.pattern[self.at + 1..].starts_with('{') => {
                self.at += 2;
                return self.property(char == 'P', start).map(Some);
            }
            _ => return Ok(None),
        };
        self.at += 1;
        Ok(Some(Kind::Shorthand(shorthand, char.is_ascii_uppercase())))
    }

    /// Reads the name of a property, after `\p{` or `\P{`. `negated` says which of these it was.
    fn property(&mut self, negated: bool, start: usize) -> Result<Kind> {
        let caret = self.eat("^");
        if self.rules.oniguruma {
            return self.own_property(negated != caret, start);
        }
        let rest = &self.pattern[self.at..];
        let Some(length) = rest.find('}') else {
            let mut name = rest.to_string();
            name.pop();
            self.at = self.pattern.len();
            return Err(self.error(Problem::UnknownProperty(name), start));
        };
        let name = rest[..length].to_string();
        self.at += length + 1;
        match self.is_property(&name) {
            true => Ok(Kind::Property(name, negated != caret)),
            false => Err(self.error(Problem::UnknownProperty(name), start)),
        }
    }

    /// Returns whether there is a property called `name`. As in Ruby, properties of bytes are those
    /// of POSIX.
    pub(super) fn is_property(&self, name: &str) -> bool {
        match self.rules.binary {
            true => unicode::bracket(&name.to_ascii_lowercase()).is_some(),
            false => unicode::is_property(name),
        }
    }

    /// Parses an escaped character, after the backslash.
    pub(super) fn character(&mut self, start: usize) -> Result<Escape> {
        if self.rules.syntax.has(Rule::UNICODE_HEX) && self.eat("u") {
            return self.unicode(start).map(Escape::Chars);
        }
        if let Some(codes) = self.code_list(start)? {
            return Ok(Escape::Chars(codes));
        }
        let code = self.byte(start)?;
        let Byte::Escaped(byte) = code else {
            let Byte::Char(char) = code else {
                return Err(self.error(Problem::ShortEscape, start));
            };
            return Ok(Escape::Chars(vec![char]));
        };
        if byte < 0x80 || self.rules.binary {
            return Ok(Escape::Chars(vec![u32::from(byte)]));
        }
        let length = match byte {
            0xC0 | 0xC1 if self.rules.oniguruma => 2,
            0xC2..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xF4 => 4,
            _ => return Err(self.invalid_bytes(start)),
        };
        let mut bytes = vec![byte];
        while bytes.len() < length {
            if !self.eat("\\") {
                let short =
                    if self.rules.oniguruma { Problem::ShortCode } else { Problem::ShortBytes };
                return Err(self.error(short, start));
            }
            match self.byte(start)? {
                Byte::Escaped(byte) => bytes.push(byte),
                Byte::Char(_) => return Err(self.invalid_bytes(start)),
            }
        }
        match std::str::from_utf8(&bytes).ok().and_then(|text| text.chars().next()) {
            Some(char) => Ok(Escape::Chars(vec![char as u32])),
            None => Err(self.invalid_bytes(start)),
        }
    }

    /// Returns the error for escaped bytes that are not a character.
    fn invalid_bytes(&self, start: usize) -> Error {
        let problem =
            if self.rules.oniguruma { Problem::InvalidCodePoint } else { Problem::InvalidBytes };
        self.error(problem, start)
    }

    /// Reads an escaped byte, or a character to which the backslash gives no special meaning.
    pub(super) fn byte(&mut self, start: usize) -> Result<Byte> {
        let Some(char) = self.bump() else {
            return Err(self.short_escape(start));
        };
        let byte = match char {
            't' => b'\t',
            'n' => b'\n',
            'v' if self.rules.syntax.has(Rule::VERTICAL_TAB) => 0x0B,
            'r' => b'\r',
            'f' => 0x0C,
            'a' => 0x07,
            'e' => 0x1B,
            'x' if self.rules.oniguruma && matches!(self.peek(), None | Some('{')) => {
                return Ok(Byte::Char(u32::from('x')));
            }
            'x' => {
                let (value, digits) = self.number(16, 2);
                if digits == 0 && !self.rules.oniguruma {
                    return Err(self.error(Problem::InvalidHex, start));
                }
                value as u8
            }
            '0'..='7' => {
                self.at -= 1;
                let (value, _) = self.number(8, 3);
                match u8::try_from(value) {
                    Ok(byte) => byte,
                    Err(_) if self.rules.oniguruma => {
                        return Err(self.error(Problem::NumberTooBig, start));
                    }
                    Err(_) => return Err(self.error(Problem::InvalidCode, start)),
                }
            }
            'c' if self.rules.oniguruma => return self.own_control(start),
            'c' | 'C' | 'M' if !self.rules.oniguruma => {
                self.at -= 1;
                self.control(start)?
            }
            _ => return Ok(Byte::Char(char as u32)),
        };
        Ok(Byte::Escaped(byte))
    }

    /// Reads up to `max` digits in the base `radix`. Returns their value and the number of digits.
    pub(super) fn number(&mut self, radix: u32, max: usize) -> (u32, usize) {
        let (mut value, mut digits) = (0, 0);
        while digits < max
            && let Some(digit) = self.peek().and_then(|char| char.to_digit(radix))
        {
            value = value * radix + digit;
            digits += 1;
            self.at += 1;
        }
        (value, digits)
    }

    /// Reads `\cx`, `\C-x`, `\M-x` and combinations of these, from the letter after the backslash.
    fn control(&mut self, start: usize) -> Result<u8> {
        let (mut control, mut meta) = (false, false);
        loop {
            let problem = match self.bump() {
                Some('M') if meta => return Err(self.error(Problem::DuplicateMeta, start)),
                Some('c') if control => {
                    return Err(self.error(Problem::DuplicateControl, start));
                }
                Some('C') if control && self.eat("-") => {
                    return Err(self.error(Problem::DuplicateControl, start));
                }
                Some('c') => {
                    control = true;
                    Problem::ShortControl
                }
                Some('C') if self.eat("-") => {
                    control = true;
                    Problem::ShortControl
                }
                Some('M') if self.eat("-") => {
                    meta = true;
                    Problem::ShortMeta
                }
                Some('M') => return Err(self.error(Problem::ShortMeta, start)),
                _ => return Err(self.error(Problem::ShortControl, start)),
            };
            let byte = match self.bump() {
                Some('\\') if self.peek().is_some_and(|char| matches!(char, 'c' | 'C' | 'M')) => {
                    continue;
                }
                Some('\\') => match self.byte(start)? {
                    Byte::Escaped(byte) => byte,
                    Byte::Char(0x5C) => b'\\',
                    Byte::Char(_) => return Err(self.error(Problem::UnexpectedEscape, start)),
                },
                Some(char) if char.is_ascii() => char as u8,
                _ => return Err(self.error(problem, start)),
            };
            let byte = match control {
                true if byte == b'?' => 0x7F,
                true => byte & 0x9F,
                false => byte,
            };
            return Ok(if meta { byte | 0x80 } else { byte });
        }
    }

    /// Reads `\uHHHH` or `\u{H H}`, after the `u`.
    fn unicode(&mut self, start: usize) -> Result<Vec<u32>> {
        if self.peek().is_none() {
            return Err(self.short_escape(start));
        }
        if !self.eat("{") {
            let (code, digits) = self.number(16, 4);
            if digits < 4 {
                return Err(self.error(Problem::InvalidUnicode, start));
            }
            return Ok(vec![self.code_point(code, start)?]);
        }
        let mut codes = Vec::new();
        loop {
            while matches!(self.peek(), Some(' ' | '\t')) {
                self.at += 1;
            }
            if !codes.is_empty() && self.eat("}") {
                return Ok(codes);
            }
            let (code, digits) = self.number(16, 7);
            match digits {
                0 => return Err(self.error(Problem::InvalidUnicodeList, start)),
                7 => return Err(self.error(Problem::UnicodeRange, start)),
                _ => codes.push(self.code_point(code, start)?),
            }
        }
    }

    /// Returns `code`, or fails if it is not a character or, in a binary pattern, not ASCII.
    fn code_point(&self, code: u32, start: usize) -> Result<u32> {
        match char::from_u32(code) {
            Some(_) if !self.rules.binary || code < 0x80 => Ok(code),
            Some(_) => Err(self.error(Problem::NonAsciiBinary, start)),
            None => Err(self.error(Problem::UnicodeRange, start)),
        }
    }
}

/// An escaped byte, or a character to which the backslash gives no special meaning.
pub(super) enum Byte {
    Escaped(u8),
    Char(u32),
}
