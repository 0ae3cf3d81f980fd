//! Tests with our own vectors, which were derived by hand from the specification. They are part of
//! the project, so these tests run everywhere. Damaged bytes must lead to an error or a value.

mod support;

use ketch_extprot::schema::{NoLoader, check_schema};
use ketch_extprot::typed::pretty;
use ketch_extprot::wire::{MessageReader, Messages, Tokens};
use ketch_extprot::{InspectOptions, Limits, Value, inspect};
use support::{error_to_json, unhex};

fn vectors() -> Vec<serde_json::Value> {
    let text = include_str!("vectors/evolution.json");
    serde_json::from_str::<serde_json::Value>(text).unwrap().as_array().unwrap().clone()
}

fn bytes_of(vector: &serde_json::Value) -> Vec<u8> {
    unhex(&vector["hex"].as_str().unwrap().replace(' ', ""))
}

#[test]
fn vectors_decode_print_and_encode_as_listed() {
    for vector in vectors() {
        let note = vector["note"].as_str().unwrap();
        let source = vector["schema"].as_str().unwrap();
        let schema = check_schema(note, source, &mut NoLoader).unwrap_or_else(|e| panic!("{e}"));
        let m = schema.lookup("m").unwrap();
        let bytes = bytes_of(&vector);
        match (schema.decode(m, &bytes, &Limits::default()), vector.get("text")) {
            (Ok(value), Some(text)) => {
                let got = pretty(&schema, m, &value).replace("[  ]", "[ ]");
                assert_eq!(got, text.as_str().unwrap(), "{note}");
            }
            (Err(error), None) => {
                assert_eq!(error_to_json(&error)["kind"], vector["error"], "{note}: {error}");
            }
            (result, _) => panic!("{note}: {result:?}"),
        }
    }
}

/// Calls every entry point with `bytes`. None of them may panic.
fn call_all(schema: &ketch_extprot::schema::Schema, bytes: &[u8]) {
    let limits = Limits::default();
    let m = schema.lookup("m").unwrap();
    for (_, value) in schema.decode_stream(m, bytes, &limits) {
        if let Ok(value) = value {
            let _ = pretty(schema, m, &value);
            let _ = schema.encode(m, &value);
        }
    }
    if let Ok((value, length)) = Value::decode_first(bytes, &limits) {
        // The value is written in canonical form, and reads back as the same value.
        let again = value.encode();
        assert!(again.len() <= length);
        assert_eq!(Value::decode(&again).unwrap(), value);
    }
    let _ = Tokens::new(bytes).count();
    let whole = Messages::new(bytes).filter(|m| m.is_ok()).count();
    let mut reader = MessageReader::new(bytes);
    let mut streamed = 0;
    while let Ok(Some(_)) = reader.next_message() {
        streamed += 1;
    }
    assert_eq!(whole, streamed);
    let _ = inspect(bytes, std::io::sink(), &InspectOptions::default());
}

#[test]
fn truncated_or_changed_bytes_cause_no_panic() {
    for vector in vectors() {
        let source = vector["schema"].as_str().unwrap();
        let schema = check_schema("own", source, &mut NoLoader).unwrap();
        let bytes = bytes_of(&vector);
        for end in 0..bytes.len() {
            call_all(&schema, &bytes[..end]);
        }
        for place in 0..bytes.len() {
            let mut damaged = bytes.clone();
            for byte in 0..=255 {
                damaged[place] = byte;
                call_all(&schema, &damaged);
            }
        }
    }
}
