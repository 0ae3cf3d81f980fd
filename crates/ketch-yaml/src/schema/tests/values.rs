//! Tables of texts and their values.

use crate::schema::{BigInt, RADIX_DIGITS_MAX, Radix, Scalar, Schema, Timestamp};

fn wide<'a>(schema: Schema, text: &'a str) -> BigInt<'a> {
    match schema.scalar(text) {
        Scalar::BigInt(value) => value,
        other => panic!("{text:?} is {other:?}"),
    }
}

#[test]
fn integers_of_up_to_64_bits_have_their_values() {
    let rows = [
        (Schema::Core, "0", 0),
        (Schema::Core, "-0", 0),
        (Schema::Core, "+12", 12),
        (Schema::Core, "010", 10),
        (Schema::Core, "0o17", 15),
        (Schema::Core, "0x3A", 58),
        (Schema::Core, "9223372036854775807", i64::MAX),
        (Schema::Core, "-9223372036854775808", i64::MIN),
        (Schema::Core, "0x7FFFFFFFFFFFFFFF", i64::MAX),
        (Schema::Core, "-000000000000000000000000000001", -1),
        (Schema::Yaml11, "010", 8),
        (Schema::Yaml11, "-0777", -511),
        (Schema::Yaml11, "0_", 0),
        (Schema::Yaml11, "1_000", 1000),
        (Schema::Yaml11, "685_230", 685_230),
        (Schema::Yaml11, "0x_0A_74_AE", 685_230),
        (Schema::Yaml11, "0b1010_0111_0100_1010_1110", 685_230),
        (Schema::Yaml11, "190:20:30", 685_230),
        (Schema::Yaml11, "-1:30", -90),
        (Schema::Yaml11, "-0x8000000000000000", i64::MIN),
        (Schema::Yaml11, "-153722867280912930:08", i64::MIN),
    ];
    for (schema, text, expected) in rows {
        assert_eq!(schema.scalar(text), Scalar::Int(expected), "{text} under {schema}");
    }
}

#[test]
fn integers_beyond_64_bits_are_exact() {
    let rows = [
        (Schema::Core, "9223372036854775808", "9223372036854775808"),
        (Schema::Core, "-9223372036854775809", "-9223372036854775809"),
        (Schema::Core, "+00018446744073709551616", "18446744073709551616"),
        (Schema::Core, "0o1777777777777777777777", "18446744073709551615"),
        (Schema::Core, "0x10000000000000000", "18446744073709551616"),
        (Schema::Yaml11, "-1_0000_0000_0000_0000_0000", "-100000000000000000000"),
        (Schema::Yaml11, "-0x10000000000000000", "-18446744073709551616"),
        (Schema::Yaml11, "153722867280912930:08", "9223372036854775808"),
        (Schema::Yaml11, "-153722867280912930:09", "-9223372036854775809"),
        (Schema::Syck, "1,000,000,000,000,000,000,000", "1000000000000000000000"),
        (Schema::Syck, "-9999999999999999999:59", "-599999999999999999881"),
    ];
    for (schema, text, expected) in rows {
        let value = wide(schema, text);
        assert_eq!(value.to_decimal(), expected, "{text} under {schema}");
        assert_eq!(value.to_string(), expected);
        assert_eq!(value.is_negative(), expected.starts_with('-'));
        assert!(value.is_decimal());
        assert_eq!(value.clone().into_owned(), value);
    }
    assert_eq!(wide(Schema::Core, "0x8000000000000000"), wide(Schema::Core, "9223372036854775808"));
}

#[test]
fn very_wide_integers_keep_their_base() {
    let text = format!("0x{}", "f".repeat(RADIX_DIGITS_MAX));
    assert!(wide(Schema::Core, &text).is_decimal());
    let text = format!("0x00{}", "f".repeat(RADIX_DIGITS_MAX + 1));
    let value = wide(Schema::Core, &text);
    assert_eq!(value.radix(), Radix::Hexadecimal);
    assert_eq!(value.digits().len(), RADIX_DIGITS_MAX + 1);
    assert_eq!(Schema::Core.resolve(value.to_string().as_bytes()).uri(), "tag:yaml.org,2002:int");
    // 16^4097 - 1 has floor(4097 * log10(16)) + 1 digits and ends in 5, as 16^n ends in 6.
    let decimal = value.to_decimal();
    assert_eq!(decimal.len(), 4934);
    assert!(decimal.ends_with('5'));
}

#[test]
fn a_megabyte_of_digits_is_borrowed() {
    let text = "7".repeat(1 << 20);
    let value = wide(Schema::Core, &text);
    assert_eq!(value.digits().as_ptr(), text.as_ptr());
    assert_eq!(value.digits().len(), text.len());
}

#[test]
fn floats() {
    let rows = [
        (Schema::Core, "1.", 1.0),
        (Schema::Core, ".5", 0.5),
        (Schema::Core, "-.5e1", -5.0),
        (Schema::Core, "+12e03", 12_000.0),
        (Schema::Core, "1.e5", 100_000.0),
        (Schema::Core, "1e400", f64::INFINITY),
        (Schema::Core, "-1e400", f64::NEG_INFINITY),
        (Schema::Core, "1e-400", 0.0),
        (Schema::Core, "1e99999999999999999999", f64::INFINITY),
        (Schema::Core, "1e-99999999999999999999", 0.0),
        (Schema::Core, "0e99999999999999999999", 0.0),
        (Schema::Core, "2.2250738585072011e-308", 2.225_073_858_507_201e-308),
        (Schema::Core, "9007199254740993.0", 9_007_199_254_740_992.0),
        (Schema::Core, "10000000000003435345.2324E+13", 1.000_000_000_000_343_6e32),
        (Schema::Core, ".INF", f64::INFINITY),
        (Schema::Core, "-.Inf", f64::NEG_INFINITY),
        (Schema::Json, "-2E+05", -200_000.0),
        (Schema::Yaml11, "685.230_15e+03", 685_230.15),
        (Schema::Yaml11, "1__0._5_", 10.5),
        (Schema::Yaml11, "190:20:30.15", 685_230.15),
        (Schema::Yaml11, "-1:30.5", -90.5),
        (Schema::Yaml11, "0:30.", 30.0),
    ];
    for (schema, text, expected) in rows {
        assert_eq!(schema.scalar(text), Scalar::Float(expected), "{text} under {schema}");
    }
    assert!(
        matches!(Schema::Core.scalar("-0.0"), Scalar::Float(v) if v == 0.0 && v.is_sign_negative())
    );
    assert!(matches!(Schema::Core.scalar(".NaN"), Scalar::Float(v) if v.is_nan()));
}

#[test]
fn words() {
    assert_eq!(Schema::Core.scalar(""), Scalar::Null);
    assert_eq!(Schema::Core.scalar("TRUE"), Scalar::Bool(true));
    assert_eq!(Schema::Failsafe.scalar("TRUE"), Scalar::Str("TRUE"));
    assert_eq!(Schema::Yaml11.scalar("off"), Scalar::Bool(false));
    assert_eq!(Schema::Yaml11.scalar("<<"), Scalar::Merge);
    assert_eq!(Schema::Yaml11.scalar("="), Scalar::Str("="));
    assert_eq!(Schema::Json.scalar("a"), Scalar::Unresolved("a"));
    assert_eq!(Schema::Core.scalar(&b"\xFF"[..]), Scalar::Str(&b"\xFF"[..]));
}

/// Checks the values of scalars of the Syck dialect.
#[test]
fn syck_pairs() {
    let rows = [
        ("08", Scalar::Str("08")),
        ("010", Scalar::Int(8)),
        ("0x1F", Scalar::Int(31)),
        ("1,000", Scalar::Int(1000)),
        ("1_000", Scalar::Str("1_000")),
        ("0b101", Scalar::Str("0b101")),
        ("1:30", Scalar::Int(90)),
        ("-1:30", Scalar::Int(-30)),
        ("1:60", Scalar::Str("1:60")),
        ("1:30.5", Scalar::Float(90.5)),
        ("1.", Scalar::Float(1.0)),
        (".5", Scalar::Str(".5")),
        ("1e3", Scalar::Str("1e3")),
        ("1.5e3", Scalar::Str("1.5e3")),
        ("1.5e+3", Scalar::Float(1500.0)),
        ("1.2.3e+4", Scalar::Float(1.2)),
        ("y", Scalar::Str("y")),
        ("On", Scalar::Bool(true)),
        ("2001-1-1", Scalar::Str("2001-1-1")),
        ("2001-12-14T21:59:43", Scalar::Str("2001-12-14T21:59:43")),
        (
            "2001-12-14 21:59:43 -05:00",
            Scalar::Timestamp(Timestamp {
                // 2001-12-15T02:59:43Z
                seconds: 1_008_385_183,
                nanoseconds: 0,
                offset_minutes: Some(-300),
                date_only: false,
            }),
        ),
        ("a:\t1", Scalar::Str("a:\t1")),
        ("1\t# c", Scalar::Str("1\t# c")),
        ("@x", Scalar::Str("@x")),
        ("00:11:22:33:44:55", Scalar::Int(147_433_495)),
        // In addition: commas, the sign of the first part, dates that do not exist.
        ("1,000.5", Scalar::Float(1000.5)),
        ("-1:30.5", Scalar::Float(-29.5)),
        ("-0:30", Scalar::Int(30)),
        ("-1:2:3", Scalar::Int(-3477)),
        ("0x,", Scalar::Int(0)),
        ("2001-02-30", Scalar::Str("2001-02-30")),
    ];
    for (text, expected) in rows {
        assert_eq!(Schema::Syck.scalar(text), expected, "{text}");
    }
    assert_eq!(tagged(Schema::Syck, "int", "3"), Ok(Scalar::Int(3)));
}

#[test]
fn timestamps() {
    // Text, canonical text, seconds, nanoseconds, offset.
    let rows = [
        ("1970-01-01", "1970-01-01", 0, 0, None),
        ("0000-03-01", "0000-03-01", -62_162_035_200, 0, None),
        ("9999-12-31", "9999-12-31", 253_402_214_400, 0, None),
        ("2001-12-15T02:59:43.1Z", "2001-12-15T02:59:43.1Z", 1_008_385_183, 100_000_000, Some(0)),
        (
            "2001-12-14t21:59:43.10-05:00",
            "2001-12-14T21:59:43.1-05:00",
            1_008_385_183,
            100_000_000,
            Some(-300),
        ),
        ("2001-12-15 2:59:43.10", "2001-12-15T02:59:43.1", 1_008_385_183, 100_000_000, None),
        ("1969-12-31T23:59:59+5:30", "1969-12-31T23:59:59+05:30", -19_801, 0, Some(330)),
        ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z", 1_483_228_800, 0, Some(0)),
        (
            "1970-01-01T00:00:00.1234567899Z",
            "1970-01-01T00:00:00.123456789Z",
            0,
            123_456_789,
            Some(0),
        ),
        ("1970-01-01T00:00:00.Z", "1970-01-01T00:00:00Z", 0, 0, Some(0)),
    ];
    for (text, canonical, seconds, nanoseconds, offset_minutes) in rows {
        let Scalar::Timestamp(value) = Schema::Yaml11.scalar(text) else { panic!("{text}") };
        let date_only = text.len() == 10;
        assert_eq!(value, Timestamp { seconds, nanoseconds, offset_minutes, date_only }, "{text}");
        assert_eq!(value.to_string(), canonical);
    }
}

/// Converts `text` with the tag `tag` of the YAML repository. An error is returned as its message.
fn tagged<'a>(schema: Schema, tag: &str, text: &'a str) -> Result<Scalar<'a>, String> {
    let value = schema.convert_tagged(&format!("tag:yaml.org,2002:{tag}"), text);
    value.map_err(|error| error.to_string()).map(|value| value.expect("a known tag"))
}

#[test]
fn explicit_tags_convert_valid_text() {
    let rows = [
        (Schema::Core, "int", "0x1F", Scalar::Int(31)),
        (Schema::Json, "int", "0x1F", Scalar::Int(31)),
        (Schema::Failsafe, "int", "7", Scalar::Int(7)),
        (Schema::Yaml11, "int", "1:30", Scalar::Int(90)),
        (Schema::Core, "float", "1", Scalar::Float(1.0)),
        (
            Schema::Core,
            "float",
            "18446744073709551616",
            Scalar::Float(18_446_744_073_709_551_616.0),
        ),
        (
            Schema::Yaml11,
            "float",
            "-0x10000000000000000",
            Scalar::Float(-18_446_744_073_709_551_616.0),
        ),
        (Schema::Core, "str", "1", Scalar::Str("1")),
        (Schema::Core, "str", "", Scalar::Str("")),
        (Schema::Core, "null", "", Scalar::Null),
        (Schema::Json, "null", "", Scalar::Null),
        (Schema::Core, "bool", "True", Scalar::Bool(true)),
        (Schema::Yaml11, "bool", "off", Scalar::Bool(false)),
        (Schema::Core, "binary", "aGVs\n bG8=", Scalar::Binary(b"hello".to_vec())),
        (Schema::Core, "binary", "aGVsbG8", Scalar::Binary(b"hello".to_vec())),
        (Schema::Core, "binary", "", Scalar::Binary(Vec::new())),
        (Schema::Yaml11, "merge", "<<", Scalar::Merge),
        (Schema::Yaml11, "value", "=", Scalar::Str("=")),
    ];
    for (schema, tag, text, expected) in rows {
        assert_eq!(tagged(schema, tag, text), Ok(expected), "!!{tag} {text:?} under {schema}");
    }
    let day = Timestamp { seconds: 0, nanoseconds: 0, offset_minutes: None, date_only: true };
    assert_eq!(tagged(Schema::Core, "timestamp", "1970-01-01"), Ok(Scalar::Timestamp(day)));
}

#[test]
fn explicit_tags_reject_invalid_text() {
    let rows = [
        ("int", "1.0", "\"1.0\" is not a valid `!!int`: expected an integer"),
        ("int", "", "\"\" is not a valid `!!int`: expected an integer"),
        ("float", "x", "\"x\" is not a valid `!!float`: expected a number"),
        ("bool", "yes", "\"yes\" is not a valid `!!bool`: expected `true` or `false`"),
        ("null", "0", "\"0\" is not a valid `!!null`: expected an empty scalar, `~` or `null`"),
        ("binary", "a!", "\"a!\" is not a valid `!!binary`: expected base 64"),
        ("merge", "<", "\"<\" is not a valid `!!merge`: expected `<<`"),
        (
            "timestamp",
            "2001-02-30",
            "\"2001-02-30\" is not a valid `!!timestamp`: expected a date or time like \
             `2001-12-14T21:59:43Z`",
        ),
    ];
    for (tag, text, expected) in rows {
        assert_eq!(tagged(Schema::Core, tag, text), Err(expected.to_owned()));
    }
    let long = "x".repeat(1000);
    let error = Schema::Core.convert_tagged("tag:yaml.org,2002:int", &*long).unwrap_err();
    assert_eq!((error.tag(), error.expected()), ("!!int", "an integer"));
    assert_eq!(error.found().len(), 40);
}

#[test]
fn other_tags_are_kept() {
    for tag in ["!x", "tag:yaml.org,2002:set", "tag:example.com,2026:int", ""] {
        assert_eq!(Schema::Core.convert_tagged(tag, "1"), Ok(None), "{tag}");
    }
}
