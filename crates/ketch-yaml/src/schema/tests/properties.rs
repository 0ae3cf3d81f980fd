//! Property tests on random text. `PROPTEST_CASES` sets the number of batches.

use num_bigint::BigInt as Exact;
use proptest::prelude::*;
use proptest::sample::select;

use super::reference::Reference;
use crate::schema::{FloatForm, IntForm, Scalar, ScalarTag, Schema, needs_quotes};

/// The number of texts per case. It is more than one because generating a case costs more than
/// generating a text.
const BATCH: usize = 16;

/// Texts to start from, at least one for each form.
const SEEDS: [&str; 40] = [
    "null",
    "True",
    "FALSE",
    "yes",
    "No",
    "on",
    "OFF",
    "~",
    "<<",
    "=",
    "0",
    "-12",
    "+007",
    "0o17",
    "0x1F",
    "0b101",
    "1_000",
    "1,000",
    "190:20:30",
    "190:20:30.15",
    "0:30.5",
    "1.",
    ".5",
    "12.5e+3",
    "1.2.3e+4",
    "1e3",
    ".inf",
    "-.INF",
    ".NaN",
    "2001-12-14",
    "2001-12-14T21:59:43.10Z",
    "2001-12-14 21:59:43.10 -05:00",
    "2001-2-29t1:59:43-5",
    "2000-02-29\t23:59:60+23:59",
    "y",
    "9223372036854775808",
    "-0x8000000000000001",
    ":a",
    "+_1",
    "089.5",
];

const ALPHABET: &str = "0123456789012345678900112233+-._,:eExobTtZ \t~<=nulyesfINFANTRUEoO";

/// Generates a text that is close to some form: a seed with up to three edits.
fn edited() -> impl Strategy<Value = String> {
    let letter = select(ALPHABET.chars().collect::<Vec<_>>());
    let edit = (any::<prop::sample::Index>(), 0..3u8, letter);
    (select(&SEEDS[..]), prop::collection::vec(edit, 0..4)).prop_map(|(seed, edits)| {
        let mut text: Vec<char> = seed.chars().collect();
        for (index, kind, letter) in edits {
            let at = index.index(text.len() + 1);
            match kind {
                0 => text.insert(at, letter),
                1 if at < text.len() => text[at] = letter,
                2 if at < text.len() => drop(text.remove(at)),
                _ => {}
            }
        }
        text.into_iter().collect()
    })
}

fn texts() -> impl Strategy<Value = Vec<String>> {
    let random = "[-+0-9._,:eExobTZ ~<=nulyesfINF]{0,12}";
    let number = "[-+]?[0-9]{1,4}[0-9_,.:eEx+-]{0,8}";
    prop::collection::vec(
        prop_oneof![3 => edited(), 1 => random, 1 => number, 1 => ".{0,8}"],
        BATCH,
    )
}

fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn resolver_agrees_with_the_regular_expressions(texts in texts()) {
        thread_local! {
            static REFERENCES: Vec<Reference> = Schema::ALL.map(Reference::new).into();
        }
        REFERENCES.with(|references| {
            for (schema, reference) in Schema::ALL.into_iter().zip(references) {
                for text in &texts {
                    let tag = schema.resolve(text.as_bytes());
                    prop_assert_eq!(tag, reference.resolve(text), "{:?} under {}", text, schema);
                }
            }
            Ok(())
        })?;
    }

    #[test]
    fn values_agree_with_the_standard_library(texts in texts()) {
        for schema in Schema::ALL {
            for text in &texts {
                check_value(schema, text)?;
            }
        }
    }

    #[test]
    fn text_that_resolves_to_another_type_needs_quotes(texts in texts()) {
        for text in &texts {
            for schema in [Schema::Core, Schema::Yaml11, Schema::Syck] {
                if schema.resolve(text.as_bytes()) != ScalarTag::Str {
                    prop_assert!(needs_quotes(text.as_bytes()), "{:?} under {}", text, schema);
                }
            }
            if Schema::Json.resolve(text.as_bytes()) != ScalarTag::Unresolved {
                prop_assert!(needs_quotes(text.as_bytes()), "{:?} under json", text);
            }
        }
    }

    #[test]
    fn canonical_timestamps_read_back_unchanged(texts in texts()) {
        for text in &texts {
            if let Scalar::Timestamp(value) = Schema::Yaml11.scalar(text.as_str()) {
                let written = value.to_string();
                let year_in_range = written.as_bytes().get(4) == Some(&b'-') && written.len() >= 10;
                prop_assert!(year_in_range, "{written:?}");
                prop_assert_eq!(Schema::Yaml11.scalar(written.as_str()), Scalar::Timestamp(value));
            }
        }
    }

    #[test]
    fn no_bytes_make_resolution_panic(bytes in prop::collection::vec(any::<u8>(), 0..40), sign in "[-+.0-9]{0,3}") {
        let text = [sign.as_bytes(), &bytes].concat();
        for schema in Schema::ALL {
            let _ = schema.scalar(&text[..]);
            for tag in ["null", "bool", "int", "float", "str", "binary", "timestamp", "merge", "value"] {
                let _ = schema.convert_tagged(&format!("tag:yaml.org,2002:{tag}"), &text[..]);
            }
        }
        let _ = needs_quotes(&text);
    }
}

/// Checks the tag and the value of `text`: numbers are compared with big integers and the standard
/// library's floats.
fn check_value(schema: Schema, text: &str) -> Result<(), TestCaseError> {
    let plain: String = text.chars().filter(|c| !"_,".contains(*c)).collect();
    match (schema.resolve(text.as_bytes()), schema.scalar(text)) {
        (ScalarTag::Int(form), value) => {
            let found = match value {
                Scalar::Int(value) => {
                    prop_assert!(i64::try_from(&exact(&plain, form, schema)).is_ok());
                    Exact::from(value)
                }
                Scalar::BigInt(value) => {
                    prop_assert!(i64::try_from(&exact(&plain, form, schema)).is_err());
                    value.to_decimal().parse().expect("decimal digits")
                }
                other => return Err(TestCaseError::fail(format!("{text:?}: {other:?}"))),
            };
            prop_assert_eq!(found, exact(&plain, form, schema), "{:?} under {}", text, schema);
        }
        (ScalarTag::Float(FloatForm::Fixed | FloatForm::Exponent), value) => {
            let second_dot = plain.match_indices('.').nth(1);
            let plain = &plain[..second_dot.map_or(plain.len(), |(at, _)| at)];
            let expected: f64 = plain.parse().expect("a float");
            let Scalar::Float(found) = value else { panic!("{text:?}") };
            prop_assert_eq!(found.to_bits(), expected.to_bits(), "{:?} under {}", text, schema);
        }
        (ScalarTag::Float(FloatForm::Base60), value) => {
            let Scalar::Float(found) = value else { panic!("{text:?}") };
            prop_assert!(found.is_finite());
        }
        (ScalarTag::Str, value) => prop_assert_eq!(value, Scalar::Str(text)),
        _ => {}
    }
    Ok(())
}

/// Returns the exact value of the integer in `text`, which has no separators.
fn exact(text: &str, form: IntForm, schema: Schema) -> Exact {
    let negative = text.starts_with('-');
    let digits = text.trim_start_matches(['+', '-']);
    let parse = |digits: &str, radix| {
        Exact::parse_bytes(format!("0{digits}").as_bytes(), radix).expect("digits")
    };
    let value = match form {
        IntForm::Decimal => parse(digits, 10),
        IntForm::Octal => parse(digits.trim_start_matches("0o"), 8),
        IntForm::Hex => parse(&digits[2..], 16),
        IntForm::Binary => parse(&digits[2..], 2),
        IntForm::Base60 => {
            let mut parts: Vec<Exact> = digits.split(':').map(|part| parse(part, 10)).collect();
            if negative && schema == Schema::Syck {
                parts[0] = -&parts[0];
            }
            let value = parts.into_iter().reduce(|sum, part| sum * 60 + part).expect("a part");
            return if negative && schema != Schema::Syck { -value } else { value };
        }
    };
    if negative { -value } else { value }
}
