//! Warns about `<<` that is written as an ordinary key of a format other than YAML.

use crate::diagnostic::{Diagnostic, Severity};
use crate::draw;
use ketch_yaml::compose::{Kind, Node, Style};
use memchr::memmem;

/// Warns about the first `<<` that is written as a key, because nothing says whether it merges.
pub struct MergeKeys {
    is_done: bool,
}

impl MergeKeys {
    /// Creates the search. If `is_given` is set, the user has said whether `<<` merges, and there are
    /// no warnings.
    pub fn new(is_given: bool) -> MergeKeys {
        MergeKeys { is_done: is_given }
    }

    /// Looks for a `<<` in `node`, which is written, in the input `file`.
    pub fn look(&mut self, file: &str, node: Node<'_>) {
        let node = node.resolved();
        let document = node.document();
        let text = document.text().get(node.span()).unwrap_or_default();
        // Nearly all documents have no such text.
        if self.is_done || memmem::find(text, b"<<").is_none() {
            return;
        }
        let is_merge = |key: &Node<'_>, value: &Node<'_>| {
            key.style() == Style::Plain
                && key.tag().is_none()
                && *key.content() == *b"<<"
                && value.resolved().kind() != Kind::Scalar
        };
        let subtree = node.subtree();
        let nodes = document.nodes().skip(subtree.start).take(subtree.len());
        let found = nodes.flat_map(Node::entries).find(|(key, value)| is_merge(key, value));
        if let Some((key, _)) = found {
            let message = "`<<` is written as a key".to_owned();
            let mut warning = Diagnostic::sentence(file, "MergeKey", "semantic", message);
            warning.severity = Severity::Warning;
            warning.location = Some(key.location());
            warning.help = Some(
                "`--merge` includes the entries that it refers to; `--merge=off` keeps the key."
                    .to_owned(),
            );
            draw::to_stderr(&warning);
            self.is_done = true;
        }
    }
}
