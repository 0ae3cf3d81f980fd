//! Compiles look-arounds.

use super::{Builder, Task};
use crate::error::Result;
use crate::machine::code::{Inst, Look, NONE};
use crate::syntax::{Kind, NodeId};

impl Builder<'_> {
    /// Returns whether a node always matches exactly one character.
    pub(super) fn is_character(&self, id: NodeId) -> bool {
        let node = self.source.tree.node(id);
        match node.kind {
            Kind::Char(code) => {
                !node.flags.ignore_case && (self.source.binary || char::from_u32(code).is_some())
            }
            Kind::Class(..) | Kind::Shorthand(..) | Kind::Property(..) | Kind::Any => {
                self.fold(id).is_none() && self.source.sets.expansions(id).is_empty()
            }
            _ => false,
        }
    }

    /// Compiles a look-around whose content is one character.
    pub(super) fn peek(&mut self, child: NodeId, behind: bool, negative: bool) -> Result<()> {
        let set = self.set_of(child);
        self.emit(Inst::Peek { set, behind, negative })
    }

    /// Compiles a look-around.
    pub(super) fn look(&mut self, negative: bool, child: NodeId, body: Task) {
        let after = self.label();
        let captures = self.source.mixed.captures[child.index()];
        let index = self.program.looks.len() as u32;
        self.program.looks.push(Look { negative, body: NONE, after, captures });
        self.tasks.extend([
            Task::Bind(after),
            Task::Emit(Inst::LookEnd(index)),
            Task::Look(self.look, self.loops_from),
            Task::LeaveScope,
            body,
            Task::EnterScope,
            Task::Look(index, self.loops),
            Task::Emit(Inst::LookBegin(index)),
        ]);
        // The start of the body is already known, because it follows the instruction of the first
        // task.
        self.program.looks[index as usize].body = self.program.code.len() as u32 + 1;
    }

    /// Compiles the alternatives of a look-behind.
    pub(super) fn behind(&mut self, branches: Vec<NodeId>) {
        let end = self.label();
        let mut tasks = Vec::new();
        for (index, id) in branches.iter().enumerate() {
            let last = index + 1 == branches.len();
            let [first, second] = [(); 2].map(|()| self.label());
            if !last {
                tasks.extend([Task::Split(first, second), Task::Bind(first)]);
            }
            let back = self.source.mixed.characters(*id);
            tasks.extend([Task::Emit(Inst::Back(back)), Task::Node(*id)]);
            if !last {
                tasks.extend([Task::Emit(Inst::Jump(end)), Task::Bind(second)]);
            }
        }
        tasks.push(Task::Bind(end));
        self.tasks.extend(tasks.into_iter().rev());
    }
}
