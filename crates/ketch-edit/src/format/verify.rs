//! Verifying that the output has the same meaning as the input: that it has the same lexemes with
//! the same content, and the same comments between the same lexemes.

use super::lexer::{Kind, Lexeme, Lexer};
use super::scalar::header_comment;
use ketch_yaml::{Error, EventKind, scalar};
use std::collections::VecDeque;

/// A comment and its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Comment<'t> {
    text: &'t [u8],
    /// The number of lexemes with text before it.
    after: u64,
    /// Whether it is on a line of its own.
    is_alone: bool,
    has_mark: bool,
}

/// One of the two texts that are compared.
struct Side<'t> {
    lexer: Lexer<'t>,
    text: &'t [u8],
    lexemes: u64,
    comments: VecDeque<Comment<'t>>,
}

impl<'t> Side<'t> {
    /// Returns the next lexeme that is not a comment. Collects the comments before it.
    fn next(&mut self) -> Result<Lexeme, Error> {
        loop {
            let lexeme = self.lexer.next()?;
            let span = &self.text[lexeme.event.range()];
            let after = self.lexemes;
            match lexeme.kind {
                Kind::Comment => {
                    let line = &self.text[lexeme.event.start - lexeme.column..lexeme.event.start];
                    let is_alone = line.trim_ascii().is_empty();
                    let text = span.trim_ascii_end();
                    self.comments.push_back(Comment {
                        text,
                        after,
                        is_alone,
                        has_mark: lexeme.has_mark,
                    });
                    continue;
                }
                Kind::Event(EventKind::Literal | EventKind::Folded) => {
                    let text = header_comment(span);
                    if !text.is_empty() {
                        self.comments.push_back(Comment {
                            text,
                            after,
                            is_alone: false,
                            has_mark: false,
                        });
                    }
                }
                _ => {}
            }
            self.lexemes += u64::from(!lexeme.is_empty());
            return Ok(lexeme);
        }
    }

    /// Returns the value of a scalar, or the text of any other lexeme.
    fn content(&self, lexeme: &Lexeme) -> std::borrow::Cow<'t, [u8]> {
        match lexeme.kind {
            Kind::Event(kind) if kind.is_scalar() => scalar::content(self.text, &lexeme.event),
            _ => self.text[lexeme.event.range()].into(),
        }
    }
}

/// Compares two texts. Returns `None` if they have the same meaning. Otherwise, returns an offset
/// in the old text: that of the lexeme at the difference or of the last one before it.
pub(super) fn difference<'t>(
    (old, old_text): (Lexer<'t>, &'t [u8]),
    (new, new_text): (Lexer<'t>, &'t [u8]),
) -> Option<u64> {
    let side = |lexer, text| Side { lexer, text, lexemes: 0, comments: VecDeque::new() };
    let (mut old, mut new) = (side(old, old_text), side(new, new_text));
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
