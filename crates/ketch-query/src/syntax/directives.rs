//! Whole programs: directives, definitions and the body.

use super::check;
use super::error::SyntaxError;
use super::frame::{Frame, Operand};
use super::parser::{Next, Parser, Step};
use super::token::{Bracket, Kind, Word};
use super::tree::{Def, ExprId, Import, ImportTarget, Name, Param, Span, Tree};
use std::sync::Arc;

impl Parser<'_> {
    /// Parses the whole source.
    pub fn program(mut self) -> Result<Tree, SyntaxError> {
        if self.accept(Kind::Word(Word::Module))?.is_some() {
            self.tree.metadata = Some(self.metadata()?);
        }
        while let Kind::Word(word @ (Word::Import | Word::Include)) = self.token.kind {
            let import = self.import(word)?;
            self.tree.imports.push(import);
        }
        if self.token.kind != Kind::End {
            self.tree.body = self.run(Frame::Program)?.map(|body| body.id);
        }
        Ok(self.tree)
    }

    /// `import` or `include`.
    fn import(&mut self, word: Word) -> Result<Import, SyntaxError> {
        self.advance()?;
        let (path, span) = self.path()?;
        let target = match word {
            Word::Import => self.import_target()?,
            _ => ImportTarget::All,
        };
        let metadata = match self.accept(Kind::Semicolon)? {
            Some(_) => None,
            None => Some(self.metadata()?),
        };
        Ok(Import { path, span, target, metadata })
    }

    /// The path of an import, which is a string without interpolation.
    fn path(&mut self) -> Result<(Arc<str>, Span), SyntaxError> {
        self.accept(Kind::Format)?;
        let Span { start, .. } = self.expect(Kind::StringStart, "a path in quotes")?;
        let mut path = Arc::from("");
        if self.token.kind == Kind::StringText {
            path = Arc::from(self.lexer.text());
            self.advance()?;
        }
        let Span { end, .. } =
            self.expect(Kind::StringEnd, "the end of the path, which must be constant")?;
        Ok((path, Span { start, end }))
    }

    /// `as name` or `as $name`.
    fn import_target(&mut self) -> Result<ImportTarget, SyntaxError> {
        self.expect(Kind::Word(Word::As), "`as` and a name")?;
        match self.token.kind {
            Kind::Identifier => Ok(ImportTarget::Module(self.take_name(0)?)),
            _ => Ok(ImportTarget::Data(self.expect_variable("`name` or `$name`")?)),
        }
    }

    /// The metadata of a directive, and the semicolon after it.
    fn metadata(&mut self) -> Result<ExprId, SyntaxError> {
        let start = self.token.span;
        let Some(metadata) = self.run(Frame::Metadata)? else {
            return Err(SyntaxError::new(start, "the metadata is missing"));
        };
        check::metadata(&self.tree, metadata)?;
        self.expect(Kind::Semicolon, "an operator or `;`")?;
        Ok(metadata.id)
    }

    /// The end of the metadata of a directive.
    pub fn close_metadata(&mut self, metadata: Operand) -> Next {
        match self.token.kind {
            Kind::Semicolon => Ok(Step::Complete(Some(metadata))),
            _ => Err(self.unexpected("an operator or `;`")),
        }
    }

    /// The end of a program.
    pub fn close_program(&mut self, body: Operand) -> Next {
        match self.token.kind {
            Kind::End => Ok(Step::Complete(Some(body))),
            _ => Err(self.unexpected("an operator or the end of the program")),
        }
    }

    /// `def name:` or `def name(params):`.
    pub fn def(&mut self) -> Next {
        let start = self.advance()?;
        if self.token.kind != Kind::Identifier {
            return Err(self.unexpected("the name of the function"));
        }
        let name = self.take_name(0)?;
        let params = self.params()?;
        self.expect(Kind::Colon, if params.is_empty() { "`:` or `(`" } else { "`:`" })?;
        self.open(Frame::DefBody { start, name, params })
    }

    /// The parameters of a function, which may have none.
    fn params(&mut self) -> Result<Vec<Param>, SyntaxError> {
        let mut params = Vec::new();
        let Some(open) = self.accept(Kind::Open(Bracket::Round))? else { return Ok(params) };
        loop {
            params.push(self.param(open)?);
            if self.accept(Kind::Semicolon)?.is_none() {
                self.expect_closing(Kind::Close(Bracket::Round), open, "`;` or `)`")?;
                return Ok(params);
            }
        }
    }

    /// A parameter of a function.
    fn param(&mut self, open: Span) -> Result<Param, SyntaxError> {
        match self.token.kind {
            Kind::Identifier => Ok(Param { name: self.take_name(0)?, is_variable: false }),
            Kind::Binding => Ok(Param { name: self.take_name(1)?, is_variable: true }),
            _ => Err(self.unexpected_in(Some(open), "a parameter: `name` or `$name`")),
        }
    }

    /// `;` of a definition.
    pub fn close_def(
        &mut self,
        start: Span,
        name: Name,
        params: Vec<Param>,
        body: Operand,
    ) -> Next {
        self.expect(Kind::Semicolon, "an operator or `;`")?;
        let def = Def { name, params, body: body.id };
        if !matches!(self.frames.last(), Some(Frame::Program)) {
            return self.open(Frame::Scope { start, def: Arc::new(def) });
        }
        self.tree.defs.push(def);
        match self.token.kind {
            Kind::End => Ok(Step::Complete(None)),
            _ => Ok(Step::Term),
        }
    }
}
