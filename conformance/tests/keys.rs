//! The mappings of `conformance/keys.json`. Their keys are numbers, which are equal or not.
//!
//! | key | meaning |
//! |---|---|
//! | `yaml` | a mapping on one line |
//! | `exact` | the column of its duplicate key, or null if all keys differ |
//! | `finite` | the same for `Value` and extprot, whose floats have 64 bits |
//! | `rounded` | the same for hosts, in which large floats are also infinite |

use ketch::{Encoder, Value};
use ketch_edit::{Edit, Operation};
use ketch_yaml::compose::{Checker, Kind};
use ketch_yaml::{ComposeOptions, Documents, DuplicateKeys, Error, FloatKeys, Options, Problem};

/// Calls `test` with each mapping and the columns of its duplicate keys, in the order of the table.
fn each(mut test: impl FnMut(&str, [Option<u64>; 3])) {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/keys.json");
    let text = std::fs::read_to_string(file).expect("the cases");
    let cases: Vec<serde_json::Value> = serde_json::from_str(&text).expect("JSON");
    assert!(cases.len() > 15);
    for case in cases {
        let yaml = case["yaml"].as_str().expect("a mapping");
        test(yaml, ["exact", "finite", "rounded"].map(|name| case[name].as_u64()));
    }
}

/// Returns the column of the duplicate key that `result` reports.
fn column<T>(result: Result<T, Error>) -> Option<u64> {
    let error = result.err()?;
    assert_eq!(error.problem(), Problem::DuplicateKey);
    assert!(error.related().is_some());
    Some(error.location().column)
}

#[test]
fn composing_and_checking_find_the_duplicate_key() {
    let options = Options::default();
    each(|yaml, columns| {
        let exact = ComposeOptions::default();
        let mut checker = Checker::new(yaml.as_bytes(), &options, &exact, 1);
        assert_eq!(checker.next().map(|error| error.location().column), columns[0], "{yaml}");
        for (float_keys, want) in
            [FloatKeys::Exact, FloatKeys::Finite, FloatKeys::Rounded].into_iter().zip(columns)
        {
            let mut compose = ComposeOptions::default();
            compose.float_keys = float_keys;
            let composed = |compose: &ComposeOptions| {
                Documents::with_options(yaml.as_bytes(), &options, compose).next().expect("one")
            };
            assert_eq!(column(composed(&compose)), want, "{yaml} {float_keys:?}");
            if let Ok(document) = composed(&exact) {
                assert_eq!(column(document.root().check_keys(float_keys)), want, "{yaml}");
            }
            compose.duplicate_keys = DuplicateKeys::Last;
            let root = composed(&compose).expect("one key wins");
            let pairs = yaml.matches(": ").count() - usize::from(want.is_some());
            assert_eq!(root.root().len(), pairs, "{yaml} {float_keys:?}");
        }
    });
}

#[test]
fn values_and_extprot_have_a_pair_for_each_key() {
    each(|yaml, [exact, finite, _]| {
        let pairs = yaml.matches(": ").count();
        let value: Result<Value, _> = ketch::from_str(yaml);
        match value {
            Ok(value) => assert_eq!(value.as_mapping().map(|pairs| pairs.len()), Some(pairs)),
            Err(error) => assert!(error.to_string().contains("duplicate key"), "{error}"),
        }
        assert_eq!(ketch::from_str::<Value>(yaml).is_err(), finite.is_some(), "{yaml}");
        if exact.is_some() {
            return;
        }
        let document = Documents::new(yaml.as_bytes()).next().expect("one").expect("valid");
        let value = Value::from_document(&document, &Default::default());
        assert_eq!(value.is_err(), finite.is_some(), "{yaml}");
        let encoded = Encoder::new(&Default::default()).encode(&document).map(<[u8]>::len);
        // Numbers too large for extprot are an error of their own.
        assert!(encoded.is_err() || finite.is_none(), "{yaml}");
    });
}

#[test]
fn paths_and_edits_reach_each_key() {
    each(|yaml, [exact, ..]| {
        // A path finds the text `1.5` before the number.
        if exact.is_some() || yaml.contains('\'') {
            return;
        }
        let document = Documents::new(yaml.as_bytes()).next().expect("one").expect("valid");
        let scalars = document.root().entries().filter(|(key, _)| key.kind() == Kind::Scalar);
        for (key, value) in scalars {
            let (key, letter) = (key.text(), value.text());
            let found = document.at_path([key.as_ref()]).expect("the key");
            assert_eq!(found.text(), letter, "{yaml} {key}");
            let operations = format!(r#"[{{"op": "set", "path": [{key}], "value": "z"}}]"#);
            let mut edit = Edit::open(yaml).expect("valid");
            edit.apply(&Operation::parse_all(&operations).expect("one")).expect("an edit");
            assert_eq!(edit.text(), yaml.replace(&format!(": {letter}"), ": z"), "{key}");
        }
    });
}

#[test]
fn exponents_of_any_size_take_linear_time() {
    let digits = "9".repeat(1 << 20);
    let text = format!("{{1e{digits}8: a, 10e{digits}7: b, 1e{digits}7: c, 1{digits}e5: d}}");
    let error = Documents::new(text.as_bytes()).next().expect("one").expect_err("a duplicate");
    assert_eq!(error.location().column, 10 + digits.len() as u64);
    let many: Vec<String> = (0..50_000).map(|key| format!("1e{}: a", 400 + key)).collect();
    let text = format!("{{{}}}", many.join(", "));
    let document = Documents::new(text.as_bytes()).next().expect("one").expect("valid");
    assert_eq!(document.root().len(), many.len());
}
