//! Updates: `=`, `|=`, `+=` and the others.

use super::compiler::Compiler;
use super::op::{Op, Slot};
use super::task::{At, Task};
use crate::syntax::tree::{BinaryOp, ExprId, UpdateOp};

/// The variables of an update: the value that is changed, the path of a part, and the right side.
#[derive(Clone, Copy)]
struct Slots {
    state: u16,
    path: u16,
    value: u16,
}

impl Slots {
    /// Returns the instruction that takes the part at the path out of the value.
    fn take(self) -> Op {
        Op::TakeAt { state: self.state, path: self.path }
    }

    /// Returns the instruction that puts a part at the path.
    fn put(self) -> Op {
        Op::PutAt { state: self.state, path: self.path }
    }
}

/// Returns a variable of the current function.
fn local(index: u16) -> Slot {
    Slot { out: 0, index }
}

impl Compiler<'_> {
    /// Returns the tasks for `left = right` and the other updates.
    pub fn update(&mut self, operator: UpdateOp, left: ExprId, right: ExprId, at: At) -> Vec<Task> {
        let [state, path, value] = [self.new_slot(), self.new_slot(), self.new_slot()];
        let (slots, start, end) = (Slots { state, path, value }, self.new_slot(), self.label());
        let mut tasks = Vec::new();
        if operator != UpdateOp::Update {
            tasks.extend(at.sub(right));
            tasks.push(at.op(Op::StoreBelow(value)));
        }
        tasks.extend(
            [Op::Dup, Op::Store(state), Op::Mark(start), Op::Fork(end)].map(|op| at.op(op)),
        );
        let creates =
            matches!(operator, UpdateOp::Assign | UpdateOp::Arithmetic(BinaryOp::Alternative));
        tasks.extend([at.op(Op::Path { creates }), at.expr(left)]);
        // After the last path, nothing needs the value as it was, so that it is changed in place.
        tasks.extend([Op::EndPath, Op::Store(path), Op::LastPath(start)].map(|op| at.op(op)));
        let next = Op::NextPath { start, end };
        match operator {
            UpdateOp::Assign => {
                tasks.extend([at.op(Op::PushNull), at.op(Op::Load(local(value)))]);
                tasks.push(at.op(slots.put()));
            }
            UpdateOp::Update => return self.update_each(tasks, right, slots, next, at),
            UpdateOp::Arithmetic(BinaryOp::Alternative) => self.default(&mut tasks, slots, at),
            UpdateOp::Arithmetic(operator) => {
                tasks.extend([at.op(Op::PushNull), at.op(Op::Load(local(value)))]);
                tasks.extend([slots.take(), Op::Binary(operator), slots.put()].map(|op| at.op(op)));
            }
        }
        tasks.extend([at.op(next), Task::Place(end), at.op(Op::Take(local(state)))]);
        tasks
    }

    /// Adds the tasks of `//=` for a part.
    fn default(&mut self, tasks: &mut Vec<Task>, slots: Slots, at: At) {
        let keep = self.label();
        tasks.extend([slots.take(), Op::Dup, Op::JumpIfTrue(keep)].map(|op| at.op(op)));
        tasks.extend([at.op(Op::Load(local(slots.value))), Task::Place(keep), at.op(slots.put())]);
    }

    /// Returns the tasks for `|=` after those that find a part. Parts without a new value are deleted in the end.
    fn update_each(
        &mut self,
        find: Vec<Task>,
        right: ExprId,
        slots: Slots,
        next: Op,
        at: At,
    ) -> Vec<Task> {
        let (mark, none, deleted) = (self.new_slot(), self.label(), self.new_slot());
        let mut tasks = vec![at.op(Op::NewArray(deleted))];
        tasks.extend(find);
        tasks.extend([at.op(Op::Mark(mark)), at.op(Op::Fork(none)), at.op(slots.take())]);
        tasks.extend(at.untracked(right));
        tasks.extend([slots.put(), Op::Cut(mark), next].map(|op| at.op(op)));
        tasks.push(Task::Place(none));
        tasks.extend([Op::PushNull, Op::Load(local(slots.path))].map(|op| at.op(op)));
        tasks.extend([at.op(Op::Append(deleted)), at.op(next)]);
        if let Op::NextPath { end, .. } = next {
            tasks.push(Task::Place(end));
        }
        tasks.extend([at.op(Op::Take(local(slots.state))), at.op(Op::DeleteAll(deleted))]);
        tasks
    }
}
