//! The parser, which turns tokens into the events of a document, using the tables of the grammar.
//! There is no recursion: the parser's stack and the scanner's levels are vectors.

use super::builder::{Builder, Entry, fault};
use super::grammar::{Action, RULES, Rule};
use super::scanner::Scanner;
use super::table::ACTIONS;
use super::text::Text;
use super::token::{Kind, Token};
use ketch_yaml::internal::Fault;
use ketch_yaml::{Limits, Problem};

/// The result of parsing up to the end of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// A document, with the offset of its `---` if it has one.
    Document { marker: Option<usize> },
    /// The end of the stream.
    Nothing,
}

/// The number of tokens and simple lines after which the interrupt is polled again.
const POLL_STEPS: u32 = 4096;

/// What the parser does with a token in a certain state.
#[derive(Clone, Copy, Debug)]
enum Move {
    /// It takes the token, and goes to this state.
    Shift(u8),
    /// It reduces a rule with this action, this number of symbols and this name.
    Reduce(Action, u8, u8),
    /// It accepts the document.
    Accept,
    /// It reports an error, because the grammar does not allow the token here.
    Refuse,
}

/// The moves by state and kind of token: [`ACTIONS`] and [`RULES`], combined in one table. The size
/// of the table makes bounds checks unnecessary.
static MOVES: [[Move; 32]; 128] = {
    let mut moves = [[Move::Refuse; 32]; 128];
    let mut state = 0;
    while state < ACTIONS.len() {
        let mut kind = 0;
        while kind < ACTIONS[state].len() {
            let action = ACTIONS[state][kind];
            let rule = (-1 - action) as usize;
            moves[state][kind] = if action > 0 {
                Move::Shift((action - 1) as u8)
            } else if action == 0 {
                Move::Refuse
            } else if rule < RULES.len() {
                let Rule { name, symbols, action } = RULES[rule];
                Move::Reduce(action, symbols.len() as u8, name as u8)
            } else {
                Move::Accept
            };
            kind += 1;
        }
        state += 1;
    }
    moves
};

impl Builder {
    /// Parses the next document of `text`.
    pub fn document(
        &mut self,
        scanner: &mut Scanner,
        text: Text<'_>,
        limits: &Limits,
        interrupt: Option<fn() -> bool>,
    ) -> Result<Found, Fault> {
        scanner.start_document();
        self.begin(text, scanner.pos());
        let has_lines = Builder::reads_lines(text, self.base, limits);
        let mut last = Token::new(Kind::End, scanner.pos(), scanner.pos());
        let mut steps = 0u32;
        let mut token = scanner.next(text);
        loop {
            let Some(&Entry { state, .. }) = self.stack.last() else { return Ok(Found::Nothing) };
            match MOVES[state as usize & 127][token.kind as usize & 31] {
                Move::Shift(next) => {
                    if steps >= POLL_STEPS {
                        steps = 0;
                        if interrupt.is_some_and(|poll| poll()) {
                            return Err(fault(Problem::Interrupted, token.start, 0));
                        }
                    }
                    steps += 1;
                    let mut lines = 0;
                    if token.kind == Kind::Line && has_lines {
                        lines = self.lines(scanner, text);
                    }
                    last = token;
                    if lines == 0 {
                        let value = self.shift(scanner, text, token, limits)?;
                        self.stack.push(Entry { state: next, value });
                        if token.kind == Kind::Open && has_lines {
                            lines = self.lines(scanner, text);
                        }
                    }
                    steps += lines;
                    token = scanner.next(text);
                }
                Move::Reduce(Action::Nothing, ..) => return Ok(Found::Nothing),
                Move::Reduce(action, count, name) => self.reduce(action, count, name, token),
                Move::Accept => return Ok(Found::Document { marker: self.marker }),
                Move::Refuse => return Err(self.unexpected(last, token, text)),
            }
        }
    }

    /// Returns the fault for `token`, which the grammar does not allow here. `last` is the token
    /// before it.
    fn unexpected(&self, last: Token, token: Token, text: Text<'_>) -> Fault {
        let bracket = self.brackets.last().copied();
        let is_sequence = bracket.is_some_and(|at| text.at(at) == b'[');
        let len = (token.end - token.start).clamp(1, 64);
        let problem = match (token.kind, bracket) {
            (Kind::SequenceClose | Kind::MappingClose, Some(_)) if last.kind == Kind::Comma => {
                return fault(Problem::SyckTrailingComma, last.start, 1);
            }
            (Kind::SequenceClose, Some(at)) if !is_sequence => {
                return related(Problem::SyckWrongBracket, token.start, 1, at);
            }
            (Kind::MappingClose, Some(at)) if is_sequence => {
                return related(Problem::SyckWrongBracket, token.start, 1, at);
            }
            (Kind::End | Kind::Close, Some(at)) => {
                return related(Problem::SyckOpenBracket, token.start, 1, at);
            }
            (Kind::Comma, Some(_)) => Problem::SyckComma,
            (_, Some(at)) => return related(Problem::SyckInBrackets, token.start, len, at),
            (Kind::SequenceClose | Kind::MappingClose | Kind::Comma, None) => {
                Problem::SyckStrayIndicator
            }
            (Kind::Colon, None) => Problem::SyckColon,
            (Kind::Dash | Kind::Question, None) => Problem::SyckEntry,
            (Kind::Line | Kind::Close | Kind::End, None) => {
                let len = (self.last_end - self.last_start).clamp(1, 64);
                return fault(Problem::SyckNoColon, self.last_start, len);
            }
            (Kind::Open, None) => Problem::SyckIndentation,
            _ => Problem::SyckUnexpected,
        };
        fault(problem, token.start, len)
    }
}

/// Creates a fault with the related location `related`.
fn related(problem: Problem, at: usize, len: usize, related: usize) -> Fault {
    Fault { problem, at: at as u64, len, related: Some(related as u64) }
}
