//! Compiled programs, and what they are compiled from.

use super::op::{Argument, Op};
use crate::syntax::tree::{Span, Tree};
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

/// A function or the argument of a call.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    pub entry: u32,
    pub slots: u16,
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
#[derive(Debug, Default)]
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
