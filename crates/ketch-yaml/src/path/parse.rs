//! Parsing paths.

use super::step::{Documents, Step};
use crate::schema::{Scalar, Schema};
use std::fmt;

/// The error of a text that is not a path, with its location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathError {
    text: String,
    problem: PathProblem,
    offset: usize,
}

/// The problems that a path can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PathProblem {
    /// The name of a step is missing.
    EmptyStep,
    /// The text in brackets is not a step.
    BadBrackets,
    /// Text in brackets is not in quotes.
    UnquotedKey,
    /// A bracket is never closed.
    UnclosedBracket,
    /// A quote is never closed.
    UnclosedQuote,
    /// There is no such escape sequence.
    BadEscape,
    /// An index is too large for any sequence.
    HugeIndex,
    /// Nothing separates a step from the one before it.
    ExpectedStep,
    /// A name contains a special character.
    ReservedCharacter,
    /// In a JSON Pointer, no `0` or `1` follows a `~`.
    BadTilde,
    /// In a filter, the path to compare is missing.
    ExpectedOperand,
    /// In a filter, no scalar or path follows an operator.
    ExpectedValue,
    /// In a filter, something is found where only an operator or the end is allowed.
    ExpectedOperator,
    /// A parenthesis is never closed.
    UnclosedParenthesis,
    /// A pattern is not a regular expression.
    BadPattern,
    /// A filter contains `..`.
    DescentInFilter,
    /// Filters and parentheses are nested too deeply.
    TooDeep,
}

impl PathProblem {
    /// Returns a sentence that says how to fix the path.
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
            PathProblem::BadPattern => "Write a pattern such as =~ \"^a.*b$\".",
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
            PathProblem::HugeIndex => "the number is too large",
            PathProblem::ExpectedStep => "expected `.`, `[` or the end of the path",
            PathProblem::ReservedCharacter => "this character cannot be in a name",
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
    /// Returns the kind of problem.
    #[must_use]
    pub fn problem(&self) -> PathProblem {
        self.problem
    }

    /// Returns the location of the problem, as an offset in bytes from the start of the path.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }
}

impl fmt::Display for PathError {
    /// Writes the message, the path with a caret below the location, and the help.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_problem(f, &self.problem, self.problem.help(), &self.text, self.offset)
    }
}

/// Writes an error about `path`: the message `problem`, the path with a caret below `offset`, and
/// `help`.
#[doc(hidden)]
pub fn write_problem(
    f: &mut fmt::Formatter<'_>,
    problem: &dyn fmt::Display,
    help: &str,
    path: &str,
    offset: usize,
) -> fmt::Result {
    let shown: String =
        path.chars().map(|ch| if ch.is_control() { '\u{fffd}' } else { ch }).collect();
    let before = path[..offset].chars().count();
    write!(f, "{problem}\n    {shown}\n    {:before$}^\n{help}", "")
}

impl std::error::Error for PathError {}

/// Parses a JSON Pointer. `text` must start with `/`.
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

/// Returns the offset of the first `~` in `token` that is not part of `~0` or `~1`.
fn bad_tilde(token: &str) -> Option<usize> {
    token.match_indices('~').map(|(at, _)| at).find(|at| !token[at + 1..].starts_with(['0', '1']))
}

/// Returns whether `name` needs no quotes in a path.
pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('\'') && !name.contains(['.', '[', ']', '*', '"'])
}

/// Parses a path with dots and brackets. Returns its selector of documents, if it has one, and its
/// steps.
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

/// Returns whether the path `text` starts with a `$` that stands for the root.
fn is_like_root(text: &str) -> bool {
    text.strip_prefix('$').is_some_and(|rest| matches!(rest.as_bytes(), [] | [b'.' | b'[', ..]))
}

/// Returns whether `name`, at the start of a path, would be read as the root or a selector of
/// documents.
pub(super) fn is_like_selector(name: &str) -> bool {
    name == "$"
        || name.strip_prefix('@').is_some_and(|rest| !rest.is_empty() && rest.bytes().all(is_digit))
}

/// Returns whether `byte` is one of `0` to `9`.
fn is_digit(byte: u8) -> bool {
    byte.is_ascii_digit()
}

/// The result of a parser function. An error is a problem with its offset.
pub(super) type Result<T, E = (PathProblem, usize)> = std::result::Result<T, E>;

/// The maximum depth of nested filters and parentheses.
const DEPTH_MAX: usize = 32;

/// Where steps occur, which determines how they end.
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
    /// Parses the selector of documents at the start (`@1`, `@*` or `@[?...]`), if there is one.
    fn documents(&mut self) -> Result<Option<Documents>> {
        // As in other notations, a `$` at the start may stand for the root.
        if is_like_root(self.text) {
            self.at = 1;
        }
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

    /// Parses steps up to the end of the path, which may be a path in a filter.
    pub fn steps(&mut self, place: Place) -> Result<Vec<Step>> {
        let mut steps: Vec<Step> = Vec::new();
        let start = self.at;
        // A dot alone stands for the root.
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
                // The first name may have a dot before it.
                _ if self.at == start && (start == 0 || place == Place::Filter) => {
                    steps.push(self.name(place)?);
                }
                _ if place == Place::Filter => break,
                _ => return Err((PathProblem::ExpectedStep, self.at)),
            }
        }
        Ok(steps)
    }

    /// Returns whether a dot comes next that is alone, because no step follows it.
    fn is_lone_dot(&self, place: Place) -> bool {
        let Some(rest) = self.rest().strip_prefix('.') else { return false };
        match place {
            Place::Path => rest.is_empty(),
            Place::Filter => !rest.starts_with(|ch| is_filter_name(ch) || "[.\"'*".contains(ch)),
        }
    }

    /// Parses `..` and the name directly after it, if there is one.
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

    /// Returns the text that is left to parse.
    pub fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Returns the next character without consuming it.
    pub fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Skips spaces, tabs and line breaks.
    pub fn skip_blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
    }

    /// Calls `parse` one level deeper. It is an error if that exceeds `DEPTH_MAX`.
    pub fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == DEPTH_MAX {
            return Err((PathProblem::TooDeep, self.at));
        }
        self.depth += 1;
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    /// Parses a name, a quoted text, or `*`.
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

    /// Parses a step in brackets, which starts at the opening bracket.
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

    /// Parses a number, a slice, or another scalar that is not text. It follows an opening bracket.
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

    /// Parses a quoted text, which starts at the opening quote `quote`.
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

    /// Parses an escape sequence of JSON, after its backslash.
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

    /// Parses the four digits after `\u`, and a second such escape if the first one starts a
    /// surrogate pair.
    fn unicode(&mut self) -> Option<char> {
        let high = self.hexadecimal()?;
        if !(0xD800..0xDC00).contains(&high) {
            return char::from_u32(high);
        }
        self.at += self.rest().starts_with("\\u").then_some(2)?;
        let low = self.hexadecimal()?.checked_sub(0xDC00).filter(|low| *low < 0x400)?;
        char::from_u32(0x1_0000 + (high - 0xD800) * 0x400 + low)
    }

    /// Parses four hexadecimal digits. Returns `None` if there are fewer.
    fn hexadecimal(&mut self) -> Option<u32> {
        let digits =
            self.rest().get(..4).filter(|text| text.bytes().all(|b| b.is_ascii_hexdigit()));
        self.at += 4;
        u32::from_str_radix(digits?, 16).ok()
    }
}

/// Returns whether `word` consists of characters that may occur in a slice.
fn is_slice(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b':' | b'-' | b' '))
}

/// Parses a bound of a slice, which starts at the offset `start`. An empty bound is `None`.
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

/// Returns whether a name in a filter may contain `ch` without being quoted.
pub(super) fn is_filter_name(ch: char) -> bool {
    !ch.is_whitespace() && !ch.is_control() && !".[]()*\"'=!<>&|,?".contains(ch)
}
