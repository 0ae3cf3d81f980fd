//! Tests of the presenter's output.

use super::*;
use crate::{Options, Parser, Receiver};
use ketch_bytes::Level;

/// Parses `input`, and presents its events with the options `options`.
fn presented(input: &str, options: &PresentOptions) -> String {
    let mut presenter = Presenter::with_options(Vec::new(), options);
    let result = Parser::new(input.as_bytes()).push_into(&mut presenter);
    result.unwrap_or_else(|error| panic!("{error}: {input:?}"));
    let text = presenter.finish().unwrap_or_else(|error| panic!("{error}: {input:?}"));
    String::from_utf8(text).expect("UTF-8")
}

#[track_caller]
fn is(input: &str, expected: &str) {
    assert_eq!(presented(input, &PresentOptions::default()), expected, "{input:?}");
}

#[track_caller]
fn is_with(change: impl Fn(&mut PresentOptions), input: &str, expected: &str) {
    let mut options = PresentOptions::default();
    change(&mut options);
    assert_eq!(presented(input, &options), expected, "{input:?}");
}

/// Returns a document with the nodes that `push` pushes.
fn pushed(push: impl Fn(&mut Presenter<Vec<u8>>) -> Result<(), PresentError>) -> String {
    let mut presenter = Presenter::new(Vec::new());
    presenter.start_document(false).unwrap();
    push(&mut presenter).unwrap();
    presenter.end_document(false).unwrap();
    String::from_utf8(presenter.finish().unwrap()).expect("UTF-8")
}

#[test]
fn collections_are_written_in_both_styles() {
    is("a: 1\nb:\n  - c\n  - d: e\n    f: g\n", "a: 1\nb:\n- c\n- d: e\n  f: g\n");
    is("- - - x\n    - {}\n- []\n", "- - - x\n    - {}\n- []\n");
    is("{a: [b, {c: d}], e: {}}", "{a: [b, {c: d}], e: {}}\n");
    is("[a: b, ? c, : d]", "[{a: b}, {c: }, {: d}]\n");
    is("? - a\n: - b\n", "? - a\n: - b\n");
    is("? {a: b}\n: [c]\n", "? {a: b}\n: [c]\n");
    is("{[a]: b, {}: c}", "{? [a] : b, {}: c}\n");
}

#[test]
fn properties_and_aliases_are_written() {
    is("!t &a [&b x, *b]", "&a !t [&b x, *b]\n");
    is("&a\n&b k: &c\n  - !!str\n  - *a\n", "&a\n&b k: &c\n- !!str\n- *a\n");
    is("- &a\n  b: c\n- !s\n  - d\n", "- &a\n  b: c\n- !s\n  - d\n");
    is("*a : *b\n&c : d\n", "*a : *b\n&c : d\n");
    is("{*a : &b , &c : !t }", "{*a : &b , &c : !t }\n");
    is("? &a [x]\n: &b [y]\n", "? &a [x]\n: &b [y]\n");
    is_with(
        |options| options.collections = Collections::Block,
        "? &a [x]\n: &b {y: z}\n",
        "? &a\n- x\n: &b\n  y: z\n",
    );
}

#[test]
fn options_change_the_layout() {
    let indented = |options: &mut PresentOptions| {
        options.indent = 4;
        options.sequences = Sequences::Indented;
    };
    let input = "a:\n- b: |\n    c\n  d:\n  - e\n";
    is_with(indented, input, "a:\n    - b: |\n          c\n      d:\n          - e\n");
    let flow = |options: &mut PresentOptions| options.collections = Collections::Flow;
    is_with(flow, "- a:\n  - b\n  -\n  c: |\n    d\n", "[{a: [b, null], c: \"d\\n\"}]\n");
    let narrow = |options: &mut PresentOptions| options.width = Some(16);
    is_with(
        narrow,
        "a: one two three four\nb: 'one two: three'\nc: >\n  one two three four\nd: [one, two, three]\n",
        "a: one two three\n  four\nb: 'one two:\n  three'\nc: >\n  one two three\n  four\nd: [one, two, three]\n",
    );
    is_with(narrow, "[one, two, three, four]", "[one, two, three,\n  four]\n");
    let ascii = |options: &mut PresentOptions| options.ascii = true;
    is_with(ascii, "\u{e9}: |\n  a\u{1f30a}\n", "\"\\xE9\": \"a\\U0001F30A\\n\"\n");
}

#[test]
fn documents_get_their_markers_and_directives() {
    is("", "");
    is("--- a\n--- b\n...\nc\n", "--- a\n--- b\n...\nc\n");
    is("%TAG !e! tag:e.org,2000:\n---\n!e!x a\n", "%TAG !e! tag:e.org,2000:\n--- !e!x a\n");
    is("a\n...\n%YAML 1.2\n---\nb\n", "a\n...\n%YAML 1.2\n--- b\n");
    is("|+\n a\n\n", "|+\n  a\n\n...\n");
    is("|+\n a\n\n--- b\n", "|+\n  a\n\n...\n--- b\n");
    let after_breaks = pushed(|yaml| {
        yaml.scalar("a\n\n", ScalarStyle::Literal, Properties::NONE)?;
        yaml.end_document(false)?;
        yaml.start_document(false)?;
        yaml.scalar("b", ScalarStyle::Text, Properties::NONE)
    });
    assert_eq!(after_breaks, "|+\n  a\n\n...\n--- b\n");
    is_with(
        |options| options.directives = Directives::Drop,
        "%TAG !e! tag:e.org,2000:\n---\n!e!x a\n",
        "--- !<tag:e.org,2000:x> a\n",
    );
    is_with(|options| options.markers = Markers::Needed, "--- a\n...\n--- b\n", "a\n--- b\n");
    is_with(|options| options.markers = Markers::Start, "a\n...\nb: 1\n", "--- a\n---\nb: 1\n");
    assert_eq!(pushed(|yaml| yaml.scalar("", ScalarStyle::Plain, Properties::NONE)), "---\n");
}

#[test]
fn text_gets_quotes_where_it_needs_them() {
    let cases = [
        ("word", "word"),
        ("NO", "\"NO\""),
        ("1.10", "\"1.10\""),
        ("", "\"\""),
        ("a: b", "\"a: b\""),
        ("say \"x\": y", "'say \"x\": y'"),
        ("it's: \"x\"", "'it''s: \"x\"'"),
        ("a\tb", "\"a\\tb\""),
        (" a\t\"", "\" a\\t\\\"\""),
        ("one\ntwo\n", "|\n  one\n  two"),
        ("\n", "\"\\n\""),
        (" a\nb", "\" a\\nb\""),
        ("a\nb ", "\"a\\nb \""),
        ("a\n b\n", "|\n  a\n   b"),
        ("\u{2028}", "\"\\u2028\""),
        ("\u{7}", "\"\\a\""),
    ];
    for (text, expected) in cases {
        let found = pushed(|yaml| yaml.scalar(text, ScalarStyle::Text, Properties::NONE));
        assert_eq!(found, format!("{expected}\n"), "{text:?}");
    }
}

#[test]
fn long_keys_are_explicit() {
    for (len, start) in [(1024, "x"), (1025, "? x")] {
        let key = "x".repeat(len);
        let found = pushed(|yaml| {
            yaml.start_mapping(CollectionStyle::Block, Properties::NONE)?;
            yaml.scalar(&key, ScalarStyle::Plain, Properties::NONE)?;
            yaml.scalar("v", ScalarStyle::Plain, Properties::NONE)?;
            yaml.end_mapping()
        });
        assert!(found.starts_with(start), "{len}");
        let mut counter = crate::Counter::default();
        Parser::new(found.as_bytes()).push_into(&mut counter).expect("a key of any length");
    }
}

#[test]
fn text_in_brackets_has_no_colons_unless_quoted() {
    let flow = |text: &str, is_short: bool| {
        // Setting a width disables the fast path.
        let width = (!is_short).then_some(usize::MAX - 1);
        let options = PresentOptions { width, ..PresentOptions::default() };
        let mut yaml = Presenter::with_options(Vec::new(), &options);
        yaml.start_document(false).unwrap();
        yaml.start_sequence(CollectionStyle::Flow, Properties::NONE).unwrap();
        yaml.scalar(text, ScalarStyle::Text, Properties::NONE).unwrap();
        yaml.end_sequence().unwrap();
        yaml.end_document(false).unwrap();
        String::from_utf8(yaml.finish().unwrap()).expect("UTF-8")
    };
    for is_short in [false, true] {
        assert_eq!(flow("a:b", is_short), "[\"a:b\"]\n");
        assert_eq!(flow("a?b", is_short), "[\"a?b\"]\n");
        assert_eq!(flow("a-b", is_short), "[a-b]\n");
    }
    is_with(
        |options| options.scalars = Scalars::Minimal,
        "['a:b', 'c', d:e]",
        "[\"a:b\", c, d:e]\n",
    );
}

#[test]
fn block_scalars_are_written_where_all_readers_accept_them() {
    for (text, root, value) in [
        (" a\n", "\" a\\n\"\n", "k: |2\n   a\n"),
        ("\n", "\"\\n\"\n", "k: |+\n\n...\n"),
        (" \n", "\" \\n\"\n", "k: \" \\n\"\n"),
        ("\t\n", "\"\\t\\n\"\n", "k: |2\n  \t\n"),
        (" a\n ", "\" a\\n \"\n", "k: \" a\\n \"\n"),
        ("a\n ", "|-\n  a\n   \n", "k: |-\n  a\n   \n"),
    ] {
        let found = pushed(|yaml| yaml.scalar(text, ScalarStyle::Literal, Properties::NONE));
        assert_eq!(found, root);
        let found = pushed(|yaml| {
            yaml.start_mapping(CollectionStyle::Block, Properties::NONE)?;
            yaml.scalar("k", ScalarStyle::Text, Properties::NONE)?;
            yaml.scalar(text, ScalarStyle::Literal, Properties::NONE)?;
            yaml.end_mapping()
        });
        assert_eq!(found, value);
    }
}

/// Checks that the fast path writes the same as the slow path, which is forced by a width that no
/// line reaches.
#[test]
fn fast_and_slow_path_write_the_same() {
    let words = [
        "a",
        "two words",
        "a:b",
        "-1",
        "--",
        "-",
        "...x",
        "x:",
        "#c",
        "a#b",
        "12",
        "no",
        "\u{e9}",
        "\u{85}",
        "\u{2028}",
        "a\u{feff}b",
        "a\tb",
        "[x",
        "x, y",
        "it's",
        ":a",
        "?a",
        "/path",
        "a\u{7f}",
    ];
    let mut input = String::new();
    for word in words {
        for len in [1, 40, 62, 63, 64, 65, 70] {
            let long = format!("{word}{}", "y".repeat(len));
            for text in [word, &long] {
                let single = text.replace('\'', "''");
                let double = text.replace('\u{7f}', "\\x7F");
                input += &format!("- ['{single}', {{\"{double}\": '{single}'}}]\n");
                input += &format!("- \"{double}\": '{single}'\n  '{single}0': \"{double}\"\n");
            }
        }
    }
    let input = input.replace('\u{7f}', "z") + "- plain\n- a b: c\n- [d, e: f]\n- -2\n- ..g\n";
    for scalars in [Scalars::AsGiven, Scalars::Minimal] {
        for collections in [Collections::AsGiven, Collections::Block] {
            let mut options = PresentOptions::default();
            (options.scalars, options.collections) = (scalars, collections);
            let mut general = options;
            general.width = Some(usize::MAX - 1);
            let expected = presented(&input, &general);
            for level in Level::available() {
                options.level = level;
                assert_eq!(presented(&input, &options), expected, "{level} {scalars:?}");
            }
        }
    }
}

#[test]
fn deep_nesting_does_not_overflow_the_stack() {
    let depth = 100_000;
    let flow = "[".repeat(depth) + &"]".repeat(depth);
    let options = PresentOptions { collections: Collections::Block, ..PresentOptions::default() };
    let mut presenter = Presenter::with_options(Vec::new(), &options);
    let mut read = Options::default();
    read.limits.max_depth = crate::Budget::UNLIMITED;
    Parser::with_options(flow.as_bytes(), &read)
        .push_into(&mut presenter)
        .expect("every node can be in flow style");
    let text = presenter.finish().expect("every node can be in flow style");
    assert_eq!(text, ("- ".repeat(depth - 1) + "[]\n").as_bytes());
}

#[test]
fn indentation_is_written_at_any_depth() {
    let key = |column: usize| " ".repeat(column) + "a: b\n" + &" ".repeat(column) + "c:\n";
    let text: String = (0..200).map(key).collect::<String>() + &" ".repeat(199) + "- \"NO\"\n";
    for level in Level::available() {
        let options = PresentOptions { indent: 1, level, ..PresentOptions::default() };
        assert_eq!(presented(&text, &options), text, "{level}");
    }
}

#[track_caller]
fn misplaced(push: impl Fn(&mut Presenter<Vec<u8>>) -> Result<(), PresentError>) {
    let mut presenter = Presenter::new(Vec::new());
    let result = push(&mut presenter).and_then(|()| presenter.finish().map(drop));
    assert!(matches!(result, Err(PresentError::Misplaced(_))), "{result:?}");
}

#[test]
fn misplaced_nodes_are_errors() {
    let none = Properties::NONE;
    misplaced(|yaml| yaml.scalar("a", ScalarStyle::Text, none));
    misplaced(|yaml| yaml.start_document(false));
    misplaced(|yaml| yaml.end_sequence());
    misplaced(|yaml| yaml.directive("TAG"));
    misplaced(|yaml| {
        yaml.start_document(false)?;
        yaml.scalar("a", ScalarStyle::Text, none)?;
        yaml.scalar("b", ScalarStyle::Text, none)
    });
    misplaced(|yaml| {
        yaml.start_document(false)?;
        yaml.start_mapping(CollectionStyle::Block, none)?;
        yaml.scalar("a", ScalarStyle::Text, none)?;
        yaml.end_mapping()
    });
    misplaced(|yaml| {
        yaml.start_document(false)?;
        yaml.start_mapping(CollectionStyle::Block, none)?;
        yaml.end_sequence()
    });
    for name in ["", "a b", "a]", "a\n", "\u{feff}"] {
        misplaced(|yaml| {
            yaml.start_document(false)?;
            yaml.alias(name)
        });
    }
}

/// A writer that fails after this number of bytes.
struct Full(usize);

impl std::io::Write for Full {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(std::io::ErrorKind::StorageFull)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn errors_of_the_writer_end_the_stream() {
    let input = "- some text\n".repeat(100_000);
    let mut presenter = Presenter::new(Full(500_000));
    let result = Parser::new(input.as_bytes()).push_into(&mut presenter);
    assert!(matches!(result, Err(PresentError::Write(_))), "{result:?}");
    let mut presenter = Presenter::new(Full(usize::MAX));
    let mut parser = Parser::new(input.as_bytes());
    while let Some(chunk) = parser.next_chunk().expect("a sequence") {
        presenter.receive(&chunk).expect("writing to memory");
        assert!(presenter.core.out.len() <= 64 * 1024, "the buffer is bounded");
    }
}

#[test]
fn an_incomplete_document_is_discarded() {
    let cut = |input: &str, held_bytes| {
        let options = PresentOptions { held_bytes, ..PresentOptions::default() };
        let mut presenter = Presenter::with_options(Vec::new(), &options);
        let read = Options { chunk_words: 1, ..Options::default() };
        let result = Parser::with_options(input.as_bytes(), &read).push_into(&mut presenter);
        assert!(matches!(result, Err(PresentError::Read(_))), "{result:?}");
        String::from_utf8(presenter.into_whole().expect("writing to memory")).expect("UTF-8")
    };
    for held_bytes in [10, 1000] {
        assert_eq!(cut("--- 1\n--- 2\n--- [3, 4", held_bytes), "--- 1\n--- 2\n");
    }
    assert_eq!(cut("--- 1\n--- [2, 3, 4", 10), "--- 1\n--- [2, 3, 4\n");
}

#[test]
fn streams_can_be_continued() {
    let mut presenter = Presenter::new(Vec::new());
    presenter.continue_stream();
    Parser::new(b"a\n--- b\n").push_into(&mut presenter).expect("two documents");
    assert_eq!(presenter.finish().expect("two documents"), b"--- a\n--- b\n");
}

#[test]
fn deep_collections_are_written_in_flow_style() {
    let depth = 20_000;
    let mut yaml = Presenter::new(Vec::new());
    yaml.start_document(false).unwrap();
    for _ in 0..depth {
        yaml.start_mapping(CollectionStyle::Block, Properties::NONE).unwrap();
        yaml.scalar("a", ScalarStyle::Text, Properties::NONE).unwrap();
    }
    yaml.scalar("b", ScalarStyle::Text, Properties::NONE).unwrap();
    for _ in 0..depth {
        yaml.end_mapping().unwrap();
    }
    yaml.end_document(false).unwrap();
    let text = String::from_utf8(yaml.finish().unwrap()).unwrap();
    assert!(text.starts_with("a:\n  a:\n    a:\n"), "{}", &text[..100]);
    assert!(text.len() < 500_000, "{} bytes", text.len());
    assert_eq!(text.matches('a').count(), depth);
    assert_eq!(text.matches('{').count(), text.matches('}').count());
}
