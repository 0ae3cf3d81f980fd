//! The tokens of the dialect.

/// The kind of a token, as the grammar numbers its terminals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Kind {
    /// The document ends; more documents may follow.
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
    /// `---`
    Marker,
    /// A line that is indented deeper, or a node that opens an indented block on its line.
    Open,
    /// A line with the indentation of the block around it.
    Line,
    /// A block ends.
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

/// The number of kinds.
#[cfg(test)]
pub(super) const KINDS: usize = 19;

/// How a scalar is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Plain,
    SingleQuoted,
    DoubleQuoted,
    Literal,
    Folded,
}

/// What decoding a scalar needs besides its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ScalarToken {
    pub style: Style,
    /// Whether the content is equal to the bytes of the span, or to those between the quotes.
    pub is_verbatim: bool,
    /// Whether blanks and line breaks at the end are dropped, as for plain text in brackets.
    pub is_trimmed: bool,
    /// Whether it is a block scalar that ends with a `---` at its own indentation.
    pub before_marker: bool,
    /// The indentation of a block scalar's lines.
    pub indent: u32,
}

/// A token and its span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub kind: Kind,
    pub start: usize,
    pub end: usize,
    /// How the scalar is written, if it is one.
    pub scalar: Option<ScalarToken>,
}

impl Token {
    /// Creates a token that is not a scalar.
    pub fn new(kind: Kind, start: usize, end: usize) -> Token {
        Token { kind, start, end, scalar: None }
    }
}
