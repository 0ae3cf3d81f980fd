//! Comments beside nodes. The tree does not contain them. When a program asks for them, they are
//! searched for in the text between nodes.

use ketch_yaml::Document;
use ketch_yaml::compose::{Kind, Node, NodeId, Style};

/// A document and the text around it.
#[derive(Clone, Copy)]
pub struct Commented<'d> {
    document: &'d Document<'d>,
    text: &'d [u8],
    /// Where the document's own text starts.
    base: usize,
}

impl<'d> Commented<'d> {
    /// Prepares to read comments of a document: from the text of the stream, or from the document's
    /// own text if the stream has a different form, such as UTF-16.
    pub fn new(document: &'d Document<'d>, stream: &'d [u8]) -> Commented<'d> {
        let own = document.text();
        let base = document.location(0..0).offset as usize;
        // The text of a stream in UTF-16 was converted.
        let is_in_place = stream.get(base..).is_some_and(|rest| rest.starts_with(own));
        match document.is_contiguous() && is_in_place {
            true => Commented { document, text: stream, base },
            false => Commented { document, text: own, base: 0 },
        }
    }

    /// Returns the texts of the comment lines directly above the line that a node starts on.
    pub fn above(self, node: Node<'_>) -> Vec<String> {
        let mut start = self.line_start(self.base + node.span().start);
        // Nothing before the end of the previous node is a comment: it may be a line of a block
        // scalar.
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

    /// Returns the text of the comment after a node on its line; of a block collection, after its
    /// key.
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
        // Between the node and its comment may be indicators and white space, but no other node.
        let between = |byte: &u8| b" \t,:]}|>+-0123456789".contains(byte);
        let is_comment = line[..at].iter().all(between) && at > 0 && b" \t".contains(&line[at - 1]);
        is_comment.then(|| words(&line[at..]))
    }

    /// Returns the end of the key of a block collection.
    fn key_end(self, node: Node<'_>) -> Option<usize> {
        let end = self.previous_end(node);
        let after = self.text.get(end..)?.trim_ascii_start();
        (end > 0 && after.starts_with(b":")).then_some(end)
    }

    /// Returns the end of the last scalar, alias or flow collection before a node.
    fn previous_end(self, node: Node<'_>) -> usize {
        let start = node.span().start;
        let numbers = (0..node.id().index()).rev().take(64);
        let previous = numbers.map(|at| self.document.node(NodeId::from(at)));
        let ends =
            previous.filter(|node| node.style() != Style::Block || node.kind() == Kind::Alias);
        let end = ends.map(|node| node.span().end).find(|&end| end <= start);
        end.map_or(0, |end| self.base + end)
    }

    /// Returns the start of the line that `at` is on.
    fn line_start(self, at: usize) -> usize {
        let before = self.text.get(..at).unwrap_or_default();
        memchr::memrchr2(b'\n', b'\r', before).map_or(0, |at| at + 1)
    }
}

/// Returns the text of a comment without `#` and the space after it.
fn words(comment: &[u8]) -> String {
    let text = comment.strip_prefix(b"#").unwrap_or(comment).trim_ascii_end();
    String::from_utf8_lossy(text.strip_prefix(b" ").unwrap_or(text)).into_owned()
}
