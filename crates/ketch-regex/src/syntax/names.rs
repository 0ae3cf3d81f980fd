//! Parses names of groups, references and options.

use super::parser::Parser;
use super::tree::{Charset, Escape, FlagChange, Kind, Reference, Span};
use crate::error::Result;
use crate::problem::Problem;

impl Parser<'_> {
    /// Reads the name up to `close`, and moves past both.
    fn delimited(&mut self, close: char) -> Result<&str> {
        let start = self.at;
        let length = self.pattern[start..].find([close, ')']);
        let end = length.map_or(self.pattern.len(), |length| start + length);
        self.at = end;
        if end == start {
            return Err(self.error(Problem::EmptyName, start));
        }
        let name = &self.pattern[start..end];
        if !self.pattern[end..].starts_with(close) {
            return Err(self.error(Problem::InvalidName(name.to_string()), start));
        }
        self.at += close.len_utf8();
        Ok(name)
    }

    /// Reads the name of a group that is being defined.
    pub(super) fn group_name(&mut self, close: char) -> Result<String> {
        let start = self.at;
        let name = self.delimited(close)?.to_string();
        match name.chars().next() {
            Some('0'..='9' | '-') => Err(self.error(Problem::InvalidName(name), start)),
            Some(char) if is_word(char) => Ok(name),
            _ => Err(self.error(Problem::InvalidNameChar(name), start)),
        }
    }

    /// Parses options such as `i-m:` or `i-m)` after `(?`. Also returns whether they are isolated,
    /// as in the second form.
    pub(super) fn flag_change(&mut self, start: usize) -> Result<(FlagChange, bool)> {
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
                'm' => change.dot_all = Some(on),
                'x' => change.extended = Some(on),
                'a' if on => change.charset = Some(Charset::Ascii),
                'u' if on => change.charset = Some(Charset::Unicode),
                'd' if on => change.charset = Some(Charset::Default),
                _ => return Err(self.error(Problem::UnknownOption, start)),
            }
        }
    }

    /// Reads the test of a conditional, after `(?(`.
    pub(super) fn condition(&mut self, start: usize) -> Result<Reference> {
        let named = match self.peek() {
            Some('<') => Some('>'),
            Some('\'') => Some('\''),
            Some('0'..='9' | '-' | '+') => None,
            Some(_) => return Err(self.error(Problem::InvalidConditional, start)),
            None => return Err(self.error(Problem::UnknownOption, start)),
        };
        let name = match named {
            Some(close) => {
                self.at += 1;
                self.delimited(close)?.to_string()
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

    /// Returns what the name or number in a back-reference refers to.
    fn reference(&mut self, name: &str, start: usize) -> Result<Reference> {
        if let Some(number) = self.relative(name, start)? {
            if number == 0 {
                return Err(self.error(Problem::InvalidName(name.to_string()), start));
            }
            self.note_number(start);
            return Ok(Reference::Number(number));
        }
        match self.names.iter().position(|known| known.name == name) {
            Some(index) => Ok(Reference::Name(index as u32)),
            None => Err(self.error(Problem::UndefinedName(name.to_string()), start)),
        }
    }

    /// Records the first reference by number.
    pub(super) fn note_number(&mut self, start: usize) {
        self.numbered.get_or_insert(Span { start, end: self.at });
    }

    /// Returns the group that `n`, `-n` or `+n` refers to, or `None` for a name.
    fn relative(&self, name: &str, start: usize) -> Result<Option<u32>> {
        let digits = name.strip_prefix(['-', '+']).unwrap_or(name);
        if !digits.starts_with(|char: char| char.is_ascii_digit()) {
            if digits.len() < name.len() {
                return Err(self.error(Problem::InvalidName(name.to_string()), start));
            }
            return Ok(None);
        }
        let Ok(number) = digits.parse::<u32>() else {
            return Err(self.error(Problem::InvalidName(name.to_string()), start));
        };
        let absolute = match name.as_bytes()[0] {
            b'-' => (self.groups + 1).checked_sub(number).filter(|&group| group > 0),
            b'+' => self.groups.checked_add(number),
            _ => Some(number),
        };
        absolute.map(Some).ok_or_else(|| self.error(Problem::InvalidReference, start))
    }

    /// Parses `\k<name+level>`, after the `k`. Returns `None` if no delimiter follows.
    pub(super) fn back_reference(&mut self, start: usize) -> Result<Option<Kind>> {
        let Some(close) = self.delimiter() else { return Ok(None) };
        let text = self.delimited(close)?.to_string();
        let (name, level) =
            match text.char_indices().skip(1).filter(|x| matches!(x.1, '-' | '+')).last() {
                Some((at, _)) if self.names.iter().all(|known| known.name != text) => {
                    let (name, level) = text.split_at(at);
                    match level.parse::<i32>() {
                        Ok(level) => (name, Some(level)),
                        Err(_) => return Err(self.error(Problem::InvalidName(text), start)),
                    }
                }
                _ => (&*text, None),
            };
        let reference = self.reference(name, start)?;
        Ok(Some(Kind::BackReference(reference, level)))
    }

    /// Parses `\g<name>`, after the `g`. Returns `None` if no delimiter follows.
    pub(super) fn call(&mut self, start: usize) -> Result<Option<Escape>> {
        let Some(close) = self.delimiter() else { return Ok(None) };
        let name = self.delimited(close)?.to_string();
        Ok(Some(match self.relative(&name, start)? {
            Some(0) => Escape::Node(Kind::Call(Reference::Number(0))),
            Some(number) => {
                self.note_number(start);
                Escape::Node(Kind::Call(Reference::Number(number)))
            }
            None => Escape::Call(name),
        }))
    }

    /// Moves past `<` or `'`, and returns its counterpart, or `None` if neither follows.
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

/// Returns whether a character may be part of a name.
fn is_word(char: char) -> bool {
    char == '_' || char.is_alphanumeric()
}
