//! Warns about tags that are lost in a format without tags.

use crate::args::UnknownTags;
use crate::diagnostic::{Diagnostic, Severity};
use crate::draw;
use ketch_yaml::compose::Node;
use ketch_yaml::tag::{YAML_PREFIX, is_known};
use std::collections::HashSet;

/// The number of different tags that are shown, each where it first occurs.
const SHOWN_MAX: usize = 10;

/// Warns about each tag that YAML does not define and that is not written, once.
pub struct DroppedTags {
    /// Whether an option says what to do with such tags, or the output has tags.
    is_off: bool,
    is_json: bool,
    /// The tags that were found, and the input with the last one.
    seen: HashSet<String>,
    file: String,
}

impl DroppedTags {
    /// Creates the search for an output with or without tags. `given` is what the user wants; there
    /// are no warnings then.
    pub fn new(has_tags: bool, is_json: bool, given: Option<UnknownTags>) -> DroppedTags {
        let is_off = has_tags || given.is_some();
        DroppedTags { is_off, is_json, seen: HashSet::new(), file: String::new() }
    }

    /// Looks for tags in `node`, which is written, in the input `file`.
    pub fn look(&mut self, file: &str, node: Node<'_>) {
        // Nearly all documents have no tags.
        if self.is_off || !node.document().has_tags() {
            return;
        }
        let node = node.resolved();
        let subtree = node.subtree();
        for node in node.document().nodes().skip(subtree.start).take(subtree.len()) {
            let Some(tag) = unknown_tag(node).filter(|tag| !self.seen.contains(*tag)) else {
                continue;
            };
            self.seen.insert(tag.to_owned());
            file.clone_into(&mut self.file);
            if self.seen.len() <= SHOWN_MAX {
                self.warn(node.resolved());
            }
        }
    }

    /// Warns about the tag of `tagged`. The first warning says what to do.
    fn warn(&self, tagged: Node<'_>) {
        let document = tagged.document();
        let span = tagged.tag_span().unwrap_or(tagged.span());
        let tag = String::from_utf8_lossy(&document.text()[span.clone()]).into_owned();
        let message = format!("the tag `{tag}` is not written");
        let mut warning = warning(&self.file, message);
        warning.location = Some(document.location(span));
        warning.help = (self.seen.len() == 1).then(|| match self.is_json {
            true => "`--unknown-tags error` stops at tags that YAML does not define, and `--unknown-tags drop` does not warn.".to_owned(),
            false => "This format has no tags; `--to yaml` keeps them.".to_owned(),
        });
        draw::to_stderr(&warning);
    }
}

impl Drop for DroppedTags {
    /// Prints the number of tags that were not shown.
    fn drop(&mut self) {
        let more = match self.seen.len().saturating_sub(SHOWN_MAX) {
            0 => return,
            1 => "1 more tag is not written".to_owned(),
            more => format!("{more} more tags are not written"),
        };
        draw::to_stderr(&warning(&self.file, more));
    }
}

/// Returns the tag of `node` if YAML does not define it, as `--unknown-tags error` has it.
fn unknown_tag(node: Node<'_>) -> Option<&str> {
    let is_collection =
        |tag: &str| matches!(tag.strip_prefix(YAML_PREFIX), Some("set" | "omap" | "pairs"));
    node.tag().filter(|tag| !is_known(tag) && !is_collection(tag))
}

fn warning(file: &str, message: String) -> Diagnostic {
    let mut warning = Diagnostic::sentence(file, "DroppedTag", "semantic", message);
    warning.severity = Severity::Warning;
    warning
}
