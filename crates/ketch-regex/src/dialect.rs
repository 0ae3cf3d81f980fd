//! The dialects of patterns. The parser asks for single rules, not for the names of dialects.

/// The syntax of patterns, and the rules that differ between engines.
///
/// ```
/// use ketch_regex::{Dialect, Options, Regex, Syntax};
/// let dialect = Dialect::Oniguruma(Syntax::PERL_NG);
/// let line = Regex::new("(?m)^b", Options { dialect, ..Options::default() }).unwrap();
/// assert_eq!(line.find(b"a\nb").unwrap(), Some(2..3));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// MRI 3.4, the standard Ruby.
    #[default]
    Ruby,
    /// Oniguruma 6.9.10, with one of its syntaxes. `\w`, `\d`, `\s` and `\b` are those of Unicode.
    Oniguruma(Syntax),
}

impl Dialect {
    /// Returns the syntax.
    pub(crate) fn syntax(self) -> Syntax {
        match self {
            Dialect::Ruby => Syntax::MRI,
            Dialect::Oniguruma(syntax) => syntax,
        }
    }

    /// Returns whether Oniguruma's rules apply that no rule of a [`Syntax`] stands for.
    pub(crate) fn is_oniguruma(self) -> bool {
        matches!(self, Dialect::Oniguruma(_))
    }
}

/// One of Oniguruma's syntaxes: the words `op`, `op2`, `behavior` and `options` of its
/// `OnigSyntaxType`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Syntax([u32; 4]);

/// A rule of a syntax: the index of its word, and its bit.
#[derive(Clone, Copy)]
pub(crate) struct Rule(usize, u32);

impl Rule {
    /// `\x{7F}`
    pub(crate) const BRACE_HEX: Rule = Rule(0, 30);
    /// `\o{177}`
    pub(crate) const BRACE_OCTAL: Rule = Rule(0, 31);
    /// `\Q...\E`
    pub(crate) const QUOTE: Rule = Rule(1, 0);
    /// The options of groups are Perl's: `s` is for the dot, and `m` for `^` and `$`.
    pub(crate) const PERL_OPTIONS: Rule = Rule(1, 2);
    /// `{n,m}+` is possessive.
    pub(crate) const POSSESSIVE_INTERVAL: Rule = Rule(1, 5);
    /// `[a-z&&[^b]]`
    pub(crate) const CLASS_SETS: Rule = Rule(1, 6);
    /// `\v` is a vertical tab.
    pub(crate) const VERTICAL_TAB: Rule = Rule(1, 13);
    /// `\u007F`
    pub(crate) const UNICODE_HEX: Rule = Rule(1, 14);
    /// `\h` is a hexadecimal digit.
    pub(crate) const HEX_DIGIT: Rule = Rule(1, 19);
    /// `\N` and `\O`
    pub(crate) const SUPER_DOT: Rule = Rule(1, 24);
    /// `(?R)`, `(?1)` and `(?&name)` are calls.
    pub(crate) const PERL_CALLS: Rule = Rule(1, 27);
    /// `(?{...})` is a callout.
    pub(crate) const CALLOUT_CONTENTS: Rule = Rule(1, 28);
    /// `(*name)` is a callout.
    pub(crate) const CALLOUT_NAMES: Rule = Rule(1, 29);
    /// `{,n}` is `{0,n}`.
    pub(crate) const LOW_ABBREVIATION: Rule = Rule(2, 4);
    /// The alternatives of a look-behind may have different lengths.
    pub(crate) const DIFFERENT_LENGTHS: Rule = Rule(2, 6);
    /// Plain groups do not capture if there are named ones.
    pub(crate) const ONLY_NAMED_CAPTURES: Rule = Rule(2, 7);
    /// `{n}?` and `{n}+` are repeats of `{n}`.
    pub(crate) const FIXED_IS_GREEDY: Rule = Rule(2, 9);
    /// `a(?i)b|c` is `a(?i:b)|(?i:c)`, and not `a(?i:b|c)`.
    pub(crate) const OPTION_CONTINUES: Rule = Rule(2, 10);
    /// `[\w-%]` is `[\w\-%]`.
    pub(crate) const TYPE_BEFORE_HYPHEN: Rule = Rule(2, 27);
    /// `^` and `$` match only at the start and the end of the text.
    pub(crate) const SINGLE_LINE: Rule = Rule(3, 3);
}

impl Syntax {
    /// `ONIG_SYNTAX_PERL_NG`: Perl's syntax with named groups. jq's patterns have it.
    pub const PERL_NG: Syntax = Syntax([
        bits(&[
            1, 2, 4, 6, 8, 10, 12, 14, 15, 16, 17, 18, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30,
            31,
        ]),
        bits(&[0, 1, 2, 4, 5, 7, 8, 9, 16, 17, 21, 22, 23, 24, 25, 26, 27, 28, 29]),
        bits(&[0, 1, 3, 7, 8, 10, 21, 23, 27, 31]),
        bits(&[3]),
    ]);

    /// The rules of MRI, as far as the parser asks for them.
    const MRI: Syntax = Syntax([0, bits(&[3, 4, 6, 11, 12, 13, 14, 19]), bits(&[4, 6, 7, 9]), 0]);

    /// Returns whether the syntax has a rule.
    pub(crate) fn has(self, rule: Rule) -> bool {
        self.0[rule.0] >> rule.1 & 1 == 1
    }
}

/// Returns the word with these bits.
const fn bits(list: &[u32]) -> u32 {
    let (mut word, mut at) = (0, 0);
    while at < list.len() {
        word |= 1 << list[at];
        at += 1;
    }
    word
}
