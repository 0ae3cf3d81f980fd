//! Operators, which wait for their right operand.

use super::Result;
use super::lexer::Kind;
use super::parser::Parser;
use super::types::{Operator, Pending};
use crate::compile::op::Op;

/// The level of comparisons, which do not follow each other.
const COMPARISON: u8 = 4;

/// Returns how tightly an operator between two operands binds.
fn level(sign: &str) -> Option<u8> {
    Some(match sign {
        "or" => 1,
        "and" => 2,
        "==" | "!=" | "<" | "<=" | ">" | ">=" => COMPARISON,
        "+" | "-" => 5,
        "*" | "/" | "%" => 6,
        "**" => 8,
        _ => return None,
    })
}

impl Parser<'_> {
    /// Returns the operator that the token is.
    fn operator(&self) -> Option<(&'static str, u8)> {
        let sign = match self.token.kind {
            Kind::Sign(sign) => sign,
            Kind::Name if self.text(self.token.span) == "and" => "and",
            Kind::Name if self.text(self.token.span) == "or" => "or",
            _ => return None,
        };
        level(sign).map(|level| (sign, level))
    }

    /// Returns whether a section starts: an operator whose left operand is `it`. A minus needs a blank after it.
    pub fn starts_section(&self) -> bool {
        let is_spaced = self.lexer.rest().starts_with(char::is_whitespace);
        self.operator().is_some_and(|(sign, _)| sign != "-" || is_spaced)
    }

    /// Takes an operator before its only operand.
    pub fn prefix(&mut self) -> Result<bool> {
        let base = self.frames.last().map_or(0, |frame| frame.pending);
        let outer = self.pending[base..].last().map_or(0, |waiting| waiting.level);
        let (operator, level) = match self.token.kind {
            Kind::Sign("-") => (Operator::Negate, 7),
            Kind::Name if self.text(self.token.span) == "not" => (Operator::Not, 3),
            _ => return Ok(false),
        };
        if level == 3 && outer >= COMPARISON {
            return Err(self.unexpected("write parentheses around it"));
        }
        let span = self.advance()?.span;
        self.pending.push(Pending { operator, level, span });
        Ok(true)
    }

    /// Takes an operator after its left operand.
    pub fn infix(&mut self) -> Result<bool> {
        let Some((sign, level)) = self.operator() else { return Ok(false) };
        self.finish_several(false);
        let base = self.frames.last().map_or(0, |frame| frame.pending);
        // Powers group from the right.
        self.reduce(base, if matches!(level, COMPARISON | 8) { level + 1 } else { level });
        let outer = self.pending[base..].last().map_or(0, |waiting| waiting.level);
        if level == COMPARISON && outer == COMPARISON {
            return Err(self.unexpected("write `and` between comparisons"));
        }
        let span = self.token.span;
        let mut operator = Operator::Binary(sign);
        if level < 3 {
            let end = self.code.label();
            let jump = if sign == "or" { Op::JumpIfTrue(end) } else { Op::JumpIfFalse(end) };
            self.code.emit_all(&[Op::Dup, jump, Op::Pop], span);
            operator = Operator::Deciding(end);
        }
        self.advance()?;
        self.pending.push(Pending { operator, level, span });
        Ok(true)
    }

    /// Applies the operators that wait since `base` and bind at least this tightly.
    pub fn reduce(&mut self, base: usize, least: u8) {
        while self.pending.len() > base
            && let Some(waiting) = self.pending.pop_if(|waiting| waiting.level >= least)
        {
            match waiting.operator {
                Operator::Deciding(end) => self.code.place(end),
                Operator::Not => self.code.emit(Op::Not, waiting.span),
                Operator::Negate => self.code.call_as("_negate", "-", 0, waiting.span),
                Operator::Binary(sign) => self.code.call(sign, 1, waiting.span),
            }
        }
    }
}
