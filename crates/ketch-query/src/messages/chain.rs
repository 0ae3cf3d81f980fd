//! Chains: steps, messages, and steps that lead to several values.

use super::Result;
use super::args::{is_built_in, without_arguments};
use super::lexer::{Kind, PieceEnd};
use super::parser::Parser;
use super::types::{Form, Scope, Several};
use crate::compile::op::{Absent, How, Op};
use crate::syntax::Span;
use crate::value::{Number, Value};

impl Parser<'_> {
    /// Returns whether the dot that is the token starts a step, of a name or another key.
    pub fn starts_step(&self) -> bool {
        let starts = |ch: char| ch.is_alphanumeric() || "_\"'*".contains(ch);
        self.lexer.rest().starts_with(starts)
    }

    /// Takes a step, which no blank is before. Returns whether it is complete.
    pub fn step(&mut self) -> Result<Option<bool>> {
        match self.token.kind {
            Kind::Sign(".") if !self.token.is_spaced => self.dot_step().map(Some),
            Kind::Sign("[") if !self.token.is_spaced => self.bracket_step().map(Some),
            _ => Ok(None),
        }
    }

    /// Takes a step after a dot, which is the token.
    pub fn dot_step(&mut self) -> Result<bool> {
        let start = self.lexer.at;
        let key = match self.lexer.rest().chars().next() {
            Some(ch) if ch.is_alphabetic() || ch == '_' => {
                self.advance()?;
                Value::from(self.text(self.token.span))
            }
            Some(ch) if ch.is_ascii_digit() => {
                Value::Number(Number::parse(self.lexer.digits()).unwrap_or_else(Number::nan))
            }
            Some(quote @ ('"' | '\'')) => {
                self.lexer.at += 1;
                let (text, end) = match quote {
                    '"' => self.lexer.piece()?,
                    _ => (self.lexer.single_quoted()?, PieceEnd::Quote),
                };
                if end == PieceEnd::Query {
                    let message = "a key after a dot has no queries in it: write brackets";
                    return Err(super::error("syntax", self.lexer.span(start), message));
                }
                text.into()
            }
            Some('*') => {
                self.lexer.at += 1;
                self.several(self.lexer.span(start));
                self.takes_question();
                self.advance()?;
                return Ok(true);
            }
            Some('[') => {
                self.advance()?;
                return self.bracket_step();
            }
            _ => {
                self.advance()?;
                return Err(self.unexpected("expected a key"));
            }
        };
        let span = self.lexer.span(start);
        self.code.push_constant(key, span);
        self.access(span)?;
        Ok(true)
    }

    /// Takes a question mark after a step.
    fn takes_question(&mut self) -> bool {
        let found = self.lexer.rest().starts_with('?');
        self.lexer.at += usize::from(found);
        found
    }

    /// Looks up the key that is the top. The token is the last one of a step.
    fn access(&mut self, span: Span) -> Result<()> {
        let absent = match (self.takes_question(), self.chain.several) {
            (true, _) => Absent::IsNull,
            (false, Some(_)) => Absent::Backtracks,
            (false, None) => Absent::Fails,
        };
        self.code.emit(Op::Access(absent), span);
        self.advance()?;
        Ok(())
    }

    /// Takes a step in brackets, of which the token is the first one. Returns whether it is complete.
    fn bracket_step(&mut self) -> Result<bool> {
        let open = self.advance()?.span;
        if self.is("*") && self.peek() == Some(Kind::Sign("]")) {
            self.advance()?;
        }
        if self.is("]") {
            self.several(Span { start: open.start, end: self.token.span.end });
            self.takes_question();
            self.advance()?;
            return Ok(true);
        }
        if self.is("?") {
            return self.filter(open);
        }
        let is_slice = self.is(":")
            || self.token.kind == Kind::Number && self.peek() == Some(Kind::Sign(":"))
            || self.is("-") && self.ends_negative_index();
        if is_slice {
            return self.slice(open);
        }
        self.open(Form::Index, open);
        Ok(false)
    }

    /// Returns whether a number and a colon follow the minus that is the token.
    fn ends_negative_index(&self) -> bool {
        let mut ahead = self.lexer;
        let kinds = [ahead.token(), ahead.token()].map(|token| token.ok().map(|token| token.kind));
        kinds == [Some(Kind::Number), Some(Kind::Sign(":"))]
    }

    /// Takes the ends of a slice.
    fn slice(&mut self, open: Span) -> Result<bool> {
        for is_first in [true, false] {
            let is_negative = self.is("-");
            if is_negative {
                self.advance()?;
            }
            let text = self.text(self.token.span);
            let end = match self.token.kind {
                Kind::Number if text.bytes().all(|byte| byte.is_ascii_digit()) => {
                    self.advance()?;
                    let number = Number::parse(text).unwrap_or_else(Number::nan);
                    Value::Number(if is_negative { number.negate() } else { number })
                }
                Kind::Sign(":" | "]") if !is_negative => Value::Null,
                _ => return Err(self.unexpected("expected an index")),
            };
            self.code.push_constant(end, open);
            if is_first {
                self.expect(":")?;
            }
        }
        if !self.is("]") {
            return Err(self.unexpected("expected `]`"));
        }
        let span = Span { start: open.start, end: self.token.span.end };
        self.takes_question();
        self.code.call("_slice", 2, span);
        self.advance()?;
        Ok(true)
    }

    /// Ends an index. The token is the closing bracket.
    pub fn end_index(&mut self) -> Result<bool> {
        let open = self.close().map_or(0, |frame| frame.span.start);
        self.access(Span { start: open, end: self.token.span.end })?;
        Ok(true)
    }

    /// Starts a filter.
    fn filter(&mut self, open: Span) -> Result<bool> {
        self.several(open);
        let (element, mark, missing) = (self.code.slot(), self.code.slot(), self.code.label());
        let handle = Op::Handle { at: missing, all: false };
        self.code.emit_all(&[Op::Dup, Op::Store(element), Op::Mark(mark), handle], open);
        self.open(Form::Filter { mark, missing }, open);
        self.scope = Scope { subject: element, it: element };
        self.advance()?;
        self.section()
    }

    /// Ends a filter. Elements without what it is about are left out. The token is the closing bracket.
    pub fn end_filter(&mut self, mark: u16, missing: u32) -> Result<bool> {
        let (span, end) = (self.token.span, self.code.label());
        let test = [Op::Cut(mark), Op::PushNull, Op::BacktrackIfFalse, Op::Pop, Op::Jump(end)];
        self.code.emit_all(&test, span);
        self.code.place(missing);
        self.code.emit(Op::Backtrack, span);
        self.code.place(end);
        self.close();
        self.takes_question();
        self.advance()?;
        Ok(true)
    }

    /// Goes on with each element of the top.
    fn several(&mut self, span: Span) {
        let quiet = self.chain.several.is_some();
        if !quiet {
            let (piece, slot, end) = (self.code.position(), self.code.slot(), self.code.label());
            self.code.emit_all(&[Op::NewArray(slot), Op::Fork(end)], span);
            self.chain.several = Some(Several { piece, slot, end, span });
        }
        self.code.emit(Op::Each { quiet }, span);
    }

    /// Puts several values into a list, unless they are the results of a mere path.
    pub fn finish_several(&mut self, is_mere_path: bool) {
        let Some(Several { piece, slot, end, span }) = self.chain.several.take() else { return };
        if is_mere_path {
            self.code.remove(piece);
            self.code.remove(piece + 1);
            return;
        }
        self.code.emit_all(&[Op::Append(slot), Op::Backtrack], span);
        self.code.place(end);
        self.code.emit_all(&[Op::Pop], span);
        self.code.push_last(slot, span);
    }

    /// Takes a message, whose name is the token. Returns whether it is complete.
    pub fn message(&mut self) -> Result<bool> {
        let mut span = self.token.span;
        let mut is_optional = self.takes_question();
        if is_optional {
            let whole = Span { start: span.start, end: span.end + 1 };
            if is_built_in(self.text(whole)) {
                (span, is_optional) = (whole, false);
            }
        }
        let is_call = self.lexer.rest().starts_with('(');
        let name = self.lexer.text.get(span.start as usize..span.end as usize).unwrap_or_default();
        self.advance()?;
        if is_call {
            self.advance()?;
            return self.call(name, span, is_optional);
        }
        let how = if is_optional { How::OptionalName } else { How::Name };
        self.code.send(without_arguments(name), name, 0, how, span);
        Ok(true)
    }
}
