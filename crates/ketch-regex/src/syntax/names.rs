//! Parses names of groups, references and options.

use super::oniguruma::{is_word, shown};
use super::parser::Parser;
use crate::dialect::Rule;
use crate::error::{Error, Result};
use crate::problem::Problem;
use crate::tree::{Charset, Escape, FlagChange, Kind, Reference, Span};

impl Parser<'_> {
    /// Reads a name up to `close`, and moves past both. Only the first character of the name may be
    /// a `)`.
    pub(super) fn delimited(&mut self, close: char) -> Result<&str> {
        let start = self.at;
        let text = &self.pattern[start..];
        let first = text.chars().next().filter(|&char| char != close);
        let Some(first_char) = first else {
            return Err(self.error(Problem::EmptyName, start));
        };
        let first = first_char.len_utf8();
        if self.rules.oniguruma && !matches!(first_char, '-' | '+') && !is_word(first_char) {
            let length = text[first..].find([close, ')']).map_or(text.len(), |at| first + at);
            let name = shown(&text[..length]);
            self.at += length;
            return Err(self.error(Problem::InvalidNameChar(name), start));
        }
        let length = text[first..].find([close, ')']).map(|length| first + length);
        match length.filter(|&length| text[length..].starts_with(close)) {
            Some(length) => {
                self.at += length + close.len_utf8();
                Ok(&self.pattern[start..start + length])
            }
            None => {
                self.at += length.unwrap_or(text.len());
                Err(self.invalid_name(start))
            }
        }
    }

    /// Returns the error for an invalid name. As in Ruby, it shows the rest of the pattern from
    /// `start` on, and in Oniguruma the name.
    fn invalid_name(&self, start: usize) -> Error {
        if self.rules.oniguruma {
            let name = &self.pattern[start..self.at];
            // Without an end, the last character is taken for it.
            let last = name.char_indices().next_back().map_or(0, |(at, _)| at);
            let ended = self.at < self.pattern.len() || last == 0;
            let name = shown(if ended { name } else { &name[..last] });
            return self.error(Problem::InvalidName(name), start);
        }
        self.error(Problem::InvalidName(self.pattern[start..].to_string()), start)
    }

    /// Reads the name of a group that is being defined, which ends at `close`.
    pub(super) fn group_name(&mut self, close: char) -> Result<String> {
        let start = self.at;
        let name = self.delimited(close)?.to_string();
        let sign = |char| char == '-' || char == '+' && self.rules.oniguruma;
        match name.starts_with(|char: char| sign(char) || char.is_ascii_digit()) {
            true => Err(self.error(Problem::InvalidName(name), start)),
            false => Ok(name),
        }
    }

    /// Parses options such as `i-m:` or `i-m)` after `(?`. Also returns whether they are isolated,
    /// which means that they end with `)`.
    pub(super) fn flag_change(&mut self, start: usize) -> Result<(FlagChange, bool)> {
        let unknown =
            if self.rules.oniguruma { Problem::UndefinedOption } else { Problem::UnknownOption };
        if self.peek() == Some(')') {
            return Err(self.error(unknown, start));
        }
        let perl = self.rules.syntax.has(Rule::PERL_OPTIONS);
        let mut change = FlagChange::default();
        let mut on = true;
        loop {
            let Some(char) = self.bump() else {
                return Err(self.error(Problem::GroupCutShort, start));
            };
            match char {
                ':' => return Ok((change, false)),
                ')' => return Ok((change, true)),
                '-' => on = false,
                'i' => change.ignore_case = Some(on),
                'm' if perl => change.single_line = Some(!on),
                's' if perl => change.dot_all = Some(on),
                'm' => change.dot_all = Some(on),
                'x' => change.extended = Some(on),
                'a' | 'u' | 'd' if self.rules.oniguruma => return Err(self.error(unknown, start)),
                'a' if on => change.charset = Some(Charset::Ascii),
                'u' if on => change.charset = Some(Charset::Unicode),
                'd' if on => change.charset = Some(Charset::Default),
                _ => return Err(self.error(unknown, start)),
            }
        }
    }

    /// Reads the test of a conditional, after `(?(`.
    pub(super) fn condition(&mut self, start: usize) -> Result<Reference> {
        let named = match self.peek() {
            Some('<') => Some('>'),
            Some('\'') => Some('\''),
            Some('0'..='9') => None,
            Some('-' | '+') if self.rules.oniguruma => None,
            Some(_) if self.rules.oniguruma => {
                let problem = Problem::Irregular("a condition that is a pattern");
                return Err(self.error(problem, start));
            }
            Some(_) => return Err(self.error(Problem::InvalidConditional, start)),
            None => return Err(self.error(Problem::UnknownOption, start)),
        };
        let name = match named {
            Some(close) => {
                self.at += 1;
                let from = self.at;
                let name = self.delimited(close)?.to_string();
                // Ruby reads a level, but does not use it.
                self.level(&name, from)?.0.to_string()
            }
            None => {
                let from = self.at;
                let end = self.pattern[from..].find(')').map(|length| from + length);
                self.at = end.unwrap_or(self.pattern.len());
                let name = self.pattern[from..self.at].to_string();
                if end.is_none() {
                    return Err(self.error(Problem::InvalidName(name), from));
                }
                name
            }
        };
        if !self.eat(")") {
            return Err(self.error(Problem::InvalidConditional, start));
        }
        self.reference(&name, start)
    }

    /// Returns the group that a back-reference or a conditional refers to by `name`, which may be a
    /// number.
    fn reference(&mut self, name: &str, start: usize) -> Result<Reference> {
        // Only calls can refer to later groups: `+1` is a name here.
        let named = name.starts_with('+') && !self.rules.oniguruma;
        if let Some(number) = if named { None } else { self.relative(name, start)? } {
            if number == 0 {
                return Err(self.error(Problem::InvalidName(name.to_string()), start));
            }
            self.note_number(start);
            return Ok(Reference::Number(number));
        }
        match self.names.iter().position(|known| known.name == name) {
            Some(index) => Ok(Reference::Name(index as u32)),
            None => Err(self.error(Problem::UndefinedName(self.shown(name)), start)),
        }
    }

    /// Records the location of a reference by number, unless there was one before.
    pub(super) fn note_number(&mut self, start: usize) {
        self.numbered.get_or_insert(Span { start, end: self.at });
    }

    /// Returns the number of the group that `n`, `-n` or `+n` refers to, or `None` for a name.
    pub(super) fn relative(&self, name: &str, start: usize) -> Result<Option<u32>> {
        let digits = name.strip_prefix(['-', '+']).unwrap_or(name);
        if !digits.starts_with(|char: char| char.is_ascii_digit()) {
            return match name.starts_with('-') {
                true => Err(self.error(Problem::InvalidName(name.to_string()), start)),
                false => Ok(None),
            };
        }
        let invalid = |name: &str| self.error(Problem::InvalidName(name.to_string()), start);
        let Ok(number) = digits.parse::<u32>() else {
            return Err(match digits.bytes().all(|byte| byte.is_ascii_digit()) {
                true => self.error(Problem::NumberTooBig, start),
                false => invalid(name),
            });
        };
        match name.as_bytes()[0] {
            b'-' if number == 0 => return Err(invalid(name)),
            b'+' if number == 0 => return Err(invalid(digits)),
            _ => {}
        }
        let absolute = match name.as_bytes()[0] {
            b'-' => (self.groups + 1).checked_sub(number).filter(|&group| group > 0),
            b'+' => self.groups.checked_add(number),
            _ => Some(number),
        };
        absolute.map(Some).ok_or_else(|| self.error(Problem::InvalidReference, start))
    }

    /// Splits `text`, the content of a reference that starts at `from`, into the name and the
    /// level.
    fn level<'n>(&self, text: &'n str, from: usize) -> Result<(&'n str, Option<i32>)> {
        let Some((at, _)) = text.char_indices().skip(1).find(|x| matches!(x.1, '-' | '+')) else {
            return Ok((text, None));
        };
        let (name, level) = text.split_at(at);
        let level = level.parse().map_err(|_| self.invalid_name(from))?;
        Ok((name, Some(level)))
    }

    /// Parses `\k<name+level>`, after the `k`. Returns `None` if no delimiter follows the `k`.
    pub(super) fn back_reference(&mut self, start: usize) -> Result<Option<Kind>> {
        let Some(close) = self.delimiter() else { return Ok(None) };
        let from = self.at;
        let text = self.delimited(close)?.to_string();
        let (name, level) = self.level(&text, from)?;
        let reference = self.reference(name, start)?;
        Ok(Some(Kind::BackReference(reference, level)))
    }

    /// Parses `\g<name>`, after the `g`. Returns `None` if no delimiter follows the `g`.
    pub(super) fn call(&mut self, start: usize) -> Result<Option<Escape>> {
        let Some(close) = self.delimiter() else { return Ok(None) };
        let name = self.delimited(close)?.to_string();
        Ok(Some(match self.relative(&name, start)? {
            Some(0) => Escape::Node(Kind::Call(Reference::Number(0))),
            Some(number) => {
                self.note_number(start);
                Escape::Node(Kind::Call(Reference::Number(number)))
            }
            None => match name.strip_prefix('+') {
                Some("") => return Err(self.error(Problem::EmptyName, start)),
                Some(name) => {
                    return Err(self.error(Problem::UndefinedGroup(self.shown(name)), start));
                }
                None => Escape::Call(name),
            },
        }))
    }

    /// Moves past `<` or `'`, and returns the delimiter that closes it, or `None` if neither
    /// follows.
    fn delimiter(&mut self) -> Option<char> {
        let close = match self.peek()? {
            '<' => '>',
            '\'' => '\'',
            _ => return None,
        };
        self.at += 1;
        Some(close)
    }
}
