//! Prepares the branches of a finished program: which of them the table records, and which of their
//! alternatives the next byte rules out.

use std::collections::HashMap;

use super::code::{FIRST, Inst, NONE, Program, SECOND};
use super::lengths::{Bytes, FirstBytes, contains};
use crate::budget::Allowance;
use crate::problem::Problem;

/// The maximum number of instructions that are looked at to find what an alternative starts with.
const LOOKED_AT: usize = 16;
/// The maximum number of tables of next bytes. Each takes 257 bytes.
const TABLES_MAX: usize = 256;

/// Completes a program whose jumps are already resolved.
pub(crate) fn prepare(program: &mut Program, limits: Allowance<'_>) -> Result<(), Problem> {
    let bytes = FirstBytes::new(program);
    let first = bytes.of_match();
    let (choices, tables) = choices(program, &bytes, limits)?;
    direct(program, &choices);
    program.first = first;
    program.tables = tables;
    let recorded = recorded(program);
    for (index, branch) in program.branches.iter_mut().enumerate() {
        branch.table = choices[index];
        branch.recorded = program.memo && recorded[index];
        if branch.recorded {
            branch.slot = program.column;
            let slots = (branch.loops.len() as u32 + 1) << program.tested.len();
            program.column = program.column.saturating_add(slots);
        }
    }
    Ok(())
}

/// Returns the index of the table of each branch, or [`NONE`] for a branch without one, and the
/// tables.
#[allow(clippy::type_complexity)]
fn choices(
    program: &Program,
    bytes: &FirstBytes<'_>,
    limits: Allowance<'_>,
) -> Result<(Vec<u32>, Vec<[u8; 257]>), Problem> {
    let mut choices = vec![NONE; program.branches.len()];
    let mut tables = Vec::new();
    let mut known: HashMap<[Option<Bytes>; 2], u32> = HashMap::new();
    for (at, inst) in program.code.iter().enumerate() {
        if at % 1024 == 0 {
            limits.check()?;
        }
        let Inst::Split { first, second, branch } = *inst else { continue };
        let starts = [first, second].map(|pc| bytes.from(pc, LOOKED_AT, false));
        if starts == [None, None] || (known.len() == TABLES_MAX && !known.contains_key(&starts)) {
            continue;
        }
        choices[branch as usize] = *known.entry(starts).or_insert_with(|| {
            tables.push(table(&starts));
            tables.len() as u32 - 1
        });
    }
    Ok((choices, tables))
}

/// For each branch, sets the flags of the alternatives that start with one character. A branch
/// without a table gets no flags.
fn direct(program: &mut Program, choices: &[u32]) {
    for (at, inst) in program.code.iter().enumerate() {
        let Inst::Split { first, second, branch } = *inst else { continue };
        if choices[branch as usize] == NONE {
            continue;
        }
        let flags = &mut program.branches[branch as usize];
        for (pc, flag) in [(first, FIRST), (second, SECOND)] {
            if matches!(program.code[pc as usize], Inst::Byte(_) | Inst::Set(_)) {
                flags.direct |= flag;
                if pc as usize + 1 == at {
                    flags.runs = flag;
                }
            }
        }
        flags.ends_atomic =
            flags.runs == FIRST && matches!(program.code[second as usize], Inst::AtomicEnd);
    }
}

/// Returns the flags of the alternatives that are possible before each byte, and at the end of the
/// text.
fn table(starts: &[Option<Bytes>; 2]) -> [u8; 257] {
    let mut table = [0; 257];
    for (entry, byte) in table.iter_mut().zip((0..=255).map(Some).chain([None])) {
        for (bytes, flag) in starts.iter().zip([FIRST, SECOND]) {
            let possible = match (bytes, byte) {
                (None, _) => true,
                (Some(bytes), Some(byte)) => contains(bytes, byte),
                (Some(_), None) => false,
            };
            *entry |= if possible { flag } else { 0 };
        }
    }
    table
}

/// Returns whether the table must record each branch. It need not record a branch that can be
/// reached only in one way, from another branch: after the other branch has been recorded, no path
/// gets here again.
fn recorded(program: &Program) -> Vec<bool> {
    let mut ways = vec![0u8; program.code.len() + 1];
    for pc in 0..program.code.len() {
        for (target, _) in successors(program, pc as u32).into_iter().flatten() {
            ways[target as usize] = ways[target as usize].saturating_add(1);
        }
    }
    let mut recorded = vec![true; program.branches.len()];
    let mut seen = vec![false; program.code.len() + 1];
    // No two searches start at the same position, so there is no second way to the first
    // instruction.
    let mut todo = vec![(0, ways[0] == 0)];
    while let Some((pc, single)) = todo.pop() {
        if pc as usize >= program.code.len() || std::mem::replace(&mut seen[pc as usize], true) {
            continue;
        }
        let mut single = single;
        if let Inst::Split { branch, .. } = program.code[pc as usize] {
            recorded[branch as usize] = !single;
            single = true;
        }
        for (target, keeps) in successors(program, pc).into_iter().flatten() {
            todo.push((target, single && keeps && ways[target as usize] == 1));
        }
    }
    recorded
}

/// Returns the instructions that may follow the one at `pc`. Each has a flag that says whether paths
/// from different positions continue there at different positions.
fn successors(program: &Program, pc: u32) -> [Option<(u32, bool)>; 2] {
    let next = Some((pc + 1, true));
    match program.code[pc as usize] {
        Inst::Jump(target) => [Some((target, true)), None],
        Inst::Split { first, second, .. } => [Some((first, true)), Some((second, true))],
        Inst::LookBegin(look) => [next, Some((program.looks[look as usize].after, true))],
        Inst::LoopCheck(_, target, _) | Inst::IfSet(_, target) => [next, Some((target, true))],
        Inst::Call(target) => [Some((pc + 1, false)), Some((target, false))],
        Inst::Back(_) | Inst::Reference(_) | Inst::Absence(..) | Inst::Grapheme => {
            [Some((pc + 1, false)), None]
        }
        Inst::LookEnd(_) | Inst::Return | Inst::Match => [None, None],
        Inst::Byte(_)
        | Inst::Set(_)
        | Inst::Save(_)
        | Inst::Assert(..)
        | Inst::Peek { .. }
        | Inst::Keep
        | Inst::AtomicBegin
        | Inst::AtomicEnd
        | Inst::LoopBegin(_)
        | Inst::LoopSkip(_)
        | Inst::Level(_) => [next, None],
    }
}
