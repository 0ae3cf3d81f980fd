//! The character classes of a token's first byte.

/// The class of the first byte of a node or line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Class {
    /// Letters, digits, characters beyond ASCII and others that start a plain scalar regardless of
    /// what follows.
    Plain,
    /// LF, CR, or the end of the input.
    Break,
    /// A space or a tab.
    Blank,
    /// `-`, which starts a sequence entry if white space follows, and otherwise a plain scalar.
    Dash,
    /// `?`, which starts an explicit key if white space follows, and otherwise a plain scalar.
    Question,
    /// `:`, which starts a value if white space follows, and otherwise a plain scalar.
    Colon,
    /// `#`.
    Comment,
    /// `"`.
    DoubleQuote,
    /// `'`.
    SingleQuote,
    /// `|` or `>`.
    BlockScalar,
    /// `[` or `{`.
    FlowOpen,
    /// `]`, `}` or `,`.
    FlowEnd,
    /// `&` or `!`.
    Property,
    /// `*`.
    Alias,
    /// `%`, `@` or a backtick, which cannot start a plain scalar.
    Reserved,
}

impl Class {
    /// Returns whether this is `"` or `'`.
    #[inline(always)]
    pub fn is_quote(self) -> bool {
        matches!(self, Class::DoubleQuote | Class::SingleQuote)
    }
}

const TABLE: [Class; 256] = {
    let mut table = [Class::Plain; 256];
    table[b'\n' as usize] = Class::Break;
    table[b'\r' as usize] = Class::Break;
    table[b' ' as usize] = Class::Blank;
    table[b'\t' as usize] = Class::Blank;
    table[b'-' as usize] = Class::Dash;
    table[b'?' as usize] = Class::Question;
    table[b':' as usize] = Class::Colon;
    table[b'#' as usize] = Class::Comment;
    table[b'"' as usize] = Class::DoubleQuote;
    table[b'\'' as usize] = Class::SingleQuote;
    table[b'|' as usize] = Class::BlockScalar;
    table[b'>' as usize] = Class::BlockScalar;
    table[b'[' as usize] = Class::FlowOpen;
    table[b'{' as usize] = Class::FlowOpen;
    table[b']' as usize] = Class::FlowEnd;
    table[b'}' as usize] = Class::FlowEnd;
    table[b',' as usize] = Class::FlowEnd;
    table[b'&' as usize] = Class::Property;
    table[b'!' as usize] = Class::Property;
    table[b'*' as usize] = Class::Alias;
    table[b'%' as usize] = Class::Reserved;
    table[b'@' as usize] = Class::Reserved;
    table[b'`' as usize] = Class::Reserved;
    table
};

/// Returns the class of `byte`.
#[inline(always)]
pub(crate) fn class(byte: u8) -> Class {
    TABLE[byte as usize]
}

/// Returns whether `byte` is a space, a tab, LF or CR. The character check has already rejected the
/// other control characters.
#[inline(always)]
pub(crate) fn is_blank_or_break(byte: u8) -> bool {
    byte <= b' '
}

/// Returns whether `byte` is a space or a tab (\[33\] s-white).
#[inline(always)]
pub fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

/// Returns whether `byte` is one of `,[]{}` (\[23\] c-flow-indicator).
#[inline(always)]
pub(crate) fn is_flow_indicator(byte: u8) -> bool {
    matches!(byte, b',' | b'[' | b']' | b'{' | b'}')
}
