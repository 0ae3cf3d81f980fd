//! Tests of values and documents that are written as Syck did.

use super::{compose, composing, read, reading};
use crate::{DIALECT, SyckEmitter};
use ketch_yaml::compose::{JsonOptions, JsonWriter};
use ketch_yaml::present::{PresentError, Properties, Sequences};
use ketch_yaml::represent::Native;
use ketch_yaml::schema::{RADIX_DIGITS_MAX, Scalar, Schema};
use ketch_yaml::{Dialect, Documents, Problem};
use proptest::prelude::*;

/// Reads a document in the dialect `dialect` with the schema `schema`, and writes it as Syck did.
fn dumped_as(
    text: &str,
    dialect: Dialect,
    schema: Schema,
    sequences: Sequences,
) -> Result<String, PresentError> {
    let (read, compose) = (reading(dialect), composing(schema));
    let document = Documents::with_options(text.as_bytes(), &read, &compose).next().unwrap()?;
    let mut syck = SyckEmitter::new(sequences);
    syck.document(&document, schema)?;
    Ok(String::from_utf8(syck.take()).unwrap())
}

fn dumped(text: &str) -> String {
    dumped_as(text, Dialect::Yaml, Schema::Core, Sequences::Flush).unwrap()
}

/// Writes `value` as the root of a document.
fn written(value: Native<'_>) -> String {
    let mut syck = SyckEmitter::new(Sequences::Flush);
    syck.start_document().unwrap();
    syck.native(value, Properties::NONE).unwrap();
    syck.end_document().unwrap();
    String::from_utf8(syck.take()).unwrap()
}

#[test]
fn collections_are_written_as_syck_writes_them() {
    let pairs = [
        ("[]", "--- []\n"),
        ("{a: {}}", "--- \na: {}\n"),
        ("null", "--- \n"),
        ("a: [1, ~]", "--- \na: \n- 1\n- \n"),
        ("{~: 1, 2: x}", "--- \n~: 1\n2: x\n"),
        ("- [1, [2]]\n- {a: b, c: d}", "--- \n- - 1\n  - - 2\n- a: b\n  c: d\n"),
        ("a: {b: [c, {d: e}]}", "--- \na: \n  b: \n  - c\n  - d: e\n"),
        ("? [1, 2]\n: - 3", "--- \n? - 1\n  - 2\n: \n- 3\n"),
        ("? {a: b}\n: x", "--- \n? a: b\n: x\n"),
        ("? !x a\n: !y {b: !z [c]}", "--- \n? !!x a\n: !!y \n  b: !!z \n  - c\n"),
        ("a: &x [1]\nb: *x\nc: &y 2\nd: *y", "--- \na: &id001 \n- 1\nb: *id001\nc: 2\nd: 2\n"),
        ("&x [*x]", "--- &id001 \n- *id001\n"),
    ];
    for (text, expected) in pairs {
        assert_eq!(dumped(text), expected, "{text}");
    }
    let indented = dumped_as("a: [1, {b: [2]}]", Dialect::Yaml, Schema::Core, Sequences::Indented);
    assert_eq!(indented.unwrap(), "--- \na: \n  - 1\n  - b: \n      - 2\n");
}

#[test]
fn deep_collections_are_in_brackets() {
    for (open, close, times) in
        [("{a: ", "}", 900), ("[1, ", ", x]", 900), ("[{b: ", ", c: d}, ~]", 450)]
    {
        let text = format!("{}\"c\\nd\"{}", open.repeat(times), close.repeat(times));
        let written = dumped(&text);
        assert!(written.len() < 1_000_000, "{open}: {}", written.len());
        let json = |text: &str, dialect, schema| {
            let (read, compose) = (reading(dialect), composing(schema));
            let document =
                Documents::with_options(text.as_bytes(), &read, &compose).next().unwrap().unwrap();
            let mut out = Vec::new();
            let mut options = JsonOptions::default();
            options.schema = schema;
            JsonWriter::new(&options).write(&document, &mut out).unwrap();
            out
        };
        let read = json(&written, DIALECT, Schema::Syck);
        assert!(read == json(&text, Dialect::Yaml, Schema::Core), "{open}");
    }
}

#[test]
fn scalars_are_written_as_syck_writes_them() {
    let pairs = [
        (Native::Str("a b-c/d.e_1"), "--- a b-c/d.e_1\n"),
        (Native::Str(""), "--- \"\"\n"),
        (Native::Str("a  b"), "--- \"a  b\"\n"),
        (Native::Str("No"), "--- \"No\"\n"),
        (Native::Str("1,000"), "--- \"1,000\"\n"),
        (Native::Str(":a"), "--- \":a\"\n"),
        (Native::Str("a\\\"\tb"), "--- \"a\\\\\\\"\\tb\"\n"),
        (Native::Str("a\n\n b\n"), "--- |\n  a\n\n   b\n"),
        (Native::Str("a\nb"), "--- |-\n  a\n  b\n"),
        (Native::Str("a\n\n"), "--- \"a\\n\\n\"\n"),
        (Native::Str("a \nb"), "--- \"a \\nb\"\n"),
        (Native::Str("a\0"), "--- !binary \"YQA=\"\n"),
        (Native::Binary(b"\xff"), "--- !binary \"/w==\"\n"),
        (Native::Float(f64::INFINITY), "--- .Inf\n"),
        (Native::Float(f64::NEG_INFINITY), "--- -.Inf\n"),
        (Native::Float(f64::NAN), "--- .NaN\n"),
        (Native::Float(1e20), "--- 1.0e+20\n"),
        (Native::BigInt("-123456789012345678901"), "--- -123456789012345678901\n"),
    ];
    for (value, expected) in pairs {
        assert_eq!(written(value), expected);
    }
    // A key is written on one line.
    assert_eq!(dumped("\"a\\nb\": c"), "--- \n\"a\\nb\": c\n");
    assert_eq!(dumped("a: {b: \"c\\nd\"}"), "--- \na: \n  b: |-\n    c\n    d\n");
}

#[test]
fn values_of_other_schemas() {
    let yaml11 = |text| dumped_as(text, Dialect::Yaml, Schema::Yaml11, Sequences::Flush).unwrap();
    assert_eq!(yaml11("[yes, 1_000, 0b11, 0o7]"), "--- \n- true\n- 1000\n- 3\n- \"0o7\"\n");
    assert_eq!(yaml11("2001-12-14 21:59:43"), "--- 2001-12-14T21:59:43Z\n");
    let binary = format!("0b{}", "10".repeat(2 * RADIX_DIGITS_MAX));
    assert_eq!(yaml11(&binary), format!("--- 0x{}\n", "a".repeat(RADIX_DIGITS_MAX)));
    let syck = |text| dumped_as(text, DIALECT, Schema::Syck, Sequences::Flush).unwrap();
    assert_eq!(syck("[1,2, -1:30, *q]"), "--- \n- 12\n- -30\n- *q\n");
    let tags = "- !x a\n- !!x b\n- !d/x c\n- !d.com,2004/x [1]\n- !str 1\n";
    let expected = "--- \n- !x a\n- !!x b\n- !d/x c\n- !d.com,2004/x \n  - 1\n- \"1\"\n";
    assert_eq!(syck(tags), expected);
}

#[test]
fn unwritable_values_are_errors() {
    let fail = |text| dumped_as(text, Dialect::Yaml, Schema::Core, Sequences::Flush).unwrap_err();
    let PresentError::Read(error) = fail("!!int x") else { panic!("no error of the document") };
    assert_eq!(error.problem(), Problem::TagMismatch);
    let PresentError::Read(error) = fail("- a\n- !<http:x> y") else { panic!("no error of a tag") };
    assert_eq!((error.problem(), error.line()), (Problem::NotInSyck, 2));
    assert_eq!(error.location().column, 3);
    let mut syck = SyckEmitter::new(Sequences::Flush);
    assert!(syck.native(Native::Null, Properties::NONE).is_err());
    syck.start_document().unwrap();
    assert!(syck.start_document().is_err());
    let error = syck.native(Native::Null, Properties::tag("http:x")).unwrap_err();
    assert_eq!(error.to_string(), "the tag `http:x` cannot be written in Syck's dialect");
    assert!(syck.end_document().is_err());
    syck.start_mapping(Properties::NONE).unwrap();
    assert!(syck.end_sequence().is_err());
    syck.start_mapping(Properties::NONE).unwrap_err();
}

proptest! {
    #[test]
    fn text_reads_back(text in "(?s).{0,12}|[ab\n\t #:,\\-\\[\"]{0,12}") {
        let yaml = written(Native::Str(&text));
        let document =
            Documents::with_options(yaml.as_bytes(), &read(), &compose()).next().unwrap().unwrap();
        match document.root().scalar(Schema::Syck).unwrap() {
            Scalar::Str(found) => prop_assert_eq!(&*found, &*text),
            Scalar::Binary(found) => prop_assert_eq!(found, text.as_bytes()),
            other => prop_assert!(false, "{:?}", other),
        }
    }
}
