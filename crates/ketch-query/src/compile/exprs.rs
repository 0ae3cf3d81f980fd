//! Expressions.

use super::compiler::{Compiler, Result};
use super::op::{Op, Slot};
use super::scope::{Meaning, Scope};
use super::task::{At, Task};
use crate::builtins;
use crate::syntax::tree::{BinaryOp, Expr, ExprId, Name, Span, Tree};
use crate::value::{Entries, Number, Value};
use std::sync::Arc;

impl Compiler<'_> {
    /// Compiles an expression: emits what is simple, and adds tasks for the rest.
    pub fn expr(&mut self, id: ExprId, scope: Scope, is_last: bool) -> Result<()> {
        if self.emit_entries(id) {
            return Ok(());
        }
        let tree = self.source();
        let at = At { span: tree.spans[id.0 as usize], scope, is_last };
        let tasks = match &tree.exprs[id.0 as usize] {
            Expr::Identity => return Ok(()),
            Expr::RecurseDefault => return self.call(&recurse(at.span), &[], at),
            Expr::Call { name, args } => return self.call(name, args, at),
            Expr::Number(_) | Expr::Text(_) | Expr::Location(_) | Expr::Array(None) => {
                vec![at.op(Op::Const(self.literal(&tree.exprs[id.0 as usize])))]
            }
            Expr::Format(name) => vec![self.format(name, at.span)],
            Expr::Interpolation { format, parts } => self.interpolation(format, parts, at),
            Expr::Index { .. } | Expr::Slice { .. } | Expr::Iterate(_) => {
                self.access(&tree, id, at, false).unwrap_or_default()
            }
            Expr::Optional(body) => self.optional(&tree, *body, at),
            Expr::Try { body, handler } => self.try_catch(*body, *handler, at),
            Expr::Array(Some(body)) => self.collect(*body, at),
            Expr::Object(entries) => self.object(&tree, entries, at),
            Expr::Negate(body) => vec![at.expr(*body), at.op(Op::Negate)],
            Expr::Pipe(left, right) => vec![at.expr(*left), at.last(*right)],
            Expr::Comma(left, right) => self.comma(*left, *right, at),
            Expr::Binary(operator, left, right) => self.binary(&tree, *operator, *left, *right, at),
            Expr::Update(operator, left, right) => self.update(*operator, *left, *right, at),
            Expr::If { arms, otherwise } => self.conditions(arms, *otherwise, at),
            Expr::Label { name, body } => self.labelled(name, *body, at),
            Expr::Break(name) => vec![at.op(Op::Break(self.find_label(name, scope)?))],
            Expr::Variable(name) => vec![self.variable(name, scope)?],
            Expr::Def { def, body } => {
                let scope = self.definition(def, self.tree, self.level, scope);
                vec![at.within(scope).last(*body)]
            }
            Expr::Reduce { .. } | Expr::Foreach { .. } | Expr::Bind { .. } => {
                self.binding(&tree.exprs[id.0 as usize], at)?
            }
        };
        self.push(tasks);
        Ok(())
    }

    /// Adds the constant of a literal.
    fn literal(&mut self, expr: &Expr) -> u32 {
        match expr {
            Expr::Number(text) => {
                self.constant(Value::Number(Number::spelled(text).unwrap_or_else(Number::nan)))
            }
            Expr::Text(text) => self.text(text),
            Expr::Location(line) => {
                let mut entries = Entries::new();
                entries.insert("file".into(), "<top-level>".into());
                entries.insert("line".into(), i64::from(*line).into());
                self.constant(Value::object(entries))
            }
            _ => self.constant(Value::array(Vec::new())),
        }
    }

    /// Returns the task of a format, which may be one that does not exist.
    fn format(&mut self, name: &Name, span: Span) -> Task {
        match builtins::format(&name.text) {
            Some(format) => Task::Op(Op::Format(format), span),
            None => Task::Op(Op::UnknownFormat(self.text(&name.text)), span),
        }
    }

    /// Returns the tasks for `target[index]`, `target[from:to]` and `target[]`.
    fn access(&mut self, tree: &Tree, id: ExprId, at: At, quiet: bool) -> Option<Vec<Task>> {
        Some(match &tree.exprs[id.0 as usize] {
            Expr::Index { target, index } => self.index(tree, *target, *index, at, quiet),
            Expr::Slice { target, from, to } => self.slice(*target, [*from, *to], at, quiet),
            Expr::Iterate(target) => vec![at.expr(*target), at.op(Op::Each { quiet })],
            _ => return None,
        })
    }

    /// Returns the tasks for `body?`.
    fn optional(&mut self, tree: &Tree, body: ExprId, at: At) -> Vec<Task> {
        let inner = At { span: tree.spans[body.0 as usize], ..at };
        let access = self.access(tree, body, inner, true);
        access.unwrap_or_else(|| self.try_catch(body, None, at))
    }

    /// Returns the tasks for `target[index]`.
    fn index(
        &mut self,
        tree: &Tree,
        target: ExprId,
        index: ExprId,
        at: At,
        quiet: bool,
    ) -> Vec<Task> {
        if let Expr::Text(name) = &tree.exprs[index.0 as usize] {
            let name = self.text(name);
            return vec![at.expr(target), at.op(Op::Field { name, quiet })];
        }
        let mut tasks = at.sub(index).to_vec();
        tasks.extend([at.expr(target), at.op(Op::Index { quiet })]);
        tasks
    }

    /// Returns the tasks for `target[from:to]`.
    fn slice(
        &mut self,
        target: ExprId,
        ends: [Option<ExprId>; 2],
        at: At,
        quiet: bool,
    ) -> Vec<Task> {
        let mut tasks = Vec::new();
        for end in ends {
            tasks.extend(match end {
                Some(end) => at.sub(end),
                None => at.below(at.op(Op::Const(self.constant(Value::Null)))),
            });
        }
        tasks.extend([at.expr(target), at.op(Op::Slice { quiet })]);
        tasks
    }

    /// Returns the tasks for `try body catch handler`.
    fn try_catch(&mut self, body: ExprId, handler: Option<ExprId>, at: At) -> Vec<Task> {
        let (catch, end) = (self.label(), self.label());
        let mut tasks = vec![at.op(Op::Try(catch)), at.expr(body), at.op(Op::EndTry)];
        tasks.extend([at.op(Op::Jump(end)), Task::Place(catch)]);
        tasks.push(handler.map_or(at.op(Op::Backtrack), |handler| at.expr(handler)));
        tasks.push(Task::Place(end));
        tasks
    }

    /// Returns the tasks for `[body]`.
    pub fn collect(&mut self, body: ExprId, at: At) -> Vec<Task> {
        let array = Op::NewArray(self.new_slot());
        self.collect_all(vec![at.expr(body)], array, at)
    }

    /// Returns the tasks that make an array of all results of other tasks.
    pub fn collect_all(&mut self, body: Vec<Task>, array: Op, at: At) -> Vec<Task> {
        let (Op::NewArray(slot) | Op::NewArrayFrom(slot)) = array else { return body };
        let end = self.label();
        let mut tasks = vec![at.op(array), at.op(Op::Fork(end)), at.op(Op::Untrack)];
        tasks.extend(body);
        tasks.extend([at.op(Op::Append(slot)), at.op(Op::Backtrack), Task::Place(end)]);
        tasks.push(at.op(Op::Take(Slot { out: 0, index: slot })));
        tasks
    }

    /// Returns the tasks for `{key: value, ...}`.
    fn object(&mut self, tree: &Tree, entries: &[(ExprId, ExprId)], at: At) -> Vec<Task> {
        let empty = self.constant(Value::object(Entries::new()));
        let mut tasks = at.below(at.op(Op::Const(empty))).to_vec();
        for &(key, value) in entries {
            match tree.exprs[value.0 as usize] {
                Expr::Index { target, index }
                    if index == key && !matches!(tree.exprs[key.0 as usize], Expr::Text(_)) =>
                {
                    self.shorthand(key, target, at, &mut tasks);
                }
                _ => {
                    tasks.extend(at.sub(key));
                    tasks.extend(at.sub(value));
                }
            }
            tasks.push(at.op(Op::Insert));
        }
        tasks.push(at.op(Op::Pop));
        tasks
    }

    /// Adds the tasks of an entry whose key is also the index of its value, which is evaluated once.
    fn shorthand(&mut self, key: ExprId, target: ExprId, at: At, tasks: &mut Vec<Task>) {
        let slot = self.new_slot();
        let load = || at.op(Op::Load(Slot { out: 0, index: slot }));
        tasks.extend(at.sub(key));
        tasks.push(at.op(Op::StoreBelow(slot)));
        tasks.extend(at.below(load()));
        tasks.push(at.op(Op::Sub));
        tasks.extend(at.below(load()));
        tasks.extend([at.expr(target), at.op(Op::Index { quiet: false }), at.op(Op::EndSub)]);
    }

    /// Returns the tasks for a text with parts.
    fn interpolation(&mut self, format: &Option<Name>, parts: &[ExprId], at: At) -> Vec<Task> {
        let text = Name { text: "text".into(), span: at.span };
        let format = self.format(format.as_ref().unwrap_or(&text), at.span);
        let tree = self.source();
        let mut tasks = Vec::new();
        for &part in parts.iter().rev() {
            tasks.extend([at.op(Op::Sub), at.expr(part)]);
            if !matches!(tree.exprs[part.0 as usize], Expr::Text(_)) {
                tasks.push(format.clone());
            }
            tasks.push(at.op(Op::EndSub));
        }
        tasks.push(at.op(Op::Join(parts.len() as u32)));
        tasks
    }

    /// Returns the tasks for `left, right`.
    fn comma(&mut self, left: ExprId, right: ExprId, at: At) -> Vec<Task> {
        let (next, end) = (self.label(), self.label());
        let mut tasks = vec![at.op(Op::Fork(next)), at.expr(left), at.op(Op::Jump(end))];
        tasks.extend([Task::Place(next), at.last(right), Task::Place(end)]);
        tasks
    }

    /// Returns the tasks for `if condition then value elif ... else value end`.
    fn conditions(
        &mut self,
        arms: &[(ExprId, ExprId)],
        otherwise: Option<ExprId>,
        at: At,
    ) -> Vec<Task> {
        let end = self.label();
        let mut tasks = Vec::new();
        for &(condition, then) in arms {
            let next = self.label();
            tasks.extend(at.sub(condition));
            tasks.extend([at.op(Op::JumpIfFalse(next)), at.last(then)]);
            tasks.extend([at.op(Op::Jump(end)), Task::Place(next)]);
        }
        tasks.extend(otherwise.map(|otherwise| at.last(otherwise)));
        tasks.push(Task::Place(end));
        tasks
    }

    /// Returns the tasks for `label $name | body`.
    fn labelled(&mut self, name: &Name, body: ExprId, at: At) -> Vec<Task> {
        let slot = self.new_slot();
        let meaning = Meaning::Label { level: self.level, slot };
        let scope = self.scopes.bind(at.scope, name.text.clone(), 0, meaning);
        vec![at.op(Op::Label(slot)), at.within(scope).expr(body)]
    }

    /// Returns the tasks for `left operator right`.
    fn binary(
        &mut self,
        tree: &Tree,
        operator: BinaryOp,
        left: ExprId,
        right: ExprId,
        at: At,
    ) -> Vec<Task> {
        match operator {
            BinaryOp::And | BinaryOp::Or => self.logical(operator, left, right, at),
            BinaryOp::Alternative => self.alternative(left, right, at),
            _ => {
                let constant = match &tree.exprs[right.0 as usize] {
                    literal @ (Expr::Number(_) | Expr::Text(_)) => Some(self.literal(literal)),
                    _ => None,
                };
                let mut tasks = Vec::new();
                if constant.is_none() {
                    tasks.extend(at.sub(right));
                }
                tasks.extend(at.untracked(left));
                let op = constant.map(|constant| Op::BinaryConst(operator, constant));
                tasks.push(at.op(op.unwrap_or(Op::Binary(operator))));
                tasks
            }
        }
    }

    /// Returns the tasks for `left and right` and `left or right`.
    fn logical(&mut self, operator: BinaryOp, left: ExprId, right: ExprId, at: At) -> Vec<Task> {
        let (if_false, end) = (self.label(), self.label());
        let is_and = operator == BinaryOp::And;
        let short = vec![at.op(Op::Const(self.constant(Value::Bool(!is_and))))];
        let mut rest = at.untracked(right).to_vec();
        rest.push(at.op(Op::Truth));
        let (if_true, otherwise) = if is_and { (rest, short) } else { (short, rest) };
        let mut tasks = at.sub(left).to_vec();
        tasks.push(at.op(Op::JumpIfFalse(if_false)));
        tasks.extend(if_true);
        tasks.extend([at.op(Op::Jump(end)), Task::Place(if_false)]);
        tasks.extend(otherwise);
        tasks.push(Task::Place(end));
        tasks
    }

    /// Returns the tasks for `left // right`.
    fn alternative(&mut self, left: ExprId, right: ExprId, at: At) -> Vec<Task> {
        let (otherwise, end, skip) = (self.label(), self.label(), self.label());
        let found = self.new_slot();
        let mut tasks =
            vec![at.op(Op::Clear(found)), at.op(Op::ForkMissing(otherwise, found)), at.expr(left)];
        tasks.extend([at.op(Op::KeepTrue(found)), at.op(Op::Jump(end)), Task::Place(otherwise)]);
        tasks.extend([at.op(Op::JumpUnless(found, skip)), at.op(Op::Backtrack)]);
        tasks.extend([Task::Place(skip), at.expr(right), Task::Place(end)]);
        tasks
    }
}

/// Returns the name of the function that `..` calls.
fn recurse(span: Span) -> Name {
    Name { text: Arc::from("recurse"), span }
}
