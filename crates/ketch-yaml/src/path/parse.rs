//! From text to steps.

use super::step::{Documents, Step};
use crate::schema::{Scalar, Schema};
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
    /// The brackets contain nothing that is a step.
    BadBrackets,
    /// Text in brackets has no quotes.
    UnquotedKey,
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
    /// In a filter, no path where one is needed.
    ExpectedOperand,
    /// In a filter, no scalar or path after an operator.
    ExpectedValue,
    /// In a filter, neither an operator nor the end.
    ExpectedOperator,
    /// A parenthesis is never closed.
    UnclosedParenthesis,
    /// A pattern is not a regular expression.
    BadPattern,
    /// `..` in a filter.
    DescentInFilter,
    /// Filters and parentheses are nested too deeply.
    TooDeep,
}

impl PathProblem {
    /// How to fix it, a sentence.
    #[must_use]
    pub fn help(self) -> &'static str {
        match self {
            PathProblem::EmptyStep => {
                "Write a name, a number in brackets, or `*`; an empty key is written [\"\"]."
            }
            PathProblem::BadBrackets => {
                "Write [0], [-1], [1:3], [*], [\"key\"] or [?name == \"a\"]."
            }
            PathProblem::UnquotedKey => "Put the key in quotes: [\"key\"].",
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
            PathProblem::ExpectedOperand => {
                "Write a path from the entry, such as `name` or `.spec.port`, or `key`."
            }
            PathProblem::ExpectedValue => {
                "Write a number, true, false, null, text in quotes, or a path that starts with a dot."
            }
            PathProblem::ExpectedOperator => "The operators are == != < <= > >= =~ && and ||.",
            PathProblem::UnclosedParenthesis => "Close it with `)`.",
            PathProblem::BadPattern => "A pattern is written =~ \"^a.*b$\".",
            PathProblem::DescentInFilter => "Name the steps, or use `*`.",
            PathProblem::TooDeep => "Write it with fewer parentheses or filters.",
        }
    }
}

impl fmt::Display for PathProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PathProblem::EmptyStep => "expected a name here",
            PathProblem::BadBrackets => {
                "expected a number, a slice, a text in quotes, a filter or `*` in brackets"
            }
            PathProblem::UnquotedKey => "text in brackets needs quotes",
            PathProblem::UnclosedBracket => "the bracket is never closed",
            PathProblem::UnclosedQuote => "the quote is never closed",
            PathProblem::BadEscape => "unknown escape sequence",
            PathProblem::HugeIndex => "the number is too great",
            PathProblem::ExpectedStep => "expected `.`, `[` or the end of the path",
            PathProblem::ReservedCharacter => "this character cannot stand in a name",
            PathProblem::BadTilde => "expected 0 or 1 after `~`",
            PathProblem::ExpectedOperand => "expected a path in the filter",
            PathProblem::ExpectedValue => "expected a value to compare with",
            PathProblem::ExpectedOperator => "expected an operator or the end of the filter",
            PathProblem::UnclosedParenthesis => "the parenthesis is never closed",
            PathProblem::BadPattern => "this is not a regular expression",
            PathProblem::DescentInFilter => "`..` cannot be in a filter",
            PathProblem::TooDeep => "filters and parentheses are nested too deeply",
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

/// The documents and the steps of a path with dots and brackets.
pub(super) fn path(text: &str) -> Result<(Option<Documents>, Vec<Step>), PathError> {
    let mut parser = Parser { text, at: 0, depth: 0 };
    let parsed = parser.documents().and_then(|documents| {
        let steps = parser.steps(Place::Path)?;
        Ok((documents, steps))
    });
    parsed.map_err(|(problem, offset)| PathError {
        text: text.to_owned(),
        problem,
        offset: offset.min(text.len()),
    })
}

/// Whether a name at the start of a path would be read as a selector of documents.
pub(super) fn is_like_selector(name: &str) -> bool {
    name.strip_prefix('@').is_some_and(|rest| !rest.is_empty() && rest.bytes().all(is_digit))
}

fn is_digit(byte: u8) -> bool {
    byte.is_ascii_digit()
}

pub(super) type Result<T, E = (PathProblem, usize)> = std::result::Result<T, E>;

/// How deeply filters and parentheses may be nested.
const DEPTH_MAX: usize = 32;

/// Where steps are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Path,
    /// In a filter, where a path ends with a blank or an operator.
    Filter,
}

pub(super) struct Parser<'t> {
    pub text: &'t str,
    pub at: usize,
    pub depth: usize,
}

impl<'t> Parser<'t> {
    /// `@1`, `@*` or `@[?...]` at the start.
    fn documents(&mut self) -> Result<Option<Documents>> {
        let Some(rest) = self.text.strip_prefix('@') else { return Ok(None) };
        if rest.starts_with("[?") {
            self.at = 1;
            return match self.brackets()? {
                Step::Filter(filter) => Ok(Some(Documents::Filter(filter))),
                _ => Ok(None),
            };
        }
        let word = &rest[..rest.find(['.', '[']).unwrap_or(rest.len())];
        let documents = match word {
            "*" => Documents::All,
            _ if !word.is_empty() && word.bytes().all(is_digit) => {
                Documents::Index(word.parse().map_err(|_| (PathProblem::HugeIndex, 1))?)
            }
            _ => return Ok(None),
        };
        self.at = 1 + word.len();
        Ok(Some(documents))
    }

    pub fn steps(&mut self, place: Place) -> Result<Vec<Step>> {
        let mut steps: Vec<Step> = Vec::new();
        let start = self.at;
        // Alone, a dot is the root.
        if self.is_lone_dot(place) {
            self.at += 1;
            return Ok(steps);
        }
        while let Some(first) = self.peek() {
            match first {
                '[' => steps.push(self.brackets()?),
                '.' if self.rest().starts_with("..") => self.descend(place, &mut steps)?,
                '.' => {
                    self.at += 1;
                    // Brackets need no dot, but may have one.
                    let is_bracket = self.peek() == Some('[');
                    steps.push(if is_bracket { self.brackets()? } else { self.name(place)? });
                }
                // A dot may come before the first name, and need not.
                _ if self.at == start && (start == 0 || place == Place::Filter) => {
                    steps.push(self.name(place)?);
                }
                _ if place == Place::Filter => break,
                _ => return Err((PathProblem::ExpectedStep, self.at)),
            }
        }
        Ok(steps)
    }

    fn is_lone_dot(&self, place: Place) -> bool {
        let Some(rest) = self.rest().strip_prefix('.') else { return false };
        match place {
            Place::Path => rest.is_empty(),
            Place::Filter => !rest.starts_with(|ch| is_filter_name(ch) || "[.\"'*".contains(ch)),
        }
    }

    /// `..`, and a name directly after it.
    fn descend(&mut self, place: Place, steps: &mut Vec<Step>) -> Result<()> {
        if place == Place::Filter {
            return Err((PathProblem::DescentInFilter, self.at));
        }
        self.at += 2;
        steps.push(Step::Descend);
        if self.peek().is_some_and(|next| !matches!(next, '.' | '[')) {
            steps.push(self.name(place)?);
        }
        Ok(())
    }

    pub fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    pub fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub fn skip_blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
    }

    /// Runs `parse` one level deeper.
    pub fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == DEPTH_MAX {
            return Err((PathProblem::TooDeep, self.at));
        }
        self.depth += 1;
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    /// A name, a text in quotes, or `*`.
    fn name(&mut self, place: Place) -> Result<Step> {
        if let Some(quote @ ('"' | '\'')) = self.peek() {
            return Ok(Step::Key(self.quoted(quote)?));
        }
        let (rest, start) = (self.rest(), self.at);
        let end = match place {
            Place::Path => rest.find(['.', '[']),
            Place::Filter if rest.starts_with('*') => Some(1),
            Place::Filter => rest.find(|ch| !is_filter_name(ch)),
        };
        let end = end.unwrap_or(rest.len());
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
        self.skip_blanks();
        let step = match self.peek() {
            Some(quote @ ('"' | '\'')) => Step::Key(self.quoted(quote)?),
            Some('*') => {
                self.at += 1;
                Step::All
            }
            Some(']') => Step::All,
            Some('?') => {
                self.at += 1;
                Step::Filter(self.deeper(Parser::filter)?)
            }
            Some(_) => self.scalar()?,
            None => return Err((PathProblem::UnclosedBracket, open)),
        };
        self.skip_blanks();
        match self.peek() {
            Some(']') => self.at += 1,
            Some(_) if matches!(step, Step::Filter(_)) => {
                return Err((PathProblem::ExpectedOperator, self.at));
            }
            Some(_) => return Err((PathProblem::BadBrackets, self.at)),
            None => return Err((PathProblem::UnclosedBracket, open)),
        }
        Ok(step)
    }

    /// A number, a slice, or another scalar that is not text.
    fn scalar(&mut self) -> Result<Step> {
        let (rest, start) = (self.rest(), self.at);
        let len = rest.find([']', '"', '\'', '[']).unwrap_or(rest.len());
        let word = rest[..len].trim_end();
        if let Some((from, to)) = word.split_once(':').filter(|_| is_slice(word)) {
            self.at += word.len();
            let to_start = start + from.len() + 1;
            return Ok(Step::Slice(bound(from, start)?, bound(to, to_start)?));
        }
        let digits = word.strip_prefix('-').unwrap_or(word);
        if !digits.is_empty() && digits.bytes().all(is_digit) {
            self.at += word.len();
            return word.parse().map(Step::Index).map_err(|_| (PathProblem::HugeIndex, start));
        }
        self.at += word.len();
        match Schema::Core.scalar(word) {
            Scalar::Str(_) | Scalar::Unresolved(_) | Scalar::Merge if self.peek().is_none() => {
                Err((PathProblem::UnclosedBracket, start - 1))
            }
            Scalar::Str(_) | Scalar::Unresolved(_) | Scalar::Merge => {
                Err((PathProblem::UnquotedKey, start))
            }
            _ => Ok(Step::Plain(word.to_owned())),
        }
    }

    /// A text in quotes.
    pub fn quoted(&mut self, quote: char) -> Result<String> {
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

/// Whether it has the form of a slice.
fn is_slice(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b':' | b'-' | b' '))
}

/// A bound of a slice, which may be missing.
fn bound(text: &str, start: usize) -> Result<Option<i64>> {
    let digits = text.trim();
    if digits.is_empty() {
        return Ok(None);
    }
    let number = digits.strip_prefix('-').unwrap_or(digits);
    if number.is_empty() || !number.bytes().all(is_digit) {
        return Err((PathProblem::BadBrackets, start));
    }
    digits.parse().map(Some).map_err(|_| (PathProblem::HugeIndex, start))
}

/// Whether a character may be in a name in a filter without quotes.
pub(super) fn is_filter_name(ch: char) -> bool {
    !ch.is_whitespace() && !ch.is_control() && !".[]()*\"'=!<>&|,?".contains(ch)
}
