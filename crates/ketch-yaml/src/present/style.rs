//! Which style a scalar is written in.

use super::analysis::Analysis;
use crate::event::EventKind;
use crate::schema::needs_quotes;

/// The style that a scalar is to have.
///
/// | asked for | where it cannot be | comes instead |
/// |---|---|---|
/// | plain | indicators, blanks at the ends | single-quoted |
/// | plain, single-quoted | characters that need an escape, line breaks with blanks beside them | double-quoted |
/// | plain, single-quoted | several lines in a key or a flow collection | double-quoted |
/// | literal, folded | empty text, characters that need an escape, flow collections | double-quoted |
/// | plain, empty | an entry of a flow sequence | plain `null` |
///
/// A block scalar as a key makes the key an explicit one, `? `.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScalarStyle {
    /// Without quotes: a value whose meaning is for the schema to tell; empty for an empty node.
    Plain,
    /// In `'`.
    SingleQuoted,
    /// In `"`.
    DoubleQuoted,
    /// Behind `|`.
    Literal,
    /// Behind `>`.
    Folded,
    /// Text, in whichever style reads best: plain where no common reader takes it for something
    /// else ([`needs_quotes`]), literal for several lines, in quotes otherwise; single ones where
    /// double ones would need escapes, but for tabs.
    Text,
}

impl ScalarStyle {
    /// The style of a scalar event.
    #[inline(always)]
    pub(super) fn of(kind: EventKind) -> ScalarStyle {
        match kind {
            EventKind::SingleQuoted => ScalarStyle::SingleQuoted,
            EventKind::DoubleQuoted => ScalarStyle::DoubleQuoted,
            EventKind::Literal => ScalarStyle::Literal,
            EventKind::Folded => ScalarStyle::Folded,
            _ => ScalarStyle::Plain,
        }
    }
}

/// Where a scalar stands, as far as its style is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Site {
    /// In block context, where it may have several lines.
    Block,
    /// A key of a block mapping.
    BlockKey,
    /// In a flow collection.
    Flow,
}

/// The style that `text` gets at `site` when `wish` is asked for; never [`ScalarStyle::Text`].
pub(super) fn choose(
    wish: ScalarStyle,
    text: &[u8],
    analysis: Analysis,
    site: Site,
    ascii: bool,
) -> ScalarStyle {
    use ScalarStyle::{DoubleQuoted, Folded, Literal, Plain, SingleQuoted, Text};
    let is_special = analysis.is_special() || (ascii && analysis.is_beyond_ascii());
    if is_special {
        return DoubleQuoted;
    }
    match wish {
        Plain if text.is_empty() || is_plain(analysis, site) => Plain,
        Plain | SingleQuoted if is_single(analysis, site) => SingleQuoted,
        Literal | Folded if site != Site::Flow && !text.is_empty() => wish,
        Text => best(text, analysis, site),
        _ => DoubleQuoted,
    }
}

fn is_plain(analysis: Analysis, site: Site) -> bool {
    if site == Site::Flow { analysis.is_flow_plain() } else { analysis.is_block_plain() }
}

fn is_single(analysis: Analysis, site: Site) -> bool {
    !analysis.is_multiline() || (site == Site::Block && analysis.folds())
}

/// The style that text reads best in.
fn best(text: &[u8], analysis: Analysis, site: Site) -> ScalarStyle {
    if analysis.is_multiline() {
        // Some readers cannot tell the indentation of what starts with a blank.
        let first = text.iter().find(|&&byte| byte != b'\n');
        let is_literal = site == Site::Block && first.is_some_and(|byte| !b" \t".contains(byte));
        return if is_literal { ScalarStyle::Literal } else { ScalarStyle::DoubleQuoted };
    }
    if text.is_empty() || text.contains(&b'\t') {
        return ScalarStyle::DoubleQuoted;
    }
    if is_plain(analysis, site) && !needs_quotes(text) {
        return ScalarStyle::Plain;
    }
    let needs_escapes = text.iter().any(|byte| b"\"\\".contains(byte));
    if needs_escapes { ScalarStyle::SingleQuoted } else { ScalarStyle::DoubleQuoted }
}
