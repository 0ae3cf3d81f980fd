//! The properties of nodes, and the styles of collections.

use super::error::{PresentError, Result};

/// The requested style of a collection. Inside a flow collection, all collections are in flow
/// style.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CollectionStyle {
    /// Structure is shown by indentation.
    #[default]
    Block,
    /// Structure is shown by brackets.
    Flow,
}

/// The properties of a node: its anchor and its tag.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Properties<'p> {
    /// The name of the anchor, without `&`.
    pub anchor: Option<&'p str>,
    /// The full tag: `tag:yaml.org,2002:int`, `!local`, or the non-specific `!`.
    pub tag: Option<&'p str>,
}

impl<'p> Properties<'p> {
    /// Properties with neither an anchor nor a tag.
    pub const NONE: Properties<'static> = Properties { anchor: None, tag: None };

    /// Creates properties with only the anchor `name`.
    pub fn anchor(name: &'p str) -> Properties<'p> {
        Properties { anchor: Some(name), tag: None }
    }

    /// Creates properties with only the tag `tag`.
    pub fn tag(tag: &'p str) -> Properties<'p> {
        Properties { anchor: None, tag: Some(tag) }
    }
}

/// Returns an error unless `name` is valid as the name of an anchor (\[102\] ns-anchor-char).
pub(super) fn check_name(name: &str) -> Result {
    let is_wrong = |ch: char| {
        ch.is_ascii_control()
            || " ,[]{}".contains(ch)
            || matches!(ch, '\u{feff}' | '\u{80}'..='\u{9f}')
    };
    if name.is_empty() || name.contains(is_wrong) {
        return Err(PresentError::Misplaced(
            "an anchor's name must not be empty or contain blanks or `,[]{}`",
        ));
    }
    Ok(())
}
