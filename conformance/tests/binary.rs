//! YAML that is converted to extprot and back has the same values.

use ketch::{Decoder, JsonSink};
use ketch_conformance::binary::{there_and_back, to_extprot};
use ketch_conformance::checks::Failures;
use ketch_conformance::generate::{self, Random};
use ketch_conformance::suite::{Case, cases};
use ketch_extprot::wire::Messages;
use ketch_yaml::compose::{JsonOptions, JsonWriter};
use ketch_yaml::schema::Schema;
use ketch_yaml::{ComposeOptions, Documents, DuplicateKeys, Options};

/// Returns the options for a case. Two cases contain duplicate keys on purpose.
fn compose_options(case: &Case) -> ComposeOptions {
    let mut options = ComposeOptions::default();
    if case.id == "2JQS" || case.id == "X38W" {
        options.duplicate_keys = DuplicateKeys::Last;
    }
    options
}

fn valid_cases() -> Vec<Case> {
    let valid: Vec<Case> = cases().into_iter().filter(|case| !case.fail).collect();
    assert_eq!(valid.len(), 308);
    valid
}

#[test]
fn all_valid_cases_of_the_suite_convert_both_ways() {
    let mut failures = Failures::default();
    let mut values = 0;
    for case in valid_cases() {
        let mut options = compose_options(&case);
        for schema in [Schema::Core, Schema::Yaml11, Schema::Failsafe] {
            options.schema = schema;
            let result = there_and_back(case.yaml.as_bytes(), &options);
            // Other schemas resolve more forms of scalars, and these may not be valid for the tag
            // that a scalar has.
            let is_mismatch =
                |error: &String| schema != Schema::Core && error.contains("does not have the form");
            if result.as_ref().is_err_and(is_mismatch) {
                continue;
            }
            let name = format!("{} by {}", case.id, schema.name());
            values += failures.note(name, result).unwrap_or(0);
        }
    }
    failures.finish();
    assert!(values > 1000, "{values} values");
}

#[test]
fn json_by_way_of_extprot_is_json() {
    let mut failures = Failures::default();
    let mut compared = 0;
    // One case has white space in base64, which the direct path keeps.
    for case in valid_cases().iter().filter(|case| case.id != "565N") {
        let options = compose_options(case);
        let Ok(bytes) = to_extprot(case.yaml.as_bytes(), &options) else { continue };
        let texts = Documents::with_options(case.yaml.as_bytes(), &Options::default(), &options);
        let mut writer = JsonWriter::new(&JsonOptions::default());
        for (document, message) in texts.zip(Messages::new(&bytes)) {
            let mut direct = Vec::new();
            let Ok(()) = writer.write(&document.expect("valid YAML"), &mut direct) else {
                continue;
            };
            let mut sink = JsonSink::new(&Default::default());
            let (base, message) = message.expect("a complete message");
            let result = Decoder::default().decode(message, base, &mut sink);
            let same = result.map_err(|error| error.to_string()).and_then(|()| {
                let [direct, other] = [&direct[..], sink.text()].map(String::from_utf8_lossy);
                // The direct path keeps the digits of floats, as in `450.00`, so the values are
                // compared.
                let value = |json: &str| ketch::from_str::<ketch::Value>(json).expect("JSON");
                let is_same = direct == other || value(&direct) == value(&other);
                if is_same { Ok(()) } else { Err(format!("{direct}\n{other}")) }
            });
            failures.note(&case.id, same);
            compared += 1;
        }
    }
    failures.finish();
    assert!(compared > 280, "{compared} values");
}

#[test]
fn generated_documents_convert_both_ways() {
    let mut failures = Failures::default();
    let mut random = Random::new(7);
    let mut values = 0;
    for number in 0..4000 {
        let yaml = generate::document(&random.bytes(400));
        for schema in [Schema::Core, Schema::Yaml11] {
            let mut options = ComposeOptions::default();
            options.schema = schema;
            options.duplicate_keys = DuplicateKeys::First;
            // Some documents have aliases inside the nodes that they refer to, or text that is
            // invalid for its tag.
            if to_extprot(yaml.as_bytes(), &options).is_err() {
                continue;
            }
            let result = there_and_back(yaml.as_bytes(), &options);
            let result = result.map_err(|error| format!("{error}\n--- from\n{yaml}"));
            values += failures
                .note(format!("document {number} by {}", schema.name()), result)
                .unwrap_or(0);
        }
    }
    failures.finish();
    assert!(values > 2500, "{values} values");
}
