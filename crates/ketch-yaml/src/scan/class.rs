//! What the first byte of a token says.

/// The classes that the first byte of a node or line falls into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Class {
    /// The first character of a plain scalar, whatever follows: most letters, digits and all that
    /// is not ASCII.
    Plain,
    /// LF or CR, and the end of the input.
    Break,
    /// Space or tab.
    Blank,
    /// `-`, an entry of a sequence when a blank follows, otherwise plain.
    Dash,
    /// `?`, an explicit key when a blank follows, otherwise plain.
    Question,
    /// `:`, a value when a blank follows, otherwise plain.
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
    /// `%`, `@` and the backtick: no plain scalar starts with them.
    Reserved,
}

impl Class {
    /// `"` or `'`.
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

/// The class of `byte`.
#[inline(always)]
pub(crate) fn class(byte: u8) -> Class {
    TABLE[byte as usize]
}

/// Space, tab, LF or CR. Other control characters never get here: the character check stops them.
#[inline(always)]
pub(crate) fn is_blank_or_break(byte: u8) -> bool {
    byte <= b' '
}

/// Space or tab, \[33\] s-white.
#[inline(always)]
pub(crate) fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

/// \[23\] c-flow-indicator.
#[inline(always)]
pub(crate) fn is_flow_indicator(byte: u8) -> bool {
    matches!(byte, b',' | b'[' | b']' | b'{' | b'}')
}
