//! Tests of the formatter's output.

use super::*;
use ketch_yaml::present::Sequences;

fn formatted(text: &str) -> String {
    with(text, |options| options.sequences = Some(Sequences::Flush))
}

fn with(text: &str, change: impl FnOnce(&mut FormatOptions)) -> String {
    let mut options = FormatOptions::default();
    change(&mut options);
    let once = format_with_options(text.as_bytes(), &options);
    let once = once.unwrap_or_else(|error| panic!("{text:?}: {error}")).into_owned();
    let twice = format_with_options(&once, &options).expect("the same again");
    assert_eq!(String::from_utf8_lossy(&twice), String::from_utf8_lossy(&once), "{text:?}");
    String::from_utf8(once).expect("UTF-8")
}

#[test]
fn spaces_and_indentation_are_normalized() {
    let cases = [
        ("a:    1   \nb :  2\n", "a: 1\nb: 2\n"),
        ("a:\n    b:\n        c: 1\n", "a:\n  b:\n    c: 1\n"),
        ("a:\n  - 1\n  -   2\n", "a:\n- 1\n- 2\n"),
        ("-   a: 1\n    b: 2\n", "- a: 1\n  b: 2\n"),
        ("-   - a\n    - b\n", "- - a\n  - b\n"),
        ("- [ a,b , c ]\n", "- [a, b, c]\n"),
        ("{ a : 1,b: {c : d} }", "{a: 1, b: {c: d}}\n"),
        ("{\"a\":1, \"b\" :2}\n", "{\"a\": 1, \"b\": 2}\n"),
        ("? a\n:   - b\n    - c\n", "? a\n: - b\n  - c\n"),
        ("*a : &b  !t   c\n", "*a : &b !t c\n"),
        ("[!!str , a, *b , &c ]", "[!!str , a, *b, &c ]\n"),
        ("{a: , b:}", "{a: , b: }\n"),
        ("---   a\n...\n---\tb\n", "--- a\n...\n--- b\n"),
        ("%YAML 1.2   # x\n---\n", "%YAML 1.2 # x\n---\n"),
        ("a:\tb\n", "a: b\n"),
    ];
    for (text, expected) in cases {
        assert_eq!(formatted(text), expected, "{text:?}");
    }
}

#[test]
fn empty_lines_are_limited() {
    assert_eq!(formatted("\n\n\na: 1\n\n\n\nb: 2\n\n\n"), "a: 1\n\nb: 2\n");
    assert_eq!(with("a\n\n\n\n--- b\n", |o| o.blank_lines = 2), "a\n\n\n--- b\n");
    assert_eq!(with("- a\n\n- b\n", |o| o.blank_lines = 0), "- a\n- b\n");
    assert_eq!(formatted("\n \n"), "");
    assert_eq!(formatted("a: |\n  x\n\n\n\nb: 1\n"), "a: |\n  x\n\nb: 1\n");
    assert_eq!(formatted("a: |+\n  x\n\n\n\nb: 1\n"), "a: |+\n  x\n\n\n\nb: 1\n");
    assert_eq!(formatted("a: |\n  x\n\n\n"), "a: |\n  x\n");
}

#[test]
fn comments_stay_with_their_nodes() {
    let cases = [
        ("a: 1     # one\n", "a: 1 # one\n"),
        ("a:\n    # of b\n  b: 1\n", "a:\n  # of b\n  b: 1\n"),
        (
            "a:\n    b: 1\n    # end of a\n# of c\nc: 2\n",
            "a:\n  b: 1\n  # end of a\n# of c\nc: 2\n",
        ),
        (
            "a:\n    b:\n        c: 1\n        # c\n    # b\n  # b, too\n# a\n",
            "a:\n  b:\n    c: 1\n    # c\n  # b\n# b, too\n# a\n",
        ),
        ("a:\n   b: |\n      x\n   # end of a\nc: 1\n", "a:\n  b: |\n    x\n  # end of a\nc: 1\n"),
        ("a: |   # header\n   x\n", "a: | # header\n  x\n"),
        ("[ # one\n a, # two\n # three\n ]\n", "[ # one\n  a, # two\n  # three\n]\n"),
        ("# only   \n", "# only\n"),
        ("a:   # x\n\n  # y\n  - 1\n", "a: # x\n\n# y\n- 1\n"),
        ("--- # x\n# y\na: 1\n# z\n...\n# w\n", "--- # x\n# y\na: 1\n# z\n...\n# w\n"),
        ("-   # x\n    a: 1\n", "- # x\n  a: 1\n"),
    ];
    for (text, expected) in cases {
        assert_eq!(formatted(text), expected, "{text:?}");
    }
}

#[test]
fn continuation_lines_of_scalars_are_indented() {
    let cases = [
        ("a: x\n       y\n\n         z\n", "a: x\n  y\n\n  z\n"),
        ("a: \"x  \n       y\\\n     z\"\n", "a: \"x\n  y\\\n  z\"\n"),
        ("a: \"x\\ \n       y\"\n", "a: \"x\\ \n  y\"\n"),
        ("a:\n    - |2\n        x\n       y\n", "a:\n- |2\n    x\n   y\n"),
        ("a:\n    - |\n     x\n       y\n", "a:\n- |\n  x\n    y\n"),
        ("|\n     x", "|\n  x\n"),
        ("--- >1-\n  x\n y\n", "--- >2-\n   x\n  y\n"),
        ("a\nb\n", "a\n  b\n"),
        ("a: >\n\n   x\n    \n   y  \n", "a: >\n\n  x\n   \n  y  \n"),
    ];
    for (text, expected) in cases {
        assert_eq!(formatted(text), expected, "{text:?}");
    }
}

#[test]
fn multi_line_brackets_are_indented() {
    let cases = [
        ("[\na,\n   b\n]\n", "[\n  a,\n  b\n]\n"),
        ("k: [\n     a, b,\n     c\n     ]\n", "k: [\n  a, b,\n  c\n  ]\n"),
        ("k:\n  [\n     a\n  ]\n", "k:\n  [\n    a\n  ]\n"),
        ("[{\n   a: 1\n }, {\n b: 2\n}]\n", "[{\n  a: 1\n}, {\n  b: 2\n}]\n"),
        ("{\n a: {\n b: 1\n },\n c:\n d\n}\n", "{\n  a: {\n    b: 1\n  },\n  c:\n    d\n}\n"),
        ("[ a\n, b\n]\n", "[a\n, b\n]\n"),
    ];
    for (text, expected) in cases {
        assert_eq!(formatted(text), expected, "{text:?}");
    }
}

#[test]
fn options_change_the_indentation() {
    let text = "a:\n- b:\n    c: |\n      x\n";
    let indented = with(text, |o| o.sequences = Some(Sequences::Indented));
    assert_eq!(indented, "a:\n  - b:\n      c: |\n        x\n");
    assert_eq!(with(text, |o| o.indent = 4), "a:\n- b:\n      c: |\n          x\n");
}

#[test]
fn long_lines_are_broken() {
    let narrow = |text| with(text, |o| o.width = Some(12));
    assert_eq!(narrow("k: [aaa, bbb, ccc, ddd]\n"), "k: [aaa,\n  bbb, ccc,\n  ddd]\n");
    assert_eq!(narrow("k: aaa bbb ccc ddd eee\n"), "k: aaa bbb\n  ccc ddd\n  eee\n");
    assert_eq!(narrow("k: 'aaa bbb  ccc ddd'\n"), "k: 'aaa\n  bbb  ccc\n  ddd'\n");
    assert_eq!(narrow("k: >\n aaa bbb ccc ddd\n"), "k: >\n  aaa bbb\n  ccc ddd\n");
    assert_eq!(narrow("[aaa, bbb, ccc]: [x]\n"), "[aaa, bbb, ccc]: [x]\n");
    assert_eq!(narrow("[aaaa, [bbbb, [c,\nd]]]\n"), "[aaaa,\n  [bbbb, [c,\n    d]]]\n");
}

#[test]
fn line_breaks_marks_and_encodings_are_kept() {
    assert_eq!(formatted("a:  1\r\nb: |\r\n   x\r\n"), "a: 1\r\nb: |\r\n  x\r\n");
    assert_eq!(formatted("a:  1\rb: 2"), "a: 1\rb: 2\r");
    assert_eq!(formatted("\u{feff}a:  1\n"), "\u{feff}a: 1\n");
    for encoding in [Encoding::Utf16Le, Encoding::Utf16Be, Encoding::Utf32Le, Encoding::Utf32Be] {
        for mark in [true, false] {
            let wide = encoded("a:   \u{e9}\u{1f600}\n".as_bytes(), encoding, mark);
            let expected = encoded("a: \u{e9}\u{1f600}\n".as_bytes(), encoding, mark);
            assert_eq!(*format(&wide).unwrap(), expected, "{encoding} {mark}");
        }
    }
    // Without the line break at its start, the text has to get a byte order mark to show its
    // encoding.
    let wide = encoded("\n\u{e9}\n".as_bytes(), Encoding::Utf16Le, false);
    assert_eq!(*format(&wide).unwrap(), encoded("\u{e9}\n".as_bytes(), Encoding::Utf16Le, true));
}

#[test]
fn text_like_a_marker_stays_indented() {
    assert_eq!(formatted(" --- a: b\n"), "  --- a: b\n");
    assert_eq!(formatted("a: |\n    ---\n    b\n"), "a: |\n  ---\n  b\n");
    assert_eq!(formatted(" --- a\n...\n--- |1\n b\n"), "  --- a\n...\n--- |2\n  b\n");
    assert_eq!(formatted("a:\n \t--- b\nc: d\n"), "a:\n  --- b\nc: d\n");
    assert_eq!(formatted("? a\n:   :   b\n"), "? a\n: : b\n");
    assert_eq!(formatted("{? -:\n a, ? b : c}\n"), "{? -:\n    a, ? b : c}\n");
}

#[test]
fn long_keys_in_brackets_stay_keys() {
    let key = format!("[{}a]", "a,".repeat(500));
    let text = format!("{key}  :  v\n");
    assert_eq!(formatted(&text), format!("{key}: v\n"));
}

#[test]
fn invalid_or_too_long_text_is_an_error() {
    let error = format(b"a: [1\n").unwrap_err();
    assert!(matches!(error, FormatError::Yaml(_)), "{error}");
    // Each comment would move to the deep indentation of the text after it, which makes it long.
    let (dashes, blanks) = ("- ".repeat(1000), " ".repeat(2000));
    let deep = format!("{dashes}\n{}{blanks}x\n", "#\n".repeat(100_000));
    let result = format(deep.as_bytes()).map(|text| text.len());
    assert!(matches!(result, Err(FormatError::TooLong(_))), "{result:?}");
}

#[test]
fn deep_collections_are_formatted() {
    let deep = format!("{}{}", "[".repeat(1000), "]".repeat(1000));
    assert_eq!(formatted(&deep), deep.clone() + "\n");
    let blocks = format!("{}x\n", "- ".repeat(1000));
    assert_eq!(formatted(&blocks), blocks);
}

/// Formats `text` with default options.
fn kept(text: &str) -> String {
    with(text, |_| {})
}

#[test]
fn each_document_keeps_its_style_of_sequences() {
    let indented = "a:\n  - b\n  - c:\n      - d\n";
    let flush = "a:\n- b\n- c:\n  - d\n";
    assert_eq!(kept(indented), indented);
    assert_eq!(kept(flush), flush);
    let both = format!("{indented}---\n{flush}---\n{indented}");
    assert_eq!(kept(&both), both);
    // The majority decides. Without a majority, sequences are flush.
    assert_eq!(kept("a:\n    - b\nc:\n    - d\ne:\n- f\n"), "a:\n  - b\nc:\n  - d\ne:\n  - f\n");
    assert_eq!(kept("a:\n    - b\ne:\n- f\n"), "a:\n- b\ne:\n- f\n");
    // Sequences that belong to explicit keys or are in other sequences are not counted.
    let explicit = "? a\n:   - b\n? - - c\n";
    assert_eq!(kept(&format!("{explicit}d:\n- e\n")), "? a\n: - b\n? - - c\nd:\n- e\n");
    // A tag or a comment before the sequence does not matter.
    assert_eq!(kept("a: !t # x\n    - b\n"), "a: !t # x\n  - b\n");
}
