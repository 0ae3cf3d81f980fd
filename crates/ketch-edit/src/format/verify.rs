//! Verifying that the output has the same meaning as the input: that it has the same lexemes with
//! the same content, and the same comments between the same lexemes.

use super::lexer::{Kind, Lexeme, Lexer, Parsed, Whole};
use super::scalar::header_comment;
use ketch_yaml::{Error, Event, EventKind, ReadParser, scalar};
use std::borrow::Cow;
use std::collections::VecDeque;
use std::io::Read;

/// A comment and its position.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Comment {
    text: Vec<u8>,
    /// The number of lexemes with text before it.
    after: u64,
    /// Whether it is on a line of its own.
    is_alone: bool,
    has_mark: bool,
}

/// One of the two texts that are compared.
struct Side<P> {
    lexer: Lexer<P>,
    lexemes: u64,
    comments: VecDeque<Comment>,
}

impl<P: Parsed> Side<P> {
    /// Returns the next lexeme that is not a comment. Collects the comments before it.
    fn next(&mut self) -> Result<Lexeme, Error> {
        loop {
            let lexeme = self.lexer.next()?;
            let after = self.lexemes;
            let Lexeme { has_mark, is_first: is_alone, .. } = lexeme;
            match lexeme.kind {
                Kind::Comment => {
                    let text = self.lexer.text(lexeme.event.range()).trim_ascii_end().to_vec();
                    self.comments.push_back(Comment { text, after, is_alone, has_mark });
                    continue;
                }
                Kind::Event(EventKind::Literal | EventKind::Folded) => {
                    let text = header_comment(self.lexer.text(lexeme.event.range())).to_vec();
                    if !text.is_empty() {
                        let (is_alone, has_mark) = (false, false);
                        self.comments.push_back(Comment { text, after, is_alone, has_mark });
                    }
                }
                _ => {}
            }
            self.lexemes += u64::from(!lexeme.is_empty());
            return Ok(lexeme);
        }
    }

    /// Returns the value of a scalar, or the text of any other lexeme.
    fn content(&self, lexeme: &Lexeme) -> Cow<'_, [u8]> {
        match lexeme.kind {
            Kind::Event(kind) if kind.is_scalar() => {
                let (text, base) = self.lexer.buffered();
                let start = lexeme.event.start - base;
                scalar::content(text, &Event { start, ..lexeme.event })
            }
            _ => self.lexer.text(lexeme.event.range()).into(),
        }
    }
}

/// Compares two texts. Returns `None` if they have the same meaning. Otherwise, returns an offset
/// in the old text: that of the lexeme at the difference or of the last one before it.
pub(super) fn difference(old: Lexer<Whole<'_>>, new: Lexer<ReadParser<impl Read>>) -> Option<u64> {
    let mut old = Side { lexer: old, lexemes: 0, comments: VecDeque::new() };
    let mut new = Side { lexer: new, lexemes: 0, comments: VecDeque::new() };
    let mut at = 0;
    loop {
        // The old text has already been read without an error.
        let (Ok(expected), Ok(found)) = (old.next(), new.next()) else { return Some(at) };
        at = expected.event.start as u64;
        let is_same = expected.kind == found.kind
            && expected.is_flow() == found.is_flow()
            && expected.is_empty() == found.is_empty()
            && (expected.is_empty() || expected.has_mark == found.has_mark)
            && old.content(&expected) == new.content(&found);
        if !is_same {
            return Some(at);
        }
        while let (Some(expected), Some(found)) = (old.comments.front(), new.comments.front()) {
            if expected != found {
                return Some(at);
            }
            old.comments.pop_front();
            new.comments.pop_front();
        }
        if expected.kind == Kind::Eof {
            let is_same = old.comments.is_empty() && new.comments.is_empty();
            return (!is_same).then_some(at);
        }
    }
}
