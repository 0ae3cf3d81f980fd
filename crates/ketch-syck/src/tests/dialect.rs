//! Tests with documents that contain each construct of Syck's dialect, and with invalid documents.

use super::{compose, read};
use ketch_yaml::compose::{JsonError, JsonOptions, JsonWriter, NotInJson};
use ketch_yaml::schema::Schema;
use ketch_yaml::{Document, Documents, Error, Parser, Problem, ReadParser};

/// Returns the documents of `text` as JSON, separated by spaces.
fn json(text: &str) -> Result<String, Error> {
    let mut options = JsonOptions::default();
    options.schema = Schema::Syck;
    let mut writer = JsonWriter::new(&options);
    let mut out = Vec::new();
    for document in Documents::with_options(text.as_bytes(), &read(), &compose()) {
        if !out.is_empty() {
            out.push(b' ');
        }
        if let Err(error) = writer.write(&document?, &mut out) {
            panic!("{text:?} cannot be written as JSON: {error:?}");
        }
    }
    Ok(String::from_utf8(out).unwrap())
}

/// Checks that each text has the value that is given as JSON.
fn check(pairs: &[(&str, &str)]) {
    for (text, expected) in pairs {
        match json(text) {
            Ok(found) => assert_eq!(found, *expected, "{text:?}"),
            Err(error) => panic!("{text:?}: {error}"),
        }
    }
}

#[test]
fn flow_collections_read_as_in_syck() {
    check(&[
        ("[1,2,3]", "[123]"),
        ("[1, 2]", "[1,2]"),
        ("{a:1}", r#"{"a:1":null}"#),
        ("{a, b: 1}", r#"{"a":null,"b":1}"#),
        ("[a: 1, b]", r#"[{"a":1},"b"]"#),
        ("[]", "[]"),
        ("{}", "{}"),
        ("[a} , {b: c] }]", r#"["a}",{"b":"c]"}]"#),
        ("a]b", r#""a]b""#),
        ("[a\n b,\n# c\n d]", r#"["a b","d"]"#),
        ("[[a, [b]], {c: {d: e}}]", r#"[["a",["b"]],{"c":{"d":"e"}}]"#),
    ]);
}

#[test]
fn block_collections_read_as_in_syck() {
    check(&[
        ("b: - 1", r#"{"b":[1]}"#),
        ("a: 1\n- b", r#"{"a":["b"]}"#),
        ("a: 1\n- b\n- c\nd: 2\n", r#"{"a":["b","c"],"d":2}"#),
        ("a:\n- b\nc: {d: e}\n- f", r#"{"a":["b"],"c":["f"]}"#),
        ("a: - 1\n   - 2", r#"{"a":[1,2]}"#),
        ("--- a: 1\nb: 2", r#"{"a":1,"b":2}"#),
        ("- a\n# c\n- b", r#"["a","b"]"#),
        ("- - a\n  - b\n- c: d\n  e: f\n", r#"[["a","b"],{"c":"d","e":"f"}]"#),
        ("a:\n  b:\n    c\n  d: e\nf:\n", r#"{"a":{"b":"c","d":"e"},"f":null}"#),
        ("? a\n: b\n", r#"{"a":"b"}"#),
        ("'a\n b': c", r#"{"a b":"c"}"#),
        ("a\nb", r#""a b""#),
        ("a: b\n  c\n\n  d", r#"{"a":"b c\nd"}"#),
        ("\t\na: 1", r#"{"a":1}"#),
        ("a: 1\r\nb:\r\n- 2\r\n", r#"{"a":1,"b":[2]}"#),
    ]);
}

#[test]
fn scalars_read_as_in_syck() {
    check(&[
        ("a:\t1", r#""a:\t1""#),
        ("a: 1\t# c", r#"{"a":"1\t# c"}"#),
        (r#"a: "\u00e9""#, r#"{"a":"\\u00e9"}"#),
        (r#"a: "\x41\n\e""#, r#"{"a":"A\n\u001b"}"#),
        ("a: \"\\xe9\"", "{\"a\":\"\u{e9}\"}"),
        ("a: \"\\xc3\\xa9\"", "{\"a\":\"\u{e9}\"}"),
        ("a: 'x\n", r#"{"a":"x "}"#),
        ("a: 'it''s \n\n  so'", r#"{"a":"it's \nso"}"#),
        ("\"a\\\n  b\"", r#""ab""#),
        ("a: @x", r#"{"a":"@x"}"#),
        ("- `x\n- %x\n- ,x", r#"["`x","%x",",x"]"#),
        ("a, b,  c", r#""a, b,  c""#),
        ("a: > x\n  y\n", r#"{"a":"xy\n"}"#),
        ("a: |\n  x\n   y\n\nb: >\n  x\n  y\n\n  z\n", r#"{"a":"x\n y\n","b":"x y\nz\n"}"#),
        ("- |-\n x\n- |+\n x\n\n- >2\n    x\n", r#"["x","x\n\n","  x\n"]"#),
        ("--- |\na\n---\nb", "\"a\\n\" \"b\""),
        ("\u{feff}a", "\"\u{feff}a\""),
        ("a\0b", r#""a""#),
    ]);
}

#[test]
fn tags_and_anchors_read_as_in_syck() {
    check(&[
        (r#"a: !int "3""#, r#"{"a":3}"#),
        (r#"- ! "12""#, "[12]"),
        ("- ! '~'\n- !str 12", r#"[null,"12"]"#),
        ("x: &x 1\nb: &y *x\nc: *y", r#"{"x":1,"b":1,"c":1}"#),
        ("- *a\n- &a b\n- *a", r#"["a","b","b"]"#),
        ("--- &a\nb: 1\n", r#"{"b":1}"#),
        ("--- !seq\n- &a\n  x: 1\n- *a", r#"[{"x":1},{"x":1}]"#),
        ("y:\n  b: 3\n  <<: {b: 4, c: 5}", r#"{"y":{"b":3,"c":5}}"#),
        ("a: 1\na: 2", r#"{"a":2}"#),
        ("- &a !int '1'\n- !int &b '2'\n- *a", "[1,2,1]"),
    ]);
}

#[test]
fn markers_separate_documents_as_in_syck() {
    check(&[
        ("", ""),
        ("# c\n", ""),
        ("---\n", "null"),
        ("--- %YAML:1.0\na: 1", r#"{"a":1}"#),
        ("- a\n---\n- b\n...\n- c\n", r#"["a"] ["b"] ["c"]"#),
        ("a\n---\nb\n", r#""a --- b""#),
        ("- a\n--- [b]\n---\n", r#"["a"] ["b"] null"#),
    ]);
}

#[test]
fn short_tags_expand_to_uris() {
    let pairs = [
        ("!x", "tag:yaml.org,2002:x"),
        ("!!x", "x-private:x"),
        ("!dom/x", "tag:dom.yaml.org,2002:x"),
        ("!dom.com,2004/x", "tag:dom.com,2004:x"),
        ("!tag:a.b,2004-01:x", "tag:a.b,2004-01:x"),
        ("!a%20b", "tag:yaml.org,2002:a%20b"),
        ("!<x>", "tag:yaml.org,2002:<x>"),
    ];
    for (tag, expected) in pairs {
        let text = format!("- {tag} a\n");
        let mut documents = Documents::with_options(text.as_bytes(), &read(), &compose());
        let document = documents.next().unwrap().unwrap();
        let node = document.root().get(0).unwrap();
        assert_eq!(node.tag(), Some(expected), "{tag}");
        assert_eq!(node.location().line, 1);
    }
    let text = "!pre.com,2004/p^a\n- !^b x\n- !pre/q^c\n  - !^d y\n- !^e z\n";
    let mut documents = Documents::with_options(text.as_bytes(), &read(), &compose());
    let document = documents.next().unwrap().unwrap();
    let tags: Vec<String> =
        document.nodes().filter_map(|node| node.tag().map(|tag| tag.to_owned())).collect();
    assert_eq!(tags[0], "tag:pre.com,2004:pa");
    assert_eq!(tags.last().unwrap(), "tag:pre.com,2004:pe");
}

#[test]
fn errors_point_at_the_fault() {
    let cases = [
        ("[a, ]", Problem::SyckTrailingComma, 1, 3),
        ("a: [b\n", Problem::SyckOpenBracket, 2, 1),
        ("{\"a\":1}", Problem::SyckInBrackets, 1, 5),
        ("? k\n", Problem::SyckNoColon, 1, 3),
        ("{? a : 1}", Problem::SyckInBrackets, 1, 2),
        ("[ a }", Problem::SyckOpenBracket, 1, 6),
        ("['a' }", Problem::SyckWrongBracket, 1, 6),
        ("a: b: c", Problem::SyckColon, 1, 5),
        ("a: 1\nb\n", Problem::SyckNoColon, 2, 1),
    ];
    for (text, problem, line, column) in cases {
        let error = json(text).unwrap_err();
        let found = (error.problem(), error.line(), error.location().column);
        assert_eq!(found, (problem, line, column), "{text:?}: {error}");
    }
}

#[test]
fn lost_data_causes_a_warning() {
    let cases = [
        ("a: 1\n- b", Problem::SyckReplaced, 2, 1),
        ("a: \u{e9}\n- b", Problem::SyckReplaced, 2, 1),
        ("a: *b", Problem::SyckUnknownAlias, 1, 4),
        ("a: 'b", Problem::SyckOpenQuote, 1, 4),
        ("a\0b", Problem::SyckNul, 1, 2),
        (r#""\u""#, Problem::SyckEscape, 1, 2),
    ];
    for (text, problem, line, column) in cases {
        let mut parser = Parser::with_options(text.as_bytes(), &read());
        while parser.next_chunk().unwrap().is_some() {}
        let mut reader = ReadParser::with_options(text.as_bytes(), &read());
        while reader.next_chunk().unwrap().is_some() {}
        for warnings in [parser.warnings(), reader.warnings().to_vec()] {
            let found: Vec<_> = warnings
                .iter()
                .map(|warning| (warning.problem, warning.location.line, warning.location.column))
                .collect();
            assert_eq!(found, [(problem, line, column)], "{text:?}");
        }
    }
    let mut parser = Parser::with_options(b"a:\n- b\nc: \"\\n\"\n", &read());
    while parser.next_chunk().unwrap().is_some() {}
    assert!(parser.warnings().is_empty());
}

#[test]
fn locations_count_from_the_start_of_the_text() {
    let text = "a: 1\n---\n# c\nb: !x [2, *q]\n";
    let documents: Vec<Document<'_>> =
        Documents::with_options(text.as_bytes(), &read(), &compose()).map(Result::unwrap).collect();
    let value = documents[1].root().get("b").unwrap();
    assert_eq!((value.location().line, value.location().column), (4, 7));
    let entry = value.get(1).unwrap();
    assert_eq!((entry.location().line, entry.location().column), (4, 11));
}

#[test]
fn errors_about_tags_point_at_the_tag() {
    let cases = [
        ("a: 1\nb: !dom/x y\n", (2, 4, "!dom/x")),
        ("- [!dom/x y]\n", (1, 4, "!dom/x")),
        ("- !!x &a\n  b: 1\n", (1, 3, "!!x")),
        ("- &a !dom.com,2004/x &b [1]\n", (1, 6, "!dom.com,2004/x")),
        ("---\n- 1\n--- \n- !dom/x\n  - 1\n", (4, 3, "!dom/x")),
        ("- !dom/x # see !dom/y\n  b: 1\n", (1, 3, "!dom/x")),
        // If a tag sets a prefix, the error points at the value.
        ("- !dom.com,2004/x^y z\n", (1, 21, "z")),
        ("- *q\n", (1, 3, "*q")),
    ];
    let mut options = JsonOptions::default();
    options.schema = Schema::Syck;
    options.unknown_tags = NotInJson::Error;
    for (text, expected) in cases {
        for is_owned in [false, true] {
            let documents = Documents::with_options(text.as_bytes(), &read(), &compose());
            let document = documents.last().unwrap().unwrap();
            let document = if is_owned { document.into_owned() } else { document };
            let mut out = Vec::new();
            let error = JsonWriter::new(&options).write(&document, &mut out).unwrap_err();
            let JsonError::Document(error) = error else { panic!("{error}") };
            let location = error.location();
            let start = location.offset as usize;
            let found = &text[start..start + location.len];
            assert_eq!((location.line, location.column, found), expected, "{text:?}");
        }
    }
}
