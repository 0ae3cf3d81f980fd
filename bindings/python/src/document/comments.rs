//! Comments that belong to nodes. The tree does not contain them, so when a program asks for them,
//! they are searched for in the text between the nodes.

use ketch_yaml::Document;
use ketch_yaml::compose::{Kind, Node, NodeId, Style};

/// A document, and the text in which its comments are searched for.
#[derive(Clone, Copy)]
pub struct Commented<'d> {
    document: &'d Document<'d>,
    text: &'d [u8],
    /// The offset in `text` at which the document's own text starts.
    base: usize,
}

impl<'d> Commented<'d> {
    /// Prepares to search for comments: in the text of the stream or, if that has a different form,
    /// such as UTF-16, in the document's own text.
    pub fn new(document: &'d Document<'d>, stream: &'d [u8]) -> Commented<'d> {
        let own = document.text();
        let base = document.location(0..0).offset as usize;
        // The document's text is not part of the stream's text if that was converted, for example
        // from UTF-16.
        let is_in_place = stream.get(base..).is_some_and(|rest| rest.starts_with(own));
        match document.is_contiguous() && is_in_place {
            true => Commented { document, text: stream, base },
            false => Commented { document, text: own, base: 0 },
        }
    }

    /// Returns the texts of the comment lines directly above the line on which the node starts.
    pub fn above(self, node: Node<'_>) -> Vec<String> {
        let mut start = self.line_start(self.base + node.span().start);
        // Text before the end of the previous node is not searched: what looks like a comment there
        // may be a line of a block scalar.
        let before = self.previous_end(node);
        let mut found = Vec::new();
        while start > before && start > 0 {
            let above = self.line_start(start - 1);
            let line = &self.text[above..start];
            match line.trim_ascii_start() {
                comment if above >= before && comment.starts_with(b"#") => {
                    found.push(words(comment));
                }
                _ => break,
            }
            start = above;
        }
        found.reverse();
        found
    }

    /// Returns the text of the comment that follows the node on its line or, if the node is a block
    /// collection, follows its key.
    pub fn after(self, node: Node<'_>) -> Option<String> {
        let is_block = node.style() == Style::Block && node.kind() != Kind::Alias;
        let end = match node.style() {
            _ if is_block => self.key_end(node)?,
            Style::Literal | Style::Folded => self.base + node.span().start,
            _ => self.base + node.span().end,
        };
        let rest = self.text.get(end..)?;
        let line = &rest[..memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len())];
        let at = memchr::memchr(b'#', line)?;
        // Indicators and white space may be between the node and its comment, but no other node.
        let between = |byte: &u8| b" \t,:]}|>+-0123456789".contains(byte);
        let is_comment = line[..at].iter().all(between) && at > 0 && b" \t".contains(&line[at - 1]);
        is_comment.then(|| words(&line[at..]))
    }

    /// Returns the offset of the end of a block collection's key, or `None` if it has none.
    fn key_end(self, node: Node<'_>) -> Option<usize> {
        let end = self.previous_end(node);
        let after = self.text.get(end..)?.trim_ascii_start();
        (end > 0 && after.starts_with(b":")).then_some(end)
    }

    /// Returns the offset of the end of the last scalar, alias or flow collection before the node.
    fn previous_end(self, node: Node<'_>) -> usize {
        let start = node.span().start;
        let numbers = (0..node.id().index()).rev().take(64);
        let previous = numbers.map(|at| self.document.node(NodeId::from(at)));
        let ends =
            previous.filter(|node| node.style() != Style::Block || node.kind() == Kind::Alias);
        let end = ends.map(|node| node.span().end).find(|&end| end <= start);
        end.map_or(0, |end| self.base + end)
    }

    /// Returns the offset of the start of the line that contains `at`.
    fn line_start(self, at: usize) -> usize {
        let before = self.text.get(..at).unwrap_or_default();
        memchr::memrchr2(b'\n', b'\r', before).map_or(0, |at| at + 1)
    }
}

/// Returns the text of a comment without the `#` and the space after it.
fn words(comment: &[u8]) -> String {
    let text = comment.strip_prefix(b"#").unwrap_or(comment).trim_ascii_end();
    String::from_utf8_lossy(text.strip_prefix(b" ").unwrap_or(text)).into_owned()
}
