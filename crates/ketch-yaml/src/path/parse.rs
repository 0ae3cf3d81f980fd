//! From text to steps.

use super::step::Step;
use std::fmt;

/// Why a text is not a path, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathError {
    text: String,
    problem: PathProblem,
    offset: usize,
}

/// The kinds of errors in a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PathProblem {
    /// A step has no name.
    EmptyStep,
    /// The brackets contain neither a number nor quoted text nor `*`.
    BadBrackets,
    /// A bracket is never closed.
    UnclosedBracket,
    /// A quote is never closed.
    UnclosedQuote,
    /// No such escape sequence.
    BadEscape,
    /// A number beyond the length of any sequence.
    HugeIndex,
    /// A step is not separated from the one before it.
    ExpectedStep,
    /// A special character in a name.
    ReservedCharacter,
    /// In a JSON Pointer, `~` without a `0` or `1` after it.
    BadTilde,
}

impl PathProblem {
    /// How to fix it, a sentence.
    #[must_use]
    pub fn help(self) -> &'static str {
        match self {
            PathProblem::EmptyStep => {
                "Write a name, a number in brackets, or `*`; an empty key is written [\"\"]."
            }
            PathProblem::BadBrackets => "Write [0], [-1], [*] or [\"key\"].",
            PathProblem::UnclosedBracket => "Close it with `]`.",
            PathProblem::UnclosedQuote => {
                "Close the quote; a quote inside is written \\\" in double and '' in single quotes."
            }
            PathProblem::BadEscape => {
                "The escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\uXXXX."
            }
            PathProblem::HugeIndex => "Write a smaller number, or quote it if it is a key.",
            PathProblem::ExpectedStep => "Go on with `.name` or `[...]`.",
            PathProblem::ReservedCharacter => "Put the name in quotes: [\"na*me\"].",
            PathProblem::BadTilde => "In a JSON Pointer, `~` is written ~0 and `/` is written ~1.",
        }
    }
}

impl fmt::Display for PathProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PathProblem::EmptyStep => "expected a name here",
            PathProblem::BadBrackets => "expected a number, a text in quotes or `*` in brackets",
            PathProblem::UnclosedBracket => "the bracket is never closed",
            PathProblem::UnclosedQuote => "the quote is never closed",
            PathProblem::BadEscape => "unknown escape sequence",
            PathProblem::HugeIndex => "the number is too great",
            PathProblem::ExpectedStep => "expected `.`, `[` or the end of the path",
            PathProblem::ReservedCharacter => "this character cannot stand in a name",
            PathProblem::BadTilde => "expected 0 or 1 after `~`",
        })
    }
}

impl PathError {
    /// What is wrong.
    #[must_use]
    pub fn problem(&self) -> PathProblem {
        self.problem
    }

    /// Where, in bytes from the start of the path.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }
}

impl fmt::Display for PathError {
    /// The message, the path with a caret under the location, and the help.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |text: &str| -> String {
            text.chars().map(|ch| if ch.is_control() { '\u{fffd}' } else { ch }).collect()
        };
        let before = self.text[..self.offset].chars().count();
        write!(f, "{}\n    {}\n    ", self.problem, shown(&self.text))?;
        write!(f, "{:before$}^\n{}", "", self.problem.help())
    }
}

impl std::error::Error for PathError {}

/// The steps of a JSON Pointer.
pub(super) fn pointer(text: &str) -> Result<Vec<Step>, PathError> {
    let mut steps = Vec::new();
    let mut start = 1;
    for token in text[1..].split('/') {
        if let Some(at) = bad_tilde(token) {
            let (text, problem) = (text.to_owned(), PathProblem::BadTilde);
            return Err(PathError { text, problem, offset: start + at });
        }
        steps.push(Step::Name(token.replace("~1", "/").replace("~0", "~")));
        start += token.len() + 1;
    }
    Ok(steps)
}

fn bad_tilde(token: &str) -> Option<usize> {
    token.match_indices('~').map(|(at, _)| at).find(|at| !token[at + 1..].starts_with(['0', '1']))
}

/// Whether a name needs no quotes in a path.
pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('\'') && !name.contains(['.', '[', ']', '*', '"'])
}

/// The steps of a path with dots and brackets.
pub(super) fn steps(text: &str) -> Result<Vec<Step>, PathError> {
    let mut parser = Parser { text, at: 0 };
    parser.steps().map_err(|(problem, offset)| PathError {
        text: text.to_owned(),
        problem,
        offset: offset.min(text.len()),
    })
}

type Result<T, E = (PathProblem, usize)> = std::result::Result<T, E>;

struct Parser<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Parser<'t> {
    fn steps(&mut self) -> Result<Vec<Step>> {
        let mut steps = Vec::new();
        // A dot may come before the first name; alone, it is the root.
        if self.rest() == "." {
            return Ok(steps);
        }
        while let Some(first) = self.peek() {
            match first {
                '[' => steps.push(self.brackets()?),
                '.' => {
                    self.at += 1;
                    // Brackets need no dot, but may have one.
                    let is_bracket = self.peek() == Some('[');
                    steps.push(if is_bracket { self.brackets()? } else { self.name()? });
                }
                _ if steps.is_empty() => steps.push(self.name()?),
                _ => return Err((PathProblem::ExpectedStep, self.at)),
            }
        }
        Ok(steps)
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// A name, a text in quotes, or `*`.
    fn name(&mut self) -> Result<Step> {
        if let Some(quote @ ('"' | '\'')) = self.peek() {
            return Ok(Step::Key(self.quoted(quote)?));
        }
        let (rest, start) = (self.rest(), self.at);
        let end = rest.find(['.', '[']).unwrap_or(rest.len());
        let name = &rest[..end];
        self.at += end;
        match name {
            "" => Err((PathProblem::EmptyStep, start)),
            "*" => Ok(Step::All),
            _ => match name.find(['*', ']', '"']) {
                Some(at) => Err((PathProblem::ReservedCharacter, start + at)),
                None => Ok(Step::Name(name.to_owned())),
            },
        }
    }

    fn brackets(&mut self) -> Result<Step> {
        let open = self.at;
        self.at += 1;
        let step = match self.peek() {
            Some(quote @ ('"' | '\'')) => Step::Key(self.quoted(quote)?),
            Some('*') => {
                self.at += 1;
                Step::All
            }
            Some('-' | '0'..='9') => self.index()?,
            Some(_) => return Err((PathProblem::BadBrackets, self.at)),
            None => return Err((PathProblem::UnclosedBracket, open)),
        };
        match self.peek() {
            Some(']') => self.at += 1,
            Some(_) => return Err((PathProblem::BadBrackets, self.at)),
            None => return Err((PathProblem::UnclosedBracket, open)),
        }
        Ok(step)
    }

    fn index(&mut self) -> Result<Step> {
        let (rest, start) = (self.rest(), self.at);
        let digits = rest.strip_prefix('-').unwrap_or(rest);
        let end = digits.find(|ch: char| !ch.is_ascii_digit()).unwrap_or(digits.len());
        let len = rest.len() - digits.len() + end;
        if end == 0 {
            return Err((PathProblem::BadBrackets, start));
        }
        self.at += len;
        rest[..len].parse().map(Step::Index).map_err(|_| (PathProblem::HugeIndex, start))
    }

    /// A text in quotes.
    fn quoted(&mut self, quote: char) -> Result<String> {
        let open = self.at;
        self.at += 1;
        let mut text = String::new();
        loop {
            let Some(ch) = self.peek() else { return Err((PathProblem::UnclosedQuote, open)) };
            self.at += ch.len_utf8();
            if ch == quote {
                if quote == '"' || self.peek() != Some('\'') {
                    return Ok(text);
                }
                self.at += 1;
            }
            text.push(if ch == '\\' && quote == '"' { self.escape()? } else { ch });
        }
    }

    /// The character after a backslash, as in JSON.
    fn escape(&mut self) -> Result<char> {
        let start = self.at - 1;
        let letter = self.peek().ok_or((PathProblem::UnclosedQuote, start))?;
        self.at += letter.len_utf8();
        Ok(match letter {
            '"' | '\\' | '/' => letter,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => return self.unicode().ok_or((PathProblem::BadEscape, start)),
            _ => return Err((PathProblem::BadEscape, start)),
        })
    }

    /// Four hexadecimal digits, or a surrogate pair of two times four.
    fn unicode(&mut self) -> Option<char> {
        let high = self.hexadecimal()?;
        if !(0xD800..0xDC00).contains(&high) {
            return char::from_u32(high);
        }
        self.at += self.rest().starts_with("\\u").then_some(2)?;
        let low = self.hexadecimal()?.checked_sub(0xDC00).filter(|low| *low < 0x400)?;
        char::from_u32(0x1_0000 + (high - 0xD800) * 0x400 + low)
    }

    fn hexadecimal(&mut self) -> Option<u32> {
        let digits =
            self.rest().get(..4).filter(|text| text.bytes().all(|b| b.is_ascii_hexdigit()));
        self.at += 4;
        u32::from_str_radix(digits?, 16).ok()
    }
}
