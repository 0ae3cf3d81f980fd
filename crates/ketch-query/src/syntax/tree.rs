//! The syntax tree of a program.
//!
//! Expressions and patterns are in arenas, and refer to each other by number. So neither walking nor dropping a
//! tree needs recursion, however deep it is.

use std::sync::Arc;

/// A range of bytes of the source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// The offset of the first byte.
    pub start: u32,
    /// The offset after the last byte.
    pub end: u32,
}

/// The number of an expression in [`Tree::exprs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ExprId(pub u32);

/// The number of a pattern in [`Tree::patterns`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PatternId(pub u32);

/// A name, with its place. Names of variables are without `$`, and those of formats without `@`. The name of a
/// function in a module may be `module::name`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    pub text: Arc<str>,
    pub span: Span,
}

/// A program or a module.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    pub exprs: Vec<Expr>,
    /// For each expression, the place that errors name: the name of a field, function or variable, the brackets
    /// of an index, the operator, or else the whole expression.
    pub spans: Vec<Span>,
    pub patterns: Vec<Pattern>,
    /// The constant object after `module`.
    pub metadata: Option<ExprId>,
    pub imports: Vec<Import>,
    /// The definitions before the body.
    pub defs: Vec<Def>,
    /// The body; a module has none, and neither has an empty program, which is the identity.
    pub body: Option<ExprId>,
}

/// `import "path" as name [metadata];`, `import "path" as $name [metadata];` or `include "path" [metadata];`.
#[derive(Clone, Debug)]
pub struct Import {
    pub path: Arc<str>,
    pub span: Span,
    pub target: ImportTarget,
    pub metadata: Option<ExprId>,
}

#[derive(Clone, Debug)]
pub enum ImportTarget {
    /// `include`.
    All,
    /// `as name`.
    Module(Name),
    /// `as $name`: the values of a file of data.
    Data(Name),
}

/// `def name(params): body;`.
#[derive(Clone, Debug)]
pub struct Def {
    pub name: Name,
    pub params: Vec<Param>,
    pub body: ExprId,
}

/// A parameter of a function: `f`, or `$x`, whose argument is also bound as a variable.
#[derive(Clone, Debug)]
pub struct Param {
    pub name: Name,
    pub is_variable: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    And,
    Or,
    /// `//`.
    Alternative,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpdateOp {
    /// `=`.
    Assign,
    /// `|=`.
    Update,
    /// `+=` and the others: arithmetic, or `//=`.
    Arithmetic(BinaryOp),
}

#[derive(Clone, Debug)]
pub enum Expr {
    /// `.`.
    Identity,
    /// `..`.
    RecurseDefault,
    /// A number, as it is written.
    Number(Arc<str>),
    /// A string without interpolation, unescaped; a `@format` before it changes nothing.
    Text(Arc<str>),
    /// A string with interpolation. Its parts are texts and expressions. A part that is a `Text` is always literal:
    /// the interpolation of a literal, `\("a")`, is written out as `. | "a"`.
    Interpolation {
        format: Option<Name>,
        parts: Vec<ExprId>,
    },
    /// `@base64` alone.
    Format(Name),
    /// `target[index]`, `target.name` and `target."text"`.
    Index {
        target: ExprId,
        index: ExprId,
    },
    /// `target[from:to]`.
    Slice {
        target: ExprId,
        from: Option<ExprId>,
        to: Option<ExprId>,
    },
    /// `target[]`.
    Iterate(ExprId),
    /// `[body]`.
    Array(Option<ExprId>),
    /// `{key: value}`. Keys are `Text`, `Variable` and other expressions; shorthands such as `{a}`, `{$x}`,
    /// `{"a\(1)"}`, `{@base64}` and `{$__loc__}` have their value written out: `{a: .a}`, `{x: $x}`. The value of
    /// `{a}` and `{"a\(1)"}` is an `Index` of `.` whose index is the very same expression as the key. It stands for
    /// the value of the key, so such a key is evaluated once: `{"a\(1, 2)"}` has two results, not four.
    Object(Vec<(ExprId, ExprId)>),
    /// `-body`.
    Negate(ExprId),
    /// `left | right`.
    Pipe(ExprId, ExprId),
    /// `left, right`.
    Comma(ExprId, ExprId),
    Binary(BinaryOp, ExprId, ExprId),
    Update(UpdateOp, ExprId, ExprId),
    /// `if condition then value elif ... else value end`; without `else`, the identity.
    If {
        arms: Vec<(ExprId, ExprId)>,
        otherwise: Option<ExprId>,
    },
    /// `try body catch handler`, `try body`, and `body?` where the body is not an [`Expr::Optional`] access.
    Try {
        body: ExprId,
        handler: Option<ExprId>,
    },
    /// `target.name?`, `target[index]?`, `target[from:to]?` and `target[]?`: the body is an `Index`, `Slice` or
    /// `Iterate`, and only errors of this last step itself have no results. Errors in the target and the index are
    /// raised: `1 | .a.b?` fails, unlike `1 | (.a.b)?`, which is a `Try`.
    Optional(ExprId),
    /// `reduce source as $x (init; update)`. Several patterns are alternatives, between which `?//` is.
    Reduce {
        source: ExprId,
        patterns: Vec<PatternId>,
        init: ExprId,
        update: ExprId,
    },
    /// `foreach source as $x (init; update; extract)`.
    Foreach {
        source: ExprId,
        patterns: Vec<PatternId>,
        init: ExprId,
        update: ExprId,
        extract: Option<ExprId>,
    },
    /// `source as $x | body`.
    Bind {
        source: ExprId,
        patterns: Vec<PatternId>,
        body: ExprId,
    },
    /// `label $name | body`.
    Label {
        name: Name,
        body: ExprId,
    },
    /// `break $name`.
    Break(Name),
    /// `$name` or `$module::name`; `$ENV` and `$__prog_args` are names like others.
    Variable(Name),
    /// `$__loc__`, with the number of its line.
    Location(u32),
    Call {
        name: Name,
        args: Vec<ExprId>,
    },
    /// `def f: ...; body`.
    Def {
        def: Arc<Def>,
        body: ExprId,
    },
}

/// A pattern of `as`.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// `$name`.
    Variable(Name),
    /// `[a, b]`.
    Array(Vec<PatternId>),
    /// `{key: pattern}`.
    Object(Vec<PatternEntry>),
}

/// `{$name}`, `{$name: pattern}`, `{key: pattern}`, `{"text": pattern}`, `{(expression): pattern}`.
#[derive(Clone, Debug)]
pub struct PatternEntry {
    /// The key: a `Text`, an `Interpolation`, or another expression. For `$name`, the text of the name.
    pub key: ExprId,
    /// `$name` in place of the key binds the value, too.
    pub variable: Option<Name>,
    pub value: Option<PatternId>,
}
