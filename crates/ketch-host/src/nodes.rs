//! What programs can ask about the nodes of a composed document. They are identified by their numbers.

use crate::places::Lines;
use ketch_yaml::Error;
use ketch_yaml::compose::{Kind, Node, Style};
use std::borrow::Cow;
use std::sync::OnceLock;

/// Returns the name of a kind.
pub fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Scalar => "scalar",
        Kind::Sequence => "sequence",
        Kind::Mapping => "mapping",
        Kind::Alias => "alias",
    }
}

/// Returns the name of a style. In operations of edits, it is without `-quoted`.
pub fn style_name(style: Style) -> &'static str {
    match style {
        Style::Plain => "plain",
        Style::SingleQuoted => "single-quoted",
        Style::DoubleQuoted => "double-quoted",
        Style::Literal => "literal",
        Style::Folded => "folded",
        Style::Block => "block",
        Style::Flow => "flow",
        Style::Alias => "alias",
    }
}

/// Returns the tag of a node, or `None` if it has none or is an alias.
pub fn tag(node: Node<'_>) -> Option<&str> {
    node.tag().filter(|_| node.kind() != Kind::Alias)
}

/// Returns the content of a scalar, or of the scalar that an alias refers to.
pub fn text(node: Node<'_>) -> Option<Cow<'_, str>> {
    (node.resolved().kind() == Kind::Scalar).then(|| node.text())
}

/// Returns the kind, style, tag and anchor of a node, as they are named in edits, each after its name.
pub fn facts(node: Node<'_>) -> [(&'static str, Option<&str>); 4] {
    let style = style_name(node.style()).trim_end_matches("-quoted");
    [
        ("kind", Some(kind_name(node.kind()))),
        ("style", Some(style)),
        ("tag", tag(node)),
        ("anchor", node.anchor()),
    ]
}

/// Returns the numbers of the items of a sequence, or of the keys and values of a mapping, alternating.
pub fn children(node: Node<'_>) -> Vec<usize> {
    let number = |node: Node<'_>| node.id().index();
    match node.kind() {
        Kind::Sequence => node.items().map(number).collect(),
        Kind::Mapping => {
            node.entries().flat_map(|(key, value)| [number(key), number(value)]).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the pairs of a mapping, including merged ones if the document uses merge keys.
///
/// # Errors
///
/// Fails if the value of a merge key cannot be merged.
pub fn pairs<'d>(mapping: Node<'d>) -> Result<Vec<(Node<'d>, Node<'d>)>, Error> {
    match mapping.document().merges() {
        true => mapping.merged_entries(),
        false => Ok(mapping.entries().collect()),
    }
}

/// Returns the number of the key, the number of the value, and whether the pair is written in this
/// mapping itself, for each of the [`pairs`].
///
/// # Errors
///
/// Fails as [`pairs`] does.
pub fn numbered_pairs(mapping: Node<'_>) -> Result<Vec<(usize, usize, bool)>, Error> {
    let own = mapping.subtree();
    let numbers = |(key, value): (Node<'_>, Node<'_>)| {
        let value = value.id().index();
        (key.id().index(), value, own.contains(&value))
    };
    Ok(pairs(mapping)?.into_iter().map(numbers).collect())
}

/// Finds the locations of the nodes of a document. The lines are counted when they are first needed.
#[derive(Debug, Default)]
pub struct Places(OnceLock<Option<Lines>>);

impl Places {
    /// Returns the location of a node: its start line and column, its end line and column, its offset in
    /// bytes, and its length in bytes.
    pub fn of(&self, node: Node<'_>) -> [u64; 6] {
        let (span, document) = (node.span(), node.document());
        let ((line, column), (end_line, end_column), offset) =
            match self.0.get_or_init(|| Lines::of(document)) {
                Some(lines) => {
                    let place = |at| lines.place(document.text(), at);
                    (place(span.start), place(span.end), lines.offset + span.start as u64)
                }
                None => {
                    let start = document.location(span.clone());
                    let end = document.location(span.end..span.end);
                    ((start.line, start.column), (end.line, end.column), start.offset)
                }
            };
        [line, column, end_line, end_column, offset, span.len() as u64]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ketch_yaml::{ComposeOptions, Document, Documents, Options};

    fn document(text: &str) -> Document<'_> {
        let mut compose = ComposeOptions::default();
        compose.merge_keys = Some(true);
        let options = Options::default();
        Documents::with_options(text.as_bytes(), &options, &compose).next().unwrap().unwrap()
    }

    #[test]
    fn pairs_say_whether_they_are_merged() {
        let document = document("- &a {x: 1, y: 2}\n- {<<: *a, y: 'z'}\n");
        let (first, second) = (document.root().items().next(), document.root().items().nth(1));
        assert_eq!(numbered_pairs(first.unwrap()).unwrap(), [(2, 3, true), (4, 5, true)]);
        let second = second.unwrap();
        assert_eq!(children(second), [7, 8, 9, 10]);
        let pairs = numbered_pairs(second).unwrap();
        assert_eq!(pairs.iter().filter(|pair| pair.2).collect::<Vec<_>>(), [&(9, 10, true)]);
        assert!(pairs.contains(&(2, 3, false)), "{pairs:?}");
        let value = second.entries().nth(1).unwrap().1;
        let (style, anchor) = (Some("single"), None);
        assert_eq!(
            facts(value),
            [("kind", Some("scalar")), ("style", style), ("tag", None), ("anchor", anchor)]
        );
        assert_eq!(style_name(value.style()), "single-quoted");
        assert_eq!(text(value).as_deref(), Some("z"));
        assert_eq!(text(second), None);
    }

    #[test]
    fn places_are_the_same_without_contiguous_text() {
        let text = "a: é\nb: [1,\n 2]\n";
        let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let wide = [&[0xFF, 0xFE][..], &wide].concat();
        let documents =
            [text.as_bytes(), &wide].map(|bytes| Documents::new(bytes).next().unwrap().unwrap());
        let places = documents.each_ref().map(|document| {
            let value = document.root().entries().nth(1).unwrap().1;
            Places::default().of(value)
        });
        assert_eq!(places, [[2, 4, 3, 4, 9, 7]; 2]);
    }
}
