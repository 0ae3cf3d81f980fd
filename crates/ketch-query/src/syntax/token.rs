//! The tokens of a program.

use super::tree::{BinaryOp, Span, UpdateOp};

/// A token and its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub kind: Kind,
    pub span: Span,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The end of the source.
    End,
    /// A name of a function, perhaps qualified by modules.
    Identifier,
    /// `.name`.
    Field,
    /// `$name`.
    Binding,
    /// `$__loc__`.
    Location,
    /// A number.
    Number,
    /// `@name`.
    Format,
    /// A reserved word.
    Word(Word),
    /// An operator between two expressions, other than `and` and `or`.
    Infix(Infix),
    /// An opening bracket.
    Open(Bracket),
    /// A closing bracket.
    Close(Bracket),
    /// `.`.
    Dot,
    /// `..`.
    DotDot,
    /// `?`.
    Question,
    /// `?//`.
    PatternAlternative,
    /// `:`.
    Colon,
    /// `;`.
    Semicolon,
    /// The opening quote of a string.
    StringStart,
    /// Text in a string; the lexer holds it unescaped.
    StringText,
    /// `\(`.
    InterpolationStart,
    /// The `)` of a `\(`.
    InterpolationEnd,
    /// The closing quote of a string.
    StringEnd,
}

/// A kind of bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bracket {
    /// `(` and `)`.
    Round,
    /// `[` and `]`.
    Square,
    /// `{` and `}`.
    Curly,
}

/// A reserved word. Each can be a key of an object, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    And,
    As,
    Break,
    Catch,
    Def,
    Elif,
    Else,
    End,
    Foreach,
    If,
    Import,
    Include,
    Label,
    Module,
    Or,
    Reduce,
    Then,
    Try,
}

impl Word {
    /// The reserved word of this spelling.
    pub fn of(text: &str) -> Option<Self> {
        Some(match text {
            "and" => Self::And,
            "as" => Self::As,
            "break" => Self::Break,
            "catch" => Self::Catch,
            "def" => Self::Def,
            "elif" => Self::Elif,
            "else" => Self::Else,
            "end" => Self::End,
            "foreach" => Self::Foreach,
            "if" => Self::If,
            "import" => Self::Import,
            "include" => Self::Include,
            "label" => Self::Label,
            "module" => Self::Module,
            "or" => Self::Or,
            "reduce" => Self::Reduce,
            "then" => Self::Then,
            "try" => Self::Try,
            _ => return None,
        })
    }
}

/// An operator between two expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Infix {
    /// `|`.
    Pipe,
    /// `,`.
    Comma,
    /// An operator that makes a value of two values.
    Binary(BinaryOp),
    /// An assignment.
    Update(UpdateOp),
}

/// How tightly an operator binds: the higher, the tighter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    /// `|`, and the constructs whose last part extends as far as possible.
    Pipe,
    Comma,
    Alternative,
    Update,
    Or,
    And,
    Comparison,
    Sum,
    Product,
    /// Unary `-`, `try` and `catch`.
    Prefix,
}

/// On which side operators of the same level group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grouping {
    Left,
    Right,
    /// They cannot be chained.
    Neither,
}

impl Infix {
    /// How tightly the operator binds.
    pub fn level(self) -> Level {
        match self {
            Self::Pipe => Level::Pipe,
            Self::Comma => Level::Comma,
            Self::Update(_) => Level::Update,
            Self::Binary(operator) => binary_level(operator),
        }
    }
}

/// How tightly an operator on values binds.
fn binary_level(operator: BinaryOp) -> Level {
    use BinaryOp::*;
    match operator {
        Alternative => Level::Alternative,
        Or => Level::Or,
        And => Level::And,
        Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual => Level::Comparison,
        Add | Subtract => Level::Sum,
        Multiply | Divide | Remainder => Level::Product,
    }
}

impl Level {
    /// On which side operators of this level group.
    pub fn grouping(self) -> Grouping {
        match self {
            Self::Pipe | Self::Alternative => Grouping::Right,
            Self::Update | Self::Comparison => Grouping::Neither,
            _ => Grouping::Left,
        }
    }
}

impl Kind {
    /// The operator that a token is after an expression.
    pub fn infix(self) -> Option<Infix> {
        match self {
            Self::Infix(infix) => Some(infix),
            Self::Word(Word::And) => Some(Infix::Binary(BinaryOp::And)),
            Self::Word(Word::Or) => Some(Infix::Binary(BinaryOp::Or)),
            _ => None,
        }
    }

    /// The longest symbol at the beginning of a text, and its number of bytes.
    pub fn symbol(text: &str) -> Option<(Self, usize)> {
        let bytes = text.as_bytes();
        let candidate = |length: usize| Some((Self::of_symbol(bytes.get(..length)?)?, length));
        candidate(3).or_else(|| candidate(2)).or_else(|| candidate(1))
    }

    /// The token of a symbol.
    fn of_symbol(symbol: &[u8]) -> Option<Self> {
        Some(match symbol {
            b"." => Self::Dot,
            b".." => Self::DotDot,
            b"?" => Self::Question,
            b"?//" => Self::PatternAlternative,
            b":" => Self::Colon,
            b";" => Self::Semicolon,
            b"(" => Self::Open(Bracket::Round),
            b"[" => Self::Open(Bracket::Square),
            b"{" => Self::Open(Bracket::Curly),
            b")" => Self::Close(Bracket::Round),
            b"]" => Self::Close(Bracket::Square),
            b"}" => Self::Close(Bracket::Curly),
            b"|" => Self::Infix(Infix::Pipe),
            b"," => Self::Infix(Infix::Comma),
            _ => return Self::of_operator(symbol),
        })
    }

    /// The token of an operator on values, or of an assignment.
    fn of_operator(symbol: &[u8]) -> Option<Self> {
        let update = match symbol {
            b"=" => UpdateOp::Assign,
            b"|=" => UpdateOp::Update,
            b"//=" => UpdateOp::Arithmetic(BinaryOp::Alternative),
            [sign, b'='] if arithmetic(&[*sign]).is_some() => {
                UpdateOp::Arithmetic(arithmetic(&[*sign])?)
            }
            _ => {
                let binary = arithmetic(symbol).or_else(|| comparison(symbol))?;
                return Some(Self::Infix(Infix::Binary(binary)));
            }
        };
        Some(Self::Infix(Infix::Update(update)))
    }
}

/// The arithmetic operator of a symbol.
fn arithmetic(symbol: &[u8]) -> Option<BinaryOp> {
    Some(match symbol {
        b"+" => BinaryOp::Add,
        b"-" => BinaryOp::Subtract,
        b"*" => BinaryOp::Multiply,
        b"/" => BinaryOp::Divide,
        b"%" => BinaryOp::Remainder,
        _ => return None,
    })
}

/// The comparison, or `//`, of a symbol.
fn comparison(symbol: &[u8]) -> Option<BinaryOp> {
    Some(match symbol {
        b"==" => BinaryOp::Equal,
        b"!=" => BinaryOp::NotEqual,
        b"<" => BinaryOp::Less,
        b"<=" => BinaryOp::LessEqual,
        b">" => BinaryOp::Greater,
        b">=" => BinaryOp::GreaterEqual,
        b"//" => BinaryOp::Alternative,
        _ => return None,
    })
}
