//! Parsing filters.

use super::parse::{Parser, PathProblem, Place, Result, is_filter_name};
use super::step::{Expression, Filter, Operator, Right, Source, Step};
use crate::schema::{Scalar, Schema};
use regex_lite::Regex;

/// The comparison operators. An operator precedes those that are a prefix of it.
const OPERATORS: [(&str, Operator); 6] = [
    ("==", Operator::Equal),
    ("!=", Operator::NotEqual),
    ("<=", Operator::LessOrEqual),
    (">=", Operator::GreaterOrEqual),
    ("<", Operator::Less),
    (">", Operator::Greater),
];

impl Parser<'_> {
    /// Parses a filter, from after its `[?` up to its `]`.
    pub fn filter(&mut self) -> Result<Filter> {
        let mut paths = Vec::new();
        let expression = self.any(&mut paths)?;
        Ok(Filter { paths, expression })
    }

    /// Parses conditions that are joined by `||`. Adds their paths to `paths`.
    fn any(&mut self, paths: &mut Vec<Vec<Step>>) -> Result<Expression> {
        let first = self.all(paths)?;
        let mut parts = vec![first];
        while self.takes("||", "or") {
            parts.push(self.all(paths)?);
        }
        Ok(single(parts, Expression::Any))
    }

    /// Parses conditions that are joined by `&&`.
    fn all(&mut self, paths: &mut Vec<Vec<Step>>) -> Result<Expression> {
        let first = self.one(paths)?;
        let mut parts = vec![first];
        while self.takes("&&", "and") {
            parts.push(self.one(paths)?);
        }
        Ok(single(parts, Expression::All))
    }

    /// Consumes an operator, which is written as `sign` or as `word`. Returns false if neither
    /// comes next.
    fn takes(&mut self, sign: &str, word: &str) -> bool {
        self.skip_blanks();
        let rest = self.rest();
        let after = rest.strip_prefix(sign).or_else(|| {
            rest.strip_prefix(word).filter(|after| after.starts_with([' ', '\t', '(', '!']))
        });
        let Some(after) = after else { return false };
        self.at += rest.len() - after.len();
        true
    }

    /// Parses a comparison, a path that must lead to a node, a negation, or conditions in
    /// parentheses.
    fn one(&mut self, paths: &mut Vec<Vec<Step>>) -> Result<Expression> {
        if self.takes("!", "not") {
            return self.deeper(|parser| Ok(Expression::Not(Box::new(parser.one(paths)?))));
        }
        if self.peek() == Some('(') {
            let open = self.at;
            self.at += 1;
            let inner = self.deeper(|parser| parser.any(paths))?;
            self.skip_blanks();
            return match self.peek() {
                Some(')') => {
                    self.at += 1;
                    Ok(inner)
                }
                Some(_) => Err((PathProblem::ExpectedOperator, self.at)),
                None => Err((PathProblem::UnclosedParenthesis, open)),
            };
        }
        let left = self.source(paths)?;
        self.skip_blanks();
        if self.rest().starts_with("=~") {
            self.at += 2;
            return Ok(Expression::Matches(left, self.pattern()?));
        }
        let rest = self.rest();
        let Some((text, operator)) = OPERATORS.iter().find(|(text, _)| rest.starts_with(text))
        else {
            return Ok(Expression::Exists(left));
        };
        self.at += text.len();
        Ok(Expression::Compare(left, *operator, self.right(paths)?))
    }

    /// Parses the left side of a comparison: `key`, or a path from the entry.
    fn source(&mut self, paths: &mut Vec<Vec<Step>>) -> Result<Source> {
        self.skip_blanks();
        let rest = self.rest();
        let is_start = |ch: char| is_filter_name(ch) || matches!(ch, '.' | '[' | '*' | '"' | '\'');
        if !rest.starts_with(is_start) {
            return Err((PathProblem::ExpectedOperand, self.at));
        }
        let word = &rest[..rest.find(|ch| !is_filter_name(ch)).unwrap_or(rest.len())];
        if word == "key" && !rest[word.len()..].starts_with(['.', '[']) {
            self.at += word.len();
            return Ok(Source::Key);
        }
        // In JSONPath, `@` stands for the entry.
        if word == "@" {
            self.at += 1;
            if !rest[1..].starts_with(['.', '[']) {
                paths.push(Vec::new());
                return Ok(Source::Path(paths.len() - 1));
            }
        }
        let steps = self.steps(Place::Filter)?;
        paths.push(steps);
        Ok(Source::Path(paths.len() - 1))
    }

    /// Parses the right side of a comparison: a scalar, or a path that starts with a dot, a bracket
    /// or `@`.
    fn right(&mut self, paths: &mut Vec<Vec<Step>>) -> Result<Right> {
        self.skip_blanks();
        if let Some(quote @ ('"' | '\'')) = self.peek() {
            return Ok(Right::Text(self.quoted(quote)?));
        }
        let rest = self.rest();
        let is_plain = |ch: char| is_filter_name(ch) || ch == '.';
        let word = &rest[..rest.find(|ch| !is_plain(ch)).unwrap_or(rest.len())];
        let is_text = matches!(Schema::Core.scalar(word), Scalar::Str(_));
        let is_path = rest.starts_with(['.', '[', '@']) && (is_text || word.is_empty());
        if is_path {
            return Ok(Right::Source(self.source(paths)?));
        }
        if word.is_empty() {
            return Err((PathProblem::ExpectedValue, self.at));
        }
        self.at += word.len();
        Ok(match is_text {
            true => Right::Text(word.to_owned()),
            false => Right::Plain(word.to_owned()),
        })
    }

    /// Parses a regular expression in quotes. Backslashes are part of the expression.
    fn pattern(&mut self) -> Result<String> {
        self.skip_blanks();
        let open = self.at;
        let pattern = match self.peek() {
            Some('\'') => self.quoted('\'')?,
            Some('"') => self.raw()?,
            _ => return Err((PathProblem::ExpectedValue, self.at)),
        };
        Regex::new(&pattern).map_err(|_| (PathProblem::BadPattern, open))?;
        Ok(pattern)
    }

    /// Parses text in double quotes in which `\"` is the only escape.
    fn raw(&mut self) -> Result<String> {
        let open = self.at;
        self.at += 1;
        let mut text = String::new();
        loop {
            let Some(ch) = self.peek() else { return Err((PathProblem::UnclosedQuote, open)) };
            self.at += ch.len_utf8();
            match (ch, self.peek()) {
                ('"', _) => return Ok(text),
                ('\\', Some('"')) => {
                    self.at += 1;
                    text.push('"');
                }
                ('\\', Some(next)) => {
                    self.at += next.len_utf8();
                    text.extend([ch, next]);
                }
                _ => text.push(ch),
            }
        }
    }
}

/// Joins `parts` with `join`, unless there is only one, which is returned unchanged.
fn single(
    mut parts: Vec<Expression>,
    join: impl FnOnce(Vec<Expression>) -> Expression,
) -> Expression {
    match (parts.len(), parts.pop()) {
        (1, Some(part)) => part,
        (_, Some(last)) => {
            parts.push(last);
            join(parts)
        }
        (_, None) => join(parts),
    }
}
