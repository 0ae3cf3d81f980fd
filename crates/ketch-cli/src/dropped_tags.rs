//! Warns about tags that are lost in a format without tags.

use crate::args::UnknownTags;
use crate::diagnostic::{Diagnostic, Severity};
use crate::draw;
use ketch_yaml::compose::Node;

/// Warns about the first tag that YAML does not define and that is not written.
pub struct DroppedTags {
    is_done: bool,
    /// Whether an option says what to do with such tags.
    is_json: bool,
}

impl DroppedTags {
    /// Creates the search for an output with or without tags. `given` is what the user wants; there
    /// are no warnings then.
    pub fn new(has_tags: bool, is_json: bool, given: Option<UnknownTags>) -> DroppedTags {
        DroppedTags { is_done: has_tags || given.is_some(), is_json }
    }

    /// Looks for a tag in `node`, which is written, in the input `file`.
    pub fn look(&mut self, file: &str, node: Node<'_>) {
        // Nearly all documents have no tags.
        if self.is_done || !node.document().has_tags() {
            return;
        }
        let node = node.resolved();
        let subtree = node.subtree();
        let mut nodes = node.document().nodes().skip(subtree.start).take(subtree.len());
        let Some(tagged) = nodes.find(|node| node.custom_tag().is_some()) else { return };
        let document = tagged.document();
        let span = tagged.tag_span().unwrap_or(tagged.span());
        let tag = String::from_utf8_lossy(&document.text()[span.clone()]).into_owned();
        let message = format!("the tag `{tag}` is not written");
        let mut warning = Diagnostic::sentence(file, "DroppedTag", "semantic", message);
        warning.severity = Severity::Warning;
        warning.location = Some(document.location(span));
        warning.help = Some(match self.is_json {
            true => "`--unknown-tags error` stops at tags that YAML does not define, and `--unknown-tags drop` does not warn.".to_owned(),
            false => "This format has no tags; `--to yaml` keeps them.".to_owned(),
        });
        draw::to_stderr(&warning);
        self.is_done = true;
    }
}
