//! The parser: how it moves over tokens, makes expressions, and keeps what is not complete.
//!
//! It moves from step to step. What is open is in the frames, so that no step calls itself.

use super::error::SyntaxError;
use super::frame::{Frame, Operand, Place};
use super::lexer::{self, Lexer};
use super::token::{Bracket, Grouping, Infix, Kind, Level, Token, Word};
use super::tree::{Expr, ExprId, Name, Pattern, PatternId, Span, Tree};
use std::sync::Arc;

/// The longest source that can be parsed. So the numbers of bytes and of expressions fit their types.
const LONGEST_SOURCE: usize = 1 << 29;

/// The most characters of a token in a message.
const LONGEST_TOKEN_SHOWN: usize = 40;

/// Parses one source.
pub(super) struct Parser<'s> {
    source: &'s str,
    pub lexer: Lexer<'s>,
    /// The first token that is not parsed yet.
    pub token: Token,
    pub tree: Tree,
    /// What is not complete yet, the innermost last.
    pub frames: Vec<Frame>,
    /// The number of lines that end before an offset; it moves on with each question.
    lines: (usize, u32),
}

impl<'s> Parser<'s> {
    /// A parser at the beginning of a source.
    pub fn new(source: &'s str) -> Result<Self, SyntaxError> {
        if source.len() > LONGEST_SOURCE {
            return Err(SyntaxError::new(Span::default(), "the program is too long"));
        }
        let mut lexer = Lexer::new(source);
        let token = lexer.next_token()?;
        let tree = Tree::default();
        Ok(Self { source, lexer, token, tree, frames: Vec::new(), lines: (0, 1) })
    }

    /// Passes the token, and gives its span.
    pub fn advance(&mut self) -> Result<Span, SyntaxError> {
        let span = self.token.span;
        self.token = self.lexer.next_token()?;
        Ok(span)
    }

    /// Passes the token if it is of this kind.
    pub fn accept(&mut self, kind: Kind) -> Result<Option<Span>, SyntaxError> {
        if self.token.kind == kind { self.advance().map(Some) } else { Ok(None) }
    }

    /// Passes the token, which must be of this kind.
    pub fn expect(&mut self, kind: Kind, expected: &str) -> Result<Span, SyntaxError> {
        if self.token.kind == kind { self.advance() } else { Err(self.unexpected(expected)) }
    }

    /// Passes the token, which must end what was opened at a place.
    pub fn expect_closing(
        &mut self,
        kind: Kind,
        opening: Span,
        expected: &str,
    ) -> Result<Span, SyntaxError> {
        if self.token.kind == kind {
            self.advance()
        } else {
            Err(self.unexpected_in(Some(opening), expected))
        }
    }

    /// Passes the token, and gives its name without the first bytes, which are a sigil.
    pub fn take_name(&mut self, sigil: usize) -> Result<Name, SyntaxError> {
        let text = Arc::from(&self.slice(self.token.span)[sigil..]);
        Ok(Name { text, span: self.advance()? })
    }

    /// Passes the token, which must be `$name`.
    pub fn expect_variable(&mut self, expected: &str) -> Result<Name, SyntaxError> {
        match self.token.kind {
            Kind::Binding => self.take_name(1),
            _ => Err(self.unexpected(expected)),
        }
    }

    /// The text of a span.
    pub fn slice(&self, span: Span) -> &'s str {
        &self.source[span.start as usize..span.end as usize]
    }

    /// The number of the line of the token.
    pub fn line(&mut self) -> u32 {
        let (offset, line) = &mut self.lines;
        let start = self.token.span.start as usize;
        let newlines = self.source[*offset..start].matches('\n').count();
        *line = line.saturating_add(u32::try_from(newlines).unwrap_or(u32::MAX));
        *offset = start;
        *line
    }

    /// Adds an expression.
    pub fn add(&mut self, expr: Expr, span: Span) -> ExprId {
        let id = ExprId(self.tree.exprs.len() as u32);
        self.tree.exprs.push(expr);
        self.tree.spans.push(span);
        id
    }

    /// Adds an expression whose whole text is its place.
    pub fn operand(&mut self, expr: Expr, span: Span) -> Operand {
        self.operand_at(expr, span, span)
    }

    /// Adds an expression with its place and its whole text.
    pub fn operand_at(&mut self, expr: Expr, span: Span, extent: Span) -> Operand {
        Operand { id: self.add(expr, span), extent, is_access: false }
    }

    /// Adds a pattern.
    pub fn add_pattern(&mut self, pattern: Pattern) -> PatternId {
        let id = PatternId(self.tree.patterns.len() as u32);
        self.tree.patterns.push(pattern);
        id
    }

    /// What may stand at the token.
    pub fn place(&self) -> Place {
        self.frames.last().map_or(Place::Query, Frame::place)
    }

    /// The error that the token is not what is expected.
    pub fn unexpected(&self, expected: &str) -> SyntaxError {
        let opening = self.frames.iter().rev().find_map(Frame::opening);
        self.unexpected_in(opening, expected)
    }

    /// The error that the token is not what is expected, in a bracket or a construct that begins at a place.
    pub fn unexpected_in(&self, opening: Option<Span>, expected: &str) -> SyntaxError {
        let token = self.describe_token();
        let mut message = format!("unexpected {token}: expected {expected}");
        if let Some(opening) = opening.filter(|opening| self.leaves_open(*opening)) {
            let text = self.slice(opening);
            let place = lexer::place(self.source, opening.start as usize);
            message += &format!("; the `{text}` at {place} is not closed");
        }
        SyntaxError {
            help: self.help().map(str::to_owned),
            ..SyntaxError::new(self.token.span, message)
        }
    }

    /// Whether the token ends something, but not what begins with the bracket or the word at a place. A quote in an
    /// interpolation may be meant to end the string.
    fn leaves_open(&self, opening: Span) -> bool {
        match self.token.kind {
            Kind::End => true,
            Kind::StringStart => self.slice(opening) == "\\(",
            Kind::InterpolationEnd => self.slice(opening) != "\\(",
            Kind::Close(bracket) => {
                Kind::symbol(self.slice(opening)) != Some((Kind::Open(bracket), 1))
            }
            _ => false,
        }
    }

    /// The token in a message.
    fn describe_token(&self) -> String {
        let text = self.slice(self.token.span);
        match self.token.kind {
            Kind::End => "end".to_owned(),
            Kind::StringStart => "string".to_owned(),
            _ => match text.char_indices().nth(LONGEST_TOKEN_SHOWN) {
                Some((end, _)) => format!("`{}...`", &text[..end]),
                None => format!("`{text}`"),
            },
        }
    }

    /// What may be meant by a token that is often misplaced.
    fn help(&self) -> Option<&'static str> {
        match self.token.kind {
            Kind::PatternAlternative => {
                Some("`?//` is between patterns; for `?` and `//`, put a space between them")
            }
            Kind::Word(Word::Def | Word::Label) => Some("put it in parentheses"),
            _ => None,
        }
    }
}

/// What is parsed next.
#[derive(Debug)]
pub(super) enum Step {
    /// The beginning of an expression.
    Term,
    /// What follows an expression.
    After(Operand),
    /// The next part of a string.
    TextPart,
    /// The next entry of an object, or its end.
    Entry,
    /// What follows an entry of an object.
    EntryEnd,
    /// The beginning of a pattern.
    Pattern,
    /// What follows a pattern.
    PatternEnd(PatternId),
    /// The next entry of a pattern.
    PatternEntry,
    /// What follows an entry of a pattern.
    PatternEntryEnd,
    /// The whole is complete. A source of nothing but definitions has no expression.
    Complete(Option<Operand>),
}

/// The next step, or an error.
pub(super) type Next = Result<Step, SyntaxError>;

/// The span from the beginning of one to the end of the other.
pub(super) fn join(first: Span, last: Span) -> Span {
    Span { start: first.start, end: last.end }
}

impl Parser<'_> {
    /// Parses an expression in a frame, up to the token that ends it.
    pub fn run(&mut self, frame: Frame) -> Result<Option<Operand>, SyntaxError> {
        self.frames.push(frame);
        let mut step = Step::Term;
        loop {
            step = match step {
                Step::Term => self.term()?,
                Step::After(operand) => self.after(operand)?,
                Step::TextPart => self.text_part()?,
                Step::Entry => self.entry()?,
                Step::EntryEnd => self.entry_end()?,
                Step::Pattern => self.pattern()?,
                Step::PatternEnd(pattern) => self.pattern_end(pattern)?,
                Step::PatternEntry => self.pattern_entry()?,
                Step::PatternEntryEnd => self.pattern_entry_end()?,
                Step::Complete(body) => return Ok(body),
            };
        }
    }

    /// What follows an expression: a postfix, an operator, or the end of a construct.
    fn after(&mut self, operand: Operand) -> Next {
        match self.token.kind {
            Kind::Question => self.optional(operand),
            Kind::Field => self.field(operand),
            Kind::Dot => self.dotted(operand),
            Kind::Open(Bracket::Square) => self.bracket(operand, false),
            Kind::Word(Word::Catch) => self.catch(operand),
            Kind::Word(Word::As) => self.bind(operand),
            kind => match kind.infix() {
                Some(infix) => self.infix(operand, infix),
                None => self.close(operand),
            },
        }
    }

    /// `catch` after the body of the innermost `try` that has none.
    fn catch(&mut self, operand: Operand) -> Next {
        let mut operand = operand;
        while let Some(frame) = self.frames.pop_if(|frame| frame.level() == Some(Level::Prefix)) {
            if let Frame::Try { start } = frame {
                self.advance()?;
                self.frames.push(Frame::Catch { start, body: operand.id });
                return Ok(Step::Term);
            }
            operand = self.complete(frame, operand);
        }
        Err(self
            .unexpected("an operator or the end of the expression")
            .with_help("`try` takes one operand; put parentheses around a longer body"))
    }

    /// `as` after the source of a binding, a `reduce` or a `foreach`.
    fn bind(&mut self, operand: Operand) -> Next {
        let source = self.reduce(operand, Level::Alternative);
        match self.place() {
            Place::Query => self.bind_patterns(source),
            Place::Source => self.fold_patterns(source),
            Place::Entry | Place::Operand => Err(self
                .unexpected("an operator or the end of the value")
                .with_help("put parentheses around the binding and its body")),
        }
    }

    /// An operator after its left operand.
    fn infix(&mut self, operand: Operand, infix: Infix) -> Next {
        let level = infix.level();
        let left = match level.grouping() {
            Grouping::Left => self.reduce(operand, level),
            Grouping::Right | Grouping::Neither => self.reduce_above(operand, level),
        };
        if level.grouping() == Grouping::Neither {
            self.check_chain(level)?;
        }
        let frame = match (infix, self.place()) {
            (Infix::Comma, Place::Entry) | (Infix::Comma | Infix::Pipe, Place::Source) => {
                return self.close(left);
            }
            (Infix::Pipe, Place::Entry) => Frame::EntryPipe { left, operator: self.token.span },
            _ => Frame::Infix { left, infix, operator: self.token.span },
        };
        self.advance()?;
        self.frames.push(frame);
        Ok(Step::Term)
    }

    /// Checks that no operator of this level is directly before, as such operators cannot be chained.
    fn check_chain(&self, level: Level) -> Result<(), SyntaxError> {
        match self.frames.last() {
            Some(Frame::Infix { infix, operator, .. }) if infix.level() == level => {
                let (operator, next) = (self.slice(*operator), self.slice(self.token.span));
                let message =
                    format!("unexpected `{next}`: it cannot be chained with `{operator}`");
                let help = "put parentheses around one of the operations";
                Err(SyntaxError::new(self.token.span, message).with_help(help))
            }
            _ => Ok(()),
        }
    }

    /// Completes the constructs that bind at least this tightly.
    fn reduce(&mut self, operand: Operand, least: Level) -> Operand {
        self.reduce_while(operand, |level| level >= least)
    }

    /// Completes the constructs that bind more tightly.
    fn reduce_above(&mut self, operand: Operand, level: Level) -> Operand {
        self.reduce_while(operand, |other| other > level)
    }

    /// Completes the innermost constructs as long as their level is one that ends here.
    fn reduce_while(&mut self, operand: Operand, ends: impl Fn(Level) -> bool) -> Operand {
        let mut operand = operand;
        while let Some(frame) = self.frames.pop_if(|frame| frame.level().is_some_and(&ends)) {
            operand = self.complete(frame, operand);
        }
        operand
    }

    /// The expression of a construct, of which an operand is the last part.
    fn complete(&mut self, frame: Frame, last: Operand) -> Operand {
        let body = last.id;
        let (expr, span, start) = match frame {
            Frame::Negate { operator } => (Expr::Negate(body), Some(operator), operator),
            Frame::Try { start } => (Expr::Try { body, handler: None }, None, start),
            Frame::Catch { start, body: tried } => {
                (Expr::Try { body: tried, handler: Some(body) }, None, start)
            }
            Frame::Infix { left, infix, operator } => {
                (infix_expr(infix, left.id, body), Some(operator), left.extent)
            }
            Frame::EntryPipe { left, operator } => {
                (Expr::Pipe(left.id, body), Some(operator), left.extent)
            }
            Frame::Bind { source, patterns } => {
                (Expr::Bind { source: source.id, patterns, body }, None, source.extent)
            }
            Frame::Label { start, name } => (Expr::Label { name, body }, None, start),
            Frame::Scope { start, def } => (Expr::Def { def, body }, None, start),
            _ => return last,
        };
        let extent = join(start, last.extent);
        self.operand_at(expr, span.unwrap_or(extent), extent)
    }

    /// The end of the innermost construct that is followed by a token of its own.
    fn close(&mut self, operand: Operand) -> Next {
        let last = self.reduce(operand, Level::Pipe);
        let Some(frame) = self.frames.pop() else { return Ok(Step::Complete(Some(last))) };
        match frame {
            Frame::Program => self.close_program(last),
            Frame::Metadata => self.close_metadata(last),
            Frame::DefBody { start, name, params } => self.close_def(start, name, params, last),
            Frame::Group { open } => self.close_group(open, last),
            Frame::Array { open } => self.close_array(open, last),
            Frame::Index { target, open, is_dotted } => {
                self.close_index(target, open, is_dotted, last)
            }
            Frame::SliceEnd { target, open, from } => {
                self.close_slice(target, open, from, Some(last.id))
            }
            Frame::Arguments { name, open, args } => self.close_argument(name, open, args, last),
            Frame::If(parts) => self.close_if(parts, last),
            Frame::Fold(parts) => self.close_fold(parts, last),
            Frame::Text(parts) => self.close_interpolation(parts, last),
            Frame::EntryKey { open } => self.close_entry_key(open, last),
            Frame::EntryValue { key } => self.close_entry_value(key, last),
            Frame::PatternKey { open } => self.close_pattern_key(open, last),
            _ => Err(self.unexpected("a pattern")),
        }
    }
}

/// The expression of an operator and its operands.
fn infix_expr(infix: Infix, left: ExprId, right: ExprId) -> Expr {
    match infix {
        Infix::Pipe => Expr::Pipe(left, right),
        Infix::Comma => Expr::Comma(left, right),
        Infix::Binary(operator) => Expr::Binary(operator, left, right),
        Infix::Update(operator) => Expr::Update(operator, left, right),
    }
}
