//! The instructions of the machine.

use crate::syntax::tree::BinaryOp;

/// An address in the code, or before the end of compiling, the number of a label.
pub type Address = u32;

/// A variable or parameter: the number of functions between, and its slot in the frame of that function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    pub out: u16,
    pub index: u16,
}

/// An argument that a call passes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A function of the caller, with its number.
    Function(u32),
    /// A parameter.
    Parameter(Slot),
}

/// An instruction. `.` is the value on the top of the stack; most instructions replace it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Op {
    /// Copies the top.
    Dup,
    Pop,
    /// Replaces the top with a constant.
    Const(u32),
    /// Starts a subexpression: copies the top, and stops following the path.
    Sub,
    /// Ends a subexpression: the value that was copied is the top again, and the result is below it.
    EndSub,
    /// Stops and continues following the path, for a last subexpression, which needs no copy.
    Untrack,
    Track,
    /// `.name`; no error if `quiet`.
    Field {
        name: u32,
        quiet: bool,
    },
    /// Takes an index from below the top.
    Index {
        quiet: bool,
    },
    /// Takes the ends of a slice from below the top: the lower one is deeper.
    Slice {
        quiet: bool,
    },
    /// Replaces the top with the entries of the input, one after the other. The steps to them follow; those that have led to
    /// an entry are skipped.
    Entries {
        steps: u16,
    },
    /// `.[]`.
    Each {
        quiet: bool,
    },
    /// On backtracking, goes on at the address.
    Fork(Address),
    /// As `Fork`, also after an error about a missing key, unless the variable is true.
    ForkMissing(Address, u16),
    Jump(Address),
    /// Takes a value from below the top, and jumps if it is false or null.
    JumpIfFalse(Address),
    Backtrack,
    /// Errors until the matching end go to the address, with their value as the top.
    Try(Address),
    EndTry,
    /// As `Try`, but later errors count as well: the alternatives of `?//`.
    TryAlternative(Address),
    /// Creates a label for `break`.
    Label(u16),
    Break(Slot),
    /// Notes the alternatives that exist, to drop later ones.
    Mark(u16),
    Cut(u16),
    Load(Slot),
    /// Takes the variable's value, which becomes null.
    Take(Slot),
    /// Moves the top to a variable.
    Store(u16),
    /// Moves what is below the top to a variable.
    StoreBelow(u16),
    /// Exchanges the top and what is below it.
    Swap,
    /// Puts null on the stack.
    PushNull,
    /// Sets a variable to null.
    Clear(u16),
    /// Sets a variable to an empty array.
    NewArray(u16),
    /// The same, for an array that comes from the node that the top comes from.
    NewArrayFrom(u16),
    /// Backtracks if the top is false or null, else notes in the variable that a value was found.
    KeepTrue(u16),
    /// Jumps unless the variable notes that a value was found.
    JumpUnless(u16, Address),
    JumpIfTrue(Address),
    BacktrackIfFalse,
    Not,
    /// Deletes the paths in a variable from the top.
    DeleteAll(u16),
    /// Appends the top to the array in a variable.
    Append(u16),
    /// Adds the top to the value in a variable.
    AddTo(u16),
    /// Adds the key and value from below the top to the object below them.
    Insert,
    Binary(BinaryOp),
    BinaryConst(BinaryOp, u32),
    /// Replaces the top with whether it is true.
    Truth,
    Negate,
    /// Joins texts from below the top.
    Join(u32),
    /// Formats the top as a part of a string, by the number of the format.
    Format(u8),
    /// Fails, as there is no format of this name.
    UnknownFormat(u32),
    Call {
        function: u32,
        out: u16,
        args: u32,
        count: u16,
    },
    TailCall {
        function: u32,
        out: u16,
        args: u32,
        count: u16,
    },
    CallParameter(Slot),
    Return,
    /// A builtin in Rust, with its arguments from below the top: the last one is deepest.
    Native {
        native: u16,
        count: u8,
    },
    /// Takes the start, the end and the step from below the top; the start is deepest.
    Range,
    /// The paths of the filter that follows, up to the end.
    Path {
        creates: bool,
    },
    EndPath,
    /// If only the fork that came after the mark in a variable is left, there are no other paths: drops it.
    LastPath(u16),
    /// Backtracks to the next path or, if there is none, goes to the address with a new top.
    NextPath {
        start: u16,
        end: Address,
    },
    /// Takes a path from below the top.
    GetPath,
    /// Takes a path out of the value in the first variable, which is left with null there.
    TakeAt {
        state: u16,
        path: u16,
    },
    /// Puts the top at the path.
    PutAt {
        state: u16,
        path: u16,
    },
    Input,
    Error,
    /// Sends a message to the value below its `count` arguments, of which the last one is the top.
    Message {
        name: u32,
        native: u16,
        count: u8,
        how: How,
    },
    /// Takes the element of the value below the top that has the top as its key.
    Access(Absent),
    /// Notes a handler for what is missing or, with `all`, for any error but limits.
    Handle {
        at: Address,
        all: bool,
    },
    /// Adds one to the number in a variable; null becomes zero.
    Count(u16),
    End,
}

/// How a message is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// By its name alone: a key of the receiver comes first.
    Name,
    /// The same; what is missing is null.
    OptionalName,
    /// With parentheses.
    Call,
    /// With parentheses; what is missing is null.
    OptionalCall,
}

/// What a missing element leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absent {
    Fails,
    IsNull,
    Backtracks,
}
