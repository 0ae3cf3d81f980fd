//! Tables of texts and their tags.

use crate::schema::{Schema, needs_quotes};

/// Checks the tags of texts, given as pairs of a text and its tag. The tag is the last word of its
/// URI, with Syck's refinement after a `#`.
#[track_caller]
fn check(schema: Schema, rows: &[(&str, &str)]) {
    for (text, expected) in rows {
        assert_eq!(describe(schema, text), *expected, "{text:?} under {schema}");
    }
}

fn describe(schema: Schema, text: &str) -> String {
    let tag = schema.resolve(text.as_bytes());
    let name = tag.uri().rsplit(':').next().unwrap_or_default();
    match tag.refinement() {
        Some(form) => format!("{name}#{form}"),
        None => name.to_owned(),
    }
}

#[test]
fn schema_names_parse_back() {
    for schema in Schema::ALL {
        assert_eq!(schema.to_string().parse(), Ok(schema));
    }
    assert_eq!(Schema::default(), Schema::Core);
    let error = "YAML".parse::<Schema>().unwrap_err();
    assert_eq!(error.to_string(), "expected one of failsafe, json, core, yaml11, syck");
}

/// Checks example 10.9 of YAML 1.2.2 and the table above it.
#[test]
fn core() {
    check(
        Schema::Core,
        &[
            ("", "null"),
            ("~", "null"),
            ("null", "null"),
            ("Null", "null"),
            ("NULL", "null"),
            ("nULL", "str"),
            ("NUll", "str"),
            ("nul", "str"),
            ("nulll", "str"),
            ("true", "bool#yes"),
            ("True", "bool#yes"),
            ("TRUE", "bool#yes"),
            ("tRUE", "str"),
            ("False", "bool#no"),
            ("FALSE", "bool#no"),
            ("FALSe", "str"),
            ("yes", "str"),
            ("0", "int"),
            ("-0", "int"),
            ("+12", "int"),
            ("007", "int"),
            ("08", "int"),
            ("0o7", "int#oct"),
            ("0o", "str"),
            ("0o8", "str"),
            ("-0o7", "str"),
            ("0x3A", "int#hex"),
            ("0x", "str"),
            ("0X3A", "str"),
            ("+0x3A", "str"),
            ("0b1", "str"),
            ("-19", "int"),
            ("0.", "float#fix"),
            ("-0.0", "float#fix"),
            (".5", "float#fix"),
            ("-.5", "float#fix"),
            ("+12e03", "float#exp"),
            ("-2E+05", "float#exp"),
            ("1.e5", "float#exp"),
            ("1e", "str"),
            ("1e+", "str"),
            ("1e5.", "str"),
            (".", "str"),
            ("-", "str"),
            ("+", "str"),
            ("-.", "str"),
            (".e5", "str"),
            ("..5", "str"),
            ("1.5.", "str"),
            (".inf", "float#inf"),
            ("+.Inf", "float#inf"),
            ("-.INF", "float#neginf"),
            (".iNF", "str"),
            (".NAN", "float#nan"),
            (".NaN", "float#nan"),
            (".Nan", "str"),
            ("-.nan", "str"),
            ("1_000", "str"),
            ("1:30", "str"),
            ("2001-12-14", "str"),
            ("<<", "str"),
            ("=", "str"),
            ("1 ", "str"),
            (" 1", "str"),
            ("1\0", "str"),
        ],
    );
}

/// Checks section 10.2.2 of YAML 1.2.2, by which text that matches nothing has no tag.
#[test]
fn json() {
    check(
        Schema::Json,
        &[
            ("null", "null"),
            ("true", "bool#yes"),
            ("false", "bool#no"),
            ("0", "int"),
            ("-0", "int"),
            ("-12", "int"),
            ("0.", "float#fix"),
            ("12.5", "float#fix"),
            ("-0.0", "float#fix"),
            ("12e03", "float#exp"),
            ("-2E+05", "float#exp"),
            ("0e1", "float#exp"),
            ("", "?"),
            ("~", "?"),
            ("Null", "?"),
            ("True", "?"),
            ("01", "?"),
            ("00.5", "?"),
            ("+1", "?"),
            (".5", "?"),
            ("-.5", "?"),
            ("-", "?"),
            ("0o7", "?"),
            ("0x3A", "?"),
            (".inf", "?"),
            ("-.inf", "?"),
            (".nan", "?"),
            ("text", "?"),
        ],
    );
}

#[test]
fn failsafe() {
    check(Schema::Failsafe, &[("", "str"), ("null", "str"), ("1", "str"), ("<<", "str")]);
}

#[test]
fn yaml11() {
    check(
        Schema::Yaml11,
        &[
            ("", "null"),
            ("~", "null"),
            ("Null", "null"),
            ("yes", "bool#yes"),
            ("Yes", "bool#yes"),
            ("YES", "bool#yes"),
            ("yEs", "str"),
            ("NO", "bool#no"),
            ("On", "bool#yes"),
            ("OFF", "bool#no"),
            ("oFF", "str"),
            ("y", "str"),
            ("N", "str"),
            ("<<", "merge"),
            ("<<<", "str"),
            ("=", "value"),
            ("0777", "int#oct"),
            ("-0777", "int#oct"),
            ("0_7", "int#oct"),
            ("0_", "int#oct"),
            ("00", "int#oct"),
            ("08", "str"),
            ("0o17", "str"),
            ("0", "int"),
            ("+1_000", "int"),
            ("1_", "int"),
            ("_1", "str"),
            ("0x_1F", "int#hex"),
            ("-0x1F", "int#hex"),
            ("0x_", "str"),
            ("0b1010_0111", "int#bin"),
            ("0b", "str"),
            ("0b_", "str"),
            ("0b2", "str"),
            ("190:20:30", "int#base60"),
            ("-1:30", "int#base60"),
            ("1:60", "str"),
            ("1:5:9", "int#base60"),
            ("1:", "str"),
            ("1::2", "str"),
            ("1:2:", "str"),
            ("1:123", "str"),
            ("0:30", "str"),
            ("00:11:22:33:44:55", "str"),
            ("0:30.5", "float#base60"),
            ("190:20:30.15", "float#base60"),
            ("190:20:30.", "float#base60"),
            ("1.", "float#fix"),
            ("1_0.5_0", "float#fix"),
            ("089.5", "float#fix"),
            (".5", "float#fix"),
            ("-.5", "float#fix"),
            ("._5", "str"),
            (".", "str"),
            ("6.8523015e+5", "float#exp"),
            ("685.230_15e+03", "float#exp"),
            ("1.5e3", "str"),
            ("1e3", "str"),
            ("1e+3", "str"),
            ("-.inf", "float#neginf"),
            ("2001-12-14", "timestamp#ymd"),
            ("2001-1-1", "str"),
            ("2001-12-14t21:59:43.10-05:00", "timestamp#iso8601"),
            ("2001-12-14T21:59:43", "timestamp#iso8601"),
            ("2001-12-14 21:59:43.10 -5", "timestamp#spaced"),
            ("2001-1-4 1:59:43", "timestamp#spaced"),
            ("2001-12-14 \t 21:59:43\tZ", "timestamp#spaced"),
            ("2001-12-14 21:59:43 ", "str"),
            ("2001-12-14 21:59:43 +5:3", "str"),
            ("2001-12-14 21:59:43 +05:", "str"),
            ("2001-12-14 21:59:43 +0530", "str"),
            ("2001-12-14 21:59", "str"),
            ("2001-12-14T", "str"),
            ("2001-02-29", "str"),
            ("2000-02-29", "timestamp#ymd"),
            ("1900-02-29", "str"),
            ("2001-04-31", "str"),
            ("2001-00-10", "str"),
            ("2001-13-10", "str"),
            ("2001-10-00", "str"),
            ("2001-12-14T24:00:00Z", "str"),
            ("2001-12-14T23:59:60Z", "timestamp#iso8601"),
            ("2001-12-14T23:60:00Z", "str"),
            ("2001-12-14T23:59:59+24", "str"),
            ("-2001-12-14", "str"),
            ("2_01-12-14", "str"),
            ("20011-12-14", "str"),
        ],
    );
}

#[test]
fn syck() {
    check(
        Schema::Syck,
        &[
            ("", "null"),
            ("Null", "null"),
            ("yes", "bool#yes"),
            ("OFF", "bool#no"),
            ("y", "str"),
            ("n", "str"),
            ("=", "default"),
            ("<<", "merge"),
            ("0", "int"),
            ("-1,0,", "int"),
            ("0,", "int#oct"),
            ("0x,", "int#hex"),
            ("+0xA,f", "int#hex"),
            ("0o17", "str"),
            ("1,0:30", "int#base60"),
            ("00:11:22:33:44:55", "int#base60"),
            ("0,1:5", "int#base60"),
            ("08:30", "int#base60"),
            ("1:30.,5", "float#base60"),
            ("1,000.5", "float#fix"),
            ("1.,5", "float#fix"),
            ("1.,5e+3", "str"),
            ("1..e+3", "float#exp"),
            ("1.2.3", "str"),
            ("1.5e-3", "float#exp"),
            ("-.5", "str"),
            (".inf", "float#inf"),
            ("+.INF", "float#inf"),
            ("-.Inf", "float#neginf"),
            (".NaN", "float#nan"),
            ("2001-02-31", "timestamp#ymd"),
            ("2001-12-14t21:59:43.Z", "timestamp#iso8601"),
            ("2001-12-14T21:59:43.1+05", "timestamp#iso8601"),
            ("2001-12-14T21:59:43+5", "str"),
            ("2001-12-14T21:59:43 Z", "str"),
            ("2001-12-14 21:59:43Z", "str"),
            ("2001-12-14 21:59:43 Z", "timestamp#spaced"),
            ("2001-12-14 21:59:43", "str"),
        ],
    );
}

/// Compares the schemas on texts of every kind. The columns have the tags under the JSON, core,
/// YAML 1.1 and Syck schemas.
#[test]
fn side_by_side() {
    let long = format!("b{}l", "o".repeat(48));
    let rows = [
        ("yes", ["?", "str", "bool#yes", "bool#yes"]),
        ("NO", ["?", "str", "bool#no", "bool#no"]),
        (&*long, ["?", "str", "str", "str"]),
        ("false", ["bool#no", "bool#no", "bool#no", "bool#no"]),
        ("", ["?", "null", "null", "null"]),
        ("~", ["?", "null", "null", "null"]),
        ("~a", ["?", "str", "str", "str"]),
        ("<<", ["?", "str", "merge", "merge"]),
        ("10.1", ["float#fix", "float#fix", "float#fix", "float#fix"]),
        ("10000000000003435345.2324E+13", ["float#exp", "float#exp", "float#exp", "float#exp"]),
        (".23", ["?", "float#fix", "float#fix", "str"]),
        (".nan", ["?", "float#nan", "float#nan", "float#nan"]),
        ("null", ["null", "null", "null", "null"]),
        ("124233333333333333", ["int", "int", "int", "int"]),
        ("0b030323", ["?", "str", "str", "str"]),
        ("+0b0111111011010101", ["?", "str", "int#bin", "str"]),
        ("0xaafffdf", ["?", "int#hex", "int#hex", "int#hex"]),
        ("2005-05-03", ["?", "str", "timestamp#ymd", "timestamp#ymd"]),
        ("2005-05-03a", ["?", "str", "str", "str"]),
        (".nana", ["?", "str", "str", "str"]),
        ("2005-03-05T05:23:22", ["?", "str", "timestamp#iso8601", "str"]),
        ("=", ["?", "str", "value", "default"]),
        ("= ", ["?", "str", "str", "str"]),
        ("=a", ["?", "str", "str", "str"]),
    ];
    for (text, expected) in rows {
        let schemas = [Schema::Json, Schema::Core, Schema::Yaml11, Schema::Syck];
        assert_eq!(schemas.map(|schema| describe(schema, text)), expected, "{text:?}");
    }
}

#[test]
fn quotes() {
    let needed = "~ null nUlL TRUE tRue yes oN Y n 0 -1 +1 08 0777 0o17 0O17 -0o17 0x1F +0X1f \
                  0b1 0B1 1_000 1,000 -1_0.5 1. .5 -.5 1e3 1E3 1.5e+3 1e1_0 1.2.3e+4 1:30 0:30 \
                  -1:30 1:30.5 .inf -.INF +.inF .nan .nAn << = 2001-1-1 2001-02-31 -2001-01-01 \
                  2001-01-01T1:2:3 2001-01-01T01:02:03+0530 +_1 ._5 -._5e3 :sym 00:11:22:33 . -. ._ \
                  E5 +e-07 1_e5 0_x1F 0o+17 2001-12-14T21:59:43,0Z 2001-12-14T21:59:43-000 \
                  +-1 +-.5 +-0x1 <<< a<<";
    for text in needed.split_whitespace() {
        assert!(needs_quotes(text.as_bytes()), "{text}");
    }
    assert!(needs_quotes(b""));
    assert!(needs_quotes(b"2001-12-14 21:59:43 -5"));
    let free = "a yess nn yn nulls true1 inf nan Infinity 1.2.3 1.2.3.4 1a 0xg 0o8 0b2 -x +x .. ... - + \
                -- 1:60 1:x 2001-01 2001-01-01x v1.0 1st 12:30pm a:b _1 1- 1+1 0x 0o 0b .a -.a \
                e ea e5a é ~a 2001-01-01Tx 1_k <<a == $1 1% 1/2 +-a ++1 --1 -+1";
    for text in free.split_whitespace() {
        assert!(!needs_quotes(text.as_bytes()), "{text}");
    }
}
