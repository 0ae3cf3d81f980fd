//! The parser: its state, tokens, names and brackets. What is open is on a stack, so that nothing recurses.

use super::code::Emitter;
use super::lexer::{Kind, Lexer, Token};
use super::types::{Chain, Form, Frame, Pending, Scope};
use super::{Result, error};
use crate::error::QueryError;
use crate::syntax::Span;
use std::collections::HashMap;
use std::sync::Arc;

pub(super) struct Parser<'t> {
    pub lexer: Lexer<'t>,
    pub token: Token,
    pub code: Emitter,
    pub frames: Vec<Frame>,
    pub pending: Vec<Pending>,
    pub chain: Chain,
    pub scope: Scope,
    /// The bound names, in order, and the variables of each.
    pub names: Vec<Arc<str>>,
    pub slots: HashMap<Arc<str>, Vec<u16>>,
    pub document: u16,
}

/// Names that are no messages.
const RESERVED: [&str; 7] = ["and", "or", "not", "it", "null", "true", "false"];

impl<'t> Parser<'t> {
    /// Takes the token.
    pub fn advance(&mut self) -> Result<Token> {
        let next = self.lexer.token()?;
        Ok(std::mem::replace(&mut self.token, next))
    }

    /// Returns the token after the current one.
    pub fn peek(&self) -> Option<Kind> {
        self.lexer.clone().token().ok().map(|token| token.kind)
    }

    /// Returns the text at a place.
    pub fn text(&self, span: Span) -> &'t str {
        &self.lexer.text[span.start as usize..span.end as usize]
    }

    /// Returns whether the token is this sign.
    pub fn is(&self, sign: &str) -> bool {
        matches!(self.token.kind, Kind::Sign(found) if found == sign)
    }

    /// Takes a sign, or fails.
    pub fn expect(&mut self, sign: &str) -> Result<Token> {
        if self.is(sign) {
            self.advance()
        } else {
            Err(self.unexpected(&format!("expected `{sign}`")))
        }
    }

    /// Returns the error that the token is not expected.
    pub fn unexpected(&self, what: &str) -> QueryError {
        let found = match self.token.kind {
            Kind::End => "the query ends".to_owned(),
            _ => format!("unexpected `{}`", self.text(self.token.span)),
        };
        error("syntax", self.token.span, format!("{found}: {what}"))
    }

    /// Returns the name that the token is, unless it is reserved.
    pub fn name(&self) -> Option<&'t str> {
        let text = self.text(self.token.span);
        let is_free =
            !RESERVED.contains(&text) || text == "null" && self.lexer.rest().starts_with('?');
        (self.token.kind == Kind::Name && is_free).then_some(text)
    }

    /// Binds a name to a variable.
    pub fn bind(&mut self, name: Arc<str>, slot: u16) {
        self.names.push(name.clone());
        self.slots.entry(name).or_default().push(slot);
    }

    /// Returns the variable that a name is bound to.
    pub fn bound(&self, name: &str) -> Option<u16> {
        self.slots.get(name).and_then(|slots| slots.last()).copied()
    }

    /// Opens a bracket.
    pub fn open(&mut self, form: Form, span: Span) {
        self.frames.push(Frame {
            form,
            span,
            chain: self.chain,
            scope: self.scope,
            pending: self.pending.len(),
            names: self.names.len(),
            binding: None,
        });
    }

    /// Closes a bracket: names have their outer meaning again, and the chain goes on.
    pub fn close(&mut self) -> Option<Frame> {
        let frame = self.frames.pop()?;
        self.end_scope(&frame);
        self.chain = frame.chain;
        Some(frame)
    }

    /// Gives names the meaning that they have outside of a frame.
    pub fn end_scope(&mut self, frame: &Frame) {
        self.scope = frame.scope;
        for name in self.names.drain(frame.names..) {
            self.slots.get_mut(&name).and_then(Vec::pop);
        }
    }

    /// Starts a query, which may bind a name.
    pub fn start_query(&mut self) -> Result<()> {
        if let Some(name) = self.name()
            && self.peek() == Some(Kind::Sign("="))
        {
            if self.bound(name).is_some() {
                return Err(self.unexpected("the name is bound already"));
            }
            let slot = self.code.slot();
            self.advance()?;
            self.advance()?;
            if let Some(frame) = self.frames.last_mut() {
                frame.binding = Some((name.into(), slot));
            }
        }
        Ok(())
    }
}
