//! What the parser keeps of each construct that is not complete yet.

use super::token::{Infix, Level};
use super::tree::{Def, ExprId, Name, Param, PatternEntry, PatternId, Span};
use std::sync::Arc;

/// A complete expression, and all of its text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operand {
    pub id: ExprId,
    pub extent: Span,
    /// Whether it ends with an access that is not in parentheses, so that `?` is about this access only.
    pub is_access: bool,
}

/// A construct that waits for its next part. The next part of each is an expression or a pattern.
#[derive(Debug)]
pub(super) enum Frame {
    /// A whole source.
    Program,
    /// The metadata of a directive.
    Metadata,
    /// `-` before its operand.
    Negate { operator: Span },
    /// `try` before its body.
    Try { start: Span },
    /// `catch` before its handler.
    Catch { start: Span, body: ExprId },
    /// A left operand and an operator.
    Infix { left: Operand, infix: Infix, operator: Span },
    /// A `|` in a value of an object.
    EntryPipe { left: Operand, operator: Span },
    /// `source as patterns |`.
    Bind { source: Operand, patterns: Vec<PatternId> },
    /// `label $name |`.
    Label { start: Span, name: Name },
    /// `def name(params):` before its body.
    DefBody { start: Span, name: Name, params: Vec<Param> },
    /// `def ...;` before the expression in which the name is known.
    Scope { start: Span, def: Arc<Def> },
    /// `(`.
    Group { open: Span },
    /// `[`.
    Array { open: Span },
    /// `target[`, which may become a slice unless a dot is before it.
    Index { target: Operand, open: Span, is_dotted: bool },
    /// `target[from:`.
    SliceEnd { target: Operand, open: Span, from: Option<ExprId> },
    /// `name(` and the arguments so far.
    Arguments { name: Name, open: Span, args: Vec<ExprId> },
    /// `if` and the parts so far.
    If(If),
    /// `reduce` or `foreach` and the parts so far.
    Fold(Fold),
    /// A string before its next part.
    Text(Text),
    /// `{` and the entries so far.
    Object { open: Span, entries: Vec<(ExprId, ExprId)> },
    /// `(` of a key in an object.
    EntryKey { open: Span },
    /// `key:` in an object.
    EntryValue { key: ExprId },
    /// The patterns after `as`, and between `?//`.
    Patterns { user: PatternUser, patterns: Vec<PatternId> },
    /// `[` and the patterns so far.
    ArrayPattern { open: Span, items: Vec<PatternId> },
    /// `{` and the entries so far.
    ObjectPattern { open: Span, entries: Vec<PatternEntry> },
    /// `(` of a key in a pattern.
    PatternKey { open: Span },
    /// `key:` or `$name:` in a pattern.
    PatternValue { key: ExprId, variable: Option<Name> },
}

/// `if` and the parts so far.
#[derive(Debug)]
pub(super) struct If {
    pub start: Span,
    pub arms: Vec<(ExprId, ExprId)>,
    pub stage: IfStage,
}

/// The part of an `if` that is being parsed.
#[derive(Debug)]
pub(super) enum IfStage {
    Condition,
    /// What follows `then`, after this condition.
    Value(ExprId),
    /// What follows `else`.
    Otherwise,
}

/// `reduce` or `foreach` and the parts so far.
#[derive(Debug)]
pub(super) struct Fold {
    pub start: Span,
    pub is_foreach: bool,
    pub stage: FoldStage,
}

/// The part of a `reduce` or a `foreach` that is being parsed.
#[derive(Debug)]
pub(super) enum FoldStage {
    Source,
    /// The initial state, after the head and `(`.
    Init(FoldHead),
    /// What updates the state, after the initial state.
    Update(FoldHead, ExprId),
    /// What is extracted of a state, after the initial state and the update.
    Extract(FoldHead, ExprId, ExprId),
}

/// The beginning of a `reduce` or a `foreach`: `source as patterns (`.
#[derive(Debug)]
pub(super) struct FoldHead {
    pub source: ExprId,
    pub patterns: Vec<PatternId>,
    pub open: Span,
}

/// What patterns after `as` are for.
#[derive(Debug)]
pub(super) enum PatternUser {
    /// `source as patterns | body`.
    Bind(Operand),
    /// `reduce source as patterns (...)`; `foreach`, too.
    Fold { start: Span, is_foreach: bool, source: ExprId },
}

/// A string and the parts so far.
#[derive(Debug)]
pub(super) struct Text {
    pub user: TextUser,
    pub format: Option<Name>,
    /// The format, or else the opening quote.
    pub start: Span,
    pub parts: Vec<ExprId>,
    /// The `\(` whose expression is being parsed.
    pub interpolation: Option<Span>,
}

/// What a string is for.
#[derive(Clone, Copy, Debug)]
pub(super) enum TextUser {
    /// A value.
    Term,
    /// The name of a field of a target.
    Field(Operand),
    /// A key of an object.
    EntryKey,
    /// A key of a pattern.
    PatternKey,
}

/// What may follow in the place where an expression is being parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Everything.
    Query,
    /// A value of an object: operators and `|`, but no `,`, `as`, `def` and `label`.
    Entry,
    /// The source of `reduce` and `foreach`: operators, but no `|`.
    Source,
    /// An operand: no `def` and `label`.
    Operand,
}

impl Frame {
    /// How tightly the construct binds its last part; nothing if the last part is followed by a token of its own.
    pub fn level(&self) -> Option<Level> {
        match self {
            Self::Negate { .. } | Self::Try { .. } | Self::Catch { .. } => Some(Level::Prefix),
            Self::Infix { infix, .. } => Some(infix.level()),
            Self::EntryPipe { .. } => Some(Level::Pipe),
            Self::Bind { .. } | Self::Label { .. } | Self::Scope { .. } => Some(Level::Pipe),
            _ => None,
        }
    }

    /// The bracket or the word that must be closed after the part that is being parsed.
    pub fn opening(&self) -> Option<Span> {
        match self {
            Self::Group { open } | Self::Array { open } | Self::EntryKey { open } => Some(*open),
            Self::Index { open, .. } | Self::SliceEnd { open, .. } => Some(*open),
            Self::Arguments { open, .. } | Self::Object { open, .. } => Some(*open),
            Self::ArrayPattern { open, .. } | Self::ObjectPattern { open, .. } => Some(*open),
            Self::PatternKey { open } => Some(*open),
            Self::If(parts) => Some(parts.start),
            Self::Fold(parts) => parts.stage.opening(),
            Self::Text(parts) => parts.interpolation,
            _ => None,
        }
    }

    /// What may stand in the part that is being parsed.
    pub fn place(&self) -> Place {
        match self {
            Self::Negate { .. } | Self::Try { .. } | Self::Catch { .. } => Place::Operand,
            Self::Infix { infix: Infix::Binary(_) | Infix::Update(_), .. } => Place::Operand,
            Self::EntryPipe { .. } | Self::EntryValue { .. } => Place::Entry,
            Self::Fold(Fold { stage: FoldStage::Source, .. }) => Place::Source,
            _ => Place::Query,
        }
    }
}

impl FoldStage {
    /// The `(` of the parts after the patterns.
    pub fn opening(&self) -> Option<Span> {
        match self {
            Self::Source => None,
            Self::Init(head) | Self::Update(head, _) | Self::Extract(head, ..) => Some(head.open),
        }
    }
}
