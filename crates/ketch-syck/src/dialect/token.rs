//! The tokens of the dialect.

/// The kind of a token. The grammar uses it as the number of the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Kind {
    /// The end of a document. More documents may follow.
    End,
    Anchor,
    Alias,
    Tag,
    /// A lone `!`.
    Implicit,
    /// A plain or quoted scalar.
    Scalar,
    /// A literal or folded scalar.
    Block,
    /// The marker `---`.
    Marker,
    /// A line that is indented more deeply, or a node that opens an indented block on its line.
    Open,
    /// A line with the indentation of the block around it.
    Line,
    /// The end of a block.
    Close,
    Dash,
    Colon,
    SequenceOpen,
    SequenceClose,
    MappingOpen,
    MappingClose,
    Comma,
    Question,
}

/// The number of kinds of tokens.
#[cfg(test)]
pub(super) const KINDS: usize = 19;

/// The style in which a scalar is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Plain,
    SingleQuoted,
    DoubleQuoted,
    Literal,
    Folded,
}

/// What is needed besides its bytes to decode a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ScalarToken {
    pub style: Style,
    /// Whether the content is equal to the bytes of the scalar, or to those between its quotes.
    pub is_verbatim: bool,
    /// Whether blanks and line breaks at the end are dropped, as in plain text in brackets.
    pub is_trimmed: bool,
    /// Whether it is a block scalar that ends before a `---` at its own indentation.
    pub before_marker: bool,
    /// The indentation of the lines of a block scalar.
    pub indent: u32,
}

/// A token with the range of its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub kind: Kind,
    pub start: usize,
    pub end: usize,
    /// If the token is a scalar, what is needed to decode it.
    pub scalar: Option<ScalarToken>,
}

impl Token {
    /// Creates a token that is not a scalar.
    pub fn new(kind: Kind, start: usize, end: usize) -> Token {
        Token { kind, start, end, scalar: None }
    }
}
