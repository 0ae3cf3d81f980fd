//! Messages with arguments: values, blocks, conditions and handlers.

use super::lexer::Kind;
use super::parser::Parser;
use super::types::{Args, ArgsKind, Chain, Form, Frame, Loop, Scope};
use super::{Result, error};
use crate::builtins::messages::{self, Message, Shape};
use crate::compile::op::{How, Op};
use crate::error::QueryError;
use crate::syntax::Span;
use crate::value::Value;

/// Returns the name of the built-in that a name without arguments means, if there is one.
pub(super) fn without_arguments(name: &str) -> &str {
    let is_callable = |message: &Message| message.arity.0 == 0 && !name.starts_with('_');
    match messages::find(name) {
        Some((_, message)) if is_callable(message) => name,
        _ => "",
    }
}

impl<'t> Parser<'t> {
    /// Takes a message without a receiver, whose name is the token. Returns whether it is complete, or nothing if it is not
    /// one.
    pub fn free_call(&mut self, name: &'t str) -> Result<Option<bool>> {
        let kind = match (name, messages::find(name)) {
            ("if" | "cond", _) => {
                let (otherwise, end) = (self.code.label(), self.code.label());
                ArgsKind::Conditions { otherwise, end }
            }
            ("date", Some((_, message))) => ArgsKind::Values { message, is_free: true },
            _ => return Ok(None),
        };
        let span = self.advance()?.span;
        self.advance()?;
        self.arguments(name, span, kind, false).map(Some)
    }

    /// Takes the arguments of a message, after the parenthesis. Returns whether they are complete.
    pub fn call(&mut self, name: &'t str, span: Span, is_optional: bool) -> Result<bool> {
        let kind = match name {
            "ifMissing" | "ifError" => {
                let (mark, handler, end) = (self.code.slot(), self.code.label(), self.code.label());
                let handle = Op::Handle { at: handler, all: name == "ifError" };
                self.code.insert(self.chain.start, [Op::Mark(mark), handle], span);
                self.code.emit_all(&[Op::Cut(mark), Op::Jump(end)], span);
                self.code.place(handler);
                ArgsKind::Handler(end)
            }
            "then" => {
                let slot = self.code.slot();
                self.code.emit(Op::Store(slot), span);
                return self.block_argument(name, span, ArgsKind::Then, slot);
            }
            "fold" => {
                let (total, element, end) = (self.code.slot(), self.code.slot(), self.code.label());
                ArgsKind::Fold { total, element, end }
            }
            _ => return self.built_in(name, span, is_optional),
        };
        self.arguments(name, span, kind, is_optional)
    }

    /// Takes the arguments of a built-in.
    fn built_in(&mut self, name: &'t str, span: Span, is_optional: bool) -> Result<bool> {
        let Some((_, message)) = messages::find(name).filter(|_| !name.starts_with('_')) else {
            let known =
                messages::names().chain(["if", "cond", "fold", "then", "ifMissing", "ifError"]);
            let near = crate::nearest::nearest(name, known);
            let help = near.map(|near| format!("did you mean `{near}`?"));
            return Err(QueryError {
                help,
                ..error("no-such-message", span, format!("no message `{name}`"))
            });
        };
        if self.is(")") {
            if message.arity.0 > 0 {
                return Err(wrong_count(name, span));
            }
            let how = if is_optional { How::OptionalCall } else { How::Call };
            self.code.send(name, name, 0, how, span);
            self.advance()?;
            return Ok(true);
        }
        if message.shape == Shape::Values {
            let kind = ArgsKind::Values { message, is_free: false };
            return self.arguments(name, span, kind, is_optional);
        }
        let each = self.start_loop(message, span);
        self.block_argument(name, span, ArgsKind::Block(message, each), each.element)
    }

    /// Starts a loop over the elements of the top.
    fn start_loop(&mut self, message: &Message, span: Span) -> Loop {
        let [element, indices, keys, count, mark] = std::array::from_fn(|_| self.code.slot());
        let (stop, end) = (self.code.label(), self.code.label());
        self.code.emit_all(&[Op::NewArray(indices), Op::NewArray(keys), Op::Clear(count)], span);
        self.code.emit_all(&[Op::Mark(mark), Op::Dup], span);
        let elements = if message.shape == Shape::KeyBlock { "_keys" } else { "_items" };
        self.code.call_as(elements, message.name, 0, span);
        let each = [Op::Fork(end), Op::Each { quiet: true }, Op::Dup, Op::Store(element)];
        self.code.emit_all(&each, span);
        self.code.emit(Op::Count(count), span);
        Loop { element, indices, keys, count, mark, stop, end }
    }

    /// Ends a loop: what the block gave is the top.
    fn end_loop(&mut self, message: &Message, each: Loop, name: &str, span: Span, how: How) {
        let Loop { indices, keys, count, mark, stop, end, .. } = each;
        self.code.emit_all(&[Op::Dup, Op::Append(keys)], span);
        self.code.push_variable(count, span);
        self.code.emit_all(&[Op::Append(indices), Op::PushNull], span);
        self.code.emit(
            match message.shape {
                Shape::Until(true) => Op::JumpIfTrue(stop),
                Shape::Until(false) => Op::JumpIfFalse(stop),
                _ => Op::Pop,
            },
            span,
        );
        self.code.emit(Op::Backtrack, span);
        self.code.place(stop);
        self.code.emit_all(&[Op::Cut(mark), Op::Pop], span);
        self.code.place(end);
        self.code.emit(Op::Pop, span);
        self.code.push_last(indices, span);
        self.code.push_last(keys, span);
        self.code.send(name, name, 2, how, span);
    }

    /// Takes a block, perhaps with a name for the element, which is in the variable `element`.
    fn block_argument(
        &mut self,
        name: &str,
        span: Span,
        kind: ArgsKind,
        element: u16,
    ) -> Result<bool> {
        self.open_args(name, span, kind, false);
        match self.name() {
            Some(bound) if self.peek() == Some(Kind::Sign(",")) => {
                self.bind(bound.into(), element);
                self.advance()?;
                self.advance()?;
            }
            _ => self.scope = Scope { subject: element, it: element },
        }
        self.section()
    }

    /// Opens the parenthesis of arguments.
    fn open_args(&mut self, name: &str, span: Span, kind: ArgsKind, is_optional: bool) {
        let args = Args { name: name.to_owned(), span, kind, given: 0, is_optional, it: None };
        self.open(Form::Args(args), span);
    }

    /// Starts arguments that are no blocks.
    fn arguments(
        &mut self,
        name: &str,
        span: Span,
        kind: ArgsKind,
        is_optional: bool,
    ) -> Result<bool> {
        self.open_args(name, span, kind, is_optional);
        self.section()
    }

    /// Starts an argument. Returns whether it is a section, whose left operand is complete.
    pub fn section(&mut self) -> Result<bool> {
        self.argument_name()?;
        if self.starts_section() {
            self.chain = Chain::at(self.code.position());
            self.code.push_variable(self.scope.it, self.token.span);
            return Ok(true);
        }
        self.start_query()?;
        Ok(false)
    }

    /// Takes the name of an argument; only `round(half: how)` has one. Without places, it is the second one all the same.
    fn argument_name(&mut self) -> Result<()> {
        if (self.name(), self.peek()) != (Some("half"), Some(Kind::Sign(":"))) {
            return Ok(());
        }
        if let Some(Frame { form: Form::Args(args), span, .. }) = self.frames.last_mut()
            && args.name == "round"
        {
            if args.given == 0 {
                self.code.push_constant(Value::from(0), *span);
            }
            args.given = 1;
            self.advance()?;
            self.advance()?;
        }
        Ok(())
    }

    /// Ends an argument: the token is a comma or the closing parenthesis. Returns whether an operand is complete then.
    pub fn end_arg(&mut self) -> Result<bool> {
        let Some(mut frame) = self.frames.pop() else { return Ok(true) };
        self.end_scope(&frame);
        let Form::Args(args) = &mut frame.form else { return Ok(true) };
        args.given += 1;
        match self.is(")") {
            true => {
                self.end_args(args)?;
                self.chain = frame.chain;
                self.advance()?;
                Ok(true)
            }
            false => self.next_arg(frame),
        }
    }

    /// Goes on with the next argument. The token is the comma.
    fn next_arg(&mut self, mut frame: Frame) -> Result<bool> {
        let span = self.token.span;
        let Form::Args(args) = &mut frame.form else { return Ok(true) };
        self.advance()?;
        let mut names = Vec::new();
        match args.kind {
            ArgsKind::Values { .. } => {}
            ArgsKind::Conditions { otherwise, end } if args.given % 2 == 0 => {
                self.end_branch(otherwise, end, span);
                args.kind = ArgsKind::Conditions { otherwise: self.code.label(), end };
            }
            ArgsKind::Conditions { otherwise, .. } => {
                let it = self.code.slot();
                let test =
                    [Op::Dup, Op::Store(it), Op::PushNull, Op::JumpIfFalse(otherwise), Op::Pop];
                self.code.emit_all(&test, span);
                args.it = Some(it);
            }
            ArgsKind::Fold { total, element, end } if args.given == 1 => {
                self.code.emit(Op::Store(total), args.span);
                self.code.call_as("_items", "fold", 0, args.span);
                let each = [Op::Fork(end), Op::Each { quiet: true }, Op::Store(element)];
                self.code.emit_all(&each, args.span);
                for slot in [total, element] {
                    let name = self.name().ok_or_else(|| self.unexpected("expected a name"))?;
                    names.push((name, slot));
                    self.advance()?;
                    self.expect(",")?;
                }
            }
            _ => return Err(wrong_count(&args.name, args.span)),
        }
        self.scope.it = args.it.unwrap_or(self.scope.it);
        self.frames.push(frame);
        for (name, slot) in names {
            self.bind(name.into(), slot);
        }
        self.section()
    }

    /// Ends a branch of `if` or `cond`, and starts what comes otherwise.
    fn end_branch(&mut self, otherwise: u32, end: u32, span: Span) {
        self.code.emit(Op::Jump(end), span);
        self.code.place(otherwise);
        self.code.emit(Op::Pop, span);
    }

    /// Ends all arguments of a message.
    fn end_args(&mut self, args: &Args) -> Result<()> {
        let (name, span, given) = (&*args.name, args.span, args.given);
        let how = if args.is_optional { How::OptionalCall } else { How::Call };
        match args.kind {
            ArgsKind::Values { message, is_free } => {
                let count = given - usize::from(is_free);
                let (least, most) = message.arity;
                let count = u8::try_from(count).ok().filter(|count| (least..=most).contains(count));
                let count = count.ok_or_else(|| wrong_count(name, span))?;
                self.code.send(name, name, count, how, span);
            }
            ArgsKind::Block(message, each) => self.end_loop(message, each, name, span, how),
            ArgsKind::Then => {}
            ArgsKind::Handler(end) => self.code.place(end),
            ArgsKind::Conditions { otherwise, end } => {
                if given < 2 || name == "if" && given > 3 {
                    return Err(wrong_count(name, span));
                }
                if given % 2 == 0 {
                    self.end_branch(otherwise, end, span);
                    self.code.push_constant(Value::Null, span);
                }
                self.code.place(end);
            }
            ArgsKind::Fold { total, end, .. } => {
                if given != 2 {
                    return Err(wrong_count(name, span));
                }
                self.code.emit_all(&[Op::Store(total), Op::Backtrack], span);
                self.code.place(end);
                self.code.emit(Op::Pop, span);
                self.code.push_last(total, span);
            }
        }
        Ok(())
    }
}

/// Returns the error for a number of arguments that a message does not have.
fn wrong_count(name: &str, span: Span) -> QueryError {
    error("invalid-argument", span, format!("`{name}` has another number of arguments"))
}

/// Returns whether there is a built-in with this name.
pub(super) fn is_built_in(name: &str) -> bool {
    !name.starts_with('_') && messages::find(name).is_some()
}
