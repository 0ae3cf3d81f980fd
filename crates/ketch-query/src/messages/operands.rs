//! Operands: literals, names, brackets and texts, and the end of expressions.

use super::code::Emitter;
use super::lexer::{Kind, Lexer, PieceEnd, Token};
use super::parser::Parser;
use super::types::{Chain, Form, Scope};
use super::{Result, error};
use crate::compile::Code;
use crate::compile::op::{Absent, Op};
use crate::syntax::Span;
use crate::value::{Entries, Number, Value};
use std::collections::HashMap;
use std::sync::Arc;

/// Compiles a query, in which the names `globals` are bound.
pub fn compile(text: &str, globals: &[Arc<str>]) -> Result<(Code, Span)> {
    let start = text.len() - text.trim_start().len();
    let end = text.trim_end().len().max(start);
    let span = Span { start: start as u32, end: end as u32 };
    let mut lexer = Lexer { text, at: 0 };
    let token = lexer.token()?;
    let mut parser = Parser {
        lexer,
        token,
        code: Emitter::default(),
        frames: Vec::new(),
        pending: Vec::new(),
        chain: Chain::default(),
        scope: Scope::default(),
        names: Vec::new(),
        slots: HashMap::new(),
        document: 0,
    };
    for global in globals {
        let slot = parser.code.slot();
        parser.bind(global.clone(), slot);
    }
    parser.document = parser.code.slot();
    parser.scope = Scope { subject: parser.document, it: parser.document };
    parser.code.emit(Op::Store(parser.document), span);
    parser.program()?;
    parser.code.call("_result", 0, span);
    parser.code.emit(Op::End, span);
    match parser.code.fits() {
        true => Ok((parser.code.finish(), span)),
        false => Err(error("too-large", span, "the query has too many variables")),
    }
}

impl Parser<'_> {
    /// Parses the program.
    fn program(&mut self) -> Result<()> {
        self.open(Form::Program, self.token.span);
        self.start_query()?;
        loop {
            while !self.operand()? {}
            while self.after_operand()? {}
            if self.frames.is_empty() {
                return Ok(());
            }
        }
    }

    /// Takes what an operand starts with. Returns whether the operand, or the first part of its chain, is complete.
    fn operand(&mut self) -> Result<bool> {
        if self.prefix()? {
            return Ok(false);
        }
        let Token { kind, span, .. } = self.token;
        self.chain = Chain::at(self.code.position());
        match kind {
            Kind::Number => {
                let number = Number::spelled(self.text(span)).unwrap_or_else(Number::nan);
                self.code.push_constant(Value::Number(number), span);
                self.advance()?;
            }
            Kind::Quote => return self.quoted(span),
            Kind::Name => return self.head_name(span),
            Kind::Sign("$") => {
                self.code.push_variable(self.document, span);
                self.chain.is_path = true;
                self.advance()?;
            }
            Kind::Sign(".") => {
                self.code.push_variable(self.scope.subject, span);
                self.chain.is_path = true;
                if self.starts_step() {
                    return self.dot_step();
                }
                self.advance()?;
            }
            Kind::Sign(open @ ("(" | "[" | "{")) => {
                self.advance()?;
                return self.bracket(open, span);
            }
            _ => return Err(self.unexpected("expected a value")),
        }
        Ok(true)
    }

    /// Takes an opening bracket at the start of an operand. Returns whether the operand is complete.
    fn bracket(&mut self, open: &str, span: Span) -> Result<bool> {
        match open {
            "(" => {
                self.open(Form::Parentheses, span);
                self.start_query()?;
            }
            "[" => {
                let slot = self.code.slot();
                self.code.emit(Op::NewArray(slot), span);
                if self.is("]") {
                    self.advance()?;
                    self.code.push_last(slot, span);
                    return Ok(true);
                }
                self.open(Form::List { slot }, span);
            }
            _ => {
                self.code.push_constant(Value::object(Entries::new()), span);
                if self.is("}") {
                    self.advance()?;
                    return Ok(true);
                }
                self.open(Form::Dict, span);
                return self.pair();
            }
        }
        Ok(false)
    }

    /// Takes a name at the start of a chain. Returns whether it is complete.
    fn head_name(&mut self, span: Span) -> Result<bool> {
        match self.text(span) {
            "it" => self.code.push_variable(self.scope.it, span),
            "null" if self.name().is_none() => self.code.push_constant(Value::Null, span),
            "true" => self.code.push_constant(Value::Bool(true), span),
            "false" => self.code.push_constant(Value::Bool(false), span),
            "and" | "or" | "not" => return Err(self.unexpected("expected a value")),
            name => {
                let is_call = self.lexer.rest().starts_with('(');
                if is_call && let Some(is_complete) = self.free_call(name)? {
                    return Ok(is_complete);
                }
                let Some(slot) = self.bound(name).filter(|_| !is_call) else {
                    self.code.push_variable(self.scope.subject, span);
                    self.chain.is_path = !is_call;
                    return self.message();
                };
                self.code.push_variable(slot, span);
            }
        }
        self.advance()?;
        Ok(true)
    }

    /// Takes a text, up to the first query in it. Returns whether it is complete.
    fn quoted(&mut self, span: Span) -> Result<bool> {
        if self.text(span) == "'" {
            let text = self.lexer.single_quoted()?;
            self.advance()?;
            self.code.push_text(&text, span);
            return Ok(true);
        }
        let (text, end) = self.lexer.piece()?;
        if end == PieceEnd::Quote {
            self.code.push_text(&text, span);
            self.advance()?;
            return Ok(true);
        }
        let slot = self.code.slot();
        self.code.emit(Op::NewArray(slot), span);
        self.piece(slot, &text, span)?;
        Ok(false)
    }

    /// Adds a piece of a text, and opens the query after it.
    fn piece(&mut self, slot: u16, text: &str, span: Span) -> Result<()> {
        self.code.push_text(text, span);
        self.code.emit(Op::Append(slot), span);
        self.advance()?;
        self.open(Form::Query { slot }, span);
        self.start_query()
    }

    /// Takes what follows a query in a text. The token is `}`, and the lexer is after it. Returns whether the text ends.
    fn after_query(&mut self, slot: u16) -> Result<bool> {
        let span = self.token.span;
        self.code.emit(Op::Append(slot), span);
        let Some(frame) = self.close() else { return Ok(true) };
        let (text, end) = self.lexer.piece()?;
        if end == PieceEnd::Query {
            self.piece(slot, &text, frame.span)?;
            return Ok(false);
        }
        self.code.push_text(&text, span);
        self.code.emit(Op::Append(slot), span);
        self.code.push_last(slot, frame.span);
        self.code.call("_join", 0, frame.span);
        self.advance()?;
        Ok(true)
    }

    /// Starts an entry of a dict. Returns whether the entry is complete.
    fn pair(&mut self) -> Result<bool> {
        let span = self.token.span;
        match self.token.kind {
            Kind::Name => {
                let name = self.text(span);
                self.advance()?;
                self.code.push_text(name, span);
                if self.is(":") {
                    self.advance()?;
                    return Ok(false);
                }
                // The name alone stands for the key of the subject.
                self.code.push_variable(self.scope.subject, span);
                self.code.push_text(name, span);
                self.code.emit(Op::Access(Absent::Fails), span);
                self.chain = Chain::default();
                match self.is(",") || self.is("}") {
                    true => Ok(true),
                    false => Err(self.unexpected("expected `,` or `}`")),
                }
            }
            Kind::Quote => {
                self.open(Form::Key { is_parenthesized: false }, span);
                Ok(false)
            }
            Kind::Sign("(") => {
                self.advance()?;
                self.open(Form::Key { is_parenthesized: true }, span);
                Ok(false)
            }
            _ => Err(self.unexpected("expected a key")),
        }
    }

    /// Takes a token after an operand. Returns whether another one follows; otherwise an operand does.
    fn after_operand(&mut self) -> Result<bool> {
        if let Some(is_complete) = self.step()? {
            return Ok(is_complete);
        }
        if self.name().is_some() {
            self.finish_several(false);
            self.chain.is_path = false;
            return self.message();
        }
        if self.infix()? {
            return Ok(false);
        }
        self.end_expression()
    }

    /// Ends an expression: the token separates or closes. Returns whether an operand is complete then.
    fn end_expression(&mut self) -> Result<bool> {
        let is_alone =
            self.frames.len() == 1 && self.pending.is_empty() && self.token.kind == Kind::End;
        self.finish_several(is_alone && self.chain.is_path);
        let base = self.frames.last().map_or(0, |frame| frame.pending);
        self.reduce(base, 0);
        if self.is(";")
            && let Some((name, slot)) =
                self.frames.last_mut().and_then(|frame| frame.binding.take())
        {
            self.code.emit(Op::Store(slot), self.token.span);
            self.bind(name, slot);
            self.advance()?;
            self.start_query()?;
            return Ok(false);
        }
        let Some(frame) = self.frames.last() else {
            return Err(self.unexpected("expected the end"));
        };
        if frame.binding.is_some() {
            return Err(self.unexpected("expected `;` after what a name is bound to"));
        }
        let Token { kind, span, .. } = self.token;
        match (&frame.form, kind) {
            (Form::Program, Kind::End) => {
                self.close();
                return Ok(false);
            }
            (Form::Parentheses, Kind::Sign(")")) => drop(self.close()),
            (&Form::List { slot }, Kind::Sign(sign @ ("," | "]"))) => {
                self.code.emit(Op::Append(slot), span);
                self.advance()?;
                if sign == "," {
                    return Ok(false);
                }
                let open = self.close().map_or(span, |frame| frame.span);
                self.code.push_last(slot, open);
                return Ok(true);
            }
            (Form::Dict, Kind::Sign(sign @ ("," | "}"))) => {
                self.code.call("_insert", 2, frame.span);
                self.advance()?;
                if sign == "," {
                    return self.pair();
                }
                self.close();
                return Ok(true);
            }
            (Form::Key { is_parenthesized: true }, Kind::Sign(")")) => {
                self.close();
                self.advance()?;
                self.expect(":")?;
                return Ok(false);
            }
            (Form::Key { is_parenthesized: false }, Kind::Sign(":")) => {
                self.close();
                self.advance()?;
                return Ok(false);
            }
            (&Form::Query { slot }, Kind::Sign("}")) => return self.after_query(slot),
            (Form::Index, Kind::Sign("]")) => return self.end_index(),
            (&Form::Filter { mark, missing }, Kind::Sign("]")) => {
                return self.end_filter(mark, missing);
            }
            (Form::Args(_), Kind::Sign("," | ")")) => return self.end_arg(),
            _ => return Err(self.unexpected("expected an operator, a message or the end")),
        }
        self.advance()?;
        Ok(true)
    }
}
