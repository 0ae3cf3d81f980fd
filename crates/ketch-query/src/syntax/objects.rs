//! Objects, and the patterns of `as`.

use super::check;
use super::error::SyntaxError;
use super::frame::{Fold, FoldHead, FoldStage, Frame, Operand, PatternUser, TextUser};
use super::parser::{Next, Parser, Step, join};
use super::token::{Bracket, Infix, Kind};
use super::tree::{Expr, ExprId, Name, Pattern, PatternEntry, PatternId, Span};
use std::sync::Arc;

impl Parser<'_> {
    /// The next entry of an object, or its end.
    pub fn entry(&mut self) -> Next {
        match self.token.kind {
            Kind::Close(Bracket::Curly) => self.end_object(),
            Kind::Identifier | Kind::Word(_) => self.named_entry(),
            Kind::Binding => self.variable_entry(),
            Kind::Location => self.location_entry(),
            Kind::StringStart | Kind::Format => self.text(TextUser::EntryKey),
            Kind::Open(Bracket::Round) => {
                let open = self.advance()?;
                self.open(Frame::EntryKey { open })
            }
            _ => Err(self.unexpected_key("a key")),
        }
    }

    /// The error that there is no key.
    pub fn unexpected_key(&self, expected: &str) -> SyntaxError {
        self.unexpected(expected)
            .with_help("put quotes around a key, or parentheses if it is an expression")
    }

    /// Passes a name that is a key.
    pub fn name_key(&mut self) -> Result<(ExprId, Span), SyntaxError> {
        let Name { text, span } = self.take_name(0)?;
        Ok((self.add(Expr::Text(text), span), span))
    }

    /// `name: value` or `name`.
    fn named_entry(&mut self) -> Next {
        let (key, span) = self.name_key()?;
        self.entry_of_input(key, span)
    }

    /// `"text": value` or `"text"`, after the string.
    pub fn text_entry(&mut self, key: Operand) -> Next {
        self.entry_of_input(key.id, key.extent)
    }

    /// What follows a key that can be alone. Then the value is the field of the input.
    fn entry_of_input(&mut self, key: ExprId, span: Span) -> Next {
        if self.accept(Kind::Colon)?.is_some() {
            return self.open(Frame::EntryValue { key });
        }
        let target = self.add(Expr::Identity, span);
        let value = self.add(Expr::Index { target, index: key }, span);
        self.add_entry(key, value)
    }

    /// `$name: value` or `$name`.
    fn variable_entry(&mut self) -> Next {
        let name = self.take_name(1)?;
        let (text, span) = (name.text.clone(), name.span);
        let variable = self.add(Expr::Variable(name), span);
        if self.accept(Kind::Colon)?.is_some() {
            return self.open(Frame::EntryValue { key: variable });
        }
        let key = self.add(Expr::Text(text), span);
        self.add_entry(key, variable)
    }

    /// `$__loc__`.
    fn location_entry(&mut self) -> Next {
        let line = self.line();
        let span = self.advance()?;
        let key = self.add(Expr::Text(Arc::from("__loc__")), span);
        let value = self.add(Expr::Location(line), span);
        self.add_entry(key, value)
    }

    /// `):` of a key.
    pub fn close_entry_key(&mut self, open: Span, key: Operand) -> Next {
        self.close_key(open, key)?;
        self.open(Frame::EntryValue { key: key.id })
    }

    /// `):` of a key of an object or a pattern.
    pub fn close_key(&mut self, open: Span, key: Operand) -> Result<(), SyntaxError> {
        let expected = "an operator or `)`";
        self.expect_closing(Kind::Close(Bracket::Round), open, expected)?;
        check::key(&self.tree, key)?;
        self.expect(Kind::Colon, "`:` and the value of the key").map(drop)
    }

    /// The end of a value.
    pub fn close_entry_value(&mut self, key: ExprId, value: Operand) -> Next {
        self.add_entry(key, value.id)
    }

    /// Adds an entry to the innermost object.
    fn add_entry(&mut self, key: ExprId, value: ExprId) -> Next {
        if let Some(Frame::Object { entries, .. }) = self.frames.last_mut() {
            entries.push((key, value));
        }
        Ok(Step::EntryEnd)
    }

    /// What follows an entry: a comma, after which there need not be an entry, or the end of the object.
    pub fn entry_end(&mut self) -> Next {
        match self.token.kind {
            Kind::Infix(Infix::Comma) => {
                self.advance()?;
                Ok(Step::Entry)
            }
            Kind::Close(Bracket::Curly) => self.end_object(),
            _ => Err(self.unexpected("`,` or `}`")),
        }
    }

    /// `}`.
    fn end_object(&mut self) -> Next {
        let close = self.token.span;
        let Some(Frame::Object { open, entries }) = self.frames.pop() else {
            return Err(self.unexpected("an expression"));
        };
        self.advance()?;
        Ok(Step::After(self.operand(Expr::Object(entries), join(open, close))))
    }
}

impl Parser<'_> {
    /// `as` of a binding, after its source.
    pub fn bind_patterns(&mut self, source: Operand) -> Next {
        self.patterns(PatternUser::Bind(source))
    }

    /// `as` of a `reduce` or a `foreach`, after its source.
    pub fn fold_patterns(&mut self, source: Operand) -> Next {
        match self.frames.pop() {
            Some(Frame::Fold(Fold { start, is_foreach, .. })) => {
                self.patterns(PatternUser::Fold { start, is_foreach, source: source.id })
            }
            _ => Err(self.unexpected("an expression")),
        }
    }

    /// `as` before patterns.
    fn patterns(&mut self, user: PatternUser) -> Next {
        self.advance()?;
        self.open_pattern(Frame::Patterns { user, patterns: Vec::new() })
    }

    /// Begins a construct whose next part is a pattern.
    fn open_pattern(&mut self, frame: Frame) -> Next {
        self.frames.push(frame);
        Ok(Step::Pattern)
    }

    /// The beginning of a pattern.
    pub fn pattern(&mut self) -> Next {
        match self.token.kind {
            Kind::Binding => {
                let name = self.take_name(1)?;
                Ok(Step::PatternEnd(self.add_pattern(Pattern::Variable(name))))
            }
            Kind::Open(Bracket::Square) => {
                let open = self.advance()?;
                self.open_pattern(Frame::ArrayPattern { open, items: Vec::new() })
            }
            Kind::Open(Bracket::Curly) => {
                let open = self.advance()?;
                self.frames.push(Frame::ObjectPattern { open, entries: Vec::new() });
                Ok(Step::PatternEntry)
            }
            _ => Err(self.unexpected("a pattern: `$name`, `[...]` or `{...}`")),
        }
    }

    /// What follows a pattern.
    pub fn pattern_end(&mut self, pattern: PatternId) -> Next {
        match self.frames.pop() {
            Some(Frame::Patterns { user, patterns }) => {
                self.end_alternative(user, patterns, pattern)
            }
            Some(Frame::ArrayPattern { open, items }) => self.end_item(open, items, pattern),
            Some(Frame::PatternValue { key, variable }) => {
                self.add_pattern_entry(PatternEntry { key, variable, value: Some(pattern) })
            }
            _ => Err(self.unexpected("an expression")),
        }
    }

    /// What follows a whole pattern: another one after `?//`, or what the patterns are for.
    fn end_alternative(
        &mut self,
        user: PatternUser,
        patterns: Vec<PatternId>,
        last: PatternId,
    ) -> Next {
        let mut patterns = patterns;
        patterns.push(last);
        if self.accept(Kind::PatternAlternative)?.is_some() {
            return self.open_pattern(Frame::Patterns { user, patterns });
        }
        match user {
            PatternUser::Bind(source) => {
                self.expect(Kind::Infix(Infix::Pipe), "`|` or `?//`")?;
                self.open(Frame::Bind { source, patterns })
            }
            PatternUser::Fold { start, is_foreach, source } => {
                let open = self.expect(Kind::Open(Bracket::Round), "`(` or `?//`")?;
                let stage = FoldStage::Init(FoldHead { source, patterns, open });
                self.open(Frame::Fold(Fold { start, is_foreach, stage }))
            }
        }
    }

    /// What follows an item of an array.
    fn end_item(&mut self, open: Span, items: Vec<PatternId>, last: PatternId) -> Next {
        let mut items = items;
        items.push(last);
        if self.accept(Kind::Infix(Infix::Comma))?.is_some() {
            return self.open_pattern(Frame::ArrayPattern { open, items });
        }
        self.expect_closing(Kind::Close(Bracket::Square), open, "`,` or `]`")?;
        Ok(Step::PatternEnd(self.add_pattern(Pattern::Array(items))))
    }

    /// The next entry of a pattern.
    pub fn pattern_entry(&mut self) -> Next {
        match self.token.kind {
            Kind::Binding => self.variable_pattern_entry(),
            Kind::Identifier | Kind::Word(_) => {
                let (key, _) = self.name_key()?;
                self.pattern_value(key, None)
            }
            Kind::StringStart | Kind::Format => self.text(TextUser::PatternKey),
            Kind::Open(Bracket::Round) => {
                let open = self.advance()?;
                self.open(Frame::PatternKey { open })
            }
            _ => Err(self.unexpected_key("a key or `$name`")),
        }
    }

    /// `$name: pattern` or `$name`.
    fn variable_pattern_entry(&mut self) -> Next {
        let name = self.take_name(1)?;
        let key = self.add(Expr::Text(name.text.clone()), name.span);
        if self.token.kind == Kind::Colon {
            return self.pattern_value(key, Some(name));
        }
        self.add_pattern_entry(PatternEntry { key, variable: Some(name), value: None })
    }

    /// `): pattern` after a key.
    pub fn close_pattern_key(&mut self, open: Span, key: Operand) -> Next {
        self.close_key(open, key)?;
        self.open_pattern(Frame::PatternValue { key: key.id, variable: None })
    }

    /// `: pattern` after a key.
    pub fn pattern_value(&mut self, key: ExprId, variable: Option<Name>) -> Next {
        self.expect(Kind::Colon, "`:` and the pattern of the key")?;
        self.open_pattern(Frame::PatternValue { key, variable })
    }

    /// Adds an entry to the innermost pattern of an object.
    fn add_pattern_entry(&mut self, entry: PatternEntry) -> Next {
        if let Some(Frame::ObjectPattern { entries, .. }) = self.frames.last_mut() {
            entries.push(entry);
        }
        Ok(Step::PatternEntryEnd)
    }

    /// What follows an entry of a pattern.
    pub fn pattern_entry_end(&mut self) -> Next {
        if self.accept(Kind::Infix(Infix::Comma))?.is_some() {
            return Ok(Step::PatternEntry);
        }
        let entries = self.take_pattern_entries()?;
        Ok(Step::PatternEnd(self.add_pattern(Pattern::Object(entries))))
    }

    /// `}` of a pattern.
    fn take_pattern_entries(&mut self) -> Result<Vec<PatternEntry>, SyntaxError> {
        match self.frames.pop() {
            Some(Frame::ObjectPattern { open, entries }) => {
                self.expect_closing(Kind::Close(Bracket::Curly), open, "`,` or `}`")?;
                Ok(entries)
            }
            _ => Err(self.unexpected("an expression")),
        }
    }
}
