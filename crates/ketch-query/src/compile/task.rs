//! What is left to do for a function.

use super::op::{Address, Op};
use super::scope::Scope;
use crate::syntax::tree::{ExprId, PatternId, Span};
use std::sync::Arc;

/// A step of compiling.
#[derive(Clone, Debug)]
pub(super) enum Task {
    /// Compiles an expression. A call in the last one of a function is a tail call.
    Expr { id: ExprId, scope: Scope, is_last: bool },
    /// Emits an instruction.
    Op(Op, Span),
    /// Puts a label here.
    Place(Address),
    /// Binds the top to a pattern, and takes it.
    Pattern { id: PatternId, names: Arc<Names>, scope: Scope },
}

/// The variables of a pattern, with their slots.
pub(super) type Names = Vec<(Arc<str>, u16)>;

/// Where an expression is: its place in the source, what its names mean, and whether it is the last one.
#[derive(Clone, Copy, Debug)]
pub(super) struct At {
    pub span: Span,
    pub scope: Scope,
    pub is_last: bool,
}

impl At {
    /// Returns the task of an instruction.
    pub fn op(self, op: Op) -> Task {
        Task::Op(op, self.span)
    }

    /// Returns the task of an expression in the same scope.
    pub fn expr(self, id: ExprId) -> Task {
        Task::Expr { id, scope: self.scope, is_last: false }
    }

    /// Returns the task of an expression that is the last one if this is.
    pub fn last(self, id: ExprId) -> Task {
        Task::Expr { id, scope: self.scope, is_last: self.is_last }
    }

    /// Returns the tasks that put the result of a task below the top.
    pub fn below(self, task: Task) -> [Task; 3] {
        [self.op(Op::Sub), task, self.op(Op::EndSub)]
    }

    /// Returns the tasks that put the result of an expression below the top.
    pub fn sub(self, id: ExprId) -> [Task; 3] {
        self.below(self.expr(id))
    }

    /// Returns the tasks of an expression whose path is not followed.
    pub fn untracked(self, id: ExprId) -> [Task; 3] {
        [self.op(Op::Untrack), self.expr(id), self.op(Op::Track)]
    }

    /// Returns this place with another scope.
    pub fn within(self, scope: Scope) -> At {
        At { scope, ..self }
    }
}
