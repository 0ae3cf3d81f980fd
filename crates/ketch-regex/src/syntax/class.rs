//! Parses classes such as `[a-z&&[^b]]`.

use super::parser::Parser;
use crate::dialect::Rule;
use crate::error::Result;
use crate::options::NESTING_MAX;
use crate::problem::Problem;
use crate::tree::{Escape, Kind, NodeId};

/// The kind of the last item of a class. The states are those of Onigmo.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Start,
    /// A character that may start a range, and its offset.
    Value(u32, usize),
    /// A character before a nested class, and its offset. It is already added, but may still start
    /// a range: `[a[b]-c]` contains `a-c`.
    Added(u32, usize),
    /// A set, which cannot start a range.
    Set,
    /// The first character of a range whose hyphen was also read, and the offset of the character.
    Range(u32, usize),
    /// A complete range.
    Complete,
}

/// An open class.
struct Open {
    start: usize,
    negated: bool,
    operands: Vec<Vec<NodeId>>,
    items: Vec<NodeId>,
    state: State,
}

enum Token {
    Char(u32, usize),
    Chars(Vec<u32>, usize),
    Set(Kind, usize),
    Open(usize),
    Close,
    And,
    Hyphen(usize),
}

/// The next part of a list of code points such as `\x{61-63 78}`.
pub(super) enum Code {
    Char(u32),
    Hyphen,
    End,
}

pub(super) const BRACKETS: &[&str] = &[
    "alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space",
    "upper", "xdigit", "ascii", "word",
];

impl Parser<'_> {
    /// Parses a class, of which the `[` has been read.
    pub(super) fn class(&mut self, start: usize) -> Result<NodeId> {
        let mut open = vec![self.open_class(start)?];
        loop {
            self.count()?;
            let token = self.class_token(open[0].start)?;
            let depth = open.len();
            let Some(class) = open.last_mut() else { continue };
            match token {
                Token::Char(char, at) => self.class_char(class, char, at)?,
                Token::Chars(chars, at) => {
                    for char in chars {
                        self.class_char(class, char, at)?;
                    }
                }
                Token::Set(kind, at) => self.class_set(class, kind, at)?,
                Token::Hyphen(at) => self.hyphen(class, at)?,
                Token::And => {
                    self.flush(class);
                    class.operands.push(std::mem::take(&mut class.items));
                    class.state = State::Start;
                }
                Token::Open(at) => {
                    if depth >= NESTING_MAX {
                        return Err(self.error(Problem::Nesting(NESTING_MAX), at));
                    }
                    self.flush(class);
                    if let State::Value(char, at) = class.state {
                        class.state = State::Added(char, at);
                    }
                    let inner = self.open_class(at)?;
                    open.push(inner);
                }
                Token::Close => {
                    self.flush(class);
                    let Some(mut class) = open.pop() else { continue };
                    class.operands.push(class.items);
                    let id = self.add(Kind::Class(class.negated, class.operands), class.start);
                    match open.last_mut() {
                        Some(outer) => outer.items.push(id),
                        None => return Ok(id),
                    }
                }
            }
        }
    }

    /// Parses the start of a class: an optional `^`, and a `]`, which is a character if another `]`
    /// follows later.
    fn open_class(&mut self, start: usize) -> Result<Open> {
        let negated = self.eat("^");
        let mut class =
            Open { start, negated, operands: Vec::new(), items: Vec::new(), state: State::Start };
        if self.peek() == Some(']') {
            if !closes_later(&self.pattern[self.at + 1..]) {
                self.at += 1;
                return Err(self.error(Problem::EmptyClass, start));
            }
            class.state = State::Value(']' as u32, self.at);
            self.at += 1;
        }
        Ok(class)
    }

    /// Reads the next token of a class.
    fn class_token(&mut self, class_start: usize) -> Result<Token> {
        if let Some(radix) = self.codes {
            let at = self.at;
            match self.next_code(radix, at)? {
                Code::Char(code) => return Ok(Token::Char(code, at)),
                Code::Hyphen => return Ok(Token::Hyphen(at)),
                Code::End => self.codes = None,
            }
        }
        let at = self.at;
        let Some(char) = self.bump() else {
            return Err(self.error(Problem::UnclosedClass, class_start));
        };
        if char == '\\'
            && let Some(radix) = self.open_codes()
        {
            self.codes = Some(radix);
            if let Code::Char(code) = self.next_code(radix, at)? {
                return Ok(Token::Char(code, at));
            }
        }
        let sets = self.rules.syntax.has(Rule::CLASS_SETS);
        Ok(match char {
            ']' => Token::Close,
            '-' => Token::Hyphen(at),
            '&' if sets && self.eat("&") => Token::And,
            '[' if self.rules.oniguruma && self.peek() == Some(':') => {
                match self.own_bracket(at)? {
                    Some(kind) => Token::Set(kind, at),
                    None if sets => Token::Open(at),
                    None => Token::Char('[' as u32, at),
                }
            }
            '[' if self.peek() == Some(':') && bracket_ends(&self.pattern[self.at + 1..]) => {
                match self.bracket(at)? {
                    Some(kind) => Token::Set(kind, at),
                    None => Token::Char('[' as u32, at),
                }
            }
            '[' if sets => Token::Open(at),
            '\\' if self.eat("b") => Token::Char(0x08, at),
            '\\' => match self.set_escape(at)? {
                Some(kind) => Token::Set(kind, at),
                None => match self.character(at)? {
                    Escape::Chars(chars) if chars.len() == 1 => Token::Char(chars[0], at),
                    Escape::Chars(chars) => Token::Chars(chars, at),
                    Escape::Node(kind) => Token::Set(kind, at),
                    Escape::Call(_) | Escape::Dot(_) => Token::Char('g' as u32, at),
                },
            },
            char => Token::Char(char as u32, at),
        })
    }

    /// Reads `[:name:]`, from its first colon. If this is not a bracket, returns `None` and does
    /// not move.
    fn bracket(&mut self, start: usize) -> Result<Option<Kind>> {
        let rest = &self.pattern[self.at + 1..];
        let (negated, name) = match rest.strip_prefix('^') {
            Some(name) => (true, name),
            None => (false, rest),
        };
        let known = BRACKETS.iter().find(|known| name.starts_with(**known));
        if let Some(known) = known.filter(|_| name.chars().count() >= 7) {
            self.at += 1 + usize::from(negated) + known.len();
            if !self.eat(":]") {
                return Err(self.error(Problem::UnknownBracket, start));
            }
            return Ok(Some(Kind::Posix((*known).to_string(), negated)));
        }
        let length = name.chars().take(21).take_while(|char| !matches!(char, ':' | ']')).count();
        let end = name.char_indices().nth(length).map_or(name.len(), |(at, _)| at);
        if length <= 20 && name[end..].starts_with(":]") {
            self.at += 1 + usize::from(negated) + end + 2;
            return Err(self.error(Problem::UnknownBracket, start));
        }
        Ok(None)
    }

    /// Adds the last character to the class, because it does not start a range.
    fn flush(&mut self, class: &mut Open) {
        if let State::Value(char, at) = class.state {
            let id = self.add(Kind::Char(char), at);
            class.items.push(id);
        }
    }

    /// Handles a character in a class, which may end a range.
    fn class_char(&mut self, class: &mut Open, char: u32, at: usize) -> Result<()> {
        if let State::Range(first, start) = class.state {
            if first > char {
                return Err(self.error(Problem::EmptyRange, start));
            }
            let id = self.add(Kind::Range(first, char.min(char::MAX as u32)), start);
            class.items.push(id);
            class.state = State::Complete;
        } else {
            self.flush(class);
            class.state = State::Value(char, at);
        }
        Ok(())
    }

    /// Handles a set in a class, which cannot be the end of a range.
    fn class_set(&mut self, class: &mut Open, kind: Kind, at: usize) -> Result<()> {
        if let State::Range(_, start) = class.state {
            return Err(self.error(Problem::ClassAtRangeEnd, start));
        }
        self.flush(class);
        class.state = State::Set;
        let id = self.add(kind, at);
        class.items.push(id);
        Ok(())
    }

    /// Handles `-` in a class, which starts a range between two characters, and is a character
    /// elsewhere.
    fn hyphen(&mut self, class: &mut Open, at: usize) -> Result<()> {
        let rest = &self.pattern[self.at..];
        let and = self.rules.syntax.has(Rule::CLASS_SETS) && rest.starts_with("&&");
        let last = rest.starts_with(']') || and;
        match class.state {
            State::Set if !last && !self.rules.syntax.has(Rule::TYPE_BEFORE_HYPHEN) => {
                Err(self.error(Problem::ClassInRange, at))
            }
            State::Value(first, start) | State::Added(first, start) if !last => {
                class.state = State::Range(first, start);
                Ok(())
            }
            _ => self.class_char(class, '-' as u32, at),
        }
    }
}

/// Returns whether `text` contains an unescaped `]`.
fn closes_later(text: &str) -> bool {
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        match char {
            '\\' => {
                chars.next();
            }
            ']' => return true,
            _ => {}
        }
    }
    false
}

/// Returns whether `text` contains `:]` before any other `]`.
fn bracket_ends(text: &str) -> bool {
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '\\' => {
                chars.next();
            }
            ':' if chars.peek() == Some(&']') => return true,
            ']' => return false,
            _ => {}
        }
    }
    false
}
