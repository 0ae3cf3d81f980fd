//! What is said of a node beside its content.

use super::error::{PresentError, Result};

/// The style that a collection is to have. One inside of a flow collection is in flow style itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CollectionStyle {
    /// By indentation.
    #[default]
    Block,
    /// In brackets.
    Flow,
}

/// The properties of a node: its anchor and its tag.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Properties<'p> {
    /// The name of the anchor, without `&`.
    pub anchor: Option<&'p str>,
    /// The tag, in full: `tag:yaml.org,2002:int`, `!local`, or the non-specific `!`.
    pub tag: Option<&'p str>,
}

impl<'p> Properties<'p> {
    /// Neither anchor nor tag.
    pub const NONE: Properties<'static> = Properties { anchor: None, tag: None };

    /// An anchor alone.
    pub fn anchor(name: &'p str) -> Properties<'p> {
        Properties { anchor: Some(name), tag: None }
    }

    /// A tag alone.
    pub fn tag(tag: &'p str) -> Properties<'p> {
        Properties { anchor: None, tag: Some(tag) }
    }
}

/// \[102\] ns-anchor-char.
pub(super) fn check_name(name: &str) -> Result {
    let is_wrong = |ch: char| {
        ch.is_ascii_control()
            || " ,[]{}".contains(ch)
            || matches!(ch, '\u{feff}' | '\u{80}'..='\u{9f}')
    };
    if name.is_empty() || name.contains(is_wrong) {
        return Err(PresentError::Misplaced("an anchor's name has no blanks and no `,[]{}`"));
    }
    Ok(())
}
