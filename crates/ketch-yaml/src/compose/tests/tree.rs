//! Tests that the content of trees is what the parser reported.

use super::super::{Document, Kind, NodeId};
use super::notation::notation;
use super::{document, with_duplicates};
use crate::notation::Notation;
use crate::parse::{Options, Parser};
use crate::schema::{Scalar, Schema};
use crate::{ComposeOptions, Documents, DuplicateKeys};
use proptest::prelude::*;

/// Returns the parser's events for `text` in the notation of yaml-test-suite, or `None` if the text
/// is invalid.
fn from_events(text: &str) -> Option<String> {
    let mut parser = Parser::new(text.as_bytes());
    let mut notation = Notation::start(Vec::new()).expect("writing to memory");
    while let Some(chunk) = parser.next_chunk().ok()? {
        notation.chunk(&chunk).expect("writing to memory");
    }
    String::from_utf8(notation.end().expect("writing to memory")).ok()
}

/// Returns the events of the documents composed from `text` in the notation of yaml-test-suite, or
/// `None` if one cannot be composed. `copied` says whether the documents own their text.
fn from_trees(text: &str, chunk_words: usize, copied: bool) -> Option<String> {
    let compose = with_duplicates(DuplicateKeys::Off);
    let options = Options { chunk_words, ..Options::default() };
    let parser = Parser::with_options(text.as_bytes(), &options);
    let documents: Result<Vec<Document<'_>>, _> = if copied {
        Documents::from_source(parser, &compose).collect()
    } else {
        Documents::with_options(text.as_bytes(), &options, &compose).collect()
    };
    let body: String = documents.ok()?.iter().map(notation).collect();
    Some(format!("+STR\n{body}-STR\n"))
}

const SAMPLES: &[&str] = &[
    "",
    "a\n",
    "- a\n- b: c\n  d: [e, {f: g}, h: i]\n-\n  - !!str x\n  - &y *z : *z\n",
    "&a !t {k: &b v, *b : *b}\n",
    "%TAG !e! tag:x,1:\n--- !e!a\n- !e!b%21 c\n...\n# c\n---\n? [a]\n: |2\n   text\n\n--- >\n folded\n text\n",
    "'it''s': \"a\\tb\"\nplain\n two: x\n",
    "\u{feff}é: ü\n",
];

#[test]
fn trees_and_events_agree() {
    for text in SAMPLES {
        for chunk_words in [1, 3, 4096] {
            for copied in [false, true] {
                if let (Some(events), Some(trees)) =
                    (from_events(text), from_trees(text, chunk_words, copied))
                {
                    assert_eq!(trees, events, "{text:?}");
                }
            }
        }
    }
}

proptest! {
    #[test]
    fn trees_and_events_of_random_text_agree(
        parts in prop::collection::vec(
            prop::sample::select(vec![
                "a", "bc", "- ", "? ", ": ", "\n", "\n  ", "\n    ", "[", "]", "{", "}", ", ",
                "&x ", "*x ", "!t ", "'q'", "\"d\\n\"", "|\n", ">-\n", "\n--- ", "\n...\n", " #c\n",
            ]),
            0..40,
        ),
        chunk_words in 1usize..12,
        copied: bool,
    ) {
        let text = parts.concat();
        if let (Some(events), Some(trees)) =
            (from_events(&text), from_trees(&text, chunk_words, copied))
        {
            prop_assert_eq!(trees, events);
        }
    }
}

#[test]
fn spans_cover_their_nodes() {
    let text = "k: [a, {b: *x}, ]  # c\nl: &x !t\n  - |\n   q\n  - [[ 1 ] ]\n";
    let text = text.replace("*x", "b");
    let document = document(&text);
    let shown: Vec<&str> = document.nodes().map(|node| &text[node.span()]).collect();
    assert_eq!(shown[2..6], ["[a, {b: b}, ]", "a", "{b: b}", "b"]);
    assert_eq!(shown[0], text.trim_end());
    assert_eq!(&shown[8..], ["- |\n   q\n  - [[ 1 ] ]", "|\n   q\n", "[[ 1 ] ]", "[ 1 ]", "1"]);
    let list = document.root().get("l").expect("the list");
    assert_eq!(&text[list.anchor_span().expect("an anchor")], "&x");
    assert_eq!(&text[list.tag_span().expect("a tag")], "!t");
    assert_eq!((list.location().line, list.location().column), (3, 3));
}

#[test]
fn aliases_are_nodes_of_the_tree() {
    let document = document("- &a 1\n- *a\n- &a 2\n- *a\n");
    let targets: Vec<_> =
        document.root().items().map(|node| node.target().map(|t| t.id())).collect();
    let items: Vec<NodeId> = document.root().items().map(|node| node.id()).collect();
    // Of two nodes with the same anchor, the last one before the alias counts.
    assert_eq!(targets, [None, Some(items[0]), None, Some(items[2])]);
    let alias = document.root().get(1).expect("an alias");
    assert_eq!(
        (alias.kind(), alias.anchor(), alias.text().as_ref()),
        (Kind::Alias, Some("a"), "1")
    );
    assert_eq!(alias.scalar(Schema::Core).expect("a value"), Scalar::Int(1));
}

#[test]
fn owned_documents_outlive_their_input_and_can_be_sent() {
    let owned = {
        let text = String::from("# one\nx: [1, *a]\n").replace("*a", "2");
        document(&text).into_owned()
    };
    let handle = std::thread::spawn(move || {
        let node = owned.at_path(["x", "1"]).expect("a node");
        (
            node.text().into_owned(),
            node.location().line,
            node.location().column,
            node.location().offset,
        )
    });
    assert_eq!(handle.join().expect("a thread"), ("2".to_owned(), 2, 8, 13));
}

#[test]
fn reused_memory_keeps_no_state() {
    let text = "&a {x: !t y, z: *a}\n--- q\n--- [*a]\n";
    let mut documents = Documents::new(text.as_bytes());
    let mut document = Document::new();
    assert!(documents.next_into(&mut document).expect("the first document is valid"));
    assert_eq!(document.node_count(), 5);
    assert!(documents.next_into(&mut document).expect("the second document is valid"));
    let root = document.root();
    assert_eq!((document.node_count(), root.anchor(), root.tag()), (1, None, None));
    // Anchors are valid only in their document.
    let error = documents.next_into(&mut document).expect_err("an unknown alias");
    assert_eq!((error.problem().name(), error.line(), error.column()), ("UnknownAlias", 3, 6));
    assert_eq!(document.node_count(), 1);
    assert!(!documents.next_into(&mut document).expect("nothing more"));
}

#[test]
fn equality_ignores_styles_and_spelling() {
    assert_eq!(document("{a: [b, \"c\"]}"), document("a:\n- b\n- 'c' # x\n"));
    assert_ne!(document("[a, b]"), document("[b, a]"));
    assert_ne!(document("[a, \"1\"]"), document("[a, 1]"));
    assert_ne!(document("!t a"), document("a"));
    assert_eq!(document("[&x a, *x]"), document("[&y a, *y]"));
    assert_ne!(document("[&x a, &y a, *x]"), document("[&x a, &y a, *y]"));
}

#[test]
fn an_indentation_of_four_million_columns_is_kept() {
    let indent = " ".repeat((1 << 22) + 1);
    let text = format!("k: |\n{indent}x\n{indent} y\n");
    let options = ComposeOptions::default();
    let document = super::composed(&text, &options).expect("a document");
    assert_eq!(document.root().get("k").expect("a value").text(), "x\n y\n");
}
