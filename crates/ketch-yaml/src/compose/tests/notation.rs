//! Tests that a tree gives the parser's events again, by writing its document in the notation of
//! yaml-test-suite.

use crate::compose::{Document, Kind, Node, Style};

/// Returns the notation of a document, from `+DOC` to `-DOC`.
pub(crate) fn notation(document: &Document<'_>) -> String {
    let mut out = String::from("+DOC");
    out.push_str(if document.is_start_explicit() { " ---\n" } else { "\n" });
    // The ends of the open collections, and whether they are mappings.
    let mut open: Vec<(usize, bool)> = Vec::new();
    for node in document.nodes() {
        close(&mut out, &mut open, node.id().index());
        write(&mut out, node);
        if matches!(node.kind(), Kind::Sequence | Kind::Mapping) {
            open.push((node.subtree().end, node.kind() == Kind::Mapping));
        }
    }
    close(&mut out, &mut open, document.node_count());
    out.push_str(if document.is_end_explicit() { "-DOC ...\n" } else { "-DOC\n" });
    out
}

fn close(out: &mut String, open: &mut Vec<(usize, bool)>, at: usize) {
    while let Some(&(end, is_mapping)) = open.last()
        && end == at
    {
        out.push_str(if is_mapping { "-MAP\n" } else { "-SEQ\n" });
        open.pop();
    }
}

fn write(out: &mut String, node: Node<'_>) {
    if node.kind() == Kind::Alias {
        out.push_str(&format!("=ALI *{}\n", node.anchor().unwrap_or_default()));
        return;
    }
    out.push_str(match (node.kind(), node.style()) {
        (Kind::Sequence, Style::Flow) => "+SEQ []",
        (Kind::Sequence, _) => "+SEQ",
        (Kind::Mapping, Style::Flow) => "+MAP {}",
        (Kind::Mapping, _) => "+MAP",
        _ => "=VAL",
    });
    if let Some(anchor) = node.anchor() {
        out.push_str(&format!(" &{anchor}"));
    }
    if let Some(tag) = node.tag() {
        out.push_str(&format!(" <{tag}>"));
    }
    if node.kind() == Kind::Scalar {
        out.push_str(match node.style() {
            Style::SingleQuoted => " '",
            Style::DoubleQuoted => " \"",
            Style::Literal => " |",
            Style::Folded => " >",
            _ => " :",
        });
        push_escaped(out, &node.text());
    }
    out.push('\n');
}

fn push_escaped(out: &mut String, text: &str) {
    for ch in text.chars() {
        match ch {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0' => out.push_str("\\0"),
            '\u{8}' => out.push_str("\\b"),
            other => out.push(other),
        }
    }
}
