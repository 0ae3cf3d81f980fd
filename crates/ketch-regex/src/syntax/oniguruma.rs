//! Parses what only Oniguruma's syntaxes have.

use super::class::{BRACKETS, Code};
use super::escape::Byte;
use super::parser::Parser;
use crate::dialect::Rule;
use crate::error::Result;
use crate::problem::Problem;
use crate::tree::{Escape, Group, Kind, NodeId, Reference};

/// The maximum number of bytes of a name in a message of Oniguruma.
const SHOWN_BYTES: usize = 27;

/// Returns whether a name may start with `char`.
pub(super) fn is_word(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}

/// Returns a name as Oniguruma's messages show it.
pub(super) fn shown(name: &str) -> String {
    match name.as_bytes().get(..SHOWN_BYTES) {
        Some(start) if name.len() > SHOWN_BYTES => String::from_utf8_lossy(start) + "...",
        _ => name.into(),
    }
    .into_owned()
}

impl Parser<'_> {
    /// Returns a name as a message shows it.
    pub(super) fn shown(&self, name: &str) -> String {
        if self.rules.oniguruma { shown(name) } else { name.to_string() }
    }

    /// Parses a group that Ruby does not have, of which `(?` and `char` have been read. Returns
    /// whether it is one.
    pub(super) fn own_group(&mut self, char: char, start: usize) -> Result<bool> {
        match char {
            '{' if self.rules.syntax.has(Rule::CALLOUT_CONTENTS) => {
                Err(self.error(Problem::Irregular("a callout"), start))
            }
            '~' if self.peek() == Some('|') => {
                let problem = Problem::Irregular("an absence operator with a range");
                Err(self.error(problem, start))
            }
            _ if !self.rules.syntax.has(Rule::PERL_CALLS) => Ok(false),
            'R' => match self.eat(")") {
                true => {
                    self.item(Kind::Call(Reference::Number(0)), start);
                    Ok(true)
                }
                false => Err(self.error(Problem::UndefinedOption, start)),
            },
            '&' => {
                let name = self.group_name(')')?;
                self.call_name(name, start);
                Ok(true)
            }
            '0'..='9' => self.call_number(self.at - 1, start).map(|()| true),
            '-' | '+' if self.peek().is_some_and(|next| next.is_ascii_digit()) => {
                self.call_number(self.at - 1, start).map(|()| true)
            }
            _ => Ok(false),
        }
    }

    /// Adds a call of the group `name`.
    pub(super) fn call_name(&mut self, name: String, start: usize) {
        self.item(Kind::Call(Reference::Number(0)), start);
        let id = NodeId(self.nodes.len() as u32 - 1);
        self.calls.push((id, name));
    }

    /// Parses a call such as `(?1)`, whose number starts at `from`.
    fn call_number(&mut self, from: usize, start: usize) -> Result<()> {
        self.at = from;
        let name = self.delimited(')')?.to_string();
        if !name.trim_start_matches(['-', '+']).bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(self.error(Problem::InvalidName(String::new()), start));
        }
        let Some(number) = self.relative(&name, start)? else { return Ok(()) };
        self.note_number(start);
        self.item(Kind::Call(Reference::Number(number)), start);
        Ok(())
    }

    /// Returns the two branches of a conditional. All branches after the first one are for a group
    /// that is not set. If there is nothing at all, as in `(?(1))`, nothing matches then.
    pub(super) fn two_branches(&mut self, mut branches: Vec<NodeId>, start: usize) -> Vec<NodeId> {
        match branches[..] {
            [only] if self.nodes[only.index()].span.start == self.nodes[only.index()].span.end => {
                branches.push(self.add(Kind::nothing(), start));
            }
            [_] | [_, _] => {}
            _ => {
                let rest = branches.split_off(1);
                branches.push(self.alternation(rest, start));
            }
        }
        branches
    }

    /// Parses `(*name)`, after the `*`. Only `(*FAIL)` is supported.
    pub(super) fn callout(&mut self, start: usize) -> Result<()> {
        let rest = &self.pattern[self.at..];
        let end = rest.find(|char: char| char != '_' && !char.is_ascii_alphanumeric());
        let name = &rest[..end.unwrap_or(rest.len())];
        let problem = match name {
            "FAIL" if rest[name.len()..].starts_with(')') => {
                self.at += "FAIL)".len();
                self.item(Kind::nothing(), start);
                return Ok(());
            }
            "FAIL" | "MISMATCH" | "MAX" | "ERROR" | "COUNT" | "TOTAL_COUNT" | "CMP" => {
                Problem::Irregular("a callout")
            }
            "" if rest.is_empty() => Problem::InvalidCallout,
            "" => Problem::InvalidCalloutName,
            _ => Problem::UndefinedCallout,
        };
        Err(self.error(problem, start))
    }

    /// Returns whether a node matches no text, so that it cannot be repeated.
    pub(super) fn is_assertion(&self, id: NodeId) -> bool {
        let mut todo = vec![id];
        while let Some(id) = todo.pop() {
            match &self.nodes[id.index()].kind {
                Kind::Assertion(_) | Kind::Keep => return true,
                Kind::Group(Group::LookAhead { .. } | Group::LookBehind { .. }, _) => return true,
                Kind::Group(Group::NonCapturing, child) => todo.push(*child),
                Kind::Alternation(branches) => todo.extend(branches),
                _ => {}
            }
        }
        false
    }

    /// Reads `\Q...\E`, after the `Q`.
    pub(super) fn quote(&mut self) -> Escape {
        let rest = &self.pattern[self.at..];
        let length = rest.find("\\E").unwrap_or(rest.len());
        let chars: Vec<u32> = rest[..length].chars().map(u32::from).collect();
        self.at = self.pattern.len().min(self.at + length + "\\E".len());
        match chars[..] {
            [] => Escape::Node(Kind::Empty),
            _ => Escape::Chars(chars),
        }
    }

    /// Moves past the start of a list of code points such as `\x{61 62}`, after its backslash, and
    /// returns its radix. Returns `None` if no list follows.
    pub(super) fn open_codes(&mut self) -> Option<u32> {
        let (rule, radix) = match self.peek()? {
            'x' => (Rule::BRACE_HEX, 16),
            'o' => (Rule::BRACE_OCTAL, 8),
            _ => return None,
        };
        let list = self.pattern[self.at + 1..].strip_prefix('{')?;
        let opens =
            self.rules.syntax.has(rule) && list.starts_with(|char: char| char.is_digit(radix));
        self.at += if opens { 2 } else { 0 };
        opens.then_some(radix)
    }

    /// Reads the next part of a list of code points.
    pub(super) fn next_code(&mut self, radix: u32, start: usize) -> Result<Code> {
        while matches!(self.peek(), Some(' ' | '\n')) {
            self.at += 1;
        }
        if self.eat("}") {
            return Ok(Code::End);
        }
        if self.eat("-") {
            return Ok(Code::Hyphen);
        }
        let digits_max = if radix == 16 { 8 } else { 11 };
        let (code, digits) = self.number(radix, digits_max);
        if digits == 0 {
            return Err(self.error(Problem::InvalidCodePoint, start));
        }
        match self.peek().is_some_and(|char| char.is_ascii_digit() || char.is_digit(radix)) {
            true => Err(self.error(Problem::LongCode, start)),
            false => Ok(Code::Char(code)),
        }
    }

    /// Reads a list of code points outside of classes. Returns `None` if there is none.
    pub(super) fn code_list(&mut self, start: usize) -> Result<Option<Vec<u32>>> {
        let Some(radix) = self.open_codes() else { return Ok(None) };
        let mut codes = Vec::new();
        loop {
            match self.next_code(radix, start)? {
                Code::Char(code) => codes.push(code),
                Code::End => return Ok(Some(codes)),
                Code::Hyphen => return Err(self.error(Problem::InvalidCodePoint, start)),
            }
        }
    }

    /// Reads the rest of `\cx`, after the `c`.
    pub(super) fn own_control(&mut self, start: usize) -> Result<Byte> {
        let code = match self.bump() {
            Some('?') => return Ok(Byte::Char(0x7F)),
            Some('\\') => match self.peek() {
                Some('c') => return Err(self.error(Problem::EndAtControl, start)),
                _ => match self.byte(start)? {
                    Byte::Escaped(byte) => u32::from(byte),
                    Byte::Char(code) => code,
                },
            },
            Some(char) => u32::from(char),
            None => return Err(self.error(Problem::EndAtControl, start)),
        };
        Ok(Byte::Char(code & 0x9F))
    }

    /// Reads the name of a property, after `\p{` and its `^`.
    pub(super) fn own_property(&mut self, negated: bool, start: usize) -> Result<Kind> {
        let rest = &self.pattern[self.at..];
        let length = rest.find(['}', '(', ')', '{', '|']).unwrap_or(rest.len());
        if !rest[length..].starts_with('}') {
            return Err(self.error(Problem::UnclosedGroup, start));
        }
        let name = rest[..length].to_string();
        self.at += length + 1;
        match self.is_property(&name) {
            true => Ok(Kind::Property(name, negated)),
            false => Err(self.error(Problem::UnknownProperty(shown(&name)), start)),
        }
    }

    /// Reads `[:name:]` in a class, from its first colon. If this is not a bracket, returns `None`
    /// and does not move.
    pub(super) fn own_bracket(&mut self, start: usize) -> Result<Option<Kind>> {
        let rest = &self.pattern[self.at + 1..];
        let name = rest.trim_start_matches('^');
        let carets = rest.len() - name.len();
        let length = name.find(|char: char| !char.is_alphabetic()).unwrap_or(name.len());
        // Oniguruma takes only one caret as a negation, but more than one make it look for a name.
        if length + carets == 0 || carets > 1 || !name[length..].starts_with(":]") {
            return Ok(None);
        }
        let name = &name[..length];
        self.at += 1 + carets + length + ":]".len();
        match BRACKETS.contains(&name) {
            true => Ok(Some(Kind::Posix(name.to_string(), carets > 0))),
            false => Err(self.error(Problem::UnknownBracket, start)),
        }
    }
}
