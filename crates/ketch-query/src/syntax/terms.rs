//! Terms, strings with their interpolations, and what may be written after them.

use super::error::SyntaxError;
use super::frame::{Fold, FoldStage, Frame, If, IfStage, Operand, Place, Text, TextUser};
use super::parser::{Next, Parser, Step, join};
use super::token::{Bracket, Infix, Kind, Word};
use super::tree::{BinaryOp, Expr, ExprId, Name, Span};
use std::sync::Arc;

/// What can follow a complete expression in brackets.
const OPERATOR_OR_ROUND: &str = "an operator or `)`";
const OPERATOR_OR_SQUARE: &str = "an operator or `]`";

impl Parser<'_> {
    /// The beginning of an expression.
    pub fn term(&mut self) -> Next {
        match self.token.kind {
            Kind::Dot => self.identity(),
            Kind::DotDot => self.simple(Expr::RecurseDefault),
            Kind::Field => {
                let start = self.token.span;
                let dot = Span { start: start.start, end: start.start + 1 };
                let target = self.operand(Expr::Identity, dot);
                self.field(target)
            }
            Kind::Identifier => self.call(),
            Kind::Binding => {
                let name = self.take_name(1)?;
                let span = name.span;
                Ok(Step::After(self.operand(Expr::Variable(name), span)))
            }
            Kind::Location => {
                let line = self.line();
                self.simple(Expr::Location(line))
            }
            Kind::Number => self.simple(Expr::Number(Arc::from(self.slice(self.token.span)))),
            Kind::Format => self.format(),
            Kind::StringStart => self.text(TextUser::Term),
            Kind::Infix(Infix::Binary(BinaryOp::Subtract)) => {
                let operator = self.advance()?;
                self.open(Frame::Negate { operator })
            }
            Kind::Open(bracket) => self.bracketed(bracket),
            Kind::Word(word) => self.word(word),
            _ => Err(self.unexpected("an expression")),
        }
    }

    /// A term of one token.
    fn simple(&mut self, expr: Expr) -> Next {
        let span = self.advance()?;
        Ok(Step::After(self.operand(expr, span)))
    }

    /// Begins a construct whose next part is an expression.
    pub fn open(&mut self, frame: Frame) -> Next {
        self.frames.push(frame);
        Ok(Step::Term)
    }

    /// `.`, which may be before a string.
    fn identity(&mut self) -> Next {
        let span = self.advance()?;
        let identity = self.operand(Expr::Identity, span);
        match self.token.kind {
            Kind::StringStart | Kind::Format => self.text(TextUser::Field(identity)),
            _ => Ok(Step::After(identity)),
        }
    }

    /// `@name`, which may be before a string.
    fn format(&mut self) -> Next {
        let name = self.take_name(1)?;
        if self.token.kind == Kind::StringStart {
            return self.text_after_format(TextUser::Term, name);
        }
        let span = name.span;
        Ok(Step::After(self.operand(Expr::Format(name), span)))
    }

    /// A call of a function, perhaps with arguments.
    fn call(&mut self) -> Next {
        let name = self.take_name(0)?;
        if let Some(open) = self.accept(Kind::Open(Bracket::Round))? {
            return self.open(Frame::Arguments { name, open, args: Vec::new() });
        }
        let span = name.span;
        Ok(Step::After(self.operand(Expr::Call { name, args: Vec::new() }, span)))
    }

    /// The end of an argument.
    pub fn close_argument(
        &mut self,
        name: Name,
        open: Span,
        args: Vec<ExprId>,
        last: Operand,
    ) -> Next {
        let mut args = args;
        args.push(last.id);
        if self.accept(Kind::Semicolon)?.is_some() {
            return self.open(Frame::Arguments { name, open, args });
        }
        let expected = "an operator, `;` or `)`";
        let close = self.expect_closing(Kind::Close(Bracket::Round), open, expected)?;
        let (span, extent) = (name.span, join(name.span, close));
        Ok(Step::After(self.operand_at(Expr::Call { name, args }, span, extent)))
    }

    /// A term that begins with a bracket.
    fn bracketed(&mut self, bracket: Bracket) -> Next {
        let open = self.advance()?;
        match bracket {
            Bracket::Round => self.open(Frame::Group { open }),
            Bracket::Square => match self.accept(Kind::Close(bracket))? {
                Some(close) => Ok(Step::After(self.operand(Expr::Array(None), join(open, close)))),
                None => self.open(Frame::Array { open }),
            },
            Bracket::Curly => {
                self.frames.push(Frame::Object { open, entries: Vec::new() });
                Ok(Step::Entry)
            }
        }
    }

    /// `)`.
    pub fn close_group(&mut self, open: Span, body: Operand) -> Next {
        let close = self.expect_closing(Kind::Close(Bracket::Round), open, OPERATOR_OR_ROUND)?;
        Ok(Step::After(Operand { id: body.id, extent: join(open, close), is_access: false }))
    }

    /// `]` of an array.
    pub fn close_array(&mut self, open: Span, body: Operand) -> Next {
        let close = self.expect_closing(Kind::Close(Bracket::Square), open, OPERATOR_OR_SQUARE)?;
        Ok(Step::After(self.operand(Expr::Array(Some(body.id)), join(open, close))))
    }

    /// A term that begins with a reserved word.
    fn word(&mut self, word: Word) -> Next {
        let start = self.token.span;
        match word {
            Word::If => {
                self.advance()?;
                self.open(Frame::If(If { start, arms: Vec::new(), stage: IfStage::Condition }))
            }
            Word::Reduce | Word::Foreach => {
                self.advance()?;
                let is_foreach = word == Word::Foreach;
                self.open(Frame::Fold(Fold { start, is_foreach, stage: FoldStage::Source }))
            }
            Word::Try => {
                self.advance()?;
                self.open(Frame::Try { start })
            }
            Word::Break => self.break_out(start),
            Word::Def if self.place() == Place::Query => self.def(),
            Word::Label if self.place() == Place::Query => self.label(start),
            _ => Err(self.unexpected("an expression")),
        }
    }

    /// `break $name`.
    fn break_out(&mut self, start: Span) -> Next {
        self.advance()?;
        let name = self.expect_variable("the `$name` of a label")?;
        let span = join(start, name.span);
        Ok(Step::After(self.operand(Expr::Break(name), span)))
    }

    /// `label $name |`.
    fn label(&mut self, start: Span) -> Next {
        self.advance()?;
        let name = self.expect_variable("the `$name` of the label")?;
        self.expect(Kind::Infix(Infix::Pipe), "`|`")?;
        self.open(Frame::Label { start, name })
    }

    /// The end of a part of an `if`.
    pub fn close_if(&mut self, parts: If, last: Operand) -> Next {
        let If { start, mut arms, stage } = parts;
        let condition = match stage {
            IfStage::Condition => {
                let then = Kind::Word(Word::Then);
                self.expect_closing(then, start, "an operator or `then`")?;
                let stage = IfStage::Value(last.id);
                return self.open(Frame::If(If { start, arms, stage }));
            }
            IfStage::Otherwise => return self.end_if(start, arms, Some(last.id)),
            IfStage::Value(condition) => condition,
        };
        arms.push((condition, last.id));
        let stage = match self.token.kind {
            Kind::Word(Word::Elif) => IfStage::Condition,
            Kind::Word(Word::Else) => IfStage::Otherwise,
            _ => return self.end_if(start, arms, None),
        };
        self.advance()?;
        self.open(Frame::If(If { start, arms, stage }))
    }

    /// `end`.
    fn end_if(
        &mut self,
        start: Span,
        arms: Vec<(ExprId, ExprId)>,
        otherwise: Option<ExprId>,
    ) -> Next {
        let expected = match otherwise {
            None => "an operator, `elif`, `else` or `end`",
            Some(_) => "an operator or `end`",
        };
        let end = self.expect_closing(Kind::Word(Word::End), start, expected)?;
        Ok(Step::After(self.operand(Expr::If { arms, otherwise }, join(start, end))))
    }

    /// The end of a part of a `reduce` or a `foreach`.
    pub fn close_fold(&mut self, parts: Fold, last: Operand) -> Next {
        let Fold { start, is_foreach, stage } = parts;
        let body = last.id;
        let stage = match stage {
            FoldStage::Source => return Err(self.unexpected_source()),
            FoldStage::Init(head) => {
                self.expect_closing(Kind::Semicolon, head.open, "an operator or `;`")?;
                FoldStage::Update(head, body)
            }
            FoldStage::Update(head, init) if is_foreach && self.token.kind == Kind::Semicolon => {
                self.advance()?;
                FoldStage::Extract(head, init, body)
            }
            FoldStage::Update(..) | FoldStage::Extract(..) => {
                return self.end_fold(start, is_foreach, stage, body);
            }
        };
        self.open(Frame::Fold(Fold { start, is_foreach, stage }))
    }

    /// The error of a source that is not followed by `as`.
    fn unexpected_source(&self) -> SyntaxError {
        self.unexpected("an operator or `as`")
            .with_help("put parentheses around a source that has `|` or `,`")
    }

    /// `)` of a `reduce` or a `foreach`.
    fn end_fold(&mut self, start: Span, is_foreach: bool, stage: FoldStage, last: ExprId) -> Next {
        let expected = match stage {
            FoldStage::Update(..) if is_foreach => "an operator, `;` or `)`",
            _ => OPERATOR_OR_ROUND,
        };
        let open = stage.opening().unwrap_or(start);
        let close = self.expect_closing(Kind::Close(Bracket::Round), open, expected)?;
        let (head, init, update, extract) = match stage {
            FoldStage::Update(head, init) => (head, init, last, None),
            FoldStage::Extract(head, init, update) => (head, init, update, Some(last)),
            FoldStage::Source | FoldStage::Init(_) => return Err(self.unexpected_source()),
        };
        let (source, patterns) = (head.source, head.patterns);
        let expr = match is_foreach {
            true => Expr::Foreach { source, patterns, init, update, extract },
            false => Expr::Reduce { source, patterns, init, update },
        };
        Ok(Step::After(self.operand(expr, join(start, close))))
    }

    /// `?`.
    pub fn optional(&mut self, body: Operand) -> Next {
        let span = self.advance()?;
        let expr = match body.is_access {
            true => Expr::Optional(body.id),
            false => Expr::Try { body: body.id, handler: None },
        };
        Ok(Step::After(self.operand_at(expr, span, join(body.extent, span))))
    }

    /// An access after its target, which ends with the token before.
    fn access(&mut self, expr: Expr, target: Operand, span: Span) -> Next {
        let operand = self.operand_at(expr, span, join(target.extent, span));
        Ok(Step::After(Operand { is_access: true, ..operand }))
    }

    /// `.name`.
    pub fn field(&mut self, target: Operand) -> Next {
        let Name { text, span } = self.take_name(1)?;
        let name = Span { start: span.start + 1, end: span.end };
        let index = self.add(Expr::Text(text), name);
        self.access(Expr::Index { target: target.id, index }, target, name)
    }

    /// `."text"`, after the string.
    pub fn text_field(&mut self, target: Operand, text: Operand) -> Next {
        let expr = Expr::Index { target: target.id, index: text.id };
        self.access(expr, target, text.extent)
    }

    /// `."text"` or `.[index]` after a term.
    pub fn dotted(&mut self, target: Operand) -> Next {
        self.advance()?;
        match self.token.kind {
            Kind::StringStart | Kind::Format => self.text(TextUser::Field(target)),
            Kind::Open(Bracket::Square) => self.bracket(target, true),
            _ => Err(self.unexpected("a field, a string or `[`")),
        }
    }

    /// `[]`, `[index]` or `[from:to]` after a term.
    pub fn bracket(&mut self, target: Operand, is_dotted: bool) -> Next {
        let open = self.advance()?;
        if let Some(close) = self.accept(Kind::Close(Bracket::Square))? {
            return self.access(Expr::Iterate(target.id), target, join(open, close));
        }
        if !is_dotted && self.accept(Kind::Colon)?.is_some() {
            return self.open(Frame::SliceEnd { target, open, from: None });
        }
        self.open(Frame::Index { target, open, is_dotted })
    }

    /// `]` of an index, or `:` of a slice.
    pub fn close_index(
        &mut self,
        target: Operand,
        open: Span,
        is_dotted: bool,
        index: Operand,
    ) -> Next {
        if !is_dotted && self.accept(Kind::Colon)?.is_some() {
            if self.token.kind == Kind::Close(Bracket::Square) {
                return self.close_slice(target, open, Some(index.id), None);
            }
            return self.open(Frame::SliceEnd { target, open, from: Some(index.id) });
        }
        let expected = if is_dotted { OPERATOR_OR_SQUARE } else { "an operator, `:` or `]`" };
        let close = self.expect_closing(Kind::Close(Bracket::Square), open, expected)?;
        let expr = Expr::Index { target: target.id, index: index.id };
        self.access(expr, target, join(open, close))
    }

    /// `]` of a slice.
    pub fn close_slice(
        &mut self,
        target: Operand,
        open: Span,
        from: Option<ExprId>,
        to: Option<ExprId>,
    ) -> Next {
        let close = self.expect_closing(Kind::Close(Bracket::Square), open, OPERATOR_OR_SQUARE)?;
        self.access(Expr::Slice { target: target.id, from, to }, target, join(open, close))
    }
}

impl Parser<'_> {
    /// A string, perhaps after a format.
    pub fn text(&mut self, user: TextUser) -> Next {
        if self.token.kind == Kind::Format {
            let format = self.take_name(1)?;
            return self.text_after_format(user, format);
        }
        let start = self.expect(Kind::StringStart, "a string")?;
        self.text_parts(Text { user, format: None, start, parts: Vec::new(), interpolation: None })
    }

    /// A string after a format.
    pub fn text_after_format(&mut self, user: TextUser, format: Name) -> Next {
        self.expect(Kind::StringStart, "a string after the format")?;
        let (start, parts) = (format.span, Vec::new());
        self.text_parts(Text { user, format: Some(format), start, parts, interpolation: None })
    }

    /// Goes on in a string.
    fn text_parts(&mut self, text: Text) -> Next {
        self.frames.push(Frame::Text(text));
        Ok(Step::TextPart)
    }

    /// The next part of a string, or its end.
    pub fn text_part(&mut self) -> Next {
        let Some(Frame::Text(mut text)) = self.frames.pop() else {
            return Err(self.unexpected("an expression"));
        };
        match self.token.kind {
            Kind::StringText => {
                let literal = Expr::Text(Arc::from(self.lexer.text()));
                let span = self.advance()?;
                text.parts.push(self.add(literal, span));
                self.text_parts(text)
            }
            Kind::InterpolationStart => {
                text.interpolation = Some(self.advance()?);
                self.open(Frame::Text(text))
            }
            _ => self.end_text(text),
        }
    }

    /// `)` of an interpolation.
    pub fn close_interpolation(&mut self, text: Text, value: Operand) -> Next {
        let mut text = text;
        let open = text.interpolation.take().unwrap_or(text.start);
        self.expect_closing(Kind::InterpolationEnd, open, "an operator or `)`")?;
        text.parts.push(self.interpolated(value));
        self.text_parts(text)
    }

    /// An expression as a part of a string, where only what is literal may be a text.
    fn interpolated(&mut self, value: Operand) -> ExprId {
        if !matches!(self.tree.expr(value.id), Expr::Text(_)) {
            return value.id;
        }
        let identity = self.add(Expr::Identity, value.extent);
        self.add(Expr::Pipe(identity, value.id), value.extent)
    }

    /// The closing quote of a string.
    fn end_text(&mut self, text: Text) -> Next {
        let close = self.expect(Kind::StringEnd, "the end of the string")?;
        let operand = self.text_operand(text.format, text.parts, join(text.start, close));
        match text.user {
            TextUser::Term => Ok(Step::After(operand)),
            TextUser::Field(target) => self.text_field(target, operand),
            TextUser::EntryKey => self.text_entry(operand),
            TextUser::PatternKey => self.pattern_value(operand.id, None),
        }
    }

    /// The expression of the parts of a string.
    fn text_operand(&mut self, format: Option<Name>, parts: Vec<ExprId>, extent: Span) -> Operand {
        match *parts {
            [] => self.operand(Expr::Text(Arc::from("")), extent),
            [id] if matches!(self.tree.expr(id), Expr::Text(_)) => {
                self.tree.spans[id.0 as usize] = extent;
                Operand { id, extent, is_access: false }
            }
            _ => self.operand(Expr::Interpolation { format, parts }, extent),
        }
    }
}
