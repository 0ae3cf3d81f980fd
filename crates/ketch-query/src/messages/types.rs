//! What the parser keeps of what it has not read to the end.

use crate::builtins::messages::Message;
use crate::syntax::Span;
use std::sync::Arc;

/// What names mean: the variables of the subject and of `it`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Scope {
    pub subject: u16,
    pub it: u16,
}

/// What is open.
#[derive(Debug)]
pub(super) enum Form {
    Program,
    Parentheses,
    List {
        slot: u16,
    },
    Dict,
    /// The key of an entry, in parentheses or quotes.
    Key {
        is_parenthesized: bool,
    },
    /// A query in a text.
    Query {
        slot: u16,
    },
    Index,
    /// `[? c]`
    Filter {
        mark: u16,
        missing: u32,
    },
    Args(Args),
}

/// An open bracket.
#[derive(Debug)]
pub(super) struct Frame {
    pub form: Form,
    /// Where it starts.
    pub span: Span,
    /// The chain that it is in.
    pub chain: Chain,
    /// The meaning of names outside.
    pub scope: Scope,
    /// The number of operators that wait outside.
    pub pending: usize,
    /// The number of names outside.
    pub names: usize,
    /// The variable that the open expression is for, with its name.
    pub binding: Option<(Arc<str>, u16)>,
}

/// The arguments of a message that is being read.
#[derive(Debug)]
pub(super) struct Args {
    pub name: String,
    pub span: Span,
    pub kind: ArgsKind,
    /// The number of arguments so far.
    pub given: usize,
    pub is_optional: bool,
    /// The variable of `it` in the next argument, if that is not the outer one.
    pub it: Option<u16>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum ArgsKind {
    /// Values. The first one is the receiver of a message without one.
    Values {
        message: &'static Message,
        is_free: bool,
    },
    /// A block that is sent to all elements.
    Block(&'static Message, Loop),
    /// A block for the receiver.
    Then,
    /// `ifMissing` and `ifError`, with the label of their end.
    Handler(u32),
    /// `if` and `cond`, with the labels of the next condition and of the end.
    Conditions {
        otherwise: u32,
        end: u32,
    },
    Fold {
        total: u16,
        element: u16,
        end: u32,
    },
}

/// The variables and labels of a loop over elements.
#[derive(Clone, Copy, Debug)]
pub(super) struct Loop {
    pub element: u16,
    /// The indices of the elements for which the block gave something, and what it gave.
    pub indices: u16,
    pub keys: u16,
    pub count: u16,
    pub mark: u16,
    pub stop: u32,
    pub end: u32,
}

/// The chain that is being read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Chain {
    /// The number of its first piece of code.
    pub start: usize,
    /// Whether it is a mere path so far.
    pub is_path: bool,
    pub several: Option<Several>,
}

/// Several values, which are put into a list unless the query is a mere path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Several {
    /// The number of the piece of code that makes the list. The next one is the fork.
    pub piece: usize,
    pub slot: u16,
    pub end: u32,
    pub span: Span,
}

impl Chain {
    /// Starts a chain.
    pub fn at(start: usize) -> Chain {
        Chain { start, is_path: false, several: None }
    }
}

/// An operator that waits, how tightly it binds, and its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending {
    pub operator: Operator,
    pub level: u8,
    pub span: Span,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Operator {
    /// `and` and `or`, with the label of their end.
    Deciding(u32),
    Not,
    Negate,
    Binary(&'static str),
}
