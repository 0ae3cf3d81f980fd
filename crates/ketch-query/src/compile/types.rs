//! Compiled programs, and what they are compiled from.

use super::op::{Argument, Op};
use crate::json::Step;
use crate::syntax::tree::{ExprId, Span, Tree};
use crate::value::Value;
use std::collections::HashMap;
use std::sync::Arc;

/// A compiled program.
#[derive(Debug, Default)]
pub struct Code {
    pub ops: Vec<Op>,
    /// For each instruction, the tree and the place in its source that errors name.
    pub spans: Vec<(u16, Span)>,
    pub constants: Vec<Value>,
    pub functions: Vec<Function>,
    pub arguments: Vec<Argument>,
}

impl Code {
    /// Replaces the numbers of labels by their addresses. A jump to a jump leads to where that one does, so that many
    /// alternatives need no chain of jumps each. All jumps lead forward.
    pub fn resolve_labels(&mut self, labels: &[u32]) {
        for index in (0..self.ops.len()).rev() {
            let mut op = self.ops[index];
            if let Op::Fork(at)
            | Op::ForkMissing(at, _)
            | Op::Jump(at)
            | Op::JumpIfFalse(at)
            | Op::JumpIfTrue(at)
            | Op::JumpUnless(_, at)
            | Op::Try(at)
            | Op::Handle { at, .. }
            | Op::NextPath { end: at, .. }
            | Op::TryAlternative(at) = &mut op
            {
                *at = labels[*at as usize];
                if let Some(Op::Jump(end)) = self.ops.get(*at as usize) {
                    *at = *end;
                }
                self.ops[index] = op;
            }
        }
    }
}

/// A function or the argument of a call.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    pub entry: u32,
    pub slots: u16,
}

/// Where the entries of the input come from, in a program that reads them one by one.
#[derive(Clone, Debug)]
pub struct Source {
    /// The expression whose results they are.
    pub at: ExprId,
    /// The steps that it stands for.
    pub steps: Vec<EntryStep>,
}

/// A step to the entries of the input.
#[derive(Clone, Debug)]
pub struct EntryStep {
    pub step: Step,
    /// Whether it has no results where it fails.
    pub quiet: bool,
    pub span: Span,
}

/// Why a program does not compile.
#[derive(Clone, Debug)]
pub struct CompileError {
    pub tree: u16,
    pub span: Span,
    pub kind: CompileErrorKind,
    pub message: String,
    pub help: Option<String>,
}

/// What is wrong with a program that does not compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompileErrorKind {
    UndefinedFunction,
    UndefinedVariable,
    UndefinedLabel,
    /// A function has more variables, or is nested more deeply, than instructions can address.
    TooLarge,
}

/// What a tree imports.
#[derive(Clone, Debug)]
pub enum Imported {
    /// A module, with the number of its tree.
    Module(u16),
    /// The values of a file of data.
    Data(Value),
}

/// A program with all that it imports.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The trees: the prelude, the program, and its modules.
    pub trees: Vec<Arc<Tree>>,
    /// What each tree imports, in the order of its imports.
    pub imports: HashMap<u16, Vec<Imported>>,
    /// The name of each module, and none for the prelude and the program.
    pub names: Vec<Option<Arc<str>>>,
    /// The modules, each after those that it imports.
    pub order: Vec<u16>,
}
