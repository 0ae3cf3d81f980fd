//! Finds the bytes that a match may start with.

use super::code::{Inst, Program};

/// Returns the bytes that start a match, or `None` if a match may be empty or its start is not
/// known.
pub(crate) fn first_bytes(program: &Program) -> Option<Box<[bool; 256]>> {
    let mut bytes = Box::new([false; 256]);
    let mut seen = vec![false; program.code.len()];
    let mut todo = vec![0u32];
    while let Some(pc) = todo.pop() {
        if std::mem::replace(&mut seen[pc as usize], true) {
            continue;
        }
        match &program.code[pc as usize] {
            Inst::Byte(byte) => bytes[usize::from(*byte)] = true,
            Inst::Set(set) => {
                program.sets[*set as usize].first_bytes(program.binary, &mut bytes);
            }
            Inst::Jump(target) | Inst::Call(target) => todo.push(*target),
            Inst::Split { first, second, .. } => todo.extend([*first, *second]),
            Inst::LookBegin(look) => todo.push(program.looks[*look as usize].after),
            Inst::LoopCheck(_, target) | Inst::IfSet(_, target) => todo.extend([pc + 1, *target]),
            Inst::Save(_)
            | Inst::Assert(..)
            | Inst::Keep
            | Inst::Level(_)
            | Inst::AtomicBegin
            | Inst::AtomicEnd
            | Inst::LoopBegin(_)
            | Inst::LoopSkip(_) => todo.push(pc + 1),
            Inst::Grapheme => bytes.fill(true),
            Inst::LookEnd(_)
            | Inst::Back(_)
            | Inst::Reference(_)
            | Inst::Return
            | Inst::Absence(..)
            | Inst::Match => return None,
        }
    }
    Some(bytes)
}
